"""Planes, spheres and boxes, in float32 and in the order of retail's own sums.

A plane is `nx, ny, nz, d` with `N . p + d` the signed distance. A run of planes stands in an
(n, 4) float32 array as `first, count`: a cell's planes point inwards, and a chain that ends in a
LEAF record ends in the row (0, 0, 0, 0), which rejects nothing but straddles every sphere.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, Real, trig

F_EPSILON: Final = np.float32(0.0002)
"""Retail's tolerance for everything unless another is named."""
CELL_SPHERE_SLACK: Final = np.float32(0.01)
"""Added to the radius in sphere_intersects_planes only."""
FLOOR_Z: Final = np.float32(trig.cos(3437.746770784939))
"""A polygon whose normal's z is at least this can be walked on (48.38 degrees)."""
LANDING_Z: Final = np.float32(0.0871557)
"""The same for landing (85 degrees)."""

POSITIVE: Final = 0
NEGATIVE: Final = 1
IN_PLANE: Final = 2
CROSSING: Final = 3

OUTSIDE: Final = 0
PARTIALLY_INSIDE: Final = 1
ENTIRELY_INSIDE: Final = 2

_ZERO: Final = np.float32(0.0)
_ONE: Final = np.float32(1.0)
_THREE: Final = np.float32(3.0)


def plane_distance(
    nx: np.float32, ny: np.float32, nz: np.float32, d: np.float32,
    x: np.float32, y: np.float32, z: np.float32,
) -> np.float32:  # fmt: skip
    """Signed distance of a point from a plane."""
    return nx * x + ny * y + nz * z + d


def which_side(distance: np.float32) -> int:
    """POSITIVE, NEGATIVE or IN_PLANE for a signed distance."""
    if distance > F_EPSILON:
        return 0
    if distance < -F_EPSILON:
        return 1
    return 2


def point_in_planes(planes: F32, first: int, count: int, x: Real, y: Real, z: Real) -> bool:
    """Whether a point lies inside a chain of inward planes. Retail: BSPNODE @0x0053C1F0.

    planes : (n, 4) float32 ; x, y, z in the planes' frame
    """
    px = np.float32(x)
    py = np.float32(y)
    pz = np.float32(z)
    for i in range(first, first + count):
        d = planes[i, 0] * px + planes[i, 1] * py + planes[i, 2] * pz + planes[i, 3]
        if d < -F_EPSILON:
            return False
    return True


def sphere_intersects_planes(
    planes: F32, first: int, count: int, x: Real, y: Real, z: Real, radius: Real
) -> int:
    """How a sphere lies to a chain of inward planes: OUTSIDE, PARTIALLY_INSIDE, ENTIRELY_INSIDE.

    0.01 is added to the radius. Retail: sphere_intersects_cell_bsp @0x0053C260.
    """
    px = np.float32(x)
    py = np.float32(y)
    pz = np.float32(z)
    r = np.float32(radius) + CELL_SPHERE_SLACK
    fully = True
    for i in range(first, first + count):
        d = planes[i, 0] * px + planes[i, 1] * py + planes[i, 2] * pz + planes[i, 3]
        if d <= -r:
            return 0
        if d < r:
            fully = False
    return 2 if fully else 1


def box_intersects_planes(
    planes: F32, first: int, count: int,
    min_x: Real, min_y: Real, min_z: Real, max_x: Real, max_y: Real, max_z: Real,
) -> bool:  # fmt: skip
    """Whether no plane of a chain has all eight corners of a box on its negative side.

    Retail: box_intersects_cell_bsp @0x0053C880.
    """
    x0 = np.float32(min_x)
    y0 = np.float32(min_y)
    z0 = np.float32(min_z)
    x1 = np.float32(max_x)
    y1 = np.float32(max_y)
    z1 = np.float32(max_z)
    for i in range(first, first + count):
        out = True
        for corner in range(8):
            cx = x1 if corner & 1 else x0
            cy = y1 if corner & 2 else y0
            cz = z1 if corner & 4 else z0
            d = planes[i, 0] * cx + planes[i, 1] * cy + planes[i, 2] * cz + planes[i, 3]
            if not d < -F_EPSILON:
                out = False
                break
        if out:
            return False
    return True


def intersect_box(
    nx: np.float32, ny: np.float32, nz: np.float32, d: np.float32,
    min_x: Real, min_y: Real, min_z: Real, max_x: Real, max_y: Real, max_z: Real,
) -> int:  # fmt: skip
    """The side of a plane on which a box lies, or CROSSING. Retail: @0x005AA170.

    The minimum corner in the plane counts as crossing, and so does any corner of another side.
    """
    x0 = np.float32(min_x)
    y0 = np.float32(min_y)
    z0 = np.float32(min_z)
    x1 = np.float32(max_x)
    y1 = np.float32(max_y)
    z1 = np.float32(max_z)
    side = which_side(nx * x0 + ny * y0 + nz * z0 + d)
    if side == 2:
        return 3
    for corner in range(1, 8):
        cx = x1 if corner & 1 else x0
        cy = y1 if corner & 2 else y0
        cz = z1 if corner & 4 else z0
        if which_side(nx * cx + ny * cy + nz * cz + d) != side:
            return 3
    return side


