"""Detail surfaces, levels that face the eye, faded and glowing parts, moving pictures, looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from acclient_py.core import frame as frames
from acclient_py.dat.records.objdesc import ObjDesc, SubPalette, TextureChange
from acclient_py.dat.records.palette import Palette
from acclient_py.kernels.ops import S_BLEND, S_DETAIL, S_OPAQUE
from acclient_py.order.stream import Op, RecordFlag, draws
from acclient_py.render.frame import FrameRenderer
from acclient_py.render.pictures import combined_palette
from acclient_py.session import looks
from acclient_py.world.looks import Colours

Places = Callable[[str], Any]
Renderers = Callable[..., FrameRenderer]


def stand(here: Any, setup: int = 0x02000001, guid: int = 0x50000001) -> int:
    """A body of the doll world, before the camera."""
    obj: int = here.physics.make_object(setup, guid=guid)
    here.physics.enter_world(obj, 0x7F7F0025, frames.make(96, 96, 20, 180))
    return obj


@pytest.fixture
def field(place: Places) -> Any:
    here = place("doll")
    here.aim(0x7F7F0001, (96, 90, 22), (96, 96, 21))
    return here


# detail surfaces ----------------------------------------------------------------------------


@pytest.mark.contract("L7")
@pytest.mark.parametrize(
    ("cell", "eye", "target", "op"),
    [
        (0x7F7F0001, (92, 66, 23), (84, 84, 21.5), Op.SHELL),
        (0x7F7F0100, (84, 86, 21.6), (84, 80, 21.6), Op.CELL),
    ],
    ids=["shell", "cell"],
)
def test_a_detail_surface_lies_over_each_slot_at_once(
    cell: int, eye: Any, target: Any, op: Op, place: Places, renderer_of: Renderers
) -> None:
    """Rendering 9.3: the same range again, directly behind; nothing else has a detail pass.

    Sabotage: write the pass behind the whole mesh instead of behind its slot; the ranges fail.
    """
    here = place("detail")
    here.aim(cell, eye, target)
    renderer = renderer_of(here)
    here.draw(renderer)
    shown = here.draw(renderer).astype(int)
    records = draws(renderer.painter.records)
    over = np.flatnonzero(records["flags"] & RecordFlag.DETAIL)
    assert (records["op"][over] == op).any()
    assert set(records["op"][over].tolist()) <= {Op.SHELL, Op.CELL}
    assert (records["state"][over] == S_DETAIL).all()
    for name in ("op", "first", "count", "base", "instance", "surface_slot"):
        assert np.array_equal(records[name][over], records[name][over - 1]), name
    plain = records[(records["op"] == op) & (records["state"] == S_OPAQUE)]
    assert len(plain) == len(over[records["op"][over] == op]), "every slot has one"
    here.look.detail_surfaces = False
    here.draw(renderer)
    without = here.draw(renderer).astype(int)
    assert not (renderer.painter.records["state"] == S_DETAIL).any()
    changed = np.abs(shown - without).max(axis=2) > 3
    assert changed.sum() > 1000
    assert abs(shown[changed].mean() - without[changed].mean()) < 24, "about as bright as before"


def test_all_executors_draw_details_alike(place: Places, renderer_of: Renderers) -> None:
    here = place("detail")
    here.aim(0x7F7F0001, (92, 66, 23), (84, 84, 21.5))
    one, other = renderer_of(here), renderer_of(here, executor="reference")
    literal = renderer_of(here, executor="literal")
    first = here.draw(one)
    assert np.array_equal(first, here.draw(other))
    assert np.abs(here.draw(literal).astype(int) - first.astype(int)).max() <= 6


def test_the_detail_repeats_over_the_picture(place: Places, renderer_of: Renderers) -> None:
    """Twice as often as the region says once: on houses 2, in rooms 6 times."""
    here = place("detail")
    renderer = renderer_of(here)
    here.aim(0x7F7F0100, (84, 86, 21.6), (84, 80, 21.6))
    here.draw(renderer)
    rows = renderer.assets.surfaces.rows
    repeats = {
        Op(int(r["op"])): float(rows[int(r["material"]), 3:4].view(np.float32)[0])
        for r in renderer.painter.records
        if r["flags"] & RecordFlag.DETAIL
    }
    assert repeats[Op.CELL] == 6.0
    here.aim(0x7F7F0001, (92, 66, 23), (84, 84, 21.5))
    here.draw(renderer)
    shells = [r for r in renderer.painter.records if r["state"] == S_DETAIL and r["op"] == Op.SHELL]
    assert float(rows[int(shells[0]["material"]), 3:4].view(np.float32)[0]) == 2.0


@pytest.mark.contract("L9")
def test_nothing_is_put_off_while_a_detail_surface_is_current(
    place: Places, renderer_of: Renderers
) -> None:
    """Rendering 1.4: a blended slot of a shell is drawn in its turn, with its own pass behind."""
    here = place("detail")
    here.aim(0x7F7F0001, (92, 66, 23), (84, 84, 21.5))
    renderer = renderer_of(here)
    here.draw(renderer)
    shell = next(r for r in renderer.painter.records if r["op"] == Op.SHELL).copy()
    slots = renderer.assets.tables.slots
    slot = int(
        np.flatnonzero((slots["first"] == shell["first"]) & (slots["base"] == shell["base"]))[0]
    )
    slots["state"][slot], slots["mask"][slot] = S_BLEND, 2
    here.draw(renderer)
    records = renderer.painter.records
    assert not np.isin(records["op"], (Op.ALPHA, Op.CLIP)).any()
    mine = records[records["first"] == shell["first"]]
    assert mine["state"].tolist() == [S_BLEND, S_DETAIL]
    here.look.detail_surfaces = False
    here.draw(renderer)
    mine = renderer.painter.records[renderer.painter.records["first"] == shell["first"]]
    assert mine["op"].tolist() == [Op.ALPHA]


# levels of detail that face the eye -----------------------------------------------------------


def turned_by_hand(mode: int, m: np.ndarray, to: np.ndarray) -> np.ndarray:
    """What physics-membership 8 says, in other words: columns are the part's axes."""
    heading = to / np.linalg.norm(to)
    result = m.copy()
    if mode == 2:
        frame = frames.identity()
        frames.set_vector_heading(frame, *(np.float32(v) for v in heading))
        columns = [frames.local_to_global_vec(frame, *axis) for axis in np.eye(3, dtype=np.float32)]
        return np.array(columns).T
    axis = mode - 3
    follows = (axis - 1) % 3
    across = heading - m[:, axis] * (heading @ m[:, axis])
    result[:, follows] = across / np.linalg.norm(across)
    third = 3 - axis - follows
    sign = 1 if (third, follows, axis) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1
    result[:, third] = sign * np.cross(result[:, follows], result[:, axis])
    return result


