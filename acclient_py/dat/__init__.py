"""DAT files: the container and every record in it, read and written.

The face: `DatSet` is a folder of files as one set of typed records, `DatFile` one file of it;
`read_record` and `kind_of` turn bytes into records by id, `records` holds the record types and
`pixels` makes colours of pictures. The heavier parts are loaded when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from acclient_py.dat.cursor import Cursor, Packer

if TYPE_CHECKING:
    from acclient_py.dat import pixels, records
    from acclient_py.dat.container import DatFile
    from acclient_py.dat.dataset import DatSet
    from acclient_py.dat.records import RecordKind, kind_of, read_record

_LATER: Final = {
    "DatFile": "acclient_py.dat.container",
    "DatSet": "acclient_py.dat.dataset",
    "RecordKind": "acclient_py.dat.records",
    "kind_of": "acclient_py.dat.records",
    "read_record": "acclient_py.dat.records",
}

__all__ = [
    "Cursor",
    "DatFile",
    "DatSet",
    "Packer",
    "RecordKind",
    "kind_of",
    "pixels",
    "read_record",
    "records",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    if name in ("pixels", "records"):
        return import_module(f"acclient_py.dat.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
