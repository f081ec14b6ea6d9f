"""Who does motions over time: a table, its state, and what is still to be counted off (spec 7.2).

One manager an object that has a motion table. An AnimDone hook counts the motion at the head of
its list down; a motion at zero is done.
"""

from __future__ import annotations

from acclient_py.anim.motion import ACTION, READY, MotionState, MotionTable
from acclient_py.anim.sequence import Sequences


class MotionTableManager:
    """One object's motions over time: what it does, and what is still to be counted off."""

    def __init__(self, table: MotionTable, sequences: Sequences, s: int) -> None:
        self.table = table
        self.sequences = sequences
        self.s = s
        self.state = MotionState()
        self._queue(READY, table.set_default_state(self.state, sequences, s))

    def do_motion(self, motion: int, speed: float = 1.0) -> bool:
        """Begin a motion; False when the table refuses it."""
        count = self.table.get_object_sequence(motion, self.state, self.sequences, self.s, speed)
        return self._queue(motion, count)

    def stop_motion(self, motion: int, speed: float = 1.0) -> bool:
        """End a motion; False when it was not on."""
        count = self.table.stop_sequence_motion(motion, speed, self.state, self.sequences, self.s)
        return self._queue(READY, count)

    def stop_completely(self) -> bool:
        count = self.table.stop_completely(self.state, self.sequences, self.s)
        return self._queue(READY, count)

    def _queue(self, motion: int, count: int | None) -> bool:
        if count is None:
            return False
        self.state.pending.append([motion, max(count, 0)])
        self.use_time()
        return True

    def animation_done(self, count: int = 1) -> list[int]:
        """`count` AnimDone hooks have fired; the motions that are thereby done, in order."""
        pending = self.state.pending
        for _ in range(count):
            waiting = next((entry for entry in pending if entry[1] > 0), None)
            if waiting is None:
                break
            waiting[1] -= 1
        return self.use_time()

    def use_time(self) -> list[int]:
        """Take finished motions from the head of the list (`CheckForCompletedMotions`)."""
        done: list[int] = []
        pending = self.state.pending
        while pending and pending[0][1] == 0:
            motion = pending.pop(0)[0]
            if motion & ACTION and self.state.actions:
                self.state.actions.pop(0)
            done.append(motion)
        return done

    def handle_enter_world(self) -> None:
        """Link animations dropped, pending motions finished (spec 3.6)."""
        self.sequences.remove_all_link_animations(self.s)
        self.handle_exit_world()

    def handle_exit_world(self) -> list[int]:
        """Pending motions finished, in order (spec 3.7); what is played goes on."""
        for entry in self.state.pending:
            entry[1] = 0
        return self.use_time()
