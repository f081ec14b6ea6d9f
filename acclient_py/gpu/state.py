"""One whole pipeline state a draw, of which the context is told what it does not know yet.

`Known` is what a context was last told: the device owns one. Whoever sets pipeline state or texture
units past it calls `forget`, and everything is said again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import moderngl
from msgspec import Struct, field

if TYPE_CHECKING:
    from acclient_py.gpu.device import Device

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

    def apply(self, device: Device, target: Any) -> None:
        """For draws into the framebuffer `target`, which is in use; what is so is not said."""
        ctx, before = device.ctx, device.known.state
        if before is None:
            self._all(ctx)
            target.depth_mask = self.depth_write
        else:
            self._changes(ctx, before)
            if target.depth_mask != self.depth_write:  # each framebuffer has its own
                target.depth_mask = self.depth_write
        device.known.state = self

    def _all(self, ctx: Any) -> None:
        """Everything: nothing is assumed left over."""
        ctx.enable_only(self.flags())
        if self.depth is not None:
            ctx.depth_func = self.depth
        if self.blend is not None:
            ctx.blend_func = self.blend
        ctx.cull_face = "back"
        ctx.front_face = "ccw"
        ctx.wireframe = self.wireframe
        self._clamp(ctx)

    def _changes(self, ctx: Any, before: State) -> None:
        """What is other than `before`."""
        now, then = self.flags(), before.flags()
        if now & ~then:
            ctx.enable(now & ~then)
        if then & ~now:
            ctx.disable(then & ~now)
        if self.depth is not None and self.depth != before.depth:
            ctx.depth_func = self.depth
        if self.blend is not None and self.blend != before.blend:
            ctx.blend_func = self.blend
        if self.wireframe != before.wireframe:
            ctx.wireframe = self.wireframe
        if self.clamp != before.clamp:
            self._clamp(ctx)

    def _clamp(self, ctx: Any) -> None:
        if self.clamp:
            ctx.enable_direct(DEPTH_CLAMP)
        else:
            ctx.disable_direct(DEPTH_CLAMP)


class Known(Struct):
    """What a context has been told.

    state : the last one applied, None when it cannot be relied on
    units : the texture (GL name) of each texture unit
    """

    state: State | None = None
    units: dict[int, int] = field(default_factory=dict)

    def forget(self) -> None:
        """Somebody else spoke to the context: rely on nothing."""
        self.state = None
        self.units.clear()

    def drop(self, texture: int) -> None:
        """A texture is released: its name may come again for another one."""
        for unit in [unit for unit, name in self.units.items() if name == texture]:
            del self.units[unit]
