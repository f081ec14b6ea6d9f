"""Motion tables made into part frames."""

from __future__ import annotations