@pytest.mark.parametrize("mode", [1, 2, 3, 4, 5])
def test_a_level_turns_towards_the_eye(mode: int, place: Places, renderer_of: Renderers) -> None:
    """Rendering 2.3. Sabotage: give the heading from the part to the eye; the matrix fails."""
    here = place("glass")
    eye = np.array((100.0, 91.0, 22.5))
    here.aim(0x7F7F0001, tuple(eye), (100, 100, 20.5))
    renderer = renderer_of(here)
    here.draw(renderer)
    before = renderer.painter.instances.copy()
    meshes = renderer.assets.tables
    gfx = int(here.arrays.parts["gfx"][here.arrays.objects["part_first"][_pane(here)]])
    meshes.gfx[gfx]["level_first"], meshes.gfx[gfx]["level_count"] = 0, 1
    meshes.levels[0] = (gfx, mode, 1e9, 1e9, 1e9)
    here.draw(renderer)
    rows = {int(r["instance"]) for r in renderer.painter.records if r["op"] == Op.ALPHA}
    assert len(rows) == 8
    centre = here.models.gfx_rows["sort_center"][gfx].astype(float)
    for row in rows:
        made = renderer.painter.instances[row]
        matrix = made[:12].reshape(3, 4)[:, :3].astype(float)
        was = before[row][:12].reshape(3, 4)[:, :3].astype(float)
        at = before[row][[3, 7, 11]].astype(float)
        if mode == 1:
            assert np.array_equal(made, before[row])
            continue
        wanted = turned_by_hand(mode, was, at + was @ centre - eye)
        assert np.allclose(matrix, wanted, atol=2e-5)
        assert np.allclose(matrix.T @ matrix, np.eye(3), atol=2e-5)
        assert np.isclose(np.linalg.det(matrix), 1.0, atol=1e-4)
        assert np.array_equal(made[[3, 7, 11]], before[row][[3, 7, 11]])


def _pane(here: Any) -> int:
    """The first static that is a pane."""
    objects = here.arrays.objects
    return int(np.flatnonzero((objects["home_id"] != 0) & (objects["home_index"] == 1))[0])


