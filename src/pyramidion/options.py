"""The options of every analysis, each defined once: the command line, the Python verbs and the documentation follow.

A field is an option: its type, default and help make the command-line option (`interval` is `--interval`, `with_` is
`--with`) and the keyword in Python. Nothing heavy is imported here, so that `pyramidion --help` stays quick.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import operator
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from pyramidion.errors import UsageError, did_you_mean

PeerChoice = Literal["systems", "participants", "humans", "all"]
Coefficient = Literal["pearson", "spearman", "kendall"]
Level = Literal["system", "topic", "global"]
MeanInterval = Literal["t", "own", "percentile", "studentized"]
IntervalMethod = Literal["simultaneous", "t", "own", "percentile", "studentized"]
Assessors = Literal["fixed", "random"]
RegressionErrors = Literal["topic", "independent"]
ITSELF = "itself"
"""In place of a human score: the measure's own full version."""
Correction = Literal["holm", "bonferroni", "benjamini-hochberg", "none"]
Rounding = Literal["half-up", "floor", "ceil", "interpolate"]
"""What becomes of the mean number of SCUs in a model, which is rarely a whole number."""
WeightRule = Literal["contributors", "models"]
"""What an SCU weighs: the number of its contributors, as DUCView and NIST count, or of distinct models."""
PyramidScoreName = Literal["original", "modified"]
SetDistance = Literal["nominal", "passonneau", "jaccard", "masi"]
AlphaMetric = Literal["nominal", "ordinal", "interval"]
Sides = Literal["one", "two"]
Resampled = Literal["systems", "topics", "both"]
"""What is drawn anew: the summarizers, the topics, or both."""
Scope = Literal["topic", "any"]
"""Which pairs of summaries are looked at: those of one topic, or any two."""
CampaignShape = Literal["duc2006", "tac2008"]
"""Campaigns of the past whose sizes a simulated one can take."""
SimulatedQuestions = Literal["responsiveness", "duc2006", "tac2008"]
"""A single question about content, or the questions of a campaign of the past."""
ReportSection = Literal[
    "look-inside",
    "leaderboards",
    "pairs",
    "heat-map",
    "judgments",
    "correlations",
    "how-many",
    "pyramids",
    "agreement",
    "assessors",
    "heterogeneity",
    "data",
    "methods",
]
"""The sections of a report, in its order."""
Function = TypeVar("Function", bound=Callable[..., Any])


def option(default: Any, help: str, **facts: Any) -> Any:
    """A field that is an option.

    Args:
        default: its value unless told otherwise.
        help: what it does, in one line.
        facts: `minimum`, `above`, `maximum` and `below` of a number; `most`, above which a whole number is a slip;
            `metavar`; `separator` of several values in one
            argument of the command line; `also`, another spelling of it there.
    """
    return dataclasses.field(default=default, metadata={"help": help, **facts})


