"""Packet captures made in code: messages in fragments, packets, datagrams, files."""

from __future__ import annotations

import struct

SERVER, CLIENT = 0x0A000001, 0x0A000002
PORT, CLIENT_PORT = 9000, 51000


def fragment(
    data: bytes, *, number: int = 1, group: int = 0x80000000, count: int = 1, index: int = 0
) -> bytes:
    """One fragment with its header."""
    return struct.pack("<2I4H", number, group, count, 16 + len(data), index, 9) + data


def fragments(data: bytes, *, number: int = 1, size: int = 448) -> list[bytes]:
    """A message in as many fragments as it needs."""
    cuts = [data[at : at + size] for at in range(0, len(data), size)] or [b""]
    return [
        fragment(cut, number=number, count=len(cuts), index=index) for index, cut in enumerate(cuts)
    ]


def packet(body: bytes, *, sequence: int = 2, flags: int = 0x4, options: bytes = b"") -> bytes:
    """A packet of fragments, with its optional headers' bytes."""
    whole = options + body
    return struct.pack("<3I4H", sequence, flags, 0, 11, 0, len(whole), 1) + whole


def udp(data: bytes, *, received: bool = True) -> bytes:
    """UDP header and data, from the server or to it."""
    ports = (PORT, CLIENT_PORT) if received else (CLIENT_PORT, PORT)
    return struct.pack(">4H", *ports, 8 + len(data), 0) + data


def ip(body: bytes, *, received: bool = True, number: int = 7, placed: int = 0) -> bytes:
    """An IPv4 packet. placed : flags and offset, of IP's own fragments"""
    ends = (SERVER, CLIENT) if received else (CLIENT, SERVER)
    return struct.pack(">BBHHHBBH2I", 0x45, 0, 20 + len(body), number, placed, 64, 17, 0, *ends) + (
        body
    )


def ethernet(body: bytes, *, vlan: bool = False) -> bytes:
    tag = b"\x81\x00\x00\x05" if vlan else b""
    return bytes(12) + tag + b"\x08\x00" + body


def pcap(
    packets: list[tuple[float, bytes]], *, order: str = "<", link: int = 1, nano: bool = False
) -> bytes:
    """A classic pcap file."""
    magic = 0xA1B23C4D if nano else 0xA1B2C3D4
    unit = 1e9 if nano else 1e6
    made = struct.pack(order + "I2HIIII", magic, 2, 4, 0, 0, 65535, link)
    for time, data in packets:
        part = round((time - int(time)) * unit)
        made += struct.pack(order + "4I", int(time), part, len(data), len(data)) + data
    return made


def received(*bodies: bytes) -> list[tuple[float, bytes]]:
    """One packet a second, each with these fragments, from the server over Ethernet."""
    return [
        (1000.0 + place, ethernet(ip(udp(packet(body, sequence=2 + place)))))
        for place, body in enumerate(bodies)
    ]


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    """One block of a pcapng file."""
    body += bytes(-len(body) % 4)
    length = struct.pack(order + "I", 12 + len(body))
    return struct.pack(order + "I", kind) + length + body + length


def section(order: str = "<") -> bytes:
    return block(0x0A0D0D0A, struct.pack(order + "I2Hq", 0x1A2B3C4D, 1, 0, -1), order)


def interface(link: int, order: str = "<", *, options: bytes = b"") -> bytes:
    return block(1, struct.pack(order + "2HI", link, 0, 0) + options, order)


def pcapng(
    packets: list[tuple[float, bytes]], *, order: str = "<", link: int = 1, nano: bool = False
) -> bytes:
    """A pcapng file with one interface; enhanced packet blocks, and a block that means nothing."""
    unit = 1e9 if nano else 1e6
    resolution = struct.pack(order + "2HB3x2H", 9, 1, 9, 0, 0) if nano else b""
    made = section(order) + interface(link, order, options=resolution)
    for time, data in packets:
        made += block(5, bytes(12), order)
        units = round(time * unit)
        head = struct.pack(order + "5I", 0, units >> 32, units & 0xFFFFFFFF, len(data), len(data))
        made += block(6, head + data, order)
    return made