def test_a_quad_that_faces_the_eye_is_seen_from_everywhere(
    place: Places, renderer_of: Renderers
) -> None:
    here = place("glass")
    renderer = renderer_of(here)
    seen = {1: [], 5: []}
    for mode, counts in seen.items():
        for eye in ((100, 91, 21), (109, 100, 21), (100, 109, 21), (91, 100, 21)):
            here.aim(0x7F7F0001, eye, (100, 100, 20.5))
            here.draw(renderer)
            meshes = renderer.assets.tables
            gfx = int(here.arrays.parts["gfx"][here.arrays.objects["part_first"][_pane(here)]])
            meshes.gfx[gfx]["level_first"], meshes.gfx[gfx]["level_count"] = 0, 1
            meshes.levels[0] = (gfx, mode, 1e9, 1e9, 1e9)
            shown = here.draw(renderer).astype(int)
            meshes.levels[0] = (-1, 1, 1e9, 1e9, 1e9)
            counts.append(int((np.abs(shown - here.draw(renderer)).max(axis=2) > 3).sum()))
            meshes.gfx[gfx]["level_count"] = 0
    assert max(seen[5]) - min(seen[5]) < 0.2 * max(seen[5])
    assert min(seen[5]) > 3 * min(seen[1]), "edge on, a plain pane is hardly there"


# a part's own material ------------------------------------------------------------------------


@pytest.mark.contract("L9")
def test_a_faded_part_is_put_off_and_blended(field: Any, renderer_of: Renderers) -> None:
    """Rendering 1.3, 1.4. Sabotage: leave `faded` out of the deferral; the ops fail."""
    renderer = renderer_of(field)
    empty = field.draw(renderer).astype(int)
    obj = stand(field)
    solid = field.draw(renderer).astype(int)
    opaque = draws(renderer.painter.records)
    assert (opaque["op"] == Op.PART).any()
    field.physics.set_translucency(obj, 0.5)
    faded = field.draw(renderer).astype(int)
    records = draws(renderer.painter.records)
    mine = records[np.isin(records["op"], (Op.PART, Op.ALPHA, Op.CLIP))]
    assert set(mine["op"].tolist()) == {Op.ALPHA}
    assert set(mine["state"].tolist()) == {S_BLEND}
    assert len(mine) == (opaque["op"] == Op.PART).sum()
    body = np.abs(solid - empty).max(axis=2) > 24
    assert body.sum() > 500
    low, high = np.minimum(solid, empty) - 40, np.maximum(solid, empty) + 40
    assert ((faded >= low) & (faded <= high))[body].mean() > 0.9
    assert (np.abs(faded - solid).max(axis=2) > 8)[body].mean() > 0.9
    assert (np.abs(faded - empty).max(axis=2) > 8)[body].mean() > 0.8
    field.physics.set_translucency(obj, 1.0)
    assert np.array_equal(field.draw(renderer), empty)
    field.physics.set_translucency(obj, 0.0)
    assert np.array_equal(field.draw(renderer), solid)


def test_parts_glow_and_turn_from_the_sun(field: Any, renderer_of: Renderers) -> None:
    renderer = renderer_of(field)
    empty = field.draw(renderer).astype(int)
    obj = stand(field)
    plain = field.draw(renderer).astype(int)
    body = np.abs(plain - empty).max(axis=2) > 24
    field.physics.set_diffusion(obj, 0.0)
    dull = field.draw(renderer).astype(int)
    assert dull[body].mean() < plain[body].mean() - 4
    field.physics.set_luminosity(obj, 1.0, part=0)
    one = field.draw(renderer).astype(int)
    assert one[body].mean() > dull[body].mean()
    field.physics.set_luminosity(obj, 1.0)
    assert field.draw(renderer)[body].mean() > one[body].mean() + 4


# pictures that move ---------------------------------------------------------------------------


def test_pictures_of_a_model_move_with_time(field: Any, renderer_of: Renderers) -> None:
    """Rendering 9.2: the shift is velocity times time, in repeats; a whole one shows nothing."""
    renderer = renderer_of(field)
    empty = field.draw(renderer)
    obj = stand(field)
    still = field.draw(renderer)
    body = (np.abs(still.astype(int) - empty) > 24).any(axis=2)
    field.physics.set_texture_velocity(obj, 0.25, 0.5)
    assert np.array_equal(field.draw(renderer), still), "no time has passed"
    began = field.physics.clock
    field.physics.clock = began + 1.0
    moved = field.draw(renderer)
    assert (moved != still)[body].any(axis=1).sum() > 100
    assert np.array_equal(field.draw(renderer_of(field)), moved), "another renderer shows the same"
    field.physics.clock = began + 4.0
    assert np.array_equal(field.draw(renderer)[body], still[body])


