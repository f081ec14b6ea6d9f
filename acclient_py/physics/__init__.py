"""Objects, cells and their lists: the membership graph and what moves in it (C, S)."""

from __future__ import annotations
