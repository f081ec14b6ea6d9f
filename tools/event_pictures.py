"""Makes the pictures of docs/transcripts.md anew, with the program's own command.

python tools/event_pictures.py [EVENT ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from acclient_py.cli import main

OUT = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE = "400x225"
PICTURES = {
    # file: scenario and options
    "view": ("hall", "--stop-after", "View"),
    "sky": ("hamlet", "--stop-after", "Sky"),
    "block": ("hamlet", "--stop-after", "Block/28"),
    "sort": ("hamlet", "--stop-after", "Sort/88"),
    "draw_land_cell": ("hamlet", "--stop-after", "DrawLandCell/350"),
    "draw_building": ("hamlet", "--stop-after", "DrawBuilding/1"),
    "flush": ("hamlet", "--stop-after", "Flush/462"),
    "portal": ("hamlet", "--stop-after", "Portal/2"),
    "look_in": ("hamlet", "--stop-after", "LookIn/4"),
    "draw_shell": ("hamlet", "--stop-after", "DrawShell/2"),
    "draw_obj_cell": ("hamlet", "--stop-after", "DrawObjCell/226"),
    "part": ("hamlet", "--stop-after", "Part/319"),
    "weather": ("hamlet", "--stop-after", "Weather"),
    "draw_deferred": ("hamlet", "--stop-after", "DrawDeferred/237"),
    "clear_depth": ("hall", "--stop-after", "ClearDepth"),
    "seal": ("hall", "--stop-after", "Seal/1"),
    "draw_env_cell": ("hall", "--stop-after", "DrawEnvCell/1"),
    "cell": ("study_cell", "--overlay", "cells"),
    "corner": ("study_corner", "--overlay", "cells"),
    "border": ("study_border", "--overlay", "cells"),
}


def make(name: str) -> int:
    """One picture, packed as tightly as a PNG can be."""
    scenario, *options = PICTURES[name]
    out = OUT / f"event_{name}.png"
    code = main.run(["frame", scenario, *options, "--size", SIZE, "-o", str(out)])
    if code == 0:
        Image.open(out).save(out, optimize=True)
    return code


if __name__ == "__main__":
    sys.exit(max(make(name) for name in sys.argv[1:] or PICTURES))
