"""Pictures: no seams, the same everywhere, every format decodes to what was painted."""

from __future__ import annotations

import hashlib

import msgspec
import numpy as np
import pytest
from builders.worlds import baked, opened

from acclient_py.bake.noise import cellular, fractal_noise, gradient_noise
from acclient_py.bake.pictures import Picture, corner_mask, encode, paint_texture, road_mask
from acclient_py.bake.schema.textures import Texture
from acclient_py.dat import pixels
from acclient_py.dat.records import RenderSurface

LAYERS = {
    "noise": {"kind": "noise", "scale": [3, 5], "warp": 0.1, "colors": ["#000000", "#FFFFFF"]},
    "cells": {"kind": "cells", "scale": 6, "warp": 0.3, "colors": ["#202020", "#C0C0C0"],
              "edge_color": "#101010"},
    "bricks": {"kind": "bricks", "rows": 6, "columns": 3, "wobble": 0.3,
               "colors": ["#804020", "#A06040"]},
    "planks": {"kind": "planks", "count": 5, "joints": 2, "colors": ["#604020", "#806040"]},
    "shingles": {"kind": "shingles", "rows": 8, "columns": 6, "colors": ["#503020", "#705040"]},
    "weave": {"kind": "weave", "count": 12, "colors": ["#402020", "#603030"]},
    "blades": {"kind": "blades", "count": 200, "colors": ["#204010", "#609040"]},
    "speckle": {"kind": "speckle", "density": 0.3, "scale": 16, "colors": ["#FFFFFF"]},
}  # fmt: skip


def painted(*layers: dict, **keys: object) -> np.ndarray:
    texture = msgspec.convert({"layers": list(layers), "size": 64, **keys}, Texture)
    return paint_texture(texture).rgba


@pytest.mark.parametrize("name", sorted(LAYERS))
def test_a_layer_repeats_without_a_seam(name: str) -> None:
    """Across the picture's edge texels differ no more than inside it. Sabotage: no period."""
    rgb = painted(LAYERS[name])[..., :3].astype(np.float64)
    for axis in (0, 1):
        inner = np.abs(np.diff(rgb, axis=axis)).mean(axis=(1 - axis, 2))
        edge = np.abs(rgb.take(0, axis) - rgb.take(-1, axis)).mean()
        assert edge <= inner.max() * 1.05 + 2.0


@pytest.mark.contract("T8")
def test_pictures_are_the_same_on_every_machine() -> None:
    """The digest was made once; a change of any rounding or hash changes it."""
    digest = hashlib.sha256()
    for name in sorted(LAYERS):
        digest.update(painted(LAYERS[name], {"kind": "light"}).tobytes())
    digest.update(corner_mask(32, 8).rgba.tobytes() + road_mask(32, 10).rgba.tobytes())
    assert digest.hexdigest()[:16] == "1b3813edac82d68c"


def test_noise_repeats_and_is_spread_about_zero() -> None:
    x, y = np.meshgrid(np.linspace(0, 4, 129)[:-1], np.linspace(0, 4, 129)[:-1])
    value = gradient_noise(x, y, 5, (4, 4))
    assert np.array_equal(value, gradient_noise(x + 4.0, y - 8.0, 5, (4, 4)))
    assert abs(value.mean()) < 0.05
    assert 0.3 < value.std() < 0.7
    assert np.abs(fractal_noise(x, y, 1, period=(4, 4))).max() < 1.2
    near, second, _, border = cellular(x, y, 2, period=(4, 4))
    assert (near <= second).all()
    assert (border >= 0).all()


@pytest.mark.parametrize(
    ("form", "step"),
    [("R8G8B8", 0), ("A8R8G8B8", 0), ("LSCAPE", 0), ("A4R4G4B4", 17), ("R5G6B5", 8)],
)
def test_a_format_decodes_to_the_painted_colours(form: str, step: int) -> None:
    """Left half red, right half blue. Sabotage: swap red and blue in encode."""
    rgba = np.zeros((4, 8, 4), np.uint8)
    rgba[:, :4] = (250, 20, 10, 255)
    rgba[:, 4:] = (10, 20, 250, 255)
    from acclient_py.bake.pictures import FORMATS

    record = RenderSurface(0x06000001, 0, 8, 4, FORMATS[form], encode(Picture(rgba, form)))
    back = pixels.decode(record, None).astype(int)
    assert np.abs(back[..., :3] - rgba[..., :3].astype(int)).max() <= step


@pytest.mark.parametrize(("form", "size"), [("INDEX16", 2048), ("P8", 256)])
def test_a_palettised_picture_takes_its_palettes_colours_and_its_clear_indices(
    form: str, size: int
) -> None:
    recipe = f"""
[palette.fire]
size = {size}
colors = ["#000000", "#FF0000"]
clear = 8
[texture.flame]
size = 16
supersample = 1
format = "{form}"
palette = "fire"
background = "#00000000"
layers = [{{ kind = "stamp", shape = "rect", color = "#FFFFFF", size = [0.5, 1.0] }}]
"""
    with opened(recipe) as dats:
        number = baked(recipe).ids["texture flame"]
        picture = dats.record(dats.record(number).textures[0])
        rgba = pixels.decode(picture, dats.record(picture.palette_id))
    assert rgba[8, 8].tolist()[:3] == [255, 0, 0]
    index = np.frombuffer(picture.data, "<u2" if form == "INDEX16" else "u1").reshape(16, 16)
    assert index[8, 8] == size - 1
    assert index[8, 0] == 0


def test_the_masks_fit_the_codes_they_are_stored_for() -> None:
    """Weights are those of what lies below: 0 where the new terrain covers it wholly."""
    north_west = corner_mask(64, 8).rgba[..., 3]
    assert north_west[0, 0] == 0
    assert north_west[-1, -1] == north_west[0, -1] == north_west[-1, 0] == 255
    west = corner_mask(64, 9).rgba[..., 3]
    assert west[0, 0] == west[-1, 0] == 0
    assert west[0, -1] == west[-1, -1] == 255
    road = road_mask(64, 9).rgba[..., 3]
    assert (road[:, 0] == 0).all()
    assert (road[:, 32:] == 255).all()
    crossing = road_mask(64, 10).rgba[..., 3]
    assert crossing[0, 0] == crossing[-1, -1] == crossing[32, 32] == 0
    assert crossing[0, -1] == crossing[-1, 0] == 255
