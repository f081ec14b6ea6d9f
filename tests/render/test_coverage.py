"""Clip-mapped pictures keep their coverage in every mip level, on the CPU and on the GPU."""

from __future__ import annotations

import numpy as np
import pytest

from acclient_py.gpu.device import Device
from acclient_py.gpu.textures import TextureArray
from acclient_py.render.coverage import coverage, levels_that_cover
from acclient_py.render.mips import levels_of

rng = np.random.default_rng(4)


def leaves(size: int, share: float) -> np.ndarray:
    """Leaves of two by two texels, no two alike, all else clear."""
    alpha = (rng.random((size // 2, size // 2)) < share).repeat(2, 0).repeat(2, 1)
    picture = rng.integers(0, 256, (size, size, 4)).astype(np.uint8)
    picture[..., 3] = alpha * rng.integers(201, 256, (size, size))
    return picture


@pytest.mark.parametrize("reference", [100, 200])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.7])
def test_each_level_covers_as_much_as_the_picture(reference: int, share: float) -> None:
    """Sabotage: return plain averages; levels of a tenth of leaves cover nothing."""
    picture = leaves(128, share)
    wanted = coverage(picture, reference)
    levels = levels_that_cover(picture, reference)
    assert [len(level) for level in levels] == [64, 32, 16, 8, 4, 2, 1]
    for level, plain in zip(levels, levels_of(picture), strict=True):
        assert np.array_equal(level[..., :3], plain[..., :3])
        if len(level) >= 8:
            assert coverage(level, reference) == pytest.approx(wanted, abs=0.05)
    if share == 0.1:
        assert coverage(levels_of(picture)[2], reference) < wanted / 2


@pytest.mark.parametrize("alpha", [0, 255])
def test_clear_and_full_pictures_stay_what_they_are(alpha: int) -> None:
    picture = np.full((32, 32, 4), alpha, np.uint8)
    assert all((level == alpha).all() for level in levels_that_cover(picture, 100))


def test_the_levels_reach_the_gpu_and_survive_growth(device: Device) -> None:
    picture = leaves(64, 0.2)
    levels = levels_that_cover(picture, 200)
    array = TextureArray(device, 64, levels_of=levels_of)
    array.add(np.zeros((64, 64, 4), np.uint8))
    array.add(picture, levels)
    array.finish()
    array.add(np.zeros((64, 64, 4), np.uint8))  # the array grows, all levels are made anew
    array.finish()
    found = _read_levels(device, array, len(levels))
    for level, read in zip(levels, found, strict=True):
        assert np.array_equal(read[1], level)
    array.release()


def _read_levels(device: Device, array: TextureArray, count: int) -> list[np.ndarray]:
    """All layers of mip levels 1 to `count`, read back texel by texel."""
    ctx = device.ctx
    program = ctx.program(
        vertex_shader="""#version 330 core
            uniform sampler2DArray u_array; uniform int u_level; uniform int u_size;
            flat out uvec4 v_texel;
            void main() {
                int i = gl_VertexID;
                ivec3 at = ivec3(i % u_size, i / u_size % u_size, i / (u_size * u_size));
                v_texel = uvec4(texelFetch(u_array, at, u_level) * 255.0 + 0.5);
            }""",
        varyings=["v_texel"],
    )
    out = ctx.buffer(reserve=array.size**2 * array.layers * 4)
    vao = ctx.vertex_array(program, [])
    target = ctx.simple_framebuffer((8, 8))
    target.use()
    array.use(0)
    levels = []
    for number in range(1, count + 1):
        size = array.size >> number
        program["u_level"], program["u_size"] = number, size
        texels = size * size * array.layers
        vao.transform(out, mode=ctx.POINTS, vertices=texels)
        read = np.frombuffer(out.read(texels * 16), np.uint32)
        levels.append(read.reshape(array.layers, size, size, 4).astype(np.uint8))
    for made in (vao, out, program, *target.color_attachments, target.depth_attachment, target):
        made.release()
    return levels
