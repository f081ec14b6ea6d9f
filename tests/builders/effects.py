"""Worlds in code with emitters and scripts: records by id, without files."""

from __future__ import annotations

from typing import Any

from builders.graphs import MAN, NoDats, block, models, put

from acclient_py.core.frame import Frame
from acclient_py.dat.records.hooks import WHOLE_OBJECT, Hook, HookType
from acclient_py.dat.records.particle_emitter import ParticleEmitter, VectorRange
from acclient_py.errors import MissingRecord
from acclient_py.physics.world import PhysicsWorld

LAND = 0x10200019
SPARK = 0x01000004
NOTHING = VectorRange((0.0, 0.0, 0.0), 1.0, 1.0)


class Records(NoDats):
    """Records by id."""

    def __init__(self, records: dict[int, Any]) -> None:
        self.records = records

    def has(self, record_id: int) -> bool:
        return record_id in self.records

    def record(self, record_id: int) -> Any:
        if record_id not in self.records:
            raise MissingRecord(record_id)
        return self.records[record_id]


def along(x: float, y: float, z: float, least: float = 1.0, most: float = 1.0) -> VectorRange:
    """A vector whose length is drawn between two shares of it."""
    return VectorRange((x, y, z), least, most)


def emitter(did: int = 0x32000001, **fields: Any) -> ParticleEmitter:
    """One particle a second that lives two, without any chance in it; `fields` change that."""
    values: dict[str, Any] = {
        "id": did, "unknown": 0, "emitter_type": 1, "particle_type": 2, "model_id": SPARK,
        "hardware_model_id": SPARK, "birthrate": 1.0, "max_particles": 4, "initial_particles": 0,
        "total_particles": 0, "total_seconds": 0.0, "lifespan": 2.0, "lifespan_random": 0.0,
        "offset": VectorRange((0.0, 0.0, 0.0), 0.0, 0.0), "a": NOTHING, "b": NOTHING, "c": NOTHING,
        "start_scale": 1.0, "final_scale": 1.0, "scale_random": 0.0, "start_translucency": 0.0,
        "final_translucency": 0.0, "translucency_random": 0.0, "is_parent_local": 0,
    }  # fmt: skip
    return ParticleEmitter(**{**values, **fields})


def world_of(*records: Any, seed: int = 1) -> PhysicsWorld:
    """Two flat blocks side by side, and these records to be found."""
    made = models()
    made.dats = Records({record.id: record for record in records})  # type: ignore[assignment]
    world = PhysicsWorld(made, seed=seed)
    world.arrivals.arrive([(block(0x10, 0x20), 8), (block(0x11, 0x20), 8)])
    return world


def bearer(world: PhysicsWorld, *at: float, turn: tuple[float, ...] = (1, 0, 0, 0)) -> int:
    """Somebody at a place of the land, turned."""
    man = put(world, MAN, LAND, *at)
    world.set_frame(man, (*at, *turn))
    return man


def start(
    world: PhysicsWorld, obj: int, did: int = 0x32000001, *, part: int = WHOLE_OBJECT,
    at: tuple[float, float, float] = (0.0, 0.0, 0.0), number: int = 0,
) -> int:  # fmt: skip
    """An emitter begun as a hook begins it; its number."""
    before = set(world.effects.emitters.of(obj))
    hook = Hook.make(HookType.CREATE_PARTICLE, 1, (did, part, Frame(at), number))
    world.effects.fire(obj, hook)
    new = set(world.effects.emitters.of(obj)) - before
    return max(new, default=number)


def ticks(world: PhysicsWorld, count: int) -> None:
    for _ in range(count):
        world.tick()
        world.check()


def shown(world: PhysicsWorld, obj: int, number: int) -> list[tuple[float, ...]]:
    """Places of an emitter's living particles, by part."""
    emitter_obj = world.effects.emitters.of(obj)[number]
    row = world.graph.arrays.objects[emitter_obj]
    first, count = int(row["part_first"]), int(row["part_count"])
    rows = world.graph.arrays.parts[first : first + count]
    return [tuple(float(v) for v in r["frame"][:3]) for r in rows if r["gfx"] >= 0]
