"""C declarations of numpy rows: the yardsticks of `acclient bench walk` work on the same memory."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from acclient_py.cli.bench import Needs, _layout, membership
from acclient_py.cli.bench._c import library
from acclient_py.kernels.draw import PART_MEMORY_DTYPE, SLOT_DTYPE, VIEW_DTYPE
from acclient_py.order.stream import DRAW_DTYPE
from acclient_py.physics.layout import CELL_DTYPE, OBJECT_DTYPE, PART_DTYPE

ROWS = {
    "Draw": DRAW_DTYPE, "Slot": SLOT_DTYPE, "View": VIEW_DTYPE, "Known": PART_MEMORY_DTYPE,
    "Object": OBJECT_DTYPE, "Part": PART_DTYPE, "Cell": CELL_DTYPE,
    "Gap": np.dtype([("a", "u1"), ("b", "<i8")], align=True),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_c_has_every_field_where_numpy_has_it(name: str, tmp_path: Path) -> None:
    """Sabotage: leave out the padding in _layout.struct; the offsets behind a gap differ."""
    dtype = ROWS[name]
    fields = dtype.names or ()
    source = tmp_path / f"{name}.c"
    body = ", ".join(f"offsetof({name}, {field})" for field in fields)
    source.write_text(
        '#include <stddef.h>\n#include <stdint.h>\n#include "made.h"\n'
        f"int64_t where[] = {{sizeof({name}), {body}}};\n"
    )
    try:
        built = library(source, _layout.struct(name, dtype))
    except Needs as missing:
        pytest.skip(str(missing))
    where = (ctypes.c_int64 * (len(fields) + 1)).in_dll(built, "where")
    assert dtype.fields is not None
    assert list(where) == [dtype.itemsize, *(dtype.fields[field][1] for field in fields)]


def test_the_rows_that_are_written_out_in_c_are_those_of_the_program() -> None:
    """`membership.c` has those of `crossing.c`, and `transition.c` has both.

    Sabotage: leave the last field out of the Cell of `crossing.c`; "row 1 differs in C".
    """
    try:
        membership._C()
    except Needs as missing:
        pytest.skip(str(missing))


def test_a_yardstick_is_built_anew_when_what_it_includes_includes_something_else(
    tmp_path: Path,
) -> None:
    """Sabotage: key it by what it includes itself; the old library answers."""
    (tmp_path / "top.c").write_text('#include "middle.c"\n', encoding="utf-8")
    (tmp_path / "middle.c").write_text('#include "low.c"\n', encoding="utf-8")
    for answer in (41, 42):
        text = f"int answer(void) {{ return {answer}; }}\n"
        (tmp_path / "low.c").write_text(text, encoding="utf-8")
        try:
            assert library(tmp_path / "top.c").answer() == answer
        except Needs as needed:
            pytest.skip(str(needed))
