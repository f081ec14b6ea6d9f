"""ParticleEmitter, 0x32: how particles come into being and move."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.common import Vec3


class VectorRange(Struct, frozen=True):
    """A vector and the range of lengths that is drawn for it."""

    vector: Vec3
    min: float
    max: float

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(cursor.vec3(), cursor.f32(), cursor.f32())

    def pack(self, out: Packer) -> None:
        out.f32s(self.vector)
        out.f32(self.min)
        out.f32(self.max)


class ParticleEmitter(Record, frozen=True):
    """An emitter, 176 bytes. Its f64 fields are not aligned."""

    id: int
    unknown: int  # skipped by the client
    emitter_type: int  # 1 birthrate per second, 2 per metre moved
    particle_type: int  # 1 still .. 12 global velocity
    model_id: int  # GfxObj
    hardware_model_id: int  # GfxObj; particles are made of this one, 0 refuses the emitter
    birthrate: float  # seconds (or metres) between particles
    max_particles: int
    initial_particles: int
    total_particles: int
    total_seconds: float
    lifespan: float
    lifespan_random: float
    offset: VectorRange
    a: VectorRange
    b: VectorRange
    c: VectorRange
    start_scale: float
    final_scale: float
    scale_random: float
    start_translucency: float
    final_translucency: float
    translucency_random: float
    is_parent_local: int  # nonzero: true

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        return cls(
            cursor.u32(),
            cursor.u32(),
            cursor.i32(),
            cursor.i32(),
            cursor.u32(),
            cursor.u32(),
            cursor.f64(),
            cursor.i32(),
            cursor.i32(),
            cursor.i32(),
            cursor.f64(),
            cursor.f64(),
            cursor.f64(),
            VectorRange.unpack(cursor),
            VectorRange.unpack(cursor),
            VectorRange.unpack(cursor),
            VectorRange.unpack(cursor),
            cursor.f32(),
            cursor.f32(),
            cursor.f32(),
            cursor.f32(),
            cursor.f32(),
            cursor.f32(),
            cursor.u32(),
        )

    def pack(self, out: Packer) -> None:
        out.u32(self.id)
        out.u32(self.unknown)
        out.i32(self.emitter_type)
        out.i32(self.particle_type)
        out.u32(self.model_id)
        out.u32(self.hardware_model_id)
        out.f64(self.birthrate)
        out.i32(self.max_particles)
        out.i32(self.initial_particles)
        out.i32(self.total_particles)
        out.f64(self.total_seconds)
        out.f64(self.lifespan)
        out.f64(self.lifespan_random)
        for item in (self.offset, self.a, self.b, self.c):
            item.pack(out)
        out.f32s(
            (
                self.start_scale,
                self.final_scale,
                self.scale_random,
                self.start_translucency,
                self.final_translucency,
                self.translucency_random,
            )
        )
        out.u32(self.is_parent_local)
