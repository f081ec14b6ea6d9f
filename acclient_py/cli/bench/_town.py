"""A town at night: ten houses open to the eye, forty blended panes, lamps, and crates by number.

The crates are all that a caller may have more of: they are plain draws, so nothing else of a frame
should notice them.
"""

from __future__ import annotations

from typing import Final

HOUSES: Final = 10
PANES: Final = 40
MIDNIGHT: Final = 0.0
CELL: Final = 0x7F7F0001
EYE: Final = (96.0, 14.0, 23.4)
TARGET: Final = (96.0, 100.0, 21.0)


def recipe(crates: int) -> str:
    """One block of land; the eye stands at its south and looks along the street."""
    lines = [
        'terrain = { blocks = ["7F7F", "7F7F"], base = 20 }',
        '[surface.tinted]\ncolor = "#60A0E0"\ntranslucency = 0.5',
        '[mesh.pane]\npieces = [{ shape = "soup", surface = "tinted", double = true, '
        "solid = false, points = [[-0.5, 0, 0], [0.5, 0, 0], [0.5, 0, 1], [-0.5, 0, 1]], "
        "polygons = [[0, 1, 2, 3]] }]",
        '[mesh.crate]\npieces = [{ shape = "box", surface = "planks", size = [0.6, 0.6, 0.6] }]',
        '[mesh.post]\npieces = [{ shape = "box", surface = "timber", size = [0.2, 0.2, 2.6] }]',
        '[setup.lamp]\nmesh = "post"\nlights = [{ at = [0, 0, 2.7], color = "#FFC070", '
        "intensity = 60, falloff = 6 }]",
    ]
    for k in range(HOUSES):
        x = 84 if k % 2 else 108
        lines.append(
            f'[[house]]\nname = "house{k}"\nblock = "7F7F"\nat = [{x}, {36 + 24 * (k // 2)}]\n'
            f'heading = 0\nsize = [8, 6]\nfloor = 0.1\nflatten = false\ndoor = "south"\n'
            f'window = ["{"east" if x < 96 else "west"}"]'
        )
        lines.append(
            f'[[static]]\nmodel = "lamp"\nblock = "7F7F"\nat = [{x + 5.5}, {32 + 24 * (k // 2)}]'
        )
    spots = [[93 + 2.0 * (k % 4), 24 + 3.3 * (k // 4), 20.8] for k in range(PANES)]
    lines.append(f'[[static]]\nmodel = "pane"\nblock = "7F7F"\nspots = {spots}')
    spots = [[88 + 0.8 * (k % 20), 26 + 0.8 * (k // 20), 20.0] for k in range(crates)]
    lines.append(f'[[static]]\nmodel = "crate"\nblock = "7F7F"\nspots = {spots}')
    return "\n".join(lines) + "\n"
