"""`acclient dat`: looks into a DAT set: ls, info, show, check, export.

DIR is what `--world` takes everywhere (the demo world when it is left out), or a single DAT file.
"""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import asdict

from acclient_py.errors import EXIT_NO, DataError, RecordError, UsageError

if TYPE_CHECKING:
    from acclient_py.dat.btree import Entry
    from acclient_py.dat.container import DatFile
    from acclient_py.dat.dataset import DatSet

log = logging.getLogger(__name__)

FILES = click.Choice(["portal", "cell", "highres", "local"])


class Opened(Struct, frozen=True):
    """A set, or a single file under the name its header gives it."""

    files: dict[str, DatFile]
    dats: DatSet | None
    problems: list[DataError]

    def locate(self, id: int, file: str | None) -> tuple[str, DatFile, Entry]:
        """Where an id is; a file that was named is that very file, whatever stands in for it."""
        if self.dats is not None and file is None:
            return self.dats.locate(id)
        from acclient_py.errors import MissingRecord

        if self.dats is None:
            ((name, dat),) = self.files.items()
        else:
            assert file is not None, "a set is asked without a file above"
            if file not in self.files:
                raise MissingRecord(id, file=self.dats.folder / f"client_{file}")
            name, dat = file, self.files[file]
        entry = dat.find(id)
        if entry is None:
            raise MissingRecord(id, file=dat.path)
        return name, dat, entry


@contextmanager
def opened(where: str | None) -> Iterator[Opened]:
    """The DAT set, or the one file, that an argument names."""
    if where is not None and Path(where).suffix.lower() == ".dat" and not Path(where).is_dir():
        from acclient_py.dat.container import DatFile

        with DatFile.open(where) as dat:
            yield Opened({_file_name(dat): dat}, None, [])
        return
    from acclient_py.cli.worlds import open_world

    with open_world(where) as dats:
        yield Opened(dats.files(), dats, dats.problems)


def _file_name(dat: DatFile) -> str:
    from acclient_py.dat.header import DATA_SET_CELL, DATA_SET_LOCAL, SUBSET_HIGHRES

    if dat.header.data_set == DATA_SET_CELL:
        return "cell"
    if dat.header.data_set == DATA_SET_LOCAL:
        return "local"
    return "highres" if dat.header.data_subset == SUBSET_HIGHRES else "portal"


def parse_id(text: str) -> int:
    """An id in hex, with or without 0x."""
    try:
        id = int(text, 16)
    except ValueError:
        id = -1
    if not 0 <= id <= 0xFFFFFFFF:
        raise UsageError(f"{text!r} is no record id", do="write eight hex digits: 0x01000001")
    return id


def _json(value: Any) -> None:
    import msgspec

    click.echo(msgspec.json.encode(value).decode())


def _complain(error: object) -> None:
    log.error("%s", error)


@click.group(help="Look into a DAT set. DIR is a folder of DAT files; the demo world without it.")
def command() -> None:
    pass


