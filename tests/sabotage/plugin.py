"""For the child process: break what the mutation says, run its test, tell which statement failed.

`python -m pytest -p sabotage.plugin TEST` with SABOTAGE set to the mutation's number in the table
(-1 breaks nothing). A line `SABOTAGE {json}` a failure: its statement, its message, its kind.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sabotage.table import mutations

MARK = "SABOTAGE "


def pytest_configure(config: pytest.Config) -> None:
    number = int(os.environ["SABOTAGE"])
    if number >= 0:
        for patch in mutations()[number].patches:
            patch.run()


def statement(file: Path, line: int) -> str:
    """The smallest statement of a file that holds a line, on one line."""
    text = file.read_text(encoding="utf-8")
    best: ast.stmt | None = None
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            if best is None or node.lineno >= best.lineno:
                best = node
    if isinstance(best, ast.With):
        return " ".join(ast.unparse(item) for item in best.items)
    return " ".join((ast.get_source_segment(text, best) or "").split()) if best is not None else ""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[None]:
    yield
    if call.excinfo is None:
        return
    here = Path(str(item.path)).resolve()
    lines = [e.lineno + 1 for e in call.excinfo.traceback if Path(str(e.path)).resolve() == here]
    told = {
        "test": item.nodeid,
        "when": call.when,
        "statement": statement(here, lines[-1]) if lines else "",
        "kind": call.excinfo.type.__name__,
        "message": str(call.excinfo.value)[:2000],
    }
    reporter = item.config.pluginmanager.getplugin("terminalreporter")
    reporter.ensure_newline()
    reporter.write_line(MARK + json.dumps(told))
