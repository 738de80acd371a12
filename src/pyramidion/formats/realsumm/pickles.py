"""Pickles from strangers, opened without running anything: only plain values and NumPy's scalars are made.

The time and the memory that a pickle takes grow with its size alone: lists that hold each other many times over, keys
that are tuples, and calls with anything but plain arguments are refused.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from pyramidion.campaign import Problems
from pyramidion.files.characters import is_whole, whole_value
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.files import read_content

DEEPEST = 32
"""No dictionary of scores nests deeper."""
_PLAIN = {kind.__name__: kind for kind in (bool, dict, float, int, list, str, tuple)}
_SCALARS = frozenset({"numpy.core.multiarray", "numpy._core.multiarray"})
_OPERATIONS = (
    *(pickle.PROTO, pickle.FRAME, pickle.STOP, pickle.MARK, pickle.POP, pickle.POP_MARK, pickle.DUP),
    *(pickle.NONE, pickle.NEWTRUE, pickle.NEWFALSE, pickle.INT, pickle.BININT, pickle.BININT1, pickle.BININT2),
    *(pickle.LONG, pickle.LONG1, pickle.LONG4, pickle.FLOAT, pickle.BINFLOAT),
    *(pickle.STRING, pickle.BINSTRING, pickle.SHORT_BINSTRING, pickle.BINBYTES, pickle.SHORT_BINBYTES),
    *(pickle.BINBYTES8, pickle.UNICODE, pickle.BINUNICODE, pickle.SHORT_BINUNICODE, pickle.BINUNICODE8),
    *(pickle.LIST, pickle.EMPTY_LIST, pickle.APPEND, pickle.APPENDS),
    *(pickle.TUPLE, pickle.EMPTY_TUPLE, pickle.TUPLE1, pickle.TUPLE2, pickle.TUPLE3),
    *(pickle.DICT, pickle.EMPTY_DICT, pickle.SETITEM, pickle.SETITEMS),
    *(pickle.GET, pickle.BINGET, pickle.LONG_BINGET, pickle.PUT, pickle.BINPUT, pickle.LONG_BINPUT, pickle.MEMOIZE),
    *(pickle.GLOBAL, pickle.STACK_GLOBAL, pickle.REDUCE, pickle.BUILD),
)
"""What a pickle of plain values and NumPy's scalars is made of."""


class _ForbiddenError(pickle.UnpicklingError):
    pass


_InPython: Any = pickle._Unpickler  # the same machine as Unpickler, in Python


class _PlainUnpickler(_InPython):  # type: ignore[misc]
    """Everything that is not a plain value is refused before it is made.

    The machine in Python keeps its values in a dictionary, which a huge index does not blow up, and each of its
    operations can be replaced.
    """

    dispatch: ClassVar = {code[0]: _InPython.dispatch[code[0]] for code in _OPERATIONS}

    def find_class(self, module: str, name: str) -> Any:
        if module in ("builtins", "__builtin__") and name in _PLAIN:
            return _PLAIN[name]
        if module in _SCALARS and name == "scalar":
            return _scalar
        if (module, name) == ("numpy", "dtype"):
            return _DataType
        if (module, name) == ("_codecs", "encode"):  # how old protocols write the bytes of a scalar
            return _latin
        raise _ForbiddenError(f"{module}.{name}")

    def load_reduce(self) -> None:
        arguments = self.stack[-1]
        if not isinstance(arguments, tuple) or any(isinstance(one, dict | list | tuple) for one in arguments):
            raise _ForbiddenError("a call with lists")
        super().load_reduce()

    def load_build(self) -> None:
        if not isinstance(self.stack[-2], _DataType):
            raise _ForbiddenError("an object with a state")
        super().load_build()

    def load_setitem(self) -> None:
        self._check_keys([self.stack[-2]])
        super().load_setitem()

    def load_setitems(self) -> None:
        self._check_keys(self.stack[::2])
        super().load_setitems()

    def load_dict(self) -> None:
        self._check_keys(self.stack[::2])
        super().load_dict()

    @staticmethod
    def _check_keys(keys: list[Any]) -> None:
        if any(isinstance(key, tuple) for key in keys):  # the hash of nested ones may take for ever
            raise _ForbiddenError("a tuple as a key")

    dispatch |= {
        pickle.REDUCE[0]: load_reduce,
        pickle.BUILD[0]: load_build,
        pickle.SETITEM[0]: load_setitem,
        pickle.SETITEMS[0]: load_setitems,
        pickle.DICT[0]: load_dict,
    }


class _DataType:
    """Stands for a NumPy type of numbers; its state is the byte order."""

    def __init__(self, code: str, *_: object) -> None:
        if code.lstrip("<>=|") not in {f"{kind}{size}" for kind in "fiu" for size in (1, 2, 4, 8)} | {"b1"}:
            raise _ForbiddenError(f"numpy.dtype({shorten(code)})")
        self.code = code.lstrip("<>=|")
        self.order = "<"

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if len(state) > 1 and state[1] in ("<", ">"):
            self.order = state[1]


def _scalar(kind: object, content: object = b"") -> float | int | bool:
    import numpy as np

    if not isinstance(kind, _DataType) or not isinstance(content, bytes):
        raise _ForbiddenError("a NumPy value that is not a number")
    value: float | int | bool = np.frombuffer(content, dtype=np.dtype(kind.order + kind.code))[0].item()
    return value


def _latin(text: str, encoding: str) -> bytes:
    if encoding != "latin1":
        raise _ForbiddenError(f"the encoding {shorten(encoding)}")
    return text.encode("latin-1")


def _leaves(value: Any, most: int) -> Iterator[Any]:
    """Everything in a value that is no list, tuple or dictionary.

    Raises:
        _ForbiddenError: if there are more values than the pickle has bytes, because lists are in it many times over, or
            if they nest too deeply.
    """
    waiting = [(value, 0)]
    count = 0
    while waiting:
        one, depth = waiting.pop()
        count += 1
        if count > most:
            raise _ForbiddenError("lists that hold the same lists again and again")
        if depth > DEEPEST:
            raise _ForbiddenError(f"values nested more than {DEEPEST} deep")
        if isinstance(one, dict):
            waiting += [(inner, depth + 1) for pair in one.items() for inner in pair]
        elif isinstance(one, list | tuple):
            waiting += [(inner, depth + 1) for inner in one]
        else:
            yield one


def read_pickle(path: Path, problems: Problems, *, what: str) -> Any:
    """The values in a pickle; None (and an error) if it can't be read, or holds more than values."""
    content = read_content(path, problems)
    if content is None:
        return None
    at = Place(problems, path)
    try:
        value = _PlainUnpickler(io.BytesIO(content)).load()
        leaves = list(_leaves(value, len(content)))
        if all(not isinstance(one, str) or is_whole(one) for one in leaves):
            return value
    except _ForbiddenError as error:
        found = f"a pickle that would make {shorten(str(error))}"
        remedy = "Nothing in it was run. Save plain dictionaries, lists, strings and numbers."
    except Exception as error:  # a broken pickle raises almost anything
        found = f"no pickle ({type(error).__name__}: {shorten(str(error))})"
        remedy = "Check that the file is complete."
    else:
        at.warning("halves of surrogate pairs", "whole characters", "They were read as U+FFFD.")
        return whole_value(value)
    at.error(found, what, remedy)
    return None
