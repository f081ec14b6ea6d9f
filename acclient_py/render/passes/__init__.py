"""Drawing passes: functions of device, frame data and draw records."""

from __future__ import annotations
