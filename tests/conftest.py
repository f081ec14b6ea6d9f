"""What all tests share: the folder beside the repository, markers, hypothesis profiles.

`shared` is the folder beside a developer's checkout with the contract, the specification and the
golden answers of other programs; tests that need it are skipped where it is absent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from builders.hosts import Story

REPO = Path(__file__).resolve().parents[1]
LANES = ("kernels", "gl", "docs", "sabotage", "fuzz", "soak", "robots")

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", settings.get_profile("ci"), max_examples=2000)
settings.register_profile("explore", deadline=None, derandomize=False, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

BEGIN_WITH = ("test_packaging.py", "test_layers.py")
"""Files of minutes: begun last, one worker would wait for them alone."""

MARKERS = {
    "contract(*ids)": "proves these clauses of the contract",
    "slow": "takes more than a few seconds; part of the suite",
    "retail": "needs retail DAT files in ACCLIENT_WORLD; run with -m retail",
    "compiled": "minutes without the compiler; the kernels' run without it leaves it out",
    "in_children": "about child processes, the same on any terms; the kernels' runs leave it out",
    "once": "about the whole repository, so run in one worker only",
    "lane(name)": f"in a long lane ({', '.join(LANES)}): tools/test.py --lane NAME",
}


def shared_folder() -> Path | None:
    """The shared folder, if there is one."""
    named = os.environ.get("ACCLIENT_SHARED")
    folder = Path(named) if named else REPO.parent / "shared"
    return folder if (folder / "contract").is_dir() else None


def clause_ids() -> frozenset[str]:
    """The ids of all clauses, as listed in `tests/data/clauses.txt`."""
    text = (REPO / "tests" / "data" / "clauses.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


@pytest.fixture
def told() -> Iterator[Story]:
    """A story in the world of the doll, in which nobody is yet."""
    from builders.hosts import story

    with story() as begun:
        yield begun


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder, or a skip."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("no shared folder beside the repository")
    return folder


@pytest.fixture(scope="session")
def repo() -> Path:
    """The repository's root."""
    return REPO


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-pictures", action="store_true", help="rewrite the golden pictures")
    parser.addoption("--lane", default=None, choices=LANES, help="run this long lane only")
    parser.addoption("--seed", type=int, default=1, help="of a long lane that draws cases")
    parser.addoption("--count", type=int, default=2000, help="how many cases such a lane draws")
    parser.addoption("--minutes", type=float, default=10.0, help="of game time a robot walks")


def pytest_configure(config: pytest.Config) -> None:
    for marker, text in MARKERS.items():
        config.addinivalue_line("markers", f"{marker}: {text}")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Check the clause ids of all marks; keep long lanes and retail tests out unless asked for."""
    known = clause_ids()
    wanted = config.getoption("--lane")
    asked = config.getoption("-m") or ""
    kept, dropped = [], []
    for item in items:
        for mark in item.iter_markers("contract"):
            wrong = [i for i in mark.args if i not in known]
            if wrong or not mark.args:
                raise pytest.UsageError(f"{item.nodeid}: no such clause: {wrong or 'none named'}")
        lanes = {name for mark in item.iter_markers("lane") for name in mark.args}
        if not lanes <= set(LANES):
            raise pytest.UsageError(f"{item.nodeid}: no such lane: {sorted(lanes - set(LANES))}")
        if item.get_closest_marker("once"):
            item.add_marker(pytest.mark.xdist_group("once"))
        retail = item.get_closest_marker("retail") is not None and "retail" not in asked
        (kept if (wanted in lanes if wanted else not lanes) and not retail else dropped).append(
            item
        )
    if dropped:
        config.hook.pytest_deselected(items=dropped)
    items[:] = sorted(kept, key=lambda item: item.path.name not in BEGIN_WITH)
