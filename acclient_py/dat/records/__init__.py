"""One module a kind of record: fields in file order, read and write."""

from __future__ import annotations
