"""The commands, one module each, loaded when they are called.

`acclient_py/cli/NAME.py` (or a package of that name) holds `command`, a click command, for each
name in `main.COMMANDS`. A command returns None or an exit code (I2), prints its results on standard
output, and raises what `errors.py` defines.
"""

from __future__ import annotations
