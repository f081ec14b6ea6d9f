"""The layers of procedural textures: each paints one idea over a canvas.

Structured layers (stones, bricks, planks ...) also give a relief in 0..1, which the `light`
layer turns into shading. All of them repeat at the picture's edges.
"""

# contract: T8

from __future__ import annotations

import numpy as np

from acclient_py.bake.canvas import Canvas, choose, lattice, parse_color, ramp
from acclient_py.bake.noise import (
    F64,
    cellular,
    fractal_noise,
    lattice_unit,
    smoothstep,
)
from acclient_py.bake.schema import textures as t
from acclient_py.bake.strokes import paint_blades, paint_leaves


def paint(canvas: Canvas, layer: t.AnyLayer) -> None:
    """Paint one layer over the canvas."""
    match layer:
        case t.Fill():
            canvas.mix(layer, ramp([layer.color], canvas.u))
        case t.Noise():
            value = _noise(canvas, layer)
            canvas.mix(layer, ramp(layer.colors, value), value)
        case t.Cells():
            _cells(canvas, layer)
        case t.Bricks():
            _bricks(canvas, layer)
        case t.Planks():
            _planks(canvas, layer)
        case t.Shingles():
            _shingles(canvas, layer)
        case t.Weave():
            _weave(canvas, layer)
        case t.Blades():
            paint_blades(canvas, layer)
        case t.Leaves():
            paint_leaves(canvas, layer)
        case t.Speckle():
            _speckle(canvas, layer)
        case t.Gradient():
            _gradient(canvas, layer)
        case t.Glow():
            _glow(canvas, layer)
        case t.Stamp():
            _stamp(canvas, layer)
        case t.Light():
            _light(canvas, layer)


def _warped(canvas: Canvas, amount: float, seed: int) -> tuple[F64, F64]:
    if amount == 0.0:
        return canvas.u, canvas.v
    a = fractal_noise(canvas.u * 4, canvas.v * 4, seed + 31, octaves=3, period=(4, 4))
    b = fractal_noise(canvas.u * 4, canvas.v * 4, seed + 57, octaves=3, period=(4, 4))
    return canvas.u + a * amount, canvas.v + b * amount


def _noise(canvas: Canvas, layer: t.Noise) -> F64:
    nx, ny = lattice(layer.scale)
    u, v = _warped(canvas, layer.warp, layer.seed)
    value = fractal_noise(
        u * nx,
        v * ny,
        layer.seed,
        octaves=layer.octaves,
        gain=layer.gain,
        ridged=layer.ridged,
        period=(nx, ny),
    )
    if not layer.ridged:
        value = value * 0.5 + 0.5
    return np.clip((value - 0.5) * layer.contrast + 0.5, 0.0, 1.0)


def _cells(canvas: Canvas, layer: t.Cells) -> None:
    nx, ny = lattice(layer.scale)
    u, v = _warped(canvas, layer.warp / max(nx, ny), layer.seed)
    near, _second, owner, border = cellular(
        u * nx, v * ny, layer.seed, period=(nx, ny), jitter=layer.jitter
    )
    if layer.mode == "distance":
        value = np.clip(near * 1.2, 0.0, 1.0)
        canvas.mix(layer, ramp(layer.colors, value), 1.0 - value)
        return
    if layer.mode == "border":
        value = 1.0 - smoothstep(0.0, layer.edge, border)
        color = ramp(layer.colors, value)
        color[..., 3] *= value
        canvas.mix(layer, color, 1.0 - value)
        return
    color = choose(layer.colors, owner)
    joint = 1.0 - smoothstep(layer.edge * 0.4, layer.edge, border)
    rise = smoothstep(layer.edge * 0.5, layer.edge * 0.5 + 0.3, border)
    if layer.edge_color is not None:
        edge = np.array(parse_color(layer.edge_color))
        color = color + (edge - color) * joint[..., None]
    canvas.mix(layer, color, rise * (0.75 + 0.25 * owner))


