"""Whole bakes: the same bytes everywhere, sound sets, clear refusals."""

from __future__ import annotations

import hashlib
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from builders.worlds import TINY, baked, opened

from acclient_py import paths
from acclient_py.bake import bake, files
from acclient_py.bake.bake import bake_recipe
from acclient_py.bake.bsp import area
from acclient_py.bake.checks import faults_of
from acclient_py.bake.faces import convex_parts, face
from acclient_py.bake.files import recipe_files
from acclient_py.bake.schema.recipe import schema_text
from acclient_py.dat.container import DatFile
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records import EnvCell, LandBlockInfo
from acclient_py.dat.writer import CELL, PORTAL, build
from acclient_py.errors import DataError

FIXTURES = sorted(path.stem for path in TINY.glob("*.toml"))
TWO_ROOMS = """
[[room]]
name = "a"
block = "0101"
at = [20, 20, 0]
[[room]]
name = "b"
block = "0101"
at = [26, 20, 0]
[[door]]
rooms = ["a", "b"]
"""
LAND = "[terrain]\nblocks = ['0101', '0101']\n"
POINTS = "[[0, 0, 0], [4, 0, 0], [0, 3, 0], [3, 3, 0], [1, -2, 0]]"
ROUND = [[math.cos(k * math.tau / 300), math.sin(k * math.tau / 300), 0.0] for k in range(300)]


def mesh(shape: str, keys: str, more: str = "") -> str:
    """A recipe of land and one mesh of one piece."""
    return LAND + f"[mesh.m]\n{more}\npieces = [{{ shape = '{shape}', {keys} }}]\n"


def house(keys: str) -> str:
    """A recipe of land and a house of 6 x 6 m with a door to the south."""
    return LAND + f"[[house]]\nat = [96, 96]\nsize = [6, 6]\ndoor = 'south'\n{keys}\n"


def day(thing: str, hour: str) -> str:
    """A kind of day with one thing at most, and an hour with more keys."""
    light = "time = 0, sun = 1, heading = 0, pitch = 45, color = '#FFFFFF', ambient = 1"
    light += ", ambient_color = '#FFFFFF'"
    return f"[day.d]\nname = 'd'\nthings = [{thing}]\nhours = [{{ {light}{hour} }}]\n"


def digest(folder: Path) -> str:
    names = ("client_portal.dat", "client_cell_1.dat", "names.json")
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in names)).hexdigest()


@pytest.mark.contract("T8")
def test_two_bakes_agree_to_the_byte_whatever_the_hash_seed(tmp_path: Path) -> None:
    """Sabotage: iterate over a set of names in Book; another hash seed gives other ids."""
    recipe = TINY / "doll.toml"
    bake_recipe(recipe, tmp_path / "here")
    code = "import sys; from acclient_py.bake import bake; bake.bake_recipe(*sys.argv[1:3])"
    for seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code, str(recipe), str(tmp_path / seed)]
        subprocess.run(command, check=True, env=environment)
        assert digest(tmp_path / seed) == digest(tmp_path / "here")


@pytest.mark.parametrize("name", FIXTURES)
def test_every_fixture_world_is_sound(name: str) -> None:
    with opened(name) as dats:
        assert list(faults_of(dats)) == []


def damaged(tmp_path: Path, name: str, number: int, **changes: object) -> list[str]:
    """The faults of a fixture world in which one record has been changed."""
    from msgspec.structs import replace

    source = baked(name).folder
    for kind in (PORTAL, CELL):
        with DatFile.open(source / kind.name) as file:
            records = {e.id: file.read(e.id) for e in file.entries() if e.id != 0xFFFF0001}
        if kind is CELL:
            with opened(name) as dats:
                records[number] = replace(dats.record(number), **changes).write()
        build(tmp_path / kind.name, records, kind)
    with DatSet.open(tmp_path) as dats:
        return list(faults_of(dats))


HUT_CELL = 0x7F7F0100
HUT_INFO = 0x7F7FFFFE


def hut_record(number: int) -> EnvCell | LandBlockInfo:
    with opened("hut") as dats:
        record: EnvCell | LandBlockInfo = dats.record(number)
        return record


def test_the_checker_names_a_missing_surface(tmp_path: Path) -> None:
    surfaces = (0x08007777, *hut_record(HUT_CELL).surfaces[1:])  # type: ignore[union-attr]
    faults = damaged(tmp_path, "hut", HUT_CELL, surfaces=surfaces)
    assert faults == ["0x7F7F0100: names 0x08007777, which is not there"]


