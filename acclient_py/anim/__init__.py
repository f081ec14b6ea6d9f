"""Motion: animations, the sequences that play them and the motion tables that choose them."""

from __future__ import annotations
