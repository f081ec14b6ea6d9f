"""acclient_py: a client for the world of Asheron's Call, as a program and as a library."""

from __future__ import annotations

__version__ = "0.1.0"
