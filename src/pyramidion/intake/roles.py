"""Which roles the columns of a table can have: summaries, scores and judgments, each with a table of roles.

To let a column be found by another name, add the name to the aliases of its role.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pyramidion.errors import UsageError, did_you_mean, mention

INDEX = frozenset({"#", "index", "idx", "level0", "indexlevel0", "unnamed0", "row", "rowid", "rownumber", "rowindex"})
"""Names of columns that only number the rows, as data frames write them."""
BOOKKEEPING = frozenset(
    {
        *("run", "seed", "epoch", "fold", "split", "shard", "year", "date", "time", "timestamp", "created", "batch"),
        *("latency", "latencyms", "duration", "seconds", "elapsed", "cost", "price", "tokens", "ntokens", "numtokens"),
        *("inputtokens", "outputtokens", "prompttokens", "completiontokens", "totaltokens", "length", "len", "words"),
        *("nwords", "numwords", "wordcount", "chars", "version", "temperature", "topp", "topk", "maxtokens", "rank"),
        *("countid", "position", "order", "line", "lineno", "number", "num", "n", "docid", "articleid", "exampleid"),
        *(
            "turn",
            "turns",
            "page",
            "pages",
            "chunk",
            "step",
            "retries",
            "attempts",
            "wordlimit",
            "status",
            "httpstatus",
        ),
        *("memory", "memorymb", "ttft", "tps", "logprob", "group", "nsentences", "numsentences", "sentences"),
        *("charcount", "tokencount", "sentencecount", "promptversion", "nr", "dauer", "zeit", "kosten", "länge"),
        *("datum", "jahr", "seite", "wörter", "anzahl", "preis"),
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
        *("bewertung", "punkte", "punktzahl", "wert", "urteil", "relevanz", "korrekt", "vollständig"),
    }
)
"""Words in the names of columns that say what was measured, not which system it was measured on."""
_MEASURE_ENDINGS = ("score", "eval", "ness", "ity", "ency", "ancy", "rouge", "rating", "ität", "heit", "keit", "enz")
"""What words that say what was measured often end in: bertscore, conciseness, factuality, fluency, Kohärenz."""
_VARIANTS = frozenset({"l", "lsum", "su", "s", "w", "n"})
"""What tells ROUGE-L from ROUGE-Lsum."""
RUNS_OF_SYSTEMS = frozenset({"run", "runid", "runtag", "runname"})
"""Names of columns of runs that may be systems, as in TREC."""
_PART = re.compile(r"[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿ]+|[A-ZÀ-ÖØ-Þ]+|\d+")
_PUNCTUATION = re.compile(r"[\W_]+")
_SEPARATOR = re.compile(r"[\s_.:/|-]+")
_BRACKETS = "()[]{} "
_IN_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
"""What stands in brackets at the end of a name: `Reference Summary (gold)`."""
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
    if not name.strip():
        return True
    plain = plain_name(name)
    return plain in INDEX or _UNNAMED.fullmatch(plain) is not None


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
    if words[-1:] == ["id"] or plain_name(name) in SUMMARY_ROLES["topic"].plain_aliases:
        return True
    return not _BOOKKEEPING_WORDS.isdisjoint(words)


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


def split_grid(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """By system and measure, the columns of a sheet with a column of each measure for each system; else nothing.

    Each name is a system and a measure, in either order, and every system has every measure; there are two of each at
    least, because `rating_A, rating_B` may as well be two systems as two raters.

    >>> split_grid(["gpt-4o_coherence", "llama_coherence", "gpt-4o_fluency", "llama_fluency"])["llama"]
    {'coherence': 'llama_coherence', 'fluency': 'llama_fluency'}
    """
    grid: dict[str, dict[str, str]] = {}
    for name in names:
        parts = _split_system(name)
        if parts is None:
            return {}
        system, measure = parts
        grid.setdefault(system, {})[measure] = name
    measures = [frozenset(columns) for columns in grid.values()]
    is_whole = len({*measures}) == 1 and len(grid) * len(measures[0]) == len(names)
    return grid if is_whole and len(grid) > 1 and len(measures[0]) > 1 else {}


def _split_system(name: str) -> tuple[str, str] | None:
    """The system and the measure that a name is made of; None if it is not clear where one ends."""
    separators = list(_SEPARATOR.finditer(name))
    parts = [(name[: separator.start()], name[separator.end() :]) for separator in separators]
    # gpt_4_coherence: the longest measure at the end, else the longest one at the start.
    for system, measure in parts:
        if system and _is_measure(measure) and not _is_measure(system):
            return system.strip(_BRACKETS), measure.strip(_BRACKETS)
    for measure, system in reversed(parts):
        if system and _is_measure(measure) and not _is_measure(system):
            return system.strip(_BRACKETS), measure.strip(_BRACKETS)
    return None


def _is_measure(name: str) -> bool:
    """Whether all words of a name say what was measured."""
    words = [word for word in split_words(name) if not word.isdigit() and word not in _VARIANTS]
    return bool(words) and all(map(_is_measure_word, words))


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


CellKind = Literal["ids", "texts", "numbers", "any"]
TOGETHER = "+"
"""Between the names of several columns that play one role."""
REPLIES = (
    ".choices[0].message.content",
    ".choices[0].text",
    ".message.content",
    ".content[0].text",
    "[0].message.content",
    "[-1].content",
    ".content",
    ".text",
)
"""The steps from the name of a column to the reply of a model, in the objects of usual interfaces."""
_CHATS = frozenset({"messages", "message", "choices", "conversation", "chat", "completion", "result"})
"""What columns are called that hold a chat or its reply."""
_ADDED = re.compile(r"(texts?|str|string)?(v\d+)?$")
"""What is often added to the name of a column of texts: `output_text`, `summary_v2`."""
_NUMBERED = re.compile(r"([a-z]+)(\d+)")


@dataclass(frozen=True)
class Role:
    """What a column of a table can be."""

    name: str
    """Our own name of such a column."""
    aliases: tuple[str, ...] = ()
    """The names that people give it, the most telling first."""
    cells: CellKind = "any"
    """What a column of another name than ours must hold to be found."""
    has_several: bool = False
    """Whether the user can name several columns."""
    is_required: bool = False
    """Whether a table without such a column can't be read."""

    @cached_property
    def plain_aliases(self) -> tuple[str, ...]:
        """The aliases as names are compared."""
        return tuple(map(plain_name, self.aliases))

    def match(self, names: Iterable[str]) -> list[str]:
        """The columns whose names fit, the most telling first; texts also as `output_text` or `gold_v2`."""
        # From the last to the first, so that the first of several columns with one name is found.
        columns = list(names)[::-1]
        by_plain_name = {plain_name(name): name for name in columns}
        matches = [by_plain_name[alias] for alias in self.plain_aliases if alias in by_plain_name]
        if self.cells == "texts":
            lengthened = [name for name in columns if _stem(name) != plain_name(name)]
            by_stem = {_stem(name): name for name in lengthened}
            matches += [by_stem[alias] for alias in self.plain_aliases if alias in by_stem]
            matches += self._match_bracketed(columns)
        return list(dict.fromkeys(matches))

    def _match_bracketed(self, columns: Iterable[str]) -> list[str]:
        """Columns with an addition in brackets, such as `Reference Summary (gold)`, if only one has its name."""
        by_plain_name: dict[str, list[str]] = defaultdict(list)
        for name in columns:
            bare_name = _IN_BRACKETS.sub("", name)
            if bare_name and bare_name != name:
                by_plain_name[plain_name(bare_name)].append(name)
        matches = [by_plain_name[alias] for alias in self.plain_aliases if alias in by_plain_name]
        return [names[0] for names in matches if len(names) == 1]

    def match_variants(self, names: Iterable[str]) -> list[str]:
        """Columns of one alias with what tells them apart: `summary_A, summary_B`, `Output (v1), Output (v2)`.

        Nothing if fewer than two have such names, or if columns of several aliases do. A mere number tells nothing:
        `output1, output2` may be two systems or two runs of one.

        >>> SUMMARY_ROLES["summary"].match_variants(["id", "Summary (v1)", "Summary (v2)", "output1", "output2"])
        ['Summary (v1)', 'Summary (v2)']
        """
        columns_by_alias: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for name in names:
            alias, rest = self._split_alias(name)
            is_numbered = all(word.isdigit() for word in rest)
            if alias and not is_numbered:
                columns_by_alias[alias].append(name)
        groups = [columns for columns in columns_by_alias.values() if len(columns) > 1]
        if len(groups) != 1:
            return []
        return groups[0]

    def _split_alias(self, name: str) -> tuple[tuple[str, ...], list[str]]:
        """The longest alias that a name begins or ends with, in words, and its other words; nothing if it has none."""
        words = split_words(name)
        if _stem(name) == plain_name(name) and plain_name(name) in self.plain_aliases:
            return (), words
        # The longest first: `output_summary_A` and `output_summary_B` differ in A and B, not in `summary A` and
        # `summary B`.
        by_length = sorted(self.aliases, key=len, reverse=True)
        for alias in by_length:
            alias_words = alias.split()
            size = len(alias_words)
            if words[:size] == alias_words and len(words) > size:
                return tuple(alias_words), words[size:]
            if words[-size:] == alias_words and len(words) > size:
                return tuple(alias_words), words[:-size]
        return (), words

    def match_numbered(self, names: Iterable[str]) -> list[str]:
        """Columns such as ref1, ref2 or `reference 1`, in the order of their numbers."""
        numbered: list[tuple[int, str]] = []
        for name in names:
            match = _NUMBERED.fullmatch(plain_name(name))
            if match is None:
                continue
            stem, number = match.groups()
            if stem in self.plain_aliases:
                numbered.append((int(number), name))
        # By number: in the order of names, ref10 would come before ref2.
        numbered.sort()
        return [name for _, name in numbered]


