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
from pyramidion.formats.text_files import refuse_nothing, save, save_lines
from pyramidion.wording import counted

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
    who = _who(campaign)
    for question, (name, title) in TABLES.items():
        rows = [_row(one, topics, []) for one in _usable(campaign.judgments, [question])]
        if rows:
            save_lines(target / name, [*_header(who, [f"{title} {_SCALE}"]), *rows])
    asked = _usable(campaign.judgments, QUALITY)
    quality = [_row(one, topics, [str(QUALITY.index(one.question) + 1)]) for one in asked]
    if quality:
        header = _header(who, ["Quality Question Number", f"Quality Score {_SCALE}"], blanks=2)
        save_lines(target / LINGUISTIC_QUALITY, [*header, *quality])
    _note_lost(campaign, at)
    _write_texts(campaign, topics, target, at)


def _header(who: str, columns: list[str], *, blanks: int = 1) -> Iterator[str]:
    """A line for each column, each with one bar more, and one of bars alone."""
    names = ["Topic", "Selector", "Assessor", f"Summarizer{' ' * blanks}({who})", *columns, ""]
    for level, name in enumerate(names):
        yield ("|       " * level + name).rstrip()


def _who(campaign: Campaign) -> str:
    """Which ids are baselines, humans and systems, as in the headers: `baseline=1; human=A..J; system=2..32`."""
    ids: dict[str, list[str]] = {"baseline": [], "human": [], "participant": []}
    for id in campaign.summarizer_ids:
        if _SUMMARIZER.fullmatch(id) and (id.isdecimal() or campaign.kind_of(id) == "human"):
            ids[campaign.kind_of(id)].append(id)
    names = {"baseline": "baseline", "human": "human", "participant": "system"}
    return "; ".join(f"{names[kind]}={_range(kind, found)}" for kind, found in ids.items() if found)


def _range(kind: str, ids: Iterable[str]) -> str:
    """The first and the last; baselines that are not neighbours are listed."""
    found = sorted(ids, key=natural)
    if len(found) == 1 or (kind == "baseline" and int(found[-1]) - int(found[0]) >= len(found)):
        return ",".join(found)
    return f"{found[0]}..{found[-1]}"


def _usable(judgments: Iterable[Judgment], questions: Iterable[str]) -> list[Judgment]:
    wanted = list(questions)
    found = (one for one in judgments if one.question in wanted and one.run == 1 and _is_usable(one))
    return sorted(found, key=lambda one: (one.topic, natural(one.summarizer), wanted.index(one.question)))


def _is_usable(one: Judgment) -> bool:
    return is_topic(one.topic) and _SUMMARIZER.fullmatch(one.summarizer) is not None and float(one.value).is_integer()


def _row(one: Judgment, topics: Mapping[str, Topic], more: list[str]) -> str:
    assessor = one.assessor or _selector(topics.get(one.topic))
    return "\t".join(
        [one.topic, _selector(topics.get(one.topic)), assessor, one.summarizer, *more, str(int(one.value))]
    )


def _selector(topic: Topic | None) -> str:
    given = str(topic.attributes.get("selector", "")) if topic else ""
    return given if re.fullmatch(r"[A-Z]", given) else "A"


def _note_lost(campaign: Campaign, at: Place) -> None:
    known = {*TABLES, *QUALITY}
    if other := dict.fromkeys(one.question for one in campaign.judgments if one.question not in known):
        at.warning(
            found=f"answers to {', '.join(other)}",
            expected="the questions of DUC",
            remedy="They were left out.",
        )
    if odd := sum(one.question in known and not _is_usable(one) for one in campaign.judgments):
        at.warning(
            found=f"{counted(odd, 'answer')} that the tables can't hold",
            expected="whole numbers, topics like D0601, summarizers that are letters or numbers",
            remedy="They were left out.",
        )


def _write_texts(campaign: Campaign, topics: Mapping[str, Topic], target: Path, at: Place) -> None:
    """Each summary in a file with NIST's name, a sentence on each line; humans are models."""
    lost: list[Summary] = []
    for one in campaign.summaries:
        human = one.kind == "model"
        if not is_topic(one.topic) or not (one.summarizer.isalpha() if human else one.summarizer.isdecimal()):
            lost.append(one)
            continue
        topic = topics.get(one.topic)
        length = topic.attributes.get("length") if topic else None
        words = length if isinstance(length, int) else campaign.word_limit or 0
        name = f"{one.topic}.M.{words}.{_selector(topic)}.{one.summarizer}"
        text = plain(one.text)
        folder = EXTRAS if one.extra else "models" if human else "peers"
        save(target / "ROUGE" / folder / name, f"{text}\n" if text else "")
    needed = "NIST's file names need topics like D0601, letters for humans and numbers for systems"
    refuse_nothing(len(lost) < len(campaign.summaries), f"{needed}; rename them, or use `export folder`")
    if lost:
        expected = "topics like D0601 or D0703-A, humans with letters and systems with numbers"
        first = f"{lost[0].topic} {lost[0].summarizer}"
        at.warning(
            found=f"{counted(len(lost), 'text')} that NIST's names can't hold, first {first}",
            expected=expected,
            remedy="They were left out.",
        )
