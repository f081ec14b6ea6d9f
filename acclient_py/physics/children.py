"""Frames of objects, parts and children, and the child list (spec physics-membership 6.2, 6.3).

A frame written to an object goes on to its parts (pose rows, each relative to the object) and to
its children (holding frames, relative to a part of the parent or to the parent), all the way down.
The cell work of a commit comes before it (C5). None of this writes a cell or an id.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acclient_py.core import F32, I32
from acclient_py.core.frame import rotate_by
from acclient_py.kernels import kernel
from acclient_py.physics.layout import PART_NODRAW, Arrays
from acclient_py.physics.state import NODRAW, PARTICLE_EMITTER

_HEADING_TOLERANCE: Final = np.float32(0.001)  # five times F_EPSILON
_ONE: Final = np.float32(1.0)
_ZERO: Final = np.float32(0.0)


@kernel(inner=True)
def _product(
    aw: np.float32, ax: np.float32, ay: np.float32, az: np.float32,
    bw: np.float32, bx: np.float32, by: np.float32, bz: np.float32,
) -> tuple[np.float32, np.float32, np.float32, np.float32]:  # fmt: skip
    """The rotation b first, then a, normalised; the same steps as core's `multiply_rotation`."""
    w = aw * bw - ax * bx - ay * by - az * bz
    x = aw * bx + ax * bw + ay * bz - az * by
    y = aw * by + ay * bw + az * bx - ax * bz
    z = aw * bz + az * bw + ax * by - ay * bx
    total = w * w + x * x + y * y + z * z
    if total > _ZERO:
        scale = _ONE / np.sqrt(total)
        w = w * scale
        x = x * scale
        y = y * scale
        z = z * scale
    return w, x, y, z


@kernel
def set_frames(g: Arrays, roots: I32, frames: F32) -> None:
    """Write frames and recompose all parts and descendants, depth first.

    roots  : (n,) object slots ; frames : (n, 7) float32, block-local
    A rotation that is no unit quaternion beside a sound origin becomes zero, as in retail.
    Retail: CPhysicsObj::set_frame @0x00514090, UpdateChildrenInternal @0x00512DC0.
    """
    # contract: C5, C13
    objects = g.objects
    parts = g.parts
    poses = g.poses
    stack = g.stack
    frame = objects["frame"]
    hold_frame = objects["hold_frame"]
    hold_part = objects["hold_part"]
    parents = objects["parent"]
    part_first = objects["part_first"]
    part_count = objects["part_count"]
    pose_first = objects["pose_first"]
    pose_count = objects["pose_count"]
    part_frame = parts["frame"]
    has_part_array = objects["has_part_array"]
    for i in range(roots.shape[0]):
        root = roots[i]
        for k in range(7):
            frame[root, k] = frames[i, k]
        sp = 0
        o = root
        steps = parents.shape[0]
        while steps > 0:
            steps -= 1
            if o != root:
                p = parents[o]
                b = hold_part[o]
                if b >= 0 and b < part_count[p]:
                    base = part_frame[part_first[p] + b]
                else:
                    base = frame[p]
                x, y, z = rotate_by(
                    base[3], base[4], base[5], base[6],
                    hold_frame[o, 0], hold_frame[o, 1], hold_frame[o, 2],
                )  # fmt: skip
                w, qx, qy, qz = _product(
                    base[3], base[4], base[5], base[6],
                    hold_frame[o, 3], hold_frame[o, 4], hold_frame[o, 5], hold_frame[o, 6],
                )  # fmt: skip
                frame[o, 0] = x + base[0]
                frame[o, 1] = y + base[1]
                frame[o, 2] = z + base[2]
                frame[o, 3] = w
                frame[o, 4] = qx
                frame[o, 5] = qy
                frame[o, 6] = qz
            aw = frame[o, 3]
            ax = frame[o, 4]
            ay = frame[o, 5]
            az = frame[o, 6]
            ox = frame[o, 0]
            oy = frame[o, 1]
            oz = frame[o, 2]
            length = np.sqrt(aw * aw + ax * ax + ay * ay + az * az)
            if not abs(length - _ONE) <= _HEADING_TOLERANCE:
                if ox == ox and oy == oy and oz == oz:
                    aw = _ZERO
                    ax = _ZERO
                    ay = _ZERO
                    az = _ZERO
                    for k in range(3, 7):
                        frame[o, k] = _ZERO
            down = -1
            if has_part_array[o] != 0:
                down = objects["first_child"][o]
                if objects["state"][o] & PARTICLE_EMITTER == 0:
                    s = objects["scale"][o]
                    first = part_first[o]
                    pose = pose_first[o]
                    count = min(part_count[o], pose_count[o]) if pose >= 0 else 0
                    for k in range(count):
                        x, y, z = rotate_by(
                            aw, ax, ay, az,
                            s * poses[pose + k, 0], s * poses[pose + k, 1], s * poses[pose + k, 2],
                        )  # fmt: skip
                        w, qx, qy, qz = _product(
                            aw, ax, ay, az,
                            poses[pose + k, 3], poses[pose + k, 4],
                            poses[pose + k, 5], poses[pose + k, 6],
                        )  # fmt: skip
                        at = first + k
                        part_frame[at, 0] = x + ox
                        part_frame[at, 1] = y + oy
                        part_frame[at, 2] = z + oz
                        part_frame[at, 3] = w
                        part_frame[at, 4] = qx
                        part_frame[at, 5] = qy
                        part_frame[at, 6] = qz
                    light_first = objects["light_first"][o]
                    for at in range(light_first, light_first + objects["light_count"][o]):
                        f = g.lights["offset"][at]
                        t = g.lights["frame"][at]
                        x, y, z = rotate_by(aw, ax, ay, az, f[0], f[1], f[2])
                        w, qx, qy, qz = _product(aw, ax, ay, az, f[3], f[4], f[5], f[6])
                        t[0] = x + ox
                        t[1] = y + oy
                        t[2] = z + oz
                        t[3] = w
                        t[4] = qx
                        t[5] = qy
                        t[6] = qz
            across = objects["next_sibling"][o] if o != root else -1
            if down >= 0:
                if across >= 0:
                    stack[sp] = across
                    sp += 1
                o = down
            elif across >= 0:
                o = across
            elif sp == 0:
                break
            else:
                sp -= 1
                o = stack[sp]


