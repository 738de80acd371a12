"""Bad inputs: valid data with one thing wrong each, and the commands that must refuse it or warn.

Of each, the exit code is recorded, and severity, file, line and field of its problems; not what the messages say.
"""

from __future__ import annotations

import gzip
import io
import json
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tools.freezing.answers import Case, Command, run_command
from tools.freezing.tables import flat_rows, plain_rows, score_rows, write_campaign

Mutate = Callable[[bytes], bytes]


@dataclass(frozen=True)
class BadInput:
    """A copy of valid data in a folder of its own, in which one file is changed, and a command that reads it."""

    name: str
    base: str
    """The valid data, a name in `BASES`."""
    file: str
    mutate: Mutate | None
    """What makes the new content of the file; None removes the file."""
    command: str
    """The command; {} is the folder."""

    @property
    def folder(self) -> str:
        """The folder of the copy, relative to the working folder."""
        return f"{self.base}/{self.name}"

    def write(self, folder: Path) -> None:
        """Copy the valid data and change it."""
        target = folder / self.folder
        shutil.copytree(folder / "valid" / self.base, target)
        path = target / self.file
        if self.mutate is None:
            path.unlink()
            return
        before = path.read_bytes() if path.exists() else b""
        after = self.mutate(before)
        if before == after:
            raise ValueError(f"{self.folder} changes nothing")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(after)


WRONG_WORDS = (
    "compute demo",
    "score",
    "score nowhere",
    "score demo --colour red",
    "score demo -m rouge-x",
    "score demo -m rouge-2.recal",
    "score demo -m 'rouge-2(stem=perhaps)'",
    "score demo -m 'rouge-2(colour=red)'",
    "score demo -m 'rouge-2('",
    "score demo -m question.beauty",
    "score demo -m imported.judge",
    "score demo -m ''",
    "score demo --peers robots",
    "score demo --where part",
    "score demo --where part=Z",
    "score demo --where colour=red",
    "score demo --exclude 99",
    "score demo --format pdf",
    "score demo --bootstrap percentile",
    "score demo --details",
    "score demo -o scores.xlsx",
    "score demo -o scores.csv --format json",
    "score demo -o nowhere/scores.csv -m rouge-1.f",
    "score demo --scores nowhere.csv",
    "score demo --columns summary=zz",
    "score demo --columns colour=zz",
    "score demo --columns summary",
    "score demo --option colour=red",
    "score --predictions nowhere.txt",
    "score demo --predictions nowhere.txt",
    "compare demo --pair 15",
    "compare demo --pair 15 99 -m rouge-1.f",
    "compare demo --pair 15 15 -m rouge-1.f",
    "compare demo --against 99 -m rouge-1.f",
    "compare demo --confidence 0",
    "compare demo --confidence 200",
    "compare demo --resamples -1",
    "compare demo --resamples many",
    "compare demo --seed x",
    "compare demo --method sign",
    "compare demo --show score",
    "compare demo --exclude 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20 -m rouge-1.f",
    "compare demo -m rouge-1.f --figure board.bmp",
    "compare demo -m rouge-1.f --fields colour",
    "compare demo -m rouge-1.f --digits -1",
    "correlate demo -m rouge-1.f",
    "correlate demo -m rouge-1.f --with question.beauty",
    "correlate demo -m rouge-1.f --with question.focus --level word",
    "correlate demo -m rouge-1.f --with question.focus --by colour",
    "correlate demo -m rouge-1.f --with question.focus --test permutation",
    "power demo -m rouge-1.f --difference -1",
    "power demo -m rouge-1.f --topics 0",
    "power demo -m rouge-1.f --difference 0.1 --topics 5",
    "design demo",
    "design demo -m question.focus --cost colour=3",
    "design demo -m question.focus --cost topic",
    "judgments agreement demo --question beauty",
    "judgments agreement demo --confusion simulated-1 nobody",
    "judgments regression demo --target beauty",
    "judgments preferences demo",
    "pyramid score demo --topic D99",
    "pyramid score demo --order 9",
    "pyramid score demo --model Z",
    "pyramid show demo --summarizer 16",
    "pyramid show demo --topic D02 --summarizer 99",
    "pyramid agreement demo",
    "study models demo -m rouge-1.f",
    "study topics demo -m rouge-1.f --with question.focus --sizes 0",
    "study orders demo --subset A,Z",
    "study heterogeneity demo -m rouge-1.f --with question.beauty",
    "look demo",
    "look demo --topic D99 --summarizer 16",
    "look demo --topic D02 --summarizer 99",
    "look demo --topic D02 --summarizer 16 -m js",
    "list colours",
    "export colour demo target",
    "export flat demo target.csv",
    "export flat nowhere target.jsonl",
    "import colour nowhere target",
    "import flat nowhere.jsonl target",
    "import judgments nowhere.csv --into nowhere",
    "simulate scores --topics 0 -o scores.csv",
    "simulate campaign --shape duc1999 -o campaign",
    "report demo -o report.pdf",
    "report demo --sections colours",
    "completion tcsh",
    "init demo --questions duc1999",
)
WRONG_COMMANDS: tuple[Case, ...] = tuple(Command(words, has_notes=False) for words in WRONG_WORDS)
"""Commands with a wrong word."""