def _stem(name: str) -> str:
    """A name as names are compared, without what is often added to the names of texts.

    >>> [_stem(name) for name in ("output_text", "response.choices[0].message.content", "messages[-1].content")]
    ['output', 'response', 'output']
    """
    for steps in REPLIES:
        if name.endswith(steps):
            head = name.removesuffix(steps)
            return "output" if plain_name(head) in _CHATS else plain_name(head)
    return _ADDED.sub("", plain_name(name), count=1)


_TOPIC_NAMES = (
    *("topic", "topic id", "id", "example id", "doc id", "document id", "article id", "item id", "sample id"),
    *("instance id", "data id", "test id", "source id", "question id", "segment id", "uid", "guid", "uuid", "key"),
    *("topics", "item", "example", "segment", "docno", "doc", "set id", "cluster", "eventid", "case id"),
    *(
        "record id",
        "prompt id",
        "input id",
        "story id",
        "dialogue id",
        "custom id",
        "passage id",
        "text id",
        "news id",
        "case",
    ),
    *("thema", "artikel id", "artikel nr", "artikelnummer", "dokument id", "dokument nr", "text nr", "nr", "nummer"),
    *("artikel", "beispiel", "aufgabe", "fall", "fall id", "eintrag", "frage id"),
)
_TOPIC_NAMES_WITHOUT_TEXTS = (*_TOPIC_NAMES, "article", "document", "story", "dialogue", "conversation", "passage")
"""In tables of scores and judgments, which have no texts, these columns name the documents."""
_SUMMARIZER_NAMES = (
    *("summarizer", "summariser", "summarizer id", "system", "model", "system id", "model id", "system name"),
    *("model name", "summarizer name", "systems", "models", "method", "llm", "engine", "provider", "peer"),
    *("system label", "approach", "generator", "llm name", "checkpoint", "variant", "team", "submission"),
    *("modell", "modellname", "systemname", "verfahren", "methode", "variante", "prompt name", "prompt version"),
    *("prompt variant", "experiment", "experiment name"),
)
_SUMMARY_NAMES = (
    *("summary", "prediction", "predictions", "pred", "preds", "predicted", "predicted summary"),
    *("model output", "output", "outputs", "generated", "generated summary", "generated text", "generation"),
    *("hypothesis", "hypotheses", "hyp", "decoded", "system summary", "system output", "model summary"),
    *("candidate", "candidate summary", "completion", "model response", "response", "peer summary", "generations"),
    *("actual output", "summ", "sys summ", "answer", "summaries", "generated summaries", "predicted summaries"),
    *("system summaries", "model outputs", "model prediction", "llm summary", "llm output", "llm response"),
    *("ai summary", "machine summary", "automatic summary", "output summary", "candidates"),
    *("zusammenfassung", "zusammenfassungen", "ausgabe", "antwort", "modellausgabe", "vorhersage", "kurzfassung"),
    *("generierte zusammenfassung", "ki zusammenfassung", "systemzusammenfassung", "model answer"),
)
PLURALS = frozenset(
    {"summaries", "outputs", "candidates", "generations", "predictions", "hypotheses", "responses", "completions"}
)
"""Names of columns that may hold texts of several systems in each cell."""
_REFERENCE_NAMES = (
    *("references", "reference", "target", "targets", "label", "labels", "highlights", "refs", "ref", "ref summ"),
    *("reference summary", "reference summaries", "ref summary", "gold", "gold summary", "gold reference"),
    *("golden", "ground truth", "ground truth summary", "expected", "expected output", "expected summary"),
    *("human summary", "target summary", "ideal", "abstract", "tldr", "model summaries", "gold summaries"),
    *("gold standard", "truth", "ground truths", "human summaries", "human reference", "human written summary"),
    *("expert summary", "ideal summary", "reference answer", "gold answer", "target text", "reference text"),
    *("referenz", "referenzen", "referenzzusammenfassung", "referenztext", "musterlösung", "goldstandard"),
    *("menschliche zusammenfassung",),
)
_DOCUMENT_NAMES = (
    *("documents", "document", "source", "article", "text", "input", "src", "docs", "sources", "articles"),
    *("source text", "source document", "source documents", "source article", "article text", "document text"),
    *("input text", "full text", "body", "passage", "dialogue", "dialog", "transcript", "story", "report"),
    *("context", "contexts", "content", "doc", "inputs", "reviews"),
    *(
        "quelle",
        "quelltext",
        "originaltext",
        "artikeltext",
        "dokument",
        "dokumente",
        "eingabe",
        "eingabetext",
        "volltext",
    ),
)
_ASSESSOR_NAMES = (
    *("assessor", "annotator", "rater", "judge", "worker", "evaluator", "expert", "assessor id", "annotator id"),
    *("rater id", "judge id", "worker id", "evaluator id", "expert id", "judge model", "judge name", "llm judge"),
    *("grader", "scorer", "reviewer", "coder", "annotator name", "rater name", "reviewer id", "grader model"),
    *("evaluator model", "judge llm", "grader id", "coder id"),
    *("richter", "bewerter", "gutachter", "annotatorin", "prüfer", "beurteiler", "person", "juror", "jury"),
)
_PERSON_WORDS = frozenset({"assessor", "annotator", "rater", "worker", "coder", "reviewer", "id", "name"})
"""Words in the names of columns of assessors whose numbers can only be ids: those of a column `judge` may be scores."""
_JUDGE_WORDS = frozenset({"judge", "llm", "model"})
_REASON_NAMES = (
    *("comment", "reason", "rationale", "explanation", "justification", "comments", "reasons", "reasoning", "feedback"),
    *("judge reason", "judge reasoning", "judge comment", "judge explanation", "judge rationale", "why", "critique"),
    *("begründung", "kommentar", "kommentare", "erklärung"),
)
_REASON_WORDS = frozenset({"comment", "reason", "reasoning", "rationale", "explanation", "justification", "feedback"})
_RUN_NAMES = (
    *("run", "run id", "run number", "seed", "random seed", "trial", "trial id", "repetition", "repeat"),
    *("replicate", "replication", "iteration", "attempt", "epoch", "sample", "sample number", "sample index"),
    *("sample idx", "sample id", "run index", "run idx", "generation id", "generation index", "completion index"),
    *("completion id", "repeat id", "rep", "try", "draw", "trial number", "trial index"),
    *("lauf", "durchlauf", "durchgang", "wiederholung", "versuch"),
)


