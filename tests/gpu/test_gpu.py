"""The GPU layer by itself: states, arenas, rings, shaders, contexts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from acclient_py import paths
from acclient_py.errors import GpuError, UsageError
from acclient_py.gpu import programs
from acclient_py.gpu.buffers import RING_FRAMES, Arena, Ring
from acclient_py.gpu.device import Device
from acclient_py.gpu.readback import Target
from acclient_py.gpu.textures import TextureArray


@pytest.fixture
def device() -> Iterator[Device]:
    try:
        made = Device.offscreen()
    except GpuError as why:
        pytest.skip(str(why))
    yield made
    assert made.ctx.error == "GL_NO_ERROR"
    assert made.leaks() == 0
    made.release()


def test_shaders_are_plain_core_330() -> None:
    """GLP-05, GLP-10: no newer version, no ES precision, no compute, no storage buffers."""
    files = [*paths.shaders().glob("*.vert"), *paths.shaders().glob("*.frag")]
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert text.startswith("#version 330 core\n"), file.name
        assert not re.search(r"\bprecision\b|\blowp\b|\bmediump\b|\bhighp\b", text), file.name
        assert not re.search(r"std430|\bbuffer\s+\w+\s*\{|local_size", text), file.name


def test_every_shader_pair_compiles(device: Device) -> None:
    names = {file.stem for file in paths.shaders().glob("*.vert")}
    for name in sorted(names):
        program = programs.build(device, f"{name}.vert", f"{name}.frag")
        program.release()


@pytest.mark.parametrize(("wanted", "have"), [(0, 0), (1, 0), (3, 2), (4, 4)])
def test_a_sample_count_that_is_not_there_gives_the_nearest(
    device: Device, wanted: int, have: int
) -> None:
    """GLP-13."""
    if have > device.ctx.max_samples:
        pytest.skip("fewer samples here")
    assert device.sample_count(wanted) == have
    assert device.sample_count(64) <= device.ctx.max_samples


def test_negative_samples_are_refused(device: Device) -> None:
    with pytest.raises(UsageError):
        device.sample_count(-1)


def test_an_unknown_gl_level_is_refused() -> None:
    with pytest.raises(UsageError):
        Device.offscreen(gl="2.1")


def test_a_cap_turns_multi_draw_off() -> None:
    try:
        capped = Device.offscreen(gl="3.3")
    except GpuError as why:
        pytest.skip(str(why))
    assert capped.version == 330
    assert not capped.multi_draw
    capped.release()


def test_an_arena_keeps_what_was_put_when_it_grows(device: Device) -> None:
    arena = Arena(device, 4, 8, head=2)
    rows = [np.full(n, n, np.uint32) for n in (3, 5, 20)]
    first = [arena.put(row) for row in rows]
    assert arena.generation > 0
    data = np.frombuffer(arena.buffer.read(), np.uint32)
    for at, row in zip(first, rows, strict=True):
        assert at >= 2
        assert np.array_equal(data[at : at + len(row)], row)
    arena.drop(first[0], 3)
    arena.drop(first[1], 5)
    assert arena.put(np.zeros(8, np.uint32)) == first[0], "freed neighbours are one range again"
    arena.release()


def test_a_ring_never_writes_where_the_last_two_frames_read(device: Device) -> None:
    ring = Ring(device, 4, 4, head=1)
    firsts = [ring.begin() for _ in range(2 * RING_FRAMES)]
    assert len(set(firsts)) == RING_FRAMES
    assert firsts[:RING_FRAMES] == firsts[RING_FRAMES:]
    assert min(firsts) >= 1
    assert ring.begin() == firsts[0]
    ring.write(memoryview(np.arange(4, dtype=np.uint32)).cast("B"), 4)
    data = np.frombuffer(ring.buffer.read(), np.uint32)
    assert data[firsts[0] : firsts[0] + 4].tolist() == [0, 1, 2, 3]
    ring.release()


def test_a_full_texture_array_grows_and_keeps_its_layers(device: Device) -> None:
    """Sabotage: write the pictures of the old array one layer off, or leave them behind."""
    array = TextureArray(device, 4, levels_of=lambda picture: [picture[:2, :2], picture[:1, :1]])
    pictures = [np.full((4, 4, 4), 10 * (i + 1), np.uint8) for i in range(6)]
    array.finish()
    assert array.layers == 0, "what is there for a unit takes no room"
    room = []
    for few in (1, 2, 3):
        for _ in range(few):
            layer = array.add(pictures[array.count])
            assert layer == array.count - 1
        array.finish()
        room.append(array.layers)
        for number, side in enumerate((4, 2, 1)):
            data = array.read(number)
            assert data.shape == (array.layers, side, side, 4)
            for picture, kept in zip(pictures[: array.count], data, strict=False):
                assert np.array_equal(picture[:side, :side], kept)
    assert room == [1, 4, 8]
    array.release()


def test_a_target_reads_top_row_first(device: Device) -> None:
    target = Target(device, (4, 2))
    target.framebuffer.use()
    target.framebuffer.clear(1.0, 0.0, 0.0, 1.0)
    target.framebuffer.clear(0.0, 0.0, 1.0, 1.0, viewport=(0, 0, 4, 1))
    picture = target.read()
    assert picture.shape == (2, 4, 3)
    assert picture[0, 0].tolist() == [255, 0, 0]
    assert picture[1, 0].tolist() == [0, 0, 255]
    target.release()


def test_a_target_after_another_was_released_is_no_error(device: Device) -> None:
    """Sabotage: leave the released framebuffer bound; making the next one is an error."""
    first = Target(device, (4, 2))
    first.framebuffer.use()
    first.release()
    second = Target(device, (8, 4))
    error = device.ctx.error
    second.release()
    assert error == "GL_NO_ERROR"
