"""Debug views: lines, labels and bounds, drawn from the arrays that were drawn."""

from __future__ import annotations
