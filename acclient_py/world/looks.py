"""Looks: what an object description changes of one part's pictures, kept once and by number.

A part of the graph names its look by row; row 0 is the model as it is. Equal looks are one row, so
equal appearances share their pictures and combined palettes. Rows are never taken back.

Retail: CPartArray::DoObjDescChanges; a combined palette is shared by a code of its parts.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from acclient_py.dat.records.objdesc import ObjDesc, SubPalette


class Colours(Struct, frozen=True):
    """A combined palette: ranges of others laid over a base (0: the picture's own)."""

    base: int = 0
    over: tuple[SubPalette, ...] = ()


NO_COLOURS: Final = Colours()


class Look(Struct, frozen=True):
    """textures : (old id, new id), the first that fits counts ; colours : of palettised pictures"""

    textures: tuple[tuple[int, int], ...] = ()
    colours: Colours = NO_COLOURS

    def texture(self, texture_id: int) -> int:
        """What stands in a texture's place."""
        for old, new in self.textures:
            if old == texture_id:
                return new
        return texture_id


PLAIN: Final = Look()


def look_of(desc: ObjDesc, part: int) -> Look:
    """What a description changes of one part."""
    textures: dict[int, int] = {}
    for change in desc.textures:
        if change.part == part:
            textures[change.old_id] = change.new_id
    colours = NO_COLOURS
    if desc.sub_palettes or desc.base_palette_id:
        colours = Colours(desc.base_palette_id, desc.sub_palettes)
    return Look(tuple(textures.items()), colours)


class Looks:
    """The looks of one world that have been seen, each with the model that it is of."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, Look]] = [(-1, PLAIN)]
        self._known: dict[tuple[int, Look], int] = {}

    def row(self, gfx: int, look: Look) -> int:
        """The row of a look of a model (row of Models.gfx_rows); 0 for the model as it is."""
        if look == PLAIN or gfx < 0:
            return 0
        key = (gfx, look)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.rows)
            self.rows.append(key)
        return found
