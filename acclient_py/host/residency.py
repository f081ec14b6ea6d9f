"""Brings landblocks into the graph and out of it, as the player's cell asks (S1, S11).

`world/residency.py` decides which blocks the window holds; this module reads their records and
carries it out: ground, buildings, the env cells that can be seen, statics, scenery. Without a
player the load point is the first place that anything was put at; `load` and `unload` steps
change what is there on top of that. In a sealed env cell there is no landscape at all: the cell
and its own stab list are resident, nothing else.

Loading is done at once, in the caller's thread, in one fixed order, so that a scenario gives the
same graph everywhere.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from typing import Final

from acclient_py.core.ids import OUTSIDE, hex8, is_env_cell, is_land_cell, landblock_of
from acclient_py.dat.dataset import DatSet
from acclient_py.log import warn_once
from acclient_py.physics.world import PhysicsWorld
from acclient_py.world import residency
from acclient_py.world.cell import EnvCellModel, load_env_cell
from acclient_py.world.landblock import Landblock, load_landblock
from acclient_py.world.region import RegionModel

log = logging.getLogger(__name__)

FIRST_ENV_CELL: Final = 0x100
FULL: Final = 8
"""Cells a side of a block in full detail: the only ones that things can stand on."""


class Residency:
    """Owner of what is resident on one graph.

    point  : the land cell that the window is centred on, 0 for none
    blocks : the blocks in full detail, by landblock id, in the order in which they came
    coarse : the blocks of the outer rings, which carry terrain only: id to cells a side
    """

    def __init__(
        self,
        world: PhysicsWorld,
        dats: DatSet,
        region: RegionModel,
        *,
        detail_radius: int = 1,
        mid_radius: int = 0,
    ) -> None:
        """mid_radius : rings of the window, coarse ones included; 0: full detail only."""
        self.world = world
        self.dats = dats
        self.region = region
        self.detail_radius = detail_radius
        self.mid_radius = max(1, detail_radius, mid_radius)
        self.coarse: dict[int, int] = {}
        self.point = 0
        self.current_cell = 0
        self.blocks: dict[int, Landblock] = {}
        self._wanted: dict[int, int] = {}  # blocks of the window, cells a side
        self._added: set[int] = set()  # by a load step
        self._removed: set[int] = set()  # by an unload step
        self._own_cells: list[int] = []  # of the env cell that the player is in
        self._ground: dict[int, Landblock | None] = {}
        self._cells: dict[int, EnvCellModel | None] = {}

    # what the session asks

    def load_for(self, cell_id: int) -> bool:
        """See to it that a cell's surroundings are resident, beside what is there now."""
        self._apply(self._window_of(cell_id), self._stabs_of(cell_id), keep=True)
        return True

    def change_position(self, cell_id: int, *, blocking: bool) -> None:
        """The player is in another cell now. Retail: CellManager::ChangePosition @0x004559B0.

        Nothing happens while the id is unchanged. contract: S11
        """
        if cell_id == self.current_cell or cell_id == 0:
            return
        self.current_cell = cell_id
        self._apply(self._window_of(cell_id), self._stabs_of(cell_id), keep=False)

    def load(self, block_id: int) -> bool:
        """A load step: a block and all its env cells come, whatever the window says."""
        block = landblock_of(block_id)
        self._removed.discard(block)
        self._added.add(block)
        self._apply(self._wanted, self._own_cells, keep=False)
        return block in self.blocks

    def unload(self, block_id: int) -> None:
        """An unload step: a block leaves, whatever the window says."""
        block = landblock_of(block_id)
        self._added.discard(block)
        self._removed.add(block)
        self._apply(self._wanted, self._own_cells, keep=False)

    def load_all(self) -> None:
        """Every block of the world, in full detail (how `ask` sees a world)."""
        self._added.update(self.dats.ids("LandBlock", file="cell"))
        self._apply(self._wanted, self._own_cells, keep=False)

    def start(self, cell_id: int) -> None:
        """Something is put there; without a player the first such place is the load point."""
        if self.current_cell == 0 and self.world.player < 0 and self.is_known(cell_id):
            self.change_position(cell_id, blocking=True)

    # decisions

    def _window_of(self, cell_id: int) -> dict[int, int]:
        seen_outside = True
        if is_env_cell(cell_id):
            model = self._cell(cell_id)
            seen_outside = model is not None and model.seen_outside
        x, y = self._where(cell_id)
        point = residency.load_point(cell_id, x, y, seen_outside=seen_outside)
        self.point = point
        blocks = residency.window(point, self.mid_radius, detail_radius=self.detail_radius)
        return {block: detail.side for block, detail in blocks.items()}

    def _where(self, cell_id: int) -> tuple[float, float]:
        """The origin of an env cell, from which its land cell is found; land cells need none."""
        model = self._cell(cell_id) if is_env_cell(cell_id) else None
        return (float(model.frame[0]), float(model.frame[1])) if model is not None else (0.0, 0.0)

    def _stabs_of(self, cell_id: int) -> list[int]:
        """The cells that an env cell keeps visible: itself and its stab list, in order."""
        model = self._cell(cell_id) if is_env_cell(cell_id) else None
        return [] if model is None else [cell_id, *model.stabs]

    def _block_cells(self, block: int) -> Iterator[int]:
        """The env cells that a block of the landscape makes visible: its buildings' stab lists."""
        ground = self.blocks.get(block) or self._land(block)
        info = ground.info if ground is not None else None
        if info is None:
            return
        first = block & 0xFFFF0000
        if block in self._added:
            yield from (first | FIRST_ENV_CELL + k for k in range(info.cell_count))
            return
        for building in info.buildings:
            for portal in building.portals:
                yield from (first | low for low in portal.stabs if is_env_cell(low))

    # carrying out

    def _apply(self, window: dict[int, int], own: list[int], *, keep: bool) -> None:
        """Make the graph hold the blocks and cells that are wanted, in one fixed order.

        keep : what is there stays too, until the player has moved on
        contract: S11
        """
        if not keep:
            self._wanted, self._own_cells = window, own
        wanted = {block: side for block, side in window.items() if block not in self._removed}
        wanted |= dict.fromkeys(self._added - self._removed, FULL)
        there = self.coarse | dict.fromkeys(self.blocks, FULL)
        if keep:
            wanted = {block: max(side, there.get(block, 0)) for block, side in wanted.items()}
        for block in sorted(there):
            if wanted.get(block, there[block] if keep else 0) != there[block]:
                self._take_out(block, again=block in wanted)
        coming = [
            (ground, wanted[block])
            for block in sorted(wanted)
            if there.get(block) != wanted[block] and (ground := self._land(block)) is not None
        ]
        for ground, side in coming:
            if side == FULL:
                self.blocks[ground.id] = ground
            else:
                self.coarse[ground.id] = side
        self._arrive(coming, own, keep=keep)

    def _take_out(self, block: int, *, again: bool) -> None:
        """A block leaves; `again`: only to come back in another detail."""
        self.blocks.pop(block, None)
        self.coarse.pop(block, None)
        if not again:
            self._ground.pop(block, None)
        self.world.arrivals.remove_land(block)
        log.debug("landblock %s gone", hex8(block))

    def _arrive(self, coming: list[tuple[Landblock, int]], own: list[int], *, keep: bool) -> None:
        """The blocks that come, and the env cells that can be seen from what is there then."""
        arrivals = self.world.arrivals
        cells: dict[int, None] = {}
        for block in sorted(self.blocks):
            cells.update(dict.fromkeys(self._block_cells(block)))
        cells.update(dict.fromkeys(own))
        gone = {cell for cell in cells if landblock_of(cell) in self._removed}
        visible = self.visible_env_cells()
        leaving = sorted(visible - (set(cells) - gone)) if not keep else []
        arrivals.remove_env_cells(leaving)
        for cell_id in leaving:
            self._cells.pop(cell_id, None)
        models = [self._cell(cell) for cell in cells if cell not in visible and cell not in gone]
        found = [model for model in models if model is not None]
        self._report_missing((cell for cell in cells if cell not in gone), coming, found)
        if not coming and not found:
            return
        began = time.perf_counter()
        new = arrivals.arrive(coming, found)
        ms = (time.perf_counter() - began) * 1000.0
        log.info("%d landblocks came, %d cells, %.1f ms", len(coming), len(new), ms)

    def _report_missing(
        self,
        listed: Iterable[int],
        coming: list[tuple[Landblock, int]],
        found: list[EnvCellModel],
    ) -> None:
        """Say once a block which env cells it names in vain: in a stab list, behind an opening.

        listed : ids in the stab lists of what is there
        """
        named = [cell for cell in listed if self._cells.get(cell) is None]
        for ground, side in coming:
            if side == FULL and ground.info is not None:
                first = ground.id & 0xFFFF0000
                for opening in (p for house in ground.info.buildings for p in house.portals):
                    named += [first | low for low in (opening.other_cell_id, *opening.stabs)]
        for model in found:
            named += [p.other_cell_id for p in model.portals if p.other_cell_id != OUTSIDE]
        missing: dict[int, dict[int, None]] = {}
        for cell in named:
            if self._cells.get(cell) is None and not (is_env_cell(cell) and self.dats.has(cell)):
                missing.setdefault(landblock_of(cell), {})[cell] = None
        for block, ids in missing.items():
            warn_once(
                ("env cells", block),
                "landblock %s names env cells that are not there (%d, the first %s); "
                "nothing is seen in their place",
                hex8(block),
                len(ids),
                hex8(next(iter(ids))),
                logger=log,
            )

    def visible_env_cells(self) -> set[int]:
        """The env cells that are resident: retail's visible cell table."""
        return {model.id for model in self.world.blocks.env_models.values()}

    # records, read once

    def _land(self, block: int) -> Landblock | None:
        if block not in self._ground:
            table = self.region.heights
            self._ground[block] = load_landblock(self.dats, block, table)
        return self._ground[block]

    def _cell(self, cell_id: int) -> EnvCellModel | None:
        if cell_id not in self._cells:
            self._cells[cell_id] = load_env_cell(self.world.models, cell_id)
        return self._cells[cell_id]

    def is_known(self, cell_id: int) -> bool:
        """Whether the world has such a cell at all."""
        if is_env_cell(cell_id):
            return self._cell(cell_id) is not None
        return is_land_cell(cell_id) and self._land(landblock_of(cell_id)) is not None
