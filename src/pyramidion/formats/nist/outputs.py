"""Outputs of ROUGE and BE as scores, and the files of averages that are compared with them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pyramidion.campaign import Problems
from pyramidion.formats.nist.find import FoundFile, Package, PackageReader
from pyramidion.formats.nist.nist_tables import CONTENT, LINGUISTIC, OVERALL, Tables
from pyramidion.formats.nist.nist_texts import EvaluationRuns, Run
from pyramidion.formats.nist.set_names import plain_number
from pyramidion.formats.rouge.rouge_out import Output, parse_output
from pyramidion.formats.text_files import number_of, numbered
from pyramidion.scores import Score
from pyramidion.show.wording import counted

_COMMAND = re.compile(r"^\s*(\S*ROUGE-1\.5\.5\S*[ \t].+?)\s*$", re.MULTILINE)
_ROUGE_AVERAGE = re.compile(r"(\S+)\s+([0-9.]+)\s+\([0-9.]+%-conf\.int\.")


@dataclass
class Outputs(PackageReader):
    """Scores of all outputs of a package."""

    run: Run
    runs: EvaluationRuns
    scores: dict[tuple[str, str, str], Score] = field(default_factory=dict)
    read_from: dict[PurePosixPath, list[tuple[FoundFile, Output]]] = field(default_factory=lambda: defaultdict(list))

    def read(self, package: Package) -> None:
        """Read all outputs of the wanted run, and compare averages with them."""
        files = package.all("ROUGE and BE outputs")
        notes = _commands(package)
        runs = {self.runs.of_file(file) for file in files}
        # A package of one run leaves nothing to choose.
        run = self.run if self.run in runs else next(iter(runs), self.run)
        for file in files:
            output = parse_output(file.text(self.problems), file.at(self.problems))
            if output is None:
                continue
            self.read_from[PurePosixPath(file.path.as_posix()).parent].append((file, output))
            if self.runs.of_file(file) != run:
                self.problems.remark(f"{file.path}: scores of the other run were not imported.")
            elif not output.items:
                file.at(self.problems).warning(
                    found="averages only",
                    expected="a line for each item (option -d)",
                    remedy="There is nothing to import; averages over topics are no scores of summaries.",
                )
            else:
                self._keep(file, output, notes)

    def _keep(self, file: FoundFile, output: Output, notes: dict[str, str]) -> None:
        """Keep the scores of an output; those that differ from an earlier output are a warning."""
        differing: list[Score] = []
        for score in output.scores():
            kind = "BE" if score.measure.startswith("be-") else "ROUGE"
            score = score._replace(
                topic=self.spell(score.topic), summarizer=plain_number(score.summarizer), note=notes.get(kind, "")
            )
            # TAC gives outputs by part as well as for all parts together: the same scores may come twice.
            first_score = self.scores.setdefault((score.measure, score.topic, score.summarizer), score)
            if first_score.value != score.value:
                differing.append(score)
        if differing:
            first = differing[0]
            file.at(self.problems).warning(
                found=f"{counted(len(differing), 'score')} that differ from another output "
                f"({first.measure} of {first.summarizer} on {first.topic})",
                expected="the same scores",
                remedy="Those that were read first were kept.",
                count=len(differing),
            )

    def compare_averages(self, package: Package, tables: Tables) -> None:
        """Compare files of averages with what they are means of; only differences are listed."""
        for file in package.all("averages"):
            rows = list(_average_rows(file.text(self.problems)))
            expected = self._rouge_averages(file) if ".m." in file.file.name else _judged_averages(file, tables)
            wrong: list[tuple[str, str, float]] = []
            for summarizer, cells in rows:
                means = expected.get(summarizer, [])
                for cell, mean in zip(cells, means, strict=False):
                    if not _agrees(cell, mean):
                        wrong.append((summarizer, cell, mean))
            if wrong:
                summarizer, cell, mean = wrong[0]
                file.at(self.problems).warning(
                    found=f"{counted(len(wrong), 'average')} that differ from the values they are means of "
                    f"({summarizer}: {cell} here, {mean:.5g} there)",
                    expected="the means of what is imported",
                    remedy="They were left out; what was imported is the values themselves.",
                    count=len(wrong),
                )

    def _rouge_averages(self, file: FoundFile) -> dict[str, list[float]]:
        """By summarizer, the average recall that the output in the same folder prints."""
        name = file.file.name.lower()
        # rouge2.jk.m.avg in DUC, rougejk_A… in TAC.
        jackknifed = ".jk." in name or "jk" in name.partition(".")[0]
        measure = "be-hm"
        if not name.startswith("simple"):
            first_word = re.split(r"[._]", name)[0]
            measure = f"rouge-{first_word.removeprefix('rouge').removesuffix('jk')}"
        part = re.search(r"_([A-Z])\b", file.file.name)
        means: dict[str, list[float]] = {}
        for output_file, output in self.read_from.get(PurePosixPath(file.path.as_posix()).parent, ()):
            is_of_part = part is None or f"_{part[1]}" in output_file.file.name
            if not is_of_part or output.jackknifed != jackknifed:
                continue
            for average in output.averages:
                if average.measure == f"{measure}.recall":
                    means[average.summarizer] = [average.value]
        return means


def _commands(package: Package) -> dict[str, str]:
    """How ROUGE and BE were run, as a README says."""
    commands: dict[str, str] = {}
    for readme in package.all("READMEs"):
        for match in _COMMAND.finditer(readme.text(Problems())):
            command = " ".join(match[1].split())
            program = "BE" if re.search(r"\s-3\s", command) else "ROUGE"  # only Basic Elements are counted by -3
            commands.setdefault(program, f"computed by NIST: {command}")
    return commands


def _average_rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of a file of averages: the summarizer, then its cells."""
    for _, line in numbered(text):
        rouge = _ROUGE_AVERAGE.match(line)
        cells = [rouge[1], rouge[2]] if rouge else line.split()
        yield plain_number(cells[0]), cells[1:]


