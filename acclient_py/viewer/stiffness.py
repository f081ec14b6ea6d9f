"""How stiffly a following camera comes after the body: numbers of retail's `Camera.Stiffness`."""

from __future__ import annotations

from typing import Final

RETAIL: Final = 0.45
"""Its default."""

SLACKEST: Final = 0.29
"""The least that its option allows."""

STIFF: Final = 1.0
"""The most: here the camera is then never late."""
