"""Backgrounds: the word counts, document frequencies and stop lists that model-free measures are given.

Each is a file or a named resource, read once, with a name, a size and a hash for the signature.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import compress
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Problems
from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.files.opening import BYTE_ORDER_MARK, decode_utf8
from pyramidion.files.problems import Place, shorten
from pyramidion.files.refusals import refusal_of
from pyramidion.text.inputs import Collection, WordRules
from pyramidion.text.stop import stop_words

DOCUMENTS: Final = 5_000
"""Documents behind a background or an idf file that does not say how many."""
WORDS_IN_DOCUMENT: Final = 320
"""Words of a document of the default background, stop words left out."""
WORDFREQ: Final = "wordfreq"
SMART: Final = "smart"
NONE: Final = "none"
_DOCUMENTS_LINE: Final = "documents:"
_DIGIT: Final = re.compile("[0-9]")
_ASCII_WORD: Final = re.compile("[A-Za-z0-9]+")
_LOWER_WORD: Final = re.compile("[a-z0-9]+")

Loaded = TypeVar("Loaded")


@dataclass(frozen=True, eq=False, kw_only=True)
class Background:
    """How often words occur in a large collection, and in how many of its documents."""

    name: str
    digest: str
    counts: Mapping[str, float]
    frequencies: Mapping[str, float] = field(default_factory=dict)
    """By word, in how many documents it occurs; of a word that is not here, by the Poisson approximation."""
    documents: int = DOCUMENTS
    scaled_to: float | None = None
    """Counts are multiplied so that, stop words left out, this is their sum; None: they are taken as they are."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Weights:
    """The idf of words in the form in which they are compared (stems, if stems are taken)."""

    name: str
    digest: str
    idf: Mapping[str, float]
    documents: int = DOCUMENTS


def load_background(source: str) -> Background:
    """The background of that name, or in that file (TSV: word, count and, if known, document frequency).

    Raises:
        MissingExtraError: if the default is asked for and wordfreq is not installed.
        InputError: with all that is wrong with the file.
    """
    if source == WORDFREQ:
        return _wordfreq()
    return _read_file(source, "background", _read_background)


def load_weights(source: str) -> Weights:
    """The idf file (TSV: stem, idf)."""
    return _read_file(source, "idf", _read_weights)


def load_stop_words(source: str) -> tuple[frozenset[str], str]:
    """The stop list of that name (`smart`, `none`) or in that file (one word a line), and its hash."""
    if source == SMART:
        return stop_words(), ""
    if source == NONE:
        return frozenset(), ""
    return _read_file(source, "stop", _read_stop_words)


@lru_cache(maxsize=8)
def collection(
    background: Background | None, weights: Weights | None, rules: WordRules, *, as_simetrix: bool = False
) -> Collection:
    """Counts and weights of the words as the rules compare them: stop words out, equal stems added up.

    `as_simetrix` treats every entry of the background as one word, unchanged, stop words too, as the tool does.

    idf = ln(D / df), at most ln D, which unseen words have too. A stem's document frequency assumes that its words are
    independent: df = D (1 − Π (1 − dfᵢ / D)), and where df is not known df = D (1 − exp(−count / D)) (Poisson).
    """
    index: dict[str, int] = {}
    counts: Floats = np.zeros(0)
    if background is not None:
        words_and_forms = _entries if as_simetrix else _forms
        words, forms = words_and_forms(background.counts, rules)
        places = np.fromiter((index.setdefault(form, len(index)) for form in forms), np.int64, len(forms))
        each = np.fromiter((background.counts[word] for word in words), np.float64, len(words))
        counts = np.bincount(places, each, minlength=len(index)).astype(np.float64)
        if background.scaled_to is not None and len(counts):
            counts *= background.scaled_to / counts.sum()
    if weights is not None:
        for form in weights.idf:
            index.setdefault(form, len(index))
        unseen = math.log(weights.documents)
        idf = np.fromiter((weights.idf.get(form, unseen) for form in index), np.float64, len(index))
        counts = np.concatenate([counts, np.zeros(len(index) - len(counts))])
        return Collection(forms=tuple(index), counts=counts, weights=idf, unseen=unseen)
    if background is None:
        raise UsageError("a collection needs a background or weights")
    documents = background.documents
    log_absent = -counts / documents  # ln of the share of documents without the word
    if background.frequencies:
        frequencies = np.fromiter((background.frequencies.get(word, np.nan) for word in words), np.float64, len(words))
        with np.errstate(divide="ignore"):
            absent = np.log1p(-np.minimum(frequencies / documents, 1.0))
        is_counted = ~np.isnan(frequencies)
        has_frequency = np.bincount(places, is_counted, minlength=len(index)) > 0
        sums = np.bincount(places[is_counted], absent[is_counted], minlength=len(index))
        log_absent = np.where(has_frequency, sums, log_absent)
    frequencies = np.maximum(documents * -np.expm1(log_absent), 1.0)
    return Collection(
        forms=tuple(index), counts=counts, weights=np.log(documents / frequencies), unseen=math.log(documents)
    )


