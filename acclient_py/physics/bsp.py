"""Physics BSP trees against spheres (spec physics-membership 5.8): leaf and polygon tests.

`w` is the row of `tables.py`: the flat pools of `world/models.py` and a scratch array of node
numbers. A sphere is four numbers in the tree's own space. Recursion is an explicit stack; children
are visited in retail's order, because several tests keep what they met last.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from acclient_py.kernels import kernel
from acclient_py.physics.tables import (
    nodes_of,
    poly_index_of,
    polygons_of,
    stack_of,
    vertices_of,
)

Int = Any
Flag = Any

EPSILON = 0.0002
SMALL = 1e-12


@kernel(inner=True)
def plane_distance(p: Any, x: float, y: float, z: float) -> Any:
    """Signed distance of a point to a plane row (nx ny nz d), in float64."""
    return x * p[0] + y * p[1] + z * p[2] + p[3]


@kernel(inner=True)
def polygon_touches(w: Any, polygon: Int, x: float, y: float, z: float, r: float) -> Flag:
    """Whether a sphere touches a polygon (`polygon_hits_sphere`): its face, an edge or a vertex."""
    polygons = polygons_of(w)
    vertices = vertices_of(w)
    row = polygons[polygon]
    p = row["plane"]
    nx = np.float64(p[0])
    ny = np.float64(p[1])
    nz = np.float64(p[2])
    d = x * nx + y * ny + z * nz + p[3]
    reach = r - EPSILON
    if reach < abs(d):
        return False
    limit = reach * reach - d * d
    cx = x - nx * d
    cy = y - ny * d
    cz = z - nz * d
    first = row["vertex_first"]
    count = row["vertex_count"]
    inside = True
    last = first + count - 1
    px = np.float64(vertices[last, 0])
    py = np.float64(vertices[last, 1])
    pz = np.float64(vertices[last, 2])
    for at in range(first, first + count):
        vx = np.float64(vertices[at, 0])
        vy = np.float64(vertices[at, 1])
        vz = np.float64(vertices[at, 2])
        ex = vx - px
        ey = vy - py
        ez = vz - pz
        dx = cx - px
        dy = cy - py
        dz = cz - pz
        kx = ny * ez - nz * ey
        ky = nz * ex - nx * ez
        kz = nx * ey - ny * ex
        side = dx * kx + dy * ky + dz * kz
        if side < 0.0:
            if (kx * kx + ky * ky + kz * kz) * limit < side * side:
                return False
            along = dx * ex + dy * ey + dz * ez
            if 0.0 <= along <= ex * ex + ey * ey + ez * ez:
                return True
            inside = False
        if dx * dx + dy * dy + dz * dz <= limit:
            return True
        px = vx
        py = vy
        pz = vz
    return inside


@kernel(inner=True)
def polygon_supports(w: Any, polygon: Int, x: float, y: float, z: float, r: float, u: Any) -> Flag:
    """Whether a polygon lies under a sphere, seen along `u` (`check_walkable` of a polygon)."""
    polygons = polygons_of(w)
    vertices = vertices_of(w)
    row = polygons[polygon]
    p = row["plane"]
    nx = np.float64(p[0])
    ny = np.float64(p[1])
    nz = np.float64(p[2])
    up = u[0] * nx + u[1] * ny + u[2] * nz
    if up < EPSILON:
        return False
    t = (x * nx + y * ny + z * nz + p[3]) / up
    cx = x - u[0] * t
    cy = y - u[1] * t
    cz = z - u[2] * t
    limit = r * r
    first = row["vertex_first"]
    count = row["vertex_count"]
    inside = True
    last = first + count - 1
    px = np.float64(vertices[last, 0])
    py = np.float64(vertices[last, 1])
    pz = np.float64(vertices[last, 2])
    for at in range(first, first + count):
        vx = np.float64(vertices[at, 0])
        vy = np.float64(vertices[at, 1])
        vz = np.float64(vertices[at, 2])
        ex = vx - px
        ey = vy - py
        ez = vz - pz
        dx = cx - px
        dy = cy - py
        dz = cz - pz
        kx = ny * ez - nz * ey
        ky = nz * ex - nx * ez
        kz = nx * ey - ny * ex
        side = dx * kx + dy * ky + dz * kz
        if side < 0.0:
            if (kx * kx + ky * ky + kz * kz) * limit < side * side:
                return False
            along = dx * ex + dy * ey + dz * ez
            if 0.0 <= along <= ex * ex + ey * ey + ez * ez:
                return True
            inside = False
        if dx * dx + dy * dy + dz * dz <= limit:
            return True
        px = vx
        py = vy
        pz = vz
    return inside


@kernel(inner=True)
def crossed_edge(w: Any, polygon: Int, x: float, y: float, z: float, u: Any, normal: Any) -> Flag:
    """The in-plane normal of the edge that a centre, projected along `u`, lies outside of."""
    polygons = polygons_of(w)
    vertices = vertices_of(w)
    row = polygons[polygon]
    p = row["plane"]
    nx = np.float64(p[0])
    ny = np.float64(p[1])
    nz = np.float64(p[2])
    up = u[0] * nx + u[1] * ny + u[2] * nz
    if abs(up) < EPSILON:
        return False
    t = (x * nx + y * ny + z * nz + p[3]) / up
    cx = x - u[0] * t
    cy = y - u[1] * t
    cz = z - u[2] * t
    first = row["vertex_first"]
    count = row["vertex_count"]
    last = first + count - 1
    for at in range(first, first + count):
        px = np.float64(vertices[last, 0])
        py = np.float64(vertices[last, 1])
        pz = np.float64(vertices[last, 2])
        ex = vertices[at, 0] - px
        ey = vertices[at, 1] - py
        ez = vertices[at, 2] - pz
        kx = ny * ez - nz * ey
        ky = nz * ex - nx * ez
        kz = nx * ey - ny * ex
        if (cx - px) * kx + (cy - py) * ky + (cz - pz) * kz < 0.0:
            m = math.sqrt(kx * kx + ky * ky + kz * kz)
            if m < SMALL:
                return False
            normal[0] = kx / m
            normal[1] = ky / m
            normal[2] = kz / m
            return True
        last = at
    return False


@kernel(inner=True)
def apart(s: Any, x: float, y: float, z: float, r: float) -> Flag:
    """Whether a node's bounding sphere and a sphere do not meet."""
    dx = x - s[0]
    dy = y - s[1]
    dz = z - s[2]
    reach = r + s[3]
    return dx * dx + dy * dy + dz * dz >= reach * reach


