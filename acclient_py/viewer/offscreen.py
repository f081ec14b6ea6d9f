"""Without a display: the demo walk, drawn offscreen into a video or into pictures (I3)."""

# contract: I3
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from acclient_py import paths
from acclient_py.errors import UsageError
from acclient_py.gpu.device import Device
from acclient_py.viewer import demo, stage, video

if TYPE_CHECKING:
    from acclient_py.host.scenario import Step
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
    report: Callable[[int, int, str], None],
) -> Iterator[str]:
    """Draw the walk; yields where it is.

    frames : stop after so many pictures ; study : a wrong order, named in each picture
    report : takes (steps done, steps in all, what came of them) with each picture
    """
    from acclient_py.order.study import RIGHT
    from acclient_py.render.sheets import titled

    order = study or RIGHT
    with Device.offscreen(gl=gl) as device:
        shown = stage.build(
            open_world, stage.Wishes(**wishes), lambda *_: None, mark=lambda _: None
        )
        with contextlib.closing(shown), shown.renderer(device, size) as renderer:
            if shown.host.player is None:
                raise UsageError("no body can walk in this world", do="look with `acclient frame`")
            renderer.study = order
            every = EVERY[video.ffmpeg() is not None]
            reel = video.open_reel(
                folder or paths.pictures_dir(), NAME, size, max(1, TICKS // every)
            )
            steps = demo.steps_for(shown.dats, shown.host)
            count = ticks = at = 0

            def begun() -> Iterator[Step]:
                nonlocal at
                for at, step in enumerate(steps):  # noqa: B007 - `between` reads it
                    yield step

            def between() -> None:
                nonlocal count, ticks
                if ticks % every == 0:
                    renderer.draw(
                        shown.scenes.scene(), shown.scenes.pose(), overlays=wishes["overlays"]
                    )
                    reel.add(titled(renderer.read(), order))
                    count += 1
                    report(at, len(steps), f"{count} pictures")
                    if frames is not None and count >= frames:
                        raise demo.Interrupted
                ticks += 1

            try:
                demo.play(shown.host, begun(), between)
            finally:
                reel.close()
    yield f"{reel.place} ({count} pictures, {ticks / TICKS:.0f} s)"
