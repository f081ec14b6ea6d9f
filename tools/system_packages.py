"""What the system must have beside Python: GL through EGL and GLX, and glfw's libraries.

For the tests also a display without a screen, a window manager, and hands for its keys.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys

from console import say, shown

# Debian's packages by what needs them.
DEBIAN = {
    "run": [
        *("libegl1", "libgl1", "libgl1-mesa-dri"),
        *("libxcursor1", "libxi6", "libxinerama1", "libxrandr2"),
    ],
    "test": ["xvfb", "xauth", "openbox", "xdotool"],
}
OTHER_LINUX = {
    "dnf": "dnf install mesa-libEGL mesa-libGL mesa-dri-drivers libXcursor libXi libXinerama "
    "libXrandr",
    "pacman": "pacman -S mesa libglvnd libxcursor libxi libxinerama libxrandr",
    "zypper": "zypper install libEGL1 libGL1 Mesa-dri libXcursor1 libXi6 libXinerama1 libXrandr2",
    "apk": "apk add mesa-egl mesa-gl mesa-dri-gallium libxcursor libxi libxinerama libxrandr",
}


def system_packages(purposes: list[str]) -> list[str]:
    """Install what the system lacks, or say how; what is still missing."""
    if not sys.platform.startswith("linux"):
        return []
    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        return _other_linux()
    missing = debian_missing(purposes)
    if not missing:
        return []
    line = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(missing)}"
    if os.geteuid() != 0:
        say(f"the system lacks {', '.join(missing)}; as root: {line}")
        return missing
    say(f"installing system packages: {' '.join(missing)}")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-q"],
        ["apt-get", "install", "-y", "-q", "--no-install-recommends", *missing],
    ):
        code, text = shown(command, "system packages", env=env)
        if code:
            last = next((t for t in reversed(text) if t.startswith("E:")), text[-1] if text else "")
            say(f"{' '.join(command[:2])} failed ({last}); by hand: {line}")
            break
    importlib.invalidate_caches()
    return debian_missing(purposes)


def debian_missing(purposes: list[str]) -> list[str]:
    """Which of the Debian packages are not installed."""
    wanted = [name for purpose in purposes for name in DEBIAN[purpose]]
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *wanted],
        capture_output=True,
        text=True,
        check=False,
    )
    there = {
        words[0]
        for line in done.stdout.splitlines()
        if (words := line.split())[1:] == ["installed"]
    }
    missing = [name for name in wanted if name not in there]
    if importlib.util.find_spec("ensurepip") is None:
        missing.insert(0, venv_package())
    return missing


def venv_package() -> str:
    """The Debian package that gives this interpreter `venv`."""
    return f"python3.{sys.version_info[1]}-venv"


def _other_linux() -> list[str]:
    missing = []
    for name in ("libEGL.so.1", "libGL.so.1"):
        try:
            ctypes.CDLL(name)
        except OSError:
            missing.append(name)
    if missing:
        line = next((text for tool, text in OTHER_LINUX.items() if shutil.which(tool)), "")
        how = f"as root: {line}" if line else "install your system's Mesa packages (EGL, GL, DRI)"
        say(f"the system lacks {', '.join(missing)}; {how}")
    return missing
