"""Rooms, doors and houses: what the cell file says of them, point by point."""

from __future__ import annotations

import numpy as np
import pytest
from builders.worlds import baked, opened

from acclient_py.bake.vec import V3, Pose, dot, plane_of, side
from acclient_py.core.frame import Frame
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records import CellStructure, EnvCell, GfxObj
from acclient_py.dat.records.bsp import LEAF, PORT
from acclient_py.dat.records.env_cell import PortalFlags

HUT = 0x7F7F0100


def pose_of(frame: Frame) -> Pose:
    return Pose(frame.origin, frame.rotation)


def structure_of(dats: DatSet, cell: EnvCell) -> CellStructure:
    environment = dats.record(cell.environment_id, file="portal")
    structure: CellStructure = environment.structures[cell.structure_index]
    return structure


def portal_ring(dats: DatSet, cell: EnvCell, index: int) -> list[V3]:
    """A portal polygon in the block."""
    structure = structure_of(dats, cell)
    polygon = structure.polygons[cell.portals[index].polygon_id]
    points = structure.vertices.positions[list(polygon.vertex_indices)].tolist()
    return [pose_of(cell.frame).point((x, y, z)) for x, y, z in points]


def holds(dats: DatSet, cell: EnvCell, p: V3) -> bool:
    """Whether a cell's chain of planes holds a point of the block."""
    tree = structure_of(dats, cell).cell_bsp
    q = pose_of(cell.frame).inverse_point(p)
    for node in tree.nodes:
        if int(node["tag"]) != LEAF:
            n = node["plane"].tolist()
            if n[0] * q[0] + n[1] * q[1] + n[2] * q[2] + n[3] < -0.0002:
                return False
    return True


def cells_of(dats: DatSet, block: int) -> list[EnvCell]:
    info = dats.record(block << 16 | 0xFFFE)
    return [dats.env_cell(block << 16 | 0x100 + k) for k in range(info.cell_count)]


def test_two_rooms_share_one_doorway() -> None:
    with opened("two_rooms") as dats:
        west, east = cells_of(dats, 0x0101)
        assert [p.other_cell_id for p in west.portals] == [0x101]
        assert [p.other_cell_id for p in east.portals] == [0x100]
        here, there = portal_ring(dats, west, 0), portal_ring(dats, east, 0)
        assert {tuple(round(c, 4) for c in p) for p in here} == {
            tuple(round(c, 4) for c in p) for p in there
        }
        assert sorted({round(p[0], 4) for p in here}) == [24.0]
        assert sorted({round(p[1], 4) for p in here}) == [19.2, 20.8]
        assert sorted({round(p[2], 4) for p in here}) == [0.0, 2.2]
        assert west.visible_cells == (0x101,)
        assert east.visible_cells == (0x100,)
        # Their doors are in different walls, so they are two structures of one environment.
        assert west.environment_id == east.environment_id
        assert len(dats.record(west.environment_id).structures) == 2
        assert not west.flags & 1


@pytest.mark.parametrize("name", ["two_rooms", "hut", "two_huts", "ring"])
def test_portal_side_is_the_side_of_the_cells_interior(name: str) -> None:
    """Sabotage: clear PORTAL_SIDE in _put_cell."""
    block = {"two_rooms": 0x0101, "ring": 0x0202}.get(name, 0x7F7F)
    seen = 0
    with opened(name) as dats:
        for cell in cells_of(dats, block):
            structure = structure_of(dats, cell)
            low = structure.vertices.positions.min(0)
            high = structure.vertices.positions.max(0)
            middle = tuple(((low + high) / 2).tolist())
            for portal in cell.portals:
                polygon = structure.polygons[portal.polygon_id]
                corners = structure.vertices.positions[list(polygon.vertex_indices)].tolist()
                distance = side(plane_of([(x, y, z) for x, y, z in corners]), middle)
                assert portal.portal_side == (0 if distance > 0 else 1)
                seen += 1
    assert seen >= 2


