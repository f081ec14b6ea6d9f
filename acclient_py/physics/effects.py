"""Effects of objects: what hooks of animations and scripts make happen (spec dat-format 4.11).

One `Effects` a world. Hooks of animations are fired by the tick after everything has moved, then
the scripts, then the ramps, then the particles; so an effect shows in the tick that began it.
Sounds and attacks are passed over.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.core.ids import hex8
from acclient_py.dat.records.hooks import WHOLE_OBJECT, Hook, HookType
from acclient_py.log import warn_once
from acclient_py.physics.emitters import Emitters
from acclient_py.physics.scripts import Scripts
from acclient_py.physics.state import PhysicsState

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld

log = logging.getLogger(__name__)

SMALL: Final = 0.0002


class Ramp(Struct):
    """A value that goes from `start` to `end` over `seconds` (retail's FPHook)."""

    obj: int
    set: Callable[[int, float], None]
    start: float
    end: float
    begun: float
    seconds: float

    def at(self, now: float) -> tuple[float, bool]:
        """The value now, and whether that is the last of it."""
        if self.seconds <= 0.0 or now >= self.begun + self.seconds:
            return self.end, True
        share = (now - self.begun) / self.seconds
        return self.start + (self.end - self.start) * share, False


class Effects:
    """Emitters, scripts and ramps of all objects of a world."""

    def __init__(self, world: PhysicsWorld, *, seed: int = 1) -> None:
        self.world = world
        self.emitters = Emitters(world, seed=seed)
        self.scripts = Scripts(world)
        self.ramps: list[Ramp] = []
        self.calls: list[tuple[float, int, int]] = []
        """(when, object, script) of scripts that hooks have called for later."""
        self._tables: dict[int, int] = {}
        self._roll = 0
        self._does: dict[int, Callable[[int, dict[str, Any]], None]] = {
            HookType.CREATE_PARTICLE: self._create,
            HookType.CREATE_BLOCKING_PARTICLE: self._create_blocking,
            HookType.DESTROY_PARTICLE: lambda o, f: self.emitters.destroy(o, f["emitter_id"]),
            HookType.STOP_PARTICLE: lambda o, f: self.emitters.stop(o, f["emitter_id"]),
            HookType.SET_LIGHT: lambda o, f: self._state(o, PhysicsState.LIGHTING_ON, f["on"]),
            HookType.ETHEREAL: lambda o, f: self._ethereal(o, bool(f["on"])),
            HookType.NO_DRAW: lambda o, f: self.world.set_nodraw(o, bool(f["on"])),
            HookType.DEFAULT_SCRIPT: lambda o, f: self._default_script(o),
            HookType.DEFAULT_SCRIPT_PART: lambda o, f: self._default_script(o),
            HookType.CALL_PES: lambda o, f: self.call(o, f["script"], f["pause"]),
            HookType.TRANSPARENT: self._transparent,
            HookType.TRANSPARENT_PART: self._transparent,
            HookType.LUMINOUS: self._luminous,
            HookType.LUMINOUS_PART: self._luminous,
            HookType.DIFFUSE: self._diffuse,
            HookType.DIFFUSE_PART: self._diffuse,
            HookType.TEXTURE_VELOCITY: self._drift,
            HookType.TEXTURE_VELOCITY_PART: self._drift,
            HookType.SCALE: self._scale,
            HookType.SET_OMEGA: self._omega,
        }

    # asked from outside ----------------------------------------------------------------

    def begin(self, obj: int) -> None:
        """What an object's Setup makes it do from the start. Retail: InitDefaults @0x005139D0."""
        setup = self.world.setup_of(obj)
        if setup is not None and setup.default_script:
            self.scripts.play(obj, setup.default_script)

    def play_script(self, obj: int, script: int) -> bool:
        """Play a script by its id."""
        return self.scripts.play(obj, script)

    def play_type(self, obj: int, script_type: int, intensity: float = 1.0) -> bool:
        """Play what the object's table of scripts has for a type at an intensity."""
        setup = self.world.setup_of(obj)
        table = self._tables.get(obj, 0) or (setup.default_script_table if setup else 0)
        chosen = self.scripts.choose(table, script_type, intensity)
        return chosen is not None and self.scripts.play(obj, chosen)

    def set_table(self, obj: int, table: int) -> None:
        """Another table of scripts than the Setup's."""
        self._tables[obj] = table

    def call(self, obj: int, script: int, pause: float) -> None:
        """Play a script after a pause that is drawn: `pause` seconds in the mean.

        Retail: CPhysicsObj::CallPES.
        """
        if pause < SMALL:
            self.scripts.play(obj, script)
            return
        self._roll = (self._roll * 48271 + 11) % 2147483647
        drawn = 2.0 * pause * (self._roll / 2147483647.0)
        self.calls.append((self.world.clock + drawn, obj, script))

    def forget(self, obj: int) -> None:
        """The object is deleted: nothing of it goes on."""
        self.emitters.forget(obj)
        self.scripts.forget(obj)
        self._tables.pop(obj, None)
        self.ramps = [ramp for ramp in self.ramps if ramp.obj != obj]
        self.calls = [call for call in self.calls if call[1] != obj]

    # time ------------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """After everything has moved: hooks, scripts, ramps, particles."""
        for obj, hook in self.world.movement.hooks:
            self.fire(obj, hook)
        if self.calls:
            due = [call for call in self.calls if call[0] <= now]
            self.calls = [call for call in self.calls if call[0] > now]
            for _, obj, script in due:
                self.scripts.play(obj, script)
        self.scripts.tick(now, self.fire)
        if self.ramps:
            self._ramp(now)
        self.emitters.tick(now)

    def fire(self, obj: int, hook: Hook) -> None:
        """Make one hook happen. One that has no effect here is passed over."""
        if hook.type == HookType.REPLACE_OBJECT:
            self._replace(obj, hook)
            return
        does = self._does.get(hook.type)
        if does is not None:
            does(obj, hook.fields)

    def _ramp(self, now: float) -> None:
        going = []
        for ramp in self.ramps:
            value, last = ramp.at(now)
            ramp.set(ramp.obj, value)
            if not last:
                going.append(ramp)
        self.ramps = going

    def _begin_ramp(self, ramp: Ramp) -> None:
        value, last = ramp.at(self.world.clock)
        ramp.set(ramp.obj, value)
        if not last:
            self.ramps.append(ramp)

    # hooks -----------------------------------------------------------------------------

    def _create(self, obj: int, fields: dict[str, Any], *, blocking: bool = False) -> None:
        offset = fields["offset"]
        assert isinstance(offset, Frame), "a particle hook has a frame"
        self.emitters.create(
            obj,
            fields["emitter_info"],
            part=fields["part"],
            frame=offset,
            number=fields["emitter_id"],
            blocking=blocking,
        )

    def _create_blocking(self, obj: int, fields: dict[str, Any]) -> None:
        self._create(obj, fields, blocking=True)

    def _state(self, obj: int, bit: PhysicsState, on: int) -> None:
        state = int(self.world.state_of(obj)) & ~int(bit)
        self.world.set_state(obj, (state | int(bit) if on else state) & 0xFFFFFFFF)

    def _ethereal(self, obj: int, on: bool) -> None:
        self.world.set_ethereal(obj, on)

    def _default_script(self, obj: int) -> None:
        setup = self.world.setup_of(obj)
        if setup is not None and setup.default_script:
            self.scripts.play(obj, setup.default_script)

    def _replace(self, obj: int, hook: Hook) -> None:
        """Another mesh for a part: of the two readings of the record, the one whose mesh exists."""
        count = int(self.world.graph.arrays.objects["part_count"][obj])
        for part, did in hook.replacements:
            if part < count and (did == 0 or self.world.models.dats.has(did)):
                self.world.set_part(obj, part, self.world.models.gfx(did))
                return

    def _transparent(self, obj: int, fields: dict[str, Any]) -> None:
        self._part_ramp(obj, fields, self.world.set_translucency)

    def _luminous(self, obj: int, fields: dict[str, Any]) -> None:
        self._part_ramp(obj, fields, self.world.set_luminosity)

    def _diffuse(self, obj: int, fields: dict[str, Any]) -> None:
        self._part_ramp(obj, fields, self.world.set_diffusion)

    def _drift(self, obj: int, fields: dict[str, Any]) -> None:
        self.world.set_texture_velocity(obj, fields["u"], fields["v"], self._part(obj, fields))

    def _part(self, obj: int, fields: dict[str, Any]) -> int | None:
        """The part that a hook names; None for the whole object."""
        part = fields.get("part", WHOLE_OBJECT)
        count = int(self.world.graph.arrays.objects["part_count"][obj])
        if part != WHOLE_OBJECT and part >= count:
            # EQP-04: never the last part
            warn_once(
                ("part of a hook", int(self.world.graph.arrays.objects["guid"][obj]), part),
                "a hook of %s asks for part %d of %d",
                hex8(int(self.world.graph.arrays.objects["guid"][obj])), part, count, logger=log,
            )  # fmt: skip
            part = WHOLE_OBJECT
        return None if part == WHOLE_OBJECT else part

    def _part_ramp(
        self, obj: int, fields: dict[str, Any], set_value: Callable[[int, float, int | None], None]
    ) -> None:
        which = self._part(obj, fields)

        def put(o: int, value: float) -> None:
            set_value(o, value, which)

        self._begin_ramp(
            Ramp(obj, put, fields["start"], fields["end"], self.world.clock, fields["time"])
        )

    def _scale(self, obj: int, fields: dict[str, Any]) -> None:
        start = float(self.world.graph.arrays.objects["scale"][obj])
        self._begin_ramp(
            Ramp(obj, self.world.set_scale, start, fields["end"], self.world.clock, fields["time"])
        )

    def _omega(self, obj: int, fields: dict[str, Any]) -> None:
        self.world.bodies.rows["omega"][obj] = (fields["x"], fields["y"], fields["z"])
