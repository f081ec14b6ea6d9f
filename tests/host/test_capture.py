"""Captures: what the server sent becomes messages, whole and in order; what is bad is told of."""

from __future__ import annotations

import contextlib
import json
import struct
from pathlib import Path
from typing import Any

import pytest
from builders import captures as made
from hypothesis import given
from hypothesis import strategies as st

from acclient_py.errors import DataError
from acclient_py.host import capture
from acclient_py.host import scenario as sc

DATA = Path(__file__).parents[1] / "data" / "physics_vectors.json"
VECTORS: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))["wire"]["messages"]
CREATE = bytes.fromhex(VECTORS["CreateObject_world"]["hex"])
PICKUP = bytes.fromhex(VECTORS["PickupEvent"]["hex"])
DELETE = bytes.fromhex(VECTORS["DeleteObject"]["hex"])
CHAT = bytes.fromhex("e0f600000400616263640000")
ORDERED = bytes.fromhex("b0f70000010000500200000013000000aabbccdd")


def messages(data: bytes) -> list[bytes]:
    return [message for _, message in capture.of_pcap(data).messages]


# what is refused, and what is told of


def test_a_file_that_is_no_capture_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear all,\nnothing here.\n")
    with pytest.raises(DataError, match=r"letter\.txt.*holds no message") as caught:
        capture.read(path)
    assert "\n" not in str(caught.value)


def test_a_pcapng_file_without_a_byte_order_is_refused() -> None:
    with pytest.raises(DataError, match="pcapng file without a byte order"):
        capture.of_pcap(bytes.fromhex("0a0d0d0a") + bytes(40))


def test_an_unknown_link_is_refused() -> None:
    with pytest.raises(DataError, match="link type 105"):
        capture.of_pcap(made.pcap([], link=105))


@pytest.mark.parametrize("file", [made.pcap, made.pcapng])
def test_a_file_that_breaks_off_keeps_what_came_before(file: Any) -> None:
    """Sabotage: take a packet that is shorter than it says; a problem is missing."""
    whole = file(made.received(made.fragment(PICKUP), made.fragment(DELETE, number=2)))
    first = len(file(made.received(made.fragment(PICKUP))))
    if file is made.pcapng:
        first += len(made.block(5, bytes(12)))
    for length in range(first + 1, len(whole)):
        found = capture.of_pcap(whole[:length])
        assert [m for _, m in found.messages] == [PICKUP]
        assert len(found.problems) == 1
        assert "breaks off" in found.problems[0]


def test_a_length_of_gigabytes_ends_the_file() -> None:
    data = bytearray(made.pcap(made.received(made.fragment(PICKUP), made.fragment(DELETE))))
    at = len(made.pcap(made.received(made.fragment(PICKUP)))) + 8
    data[at : at + 4] = b"\xff\xff\xff\xff"
    found = capture.of_pcap(bytes(data))
    assert [m for _, m in found.messages] == [PICKUP]
    assert "4294967295 bytes" in found.problems[0]


def test_a_bad_datagram_does_not_harm_the_next() -> None:
    bad = made.fragment(PICKUP)[:-1]
    found = capture.of_pcap(made.pcap(made.received(bad, made.fragment(DELETE, number=2))))
    assert [m for _, m in found.messages] == [DELETE]
    assert found.problems == ["datagram 0: a fragment of 28 bytes at 0 of 27"]


def test_a_message_without_its_last_fragment_is_told_of() -> None:
    cuts = made.fragments(CREATE, size=40)
    found = capture.of_pcap(made.pcap(made.received(*cuts[:-1])))
    assert found.messages == []
    assert found.problems == ["1 messages lack fragments"]


