"""OpenGL without Asheron's Call: device, state, buffers, textures, programs, readback."""

from __future__ import annotations