def test_the_checker_names_a_building_whose_stab_list_lacks_its_cell(tmp_path: Path) -> None:
    from msgspec.structs import replace

    info = hut_record(HUT_INFO)
    assert isinstance(info, LandBlockInfo)
    building = info.buildings[0]
    portals = (replace(building.portals[0], stabs=()), *building.portals[1:])
    faults = damaged(tmp_path, "hut", HUT_INFO, buildings=(replace(building, portals=portals),))
    assert faults == ["0x7F7FFFFE: building portal 0: its stab list lacks cells"]


def test_the_checker_names_a_portal_that_is_not_answered(tmp_path: Path) -> None:
    from msgspec.structs import replace

    cell = 0x01010100
    with opened("two_rooms") as dats:
        portal = dats.record(cell).portals[0]
    changed = (replace(portal, other_portal_id=3),)
    faults = damaged(tmp_path, "two_rooms", cell, portals=changed)
    assert faults == [
        "0x01010100: portal 0 leads to no portal",
        "0x01010101: portal 0 is not answered by its partner",
    ]


def test_the_checker_names_cells_that_are_not_listed_as_visible(tmp_path: Path) -> None:
    faults = damaged(tmp_path, "two_rooms", 0x01010101, visible_cells=())
    assert faults == ["0x01010101: its visible cells lack some that its portals lead to"]


