"""Animations from keys or gaits, and motion tables.

Frames are 30 a second and are shown as they are, without anything between them. A gait brings
its own velocity and turn, so that the motion that plays it needs none written down.
"""

# contract: T8

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from acclient_py.bake.book import Book
from acclient_py.bake.effects import step_hook
from acclient_py.bake.gaits import RATE, gait_frames
from acclient_py.bake.keys import key_of
from acclient_py.bake.schema import bodies as b
from acclient_py.bake.setups import (
    Skeleton,
    animation_frame,
    setup_table,
    skeleton_of,
)
from acclient_py.bake.vec import (
    IDENTITY_Q,
    V3,
    Pose,
    Quat,
    f32,
    f32_point,
    lerp,
    quat_euler,
    quat_slerp,
)
from acclient_py.core.trig import RAD_PER_DEG, cos, sin
from acclient_py.dat.records.animation import Animation
from acclient_py.dat.records.motion_table import (
    HAS_OMEGA,
    HAS_VELOCITY,
    MotionAnim,
    MotionData,
    MotionLinks,
    MotionTable,
    motion_key,
)
from acclient_py.errors import DataError

COMMANDS: Final = {
    "Ready": 0x41000003,
    "Stop": 0x40000004,
    "WalkForward": 0x45000005,
    "WalkBackwards": 0x45000006,
    "RunForward": 0x44000007,
    "Fallen": 0x40000008,
    "Interpolating": 0x40000009,
    "Hover": 0x4000000A,
    "On": 0x4000000B,
    "Off": 0x4000000C,
    "TurnRight": 0x6500000D,
    "TurnLeft": 0x6500000E,
    "SideStepRight": 0x6500000F,
    "SideStepLeft": 0x65000010,
    "Dead": 0x40000011,
    "Crouch": 0x41000012,
    "Sitting": 0x41000013,
    "Sleeping": 0x41000014,
    "Falling": 0x40000015,
    "JumpCharging": 0x4000001D,
    "Jump": 0x2500003B,
    "Hop": 0x1000004A,
    "Jumpup": 0x1000004B,
}
STYLES: Final = {
    "HandCombat": 0x8000003C,
    "NonCombat": 0x8000003D,
    "SwordCombat": 0x8000003E,
    "BowCombat": 0x8000003F,
    "SwordShieldCombat": 0x80000040,
    "CrossbowCombat": 0x80000041,
    "TwoHandedSword": 0x80000044,
    "TwoHandedStaff": 0x80000045,
    "DualWield": 0x80000046,
    "Magic": 0x80000049,
}
SUBSTATE: Final = 0x40000000
MODIFIER: Final = 0x20000000
HAS_HOOKS: Final = 2
"""Bit of an animation: some frame has hooks."""
ONLY_FROM_DEFAULT: Final = 2
"""Bit of a motion: from the stance's default motion or from itself only."""


def make_animation(book: Book, name: str) -> None:
    """The Animation record of a table `animation.NAME`."""
    where = f"animation '{name}'"
    number = book.ids[("animation", name)]
    table = animation_table(book, name, where)
    skeleton = skeleton_of(setup_table(book, table.setup, where), where)
    if table.gait is not None and table.keys:
        raise DataError("an animation has `keys` or `gait`, not both", where=where)
    if table.gait is not None:
        frames = gait_frames(skeleton, table.gait, where)
    elif table.keys:
        frames = key_frames(skeleton, table, where)
    else:
        raise DataError("an animation needs `keys` or `gait`", where=where)
    poses = [animation_frame(frame) for frame in frames]
    names = [joint.name for joint in skeleton.joints]
    for step in sorted(table.steps, key=lambda step: step.time):
        at = math.floor(step.time * RATE + 0.5)
        if not 0 <= at < len(poses):
            raise DataError(f"step at {step.time:g} s of {len(poses) / RATE:g} s", where=where)
        hooks = (*poses[at].hooks, step_hook(book, step, where, names))
        poses[at] = replace(poses[at], hooks=hooks)
    flags = HAS_HOOKS if table.steps else 0
    book.put(number, Animation(number, flags, len(names), None, tuple(poses)).write())


def animation_table(book: Book, name: str, needed_by: str) -> b.Animation:
    """An animation of the recipe."""
    found: b.Animation | None = book.tables.find("animation", name)
    if found is None:
        raise book.tables.unknown("animation", name, needed_by)
    return found


def key_frames(skeleton: Skeleton, table: b.Animation, where: str) -> list[list[Pose]]:
    """Poses between keys, joints turned on the shorter arc, speed eased at the keys or even."""
    keys = sorted(table.keys, key=lambda key: key.time)
    seconds = keys[-1].time if table.seconds is None else table.seconds
    turns = [
        {skeleton.index(joint, where): quat_euler(turn) for joint, turn in key.pose.items()}
        for key in keys
    ]
    roots = [(key.at, quat_euler(key.rotate)) for key in keys]
    count = max(1, math.floor(seconds * RATE + 0.5))
    frames = []
    for k in range(count):
        time = k / RATE
        low, high, t = _between(keys, time, seconds, loop=table.loop)
        if not table.even:
            t = t * t * (3.0 - 2.0 * t)
        at = lerp(roots[low][0], roots[high][0], t)
        q = quat_slerp(roots[low][1], roots[high][1], t)
        mixed = _mixed(turns[low], turns[high], t)
        frames.append(skeleton.pose(mixed, Pose(at, q)))
    return frames


