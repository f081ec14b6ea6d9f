"""Typed reads from the bytes of one record, and the writer that mirrors them.

A `Cursor` walks one record from its first byte to its last. Nothing is read or allocated
before the bytes for it are known to be there, so a false count costs an error and nothing
else. Offsets, and so `align4`, count from the start of the record, never of the file.

A `Packer` builds the same bytes again. 32-bit floats travel as Python floats; the payload of
a NaN is carried over by hand, because the plain conversion may change it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from acclient_py.core.frame import Frame
from acclient_py.dat.encoding import (
    bits_from_nan,
    decode_cp1252,
    encode_cp1252,
    float_from_bits,
    swap_nibbles,
)
from acclient_py.errors import RecordError

_U8: Final = struct.Struct("<B")
_U16: Final = struct.Struct("<H")
_I16: Final = struct.Struct("<h")
_U32: Final = struct.Struct("<I")
_I32: Final = struct.Struct("<i")
_F32: Final = struct.Struct("<f")
_F64: Final = struct.Struct("<d")
_7F32: Final = struct.Struct("<7f")

FRAME_NORM_TOLERANCE: Final = 0.001
"""The client refuses a rotation whose squared length is further than this from 1."""

T = TypeVar("T")
Raw = bytes  # the type, where a method of that name hides it


class Cursor:
    """A place in the bytes of one record.

    data   : the record, whole and uncompressed
    record : its id, for the error messages
    """

    __slots__ = ("at", "data", "record", "size")

    def __init__(self, data: bytes | bytearray | memoryview, record: int = 0) -> None:
        self.data: Final = bytes(data)
        self.size: Final = len(self.data)
        self.record: Final = record
        self.at = 0

    def fail(self, message: str, at: int | None = None) -> RecordError:
        """The error to raise for this record; `at` is the current place unless given."""
        return RecordError(message, record=self.record, at=self.at if at is None else at)

    @property
    def remaining(self) -> int:
        """Bytes not read yet."""
        return self.size - self.at

    def need(self, size: int) -> int:
        """Step over `size` bytes that must be there; the place before them."""
        at = self.at
        if size < 0 or size > self.size - at:
            raise self.fail(f"{size} bytes wanted, {self.size - at} left")
        self.at = at + size
        return at

    def end(self) -> None:
        """The record must end here."""
        if self.at != self.size:
            raise self.fail(f"{self.size - self.at} bytes left over")

    def align4(self) -> None:
        """Skip to the next multiple of 4; what the pad bytes hold does not matter."""
        self.need(-self.at & 3)

    # scalars

    def u8(self) -> int:
        return self.data[self.need(1)]

    def u16(self) -> int:
        value: int = _U16.unpack_from(self.data, self.need(2))[0]
        return value

    def i16(self) -> int:
        value: int = _I16.unpack_from(self.data, self.need(2))[0]
        return value

    def u32(self) -> int:
        value: int = _U32.unpack_from(self.data, self.need(4))[0]
        return value

    def i32(self) -> int:
        value: int = _I32.unpack_from(self.data, self.need(4))[0]
        return value

    def f32(self) -> float:
        at = self.need(4)
        value: float = _F32.unpack_from(self.data, at)[0]
        if value != value:
            return float_from_bits(_U32.unpack_from(self.data, at)[0])
        return value

    def f64(self) -> float:
        value: float = _F64.unpack_from(self.data, self.need(8))[0]
        return value

    def bytes(self, size: int) -> Raw:
        at = self.need(size)
        return self.data[at : at + size]

    def f32s(self, count: int) -> tuple[float, ...]:
        """`count` floats in a row."""
        at = self.need(4 * count)
        values: tuple[float, ...] = struct.unpack_from(f"<{count}f", self.data, at)
        for value in values:
            if value != value:
                bits = struct.unpack_from(f"<{count}I", self.data, at)
                return tuple([float_from_bits(word) for word in bits])
        return values

    def u32s(self, count: int) -> tuple[int, ...]:
        """`count` words in a row."""
        at = self.need(4 * count)
        values: tuple[int, ...] = struct.unpack_from(f"<{count}I", self.data, at)
        return values

    def u16s(self, count: int) -> tuple[int, ...]:
        """`count` half words in a row."""
        at = self.need(2 * count)
        values: tuple[int, ...] = struct.unpack_from(f"<{count}H", self.data, at)
        return values

    def vec3(self) -> tuple[float, float, float]:
        x, y, z = self.f32s(3)
        return x, y, z

    # counts and lists

    def count(self, count: int, item_size: int) -> int:
        """Check that `count` items of at least `item_size` bytes can follow; the count."""
        if count * max(item_size, 1) > self.size - self.at or count < 0:
            raise self.fail(f"count {count} is more than the {self.size - self.at} bytes left hold")
        return count

    def count32(self, item_size: int) -> int:
        """A u32 count of items of at least `item_size` bytes each."""
        return self.count(self.u32(), item_size)

    def many(self, read: Callable[[Cursor], T], item_size: int) -> tuple[T, ...]:
        """A u32 count and that many items, each at least `item_size` bytes."""
        return tuple([read(self) for _ in range(self.count32(item_size))])

    def array(self, dtype: npt.DTypeLike, count: int) -> npt.NDArray[Any]:
        """`count` items of a packed dtype as an own, aligned, read-only array."""
        kind = np.dtype(dtype)
        self.count(count, kind.itemsize)
        at = self.need(count * kind.itemsize)
        values = np.frombuffer(self.data, kind, count, at).copy()
        values.setflags(write=False)
        return values

    # the format's own encodings

    def cuint(self) -> int:
        """A compressed unsigned integer of 1, 2 or 4 bytes."""
        first = self.u8()
        if first < 0x80:
            return first
        second = self.u8()
        if first < 0xC0:
            return (first & 0x7F) << 8 | second
        return (first & 0x3F) << 24 | second << 16 | self.u16()

    def pid(self, base: int) -> int:
        """A packed data id of the kind whose ids start at `base`."""
        word = self.u16()
        if word & 0x8000:
            return base + ((word & 0x3FFF) << 16 | self.u16())
        return base + word

    def _legacy_bytes(self) -> Raw:
        size = self.u16()
        if size == 0xFFFF:
            size = self.u32()
        text = self.bytes(self.count(size, 1))
        self.align4()
        return text

    def str_(self) -> str:
        """A legacy string: u16 length, cp1252 text, aligned."""
        return decode_cp1252(self._legacy_bytes())

    def ostr(self) -> str:
        """A legacy string whose bytes have their nibbles swapped."""
        return decode_cp1252(swap_nibbles(self._legacy_bytes()))

    def pstr(self) -> str:
        """A cuint length and cp1252 text, not aligned."""
        return decode_cp1252(self.bytes(self.count(self.cuint(), 1)))

    def pwstr(self) -> str:
        """A cuint length in 16-bit units and UTF-16 text, not aligned."""
        raw = self.bytes(2 * self.count(self.cuint(), 2))
        return raw.decode("utf-16-le", "surrogatepass")

    def frame(self) -> Frame:
        """Origin and rotation; refused where the client refuses it."""
        at = self.need(28)
        x, y, z, qw, qx, qy, qz = _7F32.unpack_from(self.data, at)
        norm = qw * qw + qx * qx + qy * qy + qz * qz
        # tolerated: all-zero rotations, which are said to occur in rare retail records.
        if not abs(norm - 1.0) <= FRAME_NORM_TOLERANCE and norm != 0.0:
            raise self.fail(f"rotation of squared length {norm:g} in a frame", at)
        if math.isnan(x + y + z) and (x != x or y != y or z != z):
            raise self.fail("NaN in the origin of a frame", at)
        return Frame((x, y, z), (qw, qx, qy, qz))

    def frames(self, count: int) -> npt.NDArray[np.float32]:
        """(count, 7) float32, each x y z qw qx qy qz; refused as in `frame`."""
        start = self.at
        frames = self.array("<f4", 7 * self.count(count, 28)).reshape(count, 7)
        bad = _first_bad(frames)
        if bad >= 0:
            raise self.fail(_BAD_FRAME, start + 28 * bad)
        return frames

    def frames_at(self, starts: list[int], count: int) -> npt.NDArray[np.float32]:
        """(len(starts), count, 7) read-only frames, as `frames` would read at places passed before.

        One array and one check for all: a long animation has thousands.
        """
        size = 28 * count
        data = b"".join([self.data[at : at + size] for at in starts])
        frames = np.frombuffer(data, "<f4").reshape(len(starts), count, 7)
        bad = _first_bad(frames.reshape(-1, 7))
        if bad >= 0:
            raise self.fail(_BAD_FRAME, starts[bad // count] + 28 * (bad % count))
        return frames


_BAD_FRAME: Final = "NaN or a rotation that is no unit in a frame"


def _first_bad(frames: npt.NDArray[np.float32]) -> int:
    """The first of (n, 7) frames that the client refuses, -1 for none."""
    if not len(frames):
        return -1
    rotation = frames[:, 3:].astype(np.float64)
    norm = (rotation * rotation).sum(axis=1)
    # tolerated: all-zero rotations, see `Cursor.frame`.
    good = (np.abs(norm - 1.0) <= FRAME_NORM_TOLERANCE) | (norm == 0.0)
    good &= ~np.isnan(frames[:, :3]).any(axis=1)
    return -1 if good.all() else int(np.argmin(good))


def cursor_of(data: bytes | bytearray | memoryview | Cursor, record: int = 0) -> Cursor:
    """The cursor over `data`, which may be one already."""
    return data if isinstance(data, Cursor) else Cursor(data, record)


class Packer:
    """The bytes of one record, growing at the end."""

    __slots__ = ("out",)

    def __init__(self) -> None:
        self.out: Final = bytearray()

    def finish(self) -> bytes:
        """What was written."""
        return bytes(self.out)

    def align4(self) -> None:
        """Zero bytes up to the next multiple of 4."""
        self.out.extend(b"\0" * (-len(self.out) & 3))

    # scalars

    def u8(self, value: int) -> None:
        self.out.extend(_U8.pack(value))

    def u16(self, value: int) -> None:
        self.out.extend(_U16.pack(value))

    def i16(self, value: int) -> None:
        self.out.extend(_I16.pack(value))

    def u32(self, value: int) -> None:
        self.out.extend(_U32.pack(value))

    def i32(self, value: int) -> None:
        self.out.extend(_I32.pack(value))

    def f32(self, value: float) -> None:
        if value != value:
            self.out.extend(_U32.pack(bits_from_nan(value)))
        else:
            self.out.extend(_F32.pack(value))

    def f64(self, value: float) -> None:
        self.out.extend(_F64.pack(value))

    def bytes(self, data: Raw) -> None:
        self.out.extend(data)

    def f32s(self, values: Iterable[float]) -> None:
        for value in values:
            self.f32(value)

    def u32s(self, values: Sequence[int]) -> None:
        self.out.extend(struct.pack(f"<{len(values)}I", *values))

    def u16s(self, values: Sequence[int]) -> None:
        self.out.extend(struct.pack(f"<{len(values)}H", *values))

    def many(self, items: Sequence[T], write: Callable[[T, Packer], None]) -> None:
        """A u32 count and the items."""
        self.u32(len(items))
        for item in items:
            write(item, self)

    def array(self, values: npt.NDArray[Any], dtype: npt.DTypeLike) -> None:
        """The items of an array in a packed dtype."""
        self.out.extend(np.ascontiguousarray(values, np.dtype(dtype)).tobytes())

    # the format's own encodings

    def cuint(self, value: int) -> None:
        """The shortest form of a compressed unsigned integer."""
        if value < 0 or value > 0x3FFFFFFF:
            raise ValueError(f"{value} does not fit a compressed integer")
        if value < 0x80:
            self.u8(value)
        elif value < 0x4000:
            self.out.extend((0x80 | value >> 8, value & 0xFF))
        else:
            self.out.extend((0xC0 | value >> 24, value >> 16 & 0xFF))
            self.u16(value & 0xFFFF)

    def pid(self, base: int, value: int, *, limit: int = 0x3FFF) -> None:
        """A packed data id; `limit` is the last offset of the short form. Id 0 is offset 0."""
        offset = value - base if value else 0
        if offset < 0 or offset > 0x3FFFFFFF:
            raise ValueError(f"id 0x{value:08X} cannot be packed on base 0x{base:08X}")
        if offset <= limit:
            self.u16(offset)
        else:
            self.u16(0x8000 | offset >> 16)
            self.u16(offset & 0xFFFF)

    def _legacy_bytes(self, text: Raw) -> None:
        if len(text) < 0xFFFF:
            self.u16(len(text))
        else:
            self.u16(0xFFFF)
            self.u32(len(text))
        self.out.extend(text)
        self.align4()

    def str_(self, text: str) -> None:
        """A legacy string."""
        self._legacy_bytes(encode_cp1252(text))

    def ostr(self, text: str) -> None:
        """A legacy string with its nibbles swapped."""
        self._legacy_bytes(swap_nibbles(encode_cp1252(text)))

    def pstr(self, text: str) -> None:
        """A cuint length and cp1252 text."""
        raw = encode_cp1252(text)
        self.cuint(len(raw))
        self.out.extend(raw)

    def pwstr(self, text: str) -> None:
        """A cuint length in 16-bit units and UTF-16 text."""
        raw = text.encode("utf-16-le", "surrogatepass")
        self.cuint(len(raw) // 2)
        self.out.extend(raw)

    def frame(self, frame: Frame) -> None:
        """Origin and rotation, 28 bytes."""
        self.f32s(frame.origin)
        self.f32s(frame.rotation)
