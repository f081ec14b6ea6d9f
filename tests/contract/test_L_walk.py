"""Contract L, clause by clause, on small stages: what a frame holds and in which order."""

from __future__ import annotations

import pytest
from builders.painted import ALPHA, BLOCK, CLIP, IMAGE, SOLID, Stage, seen, words

LEFT, RIGHT = (1, -1, -3.0, -1.8), (1, -1, 1.8, 3.0)
SOUTH, EAST = (1, -1, -3.5, 3.5), (0, 1, -3.5, 3.5)
HOME = (108.0, 108.0)
HERE = BLOCK | 0x25
"""The land cell that the house of these tests stands in."""

OUTDOORS = BLOCK | 0x25, (108.0, 70.0, 2.0), (108.0, 108.0, 1.5)
INDOORS = (108.0, 111.0, 1.5), (108.0, 90.0, 1.5)


@pytest.mark.contract("L1")
def test_blocks_run_from_the_last_of_the_list_to_the_viewers_between_the_skys_passes() -> None:
    """Sabotage: walk the list forwards, or forget the weather; the first or second line fails."""
    rows = Stage(radius=2).paint(BLOCK | 1, (10.0, 10.0, 5.0), (120.0, 120.0, 0.0))
    indices = [row[2] for row in rows if row[0] == "block"]
    assert indices == sorted(indices, reverse=True)
    assert len(indices) > 3
    assert words(rows, "sky", "block", "weather")[0] == "sky"
    assert words(rows, "sky", "block", "weather")[-1] == "weather"


def test_things_at_a_border_are_drawn_from_both_sides_of_it() -> None:
    """MEM-05: three posts at 185, 191.9 and 2 m of the next block, the eye on its way over.

    Sabotage: walk the eye's own block alone; one of the three is lost.
    """
    stage = Stage(radius=1)
    mesh = stage.mesh(IMAGE)
    posts = [stage.put(100.0, y, 1.0, mesh) for y in (185.0, 191.9)]
    posts.append(stage.put(100.0, 2.0, 1.0, mesh, cell_id=BLOCK + 0x10000 | 0x21))
    gfx = stage.physics.graph.arrays.objects["part_first"][posts]
    assert len(set(gfx.tolist())) == 3
    for step in range(25):
        y = 191.1 + step * 0.05
        over = y >= 192.0
        land = BLOCK + 0x10000 * over | (4 * 8 + (0 if over else 7) + 1)
        local = y - 192.0 * over
        rows = stage.paint(land, (115.0, local, 2.0), (100.0, local, 1.0))
        assert sum(row[0] == "part" for row in rows) == 3, y


@pytest.mark.contract("L2", "L3", "LF2")
def test_two_windows_show_what_each_shows_alone() -> None:
    """Sabotage: forget the clearing, let a later view lower a cell, or skip the coarse blocks."""

    def looking(*windows: tuple[int, int, float, float]) -> list[int]:
        stage = Stage(radius=2)
        room = stage.room(*HOME, windows)
        return seen(stage.paint(room, *INDOORS))

    left, right, both = looking(LEFT), looking(RIGHT), looking(LEFT, RIGHT)
    assert set(left) - set(right)
    assert set(right) - set(left)
    assert set(both) == set(left) | set(right)
    assert looking(RIGHT, LEFT) == both

    stage = Stage(radius=2)
    room = stage.room(*HOME, (LEFT, RIGHT))
    stage.paint(room, *INDOORS)
    away = BLOCK | 0x25, (108.0, 100.0, 2.0), (108.0, 180.0, 2.0)
    again = seen(stage.paint(*away))
    assert again == seen(Stage(radius=2).paint(*away)), "the frame before is forgotten"


@pytest.mark.contract("L3")
def test_a_coarse_block_in_view_shows_all_its_cells() -> None:
    """Sabotage: leave its cells outside; the comparison of counts fails."""
    rows = Stage(radius=2).paint(BLOCK | 1, (96.0, 20.0, 60.0), (96.0, 400.0, 0.0))
    coarse = [row[1] for row in rows if row[0] == "block" and row[4] == 4]
    assert coarse
    drawn = seen(rows)
    for block_id in coarse:
        assert sum(cell >> 16 == block_id >> 16 for cell in drawn) == 16
    assert {row[4] for row in rows if row[0] == "terrain" and row[1] >> 16 == coarse[0] >> 16} == {
        1
    }


@pytest.mark.contract("L4", "L9", "T1")
def test_every_cell_of_every_block_in_view_ends_with_a_flush() -> None:
    """Seen or not, full or coarse. Sabotage: pass over cells of coarse blocks; counts differ."""
    rows = Stage(radius=2).paint(BLOCK | 1, (96.0, 20.0, 60.0), (96.0, 400.0, 0.0))
    sides = [row[4] for row in rows if row[0] == "block"]
    assert set(sides) == {8, 4}
    turns = words(rows, "terrain", "land cell")
    assert len(turns) == sum(side * side for side in sides)
    ends = [row for row in rows if row[:2] == ("flush", "cell")]
    assert ends == [("flush", "cell", 0.75, 0, 0, False)] * len(turns)
    kinds = [row[0] for row in rows if row[0] in ("terrain", "land cell", "flush")]
    assert all(kinds[i + 1] == "flush" for i, kind in enumerate(kinds) if kind != "flush")


