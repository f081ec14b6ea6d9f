"""Names of the wrong orders that a frame can be drawn in, for study, and what each means."""

from __future__ import annotations

from typing import Final

RETAIL: Final = "retail"
ORDERS: Final = {
    RETAIL: "the order of 2013: blocks, cells, buildings and parts interleaved, far to near",
    "whole-terrain-first": "all ground before everything else, as most engines draw a landscape",
    "depth-sorted": "each draw alone by the distance of its middle, far to near",
    "no-portals": "openings are not punched or sealed, the depth is never cleared between",
    "landscape-per-view": "the landscape once for each exit that is seen, not once for all",
    "shells-first": "each building's shell before its openings and what is seen through them",
}
ALPHAS: Final = {
    RETAIL: "blended surfaces in the order in which they were met, drained where retail drains",
    "sorted": "blended surfaces kept to the end of the frame and sorted far to near",
}