def test_the_checker_names_an_edge_that_does_not_meet(tmp_path: Path) -> None:
    with opened("flat4") as dats:
        heights = dats.record(0x7F7FFFFF).heights.copy()
    heights[8 * 9 + 3] += 1
    faults = damaged(tmp_path, "flat4", 0x7F7FFFFF, heights=heights)
    assert faults == ["0x7F7FFFFF: its edge differs from that of the block to the east"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TWO_ROOMS.replace('name = "a"', 'naem = "a"'),
            "recipe: room[0]: unknown key 'naem'; did you mean 'name'?",
        ),
        (TWO_ROOMS + "[texture.x]\nlayers = [{ kind = 'bricks', colors = ['#fff'] }]",
         "recipe: texture.x.layers[0].colors[0]: Expected `str` matching regex"),
        (TWO_ROOMS + "[mesh.x]\npieces = [{ shape = 'bx', size = [1, 1, 1] }]",
         "recipe: mesh.x.pieces[0].shape: Invalid value 'bx'"),
        (TWO_ROOMS + "[mesh.x]\npieces = [{ shape = 'box', size = [1, 1, 1], surface = 'stome' }]",
         "mesh 'x': there is no surface 'stome'; did you mean 'stone'?"),
        (TWO_ROOMS.replace('rooms = ["a", "b"]', 'rooms = ["a", "c"]'), "door a-c: no room 'c'"),
        (TWO_ROOMS.replace("26, 20", "26, 40"),
         "door a-b: rooms 'a' and 'b' have no walls that face each other over 1.6 m"),
        (TWO_ROOMS.replace("[[door]]", "[[dor]]"),
         "recipe: unknown key 'dor'; did you mean 'door'?"),
        (house("windows = [{ side = 'south', at = 0.5, sill = 1.0, width = 1.0, height = 1.0 }]"),
         "house[0], south wall: the opening 2.7 to 3.7 m along the wall and 1 to 2 m up overlaps "
         "the one 2.05 to 3.35 m along the wall and 0 to 2.2 m up"),
        (house("windows = [{ side = 'south', at = 0, sill = 2.3, height = 1.0 }]"),
         "house[0], south wall: the opening 2.1 to 3.3 m along the wall and 2.3 to 3.3 m up leaves "
         "the wall, which is 5.4 x 2.8 m"),
        (mesh("wall", "length = 4, height = 5, openings = [{ sill = 1 }, { at = 1, sill = 3 }]"),
         "mesh.m: the opening 0.4 to 1.6 m along the wall and 3 to 5.2 m up leaves the wall, which "
         "is 4 x 5 m"),
        (LAND + "paint = [{ type = 'Snow', height = [9, 2] }]",
         "terrain.paint[0].height: [least, most]: 9 is more than 2"),
        (LAND + "paint = [{ type = 'Snow', slope = [40, 20] }]",
         "terrain.paint[0].slope: [least, most]: 40 is more than 20"),
        (LAND + "paint = [{ type = 'Snow', radius = 20 }]",
         "terrain.paint[0]: at goes with radius or size"),
        (LAND + "paint = [{ type = 'Snow', at = [20, 20] }]",
         "terrain.paint[0]: at goes with radius or size"),
        (mesh("box", "size = [1, 1, 1]")
         + "[scene.s]\nobjects = [{ model = 'm' }, { model = 'm', slope = [30, 10] }]\n"
         "[ground.Grassland]\ntexture = 'stone'\nslots = [['s']]",
         "scene 's' objects[1].slope: [least, most]: 30 is more than 10"),
        (mesh("box", "size = [1, 1, 1]") + day("{ mesh = 'm', time = [0.8, 0.2] }", ""),
         "day.d.things[0].time: [least, most]: 0.8 is more than 0.2"),
        (mesh("box", "size = [1, 1, 1]") + day("", ", fog = [900, 20]"),
         "day.d.hours[0].fog: [least, most]: 900 is more than 20"),
        (mesh("box", "size = [1, 1, 1]")
         + "[[static]]\nmodel = 'm'\nblock = '0505'\nat = [90, 90, 4]",
         "static[0] 'm': there is no ground at (90, 90) of block 0505; [terrain] makes it"),
        (mesh("box", "size = [1, 1, 1]")
         + "[[static]]\nmodel = 'm'\nblock = '0101'\nat = [90, 192]",
         "static[0] 'm': there is no ground at (90, 192) of block 0101; [terrain] makes it"),
        (house("block = '0101'").removeprefix(LAND),
         "house[0]: there is no ground at (96, 96) of block 0101; [terrain] makes it"),
        ("[[room]]\nname = 'a'\nblock = '0101'\nat = [0, 0, 0]",
         "rooms of block 0101, room 'a': a room without any opening holds nothing"),
        (TWO_ROOMS + "[texture.x]\nsize = 48\nlayers = []",
         "texture.x: size 48x48: sides are powers of two from 1 to 2048"),
        (TWO_ROOMS + "[setup.x]\nid = '0x01000001'\nmesh = 'y'",
         "setup 'x': id 0x01000001 is not one of 0x02000000 to 0x0200FFFF"),
        ("x = ", "recipe: not TOML"),
        ("x = 1" + "0" * 5000, "recipe: not TOML: Exceeds the limit"),
        ("x = " + "[" * 5000, "recipe: not TOML: maximum recursion depth"),
        (TWO_ROOMS + f"[{'.'.join(['place'] * 800)}]\nx = 1", "recipe: place.place"),
        ("# nothing", "recipe: the recipe is empty; add [terrain]"),
        ("[terrain]\nblock = ['0101', '0101']", "unknown key 'block'; did you mean 'blocks'?"),
        (LAND + "base = 1e30", "recipe: terrain.base: 1e+30: numbers go to 1e+09"),
        (LAND + "slot = 40", "recipe: terrain.slot: Expected `int` <= 31"),
        (LAND + "slot = -1", "recipe: terrain.slot: Expected `int` >= 0"),
        (LAND + "roads = [{ points = [[0, 0], [1e8, 0]] }]",
         "terrain.roads[0]: (1e+08, 0) is far from the land"),
        (LAND + "[ground.Gras]\ntexture = 'stone'", "ground.Gras: no terrain type 'Gras'"),
        (LAND + "[region]\nheights = 0", "region.heights: heights rise"),
        (LAND + "[region]\nname = '\u4e2d'", "region.name: a name has letters that the DAT files"),
        (TWO_ROOMS.replace("0101", "FFFF"), "room 'a': there is no block FFFF"),
        (mesh("box", "size = [1, 1, 1], bevel = 5"), "mesh.m: a bevel of 5 m is too much"),
        (mesh("box", "size = [1, 1, 1], repeat = 100000"), "repeat: Expected `int` <= 4096"),
        (mesh("lathe", "profile = [[-1, 0], [1, 1]]"), "mesh.m: a profile has no radius below 0"),
        (mesh("grid", "size = [1, 1], cells = [4096, 4096]"), "mesh.m: a grid of 4096 x 4096"),
        (mesh("prism", "height = 1, outline = [[0, 0], [1, 1], [1, 0], [0, 1]]"),
         "mesh.m: an outline crosses itself"),
        (mesh("soup", f"points = {POINTS}, polygons = [[0, 1, 2, 3, 4]]"),
         "mesh.m: polygon 0: its outline crosses itself"),
        (mesh("soup", f"points = {POINTS}, polygons = [{{ corners = [0, 1, 2], uvs = [[0, 0]] }}]"),
         "mesh.m: polygon 0: 1 uvs, 3 corners"),
        (mesh("soup", f"points = {ROUND}, polygons = [{list(range(300))}]"),
         "mesh.m: a polygon of 300 corners: at most 255"),
        (mesh("sphere", "segments = 40, rings = 40", "physics = true"),
         "mesh.m: 1600 polygons that collide, at most 800"),
        (mesh("box", "size = [1, 1, 1]") + "[setup.s]\nmesh = 'm'\nholding = { 9999999999 = {} }",
         "setup 's': a number does not fit its record"),
        (mesh("box", "size = [1, 1, 1]") + "[setup.s]\nparts = [{ name = 'a', mesh = 'm' }, "
         "{ name = 'a', mesh = 'm' }]", "setup 's': two parts have the name 'a'"),
        (LAND + "[[static]]\nmodel = 'm'\nat = [5, 5]\nrotation = [0, 0, 0, 0]",
         "static[0] 'm': a rotation of four zeros is none"),
        (LAND + "[[house]]\nat = [96, 96]\nsize = [500, 9]\ndoor = 'south'",
         "house[0]: a house is at most 190 m long"),
        (LAND + "[[house]]\nat = [96, 96]\nsize = [9, 9]",
         "house[0]: a house needs a door or a window; add door = 'south'"),
    ],
)  # fmt: skip
def test_a_fault_is_one_line_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        bake_recipe(text + "\n", tmp_path)
    said = str(caught.value)
    assert message in said
    assert "\n" not in said


