"""Settings for people: who leads under how many of them, which pairs reverse and why; the specification curve."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import capital, counted, in_words, listed
from pyramidion.studies.choices import (
    FACTORS,
    ChoiceEstimate,
    ChoiceFactor,
    ChoiceLevel,
    ChoicesStudy,
    SettingRow,
)

SHOWN_PAIRS = 20
"""Pairs that the table shows; records have all of them."""
WORDS = {
    "measure": "the measure",
    "statistic": "the statistic",
    "stem": "stems",
    "stop": "stop words",
    "references": "how references count",
    "tokens": "the tokenizer",
    "limit": "the word limit",
}
"""What settings differ in, as sentences call it."""
COLOURS = {"better": vl.ACCENT, "undecided": "#9aa5b1", "worse": "#d55e00"}
_WIDTH = 760
_ROW = 15
"""Height of a line of the dot matrix."""


def tables(study: ChoicesStudy) -> list[Table]:
    """Who leads, which pairs reverse, what the answer depends on; on request all settings and estimates."""
    return [
        _winner_table(study),
        _pair_table(study),
        _factor_table(study),
        _level_table(study),
        _setting_table(study),
        _estimate_table(study),
    ]


def _winner_table(study: ChoicesStudy) -> Table:
    system = Column("summarizer", "system", of=lambda row: study.label(row.summarizer))
    one = "Each topic has one reference, so there is no choice of references." if study.has_one_reference else ""
    return table_of(
        study.winners,
        (system, "settings", "of"),
        title=f"Who leads under {counted(len(study.settings), 'setting')}",
        sentences=(_winner_sentence(study),),
        notes=(f"A setting is a combination of {_listed_factors(study)}.", one),
    )


def _listed_factors(study: ChoicesStudy) -> str:
    varied = [row.factor for row in study.factors]
    named = [WORDS[factor] for factor in FACTORS if factor in varied]
    return listed(named, most=len(named)) or "options of which none varies"


def _winner_sentence(study: ChoicesStudy) -> str:
    """How many systems lead, and under how many settings."""
    settings = counted(len(study.settings), "setting")
    first = study.winners[0]
    if len(study.winners) == 1:
        return f"{study.label(first.summarizer)} leads under all {settings}."
    counts = [f"{study.label(row.summarizer)} under {row.settings}" for row in study.winners]
    lead = capital(in_words(len(study.winners)))
    return f"{lead} systems lead under some of {settings}: {listed(counts, most=6)}."


def _pair_table(study: ChoicesStudy) -> Table:
    shown = study.pairs[:SHOWN_PAIRS]
    more = len(study.pairs) - len(shown)
    return table_of(
        shown,
        (
            Column("a", of=lambda row: study.label(row.a)),
            Column("b", of=lambda row: study.label(row.b)),
            Column("better", "a better"),
            Column("worse", "b better"),
            "undecided",
        ),
        title="Pairs, by the number of settings",
        heads=2,
        sentences=(_reversal_sentence(study), _robust_sentence(study)),
        notes=(
            f"Paired t tests at {study.options.confidence:g} % confidence, with Holm's correction over "
            f"{counted(len(study.pairs), 'pair')} under each setting; settings are not independent of each other.",
            f"{len(shown)} of {counted(len(study.pairs), 'pair')} are shown; the records have all of them."
            if more
            else "",
        ),
    )


def _reversal_sentence(study: ChoicesStudy) -> str:
    """How many pairs reverse, and what changes them."""
    count, total = len(study.reversed_pairs), len(study.pairs)
    if len(study.settings) < 2:
        return "There is only one setting: nothing varies."
    if not count:
        which = "The pair does not reverse" if total == 1 else f"None of {counted(total, 'pair')} reverses"
        return f"{which}: no system is significantly better under one setting and significantly worse under another."
    if total == 1:
        pair = study.pairs[0]
        return (
            f"The answer depends on the setting: {study.label(pair.a)} is significantly better under {pair.better} "
            f"settings, {study.label(pair.b)} under {pair.worse}."
        )
    verb = "is" if count == 1 else "are"
    return (
        f"{count} of {counted(total, 'pair')} {verb} reversed: each of the two is significantly better under some "
        f"setting.{_cause_sentence(study)}"
    )


def _cause_sentence(study: ChoicesStudy) -> str:
    """What reverses pairs if it alone changes, and whether one of its values settles the matter."""
    causes = [row for row in study.factors if row.reversed]
    if not causes:
        return " No single choice reverses a pair by itself; several together do."
    # Only what reverses a pair by itself is a cause; pairs that need two changes at once are not counted twice.
    clauses = [f"{WORDS[row.factor]} ({row.reversed})" for row in causes]
    sentence = f" Pairs are reversed by changing only {listed(clauses, most=7)}."
    silent = [row for row in study.factors if not row.reversed]
    if silent:
        names = [WORDS[row.factor] for row in silent]
        alternatives = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
        sentence += f" Changing only {alternatives} reverses none."
    return sentence + _quiet_level_sentence(study, causes[0])


def _quiet_level_sentence(study: ChoicesStudy, cause: ChoiceFactor) -> str:
    """Which values of the main cause leave no pair reversed, or the fewest."""
    levels = [row for row in study.levels if row.factor == cause.factor]
    # What a reader can do about it: hold this choice fixed, and the answer no longer depends on the others.
    quiet = [row for row in levels if not row.reversed]
    if len(quiet) == len(levels):
        return f" With {WORDS[cause.factor]} held fixed, no pair is reversed."
    if quiet:
        names = listed([_level_name(row) for row in quiet])
        return f" With {names} alone, no pair is reversed."
    least = min(levels, key=lambda row: row.reversed)
    return f" With {_level_name(least)} alone, {least.reversed} are reversed."


def _level_name(level: ChoiceLevel) -> str:
    """`F`, `stems`, `the best reference`."""
    if level.factor == "statistic":
        return {"f": "F"}.get(level.level, level.level)
    if level.factor == "measure":
        return level.level
    return f"{level.factor}={level.level}"


def _robust_sentence(study: ChoicesStudy) -> str:
    """How many pairs are significant the same way whatever the setting."""
    count, total = len(study.robust_pairs), len(study.pairs)
    if len(study.settings) < 2:
        return ""
    if not count:
        which = "No pair is" if total > 1 else "It is not"
        return f"{which} significant the same way under all settings."
    verb = "is" if count == 1 else "are"
    return f"{count} of {counted(total, 'pair')} {verb} significant the same way under all settings."


def _factor_table(study: ChoicesStudy) -> Table:
    return table_of(
        study.factors,
        (
            Column("factor", "if this alone changes", of=lambda row: WORDS[row.factor]),
            Column("levels", "values", of=lambda row: ", ".join(row.levels)),
            "reversed",
            "leaders",
            "sets",
        ),
        record="choice-factor",
        title="What the answer depends on",
    )


_SETTING = ("setting", "measure", "statistic", "stem", "stop", "references", "tokens", "limit")
"""The columns that say what a setting is."""


def _level_table(study: ChoicesStudy) -> Table:
    columns = ("factor", "level", "settings", "winners", "reversed")
    title = "The settings with one value of what varies"
    return table_of(study.levels, columns, record="choice-level", title=title, heads=2, detail=True)


def _setting_table(study: ChoicesStudy) -> Table:
    columns = (
        *_SETTING,
        Column("winners", "leads", of=lambda row: listed([study.label(name) for name in row.winners])),
        "value",
        "pairs",
        Column("n", "topics"),
    )
    return table_of(study.settings, columns, title="All settings", detail=True)


def _estimate_table(study: ChoicesStudy) -> Table:
    columns = (
        "a",
        "b",
        *_SETTING,
        Column("difference", digits=4),
        Column("lower", digits=4),
        Column("upper", digits=4),
        "p_adjusted",
        "verdict",
        Column("n", "topics"),
    )
    return table_of(study.estimates, columns, title="The difference under each setting", heads=2, detail=True)


# The specification curve


def draw_curve(study: ChoicesStudy) -> Chart:
    """The difference between two systems under each setting, from lowest to highest, over a matrix of the settings."""
    # Estimates may be of several pairs; the curve shows one, the first that was asked for.
    pair = study.estimates[0].a, study.estimates[0].b
    estimates = [row for row in study.estimates if (row.a, row.b) == pair and row.difference is not None]
    if not estimates:
        raise InputError("the two systems share no topic: there is nothing to draw")
    ranked = sorted(estimates, key=lambda row: row.difference or 0.0)
    a, b = (study.label(name) for name in pair)
    title = f"{a} − {b} under {counted(len(ranked), 'setting')}"
    panels = [_difference_panel(ranked, a, b), _matrix_panel(study, ranked)]
    spec = {"vconcat": panels, "spacing": 8, "resolve": {"scale": {"x": "shared"}}}
    return vl.finished(title, {**spec, "title": {"text": vl.label(title), "anchor": "start"}})


def _x(count: int) -> vl.Spec:
    """Places from left to right."""
    return vl.quantity("place", scale={"domain": [0.2, count + 0.8], "nice": False}, axis=None, title=None)


def _difference_panel(ranked: Sequence[ChoiceEstimate], a: str, b: str) -> vl.Spec:
    """Estimates with their limits, coloured by the verdict."""
    words = {"better": f"{a} significantly better", "undecided": "undecided", "worse": f"{b} significantly better"}
    words = {verdict: vl.label(text) for verdict, text in words.items()}
    rows = []
    for place, row in enumerate(ranked, start=1):
        interval = vl.interval(str(place), row.difference or 0.0, row.lower, row.upper)
        rows.append({**interval, "place": place, "verdict": words[row.verdict]})
    # A legend with a colour that no dot has would make readers search for it.
    present = [verdict for verdict in COLOURS if any(row.verdict == verdict for row in ranked)]
    scale = {"domain": [words[verdict] for verdict in present], "range": [COLOURS[verdict] for verdict in present]}
    colour = vl.category("verdict", scale=scale, legend={"orient": "top", "title": None, "labelLimit": 320})
    axis: vl.Spec = {
        "title": vl.label(f"difference ({ranked[0].confidence:g} % limits, all pairs)"),
        "scale": {"nice": True},
    }
    # Hundreds of settings side by side: lines get thinner, so that gaps between them stay visible.
    thick = max(0.7, min(2.0, _WIDTH / len(ranked) / 3))
    limits = vl.layer("rule", {"y": vl.quantity("lower", **axis), "y2": {"field": "upper"}}, strokeWidth=thick)
    dots = vl.layer("circle", {"y": vl.quantity("value", **axis)}, size=_dot_size(len(ranked)) * 1.4, opacity=1)
    zero = vl.rules("y", [0], color=vl.INK, opacity=0.5)
    return vl.panel(rows, limits, dots, size=(_WIDTH, 240), under=[zero], x=_x(len(ranked)), color=colour)


def _dot_size(count: int) -> float:
    """The area of a dot, so that neighbours do not cover each other."""
    width = min(_WIDTH / count, _ROW)
    return max(4.0, min(40.0, 0.55 * width**2))


def _matrix_panel(study: ChoicesStudy, ranked: Sequence[ChoiceEstimate]) -> vl.Spec:
    """A dot for each value that a setting has, in lines below each other."""
    varied = [factor for factor in FACTORS if factor in {row.factor for row in study.factors}]
    order = [_line(factor, level) for factor in varied for level in _levels_of(study, factor)]
    rows = [
        {"place": place, "line": _line(factor, _level_of(row, factor)), "verdict": row.verdict}
        for place, row in enumerate(ranked, start=1)
        for factor in varied
    ]
    scale = {"domain": list(COLOURS), "range": list(COLOURS.values())}
    colour = vl.category("verdict", scale=scale, legend=None)
    lines = vl.category("line", sort=order, title=None, axis={"grid": True, "ticks": False, "domain": False})
    dots = vl.layer("circle", {"y": lines}, size=_dot_size(len(ranked)), opacity=1)
    panel = vl.panel(rows, dots, size=(_WIDTH, {"step": _ROW}), x=_x(len(ranked)), color=colour)
    return {**panel, "resolve": {"scale": {"color": "independent"}}}


def _levels_of(study: ChoicesStudy, factor: str) -> list[str]:
    return [row.level for row in study.levels if row.factor == factor]


def _level_of(row: ChoiceEstimate | SettingRow, factor: str) -> str:
    """The value that a setting has, as the levels of the study spell it."""
    value = getattr(row, factor)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _line(factor: str, level: str) -> str:
    """The name of a line of the matrix: `statistic: recall`."""
    return vl.label(level if factor == "measure" else f"{factor}: {level}")


CHOICES = Presenter(tables=tables, figure=draw_curve)
