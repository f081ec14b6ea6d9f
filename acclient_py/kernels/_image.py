"""The machine code of a whole start in one file, so that it is read, linked and typed at once.

numba keeps a file or two for each kernel, and each names all the types it needs anew: loaded one by
one, eighty kernels take longer than all that the world needs. An image holds the same code, as the
kernels' own files hold it, without what only a compiler wants; it is made from them, and named
after them, so that one which is not theirs is not found.
"""

# mypy: allow-untyped-calls
# (numba has no types)

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from llvmlite.binding import ObjectFileRef  # type: ignore[import-untyped,unused-ignore]
from msgspec import Struct
from numba.core import serialize
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target

from acclient_py.kernels._loading import make_runtime_known, read_linkable
from acclient_py.kernels._making import IMAGE, Kernel, cache_folder, file_hash

_DIGEST: Final = 32  # bytes in front of the rest, which they are the hash of


class _Form(Struct, frozen=True):
    """The machine code of a kernel for one signature, and what numba knows of it.

    environments : with constants, of the kernels that were compiled into it
    """

    kernel: int
    signature: Any
    name: str
    code: bytes
    defined: frozenset[str]
    wanted: frozenset[str]
    description: Any
    environment: Any
    environments: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return _Form, tuple(getattr(self, field) for field in self.__struct_fields__)


class _Library(JITCodeLibrary):  # type: ignore[misc,unused-ignore]
    """Machine code that is linked already. The few others that call it are compiled with bitcode
    from the kernel's own file."""

    def __init__(self, codegen: Any, form: _Form, made: Kernel) -> None:
        CodeLibrary.__init__(self, codegen, form.name)
        self._finalized = True
        self._disable_inspection = True
        self._linking_libraries: list[Any] = []
        self._shared_module: Any = None
        self._made = made
        self._signature = form.signature

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = read_linkable(self._made.outer, self._signature)
        return self._shared_module


def path_of(wanted: Sequence[Kernel]) -> Path | None:
    """Where the image of these kernels, as their files are now, would be; None without a place."""
    base = cache_folder()
    if base is None:
        return None
    machine = cpu_target.target_context.codegen().magic_tuple()
    keys = hashlib.sha256(repr((machine, file_hash(__file__))).encode())
    forms = hashlib.sha256()
    for made in wanted:
        keys.update(made.key.encode())
        forms.update(b"%d " % made.changed_ns)
    return base / f"{keys.hexdigest()[:20]}-{forms.hexdigest()[:20]}{IMAGE}"


def load(wanted: Sequence[Kernel]) -> bool:
    """Have all forms of these kernels from their image; False when there is none."""
    if not wanted:
        return True
    path = path_of(wanted)
    forms = None if path is None else _read(path)
    if forms is None:
        return False
    context = cpu_target.target_context
    codegen = context.codegen()
    engine = codegen._engine
    make_runtime_known(context, frozenset().union(*(form.wanted for form in forms)))
    for form in forms:
        engine._ee.add_object_file(ObjectFileRef.from_data(form.code))
        engine._defined_symbols |= form.defined
    engine.finalize_object()
    for form in forms:
        made = wanted[form.kernel]
        _add(made.outer, _Library(codegen, form, made), form, context)
    return True


def _add(call: Any, library: Any, form: _Form, context: Any) -> None:
    """Have numba find a form as if it had loaded it by itself."""
    for environment in form.environments:
        library.codegen.set_env(environment.env_name, environment)
    entry = context.get_executable(library, form.description, form.environment)
    nothing: dict[str, Any] = dict.fromkeys(CompileResult._fields)
    result = CompileResult(
        **nothing
        | {
            "typing_context": context.typing_context,
            "target_context": context,
            "entry_point": entry,
            "signature": form.signature,
            "objectmode": False,
            "lifted": (),
            "fndesc": form.description,
            "library": library,
            "environment": form.environment,
            "reload_init": (),
            "referenced_envs": form.environments,
        }
    )
    call._cache_hits[form.signature.args] += 1
    context.insert_user_function(entry, form.description, [library])
    call.add_overload(result)


def save(wanted: Sequence[Kernel]) -> None:
    """Make the image of these kernels from their own files."""
    path = path_of(wanted)
    if path is None:
        return
    forms: list[_Form] = []
    for number, made in enumerate(wanted):
        cache = made.outer._cache
        for key, name in cache._cache_file._load_index().items():
            if key != cache._index_key(key[0], cpu_target.target_context.codegen()):
                continue  # another machine's
            kept, description, environment, signature, *rest = cache._cache_file._load_data(name)
            objectmode, lifted, _, reload_init, environments = rest
            library, _, (code, _, defined, names) = kept
            assert not any((objectmode, lifted, reload_init)), "kernels are compiled whole"
            forms.append(
                _Form(
                    number, signature, library, code, defined, names, description, environment,
                    tuple(e for e in environments if e.consts),
                )
            )  # fmt: skip
    body = serialize.dumps(forms)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        beside.write_bytes(hashlib.sha256(body).digest() + body)
        beside.replace(path)
        for old in path.parent.glob(f"{path.name.partition('-')[0]}-*{IMAGE}"):
            if old != path:
                old.unlink(missing_ok=True)


def _read(path: Path) -> list[_Form] | None:
    try:
        whole = memoryview(path.read_bytes())
    except OSError:
        return None
    if hashlib.sha256(whole[_DIGEST:]).digest() != whole[:_DIGEST]:
        return None  # damaged: the kernels' own files are there
    forms: list[_Form] = pickle.loads(whole[_DIGEST:])
    with contextlib.suppress(OSError):
        os.utime(path)
    return forms
