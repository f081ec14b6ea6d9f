"""Each clause of C, S, E, L and T broken by name; the right assertion has to fail (E18)."""

from __future__ import annotations

import re

import pytest
from sabotage.runner import CAUGHT, run, unbroken
from sabotage.table import REPO, mutations

OPEN = re.compile(r"[CSELT]\d+$")
"""Clauses that the table must cover; fixtures such as SF1 belong to the clause they show."""

THIS_LANE = frozenset({"E18"})


def test_every_clause_has_a_mutation() -> None:
    """Sabotage: take a clause's rows out of the table; it is listed."""
    text = (REPO / "tests" / "data" / "clauses.txt").read_text(encoding="utf-8")
    clauses = {word for word in text.split() if OPEN.match(word)} - THIS_LANE
    assert sorted(clauses - {mutation.clause for mutation in mutations()}) == []


def test_every_mutation_still_applies() -> None:
    """Sabotage: change a line that a fragment names; the mutation is listed."""
    stale = [f"{m.clause} {m.name}: {reason}" for m in mutations() if (reason := m.stale())]
    assert stale == []


def _body(text: str, name: str) -> str:
    return re.split(r"\n(?=@pytest\.|def |class )", text.partition(f"def {name}(")[2])[0]


def test_every_mutation_names_a_test_and_a_statement_of_it() -> None:
    """Sabotage: rename a test; the mutation is listed."""
    lost = []
    for mutation in mutations():
        file, _, name = mutation.test.partition("::")
        text = (REPO / file).read_text(encoding="utf-8")
        body = _body(text, name.partition("[")[0])
        helpers = [n for n in re.findall(r"^def (\w+)\(", text, re.M) if f"{n}(" in body]
        told = body + "".join(_body(text, helper) for helper in helpers)
        if "".join(mutation.fails.split()) not in "".join(told.split()):
            lost.append(f"{mutation.clause} {mutation.name}: {mutation.fails}")
    assert lost == []


@pytest.mark.lane("sabotage")
@pytest.mark.contract("E18")
@pytest.mark.timeout(0)
def test_each_broken_clause_is_caught_by_its_own_assertion(pytestconfig: pytest.Config) -> None:
    """The table is printed; a survivor or a wrong assertion is listed at the end."""
    say = pytestconfig.pluginmanager.getplugin("terminalreporter").write_line
    assert unbroken(mutations()) is None
    bad = [verdict.line() for verdict in run(say) if verdict.result != CAUGHT]
    assert bad == []