def _forms(entries: Iterable[str], rules: WordRules) -> tuple[list[str], list[str]]:
    """Entries and what the rules make of them; those of two words count as pairs, others word by word."""
    if rules.ngram == 2:
        pairs: list[str] = []
        pair_forms: list[str] = []
        for entry in entries:
            forms = rules.forms(entry) if " " in entry else []
            if len(forms) == 2 == len(entry.split()):
                pairs.append(entry)
                pair_forms.append(" ".join(forms))
        return pairs, pair_forms
    surface = replace(rules, stem=False, stop=frozenset())
    words: list[str] = []
    tokens: list[str] = []
    for entry in entries:
        if entry.isascii() and entry.isalnum():
            words.append(entry)
            tokens.append(entry.lower())
        elif " " not in entry:
            parts = _ASCII_WORD.findall(entry) if rules.tokens == "ascii" else surface.forms(entry)
            words += [entry] * len(parts)
            tokens += map(str.lower, parts)
    is_kept = [token not in rules.stop for token in tokens]
    kept_tokens = compress(tokens, is_kept)
    return list(compress(words, is_kept)), rules.forms("\n".join(kept_tokens))


def _entries(entries: Iterable[str], rules: WordRules) -> tuple[list[str], list[str]]:
    """Entries and their stems; one that can be no word of a text stays as it is, and only adds to the size."""
    words = list(entries)
    possible_words = [word for word in words if _LOWER_WORD.fullmatch(word)]
    # Nothing is dropped here, so that each entry has its own form at its own place.
    forms = replace(rules, stop=frozenset()).forms("\n".join(possible_words))
    stems = dict(zip(possible_words, forms, strict=True))
    return words, [stems.get(word, word) for word in words]


@lru_cache(maxsize=1)
def _wordfreq() -> Background:
    """English frequencies of the package wordfreq, as if counted in 5,000 documents of 320 words."""
    try:
        import wordfreq
        from wordfreq.numbers import digit_freq
    except ImportError:
        raise MissingExtraError(f"the background {WORDFREQ!r} (background=FILE takes another)", "background") from None
    from importlib.metadata import version

    frequencies = wordfreq.get_frequency_dict("en", wordlist="best")
    counts = {word: frequency for word, frequency in frequencies.items() if not _DIGIT.search(word)}
    counts |= {digit: frequencies[digit] for digit in "0123456789" if digit in frequencies}
    for digits in (2, 3, 4):  # wordfreq keeps one entry, such as 00 or 00th, for all numbers with this many digits
        numbers = [f"{number:0{digits}}" for number in range(10**digits)]
        shares = [digit_freq(number) for number in numbers]
        for ending in ("", "s", "th", "st", "nd", "rd"):
            together = frequencies.get("0" * digits + ending, 0.0)
            counts |= {number + ending: together * share for number, share in zip(numbers, shares, strict=True)}
    return Background(
        name=f"wordfreq-{version('wordfreq')}-en",
        digest=_digest("\n".join(counts).encode() + np.array(list(counts.values())).tobytes()),
        counts=counts,
        scaled_to=DOCUMENTS * WORDS_IN_DOCUMENT,
    )


def _read_file(source: str, option: str, read: Callable[[Path, bytes, Place], Loaded]) -> Loaded:
    """What a reader makes of a file; read again only when the file has changed."""
    path = Path(source)
    names = {"background": f", or {WORDFREQ}", "stop": f", {SMART} or {NONE}"}.get(option, "")
    try:
        status = path.stat()
        if not path.is_file():
            raise UsageError(f"{option}={source}: found no file; give a file{names}")
        content: Loaded = _read_once(read, path, status.st_mtime_ns, status.st_size)
        return content
    except OSError as error:
        refusal = refusal_of(error).found
        raise UsageError(f"{option}={source}: found {refusal}; give a file that can be read{names}") from None


@lru_cache(maxsize=16)
def _read_once(
    read: Callable[[Path, bytes, Place], Loaded],
    path: Path,
    changed: int,  # noqa: ARG001  # part of the key
    size: int,  # noqa: ARG001
) -> Loaded:
    """What a reader makes of a file that has this time of change and this size."""
    problems = Problems()
    content = read(path, path.read_bytes(), problems.at(path))
    problems.refuse()
    return content


