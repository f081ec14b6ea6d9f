"""The record vectors of the DAT specification: decoded to their values, encoded to their bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acclient_py.core.frame import Frame
from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records import BspKind, BspTree, motion_key, read_record
from acclient_py.dat.records.bsp import tag_name

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "dat_vectors.json").read_text(encoding="utf-8")
)["vectors"]

RECORDS = [
    "LandBlock",
    "LandBlockInfo",
    "EnvCell",
    "GfxObj",
    "Environment",
    "Setup",
    "Animation",
    "MotionTable",
    "Palette",
    "PalSet",
    "ClothingTable",
    "Surface",
    "SurfaceTexture",
    "RenderSurface",
    "GfxObjDegradeInfo",
    "Region",
    "Scene",
    "ParticleEmitter",
    "PhysicsScript",
    "PhysicsScriptTable",
    "IterationRecord",
]
CELL_KINDS = ("LandBlock", "LandBlockInfo", "EnvCell")
BSP_KINDS = {
    "CellBSP": BspKind.CELL,
    "PhysicsBSP": BspKind.PHYSICS,
    "DrawingBSP": BspKind.DRAWING,
}


def of_kind(*kinds: str) -> list[Any]:
    found = [pytest.param(v, id=v["name"]) for v in VECTORS if v["kind"] in kinds]
    assert found, f"no vectors of {kinds}"
    return found


def frame(value: Frame) -> list[float]:
    return [*value.origin, *value.rotation]


def sphere(value: Any) -> list[float]:
    return [*value.center, value.radius]


def tree(value: BspTree, index: int = 0) -> dict[str, Any]:
    """A tree in the words of the vectors."""
    node = value.nodes[index]
    tag = tag_name(int(node["tag"]))
    kind = value.kind
    out: dict[str, Any] = {"t": tag}
    has_lists = kind == BspKind.DRAWING or (kind == BspKind.PHYSICS and tag == "LEAF")
    if tag == "LEAF":
        out["leaf"] = int(node["leaf"])
        if kind == BspKind.PHYSICS:
            out["solid"] = int(node["solid"])
        has_lists = kind == BspKind.PHYSICS
    else:
        out["plane"] = node["plane"].tolist()
    for name, side in (("pos", "positive"), ("neg", "negative")):
        if node[side] >= 0:
            out[name] = tree(value, int(node[side]))
    if has_lists or (kind == BspKind.PHYSICS and tag != "PORT"):
        out["sph"] = node["sphere"].tolist()
    if has_lists:
        out["polys"] = value.polygons_of(index).tolist()
        if tag == "PORT":
            out["portals"] = value.portals_of(index).tolist()
    return out


def polygons(values: Any) -> list[dict[str, Any]]:
    assert [p.polygon_id for p in values] == list(range(len(values)))
    out = []
    for p in values:
        row = {
            "v": list(p.vertex_indices),
            "stip": p.stippling,
            "sides": p.sides,
            "pos": p.pos_surface,
            "neg": p.neg_surface,
        }
        if p.has_pos_uv:
            row["puv"] = list(p.pos_uv)
        if p.has_neg_uv:
            row["nuv"] = list(p.neg_uv)
        out.append(row)
    return out


def vertices(value: Any) -> list[dict[str, Any]]:
    assert value.vertices["id"].tolist() == list(range(len(value)))
    out = []
    for row, first in zip(value.vertices, value.uv_first, strict=True):
        pairs = value.uvs[first : first + row["uv_count"]]
        out.append(
            {"p": row["position"].tolist(), "n": row["normal"].tolist(), "uv": pairs.tolist()}
        )
    return out


LAYOUT = {
    1: "u", 2: "u", 3: "uffffff", 13: "uuFu", 19: "uf", 21: "ufff", 26: "uuFu", 15: "u"
}  # fmt: skip


def hook(value: Any) -> list[Any]:
    """A hook in the words of the vectors, read from its payload by this table alone."""
    if value.type == 5:
        return [value.type, value.direction, [["raw", value.payload.hex()]]]
    cursor, fields = Cursor(value.payload), []
    for letter in LAYOUT.get(value.type, ""):
        if letter == "u":
            fields.append(["u32", cursor.u32()])
        elif letter == "f":
            fields.append(["f32", cursor.f32()])
        else:
            fields.append(["frame", frame(cursor.frame())])
    cursor.end()
    return [value.type, value.direction, fields]


def pose(value: Any) -> dict[str, Any]:
    return {"frames": value.frames.tolist(), "hooks": [hook(h) for h in value.hooks]}


def motion(value: Any) -> dict[str, Any]:
    out = {
        "anims": [[a.animation_id, a.low, a.high, a.framerate] for a in value.anims],
        "bits": value.bitfield,
        "flags": value.flags,
    }
    if value.flags & 1:
        out["vel"] = list(value.velocity)
    if value.flags & 2:
        out["omega"] = list(value.omega)
    return out


def land_block(r: Any) -> Any:
    return {
        "id": r.id,
        "has": r.has_objects,
        "terrain": r.terrain.tolist(),
        "height": r.heights.tolist(),
    }


def land_block_info(r: Any) -> Any:
    def portal(p: Any) -> Any:
        return {
            "flags": p.flags,
            "cell": p.other_cell_id,
            "portal": p.other_portal_id,
            "stabs": list(p.stabs),
        }

    return {
        "id": r.id,
        "ncells": r.cell_count,
        "objects": [[s.id, frame(s.frame)] for s in r.objects],
        "buildings": [
            {
                "model": b.model_id,
                "frame": frame(b.frame),
                "leaves": b.leaf_count,
                "portals": [portal(p) for p in b.portals],
            }
            for b in r.buildings
        ],
        "restrict": [list(p) for p in r.restrictions] if r.mask & 1 else None,
    }


def env_cell(r: Any) -> Any:
    out = {
        "id": r.id,
        "flags": r.flags,
        "surfaces": [s & 0xFFFF for s in r.surfaces],
        "portals": [[p.flags, p.polygon_id, p.other_cell_id, p.other_portal_id] for p in r.portals],
        "visible": list(r.visible_cells),
        "env": r.environment_id & 0xFFFF,
        "struct": r.structure_index,
        "frame": frame(r.frame),
        "stabs": [[s.id, frame(s.frame)] for s in r.statics],
    }
    assert all(s >> 16 == 0x0800 for s in r.surfaces)
    assert r.environment_id >> 16 == 0x0D00
    if r.restriction_id is not None:
        out["iid"] = r.restriction_id
    return out


def gfx_obj(r: Any) -> Any:
    out = {
        "id": r.id,
        "flags": r.flags,
        "surfaces": list(r.surfaces),
        "verts": vertices(r.vertices),
        "sort": list(r.sort_center),
    }
    if r.flags & 1:
        out |= {"pp": polygons(r.physics_polygons), "pbsp": tree(r.physics_bsp)}
    if r.flags & 2:
        out |= {"dp": polygons(r.polygons), "dbsp": tree(r.drawing_bsp)}
    if r.flags & 8:
        out["deg"] = r.degrade_id
    return out


def environment(r: Any) -> Any:
    return {
        "id": r.id,
        "cells": [
            [
                s.key,
                {
                    "verts": vertices(s.vertices),
                    "polys": polygons(s.polygons),
                    "portals": list(s.portals),
                    "cbsp": tree(s.cell_bsp),
                    "pp": polygons(s.physics_polygons),
                    "pbsp": tree(s.physics_bsp),
                    "dbsp": tree(s.drawing_bsp),
                },
            ]
            for s in r.structures
        ],
    }


def setup(r: Any) -> Any:
    out = {
        "id": r.id,
        "flags": r.flags,
        "parts": list(r.parts),
        "holding": [[h.key, h.part, frame(h.frame)] for h in r.holding_locations],
        "conn": [[h.key, h.part, frame(h.frame)] for h in r.connection_points],
        "placements": [[p.key, pose(p.pose)] for p in r.placement_frames],
        "cyl": [[*c.low_point, c.radius, c.height] for c in r.cyl_spheres],
        "sph": [sphere(s) for s in r.spheres],
        "height": r.height,
        "radius": r.radius,
        "stepup": r.step_up,
        "stepdown": r.step_down,
        "sorting": sphere(r.sorting_sphere),
        "selection": sphere(r.selection_sphere),
        "lights": [
            [i.key, frame(i.frame), i.color, i.intensity, i.falloff, i.cone_angle] for i in r.lights
        ],
        "defaults": [
            r.default_animation,
            r.default_script,
            r.default_motion_table,
            r.default_sound_table,
            r.default_script_table,
        ],
    }
    if r.flags & 1:
        out["parents"] = list(r.parents)
    if r.flags & 2:
        out["scales"] = r.scales.tolist()
    return out


def animation(r: Any) -> Any:
    return {
        "id": r.id,
        "flags": r.flags,
        "nparts": r.part_count,
        "pos": r.position_frames.tolist(),
        "frames": [pose(f) for f in r.frames],
    }


def motion_table(r: Any) -> Any:
    return {
        "id": r.id,
        "default": r.default_style,
        "styles": [list(p) for p in r.style_defaults],
        "cycles": [[k, motion(m)] for k, m in r.cycles],
        "mods": [[k, motion(m)] for k, m in r.modifiers],
        "links": [[n.key, [[k, motion(m)] for k, m in n.targets]] for n in r.links],
    }


def clothing(r: Any) -> Any:
    return {
        "id": r.id,
        "bb": r.base_buckets,
        "base": [
            [k, [[e.part, e.model_id, [list(t) for t in e.textures]] for e in effects]]
            for k, effects in r.base_effects
        ],
        "sb": r.palette_buckets,
        "sub": [
            [
                k,
                e.icon_id,
                [[[list(p) for p in s.ranges], s.palette_set_id] for s in e.sub_palettes],
            ]
            for k, e in r.palette_effects
        ],
    }


def surface(r: Any) -> Any:
    source = {"tex": r.texture_id, "pal": r.palette_id} if r.has_texture else {"color": r.color}
    numbers = {"transl": r.translucency, "lum": r.luminosity, "diff": r.diffuse}
    return {"type": r.type, **source, **numbers}


def picture(r: Any) -> Any:
    out = {
        "id": r.id,
        "cat": r.category,
        "w": r.width,
        "h": r.height,
        "fmt": r.format,
        "data": r.data.hex(),
    }
    return out | ({"pal": r.palette_id} if r.format in (0x29, 0x65) else {})


def sky_time(t: Any) -> Any:
    return {
        "f4": [
            t.begin,
            t.directional_brightness,
            t.directional_heading,
            t.directional_pitch,
        ],
        "dir": t.directional_color,
        "amb": t.ambient_brightness,
        "ambc": t.ambient_color,
        "fog": [t.fog_near, t.fog_far],
        "fogc": t.fog_color,
        "world": t.fog_mode,
        "rep": [
            [x.object_index, x.model_id, x.rotate, x.transparent, x.luminosity, x.max_bright]
            for x in t.replacements
        ],
    }


def region(r: Any) -> Any:
    land, time, merge, misc = r.land, r.time, r.texture_merge, r.misc
    assert land.heights.tolist() == [2.0 * i for i in range(256)]
    assert (land.blocks_long, land.blocks_wide, land.square_length) == (255, 255, 24.0)
    assert (land.squares_per_block, land.vertices_per_cell) == (8, 1)
    assert (land.max_object_height, land.sky_height, land.road_width) == (200.0, 1000.0, 5.0)

    def sky_object(o: Any) -> Any:
        return [
            o.begin_time,
            o.end_time,
            o.begin_angle,
            o.end_angle,
            o.texture_velocity_u,
            o.texture_velocity_v,
            o.model_id,
            o.effect_id,
            o.properties,
        ]

    def texture(t: Any) -> Any:
        return [
            t.terrain_type,
            [
                t.texture_id,
                t.tiling,
                t.max_bright,
                t.min_bright,
                t.max_saturation,
                t.min_saturation,
                t.max_hue,
                t.min_hue,
                t.detail_tiling,
                t.detail_texture_id,
            ],
        ]

    return {
        "id": r.id,
        "num": r.number,
        "name": r.name,
        "heights": "height[i] = 2*i (i = 0..255)",
        "time": {
            "zero": time.zero_time_of_year,
            "year": time.zero_year,
            "daylen": time.day_length,
            "days": time.days_per_year,
            "spec": time.year_spec,
            "tod": [[t.start, t.is_night, t.name] for t in time.times_of_day],
            "week": list(time.days_of_week),
            "seasons": [[s.start_day, s.name] for s in time.seasons],
        },
        "mask": r.parts,
        "sky": {
            "tick": r.sky.tick_size,
            "ltick": r.sky.light_tick_size,
            "groups": [
                [
                    g.chance,
                    g.name,
                    [sky_object(o) for o in g.objects],
                    [sky_time(t) for t in g.times],
                ]
                for g in r.sky.day_groups
            ],
        },
        "sound": [
            [
                s.sound_table_id,
                [[a.sound_type, a.volume, a.base_chance, a.min_rate, a.max_rate] for a in s.sounds],
            ]
            for s in r.sounds
        ],
        "scene": [[s.sound_index, list(s.scenes)] for s in r.scene_types],
        "terrain": [[t.name, t.color, list(t.scene_types)] for t in r.terrain_types],
        "texmerge": {
            "size": merge.base_texture_size,
            "corner": [list(p) for p in merge.corner_masks],
            "side": [list(p) for p in merge.side_masks],
            "road": [list(p) for p in merge.road_masks],
            "desc": [texture(t) for t in merge.textures],
        },
        "misc": [
            misc.version,
            misc.game_map_id,
            misc.autotest_map_id,
            misc.autotest_map_size,
            misc.clear_cell_id,
            misc.clear_monster_id,
        ],
    }


def scene(r: Any) -> Any:
    return {
        "id": r.id,
        "o": [
            {
                "obj": o.object_id,
                "frame": frame(o.base_frame),
                "f8": [
                    o.frequency,
                    o.displace_x,
                    o.displace_y,
                    o.min_scale,
                    o.max_scale,
                    o.max_rotation,
                    o.min_slope,
                    o.max_slope,
                ],
                "align": o.align,
                "orient": o.orient,
                "weenie": o.weenie_object,
            }
            for o in r.objects
        ],
    }


def emitter(r: Any) -> Any:
    out = {
        "id": r.id,
        "unk": r.unknown,
        "etype": r.emitter_type,
        "ptype": r.particle_type,
        "gfx": r.model_id,
        "hw": r.hardware_model_id,
        "birth": r.birthrate,
        "counts": [r.max_particles, r.initial_particles, r.total_particles],
        "secs": [r.total_seconds, r.lifespan, r.lifespan_random],
        "scale": [r.start_scale, r.final_scale, r.scale_random],
        "trans": [r.start_translucency, r.final_translucency, r.translucency_random],
        "local": r.is_parent_local,
    }
    for name, value in (("off", r.offset), ("a", r.a), ("b", r.b), ("c", r.c)):
        out |= {name: list(value.vector), f"{name}mm": [value.min, value.max]}
    return out


def script_table(r: Any) -> Any:
    groups = [[g.script_type, [[c.mod, c.script_id] for c in g.choices]] for g in r.groups]
    return {"id": r.id, "e": groups}


def degrade(r: Any) -> Any:
    levels = [
        [i.model_id, i.mode, i.min_distance, i.ideal_distance, i.max_distance] for i in r.levels
    ]
    return {"id": r.id, "e": levels}


def iteration(r: Any) -> Any:
    numbers = list(r)
    return numbers if len(numbers) <= 6 else {"first": numbers[0], "last": numbers[-1]}


DESCRIBE = {
    "LandBlock": land_block,
    "LandBlockInfo": land_block_info,
    "EnvCell": env_cell,
    "GfxObj": gfx_obj,
    "Environment": environment,
    "Setup": setup,
    "Animation": animation,
    "MotionTable": motion_table,
    "Palette": lambda r: {"id": r.id, "colors": r.colors.tolist()},
    "PalSet": lambda r: {"id": r.id, "pals": list(r.palettes)},
    "ClothingTable": clothing,
    "Surface": surface,
    "SurfaceTexture": lambda r: {
        "id": r.id,
        "cat": r.category,
        "type": r.type,
        "tex": list(r.textures),
    },
    "RenderSurface": picture,
    "GfxObjDegradeInfo": degrade,
    "Region": region,
    "Scene": scene,
    "ParticleEmitter": emitter,
    "PhysicsScript": lambda r: {
        "id": r.id,
        "e": [[s.start_time, hook(s.hook)] for s in r.steps],
    },
    "PhysicsScriptTable": script_table,
    "IterationRecord": iteration,
}


@pytest.mark.parametrize("vector", of_kind(*RECORDS))
def test_a_record_has_the_vectors_value_and_bytes(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    kind, value = vector["kind"], vector["value"]
    if kind == "IterationRecord":
        record_id = 0xFFFF0001
    elif kind == "Surface":
        record_id = 0x08000001
    else:
        record_id = value["id"]
    record: Any = read_record(record_id, data, "cell" if kind in CELL_KINDS else "portal")
    assert DESCRIBE[kind](record) == value
    assert record.write() == data


@pytest.mark.parametrize("vector", of_kind(*BSP_KINDS))
def test_a_tree_has_the_vectors_value_and_bytes(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    cursor = Cursor(data)
    value = BspTree.unpack(cursor, BSP_KINDS[vector["kind"]])
    cursor.end()
    assert tree(value) == vector["value"]
    out = Packer()
    value.pack(out)
    assert out.finish() == data


def test_motion_keys() -> None:
    (vector,) = [v for v in VECTORS if v["kind"] == "motion_key"]
    for row in vector["value"]:
        assert motion_key(row["style"], row["substate"]) == row["key"]


def test_every_vector_kind_has_a_test_somewhere() -> None:
    """The kinds of the file are those that this folder, and the two named others, take up."""
    here = {*RECORDS, *BSP_KINDS, "motion_key"}
    cursor = {
        "compressed_uint", "packed_data_id", "legacy_string", "obfuscated_string", "pstring_byte",
        "pstring_wide", "color_argb", "frame", "plane", "terrain_word",
    }  # fmt: skip
    container = {"compressed_payload", "dat_file", "dat_free_list", "btree_bulk", "btree_insert"}
    land = {"landscape_hash", "terrain_code", "day_group"}
    assert {v["kind"] for v in VECTORS} == here | cursor | container | land
