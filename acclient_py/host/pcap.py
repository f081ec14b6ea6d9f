"""Packet captures: the UDP datagrams that a pcap or pcapng file holds, in order.

Read are files of either byte order, classic ones with micro- or nanoseconds (`pcapng.py` has the
others), on Ethernet (VLAN tags too), raw IP, Linux cooked and loopback links; IPv4 and UDP. IP
fragments are put together. What is no such datagram is counted and passed over; a file that breaks
off keeps what came before.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from acclient_py.errors import DataError
from acclient_py.host import pcapng
from acclient_py.host.pcapng import BrokenOff, Raw

MICRO: Final = 0xA1B2C3D4
NANO: Final = 0xA1B23C4D
PCAPNG: Final = 0x0A0D0D0A

MAX_PACKET: Final = 0x40000  # the longest that tcpdump ever writes

LINKS: Final = {
    0: "loopback",
    1: "ethernet",
    12: "raw",
    14: "raw",
    101: "raw",
    108: "loopback",
    113: "cooked",
    228: "raw",
    276: "cooked2",
}
"""Link types of the file header."""

IPV4: Final = 0x0800
VLANS: Final = (0x8100, 0x88A8, 0x9100)
UDP: Final = 17
LOOPBACK_IPV4: Final = 2
_MORE: Final = 0x2000
_OFFSET: Final = 0x1FFF


class Datagram(Struct, frozen=True):
    """One UDP datagram. time : seconds since 1970; source and target : address and port"""

    time: float
    source: tuple[int, int]
    target: tuple[int, int]
    data: bytes


class PcapFile(Struct):
    """What a file holds. `passed_over` counts by reason; `fault` says where the file breaks off."""

    datagrams: list[Datagram] = field(default_factory=list)
    passed_over: Counter[str] = field(default_factory=Counter)
    fault: str = ""


class _Skip(Exception):
    """A packet that is none of ours; the text is the reason."""


class _Pieces(Struct):
    """Fragments of one IP packet, by their place."""

    parts: dict[int, bytes] = field(default_factory=dict)
    total: int = -1

    def whole(self) -> bytes | None:
        at = 0
        found = []
        while at in self.parts and at != self.total:
            found.append(self.parts[at])
            if not self.parts[at]:
                return None
            at += len(self.parts[at])
        return b"".join(found) if at == self.total else None


def is_pcap(data: bytes) -> bool:
    """Whether the file begins as a packet capture does, pcapng included."""
    magic = data[:4]
    known = (MICRO, NANO)
    return len(magic) == 4 and (
        int.from_bytes(magic, "little") in (*known, PCAPNG) or int.from_bytes(magic, "big") in known
    )


def read_pcap(data: bytes) -> PcapFile:
    """The datagrams of a packet capture. DataError when it is none."""
    ng = data[:4] == PCAPNG.to_bytes(4, "little")
    found = PcapFile()
    pieces: dict[bytes, _Pieces] = {}
    try:
        for packet in pcapng.packets(data) if ng else _packets(data):
            try:
                found.datagrams.append(_datagram(packet, pieces))
            except _Skip as why:
                found.passed_over[str(why)] += 1
    except BrokenOff as why:
        found.fault = str(why)
    if pieces:
        found.passed_over["IP fragments without the rest"] += len(pieces)
    return found


def _packets(data: bytes) -> Iterator[Raw]:
    """The packets of a classic pcap file. BrokenOff where it breaks off, DataError for no such."""
    order = "<" if int.from_bytes(data[:4], "little") in (MICRO, NANO) else ">"
    magic = int.from_bytes(data[:4], "little" if order == "<" else "big")
    if magic not in (MICRO, NANO):
        raise DataError("is no packet capture")
    if len(data) < 24:
        raise DataError("ends in its header", at=len(data))
    link = struct.unpack_from(order + "I", data, 20)[0] & 0x0FFFFFFF
    if link not in LINKS:
        raise DataError(f"has the link type {link}", at=20, do="capture Ethernet or IP")
    unit = 1e-9 if magic == NANO else 1e-6
    at, number = 24, 0
    while at < len(data):
        if at + 16 > len(data):
            raise BrokenOff(f"breaks off in the header of packet {number} at byte {at}")
        seconds, part, length, _ = struct.unpack_from(order + "4I", data, at)
        if length > MAX_PACKET:
            raise BrokenOff(f"packet {number} at byte {at} says that it has {length} bytes")
        packet = data[at + 16 : at + 16 + length]
        if len(packet) < length:
            raise BrokenOff(f"breaks off in packet {number} at byte {at}")
        yield Raw(link, order, seconds + part * unit, packet)
        at += 16 + length
        number += 1


def _datagram(packet: Raw, pieces: dict[bytes, _Pieces]) -> Datagram:
    link = LINKS.get(packet.link)
    if link is None:
        raise _Skip(f"packets of the link type {packet.link}")
    ip = _ip(packet.data, link)
    header, total = (ip[0] & 15) * 4, int.from_bytes(ip[2:4], "big")
    if header < 20 or total < header or total > len(ip):
        raise _Skip("IP packets that were cut short")
    if ip[9] != UDP:
        raise _Skip("packets that are no UDP")
    body = ip[header:total]
    placed = int.from_bytes(ip[6:8], "big")
    if placed & (_MORE | _OFFSET):
        body = _put_together(ip[4:6] + ip[12:20], body, placed, pieces)
    if len(body) < 8:
        raise _Skip("UDP packets that were cut short")
    source_port, target_port, length = struct.unpack_from(">3H", body)
    if not 8 <= length <= len(body):
        raise _Skip("UDP packets that were cut short")
    source, target = int.from_bytes(ip[12:16], "big"), int.from_bytes(ip[16:20], "big")
    return Datagram(packet.time, (source, source_port), (target, target_port), body[8:length])


def _ip(packet: bytes, link: str) -> bytes:
    """The IPv4 packet in a link's frame."""
    at = 0
    if link == "ethernet":
        at, kind = 14, int.from_bytes(packet[12:14], "big")
        while kind in VLANS:
            kind = int.from_bytes(packet[at + 2 : at + 4], "big")
            at += 4
    elif link == "cooked":
        at, kind = 16, int.from_bytes(packet[14:16], "big")
    elif link == "cooked2":
        at, kind = 20, int.from_bytes(packet[:2], "big")
    elif link == "loopback":
        # the capturing machine's order, or network order: the number is small in one of them
        family = packet[:4]
        ours = LOOPBACK_IPV4 in (int.from_bytes(family, "little"), int.from_bytes(family, "big"))
        at, kind = 4, IPV4 if ours else 0
    else:
        kind = IPV4
    if kind != IPV4 or len(packet) < at + 20 or packet[at] >> 4 != 4:
        raise _Skip("packets that are no IPv4")
    return packet[at:]


def _put_together(key: bytes, body: bytes, placed: int, pieces: dict[bytes, _Pieces]) -> bytes:
    """The body of a packet that came in fragments, once the last has come."""
    mine = pieces.setdefault(key, _Pieces())
    start = (placed & _OFFSET) * 8
    mine.parts[start] = body
    if not placed & _MORE:
        mine.total = start + len(body)
    whole = mine.whole()
    if whole is None:
        raise _Skip("IP fragments")
    del pieces[key]
    return whole
