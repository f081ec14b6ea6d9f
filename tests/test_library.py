"""The library's face: names that load on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import acclient_py


@pytest.mark.contract("I9")
def test_every_name_of_the_face_is_there_and_importing_it_loads_nothing() -> None:
    code = (
        "import sys, acclient_py; print([m for m in sys.modules if m.startswith('acclient_py.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    for name in acclient_py.__all__:
        value = getattr(acclient_py, name)
        assert name.startswith("__") or value.__doc__
    with pytest.raises(AttributeError, match="nothing_like_it"):
        acclient_py.nothing_like_it  # noqa: B018
