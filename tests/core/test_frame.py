"""Frames: composition, headings, interpolation; Python, kernels and matrices agree."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclient_py.core import frame as fr
from acclient_py.kernels import kernel

PHYSICS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "physics_vectors.json").read_text()
)


def of(row: dict[str, Any]) -> Any:
    return np.array((*row["origin"], *row["q_wxyz"]), np.float32)


def same(a: Any, b: Any, tolerance: float = 2e-5) -> bool:
    flipped = np.array((*b[:3], *(-b[3:])), np.float32)
    return bool(np.abs(a - b).max() < tolerance or np.abs(a - flipped).max() < tolerance)


def random_frame(rng: np.random.Generator) -> Any:
    made = np.concatenate((rng.uniform(-200, 200, 3), rng.normal(size=4))).astype(np.float32)
    fr.normalise(made)
    return made


def test_the_chain_object_part_holding_child_part() -> None:
    for row in PHYSICS["frame_composition"]["cases"]:
        part, child, child_part = (fr.identity() for _ in range(3))
        if "part_index" in row:  # held by the object itself
            fr.combine(of(row["parent_frame"]), of(row["holding_frame"]), 1, 1, 1, child)
            assert same(child, of(row["expect_child_frame"])), row["name"]
            continue
        s, c = row["parent_scale"], row["child_scale"]
        fr.combine(of(row["parent_frame"]), of(row["anim_part_frame"]), s, s, s, part)
        fr.combine(part, of(row["holding_frame"]), 1, 1, 1, child)
        fr.combine(child, of(row["child_placement_part_frame"]), c, c, c, child_part)
        assert same(part, of(row["expect_parent_part_frame"])), row["name"]
        assert same(child, of(row["expect_child_frame"])), row["name"]
        assert same(child_part, of(row["expect_child_part_frame"])), row["name"]


def test_headings_of_frames() -> None:
    for row in PHYSICS["frame_misc"]["heading_degrees"]:
        found = fr.get_heading(np.array((0, 0, 0, *row["q_wxyz"]), np.float32))
        assert abs((found - row["heading"] + 180) % 360 - 180) < 1e-3, row


def test_points_out_of_and_into_frames() -> None:
    for row in PHYSICS["frame_misc"]["local_to_global"]:
        f = of(row["frame"])
        out = fr.local_to_global(f, *row["v"])
        assert out == pytest.approx(row["expect"], abs=2e-5)
        assert fr.global_to_local(f, *out) == pytest.approx(row["back"], abs=2e-5)


@given(st.floats(0, 359.99))
def test_a_set_heading_is_read_back(heading: float) -> None:
    f = fr.identity()
    fr.set_heading(f, heading)
    assert abs((fr.get_heading(f) - heading + 180) % 360 - 180) < 1e-3
    x, y, z = fr.get_vector_heading(f)
    assert (x, y) == pytest.approx(
        (math.sin(math.radians(heading)), math.cos(math.radians(heading))), abs=2e-6
    )
    assert abs(z) < 1e-6


def test_looking_up_pitches_about_x_then_turns() -> None:
    f = fr.identity()
    fr.set_vector_heading(f, 1.0, 0.0, 1.0)
    assert fr.get_vector_heading(f) == pytest.approx((0.70710678, 0, 0.70710678), abs=1e-6)
    # its right-hand side stays level
    assert abs(fr.local_to_global_vec(f, 1.0, 0.0, 0.0)[2]) < 1e-6


def test_set_heading_keeps_the_steepness() -> None:
    f = fr.identity()
    fr.set_vector_heading(f, 0.0, 1.0, 0.5)
    z = fr.get_vector_heading(f)[2]
    fr.set_heading(f, 90.0)
    assert fr.get_heading(f) == pytest.approx(90.0, abs=1e-3)
    length = math.hypot(1.0, float(z))
    assert fr.get_vector_heading(f)[2] == pytest.approx(float(z) / length, abs=1e-6)


def test_a_direction_shorter_than_epsilon_leaves_the_frame_as_it_is() -> None:
    """Sabotage: drop the test on the length; the first assertion fails."""
    f = fr.make(1, 2, 3, 77.0)
    before = f.copy()
    fr.set_vector_heading(f, 0.0001, 0.0001, 0.0)
    assert np.array_equal(f, before)
    fr.set_vector_heading(f, math.nan, 0.0, 0.0)
    assert np.array_equal(f, before)
    fr.set_vector_heading(f, 0.0003, 0.0, 0.0)
    assert not np.array_equal(f, before)


def test_subtract_undoes_combine() -> None:
    rng = np.random.default_rng(5)
    for _ in range(100):
        a, b = random_frame(rng), random_frame(rng)
        out, back = fr.identity(), fr.identity()
        fr.combine(a, b, 1, 1, 1, out)
        fr.subtract1(out, b, back)
        assert same(back, a, 2e-3)


@pytest.mark.parametrize("sign", [1, -1])
def test_interpolation_takes_the_shorter_arc(sign: int) -> None:
    a, b, out = fr.make(0, 0, 0, 350.0), fr.make(0, 0, 0, 10.0), fr.make(5, 6, 7)
    b[3:] *= sign
    fr.interpolate_rotation(a, b, 0.25, out)
    assert fr.get_heading(out) == pytest.approx(355.0, abs=1e-2)
    assert out[:3].tolist() == [5, 6, 7]
    fr.interpolate_rotation(a, a, 0.5, out)
    assert same(out[3:], a[3:])


def test_a_matrix_moves_points_as_the_frame_does() -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        f = random_frame(rng)
        m = np.zeros((4, 4), np.float32)
        fr.to_matrix(f, m)
        p = rng.uniform(-10, 10, 3)
        assert (np.array((*p, 1)) @ m)[:3] == pytest.approx(fr.local_to_global(f, *p), abs=1e-3)


def test_points_and_distances_over_a_border() -> None:
    a, b = fr.make(191, 10, 0), fr.make(1, 10, 0)
    assert fr.get_offset(0xA9B40001, a, 0xAAB40001, b) == (2, 0, 0)
    assert fr.get_distance(0xA9B40001, a, 0xAAB40001, b) == 2
    assert fr.point_to_frame(0xA9B40001, a, 0xAAB40001, b, 0, 0, 1) == (2, 0, 1)


def test_frames_of_records_keep_their_bits() -> None:
    f = fr.Frame((1.5, -2.25, 0.1), (0.9914448857307434, 0.0, 0.0, 0.13052618503570557))
    again = fr.Frame.of(f.array())
    assert again.bytes() == f.bytes()
    assert len(f.bytes()) == 28


def test_what_is_no_frame() -> None:
    f = fr.make(1, 2, 3, 40.0)
    assert fr.is_valid(f)
    for at, value in ((0, math.nan), (4, math.inf), (3, 2.0)):
        bad = f.copy()
        bad[at] = value
        assert not fr.is_valid(bad)


def test_kernels_give_the_bits_of_python() -> None:
    rng = np.random.default_rng(8)
    o, p = fr.identity(), fr.identity()
    for _ in range(50):
        a, b = random_frame(rng), random_frame(rng)
        for name, extra in (
            ("combine", (1.0, 0.5, 2.0)), ("subtract1", ()), ("interpolate_rotation", (0.3,)),
        ):  # fmt: skip
            function = getattr(fr, name)
            function(a, b, *extra, o)
            kernel(function)(a, b, *extra, p)
            assert o.tobytes() == p.tobytes(), name
        o[:], p[:] = a, a
        fr.set_heading(o, 123.5)
        kernel(fr.set_heading)(p, 123.5)
        assert o.tobytes() == p.tobytes()
        assert fr.get_heading(a) == kernel(fr.get_heading)(a)
        assert fr.global_to_local(a, 1, 2, 3) == kernel(fr.global_to_local)(a, 1, 2, 3)
