"""One frame: a read-only view of the world and a camera, both handed in, to an image.

The renderer keeps no game state: it reads the graph's arrays, the load point and the light that it
is given, walks them once through its painter, and draws that stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from acclient_py.core import F32, U8
from acclient_py.gpu.device import Device
from acclient_py.gpu.readback import Target
from acclient_py.order.painter import FrameCounters, Landscape, Painter
from acclient_py.order.study import RIGHT, Study, arrange, with_records
from acclient_py.physics.layout import Arrays
from acclient_py.render import frame_data
from acclient_py.render.assets import Assets
from acclient_py.render.atmosphere import SkyDome
from acclient_py.render.scene import Scene
from acclient_py.render.submit import STREAM_INDICES, Submitter
from acclient_py.view.camera import Lens, Pose, lens
from acclient_py.world import sky
from acclient_py.world.models import Models
from acclient_py.world.region import RegionModel

if TYPE_CHECKING:
    from acclient_py.render.debug.lines import LineDrawer

SEALED_AMBIENT: Final = 0.2
SUN_SHARE: Final = 0.2  # of the sun's level that objects outdoors get as ambient light
_BYTE: Final = 1.0 / 255.0


class FrameRenderer:
    """Draws scenes of one world on one device."""

    def __init__(
        self,
        device: Device,
        models: Models,
        region: RegionModel,
        *,
        size: tuple[int, int] = (1280, 720),
        executor: str = "batched",
    ) -> None:
        self.device = device
        self.painter = Painter()
        self.assets = Assets(device, models, region, index_head=2 * STREAM_INDICES)
        self.submitter = Submitter(device, self.assets, executor=executor)
        self.target = Target(device, size)
        self._dome = SkyDome(models)
        self._frame = frame_data.blank()
        self.lens: Lens | None = None
        self._lines: LineDrawer | None = None
        self.study: Study = RIGHT  # another order than retail's is for study only
        self._last: tuple[Scene, Pose] | None = None

    @property
    def size(self) -> tuple[int, int]:
        return self.target.size

    @property
    def counters(self) -> FrameCounters:
        """What the last frame held."""
        return self.painter.frame

    @property
    def last_arrays(self) -> Arrays:
        """The graph's arrays that the last frame was walked over."""
        assert self._last is not None, "a frame has been drawn"
        return self._last[0].arrays

    def resize(self, size: tuple[int, int]) -> None:
        """Another picture size, in pixels."""
        if size != self.target.size:
            self.target.release()
            self.target = Target(self.device, size)

    def draw(
        self, scene: Scene, pose: Pose, *, marks: bool = False, overlays: tuple[str, ...] = ()
    ) -> None:
        """Draw one frame into the target.

        marks : write the transcript's marks into the stream ; overlays : debug views by name
        """
        arrays = scene.arrays
        self._last = scene, pose
        marks = marks or self.study.wrong
        eye = self.lens = lens(pose, self.target.size)
        sky_passes = self._dome.passes(
            scene.air, eye.eye, weather=scene.weather, player_outside=not scene.indoors
        )
        centre = scene.load_block or (pose.block_x, pose.block_y)
        moving = self._dome.drift(scene.air, scene.seconds, scene.moving)
        tables = self.assets.sync(arrays, centre, scene.detail_radius, moving)
        lamplight = self.assets.lamplight
        lamplight.update(arrays, pose, scene.player)
        self.painter.paint(
            arrays,
            tables,
            self.assets.shapes,
            eye,
            Landscape(*centre, scene.radius),
            gfx=self.assets.gfx_rows,
            sky=sky_passes,
            player=scene.player,
            lamps=(lamplight.lamps, lamplight.dynamic, lamplight.static),
            detail=self.assets.materials.details if scene.detail_surfaces else 0,
            marks=marks,
        )
        self._light(scene, eye)
        self._submit(self.painter if not self.study.wrong else self._arranged(self.study))
        if overlays:
            self._overlays(scene, pose, eye, overlays)

    def redraw(self, study: Study = RIGHT, *, records: int | None = None) -> None:
        """Draw the last frame again without walking: in another order, or its first records only.

        The frame must have been walked with marks. The painter's stream stays as it was walked.
        """
        shown = self._arranged(study)
        if records is not None:
            shown = with_records(shown, shown.records[:records])
        self._submit(shown)

    def _arranged(self, study: Study) -> Painter:
        assert self._last is not None, "a frame has been drawn"
        assert self.lens is not None, "a frame has been drawn"
        scene, _ = self._last
        return with_records(self.painter, arrange(study, self.painter, scene.arrays, self.lens))

    def _submit(self, painter: Painter) -> None:
        """Clear the target and draw what a painter holds."""
        assert self._last is not None, "a frame has been walked"
        scene, pose = self._last
        fog = scene.air.fog.rgb if scene.air.fog else sky.DEFAULT_FOG.rgb
        self.target.begin(*(c * _BYTE for c in fog))
        self.submitter.draw(
            painter, self._frame, self.target, scene.arrays.blocks, (pose.block_x, pose.block_y)
        )

    def _overlays(self, scene: Scene, pose: Pose, eye: Lens, names: tuple[str, ...]) -> None:
        from acclient_py.render.debug import switches
        from acclient_py.render.debug.lines import LineDrawer, LineSet

        if self._lines is None:
            self._lines = LineDrawer(self.device)
        view = switches.View(
            scene, (pose.block_x, pose.block_y), self.painter.records, self.assets.shapes
        )
        lines = LineSet()
        for name in names:
            switches.find(name).draw(view, lines)
        self._lines.draw(lines, self.target, eye.world_to_clip)

    def _light(self, scene: Scene, eye: Lens) -> None:
        f = self._frame
        light = scene.air.lighting
        fog = scene.air.fog
        f["world_to_clip"] = eye.world_to_clip
        f["sky_to_clip"] = eye.sky_to_clip
        f["eye"][0, :3] = eye.eye
        f["sun_vector"][0, :3] = light.sun_vector
        x, y, z = (float(v) for v in light.sun_vector)
        level = (x * x + y * y + z * z) ** 0.5
        ambient: F32 = np.array(light.ambient_rgb, np.float32) * np.float32(_BYTE)
        f["sun_colour"][0, :3] = np.array(light.sun_rgb, np.float32) * np.float32(_BYTE)
        f["terrain_ambient"][0, :3] = ambient * np.float32(light.ambient_level)
        objects = ambient * np.float32(SUN_SHARE * level + light.ambient_level)
        objects = np.floor(np.minimum(objects, 1.0) * 255.0) * np.float32(_BYTE)
        f["object_ambient"][0, :3] = objects
        f["indoor_ambient"][0, :3] = SEALED_AMBIENT if scene.sealed else objects
        if fog is None:
            f["fog_range"][0] = 0.0
            return
        f["fog_colour"][0, :3] = np.array(fog.rgb, np.float32) * np.float32(_BYTE)
        span = fog.far - fog.near
        f["fog_range"][0] = (fog.near, 1.0 / span if span > 0 else 0.0, float(span > 0), 0.0)

    def read(self) -> U8:
        """The picture, (height, width, 3) uint8, first row on top."""
        return self.target.read()

    def release(self) -> None:
        if self._lines is not None:
            self._lines.release()
        self.target.release()
        self.submitter.release()
        self.assets.release()

    def __enter__(self) -> FrameRenderer:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()
