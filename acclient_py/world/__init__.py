"""Records made into runtime data: terrain, cells, buildings, models, scenery, sky."""

from __future__ import annotations
