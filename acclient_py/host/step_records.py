"""The steps of a scenario (I5): a record each, and what a step may hold.

Ids are strings of eight hexadecimal digits, quaternions w, x, y, z, origins metres in the
landblock's frame, headings compass degrees.
"""

from __future__ import annotations

from typing import Final

TICKS_PER_SECOND: Final = 30
