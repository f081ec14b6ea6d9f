"""Fixture worlds: recipes baked once and kept, `baked('two_rooms')` gives the finished set.

Worlds lie in a temporary folder under a key of the recipe's and the baker's sources, so a second
test run finds them there and a change makes them anew.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from acclient_py import paths
from acclient_py.bake.bake import BakedWorld, bake_recipe
from acclient_py.bake.files import recipe_files
from acclient_py.dat.dataset import DatSet

REPO = Path(__file__).resolve().parents[2]
TINY = REPO / "assets" / "recipes" / "tiny"


@cache
def baked(name: str) -> BakedWorld:
    """The world of a recipe in assets/recipes/tiny (by bare name), or of TOML text."""
    text = "\n" in name
    recipe: Path | str = name if text else TINY / f"{name}.toml"
    digest = hashlib.sha256()
    for file in _sources(recipe):
        digest.update(str(file.name).encode() + b"\0" + file.read_bytes())
    digest.update(name.encode())
    label = "text" if text else name
    user = os.getuid() if hasattr(os, "getuid") else 0
    kept = Path(tempfile.gettempdir()) / f"acclient-worlds-{user}"
    folder = kept / f"{label}-{digest.hexdigest()[:16]}"
    if not (folder / "names.json").is_file():
        beside = kept / f"{folder.name}.{os.getpid()}"
        bake_recipe(recipe, beside)
        try:
            beside.rename(folder)
        except OSError:  # another process was quicker
            shutil.rmtree(beside, ignore_errors=True)
    return BakedWorld.open(folder)


def opened(name: str) -> DatSet:
    """The DAT set of a fixture world."""
    return DatSet.open(baked(name).folder)


def _sources(recipe: Path | str) -> list[Path]:
    files = sorted((REPO / "acclient_py" / "bake").rglob("*.py"))
    files += sorted((REPO / "acclient_py" / "dat").rglob("*.py"))
    if isinstance(recipe, Path):
        return files + recipe_files(recipe)
    return files + sorted((paths.recipes() / "base").glob("*.toml"))
