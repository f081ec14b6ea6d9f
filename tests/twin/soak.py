"""Thousands of random stories, told to both implementations; what is done is kept in a file.

    python tests/twin/soak.py --seed 1 --count 20000

Case n of seed s is story `s * 1_000_000 + n`. A second start with the same seed goes on where the
first one ended. `python tests/twin/soak.py --case N` tells one story line by line.
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

from twin.driver import Outcome, run

REPO = Path(__file__).resolve().parents[2]
STATE = REPO / "build" / "twin"
STRIDE = 1_000_000
AT_ONCE = 200
CHECKED = 5
"""Every fifth story runs the program's own invariant check after each event."""


@dataclass
class Progress:
    """How far a seed has come."""

    seed: int
    done: int = 0
    events: int = 0
    undecided: list[int] = field(default_factory=list)
    """Stories that ended at a decision too close for float32."""
    wrong: list[int] = field(default_factory=list)

    @classmethod
    def load(cls, file: Path, seed: int) -> Progress:
        if file.is_file():
            kept = cls(**json.loads(file.read_text(encoding="utf-8")))
            if kept.seed == seed:
                return kept
        return cls(seed)

    def save(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_suffix(".new")
        beside.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")
        beside.replace(file)


def case(number: int) -> Outcome:
    return run(number, check=number % CHECKED == 0)


def soak(seed: int, count: int, say: Callable[[str], object], folder: Path = STATE) -> Progress:
    """Run cases until `count` are done in all."""
    file = folder / f"{seed}.json"
    progress = Progress.load(file, seed)
    while progress.done < count:
        for _ in range(min(AT_ONCE, count - progress.done)):
            outcome = case(seed * STRIDE + progress.done)
            progress.done += 1
            progress.events += outcome.events
            if outcome.difference is not None:
                (progress.undecided if outcome.undecided else progress.wrong).append(outcome.seed)
                if not outcome.undecided:
                    say(f"story {outcome.seed}: {outcome.difference}")
        progress.save(file)
        say(
            f"seed {seed}: {progress.done} of {count} stories, {progress.events} events, "
            f"{len(progress.undecided)} undecided, {len(progress.wrong)} different"
        )
    return progress


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--count", type=int, default=20_000)
    words.add_argument("--case", type=int)
    asked = words.parse_args()
    if asked.case is not None:
        outcome = case(asked.case)
        print("\n".join(outcome.story))
        return int(outcome.difference is not None)
    progress = soak(asked.seed, asked.count, lambda text: print(text, flush=True))
    return int(bool(progress.wrong))


if __name__ == "__main__":
    sys.exit(main())
