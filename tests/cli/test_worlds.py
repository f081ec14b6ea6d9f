"""`--world`: what it takes, when it bakes, and what it says to everything else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from acclient_py import paths
from acclient_py.bake import bake, files
from acclient_py.cli import worlds
from acclient_py.errors import AcclientError, DataError, UsageError


class Baker:
    """Stands in for the baker: counts, writes one file, fails when told to."""

    def __init__(self) -> None:
        self.baked: list[str] = []
        self.fails: BaseException | None = None

    def bake_recipe(self, recipe: Path, folder: Path, *, progress: object = None) -> None:
        (folder / "half").write_text("half", encoding="utf-8")
        if self.fails:
            raise self.fails
        self.baked.append(recipe.name)
        (folder / "client_portal.dat").write_text(recipe.read_text(), encoding="utf-8")


@pytest.fixture
def baker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Baker:
    made = Baker()
    monkeypatch.setenv(paths.ROOT_VARIABLE, str(tmp_path / "root"))
    monkeypatch.delenv(worlds.VARIABLE, raising=False)
    monkeypatch.setattr(bake, "bake_recipe", made.bake_recipe)
    monkeypatch.setattr(files, "recipe_files", lambda recipe: [recipe])
    return made


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "hut.toml"
    path.write_text("a = 1", encoding="utf-8")
    return path


@pytest.mark.contract("I1")
def test_a_recipe_is_baked_once_until_it_or_the_baker_changes(
    baker: Baker, recipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: leave `baker_key` out of `recipe_key`; the last assertion fails."""
    first = worlds.world_folder(recipe)
    assert worlds.world_folder(str(recipe)) == first
    assert baker.baked == ["hut.toml"]
    recipe.write_text("a = 2", encoding="utf-8")
    second = worlds.world_folder(recipe)
    assert (second / "client_portal.dat").read_text() == "a = 2"
    monkeypatch.setattr(worlds, "baker_key", lambda: "another baker")
    assert len({first, second, worlds.world_folder(recipe)}) == 3
    assert first.is_relative_to(paths.worlds_dir())


@pytest.mark.contract("I1")
def test_an_interrupted_bake_leaves_nothing_that_could_be_a_world(
    baker: Baker, recipe: Path
) -> None:
    """Sabotage: bake into the final folder; the first assertion fails."""
    baker.fails = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        worlds.world_folder(recipe)
    assert [path.name for path in paths.worlds_dir().iterdir() if path.is_dir()] == []
    baker.fails = None
    assert (worlds.world_folder(recipe) / "client_portal.dat").is_file()


def test_worlds_that_nobody_opened_for_a_month_are_deleted(baker: Baker, recipe: Path) -> None:
    old = worlds.world_folder(recipe)
    os.utime(old, (1.0, 1.0))
    recipe.write_text("a = 2", encoding="utf-8")
    new = worlds.world_folder(recipe)
    assert not old.exists()
    assert new.is_dir()


def test_bakes_of_a_name_that_were_killed_are_deleted_by_the_next(
    baker: Baker, recipe: Path
) -> None:
    """Sabotage: leave them for a month; a killed set-up keeps its half world."""
    worlds_dir = paths.worlds_dir()
    left = f"hut-{'0' * 16}.12.baking"
    others = [f"two-hut-{'0' * 16}.12.baking", f"hut-two-{'0' * 16}.12.baking"]
    for name in (left, *others):
        (worlds_dir / name).mkdir(parents=True)
    worlds.world_folder(recipe)
    assert [name for name in (left, *others) if (worlds_dir / name).exists()] == others


@pytest.mark.contract("I1")
def test_a_folder_is_taken_as_it_is_and_the_variable_is_the_default(
    baker: Baker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "dats"
    folder.mkdir()
    assert worlds.world_folder(str(folder)) == folder
    monkeypatch.setenv(worlds.VARIABLE, str(folder))
    assert worlds.world_folder() == folder
    assert baker.baked == []


@pytest.mark.contract("I1")
def test_demo_is_the_demo_world_whatever_folders_stand_here(
    baker: Baker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: let a folder of that name win; somebody's own world is taken for the demo."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").mkdir()
    assert worlds.world_folder() == worlds.world_folder("demo")
    assert baker.baked == ["world.toml"]
    assert worlds.world_folder("./demo") == Path("demo")


@pytest.mark.contract("I2")
@pytest.mark.parametrize("portal", ["empty", "text", "folder", "block size", "none"])
def test_a_damaged_set_is_one_line_with_path_and_reason(portal: str, tmp_path: Path) -> None:
    """DAT-09. Sabotage: let open_world return an empty set on DataError."""
    folder = tmp_path / "dats"
    folder.mkdir()
    at = folder / "client_portal.dat"
    if portal == "folder":
        at.mkdir()
    elif portal != "none":
        header = bytearray(0x400)
        header[0x140:0x144] = b"BT\0\0"
        header[0x144:0x148] = (7).to_bytes(4, "little")
        at.write_bytes({"empty": b"", "text": b"hello\n" * 99, "block size": bytes(header)}[portal])
    with pytest.raises(DataError, match=r"dats.*client_portal\.dat") as caught:
        worlds.open_world(folder)
    assert "\n" not in str(caught.value)
    if "dat" in _commands():
        done = subprocess.run(
            [sys.executable, "-m", "acclient_py", "dat", "info", str(folder)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert str(folder) in done.stderr
        assert len(done.stderr.splitlines()) == 1


def _commands() -> list[str]:
    from acclient_py.cli.main import group

    return group.list_commands(None)  # type: ignore[arg-type]


@pytest.mark.contract("I2")
def test_what_is_no_world_says_what_would_be(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such world; name 'demo'"):
        worlds.open_world(tmp_path / "nowhere")
    (tmp_path / "a.dat").touch()
    with pytest.raises(UsageError, match="is a file, not a folder; name the folder"):
        worlds.open_world(tmp_path / "a.dat")
    with pytest.raises(AcclientError, match=r"client_portal\.dat"):
        worlds.open_world(tmp_path)
