"""Odd tables, as people have them, and a small campaign with everything that the demo lacks. All texts are made up."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pandas
import polars as pl

import pyramidion
from tools.freezing.answers import Call, Case, Command

Row = dict[str, Any]
REFERENCES = (
    "A ferry caught fire off the coast on Monday, and nobody was hurt.",
    "The mayor stepped down after the council had voted against the bridge.",
    "Heavy rain is expected in the north until the end of the week.",
    "Two researchers found a beetle that lives on salt alone.",
    "The old library reopens in May with a garden on its roof.",
    "A storm closed the harbour, and twelve ships waited outside for two days.",
)
SECOND_REFERENCES = (
    "Fire broke out on a ferry; all passengers are safe.",
    "After a vote against the bridge, the mayor resigned.",
    "It will rain in the north all week.",
    "A new beetle eats nothing but salt.",
    "In May the library opens again, now with a roof garden.",
    "Twelve ships had to wait because a storm closed the harbour.",
)
SYSTEMS = {
    "gpt": (
        "A ferry burned off the coast, and nobody was hurt.",
        "The mayor resigned after the council voted against the bridge.",
        "Heavy rain is expected in the north.",
        "A beetle that lives on salt was found by two researchers.",
        "The library reopens in May with a roof garden.",
        "A storm closed the harbour for two days.",
    ),
    "llama": (
        "Ships sail on Monday.",
        "The council voted.",
        "Rain in the north until the end of the week.",
        "Researchers like beetles.",
        "The old library has a garden on its roof.",
        "Ships waited outside.",
    ),
    "t5": (
        "A ferry caught fire on Monday.",
        "The mayor stepped down.",
        "It rains.",
        "Two researchers found a beetle.",
        "The library is old.",
        "Twelve ships waited for two days outside the harbour.",
    ),
}
SYSTEM_NAMES = tuple(SYSTEMS)
TOPIC_COUNT = len(REFERENCES)


def flat_rows() -> list[Row]:
    """A row for each topic and system, with our own names of columns."""
    rows: list[Row] = []
    for number in range(TOPIC_COUNT):
        for system, texts in SYSTEMS.items():
            row = {"topic": f"t{number + 1}", "summarizer": system, "summary": texts[number]}
            rows.append({**row, "references": [REFERENCES[number], SECOND_REFERENCES[number]]})
    return rows


def plain_rows() -> list[Row]:
    """A row for each item and system under the names that other programs use, with a number of a judge."""
    rows: list[Row] = []
    for number in range(TOPIC_COUNT):
        for position, (system, texts) in enumerate(SYSTEMS.items()):
            judge = round(1 + (number * 7 + position * 5) % 9 / 2, 1)
            row = {"id": number + 1, "model": system, "prediction": texts[number]}
            rows.append({**row, "reference": REFERENCES[number], "judge": judge})
    return rows


def rows_of_system(system: str) -> list[Row]:
    """The rows of one system, without its name."""
    rows = [dict(row) for row in plain_rows() if row["model"] == system]
    for row in rows:
        del row["model"]
    return rows


def score_rows() -> list[Row]:
    """Wide scores of two measures, a cell of which is missing."""
    rows: list[Row] = []
    for row in plain_rows():
        style = len(row["prediction"].split()) / 4
        rows.append({"topic": row["id"], "system": row["model"], "faith": row["judge"], "style": style})
    rows[4]["faith"] = None
    return rows


def answer_rows() -> list[Row]:
    """Long answers of two assessors to two questions about the small campaign."""
    rows: list[Row] = []
    for number, row in enumerate(campaign_summaries()):
        for assessor in ("ann", "bob"):
            for question in ("fluency", "coverage"):
                value = 1 + (number * 3 + len(assessor + question) + number // 4 * ord(assessor[0])) % 5
                answer = {"topic": row["topic"], "summarizer": row["summarizer"], "assessor": assessor}
                rows.append({**answer, "question": question, "value": value})
    return rows


def campaign_summaries() -> list[Row]:
    """Summaries of a campaign with names as NIST has them: humans are letters, systems are numbers."""
    rows: list[Row] = []
    for number in range(TOPIC_COUNT):
        topic = f"D060{number + 1}"
        rows.append({"topic": topic, "summarizer": "A", "kind": "model", "text": [REFERENCES[number]]})
        rows.append({"topic": topic, "summarizer": "B", "kind": "model", "text": [SECOND_REFERENCES[number]]})
        for identifier, texts in enumerate(SYSTEMS.values(), start=1):
            rows.append({"topic": topic, "summarizer": str(identifier), "kind": "peer", "text": [texts[number]]})
    return rows


def write_rows(path: Path, rows: list[Row]) -> None:
    """Write rows as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_campaign(folder: Path) -> None:
    """A campaign with runs of a judge, preferences, coverage, and pyramids by two annotators."""
    write_rows(folder / "summaries.jsonl", campaign_summaries())
    topics = [f"D060{number + 1}" for number in range(TOPIC_COUNT)]
    topic_rows = [
        {
            "topic": topic,
            "title": f"Topic {number}",
            "documents": [{"id": f"doc{number}", "text": f"{REFERENCES[number]} {SECOND_REFERENCES[number]}"}],
            "attributes": {"granularity": "specific" if number % 2 else "general"},
        }
        for number, topic in enumerate(topics)
    ]
    write_rows(folder / "topics.jsonl", topic_rows)
    judgments: list[Row] = []
    preferences: list[Row] = []
    pyramids: list[Row] = []
    annotations: list[Row] = []
    coverage: list[Row] = []
    for number, topic in enumerate(topics):
        for system in range(1, 4):
            key = {"topic": topic, "summarizer": str(system)}
            judgments += [
                {
                    **key,
                    "question": "quality",
                    "assessor": "judge",
                    "run": run,
                    "value": 1 + (number + system * run) % 5,
                }
                for run in (1, 2)
            ]
            unit = {"unit": [0, 10], "percent": 20 * ((number + system) % 5)}
            coverage.append({**key, "model": "A", "assessor": "C", "units": [unit]})
            for position, annotator in enumerate(("C1", "C2")):
                is_present = (number + system + position) % 3 != 0
                scus = [{"uid": 1, "present": is_present}, {"uid": 2, "present": not is_present}]
                annotations.append({**key, "annotator": annotator, "scus": scus, "unmatched": [[[0, 6]]]})
        for a, b in (("1", "2"), ("2", "3"), ("3", "1")):
            choice = ("a", "b", "tie", "a")[(number + int(a)) % 4]
            preferences.append({"topic": topic, "a": a, "b": b, "assessor": "ann", "choice": choice})
        for position, annotator in enumerate(("C1", "C2")):
            both: list[Row] = [{"model": "A", "parts": [[0, 12 + position]]}, {"model": "B", "parts": [[0, 9]]}]
            units = [
                {"uid": 1, "label": "what happened", "contributors": both},
                {"uid": 2, "label": "the rest", "contributors": [{"model": "A", "parts": [[14, 30]]}]},
            ]
            pyramids.append({"topic": topic, "annotator": annotator, "models": ["A", "B"], "scus": units})
    write_rows(folder / "judgments.jsonl", judgments)
    write_rows(folder / "preferences.jsonl", preferences)
    write_rows(folder / "pyramids.jsonl", pyramids)
    write_rows(folder / "annotations.jsonl", annotations)
    write_rows(folder / "coverage.jsonl", coverage)
    settings = 'name = "Small"\nword_limit = 20\n\n'
    for question in ("quality", "fluency", "coverage", "usefulness"):
        settings += f'[questions.{question}]\ntext = "How good is its {question}?"\n'
    (folder / "campaign.toml").write_text(settings, encoding="utf-8")


