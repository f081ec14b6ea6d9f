"""Without a display: the demo walk, drawn offscreen into a video or into pictures (I3)."""

# contract: I3
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from acclient_py import paths
from acclient_py.gpu.device import Device
from acclient_py.viewer import demo, stage, video

if TYPE_CHECKING:
    from acclient_py.order.study import Study

EVERY: Final = {True: 3, False: 15}  # ticks a picture: of a video, of a row of PNG files
TICKS: Final = 30
NAME: Final = "demo-walk"


def walk_into_pictures(
    open_world: Callable[[], Any],
    wishes: dict[str, Any],
    *,
    size: tuple[int, int],
    gl: str,
    folder: Path | None,
    frames: int | None,
    study: Study | None = None,
    report: Callable[[str], None],
) -> Iterator[str]:
    """Draw the walk; yields where it is.

    frames : stop after so many pictures ; study : a wrong order, named in each picture
    """
    from acclient_py.order.study import RIGHT
    from acclient_py.render.sheets import titled

    order = study or RIGHT
    with Device.offscreen(gl=gl) as device:
        shown = stage.build(
            open_world, stage.Wishes(**wishes), lambda *_: None, mark=lambda _: None
        )
        with contextlib.closing(shown), shown.renderer(device, size) as renderer:
            renderer.study = order
            every = EVERY[video.ffmpeg() is not None]
            reel = video.open_reel(
                folder or paths.pictures_dir(), NAME, size, max(1, TICKS // every)
            )
            count = ticks = 0

            def between() -> None:
                nonlocal count, ticks
                if ticks % every == 0:
                    renderer.draw(
                        shown.scenes.scene(), shown.scenes.pose(), overlays=wishes["overlays"]
                    )
                    reel.add(titled(renderer.read(), order))
                    count += 1
                    if count % 50 == 0:
                        report(f"{count} pictures")
                    if frames is not None and count >= frames:
                        raise demo.Interrupted
                ticks += 1

            try:
                demo.play(shown.host, demo.steps_for(shown.dats, shown.host), between)
            finally:
                reel.close()
    yield f"{reel.place} ({count} pictures, {ticks / TICKS:.0f} s)"
