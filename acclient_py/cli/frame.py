"""`acclient frame`: run a scenario, then draw one frame without a window."""

# contract: I2 I4
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acclient_py.cli._files import keep_apart
from acclient_py.cli._study import study_options
from acclient_py.errors import GpuError, UsageError

if TYPE_CHECKING:
    from acclient_py.order.study import Study
    from acclient_py.render.device import Device


class Size(click.ParamType[tuple[int, int]]):
    """WxH in pixels."""

    name = "WxH"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        width, cross, height = str(value).lower().partition("x")
        if not (cross and width.isdigit() and height.isdigit()):
            self.fail(f"{value!r} is no size; say for example 1280x720", param, ctx)
        size = int(width), int(height)
        if not all(1 <= n <= 8192 for n in size):
            self.fail("a side has 1 to 8192 pixels", param, ctx)
        return size


@click.command("frame", short_help="Draw a picture of a scenario, without a window.")
@click.argument("scenario", metavar="SCENARIO", required=False)
@click.option(
    "-o",
    "--output",
    metavar="OUT.png",
    type=click.Path(path_type=Path),
    help="Where the picture goes; SCENARIO.png in this folder if nothing is said.",
)
@click.option("--world", default=None, metavar="WORLD", help="A world in place of the scenario's.")
@click.option("--size", type=Size(), default="1280x720", show_default=True, metavar="WxH")
@click.option("--view", default=None, metavar="NAME", help="How a following camera stands.")
@click.option("--list-views", is_flag=True, help="Print the names of the views.")
@click.option("--overlay", multiple=True, metavar="NAME", help="A debug view; may be repeated.")
@click.option(
    "--executor",
    type=click.Choice(["batched", "reference", "literal"]),
    default="batched",
    show_default=True,
    help="How draw records become GL calls: runs merged, one by one, or with literal factors.",
)
@click.option(
    "--gl",
    type=click.Choice(["3.3", "4.1", "max"]),
    default="max",
    show_default=True,
    help="Use no more of OpenGL than this.",
)
@click.option(
    "--transcript",
    metavar="OUT.jsonl",
    type=click.Path(path_type=Path),
    help="Write what the frame did there.",
)
@study_options
@click.option(
    "--compare",
    is_flag=True,
    help="Retail's order, the wrong one and what differs, side by side; all wrong orders "
    "without --order and --alpha.",
)
@click.option(
    "--stop-after",
    default=None,
    metavar="EVENT",
    help="Draw no further than this event of the transcript and show what it did: a number, "
    "a name (DrawBuilding), or the third of its kind (DrawBuilding/3).",
)
@click.option(
    "--detail-radius",
    type=click.IntRange(1, 25),
    default=None,
    metavar="N",
    help="Rings of landblocks round the viewer in full detail.",
)
def command(
    scenario: str | None,
    output: Path | None,
    world: str | None,
    size: tuple[int, int],
    view: str | None,
    list_views: bool,
    overlay: tuple[str, ...],
    executor: str,
    gl: str,
    transcript: Path | None,
    order: str,
    alpha: str,
    compare: bool,
    stop_after: str | None,
    detail_radius: int | None,
) -> None:
    """Run SCENARIO (a file, or the name of a stored one), then draw one frame to OUT.png."""
    from acclient_py.order.study import Study
    from acclient_py.render.debug import switches
    from acclient_py.render.scene import VIEWS

    if list_views:
        for name in VIEWS:
            click.echo(name)
        return
    if scenario is None:
        raise UsageError("no scenario named", do="acclient frame SCENARIO -o OUT.png")
    if view is not None and view not in VIEWS:
        raise UsageError(f"no view {view!r}", where="--view", do=f"use {', '.join(VIEWS)}")
    for name in overlay:
        switches.find(name)
    study = Study(order, alpha)
    if transcript is not None and (study.wrong or compare):
        raise UsageError(
            "tells retail's order only",
            where="--transcript",
            do="leave out --order, --alpha and --compare",
        )
    if stop_after is not None and (study.wrong or compare):
        raise UsageError(
            "shows events of retail's order",
            where="--stop-after",
            do="leave out --order, --alpha and --compare",
        )
    place = output or Path(f"{Path(scenario).stem}.png")
    device = open_device(gl)
    try:
        draw(
            device,
            scenario,
            place,
            world=world,
            size=size,
            view=view,
            overlays=overlay,
            executor=executor,
            transcript=transcript,
            study=study,
            side_by_side=compare,
            stop_after=stop_after,
            detail_radius=detail_radius,
        )
    finally:
        device.release()
    if output is None:
        click.echo(place)