@kernel(inner=True)
def sphere_hits_polygon(
    w: Any, root: Int, x: float, y: float, z: float, r: float, mx: float, my: float, mz: float
) -> Any:
    """(hit, polygon): the first polygon touched while moving against it (`sphere_intersects_poly`).

    Without a hit the polygon is the last one touched while receding from it, or -1.
    """
    nodes = nodes_of(w)
    index = poly_index_of(w)
    polygons = polygons_of(w)
    stack = stack_of(w)
    touched = np.int64(-1)
    stack[0] = root
    depth = 1
    while depth > 0:
        depth -= 1
        at = stack[depth]
        if at < 0:
            continue
        node = nodes[at]
        if node["kind"] == 1:
            count = node["poly_count"]
            if count == 0 or apart(node["sphere"], x, y, z, r):
                continue
            first = node["poly_first"]
            for i in range(first, first + count):
                polygon = np.int64(index[i])
                if polygon_touches(w, polygon, x, y, z, r):
                    touched = polygon
                    n = polygons[polygon]["plane"]
                    if mx * n[0] + my * n[1] + mz * n[2] < 0.0:
                        return True, touched
            continue
        if apart(node["sphere"], x, y, z, r) or depth + 2 > stack.shape[0]:
            continue
        d = plane_distance(node["plane"], x, y, z)
        reach = r - EPSILON
        if d > -reach:
            if d < reach:
                stack[depth] = node["neg"]
                depth += 1
            stack[depth] = node["pos"]
            depth += 1
        else:
            stack[depth] = node["neg"]
            depth += 1
    return False, touched


