"""Positions that come from outside: placement, correction, teleport (E4, E6, E9, E20).

Everything ends in the physics' own placement, and so in the one commit that writes cells (E6). A
place whose landblock is not there yet is waited for: the object stays as it is, held, until the
loader has it, and then arrives whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct

from acclient_py.core.frame import Frame
from acclient_py.core.ids import hex8, is_newer
from acclient_py.physics.distance import Place
from acclient_py.physics.posing import as_frame
from acclient_py.physics.state import (
    PhysicsState,
    SetPositionError,
    SetPositionFlags,
    TransientState,
)
from acclient_py.physics.world import PhysicsWorld
from acclient_py.session.directory import Directory, Known
from acclient_py.session.messages.parts import PositionPack
from acclient_py.session.messages.physics_desc import Stamp

SIMPLE_SLIDE: Final = int(
    SetPositionFlags.SEND_POSITION_EVENT | SetPositionFlags.SLIDE | SetPositionFlags.TELEPORT
)
"""SetPositionSimple(position, slide = 1)."""
SIMPLE: Final = SIMPLE_SLIDE & ~int(SetPositionFlags.SLIDE)
"""SetPositionSimple(position, slide = 0)."""

NEAR: Final = 96.0
"""Metres from the player within which corrections are walked off."""

PATIENCE: Final = 900
"""Ticks for which somebody is held for a place that does not come."""

LIFTS: Final = (0.0, 0.006, 0.03)
"""Metres above the place that is asked for, tried in turn."""


class Loader(Protocol):
    """What positions ask of whoever brings landblocks in and out."""

    def load_for(self, cell_id: int) -> bool:
        """See to it that a cell's surroundings are resident; false when it must be waited for."""

    def start(self, cell_id: int) -> None:
        """Something is put there; without a player the first such place is the load point."""

    def change_position(self, cell_id: int, *, blocking: bool) -> None:
        """The player is in another cell now: what is too far leaves. @0x004559B0"""


class Arrival(Struct):
    """Somebody on the way to a place that is not loaded yet."""

    known: Known
    cell_id: int
    frame: Frame
    teleport: bool
    waited: int = 0  # ticks
    held: bool = False
    """Frozen and not drawn meanwhile."""