def write_tables(folder: Path) -> None:
    """Write all tables of this module, the campaign and the line files."""
    write_campaign(folder / "campaign")
    flat = flat_rows()
    plain = plain_rows()
    frame = pl.DataFrame(plain)
    write_rows(folder / "flat.jsonl", flat)
    frame.write_csv(folder / "plain.csv")
    frame.write_csv(folder / "semicolon.csv", separator=";")
    (folder / "bom.csv").write_text("\ufeff" + frame.write_csv(line_terminator="\r\n"), encoding="utf-8")
    frame.write_csv(folder / "tabs.tsv", separator="\t")
    (folder / "list.json").write_text(json.dumps(plain), encoding="utf-8")
    (folder / "columns.json").write_text(json.dumps(frame.to_dict(as_series=False)), encoding="utf-8")
    sentences = [{**row, "summary": row["summary"].split(", ")} for row in flat]
    pl.DataFrame(sentences).write_parquet(folder / "sentences.parquet")
    frame.write_ipc(folder / "plain.arrow")
    (folder / "plain.jsonl.gz").write_bytes(gzip.compress(frame.write_ndjson().encode(), mtime=0))
    for system in SYSTEM_NAMES:
        write_rows(folder / "systems" / f"{system}.jsonl", rows_of_system(system))
    seeds = [{**row, "seed": seed, "judge": row["judge"] + seed} for row in plain for seed in (1, 2, 3)]
    write_rows(folder / "seeds.jsonl", seeds)
    _write_odd_ids(folder, plain)
    _write_wide_sheets(folder)
    _write_scores(folder)
    _write_judgments(folder, flat)
    _write_line_files(folder)


