"""The device that pictures are made on, for those who draw without a window.

The command line knows renderers and pictures, not `gpu`; it gets its device here.
"""

from __future__ import annotations

from acclient_py.gpu.device import Device

__all__ = ["Device"]
