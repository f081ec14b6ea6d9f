"""`acclient view`: the window. Without a display the demo walk goes into pictures instead (I3)."""

# contract: I2 I3 I4
from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from acclient_py.cli._files import keep_apart
from acclient_py.cli._study import study_options
from acclient_py.cli.frame import Size
from acclient_py.cli.worlds import open_world, world_option
from acclient_py.errors import EXIT_NO, AcclientError, UsageError
from acclient_py.viewer.stiffness import RETAIL, SLACKEST, STIFF

if TYPE_CHECKING:
    from acclient_py.host.scenario import Scenario
    from acclient_py.order.study import Study

# What `cli/warmup.py` calls COMMAND; nothing of that module is imported before the window.
WINDOW: Final = (1280, 720)
PICTURES: Final = (640, 360)
"""Without a display a processor draws each pixel, and somebody waits for all pictures."""
EXERCISE: Final = (sys.executable, "-m", "acclient_py.cli.warmup")


@click.command("view", short_help="Walk through a world in a window.")
@world_option
@click.option("--at", "place", default=None, metavar="PLACE", help="Where to begin.")
@click.option("--overlay", multiple=True, metavar="NAME", help="A debug view; may be repeated.")
@click.option("--list-overlays", is_flag=True, help="Print the names of the debug views.")
@click.option("--demo", is_flag=True, help="Let the body walk by itself; any key takes over.")
@click.option(
    "--scenario",
    default=None,
    metavar="SCENARIO",
    help="Play a scenario, then let the keys take over.",
)
@click.option(
    "--checkpoints",
    metavar="OUT.jsonl",
    type=click.Path(path_type=Path),
    help="With --scenario: play it as fast as it goes, write its checkpoints there, and quit.",
)
@click.option(
    "--size",
    type=Size(),
    default=None,
    metavar="WxH",
    help="Pixels of the window; 1280x720, and 640x360 for pictures without a display.",
)
@click.option("--fullscreen", is_flag=True, help="Take the whole screen.")
@click.option(
    "--gl",
    type=click.Choice(["3.3", "4.1", "max"]),
    default="max",
    show_default=True,
    help="Use no more of OpenGL than this.",
)
@click.option(
    "--platform",
    type=click.Choice(["auto", "x11", "wayland"]),
    default="auto",
    show_default=True,
    help="The window system, where there is a choice.",
)
@click.option("--keys", default=None, metavar="NAME", help="A keymap: retail, wasd, or a file.")
@click.option(
    "--smooth/--no-smooth",
    default=True,
    show_default=True,
    help="Between two ticks show what moves on its way; else the last tick, as retail does.",
)
@click.option(
    "--stiffness",
    type=click.FloatRange(SLACKEST, STIFF),
    default=RETAIL,
    show_default=True,
    metavar="X",
    help="How closely the camera comes after the body: retail's default; 1 is never late.",
)
@click.option("--no-hud", is_flag=True, help="Begin without location and frame time.")
@click.option(
    "--frames", type=click.IntRange(1), default=None, metavar="N", help="Quit after N pictures."
)
@click.option(
    "--no-warm", is_flag=True, hidden=True, help="Compile nothing ahead; first frames may stutter."
)
@study_options
@click.option(
    "--detail-radius",
    type=click.IntRange(1, 12),
    default=1,
    metavar="N",
    help="Rings of landblocks round the viewer in full detail.",
)
@click.option(
    "--no-detail",
    is_flag=True,
    help="Leave out the detail textures of houses and rooms: faster without a graphics card.",
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where pictures go when there is no display.",
)
def command(
    world: str,
    place: str | None,
    overlay: tuple[str, ...],
    list_overlays: bool,
    demo: bool,
    scenario: str | None,
    checkpoints: Path | None,
    size: tuple[int, int] | None,
    fullscreen: bool,
    gl: str,
    platform: str,
    keys: str | None,
    smooth: bool,
    stiffness: float,
    no_hud: bool,
    frames: int | None,
    no_warm: bool,
    order: str,
    alpha: str,
    detail_radius: int,
    no_detail: bool,
    output: Path | None,
) -> None:
    """Walk a character with its equipment through a world. F1 shows the keys."""
    began = time.perf_counter()
    if list_overlays or overlay:
        names = _overlays()
        if list_overlays:
            for name, title in names.items():
                click.echo(f"{name:<10} {title}")
            return
        for name in overlay:
            if name not in names:
                known = ", ".join(sorted(names))
                raise UsageError(f"no overlay {name!r}", where="--overlay", do=f"use {known}")
    from acclient_py.viewer import keys as keymaps
    from acclient_py.viewer.app import App, Marks, begin_code, begin_loading
    from acclient_py.viewer.window import NoDisplay, library

    keymap = keymaps.load(keys)
    study = _study(order, alpha)
    wishes: dict[str, Any] = {
        "world": world,
        "at": place,
        "overlays": overlay,
        "detail_radius": detail_radius,
        "detail_surfaces": not no_detail,
    }
    story = None
    if scenario is not None:
        story, world = _story(scenario, wishes, checkpoints)
    elif checkpoints is not None:
        raise UsageError("are a scenario's", where="--checkpoints", do="name one with --scenario")
    begin_code()
    try:
        glfw = library(platform)
    except NoDisplay as reason:
        gc.enable()
        if story is not None:
            raise UsageError(
                reason.what, where="--scenario", do=f"use acclient run {scenario}"
            ) from None
        _into_pictures(
            reason, lambda: open_world(world), wishes,
            size=size or PICTURES, gl=gl, folder=output, frames=frames, study=study,
        )  # fmt: skip
        return
    mark = Marks(began)
    job = begin_loading(
        lambda: open_world(world), wishes, exercise=None if no_warm else EXERCISE, mark=mark
    )
    with ExitStack() as stack:
        checkpoint = None if checkpoints is None else _writer(stack, checkpoints)
        app = App(
            glfw, size=size or WINDOW, gl=gl, fullscreen=fullscreen,
            vsync=frames is None and not checkpoint, keymap=keymap, hud=not no_hud, mark=mark,
        )  # fmt: skip
        stack.enter_context(app)
        app.run(
            job,
            overlays=overlay,
            demo=demo and story is None,
            frames=frames,
            story=story,
            checkpoint=checkpoint,
            smooth=smooth,
            stiffness=stiffness,
            study=study,
        )
        if frames is not None:
            for line in app.report():
                click.echo(line)
    for fault in app.faults:
        click.echo(f"acclient: {scenario}: {fault}", err=True)
    if app.faults:
        click.get_current_context().exit(EXIT_NO)


