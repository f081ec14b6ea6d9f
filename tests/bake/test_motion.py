"""Gaits and motion tables of the doll: feet that stay where they are set down."""

from __future__ import annotations

import numpy as np
import pytest
from builders.worlds import baked, opened

from acclient_py.dat.records import Animation, MotionTable, Setup, motion_key

NON_COMBAT = 0x8000003D
FEET = (11, 14)


def animation(name: str) -> Animation:
    with opened("doll") as dats:
        record: Animation = dats.record(baked("doll").ids[f"animation {name}"])
        return record


def foot_paths(name: str) -> np.ndarray:
    """(frames, 2, 3) places of both feet, relative to the object."""
    frames = animation(name).frames
    return np.array([[frame.frames[foot][:3] for foot in FEET] for frame in frames], np.float64)


@pytest.mark.parametrize(
    ("name", "speed", "toward", "share"),
    [("doll_walk", 3.12, 0.0, 0.45), ("doll_run", 4.0, 0.0, 0.3), ("doll_side", 1.25, 90.0, 0.45)],
)
def test_a_foot_on_the_ground_does_not_slip(
    name: str, speed: float, toward: float, share: float
) -> None:
    """Sabotage: divide the stride by 1.1 in _foot; the feet slide by a tenth."""
    paths = foot_paths(name)
    heading = np.radians(toward)
    back = -speed / 30.0 * np.array([np.sin(heading), np.cos(heading)])
    for foot in range(2):
        step = np.roll(paths[:, foot], -1, 0) - paths[:, foot]
        along = np.linalg.norm(step[:, :2] - back, axis=1) < 2e-4
        assert along.mean() >= share, step
        # While it goes with the ground it is on (or, heel lifted, just over) the ground.
        assert paths[along, foot, 2].min() < 0.085


def test_the_feet_turn_with_the_ground_when_the_body_turns() -> None:
    paths = foot_paths("doll_turn")
    angle = np.unwrap(np.arctan2(paths[:, 0, 1], paths[:, 0, 0]))
    step = np.degrees(np.diff(np.append(angle, angle[0])))
    # 90 degrees a second to the right: the ground goes to the left under the body.
    assert (np.abs(step - 3.0) < 0.02).mean() > 0.5


def test_thighs_and_shins_keep_their_lengths_and_joints_never_part() -> None:
    """Sabotage: place the shin by the rest pose; the knee opens."""
    with opened("doll") as dats:
        setup: Setup = dats.record(0x02000001)
    for name in ("doll_walk", "doll_run", "doll_side", "doll_turn", "doll_fall", "doll_stand"):
        for frame in animation(name).frames:
            f = frame.frames.astype(np.float64)
            for thigh, shin, foot in ((9, 10, 11), (12, 13, 14)):
                upper = np.linalg.norm(f[shin, :3] - f[thigh, :3])
                lower = np.linalg.norm(f[foot, :3] - f[shin, :3])
                assert abs(upper - 0.43) < 1e-4
                assert abs(lower - 0.42) < 1e-4
            assert abs(np.linalg.norm(f[2, :3] - f[1, :3]) - np.hypot(0.56, 0.01)) < 1e-4
    assert len(setup.parts) == 17


def test_cycles_close_without_a_jump() -> None:
    for name in ("doll_walk", "doll_run", "doll_side", "doll_turn", "doll_stand", "doll_guard"):
        rows = np.array([frame.frames for frame in animation(name).frames], np.float64)
        inner = np.abs(np.diff(rows[:, :, :3], axis=0)).max()
        assert np.abs(rows[0, :, :3] - rows[-1, :, :3]).max() <= inner * 1.05 + 1e-6


def test_the_motion_table_carries_the_speeds_of_its_gaits() -> None:
    with opened("doll") as dats:
        table: MotionTable = dats.record(0x09000001)
    cycles = dict(table.cycles)
    walk = cycles[motion_key(NON_COMBAT, 0x45000005)]
    assert walk.flags == 1
    assert np.allclose(walk.velocity, (0.0, 3.12, 0.0))
    turn = cycles[motion_key(NON_COMBAT, 0x6500000D)]
    assert np.allclose(turn.omega, (0.0, 0.0, -np.pi / 2), atol=1e-5)
    modifiers = dict(table.modifiers)
    assert modifiers[motion_key(NON_COMBAT, 0x6500000D)].anims == ()
    assert modifiers[motion_key(NON_COMBAT, 0x6500000F)].velocity[0] == pytest.approx(1.25)
    assert dict(table.style_defaults)[NON_COMBAT] == 0x41000003
    assert motion_key(NON_COMBAT, 0x45000005) == 0x003D0005
