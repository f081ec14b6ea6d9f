"""Text and panels over the picture. Imported on first use: it needs the `ui` packages."""

from __future__ import annotations
