"""Motions that come from outside: motion tables, velocities and movement blocks (6.8, 7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from acclient_py.anim import motion
from acclient_py.physics.bodies import CREATURE, PLAYER, THING
from acclient_py.physics.distance import Place
from acclient_py.physics.ways import Manner
from acclient_py.physics.world import PhysicsWorld
from acclient_py.session.directory import PLAYER_GUIDS
from acclient_py.session.messages.movement import (
    INTERPRETED,
    MOVE_TO_OBJECT,
    MOVE_TO_POSITION,
    TURN_TO_HEADING,
    TURN_TO_OBJECT,
    InterpretedState,
    MovementBlock,
)
from acclient_py.session.messages.parts import Vector
from acclient_py.session.messages.weenie_desc import WeenieDesc

Find = Callable[[int], int]
"""The object that a guid has now, or -1."""

CREATURE_TYPE: Final = 0x10
"""Bit of a weenie's item type."""

JUMP_SKILL: Final = 383
"""Of a player: with a whole charge he rises 5.1 m, as with retail's plain jump of 10 m/s."""

SIDESTEP_ADJUST: Final = 3.12 / 1.25 * 0.5
"""What a raw side step is multiplied with to be an interpreted one (5.10)."""

# A command travels as the low 16 bits of its id.
STYLES: Final = {
    command & 0xFFFF: command
    for command in (
        motion.HAND_COMBAT,
        motion.NON_COMBAT,
        motion.SWORD_COMBAT,
        motion.BOW_COMBAT,
        motion.SWORD_SHIELD_COMBAT,
        motion.TWO_HANDED_SWORD,
        motion.CROSSBOW_COMBAT,
        motion.MAGIC,
    )
}
SUBSTATES: Final = {
    command & 0xFFFF: command
    for command in (
        motion.READY,
        motion.WALK_FORWARD,
        motion.WALK_BACKWARDS,
        motion.RUN_FORWARD,
        motion.FALLEN,
        motion.ON,
        motion.OFF,
        motion.TURN_RIGHT,
        motion.TURN_LEFT,
        motion.SIDESTEP_RIGHT,
        motion.SIDESTEP_LEFT,
        motion.DEAD,
        motion.CROUCH,
        motion.SITTING,
        motion.SLEEPING,
        motion.FALLING,
    )
}


def set_table(world: PhysicsWorld, obj: int, table_id: int) -> None:
    """Give an object its motion table and start its default motion."""
    world.movement.set_motion_table(obj, table_id)


def set_weenie(world: PhysicsWorld, obj: int, guid: int, weenie: WeenieDesc) -> None:
    """What the game knows of an object, as far as physics asks: creature, player, a mere thing."""
    flags = CREATURE if weenie.item_type & CREATURE_TYPE else THING
    if guid >> 28 == PLAYER_GUIDS:
        flags = CREATURE | PLAYER
    world.movement.set_weenie(obj, flags)
    if flags & PLAYER:
        world.movement.set_skills(obj, jump=JUMP_SKILL)  # divergence: D41


def set_velocity(
    world: PhysicsWorld, obj: int, velocity: Vector | None, omega: Vector | None
) -> None:
    """A velocity (m/s) and an omega (rad/s), where they were sent."""
    if velocity is not None:
        world.movement.set_velocity(obj, *velocity)
    if omega is not None:
        world.bodies.rows["omega"][obj] = omega


def apply(world: PhysicsWorld, obj: int, block: MovementBlock, find: Find) -> None:
    """Do what a movement block says; a command that no table of ours names is passed over.

    find : the object of a guid, or -1

    Whatever it says, the object is on no way any more and sticks to nobody; then a stance is
    entered (6.8). Who is sent to somebody unknown goes to the place where he was.
    """
    movement = world.movement
    movement.ways.cancel(obj)
    movement.steering.unstick(obj)
    style = STYLES.get(block.stance)
    if style is not None:
        movement.set_style(obj, style)
    if block.type == INTERPRETED and block.state is not None:
        _interpret(world, obj, block.state)
        target = find(block.sticky_guid) if block.sticky_guid is not None else -1
        if target >= 0:
            movement.steering.stick_to(obj, target)
        return
    asked = block.parameters
    if asked is None:
        return
    manner = Manner(
        asked.bitfield,
        asked.distance,
        asked.min_distance,
        asked.fail_distance,
        asked.speed,
        asked.walk_run_threshold,
        asked.desired_heading,
    )
    if block.run_rate is not None:
        movement.set_run_rate(obj, block.run_rate)
    target = find(block.target) if block.target is not None else -1
    if block.type in (MOVE_TO_OBJECT, MOVE_TO_POSITION):
        if target >= 0:
            movement.ways.to_object(obj, target, manner)
        elif block.to is not None and block.cell_id is not None:
            movement.ways.to_place(obj, Place(block.cell_id, *block.to), manner)
    elif block.type in (TURN_TO_OBJECT, TURN_TO_HEADING):
        if target >= 0:
            movement.ways.turn_to_object(obj, target, manner)
        else:
            to = asked.desired_heading if block.heading is None else block.heading
            movement.ways.turn_to_heading(obj, replace(manner, heading=to))


def _interpret(world: PhysicsWorld, obj: int, state: InterpretedState) -> None:
    """The interpreted state: forward, side step, turn, each at its speed. Absent: the default."""
    forward = SUBSTATES.get(state.forward if state.forward is not None else motion.READY & 0xFFFF)
    if forward is not None:
        speed = 1.0 if state.forward_speed is None else state.forward_speed
        world.movement.do_motion(obj, forward, speed)
    for sent, speed_sent, both in (
        (state.sidestep, state.sidestep_speed, (motion.SIDESTEP_RIGHT, motion.SIDESTEP_LEFT)),
        (state.turn, state.turn_speed, (motion.TURN_RIGHT, motion.TURN_LEFT)),
    ):
        command = SUBSTATES.get(sent) if sent else None
        if command in both:
            speed = 1.0 if speed_sent is None else speed_sent
            if command in (motion.SIDESTEP_RIGHT, motion.SIDESTEP_LEFT):
                speed /= SIDESTEP_ADJUST  # sent as interpreted, done as a raw command
            world.movement.do_motion(obj, command, speed)
        else:
            for other in both:
                world.movement.stop_motion(obj, other)