def _by_name(*roles: Role) -> Mapping[str, Role]:
    return {role.name: role for role in roles}


RUN = Role("run", _RUN_NAMES)
SUMMARY_ROLES = _by_name(
    Role("topic", _TOPIC_NAMES, cells="ids"),
    Role("summarizer", _SUMMARIZER_NAMES, cells="ids"),
    Role("summary", _SUMMARY_NAMES, cells="texts", has_several=True, is_required=True),
    Role("references", _REFERENCE_NAMES, cells="texts", has_several=True),
    Role("documents", _DOCUMENT_NAMES, cells="texts", has_several=True),
    RUN,
    Role("scores", cells="numbers", has_several=True),
    Role("judgments", cells="numbers", has_several=True),
)
"""What the columns of a table with one row per summary can be. Columns of numbers without a role are scores."""
SCORE_ROLES = _by_name(
    Role("topic", _TOPIC_NAMES_WITHOUT_TEXTS, is_required=True),
    Role("summarizer", _SUMMARIZER_NAMES),
    Role("measure", ("measure", "metric", "metric name", "measure name", "maß", "metrik", "score name")),
    Role("value", ("value", "score", "wert", "metric value", "measure value")),
    RUN,
    Role("score", cells="numbers", has_several=True),
    Role("scores", cells="numbers", has_several=True),
)
"""What the columns of a score table can be: with measure and value it is long, else all other columns are measures.

Columns named as `score` each hold the scores of the system that they are called after, as those of `summary` do."""
JUDGMENT_ROLES = _by_name(
    Role("topic", _TOPIC_NAMES_WITHOUT_TEXTS, is_required=True),
    Role("summarizer", _SUMMARIZER_NAMES, is_required=True),
    Role("assessor", _ASSESSOR_NAMES),
    Role(
        "question",
        (
            *("question", "criterion", "dimension", "aspect", "quality", "criteria", "metric", "measure"),
            *("kriterium", "frage", "aspekt"),
        ),
    ),
    Role(
        "value",
        (
            *("value", "answer", "rating", "score", "judgment", "judgement", "response", "grade", "label"),
            *("bewertung", "wert", "urteil", "punkte", "punktzahl"),
        ),
    ),
    RUN,
    Role("time"),
    Role("seconds"),
    Role("comment", _REASON_NAMES),
)
"""What the columns of a table of judgments can be: with question and value it is long, else others are questions."""
PREFERENCE_ROLES = _by_name(
    Role("topic", (*_TOPIC_NAMES, "prompt", "question")),
    Role(
        "a",
        (
            *("model a", "system a", "summarizer a", "model 1", "system 1", "model left", "left model", "model one"),
            *("left", "a", "candidate a", "assistant a", "name a", "method a", "llm a", "model a name"),
            *("modell a", "modell 1", "generator 1", "prompt a", "prompt 1", "variant a", "version a", "option a"),
            *("system links", "links"),
        ),
        is_required=True,
    ),
    Role(
        "b",
        (
            *("model b", "system b", "summarizer b", "model 2", "system 2", "model right", "right model", "model two"),
            *("right", "b", "candidate b", "assistant b", "name b", "method b", "llm b", "model b name"),
            *("modell b", "modell 2", "generator 2", "prompt b", "prompt 2", "variant b", "version b", "option b"),
            *("system right", "system rechts", "rechts"),
        ),
        is_required=True,
    ),
    Role(
        "winner",
        (
            *("winner", "preferred", "preference", "choice", "verdict", "better", "preferred model", "winner model"),
            *("human preference", "judge preference", "judgment", "judgement", "vote", "label", "decision", "win"),
            *("gewinner", "sieger", "bevorzugt", "präferenz", "besser", "urteil", "wahl"),
        ),
        is_required=True,
    ),
    Role("assessor", _ASSESSOR_NAMES),
    Role("first", ("shown first", "first shown", "first", "first model", "model first", "left model", "shown left")),
    Role("reason", _REASON_NAMES),
)
"""What the columns of a table of preferences can be: two systems, and who was preferred."""
ONLY_IN_PREFERENCES = ("a", "b", "winner", "first", "reason")
"""Roles that `columns` can name in tables of preferences only."""
ONLY_IN_SCORES = tuple(name for name in SCORE_ROLES if name not in SUMMARY_ROLES)
"""Roles that `columns` can name in score tables only."""


