"""Blocks: where everything of the recipe stands, and the cell file's records of it.

Places are resolved to a block and block-local metres; the ground's height comes from the same
triangles that the client walks on. Buildings come first, in the recipe's order, then rooms of
dungeons; env cells are numbered in that order.
"""

# contract: T8

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np
from msgspec import Struct, field

from acclient_py.bake.book import Book
from acclient_py.bake.buildings import make_building, put_building
from acclient_py.bake.cells import FIRST_CELL, CellGroup, RoomPlan, frame_of, make_group
from acclient_py.bake.houses import Leaf, Shell, make_house
from acclient_py.bake.region import height_table, region_table
from acclient_py.bake.rooms import join, plan_room
from acclient_py.bake.schema import places as p
from acclient_py.bake.terrain import Land, block_number
from acclient_py.bake.vec import (
    V3,
    Pose,
    Quat,
    quat_euler,
    quat_heading,
    quat_rows,
    quat_unit,
    rotated,
)
from acclient_py.core.ids import hex8
from acclient_py.dat.records.common import Stab
from acclient_py.dat.records.landblock import LandBlock
from acclient_py.dat.records.landblock_info import BuildingInfo, LandBlockInfo
from acclient_py.errors import DataError
from acclient_py.world.terrain import cell_under, diagonals, heights_under, vertex_heights

BLOCK: Final = 192.0
PAD_MARGIN: Final = 1.5


class BlockContent(Struct):
    """What stands in one block."""

    objects: list[Stab] = field(default_factory=list)
    buildings: list[BuildingInfo] = field(default_factory=list)
    groups: list[CellGroup] = field(default_factory=list)
    owners: dict[int, str] = field(default_factory=dict)
    cell_count: int = 0