def open_device(gl: str) -> Device:
    """EGL, or a hidden window where there is none."""
    from acclient_py.render.device import Device

    try:
        return Device.offscreen(gl=gl)
    except GpuError as without_window:
        try:
            from acclient_py.viewer.window import hidden_device
        except ImportError:
            raise without_window from None
        try:
            device: Device = hidden_device(gl)
        except GpuError:
            raise without_window from None
        return device


def draw(
    device: Device,
    scenario: str,
    output: Path,
    *,
    world: str | None,
    size: tuple[int, int],
    view: str | None,
    overlays: tuple[str, ...],
    executor: str,
    transcript: Path | None,
    study: Study,
    side_by_side: bool,
    stop_after: str | None,
    detail_radius: int | None,
) -> None:
    """Run the scenario and draw; each `frame` step of it draws too, only the last is kept."""
    from PIL import Image

    from acclient_py.cli.run import opened, world_of
    from acclient_py.cli.worlds import open_world
    from acclient_py.host import scenario as files
    from acclient_py.host.host import Host
    from acclient_py.order.study import RIGHT, WRONG
    from acclient_py.render import sheets
    from acclient_py.render.frame import FrameRenderer
    from acclient_py.render.scene import SceneMaker
    from acclient_py.world.residency import DEFAULT_MID_RADIUS

    file = files.find(scenario)
    keep_apart({"-o": output, "--transcript": transcript}, reads=[file])
    read = files.read(file)
    radius = detail_radius or read.detail_radius
    with open_world(world_of(read, file, world)) as dats:
        host = Host(dats, detail_radius=radius, mid_radius=DEFAULT_MID_RADIUS, seed=read.seed)
        renderer = FrameRenderer(device, host.models, host.region, size=size, executor=executor)
        with renderer:
            maker = SceneMaker(host)

            def frame(marks: bool = False) -> None:
                shown = tuple(name for name, on in host.look.overlays.items() if on)
                wanted = tuple(dict.fromkeys((*shown, *overlays)))
                if view is not None:
                    host.look.camera.view = view
                renderer.draw(maker.scene(), maker.pose(), marks=marks, overlays=wanted)

            host.on_frame = frame
            for _ in host.play(read):
                pass
            renderer.study = RIGHT if side_by_side else study
            frame(marks=transcript is not None or side_by_side or stop_after is not None)
            if transcript is not None:
                from acclient_py.order.transcript import write_frame
                from acclient_py.transcript.events import header
                from acclient_py.transcript.writer import recorder_to

                with opened(transcript) as out:
                    sink = recorder_to(out)
                    header(
                        sink,
                        kind="frame",
                        world=read.world,
                        size=size,
                        detail_radius=radius,
                        detail_surfaces=read.detail_surfaces,
                    )
                    write_frame(sink, renderer.painter, host.physics, size)
            if side_by_side:
                picture = sheets.compare(renderer, (study,) if study.wrong else WRONG)
            elif stop_after is not None:
                from acclient_py.order.steps import find, steps
                from acclient_py.render import stepping

                step = find(steps(renderer.painter, host.physics, size), stop_after)
                picture = stepping.picture(renderer, step)
            else:
                picture = sheets.titled(renderer.read(), study)
        host.close()
    try:
        Image.fromarray(picture).save(output, compress_level=1)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror or error}", where=output, do="name another file"
        ) from error
    except ValueError as error:
        raise UsageError(str(error), where=output, do="end the name in .png") from error
