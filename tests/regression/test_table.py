"""The page about these scenes names every row, and tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROWS = {f"R{n}" for n in range(1, 33)} | {
    "ORD-01", "ORD-03", "ORD-04", "ORD-06", "ORD-08", "POR-01", "POR-03", "POR-04", "POR-08",
    "TER-05",
}  # fmt: skip


@pytest.mark.once
def test_every_row_has_a_test_that_is_there(repo: Path) -> None:
    """Sabotage: rename a test of a row; its name is not found."""
    page = (repo / "docs" / "regression.md").read_text("utf-8")
    table = page[page.index("| row |") :].splitlines()[2:]
    named: dict[str, list[str]] = {}
    for line in table:
        rows, _, tests = (cell.strip() for cell in line.strip("|").split("|"))
        for row in rows.split(", "):
            named.setdefault(row, []).extend(re.findall(r"`(test_\w+)`", tests))
    assert set(named) == ROWS
    assert all(named.values())
    code = "".join(file.read_text("utf-8") for file in sorted((repo / "tests").rglob("test_*.py")))
    known = set(re.findall(r"def (test_\w+)\(", code))
    assert {name for names in named.values() for name in names} <= known
