"""Judges in signatures: which programs are behind a score, and whether systems were scored by the same ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import polars as pl

from pyramidion.errors import UsageError
from pyramidion.scores.table import JUDGES_PART, ScoreTable
from pyramidion.show.wording import listed

PEOPLE = "people"
_PART = re.compile(re.escape(JUDGES_PART) + r"([^|]*)")


def name_in_signature(signature: str, raters: Collection[str], judges: Mapping[str, str]) -> str:
    """A signature that names the judges among the raters behind a value; as it was if there are none.

    >>> name_in_signature("question.fluency|v:0.2.0", {"gpt", "Ann"}, {"gpt": "gpt;model=m-1"})
    'question.fluency|judges:gpt;model=m-1,people|v:0.2.0'
    """
    names = sorted(name for name in raters if name in judges)
    if not names or _PART.search(signature):
        return signature
    identities = [judges[name] for name in names]
    if len(names) < len(raters):
        identities.append(PEOPLE)
    head, separator, version = signature.rpartition("|v:")
    part = f"{JUDGES_PART}{','.join(identities)}"
    if not separator:
        return f"{signature}{part}"
    return f"{head}{part}{separator}{version}"


def judges_in(signature: str) -> frozenset[str]:
    """The judges that a signature names, each with its model, prompt and temperature; none where people answered.

    >>> judges_in("question.fluency|judges:gpt;model=m-1|v:0.2.0")
    frozenset({'gpt;model=m-1'})
    """
    part = _PART.search(signature)
    if part is None:
        return frozenset()
    return frozenset(part[1].split(","))


def with_judges(table: ScoreTable, names: Mapping[str, str]) -> ScoreTable:
    """The table in which some columns are those of judges: their signatures name them.

    Args:
        table: of scores.
        names: by column, the judge as signatures name it.
    """
    frame = table.frame
    for column, identity in names.items():
        named = [
            name_in_signature(signature or column, {column}, {column: identity})
            for signature in frame["signature"].cast(pl.String)
        ]
        is_of_judge = frame["measure"].cast(pl.String) == column
        signatures = pl.Series("signature", named).zip_with(is_of_judge, frame["signature"].cast(pl.String))
        frame = frame.with_columns(signatures.cast(frame.schema["signature"]))
    return replace(table, frame=frame)


def require_same_judges(table: ScoreTable, measures: Iterable[str] | None = None) -> None:
    """Refuse to compare systems that were scored by different judges.

    Judges differ if their name, model, prompt or temperature does. A system with a few answers less is no reason: what
    counts is who scored it anywhere.

    Raises:
        UsageError: with the first two systems that differ.
    """
    for measure in table.measures if measures is None else measures:
        judges = _judges_by_system(table, measure)
        if len(set(judges.values())) < 2:
            continue
        (first, first_judges), *others = judges.items()
        second = next(system for system, names in others if names != first_judges)
        raise UsageError(
            f"{measure}: scored by two different judges: {first} by {_describe(first_judges)}, {second} by "
            f"{_describe(judges[second])}; have all systems scored by the same judge, or compare them anyway with "
            "`mix_judges=True`"
        )


def _judges_by_system(table: ScoreTable, measure: str) -> dict[str, frozenset[str]]:
    """By system, all judges behind its scores on a measure."""
    if not any(map(judges_in, table.signatures(measure))):
        return {}
    rows = table.frame.filter(pl.col("measure").cast(pl.String) == measure).select("summarizer", "signature")
    distinct = rows.cast(pl.String).unique(maintain_order=True)
    judges: dict[str, frozenset[str]] = {}
    for system, signature in distinct.iter_rows():
        judges[system] = judges.get(system, frozenset()) | (judges_in(signature or "") or {PEOPLE})
    return judges


def _describe(judges: frozenset[str]) -> str:
    """Judges as a message names them."""
    described = []
    for identity in sorted(judges):
        name, *facts = identity.split(";")
        described.append(f"{name} ({', '.join(facts)})" if facts else name)
    return listed(described)
