"""One picture of a host as an array: what a notebook asks for (I9)."""

from __future__ import annotations

from acclient_py.core import U8
from acclient_py.gpu.device import Device
from acclient_py.render.frame import FrameRenderer
from acclient_py.render.scene import SceneMaker, WorldView


def draw_frame(
    host: WorldView, *, size: tuple[int, int] = (640, 360), overlays: tuple[str, ...] = ()
) -> U8:
    """(height, width, 3) uint8, first row on top: the host as its camera sees it now.

    Makes an offscreen device for this one picture. GpuError where there is none.
    """
    # contract: I9
    with (
        Device.offscreen() as device,
        FrameRenderer(device, host.physics.models, host.region, size=size) as renderer,
    ):
        maker = SceneMaker(host)
        renderer.draw(maker.scene(), maker.pose(), overlays=overlays)
        return renderer.read()
