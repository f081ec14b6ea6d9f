"""The host: one world, one session, a clock; steps in, checkpoints out (I5 to I8).

The windowed viewer and the headless run use this same class, so that both come to the same state.
A tick is 1/30 s. Nothing here knows of graphics: the camera and the overlays are kept as they were
asked for, for whoever draws.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from msgspec import Struct, field

from acclient_py.core import Struct as Rows
from acclient_py.core.ids import hex8
from acclient_py.dat.dataset import DatSet
from acclient_py.errors import RefusedEvent
from acclient_py.host import checkpoint, steps
from acclient_py.host import scenario as sc
from acclient_py.host.doors import Doors
from acclient_py.host.drive import Driver, ticks
from acclient_py.host.errands import Errands
from acclient_py.host.portals import Portals
from acclient_py.host.recording import Recording
from acclient_py.host.residency import Residency
from acclient_py.host.routes import Routes
from acclient_py.host.things import Keeper, read_things
from acclient_py.physics.world import PhysicsWorld
from acclient_py.session import messages as wire
from acclient_py.session.answer import DONE, Answer, Outcome
from acclient_py.session.directory import Known
from acclient_py.session.lifecycle import Session
from acclient_py.transcript.events import Sink
from acclient_py.world.landblock import Landblock
from acclient_py.world.models import Models
from acclient_py.world.region import RegionModel, load_region
from acclient_py.world.scenes import Scenes

log = logging.getLogger(__name__)

TICKS_PER_SECOND: Final = sc.TICKS_PER_SECOND
NOON: Final = 0.5

Line = dict[str, Any]


class CameraWish(Struct):
    """Where pictures are to be taken from.

    eye, target : fixed places; both or neither
    follow      : guid to stand behind, when there is no eye
    view        : of a follower: default, first, look-down, map
    """

    eye: sc.At | None = None
    target: sc.At | None = None
    follow: int | None = None
    view: str = "default"


class Look(Struct):
    """All that a picture asks of the host beside the graph: camera, time of day, overlays."""

    camera: CameraWish = field(default_factory=CameraWish)
    day: float = NOON
    overlays: dict[str, bool] = field(default_factory=dict)
    detail_surfaces: bool = True


class Host:
    """Runs one world.

    dats          : the DAT set; the caller closes it
    detail_radius : rings of blocks in full detail round the load point (register D4)
    mid_radius    : rings of the window, coarse ones included, for whoever draws; 0: none
    check         : check the graph's invariants after every step and every tick
    probe         : takes one line of text for each write of a cell (E19)
    sink          : takes transcript events (T)
    crossings     : note crossings for the checkpoints; recording costs, and a viewer needs none
    """

    def __init__(
        self,
        dats: DatSet,
        *,
        detail_radius: int = 1,
        mid_radius: int = 0,
        seed: int = 1,
        check: bool = False,
        probe: Callable[[str], None] | None = None,
        sink: Sink | None = None,
        crossings: bool = True,
    ) -> None:
        self.dats = dats
        self.seed = seed
        self.models = Models(dats)
        self.region: RegionModel = load_region(dats)
        self._scenes = Scenes(self.region, dats, self.models)
        self.physics = PhysicsWorld(self.models, scenery=self._scenery, seed=seed)
        self.residency = Residency(
            self.physics,
            dats,
            self.region,
            detail_radius=detail_radius,
            mid_radius=mid_radius,
        )
        self.session = Session(self.physics, self.residency)
        self.routes = Routes(self.physics)
        self.driver = Driver(self)
        self.doors = Doors(self)
        self.keeper = Keeper(self, read_things(dats.folder))
        self.portals = Portals(self)
        self.errands = Errands(self)
        self.recording: Recording | None = None
        if crossings or probe is not None or sink is not None:
            self.recording = Recording(self.physics.graph, probe=probe, sink=sink)
        self.look = Look()
        self.tick_count = 0
        self.faults: list[str] = []
        self.refused: list[Line] = []
        self.on_frame: Callable[[], None] | None = None
        """Called by a `frame` step: whoever draws, or walks a frame without drawing."""
        self.on_tick: Callable[[], None] | None = None
        """Called after every tick: whoever shows a scenario while it runs."""
        self._check = check

    # reading

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.tick_count / TICKS_PER_SECOND

    @property
    def player(self) -> Known | None:
        """The local player's record, None before it is created."""
        guid = self.session.directory.player_guid
        return None if guid is None else self.session.directory.get(guid)

    def known(self, guid: int) -> Known:
        """The record of a guid; RefusedEvent when nobody has it."""
        known = self.session.directory.get(guid)
        if known is None:
            raise RefusedEvent("nobody has this guid", where=hex8(guid), do="create it first")
        return known

    def checkpoint(self, name: str, expect: list[sc.Expect] | None = None) -> Line:
        """Where everything is now, in one line; takes the crossings and refusals with it.

        contract: I7
        """
        directory = self.session.directory
        line: Line = {
            "checkpoint": name,
            "tick": self.tick_count,
            "time": self.time,
            "objects": [
                checkpoint.describe(self.physics, known, ticking=self.physics.is_ticking(known.obj))
                for known in directory
            ],
            "counts": checkpoint.counts(self.physics, directory, len(self.residency.blocks)),
            "crossings": self.recording.take_crossings() if self.recording is not None else [],
            "refused": self.refused,
        }
        self.refused = []
        for failure in checkpoint.failures(line, expect or []):
            self.faults.append(f"checkpoint {name!r}: {failure}")
        return line

    def _scenery(self, landblock: Landblock) -> Rows:
        """What the region's rules put on a block in full detail."""
        a = self.physics.graph.arrays
        first = self.physics.cell_slot(landblock.id & 0xFFFF0000 | 1)
        return self._scenes.grow(landblock, a.cells["building"][first : first + 64] >= 0)

    # time

    def tick(self, count: int = 1) -> None:
        """Let `count` quanta of 1/30 s pass."""
        for _ in range(count):
            self.tick_count += 1
            for reason in self.session.positions.use_time():
                log.warning("%s", reason)
                self.refused.append({"do": "teleport", "reason": reason})
            self.session.relations.wielding.use_time()
            self.doors.tick()
            self.portals.tick()
            self.errands.tick()
            self.physics.tick()
            self._after()
            if self.on_tick is not None:
                self.on_tick()

    def _after(self) -> None:
        """What follows every change: the player's surroundings, the recording, the checks."""
        player = self.player
        if player is not None:
            cell_id = self.physics.full_cell_id(player.obj)
            if cell_id:
                self.residency.change_position(cell_id, blocking=False)
        self.keeper.keep()
        self._drain()
        if self._check:
            self.physics.check()

    def _drain(self) -> None:
        if self.recording is not None:
            self.recording.drain(self.tick_count)

    # steps

    def play(self, scenario: sc.Scenario) -> Iterator[Line]:
        """Run the steps in order; yields each checkpoint's line."""
        self.look.detail_surfaces = scenario.detail_surfaces
        for number, step in enumerate(scenario.steps):
            line = self.step(step, number=number)
            if line is not None:
                yield line
        self.driver.release_all()
        self._look_around()
        for refusal in self.refused:  # no checkpoint came that would have told of them
            step = refusal.get("step", "?")
            log.warning("step %s (%s) was refused: %s", step, refusal["do"], refusal["reason"])

    def step(self, step: sc.Step, *, number: int = 0) -> Line | None:
        """Run one step; the line of a checkpoint, else None. contract: I5

        A refused step is told in the next checkpoint's `refused`, with the reason; it ends nothing.
        """
        try:
            line = self._step(step, number)
        except RefusedEvent as error:
            self._refuse(step, number, str(error))
            line = None
        if not isinstance(step, sc.Checkpoint):
            self._after()
        return line

    def _step(self, step: sc.Step, number: int) -> Line | None:
        """One step's work. RefusedEvent when it speaks of somebody who is not there."""
        match step:
            case sc.Checkpoint():
                return self.checkpoint(step.name, step.expect)
            case sc.Tick():
                self.driver.release_all()
                self.tick(ticks(step.seconds))
            case sc.Walk():
                self.driver.release_all()
                reason = self.driver.walk(step)
                if reason is not None:
                    self._refuse(step, number, reason)
            case sc.Input():
                self.driver.hold_keys(step)
            case sc.Use():
                reason = self.doors.use(None if step.guid is None else int(step.guid))
                if reason is not None:
                    self._refuse(step, number, reason)
            case sc.Errand():
                reason = self.errands.begin(step)
                if reason is not None:
                    self._refuse(step, number, reason)
            case sc.Load():
                if not self.residency.load(step.landblock):
                    self._refuse(step, number, f"there is no landblock {hex8(step.landblock)}")
            case sc.Unload():
                self.residency.unload(step.landblock)
            case sc.Camera():
                if step.follow is not None:
                    self.known(step.follow)
                self.look.camera = CameraWish(
                    step.eye,
                    step.target,
                    None if step.follow is None else int(step.follow),
                    step.view,
                )
            case sc.Time():
                self.look.day = step.day
            case sc.Overlay():
                self.look.overlays[step.name] = step.on
            case sc.Things():
                self.keeper.switch(step.on)
            case sc.FrameStep():
                self._look_around()
                if self.on_frame is not None:
                    self.on_frame()
            case _:
                self._do_event(step, number)
        return None

    def _do_event(self, step: sc.Step, number: int) -> None:
        """A step that is an event, or that waited for a create and need wait no more.

        What it leaves out is filled in now: as it waited, there was nobody to ask. contract: I5
        """
        answer = self._event(step, partial(self._do_event, step, number))
        if answer.outcome is not Outcome.WAITS and answer.reason:
            self._refuse(step, number, answer.reason)

    def _look_around(self) -> None:
        """Before a picture: where nothing was ever put, the eye's place is the load point."""
        eye = self.look.camera.eye
        if eye is not None:
            self.residency.start(int(eye.cell))

    def _refuse(self, step: sc.Step, number: int, reason: str) -> None:
        name = type(step).__struct_config__.tag
        self.refused.append({"step": number, "do": name, "reason": reason})

    def _event(self, step: sc.Step, again: Callable[[], None]) -> Answer:
        """A step that is a message of the session; `again` does it once it need wait no more."""
        session, directory = self.session, self.session.directory
        match step:
            case sc.Create():
                return self._create(step, again)
            case sc.Attach():
                return session.handle(steps.attach(step, directory), again)
            case sc.Swap():
                one, other = self.known(step.guid), self.known(step.other)
                reason = session.relations.wielding.request_swap(one, other)
                return DONE if reason is None else Answer(Outcome.REFUSED, reason)
            case sc.Stance():
                if self.physics.movement.set_style(self.known(step.guid).obj, int(step.style)):
                    return DONE
                return Answer(Outcome.REFUSED, "it has no such stance")
            case sc.Pickup():
                return session.handle(steps.pickup(step, directory.get(step.guid)), again)
            case sc.Delete():
                return session.handle(steps.delete(step, directory.get(step.guid)), again)
            case sc.State():
                return session.handle(steps.state(step, directory.get(step.guid)), again)
            case sc.Position():
                return session.handle(steps.position(step, directory.get(step.guid)), again)
            case sc.Teleport():
                return session.handle(steps.teleport(step, self.known(step.guid)))
            case sc.Place():
                reason = session.positions.place(
                    self.known(step.guid), step.at.cell, steps.frame_of(step.at)
                )
                return DONE if reason is None else Answer(Outcome.REFUSED, reason)
            case sc.Message():
                try:
                    data = bytes.fromhex(step.hex)
                except ValueError:
                    return Answer(Outcome.REFUSED, "the message is no hexadecimal text")
                return session.handle_bytes(data, again)
        raise AssertionError(f"{type(step).__name__} is no event")

    def creation(self, step: sc.Create) -> wire.CreateObject:
        """The message of a create step."""
        setup = self.models.setup(step.setup)
        walks = self.physics.movement.walks(steps.motion_table_of(step, setup))
        return steps.create(step, self.session.directory.get(step.guid), setup, walks=walks)

    def _create(self, step: sc.Create, again: Callable[[], None]) -> Answer:
        directory = self.session.directory
        before = directory.player_guid
        message = self.creation(step)
        if step.player:
            directory.player_guid = int(step.guid)
        answer = self.session.handle(message, again)
        if answer.outcome in (Outcome.REFUSED, Outcome.STALE):
            directory.player_guid = before
        if step.leads is not None and answer.done:
            self.portals.leads[int(step.guid)] = step.leads
        return answer

    def close(self) -> None:
        """End the session: every object it made is gone."""
        self.session.close()
        self._drain()
