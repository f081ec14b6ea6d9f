"""The JSON Schemas shipped in `assets/schemas`, made from the code that writes the lines."""

from __future__ import annotations

import json
from typing import Any, Final

from acclient_py.host import scenario
from acclient_py.transcript import schema as transcript
from acclient_py.transcript.schema import BOOL, CAUSE, COUNT, ID, Schema

_NUMBER: Final[Schema] = {"type": "number"}
_ID_OR_NULL: Final[Schema] = {"anyOf": [ID, {"type": "null"}]}


def _object(fields: dict[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in fields if name not in optional]
    return {"type": "object", "required": required, "properties": fields}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def checkpoint_schema() -> Schema:
    """One line of `acclient run`. Fields may be added. contract: I7"""
    described = _object(
        {
            "guid": ID,
            "instance": COUNT,
            "cell": _ID_OR_NULL,
            "objcell_id": ID,
            "full_cell_id": ID,
            "parent": _ID_OR_NULL,
            "location": {"type": ["integer", "null"]},
            "children": _list(ID),
            "origin": {**_list(_NUMBER), "minItems": 3, "maxItems": 3},
            "rotation": {**_list(_NUMBER), "minItems": 4, "maxItems": 4},
            "ticking": BOOL,
            "state": ID,
            "shadow_cells": _list(ID),
            "parts": _list(_object({"cell": ID, "index": COUNT, "gfxobj": ID})),
            "half_known": BOOL,
        },
        optional=("half_known",),
    )
    counted = (
        "objects", "relations", "shadow_objects", "shadow_parts", "lights", "staged", "lost",
        "cells", "landblocks",
    )  # fmt: skip
    crossing = {"guid": ID, "from": ID, "to": ID, "tick": COUNT, "cause": CAUSE}
    refusal = {"step": COUNT, "do": {"type": "string"}, "reason": {"type": "string"}}
    line = _object(
        {
            "scenario": {"type": "string", "description": "of a run of many files: which one"},
            "checkpoint": {"type": "string"},
            "tick": COUNT,
            "time": {"type": "number", "minimum": 0},
            "objects": _list(described),
            "counts": _object(dict.fromkeys(counted, COUNT)),
            "crossings": _list(_object(crossing)),
            "refused": _list(_object(refusal, optional=("step",))),
        },
        optional=("scenario",),
    )
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "acclient/checkpoint/1",
        "description": "one checkpoint line of a run",
    }
    return head | line


def schema_of(name: str) -> dict[str, Any]:
    """The schema of `scenario`, `checkpoint` or `transcript`."""
    makers = {
        "scenario": scenario.json_schema,
        "checkpoint": checkpoint_schema,
        "transcript": transcript.json_schema,
    }
    return makers[name]()


def text_of(name: str) -> str:
    """A schema as its file in `assets/schemas` holds it."""
    return json.dumps(_whole_numbers(schema_of(name)), indent=1, ensure_ascii=False) + "\n"


def _whole_numbers(value: Any) -> Any:
    """Write 1.0 as 1: which of two equal annotations typing keeps depends on who came first."""
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
