"""A display of its own for the tests that open a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from builders.desk import Desk, window_manager, x_server


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server without a window manager."""
    with x_server() as number:
        yield number


@pytest.fixture
def desk(display: str, tmp_path: Path) -> Iterator[Desk]:
    """The display with a window manager and hands."""
    made = Desk(display, tmp_path)
    with window_manager(display, tmp_path):
        yield made
