"""Animations loaded once, and the sequences that play them (spec physics-membership 7.3).

Everything lies in flat arrays so that one kernel call can advance every moving object of a tick.
An animation's part frames are rows of the graph's pose pool: the pose of frame f is
`(pose_first + f * part_count, part_count)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from acclient_py.core import F32
from acclient_py.dat.records.animation import Animation
from acclient_py.dat.records.hooks import Hook
from acclient_py.kernels.sequence import advance, ending_frame, starting_frame

ANIMATION_DTYPE: Final = np.dtype(
    [
        ("id", "<u4"),
        ("frame_count", "<i4"),
        ("part_count", "<i4"),
        ("pose_first", "<i4"),  # row of frame 0 in the pose pool
        ("pos_first", "<i4"),  # row of frame 0 in pos_frames, -1 without root motion
        ("hook_first", "<i4"),  # row of frame 0 in hook_starts
    ]
)
NODE_DTYPE: Final = np.dtype(
    [
        ("anim", "<i4"),
        ("low", "<i4"),
        ("high", "<i4"),
        ("next", "<i4"),
        ("prev", "<i4"),
        ("rate", "<f8"),  # frames a second, negative plays backwards
    ]
)
SEQUENCE_DTYPE: Final = np.dtype(
    [
        ("object", "<i4"),  # who plays it, -1 free
        ("first", "<i4"),  # nodes; -1 none
        ("last", "<i4"),
        ("curr", "<i4"),
        ("cyclic", "<i4"),  # the node that the chain returns to
        ("anim_done", "<i4"),  # AnimDone hooks since they were last taken
        ("placement_first", "<i4"),  # the pose shown while there is no node
        ("placement_count", "<i4"),
        ("frame_number", "<f8"),
        ("velocity", "<f8", 3),  # metres a second, object space
        ("omega", "<f8", 3),  # radians a second, object space
    ]
)
DEFAULT_RATE: Final = 30.0
ANIM_DONE: Final = -1  # hook number of the AnimDone hook


Poses = Callable[[F32], int]  # rows (n, 7) appended to the pose pool -> first row


def _grown(array: Any, needed: int) -> Any:
    """`array` itself, or a copy with room for `needed` items."""
    if needed <= len(array):
        return array
    grown = np.zeros((max(needed, 2 * len(array)), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


class AnimationStore:
    """Every animation in use, loaded once."""

    def __init__(self, load: Callable[[int], Animation | None], add_poses: Poses) -> None:
        """load: animation id -> record or None; add_poses: (n, 7) rows -> first row."""
        self._load = load
        self._add_poses = add_poses
        self.anims = np.zeros(16, ANIMATION_DTYPE)
        self.count = 0
        self.pos_frames = np.zeros((64, 7), np.float32)
        self._pos_count = 0
        self.hook_starts = np.zeros(256, np.int32)
        self._hook_rows = 0
        self.hook_directions = np.zeros(16, np.int32)
        self.hooks: list[Hook] = []
        self._index: dict[int, int] = {}

    def get(self, animation_id: int) -> int:
        """Index of an animation, loaded on first use; -1 when there is none."""
        at = self._index.get(animation_id)
        if at is None:
            record = self._load(animation_id)
            at = -1 if record is None or not len(record.frames) else self._add(record)
            self._index[animation_id] = at
        return at

    def _add(self, record: Animation) -> int:
        frames = record.frames
        parts = int(record.part_count)
        at = self.count
        self.anims = _grown(self.anims, at + 1)
        anim = self.anims[at]
        anim["id"] = record.id
        anim["frame_count"] = len(frames)
        anim["part_count"] = parts
        rows = np.concatenate([f.frames for f in frames])
        anim["pose_first"] = self._add_poses(rows.reshape(-1, 7))
        anim["pos_first"] = -1
        pos = record.position_frames
        if pos is not None and len(pos):
            rows = np.asarray(pos, np.float32)
            self.pos_frames = _grown(self.pos_frames, self._pos_count + len(rows))
            self.pos_frames[self._pos_count : self._pos_count + len(rows)] = rows
            anim["pos_first"] = self._pos_count
            self._pos_count += len(rows)
        anim["hook_first"] = self._hook_rows
        self.hook_starts = _grown(self.hook_starts, self._hook_rows + len(frames) + 1)
        for frame in frames:
            self.hook_starts[self._hook_rows] = len(self.hooks)
            self._hook_rows += 1
            for hook in frame.hooks:
                self.hook_directions = _grown(self.hook_directions, len(self.hooks) + 1)
                self.hook_directions[len(self.hooks)] = hook.direction
                self.hooks.append(hook)
        self.hook_starts[self._hook_rows] = len(self.hooks)
        self._hook_rows += 1
        self.count += 1
        return at


class Sequences:
    """All sequences; a sequence is a number. Retail's `CSequence` with its list of nodes."""

    def __init__(self, store: AnimationStore, capacity: int = 64) -> None:
        self.store = store
        self.rows = np.zeros(capacity, SEQUENCE_DTYPE)
        self.rows["object"] = -1
        self.nodes = np.zeros(4 * capacity, NODE_DTYPE)
        self._free = np.arange(len(self.nodes) - 1, -1, -1, dtype=np.int32)
        self.counts = np.zeros(2, np.int64)
        self.counts[1] = len(self.nodes)
        self.hook_ring = np.zeros((256, 2), np.int32)  # (object, hook number)
        self._free_rows = list(range(capacity - 1, -1, -1))

    # rows ------------------------------------------------------------------------------

    def make(self, owner: int) -> int:
        """A new, empty sequence of object `owner`."""
        if not self._free_rows:
            old = len(self.rows)
            self.rows = _grown(self.rows, old + 1)
            self.rows["object"][old:] = -1
            self._free_rows = list(range(len(self.rows) - 1, old - 1, -1))
        s = self._free_rows.pop()
        row = self.rows[s]
        row["object"] = owner
        for name in ("first", "last", "curr", "cyclic", "placement_first"):
            row[name] = -1
        row["placement_count"] = 0
        row["anim_done"] = 0
        row["frame_number"] = 0.0
        self.clear_physics(s)
        return s

    def release(self, s: int) -> None:
        """The sequence and its nodes given back."""
        self.clear_animations(s)
        self.rows["object"][s] = -1
        self._free_rows.append(s)

    def pack(self) -> tuple[Any, ...]:
        """The arrays that the kernels take, in the order of `kernels/sequence.py`."""
        store = self.store
        return (
            self.nodes,
            store.anims,
            store.pos_frames,
            store.hook_starts,
            store.hook_directions,
            self.hook_ring,
            self.counts,
            self._free,
        )

    def update(self, s: int, quantum: float, out: Any) -> None:
        """Advance one sequence; root motion is combined into `out` (float64 x y z qw qx qy qz)."""
        advance(self.rows, s, self.pack(), quantum, out)

    # the chain -------------------------------------------------------------------------

    def has_anims(self, s: int) -> bool:
        return bool(self.rows["first"][s] >= 0)

    def chain(self, s: int) -> list[int]:
        """Node numbers from first to last."""
        nodes: list[int] = []
        at = int(self.rows["first"][s])
        while at >= 0:
            nodes.append(at)
            at = int(self.nodes["next"][at])
        return nodes

    def append_animation(
        self, s: int, animation_id: int, *, low: int = 0, high: int = -1, rate: float = DEFAULT_RATE
    ) -> bool:
        """Put an animation behind the others (0x525510); it becomes the cyclic node.

        `high` < 0 is the last frame; both are clamped. A negative rate plays from high to low.
        """
        anim = self.store.get(animation_id)
        if anim < 0:
            return False
        end = int(self.store.anims["frame_count"][anim]) - 1
        high = end if high < 0 or high > end else high
        low = min(max(low, 0), end)
        high = max(high, low)
        at = self._take_node()
        row, node = self.rows[s], self.nodes[at]
        node["anim"], node["low"], node["high"], node["rate"] = anim, low, high, rate
        node["next"], node["prev"] = -1, row["last"]
        if row["last"] >= 0:
            self.nodes["next"][row["last"]] = at
        else:
            row["first"] = at
        row["last"] = at
        row["cyclic"] = at
        if row["curr"] < 0:
            row["curr"] = row["first"]
            row["frame_number"] = starting_frame(self.nodes[row["first"]])
        return True

    def clear_animations(self, s: int) -> None:
        for at in self.chain(s):
            self._give_node(at)
        row = self.rows[s]
        for name in ("first", "last", "curr", "cyclic"):
            row[name] = -1
        row["frame_number"] = 0.0

    def remove_cyclic_anims(self, s: int) -> None:
        """The cyclic node and all behind it go; a link in play is at its end (0x524E40)."""
        row = self.rows[s]
        at = int(row["cyclic"])
        while at >= 0:
            before, behind = int(self.nodes["prev"][at]), int(self.nodes["next"][at])
            if row["curr"] == at:
                row["curr"] = before
                row["frame_number"] = ending_frame(self.nodes[before]) if before >= 0 else 0.0
            self._unlink(s, at)
            at = behind
        row["cyclic"] = row["last"]

    def remove_all_link_animations(self, s: int) -> None:
        """Every node before the cyclic one goes (0x524CA0)."""
        self.remove_link_animations(s, len(self.nodes))

    def remove_link_animations(self, s: int, amount: int) -> None:
        """At most `amount` nodes before the cyclic one go, the nearest first (0x524BE0)."""
        row = self.rows[s]
        if row["cyclic"] < 0:
            return
        for _ in range(amount):
            before = int(self.nodes["prev"][row["cyclic"]])
            if before < 0:
                return
            if row["curr"] == before:
                row["curr"] = row["cyclic"]
                row["frame_number"] = starting_frame(self.nodes[row["cyclic"]])
            self._unlink(s, before)

    def multiply_cyclic_animation_framerate(self, s: int, factor: float) -> None:
        at = int(self.rows["cyclic"][s])
        while at >= 0:
            node = self.nodes[at]
            node["rate"] *= factor
            at = int(node["next"])

    # velocity and omega ----------------------------------------------------------------

    def clear_physics(self, s: int) -> None:
        self.rows["velocity"][s] = 0.0
        self.rows["omega"][s] = 0.0

    def set_physics(self, s: int, velocity: Any, omega: Any) -> None:
        self.rows["velocity"][s] = velocity
        self.rows["omega"][s] = omega

    def combine_physics(self, s: int, velocity: Any, omega: Any) -> None:
        self.rows["velocity"][s] += velocity
        self.rows["omega"][s] += omega

    # what is shown ---------------------------------------------------------------------

    def set_placement(self, s: int, first: int, count: int) -> None:
        """The pose shown while the sequence is empty."""
        self.rows["placement_first"][s] = first
        self.rows["placement_count"][s] = count

    def pose(self, s: int) -> tuple[int, int]:
        """(first row, rows) of the pose in force (`get_curr_animframe`); (-1, 0) without one."""
        row = self.rows[s]
        if row["curr"] < 0:
            return int(row["placement_first"]), int(row["placement_count"])
        anim = self.store.anims[self.nodes["anim"][row["curr"]]]
        frame = int(np.floor(row["frame_number"]))
        frame = min(max(frame, 0), int(anim["frame_count"]) - 1)
        count = int(anim["part_count"])
        return int(anim["pose_first"]) + frame * count, count

    # hooks -----------------------------------------------------------------------------

    def drain_hooks(self) -> list[tuple[int, Hook]]:
        """(object, hook) of every frame left since the last drain, in order."""
        count = int(self.counts[0])
        self.counts[0] = 0
        hooks = self.store.hooks
        ring = self.hook_ring[: min(count, len(self.hook_ring))]
        drained = [(int(owner), hooks[int(hook)]) for owner, hook in ring]
        if count > len(self.hook_ring):
            self.hook_ring = np.zeros((2 * count, 2), np.int32)
        return drained

    def reserve_hooks(self, count: int) -> None:
        """Room for at least `count` hooks before they are drained."""
        if count > len(self.hook_ring):
            self.hook_ring = np.zeros((count, 2), np.int32)

    # nodes -----------------------------------------------------------------------------

    def _take_node(self) -> int:
        if self.counts[1] == 0:
            old = len(self.nodes)
            self.nodes = _grown(self.nodes, old + 1)
            free = np.zeros(len(self.nodes), np.int32)
            free[: len(self.nodes) - old] = np.arange(len(self.nodes) - 1, old - 1, -1)
            self._free = free
            self.counts[1] = len(self.nodes) - old
        self.counts[1] -= 1
        return int(self._free[self.counts[1]])

    def _give_node(self, at: int) -> None:
        self._free[self.counts[1]] = at
        self.counts[1] += 1

    def _unlink(self, s: int, at: int) -> None:
        row = self.rows[s]
        before, behind = int(self.nodes["prev"][at]), int(self.nodes["next"][at])
        if before >= 0:
            self.nodes["next"][before] = behind
        else:
            row["first"] = behind
        if behind >= 0:
            self.nodes["prev"][behind] = before
        else:
            row["last"] = before
        self._give_node(at)
