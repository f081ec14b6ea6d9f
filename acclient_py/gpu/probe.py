"""One way to an OpenGL context, tried and reported: `python -m acclient_py.gpu.probe egl`.

A process of its own for each way: a driver that crashes takes only the probe down, and EGL and GLX
do not share a process. One JSON object on standard output.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from acclient_py.errors import AcclientError
from acclient_py.gpu.device import Device

WINDOW_PLATFORMS: Final = {
    "x11": "PLATFORM_X11",
    "wayland": "PLATFORM_WAYLAND",
    "win32": "PLATFORM_WIN32",
    "cocoa": "PLATFORM_COCOA",
}


def facts(device: Device) -> dict[str, Any]:
    """What the context says of itself."""
    info = device.ctx.info
    return {
        "vendor": info["GL_VENDOR"],
        "renderer": info["GL_RENDERER"],
        "version": info["GL_VERSION"],
        "level": device.version,
        "samples": int(device.ctx.max_samples),
        "software": device.software,
        "multi_draw": device.multi_draw,
    }


def offscreen() -> dict[str, Any]:
    """A context without a window."""
    with Device.offscreen() as device:
        return facts(device)


def window(platform: str) -> dict[str, Any]:
    """A hidden window of that system, with a GL 3.3 core context."""
    import ctypes

    import glfw

    glfw.ERROR_REPORTING = "raise"
    kind = getattr(glfw, WINDOW_PLATFORMS[platform], None)
    if kind is not None and hasattr(glfw, "PLATFORM"):
        glfw.init_hint(glfw.PLATFORM, kind)
    if not glfw.init():
        raise OSError("glfw does not start")
    try:
        glfw.window_hint(glfw.CONTEXT_VERSION_MAJOR, 3)
        glfw.window_hint(glfw.CONTEXT_VERSION_MINOR, 3)
        glfw.window_hint(glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE)
        glfw.window_hint(glfw.OPENGL_FORWARD_COMPAT, True)
        glfw.window_hint(glfw.VISIBLE, False)
        made = glfw.create_window(64, 64, "acclient", None, None)
        glfw.make_context_current(made)

        def address_of(name: str) -> int:
            return ctypes.cast(glfw.get_proc_address(name), ctypes.c_void_p).value or 0

        with Device.from_window(address_of) as device:
            return facts(device)
    finally:
        glfw.terminate()


def main(way: str) -> int:
    """Probe, print, and exit 0 when there is a context."""
    try:
        answer = {"ok": True, **(offscreen() if way == "egl" else window(way))}
    except AcclientError as error:
        answer = {"ok": False, "error": error.what}
    except Exception as error:  # noqa: BLE001 - whatever a driver or glfw says is the answer
        answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(answer) + "\n")
    return 0 if answer["ok"] else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
