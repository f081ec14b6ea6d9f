"""Records what the hands do as a scenario: `input` steps, events, and a checkpoint at the end.

Replayed from the same start, it comes to the same checkpoints: ticks are counted, not seconds of
the wall, and keys are written by the names of the default keymap. The last checkpoint expects what
was there when it was saved, so `acclient run` says whether it came to the same place.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from acclient_py.core.ids import hex8
from acclient_py.host import checkpoint
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host
from acclient_py.viewer import keys

FILE: Final = "recording-{:04d}.json"


def key_of(keymap: keys.Keymap) -> dict[str, str]:
    """Action to the name of its first key without modifiers."""
    found = {}
    for action, chords in keymap.actions.items():
        for chord in chords:
            if not chord.mods:
                found[action] = keys.NAMES[chord.key]
                break
    return found


class Recorder:
    """Collects steps from the moment it is made."""

    def __init__(
        self,
        opening: list[sc.Step],
        *,
        world: str,
        seed: int,
        detail_radius: int,
        detail_surfaces: bool = True,
    ) -> None:
        """opening : the steps that lead to where the recording begins"""
        self._steps: list[sc.Step] = list(opening)
        self._world = world
        self._seed = seed
        self._detail_radius = detail_radius
        self._detail_surfaces = detail_surfaces
        self._keys = key_of(keys.load(keys.DEFAULT))
        self._held: tuple[str, ...] = ()
        self._before: tuple[str, ...] = ()  # in the run of ticks that was written last
        self._ticks = 0
        self._marks = 0
        self.useless = ""
        """Why what was done cannot be replayed, or nothing."""

    def tick(self, actions: list[str]) -> None:
        """One tick with these actions held."""
        held = tuple(self._keys[a] for a in actions if a in self._keys)
        if held != self._held:
            self._flush()
            self._held = held
        self._ticks += 1

    def let_go(self) -> None:
        """Everything is let go at once (`Driver.release_all`): what was charged is no jump."""
        self._flush()
        if self._before:
            self._steps.append(sc.Tick(seconds=0.0))  # it lets go, and takes no time
        self._held = self._before = ()

    def step(self, step: sc.Step) -> None:
        """An event between two ticks."""
        self._flush()
        self._steps.append(step)

    def give_up(self, why: str) -> None:
        """Something happened that no step tells."""
        self.useless = why

    def _flush(self) -> None:
        if self._ticks:
            seconds = self._ticks / sc.TICKS_PER_SECOND
            # a `tick` step lets go of a charged jump; keys that are let go jump with it
            if self._held or self._keys["jump"] in self._before:
                self._steps.append(sc.Input(keys=list(self._held), seconds=seconds))
            else:
                self._steps.append(sc.Tick(seconds=seconds))
            self._before = self._held
        self._ticks = 0

    def finish(self, expect: Sequence[sc.Expect] = ()) -> sc.Scenario:
        """The scenario, with a checkpoint at its end.

        expect : how things stand here (`expectations`), so that a replay says when it comes
                 somewhere else
        """
        self._flush()
        self._marks += 1
        name = f"end of the recording {self._marks}"
        self._steps.append(sc.Checkpoint(name=name, expect=list(expect)))
        return sc.Scenario(
            world=self._world,
            seed=self._seed,
            detail_radius=self._detail_radius,
            detail_surfaces=self._detail_surfaces,
            steps=list(self._steps),
            about="recorded in the viewer",
        )


def expectations(host: Host) -> list[sc.Expect]:
    """Where the player and what it carries are now, to the last bit, and the tick. contract: I8"""
    player = host.player
    if player is None:
        return []
    who = hex8(player.guid)
    line = checkpoint.describe(host.physics, player, ticking=host.physics.is_ticking(player.obj))
    told = [sc.Expect(path="tick", equals=host.tick_count)]
    for name in ("cell", "origin", "rotation", "children"):
        told.append(sc.Expect(path=f"objects.{who}.{name}", equals=line[name]))
    told += [
        sc.Expect(path=f"objects.{child}.cell", equals=line["cell"]) for child in line["children"]
    ]
    return told


def numbered(folder: Path, pattern: str) -> Path:
    """The first free name after the highest there: no gaps are filled, nothing is overwritten."""
    folder.mkdir(parents=True, exist_ok=True)
    stem, dot, suffix = pattern.partition("{:04d}")
    assert dot, "the pattern has a number"
    taken = [0]
    for path in folder.glob(f"{stem}*{suffix}"):
        digits = path.name[len(stem) : len(path.name) - len(suffix)]
        if digits.isdigit():
            taken.append(int(digits))
    return folder / pattern.format(max(taken) + 1)
