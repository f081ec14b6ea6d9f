"""Objects: what they are made of, their frames, and who hangs on whom (spec 6.1 to 6.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from twin.plain.numbers import HERE, Box, Frame, Sphere, combine

if TYPE_CHECKING:
    from twin.plain.cells import Cell
    from twin.plain.shadows import Shadow

STATIC = 0x1
REPORT_COLLISIONS = 0x8
IGNORE_COLLISIONS = 0x10
NODRAW = 0x20
LIGHTING_ON = 0x800
PARTICLE_EMITTER = 0x1000
HIDDEN = 0x4000
HAS_PHYSICS_BSP = 0x10000
DEFAULT_STATE = 0x00400C08

ACTIVE = 0x80
LEFT = 0x1FF
"""Every transient state that leaving clears: CONTACT, ON_WALKABLE, WATER_CONTACT and 0x1F4."""

RESTING = 0x65
NO_PART = 0xFFFFFFFF
DUMMY: Sphere = ((0.0, 0.0, 0.1), 0.1)


@dataclass(frozen=True, eq=False)
class Mesh:
    """A GfxObj at detail level 0: the spheres of its trees' roots, the bounds of its vertices."""

    row: int
    physics: Sphere | None
    drawing: Sphere | None
    box: Box
    always_2d: bool = False


@dataclass(frozen=True, eq=False)
class Body:
    """A Setup."""

    did: int
    meshes: tuple[Mesh | None, ...]
    placements: dict[int, tuple[Frame, ...]]
    holdings: dict[int, tuple[int, Frame]] = field(default_factory=dict)
    cylinders: tuple[Sphere, ...] = ()
    spheres: tuple[Sphere, ...] = ()
    sorting: Sphere = ((0.0, 0.0, 0.0), 1.0)
    lights: tuple[Frame, ...] = ()

    @property
    def has_physics_bsp(self) -> bool:
        return any(mesh is not None and mesh.physics is not None for mesh in self.meshes)


@dataclass(eq=False)
class Part:
    index: int
    mesh: Mesh | None
    frame: Frame = HERE
    drawn: bool = True

    def sphere(self) -> Sphere | None:
        """The physics sphere, else the drawing sphere (S4); a null part has neither."""
        if self.mesh is None:
            return None
        return self.mesh.physics or self.mesh.drawing


@dataclass(eq=False)
class Light:
    owner: Obj
    index: int
    offset: Frame
    cell: Cell | None = None
    frame: Frame = HERE


@dataclass(eq=False)
class PartArray:
    body: Body
    parts: list[Part]
    cell_id: int = 0
    lights: list[Light] = field(default_factory=list)
    pose: tuple[Frame, ...] | None = None

    def place(self, key: int) -> bool:
        """SetPlacementFrame: the key, else key 0, else none."""
        self.pose = self.body.placements.get(key, self.body.placements.get(0))
        return self.pose is not None


@dataclass(eq=False)
class Held:
    """One row of a child list; the frame is a copy made at attach."""

    child: Obj
    frame: Frame
    part: int
    location: int


@dataclass(eq=False)
class Obj:
    """A physics object; `slot` is only a name that the other program knows it by."""

    slot: int
    state: int = DEFAULT_STATE
    scale: float = 1.0
    part_array: PartArray | None = None
    cell: Cell | None = None
    objcell_id: int = 0
    frame: Frame = HERE
    parent: Obj | None = None
    children: list[Held] = field(default_factory=list)
    shadows: list[Shadow] = field(default_factory=list)
    transient: int = 0
    missed: bool = False
    deadline: float | None = None
    authored: bool = False
    """From a manifest of a block or an env cell."""

    @property
    def emitter(self) -> bool:
        return bool(self.state & PARTICLE_EMITTER)

    @property
    def body(self) -> Body | None:
        return self.part_array.body if self.part_array is not None else None

    def root(self) -> Obj:
        found = self
        while found.parent is not None:
            found = found.parent
        return found

    def path_spheres(self) -> list[Sphere]:
        """At most two of the Setup's spheres, scaled; else the dummy sphere (3.6, 5.1)."""
        if self.body is None or not self.body.spheres:
            return [DUMMY]
        return [
            ((c[0] * self.scale, c[1] * self.scale, c[2] * self.scale), r * self.scale)
            for c, r in self.body.spheres[:2]
        ]


def make_obj(slot: int, body: Body | None, *, dynamic: bool, scale: float) -> Obj:
    """makeObject: placement Resting, the identity pushed into the parts."""
    state = DEFAULT_STATE | (0 if dynamic else STATIC)
    obj = Obj(slot, state, scale)
    if body is not None:
        obj.part_array = PartArray(body, [Part(i, mesh) for i, mesh in enumerate(body.meshes)])
        if body.has_physics_bsp:
            obj.state |= HAS_PHYSICS_BSP
        make_lights(obj)
        obj.part_array.place(RESTING)
    return obj


def make_lights(obj: Obj) -> None:
    """The part array's lights exist while LIGHTING_ON is set."""
    if obj.part_array is not None:
        wanted = obj.part_array.body.lights if obj.state & LIGHTING_ON else ()
        obj.part_array.lights = [Light(obj, i, frame) for i, frame in enumerate(wanted)]


def push_frame(obj: Obj) -> None:
    """part_array.SetFrame: a part without a row in the pose keeps its frame; lights follow."""
    array = obj.part_array
    if array is None or obj.emitter:
        return
    if array.pose is not None:
        for part, frame in zip(array.parts, array.pose, strict=False):
            part.frame = combine(obj.frame, frame, obj.scale)
    push_lights(obj)


def push_lights(obj: Obj) -> None:
    if obj.part_array is not None:
        for light in obj.part_array.lights:
            light.frame = combine(obj.frame, light.offset)


def set_frame(obj: Obj, frame: Frame) -> None:
    """CPhysicsObj::set_frame @0x00514108: the parts, then the children."""
    obj.frame = frame
    push_frame(obj)
    update_children(obj)


def update_children(obj: Obj) -> None:
    """UpdateChildrenInternal: needs a part array."""
    if obj.part_array is not None:
        for held in obj.children:
            update_child(obj, held)


def update_child(obj: Obj, held: Held) -> None:
    """C13: a frame, never a cell."""
    parts = obj.part_array.parts if obj.part_array is not None else []
    base = parts[held.part].frame if held.part < len(parts) else obj.frame
    set_frame(held.child, combine(base, held.frame))


def set_nodraw(obj: Obj, on: bool) -> None:
    obj.state = obj.state | NODRAW if on else obj.state & ~NODRAW
    if obj.part_array is not None:
        for part in obj.part_array.parts:
            part.drawn = not on


def set_hidden(obj: Obj, on: bool) -> None:
    """E10: no list is touched."""
    if on:
        obj.state |= HIDDEN | IGNORE_COLLISIONS
        obj.state &= ~REPORT_COLLISIONS
    else:
        obj.state &= ~(HIDDEN | IGNORE_COLLISIONS)
        obj.state |= REPORT_COLLISIONS
    for held in obj.children:
        set_nodraw(held.child, on)
