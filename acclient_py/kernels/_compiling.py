"""Compilers that do less: what numba would do for each kernel and only the outermost ones need.

numba optimises every kernel with all that it calls, makes machine code of it, and does both again
in each caller. An inner kernel is never run by itself: here it is only made ready to be linked, and
the kernel that Python calls is optimised and translated once, with all of its helpers.
"""

# mypy: allow-untyped-calls
# (numba has no types)

from __future__ import annotations

import itertools
from typing import Any, Final

from llvmlite.binding import parse_bitcode  # type: ignore[import-untyped,unused-ignore]
from numba.core import types
from numba.core.base import BaseContext
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase, Flags
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)


class _Flags(Flags):  # type: ignore[misc,unused-ignore]
    """Flags that are told apart by what was set: looked up for every expression that is typed."""

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._values)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Flags):
            return bool(self._values == other._values)
        same: bool = super().__eq__(other)
        return same


class _NoEnvironment:
    """A code generator where nothing of an inner kernel has an address."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, env: Any) -> None:
        """There is no such symbol yet."""


class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc,unused-ignore]
    """Code that is linked, optimised and translated only in the kernels that Python calls."""

    @property
    def codegen(self) -> Any:
        return _NoEnvironment(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def finalize(self) -> None:
        """Nothing is linked here: whoever links this library takes what it calls as well."""
        self._finalize_dynamic_globals()
        self._finalized = True


class _OuterLibrary(JITCodeLibrary):  # type: ignore[misc,unused-ignore]
    """Code that is optimised once: nothing is left for numba's first, cheap round.

    That round brings counts of references together, so that they can be pruned.
    """

    def add_linking_library(self, library: Any) -> None:
        """Take a library with all that it calls, each once, callees first."""
        library._ensure_finalized()
        if library in self._linking_libraries:
            return
        if isinstance(library, _InnerLibrary):
            for called in library._linking_libraries:
                self.add_linking_library(called)
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        """Link callers first: of what is linked once, LLVM takes only what is asked for by then."""
        self._linking_libraries.reverse()
        super().finalize()

    def serialize_using_object_code(self) -> Any:
        """What the cache keeps: machine code, its names, and what to link others with."""
        self._ensure_finalized()
        module = self._final_module
        names: tuple[set[str], set[str]] = set(), set()  # defined here, wanted from elsewhere
        for value in itertools.chain(module.functions, module.global_variables):
            names[value.is_declaration].add(value.name)
        bitcode = self._get_module_for_linking().as_bitcode()
        code = self._get_compiled_object()
        return self.name, _KERNEL, (code, bitcode, *map(frozenset, names))

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class _LoadedLibrary(JITCodeLibrary):  # type: ignore[misc,unused-ignore]
    """Machine code from the cache. Few kernels are called by others that have to be compiled: only
    for those the bitcode is read."""

    bitcode = b""

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = parse_bitcode(self.bitcode)
        return self._shared_module


def _load_by_name(codegen: Any, state: Any) -> Any:
    """Make a library of what `_OuterLibrary` gave the cache; of other things as numba does."""
    name, kind, data = state
    if kind != _KERNEL:
        return _unserialize(codegen, state)
    library = _LoadedLibrary(codegen, name)
    machine_code, library.bitcode, defined, _ = data
    library.enable_object_caching()
    library._set_compiled_object(machine_code)
    library._finalize_final_module()
    codegen._engine._defined_symbols |= defined
    return library


_KERNEL: Final = "kernel"
_unserialize = JITCPUCodegen.unserialize_library
JITCPUCodegen.unserialize_library = _load_by_name  # type: ignore[method-assign,unused-ignore]


_numbers = itertools.count()

_PLAIN: Final = (types.Number, types.Boolean, types.Array, types.Record, types.NoneType)


def _remember_call_types() -> None:
    """Have numba answer once, per argument types, which form of a built-in function is meant.

    It tries each of the dozens of forms of `+` or `max` for every expression of every kernel, and
    writes down, in words, why each did not fit.
    """
    resolve = BaseFunction.get_call_type

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(arg, _PLAIN) for arg in args):
            return resolve(self, context, args, kws)
        answers = self.__dict__.setdefault("_answers", {})
        key = (id(context), *args)
        answer = answers.get(key)
        if answer is None:
            answer = answers[key] = resolve(self, context, args, kws)
        return answer

    BaseFunction.get_call_type = get_call_type  # type: ignore[method-assign,unused-ignore]


def _remember_sizes() -> None:
    """Have LLVM say once how large a type is: every access to an array asks."""
    measure = BaseContext.get_abi_sizeof
    sizes: dict[tuple[int, str], int] = {}

    def get_abi_sizeof(self: Any, ty: Any) -> int:
        key = (id(self), str(ty))
        size = sizes.get(key)
        if size is None:
            size = sizes[key] = measure(self, ty)
        return size

    BaseContext.get_abi_sizeof = get_abi_sizeof  # type: ignore[method-assign,unused-ignore]


_remember_call_types()
_remember_sizes()

_PASSES: Final = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    RewriteSemanticConstants,
    DeadBranchPrune,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
)


class OuterCompiler(CompilerBase):  # type: ignore[misc,unused-ignore]
    """Of a kernel that Python calls."""

    def define_pipelines(self) -> list[Any]:
        """Those of numba's passes that kernels need: they have no closures and no `with`, no
        generators, no array expressions and no parallel loops."""
        manager: Any = PassManager("kernel")
        for made in _PASSES:
            manager.add_pass(made, made._name)
        manager.finalize()
        manager._ENFORCING = False  # no check of the passes against each other
        return [manager]

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.state.flags = _Flags(self.state.flags)
        self.state.library = self.make_library(self.state.targetctx.codegen())

    def make_library(self, codegen: Any) -> Any:
        """Where the code goes; this one can be kept on disk."""
        library = _OuterLibrary(codegen, f"kernel{next(_numbers)}")
        library.enable_object_caching()
        return library


class InnerCompiler(OuterCompiler):
    """Of a kernel that only kernels call."""

    def make_library(self, codegen: Any) -> Any:
        return _InnerLibrary(codegen, f"inner{next(_numbers)}")
