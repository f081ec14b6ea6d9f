"""Records: what is built comes back field by field, and what is odd is kept or refused by name."""

from __future__ import annotations

import itertools
import struct
from typing import Any

import numpy as np
import pytest
from builders.records import HERE, HOOKS, SAMPLES, TURNED, env_cell, gfx_obj, setup
from msgspec import Struct, structs

from acclient_py.dat import records as rec
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records import bsp
from acclient_py.errors import RecordError


def same(a: Any, b: Any) -> bool:
    """Equal field by field, arrays by their bytes."""
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Struct):
        names = a.__struct_fields__
        return type(a) is type(b) and all(same(getattr(a, n), getattr(b, n)) for n in names)
    return bool(a == b)


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_built_record_comes_back_field_by_field(kind: str) -> None:
    """Sabotage: exchange two fields in one `pack` and in one `unpack`; each alone is seen."""
    record = SAMPLES[kind]()
    data = record.write()
    again = type(record).read(data, 1)
    assert same(again, record)
    assert again.write() == data


def test_every_kind_with_a_reader_has_a_sample() -> None:
    kinds = [*rec.RECORD_KINDS, *(rec.kind_of(low, "cell") for low in (0xFFFF, 0xFFFE, 0x100))]
    assert {kind.name for kind in kinds if kind.type} == set(SAMPLES)


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_record_ends_at_its_end(kind: str) -> None:
    """One byte more or less is an error, whose text names the record."""
    record = SAMPLES[kind]()
    data = record.write()
    for wrong in (data + b"\0", data[:-1], b""):
        with pytest.raises(RecordError, match="record 0x01234567 at byte"):
            type(record).read(wrong, 0x01234567)


@pytest.mark.parametrize("kind", SAMPLES)
def test_rubbish_in_pad_bytes_is_read_and_written_as_zero(kind: str) -> None:
    """Of bytes whose change leaves the record the same, all are written as they were made: zero."""
    record = SAMPLES[kind]()
    data = record.write()
    pads = 0
    for at in range(len(data)):
        wrong = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
        try:
            again = type(record).read(wrong, 1)
        except RecordError:
            continue
        if again.write() != wrong:
            assert again.write() == data
            assert data[at] == 0
            pads += 1
    expected = {
        "LandBlock": 1,
        "LandBlockInfo": 2,  # after three stabs
        "Environment": 4,  # after odd portal lists, and after the drawing tree
        "MotionTable": 5,
        "Region": None,
    }.get(kind, 0)
    if expected is not None:
        assert pads == expected


@pytest.mark.parametrize("flags", [0, 1, 2, 3, 8, 9, 10, 11, 0x30])
@pytest.mark.parametrize("surfaces", [0, 1, 17])
@pytest.mark.parametrize("statics", [0, 1, 5])
def test_env_cells_of_every_make_round_trip(flags: int, surfaces: int, statics: int) -> None:
    """DAT-01. Sabotage: align after the visible list; every odd count then fails."""
    cell = env_cell(flags, surfaces, statics)
    data = cell.write()
    size = 20 + 2 * surfaces + 28 + 16 + 6
    size += (4 + 32 * statics) * bool(flags & 2) + 4 * bool(flags & 8)
    assert len(data) == size
    assert same(rec.EnvCell.read(data, cell.id), cell)


def test_an_env_cells_second_id_is_kept_where_it_differs() -> None:
    data = bytearray(env_cell().write())
    data[8:12] = struct.pack("<I", 77)
    cell = rec.EnvCell.read(data)
    assert (cell.id, cell.second_id) == (0x12340100, 77)
    assert cell.write() == data


def test_portal_side_is_the_inverted_bit() -> None:
    assert [rec.CellPortal(flags, 0, 0, 0).portal_side for flags in (0, 1, 2, 3)] == [1, 1, 0, 0]
    assert [rec.BuildingPortal(f, 0, 0, ()).portal_side for f in (0, 2, 4, 6)] == [1, 0, 1, 0]


def test_terrain_is_x_major() -> None:
    heights = np.arange(81, dtype=np.uint8)
    data = rec.LandBlock(0xFFFF, 0, np.zeros(81, np.uint16), heights).write()
    assert data[0xAA + 2 * 9 + 5] == heights.reshape(9, 9)[2, 5]
    assert len(data) == 252


