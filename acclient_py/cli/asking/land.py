"""Questions about ids and the grid: lcoord, blockcoord, valid, gid, adjout, blockoff."""

from __future__ import annotations

from acclient_py.cli.asking import (
    Answer,
    AskWorld,
    need,
    number,
    numbers,
    read_id,
    read_int,
    read_number,
    verb,
)
from acclient_py.core import ids


@verb("lcoord")
def lcoord(_world: AskWorld, words: list[str]) -> Answer:
    """`lcoord id`: the global coordinate of a land cell."""
    need(words, 1, "lcoord ID")
    ok, x, y = ids.gid_to_lcoord(read_id(words[0]))
    return {"ok": 1, "x": x, "y": y} if ok else {"ok": 0}


@verb("blockcoord")
def blockcoord(_world: AskWorld, words: list[str]) -> Answer:
    """`blockcoord id`: the global coordinate of a block's corner."""
    need(words, 1, "blockcoord ID")
    ok, x, y = ids.blockid_to_lcoord(read_id(words[0]))
    return {"ok": int(ok), "x": x, "y": y}


@verb("valid")
def valid(_world: AskWorld, words: list[str]) -> Answer:
    """`valid id`: whether it names a cell or block of the world."""
    need(words, 1, "valid ID")
    return {"valid": int(ids.inbound_valid_cellid(read_id(words[0])))}


@verb("gid")
def gid(_world: AskWorld, words: list[str]) -> Answer:
    """`gid x y`: the cell and the block at a global coordinate."""
    need(words, 2, "gid X Y")
    x, y = read_int(words[0]), read_int(words[1])
    return {
        "gid": ids.lcoord_to_gid(x, y),
        "block": ids.get_block_did(x, y),
        "in_bounds": int(ids.in_bounds(x, y)),
    }


@verb("adjout")
def adjout(_world: AskWorld, words: list[str]) -> Answer:
    """`adjout id x y z`: adjust_to_outside."""
    need(words, 4, "adjout ID X Y Z")
    x, y, z = (read_number(word) for word in words[1:])
    ok, cell_id, px, py = ids.adjust_to_outside(read_id(words[0]), x, y)
    return {"ok": int(ok), "cell": cell_id, "offset": [*numbers((px, py)), number(z)]}


@verb("blockoff")
def blockoff(_world: AskWorld, words: list[str]) -> Answer:
    """`blockoff a b`: metres from one block to another."""
    need(words, 2, "blockoff ID ID")
    dx, dy = ids.get_block_offset(read_id(words[0]), read_id(words[1]))
    return {"offset": numbers((dx, dy, 0.0))}
