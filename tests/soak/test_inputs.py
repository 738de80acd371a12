"""Inputs of every format with changes at random, pickles by strangers, numbers of any size in options."""

from __future__ import annotations

import csv
import json
import pickle
import struct
from pathlib import Path
from random import Random

import pytest

from pyramidion.campaign import Problems
from pyramidion.formats.datasets.realsumm.pickles import read_pickle
from soak.trials import Trials
from specimens import specimens
from test_mutations import Trial, command, limited, mutated

pytestmark = [pytest.mark.soak, pytest.mark.filterwarnings("ignore")]
NUMBERS = (
    *("0", "-0", "1", "-1", "2", "0.5", ".5", "1e-300", "5e-324", "1e20", "1e155", "1e308", "1e309", "-1e308"),
    *(
        "nan",
        "inf",
        "-inf",
        "99999999999999999999",
        "2147483648",
        "9223372036854775808",
        "1_000",
        "0x10",
        "",
        "٣",
        "1e",
    ),
)
COMMANDS = (
    "score {data} -m rouge-1 --by summarizer --bootstrap percentile --resamples {number}",
    "score {data} -m rouge-{number}",
    "score {data} -m rouge-w{number}",
    "score {data} -m rouge-1(words={number})",
    "compare {data} -m rouge-1.f --confidence {number}",
    "compare {data} -m rouge-1.f --seed {number}",
    "compare {data} -m rouge-1.f --pair a b --resamples {number}",
    "compare {data} -m rouge-1.f --digits {number}",
    "correlate {data} -m rouge-1.f --with rouge-2.f --resamples {number}",
    "power {data} -m rouge-1.f --difference {number}",
    "power {data} -m rouge-1.f --power {number}",
    "power {data} -m rouge-1.f --topics {number}",
    "simulate scores --topics {number} --summarizers 3 -o {folder}/out.csv",
    "simulate scores --topics 3 --summarizers 3 --seed {number} -o {folder}/out.csv",
)
PIECES = (
    *(pickle.MARK, pickle.EMPTY_LIST, pickle.EMPTY_DICT, pickle.EMPTY_TUPLE, pickle.APPEND, pickle.APPENDS),
    *(pickle.SETITEM, pickle.SETITEMS, pickle.TUPLE, pickle.TUPLE1, pickle.TUPLE2, pickle.TUPLE3, pickle.LIST),
    *(pickle.DICT, pickle.DUP, pickle.POP, pickle.POP_MARK, pickle.NONE, pickle.NEWTRUE, pickle.MEMOIZE),
    *(pickle.REDUCE, pickle.BUILD, pickle.STACK_GLOBAL, pickle.OBJ, pickle.NEWOBJ, b"I7\n", b"F1e308\n", b"L99L\n"),
    *(b"h\x00", b"h\x01", b"q\x00", b"q\x01", b"r\xff\xff\xff\x7f", b"j\xff\xff\xff\x7f", b"K\x05", b"\x8c\x01a"),
    *(
        b"X\x03\x00\x00\x00\xed\xa0\x80",
        b"X\xff\xff\xff\x7f",
        b"\x8b\xff\xff\xff\x7f",
        b"cnumpy.core.multiarray\nscalar\n",
    ),
    *(b"cos\nsystem\n", b"cbuiltins\neval\n", b"cbuiltins\nbytearray\n", b"\x95" + struct.pack("<Q", 2**62)),
)


def test_mutated_inputs_end_with_an_answer_or_an_error(trials: Trials, tmp_path: Path) -> None:
    trial = Trial(tmp_path, trials.seed)
    kinds = len(specimens(tmp_path / "counted"))
    for number, round in enumerate(trials.rounds("mutated files of every format", share=0.12, least=kinds)):
        with round:
            round.what = f"number {number}"
            wrong = trial.run(number)
            assert not wrong, wrong


TOPICS, SYSTEMS = 8, "abc"


def table(ending: str) -> list[bytes]:
    """The lines of a table of summaries, three of each topic, with a header where the ending asks for one."""
    rows = [
        {
            "topic": f"t{topic}",
            "summarizer": system,
            "summary": f"the ferry {topic} of {system} burned near the harbour",
            "reference": f"the ferry {topic} burned down in the harbour",
        }
        for topic in range(TOPICS)
        for system in SYSTEMS
    ]
    if ending == "jsonl":
        return [json.dumps(row).encode() for row in rows]
    separator = "," if ending == "csv" else "\t"
    return [separator.join(cells).encode() for cells in (rows[0], *(row.values() for row in rows))]


COLUMNS: tuple[str, ...] = ("-m", "rouge-1.f")
ROWS = (*COLUMNS, "-m", "redundancy")
"""Measures that are computed from columns, and one that needs the rows one by one: two ways to read a table."""


def scores_of(file: Path, folder: Path, measures: tuple[str, ...] = COLUMNS) -> dict[tuple[str, str], str] | None:
    """The ROUGE scores of a table by topic and system; None if the program reports an error instead."""
    output = folder / "scores.csv"
    output.unlink(missing_ok=True)
    code, said = command("score", str(file), *measures, "-o", str(output))
    assert code in (0, 1, 2), said
    assert "Traceback" not in said, said
    if code:
        return None
    with output.open(encoding="utf-8", newline="") as opened:
        rows = [row for row in csv.DictReader(opened) if row["measure"] == "rouge-1.f"]
    return {(row["topic"], row["summarizer"]): row["value"] for row in rows}