def test_order_and_duplicates_of_keyed_lists_survive() -> None:
    info = SAMPLES["LandBlockInfo"]()
    again = rec.LandBlockInfo.read(info.write())
    assert again.restrictions == ((9, 1), (1, 2), (9, 3))
    table = rec.MotionTable.read(SAMPLES["MotionTable"]().write())
    assert [key for key, _ in table.style_defaults] == [0x8000003D, 0x8000003D]
    assert [key for key, _ in table.cycles] == [0x003D0005, 0x003D0003]


def test_unknown_bits_survive() -> None:
    data = bytearray(SAMPLES["GfxObj"]().write())
    data[4:8] = struct.pack("<I", 0xFFFF_FFFF)
    record = rec.GfxObj.read(data)
    assert record.flags == 0xFFFFFFFF
    assert record.write() == data


# vertices and polygons


@pytest.mark.parametrize("counts", [(), (0,), (2, 2, 2), (1, 2, 0), (0, 0, 1), (1, 0), (300, 1)])
def test_vertices_with_any_numbers_of_uvs_round_trip(counts: tuple[int, ...]) -> None:
    pairs = [[(float(i), float(j)) for j in range(n)] for i, n in enumerate(counts)]
    places = np.arange(3 * len(counts), dtype=np.float32).reshape(-1, 3)
    array = rec.VertexArray.make(places, -places, pairs)
    out = Packer()
    array.pack(out)
    plain = Packer()  # the format's own words, one vertex after the other
    plain.i32(1)
    plain.u32(len(counts))
    for index, n in enumerate(counts):
        plain.u16s((index, n))
        plain.f32s(places[index].tolist() + (-places[index]).tolist())
        for pair in pairs[index]:
            plain.f32s(pair)
    assert out.finish() == plain.finish()
    cursor = Cursor(out.finish())
    again = rec.VertexArray.unpack(cursor)
    cursor.end()
    assert same(again, array)
    for index, n in enumerate(counts):
        first = again.uv_first[index]
        assert again.uvs[first : first + n].tolist() == [list(pair) for pair in pairs[index]]


def test_a_vertex_table_that_looks_even_at_its_first_row_only_is_read_row_by_row() -> None:
    """The first vertex has no uv; the second's uvs hold bytes that read as another count of 0."""
    array = rec.VertexArray.make(np.zeros((3, 3)), np.zeros((3, 3)), [[], [(0.0, 0.0)] * 4, []])
    out = Packer()
    array.pack(out)
    assert same(rec.VertexArray.unpack(Cursor(out.finish())), array)


@pytest.mark.parametrize("table", [(), (1,), (1, 0), (1, 0, 2)])
def test_a_missing_uv_index_counts_as_zero(table: tuple[int, ...]) -> None:
    """DAT-04. Sabotage: write the table as it is; the polygon then reads differently or not."""
    polygon = rec.Polygon(0, 0, 2, 0, 0, (0, 1, 2), table, table)
    expected = tuple((*table, 0, 0, 0)[:3])
    assert tuple(polygon.uv_index(corner) for corner in range(3)) == expected
    assert tuple(polygon.uv_index(corner, back=True) for corner in range(3)) == expected
    out = Packer()
    polygon.pack(out)
    cursor = Cursor(out.finish())
    (again,) = rec.Polygons.unpack(cursor, 1)
    cursor.end()
    assert (again.pos_uv, again.neg_uv) == (expected, expected)


@pytest.mark.parametrize("sides", [0, 1, 2])
@pytest.mark.parametrize("stippling", [0, 3, 4, 8, 0xC, 0x10, 0x14, 0xF3])
def test_the_layout_of_a_polygon_follows_bits_4_and_8(sides: int, stippling: int) -> None:
    has_pos, has_neg = not stippling & 4, sides == 2 and not stippling & 8
    data = struct.pack("<HBBihh3h", 9, 3, stippling, sides, -1, 5, 2, -1, 0)
    data += b"\x01\x02\x03" * has_pos + b"\x04\x05\x06" * has_neg
    cursor = Cursor(data)
    (polygon,) = rec.Polygons.unpack(cursor, 1)
    cursor.end()
    assert polygon.vertex_indices == (2, -1, 0)
    assert (polygon.pos_surface, polygon.neg_surface) == (-1, 5)
    assert polygon.pos_uv == ((1, 2, 3) if has_pos else ())
    assert polygon.neg_uv == ((4, 5, 6) if has_neg else ())
    out = Packer()
    polygon.pack(out)
    assert out.finish() == data


