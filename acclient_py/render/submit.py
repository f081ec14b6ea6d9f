"""Executors: draw records to GL. The first two give the same picture, bit for bit, on one driver.

batched   : one indirect multi-draw a run of equal state (GL 4.3), else one base-vertex draw a
            command with its two numbers in a constant attribute (GL 3.3)
reference : one draw a record, whole state each time, nothing merged
literal   : as reference, with the blend factors of each surface in place of the one function that
            the others blend with; within 1/255 a blended layer

The shader gets its two numbers (matrix row, surface row) from attribute `a_draw`: from a buffer
with one row a command, chosen by the command's base instance, or as a constant.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from acclient_py.core import F32, I32, U32, Struct
from acclient_py.errors import UsageError
from acclient_py.gpu import programs
from acclient_py.gpu.buffers import BufferTexture, Ring, bytes_of
from acclient_py.gpu.device import Device
from acclient_py.gpu.raw import RGBA32F, RGBA32UI, TRIANGLES, UNSIGNED_INT
from acclient_py.gpu.readback import Target
from acclient_py.gpu.state import State
from acclient_py.kernels.commands import COMMAND_COLUMNS, NO_SURFACE, RUN_COLUMNS, build_commands
from acclient_py.kernels.ops import (
    LAST_DRAW,
    LAYOUT_PORTAL,
    S_CLEAR,
    S_OPAQUE,
    TERRAIN,
)
from acclient_py.order.painter import Painter
from acclient_py.render.assets import Assets
from acclient_py.render.frame_data import BINDING, FRAME_DTYPE
from acclient_py.render.geometry import VERTEX_FORMAT, VERTEX_NAMES
from acclient_py.render.ground import BLOCK_ROWS
from acclient_py.render.pipeline import MASK, STATES, literal_state

EXECUTORS: Final = ("batched", "reference", "literal")

# texture units
UNIT_PICTURES: Final = 0  # five of them
UNIT_GROUND: Final = 5
UNIT_MASKS: Final = 6
UNIT_INSTANCES: Final = 7
UNIT_SURFACES: Final = 8

ARRAYS: Final = (*range(UNIT_PICTURES, UNIT_PICTURES + 5), UNIT_GROUND, UNIT_MASKS)
SAMPLERS: Final = {
    **{f"u_arrays[{i}]": unit for i, unit in enumerate(ARRAYS)},
    "u_instances": UNIT_INSTANCES,
    "u_surfaces": UNIT_SURFACES,
}

# shader variants by name: what is defined in them
VARIANTS: Final[dict[str, tuple[str, ...]]] = {
    "solid": (),
    "tested": ("TESTED",),
    "literal": ("LITERAL",),
    "literal tested": ("LITERAL", "TESTED"),
}
FOLDED: Final = ("solid", "tested")
LITERAL: Final = ("literal", "literal tested")

PORTALS: Final = "portals"
INSTANCE_BYTES: Final = 64
FIRST_COMMANDS: Final = 16_384
STREAM_INDICES: Final = 6 * 64 * 17 * 17 * 2  # room for the leaves of a frame
CLEAR_DEPTH_BUFFER: Final = 1.0


class Submitter:
    """Draws a painter's stream. Owner of programs, rings and vertex arrays."""

    def __init__(self, device: Device, assets: Assets, *, executor: str = "batched") -> None:
        self._device = device
        self._assets = assets
        self._vaos: dict[str, Any] = {}
        self._programs: dict[str, Any] = {}
        self.set_executor(executor)
        self._portal_program = programs.build(device, "portal.vert", "portal.frag")
        self._portals = Ring(device, 12, 4096)
        self._frame: Any = device.ctx.buffer(reserve=FRAME_DTYPE.itemsize, dynamic=True)
        self._instances = Ring(device, INSTANCE_BYTES, 8192, head=BLOCK_ROWS)
        self._draw_data = Ring(device, 8, FIRST_COMMANDS)
        self._commands = Ring(device, 4 * COMMAND_COLUMNS, FIRST_COMMANDS)
        self._instance_texture = BufferTexture(device, RGBA32F)
        self._surface_texture = BufferTexture(device, RGBA32UI)
        self._command_rows: U32 = np.zeros((FIRST_COMMANDS, COMMAND_COLUMNS), np.uint32)
        self._draw_rows: U32 = np.zeros((FIRST_COMMANDS, 2), np.uint32)
        self._index_rows: U32 = np.zeros(STREAM_INDICES, np.uint32)
        self._runs: I32 = np.zeros((FIRST_COMMANDS, RUN_COLUMNS), np.int32)
        self._counts: I32 = np.zeros(3, np.int32)
        self._block_rows: F32 = np.zeros((BLOCK_ROWS, 16), np.float32)
        self._block_key: tuple[int, ...] = ()
        self._stream_turn = 0
        self._portal_first = 0
        self._vao_key: tuple[int, ...] = ()
        self._size = (0, 0)
        self._texture_key: tuple[int, ...] = ()
        self.calls = 0  # draw calls of the last frame
        self.runs = 0
        self.command_count = 0
        self.wireframe = False

    def set_executor(self, name: str) -> None:
        """Choose how records are drawn, from the next frame on."""
        if name not in EXECUTORS:
            raise UsageError(
                f"no executor {name!r}", where="--executor", do=f"use {' or '.join(EXECUTORS)}"
            )
        self.executor = name
        for variant in LITERAL if name == "literal" else FOLDED:
            if variant not in self._programs:
                jumps = ("JUMPS",) if self._device.jumps else ()
                program = programs.build(
                    self._device, "world.vert", "world.frag", (*VARIANTS[variant], *jumps)
                )
                programs.bind_samplers(self._device, program, SAMPLERS)
                program["Frame"].binding = BINDING
                self._programs[variant] = program
        for vao in self._vaos.values():
            vao.release()
        self._vaos = {}

    # ------------------------------------------------------------------ one frame

    def draw(
        self,
        painter: Painter,
        frame: Struct,
        target: Target,
        blocks: Struct,
        camera: tuple[int, int],
    ) -> None:
        """Draw the painter's last frame into `target`, which is in use and has been cleared.

        frame  : FRAME_DTYPE, one row ; blocks : the graph's, for where ground stands
        camera : the camera's block
        """
        self.calls = self.runs = 0
        self._frame.write(bytes_of(frame))
        self._frame.bind_to_uniform_block(BINDING)
        self._place_blocks(blocks, camera)
        self._instances.reserve(painter.instance_count)
        first = self._instances.begin()
        self._instances.write(bytes_of(painter.instances), painter.instance_count)
        corners = painter.frame.portal_vertices
        self._portals.reserve(corners)
        self._portal_first = self._portals.begin()
        self._portals.write(bytes_of(painter.portal_vertices), corners)
        if target.size != self._size:
            self._size = target.size
            self._portal_program["u_size"].value = target.size
        self._bind()
        if self.executor == "batched":
            self._batched(painter, target, first)
        else:
            self._one_by_one(painter, target, first, literal=self.executor == "literal")

    def _place_blocks(self, blocks: Struct, camera: tuple[int, int]) -> None:
        """Matrices of the ground by block slot, when the camera's block or a block changed."""
        ids = blocks["id"]
        key = (*camera, len(ids), int(ids.sum(dtype=np.int64)), int(blocks["generation"].sum()))
        if key == self._block_key:
            return
        self._block_key = key
        rows = self._block_rows[: len(ids)]
        rows[:, 0] = rows[:, 5] = rows[:, 10] = rows[:, 12] = 1.0
        rows[:, 3] = ((ids >> 24).astype(np.int64) - camera[0]) * 192.0
        rows[:, 7] = ((ids >> 16 & 255).astype(np.int64) - camera[1]) * 192.0
        self._instances.buffer.write(bytes_of(rows))

    def _bind(self) -> None:
        """Vertex arrays and textures, made or attached anew only when a buffer was replaced."""
        assets = self._assets
        key = (
            assets.vertices.generation,
            assets.indices.generation,
            self._draw_data.generation,
            self._portals.generation,
        )
        if key != self._vao_key or not self._vaos:
            self._vao_key = key
            for vao in self._vaos.values():
                vao.release()
            self._vaos = {}
            for name, program in self._programs.items():
                parts: list[Any] = [(assets.vertices.buffer, VERTEX_FORMAT, *VERTEX_NAMES)]
                if self._indirect:
                    parts.append((self._draw_data.buffer, "2u4/i", "a_draw"))
                self._vaos[name] = self._device.ctx.vertex_array(
                    program, parts, assets.indices.buffer, index_element_size=4
                )
            self._vaos[PORTALS] = self._device.ctx.vertex_array(
                self._portal_program, [(self._portals.buffer, "3f", "a_position")]
            )
        textures = (self._instances.generation, assets.surfaces.generation)
        if textures != self._texture_key:
            self._texture_key = textures
            self._instance_texture.attach(self._instances.buffer, UNIT_INSTANCES)
            self._surface_texture.attach(assets.surfaces.buffer, UNIT_SURFACES)
        else:
            self._instance_texture.use(UNIT_INSTANCES)
            self._surface_texture.use(UNIT_SURFACES)
        for i, array in enumerate(assets.pictures.arrays):
            array.use(UNIT_PICTURES + i)
        assets.ground.textures.use(UNIT_GROUND)
        assets.ground.masks.use(UNIT_MASKS)

    @property
    def _indirect(self) -> bool:
        return self.executor == "batched" and self._device.multi_draw

    @staticmethod
    def _program_of(state: int) -> str:
        return "solid" if state == S_OPAQUE else "tested"

    def _apply(self, chosen: State, target: Target) -> None:
        if self.wireframe:
            chosen = State(
                chosen.depth, chosen.depth_write, chosen.blend, chosen.cull, wireframe=True
            )
        chosen.apply(self._device, target.framebuffer)

    # ------------------------------------------------------------------ executors

    def _one_by_one(
        self, painter: Painter, target: Target, instance_base: int, *, literal: bool
    ) -> None:
        """One draw a record."""
        surfaces = self._assets.surfaces.rows
        for record in painter.records:
            if int(record["op"]) > LAST_DRAW:
                continue
            state = int(record["state"])
            if state == S_CLEAR:
                self._clear_depth(target)
                continue
            if int(record["layout"]) == LAYOUT_PORTAL:
                self._apply(MASK if literal else STATES[state], target)
                self._draw_portals(int(record["first"]), int(record["count"]))
                continue
            chosen, name = STATES[state], self._program_of(state)
            if int(record["op"]) == TERRAIN:
                numbers = (0, NO_SURFACE)
                name = LITERAL[0] if literal else name
            else:
                row, surface = int(record["instance"]), int(record["material"])
                numbers = (row + instance_base, surface)
                if literal:
                    alpha = float(painter.instances[row, 12])
                    chosen, tested = literal_state(state, surfaces[surface], alpha)
                    name = LITERAL[tested]
            self._apply(chosen, target)
            draw = self._plain_draw(name)
            draw(int(record["first"]), int(record["count"]), int(record["base"]), *numbers)

    def _batched(self, painter: Painter, target: Target, instance_base: int) -> None:
        """One call a run where the device can, else one a command."""
        count = painter.count
        self._reserve(count, painter)
        draw_base = self._draw_data.begin()
        command_base = self._commands.begin()
        self._stream_turn = (self._stream_turn + 1) % 2
        stream_base = self._stream_turn * STREAM_INDICES
        tables = self._assets.tables
        build_commands(
            painter.stream,
            count,
            tables.leaves,
            self._assets.terrain_index,
            instance_base,
            draw_base,
            stream_base,
            self._command_rows,
            self._draw_rows,
            self._index_rows,
            self._runs,
            self._counts,
        )
        commands, runs, streamed = self._counts.tolist()
        self.command_count = commands
        self.runs = runs
        if streamed:
            self._assets.indices.buffer.write(
                bytes_of(self._index_rows)[: streamed * 4], offset=stream_base * 4
            )
        if self._indirect:
            self._draw_data.write(bytes_of(self._draw_rows), commands)
            self._commands.write(bytes_of(self._command_rows), commands)
        for state, first, size, layout in self._runs[:runs].tolist():
            if state == S_CLEAR:
                self._clear_depth(target)
                continue
            self._apply(STATES[state], target)
            if layout == LAYOUT_PORTAL:
                self._draw_portals(first, size)
                continue
            name = self._program_of(state)
            if self._indirect:
                self.calls += 1
                self._vaos[name].render_indirect(
                    self._commands.buffer, count=size, first=command_base + first
                )
                continue
            draw = self._plain_draw(name)
            rows = self._command_rows[first : first + size].tolist()
            numbers = self._draw_rows[first : first + size].tolist()
            for row, number in zip(rows, numbers, strict=True):
                base = row[3] - (1 << 32) if row[3] >= 1 << 31 else row[3]
                draw(row[2], row[0], base, *number)

    def _plain_draw(self, name: str) -> Callable[[int, int, int, int, int], None]:
        """A function (first, count, base, matrix row, surface row) that draws with one program.

        moderngl binds program and vertex array by a draw of nothing; the rest is by pointer.
        """
        vao = self._vaos[name]
        program = self._programs[name]
        vao.render(vertices=0)
        location = program["a_draw"].location
        raw = self._device.raw
        raw.bind_vertex_array(vao.glo)
        attribute, elements = raw.vertex_attrib_i2ui, raw.draw_elements_base_vertex
        offset = ctypes.c_void_p

        def draw(first: int, count: int, base: int, row: int, surface: int) -> None:
            self.calls += 1
            attribute(location, row, surface)
            elements(TRIANGLES, count, UNSIGNED_INT, offset(first * 4), base)

        return draw

    def _draw_portals(self, first: int, count: int) -> None:
        self.calls += 1
        self._vaos[PORTALS].render(vertices=count, first=self._portal_first + first)

    def _clear_depth(self, target: Target) -> None:
        """Depth alone, of the whole picture, to 1."""
        framebuffer = target.framebuffer
        framebuffer.depth_mask = True
        framebuffer.color_mask = False, False, False, False
        framebuffer.use()
        framebuffer.clear(depth=CLEAR_DEPTH_BUFFER)
        framebuffer.color_mask = True, True, True, True
        framebuffer.use()

    def _reserve(self, count: int, painter: Painter) -> None:
        """Room for a frame of `count` records; nothing is made once warm."""
        if count > len(self._command_rows):
            size = 2 * count
            self._command_rows = np.zeros((size, COMMAND_COLUMNS), np.uint32)
            self._draw_rows = np.zeros((size, 2), np.uint32)
            self._runs = np.zeros((size, RUN_COLUMNS), np.int32)
            self._commands.reserve(size)
            self._draw_data.reserve(size)
            self._bind()
        assert painter.frame.leaves * 6 <= STREAM_INDICES, "the leaves fit the index stream"

    def release(self) -> None:
        for vao in self._vaos.values():
            vao.release()
        for program in self._programs.values():
            program.release()
        self._portal_program.release()
        self._portals.release()
        self._frame.release()
        self._instances.release()
        self._draw_data.release()
        self._commands.release()
        self._instance_texture.release()
        self._surface_texture.release()
