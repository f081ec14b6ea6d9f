"""Surfaces: the state ladder of their type bits, and their rows on the GPU.

A row is 32 bytes. For a mesh: 0 blend row and flags, 1 picture, 2 alpha reference, 3 scale of the
picture (or, with MOVES, 3 and 7 its shift), 4 to 6 alpha, luminosity, diffuse. For a land cell the
words of its merged ground. Rows are never taken back.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from msgspec import Struct

from acclient_py.core import U32
from acclient_py.dat.records.surface import SurfaceType
from acclient_py.gpu.device import Device
from acclient_py.kernels.ops import S_BLEND, S_CLIP, S_OPAQUE

ROW_WORDS: Final = 8
NO_FOG: Final = 0x100
WRAP: Final = 0x200
DETAIL: Final = 0x400
MOVES: Final = 0x800
OVER_DETAIL: Final = (
    4  # the row of BLENDS that a detail pass is written with: colour and alpha as they are
)
REFERENCE_PALETTISED: Final = 100  # s_256AlphaTestRef
REFERENCE_TRUE_COLOUR: Final = 200  # s_ddsAlphaTestRef

# factors by name, and the row of world.vert's BLENDS that stands for each pair
ZERO, ONE, SRC_A, INV_SRC_A = "ZERO", "ONE", "SRC_A", "INV_SRC_A"
BLEND_ROWS: Final = {
    (ONE, ZERO): 0,
    (SRC_A, INV_SRC_A): 1,
    (SRC_A, ONE): 2,
    (ONE, ONE): 3,
    (ONE, INV_SRC_A): 4,
    (INV_SRC_A, SRC_A): 5,
    (INV_SRC_A, ONE): 6,
}


class Ladder(Struct, frozen=True):
    """How a surface is drawn.

    source, destination : blend factors ; reference : of 255, 0 without an alpha test
    """

    source: str
    destination: str
    blend: bool
    reference: int
    alpha: float
    depth_write: bool
    fog: bool

    @property
    def blend_row(self) -> int:
        return BLEND_ROWS[self.source, self.destination]

    @property
    def state(self) -> int:
        """The pipeline state that it is drawn in."""
        if not self.blend:
            return S_OPAQUE
        return S_CLIP if self.depth_write else S_BLEND


def surface_ladder(
    kind: int, translucency: float, *, over: bool = False, material: bool = False, palettised: bool
) -> Ladder:
    """The state of a surface's type bits.

    over       : the second, deferred copy of a clip surface
    material   : the object's own material is translucent
    palettised : the picture has a palette

    Retail: D3DPolyRender::SetSurface @0x0059C4D0.
    """
    source, destination, blend, test, reference = ONE, ZERO, False, False, 0
    alpha = 1.0
    additive = bool(kind & SurfaceType.ADDITIVE)
    if kind & SurfaceType.ALPHA or over:
        source, destination, blend = SRC_A, ONE if additive else INV_SRC_A, True
    elif kind & SurfaceType.INV_ALPHA:
        source, destination, blend = INV_SRC_A, ONE if additive else SRC_A, True
    elif additive:
        source, destination, blend = ONE, ONE, True
    if kind & SurfaceType.BASE1_CLIP_MAP and not over:
        if not blend:
            source, destination = ONE, INV_SRC_A
        blend, test = True, True
        reference = REFERENCE_PALETTISED if palettised else REFERENCE_TRUE_COLOUR
    if kind & SurfaceType.TRANSLUCENT:
        if not blend or test:
            source, destination, blend, test = SRC_A, INV_SRC_A, True, False
        alpha = 1.0 - translucency
    depth_write = test or not blend
    if material and not (blend and not test):
        source, destination, blend, test, depth_write = SRC_A, INV_SRC_A, True, False, False
    return Ladder(
        source, destination, blend, reference if test else 0, alpha, depth_write, not additive
    )


class SurfaceTable:
    """The rows, on the CPU and on the GPU. `generation` rises when the buffer is replaced."""

    def __init__(self, device: Device, capacity: int = 1024) -> None:
        self._device = device
        self.rows: U32 = np.zeros((capacity, ROW_WORDS), np.uint32)
        self.count = 0
        self._written = 0
        self.generation = 0
        self.buffer: Any = device.ctx.buffer(reserve=self.rows.nbytes)

    def add(self, words: U32) -> int:
        """Append a row of eight words; its number."""
        if self.count == len(self.rows):
            more = np.zeros((len(self.rows) * 2, ROW_WORDS), np.uint32)
            more[: self.count] = self.rows
            self.rows = more
        self.rows[self.count] = words
        self.count += 1
        return self.count - 1

    def add_mesh(
        self,
        ladder: Ladder,
        *,
        picture: tuple[int, int],
        wrap: bool,
        luminosity: float,
        diffuse: float,
        detail: float = 0.0,
    ) -> int:
        """The row of a mesh's surface. picture : (size class, layer)

        detail : not 0: a detail pass over that surface, and how often its picture repeats
        """
        words = np.zeros(ROW_WORDS, np.uint32)
        row = OVER_DETAIL if detail else ladder.blend_row
        words[0] = row << 4 | (0 if ladder.fog else NO_FOG) | (WRAP if wrap else 0)
        words[0] |= DETAIL if detail else 0
        words[1] = picture[0] | picture[1] << 8
        words[2] = ladder.reference
        words[3] = np.float32(detail or 1.0).view(np.uint32)
        words[4:7] = np.array((ladder.alpha, luminosity, diffuse), np.float32).view(np.uint32)
        return self.add(words)

    def copy_to_move(self, row: int) -> int:
        """A copy of a mesh's row whose picture can be shifted; its number."""
        words = self.rows[row].copy()
        words[0] |= MOVES
        words[3] = words[7] = 0
        return self.add(words)

    def shift(self, first: int, count: int, u: float, v: float) -> None:
        """Move the pictures of `count` neighbouring rows, made to move, to (u, v)."""
        rows = self.rows[first : first + count]
        rows[:, 3], rows[:, 7] = np.array((u, v), np.float32).view(np.uint32)
        if first + count <= self._written:
            self.buffer.write(np.ascontiguousarray(rows), offset=first * ROW_WORDS * 4)

    def upload(self) -> None:
        """Send what came since the last call."""
        if self.rows.nbytes > self.buffer.size:
            self.buffer.release()
            self.buffer = self._device.ctx.buffer(reserve=self.rows.nbytes)
            self.generation += 1
            self._written = 0
        if self._written < self.count:
            new = np.ascontiguousarray(self.rows[self._written : self.count])
            self.buffer.write(new, offset=self._written * ROW_WORDS * 4)
            self._written = self.count

    def release(self) -> None:
        self.buffer.release()
