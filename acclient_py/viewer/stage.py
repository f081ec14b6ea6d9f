"""What is shown: one world with its host, its cast and its scenes, made behind the window.

Everything here imports numba and the world's modules, so it is imported by the loading thread, when
the window is up already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct, field

from acclient_py import kernels
from acclient_py.dat.dataset import DatSet
from acclient_py.gpu.device import Device
from acclient_py.host import scenario as sc
from acclient_py.host.host import Host
from acclient_py.render.frame import FrameRenderer
from acclient_py.render.scene import HEAD_HEIGHT, SceneMaker
from acclient_py.viewer.blend import Blend
from acclient_py.viewer.control import Control, slots_of
from acclient_py.viewer.loading import Report
from acclient_py.viewer.recorder import Recorder
from acclient_py.viewer.start import starting_steps
from acclient_py.viewer.wielding import Wielder, belongings
from acclient_py.world.residency import DEFAULT_MID_RADIUS

HEAD: Final = 0.9  # of a body's height

OpenWorld = Callable[[], DatSet]


class Wishes(Struct):
    """What the command line asks of the stage.

    world : as recordings name it ; at : of `--at` ; overlays : debug views that are on at the start
    exercise : the command that compiles the kernels in a process of its own
    steps : the beginning of a scenario that is to be played, in place of the usual cast
    """

    world: str = "demo"
    at: str | None = None
    overlays: tuple[str, ...] = ()
    detail_radius: int = 1
    detail_surfaces: bool = True
    seed: int = 1
    exercise: Sequence[str] | None = None
    steps: list[sc.Step] | None = field(default=None)


class Stage(Struct):
    """Host, scenes, hands and recorder of one world.

    blend : here and not in the loop, which is imported when the kernels are loaded already
    """

    dats: DatSet
    host: Host
    scenes: SceneMaker
    control: Control
    wielder: Wielder
    recorder: Recorder
    blend: Blend

    @property
    def head(self) -> float:
        """Metres from the player's feet to where a following camera looks."""
        player = self.host.player
        setup = None if player is None else self.host.physics.setup_of(player.obj)
        return setup.height * HEAD if setup is not None and setup.height > 0.0 else HEAD_HEIGHT

    def renderer(self, device: Device, size: tuple[int, int]) -> FrameRenderer:
        """The renderer of this stage; on the thread that owns the context."""
        return FrameRenderer(device, self.host.models, self.host.region, size=size)

    def close(self) -> None:
        self.host.close()
        self.dats.close()


def build(
    open_world: OpenWorld, wishes: Wishes, report: Report, *, mark: Callable[[str], None]
) -> Stage:
    """Kernels, world, host and cast; says how far it is.

    mark : notes that a stretch of the start is done
    """
    if wishes.exercise is not None:
        kernels.warm(
            lambda done, total, name: (
                report("preparing the code (once)", done, total) if name else None
            ),
            exercise=wishes.exercise,
        )
    mark("kernels")
    report("opening the world", 0, 0)
    dats = open_world()
    mark("DAT files")
    try:
        report("loading the world", 0, 0)
        host = Host(
            dats,
            detail_radius=wishes.detail_radius,
            # a played scenario has the very world of the headless host
            mid_radius=DEFAULT_MID_RADIUS if wishes.steps is None else 0,
            seed=wishes.seed,
            crossings=wishes.steps is not None,  # only a played scenario has checkpoints
        )
        host.look.detail_surfaces = wishes.detail_surfaces
        steps = wishes.steps
        if steps is None:
            steps = starting_steps(dats, host.region, wishes.at)
        for number, step in enumerate(steps):
            host.step(step, number=number)
        player = host.player
        recorder = Recorder(
            steps,
            world=wishes.world,
            seed=wishes.seed,
            detail_radius=wishes.detail_radius,
            detail_surfaces=wishes.detail_surfaces,
        )
        control = Control(host, slots_of(steps, None if player is None else player.guid))
        wielder = Wielder(host, belongings(steps, None if player is None else player.guid))
        blend = Blend(host.physics.graph)
        return Stage(dats, host, SceneMaker(host), control, wielder, recorder, blend)
    except BaseException:
        dats.close()
        raise
