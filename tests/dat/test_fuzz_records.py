"""Damaged records: every reader either reads or raises one RecordError, quickly, whatever comes.

Each byte of a built record is damaged with several values, the record is cut at every length,
counts are blown up, and hypothesis writes the rest.
"""

from __future__ import annotations

import struct
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from builders.records import SAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st

from acclient_py.dat import records as rec
from acclient_py.errors import RecordError

RECORD_ID = 0x00ABCDEF
LONGEST = 0.1  # CPU seconds that any one reading may take (DAT-11)
KINDS = {kind.name: kind for kind in rec.RECORD_KINDS if kind.type} | {
    kind.name: kind for kind in (rec.kind_of(low, "cell") for low in (0xFFFF, 0xFFFE, 0x100))
}


def in_time(read: Callable[[], None]) -> None:
    """Run a reading; the best of three tries keeps the bound: a busy machine adds to any one."""
    for _ in range(3):
        start = time.process_time()
        read()
        if time.process_time() - start < LONGEST:
            return
    pytest.fail(f"no try out of three took less than {LONGEST} s of CPU")


def read_or_refuse(kind: str, data: bytes) -> bool:
    """Read; true when it went well. Anything but a RecordError of this record is a failure."""
    refusal: RecordError | None = None
    record: Any = None

    def read() -> None:
        nonlocal record, refusal
        try:
            record, refusal = KINDS[kind].read(RECORD_ID, data), None
        except RecordError as error:
            refusal = error

    in_time(read)
    if refusal is None:
        record.write()
        return True
    assert refusal.record == RECORD_ID
    assert refusal.at is not None
    assert 0 <= refusal.at <= len(data)
    assert "\n" not in str(refusal)
    return False


@pytest.mark.parametrize("kind", SAMPLES)
def test_each_damaged_byte_is_read_or_refused(kind: str) -> None:
    """Sabotage: let `count` accept all; struct errors and memory errors come out."""
    data = SAMPLES[kind]().write()
    for at in range(len(data)):
        for value in {0x00, 0x01, 0x7F, 0x80, 0xFF, data[at] ^ 0x10, data[at] + 1 & 0xFF}:
            read_or_refuse(kind, data[:at] + bytes([value]) + data[at + 1 :])


@pytest.mark.parametrize("kind", SAMPLES)
def test_each_word_made_huge_is_read_or_refused(kind: str) -> None:
    """DAT-11: counts of 0xFFFFFFFF, negative ones, and ones just too large, wherever they stand."""
    data = SAMPLES[kind]().write()
    for at in range(len(data) - 3):
        for word in (0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x10000000, len(data)):
            read_or_refuse(kind, data[:at] + struct.pack("<I", word) + data[at + 4 :])


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_record_cut_at_any_length_is_refused(kind: str) -> None:
    """A shorter record cannot end at its end; but a sound table may pass for a flat one."""
    data = SAMPLES[kind]().write()
    read = [size for size in range(len(data)) if read_or_refuse(kind, data[:size])]
    assert read == ([88] if kind == "SoundTable" else [])
    assert read_or_refuse(kind, data)


@pytest.mark.parametrize("kind", SAMPLES)
def test_bytes_after_the_end_are_refused(kind: str) -> None:
    data = SAMPLES[kind]().write()
    for more in (1, 2, 3, 4, 28, 1000):
        assert not read_or_refuse(kind, data + bytes(more))