@given(st.data())
def test_no_damage_raises_anything_but_a_data_error(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([made.pcap, made.pcapng]))
    file = bytearray(
        kind(made.received(*made.fragments(CREATE, size=60), made.fragment(PICKUP, number=2)))
    )
    for _ in range(data.draw(st.integers(1, 6))):
        file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(DataError):
        found = capture.of_pcap(bytes(file))
        assert all("\n" not in problem for problem in found.problems)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "line 2"),
        ("[]", "line 2: no object with a text `hex`"),
        ('{"hex": 5}', "line 2: no object with a text `hex`"),
        ('{"hex": "48f7", "time": "noon"}', "line 2: the time 'noon' is no number"),
        ('{"hex": "48f7", "time": ' + "9" * 400 + "}", "line 2: the time 999"),
        ('{"hex": "48f7", "time": 1e999}', "line 2: the time inf is no number"),
        ('{"hex": "4"}', "line 2: non-hexadecimal"),
    ],
)
def test_a_line_that_is_no_message_is_told_of_and_passed_over(line: str, says: str) -> None:
    """Sabotage: ask of any time whether it is finite; 400 digits end the reading."""
    text = f'{{"hex": "{PICKUP.hex()}"}}\n{line}\n{{"hex": "{DELETE.hex()}"}}\n'
    found = capture.of_lines(text.encode())
    assert [m for _, m in found.messages] == [PICKUP, DELETE]
    assert len(found.problems) == 1
    assert says in found.problems[0]


# what is read


@pytest.mark.parametrize("file", [made.pcap, made.pcapng])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("nano", [False, True])
def test_both_byte_orders_and_both_clocks_are_read(file: Any, order: str, nano: bool) -> None:
    """Sabotage: leave the unit of an interface out; a time is a thousand times what it was."""
    data = file(made.received(made.fragment(PICKUP)), order=order, nano=nano)
    ((time, message),) = capture.of_pcap(data).messages
    assert (time, message) == (pytest.approx(1000.0, abs=1e-6), PICKUP)


def test_each_section_and_each_interface_of_a_pcapng_file_speaks_for_itself() -> None:
    """Sabotage: keep the interfaces of the section before; the second link is taken as Ethernet."""
    first, second = (
        made.ip(made.udp(made.packet(made.fragment(m, number=n), sequence=n)))
        for n, m in ((2, PICKUP), (3, DELETE))
    )
    told = struct.pack("<2I", len(made.ethernet(first)), 0) + made.ethernet(first)
    old = struct.pack(">2H4I", 1, 0, 0, 5_000_000, len(second), len(second)) + second
    offset = struct.pack(">2Hq2H", 14, 8, 100, 0, 0)
    data = (
        made.section() + made.interface(1) + made.block(3, told[:4] + told[8:])
        + made.section(">") + made.interface(1, ">") + made.interface(101, ">", options=offset)
        + made.block(2, old, ">") + made.block(6, struct.pack(">5I", 9, 0, 0, 0, 0), ">")
    )  # fmt: skip
    found = capture.of_pcap(data)
    assert found.messages == [(0.0, PICKUP), (105.0, DELETE)]
    assert len(found.problems) == 1
    assert "damaged block" in found.problems[0], "there is no interface 9"


def on_wire(message: bytes, *, number: int = 1, **how: Any) -> bytes:
    """An Ethernet frame that carries one message."""
    return made.ethernet(
        made.ip(made.udp(made.packet(made.fragment(message, number=number), **how)))
    )


def enhanced(frame: bytes, units: int, *, which: int = 0) -> bytes:
    head = struct.pack("<5I", which, units >> 32, units & 0xFFFFFFFF, len(frame), len(frame))
    return made.block(6, head + frame)


def test_a_simple_packet_is_of_the_first_interface_cut_where_that_cuts_at_the_time_before() -> None:
    """Sabotage: take the last interface, the whole length, or a time of 0; the messages differ."""
    frame = on_wire(DELETE, number=2, sequence=3)
    first = made.block(1, struct.pack("<2HI", 1, 0, len(frame)))
    said = struct.pack("<I", len(frame) + 999) + frame  # the packet was longer than what was kept
    data = (
        made.section() + first + made.interface(101)
        + enhanced(on_wire(PICKUP), 7_000_000) + made.block(3, said)
    )  # fmt: skip
    found = capture.of_pcap(data)
    assert (found.messages, found.problems) == ([(7.0, PICKUP), (7.0, DELETE)], [])


