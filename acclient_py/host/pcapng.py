"""The packets of a pcapng file, the form that Wireshark writes.

A file is blocks: a section header that says the byte order, descriptions of interfaces (link type,
unit of time), and packets that name an interface. All other blocks are passed over.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from acclient_py.errors import DataError

SECTION: Final = 0x0A0D0D0A
BYTE_ORDER: Final = 0x1A2B3C4D
INTERFACE: Final = 1
OLD_PACKET: Final = 2
SIMPLE_PACKET: Final = 3
PACKET: Final = 6

MAX_BLOCK: Final = 0x1000000
_END_OF_OPTIONS: Final = 0
_RESOLUTION: Final = 9
_OFFSET: Final = 14


class BrokenOff(Exception):
    """The file ends, or makes no sense, from here on; the text says where."""


class Raw(Struct, frozen=True):
    """One packet as it was captured. link : number of its link type; order : the file's"""

    link: int
    order: str
    time: float
    data: bytes


class _Interface(Struct, frozen=True):
    link: int
    snap: int
    unit: float  # seconds
    offset: int  # seconds


def packets(data: bytes) -> Iterator[Raw]:
    """The packets, in order. BrokenOff where the file breaks off, DataError when it is none."""
    at, order, time = 0, "", 0.0
    interfaces: list[_Interface] = []
    while at < len(data):
        if at + 12 > len(data):
            raise BrokenOff(f"breaks off in a block's header at byte {at}")
        if data[at : at + 4] == SECTION.to_bytes(4, "big"):  # the same in both orders
            order = _order(data, at)
            interfaces = []
        kind, length = struct.unpack_from(order + "2I", data, at)
        if length < 12 or length % 4 or length > MAX_BLOCK:
            raise BrokenOff(f"has a block of {length} bytes at byte {at}")
        if at + length > len(data):
            raise BrokenOff(f"breaks off in the block at byte {at}")
        body = data[at + 8 : at + length - 4]
        try:
            if kind == INTERFACE:
                interfaces.append(_interface(body, order))
            elif kind in (PACKET, OLD_PACKET, SIMPLE_PACKET):
                found = _packet(kind, body, order, interfaces, time)
                time = found.time
                yield found
        except (struct.error, IndexError):
            raise BrokenOff(f"has a damaged block at byte {at}") from None
        at += length


def _order(data: bytes, at: int) -> str:
    for order in "<>":
        if struct.unpack_from(order + "I", data, at + 8)[0] == BYTE_ORDER:
            return order
    if at:
        raise BrokenOff(f"has a section without a byte order at byte {at}")
    raise DataError("is a pcapng file without a byte order", at=8)


def _interface(body: bytes, order: str) -> _Interface:
    link, _, snap = struct.unpack_from(order + "2HI", body)
    unit, offset, at = 1e-6, 0, 8
    while at + 4 <= len(body):
        code, length = struct.unpack_from(order + "2H", body, at)
        value = body[at + 4 : at + 4 + length]
        if code == _END_OF_OPTIONS:
            break
        if code == _RESOLUTION and length == 1:
            power = value[0] & 0x7F
            unit = 2.0**-power if value[0] & 0x80 else 10.0**-power
        elif code == _OFFSET and length == 8:
            offset = struct.unpack(order + "q", value)[0]
        at += 4 + (length + 3 & ~3)
    return _Interface(link, snap, unit, offset)


def _packet(
    kind: int, body: bytes, order: str, interfaces: list[_Interface], before: float
) -> Raw:  # fmt: skip
    """IndexError or struct.error when it is damaged or names no interface."""
    if kind == SIMPLE_PACKET:  # of the first interface, without a time of its own
        mine = interfaces[0]
        length = min(struct.unpack_from(order + "I", body)[0], mine.snap or MAX_BLOCK)
        return Raw(mine.link, order, before, _cut(body, 4, length))
    if kind == OLD_PACKET:
        which, _, high, low, length = struct.unpack_from(order + "2H3I", body)
    else:
        which, high, low, length = struct.unpack_from(order + "4I", body)
    mine = interfaces[which]
    time = mine.offset + (high << 32 | low) * mine.unit
    return Raw(mine.link, order, time, _cut(body, 20, length))


def _cut(body: bytes, at: int, length: int) -> bytes:
    if at + length > len(body):
        raise IndexError
    return body[at : at + length]
