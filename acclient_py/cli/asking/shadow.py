"""Questions about shadows: static."""

from __future__ import annotations

from acclient_py.cli.asking import Answer, AskError, AskWorld, need, read_frame, read_id, verb
from acclient_py.core.ids import hex8


@verb("static")
def static(world: AskWorld, words: list[str]) -> Answer:
    """`static did cell frame`: the cells that an object of that model reaches as a static."""
    need(words, 9, "static DID CELL x y z qw qx qy qz")
    did, cell_id = read_id(words[0]), read_id(words[1])
    physics = world.near(cell_id)
    cell = physics.cell_slot(cell_id)
    if cell < 0:
        raise AskError(f"no cell {hex8(cell_id)} in this world")
    reason = physics.refuse_object(did)
    if reason is not None:
        raise AskError(reason)
    obj = physics.make_object(did, dynamic=False)
    physics.add_obj_to_cell(obj, cell, read_frame(words[2:]))
    found = [int(i) for i in physics.graph.shadows_on(obj)["cell_id"]]
    physics.delete_object(obj)
    return {"shadow_cells": found}
