"""Which kind of record an id names, by the ranges of the format, and how it is read."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from msgspec import Struct

from acclient_py.dat.records.animation import Animation
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.clothing import ClothingTable
from acclient_py.dat.records.degrade import GfxObjDegradeInfo
from acclient_py.dat.records.env_cell import EnvCell
from acclient_py.dat.records.environment import Environment
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.dat.records.iteration import ITERATION_RECORD_ID, IterationRecord
from acclient_py.dat.records.landblock import LandBlock
from acclient_py.dat.records.landblock_info import LandBlockInfo
from acclient_py.dat.records.motion_table import MotionTable
from acclient_py.dat.records.palette import Palette, PaletteSet
from acclient_py.dat.records.particle_emitter import ParticleEmitter
from acclient_py.dat.records.physics_script import PhysicsScript, PhysicsScriptTable
from acclient_py.dat.records.raw import RawRecord
from acclient_py.dat.records.region import Region
from acclient_py.dat.records.scene import Scene
from acclient_py.dat.records.setup import Setup
from acclient_py.dat.records.sound import SoundTable, Wave
from acclient_py.dat.records.surface import Surface
from acclient_py.dat.records.textures import RenderSurface, RenderTexture, SurfaceTexture


class RecordKind(Struct, frozen=True):
    """A kind of record: its name, its ids, and its class (None: kept as raw bytes)."""

    name: str
    first: int
    last: int
    type: type[Record] | None = None

    def read(self, record_id: int, data: bytes) -> Record | RawRecord:
        """Read one record of this kind. RecordError where its bytes cannot be that."""
        if self.type is None:
            return RawRecord(self.name, record_id, bytes(data))
        return self.type.read(data, record_id)


def _single(name: str, record_id: int) -> RecordKind:
    return RecordKind(name, record_id, record_id)


ITERATION_KIND: Final = RecordKind(
    "Iteration", ITERATION_RECORD_ID, ITERATION_RECORD_ID, IterationRecord
)
UNKNOWN_KIND: Final = RecordKind("Unknown", 0, 0xFFFFFFFF)

RECORD_KINDS: Final[tuple[RecordKind, ...]] = (
    RecordKind("WeenieDefaults", 0x00000001, 0x0000FFFF),
    RecordKind("GfxObj", 0x01000000, 0x0100FFFF, GfxObj),
    RecordKind("Setup", 0x02000000, 0x0200FFFF, Setup),
    RecordKind("Animation", 0x03000000, 0x0300FFFF, Animation),
    RecordKind("Palette", 0x04000000, 0x0400FFFF, Palette),
    RecordKind("SurfaceTexture", 0x05000000, 0x05FFFFFF, SurfaceTexture),
    RecordKind("RenderSurface", 0x06000000, 0x07FFFFFF, RenderSurface),
    RecordKind("Surface", 0x08000000, 0x0800FFFF, Surface),
    RecordKind("MotionTable", 0x09000000, 0x0900FFFF, MotionTable),
    RecordKind("Wave", 0x0A000000, 0x0A00FFFF, Wave),
    RecordKind("Environment", 0x0D000000, 0x0D00FFFF, Environment),
    _single("CharGen", 0x0E000002),
    _single("VitalTable", 0x0E000003),
    _single("SkillTable", 0x0E000004),
    _single("ChatPoseTable", 0x0E000007),
    _single("ObjectHierarchy", 0x0E00000D),
    _single("SpellTable", 0x0E00000E),
    _single("SpellComponentTable", 0x0E00000F),
    _single("TreasureTable", 0x0E000011),
    _single("ExperienceTable", 0x0E000018),
    _single("CraftTable", 0x0E000019),
    _single("BadDataTable", 0x0E00001A),
    _single("QuestTable", 0x0E00001B),
    _single("GameEventTable", 0x0E00001C),
    _single("ContractTable", 0x0E00001D),
    _single("TabooTable", 0x0E00001E),
    _single("FileToId", 0x0E00001F),
    _single("NameFilterTable", 0x0E000020),
    RecordKind("QualityFilter", 0x0E010000, 0x0E01FFFF),
    RecordKind("MonitoredProperties", 0x0E020000, 0x0E02FFFF),
    RecordKind("PaletteSet", 0x0F000000, 0x0F00FFFF, PaletteSet),
    RecordKind("ClothingTable", 0x10000000, 0x1000FFFF, ClothingTable),
    RecordKind("GfxObjDegradeInfo", 0x11000000, 0x1100FFFF, GfxObjDegradeInfo),
    RecordKind("Scene", 0x12000000, 0x1200FFFF, Scene),
    RecordKind("Region", 0x13000000, 0x1300FFFF, Region),
    RecordKind("MasterInputMap", 0x14000000, 0x1400FFFF),
    RecordKind("RenderTexture", 0x15000000, 0x15FFFFFF, RenderTexture),
    RecordKind("RenderMaterial", 0x16000000, 0x16FFFFFF),
    RecordKind("MaterialModifier", 0x17000000, 0x17FFFFFF),
    RecordKind("MaterialInstance", 0x18000000, 0x18FFFFFF),
    RecordKind("RenderMesh", 0x19000000, 0x19FFFFFF),
    RecordKind("SoundTable", 0x20000000, 0x2000FFFF, SoundTable),
    RecordKind("LayoutDesc", 0x21000000, 0x21FFFFFF),
    RecordKind("EnumMapper", 0x22000000, 0x22FFFFFF),
    RecordKind("StringTable", 0x23000000, 0x24FFFFFF),
    RecordKind("DidMapper", 0x25000000, 0x25FFFFFF),
    RecordKind("ActionMap", 0x26000000, 0x2600FFFF),
    RecordKind("DualDidMapper", 0x27000000, 0x27FFFFFF),
    RecordKind("CombatTable", 0x30000000, 0x3000FFFF),
    RecordKind("LanguageString", 0x31000000, 0x3100FFFF),
    RecordKind("ParticleEmitter", 0x32000000, 0x3200FFFF, ParticleEmitter),
    RecordKind("PhysicsScript", 0x33000000, 0x3300FFFF, PhysicsScript),
    RecordKind("PhysicsScriptTable", 0x34000000, 0x3400FFFF, PhysicsScriptTable),
    RecordKind("ItemMutation", 0x38000000, 0x38FFFFFF),
    RecordKind("MasterProperty", 0x39000000, 0x39FFFFFF),
    RecordKind("Font", 0x40000000, 0x40000FFF),
    RecordKind("LocalFont", 0x40001000, 0x40FFFFFF),
    RecordKind("LanguageInfo", 0x41000000, 0x41FFFFFF),
    RecordKind("DBProperties", 0x78000000, 0x7FFFFFFF),
    ITERATION_KIND,
)
"""The kinds of portal, highres and local files, ascending by id."""

LAND_BLOCK_KIND: Final = RecordKind("LandBlock", 0x0000FFFF, 0xFFFFFFFF, LandBlock)
LAND_BLOCK_INFO_KIND: Final = RecordKind("LandBlockInfo", 0x0000FFFE, 0xFFFFFFFE, LandBlockInfo)
ENV_CELL_KIND: Final = RecordKind("EnvCell", 0x00000100, 0xFFFFFFFD, EnvCell)

_FIRST_IDS: Final = tuple(kind.first for kind in RECORD_KINDS)


def kind_of(record_id: int, file_kind: str = "portal") -> RecordKind:
    """The kind of an id.

    file_kind : "cell" for the cell file; "portal", "highres" and "local" share one set of ranges
    """
    if record_id == ITERATION_RECORD_ID:
        return ITERATION_KIND
    if file_kind == "cell":
        low = record_id & 0xFFFF
        if low == 0xFFFF:
            return LAND_BLOCK_KIND
        if low == 0xFFFE:
            return LAND_BLOCK_INFO_KIND
        return ENV_CELL_KIND if low >= 0x100 else UNKNOWN_KIND
    place = bisect_right(_FIRST_IDS, record_id) - 1
    if place >= 0 and record_id <= RECORD_KINDS[place].last:
        return RECORD_KINDS[place]
    return UNKNOWN_KIND


def read_record(record_id: int, data: bytes, file_kind: str = "portal") -> Record | RawRecord:
    """Read a record by the kind of its id. RecordError names the record and the byte."""
    return kind_of(record_id, file_kind).read(record_id, data)
