"""Who is who: guids, incarnations and the events of a life (E)."""

from __future__ import annotations