def cases_of(inputs: Iterable[BadInput]) -> tuple[Case, ...]:
    """The command of each input."""
    return tuple(Command(bad.command.replace("{}", bad.folder), has_notes=False) for bad in inputs)


def writer_of(inputs: Iterable[BadInput]) -> Callable[[Path], None]:
    """What writes the valid data, and each of the inputs."""

    def write(folder: Path) -> None:
        for base in sorted({bad.base for bad in inputs}):
            BASES[base](folder / "valid" / base)
        for bad in inputs:
            bad.write(folder)

    return write


def _write_flat(folder: Path) -> None:
    """A flat file with our own names of columns."""
    folder.mkdir(parents=True)
    rows = [{**row, "judgments": {"fluency": {"ann": 3}}, "documents": ["A text."]} for row in flat_rows()]
    (folder / "flat.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _write_plain(folder: Path) -> None:
    """The same table in several formats."""
    folder.mkdir(parents=True)
    frame = pl.DataFrame(plain_rows())
    frame.write_csv(folder / "plain.csv")
    frame.write_csv(folder / "plain.tsv", separator="\t")
    frame.write_ndjson(folder / "plain.jsonl")
    frame.write_parquet(folder / "plain.parquet")
    frame.write_ipc(folder / "plain.arrow")
    (folder / "plain.json").write_text(json.dumps(plain_rows()), encoding="utf-8")
    (folder / "plain.jsonl.gz").write_bytes(gzip.compress(frame.write_ndjson().encode(), mtime=0))


def _write_scores(folder: Path) -> None:
    """A wide table of scores as CSV and Parquet, and a long one as CSV and JSON lines."""
    folder.mkdir(parents=True)
    frame = pl.DataFrame(score_rows())
    frame.write_csv(folder / "wide.csv")
    frame.write_parquet(folder / "wide.parquet")
    long = frame.unpivot(index=["topic", "system"], variable_name="measure", value_name="value")
    long.write_csv(folder / "long.csv")
    long.write_ndjson(folder / "long.jsonl")


def _write_lines(folder: Path) -> None:
    """Summaries and references that go together line by line."""
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("A ferry burned.\nThe mayor resigned.\nRain.\n", encoding="utf-8")
    (folder / "refs.txt").write_text("A ferry caught fire.\nThe mayor stepped down.\nIt rains.\n", encoding="utf-8")


def _export_of(format: str) -> Callable[[Path], None]:
    """What exports the small campaign to a format."""

    def write(folder: Path) -> None:
        campaign = folder.parent / f"campaign-for-{format}"
        write_campaign(campaign)
        run_command(Command(f"export {format} {campaign} {folder}"))

    return write


def _write_outputs(folder: Path) -> None:
    """Files of other programs: what ROUGE-1.5.5 printed, and a pyramid of PyrEval."""
    folder.mkdir(parents=True)
    (folder / "rouge.out").write_text(
        "---------------------------------------------\n"
        "12 ROUGE-2 Average_R: 0.07143 (95%-conf.int. 0.07143 - 0.07143)\n"
        ".............................................\n"
        "12 ROUGE-2 Eval D9901.M.250.A.12 R:0.07143 P:0.06897 F:0.07018\n",
        encoding="utf-8",
    )
    (folder / "pyramid.xml").write_text(
        '<?xml version="1.0"?>\n<Pyramid>\n<scu uid="1" label="a">\n<contributor label="a ferry"/>\n'
        '<contributor label="the ferry"/>\n</scu>\n</Pyramid>\n',
        encoding="utf-8",
    )


BASES: dict[str, Callable[[Path], None]] = {
    "campaign": write_campaign,
    "flat": _write_flat,
    "plain": _write_plain,
    "scores": _write_scores,
    "lines": _write_lines,
    "outputs": _write_outputs,
    "ducview": _export_of("ducview"),
    "rouge-xml": _export_of("rouge-xml"),
    "lite-pyramid": _export_of("lite-pyramid"),
    "simetrix": _export_of("simetrix"),
    "nist": _export_of("nist"),
}


def replace(old: str, new: str, count: int = 1) -> Mutate:
    """Replace the first places of a text."""
    return lambda content: content.replace(old.encode(), new.encode(), count)


def replace_bytes(old: bytes, new: bytes) -> Mutate:
    """Replace the first place of some bytes."""
    return lambda content: content.replace(old, new, 1)


def fill(content: str | bytes) -> Mutate:
    """Replace the whole content."""
    new = content.encode() if isinstance(content, str) else content
    return lambda _: new


def append(text: str) -> Mutate:
    """Add to the end."""
    return lambda content: content + text.encode()


def prepend(start: bytes) -> Mutate:
    """Put something in front."""
    return lambda content: start + content


def repeat_line(number: int) -> Mutate:
    """Add a copy of a line to the end."""
    return lambda content: content + content.split(b"\n")[number - 1] + b"\n"


def drop_line(number: int) -> Mutate:
    """Leave out a line."""

    def mutate(content: bytes) -> bytes:
        lines = content.split(b"\n")
        return b"\n".join(lines[: number - 1] + lines[number:])

    return mutate


def cut(share: float) -> Mutate:
    """Keep only the first bytes."""
    return lambda content: content[: int(len(content) * share)]


def encode(encoding: str) -> Mutate:
    """Write the text in another encoding."""
    return lambda content: content.decode().encode(encoding)


def without_column(name: str) -> Mutate:
    """A Parquet table without a column."""
    return _change_frame(lambda frame: frame.drop(name))


def with_column(name: str, expression: pl.Expr) -> Mutate:
    """A Parquet table with another column."""
    return _change_frame(lambda frame: frame.with_columns(expression.alias(name)))


def _change_frame(change: Callable[[pl.DataFrame], pl.DataFrame]) -> Mutate:
    """A Parquet table that was read, changed and written again."""

    def mutate(content: bytes) -> bytes:
        target = io.BytesIO()
        change(pl.read_parquet(io.BytesIO(content))).write_parquet(target)
        return target.getvalue()

    return mutate


def zip_of(files: dict[str, str]) -> Mutate:
    """A zip archive of texts, by their paths."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return fill(target.getvalue())


def tar_of(files: dict[str, str]) -> Mutate:
    """A tar archive of texts, by their paths; a text that begins with -> is the target of a link."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for path, text in files.items():
            member = tarfile.TarInfo(path)
            if text.startswith("->"):
                member.type = tarfile.SYMTYPE
                member.linkname = text.removeprefix("->")
                archive.addfile(member)
            else:
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text.encode()))
    return fill(target.getvalue())