@pytest.mark.parametrize(
    ("options", "time"),
    [
        (struct.pack("<2HB3x", 9, 1, 0x80 | 10), 1.0),  # 2 to the -10
        (struct.pack("<2HB3x", 9, 1, 3), 1.024),
        (struct.pack("<2H3sx", 1, 3, b"abc") + struct.pack("<2HB3x", 9, 1, 3), 1.024),
        (struct.pack("<2H", 0, 0) + struct.pack("<2HB3x", 9, 1, 3), 0.001024),
    ],
    ids=["of two", "of ten", "after a comment", "after the end"],
)
def test_the_unit_of_time_is_an_option_of_the_interface(options: bytes, time: float) -> None:
    """Sabotage: units of ten only, or options unpadded or read past their end; a time differs."""
    data = made.section() + made.interface(1, options=options) + enhanced(on_wire(PICKUP), 1024)
    assert capture.of_pcap(data).messages == [(pytest.approx(time), PICKUP)]


@pytest.mark.parametrize(
    ("tail", "says"),
    [
        (struct.pack("<3I", 6, 14, 0) + bytes(12), "a block of 14 bytes"),
        (struct.pack("<3I", 6, 0x2000000, 0) + bytes(0x2000000), "a block of 33554432 bytes"),
        (struct.pack("<3I", 6, 8, 0) + bytes(12), "a block of 8 bytes"),
        (made.block(0x0A0D0D0A, bytes(16)), "a section without a byte order"),
        (made.block(6, struct.pack("<5I", 0, 0, 0, 400, 400) + bytes(40)), "a damaged block"),
    ],
)
def test_what_comes_before_a_bad_block_is_kept(tail: bytes, says: str) -> None:
    """Sabotage: leave a test of a length out; nothing is told of."""
    data = made.section() + made.interface(1) + enhanced(on_wire(PICKUP), 0)
    found = capture.of_pcap(data + tail)
    assert [m for _, m in found.messages] == [PICKUP]
    assert len(found.problems) == 1
    assert says in found.problems[0]


def from_wire(*datagrams: bytes) -> capture.Capture:
    return capture.of_pcap(made.pcap([(0.0, made.ethernet(made.ip(d))) for d in datagrams]))


def test_a_connect_request_begins_the_numbers_of_its_own_server_anew() -> None:
    """Sabotage: keep packets' numbers over it, or forget another server's; a count differs."""
    twice = made.packet(made.fragment(PICKUP), sequence=5)
    connect = made.packet(b"", sequence=0, flags=0x40000, options=bytes(32))
    other = struct.pack(">4H", made.PORT + 1, made.CLIENT_PORT, 8 + len(twice), 0) + twice
    found = from_wire(made.udp(twice), other, made.udp(connect), made.udp(twice), other)
    assert [m for _, m in found.messages] == [PICKUP] * 3
    assert found.passed_over["packets that came again"] == 1


def test_messages_of_one_number_are_told_apart_by_group_server_and_content() -> None:
    """Sabotage: forget the group, or that a number may come again with other content."""
    one, *more = made.fragments(CREATE, size=60)
    assert more
    alien = made.fragment(PICKUP[:5], group=0x80000001, count=1 + len(more), index=1)
    found = from_wire(made.udp(made.packet(one + alien + b"".join(more), sequence=2)))
    assert [m for _, m in found.messages] == [CREATE]
    again = made.udp(made.packet(made.fragment(DELETE), sequence=9))
    found = from_wire(made.udp(made.packet(made.fragment(PICKUP), sequence=2)), again)
    assert [m for _, m in found.messages] == [PICKUP, DELETE]


@pytest.mark.parametrize(
    ("piece", "says"),
    [
        (made.fragment(b"abcd", number=4, count=3, index=1), "of 2 fragments has one of 3"),
        (made.fragment(b"abcd", number=9, count=2000, index=1), "fragment 1 of 2000"),
        (made.fragment(b"abcd", number=9, count=1, index=1), "fragment 1 of 1"),
    ],
)
def test_a_fragment_that_cannot_be_is_told_of(piece: bytes, says: str) -> None:
    """Sabotage: believe every count; the problem is not told."""
    first = made.fragment(CREATE[:9], number=4, count=2)
    sent = [made.packet(body, sequence=n) for n, body in ((2, first), (3, piece))]
    found = from_wire(*map(made.udp, sent))
    assert says in found.problems[0]