# trees


@pytest.mark.parametrize("kind", list(rec.BspKind))
def test_a_tree_of_ten_thousand_levels_is_read_and_written(kind: rec.BspKind) -> None:
    """DAT-11. Sabotage: read children by recursion; this ends in a RecursionError."""
    head = struct.pack("<I4f", bsp.tag_code("BPnn"), 0, 0, 1, 0)
    tail = {
        rec.BspKind.CELL: b"",
        rec.BspKind.PHYSICS: bytes(16),
        rec.BspKind.DRAWING: bytes(16) + struct.pack("<IH", 1, 7),
    }[kind]
    leaf = struct.pack("<Ii", bsp.LEAF, 3)
    if kind == rec.BspKind.PHYSICS:
        leaf += bytes(24)
    data = head * 10_000 + leaf + tail * 10_000
    cursor = Cursor(data)
    tree = rec.BspTree.unpack(cursor, kind)
    cursor.end()
    assert len(tree) == 10_001
    assert tree.nodes["positive"].tolist() == [*range(1, 10_001), -1]
    assert set(tree.nodes["negative"].tolist()) == {-1}
    out = Packer()
    tree.pack(out)
    assert out.finish() == data
    with pytest.raises(RecordError):
        rec.BspTree.unpack(Cursor(data[:-1] if tail else data[:-9]), kind)


@pytest.mark.parametrize("tag", ["BPOL", "BPFL", "Bpnn", "BpIn", "WHAT"])
def test_any_other_tag_is_a_node_without_children(tag: str) -> None:
    tree = rec.BspTree.from_node(rec.BspKind.DRAWING, rec.BspNode(tag, polygons=(4, 2)))
    out = Packer()
    tree.pack(out)
    assert len(out.finish()) == 20 + 16 + 8
    again = rec.BspTree.unpack(Cursor(out.finish()), rec.BspKind.DRAWING)
    assert same(again, tree)
    assert again.polygons_of(0).tolist() == [4, 2]


def test_a_node_with_children_that_its_tag_does_not_name_is_refused() -> None:
    leaf = rec.BspNode("LEAF")
    for wrong in (rec.BspNode("BPnn"), rec.BspNode("BpnN", positive=leaf), rec.BspNode("PORT")):
        with pytest.raises(ValueError, match=wrong.tag):
            rec.BspTree.from_node(rec.BspKind.CELL, wrong)


def test_a_physics_port_has_children_only() -> None:
    inner = rec.BspNode("LEAF")
    node = rec.BspNode("PORT", (0, 1, 0, -2), inner, inner)
    tree = rec.BspTree.from_node(rec.BspKind.PHYSICS, node)
    out = Packer()
    tree.pack(out)
    assert len(out.finish()) == 20 + 2 * 32
    assert same(rec.BspTree.unpack(Cursor(out.finish()), rec.BspKind.PHYSICS), tree)


def test_float_bits_of_a_tree_survive() -> None:
    data = struct.pack("<I4If3I", bsp.tag_code("BPOL"), *[0x7F800001] * 4, -0.0, 1, 2, 0xFFFFFFFF)
    tree = rec.BspTree.unpack(Cursor(data), rec.BspKind.PHYSICS)
    out = Packer()
    tree.pack(out)
    assert out.finish() == data


# hooks


def hook_bytes(hook: int, payload: bytes) -> bytes:
    return struct.pack("<Ii", hook, 1) + payload


PAYLOAD_SIZES = (
    [0, 4, 4, 28, 0, 4, 4, 16, 12, 16, 12, 16, 8, 40, 4, 4, 4, 0, 4, 8, 12, 16, 12, 8, 12, 4, 40]
)  # fmt: skip


@pytest.mark.parametrize("hook", range(0x1B))
def test_every_hook_has_its_payload(hook: int) -> None:
    payload = bytearray(PAYLOAD_SIZES[hook])
    if hook in (0x0D, 0x1A):
        struct.pack_into("<f", payload, 20, 1.0)
    data = hook_bytes(hook, bytes(payload))
    cursor = Cursor(data + b"next")
    value = rec.Hook.unpack(cursor)
    assert cursor.bytes(4) == b"next"
    assert (value.type, value.direction, value.payload) == (hook, 1, payload)
    out = Packer()
    value.pack(out)
    assert out.finish() == data