Rows = tuple[tuple[str, str, Mutate | None], ...]
"""Names of inputs, the file that is changed, and the change."""

ANY_TEXT: tuple[tuple[str, Mutate | None], ...] = (
    ("absent", None),
    ("empty", fill("")),
    ("blank-lines", fill("\n\n \n")),
    ("not-utf-8", prepend(b'{"\xff\xfe": 1}\n')),
    ("utf-16", encode("utf-16")),
    ("bom", prepend(b"\xef\xbb\xbf")),
    ("null-bytes", prepend(b"\x00\x00")),
    ("cut-off", cut(0.61)),
    ("html", fill("<html><body>Not found</body></html>\n")),
)
"""What can happen to any file of text."""
CAMPAIGN_FILES = ("summaries", "topics", "judgments", "pyramids", "annotations")
CAMPAIGN_ROWS: Rows = (
    ("not-json", "summaries.jsonl", replace('{"topic"', '{topic"')),
    ("a-list", "summaries.jsonl", append("[1, 2]\n")),
    ("a-number", "summaries.jsonl", append("7\n")),
    ("two-on-a-line", "summaries.jsonl", replace("}\n{", "} {")),
    ("deep", "summaries.jsonl", append("[" * 5000 + "]" * 5000 + "\n")),
    ("windows-line-ends", "summaries.jsonl", replace("\n", "\r\n", 3)),
    ("topic-is-number", "summaries.jsonl", replace('"D0601"', "601")),
    ("topic-is-null", "summaries.jsonl", replace('"D0601"', "null")),
    ("topic-is-empty", "summaries.jsonl", replace('"D0601"', '""')),
    ("topic-is-missing", "summaries.jsonl", replace('"topic": "D0601", ', "")),
    ("topic-is-unknown", "summaries.jsonl", replace('"D0601"', '"D0699"')),
    ("topic-with-blanks", "summaries.jsonl", replace('"D0601"', '" D0601 "')),
    ("topic-with-control-character", "summaries.jsonl", replace('"D0601"', '"D06\\u001b01"')),
    ("topic-is-long", "summaries.jsonl", replace('"D0601"', '"' + "D" * 10_001 + '"')),
    ("topic-is-half-a-character", "summaries.jsonl", replace('"D0601"', '"\\ud800"')),
    ("summarizer-is-list", "summaries.jsonl", replace('"summarizer": "A"', '"summarizer": ["A"]')),
    ("summarizer-is-missing", "summaries.jsonl", replace('"summarizer": "A", ', "")),
    ("kind-is-unknown", "summaries.jsonl", replace('"model"', '"reference"')),
    ("kind-is-missing", "summaries.jsonl", replace('"kind": "model", ', "")),
    ("text-is-null", "summaries.jsonl", replace('"text": [', '"text": null, "old": [')),
    ("text-is-number", "summaries.jsonl", replace('"text": [', '"text": 5, "old": [')),
    ("text-is-empty", "summaries.jsonl", replace('"text": [', '"text": "", "old": [')),
    ("text-has-numbers", "summaries.jsonl", replace('"text": [', '"text": [1, ')),
    ("text-is-missing", "summaries.jsonl", replace('"text": [', '"words": [')),
    ("unknown-key", "summaries.jsonl", replace('"kind"', '"colour": "red", "kind"', 5)),
    ("key-twice", "summaries.jsonl", replace('"kind"', '"topic": "D0602", "kind"')),
    ("row-twice", "summaries.jsonl", repeat_line(3)),
    ("extra-is-text", "summaries.jsonl", replace('"kind"', '"extra": "yes", "kind"')),
    ("no-models", "summaries.jsonl", replace('"model"', '"peer"', 2)),
    ("same-text-twice", "summaries.jsonl", replace("Ships sail on Monday.", "A ferry caught fire on Monday.")),
    ("row-twice", "topics.jsonl", repeat_line(1)),
    ("topic-is-missing", "topics.jsonl", replace('"topic": "D0601", ', "")),
    ("topic-without-row", "topics.jsonl", drop_line(2)),
    ("documents-are-text", "topics.jsonl", replace('"documents": [', '"documents": "none", "old": [')),
    ("document-without-id", "topics.jsonl", replace('"id": "doc0", ', "")),
    ("document-without-text", "topics.jsonl", replace('"text": "', '"old": "')),
    ("attributes-are-a-list", "topics.jsonl", replace('"attributes": {', '"attributes": [], "old": {')),
    ("title-is-number", "topics.jsonl", replace('"Topic 0"', "0")),
    ("parent-is-list", "topics.jsonl", replace('"title"', '"parent": ["D06"], "title"')),
    ("value-is-text", "judgments.jsonl", replace('"value": 3', '"value": "3"')),
    ("value-is-null", "judgments.jsonl", replace('"value": 3', '"value": null')),
    ("value-is-true", "judgments.jsonl", replace('"value": 3', '"value": true')),
    ("value-is-nan", "judgments.jsonl", replace('"value": 3', '"value": NaN')),
    ("value-is-infinite", "judgments.jsonl", replace('"value": 3', '"value": Infinity')),
    ("value-overflows", "judgments.jsonl", replace('"value": 3', '"value": 1e999')),
    ("value-is-huge", "judgments.jsonl", replace('"value": 3', '"value": 1' + "0" * 400)),
    ("value-off-scale", "judgments.jsonl", replace('"value": 3', '"value": 9')),
    ("value-is-missing", "judgments.jsonl", replace('"value": 3', '"answer": 3')),
    ("question-is-unknown", "judgments.jsonl", replace('"quality"', '"beauty"')),
    ("question-is-number", "judgments.jsonl", replace('"quality"', "5")),
    ("summarizer-is-unknown", "judgments.jsonl", replace('"summarizer": "1"', '"summarizer": "99"')),
    ("topic-is-unknown", "judgments.jsonl", replace('"D0601"', '"D0699"')),
    ("row-twice", "judgments.jsonl", repeat_line(4)),
    ("run-is-zero", "judgments.jsonl", replace('"run": 1', '"run": 0')),
    ("run-is-text", "judgments.jsonl", replace('"run": 1', '"run": "first"')),
    ("seconds-are-negative", "judgments.jsonl", replace('"value"', '"seconds": -4, "value"')),
    ("time-is-no-time", "judgments.jsonl", replace('"value"', '"time": "yesterday", "value"')),
    ("choice-is-unknown", "preferences.jsonl", replace('"choice": "a"', '"choice": "left"')),
    ("with-itself", "preferences.jsonl", replace('"b": "2"', '"b": "1"')),
    ("summarizer-is-unknown", "preferences.jsonl", replace('"b": "2"', '"b": "99"')),
    ("row-twice", "preferences.jsonl", repeat_line(1)),
    ("model-is-unknown", "pyramids.jsonl", replace('"models": ["A", "B"]', '"models": ["A", "Z"]')),
    ("models-are-text", "pyramids.jsonl", replace('"models": ["A", "B"]', '"models": "A"')),
    ("uid-twice", "pyramids.jsonl", replace('"uid": 2', '"uid": 1')),
    ("uid-is-text", "pyramids.jsonl", replace('"uid": 2', '"uid": "two"')),
    ("part-outside", "pyramids.jsonl", replace("[[0, 12]]", "[[0, 1200]]")),
    ("part-is-empty", "pyramids.jsonl", replace("[[0, 12]]", "[[5, 5]]")),
    ("part-runs-back", "pyramids.jsonl", replace("[[0, 12]]", "[[12, 3]]")),
    ("part-of-three", "pyramids.jsonl", replace("[[0, 12]]", "[[0, 3, 12]]")),
    ("part-is-negative", "pyramids.jsonl", replace("[[0, 12]]", "[[-3, 12]]")),
    ("label-is-missing", "pyramids.jsonl", replace('"label": "what happened", ', "")),
    ("contributor-of-unknown-model", "pyramids.jsonl", replace('{"model": "A"', '{"model": "Z"')),
    ("contributors-are-empty", "pyramids.jsonl", replace('"contributors": [{', '"contributors": [], "old": [{')),
    ("weights-are-unknown", "pyramids.jsonl", replace('"models"', '"weights": "heavy", "models"')),
    ("row-twice", "pyramids.jsonl", repeat_line(1)),
    ("scu-is-unknown", "annotations.jsonl", replace('"uid": 2', '"uid": 7')),
    ("scu-twice", "annotations.jsonl", replace('"uid": 2', '"uid": 1')),
    ("present-is-text", "annotations.jsonl", replace("true", '"yes"')),
    ("unmatched-outside", "annotations.jsonl", replace("[[[0, 6]]]", "[[[0, 600]]]")),
    ("unmatched-is-flat", "annotations.jsonl", replace("[[[0, 6]]]", "[0, 6]")),
    ("summarizer-is-unknown", "annotations.jsonl", replace('"summarizer": "1"', '"summarizer": "99"')),
    ("pyramid-is-unknown", "annotations.jsonl", replace('"scus"', '"pyramid": "C9", "scus"')),
    ("status-is-unknown", "annotations.jsonl", replace('"scus"', '"status": "nearly", "scus"')),
    ("row-twice", "annotations.jsonl", repeat_line(1)),
    ("percent-is-high", "coverage.jsonl", replace('"percent": 20', '"percent": 120')),
    ("unit-outside", "coverage.jsonl", replace("[0, 10]", "[0, 1000]")),
    ("model-is-unknown", "coverage.jsonl", replace('"model": "A"', '"model": "Z"')),
    ("not-toml", "campaign.toml", prepend(b"name == ")),
    ("key-twice", "campaign.toml", prepend(b'name = "A"\n')),
    ("word-limit-is-text", "campaign.toml", replace("word_limit = 20", 'word_limit = "long"')),
    ("word-limit-is-negative", "campaign.toml", replace("word_limit = 20", "word_limit = -1")),
    ("unknown-key", "campaign.toml", prepend(b'colour = "red"\n')),
    ("not-utf-8", "campaign.toml", prepend(b'description = "\xff"\n')),
    (
        "unknown-set",
        "campaign.toml",
        replace("[questions.quality]", '[questions]\nset = "duc1999"\n[questions.quality]'),
    ),
    ("scale-runs-back", "campaign.toml", replace("[questions.quality]", "[questions.quality]\nscale = [5, 1]")),
    (
        "labels-do-not-fit",
        "campaign.toml",
        replace("[questions.quality]", '[questions.quality]\nlabels = ["a", "b", "c"]'),
    ),
    ("kind-is-unknown", "campaign.toml", append('\n[summarizers.1]\nkind = "robot"\n')),
    ("summarizer-is-text", "campaign.toml", append("\n[summarizers]\n1 = 5\n")),
    ("not-parquet", "scores/judge.parquet", fill("topic,summarizer,judge\n")),
)
FLAT_ROWS: Rows = (
    ("topic-is-number", "flat.jsonl", replace('"t1"', "1")),
    ("topic-is-missing", "flat.jsonl", replace('"topic": "t1", ', "")),
    ("summarizer-is-null", "flat.jsonl", replace('"gpt"', "null")),
    ("summary-is-number", "flat.jsonl", replace('"summary": "A', '"summary": 4, "old": "A')),
    ("summary-is-null", "flat.jsonl", replace('"summary": "A', '"summary": null, "old": "A')),
    ("summary-is-missing", "flat.jsonl", replace('"summary": "A', '"old": "A')),
    ("references-are-numbers", "flat.jsonl", replace('"references": [', '"references": [3, ')),
    ("references-differ", "flat.jsonl", replace('"references": [', '"references": ["More.", ')),
    ("references-are-null", "flat.jsonl", replace('"references": [', '"references": null, "old": [')),
    ("references-are-empty", "flat.jsonl", replace('"references": [', '"references": [], "old": [')),
    ("documents-differ", "flat.jsonl", replace('"A text."', '"Another text."')),
    ("documents-without-text", "flat.jsonl", replace('["A text."]', '[{"id": "d"}]', 20)),
    ("judgment-is-text", "flat.jsonl", replace('"ann": 3', '"ann": "good"')),
    ("judgment-is-nan", "flat.jsonl", replace('"ann": 3', '"ann": NaN')),
    ("judgments-are-a-list", "flat.jsonl", replace('{"fluency": {"ann": 3}}', "[3]")),
    ("row-twice", "flat.jsonl", repeat_line(2)),
    ("not-json", "flat.jsonl", replace('{"topic"', '{"topic')),
    ("a-list", "flat.jsonl", append("[1]\n")),
    ("unknown-key", "flat.jsonl", replace('"summary"', '"colour": "red", "summary"')),
    ("key-twice", "flat.jsonl", replace('"summary"', '"topic": "t9", "summary"')),
    *((name, "flat.jsonl", mutate) for name, mutate in ANY_TEXT),
)
PLAIN_ROWS: Rows = (
    *((name, "plain.csv", mutate) for name, mutate in ANY_TEXT),
    ("header-twice", "plain.csv", replace("id,model", "id,id")),
    ("header-empty", "plain.csv", replace("id,model", "id,")),
    ("header-alone", "plain.csv", fill("id,model,prediction,reference,judge\n")),
    ("no-header", "plain.csv", drop_line(1)),
    ("too-many-cells", "plain.csv", append("7,gpt,A text.,Another.,3.0,4,5\n")),
    ("too-few-cells", "plain.csv", append("7,gpt\n")),
    ("open-quote", "plain.csv", append('7,gpt,"A text.,Another.,3.0\n')),
    ("id-is-missing", "plain.csv", append(",gpt,A text.,Another.,3.0\n")),
    ("row-twice", "plain.csv", repeat_line(2)),
    ("number-is-text", "plain.csv", append("7,gpt,A text.,Another.,good\n")),
    ("number-is-infinite", "plain.csv", append("7,gpt,A text.,Another.,inf\n")),
    ("unknown-columns", "plain.csv", replace("prediction,reference", "zz,yy")),
    ("two-summaries", "plain.csv", replace("prediction,reference", "prediction,output")),
    ("semicolons-in-tsv", "plain.tsv", lambda content: content.replace(b"\t", b";")),
    ("cut-off", "plain.tsv", cut(0.5)),
    ("not-json", "plain.json", cut(0.5)),
    ("a-number", "plain.json", fill("5")),
    ("a-text", "plain.json", fill('"text"')),
    ("empty-list", "plain.json", fill("[]")),
    ("list-of-numbers", "plain.json", fill("[1, 2, 3]")),
    ("columns-of-unequal-length", "plain.json", fill('{"id": [1, 2], "prediction": ["a"], "reference": ["b", "c"]}')),
    ("nested", "plain.json", fill('{"data": {"rows": {"a": 1}}}')),
    ("cut-off", "plain.parquet", cut(0.5)),
    ("no-magic", "plain.parquet", replace_bytes(b"PAR1", b"PARX")),
    ("a-text", "plain.parquet", fill("id,prediction\n1,a\n")),
    ("empty", "plain.parquet", fill(b"")),
    ("without-summary", "plain.parquet", without_column("prediction")),
    ("without-id", "plain.parquet", without_column("id")),
    ("summary-is-number", "plain.parquet", with_column("prediction", pl.col("id"))),
    ("summary-is-null", "plain.parquet", with_column("prediction", pl.lit(None))),
    ("reference-is-date", "plain.parquet", with_column("reference", pl.date(2026, 1, 1))),
    ("id-is-null", "plain.parquet", with_column("id", pl.lit(None, dtype=pl.Int64))),
    ("judge-is-nan", "plain.parquet", with_column("judge", pl.lit(float("nan")))),
    ("summary-is-bytes", "plain.parquet", with_column("prediction", pl.col("prediction").cast(pl.Binary))),
    ("cut-off", "plain.arrow", cut(0.5)),
    ("a-text", "plain.arrow", fill("id,prediction\n1,a\n")),
    ("cut-off", "plain.jsonl.gz", cut(0.5)),
    ("not-gzip", "plain.jsonl.gz", fill('{"id": 1, "prediction": "a"}\n')),
    ("check-sum", "plain.jsonl.gz", lambda content: content[:-8] + b"\x00" * 8),
    ("gzip-of-not-json", "plain.jsonl.gz", fill(gzip.compress(b"{broken\n", mtime=0))),
    ("unknown-suffix", "plain.xlsx", fill("id,prediction\n1,a\n")),
    ("pickle", "plain.pkl", fill(b"\x80\x04cos\nsystem\n.")),
)
SCORE_ROWS: Rows = (
    ("value-is-text", "wide.csv", replace("\n1,gpt,1.0", "\n1,gpt,good")),
    ("value-is-infinite", "wide.csv", replace("\n1,gpt,1.0", "\n1,gpt,inf")),
    ("row-twice", "wide.csv", repeat_line(2)),
    ("id-is-missing", "wide.csv", append(",gpt,1.0,2.0\n")),
    ("no-numbers", "wide.csv", fill("topic,system,faith\n1,gpt,good\n1,t5,bad\n")),
    ("ids-alone", "wide.csv", fill("topic,system\n1,gpt\n1,t5\n")),
    ("no-system", "wide.csv", replace("system", "colour")),
    ("cut-off", "wide.parquet", cut(0.7)),
    ("without-topic", "wide.parquet", without_column("topic")),
    ("value-is-nan", "wide.parquet", with_column("faith", pl.lit(float("nan")))),
    ("value-is-infinite", "wide.parquet", with_column("faith", pl.lit(float("inf")))),
    ("value-is-text", "long.csv", replace("faith,1.0", "faith,good")),
    ("row-twice", "long.csv", repeat_line(2)),
    ("measure-is-missing", "long.csv", append("1,gpt,,2.0\n")),
    ("value-is-text", "long.jsonl", replace('"value":1.0', '"value":"good"')),
    ("value-is-nan", "long.jsonl", replace('"value":1.0', '"value":NaN')),
    ("not-json", "long.jsonl", replace('{"topic"', '{"topic')),
    ("unknown-measure-option", "long.csv", replace("faith", "rouge-2(stem=perhaps)", 20)),
)
FORMAT_ROWS: dict[str, Rows] = {
    "ducview": (
        ("not-xml", "D0601.C1.pyr", replace("</pyramid>", "")),
        ("empty", "D0601.C1.pyr", fill("")),
        ("another-root", "D0601.C1.pyr", fill("<html/>")),
        ("entity", "D0601.C1.pyr", replace("]>", '<!ENTITY a "b">]>')),
        ("external-entity", "D0601.C1.pyr", replace("]>", '<!ENTITY a SYSTEM "file:///etc/hostname">]>')),
        ("uid-is-text", "D0601.C1.pyr", replace('uid="1"', 'uid="one"')),
        ("uid-twice", "D0601.C1.pyr", replace('uid="2"', 'uid="1"')),
        ("uid-is-missing", "D0601.C1.pyr", replace('uid="1" ', "")),
        ("part-outside", "D0601.C1.pyr", replace('end="43"', 'end="4300"')),
        ("part-is-text", "D0601.C1.pyr", replace('start="31"', 'start="x"')),
        ("label-elsewhere", "D0601.C1.pyr", replace('label="A ferry caug" start', 'label="nowhere" start')),
        ("expression-matches-nothing", "D0601.C1.pyr", replace("D0601\\.[A-Z]", "X[0-9]")),
        ("expression-is-broken", "D0601.C1.pyr", replace("D0601\\.[A-Z]", "((")),
        ("expression-looks-around", "D0601.C1.pyr", replace("D0601\\.[A-Z]", "(?=D0601)\\S+")),
        ("bare-ampersand", "D0601.C1.pyr", replace("caught fire", "caught & fire")),
        ("control-character", "D0601.C1.pyr", replace("caught fire", "caught \x01fire")),
        ("latin-1", "D0601.C1.pyr", replace_bytes(b"caught fire", b"caught f\xefre")),
        ("unknown-scu", "D0601.1.C1.pan", replace('peerscu uid="2"', 'peerscu uid="8"')),
        ("not-xml", "D0601.1.C1.pan", cut(0.8)),
        ("without-annotation", "D0601.1.C1.pan", replace("<annotation>", "<other>")),
        ("another-pyramid", "D0601.1.C1.pan", replace('label="the rest">\n  <c', 'label="something">\n  <c')),
    ),
    "rouge-xml": (
        ("not-xml", "rouge.xml", cut(0.5)),
        ("another-root", "rouge.xml", fill("<html/>")),
        ("no-evaluations", "rouge.xml", fill('<ROUGE-EVAL version="1.0"></ROUGE-EVAL>')),
        ("entity", "rouge.xml", replace("<ROUGE-EVAL", '<!DOCTYPE r [<!ENTITY a "b">]>\n<ROUGE-EVAL')),
        ("type-is-unknown", "rouge.xml", replace('TYPE="SPL"', 'TYPE="PDF"')),
        ("id-is-missing", "rouge.xml", replace('<P ID="1">', "<P>")),
        ("id-twice", "rouge.xml", replace('<P ID="2">', '<P ID="1">')),
        ("evaluation-twice", "rouge.xml", replace('ID="D0602"', 'ID="D0601"')),
        ("peer-is-absent", "peers/D0601/1", None),
        ("model-is-absent", "models/D0601/A", None),
        ("path-leads-out", "rouge.xml", replace("D0601/1</P>", "../../../../etc/hostname</P>")),
        ("root-is-absent", "rouge.xml", replace("<PEER-ROOT>peers", "<PEER-ROOT>nowhere")),
        ("peer-is-not-utf-8", "peers/D0601/1", prepend(b"\xff")),
    ),
    "lite-pyramid": (
        ("line-is-missing", "references.txt", drop_line(2)),
        ("label-is-missing", "labels/1.label", replace("1\t0", "1")),
        ("label-is-text", "labels/1.label", replace("1\t0", "1\tx")),
        ("absent", "SCUs.txt", None),
        ("id-twice", "ids.txt", replace("D0602", "D0601")),
    ),
    "simetrix": (
        ("field-is-missing", "mapping.txt", replace("D0601 1 ", "D0601 ")),
        ("row-twice", "mapping.txt", repeat_line(1)),
        ("summary-is-absent", "summaries/D0601.1.txt", None),
    ),
    "nist": (
        ("archive-leads-out", "more.tar", tar_of({"../../D0601.M.20.A.9": "A text."})),
        ("archive-with-link", "more.tar", tar_of({"peers/D0601.M.20.A.9": "->/etc/hostname"})),
        ("not-an-archive", "more.zip", fill("no archive")),
        ("zip-leads-out", "more.zip", zip_of({"../D0601.M.20.A.9": "A text."})),
        ("not-gzip", "more.gz", fill("no archive")),
        ("odd-name", "ROUGE/peers/readme", fill("A text.")),
        ("empty-peer", "ROUGE/peers/D0601.M.20.A.1", fill("")),
    ),
}
IMPORTED = {
    "ducview": "import ducview {} {}-imported",
    "rouge-xml": "import rouge-xml {}/rouge.xml {}-imported",
    "lite-pyramid": "import lite-pyramid {} {}-imported",
    "simetrix": "import simetrix {}/mapping.txt {}-imported",
    "nist": "import nist {} {}-imported",
}
OUTPUT_ROWS: Rows = (
    ("counts", "rouge.out", replace("R:0.07143 P:0.06897", "R:12 P:13")),
    ("value-is-text", "rouge.out", replace("R:0.07143", "R:high")),
    ("averages-alone", "rouge.out", drop_line(4)),
    ("empty", "rouge.out", fill("")),
    ("not-xml", "pyramid.xml", cut(0.6)),
    ("entity", "pyramid.xml", replace("<Pyramid>", '<!DOCTYPE p [<!ENTITY a "b">]>\n<Pyramid>')),
    ("uid-is-missing", "pyramid.xml", replace(' uid="1"', "")),
    ("label-is-missing", "pyramid.xml", replace('<contributor label="a ferry"/>', "<contributor/>")),
)
LINE_ROWS: Rows = (
    ("shorter", "a.txt", drop_line(2)),
    ("empty-line", "a.txt", replace("The mayor resigned.", "")),
    ("empty", "refs.txt", fill("")),
    ("absent", "refs.txt", None),
    ("not-utf-8", "a.txt", prepend(b"\xff")),
    ("utf-16", "a.txt", encode("utf-16")),
)


