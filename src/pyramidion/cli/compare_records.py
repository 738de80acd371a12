"""What `compare` prints: records for programs, tables for people, for each kind of finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.scores import ScoreTable
    from pyramidion.studies import Analysis, Comparison, Standing

Record = dict[str, Any]

NOT_TESTED = "the residual is what the others are tested against"
FEW_PAIRS = 6
"""Up to so many pairs, each has its sentence in tables."""


class Kind(StrEnum):
    """Kinds of findings, in the order in which they are printed."""

    means = "means"
    anova = "anova"
    tukey = "tukey"
    friedman = "friedman"
    differences = "differences"
    pairs = "pairs"


@dataclass(frozen=True)
class Shown:
    """A table for people."""

    title: str
    rows: list[Record]
    must_be_said: list[str]
    findings: list[str]
    """In plain words."""


def _noted(record: Record, comparison: Comparison, *further: str) -> Record:
    """The record with what must be said with it."""
    measure = record["measure"]
    notes = [comparison.notes.get(measure, ""), comparison.remarks.get(measure, ""), *further]
    said = "; ".join(one.rstrip(".") for one in notes if one)
    return {**record, "note": said} if said else record


def _undefined(record: Record, reason: str) -> Record:
    """The record with the reason, if something in it is undefined."""
    undefined = any(value is None or value != value for value in record.values())  # NaN
    return {**record, "reason": reason} if undefined and reason else record


def mean_records(comparison: Comparison) -> Iterator[Record]:
    """The leaderboards."""
    for standing in comparison.standings:
        analysis = comparison.analysis(standing.measure)
        record: Record = {
            "record": "mean",
            "measure": standing.measure,
            "summarizer": standing.summarizer,
            "value": standing.value,
            "n": standing.n,
            "missing": standing.missing,
            "lower": standing.lower,
            "upper": standing.upper,
            "confidence": comparison.confidence,
            "method": comparison.method,
            "seed": comparison.seed,
            "rank": standing.rank,
            "letters": standing.letters,
            "adjusted": standing.adjusted,
            "mean_rank": analysis.mean_ranks.get(standing.summarizer),
        }
        reasons = ["no degree of freedom is left for an interval"] if standing.lower is None else []
        if standing.letters is None:
            reasons.append(f"no letters: {analysis.no_letters}")
        elif standing.adjusted is None:
            reasons.append(f"no adjusted mean: {analysis.no_tukey}")
        if not analysis.mean_ranks:
            reasons.append(f"no mean rank: {analysis.no_friedman}")
        flat = "every residual is zero, so that intervals have no width"
        exact = comparison.method == "t" and analysis.anova is not None and analysis.anova.mean_square == 0
        yield _undefined(_noted(record, comparison, flat if exact else ""), "; ".join(reasons))


def anova_records(comparison: Comparison) -> Iterator[Record]:
    """The tables of the analyses of variance; where there is none, one row a source says why."""
    for analysis in comparison.analyses:
        for row in _anova_rows(analysis):
            record = {"record": "anova", "measure": analysis.measure, **row}
            yield _undefined(_noted(record, comparison, analysis.note), _why(analysis, row))


def _anova_rows(analysis: Analysis) -> list[Record]:
    if analysis.anova is None:
        empty = dict.fromkeys(("ss", "df", "ms", "f", "p"))
        return [{"source": source, **empty} for source in ("summarizer", "topic", "residual")]
    return [
        {
            "source": row.source,
            "ss": row.sum_of_squares,
            "df": row.degrees_of_freedom,
            "ms": row.mean_square,
            "f": row.f,
            "p": row.p,
        }
        for row in analysis.anova.table
    ]


def _why(analysis: Analysis, row: Record) -> str:
    if analysis.anova is None:
        return analysis.no_anova
    if row["source"] == "residual":
        return NOT_TESTED
    return "every residual is zero, so that there is nothing to test against" if row["df"] else "nothing is compared"


def tukey_records(comparison: Comparison) -> Iterator[Record]:
    """One row a measure."""
    for analysis in comparison.analyses:
        yield {"record": "tukey", "measure": analysis.measure, **_tukey_row(comparison, analysis)}


def _tukey_row(comparison: Comparison, analysis: Analysis) -> Record:
    test = analysis.tukey
    reason = analysis.no_tukey or "with missing cells it differs by pair: see least and largest"
    record: Record = {
        "measure": analysis.measure,
        "q": test.q if test else None,
        "mse": test.mean_square if test else None,
        "df": test.degrees_of_freedom if test else None,
        "critical_difference": test.critical_difference if test else None,
        "least": test.least_difference if test else None,
        "largest": test.largest_difference if test else None,
        "pairs": test.pairs if test else None,
        "confidence": comparison.confidence,
    }
    return _undefined(_noted(record, comparison, analysis.note), reason)


def friedman_records(comparison: Comparison) -> Iterator[Record]:
    """One row a measure."""
    for analysis in comparison.analyses:
        yield {"record": "friedman", "measure": analysis.measure, **_friedman_row(comparison, analysis)}


def _friedman_row(comparison: Comparison, analysis: Analysis) -> Record:
    test = analysis.friedman
    record: Record = {
        "measure": analysis.measure,
        "chi2": test.chi2 if test else None,
        "df": test.degrees_of_freedom if test else None,
        "p": test.p if test else None,
        "nemenyi_difference": test.nemenyi_difference if test else None,
        "topics": test.columns if test else 0,
        "pairs": test.pairs if test else None,
        "confidence": comparison.confidence,
    }
    return _undefined(_noted(record, comparison), analysis.no_friedman)


def difference_records(comparison: Comparison) -> Iterator[Record]:
    """The pairs that differ by Tukey's test or by Nemenyi's."""
    for analysis in comparison.analyses:
        for one in analysis.differences():
            record: Record = {
                "record": "difference",
                "measure": one.measure,
                "a": one.a,
                "b": one.b,
                "difference": one.difference,
                "tukey": one.tukey,
                "nemenyi": one.nemenyi,
            }
            yield _undefined(_noted(record, comparison), analysis.no_tukey or analysis.no_friedman)


def pair_records(comparison: Comparison) -> Iterator[Record]:
    """The pairs that were asked for."""
    for one in comparison.pairs:
        record: Record = {
            "record": "pair",
            "measure": one.measure,
            "a": one.a,
            "b": one.b,
            "difference": one.difference,
            "lower": one.lower,
            "upper": one.upper,
            "p": one.p,
            "p_adjusted": one.p_adjusted,
            "effect": one.effect,
            "win": one.win,
            "tie": one.tie,
            "loss": one.loss,
            "n": one.n,
            "sentence": one.sentence,
            "better": one.better or "",
            "exact": one.exact,
            "least_p": one.least_p,
            "correction": comparison.correction,
            "confidence": comparison.confidence,
            "method": comparison.method,
            "seed": comparison.seed,
        }
        yield _undefined(_noted(record, comparison), one.reason)


def means_table(comparison: Comparison, table: ScoreTable, measure: str) -> Shown:
    """A leaderboard, and below it what the tests say."""
    from pyramidion.reports import remarks_on

    standings, analysis = comparison.leaderboard(measure), comparison.analysis(measure)
    missing = analysis.anova is not None and analysis.anova.missing > 0
    must_be_said = [
        remarks_on(table, measure),
        comparison.remarks.get(measure, ""),
        f"{analysis.note[0].upper()}{analysis.note[1:]}." if analysis.note else "",
    ]
    return Shown(
        comparison.title(measure),
        [_mean_row(standing, comparison, adjusted=missing) for standing in standings],
        [one for one in must_be_said if one],
        analysis.sentences(),
    )


def _mean_row(standing: Standing, comparison: Comparison, *, adjusted: bool) -> Record:
    return {
        "rank": standing.rank,
        "summarizer": standing.summarizer,
        "name": comparison.names.get(standing.summarizer),
        "mean": standing.value,
        "lower": standing.lower,
        "upper": standing.upper,
        **({"adjusted": standing.adjusted} if adjusted else {}),
        "letters": standing.letters,
        "n": standing.n,
        "missing": standing.missing,
    }


def _sentences(records: list[Record]) -> list[str]:
    """The sentences of a few pairs; of many pairs those that found someone better."""
    if len(records) <= FEW_PAIRS:
        return [record["sentence"] for record in records if "sentence" in record]
    found = [record["sentence"] for record in records if record.get("better")]
    tied = sum(1 for record in records if "sentence" in record) - len(found)
    if not tied:
        return found
    said = f"{tied} pairs are statistically tied."
    level = 1 - records[0]["confidence"] / 100
    hopeless = [one["least_p"] for one in records if (one.get("least_p") or 0) > level]
    if hopeless:
        said += (
            f" Of {len(hopeless)} nothing else could be found: corrected over all of these pairs, p can't be below "
            f"{min(hopeless):.3g}. Tukey's letters, fewer pairs (--against), more topics or permutations can tell more."
        )
    return [*found, said]


def _small(key: str, value: Any) -> Any:
    """No p is 0: what five decimals can't show is said to be less."""
    return "< 0.00001" if key in ("p", "p_adjusted") and value is not None and value < 0.000005 else value