def _write_odd_ids(folder: Path, plain: list[Row]) -> None:
    """Ids that are decimals, numbers with zeros in front, and `NA`; cells that are missing."""
    write_rows(folder / "decimals.jsonl", [{**row, "id": row["id"] + 0.5} for row in plain])
    padded = pl.DataFrame([{**row, "id": f"00{row['id']}"} for row in plain])
    padded.write_csv(folder / "padded.csv")
    missing = [{**row, "id": "NA" if row["id"] == 1 else row["id"]} for row in plain]
    missing[3]["prediction"] = None
    missing[5]["prediction"] = ""
    del missing[7]["judge"]
    write_rows(folder / "missing.jsonl", missing)
    unequal = [dict(row) for row in plain]
    unequal[1]["reference"] = "Another text."
    write_rows(folder / "unequal.jsonl", unequal)


def _write_wide_sheets(folder: Path) -> None:
    """A column for each system, references in several columns, and columns whose names say nothing."""
    wide: list[Row] = []
    unclear: list[Row] = []
    for number in range(TOPIC_COUNT):
        references = {"ref1": REFERENCES[number], "ref2": SECOND_REFERENCES[number]}
        texts = {system: SYSTEMS[system][number] for system in SYSTEM_NAMES}
        ratings = {f"fluency_{system}": (number + len(system)) % 5 for system in SYSTEM_NAMES}
        wide.append({"id": number, **references, **texts, **ratings})
        for system in SYSTEM_NAMES:
            row = {"doc_id": number, "who": system, "zz": texts[system], "yy": REFERENCES[number]}
            unclear.append({**row, "latency_ms": 300 + number})
    pl.DataFrame(wide).write_csv(folder / "wide.csv")
    pl.DataFrame(unclear).write_csv(folder / "unclear.csv")
    references_apart = [{"id": row["id"] + 1, "reference": row["ref1"]} for row in wide]
    write_rows(folder / "apart" / "references.jsonl", references_apart)
    outputs = [{"id": row["id"] + 1, "output": row["gpt"]} for row in wide]
    write_rows(folder / "apart" / "gpt.jsonl", outputs)


def _write_scores(folder: Path) -> None:
    """Scores, wide and long, of several runs, and with a column for each system."""
    scores = pl.DataFrame(score_rows())
    scores.write_csv(folder / "scores-wide.csv")
    scores.write_parquet(folder / "scores-wide.parquet")
    long = scores.unpivot(index=["topic", "system"], variable_name="measure", value_name="value")
    long.write_csv(folder / "scores-long.csv")
    long.write_ndjson(folder / "scores-long.jsonl")
    runs = [{**row, "run": run, "style": row["style"] + run} for row in score_rows() for run in (1, 2)]
    pl.DataFrame(runs).write_csv(folder / "scores-runs.csv", separator="\t")
    by_system = scores.pivot("system", index="topic", values="style")
    by_system.write_csv(folder / "scores-by-system.csv")


