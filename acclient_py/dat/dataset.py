"""The DAT files of a folder as one set: which file holds an id, typed records, a locked cache.

Portal and cell make a world; highres and local are used when they are there. Ids of the cell file
(0xXXYY....) and of the portal file (type in the top byte) overlap, so whoever knows which one is
meant says so: `record(id, file="cell")`, or `land_block`, `land_block_info`, `env_cell`. Without
that the id's own form decides. Everything here may be called from several threads.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import ExitStack
from heapq import merge
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from acclient_py.dat.btree import Entry
from acclient_py.dat.container import DatFile
from acclient_py.dat.lru import LruCache
from acclient_py.dat.records import RECORD_KINDS, kind_of, read_record
from acclient_py.dat.records.env_cell import EnvCell
from acclient_py.dat.records.kinds import UNKNOWN_KIND
from acclient_py.dat.records.landblock import LandBlock
from acclient_py.dat.records.landblock_info import LandBlockInfo
from acclient_py.dat.writer import CELL, HIGHRES, LOCAL, PORTAL
from acclient_py.errors import DataError, MissingRecord, RecordError
from acclient_py.log import warn_once

log = logging.getLogger(__name__)

CACHE_ENTRIES: Final = 8192
CACHE_BYTES: Final = 64 << 20
"""Stored bytes of the records that are kept; decoded they take a few times as much."""

LAND_LOW: Final = 0xFFFE
"""Low words from here on are LandBlockInfo and LandBlock."""


class DatSet:
    """An open DAT set. A context manager; owns its files."""

    def __init__(
        self,
        portal: DatFile,
        cell: DatFile,
        highres: DatFile | None = None,
        local: DatFile | None = None,
        *,
        cache: int = CACHE_ENTRIES,
    ) -> None:
        self.portal = portal
        self.cell = cell
        self.highres = highres
        self.local = local
        self.folder = portal.path.parent
        self.problems: list[DataError] = []
        self._places: dict[tuple[str | None, bool, bool], list[tuple[str, DatFile]]] = {}
        self.cache: LruCache[tuple[str, int], Any] = LruCache(cache, CACHE_BYTES)

    @classmethod
    def open(cls, folder: str | os.PathLike[str], *, cache: int = CACHE_ENTRIES) -> Self:
        """Open the files of a folder; names match in any case.

        cache : most decoded records kept

        Raises DataError when portal or cell is missing or unusable. An unusable highres or local
        file is left out, with a warning and an entry in `problems`.
        """
        folder = Path(folder)
        names = _names(folder)
        with ExitStack() as opened:
            needed = []
            for kind in (PORTAL, CELL):
                if kind.name not in names:
                    raise DataError(
                        f"no {kind.name} here",
                        file=folder,
                        do=f"a DAT set is a folder with {PORTAL.name} and {CELL.name}",
                    )
                needed.append(opened.enter_context(DatFile.open(names[kind.name])))
            more: list[DatFile | None] = []
            problems = []
            for kind in (HIGHRES, LOCAL):
                try:
                    path = names.get(kind.name)
                    more.append(opened.enter_context(DatFile.open(path)) if path else None)
                except DataError as error:
                    more.append(None)
                    problems.append(error)
                    warn_once(str(error), "%s; going on without this file", error, logger=log)
            made = cls(needed[0], needed[1], *more, cache=cache)
            made.problems = problems
            opened.pop_all()
        return made

    def close(self) -> None:
        """Close all files. Records handed out stay good."""
        for file in self.files().values():
            file.close()
        self.cache.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"DatSet({str(self.folder)!r})"

    def files(self) -> dict[str, DatFile]:
        """The files that are there, by "portal", "cell", "highres", "local"."""
        found = {
            "portal": self.portal,
            "cell": self.cell,
            "highres": self.highres,
            "local": self.local,
        }
        return {name: file for name, file in found.items() if file is not None}

    # -- look-up ------------------------------------------------------------------------------

    def places(self, id: int, file: str | None = None) -> list[tuple[str, DatFile]]:
        """Where an id may be, best first.

        A picture's highres copy is the larger one, so it comes before the portal's. "portal" means
        portal and highres together: each stands in for the other.
        """
        cell_first = file is None and (id & 0xFFFF >= LAND_LOW or kind_of(id) is UNKNOWN_KIND)
        key = file, cell_first, id >> 24 in (0x06, 0x07)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = self._order(*key)
        return found

    def _order(
        self, file: str | None, cell_first: bool, is_picture: bool
    ) -> list[tuple[str, DatFile]]:
        """The files that are there, in the order of `places`, which keeps it."""
        if file is None:
            order = ["cell", "portal", "local"] if cell_first else ["portal", "local", "cell"]
        else:
            order = [file]
        if "portal" in order or "highres" in order:
            pair = ["highres", "portal"] if is_picture else ["portal", "highres"]
            at = order.index("portal" if "portal" in order else "highres")
            order[at : at + 1] = pair
        present = self.files()
        return [(name, present[name]) for name in order if name in present]

    def locate(self, id: int, *, file: str | None = None) -> tuple[str, DatFile, Entry]:
        """The name of the file that holds an id, the file, and the id's entry in it."""
        for name, dat in self.places(id, file):
            entry = dat.find(id)
            if entry is not None:
                return name, dat, entry
        raise self._missing(id, file)

    def _missing(self, id: int, file: str | None) -> MissingRecord:
        dat = self.files().get(file or "")
        return MissingRecord(id, file=self.folder if dat is None else dat.path)

    def has(self, id: int, *, file: str | None = None) -> bool:
        """Whether the set holds a record."""
        return any(dat.find(id) is not None for _, dat in self.places(id, file))

    def raw(self, id: int, *, file: str | None = None) -> bytes:
        """The bytes of a record, unpacked."""
        _, dat, entry = self.locate(id, file=file)
        return dat.read_entry(entry)

    def head(self, id: int, size: int) -> bytes:
        """The first bytes of a record, `size` of them where it has as many.

        What lies behind them is not read, unless the record is stored compressed.
        """
        _, dat, entry = self.locate(id)
        return dat.read_head(entry, size)

    def record(self, id: int, *, file: str | None = None, keep: bool = True) -> Any:
        """The typed record of an id, from the cache or the file.

        file : "portal", "cell", "highres" or "local", where the id alone leaves it open
        keep : whether the cache shall hold it; not what is large and asked for once

        Raises MissingRecord, or RecordError that names file, record and byte. If one of two copies
        (highres, portal) is damaged the other is taken, with a warning.
        """
        first_error: RecordError | None = None
        for name, dat in self.places(id, file):
            kept = self.cache.get((name, id))
            if kept is not None:
                return kept
            try:
                entry = dat.find(id)
                if entry is None:
                    continue
                data = dat.read_entry(entry)
                made = read_record(id, data, name)
                if keep:
                    made = self.cache.put((name, id), made, len(data))
            except RecordError as error:
                error.file = error.file or str(dat.path)
                first_error = first_error or error
                continue
            if first_error is not None:
                warn_once(str(first_error), "%s; taking %s", first_error, dat.path, logger=log)
            return made
        if first_error is not None:
            raise first_error
        raise self._missing(id, file)

    def land_block(self, id: int) -> LandBlock:
        """The terrain of the block that any of its ids names."""
        record: LandBlock = self.record(id | 0xFFFF, file="cell")
        return record

    def land_block_info(self, id: int) -> LandBlockInfo | None:
        """What stands on a block; None, as is normal, where nothing does (7.3)."""
        try:
            record: LandBlockInfo = self.record(id & 0xFFFF0000 | 0xFFFE, file="cell")
        except MissingRecord:
            return None
        return record

    def env_cell(self, id: int) -> EnvCell:
        """One indoor cell, by its full id."""
        record: EnvCell = self.record(id, file="cell")
        return record

    # -- listing ------------------------------------------------------------------------------

    def ids(self, kind: str | int | None = None, *, file: str | None = None) -> Iterator[int]:
        """Ids in ascending order, each once.

        kind : the name of a kind of record ("GfxObj", "EnvCell"); or a top byte of portal ids
               (0x01); or None for all
        file : only those of this file
        """
        present = self.files()
        names = list(present) if file is None else [file] if file in present else []
        if isinstance(kind, int):
            names = [name for name in names if name != "cell" or file == "cell"]
        last = -1
        for id in merge(*(self._ids_of(name, present[name], kind) for name in names)):
            if id != last:
                last = id
                yield id

    def _ids_of(self, name: str, dat: DatFile, kind: str | int | None) -> Iterator[int]:
        if kind is None:
            return dat.ids()
        if isinstance(kind, int):
            return dat.ids(kind << 24, kind << 24 | 0xFFFFFF)
        return (id for id in self._range(name, dat, kind) if kind_of(id, name).name == kind)

    def _range(self, name: str, dat: DatFile, kind: str) -> Iterator[int]:
        """The ids among which a kind's are: portal kinds have a range of their own."""
        if name == "cell":
            return dat.ids()
        ranges = [(k.first, k.last) for k in RECORD_KINDS if k.name == kind]
        return chain.from_iterable(dat.ids(first, last) for first, last in ranges)


def _names(folder: Path) -> dict[str, Path]:
    """The files of a set that lie in a folder, by their proper names."""
    if not folder.is_dir():
        raise DataError("no such folder" if not folder.exists() else "not a folder", file=folder)
    proper = {kind.name.lower(): kind.name for kind in (PORTAL, CELL, HIGHRES, LOCAL)}
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        name = proper.get(path.name.lower())
        if name is not None and (name not in found or path.name == name):
            found[name] = path
    return found
