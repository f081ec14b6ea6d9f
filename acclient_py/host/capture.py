"""From what was seen on the wire to a scenario: captures made into `message` and `tick` steps.

A capture is a pcap or pcapng file, or JSON Lines, one message a line:
`{"hex": "48f70000...", "time": 1.25}`. In a packet capture, what servers sent is taken: packets are
a header of 20 bytes, optional headers by its flags, and fragments of messages, each with a header
of 16 bytes. Messages are kept in the order in which they became whole; what came twice counts once.
What the session does not know is counted by opcode and left out.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from acclient_py.errors import DataError, RefusedEvent
from acclient_py.host import pcap
from acclient_py.host import scenario as sc
from acclient_py.session import messages as wire

SERVER_PORTS: Final = range(9000, 10014)
"""The ports of retail's servers and of those that followed them."""

HAS_FRAGMENTS: Final = 0x4
CONNECTS: Final = 0x40000  # a connect request: a server takes somebody in
PACKET_HEADER: Final = struct.Struct("<3I4H")  # sequence, flags, checksum, recipient, time, size, .
FRAGMENT_HEADER: Final = struct.Struct("<2I4H")  # sequence, id, count, size, index, queue

MAX_FRAGMENTS: Final = 1024

_LATEST: Final = 1e15  # seconds; a whole number of JSON may have any length

_LIST: Final = -1  # u32 count, count u32
_LOGIN: Final = -2  # string, u32 count, count bytes

OPTIONAL_HEADERS: Final = (
    (0x00000100, 8),  # server switch
    (0x00000200, 16),  # a login server's address
    (0x00000800, 32),  # referral
    (0x00001000, _LIST),  # asks for packets again
    (0x00002000, _LIST),  # will not send them again
    (0x00004000, 4),  # acknowledges
    (0x00010000, _LOGIN),
    (0x00020000, 8),  # world login
    (0x00040000, 32),  # connect request
    (0x00080000, 8),  # connect response
    (0x00100000, 8),  # error
    (0x00200000, 8),  # error, disconnected
    (0x00400000, 8),  # command
    (0x01000000, 8),  # time
    (0x02000000, 4),  # echo request
    (0x04000000, 8),  # echo response
    (0x08000000, 6),  # flow
)
"""Flag and size of each optional header, in their order; 0x400 and 0x8000 are empty."""

ORDERED: Final = 0xF7B0
"""A message for one object's queue: u32 guid, u32 number, then the event's own opcode."""