@kernel(inner=True)
def sphere_in_solid(
    w: Any, root: Int, x: float, y: float, z: float, r: float, center_check: Flag
) -> Flag:
    """Whether a sphere stands in solid space or touches a polygon (`sphere_intersects_solid`).

    The centre counts only on the side of a straddled plane that holds it.
    """
    nodes = nodes_of(w)
    index = poly_index_of(w)
    stack = stack_of(w)
    stack[0] = root
    stack[1] = 1 if center_check else 0
    depth = 2
    while depth > 0:
        depth -= 2
        at = stack[depth]
        center = stack[depth + 1]
        if at < 0:
            continue
        node = nodes[at]
        if node["kind"] == 1:
            count = node["poly_count"]
            if count == 0:
                continue
            if center == 1 and node["solid"] != 0:
                return True
            if apart(node["sphere"], x, y, z, r):
                continue
            first = node["poly_first"]
            for i in range(first, first + count):
                if polygon_touches(w, np.int64(index[i]), x, y, z, r):
                    return True
            continue
        if apart(node["sphere"], x, y, z, r) or depth + 4 > stack.shape[0]:
            continue
        d = plane_distance(node["plane"], x, y, z)
        reach = r - EPSILON
        if d >= reach:
            stack[depth] = node["pos"]
            stack[depth + 1] = center
            depth += 2
        elif d <= -reach:
            stack[depth] = node["neg"]
            stack[depth + 1] = center
            depth += 2
        else:
            stack[depth] = node["neg"]
            stack[depth + 1] = center if d < 0.0 else 0
            stack[depth + 2] = node["pos"]
            stack[depth + 3] = 0 if d < 0.0 else center
            depth += 4
    return False


@kernel(inner=True)
def sphere_solid_polygon(
    w: Any,
    root: Int,
    x: float,
    y: float,
    z: float,
    r: float,
    probe: float,
    center_check: Flag,
    center_solid: Flag,
    polygon: Int,
) -> Any:
    """(hit, centre in solid, polygon), descending with `probe` (`sphere_intersects_solid_poly`).

    center_solid, polygon : what was found before, kept. Retail's own: once some polygon is known,
    the second half of a straddled node is not looked at, and the answer is whether the centre is in
    solid; so a polygon that is touched in a first half counts only with the centre in solid.
    """
    nodes = nodes_of(w)
    index = poly_index_of(w)
    stack = stack_of(w)
    result = False
    stack[0] = root
    stack[1] = 1 if center_check else 0  # 1 centre, 2 below a first half, 4 a second half
    depth = 2
    while depth > 0:
        depth -= 2
        at = stack[depth]
        flags = stack[depth + 1]
        if flags & 4 != 0 and polygon >= 0:
            return center_solid, center_solid, polygon
        result = False
        if at < 0:
            continue
        node = nodes[at]
        if node["kind"] == 1:
            count = node["poly_count"]
            if count == 0:
                continue
            if flags & 1 != 0 and node["solid"] != 0:
                center_solid = True
            result = center_solid
            if apart(node["sphere"], x, y, z, r):
                continue
            first = node["poly_first"]
            for i in range(first, first + count):
                if polygon_touches(w, np.int64(index[i]), x, y, z, r):
                    hit = center_solid or flags & 2 == 0
                    return hit, center_solid, np.int64(index[i])
            continue
        if apart(node["sphere"], x, y, z, r) or depth + 4 > stack.shape[0]:
            continue
        d = plane_distance(node["plane"], x, y, z)
        reach = probe - EPSILON
        below = flags & 2
        if d >= reach:
            stack[depth] = node["pos"]
            stack[depth + 1] = flags & 3
            depth += 2
        elif d <= -reach:
            stack[depth] = node["neg"]
            stack[depth + 1] = flags & 3
            depth += 2
        else:
            stack[depth] = node["pos"] if d < 0.0 else node["neg"]
            stack[depth + 1] = 4 | below
            stack[depth + 2] = node["neg"] if d < 0.0 else node["pos"]
            stack[depth + 3] = 2 | (flags & 1)
            depth += 4
    return result, center_solid, polygon


