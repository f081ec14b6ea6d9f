"""Panels drawn with our own device: textures when they are asked for, one buffer pair.

Everything is in pixels of the framebuffer, so it suits any window system; text grows with the
content scale. It draws into any target, a window's or one offscreen.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

import moderngl
import numpy as np
from imgui_bundle import imgui

from acclient_py.core import U8
from acclient_py.gpu import programs
from acclient_py.gpu.device import Device
from acclient_py.gpu.readback import Target
from acclient_py.gpu.state import BLEND_OVER, State

OVER: Final = State(None, False, BLEND_OVER, cull=False)
FONT_PIXELS: Final = 15.0
VERTEX: Final = "2f 2f 4f1"
STATUS: Final = imgui.ImTextureStatus


class Drawer:
    """Owner of the panels' context, program, buffers and textures."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.context: Any = imgui.create_context()
        imgui.set_current_context(self.context)
        io = imgui.get_io()
        io.set_ini_filename("")
        io.set_log_filename("")
        io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        io.config_error_recovery_enable_assert = False
        imgui.style_colors_dark()
        style = imgui.get_style()
        style.window_rounding = 6.0
        style.window_border_size = 0.0
        style.font_size_base = FONT_PIXELS
        self._program: Any = programs.build(device, "panel.vert", "panel.frag")
        self._vertices: Any = device.ctx.buffer(reserve=1 << 16, dynamic=True)
        self._indices: Any = device.ctx.buffer(reserve=1 << 15, dynamic=True)
        self._vao: Any = None
        self._textures: dict[int, Any] = {}
        self._next = 1

    def begin(self, size: tuple[int, int], dt: float, *, scale: float = 1.0) -> None:
        """A new frame of panels. size : of the target ; scale : of the text"""
        imgui.set_current_context(self.context)
        io = imgui.get_io()
        io.display_size = imgui.ImVec2(float(size[0]), float(size[1]))
        io.display_framebuffer_scale = imgui.ImVec2(1.0, 1.0)
        io.delta_time = max(dt, 1e-4)
        imgui.get_style().font_scale_dpi = scale
        imgui.new_frame()

    def mouse(self, x: float, y: float, buttons: list[bool]) -> None:
        """Where the mouse is, in pixels."""
        imgui.set_current_context(self.context)
        io = imgui.get_io()
        io.add_mouse_pos_event(x, y)
        for index, down in enumerate(buttons):
            io.add_mouse_button_event(index, down)

    def wheel(self, steps: float) -> None:
        imgui.set_current_context(self.context)
        imgui.get_io().add_mouse_wheel_event(0.0, steps)

    @property
    def wants_mouse(self) -> bool:
        """Whether a panel is under the mouse."""
        imgui.set_current_context(self.context)
        return bool(imgui.get_io().want_capture_mouse)

    def end(self, target: Target) -> None:
        """Draw what was built since `begin` over a target."""
        imgui.set_current_context(self.context)
        imgui.render()
        data = imgui.get_draw_data()
        for texture in data.textures:
            if texture.status != STATUS.ok:
                self._texture(texture)
        if data.cmd_lists_count:
            self._draw(data, target)

    # textures

    def _texture(self, texture: Any) -> None:
        ctx = self._device.ctx
        size = (texture.width, texture.height)
        if texture.status == STATUS.want_create:
            made = ctx.texture(size, 4, self._pixels(texture).tobytes())
            made.filter = (moderngl.LINEAR, moderngl.LINEAR)
            self._textures[self._next] = made
            texture.set_tex_id(self._next)
            self._next += 1
        elif texture.status == STATUS.want_updates:
            pixels = self._pixels(texture)
            box = texture.update_rect
            x, y, w, h = box.x, box.y, box.w, box.h
            part = np.ascontiguousarray(pixels[y : y + h, x : x + w])
            self._textures[texture.tex_id].write(part.tobytes(), viewport=(x, y, w, h))
        elif texture.status == STATUS.want_destroy:
            self._textures.pop(texture.tex_id).release()
            texture.set_tex_id(0)
            texture.set_status(STATUS.destroyed)
            return
        else:
            return
        texture.set_status(STATUS.ok)

    @staticmethod
    def _pixels(texture: Any) -> U8:
        """(height, width, 4) bytes; a texture of one channel is white with that coverage."""
        raw: U8 = texture.get_pixels_array().reshape(
            texture.height, texture.width, texture.bytes_per_pixel
        )
        if texture.bytes_per_pixel == 4:
            return raw
        white = np.full((texture.height, texture.width, 4), 255, np.uint8)
        white[..., 3] = raw[..., 0]
        return white

    # drawing

    def _draw(self, data: Any, target: Target) -> None:
        vertices: list[bytes] = []
        indices: list[bytes] = []
        base = 0
        for commands in data.cmd_lists:
            vertices.append(_bytes(commands.vtx_buffer, imgui.VERTEX_SIZE))
            own = np.frombuffer(_bytes(commands.idx_buffer, imgui.INDEX_SIZE), np.uint32)
            indices.append((own + np.uint32(base)).tobytes())  # they count in their own list
            base += commands.vtx_buffer.size()
        self._upload(b"".join(vertices), b"".join(indices))
        width, height = target.size
        framebuffer = target.framebuffer
        framebuffer.use()
        OVER.apply(self._device, framebuffer)
        self._program["u_size"].value = (float(width), float(height))
        first = 0
        for commands in data.cmd_lists:
            for command in commands.cmd_buffer:
                clip = command.clip_rect
                x0, y0 = max(0, int(clip.x)), max(0, int(clip.y))
                x1, y1 = min(width, int(clip.z)), min(height, int(clip.w))
                if x1 > x0 and y1 > y0 and command.elem_count:
                    framebuffer.scissor = (x0, height - y1, x1 - x0, y1 - y0)
                    self._textures[command.get_tex_id()].use(0)
                    self._vao.render(vertices=command.elem_count, first=first + command.idx_offset)
            first += commands.idx_buffer.size()
        framebuffer.scissor = None
        self._device.known.units.clear()  # its own textures were on unit 0

    def _upload(self, vertices: bytes, indices: bytes) -> None:
        ctx = self._device.ctx
        grown = False
        if len(vertices) > self._vertices.size:
            self._vertices.release()
            self._vertices = ctx.buffer(reserve=2 * len(vertices), dynamic=True)
            grown = True
        if len(indices) > self._indices.size:
            self._indices.release()
            self._indices = ctx.buffer(reserve=2 * len(indices), dynamic=True)
            grown = True
        if self._vao is None or grown:
            if self._vao is not None:
                self._vao.release()
            self._vao = ctx.vertex_array(
                self._program,
                [(self._vertices, VERTEX, "a_position", "a_texcoord", "a_colour")],
                index_buffer=self._indices,
                index_element_size=imgui.INDEX_SIZE,
            )
        assert imgui.INDEX_SIZE == 4, "32-bit indices"
        self._vertices.write(vertices)
        self._indices.write(indices)

    def release(self) -> None:
        imgui.set_current_context(self.context)
        for texture in self._textures.values():
            texture.release()
        self._textures.clear()
        if self._vao is not None:
            self._vao.release()
        self._vertices.release()
        self._indices.release()
        self._program.release()
        imgui.destroy_context(self.context)


def _bytes(vector: Any, item: int) -> bytes:
    return ctypes.string_at(vector.data_address(), vector.size() * item)
