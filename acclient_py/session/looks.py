"""Looks: what an object description changes of an object's parts (EQP-05).

The parts are the graph's: another model stands in the same place of the part array, and the cells'
part lists name the same part. Palettes and textures change a part's look, which drawing reads.
"""

from __future__ import annotations

import logging

from acclient_py.core.ids import hex8
from acclient_py.dat.records.objdesc import ObjDesc
from acclient_py.log import warn_once
from acclient_py.physics.world import PhysicsWorld
from acclient_py.session.messages.physics_desc import PhysicsDesc
from acclient_py.world.looks import look_of

log = logging.getLogger(__name__)


def apply(world: PhysicsWorld, obj: int, desc: ObjDesc) -> None:
    """Give each part the model that the description says, or else the Setup's own, and its look.

    A part that the object does not have is passed over, with one line a Setup (EQP-04).
    """
    setup = world.setup_of(obj)
    if setup is None:
        return
    wanted = [int(gfx) for gfx in setup.part_gfx]
    for change in desc.parts:
        if 0 <= change.part < len(wanted):
            wanted[change.part] = world.models.gfx(change.model_id)
        else:
            key = ("part of an object description", setup.id, change.part)
            warn_once(key, "%s has no part %d to change", hex8(setup.id), change.part, logger=log)
    row = world.row(obj)
    first = int(row["part_first"])
    for index, gfx in enumerate(wanted):
        if int(world.graph.arrays.parts["gfx"][first + index]) != gfx:
            world.set_part(obj, index, gfx)
        look = world.models.looks.row(gfx, look_of(desc, index))
        world.graph.arrays.parts["look"][first + index] = look


def begin(world: PhysicsWorld, obj: int, physics: PhysicsDesc) -> None:
    """What a create says of how a thing is seen from the start: translucency, and its scripts."""
    if physics.translucency:
        world.set_translucency(obj, physics.translucency)
    if physics.script_table:
        world.effects.set_table(obj, physics.script_table)
    if physics.default_script:
        intensity = 1.0 if physics.script_intensity is None else physics.script_intensity
        world.effects.play_type(obj, physics.default_script, intensity)
