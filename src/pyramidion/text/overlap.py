"""Counts for pairs of a peer and a model: the only door to the counting kernels.

Everything that ROUGE says about a pair decomposes into hits, model count and peer count; recall, precision and F,
averages over models and topics, jackknife and bootstrap follow from these without looking at a text again.

Texts are Python strings, or Arrow columns, which are counted where they lie: anything with Arrow's
`__arrow_c_stream__` or `__arrow_c_array__` can be read (pyarrow, Polars, DuckDB, pandas, Daft).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import InputError, UsageError, did_you_mean
from pyramidion.text import _native
from pyramidion.text.languages import Snowball
from pyramidion.text.tokens import (
    Stems,
    Token,
    Tokens,
    are_native,
    check_cells,
    check_limits,
    checked_pairs,
    clear_errors,
    locate_tokens,
    stems_name,
    thread_count,
    tokenise,
    tokens_name,
)
from pyramidion.text.word_lists import word_lists

Family: TypeAlias = Literal["n", "l", "w", "s", "su"]
BeMode: TypeAlias = Literal["h", "hm", "hmr", "hm1", "hmr1", "hmr2"]
BasicElement: TypeAlias = tuple[str, str, str]

LONGEST_GRAM: Final = 1000
"""The longest n-grams that are counted."""
# L and W need a table of tokens × tokens: two texts of a megabyte would ask for terabytes. An error before the
# allocation is better than a killed process.
MAX_CELLS: Final = 1_000_000_000
"""The largest table of a pair: enough for texts of 30,000 tokens under L and W (about 120 MB)."""


@dataclass(frozen=True, slots=True)
class OverlapKind:
    """What is counted.

    `OverlapKind("n", 2)`: bigrams. `OverlapKind("l")`: the longest common subsequence. `OverlapKind("w", 1.2)`: the
    weighted one. `OverlapKind("s", 4)`, `OverlapKind("su", 4)`: skip-bigrams with at most four tokens between, alone
    or with unigrams; a gap of -1 is unlimited.
    """

    family: Family
    parameter: float = 0

    def __post_init__(self) -> None:
        if self.family not in get_args(Family):
            raise UsageError(f"unknown kind {self.family!r}: choose one of {', '.join(get_args(Family))}")
        # Whole numbers may come as floats, such as from JSON: 2.0 is 2, 2.5 is an error.
        if self.family == "n" and not (1 <= self.parameter <= LONGEST_GRAM and float(self.parameter).is_integer()):
            raise UsageError(f"n-grams of {self.parameter}: n is a whole number from 1 to {LONGEST_GRAM:,}")
        if self.family == "w" and not (0 < self.parameter < 100):
            raise UsageError(f"a weight of {self.parameter}: it is a number above 0 (1.2 is usual)")
        if self.family in ("s", "su") and not (
            self.parameter >= -1 and self.parameter < 2**53 and float(self.parameter).is_integer()
        ):
            raise UsageError(f"a gap of {self.parameter}: it is a whole number from 0, or -1 for no limit")


@dataclass(frozen=True, slots=True)
class Quirks:
    """What ROUGE-1.5.5 does and users may take for a bug; each can be turned off."""

    su_drops_last_unigram: bool = True
    """SU never counts the unigram of the last token: a text of one token scores 0 against itself."""
    w_weights_model_twice: bool = True
    """The model count of W is (Σ length^w)^w over sentences, not Σ length^w: identical texts have a recall below 1."""
    lcs_forgets_bytes: bool = True
    """Under a byte limit, L and W cut only a sentence that is too long alone, and take all shorter ones before it."""
    leading_blank_is_word: bool = True
    """Under a word limit, a sentence that starts with white space has an empty first word."""


@dataclass(frozen=True, slots=True)
class MatchedToken(Token):
    """A token, and whether it takes part in a hit."""

    matched: bool


@dataclass(frozen=True, slots=True)
class Matches:
    """Both texts of a pair, token by token."""

    peer: tuple[MatchedToken, ...]
    model: tuple[MatchedToken, ...]

    @classmethod
    def of(cls, peer: LocatedText, model: LocatedText, flags: tuple[bytes, bytes]) -> Matches:
        """Tokens with what `match_located` found."""
        return cls(*(_matched(text.tokens, text_flags) for text, text_flags in zip((peer, model), flags, strict=True)))


def count_overlaps(
    texts: Sequence[str | Sequence[str]],
    pairs: Integers,
    kinds: Sequence[OverlapKind],
    *,
    tokens: Tokens = "rouge155",
    stem: bool | Stems = True,
    stop: bool = False,
    words: int | None = None,
    bytes: int | None = None,
    quirks: Quirks = Quirks(),  # noqa: B008  (frozen)
    threads: int | None = None,
    max_cells: int = MAX_CELLS,
) -> Floats:
    """Counts as ROUGE-1.5.5 makes them, for all pairs and kinds in one pass.

    Args:
        texts: each distinct text once. A str is split into sentences at line breaks; a sequence is sentences as given.
        pairs: rows (peer, model) of indices into texts.
        kinds: what to count.
        tokens: `rouge155`, `unicode`, `icu` or a function from a sentence to its tokens.
        stem: take stems (`True`: those of ROUGE-1.5.5), after the test for stop words.
        stop: drop stop words.
        words: cut each text, peers and models alike, to this many words before tokens are made.
        bytes: the same in bytes.
        quirks: which peculiarities of ROUGE-1.5.5 to keep.
        threads: how many threads share the work; by default as many as there are processors.
        max_cells: refuse pairs whose table would have more cells (L, W: tokens × tokens; S, SU without limit:
            shared types × tokens).

    Returns:
        (pairs, kinds, 4): hits, model count, peer count, and the single-weighted model count Σ length^w of W (for the
        other kinds the model count again).
    """
    check_limits(words, bytes)
    # The kernels neither call Python functions nor know ICU and Snowball: tokens are made here and counted there.
    if not isinstance(tokens, str) or not are_native(tokens, stem):
        made = [
            [[token.form for token in sentence] for sentence in _sentences(text, locate_tokens(
                text, tokens=tokens, stem=stem, stop=stop, words=words, bytes=bytes,
                leading_blank_is_word=quirks.leading_blank_is_word,
            ))]
            for text in texts
        ]  # fmt: skip
        return count_token_overlaps(made, pairs, kinds, quirks=quirks, threads=threads, max_cells=max_cells)
    limit = _native.Limit(words or 0, bytes or 0, quirks.leading_blank_is_word, quirks.lcs_forgets_bytes)
    with _counts(pairs, len(kinds), max_cells) as (checked, out):
        _native.count_overlaps(
            texts, checked, kernel_kinds(kinds), out, word_lists(), tokens_name(tokens), stems_name(stem), stop, limit,
            kernel_quirks(quirks), max_cells, thread_count(threads),
        )  # fmt: skip
    return out


def count_token_overlaps(
    texts: Sequence[Sequence[Sequence[str]]],
    pairs: Integers,
    kinds: Sequence[OverlapKind],
    *,
    quirks: Quirks = Quirks(),  # noqa: B008
    threads: int | None = None,
    max_cells: int = MAX_CELLS,
) -> Floats:
    """As `count_overlaps`, for texts whose tokens are made already: a text is sentences of tokens."""
    with _counts(pairs, len(kinds), max_cells) as (checked, out):
        _native.count_token_overlaps(
            texts, checked, kernel_kinds(kinds), out, kernel_quirks(quirks), max_cells, thread_count(threads)
        )
    return out


def count_rouge_score(
    texts: Sequence[str],
    pairs: Integers,
    kinds: Sequence[str],
    *,
    tokens: str = "rouge_score",
    stem: bool | Snowball = False,
    threads: int | None = None,
    max_cells: int = MAX_CELLS,
) -> Floats:
    """Counts as the package rouge-score 0.1.2 makes them: `rouge1` … `rouge9`, `rougeL`, `rougeLsum`.

    rougeL takes the whole text as one sequence; rougeLsum splits it at line feeds. Pairs are (prediction, target);
    the result is that of `count_overlaps`. Tokens `icu` and Snowball's stems are not rouge-score's, but ours.
    """
    names = rouge_score_kinds(kinds)
    # rouge-score stems with NLTK's Porter, not with that of ROUGE-1.5.5.
    stems: bool | Stems = "nltk" if stem is True else stem
    with _counts(pairs, len(kinds), max_cells) as (checked, out):
        settings = (_native.Quirks(), max_cells, thread_count(threads))
        if are_native(tokens, stems):
            _native.count_overlaps(
                texts, checked, names, out, word_lists(), tokens_name(tokens), stems_name(stems), False,
                _native.Limit(), *settings,
            )  # fmt: skip
        else:
            lines = [[tokenise(line, tokens=tokens, stem=stems) for line in text.split("\n")] for text in texts]
            _native.count_token_overlaps(lines, checked, names, out, *settings)
    return out


def rouge_score_counter(kinds: Sequence[str], *, stem: bool) -> Callable[[str, str], list[list[float]]]:
    """`count_rouge_score` of one prediction and one target at a time: all that does not depend on them is ready.

    Called pair by pair, a kernel takes less time than the preparation. It raises the errors of the kernels as they are.
    """
    names, pair = rouge_score_kinds(kinds), np.array([[0, 1]])
    settings = (word_lists(), "rouge_score", "nltk" if stem else "none", False, _native.Limit(), _native.Quirks())

    def count(prediction: str, target: str) -> list[list[float]]:
        """The counts of one pair for each type."""
        out = np.empty((1, len(names), 4))
        _native.count_overlaps([prediction, target], pair, names, out, *settings, MAX_CELLS, 1)
        counts: list[list[float]] = out[0].tolist()
        return counts

    return count


def count_be_overlaps(
    texts: Sequence[Sequence[BasicElement]],
    pairs: Integers,
    modes: Sequence[BeMode],
    *,
    stem: bool = True,
    threads: int | None = None,
) -> Floats:
    """Counts of Basic Elements as `-3` of ROUGE-1.5.5 makes them, (pairs, modes, 4) as `count_overlaps`.

    A text is its triples (head, modifier, relation), "nil" where there is none. Modes: h (no modifier; heads are
    compared), hm (a modifier; head and modifier), hmr (a relation; the triple), hm1 (all; head and modifier), hmr1 (a
    modifier; the triple), hmr2 (all; the triple).
    """
    unknown = [mode for mode in modes if mode not in get_args(BeMode)]
    if unknown:
        raise UsageError(f"unknown mode {unknown[0]!r}: choose one of {', '.join(get_args(BeMode))}")
    with _counts(pairs, len(modes)) as (checked, out):
        _native.count_be_overlaps(texts, checked, list(modes), out, word_lists(), stem, thread_count(threads))
    return out


@dataclass(frozen=True, slots=True)
class LocatedText:
    """A text as `match_located` compares it; made once, it can be compared with many."""

    tokens: Sequence[Token]
    forms: Sequence[Sequence[str]]
    """Sentence by sentence."""
    shown_forms: Sequence[Sequence[str]]
    """Forms of `tokens`, which for L and W under a byte limit are others than those that are counted."""

    def moved(self, starts: Sequence[int]) -> LocatedText:
        """The same, where sentences were located one by one and begin at these places of a text."""
        tokens = [
            replace(token, start=token.start + starts[token.sentence], end=token.end + starts[token.sentence])
            for token in self.tokens
        ]
        return replace(self, tokens=tokens)


def locate_text(
    text: str | Sequence[str],
    kind: OverlapKind,
    *,
    tokens: Tokens = "rouge155",
    stem: bool | Stems = True,
    stop: bool = False,
    words: int | None = None,
    bytes: int | None = None,
    quirks: Quirks = Quirks(),  # noqa: B008
) -> LocatedText:
    """The tokens of a text with their places."""

    def read(*, lcs: bool) -> tuple[list[Token], list[list[str]]]:
        """The tokens, and the forms of each sentence."""
        located = locate_tokens(
            text, tokens=tokens, stem=stem, stop=stop, words=words, bytes=bytes,
            leading_blank_is_word=quirks.leading_blank_is_word, as_lcs_under_byte_limit=lcs,
        )  # fmt: skip
        return located, [[token.form for token in sentence] for sentence in _sentences(text, located)]

    plain = read(lcs=False)
    is_lcs = kind.family in ("l", "w")
    cuts_apart = is_lcs and quirks.lcs_forgets_bytes and bytes is not None and are_native(tokens, stem)
    shown = read(lcs=True) if cuts_apart else plain
    return LocatedText(shown[0], plain[1], shown[1])


def match_located(
    peer: LocatedText,
    model: LocatedText,
    kind: OverlapKind,
    *,
    quirks: Quirks = Quirks(),  # noqa: B008
    max_cells: int = MAX_CELLS,
) -> tuple[bytes, bytes]:
    """For each token of the peer and of the model 1 if it made a hit of `count_overlaps`, else 0.

    Of equal n-grams or skip-bigrams the first ones are taken until the other text has no more. For L and W, a token
    of the peer is matched when a traceback first marked a counted token of the model from it.
    """
    check_cells(max_cells)
    with clear_errors():
        return _native.match_tokens(
            peer.forms, model.forms, peer.shown_forms, model.shown_forms,
            (kind.family, float(kind.parameter)), kernel_quirks(quirks), max_cells,
        )  # fmt: skip


def match_positions(
    peer: str | Sequence[str],
    model: str | Sequence[str],
    kind: OverlapKind,
    *,
    tokens: Tokens = "rouge155",
    stem: bool | Stems = True,
    stop: bool = False,
    words: int | None = None,
    bytes: int | None = None,
    quirks: Quirks = Quirks(),  # noqa: B008
    max_cells: int = MAX_CELLS,
) -> Matches:
    """The tokens of both texts with their places, and which of them made hits; texts are read as by `locate_text`."""
    read = partial(locate_text, kind=kind, tokens=tokens, stem=stem, stop=stop, words=words, bytes=bytes, quirks=quirks)
    first, second = read(peer), read(model)
    return Matches.of(first, second, match_located(first, second, kind, quirks=quirks, max_cells=max_cells))


def _matched(tokens: Sequence[Token], flags: bytes) -> tuple[MatchedToken, ...]:
    """Tokens with the flags that say which of them made a hit."""
    return tuple(
        MatchedToken(token.surface, token.form, token.sentence, token.start, token.end, bool(flag))
        for token, flag in zip(tokens, flags, strict=True)
    )


def _sentences(text: str | Sequence[str], tokens: Sequence[Token]) -> list[list[Token]]:
    """Tokens by sentence; one without tokens is an empty list."""
    count = text.count("\n") + 1 if isinstance(text, str) else len(text)
    sentences: list[list[Token]] = [[] for _ in range(count)]
    for token in tokens:
        sentences[token.sentence].append(token)
    return sentences


def kernel_kinds(kinds: Sequence[OverlapKind]) -> list[tuple[str, float]]:
    """Kinds as the kernels take them."""
    return [(kind.family, float(kind.parameter)) for kind in kinds]


def rouge_score_kinds(names: Sequence[str]) -> list[tuple[str, float]]:
    """The types of rouge-score as the kernels take them."""
    return [_rouge_score_kind(name) for name in names]


def _rouge_score_kind(name: str) -> tuple[str, float]:
    """A type of rouge-score as the kernels take it."""
    # rouge-score's rougeL ignores lines; only rougeLsum is the summary-level L of ROUGE-1.5.5.
    if name == "rougeL":
        return ("flat-l", 0.0)
    if name == "rougeLsum":
        return ("l", 0.0)
    if re.fullmatch("rouge[1-9]", name):
        return ("n", float(name[-1]))
    raise UsageError(f"unknown rouge type {name!r}: choose rouge1 … rouge9, rougeL or rougeLsum")


def kernel_quirks(quirks: Quirks) -> _native.Quirks:
    """Quirks as the kernels take them."""
    return _native.Quirks(quirks.su_drops_last_unigram, quirks.w_weights_model_twice)


@contextmanager
def _counts(pairs: Integers, kinds: int, max_cells: int = MAX_CELLS) -> Iterator[tuple[Integers, Floats]]:
    """The pairs, checked, and room for the counts of each kind, which the kernels fill."""
    checked = checked_pairs(pairs, "pairs", "(peer, model)")
    check_cells(max_cells)
    with clear_errors():
        yield checked, np.empty((len(checked), kinds, 4))


ArrowNumbers = _native.ArrowNumbers
_Reading = tuple[str, str, bool, _native.Limit, _native.Quirks, int, int]


@dataclass(frozen=True, eq=False)
class RowCounts:
    """Counts of the rows of a `TextTable`; a row has a pair for each of its references."""

    counts: Floats
    """Pairs × kinds × 4, as `count_overlaps` gives them."""
    starts: Integers
    """The first pair of each row, and one more at the end; a row without a summary or a reference has no pairs."""
    has_long_line: bool
    """Whether some text is one line with more words than `long_line`."""
    has_unread_letters: bool
    """Whether some text has letters, but none that `tokens="rouge155"` reads."""


def pool_rows(counts: Floats, starts: Integers, *, best_f: bool, alpha: float) -> tuple[Floats, Floats]:
    """Recall, precision and F of rows, and the hits, model counts and peer counts that they are made of.

    Args:
        counts: pairs × 4, those of one kind.
        starts: as in `RowCounts`.
        best_f: take the reference with the best F = 2·P·R / (P + R); otherwise all of a row's references together,
            with F = P·R / ((1 − α)·P + α·R).
        alpha: α.

    Returns:
        Rows × 3 each, NaN where a row has no pairs.
    """
    return _native.pool_rows(counts, starts, best_f, alpha)


class TextTable:
    """Two Arrow columns: summaries, and the references of each.

    A summary is a string, or a list of sentences. The references of a row are a string, a list of strings, or a list
    of lists of sentences. Null means that there is none. Strings may be of every Arrow type: string, large_string,
    string_view, or a dictionary of these; they are neither copied nor decoded.

    Args:
        data: an Arrow table or batch, or a pair (column of summaries, column of references).
        summary: the name of the column of summaries, where `data` is a table.
        references: the name of the column of references.

    Raises:
        InputError: if this is no Arrow data, a column has another type, or offsets and lengths contradict each other.
        UsageError: if there is no such column.
    """

    def __init__(self, data: Any, *, summary: str = "summary", references: str = "references") -> None:
        with clear_errors():
            if isinstance(data, tuple):
                # Two columns that do not lie in one table have no names; the kernels then take the only column of
                # each.
                self._summaries, self._references = map(_open, data)
                self._names = ("", "")
                return
            self._summaries = self._references = _open(data)
        for name in (summary, references):
            if name not in self._summaries.names:
                columns = self._summaries.names
                hint = did_you_mean(name, columns)
                raise UsageError(f"there is no column {name!r}{hint} the table has: {', '.join(columns) or 'none'}")
        self._names = (summary, references)

    def __len__(self) -> int:
        return self._summaries.rows

    def count(
        self,
        kinds: Sequence[OverlapKind],
        *,
        tokens: str = "rouge155",
        stem: bool | Stems = True,
        stop: bool = False,
        words: int | None = None,
        bytes: int | None = None,
        quirks: Quirks = Quirks(),  # noqa: B008  (frozen)
        threads: int | None = None,
        max_cells: int = MAX_CELLS,
        long_line: int = 0,
    ) -> RowCounts:
        """As `count_overlaps`, for each summary with each of its references."""
        check_limits(words, bytes)
        limit = _native.Limit(words or 0, bytes or 0, quirks.leading_blank_is_word, quirks.lcs_forgets_bytes)
        reading = (tokens_name(tokens), stems_name(stem), stop, limit, kernel_quirks(quirks), max_cells, long_line)
        return self._count(kernel_kinds(kinds), reading, threads)

    def count_rouge_score(
        self, kinds: Sequence[str], *, stem: bool = False, threads: int | None = None, max_cells: int = MAX_CELLS
    ) -> RowCounts:
        """As the function `count_rouge_score`, for each summary with each of its references."""
        stems = "nltk" if stem else "none"
        reading = ("rouge_score", stems, False, _native.Limit(), _native.Quirks(), max_cells, 0)
        return self._count(rouge_score_kinds(kinds), reading, threads)

    def _count(self, kinds: list[tuple[str, float]], reading: _Reading, threads: int | None) -> RowCounts:
        """Count on all rows; the kernels read the Arrow columns themselves."""
        first, second = self._names
        tokens, stems, stop, limit, quirks, max_cells, long_line = reading
        check_cells(max_cells)
        with clear_errors():
            counted = _native.count_arrow(
                self._summaries, self._references, first, second, kinds, word_lists(), tokens, stems, stop, limit,
                quirks, max_cells, long_line, thread_count(threads),
            )  # fmt: skip
        return RowCounts(*counted)


def _open(data: Any) -> _native.ArrowTable:
    """A table of Arrow data as the kernels read it."""
    try:
        return _native.ArrowTable(data)
    except RuntimeError as error:
        raise InputError(str(error)) from None
