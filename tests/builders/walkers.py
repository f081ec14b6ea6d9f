"""A doll that walks in a fixture world."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from builders.worlds import TINY, opened

from acclient_py.anim import motion as m
from acclient_py.cli.asking import AskWorld
from acclient_py.core.frame import make
from acclient_py.physics.state import TransientState

ENTER = 0x1012
QUANTUM_STEP = 0.11  # metres a walking doll makes in one quantum, at most
DOLL, DOLL_MOTION = 0x02000001, 0x09000001


def recipe(name: str, extra: str = "") -> str:
    """A fixture world's recipe (or recipe text) with the doll in it, and more TOML behind."""
    doll = (TINY / "parts" / "doll.toml").read_text("utf-8")
    own = name if "\n" in name else (TINY / f"{name}.toml").read_text("utf-8")
    own = re.sub(r"^include = .*\n", "", own, flags=re.M)
    return doll + "\n" + own + "\n" + extra


class Walker:
    """One body in a world of `assets/recipes/tiny`, with the doll's spheres and motion table."""

    def __init__(
        self, world: str, cell_id: int, at: Any, *, heading: float = 0.0, extra: str = ""
    ) -> None:
        self.asked = AskWorld(opened(recipe(world, extra)))
        self.world = self.asked.near(cell_id)
        self.obj = self.world.make_object(DOLL)
        self.world.player = self.obj
        assert self.movement.set_motion_table(self.obj, DOLL_MOTION)
        self.error = self.place(cell_id, at, heading=heading)

    @property
    def movement(self) -> Any:
        return self.world.movement

    def place(self, cell_id: int, at: Any, *, heading: float = 0.0) -> int:
        """Where it fits near a place; retail's error number."""
        frame = make(*at, heading)
        return int(self.world.set_position(self.obj, cell_id, frame, ENTER))

    @property
    def row(self) -> Any:
        return self.world.row(self.obj)

    @property
    def at(self) -> Any:
        """x, y, z in the block of its cell."""
        return self.row["frame"][:3].astype(float)

    @property
    def cell_id(self) -> int:
        return self.world.full_cell_id(self.obj)

    @property
    def grounded(self) -> bool:
        return bool(self.row["transient"] & TransientState.ON_WALKABLE)

    def tick(self, count: int = 1) -> list[int]:
        """Let quanta pass; the cell after each."""
        cells = []
        for _ in range(count):
            self.world.tick()
            self.asked.near(self.cell_id or int(self.row["objcell_id"]))
            cells.append(self.cell_id)
        self.world.check()
        return cells

    def walk(self, heading: float, count: int, *, run: bool = False) -> list[int]:
        """Forward along a heading for some quanta, then stop."""
        self.movement.set_heading(self.obj, heading)
        self.movement.do_motion(self.obj, m.WALK_FORWARD, hold_run=run)
        cells = self.tick(count)
        self.movement.stop_motion(self.obj, m.WALK_FORWARD)
        return cells

    def go(self, x: float, y: float, *, near: float = 0.15, tries: int = 60) -> None:
        """Walk to a place of the block, turning towards it again and again; it must be reached."""
        for _ in range(tries):
            dx, dy = x - self.at[0], y - self.at[1]
            far = float(np.hypot(dx, dy))
            if far < near:
                return
            heading = float(np.degrees(np.arctan2(dx, dy))) % 360.0
            self.walk(heading, 1 + min(int(far / QUANTUM_STEP), 20))
        raise AssertionError(f"({x:g}, {y:g}) is not reached: stands at {self.at.round(2)}")

    def step(self, dx: float, dy: float, dz: float = 0.0) -> bool:
        """One transition by hand, of any length, committed when it comes to something."""
        frame = self.row["frame"].copy()
        frame[:3] += np.array((dx, dy, dz), np.float32)
        cell_id = int(self.row["objcell_id"])
        result = self.world.transitions.transition(self.obj, cell_id, frame)
        if result.ok:
            self.world.commit(self.obj, result, cause=1)
            self.asked.near(self.cell_id or cell_id)
        return result.ok

    def statue(self, did: int, cell_id: int, at: Any, *, heading: float = 0.0) -> int:
        """A static object at a place."""
        obj = self.world.make_object(did, dynamic=False)
        self.world.add_obj_to_cell(obj, self.world.cell_slot(cell_id), make(*at, heading))
        return int(obj)


def lattice(cell_id: int, at: Any) -> tuple[float, float]:
    """Metres from the world's south-west corner."""
    return (cell_id >> 24 & 0xFF) * 192.0 + at[0], (cell_id >> 16 & 0xFF) * 192.0 + at[1]


def land_cell_at(x: float, y: float) -> int:
    """The land cell of a place in world metres."""
    bx, by = int(x // 192), int(y // 192)
    cx, cy = int(x % 192 // 24), int(y % 192 // 24)
    return bx << 24 | by << 16 | (cx * 8 + cy + 1)
