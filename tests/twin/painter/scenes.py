"""Random scenes: eye after eye in a random town, in rooms, before houses, anywhere."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from twin.painter.living import Living
from twin.painter.looks import Corner, f32
from twin.painter.places import OUTSIDE, SIZE, TALL, Rooms
from twin.painter.town import MIDDLE
from twin.painter.turns import Detail, Lamps, Sky, Window

from acclient_py.order.painter import SkyObjects, SkyPasses
from acclient_py.view.camera import Lens, Pose, lens

SIZES = ((320, 180), (160, 120), (200, 200), (1280, 720))


@dataclass
class Scene:
    """One eye, and all that both walks are told beside the graph."""

    seed: int
    number: int
    lens: Lens
    window: Window
    sky: Sky | None
    passes: SkyPasses | None
    player: int
    detail: Detail
    lamps: Lamps | None


class Scenes(Living):
    """A town with eyes."""

    def look(self) -> Scene:
        """The next eye."""
        rng = self.rng
        kind = rng.random()
        if self.groups and kind < 0.08:
            block_id, eye, target = self._at_a_plane()
        elif self.houses and kind < 0.4:
            block_id, eye, target = self._before_a_house()
        elif self.groups and kind < 0.8:
            block_id, eye, target = self._inside()
        else:
            block_id, eye = self._eye()
            target = self._target(block_id, eye)
        pose = Pose.looking_at(block_id, eye, target, fov=rng.choice((1.5708, 1.5708, 1.0)))
        if rng.random() < 0.1:
            pose = Pose(block_id, eye, rng.choice((0.0, math.pi / 2, math.pi)), 0.0)
        sky, passes = self._sky()
        window = Window(*MIDDLE, self.radius)
        player = self.player if rng.random() < 0.7 else -1
        detail = Detail(rng.random() < 0.2, rng.random() < 0.2)
        self.count += 1
        return Scene(
            self.seed, self.count, lens(pose, rng.choice(SIZES)), window, sky, passes, player,
            detail, self.lamps(pose.cell_id),
        )  # fmt: skip

    def _eye(self) -> tuple[int, Corner]:
        rng = self.rng
        if not self.places or rng.random() < 0.15:
            block_id, (x, y, z) = self._spot()
            cell_id, px, py = self._outdoors(block_id, x, y)
            return cell_id or block_id, (px, py, z + rng.choice((2.0, 10.0, 60.0)))
        place = rng.choice(self.places)
        reach = rng.choice((0.0, 1.0, 4.0, 12.0, 30.0))
        x, y, z = (p + rng.uniform(-reach, reach) for p in place.at)
        if place.cell_id & 0xFFFF == 0xFFFF:
            cell_id, px, py = self._outdoors(place.cell_id, x, y)
            return cell_id or place.cell_id, (px, py, f32(z))
        if reach <= 4.0:
            return place.cell_id, (f32(x), f32(y), f32(z))
        cell_id, px, py = self._outdoors(place.cell_id, x, y)
        return cell_id or place.cell_id, (px, py, f32(z))

    def _before_a_house(self) -> tuple[int, Corner, Corner]:
        """Outside an exit, near or far, looking at it or past it."""
        rng = self.rng
        group = rng.choice(self.houses)
        if group.exits:
            cell_id, _, corners = rng.choice(group.exits)
            middle: Corner = tuple(sum(c[k] for c in corners) / len(corners) for k in range(3))  # type: ignore[assignment]
            centre = group.centres[cell_id]
        else:
            middle, centre = (5.0, 0.0, 1.5), (0.0, 0.0, 0.0)
        far = rng.choice((0.01, 0.3, 1.0, 4.0, 15.0, 60.0))
        out = [(m - c) / SIZE * far for m, c in zip(middle[:2], centre[:2], strict=True)]
        wide = rng.choice((0.0, 1.0, far))
        x, y, z = group.placed(
            (middle[0] + out[0] + rng.uniform(-wide, wide),
             middle[1] + out[1] + rng.uniform(-wide, wide), rng.choice((1.0, 1.6, 6.0)))
        )  # fmt: skip
        cell_id, px, py = self._outdoors(group.block_id, x, y)
        at = group.placed(middle)
        if not cell_id:
            return group.block_id, (f32(x), f32(y), f32(z)), at
        dx = (group.block_id >> 24) - (cell_id >> 24)
        dy = (group.block_id >> 16 & 0xFF) - (cell_id >> 16 & 0xFF)
        target = (
            at[0] + 192 * dx + rng.uniform(-wide, wide),
            at[1] + 192 * dy + rng.uniform(-wide, wide),
            at[2] + rng.choice((0.0, 1.0)),
        )  # fmt: skip
        return cell_id, (px, py, f32(z)), target

    def _inside(self) -> tuple[int, Corner, Corner]:
        """In a room, looking at one of its doors or at another room."""
        rng = self.rng
        group = rng.choice(self.groups)
        cell_id = rng.choice(list(group.doors))
        eye = self._in_room(group, cell_id)
        cx, cy, cz = group.centres[cell_id]
        corners = [c for door in group.doors[cell_id] for c in door.corners]
        if corners and rng.random() < 0.7:
            x, y, z = rng.choice(corners)
            target = group.placed((cx + x * 0.9, cy + y * 0.9, cz + z * 0.8))
        else:
            target = self._in_room(group, rng.choice(list(group.doors)))
        return cell_id, (f32(eye[0]), f32(eye[1]), f32(eye[2])), target

    def _at_a_plane(self) -> tuple[int, Corner, Corner]:
        """In a door, on its very plane or a hair beside it, on whichever side; looking anywhere."""
        rng = self.rng
        group = rng.choice(self.groups)
        doors = [(i, d) for i, of in group.doors.items() for d in of if len(d.corners) >= 3]
        if not doors:
            return self._inside()
        cell_id, door = rng.choice(doors)
        weights = [rng.random() for _ in door.corners]
        inner: Corner = tuple(  # type: ignore[assignment]
            sum(w * c[k] for w, c in zip(weights, door.corners, strict=True)) / sum(weights)
            for k in range(3)
        )
        axis = 0 if len({c[0] for c in door.corners}) == 1 else 1
        hair = rng.choice((0.0, 0.0, 1e-4, 1.9e-4, 2.1e-4, 5e-4)) * rng.choice((-1, 1))
        cx, cy, cz = group.centres[cell_id]
        at = [inner[0] + cx, inner[1] + cy, inner[2] + cz]
        at[axis] += hair
        eye = group.placed((at[0], at[1], at[2]))
        angle = rng.choice((0.0, math.pi / 2, math.pi, rng.uniform(0, 6.28)))
        target = (eye[0] + math.cos(angle), eye[1] + math.sin(angle), eye[2] + rng.choice((0, 0.2)))
        if door.other == OUTSIDE and rng.random() < 0.5:
            outside, x, y = self._outdoors(group.block_id, eye[0], eye[1])
            if outside:
                moved = (x - eye[0], y - eye[1])
                return outside, (x, y, f32(eye[2])), (
                    target[0] + moved[0], target[1] + moved[1], target[2]
                )  # fmt: skip
        here = door.other if door.other in group.doors and rng.random() < 0.5 else cell_id
        return here, (f32(eye[0]), f32(eye[1]), f32(eye[2])), target

    def _in_room(self, group: Rooms, cell_id: int) -> Corner:
        """Somewhere in a room: in its middle, anywhere, or a hair from one of its walls."""
        rng = self.rng
        at = [rng.uniform(-SIZE, SIZE) * 0.95 for _ in range(2)]
        if rng.random() < 0.3:
            gap = rng.choice((0.0, 1e-4, 5e-4, 0.05, 0.2))
            at[rng.randrange(2)] = rng.choice((-1, 1)) * (SIZE - gap)
        if rng.random() < 0.2:
            at = [0.0, 0.0]
        cx, cy, cz = group.centres[cell_id]
        height = rng.choice((1.5, rng.uniform(0.2, TALL)))
        return group.placed((cx + at[0], cy + at[1], cz + height))

    def _target(self, block_id: int, eye: Corner) -> Corner:
        """Another place as seen from the eye's block, or just somewhere near."""
        rng = self.rng
        if not self.places or rng.random() < 0.2:
            return eye[0] + rng.uniform(-9, 9), eye[1] + rng.uniform(-9, 9), eye[2]
        place = rng.choice(self.places)
        dx = (place.cell_id >> 24) - (block_id >> 24)
        dy = (place.cell_id >> 16 & 0xFF) - (block_id >> 16 & 0xFF)
        wide = rng.choice((0.0, 3.0))
        x, y, z = (p + rng.uniform(-wide, wide) for p in place.at)
        return x + 192 * dx, y + 192 * dy, z

    def _sky(self) -> tuple[Sky | None, SkyPasses | None]:
        rng = self.rng
        if rng.random() < 0.5:
            return None, None
        count = len(self.looks.models.gfx_rows)
        before, after = (
            tuple(rng.randrange(count) for _ in range(rng.randint(0, 3))) for _ in range(2)
        )
        made = [
            SkyObjects(
                np.array(rows or (0,), np.int32),
                np.zeros((max(len(rows), 1), 16), np.float32),
                np.zeros((max(len(rows), 1), 3), np.float32),
                len(rows),
            )
            for rows in (before, after)
        ]
        return Sky(before, after), SkyPasses(*made)
