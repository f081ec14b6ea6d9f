"""A world recipe made into a DAT set."""

from __future__ import annotations