def _bricks(canvas: Canvas, layer: t.Bricks) -> None:
    u, v = _warped(canvas, layer.wobble / layer.rows, layer.seed)
    y = v * layer.rows
    row = np.floor(y).astype(np.int64)
    x = u * layer.columns + (row % 2) * layer.shift
    column = np.floor(x).astype(np.int64)
    fx, fy = x - column, y - row
    aspect = layer.rows / layer.columns  # widths in units of a course
    gap_x = np.minimum(fx, 1.0 - fx) * aspect
    gap_y = np.minimum(fy, 1.0 - fy)
    edge = np.minimum(gap_x, gap_y) - layer.mortar * 0.5
    number = lattice_unit(column % layer.columns, row % layer.rows, layer.seed)
    color = choose(layer.colors, number)
    mortar = np.array(parse_color(layer.mortar_color))
    w = smoothstep(-0.02, 0.03, edge)
    color = mortar + (color - mortar) * w[..., None]
    canvas.mix(layer, color, smoothstep(0.0, max(layer.bevel, 0.01), edge) * (0.8 + 0.2 * number))


def _planks(canvas: Canvas, layer: t.Planks) -> None:
    across, along = (canvas.u, canvas.v) if layer.vertical else (canvas.v, canvas.u)
    x = across * layer.count
    board = np.floor(x).astype(np.int64)
    fx = x - board
    start = lattice_unit(board % layer.count, board * 0, layer.seed + 3)
    y = along * layer.joints + start
    piece = np.floor(y).astype(np.int64)
    fy = y - piece
    number = lattice_unit(board % layer.count, piece % layer.joints, layer.seed)
    color = choose(layer.colors, number)
    # Grain: noise drawn out along the board, another stretch of it for every board.
    period = (2 * layer.count, 2)
    grain = fractal_noise(
        across * period[0] + np.floor(number * 97.0) * 0.37,
        along * period[1],
        layer.seed + 11,
        octaves=5,
        gain=0.65,
        period=period,
    )
    color[..., :3] *= (1.0 + layer.grain * 0.45 * grain)[..., None]
    side = np.minimum(fx, 1.0 - fx)
    end = np.minimum(fy, 1.0 - fy) * layer.count / layer.joints
    edge = np.minimum(side, end)
    gap = np.array(parse_color(layer.gap_color))
    w = smoothstep(layer.gap * 0.3, layer.gap, edge)
    color = gap + (color - gap) * w[..., None]
    relief = smoothstep(layer.gap * 0.5, layer.gap * 2.5, edge) * (0.85 + 0.15 * number)
    canvas.mix(layer, color, relief + 0.08 * grain * layer.grain)


def _shingles(canvas: Canvas, layer: t.Shingles) -> None:
    y = canvas.v * layer.rows
    row = np.floor(y).astype(np.int64)
    x = canvas.u * layer.columns + (row % 2) * 0.5
    column = np.floor(x).astype(np.int64)
    number = lattice_unit(column % layer.columns, row % layer.rows, layer.seed)
    # A shingle hangs over the row below by a ragged, rounded lip.
    fx = x - column - 0.5
    lip = layer.ragged * number + layer.round * (fx * fx * 4.0) * 0.5
    fy = y - row
    hidden = fy > 1.0 - lip
    row2 = np.where(hidden, row + 1, row)
    x2 = canvas.u * layer.columns + (row2 % 2) * 0.5
    column2 = np.floor(x2).astype(np.int64)
    fx2 = x2 - column2
    number2 = lattice_unit(column2 % layer.columns, row2 % layer.rows, layer.seed)
    depth = np.where(hidden, fy - 1.0, fy)
    color = choose(layer.colors, number2)
    shade = 1.0 - layer.shadow * (1.0 - smoothstep(-0.3, 0.22, depth))
    seam = smoothstep(0.0, 0.07, np.minimum(fx2, 1.0 - fx2))
    color[..., :3] *= (shade * (0.55 + 0.45 * seam))[..., None]
    canvas.mix(layer, color, np.clip(depth, 0.0, 1.0) * seam)


