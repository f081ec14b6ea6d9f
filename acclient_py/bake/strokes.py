"""Layers made of many small shapes: blades of grass or straw, and leaves.

Each shape is drawn into the window it covers, wrapped at the picture's edges, later ones over
earlier ones. Places, sizes and colours come from the integer hash.
"""

# contract: T8

from __future__ import annotations

import numpy as np

from acclient_py.bake.canvas import Canvas, parse_color
from acclient_py.bake.noise import F64, lattice_unit, smoothstep
from acclient_py.bake.schema.textures import Blades, Layer, Leaves


def _numbers(count: int, columns: int, seed: int) -> list[list[float]]:
    rows = np.arange(count, dtype=np.int64)[:, None] + np.zeros((1, columns), dtype=np.int64)
    places = np.arange(columns, dtype=np.int64)[None, :] + np.zeros((count, 1), dtype=np.int64)
    values: list[list[float]] = lattice_unit(rows, places, seed + 4099).tolist()
    return values


def _mixed(colors: list[str], t: float) -> tuple[float, float, float]:
    place = min(max(t, 0.0), 0.999999) * (len(colors) - 1)
    low = int(place)
    a, b = parse_color(colors[low]), parse_color(colors[min(low + 1, len(colors) - 1)])
    f = place - low
    return a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f, a[2] + (b[2] - a[2]) * f


def _window(
    canvas: Canvas, box: tuple[float, float, float, float]
) -> tuple[tuple[np.ndarray, np.ndarray], F64, F64]:
    """Wrapped texel indices of a box in picture units, and their unwrapped coordinates."""
    h, w = canvas.alpha.shape
    x0, x1 = int(np.floor(box[0] * w)), int(np.floor(box[2] * w)) + 1
    y0, y1 = int(np.floor(box[1] * h)), int(np.floor(box[3] * h)) + 1
    xs, ys = np.arange(x0, x1 + 1), np.arange(y0, y1 + 1)
    x = (xs[None, :] + 0.5) / w + np.zeros((len(ys), 1))
    y = (ys[:, None] + 0.5) / h + np.zeros((1, len(xs)))
    return np.ix_(ys % h, xs % w), x, y


def _put(
    canvas: Canvas,
    layer: Layer,
    at: tuple[np.ndarray, np.ndarray],
    weight: F64,
    color: F64,
    relief: F64,
) -> None:
    w = weight * layer.amount
    canvas.rgb[at] += (color - canvas.rgb[at]) * w[..., None]
    canvas.alpha[at] += (1.0 - canvas.alpha[at]) * w
    canvas.relief[at] += (relief * layer.height - canvas.relief[at]) * w


def paint_blades(canvas: Canvas, layer: Blades) -> None:
    """Tapered strokes, dark at the root, light at the tip, drawn from far to near."""
    pixel = 1.0 / canvas.alpha.shape[0]
    rows = _numbers(layer.count, 6, layer.seed)
    if layer.root == "bottom":
        rows.sort(key=lambda r: r[1])
    for r in rows:
        length = layer.length[0] + (layer.length[1] - layer.length[0]) * r[2]
        x0, y0 = (r[0], 1.0 + 0.02 * r[1]) if layer.root == "bottom" else (r[0], r[1])
        lean = (r[3] * 2.0 - 1.0) * layer.lean * length
        x1, y1 = x0 + lean, y0 - length
        pad = layer.width * 2.0
        top = max(y1 - pad, 0.0) if layer.root == "bottom" else y1 - pad
        low = min(y0 + pad, 1.0 - pixel) if layer.root == "bottom" else y0 + pad
        if low <= top:
            continue
        at, x, y = _window(canvas, (min(x0, x1) - pad, top, max(x0, x1) + pad, low))
        f = np.clip((y0 - y) / max(length, 1e-6), 0.0, 1.0)
        middle = x0 + lean * f * f
        half = layer.width * (1.0 - f) * 0.5 + pixel * 0.35
        inside = 1.0 - smoothstep(0.0, pixel, np.abs(x - middle) - half)
        inside = inside * ((y <= y0) & (y >= y1))
        base = np.array(_mixed(layer.colors, r[4]))
        color = base * (0.55 + 0.55 * f)[..., None]
        _put(canvas, layer, at, inside, np.clip(color, 0.0, 1.0), f)


def paint_leaves(canvas: Canvas, layer: Leaves) -> None:
    """Pointed ovals about the middle, lower ones darker, each with a lighter rib."""
    pixel = 1.0 / canvas.alpha.shape[0]
    for r in _numbers(layer.count, 8, layer.seed):
        size = layer.size[0] + (layer.size[1] - layer.size[0]) * r[2]
        cx, cy = 0.5 + (r[0] - 0.5) * 2.0 * layer.inside, 0.5 + (r[1] - 0.5) * 2.0 * layer.inside
        dx, dy = cx - 0.5, cy - 0.5
        if dx * dx + dy * dy > layer.inside * layer.inside:
            continue
        ax, ay = r[3] * 2.0 - 1.0, r[4] * 2.0 - 1.0
        norm = float(np.sqrt(ax * ax + ay * ay)) or 1.0
        ax, ay = ax / norm, ay / norm
        at, x, y = _window(canvas, (cx - size, cy - size, cx + size, cy + size))
        along = ((x - cx) * ax + (y - cy) * ay) / size
        across = (-(x - cx) * ay + (y - cy) * ax) / size
        width = np.clip(1.0 - along * along, 0.0, 1.0) * layer.slim
        inside = 1.0 - smoothstep(0.0, pixel / size * 1.5, np.abs(across) - width)
        inside = inside * (np.abs(along) < 1.0)
        inside = inside * ((x > pixel) & (x < 1.0 - pixel) & (y > pixel) & (y < 1.0 - pixel))
        base = np.array(_mixed(layer.colors, 0.65 * r[5] + 0.35 * (1.0 - cy)))
        rib = 1.0 - smoothstep(0.0, 0.12, np.abs(across))
        color = base * (0.82 + 0.25 * rib + 0.12 * along)[..., None]
        _put(canvas, layer, at, inside, np.clip(color, 0.0, 1.0), width)