@pytest.mark.parametrize(
    ("link", "frame"),
    [
        (1, lambda body: made.ethernet(body)),
        (1, lambda body: made.ethernet(body, vlan=True)),
        (101, lambda body: body),
        (0, lambda body: b"\x02\0\0\0" + body),
        (108, lambda body: b"\0\0\0\x02" + body),
        (113, lambda body: bytes(14) + b"\x08\0" + body),
        (276, lambda body: b"\x08\0" + bytes(18) + body),
    ],
)
def test_every_link_gives_the_same_message(link: int, frame: Any) -> None:
    body = frame(made.ip(made.udp(made.packet(made.fragment(PICKUP)))))
    assert messages(made.pcap([(0.0, body)], link=link)) == [PICKUP]
    assert messages(made.pcapng([(0.0, body)], link=link)) == [PICKUP]


def test_what_the_client_sent_and_what_is_no_udp_is_passed_over() -> None:
    data = made.packet(made.fragment(PICKUP))
    tcp = bytearray(made.ip(made.udp(data)))
    tcp[9] = 6
    file = made.pcap(
        [
            (0.0, made.ethernet(made.ip(made.udp(data, received=False), received=False))),
            (0.0, made.ethernet(bytes(tcp))),
            (0.0, bytes(12) + b"\x86\xdd" + bytes(60)),
        ]
    )
    found = capture.of_pcap(file)
    assert found.messages == []
    assert dict(found.passed_over) == {
        "packets that no server sent": 1,
        "packets that are no UDP": 1,
        "packets that are no IPv4": 1,
    }
    assert capture.of_pcap(file, ports=[made.CLIENT_PORT]).messages == [(0.0, PICKUP)]


def test_a_message_in_fragments_is_put_together_in_any_order() -> None:
    cuts = made.fragments(CREATE, size=33)
    assert len(cuts) > 3
    assert messages(made.pcap(made.received(*cuts))) == [CREATE]
    assert messages(made.pcap(made.received(*reversed(cuts)))) == [CREATE]


def test_fragments_of_two_messages_may_be_mixed_and_share_a_packet() -> None:
    one, two = made.fragments(CREATE, size=99), made.fragments(CREATE, number=2, size=99)
    mixed = [b for pair in zip(one, two, strict=True) for b in pair]
    whole = b"".join([*mixed, made.fragment(PICKUP, number=3)])
    assert messages(made.pcap(made.received(whole))) == [CREATE, CREATE, PICKUP]


def test_a_packet_that_came_again_counts_once() -> None:
    twice = [*made.received(made.fragment(PICKUP)), *made.received(made.fragment(PICKUP))]
    found = capture.of_pcap(made.pcap(twice))
    assert [m for _, m in found.messages] == [PICKUP]
    assert found.passed_over["packets that came again"] == 1


def test_a_message_that_is_sent_again_in_another_packet_counts_once() -> None:
    """A server that is asked again writes its optional headers anew.

    Sabotage: forget what became whole, or keep it over a connect request; a count differs.
    """
    again = made.fragment(PICKUP, number=5)
    plain = made.packet(again, sequence=3)
    acknowledged = made.packet(again, sequence=3, flags=0x4005, options=bytes(4))
    connect = made.packet(b"", sequence=0, flags=0x40000, options=bytes(32))
    sent = [plain, acknowledged, connect, plain]
    found = capture.of_pcap(made.pcap([(0.0, made.ethernet(made.ip(made.udp(p)))) for p in sent]))
    assert [m for _, m in found.messages] == [PICKUP, PICKUP]
    assert found.passed_over["messages that came again"] == 1


def test_fragments_of_ip_are_put_together() -> None:
    whole = made.udp(made.packet(made.fragment(CREATE)))
    pieces = [made.ip(whole[:64], placed=0x2000), made.ip(whole[64:], placed=8)]
    for order in (pieces, pieces[::-1]):
        assert messages(made.pcap([(0.0, made.ethernet(p)) for p in order])) == [CREATE]


