"""What assessors answered, for readers: how often each answer was given, by kind of summarizer (Dang 2006, Table 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyramidion.measures.names import question_in_words
from pyramidion.options import FrequencyOptions
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.context import SectionContext
from pyramidion.present.judgments.assessors import PANEL_COLUMNS
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Figure, Section
from pyramidion.show.tables import Cell, Column, Table, columns_of, grouped
from pyramidion.show.wording import capital, counted, noted, number
from pyramidion.studies.judgments.frequencies import Frequencies, Frequency, JudgmentCounts

_POOR, _MIDDLE, _GOOD = (0xB3, 0x58, 0x06), (0xF2, 0xF0, 0xEA), (0x0B, 0x4F, 0x7A)
"""Brown, pale and blue, as red, green and blue: the colour-blind can distinguish them, and their order in print."""


def tables(frequencies: Frequencies) -> list[Table]:
    """The shares of answers, one table for all questions on the same scale; the first has the sentences."""
    scales = grouped(frequencies.questions, lambda question: tuple(answer_labels(frequencies, question)))
    shown: list[Table] = []
    for answers, questions in scales.items():
        sentences = () if shown else tuple(frequency_sentences(frequencies))
        shown.append(
            Table(
                record="frequency",
                title=noted("How often each answer was given, in percent", frequencies.note),
                columns=columns_of(
                    "question",
                    "kind",
                    *(Column(answer, digits=1) for answer in answers),
                    Column("mean", digits=2),
                    Column("n", "answers"),
                ),
                rows=[row for question in questions for row in _share_rows(frequencies, question)],
                heads=2,
                sentences=sentences,
                about=", ".join(questions),
            )
        )
    return shown


def _share_rows(frequencies: Frequencies, question: str) -> Iterator[list[Cell]]:
    """For each kind of summarizer, the shares of answers in percent, their mean and their number."""
    for kind, rows in frequencies.of(question).items():
        shares = [100 * row.share for row in rows]
        yield [question, kind, *shares, frequencies.means[question][kind], rows[0].n]


def answer_labels(frequencies: Frequencies, question: str) -> list[str]:
    """The answers to a question as people read them, in order."""
    first_kind = next(iter(frequencies.of(question).values()))
    return [answer_label(row) for row in first_kind]


def answer_label(frequency: Frequency) -> str:
    """An answer, or the ends of a group of answers: `3`, `2.5 – 3`."""
    if frequency.below is None:
        return _short_number(frequency.value)
    return f"{_short_number(frequency.value)} – {_short_number(frequency.below)}"


def _short_number(value: float) -> str:
    """A whole number as it is; fractions, which are means of assessors, with three digits."""
    if float(value).is_integer():
        return f"{value:g}"
    return f"{value:.3g}"


def frequency_sentences(frequencies: Frequencies) -> Iterator[str]:
    """Who judged how much; where participants do well and badly, and how far they are from humans and baselines."""
    if frequencies.counts:
        yield basis_sentence(frequencies.counts)
    participants = {
        question: means["participant"] for question, means in frequencies.means.items() if "participant" in means
    }
    if len(participants) > 1:
        best = max(participants, key=participants.__getitem__)
        worst = min(participants, key=participants.__getitem__)
        yield (
            f"Submitted systems are rated highest on {best} (mean {participants[best]:.2f}) and lowest on {worst} "
            f"({participants[worst]:.2f})."
        )
    for kind in ("human", "baseline"):
        gaps = frequencies.gaps_to_participants(kind)
        if gaps:
            yield _gap_sentence(frequencies, kind, gaps)


def basis_sentence(counts: JudgmentCounts) -> str:
    """Who judged how much, and whether agreement can be known."""
    answers = counted(counts.answers, "answer")
    summaries = counted(counts.summaries, "summary", "summaries")
    questions = f"{counted(counts.questions, 'question')} about {summaries}"
    if counts.assessors is None:
        unknown = "" if counts.has_double_answers else ", so agreement is unknown"
        return f"{answers} to {questions}; assessors are not recorded{unknown}."
    sentence = f"{counted(counts.assessors, 'assessor')} answered {questions}: {answers}."
    if counts.has_double_answers:
        return sentence
    return f"{sentence} No summary was judged by two assessors, so their agreement is unknown."


def _gap_sentence(frequencies: Frequencies, kind: str, gaps: Mapping[str, float]) -> str:
    """On how many questions humans, or baselines, have higher means than participants, and where it is most so."""
    widest = max(gaps, key=lambda question: abs(gaps[question]))
    means = frequencies.means[widest]
    values = f"{means[kind]:.2f} vs. {means['participant']:.2f}"
    higher_count = sum(gap > 0 for gap in gaps.values())
    if len(gaps) == 1:
        higher = "higher" if higher_count else "no higher"
        return f"{capital(kind)}s have {higher} means than submitted systems on {widest} ({values})."
    where = f"on {higher_count} of {len(gaps)} questions"
    if higher_count == len(gaps):
        where = "on every question"
    elif not higher_count:
        where = "on no question"
    return (
        f"{capital(kind)}s have higher means than submitted systems {where} (the difference is largest on {widest}: "
        f"{values})."
    )


def draw_frequencies(frequencies: Frequencies, *, columns: int = PANEL_COLUMNS) -> Chart:
    """Stacked bars, one panel a question and one bar a kind of summarizer."""
    panels = [_bars(frequencies, question) for question in frequencies.questions]
    scales = {tuple(answer_labels(frequencies, question)) for question in frequencies.questions}
    spec: vl.Spec = {"concat": panels, "columns": columns}
    if len(scales) > 1:
        spec |= vl.OWN_COLOURS
    return vl.titled("Answers by kind of summarizer", frequencies.note, spec)


def _bars(frequencies: Frequencies, question: str) -> vl.Spec:
    """The panel of one question."""
    rows = []
    for kind, answers in frequencies.of(question).items():
        for order, row in enumerate(answers):
            bar = f"{kind} (n = {row.n})"
            rows.append({"kind": bar, "answer": answer_label(row), "order": order, "share": row.share})
    labels = answer_labels(frequencies, question)
    # From poor to good through a neutral middle: answers are ordered, so colours are, too.
    shades = {"domain": labels, "range": _shades(len(labels))}
    return vl.panel(
        rows,
        vl.layer("bar", {}, stroke="white", strokeWidth=0.5),
        size=(230, {"step": 26}),
        title=vl.label(question),
        x=vl.quantity("share", stack="zero", title="share of answers", axis={"format": "%"}, scale={"domain": [0, 1]}),
        y=vl.category("kind", sort=vl.in_order(rows, "kind"), title=None),
        order=vl.quantity("order"),
        color=vl.category("answer", sort=labels, scale=shades, title="answer"),
    )


def _shades(count: int) -> list[str]:
    """A colour for each of so many answers, from the poorest to the best."""
    shades = []
    for order in range(count):
        place = order / max(count - 1, 1)
        if place < 0.5:
            shades.append(_mixed_colour(_POOR, _MIDDLE, 2 * place))
        else:
            shades.append(_mixed_colour(_MIDDLE, _GOOD, 2 * place - 1))
    return shades


def _mixed_colour(start: tuple[int, ...], end: tuple[int, ...], share: float) -> str:
    """The colour that has gone this share of the way from one colour to another."""
    parts = [round(low + (high - low) * share) for low, high in zip(start, end, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def section(
    frequencies: Frequencies,
    context: SectionContext,
    options: FrequencyOptions,
    *,
    regression: Section | None,
) -> Section:
    """What was answered, by kind of summarizer, and inside it what predicts an overall score.

    Args:
        frequencies: of the questions that are shown.
        context: of the report.
        options: which gave the frequencies; if they name questions, the others are left out.
        regression: the section on what predicts an overall score, if there is one.
    """
    blocks: list[Table | Figure] = list(frequencies.tables())
    if sum(map(len, frequencies.means.values())) > 1:  # one bar says less than the table
        blocks.insert(0, _frequency_figure(frequencies))
    notes: tuple[str, ...] = ()
    if options.question:
        question_count = len(context.campaign.question_names)
        notes = (f"Only the first {len(options.question)} of {question_count} questions are shown.",)
    return Section(
        id="judgments",
        title="Human scores",
        finding=_heading(frequencies),
        mark=frequencies.note,
        sentences=tuple(frequencies.sentences()),
        blocks=tuple(blocks),
        commands=(context.command_line("judgments frequencies", options=options),),
        notes=notes,
        parts=(regression,) if regression else (),
    )


def _heading(frequencies: Frequencies) -> str:
    """The questions that systems are rated best and worst on; of a single question its mean."""
    means = frequencies.headline_means()
    if not means:
        return ""
    # The heading of the report's section: one line that says something without the figure.
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    if best == worst:
        answers = [row.value for row in frequencies.frequencies if row.count]
        scale = f", with answers from {min(answers):g} to {max(answers):g}" if answers else ""
        return f"{capital(question_in_words(best))} is rated {number(means[best])} on average{scale}"
    is_submitted = all("participant" in kinds for kinds in frequencies.means.values())
    rated = "Submitted systems are rated highest" if is_submitted else "Ratings are highest"
    return (
        f"{rated} on {question_in_words(best)} ({number(means[best])}) and lowest on {question_in_words(worst)} "
        f"({number(means[worst])})"
    )


def _frequency_figure(frequencies: Frequencies) -> Figure:
    """Stacked bars; those who can't see them get the means."""
    means = []
    for question, by_kind in frequencies.means.items():
        kinds = ", ".join(f"{kind} {mean:.2f}" for kind, mean in by_kind.items())
        means.append(f"{question}: {kinds}")
    return Figure(
        id="judgments-frequencies",
        caption=noted("How often each answer was given, by kind of summarizer", frequencies.note),
        alt=f"Stacked bars of the shares of answers, one panel for each question. Means: {'; '.join(means)}.",
        draw=lambda: draw_frequencies(frequencies, columns=2),
    )


FREQUENCIES = Presenter(tables=tables, figure=draw_frequencies)
