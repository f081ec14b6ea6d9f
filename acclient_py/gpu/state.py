"""One whole pipeline state a draw: nothing is assumed left over from the draw before."""

from __future__ import annotations

from typing import Any, Final

import moderngl
from msgspec import Struct

LESS: Final = "<"
LEQUAL: Final = "<="
ALWAYS: Final = "1"
DEPTH_CLAMP: Final = 0x864F  # GL_DEPTH_CLAMP, core since 3.2

ZERO: Final = moderngl.ZERO
ONE: Final = moderngl.ONE
SRC_ALPHA: Final = moderngl.SRC_ALPHA
ONE_MINUS_SRC_ALPHA: Final = moderngl.ONE_MINUS_SRC_ALPHA
BLEND_OVER: Final = (ONE, ONE_MINUS_SRC_ALPHA)
BLEND_DETAIL: Final = (moderngl.DST_COLOR, ONE_MINUS_SRC_ALPHA)


class State(Struct, frozen=True):
    """Depth, blending and culling of a draw, complete.

    depth       : depth function, None for no test (and no write)
    depth_write : whether depth is written
    blend       : (source, destination) factors, None for off
    cull        : whether back faces are dropped; the front runs counter-clockwise
    wireframe   : lines instead of triangles
    clamp       : what is nearer than the near plane is drawn at depth 0, not cut off
    """

    depth: str | None = LESS
    depth_write: bool = True
    blend: tuple[int, int] | None = None
    cull: bool = True
    wireframe: bool = False
    clamp: bool = False

    def flags(self) -> int:
        flags = 0
        if self.depth is not None:
            flags |= moderngl.DEPTH_TEST
        if self.blend is not None:
            flags |= moderngl.BLEND
        if self.cull:
            flags |= moderngl.CULL_FACE
        return int(flags)

    def apply(self, ctx: Any, target: Any) -> None:
        """Set everything, for draws into the framebuffer `target` that is in use."""
        ctx.enable_only(self.flags())
        if self.depth is not None:
            ctx.depth_func = self.depth
        target.depth_mask = self.depth_write
        if self.blend is not None:
            ctx.blend_func = self.blend
        ctx.cull_face = "back"
        ctx.front_face = "ccw"
        ctx.wireframe = self.wireframe
        if self.clamp:
            ctx.enable_direct(DEPTH_CLAMP)
        else:
            ctx.disable_direct(DEPTH_CLAMP)
