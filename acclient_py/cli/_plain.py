"""A record as plain values for JSON, and as indented text for people."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from msgspec import Struct

from acclient_py.dat.records.hooks import Hook, HookType
from acclient_py.dat.records.polygons import Polygons

SHOWN: Final = 8
"""Items of a list and lines of a hex dump that are shown unless all are asked for."""

WIDTH: Final = 96

ID_MIN: Final = 0x01000000
"""Text shows whole numbers from here on in hex: they are ids, colours or flags."""


def plain(value: Any, name: str = "") -> Any:
    """Structs as objects, arrays as lists, bytes and ids as hex text, NaN as "nan".

    name : of the field; one called `id`, or ending in `_id` or `_ids`, holds ids
    """
    if isinstance(value, enum.Flag):
        return {"value": int(value.value), "names": [m.name for m in type(value) if m in value]}
    if isinstance(value, enum.Enum):
        return {"value": int(value.value), "names": [value.name]}
    if isinstance(value, Hook):
        said = {key: plain(item, key) for key, item in value.fields.items()}
        return {"type": plain(HookType(value.type)), "direction": value.direction, "fields": said}
    if isinstance(value, Struct):
        return {name: plain(getattr(value, name), name) for name in value.__struct_fields__}
    if isinstance(value, np.ndarray | np.generic):
        return _plain_array(value, name)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | Polygons):
        return [plain(item, name) for item in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"0x{value & 0xFFFFFFFF:08X}" if is_id(name) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return str(value)


def is_id(name: str) -> bool:
    """Whether a field of this name holds record, cell or object ids."""
    if name in ("polygon_id", "other_portal_id"):
        return False  # places in a list
    return name == "id" or name.endswith(("_id", "_ids"))


def _plain_array(value: Any, name: str) -> Any:
    """A numpy array or scalar, structured or not."""
    if value.dtype.names:
        if value.ndim:
            return [_plain_array(item, name) for item in value]
        return {field: plain(value[field], field) for field in value.dtype.names}
    return plain(value.tolist(), name)


def text_lines(value: Any, *, everything: bool = False, indent: int = 0) -> Iterator[str]:
    """Indented lines of a plain object; long lists are cut unless `everything` is wanted."""
    pad = "  " * indent
    for key, item in value.items():
        short = _short(item)
        if short is not None and len(pad) + len(key) + len(short) + 2 <= WIDTH:
            yield f"{pad}{key}: {short}"
        elif isinstance(item, dict):
            yield f"{pad}{key}:"
            yield from text_lines(item, everything=everything, indent=indent + 1)
        elif isinstance(item, list):
            yield f"{pad}{key}: {len(item)} items"
            yield from _list_lines(item, everything, indent + 1)
        else:
            yield f"{pad}{key}:"
            yield from (f"{pad}  {line}" for line in _wrapped(str(item), everything))


def _list_lines(items: list[Any], everything: bool, indent: int) -> Iterator[str]:
    pad = "  " * indent
    if all(not isinstance(item, dict | list) for item in items):
        yield from (f"{pad}{line}" for line in _wrapped(_words(items), everything))
        return
    shown = items if everything else items[:SHOWN]
    for number, item in enumerate(shown):
        short = _short(item)
        if short is not None and len(pad) + len(short) + 6 <= WIDTH:
            yield f"{pad}[{number}] {short}"
        elif isinstance(item, dict):
            yield f"{pad}[{number}]"
            yield from text_lines(item, everything=everything, indent=indent + 1)
        elif isinstance(item, list):
            yield f"{pad}[{number}] {len(item)} items"
            yield from _list_lines(item, everything, indent + 1)
    if len(shown) < len(items):
        yield f"{pad}... {len(items) - len(shown)} more (--all)"


def _short(item: Any) -> str | None:
    """An item in a few words, or None when it needs lines of its own."""
    if isinstance(item, dict):
        if set(item) == {"value", "names"}:
            return f"{item['value']} ({' | '.join(item['names']) or 'none'})"
        parts = [(key, _short(part)) for key, part in item.items()]
        if len(parts) > 5 or any(part is None or len(part) > 60 for _, part in parts):
            return None
        return ", ".join(f"{key} {part}" for key, part in parts)
    if isinstance(item, list):
        if len(item) > 16 or any(isinstance(part, dict | list) for part in item):
            return None if item else "none"
        return f"[{_words(item)}]"
    return _word(item)


def _words(items: list[Any]) -> str:
    return " ".join(_word(item) for item in items)


def _word(item: Any) -> str:
    if isinstance(item, float):
        return f"{item:.7g}"
    if isinstance(item, int) and item >= ID_MIN:
        return f"0x{item:08X}"
    if item is None:
        return "none"
    return str(item) if item != "" else '""'


def _wrapped(text: str, everything: bool) -> Iterator[str]:
    """Lines of at most 80 characters, at spaces where there are any."""
    lines: list[str] = []
    while text:
        end = len(text) if len(text) <= 80 else text.rfind(" ", 0, 81)
        end = 80 if end <= 0 else end
        lines.append(text[:end])
        text = text[end:].lstrip(" ")
        if not everything and len(lines) == SHOWN and text:
            yield from lines
            yield f"... {len(text)} more characters (--all)"
            return
    yield from lines


def hex_lines(data: bytes, *, everything: bool = False) -> Iterator[str]:
    """A hex dump, 16 bytes a line with their characters."""
    shown = data if everything else data[: 16 * SHOWN * 2]
    for at in range(0, len(shown), 16):
        row = shown[at : at + 16]
        words = " ".join(f"{byte:02x}" for byte in row)
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        yield f"{at:06x}  {words:<47}  {letters}"
    if len(shown) < len(data):
        yield f"... {len(data) - len(shown)} more bytes (--all)"
