"""The commands, one module each, loaded when they are called."""

from __future__ import annotations