ONLY_IN_JUDGMENTS = ("assessor", "question", "comment")
"""Roles that `columns` can name in tables with a column of judges or assessors."""


_RATER = re.compile(
    r"(rater|annotator|assessor|evaluator|expert|worker|labell?er|judge|reviewer)[\s_.-]*(\d+|[a-z])", re.IGNORECASE
)
"""What columns are called that each hold the answers of one person: `Rater 1`, `annotator_B`."""


def are_raters(names: Sequence[str]) -> bool:
    """Whether several columns of numbers are called after people rather than after what they measured.

    >>> are_raters(["Rater 1", "Rater 2"]), are_raters(["judge_coherence", "judge_fluency"])
    (True, False)
    """
    return len(names) > 1 and all(map(_RATER.fullmatch, names))


def name_rater(system: str) -> bool:
    """Whether the name of a system begins or ends with that of a rater: `rater1_gpt`."""
    parts = _SEPARATOR.split(system)
    edges = (parts[0], parts[-1], "_".join(parts[:2]), "_".join(parts[-2:]))
    return len(parts) > 1 and any(map(_RATER.fullmatch, edges))


def can_number_assessors(name: str) -> bool:
    """Whether numbers in a column of this name can only be the ids of assessors: `annotator`, `judge_id`."""
    return not _PERSON_WORDS.isdisjoint(split_words(name))