def test_a_hook_ends_on_a_multiple_of_four_of_its_record() -> None:
    cursor = Cursor(b"\xaa" + hook_bytes(0x0E, b"\x07\0\0\0") + b"\xee\xee\xeenext")
    cursor.u8()
    hook = rec.Hook.unpack(cursor)
    assert cursor.bytes(4) == b"next"
    out = Packer()
    out.u8(0xAA)
    hook.pack(out)
    assert out.finish() == b"\xaa" + hook_bytes(0x0E, b"\x07\0\0\0") + bytes(3)


@pytest.mark.parametrize("hook", [0x1B, 0x100, 0xFFFFFFFF])
def test_an_unknown_hook_is_named(hook: int) -> None:
    script = struct.pack("<II", 0x33000001, 1) + bytes(8) + hook_bytes(hook, bytes(40))
    with pytest.raises(RecordError, match=f"record 0x33000001 at byte 16: .*0x{hook:X}"):
        rec.PhysicsScript.read(script, 0x33000001)


def test_hook_fields_have_names() -> None:
    assert HOOKS[0].fields == {"wave": 0x0A000001}
    assert HOOKS[2].fields == {
        "emitter_info": 0x32000001,
        "part": 0xFFFFFFFF,
        "offset": TURNED,
        "emitter_id": 7,
    }
    assert HOOKS[3].fields == {"raw": bytes.fromhex("02012000")}


@pytest.mark.parametrize("hook", [h for h in rec.HookType if h != rec.HookType.REPLACE_OBJECT])
def test_a_hook_can_be_made_of_its_own_fields(hook: rec.HookType) -> None:
    payload = bytearray(PAYLOAD_SIZES[hook])
    if hook in (0x0D, 0x1A):
        struct.pack_into("<f", payload, 20, 1.0)
    value = rec.Hook(hook, -1, bytes(payload))
    assert rec.Hook.make(hook, -1, tuple(value.fields.values())) == value


@pytest.mark.parametrize(
    "values", [(), (1.5,), (HERE,), (1, 2)], ids=["none", "float", "frame", "two"]
)
def test_a_hook_of_wrong_values_is_refused(values: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="SOUND"):
        rec.Hook.make(rec.HookType.SOUND, 0, values)


@pytest.mark.parametrize(
    ("payload", "readings"),
    [
        ("02012000", ((2, 0x01002001), (0x102, 0x01000020))),  # both take 4 bytes
        ("02000100", ((2, 0x01000100), (2, 0x01000001))),
        ("02008000", None),  # an id whose low byte is 0x80, in the wide form
        ("020080cdab000000", ((2, 0x0100ABCD), None)),  # u8 part, long id
        ("02000080cdab0000", (None, (2, 0x0100ABCD))),  # u16 part, long id
    ],
)
def test_the_payload_of_replace_object_is_kept_raw(payload: str, readings: Any) -> None:
    """Both readings of a disputed payload keep the reader in its place."""
    raw = bytes.fromhex(payload)
    data = hook_bytes(5, raw)
    cursor = Cursor(data + struct.pack("<Ii", 0, 1))
    hook = rec.Hook.unpack(cursor)
    assert hook.payload == raw
    assert rec.Hook.unpack(cursor) == rec.Hook(0, 1)
    cursor.end()
    out = Packer()
    hook.pack(out)
    assert out.finish() == data
    for expected, got in zip(readings or (None, None), hook.replacements, strict=True):
        assert expected is None or got == expected


# whole-object parts


@pytest.mark.parametrize(
    ("part", "expected"),
    [(0, 0), (2, 2), (3, None), (255, None), (0xFFFFFFFF, None), (-1, None), (-3, None)],
)
def test_a_part_that_is_none_means_the_object(part: int, expected: int | None) -> None:
    """EQP-04. Sabotage: test only `part < count`; -1 then names the last part."""
    assert rec.own_part(part, 3) == expected