def _inputs_of(base: str, rows: Rows, command: str) -> list[BadInput]:
    """Inputs that a command reads; {file} is the changed file, {} the folder."""
    inputs = []
    for name, file, mutate in rows:
        words = command.replace("{file}", file)
        inputs.append(BadInput(f"{file.replace('/', '-')}-{name}", base, file, mutate, words))
    return inputs


def _campaign_inputs() -> list[BadInput]:
    """Campaign folders with something wrong in a file."""
    of_any_text = [(name, f"{file}.jsonl", mutate) for file in CAMPAIGN_FILES for name, mutate in ANY_TEXT]
    rows = (*CAMPAIGN_ROWS, *of_any_text)
    return _inputs_of("campaign", rows, "check {} --format json")


def _format_inputs() -> list[BadInput]:
    """Files of foreign formats with something wrong."""
    inputs: list[BadInput] = []
    for base, rows in FORMAT_ROWS.items():
        inputs += _inputs_of(base, rows, IMPORTED[base])
    outputs = _inputs_of("outputs", OUTPUT_ROWS, "check {}/{file} --format json")
    return [*inputs, *outputs]


INPUTS: dict[str, list[BadInput]] = {
    "campaigns": _campaign_inputs(),
    "tables": [
        *_inputs_of("flat", FLAT_ROWS, "check {}/{file} --format json"),
        *_inputs_of("plain", PLAIN_ROWS, "score {}/{file} -m rouge1.f --format json"),
        *_inputs_of("scores", SCORE_ROWS, "compare {}/{file} --format json"),
        *_inputs_of(
            "lines", LINE_ROWS, "score --predictions {}/a.txt --references {}/refs.txt -m rouge1 --format json"
        ),
    ],
    "formats": _format_inputs(),
}
