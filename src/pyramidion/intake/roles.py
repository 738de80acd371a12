"""Which column of a table plays which part: found by the names that people use, or as the user says.

Names are compared without case, blanks and punctuation: `Article ID`, `article_id` and `ArticleID` are one name.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, get_args

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.files import guards
from pyramidion.files.problems import Place, shorten

OfSummaries = Literal["topic", "summarizer", "summary", "references", "documents"]
Role = OfSummaries | Literal["assessor", "question", "value", "measure", "score", "run"]
"""What a column of a table of summaries, of judgments or of scores holds."""
GIVEN = (*get_args(OfSummaries), "scores", "judgments")
"""What `--columns` can name in a table of summaries."""
OF_SCORES = ("measure", "value", "run")
"""What it can name in score tables only."""
TOGETHER = "+"
"""Between the names of several columns that play one role."""

ALIASES: Mapping[Role, tuple[str, ...]] = {
    "topic": (
        *("topic", "topic id", "id", "example id", "doc id", "document id", "article id", "item id", "sample id"),
        *("instance id", "data id", "test id", "source id", "question id", "segment id", "uid", "guid", "uuid", "key"),
        *("topics", "item", "example", "segment", "docno", "doc", "set id", "cluster", "eventid", "case id"),
        *("record id", "prompt id", "input id", "story id", "dialogue id", "passage id", "text id", "news id", "case"),
    ),
    "summarizer": (
        *("summarizer", "summariser", "summarizer id", "system", "model", "system id", "model id", "system name"),
        *("model name", "summarizer name", "systems", "models", "method", "llm", "engine", "provider", "peer"),
        *("system label", "approach", "generator", "llm name", "checkpoint", "variant", "team", "submission"),
    ),
    "summary": (
        *("summary", "prediction", "predictions", "pred", "preds", "predicted", "predicted summary"),
        *("model output", "output", "outputs", "generated", "generated summary", "generated text", "generation"),
        *("hypothesis", "hypotheses", "hyp", "decoded", "system summary", "system output", "model summary"),
        *("candidate", "candidate summary", "completion", "model response", "response", "peer summary", "generations"),
        *("actual output", "summ", "sys summ", "answer", "summaries", "generated summaries", "predicted summaries"),
        *("system summaries", "model outputs", "model prediction", "llm summary", "llm output", "llm response"),
        *("ai summary", "machine summary", "automatic summary", "output summary", "candidates"),
    ),
    "references": (
        *("references", "reference", "target", "targets", "label", "labels", "highlights", "refs", "ref", "ref summ"),
        *("reference summary", "reference summaries", "ref summary", "gold", "gold summary", "gold reference"),
        *("golden", "ground truth", "ground truth summary", "expected", "expected output", "expected summary"),
        *("human summary", "target summary", "ideal", "abstract", "tldr", "model summaries", "gold summaries"),
        *("gold standard", "truth", "ground truths", "human summaries", "human reference", "human written summary"),
        *("expert summary", "ideal summary", "reference answer"),
    ),
    "documents": (
        *("documents", "document", "source", "article", "text", "input", "src", "docs", "sources", "articles"),
        *("source text", "source document", "source documents", "source article", "article text", "document text"),
        *("input text", "full text", "body", "passage", "dialogue", "dialog", "transcript", "story", "report"),
        *("context", "contexts", "content", "doc", "inputs", "reviews"),
    ),
    "assessor": (
        *("assessor", "annotator", "rater", "judge", "worker", "evaluator", "expert", "assessor id", "annotator id"),
        *("rater id", "judge id", "worker id", "evaluator id", "expert id"),
    ),
    "question": ("question", "criterion", "dimension", "aspect", "quality"),
    "value": ("value", "answer", "rating", "score", "judgment", "judgement", "response", "grade", "label"),
    "measure": ("measure", "metric", "metric name", "measure name"),
    "score": ("value", "score"),
    "run": (
        *("run", "run id", "run number", "seed", "random seed", "trial", "trial id", "repetition", "repeat"),
        *("replicate", "replication", "iteration", "attempt", "epoch"),
    ),
}
"""The names that a column of each role may have, the most telling first; the first is our own."""
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
_OF_BOOKKEEPING = frozenset({"latency", "duration", "elapsed", "runtime", "tokens", "cost", "timestamp", "time"})
"""Words in such names."""
_MEASURES = frozenset(
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
_OF_MEASURES = ("score", "eval", "ness", "ity", "ency", "ancy", "rouge", "rating")
"""What such words often end in: bertscore, conciseness, factuality, fluency."""
_VARIANTS = frozenset({"l", "lsum", "su", "s", "w", "n"})
"""What tells ROUGE-L from ROUGE-Lsum."""
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>"})
"""What a cell without a number may say."""
LONGEST_ID = guards.ID_CHARACTERS
"""Characters of an id: what is longer is a text in the wrong column, and each table would repeat it."""
_INTEGRAL = re.compile(r"-?\d+\.0+")
_WHOLE = re.compile(r"-?\d+")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_PLAIN = re.compile(r"[^a-z0-9]+")
_UNNAMED = re.compile(r"unnamed\d+(level\d+)?")
_OF_TEXTS: frozenset[Role] = frozenset({"summary", "references", "documents"})
_ADDED = re.compile(r"(texts?|str|string)?(v\d+)?$")
"""What is often added to the name of a column of texts: `output_text`, `summary_v2`."""


def plain_name(name: str) -> str:
    """A name as names are compared."""
    return _PLAIN.sub("", name.lower()) or name


def words_of(name: str) -> list[str]:
    """The words of the name of a column: `judgeReason_2` is judge, reason, 2."""
    return [part.lower() for part in _PART.findall(name)]


def is_bookkeeping(name: str) -> bool:
    """Whether a column of numbers holds no scores, but latencies, lengths, dates, ids and the like."""
    words = words_of(name)
    return plain_name(name) in BOOKKEEPING or not _OF_BOOKKEEPING.isdisjoint(words) or words[-1:] == ["id"]


def names_systems(name: str) -> bool:
    """Whether a column of runs may name systems, as in TREC: `run`, not `seed`, `epoch` or `trial`."""
    return plain_name(name) in ("run", "runid", "runtag", "runname")


def names_measure(name: str) -> bool:
    """Whether the name of a column of numbers says what was measured: `rouge1`, `bertscore_f1`, `fluency`."""
    return any(map(_is_measure_word, words_of(name)))


def may_be_systems(names: Sequence[str]) -> bool:
    """Whether columns of numbers may be systems: a name says nothing of a measure, or names differ in one other word.

    >>> [may_be_systems(names) for names in (["gpt4", "llama"], ["rating_A", "rating_B"], ["rouge1", "rougeL"])]
    [True, True, False]
    """
    if not all(map(names_measure, names)):
        return True
    rests_by_measure: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for name in names:
        words = words_of(name)
        measure = tuple(word for word in words if _is_measure_word(word) or word in _VARIANTS)
        rests_by_measure[measure].add(tuple(word for word in words if word not in measure and not word.isdigit()))
    return any(len(rests) > 1 for rests in rests_by_measure.values())


def _is_measure_word(word: str) -> bool:
    return word in _MEASURES or word.endswith(_OF_MEASURES)


def is_index(name: str) -> bool:
    """Whether a column only numbers the rows."""
    plain = plain_name(name)
    return not name.strip() or plain in INDEX or _UNNAMED.fullmatch(plain) is not None


_PLAIN_ALIASES: Mapping[Role, tuple[str, ...]] = {
    role: tuple(map(plain_name, aliases)) for role, aliases in ALIASES.items()
}


def check_roles(given: Mapping[str, str]) -> None:
    """Refuse roles that no table has.

    Raises:
        UsageError: with the roles that there are.
    """
    for role, value in given.items():
        if role not in (*GIVEN, *OF_SCORES):
            raise UsageError(
                f"--columns {role}={value}: there is no role {role!r}{did_you_mean(role, (*GIVEN, *OF_SCORES))} "
                f"roles are: {', '.join(GIVEN)}; in score tables also {', '.join(OF_SCORES)}"
            )


def candidates(role: Role, names: Iterable[str]) -> list[str]:
    """The columns whose names fit the role, the most telling first; also texts such as `output_text`, `gold_v2`."""
    by_plain: dict[str, str] = {}
    by_stem: dict[str, str] = {}
    for name in names:
        by_plain.setdefault(plain := plain_name(name), name)
        if role in _OF_TEXTS and (stem := _ADDED.sub("", plain, count=1)) != plain:
            by_stem.setdefault(stem, name)
    found = [held[alias] for held in (by_plain, by_stem) for alias in _PLAIN_ALIASES[role] if alias in held]
    return list(dict.fromkeys(found))


def numbered(role: Role, names: Iterable[str]) -> list[str]:
    """Columns such as ref1, ref2 or `reference 1`, in the order of their numbers."""
    found: list[tuple[int, str]] = []
    for name in names:
        match = re.fullmatch(r"([a-z]+)(\d+)", plain_name(name))
        if match and match[1] in _PLAIN_ALIASES[role]:
            found.append((int(match[2]), name))
    return [name for _, name in sorted(found)]


def note_long_id(at: Place, field: str, start: str, length: int) -> None:
    """An id that is too long is an error.

    Args:
        at: the row.
        field: what the file calls the id.
        start: its first characters, or all of it.
        length: how many there are.
    """
    at.error(
        f"{length:,} characters: {shorten(start)}",
        f"an id of {LONGEST_ID:,} characters at most",
        "This looks like a text, not an id: choose the column with --columns, or shorten the id.",
        field=field,
    )


def is_missing(value: Any) -> bool:
    """Whether a value of a data frame or of JSON is none: null, NaN, pandas' NA and NaT."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    return type(value).__name__ in ("NAType", "NaTType")


