"""Sequences: what leaves a frame, what enters one, and what is dropped (spec 7.3)."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from builders.animations import animation, out_frame, world

DATA = Path(__file__).parent.parent / "data" / "physics_vectors.json"


def test_frames_are_left_in_the_order_of_the_vectors() -> None:
    vector = json.loads(DATA.read_text())["sequence_advance"]
    hooks = [(f, 1, f) for f in range(10)]
    sequences = world(a1=animation(10, root=[10.0**f for f in range(10)], hooks=hooks))
    s = sequences.make(0)
    sequences.append_animation(s, 1, low=vector["low"], high=vector["high"], rate=vector["rate"])
    for step in vector["steps"]:
        out = out_frame()
        # the file rounds 1/30 to six places, which would stop short of the frame
        quantum = 1 / 30 if step["quantum"] == 0.033333 else step["quantum"]
        sequences.update(s, quantum, out)
        row = sequences.rows[s]
        assert row["frame_number"] == pytest.approx(step["frame_number"], abs=1e-4)
        left = [f for f in step["frames_left(in order)"] if not isinstance(f, list)]
        fired = [hook.name for _, hook in sequences.drain_hooks()]
        assert fired == left
        entered = [f[1] for f in step["frames_left(in order)"] if isinstance(f, list)]
        assert out[0] == pytest.approx(sum(10.0**f for f in left + entered), rel=1e-6)
        assert sequences.pose(s)[0] == step["shown_frame"]


def test_velocity_comes_in_lumps_of_one_frame() -> None:
    sequences = world(a1=animation(10))
    s = sequences.make(0)
    sequences.append_animation(s, 1)
    sequences.set_physics(s, (0.0, 3.0, 0.0), (0.0, 0.0, 0.0))
    out = out_frame()
    sequences.update(s, 0.01, out)
    assert out[1] == 0.0
    sequences.update(s, 0.05, out)
    assert out[1] == pytest.approx(0.1)


def test_an_empty_sequence_moves_smoothly() -> None:
    sequences = world()
    s = sequences.make(0)
    sequences.set_physics(s, (1.0, 0.0, 0.0), (0.0, 0.0, math.pi))
    out = out_frame()
    sequences.update(s, 0.5, out)
    assert out[:2] == pytest.approx([0.5, 0.0])
    assert out[3:] == pytest.approx([math.sqrt(0.5), 0, 0, math.sqrt(0.5)], abs=1e-9)


def test_links_play_once_and_are_dropped_then_the_last_animation_repeats() -> None:
    sequences = world(a1=animation(3), a2=animation(4))
    s = sequences.make(0)
    sequences.append_animation(s, 1)
    sequences.append_animation(s, 2)
    shown = []
    for _ in range(12):
        shown.append((int(sequences.nodes["anim"][sequences.rows["curr"][s]]), sequences.pose(s)))
        sequences.update(s, 1 / 30 + 1e-9, out_frame())
    assert [a for a, _ in shown[:3]] == [0, 0, 0]
    assert {a for a, _ in shown[3:]} == {1}
    assert len(sequences.chain(s)) == 1
    assert sequences.rows["anim_done"][s] == 1


def test_negative_rate_plays_from_high_to_low() -> None:
    sequences = world(a1=animation(5, hooks=[(f, -1, f) for f in range(5)]))
    s = sequences.make(0)
    sequences.append_animation(s, 1, rate=-30.0)
    assert sequences.pose(s)[0] == 4
    fired = []
    for _ in range(3):
        sequences.update(s, 1 / 30, out_frame())
        fired += [hook.name for _, hook in sequences.drain_hooks()]
    assert fired == [4, 3, 2]
    assert sequences.pose(s)[0] == 1


def test_high_beyond_the_animation_is_clamped() -> None:
    sequences = world(a1=animation(3))
    s = sequences.make(0)
    sequences.append_animation(s, 1, low=1, high=900)
    node = sequences.nodes[sequences.rows["first"][s]]
    assert (node["low"], node["high"]) == (1, 2)


def test_nothing_leaks_over_many_restarts() -> None:
    sequences = world(a1=animation(3), a2=animation(4))
    s = sequences.make(0)
    free = int(sequences.counts[1])
    for turn in range(200):
        sequences.remove_cyclic_anims(s)
        sequences.append_animation(s, 1)
        sequences.append_animation(s, 2)
        for _ in range(turn % 7):
            sequences.update(s, 1 / 30, out_frame())
    sequences.clear_animations(s)
    # nodes may have grown; every one of them is free again
    assert int(sequences.counts[1]) == len(sequences.nodes) >= free


def test_removing_the_cycle_leaves_a_playing_link_at_its_end() -> None:
    sequences = world(a1=animation(3), a2=animation(4))
    s = sequences.make(0)
    sequences.append_animation(s, 1)
    sequences.append_animation(s, 2)
    for _ in range(4):
        sequences.update(s, 1 / 30 + 1e-9, out_frame())
    assert len(sequences.chain(s)) == 1
    sequences.remove_cyclic_anims(s)
    assert sequences.chain(s) == []
    assert sequences.rows["frame_number"][s] == 0.0