def _read_background(path: Path, content: bytes, at: Place) -> Background:
    """The counts of a background, with the document frequencies of the words that have one."""
    table = _NumberFile(at, "word", ("count", "df"))
    counts: dict[str, float] = {}
    frequencies: dict[str, float] = {}
    for word, numbers in table.rows(_text(path, content, at)):
        counts[word] = numbers[0]
        if len(numbers) > 1:
            frequencies[word] = numbers[1]
    documents = table.documents
    highest = max(frequencies.values(), default=0)
    if highest > documents:
        found = f"a word in {highest:g} documents of {documents:,}"
        expected = f"a line `# {_DOCUMENTS_LINE} N` with the number of documents (without it: {DOCUMENTS:,})"
        at.error(found, expected, "Write such a line at the top.", field="df")
    if not counts and not at.problems.errors:
        at.error("no word", "lines of word, count and, if known, document frequency", "Add them.")
    return Background(
        name=path.name, digest=_digest(content), counts=counts, frequencies=frequencies, documents=documents
    )


def _read_weights(path: Path, content: bytes, at: Place) -> Weights:
    """The idf of each stem."""
    table = _NumberFile(at, "stem", ("idf",))
    idf = {stem: numbers[0] for stem, numbers in table.rows(_text(path, content, at))}
    if not idf and not at.problems.errors:
        at.error("no word", "lines of stem and idf", "Add them.")
    return Weights(name=path.name, digest=_digest(content), idf=idf, documents=table.documents)


def _read_stop_words(path: Path, content: bytes, at: Place) -> tuple[frozenset[str], str]:
    """The stop words of a file, one on each line, and the digest of the file."""
    words = [line.strip().lower() for line in _text(path, content, at).splitlines()]
    return frozenset(filter(None, words)), _digest(content)


def _text(path: Path, content: bytes, at: Place) -> str:
    """The content of a file as text, without a byte-order mark."""
    return decode_utf8(content.removeprefix(BYTE_ORDER_MARK), path, None, at.problems) or ""


@dataclass
class _NumberFile:
    """A file of lines of a key and one number or more, with tabs between; `# documents: N` may stand above them.

    The files of SIMetrix are read too: blanks between, and in an idf file the number of documents on the first line.
    """

    at: Place
    key: str
    columns: tuple[str, ...]
    documents: int = DOCUMENTS

    def rows(self, text: str) -> Iterator[tuple[str, list[float]]]:
        """The lines that can be read; what is wrong with the others is noted."""
        seen: set[str] = set()
        is_first = True
        for line, row in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
            at = self.at.at(line)
            if row.startswith("#"):
                self._read_comment(at, row)
                continue
            if not row.strip():
                continue
            key, *cells = row.split("\t") if "\t" in row else row.split()
            is_head = is_first and self._is_head(at, key, cells)
            is_first = False
            if is_head:
                continue
            numbers = self._numbers(at, row, cells)
            if key in seen:
                at.error(shorten(key) + " again", "each once", "Remove one of the lines.", field=self.key)
            elif numbers is not None:
                seen.add(key)
                yield key, numbers

    def _read_comment(self, at: Place, row: str) -> None:
        """Take the number of documents from a comment that gives it; other comments are skipped."""
        comment = row.lstrip("# ")
        if comment.startswith(_DOCUMENTS_LINE):
            self._set_documents(at, comment.removeprefix(_DOCUMENTS_LINE).strip().replace(",", ""))

    def _is_head(self, at: Place, key: str, cells: list[str]) -> bool:
        """Whether the first line names the columns, or is SIMetrix's number of documents."""
        if self.key == "stem" and not cells and key.isdecimal():
            self._set_documents(at, key)
            return True
        return [cell.strip().lower() for cell in (key, *cells)][:2] == [self.key, self.columns[0]]

    def _set_documents(self, at: Place, number: str) -> None:
        """Take the number of documents from its text; one that can't be meant is an error."""
        # Up to where floats hold every whole number.
        if number.isascii() and number.isdigit() and 1 < int(number) < 2**53:
            self.documents = int(number)
        else:
            at.error(shorten(number), "a whole number above 1", "Give the number of documents.", field="documents")

    def _numbers(self, at: Place, row: str, cells: list[str]) -> list[float] | None:
        """The numbers of a line; None (and an error) if it has too many or too few, or one is out of range."""
        if not 1 <= len(cells) <= len(self.columns):
            layout = ", ".join((self.key, *self.columns))
            at.error(shorten(row), f"{layout}, with tabs between", "Write one entry per line.")
            return None
        numbers = []
        for name, cell in zip(self.columns, cells, strict=False):
            try:
                number = float(cell)
            except ValueError:
                number = math.nan
            may_be_negative = name == "idf"
            if not math.isfinite(number) or (number < 0 and not may_be_negative):
                expected = "a finite number" if may_be_negative else "a number from 0 up"
                at.error(shorten(cell), expected, "Correct the number.", field=name)
                return None
            numbers.append(number)
        return numbers


def _digest(content: bytes) -> str:
    """The first digits of the SHA-256 of some bytes, which signatures show."""
    return hashlib.sha256(content).hexdigest()[:12]