@command.command(help="List the records: id, kind, file, bytes, iteration.")
@click.argument("where", metavar="[DIR]", required=False)
@click.option("--kind", help="Only this kind of record: GfxObj, EnvCell, ...")
@click.option("--file", "only", type=FILES, help="Only this file of the set.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def ls(where: str | None, kind: str | None, only: str | None, as_json: bool) -> int:
    from acclient_py.dat.records.kinds import kind_of

    kind = _known_kind(kind)
    faults: list[DataError] = []
    with opened(where) as there:
        for name, dat in there.files.items():
            if only not in (None, name):
                continue
            for entry in dat.entries(on_fault=faults.append):
                its = kind_of(entry.id, name).name
                if kind not in (None, its):
                    continue
                if as_json:
                    row = {"id": f"0x{entry.id:08X}", "kind": its, "file": name}
                    numbers = asdict(entry)
                    del numbers["id"]
                    _json({**row, **numbers})
                else:
                    packed = " compressed" if entry.compressed else ""
                    click.echo(
                        f"0x{entry.id:08X}  {its:<20} {name:<8} {entry.size:>9}"
                        f"  {entry.iteration}{packed}"
                    )
    for fault in faults:
        _complain(fault)
    return EXIT_NO if faults else 0


def _known_kind(kind: str | None) -> str | None:
    """The kind as it is spelled, from any case; UsageError for an unknown one."""
    if kind is None:
        return None
    from acclient_py.dat.records import kinds

    land = (kinds.LAND_BLOCK_KIND, kinds.LAND_BLOCK_INFO_KIND, kinds.ENV_CELL_KIND)
    names = sorted({k.name for k in (*kinds.RECORD_KINDS, *land, kinds.UNKNOWN_KIND)})
    for name in names:
        if name.lower() == kind.lower():
            return name
    raise UsageError(f"no kind of record {kind!r}", do=f"there are: {', '.join(names)}")


@command.command(help="What each file is: head, numbers of records by kind, iterations.")
@click.argument("where", metavar="[DIR]", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")
def info(where: str | None, as_json: bool) -> int:
    from acclient_py.cli._plain import text_lines

    faults: list[DataError] = []
    with opened(where) as there:
        for name, dat in there.files.items():
            about = {"file": name, **_about(name, dat, faults)}
            if as_json:
                _json(about)
            else:
                click.echo("\n".join(text_lines(about)) + "\n")
        faults += there.problems
    for fault in faults:
        _complain(fault)
    return EXIT_NO if faults else 0


def _about(name: str, dat: DatFile, faults: list[DataError]) -> dict[str, Any]:
    import uuid

    from acclient_py.dat.records.kinds import kind_of

    kinds: Counter[str] = Counter()
    size = 0
    for entry in dat.entries(on_fault=faults.append):
        kinds[kind_of(entry.id, name).name] += 1
        size += entry.size
    header = dat.header
    try:
        record = dat.iterations()
        iterations = (
            [[run.first, run.first + run.count - 1] for run in record.runs] if record else []
        )
    except DataError as error:
        faults.append(error)
        iterations = []
    return {
        "path": str(dat.path),
        "bytes": dat.size,
        "block_size": header.block_size,
        "data_set": header.data_set,
        "data_subset": f"0x{header.data_subset:08X}",
        "engine_pack_version": header.engine_pack_version,
        "game_pack_version": header.game_pack_version,
        "version": f"{uuid.UUID(bytes_le=header.version_major)} minor {header.version_minor}",
        "records": sum(kinds.values()),
        "record_bytes": size,
        "free_blocks": header.free_count,
        "iterations": iterations,
        "kinds": dict(sorted(kinds.items())),
        "warnings": dat.warnings,
    }


@command.command(help="Show one record: its fields, or its bytes where only those are known.")
@click.argument("words", metavar="[DIR] ID", nargs=-1, required=True)
@click.option("--file", "only", type=FILES, help="Where two files of the set have the id.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--raw", is_flag=True, help="The bytes, whatever the record is.")
@click.option("--all", "everything", is_flag=True, help="Long lists and dumps to their end.")
def show(
    words: tuple[str, ...], only: str | None, as_json: bool, raw: bool, everything: bool
) -> None:
    from acclient_py.cli._plain import hex_lines, plain, text_lines
    from acclient_py.dat.records import RawRecord, kind_of, read_record

    where, id = _dir_and_id(words)
    with opened(where) as there:
        name, dat, entry = there.locate(id, only)
        data = dat.read_entry(entry)
        kind = kind_of(id, name).name
        head = {"id": f"0x{id:08X}", "kind": kind, "file": name, "bytes": len(data)}
        try:
            record = None if raw else read_record(id, data, name)
        except RecordError as error:
            error.file = str(dat.path)
            raise
    is_raw = record is None or isinstance(record, RawRecord)
    if as_json:
        _json({**head, "data": data.hex()} if is_raw else {**head, "record": plain(record)})
        return
    click.echo(f"{kind} 0x{id:08X}, {len(data)} bytes, {dat.path}")
    shown = hex_lines(data, everything=everything)
    if not is_raw:
        shown = text_lines(plain(record), everything=everything)
    for line in shown:
        click.echo(line)


def _dir_and_id(words: tuple[str, ...]) -> tuple[str | None, int]:
    if len(words) > 2:
        raise UsageError(f"{len(words)} words where DIR and ID are due", do="quote the folder")
    return (words[0] if len(words) == 2 else None), parse_id(words[-1])


@command.command(help="Read every record of every file; report what is damaged. Exit 1 if any is.")
@click.argument("where", metavar="[DIR]", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a finding, and a summary.")
@click.option(
    "--membership", is_flag=True,
    help="Build every landblock too: its cells, statics and scenery, and check who is in which.",
)  # fmt: skip
def check(where: str | None, as_json: bool, membership: bool) -> int:
    from acclient_py.cli._checking import check_set

    with opened(where) as there:
        if membership and there.dats is None:
            raise UsageError("one file is no world", do="name the folder with --membership")
        return check_set(there.files, there.problems, as_json, there.dats if membership else None)


@command.command(help="Write the bytes of a record into a file, unpacked, or to standard output.")
@click.argument("where", metavar="[DIR]", required=False)
@click.option("--raw", "id_text", metavar="ID", required=True, help="The record's id.")
@click.option("-o", "target", metavar="FILE", required=True, help="Where to; - is the output.")
@click.option("--file", "only", type=FILES, help="Where two files of the set have the id.")
def export(where: str | None, id_text: str, target: str, only: str | None) -> None:
    with opened(where) as there:
        _, dat, entry = there.locate(parse_id(id_text), only)
        data = dat.read_entry(entry)
    if target == "-":
        sys.stdout.buffer.write(data)
        return
    from acclient_py.dat.writer import write_beside

    with write_beside(Path(target)) as file:
        file.write(data)
    click.echo(f"{target}: {len(data)} bytes", err=True)
