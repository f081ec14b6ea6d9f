"""Text and float encodings of the records: code page, disguise, and NaN payloads."""

from __future__ import annotations

import struct
from typing import Final

_U32: Final = struct.Struct("<I")
_F32: Final = struct.Struct("<f")
_F64: Final = struct.Struct("<d")
_U64: Final = struct.Struct("<Q")


def _make_code_page() -> tuple[tuple[str, ...], dict[str, int]]:
    """cp1252 both ways; its five undefined bytes stand for the control characters of Latin-1."""
    chars = []
    for byte in range(256):
        raw = bytes([byte])
        try:
            chars.append(raw.decode("cp1252"))
        except UnicodeDecodeError:
            chars.append(raw.decode("latin-1"))
    return tuple(chars), {char: byte for byte, char in enumerate(chars)}


_DECODE_CP1252, _ENCODE_CP1252 = _make_code_page()


def decode_cp1252(data: bytes) -> str:
    """Text of `data`; every byte has a character, so nothing is lost."""
    return "".join([_DECODE_CP1252[byte] for byte in data])


def encode_cp1252(text: str) -> bytes:
    """Bytes of `text`. ValueError where a character has none."""
    try:
        return bytes([_ENCODE_CP1252[char] for char in text])
    except KeyError as error:
        raise ValueError(f"character {error.args[0]!r} is not in cp1252") from None


def swap_nibbles(data: bytes) -> bytes:
    """Each byte with its two halves exchanged: the disguise of obfuscated strings."""
    return bytes([(byte << 4 | byte >> 4) & 0xFF for byte in data])


def float_from_bits(bits: int) -> float:
    """The value of 32 float bits, with a NaN's payload kept in the upper bits of the f64."""
    sign, mantissa = bits >> 31, bits & 0x7FFFFF
    if bits & 0x7F800000 == 0x7F800000 and mantissa:
        wide = sign << 63 | 0x7FF << 52 | mantissa << 29
        value: float = _F64.unpack(_U64.pack(wide))[0]
        return value
    narrow: float = _F32.unpack(_U32.pack(bits))[0]
    return narrow


def bits_from_nan(value: float) -> int:
    """The 32 float bits of a NaN made by `float_from_bits` (or of any other NaN)."""
    wide: int = _U64.unpack(_F64.pack(value))[0]
    return wide >> 63 << 31 | 0x7F800000 | (wide >> 29 & 0x7FFFFF or 0x400000)
