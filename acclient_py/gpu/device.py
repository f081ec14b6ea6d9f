"""The device: one context, its loader, what it can do, and what it must not use.

One context, one thread. Offscreen it is EGL's; in a window the window hands over its own loader.
`gl` caps what may be used ("3.3", "4.1" or "max"), so that the plain paths can be tried on any
machine. The device owns the context and nothing else; whoever makes a GPU object releases it.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any, Final

import glcontext
import moderngl

from acclient_py.errors import GpuError, UsageError
from acclient_py.gpu.raw import DEBUG_SOURCE_APPLICATION, TEXTURE0, AddressOf, Loader, Raw
from acclient_py.gpu.state import Known

log = logging.getLogger(__name__)

GL_CAPS: Final = {"3.3": 330, "4.1": 410, "max": 10_000}
BASE_VERSION: Final = 330
INDEXED: Final = 400  # has sampler arrays that an index chooses from


class Device:
    """A GL 3.3 core context or better.

    ctx      : the moderngl context
    raw      : calls by pointer
    known    : what the context has been told of state and textures
    version  : what may be used, 330 .. ; the context's own version when `gl` is "max"
    """

    def __init__(self, loader: Loader, *, gl: str = "max", where: str = "window") -> None:
        if gl not in GL_CAPS:
            raise UsageError(f"no GL level {gl!r}", where="--gl", do="use 3.3, 4.1 or max")
        self._loader = loader
        try:
            context: Any = loader
            self.ctx: Any = moderngl.create_context(context=context)
        except Exception as why:
            raise GpuError(
                f"no usable OpenGL context ({why})", where=where, do="see acclient doctor"
            ) from why
        if self.ctx.version_code < BASE_VERSION:
            version = self.ctx.version_code
            raise GpuError(
                f"OpenGL {version // 100}.{version % 100 // 10} is too old",
                where=where,
                do="a driver with OpenGL 3.3 core is needed",
            )
        self.ctx.gc_mode = "context_gc"
        self.raw = Raw(loader)
        self.known = Known()
        self.version = min(self.ctx.version_code, GL_CAPS[gl])
        self.debug = False
        self._bound: list[tuple[int, Any]] = []

    @classmethod
    def offscreen(cls, *, gl: str = "max") -> Device:
        """A context without a window, through EGL."""
        try:
            backend = glcontext.get_backend_by_name("egl")
            context = backend(mode="standalone", glversion=BASE_VERSION)
        except Exception as why:
            raise GpuError(
                f"no OpenGL context without a window ({why})",
                where="EGL",
                do="install libegl1 and a GL driver (libgl1-mesa-dri), or use a display",
            ) from why
        return cls(Loader(context.load_opengl_function, keep=context), gl=gl, where="EGL")

    @classmethod
    def from_window(cls, address_of: AddressOf, *, gl: str = "max") -> Device:
        """The context of a window that is current on this thread."""
        return cls(Loader(address_of), gl=gl)

    @property
    def renderer(self) -> str:
        return str(self.ctx.info["GL_RENDERER"])

    @property
    def software(self) -> bool:
        """Whether this is Mesa's llvmpipe, on which pictures are compared exactly."""
        return "llvmpipe" in self.renderer

    @property
    def jumps(self) -> bool:
        """Whether shaders choose samplers by an index: llvmpipe jumps there, and nowhere else.

        It shades one triangle at a time, so a flat index is the same in all pixels that it works
        on; a GPU may mix the draws of an indirect call, where the index must not differ.
        """
        wanted = "GL_ARB_gpu_shader5"
        return self.software and self.version >= INDEXED and wanted in self.ctx.extensions

    @property
    def multi_draw(self) -> bool:
        """Whether a run of draws may be one indirect call."""
        return self.version >= 430

    def bind_texture(self, unit: int, kind: int, name: int, *, active: bool = False) -> None:
        """Have a texture on a unit; nothing is said where it is there already.

        kind : TEXTURE_2D_ARRAY or TEXTURE_BUFFER, each unit has one of them
        active : the unit is to be the active one too, for calls that change the texture
        """
        units = self.known.units
        if units.get(unit) == name and not active:
            return
        self.raw.active_texture(TEXTURE0 + unit)
        self.raw.bind_texture(kind, name)
        units[unit] = name

    def sample_count(self, wanted: int) -> int:
        """The nearest number of samples that the device has. GLP-13."""
        if wanted < 0:
            raise UsageError(f"{wanted} samples", do="ask for 0 or more")
        most = int(self.ctx.max_samples)
        have = min(wanted, most)
        while have & (have - 1):
            have &= have - 1  # down to a power of two
        if have == 1:
            have = 0
        if have != wanted:
            log.warning("%d samples are not to be had; using %d", wanted, have)
        return have

    @contextlib.contextmanager
    def group(self, name: str) -> Iterator[None]:
        """A debug group around some draws, when debugging."""
        push = self.raw.push_debug_group if self.debug and self.version >= 430 else None
        if push is None:
            yield
            return
        push(DEBUG_SOURCE_APPLICATION, 0, -1, name.encode())
        try:
            yield
        finally:
            self.raw.pop_debug_group()

    def leaks(self) -> int:
        """Objects that were dropped without a release since the last call; releases them."""
        found = 0
        waiting = self.ctx.objects
        while waiting:
            dropped = waiting.popleft()
            if hasattr(dropped, "release"):  # moderngl also queues what was released before
                dropped.release()
                found += 1
        return found

    def release(self) -> None:
        self.ctx.release()

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()
