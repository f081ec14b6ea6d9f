"""One sound record of every kind, made in code, with something in each of its lists."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from acclient_py.core.frame import Frame
from acclient_py.dat import records as rec

TURNED = Frame((1.5, -2.0, 0.25), (0.5, -0.5, 0.5, 0.5))
HERE = Frame((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
UP = (0.0, 0.0, 1.0, 0.0)


def poses(count: int) -> np.ndarray:
    """(count, 7) frames."""
    rows = np.zeros((count, 7), np.float32)
    rows[:, 3] = 0.6
    rows[:, 6] = 0.8
    rows[:, 0] = np.arange(count)
    return rows


def vertices(counts: tuple[int, ...] = (1, 2, 0)) -> rec.VertexArray:
    """A triangle's vertices with these numbers of uv pairs."""
    places = [(float(i), float(i * i), 0.0) for i in range(len(counts))]
    pairs = [[(i + 0.25, j + 0.5) for j in range(n)] for i, n in enumerate(counts)]
    return rec.VertexArray.make(places, [(0.0, 0.0, 1.0)] * len(counts), pairs)


def leaf(index: int = 0) -> rec.BspNode:
    return rec.BspNode("LEAF", leaf=index)


def physics_tree() -> rec.BspTree:
    ball = (0.0, 0.0, 0.0, 1.5)
    full = rec.BspNode("LEAF", leaf=1, sphere=ball, polygons=(0,))
    empty = rec.BspNode("LEAF", leaf=0, solid=1)
    root = rec.BspNode("BPnN", UP, full, empty, ball)
    return rec.BspTree.from_node(rec.BspKind.PHYSICS, root)


def drawing_tree() -> rec.BspTree:
    port = rec.BspNode("PORT", UP, leaf(0), leaf(1), (0, 0, 0, 2), (0,), ((1, 0), (0, 1)))
    root = rec.BspNode("BPIn", UP, port, None, (0.0, 0.0, 0.0, 3.0), (0, 1))
    return rec.BspTree.from_node(rec.BspKind.DRAWING, root)


def cell_tree() -> rec.BspTree:
    root = rec.BspNode("BPnn", UP, rec.BspNode("BPnn", (0, 0, -1, 3), leaf()))
    return rec.BspTree.from_node(rec.BspKind.CELL, root)


POLYGONS = (
    rec.Polygon(0, 3, 2, 0, 1, (0, 1, 2), (0, 1, 0), (0, 0, 0)),
    rec.Polygon(1, 8, 2, 1, -1, (2, 1, 0), (0, 1, 0)),
)
HIT = (rec.Polygon(0, 4, 0, -1, -1, (0, 1, 2)),)


def land_block() -> rec.LandBlock:
    words = (np.arange(81) * 397 % 65536).astype(np.uint16)
    return rec.LandBlock(0x1234FFFF, 1, words, np.arange(81, dtype=np.uint8))


def land_block_info() -> rec.LandBlockInfo:
    portals = (
        rec.BuildingPortal(3, 0x100, 1, (0x100, 0x101, 0x102)),
        rec.BuildingPortal(0xFFF1, 0x101, 0, ()),
    )
    building = rec.BuildingInfo(0x01000010, TURNED, 7, portals)
    restrictions = ((9, 1), (1, 2), (9, 3))
    return rec.LandBlockInfo(
        0x1234FFFE, 2, (rec.Stab(0x02000001, TURNED),), (building,), 1, 8, restrictions
    )


def env_cell(flags: int = 0xB, surface_count: int = 3, static_count: int = 2) -> rec.EnvCell:
    statics = tuple(rec.Stab(0x02000001 + i, TURNED) for i in range(static_count))
    return rec.EnvCell(
        0x12340100,
        flags,
        tuple(0x08000000 | 2 * i + 1 for i in range(surface_count)),
        0x0D000012,
        1,
        TURNED,
        (rec.CellPortal(1, 3, 0x101, 0), rec.CellPortal(0xFF06, 4, 0xFFFF, 0)),
        (0x100, 0x101, 0x102),
        statics if flags & 2 else (),
        0x75262000 if flags & 8 else None,
    )


def environment() -> rec.Environment:
    parts = (vertices(), POLYGONS, (1,), cell_tree(), HIT, physics_tree())
    return rec.Environment(
        0x0D000001,
        (rec.CellStructure(0, *parts, drawing_tree()), rec.CellStructure(1, *parts, None)),
    )


def gfx_obj() -> rec.GfxObj:
    return rec.GfxObj(
        0x01000001,
        0xF,
        (0x08000001, 0x08000002),
        vertices(),
        HIT,
        physics_tree(),
        (0.0, 0.5, 1.0),
        POLYGONS,
        drawing_tree(),
        0x11000001,
    )


