"""Effects and dress: particle emitters, physics scripts, clothing tables."""

from __future__ import annotations

from typing import Final

from acclient_py.bake.book import Book
from acclient_py.bake.cells import frame_of
from acclient_py.bake.schema import bodies as b
from acclient_py.bake.vec import V3, Pose, f32, f32_point
from acclient_py.dat.records.clothing import (
    ClothingObjectEffect,
    ClothingPaletteEffect,
    ClothingSubPalette,
    ClothingTable,
)
from acclient_py.dat.records.hooks import WHOLE_OBJECT, Hook, HookType
from acclient_py.dat.records.palette import PaletteSet
from acclient_py.dat.records.particle_emitter import ParticleEmitter, VectorRange
from acclient_py.dat.records.physics_script import PhysicsScript, ScriptStep
from acclient_py.errors import DataError

FORWARD: Final = 1
BUCKETS: Final = 8


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
    """The PhysicsScript of a table `script.NAME`: its steps start emitters."""
    number = book.ids[("script", name)]
    table: b.Script = book.tables.need("script", name)
    steps = []
    for step in table.steps:
        emitter = book.id_of("emitter", step.emitter, f"script '{name}'")
        part = WHOLE_OBJECT if step.part is None else step.part
        values = (emitter, part, frame_of(Pose(step.at)), step.emitter_id)
        steps.append(ScriptStep(step.time, Hook.make(HookType.CREATE_PARTICLE, FORWARD, values)))
    book.put(number, PhysicsScript(number, tuple(steps)).write())


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
