"""`acclient bake`: a finished set, one line for a fault, the schema."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOMS = """
[[room]]
name = "a"
block = "0101"
at = [20, 20, 0]
[[room]]
name = "b"
block = "0101"
at = [26, 20, 0]
[[door]]
rooms = ["a", "b"]
"""


def acclient(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "acclient_py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_recipe_becomes_a_set_that_check_finds_whole(tmp_path: Path) -> None:
    recipe = tmp_path / "rooms.toml"
    recipe.write_text(ROOMS, encoding="utf-8")
    done = acclient("bake", recipe, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "2 env cells" in done.stdout
    assert acclient("dat", "check", tmp_path / "out").returncode == 0
    names = json.loads((tmp_path / "out" / "names.json").read_text())
    assert names["cells"] == {"a": "0x01010100", "b": "0x01010101"}


@pytest.mark.contract("I2")
def test_a_fault_is_one_line_and_exit_2(tmp_path: Path) -> None:
    recipe = tmp_path / "rooms.toml"
    recipe.write_text(ROOMS.replace("rooms =", "romms ="), encoding="utf-8")
    done = acclient("bake", recipe, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = [x for x in done.stderr.splitlines() if "error" in x]
    assert line == (
        f"acclient: error: {recipe}: door[0]: unknown key 'romms'; did you mean 'rooms'?"
    )
    assert not (tmp_path / "out").exists()
    assert acclient("bake", tmp_path / "none.toml", "-o", tmp_path / "out").returncode == 2
    assert acclient("bake").returncode == 2


def test_the_schema_is_printed() -> None:
    done = acclient("bake", "--schema")
    assert done.returncode == 0
    assert json.loads(done.stdout)["title"] == "acclient world recipe"