def outside_edge_2d(
    next_x: np.float32, next_y: np.float32, x: np.float32, y: np.float32,
    px: np.float32, py: np.float32,
) -> bool:  # fmt: skip
    """Whether a point lies strictly outside the edge from (x, y) to the next corner.

    The sum is taken in retail's order in 32-bit floats, rounding included.
    """
    a = next_y - y
    b = x - next_x
    return bool(-(a * x) - b * y + b * py + a * px > _ZERO)


def point_in_poly_2d(vertices: F32, count: int, x: Real, y: Real) -> bool:
    """Whether a point lies in a polygon seen from above; points on an edge do.

    vertices : (count or more, 2 or 3) float32, counter-clockwise. Retail: @0x00538060.
    """
    px = np.float32(x)
    py = np.float32(y)
    next_x = vertices[0, 0]
    next_y = vertices[0, 1]
    for i in range(count - 1, -1, -1):
        vx = vertices[i, 0]
        vy = vertices[i, 1]
        if outside_edge_2d(next_x, next_y, vx, vy, px, py):
            return False
        next_x = vx
        next_y = vy
    return True


def height_on_plane(
    nx: np.float32, ny: np.float32, nz: np.float32, d: np.float32, x: Real, y: Real, z: Real
) -> np.float32:  # fmt: skip
    """The height of a plane over a point; z as it was when the plane is upright (set_height)."""
    if abs(nz) > F_EPSILON:
        return -(nx * np.float32(x) + ny * np.float32(y) + d) / nz
    return np.float32(z)


def plane_of_triangle(vertices: F32, out: F32) -> None:
    """Write the plane of three corners: N unit, d the mean over the corners (float32).

    vertices : (3, 3) float32 ; out : (4,) float32. No area: all zero.
    """
    ux = vertices[1, 0] - vertices[0, 0]
    uy = vertices[1, 1] - vertices[0, 1]
    uz = vertices[1, 2] - vertices[0, 2]
    vx = vertices[2, 0] - vertices[0, 0]
    vy = vertices[2, 1] - vertices[0, 1]
    vz = vertices[2, 2] - vertices[0, 2]
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    length = np.sqrt(nx * nx + ny * ny + nz * nz)
    if not length > _ZERO:
        out[0] = out[1] = out[2] = out[3] = _ZERO
        return
    nx = nx / length
    ny = ny / length
    nz = nz / length
    total = _ZERO
    for i in range(3):
        total = total + (nx * vertices[i, 0] + ny * vertices[i, 1] + nz * vertices[i, 2])
    out[0] = nx
    out[1] = ny
    out[2] = nz
    out[3] = -(total / _THREE)


def plane_of_polygon(vertices: F32, count: int, out: F32) -> None:
    """Write the plane of a polygon's corners: N the normalised sum of its fan's cross products.

    vertices : (count or more, 3) float32 ; out : (4,) float32. d is the mean over the corners.
    No area: all zero. Retail: CPolygon::make_plane (spec dat-format 4.5.2).
    """
    nx = _ZERO
    ny = _ZERO
    nz = _ZERO
    for i in range(1, count - 1):
        ux = vertices[i, 0] - vertices[0, 0]
        uy = vertices[i, 1] - vertices[0, 1]
        uz = vertices[i, 2] - vertices[0, 2]
        vx = vertices[i + 1, 0] - vertices[0, 0]
        vy = vertices[i + 1, 1] - vertices[0, 1]
        vz = vertices[i + 1, 2] - vertices[0, 2]
        nx = nx + (uy * vz - uz * vy)
        ny = ny + (uz * vx - ux * vz)
        nz = nz + (ux * vy - uy * vx)
    length = np.sqrt(nx * nx + ny * ny + nz * nz)
    if not length > _ZERO:
        out[0] = out[1] = out[2] = out[3] = _ZERO
        return
    nx = nx / length
    ny = ny / length
    nz = nz / length
    total = _ZERO
    for i in range(count):
        total = total + (nx * vertices[i, 0] + ny * vertices[i, 1] + nz * vertices[i, 2])
    out[0] = nx
    out[1] = ny
    out[2] = nz
    out[3] = -(total / np.float32(count))


def cylinder_distance(
    radius_1: Real, height_1: Real, z_1: Real,
    radius_2: Real, height_2: Real, z_2: Real,
    dx: Real, dy: Real,
) -> np.float32:  # fmt: skip
    """Distance between two upright cylinders; negative when they overlap.

    z_1, z_2 : heights of the two origins ; dx, dy : from the first origin to the second
    The reach uses the three-dimensional length of the offset. Retail: @0x005A97F0.
    """
    x = np.float32(dx)
    y = np.float32(dy)
    z1 = np.float32(z_1)
    z2 = np.float32(z_2)
    z = z2 - z1
    reach = np.sqrt(x * x + y * y + z * z) - (np.float32(radius_1) + np.float32(radius_2))
    gap = z2 - (z1 + np.float32(height_1)) if z1 <= z2 else z1 - (z2 + np.float32(height_2))
    if gap > _ZERO:
        if reach > _ZERO:
            return np.float32(np.sqrt(gap * gap + reach * reach))
        return gap
    if reach > _ZERO:
        return np.float32(reach)
    return np.float32(-np.sqrt(gap * gap + reach * reach))
