"""Pictures of a study: a wrong order with its name on it, and right beside wrong in one sheet.

Whatever is not drawn in retail's order says so in the picture itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from acclient_py.core import U8
from acclient_py.order.study import RIGHT, Study

if TYPE_CHECKING:
    from acclient_py.render.frame import FrameRenderer

Ink = tuple[int, int, int]

BAND: Final = (34, 30, 38)
INK: Final = (240, 236, 228)
WARNING: Final = (255, 196, 64)
CHANGED: Final = (255, 40, 200)
_PANELS: Final = 3
_GAP: Final = 4


def titled(picture: U8, study: Study) -> U8:
    """The picture with the order's name over its top edge; retail's own stays as it is."""
    if not study.wrong:
        return picture
    image = Image.fromarray(picture)
    _band(image, (0, 0), image.width, study.title, WARNING, panel=image.width)
    return np.asarray(image, np.uint8)


def band(image: Image.Image, text: str) -> None:
    """A line of text over the top edge of a picture, in small letters."""
    _band(image, (0, 0), image.width, text, INK, panel=image.width * 3 // 5)


def changed(right: U8, wrong: U8) -> tuple[U8, int]:
    """What differs, bright over a dim grey picture, in a box; and how many pixels it is."""
    differs = (right != wrong).any(axis=2)
    grey = right.astype(np.uint16).sum(axis=2) // 7
    panel = np.repeat(grey[:, :, None], 3, axis=2).astype(np.uint8)
    panel[differs] = CHANGED
    image = Image.fromarray(panel)
    if differs.any():
        rows = np.flatnonzero(differs.any(axis=1))
        columns = np.flatnonzero(differs.any(axis=0))
        box = (int(columns[0]) - 2, int(rows[0]) - 2, int(columns[-1]) + 2, int(rows[-1]) + 2)
        ImageDraw.Draw(image).rectangle(box, outline=CHANGED)
    return np.asarray(image, np.uint8), int(differs.sum())


def compare(renderer: FrameRenderer, studies: tuple[Study, ...]) -> U8:
    """One row a study: retail's order, the other, what differs. The frame was walked with marks.

    All are drawn from the one stream of the last frame; the target ends with retail's picture.
    """
    renderer.redraw(RIGHT)
    right = renderer.read().copy()
    height, width = right.shape[:2]
    line = _line_height(width)
    row_height = height + 2 * line
    sheet = Image.new(
        "RGB",
        (width * _PANELS + _GAP * (_PANELS - 1), (row_height + _GAP) * len(studies) - _GAP),
        BAND,
    )
    for index, study in enumerate(studies):
        renderer.redraw(study)
        wrong = renderer.read().copy()
        difference, count = changed(right, wrong)
        top = index * (row_height + _GAP)
        captions = (
            ("retail order", INK),
            (study.title, WARNING),
            (f"{count} pixels differ", CHANGED if count else INK),
        )
        for place, (panel, (text, ink)) in enumerate(
            zip((right, wrong, difference), captions, strict=True)
        ):
            left = place * (width + _GAP)
            _band(sheet, (left, top), width, text, ink, panel=width)
            sheet.paste(Image.fromarray(panel), (left, top + line))
        _band(sheet, (0, top + line + height), sheet.width, study.meaning, INK, panel=width)
    renderer.redraw(RIGHT)
    return np.asarray(sheet, np.uint8)


def font(width: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(max(10.0, min(20.0, width / 40)))


def _line_height(width: int) -> int:
    box = ImageDraw.Draw(Image.new("RGB", (8, 8))).textbbox((0, 0), "Wrong, by", font=font(width))
    return int(box[3]) + 6


def _band(
    image: Image.Image, at: tuple[int, int], width: int, text: str, ink: Ink, *, panel: int
) -> None:
    """A line of text on a dark band, in the letters of a panel's width; cut off at its end."""
    band = Image.new("RGB", (width, _line_height(panel)), BAND)
    ImageDraw.Draw(band).text((4, 2), text, font=font(panel), fill=ink)
    image.paste(band, at)
