"""Bundles: named tuples of arrays that kernels are given by address.

numba passes a tuple of arrays by value, seven words an array, and counts references to each: with
thirty arrays a call is thousands of instructions for the compiler, in every caller anew. A class
made with `bundle` is one address to it. What lies there is written once for each instance and
never changes: of each array its address and its shape. `g.objects` in a kernel reads them.

Arrays of a bundle are C-contiguous, and their number of dimensions and dtypes belong to the class:
all of its instances are one type, whether or not Python may write to the arrays.
"""

# mypy: allow-untyped-calls
# (numba has no types)

from __future__ import annotations

import ctypes
import functools
import hashlib
import inspect
import sys
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from acclient_py.kernels._making import DISABLED, file_hash

C = TypeVar("C", bound=type)

_package = Path(__file__).resolve().parents[1]
LAYOUTS: Final = tuple(
    str(_package / name) for name in ("physics/layout.py", "world/mesh.py", "world/pools.py")
)
"""Files in which rows of bundles are laid out, beside the modules of the bundles themselves."""


if DISABLED:
    from acclient_py.kernels._making import rows_with_fields

    def bundle(made: C) -> C:
        """The same class, over arrays whose rows have attributes: kernels read the tuple itself."""

        class Seen(made):  # type: ignore[misc,valid-type,unused-ignore]
            __slots__ = ()

            def __new__(cls, *arrays: Any, **named: Any) -> Any:
                seen = {name: rows_with_fields(array) for name, array in named.items()}
                return super().__new__(cls, *map(rows_with_fields, arrays), **seen)

            @classmethod
            def _make(cls, arrays: Any) -> Any:
                return cls(*arrays)

        for name in ("__module__", "__qualname__", "__name__", "__doc__"):
            setattr(Seen, name, getattr(made, name))
        wrapped: Any = Seen
        found: C = wrapped
        return found

    def address_of_bundle(arrays: Any) -> int:
        """Where a kernel finds the bundle; the caller keeps it alive."""
        return id(arrays)

    def accessor_of_bundle(cls: Any, name: str) -> Any:
        """What makes a bundle out of the word `name` of a structured row."""

        def view(row: Any) -> Any:
            return ctypes.cast(int(row[name]), ctypes.py_object).value

        return view