def test_clouds_drift(place: Places, renderer_of: Renderers) -> None:
    """Rendering 8.1. Sabotage: leave the sky out of `drift`; the inequality fails."""
    here = place("hut")
    here.aim(0x7F7F0001, (84, 60, 24), (84, 84, 24))
    renderer = renderer_of(here)
    first = here.draw(renderer)
    assert np.array_equal(here.draw(renderer), first)
    here.physics.clock += 60.0
    later = here.draw(renderer)
    changed = (later != first).any(axis=2)
    assert changed[:60].sum() > 1000
    assert not changed[-20:].any(), "the ground stays"


# looks ------------------------------------------------------------------------------------------


def picture_of(here: Any, obj: int) -> tuple[int, int]:
    """(part, SurfaceTexture) of the first textured surface of an object."""
    first = int(here.arrays.objects["part_first"][obj])
    for part in range(int(here.arrays.objects["part_count"][obj])):
        record = here.models.gfx_record(int(here.arrays.parts["gfx"][first + part]))
        for surface in record.surfaces if record is not None else ():
            texture = here.models.dats.record(surface).texture_id
            if texture:
                return part, texture
    raise AssertionError("no textured part")


def test_a_texture_change_is_seen_on_its_part_alone(field: Any, renderer_of: Renderers) -> None:
    """Rendering 9.4. Sabotage: `looks.apply` leaves the part's look as it was; the count fails."""
    renderer = renderer_of(field)
    obj = stand(field)
    plain = field.draw(renderer)
    part, old = picture_of(field, obj)
    ground = field.region.record.texture_merge.textures[0].texture_id
    desc = ObjDesc(textures=(TextureChange(part, old, ground),))
    looks.apply(field.physics, obj, desc)
    dressed = field.draw(renderer)
    assert (dressed != plain).any(axis=2).sum() > 20
    rows = field.arrays.parts["look"][int(field.arrays.objects["part_first"][obj]) :]
    assert np.flatnonzero(rows[: int(field.arrays.objects["part_count"][obj])]).tolist() == [part]
    meshes = len(renderer.assets.tables.meshes)
    twin = field.physics.make_object(0x02000001)
    looks.apply(field.physics, twin, desc)
    field.draw(renderer)
    assert len(renderer.assets.tables.meshes) == meshes, "equal looks are one"
    looks.apply(field.physics, obj, ObjDesc())
    assert np.array_equal(field.draw(renderer), plain)


def test_another_model_in_a_parts_place_wears_no_look(field: Any, renderer_of: Renderers) -> None:
    """What a hook puts there is drawn as it is, until a description says otherwise."""
    renderer = renderer_of(field)
    obj = stand(field)
    part, old = picture_of(field, obj)
    first = int(field.arrays.objects["part_first"][obj])
    other = int(field.arrays.parts["gfx"][first + (part + 1) % 2])
    field.physics.set_part(obj, part, other)
    wanted = field.draw(renderer)
    ground = field.region.record.texture_merge.textures[0].texture_id
    looks.apply(field.physics, obj, ObjDesc(textures=(TextureChange(part, old, ground),)))
    assert (field.draw(renderer) != wanted).any()
    field.physics.set_part(obj, part, other)
    assert np.array_equal(field.draw(renderer), wanted)


class Shelf:
    """Palettes by id."""

    def __init__(self, **palettes: int) -> None:
        self.records = {
            int(name[1:]): Palette(int(name[1:]), np.arange(2048, dtype=np.uint32) + base)
            for name, base in palettes.items()
        }

    def record(self, did: int) -> Palette:
        return self.records[did]


def test_ranges_of_other_palettes_lie_over_the_base_in_order() -> None:
    dats: Any = Shelf(p1=0, p2=10_000, p3=20_000)
    over = (SubPalette(2, 8, 16), SubPalette(3, 16, 8), SubPalette(2, 2040, 2048))
    mixed = combined_palette(dats, 1, Colours(1, over)).colors
    wanted = np.arange(2048)
    wanted[8:24] += 10_000
    wanted[16:24] += 10_000
    wanted[2040:] += 10_000
    assert np.array_equal(mixed, wanted)
    assert dats.record(1).colors[8] == 8, "the base stays as it was"
