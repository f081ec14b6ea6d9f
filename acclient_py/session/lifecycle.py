"""The events of a life: create, attach, pickup, delete, position, state (contract E).

`Session.handle` takes any message, passes it through its gates, and does it whole or not at all.
Both hosts and the wire use this one path; a scenario step becomes the same message. Every
precondition is a pure check made before the first write; what is refused changes nothing but the
stamp that the message has passed (E3).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from acclient_py.core.ids import hex8, is_newer
from acclient_py.errors import RefusedEvent
from acclient_py.physics.state import PhysicsState
from acclient_py.physics.world import PhysicsWorld
from acclient_py.session import looks, motions
from acclient_py.session import messages as wire
from acclient_py.session.answer import DONE, Answer, Outcome, answer_of
from acclient_py.session.directory import Directory, Known
from acclient_py.session.messages import Message
from acclient_py.session.messages.physics_desc import Stamp
from acclient_py.session.positions import Loader, Positions
from acclient_py.session.relations import Relations

log = logging.getLogger(__name__)

Again = Callable[[], object] | None


class Session:
    """One connection's worth of objects on one physics world."""

    def __init__(self, world: PhysicsWorld, loader: Loader) -> None:
        self.world = world
        self.loader = loader
        self.directory = Directory()
        self.relations = Relations(world, self.directory)
        self.positions = Positions(world, self.directory, loader)
        self._again: Again = None
        world.end_life = self._end_object

    def handle(self, message: Message, again: Again = None) -> Answer:
        """Act on one message. Nothing is raised for a message that cannot be acted on.

        again : if it waits, what is done in its place once it need wait no more; None: `handle`
        """
        before, self._again = self._again, again
        answer = self._dispatch(message)
        self._again = before
        if answer.outcome is Outcome.REFUSED:
            log.info("%s refused: %s", type(message).__name__, answer.reason)
        return answer

    def handle_bytes(self, data: bytes, again: Again = None) -> Answer:
        """Parse and act on a wire message; one that cannot be parsed is refused in one line."""
        try:
            message = wire.parse(data)
        except RefusedEvent as error:
            return Answer(Outcome.REFUSED, error.what)
        return self.handle(message, again)

    def close(self) -> None:
        """End every life, children first known or not; nothing is left over (E15)."""
        self.directory.forget_waiting()
        for known in list(self.directory):
            self._end(known)
        self.directory.player_guid = None

    def _dispatch(self, message: Message) -> Answer:
        match message:
            case wire.CreatePlayer():
                self.directory.player_guid = message.guid
                return DONE
            case wire.UpdateObject():
                return self._create(message, force=True)
            case wire.CreateObject():
                return self._create(message)
            case wire.PlayerTeleport():
                return answer_of(self.positions.teleport_starts(message.teleport_stamp))
            case wire.ParentEvent():
                return self._parent(message)
            case wire.PickupEvent():
                gate = self._gate(message.guid, message.instance, message)
                if isinstance(gate, Answer):
                    return gate
                return answer_of(self.relations.pickup(gate, message.position_stamp))
            case wire.DeleteObject():
                return self._delete(message)
            case wire.UpdatePosition():
                gate = self._gate(message.guid, message.where.instance, message)
                if isinstance(gate, Answer):
                    return gate
                return answer_of(self.positions.received(gate, message.where))
            case wire.PositionAndMovement():
                return self._position_and_movement(message)
            case wire.SetState():
                return self._state(message)
            case wire.VectorUpdate():
                return self._vector(message)
            case wire.MovementEvent():
                return self._movement(message)
            case wire.ObjDescEvent():
                return self._obj_desc(message)

    def _object_of(self, guid: int) -> int:
        known = self.directory.get(guid)
        return -1 if known is None else known.obj

    # gates

    def _gate(self, guid: int, instance: int, message: Message) -> Known | Answer:
        """The record that a message speaks of, or why it is not acted on now. contract: E2

        Unknown or a newer incarnation: it waits; equal: it passes; older: it is dropped.
        """
        known = self.directory.get(guid)
        if known is None or is_newer(known.instance, instance):
            return self._wait(guid, message)
        if known.instance != instance:
            return Answer(
                Outcome.STALE,
                f"stale: incarnation {instance} of {hex8(guid)}, now {known.instance}",
            )
        return known

    def _wait(self, guid: int, message: Message) -> Answer:
        if self.directory.wait(guid, self._again or partial(self.handle, message)):
            return Answer(Outcome.WAITS, f"waits for the create of {hex8(guid)}")
        return Answer(Outcome.REFUSED, "too many messages wait already")

    # create and delete

    def _create(self, message: wire.CreateObject, *, force: bool = False) -> Answer:
        """Retail: HandleCreateObject @0x00454C80. contract: E4"""
        physics = message.physics
        if physics.parent and self.directory.get(physics.parent) is None:
            return self._wait(physics.parent, message)
        instance = physics.stamps[Stamp.INSTANCE]
        known = self.directory.get_even_half(message.guid)
        fresh = known is None or known.half or force or is_newer(known.instance, instance)
        if known is not None and not fresh:
            if known.instance != instance:
                return Answer(
                    Outcome.STALE,
                    f"stale: a create of incarnation {instance}, now {known.instance}",
                )
            return self._refresh(known, message)
        if not physics.setup:
            return Answer(Outcome.REFUSED, f"the create of {hex8(message.guid)} names no setup")
        reason = self.world.refuse_object(physics.setup, scale=physics.scale or 1.0)
        if reason is None and physics.parent:
            parent = self.directory.get(physics.parent)
            assert parent is not None, "a create with an unknown parent waits"
            if parent.guid == message.guid:
                reason = "an object cannot be its own parent"
        if reason is not None:
            return Answer(Outcome.REFUSED, reason)
        held = self._retire(known)
        made = self._make(message)
        reason = self._settle(made, message, held)
        self._replay(message.guid)
        return DONE if reason is None else Answer(Outcome.DONE, reason)

    def _retire(self, known: Known | None) -> tuple[int, int] | None:
        """End the old life; of a half known one the (parent guid, location) it was named under."""
        if known is None:
            return None
        held = None
        if known.half:
            parent = self.directory.of_object(self.world.parent_of(known.obj))
            if parent is not None:
                held = (parent.guid, self.world.location_of(known.obj))
        self._end(known)
        return held

    def _make(self, message: wire.CreateObject) -> Known:
        """The object with everything but a place. Retail: set_description, DoObjDescChanges."""
        physics = message.physics
        assert physics.setup is not None, "a create without a setup was refused"
        obj = self.world.make_object(
            physics.setup,
            guid=message.guid,
            instance=physics.stamps[Stamp.INSTANCE],
            state=physics.state,
            scale=1.0 if physics.scale is None else physics.scale,
        )
        known = Known(message.guid, obj, list(physics.stamps), name=message.weenie.name)
        known.has_weenie = True
        known.obj_desc = message.obj_desc
        if physics.motion_table:
            motions.set_table(self.world, obj, physics.motion_table)
        motions.set_weenie(self.world, obj, message.guid, message.weenie)
        self.relations.wielding.note(message.guid, message.weenie)
        movement = physics.movement()
        if movement is not None:
            motions.apply(self.world, obj, movement, self._object_of)
        elif physics.animframe is not None:
            self.world.set_placement_frame(obj, physics.animframe)
        motions.set_velocity(self.world, obj, physics.velocity, physics.omega)
        looks.apply(self.world, obj, message.obj_desc)
        looks.begin(self.world, obj, physics)
        self.directory.add(known)
        return known

    def _settle(
        self, known: Known, message: wire.CreateObject, held: tuple[int, int] | None
    ) -> str | None:
        """Children, parent, place, in retail's order; why the last was not had. @0x00558870"""
        physics = message.physics
        for guid, location in physics.children:
            self._named_child(known, guid, location)
        if physics.parent:
            parent = self.directory.get(physics.parent)
            assert parent is not None, "a create with an unknown parent waits"
            return self.relations.attach(known, parent, physics.location or 0, physics.animframe)
        holder = None if held is None else self.directory.get(held[0])
        if held is not None and holder is not None:
            return self.relations.attach(known, holder, held[1], physics.animframe)
        if physics.position is not None:
            return self.positions.enter(known, physics.position.cell_id, physics.position.frame)
        return None

    def _named_child(self, known: Known, guid: int, location: int) -> None:
        """A child that a create lists: known, or half known from now on."""
        child = self.directory.get_even_half(guid)
        if child is None:
            child = Known(guid, self.world.make_object(0, guid=guid), half=True)
            self.directory.add(child)
        self.relations.attach(child, known, location, None)

    def _refresh(self, known: Known, message: wire.CreateObject) -> Answer:
        """A create for the incarnation that is here. contract: E4"""
        physics, stamps = message.physics, message.physics.stamps
        if known.accept(Stamp.OBJDESC, stamps[Stamp.OBJDESC]):
            known.obj_desc = message.obj_desc
            looks.apply(self.world, known.obj, message.obj_desc)
        stamp = stamps[Stamp.POSITION]
        if physics.parent:
            parent = self.directory.get(physics.parent)
            assert parent is not None, "a create with an unknown parent waits"
            reason = self.relations.parent_event(
                known, parent, physics.location or 0, physics.animframe or 0, stamp
            )
        elif physics.position is not None:
            where = wire.PositionPack.make(
                physics.position.cell_id,
                physics.position.frame,
                contact=True,
                stamps=(
                    known.instance,
                    stamp,
                    stamps[Stamp.TELEPORT],
                    stamps[Stamp.FORCE_POSITION],
                ),
                placement=physics.animframe or 0,
            )
            reason = self.positions.received(known, where)
        else:
            reason = self.relations.pickup(known, stamp)
        movement = physics.movement()
        if movement is not None and known.accept_movement(
            stamps[Stamp.MOVEMENT], stamps[Stamp.SERVER_CONTROLLED_MOVE]
        ):
            motions.apply(self.world, known.obj, movement, self._object_of)
        if known.accept(Stamp.STATE, stamps[Stamp.STATE]):
            self.world.set_state(known.obj, physics.state)
        if known.accept(Stamp.VECTOR, stamps[Stamp.VECTOR]):
            motions.set_velocity(self.world, known.obj, physics.velocity, physics.omega)
        known.name = message.weenie.name
        answer = answer_of(reason)
        return answer if answer.outcome is Outcome.REFUSED else DONE

    def _delete(self, message: wire.DeleteObject) -> Answer:
        """Retail: DeleteObject @0x00508460. contract: E8"""
        gate = self._gate(message.guid, message.instance, message)
        if isinstance(gate, Answer):
            return gate
        if self.directory.is_player(gate):
            return Answer(Outcome.REFUSED, "the player's own object is not deleted by message")
        self._end(gate)
        return DONE

    def _end(self, known: Known) -> None:
        """End one life while its children are still attached. contract: E8"""
        self.positions.forget(known)
        self.relations.wielding.forget(known.guid)
        for child in self.world.children_of(known.obj):
            record = self.directory.of_object(child)
            if record is not None:
                self.directory.unlatch(record.guid)
        self.world.delete_object(known.obj)
        self.directory.remove(known)

    def _end_object(self, obj: int) -> None:
        """It was lost too long: a record goes too. @DestroyObjects 0x00508C30 contract: E8, E15"""
        if (known := self.directory.of_object(obj)) is None:
            self.world.delete_object(obj)
        else:
            self._end(known)

    def _replay(self, guid: int) -> None:
        """Act on what waited for `guid`, in order. @ProcessObjectNetBlobs"""
        for again in self.directory.take_waiting(guid):
            again()

    # the rest

    def _parent(self, message: wire.ParentEvent) -> Answer:
        """Retail: DoParentEvent @0x00452290. contract: E1 E2 E5"""
        gate = self._gate(message.parent, message.parent_instance, message)
        if isinstance(gate, Answer):
            return gate
        child = self.directory.get(message.child)
        if child is None:
            return self._wait(message.child, message)
        return answer_of(
            self.relations.parent_event(
                child, gate, message.location, message.placement, message.position_stamp
            )
        )

    def _state(self, message: wire.SetState) -> Answer:
        """A state word, verbatim. contract: E10"""
        gate = self._gate(message.guid, message.instance, message)
        if isinstance(gate, Answer):
            return gate
        if not gate.accept(Stamp.STATE, message.state_stamp):
            return Answer(Outcome.STALE, "stale state stamp")
        self.world.set_state(gate.obj, message.state)
        if self.directory.is_player(gate) and not message.state & PhysicsState.HIDDEN:
            self.positions.teleport_ends()
        return DONE

    def _vector(self, message: wire.VectorUpdate) -> Answer:
        gate = self._gate(message.guid, message.instance, message)
        if isinstance(gate, Answer):
            return gate
        if not gate.accept(Stamp.VECTOR, message.vector_stamp):
            return Answer(Outcome.STALE, "stale vector stamp")
        motions.set_velocity(self.world, gate.obj, message.velocity, message.omega)
        return DONE

    def _movement(self, message: wire.MovementEvent) -> Answer:
        gate = self._gate(message.guid, message.instance, message)
        if isinstance(gate, Answer):
            return gate
        if not gate.accept_movement(message.movement_stamp, message.server_control_stamp):
            return Answer(Outcome.STALE, "stale movement stamp")
        if self.directory.is_player(gate) and message.autonomous:
            return DONE  # the player's own motion comes back to it: stamps only
        motions.apply(self.world, gate.obj, message.movement, self._object_of)
        return DONE

    def _position_and_movement(self, message: wire.PositionAndMovement) -> Answer:
        gate = self._gate(message.guid, message.where.instance, message)
        if isinstance(gate, Answer):
            return gate
        moved = gate.accept_movement(message.movement_stamp, message.server_control_stamp)
        answer = answer_of(self.positions.received(gate, message.where))
        if moved:
            motions.apply(self.world, gate.obj, message.movement, self._object_of)
        return answer

    def _obj_desc(self, message: wire.ObjDescEvent) -> Answer:
        gate = self._gate(message.guid, message.instance, message)
        if isinstance(gate, Answer):
            return gate
        if not gate.accept(Stamp.OBJDESC, message.objdesc_stamp):
            return Answer(Outcome.STALE, "stale object description stamp")
        gate.obj_desc = message.obj_desc
        looks.apply(self.world, gate.obj, message.obj_desc)
        return DONE
