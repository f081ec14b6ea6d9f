"""`acclient bake RECIPE -o DIR`: makes a DAT set from a world recipe."""

from __future__ import annotations

from pathlib import Path

import click

from acclient_py.cli.progress import progress


@click.command(short_help="Make a DAT set from a world recipe.")
@click.argument("recipe", type=click.Path(path_type=Path), required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder that receives client_portal.dat and client_cell_1.dat.",
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of recipes and stop.")
def command(recipe: Path | None, output: Path | None, *, schema: bool) -> None:
    """Make a DAT set from RECIPE (TOML or JSON; docs/recipes.md has the language).

    The same recipe gives the same bytes on every machine. names.json beside the DAT files says
    which id every name got.
    """
    from acclient_py.errors import UsageError

    if schema:
        from acclient_py.bake.schema.recipe import schema_text

        click.echo(schema_text(), nl=False)
        return
    if recipe is None or output is None:
        raise UsageError("a recipe and a folder are needed", do="acclient bake RECIPE -o DIR")
    from acclient_py.bake.bake import bake_recipe

    with progress(f"baking {recipe.name}") as report:
        world = bake_recipe(recipe, output, progress=report)
    click.echo(f"{world.folder}: {len(world.ids)} names, {len(world.cells)} env cells")
