"""The JSON Schema of a transcript line: every event and its fields (T7).

Fields that are named here are always there; others may be added. A test validates what the runs and
the frames really write.
"""

# contract: T7
from __future__ import annotations

from typing import Any, Final

from acclient_py.transcript.events import SCHEMA

Schema = dict[str, Any]

ID: Final[Schema] = {"type": "string", "pattern": "^0x[0-9A-F]{8}$"}
NAME: Final[Schema] = {
    "description": "a guid, or of a thing without one its record and its place there",
    "type": "string",
    "pattern": "^0x[0-9A-F]{8}(:[0-9]+)?$",
}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
NUMBER: Final[Schema] = {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}]}
BOOL: Final[Schema] = {"type": "boolean"}
TEXT: Final[Schema] = {"type": "string"}
IN_VIEW: Final[Schema] = {"enum": ["outside", "partial", "inside"]}
CAUSE: Final[Schema] = {
    "enum": [
        *("attach", "propagate", "withdraw", "delete", "lost"),
        *("move", "place", "teleport", "force", "static"),
    ]
}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(items: Schema, count: int | None = None) -> Schema:
    made: Schema = {"type": "array", "items": items}
    if count is not None:
        made |= {"minItems": count, "maxItems": count}
    return made


_SORTED_PART: Final[Schema] = {
    "description": "object, part, CYpt",
    "type": "array",
    "prefixItems": [NAME, COUNT, NUMBER],
    "minItems": 3,
    "maxItems": 3,
}

EVENTS: Final[dict[str, Schema]] = {
    "Header": {
        "schema": {"const": SCHEMA},
        "kind": {"enum": ["run", "frame"]},
        "world": TEXT,
        "detail_radius": COUNT,
        "deg_mul": NUMBER,
    },
    "View": {"view": COUNT, "source": TEXT, "polygon": _list(_list(NUMBER, 2))},
    "Sky": {"pass": {"enum": ["pre", "post"]}},
    "Block": {"block": ID, "block_index": COUNT, "in_view": IN_VIEW, "side": COUNT},
    "Sort": {"cell": ID, "parts": _list(_SORTED_PART)},
    "DrawLandCell": {"cell": ID, "block_index": COUNT, "cell_index": COUNT, "in_view": IN_VIEW},
    "DrawBuilding": {"cell": ID, "building": NAME, "gfxobj": ID, "level": COUNT},
    "Flush": {
        "site": {"enum": ["cell", "building", "landscape", "end"]},
        "threshold": NUMBER,
        "clip": COUNT,
        "alpha": COUNT,
        "drained": BOOL,
    },  # of a cell's site also `cell`
    "Portal": {"building": NAME, "portal": COUNT, "mode": TEXT, "view": COUNT},
    "LookIn": {"cell": ID, "view": COUNT},
    "DrawShell": {"building": NAME, "gfxobj": ID},
    "DrawObjCell": {"cell": ID, "parts": COUNT},
    "Part": {
        "object": NAME,
        "part": COUNT,
        "gfxobj": ID,
        "cypt": NUMBER,
        "place": COUNT,
        "deferred": {"enum": ["clip", "alpha", "both", None]},
    },
    "Weather": {},
    "DrawDeferred": {
        "list": {"enum": ["clip", "alpha"]},
        "object": NAME,
        "part": COUNT,
        "slot": COUNT,
    },
    "ClearDepth": {"seals_last_frame": COUNT},
    "Seal": {"cell": ID, "portal": COUNT, "view": COUNT},
    "DrawEnvCell": {"cell": ID, "view": COUNT},
    "CellArray": {
        "object": NAME,
        "from": NAME,
        "cells": _list(_or_null(ID)),
        "ids": _list(ID),
        "added_outside": BOOL,
        "do_not_load_cells": BOOL,
    },
    "AddShadow": {"object": NAME, "cell": ID, "count": {"type": "integer", "minimum": 1}},
    "AddPart": {
        "object": NAME,
        "part": COUNT,
        "gfxobj": ID,
        "cell": ID,
        "planes": BOOL,
        "place": COUNT,
    },
    "RemoveShadow": {"object": NAME, "cell": ID},
    "RemovePart": {"object": NAME, "part": COUNT, "cell": ID},
    "CellWrite": {
        "object": NAME,
        "parent": _or_null(NAME),
        "old": _or_null(ID),
        "new": _or_null(ID),
        "cause": CAUSE,
    },
}
"""Event name to its fields, `event` and `seq` left out."""


def json_schema() -> Schema:
    """The schema of one line."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        "description": "one line of a transcript",
        "type": "object",
        "required": ["event", "seq"],
        "properties": {"event": {"enum": list(EVENTS)}, "seq": COUNT},
        "allOf": [
            {
                "if": {"properties": {"event": {"const": name}}},
                "then": {"required": list(fields), "properties": fields},
            }
            for name, fields in EVENTS.items()
            if fields
        ],
    }