def names_judges(name: str) -> bool:
    """Whether a column of assessors is called after programs: `judge`, `llm_judge`, `grader_model`; not `rater`."""
    return not _JUDGE_WORDS.isdisjoint(split_words(name))


def match_reasons(questions: Iterable[str], columns: Iterable[str]) -> dict[str, str]:
    """By question, the column of its reasons: `fluency_reason` or `Reason (fluency)`.

    >>> match_reasons(["fluency", "style"], ["fluency_reason", "reason"])
    {'fluency': 'fluency_reason'}
    """
    column_by_words: dict[tuple[str, ...], str] = {}
    for column in columns:
        words = split_words(column)
        rest = tuple(word for word in words if word not in _REASON_WORDS)
        if rest and len(rest) < len(words):
            column_by_words.setdefault(rest, column)
    words_by_question = {question: tuple(split_words(question)) for question in questions}
    return {
        question: column_by_words[words] for question, words in words_by_question.items() if words in column_by_words
    }


def check_roles(named: Mapping[str, str]) -> None:
    """Refuse roles that no table of summaries or scores has.

    Args:
        named: by role, the columns that the user names.

    Raises:
        UsageError: with the roles that there are.
    """
    roles = (*SUMMARY_ROLES, *ONLY_IN_SCORES, *ONLY_IN_JUDGMENTS, *ONLY_IN_PREFERENCES)
    for role, columns in named.items():
        if role not in roles:
            # The role of a column that is called so is meant: source is a name of documents. Any role has a text.
            named_so = [name for name, names in SUMMARY_ROLES.items() if role != "text" and names.match([role])]
            hint = f"; did you mean {named_so[0]}?" if named_so else did_you_mean(role, roles)
            raise UsageError(
                f"{mention('columns', {role: columns})}: there is no role {role!r}{hint} "
                f"roles are: {', '.join(SUMMARY_ROLES)}; in score tables also {', '.join(ONLY_IN_SCORES)}; where a "
                f"column names judges also {', '.join(ONLY_IN_JUDGMENTS)}; in tables of preferences "
                f"{', '.join(ONLY_IN_PREFERENCES)}"
            )


def name_or_match(role: Role, columns: Sequence[str], named: Mapping[str, str]) -> list[str]:
    """The column that the user names for a role, if the table has it; else those that fit by name."""
    if named.get(role.name) in columns:
        return [named[role.name]]
    return role.match(columns)