@pytest.mark.parametrize("name", ["ring", "two_huts"])
def test_a_step_through_any_inner_doorway_leads_from_cell_to_cell(name: str) -> None:
    """Just before a portal one is in the one cell, just behind it in the other, never in both."""
    block = 0x0202 if name == "ring" else 0x7F7F
    with opened(name) as dats:
        cells = {cell.id & 0xFFFF: cell for cell in cells_of(dats, block)}
        steps = 0
        for cell in cells.values():
            for index, portal in enumerate(cell.portals):
                if portal.flags & PortalFlags.OUTSIDE:
                    continue
                ring = portal_ring(dats, cell, index)
                middle = tuple(sum(p[k] for p in ring) / len(ring) for k in range(3))
                n = plane_of(ring)
                inside = tuple(middle[k] + 0.05 * n[k] for k in range(3))
                beyond = tuple(middle[k] - 0.05 * n[k] for k in range(3))
                other = cells[portal.other_cell_id]
                assert holds(dats, cell, inside)
                assert not holds(dats, other, inside)
                assert holds(dats, other, beyond)
                assert not holds(dats, cell, beyond)
                steps += 1
        assert steps == (36 if name == "ring" else 4)


def test_the_stairs_climb_inside_their_cell_from_door_to_door() -> None:
    """Sabotage: build the steps above the slope without lowering it; treads leave the cell."""
    with opened("ring") as dats:
        stair = dats.env_cell(baked("ring").cells["stair"])
        structure = structure_of(dats, stair)
        pose = pose_of(stair.frame)
        for p in structure.vertices.positions.tolist():
            assert holds(dats, stair, pose.point((p[0], p[1], p[2])))
        feet = []
        for index in range(2):
            feet.append(min(p[2] for p in portal_ring(dats, stair, index)))
        assert sorted(round(z, 4) for z in feet) == [-3.0, 0.0]
        treads = {
            round(float(z), 4)
            for polygon in structure.physics_polygons
            for z in [structure.vertices.positions[list(polygon.vertex_indices)][:, 2].max()]
            if plane_of(
                [tuple(p) for p in structure.vertices.positions[list(polygon.vertex_indices)]]
            )[2]
            > 0.99
        }
        assert sorted(treads) == [round(0.3 * k, 4) for k in range(10)]


def test_a_turned_rooms_statics_stand_where_the_room_puts_them() -> None:
    with opened("ring") as dats:
        cellar = dats.env_cell(baked("ring").cells["cellar"])
        (pillar,) = cellar.statics
        # 1.5 m to the room's right and 1 m ahead, the room facing east.
        assert np.allclose(pillar.frame.origin, (51.0, 19.5, -3.0), atol=1e-4)
        assert holds(dats, cellar, pillar.frame.origin)


def test_the_huts_openings_are_described_three_times_alike() -> None:
    """EnvCell portal, building portal and PORT entry of the shell name the same polygon."""
    with opened("hut") as dats:
        info = dats.record(0x7F7FFFFE)
        (building,) = info.buildings
        cell = dats.env_cell(HUT)
        shell: GfxObj = dats.record(building.model_id, file="portal")
        assert shell.drawing_bsp is not None
        pairs = {int(n): int(p) for p, n in shell.drawing_bsp.portals}
        assert sorted(pairs) == [0, 1]
        outer = pose_of(building.frame)
        for number, portal in enumerate(building.portals):
            assert portal.other_cell_id == HUT & 0xFFFF
            assert cell.portals[portal.other_portal_id].flags & PortalFlags.OUTSIDE
            polygon = shell.polygons[pairs[number]]
            points = shell.vertices.positions[list(polygon.vertex_indices)].tolist()
            mine = [outer.point((x, y, z)) for x, y, z in points]
            inner = portal_ring(dats, cell, portal.other_portal_id)
            assert {tuple(round(c, 3) for c in p) for p in mine} == {
                tuple(round(c, 3) for c in p) for p in inner
            }
            # Outside is the front of the shell's polygon and portal side 0.
            assert dot(plane_of(mine)[:3], plane_of(inner)[:3]) < -0.999
            assert portal.portal_side == 0
            assert portal.stabs == (0x100,)
        assert building.leaf_count == int((shell.drawing_bsp.nodes["tag"] == LEAF).sum())
        assert int(shell.drawing_bsp.nodes["tag"][0]) == PORT
        assert cell.flags & 1