def _judged_averages(file: FoundFile, tables: Tables) -> dict[str, list[float]]:
    """By summarizer, the means of the columns of `avg_content`, `manual.peer.avg` …; nothing for other files."""
    name = file.file.name.lower()
    part = name.rpartition(".")[2].upper()
    if name.startswith("avg_"):
        question = CONTENT if "content" in name else OVERALL
        if len(part) != 1:
            part = ""
        values_by_summarizer = _values(tables, question, file, part)
        return {summarizer: [_mean(values)] for summarizer, values in values_by_summarizer.items()}
    if not name.startswith("manual."):
        return {}
    human = ".model" in name
    statistics = ("scus", "jackknifed") if human else ("modified", "scus", "repetitions", "jackknifed")
    inside = re.search(r"\.([ab])\.avg|\.avg\.([ab])\b", name)
    ending = f"-{(inside[1] or inside[2]).upper()}" if inside else ""
    columns: dict[str, list[list[float]]] = {}
    for row in tables.official:
        if row.summarizer.isalpha() != human or not row.topic.endswith(ending):
            continue
        summarizer_columns = columns.setdefault(row.summarizer, [[] for _ in range(len(statistics) + 2)])
        for column, statistic in zip(summarizer_columns, statistics, strict=False):
            if statistic in row.values:
                column.append(row.values[statistic])
        for column, question in zip(summarizer_columns[-2:], (LINGUISTIC, OVERALL), strict=True):
            answer = tables.answers.get((row.topic, row.summarizer, question))
            if answer:
                column.append(answer.value)
    return {summarizer: list(map(_mean, several)) for summarizer, several in columns.items()}


def _mean(values: Sequence[float]) -> float:
    """The mean of some values; 0 without any, as NIST prints it."""
    if not values:
        return 0.0
    return sum(values) / len(values)


def _values(tables: Tables, question: str, file: FoundFile, part: str) -> dict[str, list[float]]:
    """Answers to a question by summarizer, of one part or of all topics that the file's package judged."""
    has_parts = file.file.name.lower().endswith(".all")
    values: dict[str, list[float]] = {}
    for answer in tables.answers.values():
        if answer.question != question:
            continue
        _, _, answer_part = answer.topic.partition("-")
        is_meant = answer_part == part if part else bool(answer_part) == has_parts
        if is_meant:
            values.setdefault(answer.summarizer, []).append(answer.value)
    return values


def _agrees(cell: str, mean: float) -> bool:
    """Whether a printed number is the mean, within what printing loses; other cells are not compared."""
    value = number_of(cell)
    decimals = len(cell.partition(".")[2])
    return value is None or abs(value - mean) <= 1.1 * 10.0 ** -max(decimals, 3)
