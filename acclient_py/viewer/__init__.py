"""The windowed viewer: window, input, loop."""

from __future__ import annotations
