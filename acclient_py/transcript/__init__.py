"""What a frame and a run write down about themselves, and how two such accounts differ (T)."""

from __future__ import annotations
