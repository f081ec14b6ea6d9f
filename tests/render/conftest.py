"""A device for picture tests, worlds baked from the tiny recipes, and exact pictures.

Pictures are compared exactly on Mesa's software rasteriser; on another driver the frame is drawn,
something must have come out, and the comparison is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.places import Place
from PIL import Image

from acclient_py import paths
from acclient_py.dat.dataset import DatSet
from acclient_py.errors import GpuError
from acclient_py.gpu.device import Device
from acclient_py.render.frame import FrameRenderer

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
SIZE = (320, 180)


@pytest.fixture
def device() -> Iterator[Device]:
    """A device that must end without a GL error and without a leaked object."""
    try:
        made = Device.offscreen()
    except GpuError as why:
        pytest.skip(str(why))
    assert made.ctx.error == "GL_NO_ERROR"
    made.leaks()
    yield made
    error = made.ctx.error
    leaked = made.leaks()
    made.release()
    assert error == "GL_NO_ERROR"
    assert leaked == 0, f"{leaked} GPU objects were not released"


@pytest.fixture
def ctx(device: Device) -> Any:
    return device.ctx


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], DatSet]]:
    """Bakes a tiny recipe by name, once a session; gives its DAT set."""
    from acclient_py.bake.bake import bake_recipe

    opened: dict[str, DatSet] = {}

    def get(name: str) -> DatSet:
        if name not in opened:
            out = tmp_path_factory.mktemp(name)
            bake_recipe(paths.recipes() / "tiny" / f"{name}.toml", out)
            opened[name] = DatSet.open(out)
        return opened[name]

    yield get
    for dats in opened.values():
        dats.close()


@pytest.fixture
def place(tiny: Callable[[str], DatSet]) -> Callable[[str], Place]:
    return lambda name: Place(tiny(name))


@pytest.fixture
def renderer_of(device: Device) -> Iterator[Callable[..., FrameRenderer]]:
    """Makes renderers that are released before the device is asked for leaks."""
    made: list[FrameRenderer] = []

    def make(place: Place, **options: Any) -> FrameRenderer:
        options.setdefault("size", SIZE)
        made.append(FrameRenderer(device, place.models, place.region, **options))
        return made[-1]

    yield make
    for renderer in made:
        renderer.release()


@pytest.fixture
def same_picture(
    request: pytest.FixtureRequest, device: Device
) -> Callable[[str, np.ndarray], None]:
    """Compares with tests/pictures/NAME.png, exactly."""

    def check(name: str, picture: np.ndarray) -> None:
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 16, "something is to be seen"
        file = PICTURES / f"{name}.png"
        if not device.software:
            pytest.skip("pictures are compared on llvmpipe only")
        if request.config.getoption("--update-pictures"):
            Image.fromarray(picture).save(file, compress_level=9)
            return
        assert file.is_file(), f"{file.name} is missing; --update-pictures makes it"
        golden = np.asarray(Image.open(file).convert("RGB"))
        assert golden.shape == picture.shape
        wrong = int((golden != picture).any(axis=2).sum())
        assert wrong == 0, f"{wrong} pixels of {name} differ; --update-pictures rewrites it"

    return check
