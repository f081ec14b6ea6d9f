"""The headless host: steps in, checkpoints out (I5 to I8)."""

from __future__ import annotations