@kernel
def held_frame(g: Arrays, child: int, out: F32) -> None:
    """Where a child's holding place puts it now: out (7,). Retail: UpdateChild @0x00512D50."""
    # contract: C13
    objects = g.objects
    p = objects["parent"][child]
    b = objects["hold_part"][child]
    base = objects["frame"][p]
    if b >= 0 and b < objects["part_count"][p]:
        base = g.parts["frame"][objects["part_first"][p] + b]
    h = objects["hold_frame"][child]
    x, y, z = rotate_by(base[3], base[4], base[5], base[6], h[0], h[1], h[2])
    w, qx, qy, qz = _product(base[3], base[4], base[5], base[6], h[3], h[4], h[5], h[6])
    out[0] = x + base[0]
    out[1] = y + base[1]
    out[2] = z + base[2]
    out[3] = w
    out[4] = qx
    out[5] = qy
    out[6] = qz


@kernel
def closes_cycle(g: Arrays, child: int, parent: int) -> bool:
    """Whether `parent` is `child` or hangs below it; its way up is walked, however long."""
    # contract: C17
    # divergence: D6
    at = parent
    steps = g.objects.shape[0]
    while at >= 0 and steps > 0:
        if at == child:
            return True
        at = g.objects["parent"][at]
        steps -= 1
    return False


@kernel
def append_child(g: Arrays, parent: int, child: int) -> None:
    """To the end of the child list. The child is in none."""
    objects = g.objects
    last = objects["last_child"][parent]
    objects["parent"][child] = parent
    objects["prev_sibling"][child] = last
    objects["next_sibling"][child] = -1
    if last >= 0:
        objects["next_sibling"][last] = child
    else:
        objects["first_child"][parent] = child
    objects["last_child"][parent] = child


@kernel
def remove_child(g: Arrays, child: int) -> None:
    """Out of its parent's list, the order of the others kept. Retail: CHILDLIST::remove_child."""
    objects = g.objects
    parent = objects["parent"][child]
    p = objects["prev_sibling"][child]
    n = objects["next_sibling"][child]
    if p >= 0:
        objects["next_sibling"][p] = n
    else:
        objects["first_child"][parent] = n
    if n >= 0:
        objects["prev_sibling"][n] = p
    else:
        objects["last_child"][parent] = p
    objects["parent"][child] = -1
    objects["next_sibling"][child] = -1
    objects["prev_sibling"][child] = -1


@kernel
def set_nodraw(g: Arrays, o: int, on: bool) -> None:
    """Set or clear NODRAW and the parts' draw flag. Retail: CPhysicsObj::set_nodraw @0x00514C40."""
    first = g.objects["part_first"][o]
    if on:
        g.objects["state"][o] = g.objects["state"][o] | np.uint32(NODRAW)
    else:
        g.objects["state"][o] = g.objects["state"][o] & np.uint32(0xFFFFFFFF ^ NODRAW)
    for part in range(first, first + g.objects["part_count"][o]):
        flags = g.parts["flags"][part]
        if on:
            g.parts["flags"][part] = flags | np.uint32(PART_NODRAW)
        else:
            g.parts["flags"][part] = flags & np.uint32(0xFFFFFFFF ^ PART_NODRAW)
