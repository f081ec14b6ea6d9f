"""The baker: a recipe (readable text) made into a true DAT set, the same bytes everywhere.

`bake_recipe` is the face; `acclient_py.bake.schema` is the language, `docs/recipes.md` explains
it. Everything that decides bytes uses integer hashes and + - * / and square roots only.
"""

from __future__ import annotations

from acclient_py.bake.bake import BakedWorld, bake_recipe
from acclient_py.bake.recipe import recipe_files

BAKE_VERSION = 1
"""Raised when the same recipe gives other bytes than before."""

__all__ = ["BAKE_VERSION", "BakedWorld", "bake_recipe", "recipe_files"]