@pytest.mark.parametrize("kind", SAMPLES)
@given(tail=st.binary(max_size=600))
@settings(max_examples=60)
def test_any_bytes_after_a_true_start_are_read_or_refused(kind: str, tail: bytes) -> None:
    data = SAMPLES[kind]().write()
    for keep in (0, 4, 8, len(data) // 2):
        read_or_refuse(kind, data[:keep] + tail)


@given(
    kind=st.sampled_from(sorted(SAMPLES)),
    changes=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=8),
)
@settings(max_examples=300)
def test_several_damages_at_once_are_read_or_refused(
    kind: str, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(SAMPLES[kind]().write())
    for at, value in changes:
        data[at % len(data)] = value
    read_or_refuse(kind, bytes(data))


BOMBS = {
    # records of a few bytes that announce very much
    "Palette": struct.pack("<II", 0x04000001, 0xFFFFFFFF),
    "PaletteSet": struct.pack("<II", 0x0F000001, 0xFFFFFFFF),
    "Animation": struct.pack("<4I", 0x03000001, 1, 0xFFFFFFFF, 0xFFFFFFFF),
    "Setup": struct.pack("<3I", 0x02000001, 3, 0xFFFFFFFF),
    "GfxObj": struct.pack("<II", 0x01000001, 3) + b"\xff\xff\xff\xff",
    "Environment": struct.pack("<6I", 0x0D000001, 1, 0, *[0xFFFFFFFF] * 3) + bytes(80),
    "Scene": struct.pack("<II", 0x12000001, 0xFFFFFFFF),
    "Wave": struct.pack("<Iii", 0x0A000001, -1, 0x7FFFFFFF),
    "RenderSurface": struct.pack("<IIiiIi", 0x06000001, 0, 65535, 65535, 0x15, -4),
    "SoundTable": struct.pack("<4I", 0x20000001, 0, 0, 0xFFFFFFFF),
    "Iteration": struct.pack("<I", 0xFFFFFFFF),
    "LandBlockInfo": struct.pack("<3I", 0xFFFE, 0xFFFFFFFF, 0xFFFFFFFF),
    "Region": struct.pack("<3IHHI", 0x13000000, 1, 3, 0xFFFF, 0xFFFF, 0xFFFFFFFF),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_of_counts_takes_no_memory(kind: str) -> None:
    """Sabotage: allocate before the count is checked; the peak then is gigabytes."""
    tracemalloc.start()
    try:
        assert not read_or_refuse(kind, BOMBS[kind])
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_an_animation_of_no_parts_cannot_announce_more_frames_than_bytes() -> None:
    data = struct.pack("<4I", 0x03000001, 0, 0, 3) + bytes(12)
    assert read_or_refuse("Animation", data)
    assert not read_or_refuse("Animation", data[:-4])
    for parts, frames in ((0, 4), (0, 0xFFFFFFFF), (0xFFFFFFFF, 1)):
        wrong = struct.pack("<4I", 0x03000001, 0, parts, frames) + bytes(12)
        with pytest.raises(RecordError, match=f"at byte 16: count {frames}"):
            rec.Animation.read(wrong, RECORD_ID)


def test_a_bad_frame_of_an_animation_is_told_where_it_lies() -> None:
    """Sabotage: leave the check of all frames out; count the parts of one only."""
    hook = rec.Hook(0x04, 0, b"")
    still = np.array([[0, 0, 0, 1, 0, 0, 0]] * 3, np.float32)
    poses = [rec.AnimationFrame(still, (hook,) * (n % 3)) for n in range(9)]
    good = rec.Animation(RECORD_ID, 0, 3, None, tuple(poses)).write()
    read = rec.Animation.read(good, RECORD_ID)
    assert [len(frame.hooks) for frame in read.frames] == [0, 1, 2] * 3
    assert all((frame.frames == still).all() for frame in read.frames)
    starts = [at for at in range(16, len(good), 4) if good[at : at + 28] == still[0].tobytes()]
    assert len(starts) == 27
    for at in starts:
        for field, value in ((0, np.nan), (12, np.float32(2.0)), (24, np.nan)):
            data = bytearray(good)
            data[at + field : at + field + 4] = np.float32(value).tobytes()
            with pytest.raises(RecordError, match=f"at byte {at}: NaN or a rotation"):
                rec.Animation.read(bytes(data), RECORD_ID)


@pytest.mark.parametrize("depth", [1000, 20_000])
@pytest.mark.parametrize("tag", [b"nnPB", b"NIPB", b"TROP", b"NnpB"])
def test_a_tree_without_an_end_is_refused(tag: bytes, depth: int) -> None:
    """DAT-11: trees that go down for ever end with the bytes. Time grows with the bytes only."""
    head = rec.GfxObj(
        0x01000001, 0, (), rec.VertexArray.make((), (), ()), (), None, (0.0, 0.0, 0.0), (), None
    ).write()
    data = head[:4] + struct.pack("<I", 2) + head[8:] + b"\0" + (tag + bytes(16)) * depth

    def read() -> None:
        with pytest.raises(RecordError, match="0x01000001"):
            rec.GfxObj.read(data, 0x01000001)

    in_time(read)


def test_a_wide_tree_is_read_in_time() -> None:
    """A full tree of 10,000 nodes, the size of the largest shells and more."""
    leaf = rec.BspNode("LEAF", polygons=())
    nodes = [leaf] * 4096
    while len(nodes) > 1:
        nodes = [
            rec.BspNode("BPnN", (0.0, 0.0, 1.0, 0.0), a, b, polygons=(1, 2))
            for a, b in zip(nodes[::2], nodes[1::2], strict=True)
        ]
    tree = rec.BspTree.from_node(rec.BspKind.DRAWING, nodes[0])
    record = rec.GfxObj(
        0x01000001, 2, (), rec.VertexArray.make((), (), ()), (), None, (0.0, 0.0, 0.0), (), tree
    )
    data = record.write()
    assert len(tree) == 8191
    assert read_or_refuse("GfxObj", data)
    assert rec.GfxObj.read(data).write() == data
