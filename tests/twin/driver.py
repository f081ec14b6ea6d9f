"""One random world, one random story, told to both implementations and compared after each line."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from twin.compare import Different, compare, same, take_order
from twin.plain import objects as plain_objects
from twin.plain.cells import Cell, EnvCell
from twin.plain.events import World
from twin.plain.numbers import DOUBT, Frame, Sphere
from twin.plain.objects import NO_PART, Body, Obj, set_frame, set_hidden, set_nodraw
from twin.plain.transit import CellArray
from twin.worlds import (
    Block,
    Maker,
    Room,
    array,
    balls,
    env_model,
    landblock_of_block,
    models_of,
    plain_env,
    plain_land,
)

from acclient_py.core.ids import adjust_to_outside, hex8
from acclient_py.physics import position, transit
from acclient_py.physics.layout import CAUSE_MOVE
from acclient_py.physics.transition import Result
from acclient_py.physics.world import PhysicsWorld

CLOSE = 6e-5
"""A decision nearer to its threshold than this (metres) may go either way in float32."""


@dataclass
class Outcome:
    """What became of a case."""

    seed: int
    events: int = 0
    undecided: bool = False
    story: list[str] = field(default_factory=list)
    difference: Different | None = None


class Pair:
    """The two worlds and the events that both take."""

    def __init__(self, rng: random.Random, *, check: bool = False) -> None:
        self.rng = rng
        self.maker = Maker(rng)
        self.described = self.maker.world()
        self.plain = World()
        self.program = PhysicsWorld(models_of(self.described))
        self.program.transitions.place = self._place  # type: ignore[method-assign]
        self.plain.path = self._path
        self.paths: dict[int, CellArray] = {}
        self.loaded: set[int] = set()
        self.env: set[int] = set()
        self.block_statics: dict[int, list[Obj | None]] = {}
        self.doing = "load"
        self.check = check

    # the transition's place is taken by a given array -----------------------------------

    def _path(self, obj: Obj, cell_id: int, frame: Frame) -> CellArray:
        made = self.plain.path_array(obj, cell_id, frame)
        self.paths[obj.slot] = made
        return made

    def _place(self, obj: int, slot: int, *, cell_id: int, frame: Any, **_: Any) -> Result:
        return self.result(slot, cell_id, frame, self.paths[obj])

    def result(self, slot: int, cell_id: int, frame: Any, cells: CellArray) -> Result:
        """What a transition would have found. Fields that the commit does not read are empty."""
        values: dict[str, Any] = dict.fromkeys(Result.__annotations__)
        values.update(
            ok=True, curr_cell=slot, curr_id=cell_id, curr=np.array(frame, np.float64),
            cell_ids=np.array(cells.ids, np.uint32), cell_slots=self.slots(cells), touched=(),
        )  # fmt: skip
        if "missed" in values:
            values["missed"] = cells.missed
        return Result(**values)

    def slots(self, cells: CellArray) -> Any:
        found = [self.slot(cell) for _, cell in cells.cells]
        return np.array(found, np.int32)

    def slot(self, cell: Cell | None) -> int:
        return self.program.cell_slot(cell.id) if cell is not None else -1

    # choosing ---------------------------------------------------------------------------

    def block_of(self, cell_id: int) -> Block | None:
        return next((b for b in self.described.blocks if b.id >> 16 == cell_id >> 16), None)

    def somewhere(self) -> tuple[int, Frame]:
        """A cell id that may or may not be resident, and a frame near something in its block."""
        block = self.rng.choice(self.described.blocks)
        if block.rooms and self.rng.random() < 0.55:
            room = self.rng.choice(block.rooms)
            reach = self.rng.choice((1.0, 4.0, 8.0))
            return room.id, self.maker.turned(self.maker.near(room.frame[:3], reach))
        x, y, z = self.maker.near(self.rng.choice(block.spots), 6.0)
        low = (min(max(int(x // 24), 0), 7) << 3) + min(max(int(y // 24), 0), 7) + 1
        return block.id & 0xFFFF0000 | low, self.maker.turned((x, y, z))

    def resident_place(self) -> tuple[Cell, Frame] | None:
        for _ in range(6):
            cell_id, frame = self.somewhere()
            cell = self.plain.cells.visible(cell_id)
            if cell is not None:
                return cell, frame
        return None

    def pick(self, test: Any = None) -> Obj | None:
        movers = [o for o in self.plain.objects if not o.authored and (not test or test(o))]
        return self.rng.choice(movers) if movers else None

    # events: each returns a line of the story, or None when it cannot be now ---------------

    def make(self) -> str | None:
        body: Body | None = None
        if self.rng.random() < 0.95:
            body = self.rng.choice(self.described.bodies)
        dynamic = self.rng.random() < 0.8
        scale = self.rng.choice((1.0, 1.0, 1.5))
        slot = self.program.make_object(body.did if body else 0, dynamic=dynamic, scale=scale)
        obj = self.plain.make(slot, body, dynamic=dynamic, scale=scale)
        extra = self.rng.choice((0, 0, 0, 0, plain_objects.PARTICLE_EMITTER, plain_objects.HIDDEN))
        if self.check:  # its invariant of emitters holds between publications only
            extra &= ~plain_objects.PARTICLE_EMITTER
        if extra:
            self.program.set_state(slot, obj.state | extra)
            self.plain.set_state(obj, obj.state | extra)
        return f"make {slot} of {hex8(body.did) if body else 0} state {hex8(obj.state)}"

    def enter(self) -> str | None:
        obj = self.pick(lambda o: o.parent is None and o.cell is None)
        if obj is None:
            return None
        cell_id, frame = self.somewhere()
        self.plain.enter_world(obj, cell_id, frame)
        self.program.enter_world(obj.slot, cell_id, array(frame))
        return f"enter {obj.slot} {hex8(cell_id)} {frame}"

    def place(self) -> str | None:
        obj = self.pick(lambda o: o.parent is None)
        if obj is None:
            return None
        cell_id, frame = self.somewhere()
        self.plain.set_position(obj, cell_id, frame)
        self.program.set_position(obj.slot, cell_id, array(frame), 0x11)
        return f"place {obj.slot} {hex8(cell_id)} {frame}"

    def _given(self, obj: Obj, cell: Cell, frame: Frame) -> CellArray:
        kind = self.rng.random()
        made = self.plain.path_array(obj, cell.id, frame)
        if kind < 0.1:
            made = CellArray()
        return made

    def commit(self) -> str | None:
        obj = self.pick(lambda o: o.parent is None and o.cell is not None)
        there = self.resident_place()
        if obj is None or there is None:
            return None
        cell, frame = there
        if self.rng.random() < 0.3 and obj.cell is not None:
            cell = obj.cell
        given = self._given(obj, cell, frame)
        found = self.result(self.slot(cell), cell.id, frame, given)
        self.plain.commit(obj, cell, cell.id, frame, given)
        self.program.commit(obj.slot, found, cause=CAUSE_MOVE)
        return f"commit {obj.slot} {hex8(cell.id)} {frame} {[hex8(i) for i in given.ids]}"

    def commit_many(self) -> str | None:
        """Several roots in one call."""
        movers = [
            o for o in self.plain.objects
            if o.parent is None and o.cell is not None and not o.authored
        ]  # fmt: skip
        self.rng.shuffle(movers)
        rows = []
        for obj in movers[: self.rng.randint(2, 5)]:
            there = self.resident_place()
            if there is not None:
                rows.append((obj, *there, self._given(obj, *there)))
        if len(rows) < 2:
            return None
        for obj, cell, frame, given in rows:
            self.program.batch.add(
                obj.slot, self.slot(cell), array(frame), cell_id=cell.id, cause=CAUSE_MOVE,
                ids=np.array(given.ids, np.uint32), slots=self.slots(given),
                flags=position.FLAG_MISSED if given.missed else 0,
            )  # fmt: skip
        self.program.batch.commit(self.program.graph)
        for obj, cell, frame, _ in rows:
            self.plain.begin_commit(obj, cell, cell.id, frame)
        for obj, _, _, given in rows:
            self.plain.finish_commit(obj, given)
        told = [(o.slot, hex8(c.id), f, [hex8(i) for i in g.ids]) for o, c, f, g in rows]
        return f"commit many {told}"

    def lose(self) -> str | None:
        obj = self.pick(lambda o: o.parent is None and o.cell is not None)
        if obj is None:
            return None
        cell_id, frame = self.somewhere()
        found = self.result(-1, cell_id, frame, CellArray())
        self.plain.commit(obj, None, cell_id, frame, CellArray())
        self.program.commit(obj.slot, found, cause=CAUSE_MOVE)
        return f"lose {obj.slot} {hex8(cell_id)}"

    def force(self) -> str | None:
        obj = self.pick(lambda o: o.parent is None and o.cell is not None)
        there = self.resident_place()
        if obj is None or there is None:
            return None
        self.plain.force_into_cell(obj, *there)
        self.program.force_into_cell(obj.slot, self.slot(there[0]), array(there[1]))
        return f"force {obj.slot} {hex8(there[0].id)} {there[1]}"

    def add_to_cell(self) -> str | None:
        waiting = [obj for waiting in self.plain.lost.values() for obj in waiting]
        obj = self.pick(
            lambda o: o.parent is None and o.objcell_id == 0 and o.cell is None and o not in waiting
        )
        there = self.resident_place()
        if obj is None or there is None:
            return None
        self.plain.add_obj_to_cell(obj, *there)
        self.program.add_obj_to_cell(obj.slot, self.slot(there[0]), array(there[1]))
        return f"add {obj.slot} {hex8(there[0].id)} {there[1]}"

    def single(self) -> str | None:
        obj = self.pick(lambda o: o.parent is None and o.cell is not None)
        there = self.resident_place()
        if obj is None or there is None:
            return None
        self.plain.add_object_to_single_cell(obj, there[0])
        self.program.add_object_to_single_cell(obj.slot, self.slot(there[0]))
        return f"single {obj.slot} {hex8(there[0].id)}"

    def change(self) -> str | None:
        obj = self.pick(lambda o: o.parent is None and o.cell is not None)
        there = self.resident_place()
        if obj is None or there is None:
            return None
        self.plain.change_cell(obj, there[0])
        self.program.change_cell(obj.slot, self.slot(there[0]))
        return f"change {obj.slot} {hex8(there[0].id)}"

    def withdraw(self) -> str | None:
        """change_cell to null: the shadows stay where they are until the next removal."""
        obj = self.pick(lambda o: o.parent is None and o.cell is not None)
        if obj is None:
            return None
        self.plain.change_cell(obj, None)
        self.program.change_cell(obj.slot, -1)
        compare(self.plain, self.program)
        self.plain.leave_world(obj)
        self.program.leave_world(obj.slot)
        return f"change {obj.slot} to null"

    def attach(self) -> str | None:
        child, parent = self.pick(), self.pick()
        if child is None or parent is None:
            return None
        where = self.rng.choice((1, 1, 2, 3, 9))
        done = self.plain.set_parent(child, parent, where)
        refused = self.program.set_parent(child.slot, parent.slot, where)
        same("attach done", done, refused is None)
        return f"attach {child.slot} to {parent.slot} at {where}: {done}"

    def chain(self) -> str | None:
        """A tree up to eight deep, and its root carried over a few cells with all of it."""
        root = self.pick(lambda o: o.parent is None and o.body is not None and o.body.holdings)
        there = self.resident_place()
        if root is None or there is None:
            return None
        above, hung = root, [root.slot]
        for _ in range(self.rng.randint(2, 8)):
            self.make()
            child = self.plain.objects[-1]
            if self.rng.random() < 0.5:  # hang it in before or after the root is in the world
                self.plain.set_position(root, there[0].id, there[1])
                self.program.set_position(root.slot, there[0].id, array(there[1]), 0x11)
            holdings = above.body.holdings if above.body is not None else {}
            if not holdings:
                break
            where = self.rng.choice(sorted(holdings))
            same("attach done", self.plain.set_parent(child, above, where), True)
            same("refusal", self.program.set_parent(child.slot, above.slot, where), None)
            hung.append(child.slot)
            if self.rng.random() < 0.8:
                above = child
        return f"chain {hung} {hex8(there[0].id)} {there[1]}"

    def record(self) -> str | None:
        """Events are written, or not: another path through the same commits."""
        on = self.rng.random() < 0.5
        self.program.graph.record(on)
        self.program.graph.drain_events()
        return f"record {on}"

    def attach_frame(self) -> str | None:
        child, parent = self.pick(), self.pick()
        if child is None or parent is None:
            return None
        part = self.rng.choice((NO_PART, 0, 1, 7))
        frame = self.maker.turned(self.maker.point(1.0))
        done = self.plain.set_parent_frame(child, parent, part, frame)
        refused = self.program.set_parent_frame(child.slot, parent.slot, part, array(frame))
        same("attach done", done, refused is None)
        return f"attach {child.slot} to {parent.slot} part {part}: {done}"

    def pick_up(self) -> str | None:
        obj = self.pick()
        if obj is None:
            return None
        self.plain.pick_up(obj)
        self.program.unset_parent(obj.slot)
        self.program.leave_world(obj.slot)
        return f"pick up {obj.slot}"

    def drop(self) -> str | None:
        obj = self.pick(lambda o: o.parent is not None)
        if obj is None:
            return None
        cell_id, frame = self.somewhere()
        self.plain.drop(obj, cell_id, frame)
        self.program.unset_parent(obj.slot)
        self.program.set_position(obj.slot, cell_id, array(frame), 0x11)
        return f"drop {obj.slot} {hex8(cell_id)} {frame}"

    def unset(self) -> str | None:
        """C12 alone, then what a pickup does next."""
        obj = self.pick(lambda o: o.parent is not None)
        if obj is None:
            return None
        self.plain.unset_parent(obj)
        self.program.unset_parent(obj.slot)
        compare(self.plain, self.program, marks=False)
        self.plain.leave_world(obj)
        self.program.leave_world(obj.slot)
        return f"unset parent of {obj.slot}"

    def delete(self) -> str | None:
        obj = self.pick()
        if obj is None:
            return None
        self.plain.delete(obj)
        self.program.delete_object(obj.slot)
        return f"delete {obj.slot}"

    def calc(self) -> str | None:
        hollow = lambda o: o.part_array is None and o.objcell_id != 0  # noqa: E731
        obj = self.pick(lambda o: o.parent is None and (o.cell is not None or hollow(o)))
        if obj is None:
            return None
        how = self.rng.choice(("calc_cross_cells", "calc_cross_cells_static", "recalc_cross_cells"))
        getattr(self.plain, how)(obj)
        getattr(self.program, how)(obj.slot)
        return f"{how} {obj.slot}"

    def state(self) -> str | None:
        obj = self.pick()
        if obj is None:
            return None
        bit = self.rng.choice((0x4000, 0x4000, 0x20, 0x800, 0x10000, 0x1000, 0x1))
        if self.check and bit == 0x1000:
            return None
        asked = obj.state ^ bit
        self.plain.set_state(obj, asked)
        self.program.set_state(obj.slot, asked)
        return f"state {obj.slot} {hex8(asked)}"

    def hidden(self) -> str | None:
        obj = self.pick()
        if obj is None:
            return None
        on = self.rng.random() < 0.5
        set_hidden(obj, on)
        self.program.set_hidden(obj.slot, on)
        return f"hidden {obj.slot} {on}"

    def nodraw(self) -> str | None:
        obj = self.pick()
        if obj is None:
            return None
        on = self.rng.random() < 0.5
        set_nodraw(obj, on)
        self.program.set_nodraw(obj.slot, on)
        return f"nodraw {obj.slot} {on}"

    def placement(self) -> str | None:
        obj = self.pick()
        if obj is None:
            return None
        key = self.rng.choice((0, 1, 0x65, 0x33))
        self.plain.set_placement(obj, key)
        self.program.set_placement_frame(obj.slot, key)
        return f"placement {obj.slot} {key}"

    def scale(self) -> str | None:
        obj = self.pick()
        if obj is None:
            return None
        scale = self.rng.choice((0.5, 1.0, 2.0))
        obj.scale = scale
        set_frame(obj, obj.frame)
        self.program.set_scale(obj.slot, scale)
        return f"scale {obj.slot} {scale}"

    def part(self) -> str | None:
        obj = self.pick(lambda o: o.part_array is not None)
        if obj is None or obj.part_array is None:
            return None
        index = self.rng.randrange(len(obj.part_array.parts))
        mesh = None if self.rng.random() < 0.2 else self.rng.choice(self.described.meshes)
        self.plain.set_part(obj, index, mesh)
        self.program.set_part(obj.slot, index, mesh.row if mesh is not None else -1)
        return f"part {obj.slot} {index} mesh {mesh.row if mesh else None}"

    def query(self) -> str | None:
        """The sphere route on its own: ids in order, current cell, interior."""
        cell_id, frame = self.somewhere()
        spheres: list[Sphere] = [
            (self.maker.near(frame[:3], 2.0), self.maker.number(0.1, 8.0))
            for _ in range(self.rng.choice((0, 1, 1, 2, 3)))
        ]
        made = CellArray(do_not_load=self.rng.random() < 0.4)
        current = self.plain.transit.find_cell_list(cell_id, frame[:3], spheres, made)
        ids, slots = np.zeros(400, np.uint32), np.zeros(400, np.int32)
        head = np.zeros(transit.HEAD_SIZE, np.int64)
        head[transit.DO_NOT_LOAD] = made.do_not_load
        head[transit.CURR_CELL] = -1
        rows = np.zeros((max(len(spheres), 1), 4), np.float32)
        rows[: len(spheres)] = balls(spheres)
        transit.find_cell_list(
            self.program.graph.arrays, cell_id, np.float32(frame[0]), np.float32(frame[1]), rows,
            len(spheres), ids, slots, head, True,
        )  # fmt: skip
        count = int(head[transit.COUNT])
        where = f"find_cell_list from {hex8(cell_id)} {frame} of {spheres}"
        same(where, [hex8(i) for i in made.ids], [hex8(int(i)) for i in ids[:count]])
        same(f"slots of {where}", list(self.slots(made)), list(slots[:count]))
        same(f"current cell of {where}", self.slot(current), int(head[transit.CURR_CELL]))
        same(f"interior of {where}", made.interior, bool(head[transit.HITS_INTERIOR]))
        same(f"late mark of {where}", made.missed, bool(head[transit.MISSED]))
        return where

    def time(self) -> str | None:
        now = self.plain.clock + self.rng.choice((1.0, 10.0, 30.0))
        self.plain.use_time(now)
        self.program.use_time(now)
        return f"time {now}"

    # what comes and goes ------------------------------------------------------------------

    def load(self) -> str | None:
        """One or more blocks and some of their env cells, in any order."""
        blocks = [b for b in self.described.blocks if b.id not in self.loaded]
        blocks = self.rng.sample(blocks, self.rng.randint(0, len(blocks)))
        rooms = [
            (b, r) for b in self.described.blocks for r in b.rooms if r.id not in self.env
            and self.rng.random() < 0.8
        ]  # fmt: skip
        if not blocks and not rooms:
            return None
        self.rng.shuffle(rooms)
        self.arrive(blocks, [room for _, room in rooms])
        return f"load {[hex8(b.id) for b in blocks]} {[hex8(r.id) for _, r in rooms]}"

    def arrive(self, blocks: list[Block], rooms: list[Room]) -> None:
        cells: list[Cell] = []
        for block in blocks:
            cells += plain_land(block)
        envs = [plain_env(room) for room in rooms]
        cells += envs
        self.loaded.update(block.id for block in blocks)
        self.env.update(room.id for room in rooms)
        self.paths.clear()

        def manifest() -> Any:
            for block in blocks:
                made = self.block_statics.setdefault(block.id, [])
                for did, frame in block.statics:
                    low = self._own_cell(block, frame)
                    cell = self.plain.cells.visible(block.id & 0xFFFF0000 | low) if low else None
                    made.append(self._static(did) if cell is not None else None)
                    if made[-1] is not None:
                        yield made[-1], cell, frame
            for room, cell in zip(rooms, envs, strict=True):
                for did, frame in room.statics:
                    cell.statics.append(self._static(did))
                    if cell.statics[-1] is not None:
                        yield cell.statics[-1], cell, frame

        self._statics_made = 0
        self.plain.arrive(cells, manifest)
        self.program.arrivals.arrive(
            [(landblock_of_block(block), 8) for block in blocks],
            [env_model(room) for room in rooms],
        )
        for block in blocks:
            self._name(self.block_statics[block.id], self._made(block.id))
        for cell in envs:
            self._name(cell.statics, self._made(cell.id))
        compare(self.plain, self.program, order=False)
        take_order(self.plain, self.program)

    @staticmethod
    def _own_cell(block: Block, frame: Frame) -> int:
        """The land cell of the block under an origin, 0 where it is in another block (5.1)."""
        x, y = frame[0], frame[1]
        DOUBT.near(x - round(x / 24) * 24)
        DOUBT.near(y - round(y / 24) * 24)
        ok, cell_id, _, _ = adjust_to_outside(block.id, x, y)
        return cell_id & 0xFFFF if ok and cell_id >> 16 == block.id >> 16 else 0

    def _static(self, did: int) -> Obj | None:
        body = self.described.body(did)
        if body is None:
            return None
        self._statics_made += 1
        obj = self.plain.make(-self._statics_made, body, dynamic=False)
        obj.authored = True
        return obj

    def _made(self, home: int) -> list[int]:
        made: list[int] = self.program.statics[home].tolist()
        return made

    @staticmethod
    def _name(mine: list[Obj | None], theirs: list[int]) -> None:
        same("statics made", [o is not None for o in mine], [o >= 0 for o in theirs])
        for obj, slot in zip(mine, theirs, strict=True):
            if obj is not None:
                obj.slot = slot

    def unload(self) -> str | None:
        blocks = [b for b in self.described.blocks if b.id in self.loaded]
        if not blocks:
            return None
        block = self.rng.choice(blocks)
        gone = [c for i, c in self.plain.cells.by_id.items() if i >> 16 == block.id >> 16]
        statics = [o for o in self.block_statics.pop(block.id, []) if o is not None]
        self._depart(gone, statics)
        self.program.remove_landblock(block.id)
        self.loaded.discard(block.id)
        self._after_departure()
        return f"unload {hex8(block.id)}"

    def unload_env(self) -> str | None:
        if not self.env:
            return None
        ids = self.rng.sample(sorted(self.env), self.rng.randint(1, min(3, len(self.env))))
        self._depart([self.plain.cells.by_id[i] for i in ids], [])
        self.program.arrivals.remove_env_cells(ids)
        self._after_departure()
        return f"unload {[hex8(i) for i in ids]}"

    def _depart(self, gone: list[Cell], statics: list[Obj]) -> None:
        statics = list(statics)
        for cell in gone:
            if isinstance(cell, EnvCell):
                statics += [o for o in cell.statics if o is not None]
                self.env.discard(cell.id)
        self.plain.depart(gone, statics)

    def _after_departure(self) -> None:
        compare(self.plain, self.program, order=False)
        take_order(self.plain, self.program)

    def step(self) -> str | None:
        """One random event, and the comparison."""
        DOUBT.least = math.inf
        name = self.rng.choices(list(EVENTS), list(EVENTS.values()))[0]
        self.doing = name
        line = cast("str | None", getattr(self, name)())
        if line is not None:
            compare(self.plain, self.program)
            if self.check:
                self.program.check()
        return line


EVENTS = {
    "make": 5, "enter": 8, "place": 6, "commit": 14, "commit_many": 6, "lose": 2, "force": 3,
    "add_to_cell": 6, "single": 1, "change": 2, "withdraw": 1, "attach": 12, "attach_frame": 2,
    "chain": 3, "record": 1,
    "pick_up": 2, "drop": 3, "unset": 1, "delete": 2, "calc": 4, "state": 5, "hidden": 2,
    "nodraw": 1, "placement": 2, "scale": 1, "part": 3, "query": 8, "time": 0.5, "load": 4,
    "unload": 1.5, "unload_env": 1.5,
}  # fmt: skip
"""How often each event is drawn."""


def run(seed: int, *, length: int = 30, check: bool = False) -> Outcome:
    """One case. A difference after a close decision is undecided, not an error."""
    rng = random.Random(seed)
    outcome = Outcome(seed)
    DOUBT.least = math.inf
    pair = Pair(rng, check=check)
    try:
        blocks = [b for b in pair.described.blocks if rng.random() < 0.8]
        rooms = [r for b in pair.described.blocks for r in b.rooms if rng.random() < 0.8]
        outcome.story.append(f"load {[hex8(b.id) for b in blocks]} {[hex8(r.id) for r in rooms]}")
        pair.arrive(blocks, rooms)
        for _ in range(3):
            pair.make()
        for _ in range(length):
            line = pair.step()
            if line is not None:
                outcome.story.append(line)
                outcome.events += 1
    except Different as found:
        outcome.difference = found
        outcome.story.append(f"in {pair.doing}: {found}")
        outcome.undecided = DOUBT.least < CLOSE
    return outcome