@dataclass(frozen=True)
class Option:
    """What the command line and the documentation need to know of a field."""

    name: str
    type: Any
    default: Any
    help: str
    facts: Mapping[str, Any]

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return "--" + self.name.rstrip("_").replace("_", "-")

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values that it can have, if it is one of a few."""
        return _choices(self.type)

    @property
    def repeated(self) -> bool:
        """Whether it may be given several times."""
        return Sequence in (typing.get_origin(part) for part in (self.type, *typing.get_args(self.type)))

    def listed(self, value: Any) -> Any:
        """A value; if there may be several, a tuple of them, also if a single one is given."""
        if value is None or not self.repeated:
            return value
        pairs = any(typing.get_origin(part) is tuple for part in typing.get_args(self.type))
        if not isinstance(value, Sequence) or isinstance(value, str) or (pairs and set(map(type, value)) == {str}):
            return (value,)
        return tuple(value)

    def arguments(self, value: Any) -> list[str]:
        """The words of a command line that give this value."""
        if isinstance(value, bool):
            return [self.flag]
        if isinstance(value, Mapping):
            value = [f"{key}={one}" for key, one in value.items()]
        if separator := self.facts.get("separator"):
            return [self.flag, separator.join(map(str, value))]
        if not self.repeated and not isinstance(value, list):
            value = [value]
        words = [one if isinstance(one, tuple) else (one,) for one in value]
        return [word for one in words for word in (self.flag, *map(_written, one))]

    def problem(self, value: Any) -> str:
        """What is wrong with a value, or nothing."""
        for one in value if isinstance(value, tuple | list) else (value,):
            if self.choices and one is not None and one not in self.choices:
                return f"{self.flag} {one}: expected {', '.join(map(str, self.choices))}"
            if isinstance(one, int | float) and not isinstance(one, bool):
                bounds = self._bounds(one)
                if any(not _BOUNDS[name][0](one, bound) for name, bound in bounds.items()):
                    expected = " and ".join(
                        f"{words} {_shown(bounds[name])}" for name, (_, words) in _BOUNDS.items() if name in bounds
                    )
                    return f"{self.flag} {_shown(one)}: expected {expected}"
        return ""

    def _bounds(self, value: int | float) -> dict[str, float]:
        """The bounds of a number; one that is so large that it can only be a slip is above the usual one."""
        own = {name: bound for name, bound in self.facts.items() if name in _BOUNDS}
        most = self.facts.get("most", MOST)
        usual, infinite = (LARGEST_NUMBER, math.isinf(value)) if isinstance(value, float) else (most, False)
        beyond = value > usual and not infinite and not {"maximum", "below"} & own.keys()
        return own | ({"maximum": usual} if beyond else {})


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _shown(value: Any) -> str:
    """A number as a message shows it: not in full if it has dozens of digits."""
    if isinstance(value, int) and abs(value) >= 10**20:
        return f"a number of {len(str(abs(value)))} digits"
    return _written(value)


MOST = 10**9
"""Of what is counted, unless an option says otherwise."""
LARGEST_NUMBER = 1e15
"""A number above this is a slip, unless an option says otherwise."""
_BOUNDS: Mapping[str, tuple[Callable[[float, float], bool], str]] = {
    "minimum": (operator.ge, "at least"),
    "above": (operator.gt, "more than"),
    "maximum": (operator.le, "at most"),
    "below": (operator.lt, "less than"),
}


def _choices(kind: Any) -> tuple[Any, ...]:
    """The values of a Literal, also inside `X | None` and `Sequence[X]`."""
    if typing.get_origin(kind) is Literal:
        return typing.get_args(kind)
    if typing.get_origin(kind) in (typing.Union, types.UnionType, Sequence):
        return tuple(value for part in typing.get_args(kind) for value in _choices(part))
    return ()


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of all options: values are checked when they are given, all problems at once."""

    def __post_init__(self) -> None:
        problems = [problem for one in self.each() if (problem := one.problem(getattr(self, one.name)))]
        if problems:
            raise UsageError("\n".join(problems))

    @classmethod
    @functools.cache
    def each(cls) -> tuple[Option, ...]:
        """The options, in order."""
        types = typing.get_type_hints(cls)
        return tuple(
            Option(field.name, types[field.name], field.default, field.metadata["help"], field.metadata)
            for field in dataclasses.fields(cls)
        )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Options from keywords; one that does not exist is a usage error, and one value stands for a list of one."""
        known = {one.name: one for one in cls.each()}
        _refuse_unknown(given, known)
        return cls(**{name: known[name].listed(value) for name, value in given.items()})

    def arguments(self, without: Sequence[str] = ()) -> list[str]:
        """The words of a command line that give these options; defaults are left out."""
        return [
            word
            for one in self.each()
            if (value := getattr(self, one.name)) != one.default and one.name not in without
            for word in one.arguments(value)
        ]


def takes(*kinds: type[Options]) -> Callable[[Function], Function]:
    """Give a function that passes `**options` on the signature and the documentation of these options, no others."""

    def documented(function: Function) -> Function:
        signature = inspect.signature(function)
        plain = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        options = [one for kind in kinds for one in kind.each()]
        keywords = [
            inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.type)
            for one in options
        ]
        known = [one.name for one in (*plain, *keywords)]

        @functools.wraps(function)
        def checked(*given: Any, **options: Any) -> Any:
            _refuse_unknown(options, [*known, "progress"])
            return function(*given, **options)

        checked.__signature__ = signature.replace(parameters=[*plain, *keywords])  # type: ignore[attr-defined]
        lines = [f"    {one.name}: {one.help}" for one in options]
        checked.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "", "Options:", *lines])
        return typing.cast(Function, checked)

    return documented


def _refuse_unknown(given: Iterable[str], known: Collection[str]) -> None:
    for name in given:
        if name not in known:
            raise UsageError(f"there is no option {name!r}{did_you_mean(name, known)} there are: {', '.join(known)}")


def _confidence(what: str = "Confidence level, in percent.") -> Any:
    return option(95.0, what, minimum=1, below=100)


MOST_DRAWS = 10**7
"""Samples and permutations above this change no digit that anyone would report."""


def _resamples(what: str = "Number of bootstrap samples.", default: int = 1000, minimum: int = 1) -> Any:
    return option(default, what, minimum=minimum, most=MOST_DRAWS)


@dataclass(frozen=True, kw_only=True)
class Choice(Options):
    """What every analysis of a campaign has in common: whose summaries, on which topics, with which other scores."""

    peers: PeerChoice = option(
        "systems",
        "Whose summaries to score; participants: systems without baselines. A human is scored without their own "
        "reference.",
    )
    where: Mapping[str, str] | None = option(
        None,
        "Only topics with this field or attribute, such as part=A; repeatable. See `describe`.",
        metavar="KEY=VALUE",
    )
    exclude: Sequence[str] = option((), "Leave out these summarizers.", separator=",", metavar="ID,…")
    scores: Sequence[str | Path] = option(
        (),
        "A table of other scores (.csv, .tsv, .jsonl, .parquet), joined by topic and summarizer; repeatable.",
        metavar="FILE",
    )
    columns: Mapping[str, str] | None = option(
        None,
        "Which columns of a table hold what, such as summary=prediction,topic=id (also: summarizer, references, "
        "documents, scores, judgments; several columns: references=ref_a+ref_b). Default: found by their names.",
        metavar="ROLE=COLUMN,…",
        separator=",",
    )
    seed: int = option(0, "Random seed.", minimum=0, most=2**63 - 1)
    strict: bool = option(False, "Treat warnings as errors.")
    option: Mapping[str, str] | None = option(
        None, "An option of DATA's format, if it is a foreign one; repeatable. See `list formats`.", metavar="KEY=VALUE"
    )


@dataclass(frozen=True, kw_only=True)
class TableOptions(Options):
    """How a table for a paper looks."""

    pivot: str = option(
        "",
        "Cross two fields of the records: ROWS×COLUMNS, or with what the cells show. With x for × and commas between "
        "several fields: measure x coefficient=value,lower,upper.",
        metavar="ROWS×COLUMNS[=VALUE]",
    )
    fields: Sequence[str] = option((), "Show these fields of the records as columns.", separator=",", metavar="FIELD,…")
    digits: int | None = option(None, "Decimals of numbers in tables.", minimum=0, maximum=15)
    bold: Literal["best", "lowest", "significant", "none"] = option(
        "none", "With --pivot or --fields: the highest or lowest value of each column, or what is significant, in bold."
    )
    stars: bool = option(False, "With --pivot: mark p below 0.05, 0.01 and 0.001 with *, ** and ***.")
    caption: str = option("", "Caption of the table in LaTeX and Markdown.", metavar="TEXT")
    label: str = option("", "Label of the table in LaTeX.", metavar="NAME")


@dataclass(frozen=True, kw_only=True)
class DescribeOptions(Options):
    """What is told of a campaign."""

    roster: bool = option(False, "List the summarizers: name, organisation, kind, topics, judged summaries.")


@dataclass(frozen=True, kw_only=True)
class InitOptions(Options):
    """What a new campaign says about itself."""

    name: str = option("", "Name of the campaign. Default: that of the folder.")
    description: str = option("", "What is evaluated, in a sentence.")
    word_limit: int | None = option(None, "Word limit of summaries.", minimum=1)
    questions: str = option("", "The set of questions that assessors are asked, such as duc2006.", metavar="SET")


@dataclass(frozen=True, kw_only=True)
class ImportOptions(Options):
    """How files are added to a campaign."""

    columns: Mapping[str, str] | None = option(
        None,
        "Which column is what, such as topic=ID,summarizer=SYSTEM; for judgments also QUESTION=COLUMN. Default: found "
        "by their names.",
        metavar="FIELD=COLUMN,…",
        separator=",",
    )
    dry_run: bool = option(False, "Print the plan and write nothing.")
    replace: bool = option(False, "Overwrite conflicting values in the campaign with the imported ones.")
    strict: bool = option(False, "Treat warnings as errors.")
    option: Mapping[str, str] | None = option(None, "An option of the format; repeatable.", metavar="KEY=VALUE")


@dataclass(frozen=True, kw_only=True)
class AverageOptions(Options):
    """How scores are averaged over topics."""

    average: Literal["macro", "micro", "counts"] = option(
        "macro", "Average over topics: mean of the scores, score of the summed counts, or the counts themselves."
    )
    bootstrap: Literal["percentile", "rouge155"] | None = option(
        None, "Add a confidence interval: bootstrap over topics, or as ROUGE-1.5.5 does it."
    )
    confidence: float = _confidence()
    resamples: int = _resamples()


@dataclass(frozen=True, kw_only=True)
class ShardOptions(Options):
    """How a run in shards goes, whose output is a folder."""

    engine: str = option(
        "local",
        "With -o FOLDER: where to score; local (processes on this computer), dask (a Dask cluster on it) or "
        "dask://HOST:PORT.",
        metavar="ENGINE",
    )
    partition: int = option(50_000, "With -o FOLDER: most rows per shard.", minimum=1)
    workers: int | None = option(
        None, "With -o FOLDER: number of processes on this computer. Default: one per processor.", minimum=1
    )
    on_error: Literal["fail", "skip"] = option(
        "fail", "With -o FOLDER: stop at rows with errors, or skip them and list them in skipped.jsonl."
    )


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Options):
    """How summarizers are compared."""

    pair: Sequence[tuple[str, str]] = option((), "Compare these two systems; repeatable.", metavar="A B")
    against: str | None = option(None, "Compare every other system with this one.", metavar="A")
    all_pairs: bool = option(False, "Compare all pairs of systems.")
    correction: Correction | None = option(
        None, "Correct the p values of a permutation test for multiple pairs. Default: holm where --interval is given."
    )
    assessors: Assessors | None = option(
        None,
        "Treat assessors as given, or as a random sample of many. Default: random where a question has at least 3 "
        "assessors and the design allows it.",
    )
    interval: IntervalMethod | None = option(
        None,
        "Intervals: simultaneous for pairs (they agree with the adjusted p); t with the variance pooled over all "
        "systems; t with each system's own variance; or a bootstrap. Default: simultaneous for pairs, t for means.",
        also="--intervals",
    )
    sequential: bool = option(False, "Test the pairs after each topic, in the order of the data; stop at any time.")
    confidence: float = _confidence()
    resamples: int = _resamples()
    permutations: int = _resamples("Number of random sign flips in the permutation test of a pair.", 99_999)

    @property
    def simultaneous(self) -> bool:
        """Whether limits and adjusted p of pairs come from one distribution."""
        return self.interval == "simultaneous" or (self.interval is None and self.correction is None)

    @property
    def mean_interval(self) -> MeanInterval:
        """The method of intervals of means."""
        return "t" if self.interval is None or self.interval == "simultaneous" else self.interval


@dataclass(frozen=True, kw_only=True)
class CorrelateOptions(Options):
    """How measures are correlated."""

    with_: Sequence[str] = option(
        (), "The measure to correlate with, such as question.NAME; repeatable.", metavar="MEASURE"
    )
    level: Sequence[Level] = option(
        ("system",),
        "Correlate means over topics, within each topic, or over all summaries; repeatable. Default: system.",
    )
    coefficient: Sequence[Coefficient] = option(
        ("pearson", "spearman", "kendall"), "Only this correlation coefficient; repeatable. Default: all three."
    )
    interval: Literal["fisher", "bootstrap"] | None = option(
        None, "Method for intervals. Default: fisher at system level, bootstrap elsewhere."
    )
    sides: Sides = option("two", "Two-sided intervals, or a lower limit only, as in the tables of DUC.")
    resample: Resampled | None = option(
        None,
        "What to resample. Default: for the bootstrap, topics at topic level and both at the others; systems for "
        "permutation tests.",
    )
    test: Literal["permutation", "williams"] | None = option(
        None, "Test, for each pair of measures, whether they correlate equally well."
    )
    micro: bool = option(
        False, "Also correlate within each topic, and count the topics with a significant correlation."
    )
    accuracy: bool = option(False, "Also compute pairwise accuracy: plain, with ties, tie-calibrated, soft.")
    matrix: bool = option(False, "Correlate all measures with each other.")
    by: str | None = option(
        None,
        "Correlate within groups of topics: those with the same value of this field, such as granularity or part.",
        metavar="FIELD",
    )
    draw: Literal["scatter", "intervals", "tests"] | None = option(
        None,
        "What --figure shows: systems as points, correlations with their intervals, or which measure correlates "
        "significantly better than which. Default: tests with --test, else scatter.",
    )
    confidence: float = _confidence()
    resamples: int | None = option(
        None, "Number of bootstrap samples, and of permutations. Default: 2,000 and 9,999.", minimum=1
    )

    @property
    def bootstrap_samples(self) -> int:
        """How often the bootstrap draws."""
        return self.resamples or 2_000

    @property
    def permutations(self) -> int:
        """How often a permutation test exchanges scores."""
        return self.resamples or 9_999

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.matrix and self.with_:
            raise UsageError("--matrix correlates every two measures, --with all of them with one: leave one out")
        if self.matrix and self.test:
            raise UsageError("--test compares correlations with the same measure: use --with instead of --matrix")
        if not self.level or not self.coefficient:
            raise UsageError("give at least one --level and one --coefficient")
        if self.draw == "tests" and not self.test:
            raise UsageError("--draw tests shows the tests between measures: add --test permutation")


@dataclass(frozen=True, kw_only=True)
class PowerOptions(Options):
    """What a power analysis solves for."""

    difference: float | None = option(
        None, "Compute the number of topics needed to detect this difference of means.", above=0
    )
    topics: Sequence[int] = option(
        (), "Compute the smallest detectable difference with this many topics; repeatable.", minimum=2
    )
    power: float = option(
        80.0, "Power: the chance of detecting a difference that exists, in percent.", above=0, below=100
    )
    pair: Sequence[tuple[str, str]] = option(
        (), "Estimate the variance from the differences between these two systems; repeatable.", metavar="A B"
    )
    comparisons: int = option(1, "Number of tests to correct the significance level for (Bonferroni).", minimum=1)
    confidence: float = _confidence()


@dataclass(frozen=True, kw_only=True)
class FrequencyOptions(Options):
    """Which answers are counted."""

    question: Sequence[str] = option((), "Only this question; repeatable. Default: all that were answered.")


@dataclass(frozen=True, kw_only=True)
class JudgmentRegressionOptions(Options):
    """Which question is explained by which."""

    target: str | None = option(
        None, "The question to predict. Default: the one called overall, else the last.", metavar="QUESTION"
    )
    on: Sequence[str] = option(
        (), "A question to predict it from; repeatable. Default: all the others.", metavar="QUESTION"
    )
    errors: RegressionErrors | None = option(
        None,
        "Standard errors that allow for dependence between answers about one topic (CR2), or treat all answers as "
        "independent. Default: topic with at least 8 topics.",
    )
    confidence: float = _confidence()


@dataclass(frozen=True, kw_only=True)
class PreferenceOptions(Options):
    """How preferences are summed up."""

    confidence: float = _confidence()
    resamples: int = _resamples()


@dataclass(frozen=True, kw_only=True)
class DesignOptions(Options):
    """What a design must detect, and what it costs."""

    measure: str | None = option(None, "The question or measure to plan for, such as question.overall-responsiveness.")
    difference: float = option(0.5, "The difference of means to detect.", above=0)
    power: float = option(
        80.0, "Power to reach: the chance of detecting the difference, in percent.", above=0, below=100
    )
    budget: float | None = option(None, "Find the design with the most power for this cost instead.", above=0)
    cost: str | None = option(
        None,
        "What things cost: topic=20,judgment=1.5,assessor=100,model=30. Default: judgment=1.",
        metavar="WHAT=NUMBER,…",
    )
    systems: int | None = option(None, "Number of systems to compare. Default: as in the pilot.", minimum=2)
    most_assessors: int = option(12, "Consider up to this many assessors.", minimum=3)
    most_topics: int = option(400, "Consider up to this many topics.", minimum=3)
    most_models: int = option(8, "Consider up to this many references for each topic (automatic measures).", minimum=1)
    confidence: float = _confidence()


@dataclass(frozen=True, kw_only=True)
class JudgmentAgreementOptions(Options):
    """How the agreement of assessors is measured."""

    question: Sequence[str] = option((), "Only this question; repeatable. Default: all that were answered.")
    metric: Sequence[AlphaMetric] = option((), "Metric of Krippendorff's α; repeatable. Default: all three.")
    confusion: tuple[str, str] | None = option(None, "Also a confusion matrix of these two assessors.", metavar="A B")
    confusions: bool = option(False, "Also confusion matrices of all pairs of assessors.")
    over: Literal["summaries", "topics"] = option("summaries", "What the bootstrap resamples.")
    confidence: float = _confidence()
    resamples: int = _resamples()


@dataclass(frozen=True, kw_only=True)
class AssessorOptions(Options):
    """How assessors are described."""

    question: Sequence[str] = option((), "Only this question; repeatable. Default: all that were answered.")
    confidence: float = _confidence()


@dataclass(frozen=True, kw_only=True)
class GrowthOptions(Options):
    """How correlations are followed as references or topics are added."""

    with_: Sequence[str] = option(
        (),
        "The human score to correlate with, such as question.overall; `itself`: the measure's own scores with all "
        "references or topics.",
        metavar="MEASURE",
    )
    coefficient: Coefficient = option("pearson", "Correlation coefficient.")
    resamples: int = _resamples("Number of random samples for each k.", minimum=2)
    tolerance: float = option(
        0.01,
        "Tolerance: k is enough if its correlation is within this of the correlation with all references or topics.",
        minimum=0,
    )
    beyond: Sequence[float] | None = option(
        None,
        "Extrapolate to this many (inf: without limit); repeatable. Default: twice as many as there are, and inf.",
        minimum=1,
    )
    by: str | None = option(
        None,
        "Study groups of topics separately and compare them: those with the same value of this field, such as part.",
        metavar="FIELD",
    )
    confidence: float = _confidence()


@dataclass(frozen=True, kw_only=True)
class TopicsOptions(GrowthOptions):
    """How correlations are followed as topics are added."""

    sizes: Sequence[int] = option(
        (1, 3, 6, 12, 24, 36, 39, 42, 45),
        "Numbers of topics to sample; those above the number of topics are dropped.",
        minimum=1,
        separator=",",
        metavar="K,…",
    )


@dataclass(frozen=True, kw_only=True)
class HeterogeneityOptions(Options):
    """How diverse measures are, and what they are worth together."""

    with_: str | None = option(
        None, "The human score that measures quality, such as question.overall.", metavar="MEASURE"
    )
    pairs: Scope = option("topic", "Estimate heterogeneity on pairs from one topic, or on any two summaries.")
    sample: int | None = option(
        None, "Estimate heterogeneity from this many random pairs. Default: all pairs.", minimum=1
    )
    worst: float = option(
        10.0, "Compute robustness on this percentage of topics: the worst of each measure.", above=0, maximum=100
    )
    bins: int = option(100, "Number of bins for pairs sorted by heterogeneity.", minimum=2)


@dataclass(frozen=True, kw_only=True)
class ModelFreeOptions(Options):
    """How model-free measures are studied."""

    with_: Sequence[str] = option(
        (),
        "The human score to correlate with; repeatable. Default: pyramid.modified and every question.",
        metavar="MEASURE",
    )
    stem: Literal["both", "yes", "no"] = option("both", "Compare stems (yes), words as they are (no), or both.")
    background: str = option(
        "wordfreq", "Word frequencies for cosines and topic words: wordfreq, or a TSV file.", metavar="wordfreq|FILE"
    )
    coefficient: Coefficient = option("spearman", "Correlation coefficient.")
    by: str | None = option(
        None,
        "Study groups of topics separately: those with the same value of this field, such as part.",
        metavar="FIELD",
    )
    confidence: float = _confidence()


@dataclass(frozen=True, kw_only=True)
class OrdersOptions(Options):
    """How pyramid scores are followed as pyramids grow."""

    score: PyramidScoreName = option("original", "The pyramid score to study.")
    divergent: float = option(0.1, "Two scores that differ by more than this are divergent.", minimum=0, below=1)
    same: float = option(0.06, "Two scores that differ by less than this are the same.", minimum=0, below=1)
    confidence: float = _confidence("Confidence level of the one-sided test of rankings, in percent.")
    order: int = option(3, "Number of references per sub-pyramid to average over, if no --subset is given.", minimum=1)
    count: int | None = option(None, "Number of summaries to rank. Default: 5, or half of smaller sets.", minimum=2)
    ranked: Sequence[str] = option(
        (), "Summarizers to rank: A,B,C, or TOPIC=A,B,C; repeatable. Default: a random sample.", metavar="NAMES"
    )
    subset: Sequence[str] = option(
        (), "Also score with the pyramid of these references: A,B,C,D, or TOPIC=A,B,C,D; repeatable.", metavar="NAMES"
    )
    annotator: str | None = option(None, "Whose pyramids to use if a topic has several. Default: the first.")
    include_self: bool = option(False, "Score a reference with the pyramid that contains it.")
    limit: int = option(20_000, "Enumerate up to this many subsets per order; otherwise sample this many.", minimum=1)


@dataclass(frozen=True, kw_only=True)
class ReportOptions(Options):
    """What a report is about, and how its numbers are computed."""

    title: str | None = option(None, "Title of the page. Default: the campaign's name.")
    date: str | None = option(None, "Date on the page, as it should read. Default: today.")
    pair: Sequence[tuple[str, str]] = option(
        (), "Lead with the comparison of these two systems; repeatable.", metavar="A B"
    )
    sections: Sequence[ReportSection] = option((), "Only these sections below the answer; repeatable. Default: all.")
    interval: IntervalMethod | None = option(
        None,
        "Intervals of means: t with the variance pooled over all systems (default), t with each system's own variance, "
        "or a bootstrap.",
        also="--intervals",
    )
    assessors: Assessors | None = option(
        None,
        "Treat assessors as given, or as a random sample of many. Default: random where a question has at least 3 "
        "assessors and the design allows it.",
    )
    confidence: float = _confidence()
    resamples: int = _resamples()


@dataclass(frozen=True, kw_only=True)
class PyramidOptions(Options):
    """Which pyramids are looked at."""

    topic: str | None = option(None, "Only this topic.")


@dataclass(frozen=True, kw_only=True)
class SubPyramidOptions(PyramidOptions):
    """Whose pyramids are looked at, or which sub-pyramids of theirs."""

    annotator: str | None = option(None, "Only this annotator.")
    order: int | None = option(None, "Use all sub-pyramids of this many references.", minimum=1)
    jackknife: bool = option(False, "Use all sub-pyramids that leave out one reference.")
    model: Sequence[str] = option((), "Use the sub-pyramid of these references; repeatable.", metavar="MODEL")

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum((self.order is not None, self.jackknife, bool(self.model))) > 1:
            raise UsageError("--order, --jackknife, --model: each chooses sub-pyramids; give one of them")


@dataclass(frozen=True, kw_only=True)
class PyramidScoreOptions(SubPyramidOptions):
    """How peers are scored with pyramids; scores with several sub-pyramids are averaged."""

    weights: WeightRule | None = option(
        None,
        "What an SCU weighs: the number of its contributors, as in DUCView and at NIST, or of its models. By default, "
        "as the pyramid says: contributors for pyramids that come from DUCView files, otherwise models.",
    )

    rounding: Rounding = option(
        "half-up",
        "Rounding of the mean number of SCUs per reference: half-up as at DUC 2006, floor as in DUCView, ceil as in "
        "sacrerouge, or none (interpolate) as in PyrEval.",
    )
    include_self: bool = option(False, "Score a reference with the pyramid that contains it.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.include_self and (self.order is not None or self.jackknife):
            raise UsageError("--include-self: sub-pyramids never contain the reference that they score; leave it out")


@dataclass(frozen=True, kw_only=True)
class PyramidShowOptions(SubPyramidOptions):
    """What is shown of pyramids."""

    summarizer: str | None = option(None, "Show which SCUs this summarizer expresses and misses.")
    optimal: int | None = option(None, "Count and list the optimal summaries with this many SCUs.", minimum=0)
    limit: int = option(10, "How many optimal summaries to list.", minimum=0)


@dataclass(frozen=True, kw_only=True)
class PyramidAgreementOptions(PyramidOptions):
    """How the agreement of annotators is measured."""

    distance: Sequence[SetDistance] = option((), "Distance between sets of words; repeatable. Default: all four.")
    normalise: bool = option(False, "Ignore function words and punctuation at the edges of contributors.")
    across: bool = option(False, "Also compare the scores under each annotation, with an analysis of variance.")
    include_self: bool = option(False, "With --across: score a reference with the pyramid that contains it.")
    confidence: float = _confidence()
    resamples: int = _resamples("Number of bootstrap samples; 0 for no intervals.", minimum=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.include_self and not self.across:
            raise UsageError("--include-self applies to scores across annotations; add --across")


LARGEST = 1e9
"""Simulated means and standard deviations above this would leave nothing of the smaller components in a float."""
SENTENCE_WORDS = 8
"""A simulated sentence has as many words."""
MOST_UNITS = 10_000
"""Each simulated content unit and distractor needs twelve of the 300,000 words for itself."""


def _sd(default: float, of: str) -> Any:
    return option(default, f"Standard deviation of {of}.", minimum=0.0, maximum=LARGEST)


@dataclass(frozen=True, kw_only=True)
class SimulationOptions(Options):
    """What all simulated data has in common."""

    topics: int = option(50, "Number of topics.", minimum=1)
    summarizers: int = option(20, "Number of systems.", minimum=1)
    seed: int = option(0, "The same seed gives the same data, byte for byte.", minimum=0, most=2**63 - 1)
    judgments: bool = option(False, "Add answers from 1 to 5 by simulated assessors.")
    assessor_count: int = option(2, "Number of assessors.", minimum=1)
    severity_sd: float = _sd(0.3, "the assessors' severity, in points")
    judgment_noise_sd: float = _sd(0.5, "the noise of one answer, in points")


@dataclass(frozen=True, kw_only=True)
class SimulatedScoresOptions(SimulationOptions):
    """What a simulated score is made of."""

    mean: float = option(0.4, "Grand mean.", minimum=-LARGEST, maximum=LARGEST)
    system_sd: float = _sd(0.03, "the systems' quality")
    topic_sd: float = _sd(0.08, "the topics' difficulty")
    interaction_sd: float = _sd(0.05, "the interaction of system and topic")
    noise_sd: float = _sd(0.05, "a measure's noise")


@dataclass(frozen=True, kw_only=True)
class SimulatedCampaignOptions(SimulationOptions):
    """What simulated summaries are made of."""

    topics: int = option(20, "Number of topics.", minimum=1)
    summarizers: int = option(10, "Number of systems.", minimum=1)
    parts: int = option(
        1,
        "Number of parts per topic: each has its own summaries, and the documents of earlier parts as background "
        "(folder only).",
        minimum=1,
        maximum=26,
    )
    models: int = option(4, "Number of reference summaries per topic.", minimum=0)
    humans: int | None = option(
        None, "Number of people who write references, each for some of the topics. Default: --models.", minimum=1
    )
    pyramids: bool = option(False, "Add pyramids and annotations, exact by construction (folder only).")
    questions: SimulatedQuestions = option("responsiveness", "Which questions the assessors answer.")
    assessors_per_summary: int | None = option(
        None, "Number of assessors of each topic, who judge all its summaries. Default: all of them.", minimum=1
    )
    system_assessor_sd: float = _sd(0.0, "the interaction of system and assessor, in points")
    language_sd: float = _sd(0.5, "the systems' language, in points (other questions than responsiveness)")
    judge_models: bool = option(False, "Add judgments of the references, too (folder only).")
    unjudged: int = option(0, "Number of systems, the last ones, that are neither judged nor annotated.", minimum=0)
    documents: int = option(0, "Number of documents per topic.", minimum=0)
    document_words: int = option(200, "Number of words per document.", minimum=SENTENCE_WORDS)
    words: int = option(100, "Word limit of summaries; a sentence has eight words.", minimum=SENTENCE_WORDS)
    units: int = option(40, "Number of content units per topic, and of distractors.", minimum=1, maximum=MOST_UNITS)
    zipf: float = option(1.0, "The k-th unit has importance 1/k^zipf.", minimum=0.0, maximum=10.0)
    synonyms: float = option(0.2, "Share of words that are replaced by their synonym.", minimum=0.0, maximum=1.0)
    quality: float = option(0.6, "Share of content in a typical system's text.", above=0.0, below=1.0)
    system_sd: float = _sd(0.5, "the systems' quality, in log-odds")
    topic_sd: float = _sd(0.5, "the topics' difficulty, in log-odds")
    interaction_sd: float = _sd(0.3, "the interaction of system and topic, in log-odds")
    selection_noise: float = option(
        1.0, "How far writers deviate from the order of importance; 0: not at all.", minimum=0.0, maximum=1000.0
    )