class Country(Struct):
    """The land and what stands in it, block by block (keyed XX << 8 | YY)."""

    book: Book
    land: Land | None
    blocks: dict[int, BlockContent] = field(default_factory=dict)
    rooms: dict[str, tuple[int, int, RoomPlan]] = field(default_factory=dict)
    leaves: list[tuple[str, Leaf, int, Pose]] = field(default_factory=list)
    """Doors hung in houses: name, what, block, where its hinge is in the block."""

    def content(self, block: int) -> BlockContent:
        """What stands in a block, made empty at first."""
        return self.blocks.setdefault(block, BlockContent())

    def spot(self, spot: p.Spot, where: str) -> tuple[int, Pose]:
        """The block that a place outdoors lies in and its pose there."""
        at = spot.at
        if len(at) < 2:
            raise DataError("a place needs at = [x, y] or [x, y, z]", where=where)
        block, x, y = self.locate(at[0], at[1], spot.block, where)
        column, row, px, py = _block_under(block, x, y)
        ground = self._ground(column, row, px, py)
        if ground is None:
            text = f"there is no ground at ({x:g}, {y:g}) of block {block:04X}"
            raise DataError(text, where=where, do="[terrain] makes it")
        z = at[2] if len(at) == 3 else ground
        return column << 8 | row, Pose((px, py, z + spot.up), _turn(spot, where))

    def locate(self, x: float, y: float, block: str | None, where: str) -> tuple[int, float, float]:
        """The block and the place in it; without a block name, metres count from the land's."""
        if block is not None:
            try:
                column, row = block_number(block)
            except DataError as error:
                error.where = where
                raise
            return column << 8 | row, x, y
        if self.land is None:
            raise DataError("needs a block, as there is no [terrain]", where=where)
        if not self.land.holds(x, y):
            raise DataError(f"({x:g}, {y:g}) lies outside the terrain", where=where)
        column, row = int(x // BLOCK), int(y // BLOCK)
        number = self.land.first[0] + column << 8 | self.land.first[1] + row
        return number, x - column * BLOCK, y - row * BLOCK

    def _ground(self, column: int, row: int, x: float, y: float) -> float | None:
        """Height of the ground at a place of a block, on its triangles; None where none is."""
        land = self.land
        if land is None:
            return None
        column, row = column - land.first[0], row - land.first[1]
        if not (0 <= column < land.size[0] and 0 <= row < land.size[1]):
            return None
        _, heights = land.words(column, row)
        z = vertex_heights(heights, land.table.astype(np.float32))
        cut = diagonals(land.first[0] + column, land.first[1] + row)
        px, py = np.array([x], dtype=np.float32), np.array([y], dtype=np.float32)
        return float(heights_under(z, cut, px, py)[0])

    # What the recipe lists, in its order.

    def level_for_houses(self) -> None:
        """Flatten the ground under every house before heights are fixed."""
        if self.land is None:
            return
        for number, house in enumerate(self.book.tables.recipe.house):
            if house.flatten is False:
                continue
            label = f"house[{number}]"
            x, y = self._land_xy(house, label)
            across, along = _turned_size(house.size, _turn(house, label))
            rim = 24.0 if house.flatten is True else float(house.flatten)
            size = (across + 2 * PAD_MARGIN, along + 2 * PAD_MARGIN)
            height = house.at[2] if len(house.at) == 3 else None
            self.land.flatten((x, y), size, height, rim)
        for number, building in enumerate(self.book.tables.recipe.building):
            if building.flatten is not None:
                label = f"building[{number}]"
                x, y = self._land_xy(building, label)
                pad, turn = building.flatten, _turn(building, label)
                middle = rotated(turn, (*pad.at, 0.0))
                at = (x + middle[0], y + middle[1])
                self.land.flatten(at, _turned_size(pad.size, turn), pad.height, pad.rim)

    def _land_xy(self, spot: p.Spot, where: str) -> tuple[float, float]:
        assert self.land is not None, "only called with a land"
        block, x, y = self.locate(spot.at[0], spot.at[1], spot.block, where)
        return (
            x + ((block >> 8) - self.land.first[0]) * BLOCK,
            y + ((block & 0xFF) - self.land.first[1]) * BLOCK,
        )

    def add_houses(self) -> None:
        """Houses, then buildings that are written out."""
        for number, house in enumerate(self.book.tables.recipe.house):
            label = f"house '{house.name}'" if house.name else f"house[{number}]"
            block, pose = self.spot(house, label)
            shell = make_house(self.book, house, pose, label)
            self._add_building(block, pose, shell, label, house.name)
        for number, building in enumerate(self.book.tables.recipe.building):
            label = f"building '{building.name}'" if building.name else f"building[{number}]"
            block, pose = self.spot(building, label)
            shell = make_building(self.book, building, pose, label)
            self._add_building(block, pose, shell, label, building.name)

    def _add_building(
        self, block: int, pose: Pose, shell: Shell, label: str, name: str | None
    ) -> None:
        content = self.content(block)
        x, y = pose.at[0], pose.at[1]
        cell = cell_under(np.float32(x), np.float32(y))
        if cell in content.owners:
            raise DataError(
                f"its origin lies in the same land cell as that of {content.owners[cell]}",
                where=label,
                do="move one of them 24 m away: a land cell holds one building",
            )
        content.owners[cell] = label
        for number, leaf in enumerate(shell.leaves):
            self.leaves.append(
                (f"{name or label}/door {number}", leaf, block, pose.then(leaf.pose))
            )
        first = FIRST_CELL + content.cell_count
        info, group = put_building(self.book, shell, pose, block, first, label)
        content.buildings.append(info)
        self._add_group(block, group, name)

    def _add_group(self, block: int, group: CellGroup, name: str | None) -> None:
        content = self.content(block)
        content.groups.append(group)
        content.cell_count += len(group.rooms)
        for number, room in enumerate(group.rooms):
            full = f"{name}/{room.name}" if name else room.name
            self.rooms[full] = (block, group.low(number), room)
            if name and number == 0:
                self.rooms.setdefault(name, self.rooms[full])

    def add_rooms(self) -> None:
        """Dungeon rooms: each connected set of rooms of a block is one group."""
        recipe = self.book.tables.recipe
        plans: dict[int, list[RoomPlan]] = {}
        place: dict[str, tuple[int, int]] = {}
        for room in recipe.room:
            label = f"room '{room.name}'"
            if room.name in place:
                raise DataError("is there twice", where=label)
            block, x, y = self._room_block(room, label)
            moved = replace_at(room, (x, y, room.at[2]))
            plan = plan_room(self.book, moved, Pose(), label)
            plans.setdefault(block, []).append(plan)
            place[room.name] = (block, len(plans[block]) - 1)
        for door in recipe.door:
            label = f"door {door.rooms[0]}-{door.rooms[1]}"
            ends = []
            for name in door.rooms:
                if name not in place:
                    raise DataError(f"no room '{name}'", where=label)
                ends.append(place[name])
            if ends[0][0] != ends[1][0]:
                raise DataError("its rooms are in two blocks", where=label)
            join(plans[ends[0][0]], ends[0][1], ends[1][1], door, label)
        for block, rooms in plans.items():
            first = FIRST_CELL + self.content(block).cell_count
            group = CellGroup(f"rooms of block {block:04X}", rooms, block, first)
            make_group(self.book, group)
            self._add_group(block, group, None)

    def _room_block(self, room: p.Room, label: str) -> tuple[int, float, float]:
        if room.block is None and self.land is None:
            raise DataError("needs a block", where=label)
        return self.locate(room.at[0], room.at[1], room.block, label)

    def add_statics(self) -> None:
        """Things that stand in the land."""
        for number, static in enumerate(self.book.tables.recipe.static):
            label = f"static[{number}] '{static.model}'"
            spots = [*([static.at] if static.at else []), *static.spots]
            if not spots:
                raise DataError("needs `at` or `spots`", where=label)
            for at in spots:
                spot = p.Spot(
                    at=at,
                    block=static.block,
                    heading=static.heading,
                    rotate=static.rotate,
                    rotation=static.rotation,
                    up=static.up,
                )
                block, pose = self.spot(spot, label)
                model = self.book.model_id(static.model, label)
                self.content(block).objects.append(Stab(model, frame_of(pose)))

    def write(self) -> None:
        """LandBlock and LandBlockInfo records of every block."""
        numbers = set(self.blocks)
        land = self.land
        if land is not None:
            for column in range(land.size[0]):
                for row in range(land.size[1]):
                    numbers.add(land.first[0] + column << 8 | land.first[1] + row)
        for block in sorted(numbers):
            self._write_block(block)

    def _write_block(self, block: int) -> None:
        content = self.blocks.get(block)
        has = content is not None and bool(content.objects or content.buildings or content.groups)
        land = self.land
        words, heights = np.zeros(81, dtype=np.uint16), np.zeros(81, dtype=np.uint8)
        if land is not None:
            column, row = (block >> 8) - land.first[0], (block & 0xFF) - land.first[1]
            if 0 <= column < land.size[0] and 0 <= row < land.size[1]:
                words, heights = land.words(column, row)
        at = block << 16 | 0xFFFF
        self.book.cell[at] = LandBlock(at, int(has), words, heights).write()
        if has and content is not None:
            info = LandBlockInfo(
                at - 1, content.cell_count, tuple(content.objects), tuple(content.buildings)
            )
            self.book.cell[at - 1] = info.write()

    def place(self, name: str, place: p.Place) -> dict[str, object]:
        """A named place as scenarios write it: cell, origin, rotation."""
        where = f"place '{name}'"
        if place.room is not None:
            if place.room not in self.rooms:
                raise DataError(f"no room '{place.room}'", where=where)
            block, low, room = self.rooms[place.room]
            at = place.at
            inner = (at[0], at[1], (at[2] if len(at) == 3 else 0.0) + place.up)
            pose = room.pose.then(Pose(inner, _turn(place, where)))
            return _location(block << 16 | low, pose)
        block, pose = self.spot(place, where)
        cell = cell_under(np.float32(pose.at[0]), np.float32(pose.at[1]))
        return _location(block << 16 | cell + 1, pose)

    def hung(self, block: int, pose: Pose) -> dict[str, object]:
        """Where a door hangs, as scenarios write it: in the land cell under its hinge."""
        column, row, x, y = _block_under(block, pose.at[0], pose.at[1])
        cell = cell_under(np.float32(x), np.float32(y))
        return _location(column << 24 | row << 16 | cell + 1, Pose((x, y, pose.at[2]), pose.q))


def make_country(book: Book) -> Country:
    """The whole map of a recipe."""
    recipe = book.tables.recipe
    land = None
    if recipe.terrain is not None:
        terrain = recipe.terrain
        land = Land.make(terrain, height_table(region_table(book)))
        for number, road in enumerate(terrain.roads):
            land.lay_road(road, f"terrain.roads[{number}]")
    country = Country(book, land)
    country.level_for_houses()
    if land is not None and recipe.terrain is not None:
        for number, rule in enumerate(recipe.terrain.paint):
            land.paint(rule, f"terrain.paint[{number}]")
        land.quantise()
    country.add_houses()
    country.add_rooms()
    country.add_statics()
    if land is None and not country.blocks and not any(book.tables.own.values()):
        raise DataError("the recipe is empty", do="add [terrain], or two [[room]]s and a [[door]]")
    country.write()
    return country


def _block_under(block: int, x: float, y: float) -> tuple[int, int, float, float]:
    """Column and row of the block under a place, even over its block's edge, and x, y there."""
    east, north = int(x // BLOCK), int(y // BLOCK)
    return (block >> 8) + east, (block & 0xFF) + north, x - east * BLOCK, y - north * BLOCK


def replace_at(room: p.Room, at: V3) -> p.Room:
    """The room at another place."""
    return msgspec.structs.replace(room, at=at)


def _turn(spot: p.Spot, where: str) -> Quat:
    if spot.rotation is not None:
        if not any(spot.rotation):
            raise DataError("a rotation of four zeros is none", where=where)
        return quat_unit(spot.rotation)
    return quat_heading(spot.heading) if spot.rotate is None else quat_euler(spot.rotate)


def _turned_size(size: tuple[float, float], q: Quat) -> tuple[float, float]:
    """The rectangle, square to the axes, about a turned rectangle as seen from above."""
    east, north, _ = quat_rows(q)
    return (
        abs(east[0]) * size[0] + abs(east[1]) * size[1],
        abs(north[0]) * size[0] + abs(north[1]) * size[1],
    )


def _location(cell_id: int, pose: Pose) -> dict[str, object]:
    frame = frame_of(pose)
    return {"cell": hex8(cell_id), "origin": list(frame.origin), "rotation": list(frame.rotation)}
