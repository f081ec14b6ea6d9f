"""Polygon lists and trees are read as columns: the same as read field by field, refusals too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from acclient_py.dat import records as rec
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.errors import RecordError


def read_plainly(cursor: Cursor, count: int) -> list[rec.Polygon]:
    """Polygons one after the other, field by field, as the format is worded (dat-format 4.5)."""
    cursor.count(count, 12)
    found = []
    for _ in range(count):
        head = Cursor(cursor.data, cursor.record)
        head.at = cursor.need(12)
        polygon_id, corners, stippling = head.u16(), head.u8(), head.u8()
        sides, pos_surface, neg_surface = head.i32(), head.i16(), head.i16()
        has_pos_uv, has_neg_uv = not stippling & 4, sides == 2 and not stippling & 8
        rest = Cursor(cursor.data, cursor.record)
        rest.at = cursor.need(corners * (2 + has_pos_uv + has_neg_uv))
        vertices = tuple(rest.i16() for _ in range(corners))
        pos_uv = tuple(rest.u8() for _ in range(corners * has_pos_uv))
        neg_uv = tuple(rest.u8() for _ in range(corners * has_neg_uv))
        found.append(
            rec.Polygon(
                polygon_id, stippling, sides, pos_surface, neg_surface, vertices, pos_uv, neg_uv
            )
        )
    return found


def random_list(rng: np.random.Generator) -> tuple[bytes, int]:
    """Some polygons as they are stored, all alike or each of another kind."""
    out = Packer()
    count = int(rng.integers(0, 9))
    like = rng.integers(0, 2) == 0
    kinds = [
        (int(rng.choice((0, 3, 4, 7, 8, 12, 0xF3))), int(rng.choice((0, 1, 2, 2, 258, -1))))
        for _ in range(count)
    ]
    for stippling, sides in kinds[:1] * count if like else kinds:
        corners = int(rng.choice((0, 1, 3, 4, 5, 255), p=(0.1, 0.1, 0.4, 0.3, 0.09, 0.01)))
        out.u16(int(rng.integers(0, 65536)))
        out.u8(corners)
        out.u8(stippling)
        out.i32(sides)
        for word in rng.integers(-32768, 32768, 2 + corners).tolist():
            out.i16(word)
        tables = (not stippling & 4) + (sides == 2 and not stippling & 8)
        out.bytes(rng.bytes(corners * tables))
    return out.finish(), count


def columns(polygons: rec.Polygons) -> list[Any]:
    names = ("heads", "sizes", "first", "corners", "pos_uv", "neg_uv")
    return [(getattr(polygons, name).dtype, getattr(polygons, name).tolist()) for name in names]


def outcome(read: Any, data: bytes, count: int) -> Any:
    """What a reader gives for bytes that may be too few, and where it stops."""
    cursor = Cursor(data, 0x01000007)
    cursor.at = 5
    try:
        return tuple(read(cursor, count)), cursor.at
    except RecordError as error:
        return str(error)


def test_lists_read_as_columns_are_those_read_field_by_field() -> None:
    """Sabotage: take tables that are not stored for zero bytes that are; or forget the front's
    table before the back's."""
    rng = np.random.default_rng(4)
    for _ in range(3000):
        stored, count = random_list(rng)
        data = rng.bytes(5) + stored + rng.bytes(3)
        plain = outcome(read_plainly, data, count)
        assert outcome(rec.Polygons.unpack, data, count) == plain
        assert plain[1] == 5 + len(stored)
        cursor = Cursor(data)
        cursor.at = 5
        made = rec.Polygons.unpack(cursor, count)
        assert columns(made) == columns(rec.Polygons.of(plain[0]))
        assert [made[i] for i in range(count)] == list(plain[0])
        out = Packer()
        for polygon in made:
            polygon.pack(out)
        assert out.finish() == stored


