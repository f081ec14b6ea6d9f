"""One device a file of tests; stages are made by recipe text, once a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from regression.stage import Stage

from acclient_py.errors import GpuError
from acclient_py.gpu.device import Device


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    """A device that must end without a GL error and without a leaked object."""
    try:
        made = Device.offscreen()
    except GpuError as why:
        pytest.skip(str(why))
    made.leaks()
    yield made
    error = made.ctx.error
    leaked = made.leaks()
    made.release()
    assert error == "GL_NO_ERROR"
    assert leaked == 0, f"{leaked} GPU objects were not released"


@pytest.fixture(scope="module")
def staged(device: Device) -> Iterator[Callable[..., Stage]]:
    """Makes a stage of a recipe (text, or the name of a tiny one); equal ones are made once."""
    made: dict[str, Stage] = {}
    others: list[Stage] = []

    def make(world: str, *, fresh: bool = False, **options: Any) -> Stage:
        if fresh or options:
            others.append(Stage(device, world, **options))
            return others[-1]
        if world not in made:
            made[world] = Stage(device, world)
        return made[world]

    yield make
    for stage in (*made.values(), *others):
        stage.release()