@pytest.mark.contract("L4", "L5", "L8")
def test_a_cells_turn_is_ground_building_parts_flush() -> None:
    """Sabotage: the ground of all cells first, parts before the building, no flush after a cell."""
    stage = Stage()
    stage.house(*HOME, (SOUTH,))
    stage.put(*HOME, 6.0, stage.mesh(IMAGE))
    stage.put(100.0, 100.0, 1.0, stage.mesh(IMAGE), stage.mesh(IMAGE))
    rows = stage.paint(*OUTDOORS)
    start = next(i for i, row in enumerate(rows) if row[:2] == ("terrain", HERE))
    end = next(i for i in range(start + 1, len(rows)) if rows[i][0] in ("terrain", "land cell"))
    kinds = words(rows[start:end], "terrain", "building", "shell", "obj cell", "part", "flush")
    assert kinds == [
        "terrain", "building", "flush", "shell", "obj cell", "part", "part", "part", "flush",
    ]  # fmt: skip
    first_cell = next(i for i, row in enumerate(rows) if row[0] in ("terrain", "land cell"))
    sorts = [i for i, row in enumerate(rows) if row[0] == "sort" and row[1] == HERE]
    block = max(i for i, row in enumerate(rows[:start]) if row[0] == "block")
    assert sorts
    assert block < sorts[0] < min(i for i in range(block, len(rows)) if rows[i][0] == "land cell")
    assert first_cell < start


@pytest.mark.contract("L6", "LF3")
def test_equal_distances_keep_the_order_of_the_frame_before() -> None:
    """Sabotage: let equal ones swap, or begin anew each frame; the first or last line fails."""
    stage = Stage()
    one = stage.mesh(IMAGE)
    a, b = stage.put(100.0, 110.0, 1.0, one), stage.put(116.0, 110.0, 1.0, one)
    far = BLOCK | 1, (108.0, 2.0, 2.0), (108.0, 108.0, 1.0)

    def order(*eye: object) -> list[int]:
        rows = stage.paint(*eye)  # type: ignore[arg-type]
        return [name for name, _, _ in next(row[2] for row in rows if row[:2] == ("sort", HERE))]

    assert order(*far) == [a, b]
    assert order(HERE, (99.0, 100.0, 2.0), (108.0, 112.0, 1.0)) == [b, a]
    assert order(*far) == [b, a]


@pytest.mark.contract("L7", "L8")
def test_a_house_drains_punches_all_looks_in_and_shows_its_shell() -> None:
    """Sabotage: the shell first, no drain, or an opening at a time; the comparison fails."""
    stage = Stage()
    made, room = stage.house(*HOME, (SOUTH, EAST), IMAGE, SOLID)
    stage.put(109.5, 106.5, 1.0, stage.mesh(ALPHA), cell_id=room)
    rows = stage.paint(BLOCK | 0x25, (130.0, 86.0, 2.0), (108.0, 108.0, 1.5))
    slots = [row[3] for row in rows if row[0] == "shell"]
    assert slots == [0], "the fill without a picture is left out"
    start = rows.index(("building", made, 0))
    kinds = words(rows[start:], "building", "punch", "look in", "cell slot", "part", "shell")
    assert kinds == ["building", "punch", "punch", "look in", "cell slot", "part", "shell"]
    assert rows[start + 1][:3] == ("flush", "building", 0.0)


@pytest.mark.contract("L7", "LF4")
def test_a_house_whose_mesh_is_null_at_this_distance_does_nothing_at_all() -> None:
    """Sabotage: drain before the level is chosen; a flush of the building's site is told."""
    stage = Stage()
    stage.house(*HOME, (SOUTH,))
    shell = int(stage.looks.models.gfx_rows["id"].argmax())
    stage.looks.levels[shell] = [(-1, 1, 1000.0, 1000.0)]
    rows = stage.paint(*OUTDOORS)
    assert words(rows, "building", "punch", "look in", "shell") == []
    assert [row for row in rows if row[:2] == ("flush", "building")] == []


@pytest.mark.contract("L9")
@pytest.mark.parametrize(("entries", "drained"), [(2249, False), (2250, True), (3250, True)])
def test_a_cell_drains_at_2250_of_3000(entries: int, drained: bool) -> None:
    """Sabotage: drain at every cell, or at another level; the second line fails."""
    stage = Stage()
    whole, rest = divmod(entries, 250)
    parts = [stage.mesh(*[ALPHA] * 250)] * whole + ([stage.mesh(*[ALPHA] * rest)] if rest else [])
    stage.put(*HOME, 1.0, *parts)
    rows = stage.paint(*OUTDOORS)
    at = next(i for i, row in enumerate(rows) if row[:2] == ("obj cell", HERE))
    flush = next(row for row in rows[at:] if row[0] == "flush")
    assert flush == ("flush", "cell", 0.75, 0, min(entries, 3000), drained)
    assert sum(row[0] == "alpha" for row in rows) == min(entries, 3000)