def number_of(value: Any) -> float | None:
    """The number in a cell, or None if it has none: missing, or not a number."""
    if isinstance(value, bool | int | float):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    if not isinstance(value, str):
        return None
    text = value.strip()
    if text.lower() in MISSING:
        return None
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return None


def lacks_number(value: Any) -> bool:
    """Whether a cell that should have a number is empty, or says that there is none."""
    return is_missing(value) or (isinstance(value, str) and value.strip().lower() in MISSING)


def as_id(value: Any, *, integral: bool = False) -> Any:
    """An id as text: 1 and 1.0 are "1". With `integral`, so is "1.0"; what can be no id, such as 1.5, stays as it is.

    Args:
        value: a cell.
        integral: whether the texts of the column are whole numbers that became decimals, as in data frames with holes.
    """
    if isinstance(value, bool) or is_missing(value):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else value
    if integral and isinstance(value, str) and _INTEGRAL.fullmatch(value.strip()):
        return value.strip().partition(".")[0]
    return value


def is_odd_id(value: Any) -> bool:
    """Whether a cell holds what can be no id: a list, an object, true or false, or a number with a fraction."""
    if isinstance(value, float):
        return not (math.isnan(value) or value.is_integer())
    return isinstance(value, bool | list | tuple | Mapping)