def test_fragments_of_two_packets_of_one_number_are_not_mixed_nor_kept() -> None:
    """Sabotage: tell IP packets apart by their number alone, or keep what became whole."""
    one = made.udp(made.packet(made.fragment(CREATE), sequence=2))
    two = made.udp(made.packet(made.fragment(CREATE, number=2), sequence=3))
    pieces = [
        made.ip(one[:64], placed=0x2000), bytearray(made.ip(two[:64], placed=0x2000)),
        bytearray(made.ip(two[64:], placed=8)), made.ip(one[64:], placed=8),
        made.ip(one[:64], placed=0x2000),
    ]  # fmt: skip
    for piece in pieces[1:3]:
        piece[12:16] = bytes((10, 0, 0, 9))
    found = capture.of_pcap(made.pcap([(0.0, made.ethernet(bytes(p))) for p in pieces]))
    assert [m for _, m in found.messages] == [CREATE, CREATE]
    assert found.passed_over["IP fragments without the rest"] == 1


def test_an_empty_fragment_hangs_nothing() -> None:
    """Sabotage: step on by the length of an empty piece; the test does not end."""
    pieces = [made.ip(b"", placed=0x2000), made.ip(bytes(8), placed=1)]
    found = capture.of_pcap(made.pcap([(0.0, made.ethernet(piece)) for piece in pieces]))
    assert dict(found.passed_over) == {"IP fragments": 2, "IP fragments without the rest": 1}


def cut(frame: bytes, at: int, value: bytes) -> bytes:
    return frame[:at] + value + frame[at + len(value) :]


@pytest.mark.parametrize(
    ("at", "value", "reason"),
    [
        (14, b"\x44", "IP packets that were cut short"),  # a header of 16 bytes
        (16, b"\x00\x10", "IP packets that were cut short"),  # shorter than its header
        (16, b"\x7f\xff", "IP packets that were cut short"),  # longer than what is there
        (38, b"\x00\x07", "UDP packets that were cut short"),
        (38, b"\x7f\xff", "UDP packets that were cut short"),
    ],
)
def test_lengths_that_cannot_be_are_passed_over(at: int, value: bytes, reason: str) -> None:
    """Sabotage: believe a length; the reason is missing."""
    found = capture.of_pcap(made.pcap([(0.0, cut(on_wire(PICKUP), at, value))]))
    assert dict(found.passed_over) == {reason: 1}
    assert (found.messages, found.problems) == ([], [])


def test_a_tag_in_a_tag_and_a_link_with_a_checksum_are_read() -> None:
    """Sabotage: one tag at most, or the upper bits of the link as its number; nothing is read."""
    body = made.ip(made.udp(made.packet(made.fragment(PICKUP))))
    twice = bytes(12) + b"\x88\xa8\x00\x07\x81\x00\x00\x05\x08\x00" + body
    assert messages(made.pcap([(0.0, twice)])) == [PICKUP]
    assert messages(made.pcap([(0.0, on_wire(PICKUP))], link=0x50000001)) == [PICKUP]


OPTIONS = {
    0x00000100: bytes(8),
    0x00000200: bytes(16),
    0x00000400: b"",
    0x00000800: bytes(32),
    0x00001000: struct.pack("<3I", 2, 5, 6),
    0x00002000: struct.pack("<2I", 1, 5),
    0x00004000: bytes(4),
    0x00008000: b"",
    0x00010000: struct.pack("<H4sxxI3s", 4, b"1802", 3, b"abc"),
    0x00020000: bytes(8),
    0x00040000: bytes(32),
    0x00080000: bytes(8),
    0x00100000: bytes(8),
    0x00200000: bytes(8),
    0x00400000: bytes(8),
    0x01000000: bytes(8),
    0x02000000: bytes(4),
    0x04000000: bytes(8),
    0x08000000: bytes(6),
}


@given(st.sets(st.sampled_from(sorted(OPTIONS))))
def test_optional_headers_are_skipped_by_their_flags(flags: set[int]) -> None:
    options = b"".join(OPTIONS[flag] for flag in sorted(flags))
    data = made.packet(made.fragment(PICKUP), flags=0x6 | sum(flags), options=options)
    file = made.pcap([(0.0, made.ethernet(made.ip(made.udp(data))))])
    assert messages(file) == [PICKUP]


