"""The baker: a recipe (readable text) made into a true DAT set, the same bytes everywhere.

`bake.bake_recipe` is the face, `schema` is the language, `docs/recipes.md` explains
it. Everything that decides bytes uses integer hashes and + - * / and square roots only.
"""
