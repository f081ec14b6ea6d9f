"""The window: input to actions, the loop of ticks and frames, what is shown over the picture."""

from __future__ import annotations
