"""Tables of judgments and of official pyramid scores, year by year; what they repeat is compared, not imported twice.

A table in its own folder wins over its copy under `scoring/`. Cells are split at tabs, because some are empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pyramidion.campaign import Judgment, Problems
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.nist.find import FoundFile, Package, PackageReader
from pyramidion.formats.nist.set_names import Spellings, is_topic, numbers_in, plain_number
from pyramidion.formats.text_files import number_of, numbered
from pyramidion.scores import Score
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted

QUALITY = ("grammaticality", "non-redundancy", "referential-clarity", "focus", "coherence")
"""The five questions on linguistic quality (DUC 2005 to 2007), numbered from 1."""
CONTENT = "content-responsiveness"
OVERALL = "overall-responsiveness"
RESPONSIVENESS = "responsiveness"
LINGUISTIC = "linguistic-quality"
QUESTIONS = (RESPONSIVENESS, CONTENT, OVERALL, LINGUISTIC, *QUALITY)

_BASELINE = re.compile(r"baselines?\s*=\s*([0-9A-Za-z.,]+)")
_BY_NAME = {"content": CONTENT, "overall": OVERALL, "responsiveness": RESPONSIVENESS}


class OfficialRow(NamedTuple):
    """Official pyramid scores of a summary, as one annotator found them."""

    topic: str
    summarizer: str
    annotator: str
    values: Mapping[str, float]
    """By statistic: modified, scus, repetitions, jackknifed, original."""


@dataclass
class Tables(PackageReader):
    """What all tables of a package say together."""

    answers: dict[tuple[str, str, str], Judgment] = field(default_factory=dict)
    """By topic, summarizer and question."""
    official: list[OfficialRow] = field(default_factory=list)
    annotators: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """By topic and summarizer."""
    topic_annotators: dict[str, str] = field(default_factory=dict)
    creators: dict[str, str] = field(default_factory=dict)
    """Who made the pyramid, by topic."""
    baselines: set[str] = field(default_factory=set)
    compared: list[str] = field(default_factory=list)
    """Files that repeat others and agree with them."""

    def read(self, package: Package) -> None:
        """Read every table of the package."""
        for file in package.all("annotators"):
            self._annotator_table(file)
        tables = package.all("tables of judgments")
        # Tables under scoring/ are copies: what a table in its own folder says comes first and stays.
        for file in sorted(tables, key=lambda table: table.is_copy):
            self._judgments(file)
        scores = package.all("pyramid scores")
        names = [file.file.name.lower() for file in scores]
        has_processed = any(map(_is_processed, names))
        for name, file in zip(names, scores, strict=True):
            if has_processed and "unprocessed" in name:
                continue  # the processed ones are the same annotations, corrected
            self._scores(file)

    def _judgments(self, file: FoundFile) -> None:
        """Read a table of judgments of DUC or TAC, by the number of its cells."""
        text = file.text(self.problems)
        # The header of DUC's tables names the baselines: "Summarizer (baseline=1; human=A..J; …)".
        for match in _BASELINE.finditer(text[:4000]):
            self.baselines.update(numbers_in(match[1]))
        rows = list(_rows(text))
        if not rows:
            file.at(self.problems).warning(
                found="a table without rows",
                expected="rows that start with a topic",
                remedy="It was left out.",
            )
            return
        cells = [(number, _cells(line)) for number, line in rows]
        width = max(len(row) for _, row in cells)
        at = file.at(self.problems)
        # No table says what it is, and names of files changed from year to year: the number of cells tells.
        if width in (5, 6):
            self._duc(cells, _question(file.file.name, text), at)
        elif 7 <= width <= 10:
            self._tac(cells, at)
        else:
            at.warning(
                found=f"rows of {width} cells",
                expected="a table of DUC or TAC",
                remedy="The table was left out.",
            )

    def _duc(self, rows: Iterable[tuple[int, list[str]]], question: str, at: Place) -> None:
        """Tables of DUC: topic, selector, assessor, summarizer, the number of a quality question if any, value."""
        answers: list[Judgment] = []
        for number, row in rows:
            asked = _cell(QUALITY, row[4]) if len(row) == 6 else question
            value = number_of(row[-1])
            if asked is None or value is None or len(row) not in (5, 6):
                self._odd(at.at(number), row)
                continue
            answers.append(_answer(self.spell(row[0]), plain_number(row[3]), row[2], asked, value))
        self._keep(answers, at)

    def _tac(self, rows: Iterable[tuple[int, list[str]]], at: Place) -> None:
        """`manual.model` and `manual.peer`: scores, who annotated, the jackknifed score and two answers.

        From 2009 on there are two letters, of the annotator and of the assessor.
        """
        answers: list[Judgment] = []
        for number, row in rows:
            # In NIST's names letters are humans and digits are systems; rows of models lack two columns of peers.
            human = len(row) > 1 and row[1].isalpha()
            first = 3 if human else 5
            letters = len(row) - first - 3
            if letters not in (1, 2):
                self._odd(at.at(number), row)
                continue
            # 2008 has one letter for both. From 2009 on there are two, and no README says which is which: the first
            # is taken for the annotator, the second for the assessor.
            annotator, assessor = row[first], row[first + letters - 1]
            statistics = _OF_MODELS if human else _OFFICIAL
            names = (*statistics, "jackknifed", LINGUISTIC, OVERALL)
            cells = [*row[2:first], *row[first + letters :]]
            values = _values_of(names, cells)
            if values is None:
                self._odd(at.at(number), row)
                continue
            topic, summarizer = self.spell(row[0]), plain_number(row[1])
            scores = {name: value for name, value in values.items() if name not in (LINGUISTIC, OVERALL)}
            self.official.append(OfficialRow(topic, summarizer, annotator, scores))
            self._note_annotator(topic, summarizer, annotator, annotator)
            answers += [
                _answer(topic, summarizer, assessor, question, values[question])
                for question in (LINGUISTIC, OVERALL)
                if question in values
            ]
        self._keep(answers, at)

    def _note_annotator(self, topic: str, summarizer: str, annotator: str, creator: str) -> None:
        """Note who annotated a summary, and who made the pyramid."""
        if annotator:
            self.annotators.setdefault((topic, summarizer), []).append(annotator)
            self.topic_annotators.setdefault(topic, annotator)
        if creator:
            self.creators.setdefault(topic, creator)

    def _annotator_table(self, file: FoundFile) -> None:
        """`annotator-table.txt` of DUC 2007: topic, pyramid creator, peer annotator."""
        for _, line in _rows(file.text(self.problems)):
            cells = line.split()
            if len(cells) >= 3:
                topic = self.spell(cells[0])
                self.creators.setdefault(topic, cells[1])
                self.topic_annotators.setdefault(topic, cells[2])

    def _scores(self, file: FoundFile) -> None:
        """Read a table of official pyramid scores, with the judgments that it repeats."""
        text, at = file.text(self.problems), file.at(self.problems)
        if "processed_pans" in file.file.name.lower() or _is_2005(text):
            self._scores_of_2005(text, at)
            return
        # Not stripped: the scores of 2006 end in a tab, and rows of D0647 have empty cells at their end.
        rows = [(number, _official_cells(line)) for number, line in _rows(text, strip=False)]
        width = max((len(row) for _, row in rows), default=0)
        questions = _REPEATED_QUESTIONS.get(width)
        if questions is None:
            at.warning(
                found=f"rows of {width} cells",
                expected="8, 11 or 13 cells",
                remedy="Official pyramid scores were left out.",
            )
            return
        zeros: list[str] = []
        empty: list[str] = []
        repeated: list[Judgment] = []
        for number, cells in rows:
            row = cells + [""] * (width - len(cells))
            values = [number_of(cell) for cell in row[2:5]]
            if None in values:
                self._odd(at.at(number), row)
                continue
            topic = self.spell(row[0])
            summarizer = plain_number(row[1])
            # "01" is "1": D0647 of 2006 has its summarizers with a zero in front.
            if summarizer != row[1]:
                zeros.append(row[1])
            annotator, creator = row[5], row[6]
            # DUC 2007's main task names annotators in a table of their own.
            if width == 11:
                annotator, creator = self.topic_annotators.get(topic, ""), ""
            scores = {name: value for name, value in zip(_OFFICIAL, values, strict=True) if value is not None}
            self.official.append(OfficialRow(topic, summarizer, annotator, scores))
            self._note_annotator(topic, summarizer, annotator, creator)
            answers = [number_of(cell) for cell in row[-len(questions) :]]
            if answers.count(None) == len(answers):
                empty.append(f"{row[0]} {row[1]}")
            for question, value in zip(questions, answers, strict=True):
                if value is not None:
                    repeated.append(_answer(topic, summarizer, "", question, value))
        if zeros:
            ids = ", ".join(dict.fromkeys(zeros))
            at.warning(
                found=f"summarizers with zeros in front ({ids})",
                expected="numbers as in the names of summaries",
                remedy="They were read without the zeros: 01 is 1.",
                count=len(zeros),
            )
        if empty:
            columns = counted(len(questions), "empty column")
            at.warning(
                found=f"{columns} in {counted(len(empty), 'row')} ({', '.join(empty[:5])})",
                expected="the judgments that other rows repeat",
                remedy="There is no judgment there, and nothing to compare.",
                count=len(empty),
            )
        self._keep(repeated, at, copy=True)

    def _scores_of_2005(self, text: str, at: Place) -> None:
        """`processed_pans.txt`: topic number, summarizer, original, modified, SCUs, repetitions."""
        rows: dict[tuple[str, str], list[list[float]]] = {}
        for number, line in numbered(text):
            row = line.split()
            values = [number_of(cell) for cell in row[2:6]]
            numbers = [value for value in values if value is not None]
            if len(numbers) != 4 or not re.fullmatch(r"[A-Za-z]?[0-9]{3}", row[0]):
                if rows:
                    self._odd(at.at(number), row)
                continue
            topic = row[0] if row[0][0].isalpha() else f"D{row[0]}"
            rows.setdefault((self.spell(topic), plain_number(row[1])), []).append(numbers)
        names = ("original", *_OFFICIAL)
        for (topic, summarizer), several in rows.items():
            # The file does not say who annotated what: letters tell the annotators of a summary apart.
            annotators = "abcdefgh" if len(several) > 1 else ("",)
            for annotator, scores in zip(annotators, several, strict=False):
                self.official.append(OfficialRow(topic, summarizer, annotator, dict(zip(names, scores, strict=True))))

    def _keep(self, answers: Iterable[Judgment], at: Place, *, copy: bool = False) -> None:
        """Keep new answers, compare known ones. A copy, without assessors, counts if there is no other table."""
        questions = {key[2] for key in self.answers}
        differences: list[str] = []
        same = 0
        for answer in answers:
            key = (answer.topic, answer.summarizer, answer.question)
            previous = self.answers.get(key)
            if previous is None:
                if not copy or answer.question not in questions:
                    self.answers[key] = answer
            elif previous.value != answer.value:
                summary = f"{answer.topic} {answer.summarizer} {answer.question}"
                differences.append(f"{summary}: {answer.value:g} here, {previous.value:g} there")
            else:
                same += 1
        if differences:
            at.warning(
                found=f"{counted(len(differences), 'judgment')} that differ from another table ({differences[0]})",
                expected="the same judgments",
                remedy="Those of the other table were kept.",
                count=len(differences),
            )
        elif same:
            self.compared.append(str(at.file))

    def _odd(self, at: Place, row: Sequence[str]) -> None:
        """Warn about a row that is left out."""
        at.warning(
            found=shorten(" ".join(row)),
            expected="a row of the table",
            remedy="The row was left out.",
        )


_OFFICIAL = ("modified", "scus", "repetitions")
_OF_MODELS = ("scus",)
_MISSING = ("", "-", "na", "nan", "null", "none")
_REPEATED_QUESTIONS: Mapping[int, Sequence[str]] = {13: (*QUALITY, CONTENT), 11: (*QUALITY, CONTENT), 8: (CONTENT,)}
"""By the number of cells in a row of official scores: the questions whose answers it repeats at its end."""


def _values_of(names: Sequence[str], cells: Sequence[str]) -> dict[str, float] | None:
    """The numbers in the cells, by name, without missing ones; None if a cell is neither a number nor missing."""
    values: dict[str, float] = {}
    for name, cell in zip(names, cells, strict=True):
        value = number_of(cell)
        if value is not None:
            values[name] = value
        elif cell.lower() not in _MISSING:
            return None
    return values


def _is_processed(name: str) -> bool:
    """Whether the name of a file of scores says that its annotations were corrected."""
    return "processed" in name and "unprocessed" not in name


def _official_cells(line: str) -> list[str]:
    """The cells of a row of official scores, without an empty one after the last tab."""
    cells = line.split("\t")
    if len(cells) in (9, 12, 14) and not cells[-1].strip():
        cells.pop()
    return [cell.strip() for cell in cells]


def _answer(topic: str, summarizer: str, assessor: str, question: str, value: float) -> Judgment:
    """A judgment, whose value is whole if it can be."""
    whole = int(value) if value.is_integer() else value
    return Judgment(
        topic=topic,
        summarizer=summarizer,
        assessor=assessor,
        question=question,
        value=whole,
    )


def _cells(line: str) -> list[str]:
    """The cells of a row: between tabs, because some are empty; else between blanks."""
    if "\t" in line:
        return [cell.strip() for cell in line.split("\t")]
    return line.split()


def _rows(text: str, *, strip: bool = True) -> Iterator[tuple[int, str]]:
    """The lines that start with a topic, from the first such line on."""
    for number, line in numbered(text):
        if is_topic(re.split(r"[\t ]", line.strip(), maxsplit=1)[0]):
            yield number, line.strip() if strip else line.rstrip("\r\n")


def _is_2005(text: str) -> bool:
    """Whether a table has the six cells of DUC 2005, the first of which is the number of a topic."""
    first = next((line.split() for _, line in numbered(text)), [])
    return len(first) == 6 and first[0].isdecimal()


def _question(name: str, text: str) -> str:
    """What a table with one score asks: its name says it, or its header."""
    for word, question in _BY_NAME.items():
        if word in name.lower():
            return question
    header = text[:2000].lower()
    for word, question in (("content resp", CONTENT), ("overall resp", OVERALL)):
        if word in header:
            return question
    return RESPONSIVENESS


def _cell(names: Sequence[str], number: str) -> str | None:
    """The name with this number, counted from 1; None if there is none."""
    if not number.isdecimal() or len(number) > 2:
        return None
    index = int(number)
    if 1 <= index <= len(names):
        return names[index - 1]
    return None


def official_scores(rows: Iterable[OfficialRow]) -> Iterator[Score]:
    """One column, and one for each annotator where there are several."""
    for (topic, summarizer), several in grouped(rows, lambda row: (row.topic, row.summarizer)).items():
        by_annotator = {row.annotator: row for row in several}
        if len(by_annotator) > 1:
            for annotator, row in by_annotator.items():
                for name, value in row.values.items():
                    yield Score(f"nist-pyramid(annotator={annotator}).{name}", topic, summarizer, value)
        values_by_name: dict[str, list[float]] = {}
        for row in by_annotator.values():
            for name, value in row.values.items():
                values_by_name.setdefault(name, []).append(value)
        for name, values in values_by_name.items():
            yield Score(f"nist-pyramid.{name}", topic, summarizer, sum(values) / len(values))


def aesop_scores(file: FoundFile, problems: Problems, topics: Iterable[str], spell: Spellings) -> Iterator[Score]:
    """The scores of submitted metrics, `aesop_1`, `aesop_2` …; NaN is a missing value.

    A summarizer has a letter in front, a topic a letter and its number within the year.
    """
    part = file.file.name.rpartition("_")[2][:1].upper()
    hundreds = sorted({topic[:3] for topic in topics if re.match(r"[A-Za-z][0-9]{4}", topic)})
    year = re.search(r"(?:aesop|20)(09|10|11)", str(file.path), re.I)
    base = ""
    if len(hundreds) == 1:
        base = hundreds[0]
    elif year:
        base = f"D{year[1]}"
    at = file.at(problems)
    if not base:
        at.warning(
            found="topics without a year",
            expected="topics of TAC 2009 to 2011",
            remedy="The scores were left out.",
        )
        return
    for number, line in list(numbered(file.text(problems)))[1:]:
        row = line.split()
        digits = re.fullmatch(r"[A-Za-z]?([0-9]{1,4})", row[1]) if len(row) > 2 else None
        if digits is None:
            at.at(number).warning(
                found=shorten(line),
                expected="summarizer, topic and scores",
                remedy="The row was left out.",
            )
            continue
        topic = spell(f"{base}{int(digits[1]) % 100:02d}-{part}")
        for k, cell in enumerate(row[2:], start=1):
            value = number_of(cell)
            if value is not None:
                yield Score(f"aesop_{k}", topic, plain_number(row[0][1:]), value)
