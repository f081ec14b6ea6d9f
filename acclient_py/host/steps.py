"""Scenario steps made into the messages of the wire, stamps filled in (I5).

A step and a captured packet take the same path from here on. What a step leaves out is what a
server in order would send: the current incarnation, the next stamp, the Setup's own motion table.
"""

from __future__ import annotations

from typing import Final

from acclient_py.core.frame import Frame
from acclient_py.dat.records.objdesc import ObjDesc
from acclient_py.host import scenario as steps
from acclient_py.physics.state import DEFAULT_STATE, PhysicsState
from acclient_py.session import messages as wire
from acclient_py.session.directory import Directory, Known
from acclient_py.session.messages import PhysicsDesc, Position, PositionPack, Stamp, WeenieDesc
from acclient_py.session.messages.physics_desc import DescFlags
from acclient_py.session.motions import CREATURE_TYPE
from acclient_py.session.wielding import TWO_HANDED
from acclient_py.world.models import SetupModel

PLACEMENT_OF_LOCATION: Final = {1: 1, 2: 3, 3: 6, 4: 4, 5: 5, 8: 7, 9: 8}
"""Parent location to the placement that a server sends with it (right hand, shield, belt ...)."""

RESTING: Final = 0x65
VALID_LOCATIONS: Final = 0x00010000
"""Flag of a weenie description: the equip locations follow."""


def frame_of(at: steps.At) -> Frame:
    """The frame of a place."""
    return Frame(at.origin, at.rotation)


def placement_for(location: int, placement: int | None) -> int:
    """The placement key of an attach that may leave it out."""
    return PLACEMENT_OF_LOCATION.get(location, 0) if placement is None else placement


def motion_table_of(step: steps.Create, setup: SetupModel) -> int:
    """The motion table that a create names, or else its Setup; 0 for none."""
    return int(step.motion if step.motion is not None else setup.default_motion_table)


def create(
    step: steps.Create, known: Known | None, setup: SetupModel, *, walks: bool = True
) -> wire.CreateObject:
    """A create, or the refresh of an incarnation that is here.

    walks : whether one walks by its motion table, if it has one
    """
    instance = step.instance
    if instance is None:
        instance = known.instance if known is not None else 0
    stamps = [0] * len(Stamp)
    if known is not None and known.instance == instance:
        stamps = [known.next_stamp(which) for which in Stamp]
        stamps[Stamp.TELEPORT] = known.stamps[Stamp.TELEPORT]
        stamps[Stamp.FORCE_POSITION] = known.stamps[Stamp.FORCE_POSITION]
    stamps[Stamp.INSTANCE] = instance
    state = step.state
    if state is None:
        bsp = PhysicsState.HAS_PHYSICS_BSP if setup.has_physics_bsp else 0
        state = steps.HexId(DEFAULT_STATE | bsp)
    motion = motion_table_of(step, setup)
    placement = step.placement
    if placement is None:
        placement = RESTING if step.parent is None else placement_for(step.location, None)
    flags = DescFlags.SETUP | DescFlags.ANIMFRAME_ID
    flags |= DescFlags.MTABLE if motion else DescFlags(0)
    flags |= DescFlags.PARENT if step.parent is not None else DescFlags(0)
    flags |= DescFlags.POSITION if step.at is not None else DescFlags(0)
    flags |= DescFlags.OBJSCALE if step.scale != 1.0 else DescFlags(0)
    desc = PhysicsDesc(
        flags=int(flags),
        state=int(state),
        movement_bytes=None,
        autonomous=None,
        animframe=placement,
        position=None if step.at is None else Position(step.at.cell, frame_of(step.at)),
        motion_table=motion or None,
        sound_table=None,
        script_table=None,
        setup=int(step.setup),
        parent=None if step.parent is None else int(step.parent),
        location=None if step.parent is None else step.location,
        children=(),
        scale=step.scale if step.scale != 1.0 else None,
        friction=None,
        elasticity=None,
        translucency=None,
        velocity=None,
        acceleration=None,
        omega=None,
        default_script=None,
        script_intensity=None,
        stamps=tuple(stamps),
    )
    # a creature walks, and has a body to be stopped by; doors have motion tables, and spheres, too
    kind = CREATURE_TYPE if motion and walks and len(setup.spheres) else 0
    hands: tuple[tuple[str, int], ...] = ()
    if step.two_handed:
        hands = (("valid_locations", TWO_HANDED),)
    weenie = WeenieDesc(VALID_LOCATIONS if hands else 0, "", 1, 0, kind, 0, 0, hands)
    return wire.CreateObject(int(step.guid), ObjDesc(), desc, weenie)


def attach(step: steps.Attach, directory: Directory) -> wire.ParentEvent:
    """A parent event."""
    parent, child = directory.get(step.parent), directory.get(step.child)
    instance = step.parent_instance
    if instance is None:
        instance = parent.instance if parent is not None else 0
    stamp = step.stamp
    if stamp is None:
        stamp = child.next_stamp(Stamp.POSITION) if child is not None else 1
    placement = placement_for(step.location, step.placement)
    return wire.ParentEvent(
        int(step.parent), int(step.child), step.location, placement, instance, stamp
    )


def pickup(step: steps.Pickup, known: Known | None) -> wire.PickupEvent:
    """A pickup."""
    return wire.PickupEvent(
        int(step.guid),
        _instance(step.instance, known),
        _stamp(step.stamp, known, Stamp.POSITION),
    )


def delete(step: steps.Delete, known: Known | None) -> wire.DeleteObject:
    """A delete."""
    return wire.DeleteObject(int(step.guid), _instance(step.instance, known))


def state(step: steps.State, known: Known | None) -> wire.SetState:
    """A state word."""
    return wire.SetState(
        int(step.guid),
        int(step.state),
        _instance(step.instance, known),
        _stamp(step.stamp, known, Stamp.STATE),
    )


def position(step: steps.Position, known: Known | None) -> wire.UpdatePosition:
    """A server position."""
    teleport = step.teleport_stamp
    if teleport is None:
        teleport = known.stamps[Stamp.TELEPORT] if known is not None else 0
    force = step.force_stamp
    if force is None:
        force = known.stamps[Stamp.FORCE_POSITION] if known is not None else 0
    stamps = (
        _instance(step.instance, known),
        _stamp(step.stamp, known, Stamp.POSITION),
        teleport,
        force,
    )
    where = PositionPack.make(
        step.at.cell,
        frame_of(step.at),
        contact=step.contact,
        stamps=stamps,
        velocity=step.velocity,
        placement=step.placement or None,
    )
    return wire.UpdatePosition(int(step.guid), where)


def teleport(step: steps.Teleport, known: Known) -> wire.UpdatePosition:
    """A server position whose teleport stamp is the next one."""
    stamps = (
        known.instance,
        known.next_stamp(Stamp.POSITION),
        known.next_stamp(Stamp.TELEPORT),
        known.stamps[Stamp.FORCE_POSITION],
    )
    where = PositionPack.make(step.at.cell, frame_of(step.at), contact=True, stamps=stamps)
    return wire.UpdatePosition(int(step.guid), where)


def _instance(given: int | None, known: Known | None) -> int:
    if given is not None:
        return given
    return known.instance if known is not None else 0


def _stamp(given: int | None, known: Known | None, which: Stamp) -> int:
    if given is not None:
        return given
    return known.next_stamp(which) if known is not None else 1
