"""The eye: camera, views, clip grid and what is seen (L2, L3, L11)."""

from __future__ import annotations