def _into_pictures(
    reason: AcclientError, opening: Callable[[], Any], wishes: dict[str, Any], **how: Any
) -> None:
    """Say in one line why there is no window, and draw the demo walk instead."""
    # contract: I3
    from acclient_py.cli.progress import progress
    from acclient_py.viewer.offscreen import walk_into_pictures

    click.echo(f"acclient: {reason.what}: drawing the demo walk into pictures", err=True)
    with progress("demo walk", every=50) as report:
        lines = list(walk_into_pictures(opening, wishes, report=report, **how))
    for line in lines:
        click.echo(line)


def _story(name: str, wishes: dict[str, Any], checkpoints: Path | None) -> tuple[Scenario, str]:
    """A scenario to play and the world to open for it; its beginning and settings into `wishes`."""
    from acclient_py.cli.run import world_of
    from acclient_py.host import scenario as files

    file = files.find(name)
    keep_apart({"--checkpoints": checkpoints}, reads=[file])
    read = files.read(file)
    asked = click.get_current_context().get_parameter_source("world")
    given = asked not in (None, click.core.ParameterSource.DEFAULT)
    wishes["steps"] = read.steps[: files.opening(read)]
    wishes["detail_radius"] = read.detail_radius
    wishes["detail_surfaces"] = read.detail_surfaces and wishes["detail_surfaces"]
    wishes["seed"] = read.seed
    return read, world_of(read, file, wishes["world"] if given else None)


def _study(order: str, alpha: str) -> Study | None:
    """An order that is not retail's; brought in only where it is asked for."""
    if (order, alpha) == ("retail", "retail"):
        return None
    from acclient_py.order.study import Study

    return Study(order, alpha)


def _writer(stack: ExitStack, path: Path) -> Callable[[dict[str, Any]], None]:
    """Writes checkpoints to a file, one line each."""
    from acclient_py.cli.run import opened
    from acclient_py.transcript.writer import encode

    out = stack.enter_context(opened(path))

    def write(line: dict[str, Any]) -> None:
        out.write(encode(line))

    return write


def _overlays() -> dict[str, str]:
    from acclient_py.render.debug.switches import SWITCHES

    return {switch.name: switch.title for switch in SWITCHES.values()}