def test_part_minus_one_is_stored_as_read() -> None:
    """EQP-04: a location and a hook that mean the whole object come back unsigned."""
    again = rec.Setup.read(setup().write())
    location = again.holding_location(0x77)
    assert location is not None
    assert location.part == 0xFFFFFFFF
    assert rec.own_part(location.part, len(again.parts)) is None
    assert rec.own_part(HOOKS[2].fields["part"], len(again.parts)) is None


def test_uninitialised_cone_angles_and_foreign_placement_keys_are_kept() -> None:
    data = setup().write()
    again = rec.Setup.read(data)
    assert again.lights[0].cone_angle == -431602080.0
    assert bytes.fromhex("cdcdcdcd") in data
    assert again.placement(0x3F2) is not None
    assert again.placement(0x3F3) is None


# sounds, object descriptions, iterations, lookups


def test_a_sound_tree_of_any_depth_is_read() -> None:
    node = struct.pack("<III", 1, 0, 1)
    data = struct.pack("<I", 0x20000001) + node * 5000 + struct.pack("<III", 2, 0, 0)
    table = rec.SoundTable.read(data)
    depth, at = 0, table.root
    while at.children:
        depth, at = depth + 1, at.children[0]
    assert (depth, at.key) == (5000, 2)
    assert table.write() == data


def test_a_sound_table_with_stray_child_counts_is_read_flat() -> None:
    """Sabotage: leave out the second reading; the table is then refused."""
    entry = struct.pack("<I3f", 0x0A000001, 1.0, 0.5, 0.25)
    root = struct.pack("<III", 0x20000001, 0, 1) + entry + struct.pack("<I", 2)
    children = struct.pack("<II", 3, 1) + entry + struct.pack("<I", 0xDEADBEEF)
    children += struct.pack("<III", 4, 0, 1)
    table = rec.SoundTable.read(root + children)
    assert [(c.key, c.stray_count) for c in table.root.children] == [(3, 0xDEADBEEF), (4, 1)]
    assert table.write() == root + children


def test_sound_tables_that_fit_neither_reading_are_refused() -> None:
    with pytest.raises(RecordError):
        rec.SoundTable.read(struct.pack("<5I", 0x20000001, 0, 0, 1, 3))


def test_object_descriptions_come_back() -> None:
    look = rec.ObjDesc(
        0x0400007E,
        (rec.SubPalette(0x04000FFF, 24 * 8, 80), rec.SubPalette(0x04004000, 0, 2048)),
        (rec.TextureChange(2, 0x05000010, 0x05012345),),
        (rec.PartChange(0, 0x01004ABC), rec.PartChange(255, 0x01000001)),
    )
    out = Packer()
    out.u8(0xAA)
    look.pack(out)
    data = out.finish()
    assert data[:8] == bytes.fromhex("aa00000011020102")
    assert len(data) % 4 == 0
    cursor = Cursor(data)
    cursor.u8()
    assert rec.ObjDesc.unpack(cursor) == look
    cursor.end()


def test_an_empty_object_description_is_one_word() -> None:
    out = Packer()
    rec.ObjDesc().pack(out)
    assert out.finish() == b"\x11\0\0\0"
    with pytest.raises(RecordError, match="0x11"):
        rec.ObjDesc.unpack(Cursor(bytes(4)))


def test_iterations_of_either_form() -> None:
    full = rec.IterationRecord.full(2072)
    assert full.write().hex() == "18080000e8f7ffff01000000"
    mixed = rec.IterationRecord.of((1, 2, 3, 4, 5, 9))
    assert mixed.write().hex() == "06000000fbffffff0100000009000000"
    pair = rec.IterationRecord.of((1, 2))
    assert pair.write().hex() == "020000000100000002000000"
    assert list(pair) == [1, 2]
    top = rec.IterationRecord.read(struct.pack("<II", 1, 0x40000005))
    assert list(top) == [0xC0000005]
    assert top.write() == struct.pack("<II", 1, 0x40000005)


def test_a_huge_run_of_iterations_costs_nothing() -> None:
    data = struct.pack("<IiI", 0x80000000, -0x80000000, 1)
    record = rec.IterationRecord.read(data)
    assert record.runs[0].count == 0x80000000
    assert record.write() == data


def test_a_script_is_chosen_by_the_first_group_of_its_type() -> None:
    table = SAMPLES["PhysicsScriptTable"]()
    assert [table.choose(75, x) for x in (0.0, 0.5, 0.6, 1.5)] == [
        0x33000001,
        0x33000001,
        0x33000002,
        None,
    ]
    assert table.choose(76, 0.0) is None


