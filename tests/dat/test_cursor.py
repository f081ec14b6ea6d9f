"""The cursor and the packer: the format's primitive encodings, both ways, and their refusals."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclient_py.core.frame import Frame
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records import TerrainWord
from acclient_py.errors import RecordError

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "dat_vectors.json").read_text(encoding="utf-8")
)["vectors"]


def of_kind(*kinds: str) -> list[Any]:
    found = [pytest.param(v, id=v["name"]) for v in VECTORS if v["kind"] in kinds]
    assert found, f"no vectors of {kinds}"
    return found


def packed(write: str, *values: Any) -> bytes:
    out = Packer()
    getattr(out, write)(*values)
    return out.finish()


@pytest.mark.parametrize("vector", of_kind("compressed_uint"))
def test_compressed_integers(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    cursor = Cursor(data)
    assert cursor.cuint() == vector["value"]
    cursor.end()
    assert packed("cuint", vector["value"]) == data


@pytest.mark.parametrize("vector", of_kind("packed_data_id"))
def test_packed_ids(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    base = vector["value"] & 0xFF000000
    cursor = Cursor(data)
    assert cursor.pid(base) == vector["value"]
    cursor.end()
    if "decode only" not in vector.get("note", ""):
        assert packed("pid", base, vector["value"]) == data


def test_class_ids_switch_to_the_long_form_at_another_place() -> None:
    out = Packer()
    out.pid(0, 0x7FFF, limit=0x7FFF)
    out.pid(0, 0x8000, limit=0x7FFF)
    assert out.finish().hex() == "ff7f" + "00800080"


@pytest.mark.parametrize(
    "vector", of_kind("legacy_string", "obfuscated_string", "pstring_byte", "pstring_wide")
)
def test_strings(vector: dict[str, Any]) -> None:
    name = {
        "legacy_string": "str_",
        "obfuscated_string": "ostr",
        "pstring_byte": "pstr",
        "pstring_wide": "pwstr",
    }[vector["kind"]]
    data = bytes.fromhex(vector["hex"])
    cursor = Cursor(data)
    assert getattr(cursor, name)() == vector["value"]
    cursor.end()
    assert packed(name, vector["value"]) == data


def test_every_byte_survives_in_a_string() -> None:
    data = struct.pack("<H", 256) + bytes(range(256)) + bytes(2)
    text = Cursor(data).str_()
    assert len(text) == 256
    assert text[0x80] == "€"
    assert packed("str_", text) == data


def test_a_string_of_65535_bytes_takes_the_long_length() -> None:
    text = "x" * 0xFFFF
    data = packed("str_", text)
    assert data[:6].hex() == "ffff" + "ffff0000"
    assert Cursor(data).str_() == text


def test_text_outside_the_code_page_is_refused() -> None:
    with pytest.raises(ValueError, match="cp1252"):
        packed("str_", "日")


@pytest.mark.parametrize("vector", of_kind("frame"))
def test_frames(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    frame = Cursor(data).frame()
    assert [*frame.origin, *frame.rotation] == vector["value"]
    assert packed("frame", frame) == data
    assert Cursor(data * 3).frames(3).tolist() == [vector["value"]] * 3


@pytest.mark.parametrize("vector", of_kind("plane"))
def test_planes(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    assert list(Cursor(data).f32s(4)) == vector["value"]
    assert packed("f32s", vector["value"]) == data


@pytest.mark.parametrize("vector", of_kind("color_argb"))
def test_colors_are_one_word_with_alpha_on_top(vector: dict[str, Any]) -> None:
    color = Cursor(bytes.fromhex(vector["hex"])).u32()
    parts = {"a": color >> 24, "r": color >> 16 & 255, "g": color >> 8 & 255, "b": color & 255}
    assert parts == vector["value"]


@pytest.mark.parametrize("vector", of_kind("terrain_word"))
def test_terrain_words(vector: dict[str, Any]) -> None:
    word = Cursor(bytes.fromhex(vector["hex"])).u16()
    fields = TerrainWord.from_word(word)
    assert {name: getattr(fields, name) for name in vector["value"]} == vector["value"]
    assert fields.word == word


def frame_bytes(*numbers: float) -> bytes:
    return struct.pack("<7f", *numbers)


@pytest.mark.parametrize("place", range(7))
def test_a_frame_with_nan_is_refused(place: int) -> None:
    """Sabotage: leave out the NaN test of the origin; places 0 to 2 then pass."""
    numbers = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    numbers[place] = math.nan
    data = bytes(4) + frame_bytes(*numbers)
    for read in (lambda c: c.frame(), lambda c: c.frames(1)):
        cursor = Cursor(data, 0x02000001)
        cursor.u32()
        with pytest.raises(RecordError) as caught:
            read(cursor)
        assert (caught.value.record, caught.value.at) == (0x02000001, 4)


@pytest.mark.parametrize("w", [0.999, 1.001, 2.0, 1e30, math.inf, 1e-20])
def test_a_rotation_that_is_no_unit_is_refused(w: float) -> None:
    data = frame_bytes(0, 0, 0, w, 0, 0, 0)
    with pytest.raises(RecordError):
        Cursor(data).frame()
    with pytest.raises(RecordError, match="frame"):
        Cursor(data).frames(1)


@pytest.mark.parametrize("w", [0.9996, 1.0004, 0.0, -0.0])
def test_small_norm_errors_and_zero_rotations_are_kept(w: float) -> None:
    data = frame_bytes(-0.0, math.inf, 0, w, -0.0, 0, 0)
    frame = Cursor(data).frame()
    assert packed("frame", frame) == data
    assert Cursor(data).frames(1).tobytes() == data


def test_a_bad_frame_in_a_list_is_named_by_its_own_byte() -> None:
    good = frame_bytes(0, 0, 0, 1, 0, 0, 0)
    with pytest.raises(RecordError) as caught:
        Cursor(good * 2 + frame_bytes(0, 0, 0, 3, 0, 0, 0) + good).frames(4)
    assert caught.value.at == 56


@given(st.integers(0, 0xFFFFFFFF))
def test_float_bits_survive(bits: int) -> None:
    """Sabotage: use struct alone; signalling NaNs then come back quiet."""
    data = struct.pack("<I", bits)
    assert packed("f32", Cursor(data).f32()) == data
    assert packed("f32s", Cursor(data * 2).f32s(2)) == data * 2


@pytest.mark.parametrize("bits", [0x7F800001, 0xFF812345, 0xCDCDCDCD, 0x7FC00000, 0x80000000])
def test_odd_floats_survive(bits: int) -> None:
    data = struct.pack("<I", bits)
    assert packed("f32", Cursor(data).f32()) == data
    assert Cursor(bytes.fromhex("cdcdcdcd")).f32() == -431602080.0


def test_alignment_counts_from_the_start_of_the_record() -> None:
    cursor = Cursor(b"\x01\xff\xff\xff\x02")
    cursor.u8()
    cursor.align4()
    cursor.align4()
    assert cursor.u8() == 2
    out = Packer()
    out.u8(1)
    out.align4()
    out.align4()
    assert out.finish() == b"\x01\0\0\0"


def test_padding_beyond_the_end_is_refused() -> None:
    cursor = Cursor(b"\x01\0")
    cursor.u8()
    with pytest.raises(RecordError):
        cursor.align4()


@pytest.mark.parametrize(
    ("read", "size"),
    [("u8", 1), ("u16", 2), ("i16", 2), ("u32", 4), ("i32", 4), ("f32", 4), ("f64", 8)],
)
def test_a_read_beyond_the_end_names_record_and_byte(read: str, size: int) -> None:
    cursor = Cursor(bytes(3 + size - 1), 0x0D000001)
    cursor.bytes(3)
    with pytest.raises(RecordError) as caught:
        getattr(cursor, read)()
    assert str(caught.value).startswith("record 0x0D000001 at byte 3")
    assert cursor.at == 3


def test_bytes_left_over_are_refused() -> None:
    with pytest.raises(RecordError, match="1 bytes left over"):
        Cursor(b"\0").end()


@pytest.mark.parametrize("count", [2, 0x7FFFFFFF, 0xFFFFFFFF])
def test_a_count_that_cannot_be_is_refused_before_anything_is_made(count: int) -> None:
    data = struct.pack("<I", count) + bytes(7)
    with pytest.raises(RecordError, match=f"count {count}"):
        Cursor(data).count32(4)
    with pytest.raises(RecordError):
        Cursor(data).array("<f4", count + 1)
    with pytest.raises(RecordError, match=f"count {count}"):
        Cursor(data).many(Cursor.u32, 4)
    with pytest.raises(RecordError):
        Cursor(data).f32s(count * 4)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(RecordError):
        Cursor(bytes(8)).count(-1, 1)
    with pytest.raises(RecordError):
        Cursor(bytes(8)).bytes(-1)


def test_arrays_are_aligned_read_only_copies() -> None:
    data = bytearray(b"\xff" + bytes(range(8)))
    cursor = Cursor(data)
    cursor.u8()
    values = cursor.array("<u4", 2)
    assert values.tolist() == [0x03020100, 0x07060504]
    assert values.flags.aligned
    assert values.flags.c_contiguous
    assert not values.flags.writeable


@given(st.integers(0, 0x3FFFFFFF))
def test_compressed_integers_come_back(value: int) -> None:
    data = packed("cuint", value)
    assert Cursor(data).cuint() == value
    assert len(data) == (1 if value < 0x80 else 2 if value < 0x4000 else 4)


@pytest.mark.parametrize("value", [-1, 0x40000000])
def test_numbers_that_do_not_fit_are_refused(value: int) -> None:
    with pytest.raises(ValueError, match="compressed"):
        packed("cuint", value)
    with pytest.raises(ValueError, match="packed"):
        packed("pid", 0x01000000, 0x01000000 + value)


def test_id_zero_is_packed_as_offset_zero_and_comes_back_as_the_base() -> None:
    assert packed("pid", 0x04000000, 0) == bytes(2)
    assert Cursor(bytes(2)).pid(0x04000000) == 0x04000000


def test_array_of_a_frame_has_the_bytes_of_the_record() -> None:
    frame = Frame((1.5, -2.0, 0.25), (0.6, 0.0, 0.0, 0.8))
    assert packed("frame", frame) == np.asarray(frame.array(), "<f4").tobytes()
