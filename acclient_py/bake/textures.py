"""Records of pictures: SurfaceTexture and RenderSurface, Palette, Surface."""

from __future__ import annotations

import numpy as np

from acclient_py.bake.book import Book
from acclient_py.bake.canvas import parse_color
from acclient_py.bake.meshes import Skin
from acclient_py.bake.pictures import (
    FORMATS,
    Picture,
    encode,
    paint_texture,
    palette_colors,
)
from acclient_py.bake.schema.textures import Palette, Surface, Texture
from acclient_py.bake.vec import V2
from acclient_py.dat.records import palette as palette_record
from acclient_py.dat.records import surface as surface_record
from acclient_py.dat.records.surface import SurfaceType
from acclient_py.dat.records.textures import TEXTURE_2D, RenderSurface, SurfaceTexture
from acclient_py.errors import DataError

PALETTE_SIZES = {"INDEX16": 2048, "P8": 256}


def argb(color: str) -> int:
    """A colour as 0xAARRGGBB."""
    r, g, b, a = (int(c * 255.0 + 0.5) for c in parse_color(color))
    return a << 24 | r << 16 | g << 8 | b


def make_texture(book: Book, name: str) -> None:
    """Paint a texture and store it under its 0x05 id and a 0x06 id of the same number."""
    texture: Texture = book.tables.need("texture", name)
    number = book.ids[("texture", name)]
    palette_id, palette_size = 0, 0
    if texture.format in PALETTE_SIZES:
        if texture.palette is None:
            raise DataError(f"format {texture.format} needs a palette")
        palette_id = book.id_of("palette", texture.palette, f"texture '{name}'")
        palette: Palette = book.tables.need("palette", texture.palette)
        palette_size = PALETTE_SIZES[texture.format]
        if palette.size != palette_size:
            raise DataError(
                f"format {texture.format} needs a palette of {palette_size} colours, "
                f"'{texture.palette}' has {palette.size}"
            )
    put_picture(book, number, paint_texture(texture), palette_id, palette_size)


def put_picture(
    book: Book, number: int, picture: Picture, palette_id: int = 0, palette_size: int = 0
) -> None:
    """Store a picture as a texture record and the surface it names."""
    picture_id = number - 0x05000000 + 0x06000000
    w, h = picture.size
    book.put(number, SurfaceTexture(number, 0, TEXTURE_2D, (picture_id,)).write())
    data = encode(picture, palette_size)
    form = FORMATS[picture.format]
    book.put(picture_id, RenderSurface(picture_id, 0, w, h, form, data, palette_id).write())


def make_palette(book: Book, name: str) -> None:
    """A palette's colours."""
    number = book.ids[("palette", name)]
    palette: Palette = book.tables.need("palette", name)
    if palette.clear > palette.size:
        raise DataError(f"{palette.clear} clear colours of {palette.size}")
    colors = np.array(palette_colors(palette), dtype=np.uint32)
    book.put(number, palette_record.Palette(number, colors).write())


def make_surface(book: Book, name: str) -> None:
    """A surface with its state bits."""
    number = book.ids[("surface", name)]
    surface = surface_table(book, name)
    label = f"surface '{name}'"
    bits = SurfaceType(0)
    if surface.texture is not None and surface.color is not None:
        raise DataError("a surface has a texture or a color, not both")
    texture_id = palette_id = color = 0
    if surface.texture is not None:
        texture_id = book.id_of("texture", surface.texture, label)
        bits |= SurfaceType.BASE1_CLIP_MAP if surface.clip else SurfaceType.BASE1_IMAGE
        if surface.palette is not None:
            palette_id = book.id_of("palette", surface.palette, label)
    elif surface.color is not None:
        bits |= SurfaceType.BASE1_SOLID
        color = argb(surface.color)
    else:
        raise DataError("a surface needs a texture or a color")
    for on, bit in (
        (surface.alpha, SurfaceType.ALPHA),
        (surface.inverse_alpha, SurfaceType.INV_ALPHA),
        (surface.additive, SurfaceType.ADDITIVE),
        (surface.translucency > 0.0, SurfaceType.TRANSLUCENT),
        (surface.luminosity > 0.0, SurfaceType.LUMINOUS),
        (surface.diffuse != 1.0, SurfaceType.DIFFUSE),
    ):
        bits |= bit if on else SurfaceType(0)
    kind = int(surface.type, 16) if surface.type is not None else int(bits)
    record = surface_record.Surface(
        kind,
        texture_id,
        palette_id,
        color,
        surface.translucency,
        surface.luminosity,
        surface.diffuse,
    )
    book.put(number, record.write())


def surface_table(book: Book, name: str) -> Surface:
    """A surface of the recipe, or the plain one that a texture's name stands for."""
    if name.startswith("texture:"):
        return Surface(texture=name.removeprefix("texture:"))
    found: Surface | None = book.tables.find("surface", name)
    return Surface(texture=name) if found is None else found


def skin(book: Book, needed_by: str, name: str) -> Skin:
    """What geometry has to know of a surface."""
    surface = surface_table(book, name)
    if surface.texture is None:
        return Skin(textured=False)
    texture: Texture | None = book.tables.find("texture", surface.texture)
    if texture is None:
        raise book.tables.unknown_surface(name, needed_by)
    metres = texture.metres if surface.metres is None else surface.metres
    size: V2 = (metres, metres) if isinstance(metres, int | float) else metres
    if min(size) <= 0.0:
        raise DataError(f"metres of surface '{name}' must be more than 0", where=needed_by)
    return Skin(size, textured=True)
