"""A world with everything loaded and a camera that is put where a test wants it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from acclient_py.dat.dataset import DatSet
from acclient_py.host.residency import Residency
from acclient_py.physics.world import PhysicsWorld
from acclient_py.render.frame import FrameRenderer
from acclient_py.render.scene import SceneMaker
from acclient_py.world.models import Models
from acclient_py.world.region import load_region


class Place:
    """A world with everything loaded and a camera that is put where a test wants it."""

    def __init__(self, dats: DatSet) -> None:
        self.models = Models(dats)
        self.region = load_region(dats)
        self.physics = PhysicsWorld(self.models)
        self.residency = Residency(self.physics, dats, self.region)
        for block in [i for i in dats.ids() if i & 0xFFFF == 0xFFFF]:
            self.residency.load(block)
        self.player: Any = None
        self.look = SimpleNamespace(day=0.5, camera=None, detail_surfaces=True)
        self.maker = SceneMaker(self)  # type: ignore[arg-type]

    @property
    def arrays(self) -> Any:
        return self.physics.graph.arrays

    def aim(
        self, cell: int, eye: tuple[float, float, float], target: tuple[float, float, float]
    ) -> None:
        def at(origin: tuple[float, float, float]) -> Any:
            return SimpleNamespace(cell=cell, origin=origin, rotation=(1, 0, 0, 0))

        self.look.camera = SimpleNamespace(
            eye=at(eye), target=at(target), follow=None, view="default"
        )

    def draw(self, renderer: FrameRenderer, **options: Any) -> np.ndarray:
        renderer.draw(self.maker.scene(), self.maker.pose(), **options)
        return renderer.read()