def _write_judgments(folder: Path, flat: list[Row]) -> None:
    """Judgments inside rows, and tables of answers to import."""
    nested = [
        {**row, "judgments": {"fluency": {"ann": number % 5 + 1, "bob": number // 2 % 5 + 1}, "focus": number % 4}}
        for number, row in enumerate(flat)
    ]
    write_rows(folder / "nested.jsonl", nested)
    answers = pl.DataFrame(answer_rows())
    answers.write_csv(folder / "answers-long.csv")
    wide = answers.pivot("question", index=["topic", "summarizer", "assessor"], values="value")
    wide.write_csv(folder / "answers-wide.csv")
    wide.rename({"topic": "ID", "summarizer": "SYSTEM", "fluency": "q1"}).write_csv(folder / "answers-renamed.csv")
    campaign_scores = [
        {"topic": row["topic"], "summarizer": row["summarizer"], "length": len(row["text"][0]) / 7}
        for row in campaign_summaries()
        if row["kind"] == "peer"
    ]
    pl.DataFrame(campaign_scores).write_csv(folder / "campaign-scores.csv")


def _write_line_files(folder: Path) -> None:
    """Text files with a summary, a reference or a source on each line."""
    lines = {"gpt": SYSTEMS["gpt"], "t5": SYSTEMS["t5"], "references": REFERENCES, "sources": SECOND_REFERENCES}
    (folder / "lines").mkdir()
    for name, texts in lines.items():
        (folder / "lines" / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")


UNCLEAR = "--columns summary=zz,references=yy,summarizer=who"
LINES = "--predictions lines/gpt.txt --predictions lines/t5.txt --references lines/references.txt"
TABLES = {
    "flat.jsonl": "",
    "plain.csv": "",
    "semicolon.csv": "",
    "bom.csv": "",
    "tabs.tsv": "",
    "list.json": "",
    "columns.json": "",
    "sentences.parquet": "",
    "plain.arrow": "",
    "plain.jsonl.gz": "",
    "systems/gpt.jsonl systems/llama.jsonl systems/t5.jsonl": "",
    "seeds.jsonl": "",
    "decimals.jsonl": "",
    "padded.csv": "",
    "missing.jsonl": "",
    "unequal.jsonl": "",
    "wide.csv": "--columns summary=gpt+llama+t5",
    "unclear.csv": UNCLEAR,
    "nested.jsonl": "",
    "apart/gpt.jsonl apart/references.jsonl": "",
    LINES: "",
    f"{LINES} --sources lines/sources.txt": "",
    "campaign": "",
}
"""Tables of texts, with the options that they need."""
SCORE_TABLES = (
    "scores-wide.csv",
    "scores-wide.parquet",
    "scores-long.csv",
    "scores-long.jsonl",
    "scores-runs.csv",
    "scores-by-system.csv --columns score=gpt+llama+t5",
)


def _text_cases() -> list[Case]:
    """`check`, `score`, `compare` and `correlate` of each table of texts."""
    cases: list[Case] = []
    for data, options in TABLES.items():
        words = f"{data} {options} --format json".replace("  ", " ")
        cases.append(Command(f"check {words}"))
        cases.append(Command(f"score {words}"))
        cases.append(Command(f"compare {words} -m rouge1.f -m rouge-2.recall"))
        cases.append(Command(f"correlate {words} -m rouge1.f --with rouge-2.recall --level global --resamples 20"))
    return cases


def _score_cases() -> list[Case]:
    """The same commands for each table of scores."""
    cases: list[Case] = []
    for words in SCORE_TABLES:
        cases.append(Command(f"check {words} --format json"))
        cases.append(Command(f"compare {words} --format json"))
        cases.append(Command(f"correlate {words} --matrix --level global --resamples 20 --format json"))
        cases.append(
            Command(f"study topics {words} -m imported.style --with itself --sizes 2,4 --resamples 10 --format json")
        )
    return cases


def _standard_input() -> list[Case]:
    """Tables that come through a pipe."""
    frame = pl.DataFrame(plain_rows())
    csv = io.BytesIO()
    frame.write_csv(csv)
    return [
        Command("compare - -m rouge1.f --format json", stdin=frame.write_ndjson()),
        Command("score - -m rouge1.f --by summarizer --format json", stdin=csv.getvalue().decode()),
        Command("check - --format json", stdin=json.dumps(plain_rows())),
    ]


def _python_calls() -> list[Case]:
    """Data frames, lists and dictionaries, given to the verbs of Python."""
    plain = plain_rows()
    columns: Any = pl.DataFrame(plain).to_dict(as_series=False)
    measures = ["rouge1.f", "rouge-2.recall"]
    return [
        Call("compare(polars)", lambda: pyramidion.compare(pl.DataFrame(plain), measures)),
        Call("compare(pandas)", lambda: pyramidion.compare(pandas.DataFrame(plain), measures)),
        Call("compare(arrow)", lambda: pyramidion.compare(pl.DataFrame(plain).to_arrow(), measures)),
        Call("compare(rows)", lambda: pyramidion.compare(plain, measures)),
        Call("compare(columns)", lambda: pyramidion.compare(columns, measures)),
        Call("correlate(rows)", lambda: pyramidion.correlate(plain, measures, with_="imported.judge")),
        Call("check(rows)", lambda: pyramidion.check(plain)),
    ]


OTHERS: tuple[Case, ...] = (
    Command("compare unclear.csv --format json"),
    Command("compare wide.csv --format json"),
    Command("score plain.csv --columns summary=prediction,references=reference,judgments=judge --format json"),
    Command("correlate plain.csv -m rouge1.f --with imported.judge --level topic --resamples 20 --format json"),
    Command("compare plain.csv -m rouge1.f -m imported --scores scores-runs.csv --format json"),
    Command("compare plain.csv -m rouge1.f -m imported --scores scores-wide.csv --format json"),
    Command("compare flat.jsonl scores-wide.csv -m rouge1.f -m imported --pair gpt t5 --format json"),
    Command("look plain.csv --topic 1 --summarizer gpt -m rougeL --format json"),
    Command("power plain.csv -m rouge1.f --difference 0.1 --format json"),
    Command("describe missing.jsonl --format json"),
    Command("describe nested.jsonl --roster --format json"),
    Command("judgments agreement nested.jsonl --resamples 20 --format json"),
    Command("score plain.csv -m rouge1 -o scored.parquet", writes=("scored.parquet",)),
    Command("score flat.jsonl -m rouge-1 -o scored.csv", writes=("scored.csv",)),
    Command("score flat.jsonl -m rouge-1.f -o shards --format json", writes=("shards/scores/000000.parquet",)),
    Command("compare shards --format json"),
    Command("judgments preferences campaign --resamples 20 --format json"),
    Command("pyramid agreement campaign --across --resamples 20 --format json"),
    Command("pyramid score campaign --annotator C2 --format json"),
    Command("score campaign -m see-coverage -m question --format json"),
    Command(
        "correlate campaign -m rouge-1.recall --with question.quality --by granularity --resamples 20 --format json"
    ),
    Command("export nist campaign nist", writes=("nist",)),
    Command("import nist nist from-nist", writes=("from-nist",)),
    Command("import judgments answers-long.csv --into campaign --dry-run --format json"),
    Command("import judgments answers-wide.csv --into campaign --dry-run --format json"),
    Command(
        "import judgments answers-renamed.csv --into campaign --columns topic=ID,summarizer=SYSTEM,usefulness=q1"
        " --dry-run --format json"
    ),
    Command("import judgments answers-long.csv --into campaign --format json", writes=("campaign/judgments.jsonl",)),
    Command("import judgments answers-long.csv --into campaign --format json --strict"),
    Command("import scores campaign-scores.csv --into campaign --format json", writes=("campaign/scores",)),
    Command("import flat plain.csv imported", writes=("imported",)),
    Command("import flat flat.jsonl --into imported --format json", writes=("imported/summaries.jsonl",)),
    Command("import summaries unequal.jsonl --into imported --format json"),
    Command("import documents lines --into imported --format json --dry-run"),
    Command("import scores scores-long.csv --into imported --format json", writes=("imported/scores",)),
    Command("import campaign campaign --into imported --format json", writes=("imported/campaign.toml",)),
    Command("import lines lines/gpt.txt from-lines --option references=lines/references.txt", writes=("from-lines",)),
    Command("import records list.json from-records", writes=("from-records",)),
    Command("check imported --format json"),
)
CASES: tuple[Case, ...] = (*_text_cases(), *_score_cases(), *_standard_input(), *_python_calls(), *OTHERS)
REPORTS: tuple[Case, ...] = (
    Command(
        "report plain.csv -o plain.html --columns judgments=judge --pair gpt t5 --resamples 20 --date 2026-01-01",
        writes=("plain.html",),
    ),
)
