"""The painter's walk and the one ordered stream of draw records (L)."""

from __future__ import annotations
