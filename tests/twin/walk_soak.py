"""Thousands of random scenes through both painters; what is done is kept in a file.

    python tests/twin/walk_soak.py --seed 1 --count 10000

World n of seed s is world `s * 1_000_000 + n`; a scene counts when it draws something that no
earlier eye of its world drew. A second start with the same seed goes on where the first one ended.
`python tests/twin/walk_soak.py --world N` tells one world and the first row at which the two part.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from twin.painter.telling import Told, tell

REPO = Path(__file__).resolve().parents[2]
STATE = REPO / "build" / "twin"
STRIDE = 1_000_000
AT_ONCE = 50


@dataclass
class Progress:
    """How far a seed has come."""

    seed: int
    worlds: int = 0
    frames: int = 0
    scenes: int = 0
    rows: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    undecided: list[int] = field(default_factory=list)
    """Worlds that ended at a decision too close for float32."""
    wrong: list[int] = field(default_factory=list)

    @classmethod
    def load(cls, file: Path, seed: int) -> Progress:
        return cls(**json.loads(file.read_text("utf-8"))) if file.is_file() else cls(seed)

    def save(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_suffix(".new")
        beside.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")
        beside.replace(file)

    def add(self, told: Told) -> None:
        self.worlds += 1
        self.frames += told.frames
        self.scenes += told.scenes
        self.rows += told.rows
        for kind, count in told.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count
        if told.undecided:
            self.undecided.append(told.seed)
        elif told.difference:
            self.wrong.append(told.seed)


def soak(seed: int, count: int, say: Callable[[str], object], folder: Path = STATE) -> Progress:
    """Tell worlds until `count` scenes are done in all."""
    file = folder / f"walk-{seed}.json"
    progress = Progress.load(file, seed)
    while progress.scenes < count:
        for _ in range(AT_ONCE):
            told = tell(seed * STRIDE + progress.worlds)
            progress.add(told)
            if told.difference:
                say(told.difference)
            if progress.scenes >= count:
                break
        progress.save(file)
        say(
            f"seed {seed}: {progress.scenes} of {count} scenes, {progress.worlds} worlds,"
            f" {progress.rows} rows, {len(progress.undecided)} undecided,"
            f" {len(progress.wrong)} different"
        )
    return progress


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--count", type=int, default=10_000)
    words.add_argument("--world", type=int)
    asked = words.parse_args()
    if asked.world is not None:
        told = tell(asked.world)
        print(told.difference or f"equal: {told.frames} frames, {told.rows} rows")
        return int(bool(told.difference))
    progress = soak(asked.seed, asked.count, lambda text: print(text, flush=True))
    for kind, count in sorted(progress.kinds.items()):
        print(f"{count:10} {kind}")
    return int(bool(progress.wrong))


if __name__ == "__main__":
    sys.exit(main())
