"""Shader programs from the files in `shaders/`, with includes and switches.

`#include "lib/x.glsl"` is replaced by that file; each name in `defines` becomes a `#define` after
the version line. Every file is `#version 330 core`.
"""

from __future__ import annotations

import re
from typing import Any

from acclient_py import paths
from acclient_py.errors import GpuError
from acclient_py.gpu.device import Device

_INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"\s*$', re.MULTILINE)


def source(name: str, defines: tuple[str, ...] = ()) -> str:
    """The text of shader file `name` as the driver gets it."""
    text = _read(name)
    text = _INCLUDE.sub(lambda match: _read(match.group(1)), text)
    version, rest = text.split("\n", 1)
    assert version.startswith("#version 330"), f"{name}: {version}"
    return "\n".join([version, *(f"#define {word}" for word in defines), rest])


def _read(name: str) -> str:
    path = paths.shaders() / name
    try:
        return path.read_text(encoding="utf-8")
    except OSError as why:
        raise GpuError(
            f"shader cannot be read ({why.strerror})", where=path, do="install the package again"
        ) from why


def build(device: Device, vertex: str, fragment: str, defines: tuple[str, ...] = ()) -> Any:
    """Compile and link; an error names the files."""
    try:
        return device.ctx.program(
            vertex_shader=source(vertex, defines), fragment_shader=source(fragment, defines)
        )
    except GpuError:
        raise
    except Exception as why:
        first = str(why).strip().replace("\n", " ")
        raise GpuError(f"does not compile: {first}", where=f"{vertex}, {fragment}") from why


def bind_samplers(device: Device, program: Any, units: dict[str, int]) -> None:
    """Point samplers at texture units; what the driver dropped is left out.

    By pointer, since moderngl has no setter for buffer samplers.
    """
    raw = device.raw
    raw.use_program(program.glo)
    for name, unit in units.items():
        location = raw.uniform_location(program.glo, name.encode())
        if location >= 0:
            raw.uniform_1i(location, unit)