def _between(
    keys: list[b.Key], time: float, seconds: float, *, loop: bool
) -> tuple[int, int, float]:
    """The keys about a time and the share of the way from one to the other."""
    last = len(keys) - 1
    for k in range(last):
        if keys[k].time <= time < keys[k + 1].time:
            return k, k + 1, (time - keys[k].time) / (keys[k + 1].time - keys[k].time)
    if time < keys[0].time:
        return 0, 0, 0.0
    rest = seconds - keys[last].time
    if loop and rest > 0.0:
        return last, 0, (time - keys[last].time) / rest
    return last, last, 0.0


def _mixed(a: Mapping[int, Quat], c: Mapping[int, Quat], t: float) -> dict[int, Quat]:
    return {
        joint: quat_slerp(a.get(joint, IDENTITY_Q), c.get(joint, IDENTITY_Q), t)
        for joint in sorted({*a, *c})
    }


def make_motion(book: Book, name: str) -> None:
    """The MotionTable record of a table `motion.NAME`."""
    where = f"motion '{name}'"
    number = book.ids[("motion", name)]
    table: b.Motion = book.tables.need("motion", name)
    styles = dict(table.styles)
    if table.motions or table.links:
        if "NonCombat" in styles:
            raise DataError("motions of NonCombat are given twice", where=where)
        styles = {"NonCombat": b.Style(motions=table.motions, links=table.links), **styles}
    defaults, cycles, modifiers, links = [], [], [], []
    for style_name, style in styles.items():
        style_id = key_of(style_name, STYLES, "stance", where)
        if style.default not in style.motions:
            raise DataError(f"stance {style_name} lacks its default '{style.default}'", where=where)
        defaults.append((style_id, key_of(style.default, COMMANDS, "motion", where)))
        for command_name, cycle in style.motions.items():
            command = key_of(command_name, COMMANDS, "motion", where)
            key = motion_key(style_id, command)
            data = _motion_data(book, cycle, f"{where}, {command_name}")
            as_modifier = bool(command & MODIFIER) if cycle.modifier is None else cycle.modifier
            as_modifier = as_modifier and bool(data.flags)
            if command & SUBSTATE or not command & MODIFIER:
                # what can be put on top of a walk is a cycle only from where one stands
                bits = ONLY_FROM_DEFAULT if as_modifier else 0
                cycles.append((key, replace(data, bitfield=bits)))
            if as_modifier:
                modifiers.append((key, MotionData((), 0, data.flags, data.velocity, data.omega)))
        links += _links(book, style_id, style, where)
    default = key_of(table.default, STYLES, "stance", where)
    record = MotionTable(
        number, default, tuple(defaults), tuple(cycles), tuple(modifiers), tuple(links)
    )
    book.put(number, record.write())


def _motion_data(book: Book, cycle: b.Cycle, where: str) -> MotionData:
    anims: tuple[MotionAnim, ...] = ()
    velocity, omega = cycle.velocity, cycle.omega
    if cycle.animation is not None:
        number = book.id_of("animation", cycle.animation, where)
        anims = (MotionAnim(number, cycle.low, cycle.high, f32(cycle.framerate)),)
        gait = animation_table(book, cycle.animation, where).gait
        if gait is not None:
            velocity = _gait_velocity(gait) if velocity is None else velocity
            omega = _gait_omega(gait) if omega is None else omega
    flags = HAS_VELOCITY if velocity is not None else 0
    flags |= HAS_OMEGA if omega is not None else 0
    zero = (0.0, 0.0, 0.0)
    return MotionData(anims, 0, flags, f32_point(velocity or zero), f32_point(omega or zero))


def _gait_velocity(gait: b.Gait) -> V3 | None:
    if gait.speed == 0.0:
        return None
    a = gait.toward * RAD_PER_DEG
    return gait.speed * sin(a), gait.speed * cos(a), 0.0


def _gait_omega(gait: b.Gait) -> V3 | None:
    return None if gait.spin == 0.0 else (0.0, 0.0, -gait.spin * RAD_PER_DEG)


def _links(book: Book, style_id: int, style: b.Style, where: str) -> list[MotionLinks]:
    by_start: dict[int, list[tuple[int, MotionData]]] = {}
    for link in style.links:
        start = motion_key(style_id, key_of(link.start, COMMANDS, "motion", where))
        end = key_of(link.end, {**COMMANDS, **STYLES}, "motion", where)
        number = book.id_of("animation", link.animation, where)
        anim = MotionAnim(number, link.low, link.high, f32(link.framerate))
        by_start.setdefault(start, []).append((end, MotionData((anim,))))
    return [MotionLinks(key, tuple(targets)) for key, targets in by_start.items()]
