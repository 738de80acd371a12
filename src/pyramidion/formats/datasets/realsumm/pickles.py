"""Pickles from strangers, opened without running anything: only plain values and NumPy's scalars are made.

The time and the memory that a pickle takes grow with its size alone: lists and texts that are in it many times over,
keys that are neither texts nor numbers, and calls with anything but short arguments are refused.
"""

from __future__ import annotations

import io
import pickle
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from pyramidion.campaign import Problems
from pyramidion.files import guards
from pyramidion.files.opening import is_encodable, repair_value
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.text_files import read_content

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
        """The few functions that numbers of NumPy need; anything else is refused."""
        if module in _SCALARS and name == "scalar":
            return _scalar
        # A stand-in: nothing of NumPy is called while the pickle is read.
        if (module, name) == ("numpy", "dtype"):
            return _DataType
        if (module, name) == ("_codecs", "encode"):  # how old protocols write the bytes of a scalar
            return _latin
        raise _ForbiddenError(f"{module}.{name}")

    def load_reduce(self) -> None:
        """Call a function, if its arguments are short."""
        arguments = self.stack[-1]
        if not isinstance(arguments, tuple) or not all(map(_is_short, arguments)):
            raise _ForbiddenError("a call with lists or long texts")
        super().load_reduce()

    def load_build(self) -> None:
        """Set the state of an object, if it is a type of numbers."""
        if not isinstance(self.stack[-2], _DataType):
            raise _ForbiddenError("an object with a state")
        super().load_build()

    def load_setitem(self) -> None:
        """Set an entry of a dictionary, if its key is harmless."""
        self._check_keys([self.stack[-2]])
        super().load_setitem()

    def load_setitems(self) -> None:
        """Set entries of a dictionary, if their keys are harmless."""
        self._check_keys(self.stack[::2])
        super().load_setitems()

    def load_dict(self) -> None:
        """Make a dictionary, if its keys are harmless."""
        self._check_keys(self.stack[::2])
        super().load_dict()

    @staticmethod
    def _check_keys(keys: list[Any]) -> None:
        """Refuse keys that could make a dictionary slow."""
        for key in keys:  # the hash of nested tuples may take for ever, and equal hashes make a dictionary slow
            is_small = isinstance(key, int) and abs(key) < guards.PICKLE_KEY
            if not is_small and not isinstance(key, str):
                raise _ForbiddenError("a key that is neither a text nor a small whole number")

    dispatch |= {
        pickle.REDUCE[0]: load_reduce,
        pickle.BUILD[0]: load_build,
        pickle.SETITEM[0]: load_setitem,
        pickle.SETITEMS[0]: load_setitems,
        pickle.DICT[0]: load_dict,
    }


def _is_short(argument: object) -> bool:
    """Whether an argument of a call is harmless: short, and neither a list nor an object."""
    if isinstance(argument, str | bytes):
        return len(argument) <= guards.PICKLE_ARGUMENT
    return argument is None or isinstance(argument, bool | int | _DataType)


_NUMBER_TYPES = frozenset({"f2", "f4", "f8", "f1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"})
"""NumPy's codes of numbers: floats, integers and booleans with their sizes in bytes."""


class _DataType:
    """Stands for a NumPy type of numbers; its state is the byte order."""

    def __init__(self, code: str, *_: object) -> None:
        self.code = code.lstrip("<>=|")
        if self.code not in _NUMBER_TYPES:
            raise _ForbiddenError(f"numpy.dtype({shorten(code)})")
        self.order = "<"

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if len(state) > 1 and state[1] in ("<", ">"):
            self.order = state[1]


def _scalar(kind: object, content: object = b"") -> float | int | bool:
    """A number that NumPy pickled, from its bytes."""
    import numpy as np

    if not isinstance(kind, _DataType) or not isinstance(content, bytes):
        raise _ForbiddenError("a NumPy value that is not a number")
    value: float | int | bool = np.frombuffer(content, dtype=np.dtype(kind.order + kind.code))[0].item()
    return value


def _latin(text: str, encoding: str) -> bytes:
    """The bytes that an old protocol wrote as text."""
    if encoding != "latin1":
        raise _ForbiddenError(f"the encoding {shorten(encoding)}")
    return text.encode("latin-1")


def _leaves(value: Any, size: int) -> list[Any]:
    """Everything in a value that is no list, tuple or dictionary, each once.

    Args:
        value: what a pickle holds.
        size: bytes of the pickle.

    Raises:
        _ForbiddenError: if there are more values than the pickle has bytes, or far more text, because lists or texts
            are in it many times over; if they nest too deeply; if a whole number is too large.
    """
    waiting = [(value, 0)]
    leaves: dict[int, Any] = {}
    count = characters = 0
    while waiting:
        node, depth = waiting.pop()
        count += 1
        if count > size:
            raise _ForbiddenError("lists that hold the same lists again and again")
        if depth > guards.PICKLE_DEPTH:
            raise _ForbiddenError(f"values nested more than {guards.PICKLE_DEPTH} deep")
        if isinstance(node, dict):
            waiting += [(inner, depth + 1) for inner in chain.from_iterable(node.items())]
        elif isinstance(node, list | tuple):
            waiting += [(inner, depth + 1) for inner in node]
        elif not isinstance(node, str | bytes | int | float | None):
            raise _ForbiddenError("something that is no value")
        elif isinstance(node, int) and node.bit_length() > guards.PICKLE_BITS:
            raise _ForbiddenError("a whole number of hundreds of digits")
        else:
            leaves[id(node)] = node
            characters += len(node) if isinstance(node, str | bytes) else 0
            if guards.grows_too_far(characters, size):
                raise _ForbiddenError("the same text again and again")
    return list(leaves.values())


def read_pickle(path: Path, problems: Problems, *, what: str) -> Any:
    """The values in a pickle; None (and an error) if it can't be read, or holds more than values."""
    content = read_content(path, problems)
    if content is None:
        return None
    at = Place(problems, path)
    try:
        value = _PlainUnpickler(io.BytesIO(content)).load()
        if all(not isinstance(leaf, str) or is_encodable(leaf) for leaf in _leaves(value, len(content))):
            return value
    except _ForbiddenError as error:
        found = f"a pickle that would make {shorten(str(error))}"
        remedy = "Nothing in it was run. Save plain dictionaries, lists, strings and numbers."
    except Exception as error:  # a broken pickle raises almost anything
        found = f"no pickle ({type(error).__name__}: {shorten(str(error))})"
        remedy = "Check that the file is complete."
    else:
        at.warning(
            found="halves of surrogate pairs",
            expected="whole characters",
            remedy="They were read as U+FFFD.",
        )
        return repair_value(value)
    at.error(
        found=found,
        expected=what,
        remedy=remedy,
    )
    return None
