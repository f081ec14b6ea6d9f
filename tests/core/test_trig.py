"""Own trigonometry: near the C library's values, the same bits as scalar, array and kernel."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclient_py.core import trig
from acclient_py.kernels import kernel

ANGLES = st.floats(-1e5, 1e5)
UNITS = st.floats(-1.0, 1.0)
NEAR = 1e-15


@pytest.mark.contract("T8")
@given(ANGLES)
def test_sine_and_cosine_are_near_the_c_library(x: float) -> None:
    """Sabotage: drop the third piece of pi / 2; large angles then miss by more."""
    assert abs(trig.sin(x) - math.sin(x)) <= NEAR
    assert abs(trig.cos(x) - math.cos(x)) <= NEAR


@given(UNITS, UNITS)
def test_atan2_is_near_the_c_library(y: float, x: float) -> None:
    assert abs(trig.atan2(y, x) - (0.0 if x == y == 0 else math.atan2(y, x))) <= NEAR * 1.5


@given(UNITS)
def test_asin_and_acos_are_near_the_c_library(x: float) -> None:
    assert abs(trig.asin(x) - math.asin(x)) <= NEAR
    assert abs(trig.acos(x) - math.acos(x)) <= NEAR


@given(st.floats(1e-6, 1e6), st.floats(-8, 8))
def test_power_is_near_the_c_library(base: float, exponent: float) -> None:
    assert trig.power(base, exponent) == pytest.approx(base**exponent, rel=1e-13)


@given(st.floats(-1e12, 1e12), st.floats(-1e5, 1e5).filter(lambda y: abs(y) > 1e-9))
def test_fmod_is_exact(x: float, y: float) -> None:
    assert trig.fmod(x, y) == math.fmod(x, y)


def test_what_has_no_answer_is_nan_and_never_raises() -> None:
    for x in (math.inf, -math.inf, math.nan):
        assert math.isnan(trig.sin(x))
        assert math.isnan(trig.cos(x))
        assert math.isnan(trig.fmod(x, 360.0))
    assert math.isnan(trig.asin(1.0000001))
    assert math.isnan(trig.acos(-1.0000001))
    assert math.isnan(trig.fmod(1.0, 0.0))
    assert math.isnan(trig.log(0.0))
    assert math.isnan(trig.power(-1.0, 0.5))
    assert math.isnan(trig.atan2(math.nan, 1.0))
    assert trig.exp(1000.0) == math.inf
    assert trig.exp(-1000.0) == 0.0


def test_atan2_on_the_axes_and_at_infinity() -> None:
    assert trig.atan2(0.0, 0.0) == 0.0
    assert trig.atan2(-0.0, -0.0) == 0.0
    assert trig.atan2(1.0, 0.0) == math.pi / 2
    assert trig.atan2(0.0, -1.0) == math.pi
    assert trig.atan2(-1.0, 0.0) == -math.pi / 2
    assert trig.atan2(math.inf, math.inf) == math.pi / 4


@pytest.mark.contract("T8")
def test_arrays_and_kernels_give_the_bits_of_the_scalar_functions() -> None:
    """Sabotage: use np.sin in sin_cos_array; some of the ten thousand bits differ."""
    rng = np.random.default_rng(7)
    x = rng.uniform(-1e4, 1e4, 10_000)
    y = rng.uniform(-1, 1, 10_000)
    z = rng.uniform(-1, 1, 10_000)
    sines, cosines = trig.sin_cos_array(x)
    angles = trig.atan2_array(y, z)
    sin, cos, atan2, power = map(kernel, (trig.sin, trig.cos, trig.atan2, trig.power))
    for i in range(len(x)):
        a, b, c = float(x[i]), float(y[i]), float(z[i])
        assert trig.sin(a) == sines[i] == sin(a)
        assert trig.cos(a) == cosines[i] == cos(a)
        assert trig.atan2(b, c) == angles[i] == atan2(b, c)
        assert trig.power(abs(b) + 0.1, c) == power(abs(b) + 0.1, c)


@pytest.mark.contract("T8")
def test_a_sample_of_bits_is_the_same_on_every_machine() -> None:
    sample = [trig.sin(k * 0.37) for k in range(40)] + [trig.atan2(k, 7 - k) for k in range(15)]
    total = 0
    for value in sample:
        total = (total * 1000003 + int.from_bytes(np.float64(value).tobytes(), "little")) % 2**64
    assert f"{total:016X}" == "9A356B2644A7157F"
