"""The vocabulary of `acclient ask`: verbs by name, and the world they are asked about.

A module a subject registers its verbs with `@verb`; each takes the world and the words behind the
verb, and returns what the answer says. No geometry lives here: every number comes from the function
that the client itself runs on.
"""

# contract: I1
from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from acclient_py.core import F32, Struct
from acclient_py.core.ids import (
    FIRST_ENV_CELL,
    hex8,
    is_env_cell,
    landblock_info_of,
    landblock_of,
)
from acclient_py.dat.records.landblock_info import LandBlockInfo
from acclient_py.errors import AcclientError
from acclient_py.world.building import make_buildings
from acclient_py.world.cell import EnvCellModel, load_env_cell
from acclient_py.world.landblock import Landblock, load_landblock
from acclient_py.world.models import Models
from acclient_py.world.region import RegionModel, load_region
from acclient_py.world.scenes import Scenes

if TYPE_CHECKING:
    from acclient_py.dat.dataset import DatSet
    from acclient_py.physics.arrival import Arrivals
    from acclient_py.physics.world import PhysicsWorld

Answer = dict[str, Any]
Verb = Callable[["AskWorld", list[str]], Answer]

VERBS: Final[dict[str, Verb]] = {}
_MODULES: Final = (
    "land", "frames", "terrain", "cells", "dats", "celllist", "shadow", "motion", "scenario",
)  # fmt: skip


class AskError(AcclientError):
    """A question that cannot be answered: its verb, its words, or what it asks about."""


class AskWorld:
    """A DAT set of which every block counts as loaded in full detail; fresh for each file."""

    def __init__(self, dats: DatSet, models: Models | None = None) -> None:
        self.dats = dats
        self.models = models or Models(dats)
        self._region: RegionModel | None = None
        self._landblocks: dict[int, Landblock | None] = {}
        self._env_cells: dict[int, EnvCellModel | None] = {}
        self._scenes: Scenes | None = None
        self._graph: Arrivals | None = None
        self._resident: set[int] = set()
        self.state: dict[str, Any] = {}
        """What verbs keep from one question to the next, by the name of their module."""

    @property
    def region(self) -> RegionModel:
        """The region record, read when first needed."""
        if self._region is None:
            self._region = load_region(self.dats)
        return self._region

    def landblock(self, cell_id: int) -> Landblock:
        """The block of a cell. AskError where there is none."""
        at = landblock_of(cell_id)
        if at not in self._landblocks:
            self._landblocks[at] = load_landblock(self.dats, at, self.region.heights)
        found = self._landblocks[at]
        if found is None:
            raise AskError(f"no landblock {hex8(at)} in this world")
        return found

    def has_landblock(self, cell_id: int) -> bool:
        """Whether the world has the block of a cell."""
        return self.dats.has(landblock_of(cell_id))

    def env_cell(self, cell_id: int) -> EnvCellModel:
        """An env cell. AskError where there is none."""
        if cell_id not in self._env_cells:
            found = load_env_cell(self.models, cell_id) if is_env_cell(cell_id) else None
            self._env_cells[cell_id] = found
        made = self._env_cells[cell_id]
        if made is None:
            raise AskError(f"no env cell {hex8(cell_id)} in this world")
        return made

    @property
    def physics(self) -> PhysicsWorld:
        """The membership graph; empty of blocks until `near` brings them in."""
        return self._arrivals().world

    def _arrivals(self) -> Arrivals:
        if self._graph is None:
            from acclient_py.physics.arrival import Arrivals
            from acclient_py.physics.world import PhysicsWorld

            self._graph = Arrivals(PhysicsWorld(self.models), scenery=self.scenery)
        return self._graph

    def scenery(self, landblock: Landblock) -> Struct:
        """(n,) GROWN_DTYPE: what grows on a block."""
        owned = np.zeros(64, bool)
        if landblock.info is not None:
            buildings, _ = make_buildings(landblock.info, landblock.id, self.models)
            for building in buildings:
                owned[(building.cell_id & 0xFFFF) - 1] = True
        if self._scenes is None:
            self._scenes = Scenes(self.region, self.dats, self.models)
        return self._scenes.grow(landblock, owned)

    def near(self, *cell_ids: int, radius: int = 1) -> PhysicsWorld:
        """The graph with the blocks round these cells in it, and all that stands in them."""
        blocks: list[tuple[Landblock, int]] = []
        env_cells: list[int] = []
        for cell_id in cell_ids:
            bx, by = cell_id >> 24 & 0xFF, cell_id >> 16 & 0xFF
            for x in range(max(bx - radius, 0), min(bx + radius, 254) + 1):
                for y in range(max(by - radius, 0), min(by + radius, 254) + 1):
                    at = x << 24 | y << 16 | 0xFFFF
                    if at not in self._resident:
                        self._resident.add(at)
                        if self.dats.has(at):
                            blocks.append((self.landblock(at), 8))
                        env_cells += self._env_cell_ids(at)
        arrivals = self._arrivals()
        if blocks or env_cells:
            arrivals.arrive(blocks, env_cells)
        return arrivals.world

    def _env_cell_ids(self, block_id: int) -> list[int]:
        """All env cells that a block's info record counts."""
        info_id = landblock_info_of(block_id)
        if not self.dats.has(info_id):
            return []
        found = self.dats.record(info_id)
        assert isinstance(found, LandBlockInfo), "low word 0xFFFE is a LandBlockInfo"
        first = block_id & 0xFFFF0000 | FIRST_ENV_CELL
        return list(range(first, first + found.cell_count))


