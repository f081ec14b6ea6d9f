"""The whole repository: formatting, lint, types, layers. Each is run as a contributor runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

BIN = Path(sys.executable).parent
LAYERED = Path(__file__).resolve().parents[1] / "acclient_py"


def check(*command: str, repo: Path) -> None:
    """The command says nothing against the repository."""
    done = subprocess.run(
        [str(BIN / command[0]), *command[1:]], cwd=repo, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_formatted(repo: Path) -> None:
    check("ruff", "format", "--check", ".", repo=repo)


def test_linted(repo: Path) -> None:
    check("ruff", "check", "--no-fix", ".", repo=repo)


def test_typed(repo: Path) -> None:
    check("mypy", repo=repo)


def test_layers_import_only_what_lies_below(repo: Path) -> None:
    """Sabotage: import acclient_py.render in order/painter.py."""
    check("lint-imports", repo=repo)


def test_every_package_has_its_place_among_the_layers(repo: Path) -> None:
    """A new folder beside the others must be given a line in pyproject.toml."""
    import tomllib

    config = tomllib.loads((repo / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = config["tool"]["importlinter"]["contracts"]
    [layers] = [c["layers"] for c in contracts if c["type"] == "layers"]
    named = {name.strip("() ") for line in layers for name in line.split("|")}
    there = {path.parent.name for path in LAYERED.glob("*/__init__.py")}
    assert there - {"gpu", "_data"} == named


def test_no_module_has_two_subjects(repo: Path) -> None:
    """400 lines are the alarm; a kernel that must be flat may reach 800."""
    long = []
    for path in LAYERED.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        limit = (
            800 if "acclient_py.kernels import" in text or path.parent.name == "kernels" else 400
        )
        if len(text.splitlines()) > limit:
            long.append(f"{path.relative_to(repo)}: {len(text.splitlines())}")
    assert long == []
