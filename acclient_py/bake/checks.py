"""What must hold of a finished set: references, ranges, trees, portals, visibility, edges.

The set is read back from disk and looked at record by record, so a fault of the baker or of the
writer is found here and not by whoever opens the world. Each check returns sentences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from acclient_py.core.frame import Frame
from acclient_py.core.ids import hex8
from acclient_py.dat.dataset import DatSet
from acclient_py.dat.records import (
    Animation,
    BspTree,
    DayGroup,
    EnvCell,
    Environment,
    GfxObj,
    GfxObjDegradeInfo,
    LandBlock,
    LandBlockInfo,
    MotionTable,
    Polygon,
    Record,
    Region,
    RenderSurface,
    Scene,
    Setup,
    Surface,
    SurfaceTexture,
)
from acclient_py.dat.records.bsp import LEAF, PORT, tag_code
from acclient_py.dat.records.env_cell import PortalFlags
from acclient_py.errors import DataError

UNIT_TOLERANCE: Final = 1e-4
_BOTH: Final = frozenset((tag_code("BPIN"), tag_code("BPnN")))


def check_world(folder: Path) -> None:
    """Raise DataError with the first fault of a baked set, and how many there are."""
    with DatSet.open(folder) as dats:
        faults = list(faults_of(dats))
    if faults:
        raise DataError(f"the baked world breaks {len(faults)} rules; the first: {faults[0]}")


def faults_of(dats: DatSet) -> Iterator[str]:
    """Every fault of a set, in the order of ids."""
    for entry in dats.portal.entries():
        if entry.id != 0xFFFF0001:
            yield from _named(entry.id, dats, _portal_faults)
    for entry in dats.cell.entries():
        if entry.id != 0xFFFF0001:
            yield from _named(entry.id, dats, _cell_faults)


def _named(
    number: int, dats: DatSet, check: Callable[[DatSet, int, Record], Iterator[str]]
) -> Iterator[str]:
    record = dats.record(number, file="cell" if check is _cell_faults else "portal")
    for text in check(dats, number, record):
        yield f"{hex8(number)}: {text}"


def _portal_faults(dats: DatSet, _number: int, record: Record) -> Iterator[str]:
    match record:
        case GfxObj():
            yield from _missing(dats, [*record.surfaces, record.degrade_id])
            yield from _gfxobj(record)
        case Environment():
            for structure in record.structures:
                count, rows = len(structure.polygons), len(structure.vertices)
                yield from _polygons(structure.polygons, rows, None)
                yield from _polygons(structure.physics_polygons, rows, None)
                yield from _physics_tree(structure.physics_bsp, len(structure.physics_polygons))
                if any(portal >= count for portal in structure.portals):
                    yield "a portal names no polygon"
                if structure.drawing_bsp is not None:
                    yield from _drawing_tree(structure.drawing_bsp, count)
        case Setup():
            yield from _missing(dats, record.parts)
            yield from _missing(
                dats,
                [record.default_animation, record.default_script, record.default_motion_table],
            )
            for placement in record.placement_frames:
                yield from _units(placement.pose.frames[:, 3:])
            for location in (*record.holding_locations, *record.connection_points):
                yield from _unit(location.frame)
            if record.placement(0) is None:
                yield "has no default placement"
            if any(not p < i for i, p in enumerate(record.parents) if p != 0xFFFFFFFF):
                yield "a part's parent does not stand before it"
        case Animation():
            for frame in record.frames:
                yield from _units(frame.frames[:, 3:])
        case MotionTable():
            anims = [data for _, data in (*record.cycles, *record.modifiers)]
            anims += [data for link in record.links for _, data in link.targets]
            yield from _missing(dats, [a.animation_id for data in anims for a in data.anims])
        case Surface():
            yield from _missing(dats, [record.texture_id, record.palette_id])
        case SurfaceTexture():
            yield from _missing(dats, record.textures)
        case RenderSurface():
            yield from _missing(dats, [record.palette_id])
        case Scene():
            yield from _missing(dats, [item.object_id for item in record.objects])
        case GfxObjDegradeInfo():
            yield from _missing(dats, [level.model_id for level in record.levels])
        case Region():
            yield from _region(dats, record)


def _cell_faults(dats: DatSet, number: int, record: Record) -> Iterator[str]:
    match record:
        case LandBlock():
            if bool(record.has_objects) != dats.has(number - 1, file="cell"):
                yield "has_objects and the info record disagree"
            yield from _edges(dats, number, record)
        case LandBlockInfo():
            yield from _missing(dats, [stab.id for stab in record.objects])
            for stab in record.objects:
                yield from _unit(stab.frame)
            for k in range(record.cell_count):
                if not dats.has((number & 0xFFFF0000) + 0x100 + k, file="cell"):
                    yield f"env cell {0x100 + k:04X} is missing"
            yield from _buildings(dats, number, record)
        case EnvCell():
            yield from _env_cell(dats, number, record)


def _missing(dats: DatSet, numbers: Sequence[int]) -> Iterator[str]:
    for wanted in numbers:
        if wanted and not dats.has(wanted, file="portal"):
            yield f"names {hex8(wanted)}, which is not there"


def _gfxobj(record: GfxObj) -> Iterator[str]:
    rows = len(record.vertices)
    yield from _polygons(record.polygons, rows, len(record.surfaces))
    yield from _polygons(record.physics_polygons, rows, None)
    counts = record.vertices.vertices["uv_count"]
    for polygon in record.polygons:
        for corner, index in zip(polygon.vertex_indices, polygon.pos_uv, strict=False):
            if index >= int(counts[corner]):
                yield f"polygon {polygon.polygon_id}: uv {index} of {int(counts[corner])}"
    if record.physics_bsp is not None:
        yield from _physics_tree(record.physics_bsp, len(record.physics_polygons))
    if record.drawing_bsp is not None:
        yield from _drawing_tree(record.drawing_bsp, len(record.polygons))


def _polygons(polygons: Sequence[Polygon], rows: int, surfaces: int | None) -> Iterator[str]:
    for place, polygon in enumerate(polygons):
        if polygon.polygon_id != place:
            yield f"polygon {place} has the id {polygon.polygon_id}"
        if len(polygon.vertex_indices) < 3:
            yield f"polygon {place} has {len(polygon.vertex_indices)} corners"
        if any(not 0 <= corner < rows for corner in polygon.vertex_indices):
            yield f"polygon {place}: a corner is no vertex"
        if surfaces is not None and not -1 <= polygon.pos_surface < surfaces:
            yield f"polygon {place}: surface {polygon.pos_surface} of {surfaces}"


def _physics_tree(tree: BspTree, count: int) -> Iterator[str]:
    for node in tree.nodes:
        if int(node["tag"]) != LEAF and int(node["tag"]) not in _BOTH:
            yield "a physics tree has a node without both children"
    listed = {int(p) for p in tree.polygons}
    if listed != set(range(count)):
        yield f"a physics tree lists {len(listed)} of {count} polygons"


def _drawing_tree(tree: BspTree, count: int) -> Iterator[str]:
    if int(tree.nodes["tag"][0]) == LEAF:
        yield "the root of a drawing tree is a LEAF"
    if sorted(int(p) for p in tree.polygons) != list(range(count)):
        yield "a drawing tree does not list every polygon once"
    numbers = sorted(int(row[1]) for row in tree.portals)
    if numbers != list(range(len(numbers))):
        yield "the openings of a drawing tree are not numbered from 0"
    ports = int((tree.nodes["tag"] == PORT).sum())
    if bool(numbers) != bool(ports):
        yield "a drawing tree has PORT nodes without openings"


def _units(quaternions: np.ndarray) -> Iterator[str]:
    q = quaternions.astype(np.float64)
    sizes = q[:, 0] * q[:, 0] + q[:, 1] * q[:, 1] + q[:, 2] * q[:, 2] + q[:, 3] * q[:, 3]
    if bool((np.abs(sizes - 1.0) > UNIT_TOLERANCE).any()):
        yield "a rotation is no unit quaternion"


def _unit(frame: Frame) -> Iterator[str]:
    size = sum(c * c for c in frame.rotation)
    if not abs(size - 1.0) <= UNIT_TOLERANCE:
        yield "a rotation is no unit quaternion"
    if not all(math.isfinite(c) for c in frame.origin):
        yield "an origin is not finite"


def _edges(dats: DatSet, number: int, record: LandBlock) -> Iterator[str]:
    here = record.heights.reshape(9, 9)
    terrain = record.terrain.reshape(9, 9)
    for step, name, mine, theirs in (
        (0x01000000, "east", np.s_[8, :], np.s_[0, :]),
        (0x00010000, "north", np.s_[:, 8], np.s_[:, 0]),
    ):
        if not dats.has(number + step, file="cell"):
            continue
        other = dats.record(number + step, file="cell")
        assert isinstance(other, LandBlock), "the id says so"
        same = (here[mine] == other.heights.reshape(9, 9)[theirs]).all()
        same = same and (terrain[mine] == other.terrain.reshape(9, 9)[theirs]).all()
        if not same and not _is_sealed(dats, number) and not _is_sealed(dats, number + step):
            yield f"its edge differs from that of the block to the {name}"


def _is_sealed(dats: DatSet, number: int) -> bool:
    """A block of dungeon rooms only: nobody sees its ground."""
    if not dats.has(number - 1, file="cell"):
        return False
    info = dats.record(number - 1, file="cell")
    assert isinstance(info, LandBlockInfo), "the id says so"
    return info.cell_count > 0 and not info.buildings


def _env_cell(dats: DatSet, number: int, cell: EnvCell) -> Iterator[str]:
    yield from _missing(dats, [*cell.surfaces, cell.environment_id])
    yield from _missing(dats, [stab.id for stab in cell.statics])
    yield from _unit(cell.frame)
    environment = dats.record(cell.environment_id, file="portal")
    assert isinstance(environment, Environment), "the id says so"
    if cell.structure_index >= len(environment.structures):
        yield f"structure {cell.structure_index} of {len(environment.structures)}"
        return
    structure = environment.structures[cell.structure_index]
    for polygon in structure.polygons:
        if polygon.pos_surface >= len(cell.surfaces):
            yield f"polygon {polygon.polygon_id}: surface {polygon.pos_surface}"
    if not cell.portals:
        yield "has no portal, so it contains no point"
    for index, portal in enumerate(cell.portals):
        if portal.polygon_id not in structure.portals:
            yield f"portal {index}: polygon {portal.polygon_id} is no portal polygon"
        if portal.flags & PortalFlags.OUTSIDE:
            continue
        other = _cell(dats, number, portal.other_cell_id)
        if other is None or portal.other_portal_id >= len(other.portals):
            yield f"portal {index} leads to no portal"
            continue
        back = other.portals[portal.other_portal_id]
        if (back.other_cell_id, back.other_portal_id) != (number & 0xFFFF, index):
            yield f"portal {index} is not answered by its partner"
    chain = _chain(dats, number)
    if not chain <= {*cell.visible_cells, number & 0xFFFF}:
        yield "its visible cells lack some that its portals lead to"


def _cell(dats: DatSet, number: int, low: int) -> EnvCell | None:
    wanted = number & 0xFFFF0000 | low
    if not dats.has(wanted, file="cell"):
        return None
    record = dats.record(wanted, file="cell")
    return record if isinstance(record, EnvCell) else None


def _chain(dats: DatSet, number: int) -> set[int]:
    seen = [number & 0xFFFF]
    for low in seen:
        cell = _cell(dats, number, low)
        for portal in cell.portals if cell is not None else ():
            outside = portal.flags & PortalFlags.OUTSIDE
            if not outside and portal.other_cell_id not in seen:
                seen.append(portal.other_cell_id)
    return set(seen)


def _buildings(dats: DatSet, number: int, record: LandBlockInfo) -> Iterator[str]:
    origins = set()
    for building in record.buildings:
        yield from _unit(building.frame)
        yield from _missing(dats, [building.model_id])
        x, y, _ = building.frame.origin
        if not (0.0 <= x < 192.0 and 0.0 <= y < 192.0):
            yield "a building's origin lies outside its block"
        place = (int(x // 24.0), int(y // 24.0))
        if place in origins:
            yield "two buildings have their origin in one land cell"
        origins.add(place)
        model = dats.record(building.model_id, file="portal")
        tree = model.drawing_bsp if isinstance(model, GfxObj) else None
        openings = 0 if tree is None else len(tree.portals)
        if openings != len(building.portals):
            yield f"{len(building.portals)} portals, {openings} openings in the shell"
        for index, portal in enumerate(building.portals):
            cell = _cell(dats, number, portal.other_cell_id)
            if cell is None or portal.other_portal_id >= len(cell.portals):
                yield f"building portal {index} leads to no portal"
            elif not cell.portals[portal.other_portal_id].flags & PortalFlags.OUTSIDE:
                yield f"building portal {index} leads to a portal that does not lead out"
            elif not _chain(dats, number & 0xFFFF0000 | portal.other_cell_id) <= set(portal.stabs):
                yield f"building portal {index}: its stab list lacks cells"


def _region(dats: DatSet, region: Region) -> Iterator[str]:
    merge = region.texture_merge
    masks = (*merge.corner_masks, *merge.side_masks, *merge.road_masks)
    yield from _missing(dats, [number for _, number in masks])
    yield from _missing(dats, [entry.texture_id for entry in merge.textures])
    yield from _missing(dats, [s for kind in region.scene_types for s in kind.scenes])
    for terrain in region.terrain_types:
        if any(index >= len(region.scene_types) for index in terrain.scene_types):
            yield f"terrain type {terrain.name}: a scene type is missing"
    groups: tuple[DayGroup, ...] = region.sky.day_groups if region.sky is not None else ()
    for group in groups:
        yield from _missing(dats, [thing.model_id for thing in group.objects])
        changes = [change for time in group.times for change in time.replacements]
        yield from _missing(dats, [change.model_id for change in changes])
        if any(change.object_index >= len(group.objects) for change in changes):
            yield f"day '{group.name}': a replacement names no object"
