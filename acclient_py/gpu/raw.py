"""The few GL calls that moderngl has no name for, by pointer through the context's own loader.

Nobody else calls GL by pointer. After a call here that changes what moderngl remembers, the
caller binds through moderngl again before its next use.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any, Final

from acclient_py.errors import GpuError

TEXTURE_BUFFER: Final = 0x8C2A
TEXTURE_2D_ARRAY: Final = 0x8C1A
RGBA: Final = 0x1908
RGBA8: Final = 0x8058
UNSIGNED_BYTE: Final = 0x1401
RGBA32F: Final = 0x8814
RGBA32UI: Final = 0x8D70
TRIANGLES: Final = 0x0004
UNSIGNED_INT: Final = 0x1405
TEXTURE0: Final = 0x84C0
DEBUG_SOURCE_APPLICATION: Final = 0x824A
READ_FRAMEBUFFER: Final = 0x8CA8
DRAW_FRAMEBUFFER: Final = 0x8CA9
COLOR_BUFFER_BIT: Final = 0x4000
DEPTH_BUFFER_BIT: Final = 0x0100
NEAREST: Final = 0x2600
LINEAR: Final = 0x2601
LINEAR_MIPMAP_LINEAR: Final = 0x2703
TEXTURE_MAG_FILTER: Final = 0x2800
TEXTURE_MIN_FILTER: Final = 0x2801
TEXTURE_WRAP_S: Final = 0x2802
TEXTURE_WRAP_T: Final = 0x2803
REPEAT: Final = 0x2901
CLAMP_TO_EDGE: Final = 0x812F

_PROTOTYPE: Final[Any] = getattr(ctypes, "WINFUNCTYPE" if sys.platform == "win32" else "CFUNCTYPE")

AddressOf = Callable[[str], int | None]


class Loader:
    """GL entry points by name, for moderngl and for the few raw calls we need."""

    def __init__(self, address_of: AddressOf, keep: Any = None) -> None:
        self._address_of = address_of
        self._keep = keep  # the context behind the addresses lives as long as the loader

    def load_opengl_function(self, name: str) -> int:
        return self._address_of(name) or 0

    def __enter__(self) -> Loader:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def release(self) -> None:
        keep, self._keep = self._keep, None
        if keep is not None:
            keep.release()


class Raw:
    """Typed pointers to the raw calls; one that the context lacks is an error at once, no crash."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        u, i, p = ctypes.c_uint, ctypes.c_int, ctypes.c_void_p
        f, d = ctypes.c_float, ctypes.c_double
        self.gen_textures = self._need("glGenTextures", i, p)
        self.delete_textures = self._need("glDeleteTextures", i, p)
        self.active_texture = self._need("glActiveTexture", u)
        self.bind_texture = self._need("glBindTexture", u, u)
        self.tex_buffer = self._need("glTexBuffer", u, u, u)
        self.tex_parameter_i = self._need("glTexParameteri", u, u, i)
        self.get_tex_image = self._need("glGetTexImage", u, i, u, u, p)
        self.tex_image_3d = self._need("glTexImage3D", u, *[i] * 6, u, u, p)
        self.tex_sub_image_3d = self._need("glTexSubImage3D", u, *[i] * 7, u, u, p)
        self.vertex_attrib_i2ui = self._need("glVertexAttribI2ui", u, u, u)
        self.draw_elements_base_vertex = self._need("glDrawElementsBaseVertex", u, i, u, p, i)
        self.bind_vertex_array = self._need("glBindVertexArray", u)
        self.use_program = self._need("glUseProgram", u)
        self.uniform_1i = self._need("glUniform1i", i, i)
        self.uniform_location = self._need_result("glGetUniformLocation", i, u, ctypes.c_char_p)
        self.push_debug_group = self._maybe("glPushDebugGroup", u, u, i, ctypes.c_char_p)
        self.pop_debug_group = self._maybe("glPopDebugGroup")
        self.bind_framebuffer = self._need("glBindFramebuffer", u, u)
        self.blit_framebuffer = self._need("glBlitFramebuffer", *[i] * 8, u, u)
        self.clear_colour = self._need("glClearColor", f, f, f, f)
        self.clear_depth = self._need("glClearDepth", d)
        self.clear = self._need("glClear", u)
        self.get_error = self._need_result("glGetError", u)

    def _need(self, name: str, *types: Any) -> Any:
        call = self._maybe(name, *types)
        if call is None:
            raise GpuError(
                f"the graphics driver has no {name}", do="a driver with OpenGL 3.3 core is needed"
            )
        return call

    def _maybe(self, name: str, *types: Any) -> Any:
        address = self._loader.load_opengl_function(name)
        return _PROTOTYPE(None, *types)(address) if address else None

    def _need_result(self, name: str, result: Any, *types: Any) -> Any:
        address = self._loader.load_opengl_function(name)
        if not address:
            raise GpuError(f"the graphics driver has no {name}")
        return _PROTOTYPE(result, *types)(address)