class Positions:
    """Placement and correction of the objects of a session."""

    def __init__(self, world: PhysicsWorld, directory: Directory, loader: Loader) -> None:
        self.world = world
        self.directory = directory
        self.loader = loader
        self.arrivals: list[Arrival] = []
        self.teleporting = False
        self.leash = False
        """Whether a server goes on sending positions: only then is nobody left at a leash's end."""

    # placement

    def enter(self, known: Known, cell_id: int, frame: Frame) -> str | None:
        """Place an object that has just been created. contract: E4"""
        if self.directory.is_player(known) and not self.loader.load_for(cell_id):
            self.arrivals.append(Arrival(known, cell_id, frame, teleport=False))
            return None
        if self.directory.is_player(known):
            self.world.player = known.obj
        else:
            self.loader.start(cell_id)
        error = self._lifted(
            frame,
            lambda lifted, slide: self.world.enter_world(known.obj, cell_id, lifted, slide=slide),
        )
        self._player_moved(known, blocking=True)
        return self._words(known, error)

    def place(self, known: Known, cell_id: int, frame: Frame) -> str | None:
        """A forced placement, whatever the stamps say. contract: E6"""
        self._let_go(known)
        if self.directory.is_player(known) and not self.loader.load_for(cell_id):
            self.arrivals.append(Arrival(known, cell_id, frame, teleport=False))
            return None
        error = self._set(known, cell_id, frame, cause="place")
        self._player_moved(known, blocking=False)
        return self._words(known, error)

    # corrections

    def received(self, known: Known, where: PositionPack) -> str | None:
        """A server position. Retail: HandleReceivedPosition @0x00453FD0. contract: E9"""
        player = self.directory.is_player(known)
        frame = where.frame
        teleport_is_old = is_newer(where.teleport_stamp, known.stamps[Stamp.TELEPORT])
        forced = player and known.accept(Stamp.FORCE_POSITION, where.force_position_stamp)
        if forced and not teleport_is_old:
            known.stamps[Stamp.POSITION] = where.position_stamp
            return self._blip(known, where.cell_id, self._own_heading(known, frame))
        if not is_newer(known.stamps[Stamp.POSITION], where.position_stamp):
            return "stale position stamp"
        if teleport_is_old:
            return "stale teleport stamp"
        known.stamps[Stamp.POSITION] = where.position_stamp
        parent = self.directory.of_object(self.world.parent_of(known.obj))
        if parent is not None and not self.directory.is_player(parent):
            known.parented = False
        self._let_go(known)
        if not self.world.has_anims(known.obj):
            self.world.set_placement_frame(known.obj, where.placement or 0)
        if player:
            if known.accept(Stamp.TELEPORT, where.teleport_stamp):
                return self.teleport(known, where.cell_id, frame)
            self._constrain(known, where.cell_id, frame)
            led = known.obj in self.world.movement.ways.ways
            if led and where.contact and self._can_walk(known):
                self.world.movement.steering.interpolate_to(
                    known.obj, where.cell_id, as_frame(frame), keep_heading=True
                )
            return None
        moved, reason = self._move_or_teleport(known, where)
        if moved and self.leash:
            self.world.movement.steering.constrain(known.obj)
        return reason

    def _constrain(self, known: Known, cell_id: int, frame: Frame) -> None:
        """Arm the leash at a place, where there is a server to follow up."""
        # divergence: D14
        if self.leash:
            x, y, z = frame.origin
            self.world.movement.steering.constrain(known.obj, Place(cell_id, x, y, z))

    def _move_or_teleport(self, known: Known, where: PositionPack) -> tuple[bool, str | None]:
        """(whether it was acted on, why not). Retail: MoveOrTeleport @0x00516330.

        Who is near the player and has his feet on the ground is taken there over time; whoever is
        far, or was in no cell, is put there.
        """
        steering = self.world.movement.steering
        jump = known.accept(Stamp.TELEPORT, where.teleport_stamp)
        if not jump and self.world.is_resident(known.obj):
            if not where.contact:
                return False, None
            if self.world.player_distance(known.obj) < NEAR and self._can_walk(known):
                moving = known.obj in self.world.movement.ways.ways
                frame = as_frame(where.frame)
                steering.interpolate_to(known.obj, where.cell_id, frame, keep_heading=moving)
                return True, None
        if jump or not self.world.is_resident(known.obj):
            self.world.movement.teleport_hook(known.obj)
        steering.stop_interpolating(known.obj)
        cause = "teleport" if jump else "place"
        error = self._set(known, where.cell_id, where.frame, cause=cause)
        return True, self._words(known, error)

    def _can_walk(self, known: Known) -> bool:
        """Whether a correction can be walked off: by a body with spheres that has contact.

        What has not would wait for ever where it is: a thing that was just taken out of a hand.
        """
        # divergence: D13
        row = self.world.row(known.obj)
        setup = self.world.setup_of(known.obj)
        return (
            bool(row["transient"] & TransientState.CONTACT)
            and setup is not None
            and len(setup.spheres) > 0
        )

    def _let_go(self, known: Known) -> None:
        """Off whoever holds it, without any cell work (C12); its next refusal is told again. E3"""
        self.world.unset_parent(known.obj)
        self.directory.unlatch(known.guid)

    def _own_heading(self, known: Known, frame: Frame) -> Frame:
        """`frame` with the heading that the object has now."""
        return Frame(frame.origin, self.world.frame_of(known.obj).rotation)

    def _blip(self, known: Known, cell_id: int, frame: Frame) -> str | None:
        """Retail: BlipPlayer. contract: E6

        A player who hangs on somebody, as only hostile messages can have it, is let go first: he
        would be in another cell than his parent (C14).
        """
        self._let_go(known)
        error = self._set(known, cell_id, frame, cause="force")
        self._player_moved(known, blocking=False)
        return self._words(known, error)

    # teleport

    def teleport_starts(self, stamp: int) -> str | None:
        """PlayerTeleport: the wait begins."""
        known = self._player()
        if known is None:
            return "there is no player to teleport"
        if is_newer(stamp, known.stamps[Stamp.TELEPORT]):
            return "stale teleport stamp"
        self.teleporting = True
        return None

    def teleport_ends(self) -> None:
        """The wait is over: the player's HIDDEN was cleared."""
        self.teleporting = False

    def teleport(self, known: Known, cell_id: int, frame: Frame) -> str | None:
        """Retail: TeleportPlayer @0x00453910. contract: E20

        Where the place is not loaded yet the body is held where it is, neither drawn nor falling,
        until it is. A place that there is not, or that does not come for `PATIENCE` ticks, is
        refused: the body goes on from where it was.
        """
        self._end_wait(known)
        if not self.loader.load_for(cell_id):
            arrival = Arrival(known, cell_id, frame, teleport=True)
            arrival.held = not int(self.world.state_of(known.obj)) & PhysicsState.FROZEN
            self.arrivals.append(arrival)
            if arrival.held:
                self._hold(known, True)
            return None
        return self._arrive(known, cell_id, frame)

    def _arrive(self, known: Known, cell_id: int, frame: Frame) -> str | None:
        slot, there = self.world.real_cell(known.obj, cell_id, as_frame(frame))
        # divergence: D37
        if slot < 0 and self.world.is_resident(known.obj):
            self.teleporting = False
            self._player_moved(known, blocking=False)  # what was fetched for it may go again
            beyond = ""
            if there != cell_id or self.world.cell_slot(cell_id) >= 0:
                beyond = f" at {', '.join(f'{v:g}' for v in frame.origin)}"
            return f"{hex8(known.guid)} stays: there is no cell {hex8(cell_id)}{beyond}"
        self._let_go(known)
        error = self._set(known, cell_id, frame, cause="teleport")
        self.world.movement.teleport_hook(known.obj)
        self._player_moved(known, blocking=True)
        self._constrain(known, cell_id, frame)
        self.world.bodies.rows["velocity"][known.obj] = 0.0
        self.teleporting = False
        return self._words(known, error)

    def _hold(self, known: Known, on: bool) -> None:
        """Stop somebody's time, and draw him and what he carries no more, or let go again."""
        state = int(self.world.state_of(known.obj))
        both = PhysicsState.FROZEN | PhysicsState.NODRAW
        self.world.set_state(known.obj, int(state | both if on else state & ~both))
        for child in self.world.children_of(known.obj):
            self.world.set_nodraw(child, on)

    def _end_wait(self, known: Known) -> None:
        """Nothing is waited for any more."""
        for arrival in [a for a in self.arrivals if a.known is known]:
            self.arrivals.remove(arrival)
            if arrival.held:
                self._hold(known, False)

    def use_time(self) -> list[str]:
        """Let those arrive whose places have come; why, for those who will not arrive."""
        reasons: list[str] = []
        waiting, self.arrivals = self.arrivals, []
        for arrival in waiting:
            there = self.loader.load_for(arrival.cell_id)
            arrival.waited += 1
            late = arrival.held and arrival.waited >= PATIENCE
            if not there and not late:
                self.arrivals.append(arrival)
                continue
            if arrival.held:
                self._hold(arrival.known, False)
            reason: str | None
            if not there:
                self.teleporting = False
                name, cell = hex8(arrival.known.guid), hex8(arrival.cell_id)
                reason = f"{name} stays: {cell} did not come for {PATIENCE} ticks"
            elif arrival.teleport:
                reason = self._arrive(arrival.known, arrival.cell_id, arrival.frame)
            else:
                reason = self.enter(arrival.known, arrival.cell_id, arrival.frame)
            if reason is not None:
                reasons.append(reason)
        return reasons

    def forget(self, known: Known) -> None:
        """Somebody's life ends: nothing arrives any more."""
        self.arrivals = [a for a in self.arrivals if a.known is not known]

    def _player(self) -> Known | None:
        guid = self.directory.player_guid
        return None if guid is None else self.directory.get(guid)

    def _set(self, known: Known, cell_id: int, frame: Frame, *, cause: str) -> SetPositionError:
        """SetPositionSimple, lifted off the floor where it has to be."""
        return self._lifted(
            frame,
            lambda lifted, slide: self.world.set_position(
                known.obj, cell_id, lifted, SIMPLE_SLIDE if slide else SIMPLE, cause=cause
            ),
        )

    @staticmethod
    def _lifted(frame: Frame, put: Callable[[Frame, bool], SetPositionError]) -> SetPositionError:
        """Put something at a frame, or else a hair above it, or else beside it (POR-08).

        Retail's placement fails for a body whose sphere touches the floor, and then looks up to
        4 m around, out of a room's walls too; its servers send places 5 mm above the floor. A
        scenario may name the floor itself.
        """
        # divergence: D16
        error = SetPositionError.OK
        x, y, z = frame.origin
        for slide in (False, True):
            for lift in LIFTS:
                error = put(Frame((x, y, z + lift), frame.rotation), slide)
                if error in (SetPositionError.OK, SetPositionError.GENERAL_FAILURE):
                    return error
        return error

    @staticmethod
    def _words(known: Known, error: SetPositionError) -> str | None:
        if error == SetPositionError.OK:
            return None
        return f"{hex8(known.guid)} cannot stand there: {error.name.lower().replace('_', ' ')}"

    def _player_moved(self, known: Known, *, blocking: bool) -> None:
        if self.directory.is_player(known):
            self.loader.change_position(self.world.full_cell_id(known.obj), blocking=blocking)
