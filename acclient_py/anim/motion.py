"""Motion tables: which animations a command puts into an object's sequence.

Spec physics-membership 7.1 and 7.2, keys by dat-format 4.12. A command's class is in its top bits:
style (stance), cycle (substate), modifier, action. The table answers a command with the link from
the present state, the cycle behind it and the velocity and omega in force.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct, field

from acclient_py.anim.sequence import Sequences
from acclient_py.core import F64
from acclient_py.dat.records.motion_table import MotionData as MotionDataRecord
from acclient_py.dat.records.motion_table import MotionTable as MotionTableRecord
from acclient_py.dat.records.motion_table import motion_key as key

STYLE: Final = 0x80000000
CYCLE: Final = 0x40000000
MODIFIER: Final = 0x20000000
ACTION: Final = 0x10000000

READY: Final = 0x41000003
WALK_FORWARD: Final = 0x45000005
WALK_BACKWARDS: Final = 0x45000006
RUN_FORWARD: Final = 0x44000007
FALLEN: Final = 0x40000008
ON: Final = 0x4000000B
OFF: Final = 0x4000000C
TURN_RIGHT: Final = 0x6500000D
TURN_LEFT: Final = 0x6500000E
SIDESTEP_RIGHT: Final = 0x6500000F
SIDESTEP_LEFT: Final = 0x65000010
DEAD: Final = 0x40000011
CROUCH: Final = 0x41000012
SITTING: Final = 0x41000013
SLEEPING: Final = 0x41000014
FALLING: Final = 0x40000015
JUMP: Final = 0x2500003B
HAND_COMBAT: Final = 0x8000003C
NON_COMBAT: Final = 0x8000003D
SWORD_COMBAT: Final = 0x8000003E
BOW_COMBAT: Final = 0x8000003F
SWORD_SHIELD_COMBAT: Final = 0x80000040
TWO_HANDED_SWORD: Final = 0x80000044
CROSSBOW_COMBAT: Final = 0x80000041
MAGIC: Final = 0x80000049

EPSILON: Final = 0.0002
_CLEARS_MODIFIERS: Final = 1
_ONLY_FROM_DEFAULT: Final = 2


class MotionData(Struct, frozen=True):
    """One entry: animations (id, low, high, rate), velocity and omega in object space."""

    anims: tuple[tuple[int, int, int, float], ...]
    bitfield: int
    velocity: F64
    omega: F64


class MotionState(Struct):
    """What an object is doing: retail's `MotionState` and the pending list of its manager."""

    style: int = 0
    substate: int = 0
    substate_mod: float = 1.0
    modifiers: list[tuple[int, float]] = field(default_factory=list)  # newest first
    actions: list[tuple[int, float]] = field(default_factory=list)  # oldest first
    pending: list[list[int]] = field(default_factory=list)  # [motion, animations left]
    modifying: bool = False
    """Whether the modifiers in force are being put on again."""

    def add_modifier(self, modifier: int, speed: float) -> bool:
        if self.substate == modifier or any(m == modifier for m, _ in self.modifiers):
            return False
        self.modifiers.insert(0, (modifier, speed))
        return True


def _sign_differs(a: float, b: float) -> bool:
    return (a > 0.0) - (a < 0.0) != (b > 0.0) - (b < 0.0)