def _of_measure(
    title: str, records: Callable[[Comparison], Iterator[Record]]
) -> Callable[[Comparison, ScoreTable, str], Shown]:
    """The records of one measure as a table; notes and reasons go below it, once."""

    def table(comparison: Comparison, scores: ScoreTable, measure: str) -> Shown:  # noqa: ARG001  # one door for all
        found = [record for record in records(comparison) if record["measure"] == measure]
        hidden = ("record", "measure", "note", "reason", "sentence", "better", "correction", "confidence", "method")
        rows = [
            {key: _small(key, value) for key, value in record.items() if key not in (*hidden, "seed", "least_p")}
            for record in found
        ]
        said = dict.fromkeys(str(one[key]) for key in ("note", "reason") for one in found if one.get(key))
        return Shown(f"{measure}: {title}", rows, [one for one in said if one != NOT_TESTED], _sentences(found))

    return table


RECORDS: Mapping[Kind, Callable[[Comparison], Iterator[Record]]] = {
    Kind.means: mean_records,
    Kind.anova: anova_records,
    Kind.tukey: tukey_records,
    Kind.friedman: friedman_records,
    Kind.differences: difference_records,
    Kind.pairs: pair_records,
}
TABLES: Mapping[Kind, Callable[[Comparison, ScoreTable, str], Shown]] = {
    Kind.means: means_table,
    Kind.anova: _of_measure("two-way analysis of variance, type II", anova_records),
    Kind.tukey: _of_measure("Tukey's honestly significant difference", tukey_records),
    Kind.friedman: _of_measure("Friedman's test, with Nemenyi's difference of mean ranks", friedman_records),
    Kind.differences: _of_measure("pairs that differ by either test", difference_records),
    Kind.pairs: _of_measure("pairs on shared topics", pair_records),
}