HOOKS = (
    rec.Hook.make(rec.HookType.SOUND, 1, (0x0A000001,)),
    rec.Hook.make(rec.HookType.ATTACK, -1, (3, -1.0, 1.0, 1.0, 1.0, 2.0, 1.5)),
    rec.Hook.make(rec.HookType.CREATE_PARTICLE, 0, (0x32000001, 0xFFFFFFFF, TURNED, 7)),
    rec.Hook(rec.HookType.REPLACE_OBJECT, -2, bytes.fromhex("02012000")),
)


def setup() -> rec.Setup:
    ball = rec.Sphere((0.0, 0.0, 1.0), 1.25)
    return rec.Setup(
        0x02000001,
        0xF,
        (0x01000001, 0x01000002),
        (0xFFFFFFFF, 0),
        np.array([[1.0, 1.0, 1.0], [0.5, 0.5, 0.25]], np.float32),
        (rec.Location(1, 1, TURNED), rec.Location(0x77, 0xFFFFFFFF, HERE)),
        (rec.Location(3, 0, HERE),),
        (
            rec.PlacementFrame(0, rec.AnimationFrame(poses(2))),
            rec.PlacementFrame(0x3F2, rec.AnimationFrame(poses(2), HOOKS[:1])),
        ),
        (rec.CylSphere((0.0, 0.0, 0.0), 0.5, 2.0),),
        (ball, ball),
        1.5,
        0.25,
        0.5,
        0.75,
        ball,
        ball,
        (rec.LightInfo(0, HERE, 0xFFFAC800, 100.0, 5.0, -431602080.0),),
        0x03000001,
        0x33000001,
        0x09000001,
        0x20000001,
        0x34000001,
    )


def animation() -> rec.Animation:
    frames = (rec.AnimationFrame(poses(2), HOOKS), rec.AnimationFrame(poses(2)))
    return rec.Animation(0x03000001, 3, 2, poses(2), frames)


def motion_table() -> rec.MotionTable:
    still = rec.MotionData((rec.MotionAnim(0x03000001, 0, -1, 30.0),), 1)
    moving = rec.MotionData(still.anims * 2, 2, 0x83, (0.0, 3.0, 0.0), (0.0, 0.0, -1.5))
    return rec.MotionTable(
        0x09000001,
        0x8000003D,
        ((0x8000003D, 0x41000003), (0x8000003D, 0x40000011)),
        ((0x003D0005, moving), (0x003D0003, still)),
        ((0x0000000D, moving),),
        (rec.MotionLinks(0x003D0003, ((0x45000005, still), (0x45000005, moving))),),
    )


def clothing_table() -> rec.ClothingTable:
    from acclient_py.dat.records import clothing as c

    effects = (
        c.ClothingObjectEffect(0, 0x01000001, ((0x05000001, 0x05000002),)),
        c.ClothingObjectEffect(3, 0x01000002, ()),
    )
    colors = c.ClothingPaletteEffect(
        0x06000001, (c.ClothingSubPalette(((0, 64), (128, 8)), 0x0F000001),)
    )
    return rec.ClothingTable(
        0x10000001, 8, ((0x02000009, effects), (0x02000001, ())), 16, ((62, colors), (1, colors))
    )


def region() -> rec.Region:
    land = rec.LandDefs(
        255, 255, 24.0, 8, 1, 200.0, 1000.0, 5.0, np.arange(256, dtype=np.float32) * 2
    )
    time = rec.GameTime(
        3600.0,
        10,
        7620.0,
        360,
        "P.Y.",
        (rec.TimeOfDay(0.0, 1, "Darktide"), rec.TimeOfDay(0.5, 0, "Midsong")),
        ("Firstday",),
        (rec.Season(0, "Snowreap"),),
    )
    replacement = rec.SkyReplacement(0, 0, 0.0, 50.0, 0.0, 100.0)
    light = rec.SkyTime(
        0.0, 1.0, 0.0, 45.0, 0xFFFFFFFF, 0.5, 0xFF808080, 120.0, 1400.0, 0xFF405060, 1,
        (replacement,),
    )  # fmt: skip
    sky = rec.SkyDesc(
        1.0,
        2.0,
        (
            rec.DayGroup(
                1.0,
                "Sunny",
                (rec.SkyObject(0.0, 1.0, 0.0, 360.0, 0.5, 0.25, 0x01000001, 0, 4),),
                (light,),
            ),
        ),
    )
    merge = rec.TextureMerge(
        128,
        ((8, 0x05000020),),
        ((9, 0x05000021),),
        ((9, 0x05000022), (10, 0x05000023)),
        (rec.TerrainTexture(0, 0x05000030, 1, 50, 0, 50, 0, 25, 0, 4, 0x05000040),),
    )
    return rec.Region(
        0x13000000,
        1,
        "Café",
        land,
        time,
        0x21F,
        sky,
        (rec.AmbientSounds(0x20000001, (rec.AmbientSound(70, 1.0, 0.25, 10.0, 30.0),)),),
        (rec.SceneType(0xFFFFFFFF, ()), rec.SceneType(0, (0x12000001,))),
        (rec.TerrainType("BarrenRock", 0xFF505030, (0, 1)), rec.TerrainType("Grass", 1, ())),
        merge,
        rec.RegionMisc(1, 0x0600127D, 0x06000261, 4, 0x01000FDE, 0x01001612),
    )


