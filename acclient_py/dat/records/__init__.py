"""The records of the DAT files: one module a kind, fields in file order, read and written.

`read_record` reads by id. Records are frozen; regular data in them are read-only numpy arrays.
Keyed lists stay lists of pairs in the order of the file, so that order, duplicates and keys
outside the known enumerations survive a round trip.
"""

from __future__ import annotations

from acclient_py.dat.records.animation import Animation, AnimationFrame
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.bsp import BSP_NODE_DTYPE, BspKind, BspNode, BspTree
from acclient_py.dat.records.clothing import ClothingTable
from acclient_py.dat.records.common import CylSphere, Sphere, Stab, own_part
from acclient_py.dat.records.degrade import DegradeLevel, GfxObjDegradeInfo
from acclient_py.dat.records.env_cell import CellPortal, EnvCell, EnvCellFlags, PortalFlags
from acclient_py.dat.records.environment import CellStructure, Environment
from acclient_py.dat.records.geometry import VERTEX_DTYPE, VertexArray
from acclient_py.dat.records.gfxobj import GfxObj, GfxObjFlags
from acclient_py.dat.records.hooks import Hook, HookType
from acclient_py.dat.records.iteration import IterationRecord, IterationRun
from acclient_py.dat.records.kinds import RECORD_KINDS, RecordKind, kind_of, read_record
from acclient_py.dat.records.landblock import LandBlock, TerrainWord
from acclient_py.dat.records.landblock_info import BuildingInfo, BuildingPortal, LandBlockInfo
from acclient_py.dat.records.motion_table import (
    MotionAnim,
    MotionData,
    MotionLinks,
    MotionTable,
    motion_key,
)
from acclient_py.dat.records.objdesc import ObjDesc, PartChange, SubPalette, TextureChange
from acclient_py.dat.records.palette import Palette, PaletteSet
from acclient_py.dat.records.particle_emitter import ParticleEmitter, VectorRange
from acclient_py.dat.records.physics_script import (
    PhysicsScript,
    PhysicsScriptTable,
    ScriptChoice,
    ScriptGroup,
    ScriptStep,
)
from acclient_py.dat.records.polygons import Polygon, Polygons, Sides, Stippling
from acclient_py.dat.records.raw import RawRecord
from acclient_py.dat.records.region import LandDefs, Region, RegionMisc, RegionParts
from acclient_py.dat.records.region_sky import (
    DayGroup,
    GameTime,
    Season,
    SkyDesc,
    SkyObject,
    SkyReplacement,
    SkyTime,
    TimeOfDay,
)
from acclient_py.dat.records.region_terrain import (
    AmbientSound,
    AmbientSounds,
    SceneType,
    TerrainTexture,
    TerrainType,
    TextureMerge,
)
from acclient_py.dat.records.scene import Scene, SceneObject
from acclient_py.dat.records.setup import (
    LightInfo,
    Location,
    PlacementFrame,
    Setup,
    SetupFlags,
)
from acclient_py.dat.records.sound import SoundEntry, SoundNode, SoundTable, Wave
from acclient_py.dat.records.surface import Surface, SurfaceType
from acclient_py.dat.records.textures import (
    PixelFormat,
    RenderSurface,
    RenderTexture,
    SurfaceTexture,
)

__all__ = [
    "BSP_NODE_DTYPE",
    "RECORD_KINDS",
    "VERTEX_DTYPE",
    "AmbientSound",
    "AmbientSounds",
    "Animation",
    "AnimationFrame",
    "BspKind",
    "BspNode",
    "BspTree",
    "BuildingInfo",
    "BuildingPortal",
    "CellPortal",
    "CellStructure",
    "ClothingTable",
    "CylSphere",
    "DayGroup",
    "DegradeLevel",
    "EnvCell",
    "EnvCellFlags",
    "Environment",
    "GameTime",
    "GfxObj",
    "GfxObjDegradeInfo",
    "GfxObjFlags",
    "Hook",
    "HookType",
    "IterationRecord",
    "IterationRun",
    "LandBlock",
    "LandBlockInfo",
    "LandDefs",
    "LightInfo",
    "Location",
    "MotionAnim",
    "MotionData",
    "MotionLinks",
    "MotionTable",
    "ObjDesc",
    "Palette",
    "PaletteSet",
    "PartChange",
    "ParticleEmitter",
    "PhysicsScript",
    "PhysicsScriptTable",
    "PixelFormat",
    "PlacementFrame",
    "Polygon",
    "Polygons",
    "PortalFlags",
    "RawRecord",
    "Record",
    "RecordKind",
    "Region",
    "RegionMisc",
    "RegionParts",
    "RenderSurface",
    "RenderTexture",
    "Scene",
    "SceneObject",
    "SceneType",
    "ScriptChoice",
    "ScriptGroup",
    "ScriptStep",
    "Season",
    "Setup",
    "SetupFlags",
    "Sides",
    "SkyDesc",
    "SkyObject",
    "SkyReplacement",
    "SkyTime",
    "SoundEntry",
    "SoundNode",
    "SoundTable",
    "Sphere",
    "Stab",
    "Stippling",
    "SubPalette",
    "Surface",
    "SurfaceTexture",
    "SurfaceType",
    "TerrainTexture",
    "TerrainType",
    "TerrainWord",
    "TextureChange",
    "TextureMerge",
    "TimeOfDay",
    "VectorRange",
    "VertexArray",
    "Wave",
    "kind_of",
    "motion_key",
    "own_part",
    "read_record",
]