def _weave(canvas: Canvas, layer: t.Weave) -> None:
    nx, ny = lattice(layer.count)
    x, y = canvas.u * nx, canvas.v * ny
    ix, iy = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    fx, fy = x - ix - 0.5, y - iy - 0.5
    over = ((ix + iy) % 2) == 0
    bow = np.where(over, 1.0 - 3.4 * fy * fy, 1.0 - 3.4 * fx * fx)
    thread = np.where(
        over,
        lattice_unit(ix * 0, iy % ny, layer.seed),
        lattice_unit(ix % nx, iy * 0 + 9, layer.seed),
    )
    color = choose(layer.colors, thread)
    color[..., :3] *= (1.0 - layer.depth * (1.0 - bow))[..., None]
    canvas.mix(layer, np.clip(color, 0.0, 1.0), bow)


def _speckle(canvas: Canvas, layer: t.Speckle) -> None:
    n = layer.scale
    near, _, owner, _ = cellular(canvas.u * n, canvas.v * n, layer.seed, period=(n, n))
    color = choose(layer.colors, owner)
    chance = lattice_unit(np.floor(owner * 65536.0).astype(np.int64), owner.astype(np.int64), 5)
    shown = np.where(chance < layer.density, 1.0 - smoothstep(0.18, 0.4, near), 0.0)
    color[..., 3] *= shown
    canvas.mix(layer, color, shown)


def _gradient(canvas: Canvas, layer: t.Gradient) -> None:
    if layer.axis == "radial":
        x, y = canvas.u - 0.5, canvas.v - 0.5
        place = np.sqrt(x * x + y * y) * 2.0
    else:
        place = canvas.u if layer.axis == "u" else canvas.v
    canvas.mix(layer, ramp(layer.colors, place))


def _glow(canvas: Canvas, layer: t.Glow) -> None:
    x, y = canvas.u - 0.5, canvas.v - 0.5
    fall = np.clip(1.0 - np.sqrt(x * x + y * y) / layer.radius, 0.0, 1.0)
    weight = fall * fall if layer.sharp >= 2.0 else fall
    if layer.sharp >= 3.0:
        weight = weight * fall
    color = ramp([layer.color], canvas.u)
    color[..., 3] *= weight
    canvas.mix(layer, color)


def _stamp(canvas: Canvas, layer: t.Stamp) -> None:
    x = np.abs(canvas.u - layer.at[0]) / max(layer.size[0] * 0.5, 1e-6)
    y = np.abs(canvas.v - layer.at[1]) / max(layer.size[1] * 0.5, 1e-6)
    x, y = np.minimum(x, 1.0e3), np.minimum(y, 1.0e3)
    if layer.shape == "rect":
        d = np.maximum(x, y)
    elif layer.shape == "diamond":
        d = x + y
    else:
        d = np.sqrt(x * x + y * y)
    soft = layer.soft / max(min(layer.size) * 0.5, 1e-6)
    inside = 1.0 - smoothstep(1.0 - soft, 1.0 + soft, d)
    if layer.shape == "ring":
        line = layer.line / max(min(layer.size) * 0.5, 1e-6)
        inside = inside * smoothstep(1.0 - line - soft, 1.0 - line + soft, d)
    if layer.erase:
        canvas.alpha = canvas.alpha * (1.0 - inside * layer.amount)
        return
    color = ramp([layer.color], canvas.u)
    color[..., 3] *= inside
    canvas.mix(layer, color, inside)


def _light(canvas: Canvas, layer: t.Light) -> None:
    relief = canvas.relief
    step = relief.shape[0] / 128.0
    dx = (np.roll(relief, -1, 1) - np.roll(relief, 1, 1)) * step
    dy = (np.roll(relief, -1, 0) - np.roll(relief, 1, 0)) * step
    shade = np.clip((dx + dy) * layer.strength, -0.45, 0.35)
    canvas.rgb = np.clip(canvas.rgb * (1.0 + shade[..., None]), 0.0, 1.0)
