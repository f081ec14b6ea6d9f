"""Scenarios of older schemas made into today's.

An upgrade is a function from one version's JSON to the next one's; they are applied in order. So
far there is one version, so nothing is changed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

from acclient_py.errors import UsageError
from acclient_py.host import scenario as sc

FAMILY: Final = "acclient/scenario/"
CURRENT: Final = int(sc.SCHEMA.removeprefix(FAMILY))

Raw = dict[str, Any]

_VERSION: Final = re.compile(FAMILY + "([0-9]{1,9})")

UPGRADES: Final[dict[int, Callable[[Raw], Raw]]] = {}
"""From the version of the key to the next one."""


def version_of(raw: object, *, where: str) -> int:
    """The schema version of a scenario's JSON. UsageError when it is not known."""
    if not isinstance(raw, dict):
        raise UsageError("no scenario: it is no JSON object", where=where)
    schema = raw.get("schema", sc.SCHEMA)
    told = _VERSION.fullmatch(schema) if isinstance(schema, str) else None
    if told is None:
        raise UsageError(f"no scenario: its schema is {schema!r}", where=where)
    version = int(told[1])
    if version > CURRENT:
        raise UsageError(
            f"is of schema {schema}, newer than this program's {sc.SCHEMA}",
            where=where,
            do="use a newer acclient",
        )
    if version != CURRENT and version not in UPGRADES:
        known = ", ".join(f"{FAMILY}{n}" for n in (*sorted(UPGRADES), CURRENT))
        raise UsageError(f"is of schema {schema}, which is not known", where=where, do=known)
    return version


def upgrade(text: bytes, *, where: str) -> bytes:
    """The scenario as today's schema has it; the very same bytes when it is that already.

    UsageError when it is no scenario, before or after.
    """
    try:
        raw = msgspec.json.decode(text.removeprefix(codecs.BOM_UTF8))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"no JSON: {error}", where=where) from None
    version = version_of(raw, where=where)
    if version == CURRENT:
        sc.parse(text, where=where)
        return text
    while version < CURRENT:
        raw = UPGRADES[version](raw)
        version += 1
        raw["schema"] = f"{FAMILY}{version}"
    return sc.write(sc.parse(msgspec.json.encode(raw), where=where))