class MotionTable:
    """One motion table, ready to answer (`CMotionTable`)."""

    def __init__(
        self,
        table_id: int,
        default_style: int,
        *,
        style_defaults: dict[int, int],
        cycles: dict[int, MotionData],
        modifiers: dict[int, MotionData],
        links: dict[int, dict[int, MotionData]],
    ) -> None:
        self.id = table_id
        self.default_style = default_style
        self.style_defaults = style_defaults
        self.cycles = cycles
        self.modifiers = modifiers
        self.links = links

    @classmethod
    def from_record(cls, record: MotionTableRecord) -> MotionTable:
        """The runtime form of a MotionTable record."""
        return cls(
            record.id,
            record.default_style,
            style_defaults=dict(record.style_defaults),
            cycles={k: _data(d) for k, d in record.cycles},
            modifiers={k: _data(d) for k, d in record.modifiers},
            links={link.key: {to: _data(d) for to, d in link.targets} for link in record.links},
        )

    # looking up ------------------------------------------------------------------------

    def cycle(self, style: int, substate: int) -> MotionData | None:
        """The cycle of a substate in a style, else in the table's default style."""
        return self.cycles.get(key(style, substate)) or self.cycles.get(
            key(self.default_style, substate)
        )

    def modifier(self, style: int, motion: int) -> MotionData | None:
        return self.modifiers.get(key(style, motion)) or self.modifiers.get(motion & 0xFFFFFF)

    def get_link(
        self, style: int, substate: int, substate_speed: float, motion: int, speed: float
    ) -> MotionData | None:
        """The passage from one substate to a motion; backwards when a speed is negative."""
        if speed < 0.0 or substate_speed < 0.0:
            found = self.links.get(key(style, motion), {}).get(substate)
            if found is not None:
                return found
            default = self.style_defaults.get(style)
            if default is None:
                return None
            return self.links.get(key(style, substate), {}).get(default)
        found = self.links.get(key(style, substate), {}).get(motion)
        if found is not None:
            return found
        return self.links.get(key(style, 0), {}).get(motion)

    def is_allowed(self, motion: int, data: MotionData, state: MotionState) -> bool:
        if not data.bitfield & _ONLY_FROM_DEFAULT or motion == state.substate:
            return True
        return self.style_defaults.get(state.style) == state.substate

    # the sequence ----------------------------------------------------------------------

    def set_default_state(self, state: MotionState, sequences: Sequences, s: int) -> int | None:
        """The table's default style and its default substate, from nothing; nodes before the
        cyclic one, or None when the table has no such cycle."""
        substate = self.style_defaults.get(self.default_style)
        data = None if substate is None else self.cycles.get(key(self.default_style, substate))
        if substate is None or data is None:
            return None
        state.modifiers.clear()
        state.actions.clear()
        state.style, state.substate, state.substate_mod = self.default_style, substate, 1.0
        sequences.clear_physics(s)
        sequences.clear_animations(s)
        add_motion(sequences, s, data, 1.0)
        return len(data.anims) - 1

    def get_object_sequence(
        self,
        motion: int,
        state: MotionState,
        sequences: Sequences,
        s: int,
        speed: float,
        *,
        stop: bool = False,
    ) -> int | None:
        """Do a motion (0x522860): the nodes before the cyclic one, or None when refused."""
        if state.style == 0 or state.substate == 0:
            return None
        default = self.style_defaults.get(state.style, 0)
        if motion == default and not stop and state.substate & MODIFIER:
            return 0
        if motion & STYLE:
            done = self._to_style(motion, state, sequences, s, speed)
            if done is not None:
                return done
        if motion & CYCLE:
            done = self._to_cycle(motion, state, sequences, s, speed)
            if done is not None:
                return done
        if motion & ACTION:
            done = self._act(motion, state, sequences, s, speed)
            if done is not None:
                return done
        if motion & MODIFIER:
            return self._modify(motion, state, sequences, s, speed)
        return None

    def _to_style(
        self, motion: int, state: MotionState, sequences: Sequences, s: int, speed: float
    ) -> int | None:
        if state.style == motion:
            return 0
        old_default = self.style_defaults.get(state.style, 0)
        new_default = self.style_defaults.get(motion, 0)
        cycle = self.cycles.get(key(motion, new_default)) if new_default else None
        if cycle is None:
            return None
        before = None
        if old_default != state.substate:
            before = self.get_link(
                state.style, state.substate, state.substate_mod, old_default, speed
            )
        if cycle.bitfield & _CLEARS_MODIFIERS:
            state.modifiers.clear()
        link = self.get_link(state.style, old_default, state.substate_mod, motion, speed)
        second = None
        if link is None:
            link = self.get_link(state.style, old_default, 1.0, self.default_style, 1.0)
            through = self.style_defaults.get(self.default_style, 0)
            second = self.get_link(self.default_style, through, 1.0, motion, 1.0)
        count = self._restart(
            sequences,
            s,
            [(before, speed), (link, speed), (second, speed), (cycle, speed)],
        )
        state.style, state.substate, state.substate_mod = motion, new_default, speed
        self.re_modify(state, sequences, s)
        return count - 1

    def _to_cycle(
        self, motion: int, state: MotionState, sequences: Sequences, s: int, speed: float
    ) -> int | None:
        data = self.cycle(state.style, motion)
        if data is None or not self.is_allowed(motion, data, state):
            return None
        old = state.substate_mod
        if motion == state.substate and sequences.has_anims(s) and not _sign_differs(speed, old):
            change_cycle_speed(sequences, s, old, speed)
            combine_motion(sequences, s, data, -old)
            combine_motion(sequences, s, data, speed)
            state.substate_mod = speed
            return 0
        if data.bitfield & _CLEARS_MODIFIERS:
            state.modifiers.clear()
        link = self.get_link(state.style, state.substate, old, motion, speed)
        second = None
        default = self.style_defaults.get(state.style, 0)
        if link is None or _sign_differs(speed, old):
            link = self.get_link(state.style, state.substate, old, default, 1.0)
            second = self.get_link(state.style, default, 1.0, motion, speed)
        if second is not None:
            chain = [(link, old), (second, speed)]
        else:
            chain = [(link, -speed if old < 0.0 < speed else speed)]
        count = self._restart(sequences, s, [*chain, (data, speed)])
        if state.substate != motion and state.substate & MODIFIER and default != motion:
            state.modifiers.insert(0, (state.substate, old))
        state.substate, state.substate_mod = motion, speed
        self.re_modify(state, sequences, s)
        return count - 1

    def _act(
        self, motion: int, state: MotionState, sequences: Sequences, s: int, speed: float
    ) -> int | None:
        cycle = self.cycles.get(key(state.style, state.substate))
        if cycle is None:
            return None
        old = state.substate_mod
        chain: list[tuple[MotionData | None, float]]
        link = self.get_link(state.style, state.substate, old, motion, speed)
        if link is not None:
            chain = [(link, speed)]
        else:
            default = self.style_defaults.get(state.style, 0)
            there = self.get_link(state.style, state.substate, old, default, 1.0)
            link = self.get_link(state.style, default, 1.0, motion, speed)
            if there is None or link is None:
                return None
            back = self.get_link(state.style, default, 1.0, state.substate, old)
            chain = [(there, 1.0), (link, speed), (back, 1.0)]
        state.actions.append((motion, speed))
        count = self._restart(sequences, s, [*chain, (cycle, old)])
        self.re_modify(state, sequences, s)
        return count - len(cycle.anims)

    def _modify(
        self, motion: int, state: MotionState, sequences: Sequences, s: int, speed: float
    ) -> int | None:
        cycle = self.cycles.get(key(state.style, state.substate))
        if cycle is None or cycle.bitfield & _CLEARS_MODIFIERS:
            return None
        data = self.modifier(state.style, motion)
        if data is None:
            return None
        if not state.add_modifier(motion, speed):
            self.stop_sequence_motion(motion, 1.0, state, sequences, s)
            if not state.add_modifier(motion, speed):
                return None
        combine_motion(sequences, s, data, speed)
        return 0

    def stop_sequence_motion(
        self, motion: int, speed: float, state: MotionState, sequences: Sequences, s: int
    ) -> int | None:
        """End a cycle (back to the style's default) or a modifier (0x522FC0); None: was not on."""
        if motion & CYCLE and state.substate == motion:
            default = self.style_defaults.get(state.style, 0)
            return self.get_object_sequence(default, state, sequences, s, 1.0, stop=True) or 0
        if not motion & MODIFIER:
            return None
        for place, (modifier, modifier_speed) in enumerate(state.modifiers):
            if modifier == motion:
                data = self.modifier(state.style, motion)
                if data is None:
                    return None
                combine_motion(sequences, s, data, -modifier_speed)
                del state.modifiers[place]
                return 0
        return None

    def stop_completely(self, state: MotionState, sequences: Sequences, s: int) -> int | None:
        """All modifiers and then the cycle ended (0x523270)."""
        done: int | None = None
        for modifier, speed in list(state.modifiers):
            if self.stop_sequence_motion(modifier, speed, state, sequences, s) is not None:
                done = 0
        cycle = self.stop_sequence_motion(state.substate, state.substate_mod, state, sequences, s)
        return done if cycle is None else cycle

    def re_modify(self, state: MotionState, sequences: Sequences, s: int) -> None:
        """The modifiers in force put on again after the sequence was begun anew (0x5222F0).

        A table may let a modifier begin a cycle that makes a modifier of the last one, and so on
        without an end; what begins while modifiers are put on again puts on none itself.
        """
        if state.modifying:
            return
        state.modifying = True
        for _ in range(len(state.modifiers)):
            if not state.modifiers:
                break
            motion, speed = state.modifiers.pop(0)
            self.get_object_sequence(motion, state, sequences, s, speed)
        state.modifying = False

    def _restart(
        self, sequences: Sequences, s: int, chain: list[tuple[MotionData | None, float]]
    ) -> int:
        """Links and the cycle in place of the cyclic part; how many animations that is."""
        sequences.clear_physics(s)
        sequences.remove_cyclic_anims(s)
        count = 0
        for data, speed in chain:
            if data is not None:
                add_motion(sequences, s, data, speed)
                count += len(data.anims)
        return count


def add_motion(sequences: Sequences, s: int, data: MotionData, speed: float) -> None:
    """Velocity and omega *set*, animations appended: after a row of these the last one's remain."""
    sequences.set_physics(s, data.velocity * speed, data.omega * speed)
    for animation_id, low, high, rate in data.anims:
        sequences.append_animation(s, animation_id, low=low, high=high, rate=rate * speed)


def combine_motion(sequences: Sequences, s: int, data: MotionData, speed: float) -> None:
    """Velocity and omega added (subtracted with a negative speed)."""
    sequences.combine_physics(s, data.velocity * speed, data.omega * speed)


def change_cycle_speed(sequences: Sequences, s: int, old: float, new: float) -> None:
    """The cyclic animations' rates by the ratio of two speeds."""
    if abs(old) > EPSILON:
        sequences.multiply_cyclic_animation_framerate(s, new / old)
    elif abs(new) < EPSILON:
        sequences.multiply_cyclic_animation_framerate(s, 0.0)


def _data(record: MotionDataRecord) -> MotionData:
    return MotionData(
        tuple((a.animation_id, a.low, a.high, float(a.framerate)) for a in record.anims),
        record.bitfield,
        np.array(record.velocity, np.float64),
        np.array(record.omega, np.float64),
    )