def scene() -> rec.Scene:
    item = rec.SceneObject(0x02000001, TURNED, 0.25, 7.0, 0.0, 0.5, 1.5, 360.0, 0.0, 1.0, 1, 0, 0)
    return rec.Scene(0x12000001, (item, item))


def particle_emitter() -> rec.ParticleEmitter:
    span = rec.VectorRange((1.0, 0.0, -9.0), 0.5, 1.0)
    return rec.ParticleEmitter(
        0x32000001, 5, 1, 6, 0x01000001, 0x01000002, 0.1, 10, 2, 5, 3.3, 2.2, 1.1,
        span, span, span, span, 1.0, 0.5, 0.0, 0.0, 1.0, 0.25, 1,
    )  # fmt: skip


def sound_table() -> rec.SoundTable:
    one = rec.SoundEntry(0x0A000001, 1.0, 0.5, 0.75)
    children = (rec.SoundNode(3, (one, one)), rec.SoundNode(9, (), (rec.SoundNode(1, (one,)),)))
    return rec.SoundTable(0x20000001, rec.SoundNode(0, (one,), children))


def script_table() -> rec.PhysicsScriptTable:
    choices = (rec.ScriptChoice(0.5, 0x33000001), rec.ScriptChoice(1.0, 0x33000002))
    groups = (rec.ScriptGroup(75, choices), rec.ScriptGroup(75, ()))
    return rec.PhysicsScriptTable(0x34000001, groups)


def degrade() -> rec.GfxObjDegradeInfo:
    levels = (
        rec.DegradeLevel(0x01000001, 1, 0.0, 25.0, 50.0),
        rec.DegradeLevel(0, 2, 50.0, 75.0, 100.0),
    )
    return rec.GfxObjDegradeInfo(0x11000001, levels)


SAMPLES: dict[str, Callable[[], rec.Record]] = {
    "LandBlock": land_block,
    "LandBlockInfo": land_block_info,
    "EnvCell": env_cell,
    "Environment": environment,
    "GfxObj": gfx_obj,
    "Setup": setup,
    "Animation": animation,
    "MotionTable": motion_table,
    "Palette": lambda: rec.Palette(0x04000001, np.arange(5, dtype=np.uint32) * 0x01020304),
    "PaletteSet": lambda: rec.PaletteSet(0x0F000001, (0x04000001, 0x04000002)),
    "ClothingTable": clothing_table,
    "SurfaceTexture": lambda: rec.SurfaceTexture(0x05000001, 9, 2, (0x06000001, 0x06000001)),
    "RenderSurface": lambda: rec.RenderSurface(
        0x06000001, 6, 2, 1, rec.PixelFormat.INDEX16, bytes(4), 0x04000001
    ),
    "RenderTexture": lambda: rec.RenderTexture(0x15000001, 0, 4, tuple(range(6))),
    "Surface": lambda: rec.Surface(0x112, 0x05000001, 0x04000001, 0, 0.5, 0.0, 1.0),
    "GfxObjDegradeInfo": degrade,
    "Region": region,
    "Scene": scene,
    "ParticleEmitter": particle_emitter,
    "PhysicsScript": lambda: rec.PhysicsScript(
        0x33000001, tuple(rec.ScriptStep(0.5 * i, hook) for i, hook in enumerate(HOOKS))
    ),
    "PhysicsScriptTable": script_table,
    "Wave": lambda: rec.Wave(0x0A000001, bytes(range(18)), bytes(range(30))),
    "SoundTable": sound_table,
    "Iteration": lambda: rec.IterationRecord.of((1, 2, 3, 4, 5, 9)),
}
"""A maker for each kind's record, by the name of the kind."""