def test_lists_that_are_cut_or_claim_too_much_are_refused_in_the_same_words() -> None:
    """Sabotage: blame the polygon after the one that does not fit."""
    rng = np.random.default_rng(5)
    refused = 0
    for _ in range(300):
        stored, count = random_list(rng)
        data = rng.bytes(5) + stored
        for size in range(5, len(data), 1 + len(data) // 90):
            plain = outcome(read_plainly, data[:size], count)
            assert outcome(rec.Polygons.unpack, data[:size], count) == plain
            refused += isinstance(plain, str)
        more = count + 1 + int(rng.integers(0, 3))
        ahead = data + rng.bytes(12 * more)
        for end in range(len(ahead) - 12, len(ahead)):
            plain = outcome(read_plainly, ahead[:end], more)
            assert outcome(rec.Polygons.unpack, ahead[:end], more) == plain
            refused += isinstance(plain, str)
    assert refused > 5000


def test_columns_are_the_tuple_of_their_polygons() -> None:
    stored, count = b"", 0
    rng = np.random.default_rng(6)
    while count < 5:
        stored, count = random_list(rng)
    made, plain = rec.Polygons.unpack(Cursor(stored), count), read_plainly(Cursor(stored), count)
    items = tuple(plain)
    for polygons in (made, rec.Polygons.of(plain)):
        assert polygons == items
        assert items == polygons
        assert polygons == made
        assert polygons != items[:-1]
        assert polygons != list(items)
        assert hash(polygons) == hash(items)
        assert repr(polygons) == repr(items)
        assert polygons[1:3] == items[1:3]
        assert polygons[-1] == items[-1]
        assert (*polygons, items[0]) == (*items, items[0])
        assert polygons.index(items[2]) == items.index(items[2])
        with pytest.raises(IndexError):
            polygons[count]
        assert rec.Polygons.of(polygons) is polygons
    with pytest.raises(ValueError, match="read-only"):
        made.corners[:] = 0
    assert not rec.Polygons.of(())


def random_node(rng: np.random.Generator, kind: rec.BspKind, depth: int) -> rec.BspNode:
    """A tree of nodes of all tags that its kind stores, deep or shallow, lists of any length."""
    tags = ("PORT", "BPIN", "BPnN", "BPnn", "BPIn", "BpIN", "BpnN", "BPOL", "LEAF", "LEAF", "WHAT")
    tag = str(rng.choice(tags)) if depth else str(rng.choice(("LEAF", "BPOL")))
    children = {"LEAF": "", "BPOL": "", "WHAT": "", "PORT": "pn", "BPIN": "pn", "BPnN": "pn",
                "BPnn": "p", "BPIn": "p", "BpIN": "n", "BpnN": "n"}[tag]  # fmt: skip
    plane, ball = (tuple(rng.normal(size=4).astype(np.float32).tolist()) for _ in range(2))
    is_leaf = tag == "LEAF"
    has_ball = kind == rec.BspKind.DRAWING and not is_leaf
    has_ball |= kind == rec.BspKind.PHYSICS and tag != "PORT"
    listed = has_ball and (kind == rec.BspKind.DRAWING or is_leaf)
    sizes = rng.choice((0, 0, 1, 2, 7), 2)
    words = [tuple(rng.integers(0, 65536, int(n)).tolist()) for n in sizes]
    made = [random_node(rng, kind, depth - 1) if side in children else None for side in "pn"]
    return rec.BspNode(
        tag,
        plane if not is_leaf else (0.0,) * 4,
        *made,
        ball if has_ball else (0.0,) * 4,
        words[0] if listed else (),
        tuple((word, word) for word in words[1]) if listed and tag == "PORT" else (),
        int(rng.integers(-5, 500)) if is_leaf else 0,
        int(rng.integers(-1, 3)) if is_leaf and kind == rec.BspKind.PHYSICS else 0,
    )


@pytest.mark.parametrize("kind", list(rec.BspKind))
def test_trees_that_are_read_are_those_that_were_written(kind: rec.BspKind) -> None:
    """Sabotage: lay the lists out in the order in which they are read, not in that of the nodes."""
    rng = np.random.default_rng(7)
    nodes = 0
    for _ in range(1500):
        tree = rec.BspTree.from_node(kind, random_node(rng, kind, int(rng.integers(0, 9))))
        out = Packer()
        out.bytes(b"front")
        tree.pack(out)
        data = out.finish()
        cursor = Cursor(data + b"behind", 0x01000007)
        cursor.at = 5
        again = rec.BspTree.unpack(cursor, kind)
        assert cursor.at == len(data)
        for name in ("nodes", "polygons", "portals"):
            read, written = getattr(again, name), getattr(tree, name)
            assert (read.dtype, read.shape) == (written.dtype, written.shape)
            assert read.tobytes() == written.tobytes()
            assert not read.flags.writeable
        size = 5 + int(rng.integers(0, len(data) - 5))
        cut = Cursor(data[:size], 0x01000007)
        cut.at = 5
        with pytest.raises(RecordError, match="record 0x01000007"):
            rec.BspTree.unpack(cut, kind)
        nodes += len(again)
    assert nodes > 5000
