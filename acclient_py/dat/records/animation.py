"""Animation, 0x03, and the animation frame that Setups share with it."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from acclient_py.dat.cursor import Cursor, Packer
from acclient_py.dat.records.base import Record
from acclient_py.dat.records.hooks import MIN_HOOK_SIZE, Hook


class AnimationFrame(Struct, frozen=True, eq=False):
    """A pose: one frame a part, relative to the object, and the hooks that go with it.

    frames : (parts, 7) float32, each x y z qw qx qy qz
    """

    frames: npt.NDArray[np.float32]
    hooks: tuple[Hook, ...] = ()

    @classmethod
    def unpack(cls, cursor: Cursor, part_count: int) -> Self:
        return cls(cursor.frames(part_count), cursor.many(Hook.unpack, MIN_HOOK_SIZE))

    def pack(self, out: Packer) -> None:
        out.array(self.frames, "<f4")
        out.many(self.hooks, Hook.pack)


class Animation(Record, frozen=True, eq=False):
    """Poses in a row, with the object's own motion from frame to frame if flag 1 is set."""

    id: int
    flags: int  # 1 position frames, 2 has hooks (information only); unknown bits are kept
    part_count: int
    position_frames: npt.NDArray[np.float32] | None  # (frames, 7), root motion
    frames: tuple[AnimationFrame, ...]

    @classmethod
    def unpack(cls, cursor: Cursor) -> Self:
        record_id, flags, part_count, frame_count = cursor.u32s(4)
        least = 4 + 28 * part_count + (28 if flags & 1 else 0)
        cursor.count(frame_count, least)
        position_frames = cursor.frames(frame_count) if flags & 1 else None
        starts, hooks = [], []
        for _ in range(frame_count):
            starts.append(cursor.need(28 * part_count))
            hooks.append(cursor.many(Hook.unpack, MIN_HOOK_SIZE))
        poses = cursor.frames_at(starts, part_count)
        frames = tuple([AnimationFrame(*frame) for frame in zip(poses, hooks, strict=True)])
        return cls(record_id, flags, part_count, position_frames, frames)

    def pack(self, out: Packer) -> None:
        out.u32s((self.id, self.flags, self.part_count, len(self.frames)))
        if self.flags & 1:
            assert self.position_frames is not None, "flag 1 needs position frames"
            assert len(self.position_frames) == len(self.frames), "one position frame a frame"
            out.array(self.position_frames, "<f4")
        for frame in self.frames:
            assert len(frame.frames) == self.part_count, "one frame a part"
            frame.pack(out)
