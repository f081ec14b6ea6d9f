"""A town in which things hang on things, blocks and rooms go and come, and lamps burn."""

from __future__ import annotations

from twin.painter.looks import f32
from twin.painter.town import HANDS, MIDDLE, Town
from twin.painter.turns import Lamp, Lamps

from acclient_py.world.residency import get_block_orient


class Living(Town):
    """A town whose things are held, whose blocks come and go, with more or less detail."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.detail_radius = 1
        self.happened: list[str] = []
        """What changed, by name; emptied by whoever reads it."""
        rng = self.rng
        if rng.random() < 0.6:
            for _ in range(rng.choice((1, 2, 5))):
                self._hold()

    # things in hands ----------------------------------------------------------------------

    def _hold(self) -> None:
        """One thing goes into a hand of another, or of what that one holds."""
        rng, physics = self.rng, self.physics
        if len(self.movers) < 2:
            return
        child, parent = rng.sample(self.movers, 2)
        if child == self.player and rng.random() < 0.7:
            return
        physics.set_parent(child, parent, rng.choice(HANDS))

    def _let_go(self) -> None:
        """What hung somewhere is put somewhere else, or is nowhere."""
        rng, physics = self.rng, self.physics
        held = [obj for obj in self.movers if physics.parent_of(obj) >= 0]
        if not held:
            return
        obj = rng.choice(held)
        physics.unset_parent(obj)
        physics.leave_world(obj)
        if rng.random() < 0.8:
            self._put(obj)

    def _other_part(self) -> None:
        """One part of a thing is another mesh from now on."""
        rng = self.rng
        if not self.movers:
            return
        obj = rng.choice(self.movers)
        row = self.physics.graph.arrays.objects[obj]
        index = rng.randrange(int(row["part_count"]))
        gfx = rng.choice(range(len(self.looks.models.gfx_rows)))
        self.physics.set_part(obj, index, gfx)
        self.physics.graph.arrays.parts["look"][int(row["part_first"]) + index] = 0

    # ground and rooms -----------------------------------------------------------------------

    def _come(self, block_id: int, side: int) -> None:
        """A block's ground, with the shells of its houses where it has detail enough."""
        ground = self.land[block_id][0]
        self.land[block_id] = ground, side
        self.physics.arrivals.arrive([(ground, side)])
        for group, did, portals in self.shells:
            cell = self._shell_cell(group)
            if cell < 0:
                continue
            if int(self.physics.graph.arrays.cells["id"][cell]) | 0xFFFF == block_id:
                self._raise_shell(group, did, portals)

    def _block_goes_or_comes(self) -> None:
        rng, physics = self.rng, self.physics
        block_id = rng.choice(sorted(self.land))
        slot = physics.blocks.block_slot(block_id)
        there = slot >= 0 and bool(physics.graph.arrays.blocks["side"][slot])
        if there:
            if rng.random() < 0.5:
                physics.arrivals.remove_land(block_id)
            else:
                physics.arrivals.remove_landblock(block_id)
        else:
            self._come(block_id, self.land[block_id][1])
            missing = [
                model for cell_id, model in self.rooms.items()
                if cell_id | 0xFFFF == block_id and physics.cell_slot(cell_id) < 0
            ]  # fmt: skip
            rng.shuffle(missing)
            physics.arrivals.arrive((), missing)

    def _more_or_less_detail(self) -> None:
        """Another detail radius: blocks whose cells a side change go and come (register D4)."""
        physics = self.physics
        self.detail_radius = self.rng.choice((0, 1, 2, 3))
        for block_id, (_, side) in sorted(self.land.items()):
            dx, dy = (block_id >> 24) - MIDDLE[0], (block_id >> 16 & 0xFF) - MIDDLE[1]
            wanted = get_block_orient(dx, dy, detail_radius=self.detail_radius).side
            slot = physics.blocks.block_slot(block_id)
            if slot < 0 or not physics.graph.arrays.blocks["side"][slot]:
                self.land[block_id] = self.land[block_id][0], wanted
            elif wanted != side:
                physics.arrivals.remove_land(block_id)
                self._come(block_id, wanted)

    def _rooms_go_or_come(self) -> None:
        rng, physics = self.rng, self.physics
        if not self.rooms:
            return
        some = rng.sample(sorted(self.rooms), min(len(self.rooms), rng.choice((1, 1, 3))))
        there = [cell_id for cell_id in some if physics.cell_slot(cell_id) >= 0]
        physics.arrivals.remove_env_cells(there)
        physics.arrivals.arrive((), [self.rooms[i] for i in some if i not in there])

    # a frame's lamps ------------------------------------------------------------------------

    def lamps(self, block_id: int) -> Lamps | None:
        """Lamps here and there, as seen from a block; more of them than light one thing."""
        rng = self.rng
        if not self.places or rng.random() < 0.5:
            return None

        def lamp() -> Lamp:
            place = rng.choice(self.places)
            dx = (place.cell_id >> 24) - (block_id >> 24)
            dy = (place.cell_id >> 16 & 0xFF) - (block_id >> 16 & 0xFF)
            x, y, z = (p + rng.uniform(-3, 3) for p in place.at)
            return Lamp((f32(x + 192 * dx), f32(y + 192 * dy), f32(z)), f32(rng.uniform(0.5, 12)))

        return Lamps(
            tuple(lamp() for _ in range(rng.choice((0, 1, 3, 7)))),
            tuple(lamp() for _ in range(rng.choice((0, 2, 12, 40)))),
        )

    # what a town does, and more ---------------------------------------------------------------

    def change(self) -> None:
        """Things move; things are taken and let go, parts change, blocks and rooms go and come."""
        super().change()
        rng = self.rng
        kind = rng.random()
        for limit, name, happens in (
            (0.12, "thing held", self._hold),
            (0.2, "thing let go", self._let_go),
            (0.32, "part exchanged", self._other_part),
            (0.42, "block went or came", self._block_goes_or_comes),
            (0.47, "detail radius changed", self._more_or_less_detail),
            (0.6, "rooms went or came", self._rooms_go_or_come),
        ):
            if kind < limit:
                happens()
                self.happened.append(name)
                return
