"""A scenario with a fault made as short as it can be with the fault still there.

Steps are dropped in ever smaller runs (delta debugging) until no single one can go; then what the
checkpoints expect is thinned out the same way. Whether the fault is still there is asked of a
function, so that it may be a failed expectation, a crash, or whatever a command says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from acclient_py.host import scenario as sc

T = TypeVar("T")

Fails = Callable[[sc.Scenario], bool]


def minimal(items: Sequence[T], fails: Callable[[list[T]], bool]) -> list[T]:
    """A part of `items`, in order: `fails` holds for it, and no more when any one is dropped.

    `fails` must hold for all of them. It is never asked twice about the same ones.
    """
    kept = list(range(len(items)))
    asked: dict[tuple[int, ...], bool] = {}

    def still(indices: list[int]) -> bool:
        key = tuple(indices)
        if key not in asked:
            asked[key] = fails([items[i] for i in indices])
        return asked[key]

    size = max(1, len(kept) // 2)
    while kept:
        at, dropped = 0, False
        while at < len(kept):
            rest = kept[:at] + kept[at + size :]
            if still(rest):
                kept, dropped = rest, True
            else:
                at += size
        if size > 1:
            size //= 2
        elif not dropped:
            break
    return [items[i] for i in kept]


def shrink(scenario: sc.Scenario, fails: Fails) -> sc.Scenario:
    """The shortest that is found. `fails` must hold for `scenario`."""

    def with_steps(steps: list[sc.Step]) -> sc.Scenario:
        return msgspec.structs.replace(scenario, steps=steps)

    steps = minimal(scenario.steps, lambda kept: fails(with_steps(kept)))
    for place, step in enumerate(steps):
        if isinstance(step, sc.Checkpoint) and step.expect:
            steps[place] = _thinned(steps, place, step, lambda kept: fails(with_steps(kept)))
    return with_steps(steps)


def _thinned(
    steps: list[sc.Step], place: int, step: sc.Checkpoint, fails: Callable[[list[sc.Step]], bool]
) -> sc.Checkpoint:
    """A checkpoint with no more expectations than the fault needs."""

    def with_expect(expect: list[sc.Expect]) -> sc.Checkpoint:
        return msgspec.structs.replace(step, expect=expect)

    def still(expect: list[sc.Expect]) -> bool:
        return fails([*steps[:place], with_expect(expect), *steps[place + 1 :]])

    return with_expect(minimal(step.expect, still))
