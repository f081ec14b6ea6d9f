"""Where a body must not be: how deep its spheres stand in solids, and what its centre went through.

A slow, plain measure over the shapes of `solids.py`; none of the program's own collision code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from acclient_py.kernels import kernel


@kernel(inner=True)
def distance_to_polygon(plane: Any, vertices: Any, first: Any, last: Any, p: Any) -> Any:
    """(distance, over its face) of a point to a convex polygon: rows first to last - 1."""
    d = p[0] * plane[0] + p[1] * plane[1] + p[2] * plane[2] + plane[3]
    inside = True
    best = 1e30
    b = last - 1
    for c in range(first, last):
        ex = vertices[c, 0] - vertices[b, 0]
        ey = vertices[c, 1] - vertices[b, 1]
        ez = vertices[c, 2] - vertices[b, 2]
        dx = p[0] - vertices[b, 0]
        dy = p[1] - vertices[b, 1]
        dz = p[2] - vertices[b, 2]
        side = (
            (ey * dz - ez * dy) * plane[0]
            + (ez * dx - ex * dz) * plane[1]
            + (ex * dy - ey * dx) * plane[2]
        )
        if side < 0.0:
            inside = False
        along = ex * ex + ey * ey + ez * ez
        s = 0.0
        if along > 0.0:
            s = min(max((dx * ex + dy * ey + dz * ez) / along, 0.0), 1.0)
        gx = dx - ex * s
        gy = dy - ey * s
        gz = dz - ez * s
        best = min(best, gx * gx + gy * gy + gz * gz)
        b = c
    if inside:
        return abs(d), True
    return math.sqrt(best), False


@kernel
def survey(
    count: Any, centres: Any, before: Any, radii: Any, planes: Any, firsts: Any, vertices: Any,
    rounds: Any, corner: Any, width: Any, height: Any, starts: Any, listed: Any,
    round_starts: Any, round_listed: Any, deep: Any, what: Any,
) -> None:  # fmt: skip
    """Measure `count` bodies of two spheres.

    centres, before : (count, 2, 3) float64 now and a tick ago, world metres ; radii : (count, 2)
    deep : (count, 2) out, metres that a sphere stands in a polygon, and in a round shape
    what : (count, 3) out, the polygon and the round shape of these, and the polygon that the
           centre of the lower sphere went through; -1 none
    """
    for i in range(count):
        deep[i, 0] = 0.0
        deep[i, 1] = 0.0
        what[i, 0] = -1
        what[i, 1] = -1
        what[i, 2] = -1
        x = int((centres[i, 0, 0] - corner[0]) // 2.0)
        y = int((centres[i, 0, 1] - corner[1]) // 2.0)
        if x < 0 or y < 0 or x >= width or y >= height:
            continue
        square = x * height + y
        for k in range(starts[square], starts[square + 1]):
            at = listed[k]
            plane = planes[at]
            for s in range(2):
                p = centres[i, s]
                d = p[0] * plane[0] + p[1] * plane[1] + p[2] * plane[2] + plane[3]
                if abs(d) < radii[i, s]:
                    away, _ = distance_to_polygon(plane, vertices, firsts[at], firsts[at + 1], p)
                    if radii[i, s] - away > deep[i, 0]:
                        deep[i, 0] = radii[i, s] - away
                        what[i, 0] = at
            p = centres[i, 0]
            q = before[i, 0]
            d = p[0] * plane[0] + p[1] * plane[1] + p[2] * plane[2] + plane[3]
            e = q[0] * plane[0] + q[1] * plane[1] + q[2] * plane[2] + plane[3]
            if (d < 0.0) != (e < 0.0):
                share = e / (e - d)
                at_plane = q + (p - q) * share
                _, over = distance_to_polygon(plane, vertices, firsts[at], firsts[at + 1], at_plane)
                if over:
                    what[i, 2] = at
        for k in range(round_starts[square], round_starts[square + 1]):
            shape = rounds[round_listed[k]]
            for s in range(2):
                dx = centres[i, s, 0] - shape[0]
                dy = centres[i, s, 1] - shape[1]
                dz = centres[i, s, 2] - shape[2]
                flat = math.sqrt(dx * dx + dy * dy)
                if shape[4] == 0.0:
                    inside = shape[3] + radii[i, s] - math.sqrt(flat * flat + dz * dz)
                else:
                    level = min(shape[4] + radii[i, s] - dz, dz + radii[i, s])
                    inside = min(shape[3] + radii[i, s] - flat, level)
                if inside > deep[i, 1]:
                    deep[i, 1] = inside
                    what[i, 1] = round_listed[k]


def measure(solids: Any, centres: Any, before: Any, radii: Any) -> tuple[Any, Any]:
    """`survey` for all bodies: (deep, what)."""
    count = len(centres)
    deep, what = np.zeros((count, 2)), np.zeros((count, 3), np.int64)
    survey(
        count, centres, before, radii, solids.planes, solids.firsts, solids.vertices,
        solids.rounds, solids.corner, solids.shape[0], solids.shape[1], solids.starts,
        solids.listed, solids.round_starts, solids.round_listed, deep, what,
    )  # fmt: skip
    return deep, what


@kernel
def held(
    slots: Any, centres: Any, corners: Any, cells: Any, planes: Any, ground: Any, cut: Any,
    out: Any, above: Any,
) -> None:  # fmt: skip
    """Whether each body's cell holds it.

    slots : (n,) int64 cell ; centres : (n, 3) float64 the lower sphere's, world metres
    corners : (n, 2) of the cell's block ; ground : (blocks, 64, 2, 4) ; cut : (blocks, 64)
    out : (n,) metres by which the centre lies outside of its cell, 0 or more
    above : (n,) out, the centre's height over a land cell's ground, infinite in a room
    """
    for i in range(slots.shape[0]):
        cell = cells[slots[i]]
        x = centres[i, 0] - corners[i, 0]
        y = centres[i, 1] - corners[i, 1]
        z = centres[i, 2]
        out[i] = 0.0
        above[i] = np.inf
        if cell["kind"] == 1:
            index = (cell["id"] & 0xFFFF) - 1
            fx = x - 24.0 * (index // 8)
            fy = y - 24.0 * (index % 8)
            out[i] = max(0.0, max(max(-fx, fx - 24.0), max(-fy, fy - 24.0)))
            upper = fy > fx if cut[cell["block"], index] != 0 else fx + fy > 24.0
            best = -np.inf
            for k in range(2):
                p = ground[cell["block"], index, k]
                h = z + (p[0] * x + p[1] * y + p[3]) / p[2]
                # the planes' order is the world's own; the edge case takes the better one
                if (k == 1) == upper or abs(fx - fy) < 0.01 or abs(fx + fy - 24.0) < 0.01:
                    best = max(best, h)
            above[i] = best
            continue
        f = cell["frame"]
        qw = np.float64(f[3])
        qx = -np.float64(f[4])
        qy = -np.float64(f[5])
        qz = -np.float64(f[6])
        vx = x - f[0]
        vy = y - f[1]
        vz = z - f[2]
        tx = 2.0 * (qy * vz - qz * vy)
        ty = 2.0 * (qz * vx - qx * vz)
        tz = 2.0 * (qx * vy - qy * vx)
        lx = vx + qw * tx + qy * tz - qz * ty
        ly = vy + qw * ty + qz * tx - qx * tz
        lz = vz + qw * tz + qx * ty - qy * tx
        for k in range(cell["plane_first"], cell["plane_first"] + cell["plane_count"]):
            d = planes[k, 0] * lx + planes[k, 1] * ly + planes[k, 2] * lz + planes[k, 3]
            out[i] = max(out[i], -d)