@kernel(inner=True)
def walkable_under(
    w: Any, root: Int, x: float, y: float, z: float, r: float, up: Any, allowance: float
) -> Flag:
    """Whether a walkable polygon touches the sphere and holds half of it (`hits_walkable`)."""
    nodes = nodes_of(w)
    index = poly_index_of(w)
    polygons = polygons_of(w)
    stack = stack_of(w)
    stack[0] = root
    depth = 1
    while depth > 0:
        depth -= 1
        at = stack[depth]
        if at < 0:
            continue
        node = nodes[at]
        if node["kind"] == 1:
            count = node["poly_count"]
            if count == 0 or apart(node["sphere"], x, y, z, r):
                continue
            first = node["poly_first"]
            for i in range(first, first + count):
                polygon = np.int64(index[i])
                n = polygons[polygon]["plane"]
                if (
                    up[0] * n[0] + up[1] * n[1] + up[2] * n[2] > allowance
                    and polygon_touches(w, polygon, x, y, z, r)
                    and polygon_supports(w, polygon, x, y, z, 0.5 * r, up)
                ):
                    return True
            continue
        if apart(node["sphere"], x, y, z, r) or depth + 2 > stack.shape[0]:
            continue
        d = plane_distance(node["plane"], x, y, z)
        reach = r - EPSILON
        if d > -reach:
            if d < reach:
                stack[depth] = node["neg"]
                depth += 1
            stack[depth] = node["pos"]
            depth += 1
        else:
            stack[depth] = node["neg"]
            depth += 1
    return False


@kernel(inner=True)
def find_walkable(t: Any, w: Any, root: Int, valid: Any, mx: float, my: float, mz: float) -> Int:
    """Move the sphere `valid` along -m onto walkable polygons; the last that did it, or -1.

    t : the path's record: `walkable_allowance`, `localspace_z` are read, `walk_interp` is written
    A polygon is taken when it touches the sphere where that stands by then, and brings it nearer
    to the start of the movement (`adjust_sphere_to_plane`: new `walk_interp` in (-0.5, old)). Once
    that is below 0 the same comparison lets a polygon through that throws the sphere forward, by
    any number of movements: such a one is passed over.
    """
    nodes = nodes_of(w)
    index = poly_index_of(w)
    polygons = polygons_of(w)
    stack = stack_of(w)
    up = t["localspace_z"]
    allowance = t["walkable_allowance"]
    found = np.int64(-1)
    stack[0] = root
    depth = 1
    while depth > 0:
        depth -= 1
        at = stack[depth]
        if at < 0:
            continue
        node = nodes[at]
        r = valid[3]
        if node["kind"] == 1:
            count = node["poly_count"]
            if count == 0 or apart(node["sphere"], valid[0], valid[1], valid[2], r):
                continue
            first = node["poly_first"]
            for i in range(first, first + count):
                polygon = np.int64(index[i])
                p = polygons[polygon]["plane"]
                if up[0] * p[0] + up[1] * p[1] + up[2] * p[2] <= allowance:
                    continue
                if not polygon_touches(w, polygon, valid[0], valid[1], valid[2], r):
                    continue
                along = mx * p[0] + my * p[1] + mz * p[2]
                d = plane_distance(p, valid[0], valid[1], valid[2])
                if along <= EPSILON:
                    if along >= -EPSILON:
                        continue
                    amount = (d - r) / along
                else:
                    amount = (-r - d) / along
                interp = (1.0 - amount) * t["walk_interp"]
                if interp >= t["walk_interp"] or interp < -0.5:
                    continue
                if amount <= 0.0:
                    continue  # divergence: D29 - a sphere is only ever taken back
                valid[0] -= mx * amount
                valid[1] -= my * amount
                valid[2] -= mz * amount
                t["walk_interp"] = interp
                found = polygon
            continue
        if apart(node["sphere"], valid[0], valid[1], valid[2], r) or depth + 2 > stack.shape[0]:
            continue
        d = plane_distance(node["plane"], valid[0], valid[1], valid[2])
        reach = r - EPSILON
        if d > -reach:
            if d < reach:
                stack[depth] = node["neg"]
                depth += 1
            stack[depth] = node["pos"]
            depth += 1
        else:
            stack[depth] = node["neg"]
            depth += 1
    return found
