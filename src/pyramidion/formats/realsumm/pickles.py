"""Pickles from strangers, opened without running anything: only plain values and NumPy's scalars are made."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyramidion.campaign import Problems
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.files import read_content

_PLAIN = {kind.__name__: kind for kind in (bool, dict, float, int, list, str, tuple)}
_SCALARS = frozenset({"numpy.core.multiarray", "numpy._core.multiarray"})


class _ForbiddenError(pickle.UnpicklingError):
    pass


class _PlainUnpickler(pickle.Unpickler):
    """Everything that is not a plain value is refused before it is made."""

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


def read_pickle(path: Path, problems: Problems, *, what: str) -> Any:
    """The values in a pickle; None (and an error) if it can't be read, or holds more than values."""
    content = read_content(path, problems)
    if content is None:
        return None
    load: Callable[[], Any] = _PlainUnpickler(io.BytesIO(content)).load
    try:
        return load()
    except _ForbiddenError as error:
        found = f"a pickle that would make {shorten(str(error))}"
        remedy = "Nothing in it was run. Save plain dictionaries, lists, strings and numbers."
    except Exception as error:  # a broken pickle raises almost anything
        found = f"no pickle ({type(error).__name__}: {shorten(str(error))})"
        remedy = "Check that the file is complete."
    Place(problems, path).error(found, what, remedy)
    return None
