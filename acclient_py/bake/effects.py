"""Effects and dress: particle emitters, physics scripts, clothing tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from acclient_py.bake.book import Book
from acclient_py.bake.cells import frame_of
from acclient_py.bake.keys import key_of
from acclient_py.bake.schema import bodies as b
from acclient_py.bake.vec import V3, Pose, f32, f32_point, quat_euler
from acclient_py.dat.records.clothing import (
    ClothingObjectEffect,
    ClothingPaletteEffect,
    ClothingSubPalette,
    ClothingTable,
)
from acclient_py.dat.records.hooks import WHOLE_OBJECT, Hook, HookType, HookValue
from acclient_py.dat.records.palette import PaletteSet
from acclient_py.dat.records.particle_emitter import ParticleEmitter, VectorRange
from acclient_py.dat.records.physics_script import (
    PhysicsScript,
    PhysicsScriptTable,
    ScriptChoice,
    ScriptGroup,
    ScriptStep,
)
from acclient_py.errors import DataError

FORWARD: Final = 1
BUCKETS: Final = 8
MOST_INTENSE: Final = 1000.0
PLAY_SCRIPTS: Final = {
    "Launch": 0x04,
    "Explode": 0x05,
    "PortalEntry": 0x52,
    "PortalExit": 0x53,
    "Create": 0x58,
    "Destroy": 0x59,
    "ProjectileCollision": 0x5A,
    "PortalStorm": 0x73,
    "Hide": 0x74,
    "UnHide": 0x75,
    "Hidden": 0x76,
    "DisappearDestroy": 0x77,
    "LevelUp": 0x8A,
    **{f"SpecialState{k}": 0x77 + k for k in range(1, 11)},
}


def make_emitter(book: Book, name: str) -> None:
    """The ParticleEmitter of a table `emitter.NAME`."""
    number = book.ids[("emitter", name)]
    e: b.Emitter = book.tables.need("emitter", name)
    model = book.id_of("mesh", e.mesh, f"emitter '{name}'")
    record = ParticleEmitter(
        number,
        0,
        1 if e.kind == "birthrate" else 2,
        e.motion,
        model,
        model,
        e.birthrate,
        e.max_particles,
        e.initial,
        e.total,
        e.seconds,
        e.life,
        e.life_random,
        _range(e.offset, e.offset_range),
        _range(e.a, e.a_range),
        _range(e.b, e.b_range),
        _range(e.c, e.c_range),
        f32(e.scale[0]),
        f32(e.scale[1]),
        f32(e.scale_random),
        f32(e.translucency[0]),
        f32(e.translucency[1]),
        f32(e.translucency_random),
        int(e.local),
    )
    book.put(number, record.write())


def _range(vector: V3, span: tuple[float, float]) -> VectorRange:
    return VectorRange(f32_point(vector), f32(span[0]), f32(span[1]))


def make_script(book: Book, name: str) -> None:
    """The PhysicsScript of a table `script.NAME`."""
    number = book.ids[("script", name)]
    table: b.Script = book.tables.need("script", name)
    where = f"script '{name}'"
    steps = sorted(table.steps, key=lambda step: step.time)
    made = tuple(ScriptStep(step.time, step_hook(book, step, where)) for step in steps)
    book.put(number, PhysicsScript(number, made).write())


def step_hook(book: Book, step: b.ScriptStep, where: str, parts: Sequence[str] = ()) -> Hook:
    """The hook of one step. parts : names of the body's parts, where it is known"""
    part = _part_number(step.part, parts, where)
    asked: list[tuple[HookType, tuple[HookValue, ...]]] = []
    if step.emitter is not None:
        emitter = book.id_of("emitter", step.emitter, where)
        frame = frame_of(Pose(step.at, quat_euler(step.rotate)))
        kind = HookType.CREATE_BLOCKING_PARTICLE if step.blocking else HookType.CREATE_PARTICLE
        asked.append((kind, (emitter, part, frame, step.emitter_id)))
    if step.stop is not None:
        asked.append((HookType.STOP_PARTICLE, (step.stop,)))
    if step.destroy is not None:
        asked.append((HookType.DESTROY_PARTICLE, (step.destroy,)))
    if step.light is not None:
        asked.append((HookType.SET_LIGHT, (int(step.light),)))
    if step.fade is not None:
        whole = part == WHOLE_OBJECT
        kind = HookType.TRANSPARENT if whole else HookType.TRANSPARENT_PART
        asked.append((kind, step.fade if whole else (part, *step.fade)))
    if step.call is not None:
        asked.append((HookType.CALL_PES, (book.id_of("script", step.call, where), step.pause)))
    if len(asked) != 1:
        raise DataError(
            "a step does one thing", where=where, do="emitter, stop, destroy, light, fade or call"
        )
    return Hook.make(asked[0][0], FORWARD, asked[0][1])


def _part_number(part: int | str | None, parts: Sequence[str], where: str) -> int:
    if part is None:
        return WHOLE_OBJECT
    if isinstance(part, int):
        return part
    if part not in parts:
        known = f"; there are {', '.join(parts)}" if parts else ", where only numbers are known"
        raise DataError(f"no part '{part}'{known}", where=where)
    return parts.index(part)


def script_table(book: Book, scripts: Mapping[str, str], where: str) -> int:
    """A PhysicsScriptTable for scripts by what they are played for; its id, 0 for none."""
    if not scripts:
        return 0
    groups = []
    for name, script in scripts.items():
        kind = key_of(name, PLAY_SCRIPTS, "script type", where)
        chosen = ScriptChoice(MOST_INTENSE, book.id_of("script", script, where))
        groups.append(ScriptGroup(kind, (chosen,)))
    groups.sort(key=lambda group: group.script_type)
    number = book.fresh("script_table")
    book.put(number, PhysicsScriptTable(number, tuple(groups)).write())
    return number


def make_clothing(book: Book, name: str) -> None:
    """The ClothingTable of a table `clothing.NAME`; palette sets are made for its dyes."""
    number = book.ids[("clothing", name)]
    where = f"clothing '{name}'"
    table: b.Clothing = book.tables.need("clothing", name)
    bases = []
    for setup, parts in table.setups.items():
        effects = []
        for part in parts:
            model = book.id_of("mesh", part.mesh, where) if part.mesh else 0
            textures = tuple(
                (book.id_of("texture", old, where), book.id_of("texture", new, where))
                for old, new in part.textures.items()
            )
            effects.append(ClothingObjectEffect(part.part, model, textures))
        bases.append((book.id_of("setup", setup, where), tuple(effects)))
    templates = []
    for key, dyes in table.dyes.items():
        if not key.isdigit():
            raise DataError(f"dye '{key}' is no palette template number", where=where)
        palettes = []
        for dye in dyes:
            shades = tuple(book.id_of("palette", shade, where) for shade in dye.shades)
            set_id = book.fresh("palette_set")
            book.put(set_id, PaletteSet(set_id, shades).write())
            palettes.append(ClothingSubPalette(tuple(dye.ranges), set_id))
        templates.append((int(key), ClothingPaletteEffect(0, tuple(palettes))))
    bases.sort(key=lambda entry: (entry[0] % BUCKETS, entry[0]))
    templates.sort(key=lambda entry: (entry[0] % BUCKETS, entry[0]))
    record = ClothingTable(number, BUCKETS, tuple(bases), BUCKETS, tuple(templates))
    book.put(number, record.write())
