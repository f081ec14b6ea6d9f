"""What is packed for the GPU by kernels is what the plain formulas give."""

from __future__ import annotations

import numpy as np

from acclient_py.render.geometry import octahedral
from acclient_py.render.mips import levels_of

rng = np.random.default_rng(12)
F = np.float32


def plain_octahedral(normal: np.ndarray) -> list[int]:
    """The normal projected on an octahedron whose lower half is folded out; of 32767."""
    total = abs(normal[0]) + abs(normal[1]) + abs(normal[2])
    x, y, z = normal / total if total > 0 else np.array((0, 0, 1), F)
    u, v = x, y
    if z < 0:
        u = (F(1) - abs(y)) * F(1 if x >= 0 else -1)
        v = (F(1) - abs(x)) * F(1 if y >= 0 else -1)
    return [int(np.round(u * F(32767))), int(np.round(v * F(32767)))]


def test_normals_are_packed_by_the_formula() -> None:
    """Sabotage: fold by the sign of the other coordinate; or let a zero normal point down."""
    normals = rng.normal(size=(4000, 3)).astype(F)
    normals[:1000] = np.round(normals[:1000])  # axes, zeros, and both zeros of a float
    normals[1000:2000] = np.round(normals[1000:2000] * 2) / 2
    normals[2000:3000] /= np.linalg.norm(normals[2000:3000], axis=1)[:, None]
    assert (normals[:1000] == 0).all(axis=1).any()
    packed = octahedral(normals)
    assert packed.dtype == np.int16
    assert packed.tolist() == [plain_octahedral(normal) for normal in normals]
    assert (octahedral(normals.reshape(40, 100, 3)) == packed.reshape(40, 100, 2)).all()


def test_levels_are_averages_of_four() -> None:
    """Sabotage: leave out the 2 that rounds; take the next level from a row too far."""
    for size in (2, 4, 8, 32, 128):
        for picture in (
            rng.integers(0, 256, (size, size, 4), dtype=np.uint8),
            rng.choice(np.array([0, 255], np.uint8), (size, size, 4))[::-1],  # not contiguous
            np.full((size, size, 4), 255, np.uint8),
        ):
            levels = levels_of(picture)
            sides = [len(level) for level in levels]
            assert sides == [size >> n for n in range(1, size.bit_length())]
            for above, level in zip([picture, *levels], levels, strict=False):
                whole = above.astype(int)
                four = whole[::2, ::2] + whole[1::2, ::2] + whole[::2, 1::2] + whole[1::2, 1::2]
                assert (level == (four + 2) // 4).all()
    assert levels_of(np.zeros((1, 1, 4), np.uint8)) == []