def test_a_palette_is_chosen_by_shade() -> None:
    palettes = rec.PaletteSet(0x0F000001, (10, 11, 12, 13))
    assert [palettes.choose(h) for h in (0.0, 0.25, 0.26, 1.0, 2.0, -1.0)] == [
        10, 10, 11, 13, 13, 10
    ]  # fmt: skip
    assert rec.PaletteSet(0x0F000001, ()).choose(0.5) == 0


def test_a_region_of_another_version_or_form_is_refused() -> None:
    data = SAMPLES["Region"]().write()
    for version in (0, 2, 4):
        wrong = data[:8] + struct.pack("<I", version) + data[12:]
        with pytest.raises(RecordError, match=f"at byte 8: region version {version}"):
            rec.Region.read(wrong, 0x13000000)
    merge = data.index(struct.pack("<III", 0, 128, 1))
    wrong = data[:merge] + b"\x01" + data[merge + 1 :]
    with pytest.raises(RecordError, match=f"at byte {merge}: land surface type 1"):
        rec.Region.read(wrong, 0x13000000)


@pytest.mark.parametrize("parts", [0, 0x001, 0x002, 0x010, 0x200, 0x213, 0x9EC, 0xFFFFFFFF])
def test_a_region_stores_what_its_parts_say(parts: int) -> None:
    full = SAMPLES["Region"]()
    record = structs.replace(
        full,
        parts=parts,
        sky=full.sky if parts & 0x10 else None,
        sounds=full.sounds if parts & 1 else (),
        scene_types=full.scene_types if parts & 2 else (),
        misc=full.misc if parts & 0x200 else None,
    )
    assert same(rec.Region.read(record.write()), record)


# kinds


@pytest.mark.parametrize(
    ("record_id", "file", "name"),
    [
        (0x0100FFFF, "portal", "GfxObj"),
        (0x01010000, "portal", "Unknown"),
        (0x07000001, "highres", "RenderSurface"),
        (0x05FFFFFF, "portal", "SurfaceTexture"),
        (0x0E000002, "portal", "CharGen"),
        (0x0E000005, "portal", "Unknown"),
        (0x0E01ABCD, "portal", "QualityFilter"),
        (0x23000001, "local", "StringTable"),
        (0x24000001, "local", "StringTable"),
        (0x40000FFF, "portal", "Font"),
        (0x40001000, "local", "LocalFont"),
        (0x7FFFFFFF, "portal", "DBProperties"),
        (0x80000000, "portal", "Unknown"),
        (0x00000000, "portal", "Unknown"),
        (0xFFFF0001, "portal", "Iteration"),
        (0xFFFF0001, "cell", "Iteration"),
        (0x0000FFFF, "cell", "LandBlock"),
        (0x0000FFFF, "portal", "WeenieDefaults"),
        (0xA9B4FFFE, "cell", "LandBlockInfo"),
        (0xA9B40100, "cell", "EnvCell"),
        (0xA9B4FFFD, "cell", "EnvCell"),
        (0xA9B400FF, "cell", "Unknown"),
    ],
)
def test_the_kind_of_an_id(record_id: int, file: str, name: str) -> None:
    assert rec.kind_of(record_id, file).name == name


def test_kinds_do_not_overlap() -> None:
    kinds = rec.RECORD_KINDS
    for before, after in itertools.pairwise(kinds):
        assert before.first <= before.last < after.first


@pytest.mark.parametrize("record_id", [0x0E00000E, 0x22000001, 0x0C000001])
def test_kinds_without_a_reader_keep_their_bytes(record_id: int) -> None:
    record = rec.read_record(record_id, b"\x01\x02\x03")
    assert isinstance(record, rec.RawRecord)
    assert (record.kind, record.id) == (rec.kind_of(record_id).name, record_id)
    assert record.write() == b"\x01\x02\x03"


def test_records_cannot_be_changed() -> None:
    record = gfx_obj()
    with pytest.raises(AttributeError, match="immutable"):
        record.flags = 0  # type: ignore[misc]
    again = rec.GfxObj.read(record.write())
    with pytest.raises(ValueError, match="read-only"):
        again.vertices.vertices["id"][0] = 7
