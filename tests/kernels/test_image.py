"""The image: the machine code of many kernels in one file, made from their own files."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest
from builders.compiled import run

from acclient_py.kernels import DISABLED

pytestmark = [
    pytest.mark.in_children,
    pytest.mark.skipif(DISABLED, reason="needs the compiler"),
]

MODULE = """
from __future__ import annotations
import numpy as np
from acclient_py.kernels import kernel

def third(x):
    return x / 3.0

@kernel
def total(values):
    found = 0.0
    for value in values:
        found += third(value)
    return found

@kernel
def doubled(values):
    made = np.empty_like(values)
    for i in range(len(values)):
        made[i] = 2 * values[i]
    return made

@kernel
def refused(value):
    if value < 0:
        raise ValueError("below nothing")
    return value

@kernel
def of_doubled(values):
    return total(doubled(values))
"""

USE = """
import numpy as np
import module
from acclient_py import kernels
kernels.warm()
values = np.arange(6, dtype=np.float64)
print(module.total(values), module.doubled(values).tolist(), module.refused(2))
try:
    module.refused(-1)
except ValueError as error:
    print(error)
print(kernels.compiled_names())
"""

TWO_THREADS = """
import faulthandler, threading
import module
from acclient_py.kernels import _loading

def look(at):
    at.total._cache.cache_path
    done.set()

faulthandler.dump_traceback_later(60, exit=True)
inside, done = threading.Event(), threading.Event()
class Lock:
    def __enter__(self):
        inside.set()
        own.acquire()
    def __exit__(self, *exc):
        own.release()
lock = _loading.global_compiler_lock
own, _loading.global_compiler_lock = lock._lock, Lock()
with lock:
    threading.Thread(target=look, args=(module,), daemon=True).start()
    inside.wait()
    module.doubled._cache.cache_path
done.wait()
print("both")
"""

RESULT = "5.0 [0.0, 2.0, 4.0, 6.0, 8.0, 10.0] 2\nbelow nothing\n"

NO_FILES = """
from numba.core.caching import IndexDataCacheFile
def refuse(*args):
    raise AssertionError("a kernel's own file is read")
IndexDataCacheFile._load_index = IndexDataCacheFile._load_data = refuse
"""

COUNT_FILES = """
from numba.core.caching import IndexDataCacheFile
read, load_data = [], IndexDataCacheFile._load_data
def counted(self, name):
    read.append(name.partition("-")[0])
    return load_data(self, name)
IndexDataCacheFile._load_data = counted
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with the module; two starts have been made: one compiled, one wrote the image."""
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    assert say(tmp_path, USE) == f"{RESULT}['module.doubled', 'module.refused', 'module.total']\n"
    assert images(tmp_path) == []
    assert say(tmp_path, USE) == f"{RESULT}[]\n"
    assert len(images(tmp_path)) == 1
    return tmp_path


def say(folder: Path, code: str) -> str:
    done = run(folder, code, ACCLIENT_ROOT=str(folder / "root"))
    assert done.returncode == 0, done.stderr
    return done.stdout


def images(folder: Path) -> list[Path]:
    return sorted((folder / "root").rglob("*.image"))


def test_all_comes_from_the_image_and_no_file_of_a_kernel_is_read(sources: Path) -> None:
    """Sabotage: `load` gives False always; a file is read.

    What allocates and what raises works without the runtime that numba compiles at a start.
    """
    assert say(sources, NO_FILES + USE) == f"{RESULT}[]\n"


def test_a_damaged_image_is_made_anew(sources: Path) -> None:
    """Sabotage: no digest is compared; unpickling, or worse the linker, fails."""
    (image,) = images(sources)
    whole = image.read_bytes()
    for damaged in (b"", whole[:100], whole[:-1], whole[:5000] + b"\0" + whole[5001:]):
        image.write_bytes(damaged)
        assert say(sources, USE) == f"{RESULT}[]\n"
        assert len(images(sources)) == 1
        assert say(sources, NO_FILES + USE) == f"{RESULT}[]\n"


@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
def test_a_damaged_file_of_a_kernel_is_made_anew(tmp_path: Path, kind: str) -> None:
    """Sabotage: suppress what was suppressed; unpickling ends the start, this one and the next."""
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    say(tmp_path, USE)
    (cut,) = (tmp_path / "root").rglob(f"module.total-{kind}")
    cut.write_bytes(cut.read_bytes()[:-3])
    assert say(tmp_path, USE) == f"{RESULT}['module.total']\n"
    assert say(tmp_path, USE) == f"{RESULT}[]\n"
    assert say(tmp_path, NO_FILES + USE) == f"{RESULT}[]\n"


def test_no_image_is_made_while_a_kernels_file_is_missing(tmp_path: Path) -> None:
    """As while another process compiles it: numba names a file before it writes it.

    Sabotage: let what `save` raises through; the start ends there.
    """
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    say(tmp_path, USE)
    (gone,) = (tmp_path / "root").rglob("module.total-*.nbc")
    gone.unlink()
    assert say(tmp_path, USE) == f"{RESULT}['module.total']\n"
    assert images(tmp_path) == []
    assert say(tmp_path, USE) == f"{RESULT}[]\n"
    assert say(tmp_path, NO_FILES + USE) == f"{RESULT}[]\n"


def test_an_image_of_another_layout_is_not_read(sources: Path) -> None:
    """Sabotage: leave the module's own hash out of the name; rows of other fields are taken."""
    other = """
    from acclient_py.kernels import _making
    own = _making.file_hash
    _making.file_hash = lambda file: own(file) + "another" * file.endswith("_image.py")
    """
    assert say(sources, textwrap.dedent(other) + USE) == f"{RESULT}[]\n"
    assert len(images(sources)) == 2


