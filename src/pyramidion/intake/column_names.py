"""What the name of a column says: that it numbers rows, keeps books, names a measure or a system.

Names are compared without case, blanks and punctuation: `Article ID`, `article_id` and `ArticleID` are one name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

INDEX = frozenset({"index", "idx", "level0", "indexlevel0", "unnamed0", "row", "rowid", "rownumber", "rowindex"})
"""Names of columns that only number the rows, as data frames write them."""
BOOKKEEPING = frozenset(
    {
        *("run", "seed", "epoch", "fold", "split", "shard", "year", "date", "time", "timestamp", "created", "batch"),
        *("latency", "latencyms", "duration", "seconds", "elapsed", "cost", "price", "tokens", "ntokens", "numtokens"),
        *("inputtokens", "outputtokens", "prompttokens", "completiontokens", "totaltokens", "length", "len", "words"),
        *("nwords", "numwords", "wordcount", "chars", "version", "temperature", "topp", "topk", "maxtokens", "rank"),
        *("countid", "position", "order", "line", "lineno", "number", "num", "n", "docid", "articleid", "exampleid"),
    }
)
"""Names of columns of numbers that are no scores."""
_BOOKKEEPING_WORDS = frozenset({"latency", "duration", "elapsed", "runtime", "tokens", "cost", "timestamp", "time"})
"""Words in the names of columns of numbers that are no scores."""
_MEASURE_WORDS = frozenset(
    {
        *("rouge", "bleu", "sacrebleu", "meteor", "chrf", "ter", "bleurt", "comet", "cider", "spice", "nist", "blanc"),
        *("summac", "factcc", "supert", "pyramid", "js", "kl", "cosine", "divergence", "perplexity", "entailment"),
        *("precision", "recall", "f", "f1", "p", "r", "em", "accuracy", "acc", "mean", "avg", "average", "judge"),
        *("score", "scores", "rating", "ratings", "grade", "value", "metric", "measure", "likert", "judgment"),
        *("fluent", "coherence", "relevance", "faith", "faithful", "factual", "grammar", "focus", "structure"),
        *("coverage", "density", "compression", "length", "novelty", "overall", "overlap", "be", "hm", "unieval"),
    }
)
"""Words in the names of columns that say what was measured, not which system it was measured on."""
_MEASURE_ENDINGS = ("score", "eval", "ness", "ity", "ency", "ancy", "rouge", "rating")
"""What words that say what was measured often end in: bertscore, conciseness, factuality, fluency."""
_VARIANTS = frozenset({"l", "lsum", "su", "s", "w", "n"})
"""What tells ROUGE-L from ROUGE-Lsum."""
RUNS_OF_SYSTEMS = frozenset({"run", "runid", "runtag", "runname"})
"""Names of columns of runs that may be systems, as in TREC."""
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_PUNCTUATION = re.compile(r"[^a-z0-9]+")
_UNNAMED = re.compile(r"unnamed\d+(level\d+)?")
_NUMBERED_RUN = re.compile(r"(run|seed|epoch|trial|rep|repeat|repetition)?[\s_-]*\d+")


def plain_name(name: str) -> str:
    """A name as names are compared."""
    return _PUNCTUATION.sub("", name.lower()) or name


def split_words(name: str) -> list[str]:
    """The words of the name of a column: `judgeReason_2` is judge, reason, 2."""
    return [part.lower() for part in _PART.findall(name)]


def is_index(name: str) -> bool:
    """Whether a column only numbers the rows."""
    plain = plain_name(name)
    return not name.strip() or plain in INDEX or _UNNAMED.fullmatch(plain) is not None


def exclude(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The names that are not among others, in their order.

    Args:
        names: all of them.
        taken: those that are left out.
    """
    gone = {*taken}
    return [name for name in names if name not in gone]


def is_numbering(name: str) -> bool:
    """Whether a column that numbers rows may number topics: `index`, not `Unnamed: 0`."""
    return plain_name(name) in ("index", "idx")


def is_bookkeeping(name: str) -> bool:
    """Whether a column of numbers holds no scores, but latencies, lengths, dates, ids and the like."""
    if plain_name(name) in BOOKKEEPING:
        return True
    words = split_words(name)
    return words[-1:] == ["id"] or not _BOOKKEEPING_WORDS.isdisjoint(words)


def names_systems(name: str) -> bool:
    """Whether a column of runs may name systems, as in TREC: `run`, not `seed`, `epoch` or `trial`."""
    return plain_name(name) in RUNS_OF_SYSTEMS


def is_numbered_run(label: str) -> bool:
    """Whether the label of a run only numbers it: `3`, `run1`, `seed_42`."""
    return _NUMBERED_RUN.fullmatch(label.lower()) is not None


def names_measure(name: str) -> bool:
    """Whether the name of a column of numbers says what was measured: `rouge1`, `bertscore_f1`, `fluency`."""
    return any(map(_is_measure_word, split_words(name)))


def may_be_systems(names: Sequence[str]) -> bool:
    """Whether columns of numbers may be systems: a name says nothing of a measure, or names differ in one other word.

    >>> [may_be_systems(names) for names in (["gpt4", "llama"], ["rating_A", "rating_B"], ["rouge1", "rougeL"])]
    [True, True, False]
    """
    if not all(map(names_measure, names)):
        return True
    rests_by_measure: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for name in names:
        measure, rest = _split_measure(name)
        rests_by_measure[measure].add(rest)
    return any(len(rests) > 1 for rests in rests_by_measure.values())


def _split_measure(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a name that say what was measured, and its other words, without numbers."""
    measure: list[str] = []
    rest: list[str] = []
    for word in split_words(name):
        if word in _VARIANTS or _is_measure_word(word):
            measure.append(word)
        elif not word.isdigit():
            rest.append(word)
    return tuple(measure), tuple(rest)


def _is_measure_word(word: str) -> bool:
    """Whether a word of a name says what was measured."""
    return word in _MEASURE_WORDS or word.endswith(_MEASURE_ENDINGS)
