"""The wire form of the session's events: read whole, written to the same bytes, or refused."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from acclient_py.core.frame import Frame
from acclient_py.errors import RefusedEvent
from acclient_py.session import messages
from acclient_py.session.messages import (
    CreateObject,
    DeleteObject,
    MovementEvent,
    ParentEvent,
    PickupEvent,
    PositionPack,
    SetState,
    UpdatePosition,
)
from acclient_py.session.messages.movement import MovementBlock

DATA = Path(__file__).parents[1] / "data" / "physics_vectors.json"
VECTORS: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))["wire"]["messages"]
HEXES = {name: bytes.fromhex(row["hex"]) for name, row in VECTORS.items()}


def test_a_message_without_an_opcode_is_refused() -> None:
    with pytest.raises(RefusedEvent, match="3 bytes has no opcode"):
        messages.parse(b"\x45\xf7\x00")


def test_an_unknown_opcode_is_refused() -> None:
    with pytest.raises(RefusedEvent, match="opcode 0x0000F7FF is not known"):
        messages.parse(bytes.fromhex("fff7000000000000"))


@pytest.mark.parametrize("name", sorted(HEXES))
def test_every_short_or_long_message_is_refused(name: str) -> None:
    data = HEXES[name]
    for length in range(4, len(data)):
        with pytest.raises(RefusedEvent) as caught:
            messages.parse(data[:length])
        assert "\n" not in str(caught.value)
    with pytest.raises(RefusedEvent, match="left over"):
        messages.parse(data + b"\0\0\0\0")


def test_a_position_that_is_no_number_is_refused() -> None:
    data = bytearray(HEXES["UpdatePosition"])
    data[16:20] = bytes.fromhex("0000c07f")
    with pytest.raises(RefusedEvent, match="UpdatePosition at byte 20: an origin is nan"):
        messages.parse(bytes(data))


def test_a_count_beyond_the_message_is_refused_at_once() -> None:
    data = bytearray(HEXES["CreateObject_children_movement"])
    at = data.index((0x80000200).to_bytes(4, "little")) - 4
    data[at : at + 4] = b"\xff\xff\xff\xff"
    with pytest.raises(RefusedEvent, match="count 4294967295"):
        messages.parse(bytes(data))


@pytest.mark.parametrize("name", sorted(HEXES))
def test_a_message_is_written_to_the_bytes_it_was_read_from(name: str) -> None:
    data = HEXES[name]
    assert len(data) == VECTORS[name]["bytes"] or VECTORS[name]["bytes"] is None
    assert messages.encode(messages.parse(data)) == data


def test_fields_of_the_small_messages() -> None:
    assert messages.parse(HEXES["DeleteObject"]) == DeleteObject(0x80000123, 7)
    assert messages.parse(HEXES["PickupEvent"]) == PickupEvent(0x80000123, 7, 12)
    assert messages.parse(HEXES["ParentEvent"]) == ParentEvent(0x50000001, 0x80000123, 1, 1, 3, 13)
    assert messages.parse(HEXES["SetState"]) == SetState(0x80000123, 0x00400408, 7, 4)


def test_fields_of_a_position() -> None:
    message = messages.parse(HEXES["UpdatePosition"])
    assert isinstance(message, UpdatePosition)
    where = message.where
    assert (where.cell_id, where.frame.origin) == (0xA9B40001, (12.5, 30.25, 6.0))
    assert where.frame.rotation == pytest.approx((0.7071068, 0, 0, 0.7071068))
    assert (where.instance, where.position_stamp, where.teleport_stamp) == (7, 14, 1)
    assert where.contact
    assert where.placement is None
    placed = messages.parse(HEXES["UpdatePosition_placement"])
    assert isinstance(placed, UpdatePosition)
    assert placed.where.placement == 0x65
    assert placed.where.frame.rotation == (0.0, 0.0, 0.0, 0.0)


def test_fields_of_a_create() -> None:
    message = messages.parse(HEXES["CreateObject_world"])
    assert isinstance(message, CreateObject)
    physics = message.physics
    assert physics.position is not None
    assert physics.position.cell_id == 0xA9B40001
    assert (physics.setup, physics.motion_table, physics.scale) == (0x02000001, 0x09000001, 1.25)
    assert physics.animframe == 0x65
    assert physics.stamps == (14, 0, 4, 9, 1, 3, 0, 2, 7)
    assert (message.weenie.name, message.weenie.class_id) == ("Crate", 1)
    assert message.weenie.icon == 0x06001234
    parented = messages.parse(HEXES["CreateObject_parented"])
    assert isinstance(parented, CreateObject)
    assert (parented.physics.parent, parented.physics.location) == (0x50000001, 1)
    assert parented.weenie.class_id == 40000
    carrier = messages.parse(HEXES["CreateObject_children_movement"])
    assert isinstance(carrier, CreateObject)
    assert carrier.physics.children == ((0x80000200, 1), (0x80000201, 3))
    movement = carrier.physics.movement()
    assert isinstance(movement, MovementBlock)
    assert movement.stance == 0x3D


def test_fields_of_movements() -> None:
    run = messages.parse(HEXES["MovementEvent"])
    assert isinstance(run, MovementEvent)
    assert run.movement.state is not None
    assert (run.movement.state.forward, run.movement.state.forward_speed) == (0x07, 2.5)
    chase = messages.parse(HEXES["MovementEvent_MoveToObject"])
    assert isinstance(chase, MovementEvent)
    assert chase.movement.target == 0x50000001
    assert chase.movement.parameters is not None
    assert chase.movement.parameters.walk_run_threshold == 15.0


finite = st.floats(width=32, allow_nan=False, allow_infinity=False)
u16 = st.integers(0, 0xFFFF)


@given(
    st.integers(0, 0xFFFFFFFF),
    st.tuples(finite, finite, finite),
    st.tuples(finite, finite, finite, finite),
    st.tuples(u16, u16, u16, u16),
    st.booleans(),
    st.none() | st.tuples(finite, finite, finite),
    st.none() | st.integers(0, 0xFFFFFFFF),
)
def test_any_position_survives_the_wire(
    cell: int,
    origin: Any,
    rotation: Any,
    stamps: Any,
    contact: bool,
    velocity: Any,
    placement: int | None,
) -> None:
    where = PositionPack.make(
        cell,
        Frame(origin, rotation),
        contact=contact,
        stamps=stamps,
        velocity=velocity,
        placement=placement,
    )
    message = UpdatePosition(0x80000001, where)
    assert messages.parse(messages.encode(message)) == message


def test_damaged_messages_are_refused_or_read_never_more() -> None:
    """5,000 mutations of every known message; the long lane runs a million."""
    mutate(5000, seed=1)


def mutate(count: int, *, seed: int) -> int:
    """Damage known messages at random; how many still parsed."""
    rng = random.Random(seed)
    pool = list(HEXES.values())
    read = 0
    refusals: list[str] = []
    for _ in range(count):
        data = bytearray(rng.choice(pool))
        for _ in range(rng.randint(1, 4)):
            kind = rng.randrange(4)
            at = rng.randrange(len(data)) if data else 0
            if kind == 0 and data:
                data[at] = rng.randrange(256)
            elif kind == 1:
                del data[at:]
            elif kind == 2:
                data[at:at] = rng.randbytes(rng.randint(1, 8))
            elif len(data) >= 4:
                at = rng.randrange(len(data) - 3)
                data[at : at + 4] = rng.choice(
                    (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\0\0\xc0\x7f", b"\xff\xff\xff\x7f")
                )
        try:
            message = messages.parse(bytes(data))
        except RefusedEvent as error:
            refusals.append(str(error))
            continue
        read += 1
        assert messages.parse(messages.encode(message)) == message
    assert not any("\n" in text for text in refusals)
    return read


def _rows(folder: Path, name: str) -> list[dict[str, Any]]:
    with (folder / "oracle" / "wire" / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    "name", ["messages_parsed_by_aclogview.jsonl", "spec_messages_parsed_by_aclogview.jsonl"]
)
def test_peers_messages_are_read_as_the_peer_reads_them(shared: Path, name: str) -> None:
    for row in _rows(shared, name):
        data = bytes.fromhex(row["hex"])
        message = messages.parse(data)
        assert messages.encode(message) == data, row["hex"]
        fields = row["fields"]
        assert _guid(message) == fields.get("object_id", _guid(message))
        if isinstance(message, CreateObject):
            theirs = fields["physicsdesc"]
            assert message.physics.state == theirs["state"]
            assert list(message.physics.stamps) == theirs["timestamps"]
            assert (message.physics.setup or 0) == theirs["setup_id"]
            assert (message.physics.parent or 0) == theirs["parent_id"]
            assert message.weenie.name == fields["wdesc"]["_name"]["m_buffer"]
            assert (message.weenie.get("value") or 0) == fields["wdesc"]["_value"]
            assert (message.weenie.get("icon_overlay") or 0) == fields["wdesc"]["_iconOverlayID"]
        if isinstance(message, UpdatePosition):
            theirs = fields["positionPack"]
            assert message.where.cell_id == theirs["position"]["objcell_id"]
            assert message.where.contact == theirs["has_contact"]
            assert message.where.instance == theirs["instance_timestamp"]


def f32(value: float) -> float:
    """`value` as 32 bits hold it."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def _guid(message: messages.Message) -> int | None:
    return getattr(message, "parent", getattr(message, "guid", None))