def test_a_new_form_of_a_kernel_is_in_the_next_image(sources: Path) -> None:
    """Sabotage: name the image after the keys alone; the third start reads the kernel's file."""
    more = USE + "print(module.total(np.ones(3, np.float32)), kernels.compiled_names())\n"
    (before,) = images(sources)
    assert say(sources, more).endswith("1.0 ['module.total']\n")
    assert say(sources, more).endswith("1.0 []\n")
    (after,) = images(sources)
    assert after != before, "the old one went"
    assert say(sources, NO_FILES + more).endswith("1.0 []\n")


def test_who_calls_a_kernel_of_the_image_is_compiled_with_that_kernels_own_file(
    sources: Path,
) -> None:
    """Sabotage: `_get_module_for_linking` gives an empty module; the symbol is not found."""
    more = USE + "print(module.of_doubled(values), sorted(read))\n"
    assert say(sources, COUNT_FILES + more).endswith("10.0 ['module.doubled', 'module.total']\n")


def test_an_edit_makes_another_image(sources: Path) -> None:
    """Sabotage: leave the kernels' keys out of the name; the old sum comes."""
    module = sources / "module.py"
    for text, wanted in ((MODULE, "5.0 "), (MODULE.replace("x / 3.0", "x / 5.0"), "3.0 ")):
        module.write_text(text, encoding="utf-8")
        assert say(sources, USE).startswith(wanted)
        at_one_time(sources)
        assert say(sources, USE).startswith(wanted)
        assert say(sources, NO_FILES + USE).startswith(wanted)


def at_one_time(folder: Path) -> None:
    """Give all marks one time, as if all was called in the same instant."""
    for mark in (folder / "root").rglob("called"):
        os.utime(mark, (1e9, 1e9))


def test_what_nobody_used_for_a_month_goes(sources: Path) -> None:
    """Sabotage: leave images out; or delete what is in use. Looked after once a day."""
    kernels = sources / "root/cache/kernels"
    names = "0123456789abcdef0123", "0-1.image", "0-2.image.77", "exercised.json"
    old = [kernels / name for name in names]
    old[0].mkdir()
    for path in old[1:]:
        path.write_text("old", encoding="utf-8")
    for path in (*old, kernels / "looked-through"):
        os.utime(path, (1e9, 1e9))
    used = {path for path in kernels.iterdir() if path not in old}
    os.utime(images(sources)[-1], (1e9, 1e9))  # in use all the same
    assert say(sources, NO_FILES + USE) == f"{RESULT}[]\n"
    assert set(kernels.iterdir()) == {*used, old[-1]}, "what is no machine code stays"
    old[0].mkdir()
    os.utime(old[0], (1e9, 1e9))
    assert say(sources, NO_FILES + USE) == f"{RESULT}[]\n"
    assert old[0].exists(), "not before tomorrow"


def test_two_threads_that_ask_for_caches_do_not_wait_for_each_other(tmp_path: Path) -> None:
    """One compiles, and so has the compiler's lock; the other loads a kernel.

    Sabotage: take that lock inside the property, which has one of its own in Python 3.11; both
    wait, until the child is ended after a minute.
    """
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    assert say(tmp_path, TWO_THREADS) == "both\n"
