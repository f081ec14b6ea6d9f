"""`kernel` and its cache: what is compiled, when, and where the machine code is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.compiled import run

from acclient_py.kernels import DISABLED

HELPER = """
from __future__ import annotations
STEP = 2.0
def twice(x):
    return x * STEP
def four_times(x):
    return twice(twice(x))
"""

USER = """
from __future__ import annotations
import numpy as np
from acclient_py.kernels import kernel
from helper import four_times
four_times = kernel(four_times)

@kernel(warm=lambda: fill(np.zeros(2, np.float32), 1.0))
def fill(out, x):
    for i in range(out.shape[0]):
        out[i] = four_times(x)
"""

MAIN = """
import sys, numpy as np
import user
from acclient_py import kernels
kernels.warm()
out = np.zeros(3, np.float32)
user.fill(out, 1.5)
print(out.tolist(), kernels.compiled_count(), "numba" in sys.modules)
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text(HELPER, encoding="utf-8")
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    return tmp_path


def result(folder: Path, **env: str | None) -> str:
    done = run(folder, MAIN, ACCLIENT_ROOT=str(folder / "root"), **env)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.in_children
@pytest.mark.skipif(DISABLED, reason="needs the compiler")
def test_second_start_compiles_nothing_and_an_edit_of_a_helper_elsewhere_compiles_again(
    sources: Path,
) -> None:
    """Sabotage: leave the keys of named kernels out of `_key`; the last assertion fails."""
    cold = result(sources)
    assert cold.startswith("[6.0, 6.0, 6.0]")
    assert int(cold.split()[3]) >= 1
    assert result(sources).split()[3] == "0"
    helper = sources / "helper.py"
    helper.write_text(HELPER.replace("STEP = 2.0", "STEP = 3.0"), encoding="utf-8")
    assert result(sources).startswith("[13.5, 13.5, 13.5]")


def test_without_the_compiler_kernels_are_plain_functions_and_numba_is_not_imported(
    sources: Path,
) -> None:
    assert result(sources, NUMBA_DISABLE_JIT="1") == "[6.0, 6.0, 6.0] 0 False"


@pytest.mark.in_children
@pytest.mark.skipif(DISABLED, reason="needs the compiler")
@pytest.mark.parametrize("home", [None, "/nonexistent/home"])
def test_starts_without_a_home(sources: Path, home: str | None) -> None:
    """NUM-01: no HOME, or one that cannot be made: caches go elsewhere, with one warning."""
    code = "import acclient_py.paths as p\np.cache_dir = lambda: p.Path('/proc/none')\n" + MAIN
    done = run(sources, code, HOME=home, XDG_CACHE_HOME=None)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[6.0, 6.0, 6.0]")
    assert len([line for line in done.stderr.splitlines() if "cannot be written" in line]) == 1


@pytest.mark.in_children
@pytest.mark.skipif(DISABLED, reason="needs the compiler")
def test_starts_when_no_place_at_all_can_be_written(sources: Path) -> None:
    """NUM-01: the machine code is not kept, and one warning says so."""
    code = "import acclient_py.paths as p\np.can_write = lambda folder: False\n" + MAIN
    done = run(sources, code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[6.0, 6.0, 6.0]")
    assert "compiled anew at each start" in done.stderr


EXERCISE = """
import numpy as np
from acclient_py import kernels
kernels.say_each_compilation(print)
import user, second
second.fill(np.zeros(3), 1.5)
kernels.mark_exercised()
"""

PARENT = """
import sys, numpy as np
import user, second
from acclient_py import kernels
seen = []
command = [sys.executable, "-B", "exercise.py"]
print(kernels.exercised(), kernels.warm(lambda *row: seen.append(row), exercise=command))
print(kernels.exercised(), kernels.compiled_names(), seen[-1], len(seen))
second.fill(np.zeros(3), 1.5)
print(kernels.compiled_names())
"""


@pytest.mark.in_children
@pytest.mark.skipif(DISABLED, reason="needs the compiler")
def test_after_an_exercise_in_a_child_nothing_that_it_did_is_compiled_here(sources: Path) -> None:
    """Sabotage: leave no mark when a kernel is called; the last line of the first run stays []
    by the cache, but `seen` shows one kernel less.
    """
    second = USER.replace("warm=lambda: fill(np.zeros(2, np.float32), 1.0)", "")
    (sources / "second.py").write_text(second, encoding="utf-8")
    (sources / "exercise.py").write_text(EXERCISE, encoding="utf-8")
    done = run(sources, PARENT, ACCLIENT_ROOT=str(sources / "root"))
    assert done.returncode == 0, done.stderr
    # the child compiled second.fill and the two helpers; user.fill has a sample of its own
    assert done.stdout.splitlines() == [
        "False 1",
        "True ['user.fill'] (2, 2, '') 6",
        "['user.fill']",
    ]
    done = run(sources, PARENT, ACCLIENT_ROOT=str(sources / "root"))
    assert done.stdout.splitlines() == ["True 0", "True [] (2, 2, '') 3", "[]"]
    (sources / "second.py").write_text(second + "\n# edited", encoding="utf-8")
    done = run(sources, PARENT, ACCLIENT_ROOT=str(sources / "root"))
    assert done.stdout.splitlines()[0] == "False 0"


ROWS = """
import numpy as np
from acclient_py.kernels import kernel
ROW = np.dtype([("x", "<f4"), ("v", "<i4", 3)])

@kernel
def one(row, by):
    row.x += by
    row.v[1] = 7

@kernel
def all_rows(rows):
    for i in range(rows.shape[0]):
        one(rows[i], np.float32(i))

rows = np.zeros(3, ROW)
all_rows(rows)
one(rows[2], np.float32(0.5))
print(rows["x"].tolist(), rows["v"][:, 1].tolist())
"""


@pytest.mark.parametrize("disabled", ["0", "1"])
def test_rows_have_fields_as_attributes_and_are_written_in_place(
    tmp_path: Path, disabled: str
) -> None:
    (tmp_path / "rows.py").write_text(ROWS, encoding="utf-8")
    done = run(
        tmp_path, "import rows", NUMBA_DISABLE_JIT=disabled, ACCLIENT_ROOT=str(tmp_path / "root")
    )
    assert done.stdout == "[0.0, 1.0, 2.5] [7, 7, 7]\n", done.stderr