def test_peers_pieces_are_read_as_the_peer_reads_them(shared: Path) -> None:
    from acclient_py.dat.cursor import Cursor
    from acclient_py.session.messages import PhysicsDesc

    kinds = set()
    for row in _rows(shared, "parsed_by_gdle.jsonl"):
        cursor = Cursor(bytes.fromhex(row["hex"]))
        kinds.add(row["kind"])
        if row["kind"] == "physdesc":
            desc = PhysicsDesc.unpack(cursor)
            cursor.end()
            assert list(desc.stamps) == row["out"]["timestamps"]
            assert [list(pair) for pair in desc.children] == row["out"]["children"]
            assert (desc.sound_table or 0) == row["out"]["stable"]
        elif row["kind"] == "pospack":
            where = PositionPack.unpack(cursor)
            cursor.end()
            assert list(where.frame.origin) == pytest.approx(row["out"]["pos"]["frame"][:3])
            assert where.placement == (row["out"]["placement"] or None)
    assert kinds == {"physdesc", "pospack", "objdesc"}


def test_peers_packed_positions_are_ours(shared: Path) -> None:
    seen = 0
    for row in _rows(shared, "built_by_gdle.jsonl"):
        words = row["in"].split()
        if words[0] != "w_pospack":
            continue
        instance, position, teleport, force, contact, placement = (int(w) for w in words[1:7])
        x, y, z, qw, qx, qy, qz = (float(w) for w in words[8:15])
        where = PositionPack.make(
            int(words[7], 16),
            Frame((x, y, z), (qw, qx, qy, qz)),
            contact=bool(contact),
            stamps=(instance, position, teleport, force),
            placement=placement or None,
        )
        theirs = bytes.fromhex(row["out"]["hex"])
        head = bytes.fromhex("48f7000001000000")
        read = messages.parse(head + theirs)
        assert isinstance(read, UpdatePosition)
        assert len(messages.encode(UpdatePosition(1, where))[8:]) == len(theirs)
        # the peer normalises the rotation before it packs it
        assert read.where.frame.rotation == pytest.approx(where.frame.rotation, abs=1e-6)
        same = Frame(read.where.frame.origin, where.frame.rotation)
        ours = replace(where, frame=Frame(tuple(map(f32, (x, y, z))), where.frame.rotation))
        assert replace(read.where, frame=same) == ours
        seen += 1
    assert seen == 8