class Capture(Struct):
    """The messages of a capture with their times in seconds, and what else was there.

    problems : what could not be read, one line each; passed_over : packets, by reason
    """

    messages: list[tuple[float, bytes]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    passed_over: Counter[str] = field(default_factory=Counter)


class Seen(Struct):
    """One opcode's messages in a capture."""

    opcode: str
    name: str
    taken: int = 0
    unread: int = 0
    unknown: int = 0


def read(path: Path, *, ports: Iterable[int] = SERVER_PORTS) -> Capture:
    """The messages of a capture file. DataError when it is none at all."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(error.strerror or "cannot be read", file=path) from None
    try:
        return of_pcap(data, ports=ports) if pcap.is_pcap(data) else of_lines(data)
    except DataError as error:
        raise DataError(error.what, file=path, at=error.at, do=error.do) from None


# JSON Lines


def of_lines(data: bytes) -> Capture:
    """Messages of JSON Lines; a line that is none is told of and passed over."""
    found = Capture()
    lines = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        lines += 1
        try:
            found.messages.append(_of_line(line, found.messages[-1][0] if found.messages else 0.0))
        except (ValueError, RecursionError) as error:
            found.problems.append(f"line {number}: {' '.join(str(error).split())[:120]}")
    if not found.messages:
        raise DataError("holds no message", do="give a pcap file, or JSON Lines with `hex`")
    return found


def _of_line(line: bytes, before: float) -> tuple[float, bytes]:
    row = json.loads(line.decode("utf-8-sig"))
    if not isinstance(row, dict) or not isinstance(row.get("hex"), str):
        raise ValueError("no object with a text `hex`")
    time = row.get("time", before)
    if isinstance(time, bool) or not isinstance(time, int | float) or not abs(time) < _LATEST:
        raise ValueError(f"the time {time!r} is no number of seconds")
    return float(time), bytes.fromhex(row["hex"])


# packets


def of_pcap(data: bytes, *, ports: Iterable[int] = SERVER_PORTS) -> Capture:
    """What servers sent, of a packet capture; `ports` are the servers'."""
    file = pcap.read_pcap(data)
    found = Capture(passed_over=file.passed_over)
    if file.fault:
        found.problems.append(f"the file {file.fault}; what came before is kept")
    transport = Transport(found)
    wanted = frozenset(ports)
    for number, datagram in enumerate(file.datagrams):
        if datagram.source[1] not in wanted:
            found.passed_over["packets that no server sent"] += 1
            continue
        try:
            transport.take(datagram)
        except (struct.error, DataError) as error:
            what = error.what if isinstance(error, DataError) else "ends early"
            found.problems.append(f"datagram {number}: {what}")
    transport.finish()
    return found


class _Message(Struct):
    """Fragments of one message, by index."""

    count: int
    parts: dict[int, bytes] = field(default_factory=dict)


class Transport:
    """Puts the messages of servers together."""

    def __init__(self, found: Capture) -> None:
        self._found = found
        self._seen: dict[tuple[object, ...], int] = {}
        self._open: dict[tuple[object, ...], _Message] = {}
        self._whole: dict[tuple[object, ...], int] = {}

    def take(self, datagram: pcap.Datagram) -> None:
        """One datagram: each message that it completes. DataError, struct.error when it is bad."""
        data = datagram.data
        sequence, flags, _, _, _, size, _ = PACKET_HEADER.unpack_from(data)
        if size > len(data) - PACKET_HEADER.size:
            raise DataError(f"says {size} bytes, has {len(data) - PACKET_HEADER.size}")
        body = data[PACKET_HEADER.size : PACKET_HEADER.size + size]
        flow = (datagram.source, datagram.target)
        if flags & CONNECTS:  # numbers begin anew
            self._seen = {k: v for k, v in self._seen.items() if k[:2] != flow}
            self._whole = {k: v for k, v in self._whole.items() if k[:2] != flow}
        if not flags & HAS_FRAGMENTS:
            self._found.passed_over["packets without messages"] += 1
            return
        digest = zlib.crc32(body)
        if self._seen.get((*flow, sequence)) == digest:
            self._found.passed_over["packets that came again"] += 1
            return
        at = skip_optional_headers(body, flags)
        while at < len(body):
            at = self._fragment(flow, body, at, datagram.time)
        self._seen[(*flow, sequence)] = digest

    def _fragment(self, flow: tuple[object, ...], body: bytes, at: int, time: float) -> int:
        number, group, count, size, index, _ = FRAGMENT_HEADER.unpack_from(body, at)
        if size < FRAGMENT_HEADER.size or at + size > len(body):
            raise DataError(f"a fragment of {size} bytes at {at} of {len(body)}")
        if not 0 <= index < count <= MAX_FRAGMENTS:
            raise DataError(f"fragment {index} of {count}")
        key = (*flow, number, group)
        mine = self._open.setdefault(key, _Message(count))
        if mine.count != count:
            raise DataError(f"a message of {mine.count} fragments has one of {count}")
        mine.parts[index] = body[at + FRAGMENT_HEADER.size : at + size]
        if len(mine.parts) == count:
            del self._open[key]
            whole = b"".join(mine.parts[k] for k in range(count))
            digest = zlib.crc32(whole)
            if self._whole.get(key) == digest:  # sent again, in a packet with other headers
                self._found.passed_over["messages that came again"] += 1
            else:
                self._whole[key] = digest
                self._found.messages.append((time, whole))
        return at + int(size)

    def finish(self) -> None:
        """Tell of messages that never became whole."""
        if self._open:
            self._found.problems.append(f"{len(self._open)} messages lack fragments")


def skip_optional_headers(body: bytes, flags: int) -> int:
    """Where the fragments begin. struct.error or DataError when the headers do not fit."""
    at = 0
    for flag, size in OPTIONAL_HEADERS:
        if not flags & flag:
            continue
        if size == _LIST:
            at += 4 + 4 * int(struct.unpack_from("<I", body, at)[0])
        elif size == _LOGIN:
            length = struct.unpack_from("<H", body, at)[0]
            at += (2 + length + 3) & ~3
            at += 4 + int(struct.unpack_from("<I", body, at)[0])
        else:
            at += size
    if at > len(body):
        raise DataError("optional headers run past the end")
    return at


# the scenario


def to_scenario(capture: Capture, *, world: str, about: str) -> tuple[sc.Scenario, list[Seen]]:
    """Known messages as steps, with the time that passed between them; and what there was.

    More than a day without a message counts as a day.
    """
    seen: dict[str, Seen] = {}
    steps: list[sc.Step] = []
    ticks = 0
    elapsed = 0.0
    before: float | None = None
    for time, data in capture.messages:
        entry = _entry(seen, data)
        if entry.name == "":
            entry.unknown += 1
            continue
        try:
            wire.parse(data)
            entry.taken += 1
        except RefusedEvent:
            entry.unread += 1
        if before is not None:  # what came out of order takes no time
            elapsed += min(max(time - before, 0.0), sc.MAX_SECONDS)
        before = time if before is None else max(before, time)
        due = int(elapsed * sc.TICKS_PER_SECOND + 0.5)
        if due > ticks:
            seconds = min((due - ticks) / sc.TICKS_PER_SECOND, sc.MAX_SECONDS)
            steps.append(sc.Tick(seconds=seconds))
            ticks = due
        steps.append(sc.Message(hex=data.hex()))
    scenario = sc.Scenario(world=world, about=about, steps=steps)
    return scenario, [seen[key] for key in sorted(seen)]


def _entry(seen: dict[str, Seen], data: bytes) -> Seen:
    """The row of the table that a message belongs to."""
    if len(data) < 4:
        return seen.setdefault("none", Seen("none", ""))
    opcode = int.from_bytes(data[:4], "little")
    kind = wire.MESSAGE_TYPES.get(opcode)
    key = f"0x{opcode:04X}"
    if opcode == ORDERED and len(data) >= 16:
        key += f"/0x{int.from_bytes(data[12:16], 'little'):04X}"
    return seen.setdefault(key, Seen(key, kind.__name__ if kind is not None else ""))
