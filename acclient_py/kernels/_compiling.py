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

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, Flags
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
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
    """Code that is linked into its callers, and optimised and translated there."""

    @property
    def codegen(self) -> Any:
        return _NoEnvironment(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class _OuterLibrary(JITCodeLibrary):  # type: ignore[misc,unused-ignore]
    """Code that is optimised once: nothing is left for numba's first, cheap round.

    That round brings counts of references together, so that they can be pruned.
    """

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


_numbers = itertools.count()

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
