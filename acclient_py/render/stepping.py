"""The picture of one event: the frame up to and including it, and what it did in full colour.

What was there before is dimmed. Masks, which write depth only, are hatched; views are outlined; a
sort's parts carry their places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PIL import Image, ImageDraw

from acclient_py.core import F64, U8
from acclient_py.order.steps import Step
from acclient_py.order.stream import Op
from acclient_py.render import sheets

if TYPE_CHECKING:
    from acclient_py.render.frame import FrameRenderer

DIM: Final = 0.42
MASK: Final = (80, 220, 255)
_MASKS: Final = (Op.PUNCH, Op.SEAL)
_SHOWN: Final = 3  # decimals of a number in a caption


def picture(renderer: FrameRenderer, step: Step) -> U8:
    """(height, width, 3) uint8. The frame was walked with marks and stays the last one."""
    renderer.redraw(records=step.first)
    before = renderer.read().astype(np.int16)
    renderer.redraw(records=step.end)
    after = renderer.read().copy()
    changed = (after.astype(np.int16) != before).any(axis=2)
    shown = (after * DIM).astype(np.uint8)
    shown[changed] = after[changed]
    image = Image.fromarray(shown)
    draw = ImageDraw.Draw(image)
    if changed.any():
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        box = (int(columns[0]) - 2, int(rows[0]) - 2, int(columns[-1]) + 2, int(rows[-1]) + 2)
        draw.rectangle(box, outline=sheets.CHANGED)
    _masks(draw, renderer, step)
    if step.event == "View":
        _outline(draw, renderer, int(step.line["view"]))
    elif step.event == "Sort":
        _places(draw, renderer, step)
    elif step.event == "ClearDepth":
        draw.rectangle((1, 1, image.width - 2, image.height - 2), outline=MASK, width=3)
    sheets.band(image, caption(step))
    renderer.redraw()
    return np.asarray(image, np.uint8)


def caption(step: Step) -> str:
    """The event in a line: which of its kind, its number, and its fields."""
    fields = [
        f"{name} {_word(value)}"
        for name, value in step.line.items()
        if name not in ("event", "seq", "polygon", "parts") or isinstance(value, int)
    ]
    told = ", ".join(field for field in fields if not field.startswith(("event ", "seq ")))
    which = f"{step.event} {step.number} of {step.of} (event {step.line['seq']})"
    return f"{which}: {told}" if told else which


def _word(value: Any) -> str:
    if isinstance(value, float):
        return f"{round(value, _SHOWN):g}"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return str(value)


def _masks(draw: ImageDraw.ImageDraw, renderer: FrameRenderer, step: Step) -> None:
    """The triangles of the masks among a step's records."""
    height = renderer.size[1]
    painter = renderer.painter
    for record in painter.records[step.first : step.end]:
        if int(record["op"]) not in _MASKS:
            continue
        first, count = int(record["first"]), int(record["count"])
        corners = painter.portal_vertices[first : first + count, :2].astype(np.float64)
        for triangle in corners.reshape(-1, 3, 2):
            points = [(float(x), height - float(y)) for x, y in triangle]
            _hatch(draw, points)
            draw.polygon(points, outline=MASK)


def _hatch(draw: ImageDraw.ImageDraw, points: list[tuple[float, float]]) -> None:
    """Level lines over a triangle."""
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    for row in range(int(top) - int(top) % 4, int(bottom) + 1, 4):
        cuts = []
        for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
            if (ay <= row) != (by <= row):
                cuts.append(ax + (row - ay) * (bx - ax) / (by - ay))
        if len(cuts) > 1:
            draw.line((min(cuts), row, max(cuts), row), fill=MASK)


def _outline(draw: ImageDraw.ImageDraw, renderer: FrameRenderer, view: int) -> None:
    """The polygon of one view of the landscape, on the picture."""
    height = renderer.size[1]
    corners = renderer.painter.view_polygons()[view]
    points = [(float(x), height - 1 - float(y)) for x, y in corners]
    draw.polygon(points, outline=MASK, width=3)


def _places(draw: ImageDraw.ImageDraw, renderer: FrameRenderer, step: Step) -> None:
    """Numbers of a sorted cell's parts where they stand, the farthest 0."""
    width, height = renderer.size
    lens = renderer.lens
    assert lens is not None, "a frame has been drawn"
    arrays = renderer.last_arrays
    matrix: F64 = lens.world_to_clip.astype(np.float64)
    rows = renderer.painter.records[step.first + 1 : step.end]
    for place, record in enumerate(rows):
        part = int(arrays.objects["part_first"][int(record["owner"])]) + int(record["first"])
        cell_id = int(arrays.objects["part_cell_id"][int(record["owner"])])
        x, y, z = (float(v) for v in arrays.parts["frame"][part][:3])
        x += ((cell_id >> 24) - lens.pose.block_x) * 192.0
        y += ((cell_id >> 16 & 0xFF) - lens.pose.block_y) * 192.0
        clip = x * matrix[0] + y * matrix[1] + z * matrix[2] + matrix[3]
        if clip[3] <= 0:
            continue
        at = (
            (float(clip[0] / clip[3]) + 1) * width / 2,
            (1 - float(clip[1] / clip[3])) * height / 2,
        )
        draw.text(at, str(place), fill=sheets.WARNING, anchor="mm", font=sheets.font(width))
