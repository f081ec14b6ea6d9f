"""What `acclient doctor` finds out: Python, packages, graphics, display, tools and data.

Each finding is a `Finding`; nothing here prints. What could crash or hang (drivers, broken binary
packages) is tried in a child process with a time limit.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from acclient_py import __version__, paths
from acclient_py.errors import AcclientError

OK: Final = "ok"
NOTE: Final = "note"  # could be better, nothing needs it
MISSING: Final = "missing"  # the program cannot do its work

SYSTEM: str = sys.platform  # not asked directly: mypy would take the other systems for dead code
SECONDS: Final = 30
IMPORT_NAMES: Final = {
    "pillow": "PIL",
    "imgui-bundle": "imgui_bundle",
    "imageio-ffmpeg": "imageio_ffmpeg",
}
EXTRAS: Final = {
    "ui": "overlays and menus in the window",
    "video": "recordings as video",
    "export": "export of models",
}
APT: Final = (
    "apt-get install -y --no-install-recommends libegl1 libgl1 libgl1-mesa-dri "
    "libxcursor1 libxi6 libxinerama1 libxrandr2"
)

# Where installers of the retail client put it, on Windows and below a Wine prefix's drive C.
RETAIL_ON_C: Final = (
    "Turbine/Asheron's Call",
    "Program Files (x86)/Turbine/Asheron's Call",
    "Program Files/Turbine/Asheron's Call",
    "Program Files (x86)/Microsoft Games/Asheron's Call",
    "Program Files/Microsoft Games/Asheron's Call",
    "Games/Asheron's Call",
    "AC",
)
WINE_PREFIXES: Final = (
    ".wine/drive_c",
    "Games/*/drive_c",
    ".local/share/lutris/prefixes/*/drive_c",
    ".local/share/bottles/bottles/*/drive_c",
    ".var/app/com.usebottles.bottles/data/bottles/bottles/*/drive_c",
    "Library/Application Support/CrossOver/Bottles/*/drive_c",
    ".PlayOnLinux/wineprefix/*/drive_c",
)
HOME_FOLDERS: Final = ("ac", "AC", "asheronscall", "Asheron's Call", "Games/ac", "Games/AC")


class Finding(Struct, frozen=True):
    """One thing that was looked at.

    part : what it is about, e.g. "graphics"
    mend : the command or step that mends it
    """

    part: str
    name: str
    state: str
    text: str
    mend: str = ""


def python_and_system() -> Iterator[Finding]:
    yield Finding("program", "acclient", OK, __version__)
    yield Finding("program", "files", OK, str(paths.data_root()))
    version = f"{platform.python_implementation()} {platform.python_version()}"
    good = platform.python_implementation() == "CPython" and sys.version_info >= (3, 11)
    yield Finding("program", "python", OK if good else MISSING, f"{version}, {sys.executable}")
    yield Finding("program", "system", OK, f"{platform.platform()}, {os.cpu_count()} cores")
    cache = paths.cache_dir()
    if paths.can_write(cache):
        yield Finding("program", "cache", OK, str(cache))
    else:
        mend = f"set {paths.ROOT_VARIABLE} to a folder that can be written"
        yield Finding("program", "cache", NOTE, f"{cache} cannot be written", mend)


def packages() -> Iterator[Finding]:
    """Every requirement of the program: its version, and whether it can be imported."""
    wanted: dict[str, str] = {}
    for line in metadata.requires("acclient-py") or []:
        named = re.match(r"[A-Za-z0-9_.-]+", line)
        asked = re.search(r"extra\s*==\s*['\"](\w+)['\"]", line)
        if named and (asked is None or asked[1] in EXTRAS):
            wanted[named[0].lower()] = asked[1] if asked else ""
    broken = _import_errors([IMPORT_NAMES.get(name, name) for name in wanted])
    for name, extra in wanted.items():
        use = f" ({EXTRAS[extra]})" if extra else ""
        absent = NOTE if extra else MISSING
        mend = f"{sys.executable} -m pip install {name}"
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Finding("packages", name, absent, f"not installed{use}", mend)
            continue
        why = broken.get(IMPORT_NAMES.get(name, name), "")
        if why:
            mend = f"{sys.executable} -m pip install --force-reinstall {name}=={version}"
            yield Finding("packages", name, absent, f"{version} cannot be imported: {why}", mend)
        else:
            yield Finding("packages", name, OK, f"{version}{use}")


def _import_errors(names: list[str]) -> dict[str, str]:
    """Those of the modules that cannot be imported, with the reason; one child for each chance."""
    left, errors = list(names), {}
    code = (
        "import sys, importlib\n"
        "for name in sys.argv[1:]:\n"
        "    print(name, flush=True)\n"
        "    try: importlib.import_module(name)\n"
        "    except BaseException as e: print('!', ' '.join(str(e).split())[:200], flush=True)\n"
    )
    while left:
        done = _child([sys.executable, "-c", code, *left])
        tried = [line for line in done.stdout.splitlines() if not line.startswith("!")]
        lines = done.stdout.splitlines()
        for line, after in zip(lines, [*lines[1:], ""], strict=True):
            if after.startswith("! "):
                errors[line] = after[2:]
        if done.returncode == 0 or not tried:
            break
        errors[tried[-1]] = _ended(done)
        left = left[left.index(tried[-1]) + 1 :]
    return errors


def _child(
    command: list[str], env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"no answer in {SECONDS} s")


def _ended(done: subprocess.CompletedProcess[str]) -> str:
    """How a child without an answer ended."""
    if done.returncode < 0:
        return f"crashed (signal {-done.returncode})"
    last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
    return last[0][:200]


def ways_to_a_context() -> list[tuple[str, str, dict[str, str]]]:
    """Name, probe and environment of each way to a context that this system may have."""
    if SYSTEM == "win32":
        return [("window (Windows)", "win32", {})]
    if SYSTEM == "darwin":
        return [("window (macOS)", "cocoa", {})]
    ways: list[tuple[str, str, dict[str, str]]] = [("EGL, offscreen", "egl", {})]
    if os.environ.get("WAYLAND_DISPLAY"):
        ways.append(("window (Wayland)", "wayland", {"PYGLFW_LIBRARY_VARIANT": "wayland"}))
    if os.environ.get("DISPLAY"):
        ways.append(("window (X11, GLX)", "x11", {"PYGLFW_LIBRARY_VARIANT": "x11"}))
    return ways


def graphics() -> Iterator[Finding]:
    """Each way to an OpenGL context, tried for true."""
    tried: list[str] = []
    found = False
    for name, probe, env in ways_to_a_context():
        done = _child([sys.executable, "-m", "acclient_py.gpu.probe", probe], env)
        answer = _answer(done)
        if answer.get("ok"):
            found = True
            kind = ", in software" if answer["software"] else ""
            text = f"{answer['renderer']}{kind}; {answer['version']}; {answer['samples']} samples"
            path = "multi-draw" if answer["multi_draw"] else "plain path"
            yield Finding("graphics", name, OK, f"{text}; {path}")
        else:
            why = str(answer.get("error") or _ended(done))
            tried.append(f"{name}: {why}")
            yield Finding("graphics", name, NOTE, why)
    if not found:
        # case GLP-01: one message that names what was tried, and the next step
        text = f"none to be had; tried {'; '.join(tried) or 'nothing: no display is set'}"
        yield Finding("graphics", "OpenGL 3.3", MISSING, text, _mend_graphics())


def _answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    for line in reversed(done.stdout.splitlines()):
        try:
            answer = json.loads(line)
        except ValueError:
            continue
        if isinstance(answer, dict):
            return answer
    return {}


def _mend_graphics() -> str:
    if SYSTEM.startswith("linux"):
        vendor = os.environ.get("__EGL_VENDOR_LIBRARY_FILENAMES")
        if vendor and not all(Path(name).is_file() for name in vendor.split(":")):
            return f"unset __EGL_VENDOR_LIBRARY_FILENAMES ({vendor} does not exist)"
        if shutil.which("apt-get"):
            return APT
        return "install your system's Mesa packages (EGL, GL, DRI)"
    return "install the graphics driver of the machine's maker"


def display() -> Iterator[Finding]:
    if SYSTEM in ("win32", "darwin"):
        yield Finding("display", "window system", OK, platform.system())
        return
    names = ("WAYLAND_DISPLAY", "DISPLAY", "XDG_SESSION_TYPE")
    said = ", ".join(f"{name}={os.environ[name]}" for name in names if os.environ.get(name))
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY"):
        yield Finding("display", "window system", OK, said)
    else:
        text = "none: acclient view draws the demo walk into pictures instead"
        yield Finding("display", "window system", NOTE, text, "xvfb-run acclient (or a desktop)")


def tools() -> Iterator[Finding]:
    compiler = shutil.which("gcc")
    text = compiler or "not there (yardsticks of acclient bench)"
    yield Finding("tools", "gcc", OK if compiler else NOTE, text)
    encoder = shutil.which("ffmpeg")
    if encoder is None and find_spec("imageio_ffmpeg"):
        encoder = "the one of imageio-ffmpeg"
    text = encoder or "not there (recordings as video)"
    yield Finding("tools", "ffmpeg", OK if encoder else NOTE, text)


def retail_folders() -> list[Path]:
    """Folders with a `client_portal.dat` among the places where retail is usually installed."""
    home = Path.home()
    roots = [home / name for name in HOME_FOLDERS]
    drives = [drive for pattern in WINE_PREFIXES for drive in _glob(home, pattern)]
    if SYSTEM == "win32":
        drives += [Path(f"{letter}:/") for letter in "CDEFG"]
    roots += [drive / place for drive in drives for place in RETAIL_ON_C]
    found: dict[Path, Path] = {}
    for root in roots:
        if _portal(root):
            found.setdefault(root.resolve(), root)
    return list(found.values())


def _glob(home: Path, pattern: str) -> list[Path]:
    try:
        return sorted(home.glob(pattern))
    except OSError:
        return []


def _portal(folder: Path) -> bool:
    try:
        return any(file.name.lower() == "client_portal.dat" for file in folder.iterdir())
    except OSError:
        return False


def data() -> Iterator[Finding]:
    """The demo world, the world of ACCLIENT_WORLD, and what retail data lies about."""
    from acclient_py.cli import worlds

    try:
        recipe = worlds.demo_recipe()
        yield Finding("data", "demo world", OK, str(recipe.parent))
    except AcclientError as error:
        yield Finding("data", "demo world", MISSING, error.what, error.do or "")
    named = os.environ.get(worlds.VARIABLE)
    places = [(worlds.VARIABLE, Path(named))] if named and Path(named).is_dir() else []
    places += [("retail", folder) for folder in retail_folders()]
    for name, folder in places:
        yield _world(name, folder)
    if not places:
        text = "none in the usual folders; the demo world needs none"
        yield Finding("data", "retail", NOTE, text, "acclient --world FOLDER uses your own")


def _world(name: str, folder: Path) -> Finding:
    from acclient_py.dat.dataset import DatSet

    try:
        with DatSet.open(folder) as dats:
            files = ", ".join(
                f"{dat.path.name} {dat.path.stat().st_size >> 20} MiB"
                for dat in dats.files().values()
            )
    except AcclientError as error:
        return Finding("data", name, NOTE, str(error))
    return Finding("data", name, OK, f"{folder}: {files}", f'acclient --world "{folder}"')


def examine() -> Iterator[Finding]:
    """Everything, in the order in which it is shown."""
    for part in (python_and_system, packages, display, graphics, tools, data):
        yield from part()
