"""What the text over the picture says: where one is, in which cell, how long a picture takes."""

from __future__ import annotations

from typing import Any, Final

from acclient_py.core.ids import hex8, is_env_cell
from acclient_py.core.location import format_location
from acclient_py.host.host import Host
from acclient_py.viewer.places import describe

REFRESH: Final = 0.1  # seconds between two readings


class Hud:
    """Makes the lines; reads the host, changes nothing.

    machine : the lines that stay: renderer, version, window system
    """

    def __init__(self, host: Host, machine: list[str]) -> None:
        self._host = host
        self.machine = machine
        self._lines: list[str] = []
        self._read_at = -1.0

    @property
    def location(self) -> str:
        """The player's place in the original client's form."""
        player = self._host.player
        if player is None:
            return ""
        row = self._host.physics.row(player.obj)
        return format_location(int(row["objcell_id"]), row["frame"])

    def lines(self, now: float, stats: Any, *, mode: str = "") -> list[str]:
        """The lines at a time of the wall; read anew ten times a second."""
        if now - self._read_at >= REFRESH or now < self._read_at:
            self._read_at = now
            self._lines = [*self._where(), *self._how(stats, mode), *self.machine]
        return self._lines

    def _where(self) -> list[str]:
        host = self._host
        player = host.player
        if player is None:
            return ["no player"]
        cell_id = host.physics.full_cell_id(player.obj)
        kind = "env cell" if is_env_cell(cell_id) else "land cell"
        block = f"block {cell_id >> 16:04X}"
        cell = f"{kind} {hex8(cell_id)}" if cell_id else "in no cell"
        x, y = host.physics.row(player.obj)["frame"][:2]
        return [self.location, f"{describe(cell_id, x, y)}   {cell}   {block}"]

    def _how(self, stats: Any, mode: str) -> list[str]:
        ms = stats.smooth * 1e3
        rate = 1.0 / stats.smooth if stats.smooth > 0.0 else 0.0
        count = len(self._host.residency.blocks)
        line = f"{ms:.1f} ms  {rate:.0f} fps   tick {self._host.tick_count}   {count} blocks"
        return [f"{line}   {mode}" if mode else line]


def machine_lines(device: Any, platform: str) -> list[str]:
    """The graphics driver in use and the window system. GLP-04"""
    version = device.version
    return [f"{device.renderer}", f"OpenGL {version // 100}.{version % 100 // 10}   {platform}"]
