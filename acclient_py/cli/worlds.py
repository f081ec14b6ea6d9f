"""`--world`: the demo, a folder of DAT files or a recipe, opened as one DAT set (I1).

A world made from a recipe is baked into the cache on first use, under a name that carries the hash
of all that it is made from, and put in place whole: an interrupted bake leaves nothing behind that
could be taken for a world. Worlds that nobody opened for a month are deleted.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

import acclient_py
from acclient_py import paths
from acclient_py.errors import DataError, UsageError
from acclient_py.locks import one_at_a_time

if TYPE_CHECKING:
    from acclient_py.dat.dataset import DatSet

DEMO: Final = "demo"
VARIABLE: Final = "ACCLIENT_WORLD"
RECIPE_SUFFIXES: Final = (".toml", ".json")

_KEEP_DAYS: Final = 30


def world_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """The option `--world` of every command that opens one."""
    option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
        "--world",
        default=DEMO,
        show_default=True,
        envvar=VARIABLE,
        metavar="WORLD",
        help="'demo', a folder with client_portal.dat and client_cell_1.dat, or a recipe file.",
    )
    return option(function)


def open_world(spec: str | os.PathLike[str] | None = None) -> DatSet:
    """Open a world by its name: `demo` (a folder of that name is `./demo`), a folder of DAT files,
    or a recipe file.

    None takes ACCLIENT_WORLD, else the demo. Bakes with a progress bar when it must. Raises
    UsageError for what is none of the three, DataError for a damaged one.
    """
    # contract: I1
    from acclient_py.dat.dataset import DatSet

    return DatSet.open(world_folder(spec))


def world_folder(spec: str | os.PathLike[str] | None = None) -> Path:
    """The folder of DAT files of a world; bakes it first when it must."""
    named = os.fspath(spec) if spec is not None else os.environ.get(VARIABLE) or DEMO
    path = Path(named).expanduser()
    if named == DEMO:
        return baked(demo_recipe(), DEMO)
    if path.is_dir():
        return path
    if path.is_file() and path.suffix.lower() in RECIPE_SUFFIXES:
        return baked(path, path.stem)
    if path.is_file():
        raise UsageError(
            "is a file, not a folder",
            where=path,
            do=f"name the folder of the DAT files, or a recipe ({', '.join(RECIPE_SUFFIXES)})",
        )
    raise UsageError(
        "no such world", where=named, do="name 'demo', a folder of DAT files or a recipe file"
    )


def demo_recipe() -> Path:
    """The recipe of the demo world, as shipped."""
    recipe = paths.recipes() / DEMO / "world.toml"
    if not recipe.is_file():
        raise DataError("the demo world's recipe is missing", file=recipe, do="install again")
    return recipe


def baked(recipe: Path, name: str) -> Path:
    """The folder of the DAT set of `recipe` in the cache, baked now if it is not there."""
    worlds = paths.worlds_dir()
    worlds.mkdir(parents=True, exist_ok=True)
    folder = worlds / f"{name}-{recipe_key(recipe)[:16]}"
    if not folder.is_dir():
        with one_at_a_time(worlds / f"{name}.lock", waiting=_waiting):
            if not folder.is_dir():
                _bake(recipe, folder, name)
                _forget_old(worlds, folder, name)
    with contextlib.suppress(OSError):
        os.utime(folder)
    return folder


def recipe_key(recipe: Path) -> str:
    """A hash of all that a world is made from: the recipe, what it includes, and the baker."""
    from acclient_py.bake.files import recipe_files

    digest = hashlib.sha256(baker_key().encode())
    for file in recipe_files(recipe):
        digest.update(b"\0" + file.read_bytes())
    return digest.hexdigest()


def baker_key() -> str:
    """A hash of the sources that a bake runs through: no number that somebody must remember."""
    package = Path(acclient_py.__file__).parent
    digest = hashlib.sha256()
    for folder in ("bake", "core", "dat"):
        for file in sorted((package / folder).rglob("*.py")):
            digest.update(b"\0" + file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _bake(recipe: Path, folder: Path, name: str) -> None:
    """Bake beside the place, then move the whole there."""
    from acclient_py.bake.bake import bake_recipe
    from acclient_py.cli.progress import progress

    beside = folder.with_name(f"{folder.name}.{os.getpid()}.baking")
    try:
        beside.mkdir()
        with progress(f"baking the world '{name}' (once)") as report:
            bake_recipe(recipe, beside, progress=report)
        beside.rename(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _waiting() -> None:
    click.echo("acclient: another process is baking this world; waiting for it", err=True)


def _forget_old(worlds: Path, keep: Path, name: str) -> None:
    """Delete the worlds that nobody opened for a month, and broken-off bakes of this name.

    Its lock is held, so that no bake of the name is under way.
    """
    oldest = time.time() - _KEEP_DAYS * 86400
    broken_off = re.compile(rf"{re.escape(name)}-[0-9a-f]{{16}}\.\d+\.baking")
    for folder in worlds.iterdir():
        with contextlib.suppress(OSError):
            old = broken_off.fullmatch(folder.name) or folder.stat().st_mtime < oldest
            if old and folder.is_dir() and folder != keep:
                shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """`python -m acclient_py.cli.worlds [WORLD]`: have the world ready, and print where it is."""
    from acclient_py.cli.main import guarded

    spec = sys.argv[1] if len(sys.argv) > 1 else DEMO
    return guarded(lambda: click.echo(str(world_folder(spec))))


if __name__ == "__main__":
    raise SystemExit(main())
