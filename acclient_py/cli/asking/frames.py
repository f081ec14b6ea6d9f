"""Questions about frames: combine, subtract1, l2g, heading, setheading and so on."""

from __future__ import annotations

from acclient_py.cli.asking import (
    Answer,
    AskWorld,
    need,
    number,
    numbers,
    read_frame,
    read_id,
    read_number,
    read_numbers,
    verb,
)
from acclient_py.core import frame, geom

_PROBE = (1.0, 2.0, 3.0)
_CYLINDER_A = (0.5, 1.8)
_CYLINDER_B = (0.75, 2.0)


@verb("combine")
def combine(_world: AskWorld, words: list[str]) -> Answer:
    """`combine A B`: B seen from outside A."""
    need(words, 14, "combine FRAME FRAME")
    out = frame.identity()
    frame.combine(read_frame(words[:7]), read_frame(words[7:]), 1.0, 1.0, 1.0, out)
    return {"frame": numbers(out)}


@verb("subtract1")
def subtract1(_world: AskWorld, words: list[str]) -> Answer:
    """`subtract1 A B`: what combined with B gives A."""
    need(words, 14, "subtract1 FRAME FRAME")
    out = frame.identity()
    frame.subtract1(read_frame(words[:7]), read_frame(words[7:]), out)
    return {"frame": numbers(out)}


@verb("l2g")
def l2g(_world: AskWorld, words: list[str]) -> Answer:
    """`l2g F v`: a point and a direction out of a frame, and into it."""
    need(words, 10, "l2g FRAME X Y Z")
    f = read_frame(words[:7])
    x, y, z = read_numbers(words[7:])
    return {
        "v": numbers(frame.local_to_global(f, x, y, z)),
        "vec": numbers(frame.local_to_global_vec(f, x, y, z)),
        "g2l": numbers(frame.global_to_local(f, x, y, z)),
        "g2lvec": numbers(frame.global_to_local_vec(f, x, y, z)),
    }


@verb("heading")
def heading(_world: AskWorld, words: list[str]) -> Answer:
    """`heading F`: where a frame looks."""
    f = read_frame(words)
    return {"heading": number(frame.get_heading(f)), "vec": numbers(frame.get_vector_heading(f))}


@verb("setheading")
def setheading(_world: AskWorld, words: list[str]) -> Answer:
    """`setheading deg`: a level frame turned to a heading."""
    need(words, 1, "setheading DEGREES")
    f = frame.identity()
    frame.set_heading(f, read_number(words[0]))
    return {"frame": numbers(f)}


@verb("setvecheading")
def setvecheading(_world: AskWorld, words: list[str]) -> Answer:
    """`setvecheading v`: a level frame turned to look along a direction."""
    need(words, 3, "setvecheading X Y Z")
    f = frame.identity()
    x, y, z = read_numbers(words)
    frame.set_vector_heading(f, x, y, z)
    return {"frame": numbers(f)}


@verb("interprot")
def interprot(_world: AskWorld, words: list[str]) -> Answer:
    """`interprot A B t`: A's origin with a rotation between the two."""
    need(words, 15, "interprot FRAME FRAME T")
    a, b = read_frame(words[:7]), read_frame(words[7:14])
    frame.interpolate_rotation(a, b, read_number(words[14]), a)
    return {"frame": numbers(a)}


@verb("dist")
def dist(_world: AskWorld, words: list[str]) -> Answer:
    """`dist cell A cell B`: offset, distance, heading; a point of B for A; two cylinders."""
    need(words, 16, "dist ID FRAME ID FRAME")
    id_a, id_b = read_id(words[0]), read_id(words[8])
    a, b = read_frame(words[1:8]), read_frame(words[9:])
    dx, dy, dz = frame.get_offset(id_a, a, id_b, b)
    return {
        "distance": number(frame.get_distance(id_a, a, id_b, b)),
        "heading": number(frame.vector_heading_deg(dx, dy)),
        "offset": numbers((dx, dy, dz)),
        "l2g": numbers(frame.point_to_block(id_a, id_b, b, *_PROBE)),
        "l2l": numbers(frame.point_to_frame(id_a, a, id_b, b, *_PROBE)),
        "cyl": number(geom.cylinder_distance(*_CYLINDER_A, a[2], *_CYLINDER_B, b[2], dx, dy)),
    }
