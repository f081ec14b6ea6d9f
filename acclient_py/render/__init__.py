"""The ordered stream drawn: records to meshes and textures, draw records to OpenGL."""

from __future__ import annotations