def test_the_ground_under_a_house_is_level_and_the_house_stands_on_it() -> None:
    recipe = """
[terrain]
blocks = ["4040", "4040"]
base = 60
shapes = [{ kind = "noise", size = 120, height = 30, seed = 2 }]
[[house]]
at = [100, 100]
size = [10, 8]
heading = 30
door = "south"
"""
    with opened(recipe) as dats:
        info = dats.record(0x4040FFFE)
        land = dats.record(0x4040FFFF)
        region = dats.record(0x13000000)
        z = region.land.heights[land.heights].reshape(9, 9)
        building = info.buildings[0]
        assert building.frame.origin[2] == z[4, 4]
        assert len(set(z[3:6, 3:6].reshape(-1).tolist())) == 1
        assert len(set(z.reshape(-1).tolist())) > 5


def test_no_face_of_the_hut_is_seen_through_from_outside() -> None:
    """Rays from outside at the hut that miss its openings hit a front face of the shell first."""
    with opened("hut") as dats:
        (building,) = dats.record(0x7F7FFFFE).buildings
        shell: GfxObj = dats.record(building.model_id, file="portal")
        triangles, portals = [], set()
        assert shell.drawing_bsp is not None
        for polygon, _ in shell.drawing_bsp.portals.tolist():
            portals.add(polygon)
        for polygon in shell.polygons:
            points = shell.vertices.positions[list(polygon.vertex_indices)].astype(np.float64)
            for k in range(1, len(points) - 1):
                triangles.append((points[0], points[k], points[k + 1], polygon.polygon_id))
        a = np.array([t[0] for t in triangles])
        e1 = np.array([t[1] for t in triangles]) - a
        e2 = np.array([t[2] for t in triangles]) - a
        number = np.array([t[3] for t in triangles])
        normal = np.cross(e1, e2)
        rng = np.random.default_rng(4)
        looked = 0
        for _ in range(1500):
            start = rng.normal(size=3) * 12.0
            start[2] = abs(start[2]) + 0.3
            if np.linalg.norm(start[:2]) < 7.0:
                continue
            aim = rng.uniform((-3.4, -2.9, 0.3), (3.4, 2.9, 4.5))
            d = aim - start
            h = np.cross(d, e2)
            det = (e1 * h).sum(1)
            with np.errstate(all="ignore"):
                s = start - a
                u = (s * h).sum(1) / det
                q = np.cross(s, e1)
                v = (q * d).sum(1) / det
                t = (q * e2).sum(1) / det
                total = u + v
            hit = (np.abs(det) > 1e-12) & (u >= 0) & (v >= 0) & (total <= 1) & (t > 0)
            if not hit.any():
                continue
            first = np.argmin(np.where(hit, t, np.inf))
            if int(number[first]) in portals:
                continue
            assert (normal[first] * d).sum() < 0, (start, aim)
            looked += 1
        assert looked > 500


@pytest.mark.parametrize(
    ("world", "block"),
    [("inn", 0x7F7F), ("tower", 0x7F7F), ("mine", 0x7F7F), ("ring", 0x0202)],
)
def test_no_room_reaches_into_another(world: str, block: int) -> None:
    """Every corner of a room, 5 mm into it, is in that room alone.

    Sabotage: give the inn's cellar stair 3.2 m; its ceiling rises through the floor above.
    """
    with opened(world) as dats:
        cells = cells_of(dats, block)
        assert len(cells) > 3
        for cell in cells:
            corners = structure_of(dats, cell).vertices.positions.astype(float)
            way = corners.mean(axis=0) - corners
            inner = corners + way / np.linalg.norm(way, axis=1)[:, None] * 0.005
            for x, y, z in inner.tolist():
                p = pose_of(cell.frame).point((x, y, z))
                assert [c is cell for c in cells if holds(dats, c, p)] == [True]
