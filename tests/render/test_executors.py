"""Executors over records made by hand: equal bytes, literal factors, what may change places."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from builders.boards import LADDER, WHOLE, Board, random_board, random_walls

from acclient_py.gpu.device import Device
from acclient_py.kernels.commands import RUN_STATE
from acclient_py.kernels.ops import S_DETAIL
from acclient_py.order.stream import Op

LEFT, RIGHT = (-1.0, -1.0, 0.2, 1.0), (-0.2, -1.0, 1.0, 1.0)
SCENES = 150
LONG = 4000


@pytest.fixture
def board(device: Device) -> Iterator[Board]:
    made = Board(device)
    yield made
    made.release()


def agree(board: Board, seed: int, fill: Callable[[Board, int], None] = random_board) -> int:
    """All ways of drawing one random scene give the same bytes; how many records it has."""
    fill(board, seed)
    reference = board.show("reference")
    for executor in ("batched", "plain"):
        wrong = (board.show(executor) != reference).any(axis=2).sum()
        assert wrong == 0, f"{executor}: {wrong} pixels of scene {seed} differ"
    return len(board.records)


@pytest.mark.contract("L10")
def test_executors_agree_on_random_scenes_bit_for_bit(board: Board) -> None:
    """Sabotage: merge two runs whose states differ (build_commands); the equality fails."""
    records = sum(agree(board, seed) for seed in range(SCENES))
    assert records > 15 * SCENES, "the scenes are not empty"


@pytest.mark.contract("L10")
def test_detail_passes_wait_for_the_end_of_an_opaque_run(board: Board) -> None:
    """Walls with details, coplanar ones too: fewer runs, and the same bytes as one by one.

    Sabotage: in build_commands let a run go on over a clip map, or take any detail pass for that of
    the surface before it; the equality fails.
    """
    runs = passes = 0
    for seed in range(SCENES):
        agree(board, seed, random_walls)
        records = board.painter().records
        passes += int((records["state"] == S_DETAIL).sum())
        submitter = board.submitters["batched"]
        runs += int((submitter._runs[: submitter.runs, RUN_STATE] == S_DETAIL).sum())
    assert passes > 10 * SCENES
    assert runs < 0.6 * passes


@pytest.mark.contract("L10")
@pytest.mark.lane("gl")
def test_executors_agree_on_many_random_scenes(board: Board) -> None:
    for seed in range(SCENES, SCENES + LONG):
        agree(board, seed)
        agree(board, seed, random_walls)


def test_the_scenes_hold_what_they_should(board: Board) -> None:
    """Every row of the ladder, every kind of record, coplanar pairs."""
    seen: dict[str, set[int]] = {"op": set(), "state": set(), "material": set()}
    coplanar = 0
    for seed in range(SCENES):
        random_board(board, seed)
        records = board.painter().records
        for name, values in seen.items():
            values.update(records[name].tolist())
        quads = records[records["count"] == 6]
        _, counts = np.unique(quads["first"][quads["op"] != Op.TERRAIN], return_counts=True)
        coplanar += int((counts > 1).sum())
    assert seen["op"] >= set(Op) - {op for op in Op if op > Op.CLEAR_DEPTH}
    assert seen["state"] == set(range(7))
    rows = {row for row, _ in board.materials.values()}
    assert len(rows) >= 4 * len(LADDER)
    assert seen["material"] >= rows - {
        board.materials["ground", 0][0],
        board.materials["ground", 1][0],
    }
    assert coplanar > SCENES


@pytest.mark.parametrize("faded", [False, True])
@pytest.mark.parametrize("kind", LADDER)
def test_one_layer_with_literal_factors_is_within_one(board: Board, kind: str, faded: bool) -> None:
    """Rendering 1.2, 10.11: every row over a background, in fog, against its own factors.

    Sabotage: swap two rows of BLENDS in world.vert; the bound fails.
    """
    for palettised in (True, False):
        board.clear()
        board.draw("image", picture=1, z=0.5)
        board.draw(kind, z=(-0.9, 0.4), alpha=0.6 if faded else 1.0, palettised=palettised)
        folded, literal = board.show("batched").astype(int), board.show("literal").astype(int)
        assert np.abs(folded - literal).max() <= 1
        board.records.pop()
        assert (board.show("literal") != literal).any(), "the layer is to be seen"


def test_of_coplanar_draws_the_first_stays(board: Board) -> None:
    """Rendering 1.2: strict LESS. A detail pass alone draws again what is equally deep."""
    for executor in ("batched", "reference", "plain", "literal"):
        board.clear()
        opaque(board)
        first = board.show(executor)
        opaque_coplanar(board)
        assert np.array_equal(board.show(executor), first)


@pytest.mark.contract("L10")
def test_ground_stays_behind_what_was_drawn_between(board: Board) -> None:
    """Ground, a thing, ground as deep as the thing: one run, and strict LESS keeps the thing."""
    depth = float(np.float32(0.25) - np.float32(0.01))  # where the shader puts ground of 0.25
    for executor in ("batched", "reference", "plain", "literal"):
        board.clear()
        board.leaf(0, 0, (-1, -1, 0, 1), (0.5, 0.5))
        board.draw("image", (0, -1, 1, 1), depth, picture=1)
        thing = board.show(executor)
        board.leaf(0, 1, (0, -1, 1, 1), (0.25, 0.25))
        assert np.array_equal(board.show(executor), thing), executor


def test_a_detail_pass_with_literal_factors_is_the_same(board: Board) -> None:
    for kind in ("solid", "image", "clip", "alpha clip"):
        board.clear()
        board.draw("image", picture=1, z=0.5)
        board.draw(kind, z=(-0.9, 0.4), op=Op.SHELL, detail=True)
        with_detail = board.show("literal")
        reference = board.show("reference").astype(int)
        assert np.abs(with_detail.astype(int) - reference).max() <= 2
        board.records.pop()
        assert (board.show("literal") != with_detail).any()


def test_random_scenes_with_literal_factors_are_within_one_a_layer(board: Board) -> None:
    for seed in range(SCENES // 3):
        random_board(board, seed)
        records = board.painter().records
        keep = np.flatnonzero(records["flags"] & 16 == 0)  # a detail pass multiplies what it finds
        layers = int((records["state"][keep] != 0).sum())
        folded = board.show("batched", keep).astype(int)
        literal = board.show("literal", keep).astype(int)
        assert np.abs(folded - literal).max() <= layers
        assert np.abs(folded - literal).mean() < 1.0


# what commutes (rendering 10.1): each pair is drawn over a background, then in the other order


def opaque(board: Board) -> None:
    board.draw("image", LEFT, 0.1, picture=0)


def opaque_nearer(board: Board) -> None:
    board.draw("image", RIGHT, -0.1, picture=0)


def opaque_coplanar(board: Board) -> None:
    board.draw("image", LEFT, 0.1, picture=2)


def blended(board: Board) -> None:
    board.draw("alpha", RIGHT, -0.2, picture=1, op=Op.ALPHA)


def translucent(board: Board) -> None:
    board.draw("translucent", LEFT, -0.3, picture=2, op=Op.ALPHA)


def inverse(board: Board) -> None:
    board.draw("inverse alpha", LEFT, -0.3, picture=2, op=Op.ALPHA)


def additive(board: Board) -> None:
    board.draw("additive", LEFT, -0.2, picture=3, op=Op.ALPHA)


def additive_too(board: Board) -> None:
    board.draw("additive", RIGHT, -0.3, picture=2, op=Op.ALPHA)


def clip(board: Board) -> None:
    board.draw("clip", LEFT, -0.2, picture=1, op=Op.CLIP)


def punch(board: Board) -> None:
    board.opening(Op.PUNCH, RIGHT)


def punch_too(board: Board) -> None:
    board.opening(Op.PUNCH, LEFT)


def seal(board: Board) -> None:
    board.opening(Op.SEAL, RIGHT, 0.05)


def seal_farther(board: Board) -> None:
    board.opening(Op.SEAL, LEFT, 0.3)


def clear(board: Board) -> None:
    board.clear_depth()


def wall_behind(board: Board) -> None:
    board.draw("image", WHOLE, 0.8, picture=2, op=Op.CELL)


def wall_between(board: Board) -> None:
    board.draw("image", WHOLE, 0.2, picture=2, op=Op.CELL)


def sky(board: Board) -> None:
    board.draw("image", LEFT, 0.1, picture=0, op=Op.SKY, state=5)


def sky_blended(board: Board) -> None:
    board.draw("alpha", RIGHT, 0.1, picture=1, op=Op.SKY, state=5)


Step = Callable[[Board], None]
FIXED: list[tuple[Step, Step, Step | None]] = [
    # two neighbours that may not change places, and what shows it
    (opaque, opaque_coplanar, None),
    (opaque_nearer, blended, None),
    (opaque, blended, None),
    (blended, translucent, None),
    (blended, inverse, None),
    (clip, opaque, None),
    (clip, blended, None),
    (clip, opaque_nearer, None),
    (punch, opaque_nearer, wall_behind),
    (seal, opaque, None),
    (seal, seal_farther, wall_between),
    (clear, opaque_nearer, wall_behind),
    (clear, seal, wall_behind),
    (sky, sky_blended, None),
]
FREE: list[tuple[Step, Step, Step | None, int]] = [
    # two that may, and by how much the pictures may part
    (opaque, opaque_nearer, None, 0),
    (punch, punch_too, wall_behind, 0),
    (additive, additive_too, None, 1),
]


def both_ways(board: Board, first: Step, second: Step, after: Step | None) -> list[int]:
    """The greatest difference that the order of two neighbours makes, for each executor."""
    board.clear()
    board.draw("image", WHOLE, 0.5, picture=3)
    first(board)
    second(board)
    if after is not None:
        after(board)
    swapped = list(range(len(board.records)))
    swapped[1:3] = [2, 1]
    apart = []
    for executor in ("batched", "reference", "plain"):
        one, other = board.show(executor), board.show(executor, swapped)
        apart.append(int(np.abs(one.astype(int) - other.astype(int)).max()))
    return apart


@pytest.mark.contract("L10")
@pytest.mark.parametrize("pair", FIXED, ids=lambda p: f"{p[0].__name__}-{p[1].__name__}")
def test_neighbours_that_do_not_commute_are_noticed(
    board: Board, pair: tuple[Step, Step, Step | None]
) -> None:
    assert min(both_ways(board, *pair)) > 8


@pytest.mark.contract("L10")
@pytest.mark.parametrize("pair", FREE, ids=lambda p: f"{p[0].__name__}-{p[1].__name__}")
def test_neighbours_that_commute_may_change_places(
    board: Board, pair: tuple[Step, Step, Step | None, int]
) -> None:
    assert max(both_ways(board, *pair[:3])) <= pair[3]


# what whole frames must not do (rendering 10.11): the stream of a small scene, and the same mutated

DOOR, WINDOW = (-0.6, -0.8, 0.0, 0.4), (0.1, -0.2, 0.6, 0.4)
HILL = (-1.0, -1.0, 1.0, -0.1)


def mutated(board: Board, order: list[int]) -> int:
    """How many pixels another order of the records changes."""
    assert sorted(order) == list(range(len(board.records)))
    assert order != list(range(len(board.records)))
    return int((board.show() != board.show("batched", order)).any(axis=2).sum())


@pytest.mark.contract("L4")
def test_all_ground_first_is_noticed(board: Board) -> None:
    """A hill before a house: its punch would cut through the hill, and the room show in it."""
    board.leaf(0, 0, WHOLE, (0.7, 0.7))
    board.opening(Op.PUNCH, DOOR)
    board.draw("image", DOOR, 0.5, op=Op.CELL, picture=2)
    board.leaf(0, 1, HILL, (-0.2, -0.2))
    assert mutated(board, [0, 3, 1, 2]) > 30


@pytest.mark.contract("L9")
def test_a_sorted_alpha_list_is_noticed(board: Board) -> None:
    """Two panes in visiting order, the nearer first."""
    board.draw("image", WHOLE, 0.5, picture=3)
    board.draw("translucent", LEFT, -0.6, picture=1, op=Op.ALPHA)
    board.draw("translucent", RIGHT, -0.2, picture=2, op=Op.ALPHA)
    assert mutated(board, [0, 2, 1]) > 100


@pytest.mark.contract("L9")
def test_a_drain_after_each_cell_is_noticed(board: Board) -> None:
    """A pane of a far cell before a tall thing of the next: the thing would paint it over."""
    board.draw("image", WHOLE, 0.8, picture=3)
    board.draw("image", RIGHT, 0.3, picture=0)
    board.draw("translucent", LEFT, 0.1, picture=1, op=Op.ALPHA)
    assert mutated(board, [0, 2, 1]) > 30


@pytest.mark.contract("L7")
def test_punch_and_contents_by_turns_are_noticed(board: Board) -> None:
    """A room with a door and a window, a flame behind its inner wall: it would shine through.

    The second punch takes the depth of what the first opening showed; what was put off in the room
    is drawn at the next drain, without that depth.
    """
    board.draw("image", WHOLE, 0.9, picture=3)
    board.opening(Op.PUNCH, DOOR)
    board.opening(Op.PUNCH, WINDOW)
    board.draw("image", WHOLE, 0.5, op=Op.CELL, picture=2)
    board.draw("additive", WINDOW, 0.6, op=Op.ALPHA, picture=1)
    assert mutated(board, [0, 1, 3, 2, 4]) > 30


# colours by hand (rendering 1.2, 1.3; R25, R26): a plain quad of each row over a ground, in fog

LIT = 0.6  # luminosity 0.1 and ambient 0.5, no sun
HALF_FOG = np.array((0.6, 0.3, 0.5))


def by_hand(kind: str, texel: np.ndarray, below: np.ndarray, palettised: bool) -> np.ndarray:
    """The bytes that fixed-function blending gives, worked out from the type bits."""
    bits, translucency = LADDER[kind]
    additive = bool(bits & 0x10000)
    a = texel[3] / 255.0 * (1.0 - translucency if bits & 0x10 else 1.0)
    c = texel[:3] / 255.0 * LIT
    if not additive:
        c = (c + HALF_FOG) / 2
    tested = bool(bits & 0x4) and not bits & 0x10
    if tested and round(a * 255) < (100 if palettised else 200):
        return below
    d = below / 255.0
    if bits & 0x4 and bits & 0x10:  # a translucent clip map blends plainly, whatever else it has
        out = c * a + d * (1 - a)
    elif bits & 0x100:
        out = c * a + d * (1.0 if additive and not tested else 1 - a)
    elif bits & 0x200:
        out = c * (1 - a) + d * (1.0 if additive else a)
    elif additive:
        out = c + d
    elif bits & 0x4:
        out = c + d * (1 - a)
    elif bits & 0x10:
        out = c * a + d * (1 - a)
    else:
        out = c
    return np.clip(out, 0.0, 1.0) * 255.0


@pytest.mark.parametrize("alpha", [40, 99, 101, 180, 201, 255])
@pytest.mark.parametrize("kind", LADDER)
def test_a_row_gives_the_colour_that_its_bits_say(board: Board, kind: str, alpha: int) -> None:
    """Fogged glows, inverted INVALPHA, washed-out glow, fat foliage: none of them (R25, R26).

    Sabotage: fog additive surfaces (shaders/world.vert); the additive rows fail.
    """
    texel = np.array((210, 120, 40, alpha), np.uint8)
    layer = board.arrays[0].add(np.broadcast_to(texel, (64, 64, 4)).copy())
    board.arrays[0].finish()
    board.frame["sun_colour"][0] = 0.0
    board.frame["object_ambient"][0, :3] = 0.5
    board.frame["fog_colour"][0, :3] = HALF_FOG
    board.frame["fog_range"][0] = (-1000.0, 0.0005, 1.0, 0.0)
    for palettised in (True, False):
        board.clear()
        below = board.show("batched")[8, 8].astype(float)
        board.draw(kind, picture=layer, palettised=palettised)
        wanted = by_hand(kind, texel.astype(float), below, palettised)
        for executor in ("batched", "literal"):
            shown = board.show(executor)
            assert (shown == shown[8, 8]).all()
            assert np.abs(shown[8, 8] - wanted).max() <= 2, executor
