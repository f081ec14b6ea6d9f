"""Motion of objects as the game asks for it: commands, turns, jumps; and the tick that does it.

Spec physics-membership 5.10 and 7. One `Movement` a world: it owns the animations, the sequences
and the motion tables' state, and turns commands into what the next ticks play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from acclient_py.anim import motion as m
from acclient_py.anim.manager import MotionTableManager
from acclient_py.anim.motion import MotionTable
from acclient_py.anim.sequence import AnimationStore, Sequences
from acclient_py.core import F32
from acclient_py.core.frame import get_heading, set_heading, vector_heading_deg
from acclient_py.core.ids import hex8
from acclient_py.dat.records.animation import Animation
from acclient_py.dat.records.hooks import Hook
from acclient_py.dat.records.motion_table import MotionTable as MotionTableRecord
from acclient_py.errors import DataError
from acclient_py.log import warn_once
from acclient_py.physics import ethereal, velocities
from acclient_py.physics import tick as ticking
from acclient_py.physics.bodies import THING
from acclient_py.physics.gait import (
    NAMES,
    Commands,
    adjust_motion,
    run_rate,
    slot_of,
)
from acclient_py.physics.layout import OBJECT
from acclient_py.physics.settle import HIT_GROUND
from acclient_py.physics.state import PhysicsState, TransientState
from acclient_py.physics.steering import Steering
from acclient_py.physics.ticker import Ticker
from acclient_py.physics.ways import Ways

if TYPE_CHECKING:
    from acclient_py.physics.world import PhysicsWorld


class Movement:
    """Motion of all objects of a world."""

    def __init__(self, world: PhysicsWorld) -> None:
        self.world = world
        self.store = AnimationStore(self._animation, self._add_poses)
        self.sequences = Sequences(self.store)
        self.managers: dict[int, MotionTableManager] = {}
        self.commands: dict[int, Commands] = {}
        self.hooks: list[tuple[int, Hook]] = []
        """(object, hook) of the last tick, in the order in which they fired."""
        self._tables: dict[int, MotionTable | None] = {}
        self.ticker = Ticker(world, self.sequences)
        self.steering = Steering(self)
        self.ways = Ways(self)

    # tables and animations ---------------------------------------------------------------

    def _animation(self, did: int) -> Animation | None:
        try:
            record = self.world.models.dats.record(did)
            return record if isinstance(record, Animation) else None
        except DataError as error:
            warn_once(("record", did), "animation %s left out: %s", hex8(did), error)
            return None

    def _add_poses(self, rows: F32) -> int:
        graph = self.world.graph
        first = graph.take("poses", len(rows))
        graph.arrays.poses[first : first + len(rows)] = rows
        return first

    def table(self, did: int) -> MotionTable | None:
        """A motion table, read when first asked for."""
        if did not in self._tables:
            found = None
            try:
                record = self.world.models.dats.record(did)
                if isinstance(record, MotionTableRecord):
                    found = MotionTable.from_record(record)
            except DataError as error:
                warn_once(("record", did), "motion table %s left out: %s", hex8(did), error)
            self._tables[did] = found
        return self._tables[did]

    def walks(self, did: int) -> bool:
        """Whether a body that stands as a motion table says can walk by it; a door cannot."""
        table = self.table(did) if did else None
        return table is not None and table.cycle(table.default_style, m.WALK_FORWARD) is not None

    def set_motion_table(self, obj: int, did: int) -> bool:
        """Give an object a motion table; it then stands as that says. False without such a one."""
        table = self.table(did)
        if table is None or not self.world.graph.arrays.objects["has_part_array"][obj]:
            return False
        s = self._sequence(obj)
        self.sequences.clear_animations(s)
        self.sequences.clear_physics(s)
        self.managers[obj] = MotionTableManager(table, self.sequences, s)
        self.commands[obj] = Commands()
        self._show(obj)
        return True

    def has_table(self, obj: int) -> bool:
        """Whether an object moves by a motion table."""
        return obj in self.managers

    def start_animation(self, obj: int, did: int) -> bool:
        """Play one animation for ever: the default animation of a Setup (spec 6.1)."""
        s = self._sequence(obj)
        if not self.sequences.append_animation(s, did):
            return False
        self._show(obj)
        return True

    def _sequence(self, obj: int) -> int:
        rows = self.world.bodies.rows
        if rows["sequence"][obj] < 0:
            rows["sequence"][obj] = self.sequences.make(obj)
        return int(rows["sequence"][obj])

    def _show(self, obj: int) -> None:
        first, count = self.sequences.pose(int(self.world.bodies.rows["sequence"][obj]))
        if first >= 0:
            self.world.objects.animate(obj)
            row = self.world.graph.arrays.objects[obj]
            row["pose_first"], row["pose_count"] = first, count
            self.world.push_frame(obj)

    def exit_world(self, obj: int) -> None:
        """What an object was about to do is done (`HandleExitWorld`)."""
        self.ways.forget(obj)
        self.steering.forget(obj)
        manager = self.managers.get(obj)
        if manager is not None:
            manager.handle_exit_world()

    def teleport_hook(self, obj: int) -> None:
        """Put somewhere else at once: it is on no way, sticks to nobody, glides nowhere."""
        self.ways.cancel(obj)
        self.steering.unstick(obj)
        self.steering.stop_interpolating(obj)
        self.steering.unconstrain(obj)

    def forget(self, obj: int) -> None:
        """The object is deleted: its sequence and its commands go."""
        rows = self.world.bodies.rows
        if obj < len(rows) and rows["sequence"][obj] >= 0:
            self.sequences.release(int(rows["sequence"][obj]))
            rows["sequence"][obj] = -1
        self.ways.forget(obj)
        self.steering.forget(obj)
        self.managers.pop(obj, None)
        self.commands.pop(obj, None)

    # commands ------------------------------------------------------------------------------

    def do_motion(
        self, obj: int, command: int, speed: float = 1.0, *, hold_run: bool = False
    ) -> bool:
        """Begin a motion and hold it; an action plays once. False when the table refuses it."""
        manager = self.managers.get(obj)
        if manager is None:
            return False
        asked = self.commands[obj]
        asked.hold_run = hold_run
        name = slot_of(command)
        if name is None:
            return manager.do_motion(command, speed)
        setattr(asked, name, (command, speed))
        return self.apply(obj)

    def stop_motion(self, obj: int, command: int) -> None:
        """Let go of a motion."""
        manager = self.managers.get(obj)
        if manager is None:
            return
        asked = self.commands[obj]
        name = slot_of(command)
        if name is None:
            manager.stop_motion(command)
            return
        if getattr(asked, name)[0] == command:
            setattr(asked, name, (m.READY if name == "forward" else 0, 1.0))
            self.apply(obj)

    def stop_completely(self, obj: int) -> None:
        """Let go of everything."""
        if obj in self.commands:
            asked = self.commands[obj]
            asked.forward, asked.sidestep, asked.turn = (m.READY, 1.0), (0, 1.0), (0, 1.0)
            self.apply(obj)

    def set_hold_run(self, obj: int, on: bool) -> None:
        """The run key of an object."""
        asked = self.commands.get(obj)
        if asked is not None and asked.hold_run != on:
            asked.hold_run = on
            self.apply(obj)

    def set_skills(
        self, obj: int, *, run: int | None = None, jump: int | None = None, load: float = 0.0
    ) -> None:
        """What an object can: run and jump skill, and its burden."""
        asked = self.commands.get(obj)
        if asked is not None:
            asked.rate = 1.0 if run is None else run_rate(load, run)
            asked.jump_skill, asked.load = jump, load
            self.apply(obj)

    def set_run_rate(self, obj: int, rate: float) -> None:
        """How much faster than its table's run an object runs; 0 is not a rate."""
        asked = self.commands.get(obj)
        if asked is not None and rate > 0.0:
            asked.rate = rate
            self.apply(obj)

    def set_weenie(self, obj: int, flags: int) -> None:
        """What the game says an object is: CREATURE, PLAYER ... of `bodies.py`.

        Nobody steps onto a creature, and two players pass each other unless they are at war.
        """
        self.world.bodies.rows["weenie"][obj] = flags

    def set_style(self, obj: int, style: int) -> bool:
        """Take a stance."""
        manager = self.managers.get(obj)
        return manager is not None and manager.do_motion(style)

    def apply(self, obj: int) -> bool:
        """Make the sequence play what is asked (`apply_raw_movement`, `apply_interpreted...`)."""
        manager, asked = self.managers[obj], self.commands[obj]
        forward, sidestep, turn = self.interpreted(asked)
        if asked.long_jump:
            forward, sidestep = (m.READY, 1.0), (0, 1.0)
        done = True
        if self._in_air(obj):
            manager.do_motion(m.FALLING, 1.0)
            manager.stop_motion(m.SIDESTEP_RIGHT)
        else:
            done = manager.do_motion(*forward)
            if sidestep[0]:
                done = manager.do_motion(*sidestep) and done
            else:
                manager.stop_motion(m.SIDESTEP_RIGHT)
        if turn[0]:
            done = manager.do_motion(*turn) and done
        else:
            manager.stop_motion(m.TURN_RIGHT)
        self.world.set_active(obj, True)
        return done

    def interpreted(self, asked: Commands) -> tuple[tuple[int, float], ...]:
        """The three held commands in terms of motion tables, each with its speed."""
        return tuple(
            adjust_motion(*getattr(asked, name), run=asked.hold_run, rate=asked.rate)
            for name in NAMES
        )

    def _in_air(self, obj: int) -> bool:
        row = self.world.graph.arrays.objects[obj]
        if not row["state"] & PhysicsState.GRAVITY or row["cell"] < 0:
            return False
        if self.world.bodies.rows["weenie"][obj] & THING:
            return False  # what is no creature moves as it is told (`contact_allows_move`)
        return not row["transient"] & TransientState.ON_WALKABLE

    def motion_of(self, obj: int) -> tuple[int, int, float] | None:
        """Style, substate and its speed, as the table has them now."""
        manager = self.managers.get(obj)
        if manager is None:
            return None
        return manager.state.style, manager.state.substate, manager.state.substate_mod

    def has_cycle(self, obj: int, substate: int) -> bool:
        """Whether an object's table has a cycle of a substate in its present stance."""
        manager = self.managers.get(obj)
        return (
            manager is not None and manager.table.cycle(manager.state.style, substate) is not None
        )

    def is_busy(self, obj: int) -> bool:
        """Whether something that was begun is still to be played to its end."""
        manager = self.managers.get(obj)
        return manager is not None and bool(manager.state.pending)

    # turning and jumping -------------------------------------------------------------------

    def heading(self, obj: int) -> float:
        """Compass degrees."""
        return float(get_heading(self.world.graph.arrays.objects["frame"][obj]))

    def set_heading(self, obj: int, degrees: float) -> None:
        """Look that way at once."""
        frame = self.world.graph.arrays.objects["frame"][obj].copy()
        set_heading(frame, degrees)
        self.world.set_frame(obj, frame)

    def set_heading_to(self, obj: int, dx: float, dy: float) -> None:
        """Look along a direction, metres east and north."""
        if dx != 0.0 or dy != 0.0:
            self.set_heading(obj, float(vector_heading_deg(dx, dy)))

    state_velocity = velocities.state_velocity
    max_speed = velocities.max_speed
    jump_v_z = velocities.jump_v_z
    charge_jump = velocities.charge_jump
    end_charge = velocities.end_charge
    jump = velocities.jump
    set_velocity = velocities.set_velocity
    velocity = velocities.velocity
    _leave_ground = velocities.leave_ground

    def _hit_ground(self, obj: int) -> None:
        self.drop_links(obj)

    def drop_links(self, obj: int) -> None:
        """What was on the way to a motion is left out; the commands are taken up again."""
        manager = self.managers.get(obj)
        if manager is not None:
            manager.handle_enter_world()
            self.apply(obj)

    # time ----------------------------------------------------------------------------------

    def is_ticking(self, obj: int) -> bool:
        """Whether the next tick will update an object by itself (C8)."""
        row = self.world.graph.arrays.objects[obj]
        if row["parent"] >= 0 or row["cell"] < 0 or row["state"] & PhysicsState.FROZEN:
            return False
        return bool(row["transient"] & TransientState.ACTIVE)

    def tick(self, quantum: float = ticking.QUANTUM) -> None:
        """One quantum for every object, then what they fired: hooks, ends of motions, landings."""
        # contract: C7, C8
        ethereal.retry(self.world)
        self.sequences.reserve_hooks(64 + 16 * len(self.managers))
        self.steering.before(quantum)
        self.ticker.run(quantum)
        self._after()
        self.ways.use_time()
        self.steering.after()

    def _after(self) -> None:
        self.hooks = self.sequences.drain_hooks()
        rows = self.sequences.rows
        for s in np.flatnonzero(rows["anim_done"]):
            count, obj = int(rows["anim_done"][s]), int(rows["object"][s])
            rows["anim_done"][s] = 0
            manager = self.managers.get(obj)
            if manager is not None:
                manager.animation_done(count)
        bodies, objects = self.world.bodies.rows, self.world.graph.arrays.objects
        for obj in np.flatnonzero(bodies["grounded"]).tolist():
            what = int(bodies["grounded"][obj])
            bodies["grounded"][obj] = 0
            if objects["kind"][obj] != OBJECT:
                continue
            if what == HIT_GROUND:
                self._hit_ground(obj)
            else:
                self._leave_ground(obj)
