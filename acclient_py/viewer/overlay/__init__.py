"""Overlays of the viewer."""

from __future__ import annotations
