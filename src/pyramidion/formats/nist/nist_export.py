"""Tables of judgments and files of summaries as NIST lays them out.

What these can't hold is left out with a warning: other questions, answers without an assessor's letter, summarizers
that are neither letters (humans) nor numbers (systems).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pyramidion.campaign import Campaign, Judgment, Problems, Summary, Topic, plain
from pyramidion.files.problems import Place
from pyramidion.formats.nist.nist_tables import CONTENT, OVERALL, QUALITY, RESPONSIVENESS
from pyramidion.formats.nist.nist_texts import EXTRAS
from pyramidion.formats.nist.set_names import is_topic, natural
from pyramidion.formats.text_files import require_exportable, save, save_lines
from pyramidion.show.wording import counted

TABLES = {
    CONTENT: ("responsiveness/content.table", "Content Responsiveness Score"),
    OVERALL: ("responsiveness/overall.table", "Overall Responsiveness Score"),
    RESPONSIVENESS: ("responsiveness/responsiveness.table", "Responsiveness Score"),
}
LINGUISTIC_QUALITY = "linguistic_quality/linguistic_quality.table"
_SCALE = "(1 = very poor...5 = very good)"
_SUMMARIZER = re.compile(r"[A-Za-z]+|[0-9]+", re.ASCII)


def write(campaign: Campaign, target: Path, problems: Problems) -> None:
    """Write tables, models and peers into a folder; what is lost becomes a warning."""
    at = Place(problems, target)
    topics = {topic.topic: topic for topic in campaign.topics}
    summarizer_ranges = _describe_summarizers(campaign)
    for question, (name, title) in TABLES.items():
        rows = [_row(judgment, topics, []) for judgment in _select_usable(campaign.judgments, [question])]
        if rows:
            save_lines(target / name, [*_header(summarizer_ranges, [f"{title} {_SCALE}"]), *rows])
    asked = _select_usable(campaign.judgments, QUALITY)
    quality = [_row(judgment, topics, [str(QUALITY.index(judgment.question) + 1)]) for judgment in asked]
    if quality:
        header = _header(summarizer_ranges, ["Quality Question Number", f"Quality Score {_SCALE}"], blanks=2)
        save_lines(target / LINGUISTIC_QUALITY, [*header, *quality])
    _note_lost(campaign, at)
    _write_texts(campaign, topics, target, at)


def _header(summarizer_ranges: str, columns: list[str], *, blanks: int = 1) -> Iterator[str]:
    """A line for each column, each with one bar more, and one of bars alone."""
    names = ["Topic", "Selector", "Assessor", f"Summarizer{' ' * blanks}({summarizer_ranges})", *columns, ""]
    for level, name in enumerate(names):
        yield ("|       " * level + name).rstrip()


def _describe_summarizers(campaign: Campaign) -> str:
    """Which ids are baselines, humans and systems, as in the headers: `baseline=1; human=A..J; system=2..32`."""
    ids: dict[str, list[str]] = {"baseline": [], "human": [], "participant": []}
    for id in campaign.summarizer_ids:
        kind = campaign.kind_of(id)
        if _SUMMARIZER.fullmatch(id) and (id.isdecimal() or kind == "human"):
            ids[kind].append(id)
    names = {"baseline": "baseline", "human": "human", "participant": "system"}
    return "; ".join(f"{names[kind]}={_range(kind, members)}" for kind, members in ids.items() if members)


def _range(kind: str, ids: Iterable[str]) -> str:
    """The first and the last; baselines that are not neighbours are listed."""
    sorted_ids = sorted(ids, key=natural)
    if len(sorted_ids) == 1:
        return sorted_ids[0]
    if kind == "baseline" and int(sorted_ids[-1]) - int(sorted_ids[0]) >= len(sorted_ids):
        return ",".join(sorted_ids)
    return f"{sorted_ids[0]}..{sorted_ids[-1]}"


def _select_usable(judgments: Iterable[Judgment], questions: Iterable[str]) -> list[Judgment]:
    """The answers to these questions that a table can hold, by topic, summarizer and question."""
    names = list(questions)
    answers = [judgment for judgment in judgments if judgment.question in names]
    usable = [answer for answer in answers if answer.run == 1 and _is_usable(answer)]
    return sorted(usable, key=lambda answer: (answer.topic, natural(answer.summarizer), names.index(answer.question)))


def _is_usable(judgment: Judgment) -> bool:
    """Whether a table can hold an answer: a whole number, about a topic and a summarizer with NIST's names."""
    return (
        is_topic(judgment.topic)
        and _SUMMARIZER.fullmatch(judgment.summarizer) is not None
        and float(judgment.value).is_integer()
    )


def _row(judgment: Judgment, topics: Mapping[str, Topic], more: list[str]) -> str:
    """An answer as a row of a table."""
    selector = _selector(topics.get(judgment.topic))
    cells = [
        judgment.topic,
        selector,
        judgment.assessor or selector,
        judgment.summarizer,
        *more,
        str(int(judgment.value)),
    ]
    return "\t".join(cells)


def _selector(topic: Topic | None) -> str:
    """The letter of the assessor who developed a topic; A if it is not known."""
    if topic is None:
        return "A"
    selector = str(topic.attributes.get("selector", ""))
    if re.fullmatch(r"[A-Z]", selector):
        return selector
    return "A"


def _note_lost(campaign: Campaign, at: Place) -> None:
    """Warn about answers that no table of NIST's can hold."""
    questions = {*TABLES, *QUALITY}
    other_questions: dict[str, None] = {}
    odd = 0
    for judgment in campaign.judgments:
        if judgment.question not in questions:
            other_questions[judgment.question] = None
        elif not _is_usable(judgment):
            odd += 1
    if other_questions:
        at.warning(
            found=f"answers to {', '.join(other_questions)}",
            expected="the questions of DUC",
            remedy="They were left out.",
        )
    if odd:
        at.warning(
            found=f"{counted(odd, 'answer')} that the tables can't hold",
            expected="whole numbers, topics like D0601, summarizers that are letters or numbers",
            remedy="They were left out.",
        )


def _write_texts(campaign: Campaign, topics: Mapping[str, Topic], target: Path, at: Place) -> None:
    """Each summary in a file with NIST's name, a sentence on each line; humans are models."""
    lost: list[Summary] = []
    for summary in campaign.with_first_outputs().summaries:
        human = summary.kind == "model"
        if not is_topic(summary.topic) or not (
            summary.summarizer.isalpha() if human else summary.summarizer.isdecimal()
        ):
            lost.append(summary)
            continue
        topic = topics.get(summary.topic)
        length = topic.attributes.get("length") if topic else None
        words = length if isinstance(length, int) else campaign.word_limit or 0
        name = f"{summary.topic}.M.{words}.{_selector(topic)}.{summary.summarizer}"
        text = plain(summary.text)
        folder = EXTRAS if summary.extra else "models" if human else "peers"
        save(target / "ROUGE" / folder / name, f"{text}\n" if text else "")
    needed = "NIST's file names need topics like D0601, letters for humans and numbers for systems"
    require_exportable(len(lost) < len(campaign.summaries), f"{needed}; rename them, or use `export folder`")
    if lost:
        expected = "topics like D0601 or D0703-A, humans with letters and systems with numbers"
        first = f"{lost[0].topic} {lost[0].summarizer}"
        at.warning(
            found=f"{counted(len(lost), 'text')} that NIST's names can't hold, first {first}",
            expected=expected,
            remedy="They were left out.",
        )