def note_odd_id(at: Place, field: str, role: str, shown: Any) -> None:
    """Note as an error that a row has no proper id.

    Args:
        at: the row.
        field: the column.
        role: what the column holds: the topic, the summarizer or the assessor.
        shown: the cell.
    """
    remedy = "Correct the cell: an id is a text or a whole number."
    at.error(shorten(shown), f"the {role}", remedy, field=field)


def are_integral(values: Iterable[Any]) -> bool:
    """Whether texts are whole numbers that became decimals, all of them: "1.0", "2.0"."""
    texts = [value.strip() for value in values if isinstance(value, str)]
    decimals = [text for text in texts if not _WHOLE.fullmatch(text)]
    return bool(decimals) and all(_INTEGRAL.fullmatch(text) for text in decimals)


def keys_of(rows: Iterable[Iterable[str]]) -> list[str]:
    """All keys of the rows, in order of appearance."""
    return list(dict.fromkeys(str(key) for key in chain.from_iterable(rows)))


def holds_texts(rows: Iterable[Mapping[str, Any]], name: str) -> bool:
    """Whether a column has words, or lists or objects of them, rather than numbers."""
    values = [value for row in rows if not is_missing(value := row.get(name)) and not _is_blank(value)]
    return bool(values) and 2 * sum(number_of(value) is not None for value in values) <= len(values)


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def holds_numbers(rows: Iterable[Mapping[str, Any]], name: str) -> bool:
    """Whether a column has numbers and nothing else but missing values."""
    values = [value for row in rows if not lacks_number(value := row.get(name))]
    return bool(values) and all(number_of(value) is not None for value in values)