ODD_SUMMARIES = (
    "",
    " ",
    "x",
    "é",
    "東京 大阪",
    "\u202e",
    "a " * 5000,
    "1e308",
    "NaN",
    "null",
    '"',
    "a\nb",
    "a\r\nb",
    "<b>",
    "#1",
)
"""Summaries that are accepted, as a rule: what they do to their own score is not the question."""


def with_other_summary(random: Random, ending: str, line: bytes) -> bytes:
    """A line of the table with another summary, written as the format asks."""
    text = random.choice(ODD_SUMMARIES)
    if ending == "jsonl":
        return json.dumps(json.loads(line) | {"summary": text}, ensure_ascii=random.random() < 0.5).encode()
    separator = "," if ending == "csv" else "\t"
    cells = line.decode().split(separator)
    cells[2] = '"' + text.replace('"', '""') + '"'
    return separator.join(cells).encode()


def test_a_change_in_one_row_changes_no_other_score(trials: Trials, tmp_path: Path) -> None:
    """A mutated row may be an error; it may not change what the rows of other topics score, without a word."""
    intact = {}
    for ending in ("jsonl", "csv", "tsv"):
        file = tmp_path / f"intact.{ending}"
        file.write_bytes(b"\n".join(table(ending)) + b"\n")
        intact[ending] = scores_of(file, tmp_path)
    for round in trials.rounds("scores of untouched rows", share=0.05, least=30):
        with round:
            ending = round.random.choice(sorted(intact))
            lines, expected = table(ending), intact[ending]
            assert expected is not None
            at = round.random.randrange(ending != "jsonl", len(lines))
            has_only_other_summary = round.random.random() < 0.5
            if has_only_other_summary:
                changed = with_other_summary(round.random, ending, lines[at])
            else:
                changed = mutated(round.random, tmp_path / f"row.{ending}", lines[at])
            file = tmp_path / f"changed.{ending}"
            file.write_bytes(b"\n".join([*lines[:at], changed, *lines[at + 1 :]]) + b"\n")
            round.what = f"{ending}, line {at + 1}: {changed!r}"
            with limited(60):
                scores = scores_of(file, tmp_path, round.random.choice([COLUMNS, ROWS]))
            if scores is None:
                continue
            topic, system = divmod(at - (ending != "jsonl"), len(SYSTEMS))
            touched = {(f"t{topic}", name) for name in SYSTEMS}
            if has_only_other_summary:  # those of the same topic keep their references, and so their scores
                touched = {(f"t{topic}", SYSTEMS[system])}
            untouched = {key: value for key, value in expected.items() if key not in touched}
            if (
                ending != "jsonl" and not has_only_other_summary
            ):  # an open quotation mark makes the next lines a part of its cell
                untouched = {key: value for key, value in untouched.items() if key in scores}
            assert {key: scores.get(key) for key in untouched} == untouched


def stranger(random: Random, marker: Path) -> bytes:
    """A pickle of random operations; where it may, it would touch a file."""
    pieces = random.choices(PIECES, k=random.randint(1, 60))
    harm = b"cos\nsystem\nX" + struct.pack("<I", len(f"touch {marker}")) + f"touch {marker}".encode() + b"\x85R"
    pieces.insert(random.randint(0, len(pieces)), harm if random.random() < 0.5 else b"]")
    growing = random.choice([b"", b"]" + b"2a" * random.randint(1, 40), b"]q\x00" + b"h\x00h\x00\x86q\x00" * 40])
    return b"\x80" + bytes([random.choice([2, 3, 4, 5])]) + growing + b"".join(pieces) + b"."


def test_pickles_run_nothing_and_take_no_time(trials: Trials, tmp_path: Path) -> None:
    file, marker = tmp_path / "scores.pkl", tmp_path / "marker"
    for round in trials.rounds("pickles of random operations", share=0.03, least=500):
        with round:
            content = stranger(round.random, marker)
            round.what = repr(content)
            file.write_bytes(content)
            with limited(10):
                read_pickle(file, Problems(), what="a pickle of scores")
            assert not marker.exists()


def test_any_number_in_an_option_is_taken_or_refused(trials: Trials, tmp_path: Path) -> None:
    data = tmp_path / "flat.csv"
    lines = [f"{topic},{one},ferry {one} {topic},the ferry {topic}" for topic in range(4) for one in "abc"]
    data.write_text("\n".join(["topic,summarizer,summary,reference", *lines]) + "\n")
    for round in trials.rounds("numbers of any size in options", share=0.05, least=20):
        with round:
            line, number = round.random.choice(COMMANDS), round.random.choice(NUMBERS)
            words = [word.format(data=data, folder=tmp_path, number=number) for word in line.split()]
            round.what = " ".join(words)
            with limited(60):
                code, said = command(*words)
            assert code in (0, 1, 2), said
            assert "Traceback" not in said
            for left in tmp_path.glob("out*"):
                left.unlink()
