"""A package as a campaign: topics, texts, judgments, pyramids and scores, joined."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from pyramidion.campaign import Campaign, Judgment, Problems, Question, QuestionSet, Summarizer, Summary, Topic, plain
from pyramidion.formats.nist.find import Package, find_package
from pyramidion.formats.nist.nist_pyramids import Pyramids
from pyramidion.formats.nist.nist_sets import Sets
from pyramidion.formats.nist.nist_tables import QUESTIONS, Tables, aesop_scores, official_scores
from pyramidion.formats.nist.nist_texts import EvaluationRuns, NistText, PackageTexts, Run, holes
from pyramidion.formats.nist.outputs import Outputs
from pyramidion.formats.nist.participants import DUC_2006, Participant
from pyramidion.formats.nist.set_names import BASELINES, TEN_POINTS, Spellings, natural, numbers_in, parts_of, year_of
from pyramidion.options import WeightRule
from pyramidion.scores import Score, ScoreTable
from pyramidion.show.wording import counted

About = TypeVar("About", Score, Judgment)
_IN_README = re.compile(r"baselines?[^.\n0-9]{0,60}?((?:[0-9]{1,2}(?:\s*,\s*|\s+and\s+)?)+)", re.I)


def read(
    paths: Sequence[Path],
    problems: Problems,
    *,
    texts: Run = "corrected",
    weights: WeightRule = "contributors",
    unmatched: Literal["marked", "unmarked"] = "unmarked",
    joined: Literal["leave-out", "topics"] = "leave-out",
    baselines: str = "",
    name: str = "",
) -> Campaign:
    """The campaign in the files.

    Args:
        paths: folders and archives of a package, or of parts of it.
        problems: takes errors (an archive is refused) and warnings (something was repaired).
        texts: "corrected" or "judged", where two runs hold different texts (DUC 2006).
        weights: what an SCU weighs: the number of its "contributors", as NIST counts, or of its "models".
        unmatched: what an empty uid 0 means: "marked" (all content matches) or "unmarked" (nobody marked the rest).
        joined: whether pyramids of joined parts (D1101-AB, TAC 2011) are left out or become "topics" of their own, in
            which humans have scores and systems have none.
        baselines: the ids of baselines, such as "1,2"; by default as tables, the year and READMEs say.
        name: the campaign's name.
    """
    package = find_package(paths, problems)
    runs = EvaluationRuns.of(package)
    spell = Spellings()
    text_names = [file.name for file in package.files if file.role == "texts"]
    # The names of summaries decide how topics are spelled: everything else refers to them.
    spell.know(name.topic for name in text_names if name)
    tables = Tables(problems, spell)
    # Tables before pyramids: they say who annotated, which most files themselves do not.
    tables.read(package)
    sets = Sets(problems, spell)
    sets.read(package)
    summaries = PackageTexts(problems, spell, texts, runs)
    summaries.read(package.all("texts"))
    pyramid_reader = Pyramids(
        problems,
        spell,
        tables,
        weights,
        is_marked=unmatched == "marked",
        keeps_joined=joined == "topics",
    )
    pyramids = pyramid_reader.read(package, summaries.chosen)
    outputs = Outputs(problems, spell, texts, runs)
    outputs.read(package)
    outputs.compare_averages(package, tables)
    written = _summaries(summaries.chosen, pyramids)
    word_limits = _word_limits(package, spell)
    topics = sets.topics(summaries.chosen, (summary.topic for summary in written), word_limits)
    has_values = bool(outputs.scores or tables.official or tables.answers)
    if not topics and not has_values:
        where = paths[0] if paths else Path()
        problems.at(where).error(
            found="no file of a DUC or TAC package",
            expected="topics, documents, summaries, tables or pyramids as NIST delivers them",
            remedy="Give the folder of the archives, or of what was in them.",
        )
        return Campaign(name=name)
    keys = {(summary.topic, summary.summarizer) for summary in written}
    scores = [*outputs.scores.values(), *official_scores(tables.official)]
    for file in package.all("AESOP scores"):
        scores += aesop_scores(file, problems, (topic.topic for topic in topics), spell)
    # A package of scores alone has no texts, and keeps all of them.
    if keys:
        scores = _keep_known("score", scores, keys, problems)
    answers = sorted(tables.answers.values(), key=lambda summary: (summary.topic, natural(summary.summarizer)))
    judgments = answers
    _remark_judged_without_text(judgments, keys, problems)
    _remark_holes(summaries.chosen, problems)
    _remark_compared(tables, problems)
    years = Counter(year for topic in topics if (year := year_of(topic.topic)))
    participants = DUC_2006 if set(years) == {2006} else {}
    if participants:
        problems.remark("Systems have the names of Table 1 of the overview of DUC 2006; campaign.toml says them.")
    baseline_ids = numbers_in(baselines) if baselines else _baselines(package, tables, topics, problems)
    return Campaign(
        name=name or _name(years),
        word_limit=_shared_limit(topics, written, word_limits),
        summarizers=_summarizers(written, [*scores, *judgments], baseline_ids, participants),
        questions=_questions(judgments, years),
        topics=tuple(topics),
        summaries=tuple(written),
        judgments=tuple(judgments),
        pyramids=pyramids.pyramids,
        annotations=pyramids.annotations,
        imported=ScoreTable.of(scores),
    )


def _name(years: Counter[int]) -> str:
    """The conferences whose topics are in the package, such as "DUC 2007 and TAC 2008"."""
    return " and ".join(map(_conference, sorted(years)))


def _conference(year: int) -> str:
    """DUC until 2007, then TAC."""
    if year < 2008:
        return f"DUC {year}"
    return f"TAC {year}"


def _summaries(texts: Mapping[tuple[str, str], NistText], pyramids: Campaign) -> list[Summary]:
    """Texts of files, then those that only pyramids and annotations have."""
    summaries = {key: text.summary for key, text in texts.items()}
    for summary in pyramids.summaries:
        summaries.setdefault(
            (summary.topic, summary.summarizer), msgspec.structs.replace(summary, text=plain(summary.text).rstrip("\n"))
        )
    return sorted(summaries.values(), key=lambda text: (text.kind != "model", text.topic, natural(text.summarizer)))


def _keep_known(what: str, nouns: Iterable[About], keys: set[tuple[str, str]], problems: Problems) -> list[About]:
    """Those about summaries whose texts are known; the others are counted."""
    kept: list[About] = []
    lost = Counter[tuple[str, str]]()
    for noun in nouns:
        if (noun.topic, noun.summarizer) in keys:
            kept.append(noun)
        else:
            lost[noun.topic, noun.summarizer] += 1
    if lost:
        first = " ".join(next(iter(lost)))
        problems.at("the package").warning(
            found=f"{counted(lost.total(), what)} without the text of its summary ({len(lost)} missing, first {first})",
            expected="the texts of summaries (ROUGE/peers, ROUGE/models)",
            remedy="They were left out; import the archive that holds the texts as well.",
            count=lost.total(),
        )
    return kept


def _remark_judged_without_text(judgments: Iterable[Judgment], keys: set[tuple[str, str]], problems: Problems) -> None:
    """Note how many judgments are about summaries whose texts are not in the package; they are kept."""
    without_text = Counter((one.topic, one.summarizer) for one in judgments if (one.topic, one.summarizer) not in keys)
    if without_text:
        first = " on ".join(reversed(next(iter(without_text))))
        problems.remark(
            f"{counted(without_text.total(), 'judgment')} about {counted(len(without_text), 'summary', 'summaries')} "
            f"whose texts are not in the package (first {first}) were kept; import the archive with the texts as well "
            "to score these summaries."
        )


def _remark_holes(texts: Mapping[tuple[str, str], NistText], problems: Problems) -> None:
    """Note the summaries that systems did not deliver."""
    missing = list(holes(texts))
    if missing:
        listed = ", ".join(f"{summarizer} on {topic}" for topic, summarizer in missing[:8])
        if len(missing) > 8:
            listed += " …"
        problems.remark(f"No text, no score: {counted(len(missing), 'summary', 'summaries')} missing ({listed}).")


def _remark_compared(tables: Tables, problems: Problems) -> None:
    """Note the tables whose judgments were only compared."""
    if tables.compared:
        names = ", ".join(Path(path).name for path in tables.compared)
        problems.remark(f"Judgments repeated in {names} were compared and agree.")


def _baselines(package: Package, tables: Tables, topics: Iterable[Topic], problems: Problems) -> list[str]:
    """As headers of tables say, else as in that year, else as a README says."""
    if tables.baselines:
        return sorted(tables.baselines)
    tasks: set[tuple[int, str]] = set()
    for topic in topics:
        _, part = parts_of(topic.topic)
        task = "A" if part else ""
        tasks.add((year_of(topic.topic) or 0, task))
    ids: list[str] = []
    for year_and_task in tasks:
        ids += numbers_in(BASELINES.get(year_and_task, ""))
    if not ids:
        for readme in package.all("READMEs"):
            for match in _IN_README.finditer(readme.text(Problems())):
                ids += numbers_in(match[1])
    if not ids and tasks:
        problems.remark('No file says which systems are baselines; name them by `option={"baselines": "1,2"}`.')
    return ids


def _summarizers(
    summaries: Iterable[Summary],
    values: Iterable[Score | Judgment],
    baselines: Sequence[str],
    participants: Mapping[str, Participant],
) -> dict[str, Summarizer]:
    """All summarizers: humans have letters or wrote models, systems have numbers."""
    humans: dict[str, bool] = {}
    for summary in summaries:
        # Letters are humans also where they are scored as peers.
        humans[summary.summarizer] = summary.kind == "model" or summary.summarizer.isalpha()
    for value in values:
        humans.setdefault(value.summarizer, value.summarizer.isalpha())
    summarizers: dict[str, Summarizer] = {}
    for id in sorted(humans, key=natural):
        if humans[id]:
            summarizers[id] = Summarizer(kind="human")
            continue
        participant = participants.get(id, Participant("", ""))
        summarizers[id] = Summarizer(
            kind="baseline" if id in baselines else "participant",
            name=participant.name,
            organisation=participant.organisation,
        )
    return summarizers


def _questions(judgments: Sequence[Judgment], years: Counter[int]) -> QuestionSet:
    """The questions that were answered, on a scale of five or ten points."""
    asked = {judgment.question for judgment in judgments}
    highest = max((judgment.value for judgment in judgments), default=0)
    # By the answers as well: users import 2009 together with other years.
    has_ten_points = highest > 5 or (bool(years) and set(years) <= set(TEN_POINTS))
    top = 10 if has_ten_points else 5
    return QuestionSet(tuple(Question(name=name, scale=(1, top)) for name in QUESTIONS if name in asked))


def _word_limits(package: Package, spell: Spellings) -> dict[str, int]:
    """By topic, the word limit in the names of summaries, else in those of annotations."""
    limits: dict[str, int] = {}
    for file in (*package.all("texts"), *package.all("annotations")):
        if file.name is not None:
            limits.setdefault(spell(file.name.topic), file.name.length)
    return limits


def _shared_limit(topics: Iterable[Topic], summaries: Iterable[Summary], limits: Mapping[str, int]) -> int | None:
    """The word limit of all summaries; None if topics have different ones, or that of a whole task is not known.

    The main task of DUC 2007 has 250 words, its update task 100.
    """
    tasks = {topic.topic: str(topic.attributes.get("task", "")) for topic in topics}
    limits_by_task: dict[str, set[int]] = {}
    for summary in summaries:
        task_limits = limits_by_task.setdefault(tasks.get(summary.topic, ""), set())
        if summary.topic in limits:
            task_limits.add(limits[summary.topic])
    distinct = set[int]().union(*limits_by_task.values())
    if len(distinct) != 1 or not all(limits_by_task.values()):
        return None
    return distinct.pop()