@pytest.mark.contract("L9")
def test_the_clip_list_is_drained_before_the_alpha_list_and_neither_is_sorted() -> None:
    """Sabotage: the alpha list first, or near before far; the comparison fails."""
    stage = Stage()
    near = stage.put(108.0, 100.0, 1.0, stage.mesh(ALPHA, CLIP))
    far = stage.put(108.0, 130.0, 1.0, stage.mesh(CLIP, ALPHA))
    rows = stage.paint(*OUTDOORS)
    drawn = [(row[0], row[1]) for row in rows if row[0] in ("clip", "alpha")]
    assert drawn == [("clip", far), ("clip", near), ("alpha", far), ("alpha", near)]
    drains = [row[1] for row in rows if row[0] == "flush" and row[5]]
    assert drains == ["end"]


@pytest.mark.contract("L8", "L9", "L11")
def test_indoors_the_outside_once_then_clear_seals_shells_objects() -> None:
    """Sabotage: a landscape a view, the seals before the clear, objects with their shells."""
    stage = Stage()
    room = stage.room(*HOME, (LEFT, RIGHT))
    stage.put(108.0, 108.0, 1.0, stage.mesh(IMAGE), cell_id=room)
    wanted = ("sky", "weather", "clear depth", "seal", "env cell", "part")
    first, second = (stage.paint(room, *INDOORS) for _ in range(2))
    inside = ["seal", "seal", "env cell", "part"]
    assert words(first, *wanted) == ["sky", "weather", *inside]
    assert words(second, *wanted) == ["sky", "weather", "clear depth", *inside]
    assert next(row for row in second if row[0] == "clear depth") == ("clear depth", 2)
    at = next(i for i, row in enumerate(second) if row[0] == "clear depth")
    assert second[at - 1] == ("flush", "landscape", 0.0, 0, 0, True)
    assert second[-1][:3] == ("flush", "end", 0.0)


@pytest.mark.contract("L11")
def test_the_list_of_the_buildings_portal_says_what_a_look_in_enters() -> None:
    """Sabotage: take the list of the cell behind the opening, or forget it; the comparison fails.

    The far room is drawn first. The room's own list is empty, so from inside nothing lies behind.
    """
    stage = Stage()
    _, room = stage.house(*HOME, (SOUTH,), back=True)
    rows = stage.paint(*OUTDOORS)
    assert [row[:2] for row in rows if row[0] == "look in"] == [
        ("look in", room + 1),
        ("look in", room),
    ]
    rows = stage.paint(room, (108.0, 105.0, 1.5), (108.0, 120.0, 1.5))
    assert [row[:2] for row in rows if row[0] == "env cell"] == [("env cell", room)]


@pytest.mark.contract("L5")
def test_a_part_that_is_exchanged_out_of_view_is_shown_at_a_level_that_it_has() -> None:
    """A part's level is chosen when its cell is in view; then its mesh is another one (D30).

    Sabotage: look the old level up in the new mesh's table; the mesh of a table beside it is drawn.
    """
    stage = Stage()
    old, new, bare, beside = (stage.mesh(IMAGE) for _ in range(4))
    stage.looks.models.gfx_rows["drawing_sphere"][:4, 3] = 100.0  # so it reaches into the picture
    stage.looks.levels[old] = [(old, 1, far, far) for far in (1.0, 2.0, 1e9)]
    stage.looks.levels[new] = [(new, 1, 1.0, 1.0)]
    stage.looks.levels[beside] = [(beside, 1, far, far) for far in (1.0, 2.0, 3.0)]
    obj = stage.put(94.0, 108.0, 2.0, old)
    arrays = stage.physics.graph.arrays
    arrays.parts["scale"][int(arrays.objects["part_first"][obj])] = 0.2  # levels by distance / 0.2
    here = BLOCK | 0x25, (109.0, 108.0, 2.0)
    stage.paint(*here, (94.0, 108.0, 2.0))
    known = stage.painter._parts["level"][int(arrays.objects["part_first"][obj])]
    assert known == 2, "seen at the last of three levels"
    for gfx in (new, bare):
        stage.physics.set_part(obj, 0, gfx)
        rows = stage.paint(*here, (150.0, 108.0, 2.0))
        held = {int(row["cell_id"]) for row in stage.physics.graph.shadows_on(obj)}
        assert not held & set(seen(rows)), "its cells are behind the eye, so it is not measured"
        assert [row[3] for row in rows if row[0] == "part"] == [gfx]
