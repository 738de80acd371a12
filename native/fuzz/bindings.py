"""python native/fuzz/bindings.py LIBRARY SECONDS [SEED]: calls of every bound function, mostly almost right.

Whatever is given, a call ends with a value or with an ordinary Python error. `run.sh bindings` builds the library with
sanitizers and runs this under them.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
from polars.plugins import register_plugin_function

WORDS = [
    "the",
    "flood",
    "floods",
    "relational",
    "É",
    "日本",
    "don't",
    "3.5",
    "1999",
    "\n",
    "\ud800",
    "\0",
    "",
    " ",
    "a" * 90,
]
MODES = ["h", "hm", "hmr", "hm1", "hmr1", "hmr2"]
RIGHT = 0.97
FEATURES = 10
ORDINARY = (TypeError, ValueError, IndexError, OverflowError, MemoryError, BufferError, AttributeError)
NUMBERS = [0, 1, 2, 3, 4, 9, -1, 0.5, 1.2, 1e-300, 1e9, 2e19, 1e308, float("nan"), float("inf"), 2**31, 2**63, -(2**63)]


class Lying(Sequence[Any]):
    """A sequence whose length is not the number of its items."""

    def __init__(self, items: list[Any], length: int) -> None:
        self.items, self.length = items, length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, at: Any) -> Any:
        return self.items[at]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)


class Fuzzer:
    """Draws arguments by the names of parameters."""

    def __init__(self, native: Any, seed: int) -> None:
        self.native, self.draw, self.texts_made = native, random.Random(seed), 0
        self.lists = native.WordLists("the\nof\n", "mice mouse\n")

    def one(self, *choices: Any) -> Any:
        return self.draw.choice(choices)

    def mostly(self, *right: Any, wrong: Sequence[Any] = NUMBERS) -> Any:
        return self.draw.choice(right if self.draw.random() < RIGHT else wrong)

    def word(self) -> str:
        return self.draw.choice(WORDS) if self.draw.random() < 0.8 else chr(self.draw.randrange(0x110000))

    def string(self) -> str:
        self.texts_made += 1
        return " ".join(self.word() for _ in range(self.draw.randrange(12)))

    def many(self, make: Callable[[], Any], most: int = 4) -> Any:
        items = [make() for _ in range(self.draw.randrange(most + 1))]
        kind = self.draw.randrange(12)
        if kind == 0:
            return Lying(items, self.one(0, 1, 7, 100_000)) if self.draw.random() < 0.2 else items
        return tuple(items) if kind < 4 else items

    def text(self) -> Any:
        return self.string() if self.draw.random() < 0.6 else self.many(self.string)

    def tokens(self) -> Any:
        return self.many(lambda: self.many(self.word))

    def element(self) -> Any:
        parts = tuple(self.word() for _ in range(3 if self.draw.random() < 0.97 else 2))
        return parts if self.draw.random() < 0.97 else list(parts)

    def kind(self) -> tuple[str, Any]:
        family = self.mostly("n", "l", "w", "s", "su", "flat-l", "n", "n", wrong=["?"])
        return family, self.mostly(*((1.2, 2) if family == "w" else (1, 2, 3, 4, 9)))

    def pairs(self, texts: Any) -> Any:
        size = len(texts)
        rows = self.draw.randrange(5) if size else 0
        values = [[self.draw.randrange(max(size, 1)) for _ in range(2)] for _ in range(rows)]
        if rows and self.draw.random() < 0.05:
            values[0][1] = self.one(-1, size, 2**62)
        return self.shaped(np.array(values, dtype=np.int64).reshape(-1, 2))

    def shaped(self, array: Any) -> Any:
        """The array, now and then in another type, order or shape."""
        change = self.draw.randrange(100)
        if change == 0:
            return array.astype(np.int8, casting="unsafe") if array.dtype == np.int64 else array.astype(object)
        if change == 1:
            return np.asfortranarray(np.repeat(array, 2, axis=0))[::2]
        if change == 2:
            return array[..., :1]
        if change == 3:
            return array.tolist()
        return array

    def counts(self, pairs: Any, kinds: Any) -> Any:
        rows, columns = len(pairs), len(kinds)
        if self.draw.random() < 0.03:
            rows += self.one(-1, 1) if rows else 1
        return self.shaped(np.zeros((max(rows, 0), columns, 4)))

    def reading(self) -> dict[str, Any]:
        limit = [self.mostly(0, 0, 1, 5, wrong=[-1, 2**62, 2**64]) for _ in range(2)]
        return {
            "lists": self.lists,
            "tokens": self.mostly("rouge155", "rouge_score", "unicode", wrong=["?"]),
            "stems": self.mostly("none", "rouge155", "martin", "nltk", wrong=["?"]),
            "stop": self.draw.random() < 0.5,
            "limit": lambda: self.native.Limit(*limit, self.draw.random() < 0.5, self.draw.random() < 0.5),
        }

    def threads(self) -> int:
        return int(self.mostly(1, 1, 1, 2, 3, wrong=[0, -1, 5000, 2**62]))

    def cells(self) -> int:
        return int(self.mostly(2**64 - 1, 10**9, 0, 1, 50, wrong=[-1, 2**64]))

    def quirks(self) -> Any:
        return self.native.Quirks(self.draw.random() < 0.5, self.draw.random() < 0.5)

    # The calls.

    def count_overlaps(self) -> None:
        texts = self.many(self.text)
        pairs, kinds = self.pairs(texts), self.many(self.kind, 3)
        reading = self.reading()
        reading["limit"] = reading["limit"]()
        out = self.counts(pairs, kinds)
        self.native.count_overlaps(
            texts,
            pairs,
            list(kinds),
            out,
            **reading,
            quirks=self.quirks(),
            max_cells=self.cells(),
            threads=self.threads(),
        )

    def count_token_overlaps(self) -> None:
        texts = self.many(self.tokens)
        pairs, kinds = self.pairs(texts), self.many(self.kind, 3)
        out = self.counts(pairs, kinds)
        self.native.count_token_overlaps(texts, pairs, list(kinds), out, self.quirks(), self.cells(), self.threads())

    def count_be_overlaps(self) -> None:
        texts = self.many(lambda: self.many(self.element))
        modes = [
            self.mostly("h", "hm", "hmr", "hm1", "hmr1", "hmr2", wrong=["?"]) for _ in range(self.draw.randrange(4))
        ]
        pairs = self.pairs(texts)
        out = self.counts(pairs, modes)
        stem = self.draw.random() < 0.5
        self.native.count_be_overlaps(texts, pairs, modes, out, self.lists, stem, self.threads())

    def tokens_of(self) -> None:
        reading = self.reading()
        reading["limit"] = reading["limit"]()
        self.native.tokens_of(self.text(), **reading, lcs=self.draw.random() < 0.5)

    def forms_of(self) -> None:
        reading = self.reading()
        del reading["limit"]
        self.native.forms_of(self.text(), **reading)

    def match_tokens(self) -> None:
        texts = [self.tokens() for _ in range(2)]
        lcs = texts if self.draw.random() < 0.7 else [self.tokens() for _ in range(2)]
        self.native.match_tokens(*texts, *lcs, self.kind(), self.quirks(), self.cells())

    def cut_sizes(self) -> None:
        self.native.cut_sizes(self.many(self.string), self.reading()["limit"]())

    def stem(self) -> None:
        self.native.stem(self.word(), self.mostly("rouge155", "martin", "nltk", wrong=["?"]), self.lists)
        self.native.stem_token(self.word(), self.mostly("none", "rouge155", "martin", "nltk", wrong=["?"]), self.lists)
        self.lists.is_stop_word(self.word())

    def background(self) -> Any:
        size = self.draw.randrange(5)
        forms = "\n".join(self.word() for _ in range(size + self.mostly(0, wrong=[-1, 3])))
        numbers = [np.array([float(self.one(*NUMBERS[:9])) for _ in range(size)]) for _ in range(2)]
        return self.native.Background(forms, *map(self.shaped, numbers), self.one(*NUMBERS), self.one(*NUMBERS))

    def settings(self) -> Any:
        background = self.background() if self.draw.random() < 0.7 else None
        numbers = [self.one(0.0005, 1.0, 10.0, *NUMBERS) for _ in range(3)]
        return self.native.FreeSettings(*numbers, self.draw.random() < 0.5, background)

    def score_free(self) -> None:
        texts = self.many(self.text)
        size = len(texts)
        inputs = [[self.draw.randrange(size) for _ in range(self.draw.randrange(3) if size else 0)] for _ in range(2)]
        summaries = np.array(
            [[self.draw.randrange(max(size, 1)), self.draw.randrange(2)] for _ in range(3 if size else 0)]
        )
        summaries = self.shaped(summaries.reshape(-1, 2)) if self.draw.random() < RIGHT else self.pairs(texts)
        settings = [self.settings() for _ in range(self.draw.randrange(3))]
        features = self.shaped(np.zeros((len(summaries), len(settings), self.mostly(FEATURES, wrong=[2]))))
        words, described = (
            np.zeros((len(summaries), 2)),
            np.zeros((len(inputs), len(settings) + self.mostly(2, wrong=[1]))),
        )
        reading = self.reading()
        del reading["limit"]
        self.native.score_free(
            texts,
            inputs,
            summaries,
            settings,
            features,
            words,
            described,
            **reading,
            pairs=self.draw.random() < 0.5,
            threads=self.threads(),
        )

    def contrast_words(self) -> None:
        reading = self.reading()
        del reading["limit"]
        pairs = self.draw.random() < 0.5
        self.native.contrast_words(self.many(self.text), self.background(), **reading, pairs=pairs)

    def cell(self) -> str | None:
        """A text as Arrow can hold it, or none."""
        return self.string().encode("utf-8", "replace").decode() if self.draw.random() < 0.8 else None

    def frame(self) -> pl.DataFrame:
        rows = self.draw.randrange(6)
        summaries = [self.cell() for _ in range(rows)]
        if self.draw.random() < 0.3:
            references: list[Any] = [self.cell() for _ in range(rows)]
            kind: Any = pl.String
        else:
            some = [[self.cell() for _ in range(self.draw.randrange(3))] for _ in range(rows)]
            references = [one if self.draw.random() < 0.8 else None for one in some]
            kind = pl.List(pl.String)
        frame = pl.DataFrame({"s": pl.Series(summaries, dtype=pl.String), "r": pl.Series(references, dtype=kind)})
        if self.draw.random() < 0.3:
            frame = pl.concat([frame, frame], rechunk=False)
        return frame.slice(self.draw.randrange(3), self.draw.randrange(6)) if self.draw.random() < 0.5 else frame

    def count_arrow(self) -> None:
        frame = self.frame()
        other = frame if self.draw.random() < 0.9 else self.frame()
        kinds, reading = [self.kind() for _ in range(self.draw.randrange(3))], self.reading()
        reading["limit"] = reading["limit"]()
        tables = [self.native.ArrowTable(one) for one in (frame, other)]
        self.native.count_arrow(
            *tables,
            self.mostly("s", wrong=["r", "?"]),
            self.mostly("r", wrong=["s", "?"]),
            kinds,
            **reading,
            quirks=self.quirks(),
            max_cells=self.cells(),
            long_line=self.one(0, 1, 100),
            threads=self.threads(),
        )

    def pool_rows(self) -> None:
        pairs, kinds = self.draw.randrange(6), 1 + self.draw.randrange(3)
        counts = np.full((pairs, kinds, 4), float(self.one(*NUMBERS)))[:, self.draw.randrange(kinds)]
        starts = sorted(self.draw.randrange(pairs + 1) for _ in range(self.draw.randrange(5)))
        starts = [int(self.mostly(one, wrong=[-1, pairs + 1, 2**62])) for one in starts]
        given = self.shaped(np.array(starts, dtype=np.int64))
        self.native.pool_rows(self.shaped(counts), given, self.one(True, False), float(self.one(0, 0.3, 1)))

    def arrow_numbers(self) -> None:
        columns = self.shaped(np.full((self.draw.randrange(4), self.draw.randrange(5)), float(self.one(*NUMBERS))))
        names = [self.word() for _ in range(len(columns) + self.mostly(0, wrong=[1]))]
        made = self.native.ArrowNumbers(names, columns)
        made.__arrow_c_schema__()
        pl.DataFrame(made)

    def plugin(self) -> None:
        right = [
            self.one("n", "l", "w", "s", "su", "flat-l"),
            self.mostly(1, 2, 4, 1.2),
            self.one("rouge155", "unicode"),
            self.one("none", "nltk"),
            *[self.one(0, 1)],
            self.one(0, 3, -1),
            self.one(0, 9),
            1,
            1,
            1,
            self.one(2**40, 0, 10, -1),
            self.one(0, 1),
            self.one(0.5, "nan", 2),
            self.one("recall", "precision", "f"),
        ]
        if self.draw.random() < 0.05:
            del right[self.draw.randrange(len(right))]
        if self.draw.random() < 0.05:
            right[self.draw.randrange(len(right))] = self.word()
        columns = [pl.col(self.mostly("s", wrong="r")), pl.col(self.mostly("r", wrong="s"))]
        expression = register_plugin_function(
            plugin_path=self.native.__file__,
            function_name="rouge",
            args=columns[: self.mostly(2, wrong=[1])],
            kwargs={"work": ";".join(map(str, right))},
            is_elementwise=True,
            use_abs_path=True,
        )
        frame = self.frame()
        (frame.lazy().select(expression).collect() if self.draw.random() < 0.3 else frame.select(expression))


CALLS = [
    "count_overlaps",
    "count_token_overlaps",
    "count_be_overlaps",
    "tokens_of",
    "forms_of",
    "match_tokens",
    "cut_sizes",
    "stem",
    "score_free",
    "contrast_words",
    "count_arrow",
    "pool_rows",
    "arrow_numbers",
    "plugin",
]


def main() -> None:
    library, seconds, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    spec = importlib.util.spec_from_file_location("_native", library)
    assert spec and spec.loader
    native = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(native)
    fuzzer = Fuzzer(native, seed)
    native.set_plugin_lists(fuzzer.lists)
    ended: Counter[str] = Counter()
    done, refused = Counter[str](), Counter[str]()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        name = fuzzer.draw.choice(CALLS)
        done[name] += 1
        try:
            getattr(fuzzer, name)()
        except (*ORDINARY, pl.exceptions.PolarsError) as error:
            refused[name] += 1
            ended[type(error).__name__] += 1
    refusals = f"{sum(refused.values()):,} refused: {dict(ended)}"
    print(f"{sum(done.values()):,} calls with {fuzzer.texts_made:,} texts, {refusals}")
    for name in CALLS:
        print(f"  {name}: {done[name]:,} calls, {refused[name]:,} refused")


if __name__ == "__main__":
    main()