else:
    from llvmlite import ir  # type: ignore[import-untyped,unused-ignore]
    from numba import types
    from numba.core import cgutils
    from numba.core.typing.templates import AttributeTemplate
    from numba.extending import (
        NativeValue,
        infer_getattr,
        intrinsic,
        lower_getattr_generic,
        models,
        register_model,
        typeof_impl,
        unbox,
    )

    from acclient_py.kernels._loading import item_type

    class Bundle(types.Type):  # type: ignore[misc,unused-ignore]
        """numba's type of one class of bundles."""

        def __init__(self, name: str, fields: tuple[tuple[str, Any], ...]) -> None:
            self.fields = fields
            digest = hashlib.sha256(repr(fields).encode()).hexdigest()
            super().__init__(f"{name}.{digest[:16]}")

        def field(self, wanted: str) -> tuple[int, Any] | None:
            """The word where an array's description begins, and the array's type."""
            at = 0
            for name, array in self.fields:
                if name == wanted:
                    return at, array
                at += 1 + array.ndim
            return None

    register: Any = register_model(Bundle)

    @register
    class _Model(models.PrimitiveModel):  # type: ignore[misc,unused-ignore]
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            super().__init__(dmm, fe_type, ir.IntType(64).as_pointer())

    class _Attributes(AttributeTemplate):  # type: ignore[misc,unused-ignore]
        key = Bundle

        def generic_resolve(self, bundle: Any, name: str) -> Any:  # type: ignore[override]
            found = bundle.field(name)
            return None if found is None else found[1]

    infer_getattr(_Attributes)

    def _get(context: Any, builder: Any, typ: Any, value: Any, name: str) -> Any:
        # only compiling needs it, and it brings in a good part of numba
        from numba.np.arrayobj import populate_array

        at, array = typ.field(name)
        never = builder.module.add_metadata([])

        def word(i: int) -> Any:
            where = builder.gep(value, [ir.Constant(ir.IntType(32), at + i)])
            read = builder.load(where)
            read.set_metadata("invariant.load", never)
            return read

        kind = context.get_data_type(array.dtype)
        size = context.get_constant(types.intp, context.get_abi_sizeof(kind))
        shape = [word(1 + i) for i in range(array.ndim)]
        strides = [size]
        for length in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length))
        made = context.make_array(array)(context, builder)
        fill: Any = populate_array
        fill(
            made,
            data=builder.inttoptr(word(0), kind.as_pointer()),
            shape=shape,
            strides=strides,
            itemsize=size,
            meminfo=None,
        )
        return made._getvalue()

    lower: Any = lower_getattr_generic(Bundle)
    lower(_get)

    def _unbox(typ: Any, obj: Any, c: Any) -> Any:
        pointer = ir.IntType(64).as_pointer()
        kept = cgutils.alloca_once_value(c.builder, ir.Constant(pointer, None))
        # an interned name: Python's cache of attributes would keep each new string
        interned = ir.FunctionType(c.pyapi.pyobj, [c.pyapi.cstring])
        intern: Any = c.pyapi._get_function(interned, name="PyUnicode_InternFromString")
        text: Any = c.context.insert_const_string(c.builder.module, "address")
        name = c.builder.call(intern, [text])
        found = c.pyapi.object_getattr(obj, name)
        c.pyapi.decref(name)
        failed = cgutils.is_null(c.builder, found)
        with c.builder.if_then(c.builder.not_(failed)):
            word = c.pyapi.long_as_longlong(found)
            c.pyapi.decref(found)
            c.builder.store(c.builder.inttoptr(word, pointer), kept)
        return NativeValue(c.builder.load(kept), is_error=failed)

    unboxes: Any = unbox(Bundle)
    unboxes(_unbox)

    def _type_of(arrays: Any) -> Bundle:
        """The type of an instance; it is made with the first one of the class."""
        cls = type(arrays)
        if cls.numba_type is None:
            fields = tuple(
                (name, types.Array(item_type(array.dtype), array.ndim, "C"))
                for name, array in zip(arrays._fields, arrays, strict=True)
            )
            cls.numba_type = Bundle(f"{cls.__module__}.{cls.__qualname__}", fields)
        found: Bundle = cls.numba_type
        return found

    def _words(arrays: Any) -> Any:
        """What lies at the address: of each array where its items lie, and its shape."""
        words: list[int] = []
        fields = _type_of(arrays).fields
        for array, (name, expected) in zip(arrays, fields, strict=True):
            assert array.flags.c_contiguous, f"{name}: kernels walk contiguous arrays"
            assert array.ndim == expected.ndim, f"{name}: {array.ndim} dimensions"
            assert item_type(array.dtype) == expected.dtype, f"{name}: items of {array.dtype}"
            words += (array.ctypes.data, *array.shape)
        return np.array(words, np.int64)

    def bundle(made: C) -> C:
        """Have kernels take instances of this named tuple of arrays by address."""

        base: Any = made

        class Addressed(base):  # type: ignore[misc]
            numba_type: Any = None

            @functools.cached_property
            def words(self) -> Any:
                return _words(self)

            @functools.cached_property
            def address(self) -> int:
                return int(self.words.ctypes.data)

        for name in ("__module__", "__qualname__", "__name__", "__doc__"):
            setattr(Addressed, name, getattr(made, name))

        def type_of(arrays: Any, context: Any) -> Any:
            return _type_of(arrays)

        typeof_impl.register(Addressed)(type_of)
        wrapped: Any = Addressed
        found: C = wrapped
        return found

    def address_of_bundle(arrays: Any) -> int:
        """Where a kernel finds the bundle; the caller keeps it alive."""
        _type_of(arrays)
        return int(arrays.address)

    def accessor_of_bundle(cls: Any, name: str) -> Any:
        """What makes a bundle out of the word `name` of a structured row.

        A kernel that is called with the row knows nothing of the arrays' dtypes by its arguments;
        so the key of its machine code has to, or code for rows of another layout would be found.
        """

        def view(typing_context: Any, row: Any) -> Any:
            made = cls.numba_type
            assert made is not None, "a bundle is made before a row names it"

            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                word = context.get_value_type(types.int64)
                member: Any = cgutils.get_record_member
                at = member(builder, args[0], row.offset(name), word)
                return builder.inttoptr(builder.load(at, align=1), ir.IntType(64).as_pointer())

            return made(row), generate

        accessor: Any = intrinsic(view)
        files = [inspect.getfile(sys.modules[cls.__module__]), *LAYOUTS]
        accessor.made_from = " ".join([name, *map(file_hash, files)])
        return accessor
