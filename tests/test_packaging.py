"""The wheel: built, installed into an empty folder, run from another one, without the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.once, pytest.mark.slow]

HATCHLING = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
PIP = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet", "--target"]


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**{k: v for k, v in os.environ.items() if not k.startswith("ACCLIENT")}, **env},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repo = Path(__file__).resolve().parents[1]
    folder = tmp_path_factory.mktemp("wheel")
    run(*HATCHLING, folder, cwd=repo)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel; its packages come from the environment of the tests."""
    target = tmp_path_factory.mktemp("target")
    run(*PIP, target, wheel, cwd=target)
    return target


def shipped(repo: Path) -> set[str]:
    """All files of `shaders` and `assets`, as they must lie in the wheel."""
    return {
        f"acclient_py/_data/{path.relative_to(repo).as_posix()}"
        for folder in ("shaders", "assets")
        for path in (repo / folder).rglob("*")
        if path.is_file() and path.name != ".gitkeep"
    }


def test_the_wheel_holds_shaders_assets_sources_and_the_licence(wheel: Path, repo: Path) -> None:
    """Sabotage: take force-include out of pyproject.toml."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert shipped(repo) <= names
    sources = {path.relative_to(repo).as_posix() for path in (repo / "acclient_py").rglob("*.py")}
    assert sources <= names
    assert "acclient_py/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith(("tests/", "tools/")) for name in names)


def test_the_command_runs_from_an_empty_folder(installed: Path, tmp_path: Path, repo: Path) -> None:
    script = script_of(installed)
    env = {"PYTHONPATH": str(installed), "ACCLIENT_ROOT": str(tmp_path / "root")}
    where = run(
        sys.executable, "-c", "import acclient_py; print(acclient_py.__file__)", cwd=tmp_path, **env
    )
    assert Path(where.strip()).is_relative_to(installed)
    assert run(script, "--version", cwd=tmp_path, **env).startswith("acclient ")
    kept = run(script, "--paths", cwd=tmp_path, **env)
    places = {
        name: Path(rest.strip()) for name, _, rest in (x.partition(" ") for x in kept.splitlines())
    }
    for name in ("shaders", "assets", "recipes", "scenarios"):
        assert places[name].is_relative_to(installed / "acclient_py" / "_data")
    assert not any(tmp_path.iterdir())


def script_of(installed: Path) -> Path:
    return installed / "bin" / ("acclient.exe" if os.name == "nt" else "acclient")


WALK = {
    "schema": "acclient/scenario/1",
    "world": "world",
    "steps": [
        {"do": "create", "guid": "0x50000001", "setup": "0x02000001", "player": True,
         "at": {"cell": "0x7F7F003C", "origin": [190.0, 90.0, 20.0]}},
        {"do": "walk", "guid": "0x50000001", "heading": 90.0, "seconds": 2.0},
        {"do": "checkpoint", "name": "over the border",
         "expect": [{"path": "objects.0x50000001.cell", "equals": "0x807F0004"}]},
    ],
}  # fmt: skip


def test_a_world_is_baked_and_walked_without_the_checkout(installed: Path, tmp_path: Path) -> None:
    """Without the compiler, which would take a minute for this one walk.

    Sabotage: leave `assets` out of the wheel.
    """
    env = {
        "PYTHONPATH": str(installed),
        "ACCLIENT_ROOT": str(tmp_path / "root"),
        "NUMBA_DISABLE_JIT": "1",
    }
    script = script_of(installed)
    recipe = installed / "acclient_py" / "_data" / "assets" / "recipes" / "tiny" / "doll.toml"
    run(script, "bake", recipe, "-o", "world", cwd=tmp_path, **env)
    (tmp_path / "walk.json").write_text(json.dumps(WALK), encoding="utf-8")
    [line] = run(script, "run", "walk.json", cwd=tmp_path, **env).splitlines()
    assert json.loads(line)["checkpoint"] == "over the border"


@pytest.mark.lane("docs")
def test_the_demo_world_is_baked_and_walked_from_nothing(installed: Path, tmp_path: Path) -> None:
    """The headless walk over borders, from the wheel alone; minutes, since all is compiled too."""
    env = {"PYTHONPATH": str(installed), "ACCLIENT_ROOT": str(tmp_path / "root")}
    lines = run(script_of(installed), "run", "border_walk", cwd=tmp_path, **env).splitlines()
    assert len(lines) > 2
    assert all(line.startswith("{") for line in lines)
