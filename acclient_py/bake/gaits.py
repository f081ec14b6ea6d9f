"""Gaits: walking, running, turning and side-stepping made from a skeleton with legs.

A foot on the ground stays where it is: seen from the body it goes back by speed / 30 metres a
frame (and turns about the body when the body spins). Knees follow from the two bones' lengths.
Legs are solved in the object's space, so hips may sway without the feet slipping.
"""

# contract: T8

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from acclient_py.bake.schema import bodies as b
from acclient_py.bake.setups import Skeleton
from acclient_py.bake.vec import (
    V3,
    Pose,
    Quat,
    add,
    length,
    quat_about,
    quat_euler,
    quat_times,
    quat_unit,
    scaled,
    sub,
)
from acclient_py.core.trig import DEG_PER_RAD, RAD_PER_DEG, TWO_PI, acos, atan2, cos, sin
from acclient_py.errors import DataError

RATE: Final = 30.0
STRETCH: Final = 0.999
"""A leg never reaches further than this share of its length."""


class _Leg(Struct, frozen=True):
    hip: int
    knee: int
    foot: int
    upper: float
    lower: float
    ankle: V3  # at rest, in the object's space
    phase: float


def gait_frames(skeleton: Skeleton, gait: b.Gait, where: str) -> list[list[Pose]]:
    """One cycle, a pose of every part for each frame."""
    count = max(2, math.floor(gait.cycle * RATE + 0.5))
    rest = skeleton.pose()
    legs = [_leg(skeleton, leg, rest, where) for leg in gait.legs]
    swings = [(skeleton.index(swing.joint, where), swing) for swing in gait.swings]
    return [_frame(skeleton, gait, legs, swings, k / count, count / RATE) for k in range(count)]


def _leg(skeleton: Skeleton, leg: b.Leg, rest: Sequence[Pose], where: str) -> _Leg:
    hip, knee, foot = (skeleton.index(name, where) for name in (leg.hip, leg.knee, leg.foot))
    joints = skeleton.joints
    if joints[knee].parent != hip or joints[foot].parent != knee:
        raise DataError("a leg's foot hangs on its knee, the knee on the hip", where=where)
    return _Leg(
        hip,
        knee,
        foot,
        length(joints[knee].at),
        length(joints[foot].at),
        rest[foot].at,
        leg.phase,
    )


def _frame(
    skeleton: Skeleton,
    gait: b.Gait,
    legs: Sequence[_Leg],
    swings: Sequence[tuple[int, b.Swing]],
    phase: float,
    cycle: float,
) -> list[Pose]:
    turns: dict[int, Quat] = {}
    for joint, swing in swings:
        wave = sin(TWO_PI * (phase * swing.times + swing.phase))
        degrees = tuple(m + a * wave for m, a in zip(swing.middle, swing.amount, strict=True))
        turns[joint] = quat_euler((degrees[0], degrees[1], degrees[2]))
    # Two steps a cycle: the body sinks when both feet are down, sways to the standing foot.
    drop = -gait.crouch - gait.bob * 0.5 * (1.0 + cos(2.0 * TWO_PI * phase))
    sway = gait.sway * sin(TWO_PI * phase)
    root = Pose((sway, 0.0, drop), quat_about((1.0, 0.0, 0.0), -gait.lean))
    poses = skeleton.pose(turns, root)
    for leg in legs:
        _solve(skeleton, poses, leg, *_foot(gait, leg, phase, cycle))
    # What hangs on a leg follows it.
    moved = {part for leg in legs for part in (leg.hip, leg.knee, leg.foot)}
    for number, bone in enumerate(skeleton.joints):
        if bone.parent in moved and number not in moved:
            q = bone.q if number not in turns else quat_unit(quat_times(turns[number], bone.q))
            poses[number] = poses[bone.parent].then(Pose(bone.at, q))
            moved.add(number)
    return poses


def _foot(gait: b.Gait, leg: _Leg, phase: float, cycle: float) -> tuple[V3, Quat]:
    """Where a foot is, and how it is turned, in the object's space."""
    at = (phase + leg.phase) % 1.0
    down = gait.duty * cycle
    stride = gait.speed * down
    arc = gait.spin * down
    if at < gait.duty:
        share = 0.5 - at / gait.duty
        lift = pitch = 0.0
    else:
        t = (at - gait.duty) / (1.0 - gait.duty)
        share = _carry(t, (1.0 - gait.duty) / gait.duty)
        lift = gait.lift * 4.0 * t * (1.0 - t)
        # Toes point down as the foot leaves, up before it lands; level at both ends.
        pitch = gait.pitch * 4.0 * t * (1.0 - t) * (2.0 * t - 1.0) * 1.5
    a = gait.toward * RAD_PER_DEG
    ahead = (sin(a) * stride * share, cos(a) * stride * share, lift)
    # The ground turns to the left under a body that turns to the right.
    spin = quat_about((0.0, 0.0, 1.0), -arc * share)
    place = add(Pose(q=spin).point(leg.ankle), ahead)
    return place, quat_unit(quat_times(spin, quat_about((1.0, 0.0, 0.0), pitch)))


def _carry(t: float, ratio: float) -> float:
    """From -0.5 to 0.5 over 0..1, leaving and landing as fast as the ground moves.

    ratio: the time in the air by the time on the ground; the ground goes -1 a time on the ground.
    """
    m = -ratio
    h01 = t * t * (3.0 - 2.0 * t)
    slope = m * (t * (1.0 - t) * (1.0 - t) - t * t * (1.0 - t))
    return -0.5 + h01 + slope


def _solve(skeleton: Skeleton, poses: list[Pose], leg: _Leg, ankle: V3, foot_q: Quat) -> None:
    hip = poses[leg.hip].at
    reach = sub(ankle, hip)
    most = (leg.upper + leg.lower) * STRETCH
    far = length(reach)
    if far > most:
        # Lift the heel rather than let the foot slip: the ankle comes nearer straight up.
        level = reach[0] * reach[0] + reach[1] * reach[1]
        reach = (reach[0], reach[1], -math.sqrt(max(most * most - level, 0.01)))
        if level > most * most:
            reach = scaled(reach, most / length(reach))
        far = length(reach)
    # Out of the hip's plane first (about y), then ahead or back (about x).
    out = atan2(reach[0], -reach[2])
    down = math.sqrt(reach[0] * reach[0] + reach[2] * reach[2])
    ahead = atan2(reach[1], down)
    u, w = leg.upper, leg.lower
    at_hip = acos(_limited((u * u + far * far - w * w) / (2.0 * u * far)))
    at_knee = acos(_limited((u * u + w * w - far * far) / (2.0 * u * w)))
    tilt = quat_about((0.0, 1.0, 0.0), -out * DEG_PER_RAD)
    thigh = quat_about((1.0, 0.0, 0.0), (ahead + at_hip) * DEG_PER_RAD)
    shin = quat_about((1.0, 0.0, 0.0), (ahead + at_hip + at_knee) * DEG_PER_RAD - 180.0)
    joints = skeleton.joints
    poses[leg.hip] = Pose(hip, quat_unit(quat_times(tilt, thigh)))
    knee = poses[leg.hip].then(Pose(joints[leg.knee].at)).at
    poses[leg.knee] = Pose(knee, quat_unit(quat_times(tilt, shin)))
    foot = poses[leg.knee].then(Pose(joints[leg.foot].at)).at
    poses[leg.foot] = Pose(foot, foot_q)


def _limited(x: float) -> float:
    return max(-1.0, min(1.0, x))
