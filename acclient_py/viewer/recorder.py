"""Records what the hands do as a scenario: `input` steps, events, and a checkpoint at the end.

Replayed from the same start, it comes to the same checkpoints: ticks are counted, not seconds of
the wall, and keys are written by the names of the default keymap.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from acclient_py.host import scenario as sc
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
        self, opening: list[sc.Step], *, world: str, seed: int, detail_radius: int
    ) -> None:
        """opening : the steps that lead to where the recording begins"""
        self._steps: list[sc.Step] = list(opening)
        self._world = world
        self._seed = seed
        self._detail_radius = detail_radius
        self._keys = key_of(keys.load(keys.DEFAULT))
        self._held: tuple[str, ...] = ()
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
            if self._held:
                self._steps.append(sc.Input(keys=list(self._held), seconds=seconds))
            else:
                self._steps.append(sc.Tick(seconds=seconds))
        self._ticks = 0

    def finish(self) -> sc.Scenario:
        """The scenario, with a checkpoint at its end."""
        self._flush()
        self._marks += 1
        self._steps.append(sc.Checkpoint(name=f"end of the recording {self._marks}"))
        return sc.Scenario(
            world=self._world,
            seed=self._seed,
            detail_radius=self._detail_radius,
            steps=list(self._steps),
            about="recorded in the viewer",
        )


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