def verb(name: str) -> Callable[[Verb], Verb]:
    """Register a function as the answerer of a verb."""

    def register(function: Verb) -> Verb:
        assert name not in VERBS or VERBS[name].__module__ == function.__module__, (
            f"two modules answer {name!r}"
        )
        VERBS[name] = function
        return function

    return register


def load_verbs() -> dict[str, Verb]:
    """All verbs of this version."""
    for module in _MODULES:
        name = f"{__name__}.{module}"
        if importlib.util.find_spec(name):
            importlib.import_module(name)
    return VERBS


def answer(world: AskWorld, question: str) -> tuple[Answer, bool]:
    """What a question's answer says, and whether it is one; a fault is said under "error"."""
    words = question.split()
    try:
        if not words:
            raise AskError("an empty question")
        function = load_verbs().get(words[0])
        if function is None:
            raise AskError(f"no verb {words[0]!r}", do=f"there are: {', '.join(sorted(VERBS))}")
        return function(world, words[1:]), True
    except AcclientError as error:
        return {"error": str(error)}, False


# reading the words of a question


def need(words: Sequence[str], count: int, form: str) -> None:
    """Refuse a question that has not as many words as its verb takes."""
    if len(words) != count:
        raise AskError(f"{len(words)} words where there should be {count}", do=f"write: {form}")


def read_id(word: str) -> int:
    """An id in hexadecimal, with or without 0x."""
    try:
        value = int(word, 16)
    except ValueError:
        raise AskError(f"not an id: {word!r}") from None
    if not 0 <= value <= 0xFFFFFFFF:
        raise AskError(f"not an id of 32 bits: {word!r}")
    return value


def read_int(word: str) -> int:
    """A whole number."""
    try:
        return int(word, 0)
    except ValueError:
        raise AskError(f"not a whole number: {word!r}") from None


def read_number(word: str) -> float:
    """A finite number, rounded to 32-bit float."""
    try:
        with np.errstate(over="ignore"):  # what is beyond 32 bits is told of below
            value = float(np.float32(float(word)))
    except (ValueError, OverflowError):
        raise AskError(f"not a number: {word!r}") from None
    if not math.isfinite(value):
        raise AskError(f"not a finite number of 32 bits: {word!r}")
    return value


def read_numbers(words: Iterable[str]) -> F32:
    """(n,) float32."""
    return np.array([read_number(word) for word in words], np.float32)


def read_frame(words: Sequence[str]) -> F32:
    """A frame from seven words: x y z qw qx qy qz."""
    if len(words) != 7:
        raise AskError(f"{len(words)} numbers where a frame has 7: x y z qw qx qy qz")
    return read_numbers(words)


# writing numbers


def number(value: Any) -> float | str:
    """A 32-bit float as nine digits give it back; what is not finite goes out as a word."""
    plain = float(value)
    if not math.isfinite(plain):
        return str(plain)
    return float(f"{plain:.9g}")


def numbers(values: Iterable[Any]) -> list[float | str]:
    """A list of 32-bit floats."""
    return [number(value) for value in values]
