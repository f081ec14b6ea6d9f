"""Questions about records: raw, obj."""

from __future__ import annotations

from typing import Final

from acclient_py.cli.asking import Answer, AskError, AskWorld, need, number, numbers, read_id, verb
from acclient_py.core.ids import hex8
from acclient_py.dat.records.animation import Animation
from acclient_py.dat.records.gfxobj import GfxObj
from acclient_py.dat.records.motion_table import MotionTable
from acclient_py.dat.records.setup import Setup
from acclient_py.world.pools import HAS_PHYSICS

_FILES: Final = ("portal", "cell", "highres", "local")
_FNV_BASIS: Final = 0x811C9DC5
_FNV_PRIME: Final = 0x01000193


def fnv1a(data: bytes) -> int:
    """The 32-bit FNV-1a hash of bytes."""
    value = _FNV_BASIS
    for byte in data:
        value = (value ^ byte) * _FNV_PRIME & 0xFFFFFFFF
    return value


@verb("raw")
def raw(world: AskWorld, words: list[str]) -> Answer:
    """`raw file id`: length and hash of a record's bytes."""
    need(words, 2, "raw portal|cell|highres|local ID")
    if words[0] not in _FILES:
        raise AskError(f"no file {words[0]!r}", do=f"name one of {', '.join(_FILES)}")
    did = read_id(words[1])
    dat = world.dats.files().get(words[0])  # this very file: no other stands in for it
    entry = None if dat is None else dat.find(did)
    if dat is None or entry is None:
        return {"ok": 0}
    data = dat.read_entry(entry)
    return {"ok": 1, "len": len(data), "fnv1a": fnv1a(data)}


@verb("obj")
def obj(world: AskWorld, words: list[str]) -> Answer:
    """`obj id`: what a GfxObj, Setup, Animation or MotionTable holds."""
    need(words, 1, "obj ID")
    did = read_id(words[0])
    if not world.dats.has(did):
        return {"ok": 0}
    record = world.dats.record(did)
    if isinstance(record, GfxObj):
        out: Answer = {
            "ok": 1,
            "npoly": len(record.polygons),
            "nphys": len(record.physics_polygons),
            "nsurf": len(record.surfaces),
        }
        index = world.models.gfx(did)
        row = world.models.gfx_rows[index]
        if row["flags"] & HAS_PHYSICS:
            sphere = row["physics_sphere"]
            out |= {"psphere": numbers(sphere[:3]), "pr": number(sphere[3])}
        return out
    if isinstance(record, Setup):
        setup = world.models.setup(did)
        return {
            "ok": 1,
            "nparts": setup.part_count,
            "nsphere": len(setup.spheres),
            "ncyl": len(setup.cylspheres),
            "height": number(setup.height),
            "radius": number(setup.radius),
            "up": number(setup.step_up),
            "down": number(setup.step_down),
        }
    if isinstance(record, Animation):
        return {"ok": 1, "nparts": record.part_count, "nframes": len(record.frames)}
    if isinstance(record, MotionTable):
        return {"ok": 1, "style": record.default_style}
    raise AskError(f"{hex8(did)} is no GfxObj, Setup, Animation or MotionTable")
