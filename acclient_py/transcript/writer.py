"""JSON Lines out and in: one event a line, the same bytes for the same events (T8)."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from acclient_py.errors import DataError
from acclient_py.transcript.events import Event, Recorder

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)


def encode(event: Event) -> bytes:
    """One event as one line, newline included. Keys keep the order in which they were given."""
    return _encoder.encode(event) + b"\n"


def recorder_to(stream: IO[bytes]) -> Recorder:
    """A recorder that writes each event to `stream` as it comes."""

    def write(event: Event) -> None:
        stream.write(encode(event))

    return Recorder(write)


def read(path: Path) -> Iterator[Event]:
    """The events of a transcript file. DataError names the line that is none."""
    try:
        stream = path.open("rb")
    except OSError as error:
        raise DataError(error.strerror or "cannot be read", file=path) from None
    with stream:
        for place, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                event = _decoder.decode(line.removeprefix(codecs.BOM_UTF8))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise DataError(f"line {place} is no JSON object: {error}", file=path) from None
            if not isinstance(event.get("event"), str):
                raise DataError(f"line {place} names no event", file=path)
            yield event