CARRY = (
    mesh("box", "size = [1, 1, 1]")
    + "[setup.s]\nmesh = 'm'\nholding = { RightHand = {} }\n[setup.bare]\nmesh = 'm'\n"
    + "[world]\nplayer = 's'\n"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CARRY + "start = 'nowhere'", "world.start: no place 'nowhere'"),
        (CARRY + "[place.p]\nat = [900, 900]", "place 'p': (900, 900) lies outside"),
        (CARRY + "carry = [{ setup = 's', location = 'Foo' }]",
         "world.carry: no holding location 'Foo'"),
        (CARRY + "carry = [{ setup = 's', on = 's' }]",
         "world.carry: 's' hangs on 's', which is not before it"),
        (CARRY + "carry = [{ setup = 'bare' }, { setup = 's', on = 'bare' }]",
         "world.carry: 'bare' has no holding location RightHand"),
    ],
)  # fmt: skip
def test_what_is_found_last_leaves_nothing_behind_either(
    text: str, message: str, tmp_path: Path
) -> None:
    """Sabotage: write the DAT files before the names are made; the folder is there."""
    with pytest.raises(DataError, match=re.escape(message)):
        bake_recipe(text + "\n", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_set_that_does_not_hold_leaves_the_old_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Sabotage: build into `out` itself; the old set is written over before it is checked."""
    bake_recipe(TWO_ROOMS, tmp_path)
    before = digest(tmp_path)

    def refuse(folder: Path) -> None:
        raise DataError("the baked world breaks 1 rules")

    monkeypatch.setattr(bake, "check_world", refuse)
    with pytest.raises(DataError, match=r"recipe: the baked world breaks 1 rules"):
        bake_recipe(TWO_ROOMS + LAND, tmp_path)
    assert digest(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "client_cell_1.dat", "client_portal.dat", "names.json",
    ]  # fmt: skip


def test_a_polygon_that_turns_inwards_is_cut_into_triangles() -> None:
    """Sabotage: let `convex_parts` give the face back; the notch is covered.

    An L of 7 square metres, in each of six directions, from both ends of each axis.
    """
    outline = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]
    for axis in range(3):
        for way in (1, -1):
            points = []
            for a, b in outline[::way]:
                p = [0.0, 0.0, 0.0]
                p[(axis + 1) % 3], p[(axis + 2) % 3] = float(a), float(b)
                points.append((p[0], p[1], p[2]))
            whole = face(points, "stone")
            parts = convex_parts(whole)
            assert len(parts) == 4
            assert sum(area(part.points) for part in parts) == pytest.approx(7.0)
            assert all(part.normal == pytest.approx(whole.normal) for part in parts)
    square = face([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], "stone")
    assert convex_parts(square) == [square]


def test_files_are_included_once_and_named_in_faults(tmp_path: Path) -> None:
    (tmp_path / "parts.toml").write_text("[texture.x]\nlayers = []\nlayer = 1\n")
    main = tmp_path / "main.toml"
    main.write_text('include = ["parts.toml"]\n' + TWO_ROOMS)
    with pytest.raises(DataError, match=r"parts.toml: texture.x: unknown key 'layer'"):
        bake_recipe(main, tmp_path / "out")
    (tmp_path / "parts.toml").write_text('include = ["main.toml"]\n')
    with pytest.raises(DataError, match="includes itself"):
        recipe_files(main)


@pytest.mark.parametrize(
    ("main", "part", "message"),
    [
        ("[setup.x]\nmesh = 'y'", "", "main.toml: setup.x, a piece: there is no mesh 'y'"),
        ("", "[setup.x]\nmesh = 'y'", "part.toml: setup.x, a piece: there is no mesh 'y'"),
        ("", "[texture.x]\nsize = 48\nlayers = []", "part.toml: texture.x: size 48x48"),
        ("[world]\nname = 'w'\nstart = 'nowhere'", "", "main.toml: world.start: no place"),
        ("[[house]]\nat = [9, 9]\nsize = [6, 6]", "", "main.toml: house[0]: needs a block"),
        (
            "",
            "[[house]]\nname = 'h'\nat = [9, 9]\nsize = [6, 6]",
            "part.toml: house 'h': needs a block",
        ),
    ],
)
def test_a_reference_to_nothing_names_the_file_that_holds_it(
    main: str, part: str, message: str, tmp_path: Path
) -> None:
    """Sabotage: let `bake_recipe` raise the fault as it comes; no file is named."""
    (tmp_path / "part.toml").write_text(part + "\n")
    recipe = tmp_path / "main.toml"
    recipe.write_text(f'include = ["part.toml"]\n{TWO_ROOMS}\n{main}\n')
    with pytest.raises(DataError) as caught:
        bake_recipe(recipe, tmp_path / "out")
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"terrain": {"blocks": ["0101", "0101"], "base": 1, "base": 2}}', ": terrain: the key"),
        ('{"static": [], "mesh": {"base": {"pieces": [{"base": 0, "base": 1}]}}}',
         ": mesh.base.pieces[0]: the key"),
        ('{"base": 1, "base": 1}', ": the key"),
    ],
)  # fmt: skip
def test_a_key_that_is_twice_in_a_table_of_json_is_refused(
    text: str, place: str, tmp_path: Path
) -> None:
    """Sabotage: let the hook keep the last value and say nothing."""
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(DataError) as caught:
        bake_recipe(tmp_path / "r.json", tmp_path / "out")
    assert str(caught.value) == f"{tmp_path}/r.json{place} 'base' is there twice"


def test_a_recipe_in_json_gives_the_same_world(tmp_path: Path) -> None:
    import json
    import tomllib

    (tmp_path / "r.json").write_text(json.dumps(tomllib.loads(TWO_ROOMS)))
    bake_recipe(tmp_path / "r.json", tmp_path / "json")
    bake_recipe(TWO_ROOMS, tmp_path / "toml")
    assert digest(tmp_path / "json") == digest(tmp_path / "toml")


def test_the_shipped_schema_is_that_of_the_language_and_takes_the_shipped_recipes(
    repo: Path,
) -> None:
    import tomllib

    import jsonschema

    shipped = repo / "assets" / "schemas" / "recipe.schema.json"
    assert shipped.read_text(encoding="utf-8") == schema_text(), (
        "run: acclient bake --schema > assets/schemas/recipe.schema.json"
    )
    import json

    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    for path in sorted((repo / "assets" / "recipes").rglob("*.toml")):
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        assert [error.message for error in validator.iter_errors(raw)] == [], path


def test_the_progress_counts_to_its_end(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    bake_recipe(TWO_ROOMS, tmp_path, progress=lambda done, total, what: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 20
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))


def test_the_beginning_of_a_recipe_names_all_that_it_includes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sabotage: end the beginning at the first `[` of any line; the list of includes is cut."""
    recipes = sorted(paths.recipes().rglob("*.toml"))
    whole = [files.parsed(file).get("include", []) for file in recipes]
    assert any(whole)

    def refuse(file: Path) -> dict[str, object]:
        pytest.fail(f"{file} was parsed whole")

    monkeypatch.setattr(files, "parsed", refuse)
    assert [files._beginning(file).get("include", []) for file in recipes] == whole
