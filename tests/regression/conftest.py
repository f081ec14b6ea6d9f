"""One device a file of tests; stages are made by recipe text, once a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
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


PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
GAP = 4


@pytest.fixture
def shown(request: pytest.FixtureRequest, device: Device) -> Callable[[str, Any, Any], None]:
    """Keeps the right picture and the wrong one side by side, docs/pictures/NAME.png, exactly."""

    def check(name: str, right: Any, wrong: Any) -> None:
        assert (right != wrong).any(), "the wrong order is another picture"
        height, width, _ = right.shape
        sheet = np.full((height, 2 * width + GAP, 3), 255, np.uint8)
        sheet[:, :width], sheet[:, width + GAP :] = right, wrong
        file = PICTURES / f"{name}.png"
        if not device.software:
            return
        if request.config.getoption("--update-pictures"):
            Image.fromarray(sheet).save(file, compress_level=9)
            return
        assert file.is_file(), f"{file.name} is missing; --update-pictures makes it"
        kept = np.asarray(Image.open(file).convert("RGB"))
        assert np.array_equal(kept, sheet), f"{name} differs; --update-pictures rewrites it"

    return check
