"""Keys that a recipe writes as names: looked up, or a number as it stands."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from acclient_py.errors import DataError


def key_of(name: str, table: Mapping[str, int], what: str, where: str) -> int:
    """A key by name or as a number."""
    if name in table:
        return table[name]
    try:
        return int(name, 0)
    except ValueError:
        near = difflib.get_close_matches(name, table, 1)
        raise DataError(
            f"no {what} '{name}'", where=where, do=f"did you mean '{near[0]}'?" if near else None
        ) from None
