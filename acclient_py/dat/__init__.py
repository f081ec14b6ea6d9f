"""DAT files: the container and every record in it, read and written."""

from __future__ import annotations
