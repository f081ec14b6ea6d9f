"""Where everything lies: shaders and assets that are shipped; config, caches, worlds that are not.

Shipped data stands in `_data` inside an installed package, in the repository root otherwise. What
the program writes goes where the system wants such things, or all under one folder when
`--root DIR` or ACCLIENT_ROOT names it. Nobody else builds such a path. Nothing is made on disk
before something is to be written there.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import Final

from acclient_py.errors import AcclientError
from acclient_py.log import warn_once

APP: Final = "acclient"
ROOT_VARIABLE: Final = "ACCLIENT_ROOT"

_PACKAGE: Final = Path(__file__).resolve().parent


def set_root(folder: str | Path) -> None:
    """Keep everything under `folder` from now on, child processes included."""
    os.environ[ROOT_VARIABLE] = str(Path(folder).expanduser().absolute())


def root() -> Path | None:
    """The one folder that holds everything, when the user named one."""
    named = os.environ.get(ROOT_VARIABLE)
    return Path(named).expanduser().absolute() if named else None


# What is shipped.


def data_root() -> Path:
    """The folder that holds `shaders` and `assets`."""
    shipped = _PACKAGE / "_data"
    return shipped if shipped.is_dir() else _PACKAGE.parent


def shaders() -> Path:
    return data_root() / "shaders"


def assets() -> Path:
    return data_root() / "assets"


def recipes() -> Path:
    return assets() / "recipes"


def scenarios() -> Path:
    return assets() / "scenarios"


def keymaps() -> Path:
    return assets() / "keymaps"


# What is written.


def config_dir() -> Path:
    """Settings and keymaps of the user's own."""
    named = root()
    if named:
        return named / "config"
    import platformdirs

    return Path(platformdirs.user_config_dir(APP, appauthor=False))


def cache_dir() -> Path:
    """Baked worlds and compiled kernels: may be deleted at any time."""
    named = root()
    if named:
        return named / "cache"
    import platformdirs

    return Path(platformdirs.user_cache_dir(APP, appauthor=False))


def pictures_dir() -> Path:
    """Screenshots and recordings."""
    named = root()
    if named:
        return named / "pictures"
    import platformdirs

    return Path(platformdirs.user_pictures_dir()) / APP


def state_dir() -> Path:
    """Recorded scenarios and frames."""
    named = root()
    if named:
        return named / "state"
    import platformdirs

    return Path(platformdirs.user_state_dir(APP, appauthor=False))


def worlds_dir() -> Path:
    """Worlds baked on first use."""
    return usable_cache_dir() / "worlds"


def kernels_dir() -> Path:
    """Compiled kernels."""
    return usable_cache_dir() / "kernels"


def can_write(folder: Path) -> bool:
    """Make `folder` if need be and try to write in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def usable_cache_dir() -> Path:
    """`cache_dir()`, or a private temporary folder when that cannot be written (NUM-01)."""
    wanted = cache_dir()
    if can_write(wanted):
        return wanted
    if root():
        raise AcclientError(
            "cannot write there", where=wanted, do=f"choose another --root (or {ROOT_VARIABLE})"
        )
    instead = _temporary_cache()
    warn_once(
        ("cache", str(wanted)),
        "%s cannot be written; caches go to %s (set %s to choose a place)",
        wanted,
        instead,
        ROOT_VARIABLE,
    )
    return instead


def _temporary_cache() -> Path:
    """A cache below the temporary folder that only this user can write: code is loaded from it."""
    uid = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"{APP}-{uid}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        info = folder.lstat()
        own = not hasattr(os, "getuid") or (
            info.st_uid == uid and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        )
        if stat.S_ISDIR(info.st_mode) and own and can_write(folder):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix=f"{APP}-"))


def describe() -> dict[str, Path]:
    """Name and place of everything, for `acclient --paths`."""
    return {
        "shaders": shaders(),
        "assets": assets(),
        "recipes": recipes(),
        "scenarios": scenarios(),
        "config": config_dir(),
        "cache": cache_dir(),
        "worlds": cache_dir() / "worlds",
        "kernels": cache_dir() / "kernels",
        "pictures": pictures_dir(),
        "state": state_dir(),
    }
