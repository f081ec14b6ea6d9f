"""The ground: textures and masks of the region, surfaces of land cells, meshes of blocks.

A land cell's surface is one row that says what lies over what; the shader merges. Cells with the
same palette code share the row, as retail's share the merged texture. A block's mesh has four own
vertices a cell, so each vertex can say its cell's row.
"""

from __future__ import annotations

import contextlib
import logging
from typing import Final

import numpy as np

from acclient_py.core import I32, U32, Struct
from acclient_py.core.ids import hex8
from acclient_py.dat.dataset import DatSet
from acclient_py.errors import DataError
from acclient_py.gpu.device import Device
from acclient_py.gpu.textures import TextureArray
from acclient_py.log import warn_once
from acclient_py.physics.layout import Arrays
from acclient_py.render.geometry import VERTEX_DTYPE
from acclient_py.render.ground_mesh import block_meshes
from acclient_py.render.mips import levels_of
from acclient_py.render.pictures import (
    CLASS_SIZES,
    best_sides,
    checker,
    decode_texture,
    size_class,
    squared,
)
from acclient_py.render.surfaces import ROW_WORDS, SurfaceTable
from acclient_py.world import texmerge
from acclient_py.world.region import RegionModel

log = logging.getLogger(__name__)

KIND_GROUND: Final = 1
BLOCK_ROWS: Final = 4096  # a vertex has 12 bits for its block and 20 for its surface
MAX_SURFACES: Final = 1 << 20


class Ground:
    """Owner of the terrain arrays; makes surfaces of palette codes and meshes of blocks."""

    def __init__(
        self, device: Device, dats: DatSet, region: RegionModel, surfaces: SurfaceTable
    ) -> None:
        self._surfaces = surfaces
        self._dats = dats
        self._codes = region.mask_codes()
        self._known: U32 = np.zeros(0, np.uint32)  # palette codes, ascending, and their rows
        self._rows: U32 = np.zeros(0, np.uint32)
        merge = region.record.texture_merge
        self._kinds = {t.terrain_type: t for t in reversed(merge.textures)}
        self._fallback = merge.textures[0].terrain_type if merge.textures else None
        self._layer: dict[int, tuple[int, int]] = {}
        textures = [t.texture_id for t in self._kinds.values()]
        size = self._size(dats, textures)
        self.textures = TextureArray(device, size, levels_of=levels_of)
        masks = [
            m for group in (merge.corner_masks, merge.side_masks, merge.road_masks) for m in group
        ]
        self._mask_first = (
            0,
            len(merge.corner_masks),
            len(merge.corner_masks) + len(merge.side_masks),
        )
        size = self._size(dats, [mask_id for _, mask_id in masks])
        self.masks = TextureArray(device, size, levels_of=levels_of, repeat=False)
        for _, mask_id in masks:
            self._add(self.masks, self._picture(dats, mask_id))
        self.finish()

    @staticmethod
    def _add(array: TextureArray, picture: np.ndarray) -> int:
        return array.add(squared(picture, array.size))

    def _layer_of(self, kind: int) -> tuple[int, int]:
        """(layer, tiling) of a terrain type, whose picture comes with the first block of it."""
        found = self._layer.get(kind)
        if found is not None:
            return found
        texture = self._kinds.get(kind)
        if texture is not None:
            picture = self._picture(self._dats, texture.texture_id)
            tiling = max(1, min(255, texture.tiling))
            found = self._add(self.textures, picture), tiling
        elif self._fallback is not None and kind != self._fallback:
            found = self._layer_of(self._fallback)
        else:
            found = self._add(self.textures, checker()), 1
        self._layer[kind] = found
        return found

    def finish(self) -> None:
        """Upload what came with new blocks."""
        self.textures.finish()
        self.masks.finish()

    @staticmethod
    def _picture(dats: DatSet, texture_id: int) -> np.ndarray:
        try:
            return decode_texture(dats, texture_id)[0]
        except DataError as error:
            warn_once(
                ("texture", texture_id),
                "plain green drawn for ground texture %s: %s",
                hex8(texture_id),
                error,
                logger=log,
            )
            plain = np.empty((64, 64, 4), np.uint8)
            plain[...] = (*texmerge.MISSING_TEXTURE, 255)
            return plain

    @staticmethod
    def _size(dats: DatSet, textures: list[int]) -> int:
        """The edge of the largest picture."""
        sizes = [0]
        for texture_id in textures:
            with contextlib.suppress(DataError):  # told when it is drawn
                sizes.append(size_class(*best_sides(dats, texture_id)))
        return CLASS_SIZES[max(sizes)]

    def _give_rows(self, codes: U32) -> None:
        """Surface rows for palette codes that have none, in the order in which they are met."""
        new, at = np.unique(codes, return_index=True)
        rows = np.empty(len(new), np.uint32)
        for place in np.argsort(at).tolist():
            rows[place] = self._surfaces.add(self._words(int(new[place])))
        assert self._surfaces.count <= MAX_SURFACES, "a vertex has 20 bits for its surface"
        known = np.concatenate((self._known, new))
        order = np.argsort(known)
        self._known, self._rows = known[order], np.concatenate((self._rows, rows))[order]

    def _words(self, code: int) -> U32:
        texture = texmerge.cell_texture(code, *self._codes)
        layer, tiling = self._layer_of(texture.base_type)
        corner, side, road = self._mask_first
        over = []
        for o in texture.overlays:
            mask = (corner if o.is_corner else side) + o.mask_index
            over.append((*self._layer_of(o.type), mask, o.rotation))
        for r in texture.roads:
            over.append((*self._layer_of(texmerge.ROAD_TYPE), road + r.mask_index, r.rotation))
        words = np.zeros(ROW_WORDS, np.uint32)
        words[0] = KIND_GROUND | layer << 4 | tiling << 12 | len(over) << 20
        for i, (over_layer, over_tiling, mask, turn) in enumerate(over):
            words[1 + i] = over_layer | over_tiling << 8 | mask << 16 | turn << 24
        return words

    def block_meshes(self, arrays: Arrays, slots: I32, seams: I32) -> tuple[Struct, U32]:
        """Vertices and indices of blocks, one after the other: 4 and 6 a cell.

        slots : (n,) block slots ; seams : (n,) directions in which coarse edges are fitted
        Indices count from each block's first vertex.
        """
        sides = arrays.blocks["side"][slots].astype(np.int64)
        cells = int((sides * sides).sum())
        vertices: Struct = np.zeros(4 * cells, VERTEX_DTYPE)
        indices: U32 = np.empty(6 * cells, np.uint32)
        unknown: U32 = np.empty(cells, np.uint32)
        while missing := block_meshes(
            arrays.blocks, arrays.heights, arrays.terrain, slots, seams, self._known, self._rows,
            unknown, vertices, indices,
        ):  # fmt: skip
            self._give_rows(unknown[:missing])
        return vertices, indices

    def release(self) -> None:
        self.textures.release()
        self.masks.release()