# the scenario


def test_messages_become_steps_with_the_time_between_them() -> None:
    found = capture.Capture(
        messages=[(5.0, CREATE), (5.0, CHAT), (6.5, PICKUP), (6.4, ORDERED), (7.0, DELETE)]
    )
    scenario, seen = capture.to_scenario(found, world="demo", about="x")
    assert scenario.steps == [
        sc.Message(hex=CREATE.hex()),
        sc.Tick(seconds=1.5),
        sc.Message(hex=PICKUP.hex()),
        sc.Tick(seconds=0.5),
        sc.Message(hex=DELETE.hex()),
    ]
    counted = {s.opcode: (s.name, s.taken, s.unread, s.unknown) for s in seen}
    assert counted == {
        "0xF745": ("CreateObject", 1, 0, 0),
        "0xF74A": ("PickupEvent", 1, 0, 0),
        "0xF747": ("DeleteObject", 1, 0, 0),
        "0xF6E0": ("", 0, 0, 1),
        "0xF7B0/0x0013": ("", 0, 0, 1),
    }
    assert sc.parse(sc.write(scenario)) == scenario


def test_ticks_do_not_drift_and_a_gap_is_no_more_than_a_day() -> None:
    times = [k / 70.0 for k in range(700)] + [1e300]
    found = capture.Capture(messages=[(time, PICKUP) for time in times])
    scenario, _ = capture.to_scenario(found, world="demo", about="")
    ticks = [s.seconds * 30 for s in scenario.steps if isinstance(s, sc.Tick)]
    assert sum(ticks[:-1]) == pytest.approx(699 / 70.0 * 30, abs=0.51)
    assert ticks[-1] == pytest.approx(sc.MAX_SECONDS * 30, abs=1)
    assert sc.parse(sc.write(scenario)) == scenario


def test_the_longest_of_waits_is_a_day_and_what_is_late_takes_no_time_twice() -> None:
    """Sabotage: no bound, or the time of whatever came last; the ticks differ."""
    day = sc.MAX_SECONDS
    times = [0.0, 3 * day, 3 * day - 5.0, 3 * day + 1.0]
    found = capture.Capture(messages=[(time, PICKUP) for time in times])
    scenario, _ = capture.to_scenario(found, world="demo", about="")
    assert [s.seconds for s in scenario.steps if isinstance(s, sc.Tick)] == [day, 1.0]


def test_a_line_without_a_time_has_that_of_the_line_before() -> None:
    """Sabotage: take 0, or a truth or infinity for a time; the messages differ."""
    rows = ['"time": 4', '"x": 1', '"time": true', '"time": 1e999', '"time": NaN', '"time": 5.5']
    lines = [f'{{"hex": "{PICKUP.hex()}", {row}}}' for row in rows]
    found = capture.of_lines(b"\xef\xbb\xbf" + "\n".join(lines).encode())
    assert found.messages == [(4.0, PICKUP), (4.0, PICKUP), (5.5, PICKUP)]
    assert [problem.split(":")[0] for problem in found.problems] == ["line 3", "line 4", "line 5"]


def test_an_ordered_message_that_ends_early_is_no_event() -> None:
    """Sabotage: read the event's opcode whatever the length; the key has a second half."""
    found = capture.Capture(messages=[(0.0, ORDERED[:14])])
    _, seen = capture.to_scenario(found, world="demo", about="")
    assert [one.opcode for one in seen] == ["0xF7B0"]


def test_a_known_message_that_cannot_be_read_is_kept_and_counted() -> None:
    found = capture.Capture(messages=[(0.0, PICKUP[:-2]), (0.0, b"\x01")])
    scenario, seen = capture.to_scenario(found, world="demo", about="")
    assert scenario.steps == [sc.Message(hex=PICKUP[:-2].hex())]
    assert [(s.opcode, s.taken, s.unread, s.unknown) for s in seen] == [
        ("0xF74A", 0, 1, 0),
        ("none", 0, 0, 1),
    ]
