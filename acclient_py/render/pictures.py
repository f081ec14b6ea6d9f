"""Pictures: records to layers of texture arrays, one array a size class.

A picture is stored at the next square power of two, 64 to 1024 texels. What is missing or cannot be
decoded shows a checker and is reported once.
"""

from __future__ import annotations

import logging
from typing import Final

import numpy as np

from acclient_py.core import U8
from acclient_py.core.ids import hex8
from acclient_py.dat import pixels
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records import kind_of
from acclient_py.dat.records.palette import Palette
from acclient_py.dat.records.textures import HEAD_SIZE, RenderSurface, SurfaceTexture
from acclient_py.errors import DataError
from acclient_py.gpu.device import Device
from acclient_py.gpu.textures import TextureArray
from acclient_py.log import warn_once
from acclient_py.render.coverage import levels_that_cover
from acclient_py.render.mips import levels_of
from acclient_py.render.surfaces import REFERENCE_PALETTISED, REFERENCE_TRUE_COLOUR
from acclient_py.world.looks import NO_COLOURS, Colours

log = logging.getLogger(__name__)

CLASS_SIZES: Final = (64, 128, 256, 512, 1024)


def checker(size: int = 64, squares: int = 8) -> U8:
    """What stands in for a picture: magenta and black squares."""
    at = np.arange(size) * squares // size
    odd = ((at[:, None] + at[None, :]) & 1).astype(bool)
    picture = np.zeros((size, size, 4), np.uint8)
    picture[...] = (24, 24, 24, 255)
    picture[odd] = (255, 0, 255, 255)
    return picture


def squared(picture: U8, size: int) -> U8:
    """A picture brought to size x size: whole repeats where they fit, else resampled."""
    height, width = picture.shape[:2]
    if height == width == size:
        return picture
    if size % height == 0 and size % width == 0:
        result: U8 = picture.repeat(size // height, axis=0).repeat(size // width, axis=1)
        return result
    from PIL import Image  # few pictures are of another size: most starts do without

    image = Image.fromarray(np.ascontiguousarray(picture), "RGBA")
    return np.asarray(image.resize((size, size), Image.Resampling.BILINEAR), np.uint8)


def size_class(height: int, width: int) -> int:
    """The class of a picture: the first size that holds its longer edge."""
    longer = max(height, width)
    for index, size in enumerate(CLASS_SIZES):
        if longer <= size:
            return index
    return len(CLASS_SIZES) - 1


class Pictures:
    """All pictures of meshes. Owner of five arrays."""

    def __init__(self, device: Device, dats: DatSet) -> None:
        self._dats = dats
        self.arrays = [TextureArray(device, size, levels_of=levels_of) for size in CLASS_SIZES]
        self._known: dict[tuple[int, int, bool, Colours], tuple[tuple[int, int], bool]] = {}
        self._solid: dict[int, tuple[int, int]] = {}
        self.stand_in: tuple[int, int] = (0, self.arrays[0].add(checker()))

    def solid(self, colour: int, alpha: float) -> tuple[int, int]:
        """A plain picture of 0xAARRGGBB with another alpha."""
        byte = int(max(0.0, min(1.0, alpha)) * 255)
        key = (colour & 0xFFFFFF) | byte << 24
        found = self._solid.get(key)
        if found is None:
            picture = np.empty((64, 64, 4), np.uint8)
            picture[...] = (colour >> 16 & 255, colour >> 8 & 255, colour & 255, byte)
            found = self._solid[key] = (0, self.arrays[0].add(picture))
        return found

    def picture(
        self, texture_id: int, palette_id: int, *, clip_map: bool, colours: Colours = NO_COLOURS
    ) -> tuple[tuple[int, int], bool]:
        """((size class, layer), whether it has a palette) of a SurfaceTexture.

        colours : in place of the palette, where the picture has one
        """
        key = (texture_id, palette_id, clip_map, colours)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._load(texture_id, palette_id, clip_map, colours)
        return found

    def _load(
        self, texture_id: int, palette_id: int, clip_map: bool, colours: Colours
    ) -> tuple[tuple[int, int], bool]:
        try:
            decoded, palettised = decode_texture(
                self._dats, texture_id, palette_id, clip_map=clip_map, colours=colours
            )
            if colours != NO_COLOURS and not palettised:  # the same picture as without
                return self.picture(texture_id, palette_id, clip_map=clip_map)
        except DataError as error:
            warn_once(
                ("texture", texture_id),
                "checker drawn for texture %s: %s",
                hex8(texture_id),
                error,
                logger=log,
            )
            return self.stand_in, False
        index = size_class(*decoded.shape[:2])
        picture = squared(decoded, CLASS_SIZES[index])
        levels = None
        if clip_map:
            reference = REFERENCE_PALETTISED if palettised else REFERENCE_TRUE_COLOUR
            levels = levels_that_cover(picture, reference)
        layer = self.arrays[index].add(picture, levels)
        return (index, layer), palettised

    def finish(self) -> None:
        for array in self.arrays:
            array.finish()

    def release(self) -> None:
        for array in self.arrays:
            array.release()


def decode_texture(
    dats: DatSet,
    texture_id: int,
    palette_id: int = 0,
    *,
    clip_map: bool = False,
    colours: Colours = NO_COLOURS,
) -> tuple[U8, bool]:
    """The best picture of a SurfaceTexture, and whether it has a palette."""
    surface = best_surface(dats, texture_id)
    palette: Palette | None = None
    palettised = pixels.has_palette(surface)
    if palettised:
        palette = combined_palette(dats, colours.base or palette_id or surface.palette_id, colours)
    return pixels.decode(surface, palette, clip_map=clip_map), palettised


def best_surface(dats: DatSet, texture_id: int) -> RenderSurface:
    """The largest picture of a SurfaceTexture that is there. Raises DataError for none."""
    best = _best_id(dats, texture_id)
    found = dats.record(best, keep=False)  # its colours go to the GPU
    if not isinstance(found, RenderSurface):
        raise DataError("no RenderSurface", where=hex8(best))
    return found


def best_sides(dats: DatSet, texture_id: int) -> tuple[int, int]:
    """(height, width) of `best_surface`, whose pixels are not read for it."""
    best = _best_id(dats, texture_id)
    if kind_of(best).type is not RenderSurface:
        raise DataError("no RenderSurface", where=hex8(best))
    return RenderSurface.sides(dats.head(best, HEAD_SIZE))


def _best_id(dats: DatSet, texture_id: int) -> int:
    """The first of a SurfaceTexture's pictures that is there; a picture is its own."""
    if kind_of(texture_id).type is RenderSurface:
        return texture_id
    texture = dats.record(texture_id)
    if not isinstance(texture, SurfaceTexture) or not texture.textures:
        raise DataError("no picture in it", where=hex8(texture_id))
    return next((i for i in texture.textures if dats.has(i)), texture.textures[0])


def combined_palette(dats: DatSet, base_id: int, colours: Colours) -> Palette:
    """A palette with ranges of others laid over it, each from and to the same place."""
    base = _palette(dats, base_id)
    if not colours.over:
        return base
    mixed = base.colors.copy()
    for part in colours.over:
        source = _palette(dats, part.palette_id).colors
        end = min(part.offset + part.count, len(mixed), len(source))
        mixed[part.offset : end] = source[part.offset : end]
    return Palette(base.id, mixed)


def _palette(dats: DatSet, palette_id: int) -> Palette:
    record = dats.record(palette_id)
    if not isinstance(record, Palette):
        raise DataError("no palette", where=hex8(palette_id))
    return record
