"""A small specimen of every format that is read: what the tests with mutated input start from. All texts are made up."""

from __future__ import annotations

import gzip
import json
import pickle
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

import pyramidion
from formats.datasets import test_modern_sets as sets
from formats.datasets.realsumm.test_realsumm import CROWD, LIST, scores
from formats.harnesses import test_harnesses as outside
from formats.miniature import CONFIGURATION, TEXTS
from formats.programs.simetrix.test_simetrix import MACRO, MICRO
from formats.programs.test_nuggets import MINIATURES as NUGGETS
from formats.programs.test_pyreval import TABLE, XML
from formats.rouge.test_out import OUTPUT
from pyramidion.campaign import Campaign, Problems, write_flat, write_folder
from pyramidion.formats import find_format
from pyramidion.scores import write_scores

WHOLE_FOLDERS = ("realsumm", "auto-argue")
"""Formats that are read from several files at once."""
GOLDEN = Path(__file__).parent / "golden"
ROWS = [
    {"id": n, "model": who, "prediction": f"a ferry burned {n}", "reference": "the ferry", "judge": n + 0.5}
    for n in range(3)
    for who in ("A", "B")
]


@dataclass(frozen=True)
class Specimen:
    """Data of one format: its files are all those below a folder."""

    name: str
    format: str
    folder: Path
    data: str = ""
    """What commands get, below the folder; nothing: the folder itself."""
    words: tuple[str, ...] = ()
    """What `score` gets instead, where there is no DATA; {} is the folder."""
    options: tuple[str, ...] = ()
    """Further words of `import`."""

    @property
    def scores_alone(self) -> bool:
        """Whether it has no texts, so that `import` writes a table."""
        return (
            self.name in ("rouge-out", "sacrerouge", "simetrix (scores)", "simetrix (means)") or self.format == "scores"
        )

    @property
    def path(self) -> Path:
        return self.folder / self.data

    def files(self) -> list[Path]:
        return sorted(one for one in self.folder.rglob("*") if one.is_file())

    def as_data(self) -> list[str]:
        return [word.format(self.folder) for word in self.words] or [str(self.path)]

    def as_source(self) -> list[str]:
        return [self.format, str(self.path), *(word.format(self.folder) for word in self.options)]


def small_campaign() -> Campaign:
    """Two topics of the demo with three systems and everything that is known about them."""
    demo = pyramidion.load("demo")
    topics = demo.topic_ids[:2]
    who = [one for one in demo.summarizer_ids if any(s.kind == "peer" and s.summarizer == one for s in demo.summaries)]
    kept = {*who[:3], *(one.summarizer for one in demo.summaries if one.kind == "model")}

    def mine(noun: Any) -> bool:
        return noun.topic in topics and getattr(noun, "summarizer", None) in (None, *kept)

    nouns: dict[str, Any] = {
        name: tuple(one for one in getattr(demo, name) if mine(one))
        for name in ("topics", "summaries", "judgments", "pyramids", "annotations", "coverage")
    }
    preferences = tuple(one for one in demo.preferences if one.topic in topics and {one.a, one.b} <= kept)
    return replace(
        demo, preferences=preferences, summarizers={k: v for k, v in demo.summarizers.items() if k in kept}, **nouns
    )


def specimens(folder: Path) -> list[Specimen]:
    """All of them, written below a folder, each in a folder of its own."""
    campaign = small_campaign()
    found = [*_own(folder, campaign), *_exported(folder, campaign), *_foreign(folder)]
    shutil.copytree(GOLDEN / "nist" / "tac2008" / "tree", folder / "nist")
    return [*found, Specimen("nist", "nist", folder / "nist")]


def _own(folder: Path, campaign: Campaign) -> Iterator[Specimen]:
    target = folder / "campaign"
    write_folder(campaign, target)
    write_scores(pyramidion.score(campaign, "rouge-1"), target / "scores" / "r.parquet")
    yield Specimen("campaign", "campaign", target)
    frame = pl.DataFrame(ROWS)
    scored = frame.select("id", "model", "judge")
    written: dict[str, tuple[str, Callable[[Path], object]]] = {
        "flat.jsonl": ("flat", lambda path: write_flat(campaign, path)),
        "flat.parquet": ("flat", lambda path: write_flat(campaign, path)),
        "rows.jsonl": ("flat", frame.write_ndjson),
        "rows.csv": ("flat", frame.write_csv),
        "rows.json": ("records", lambda path: path.write_text(json.dumps(ROWS))),
        "rows.tsv": ("records", lambda path: frame.write_csv(path, separator="\t")),
        "rows.parquet": ("records", frame.write_parquet),
        "rows.arrow": ("records", frame.write_ipc),
        "rows.jsonl.gz": ("records", lambda path: path.write_bytes(gzip.compress(frame.write_ndjson().encode()))),
        "scores.csv": ("scores", scored.write_csv),
        "scores.jsonl": ("scores", scored.write_ndjson),
        "scores.parquet": ("scores", scored.write_parquet),
    }
    for name, (format, write) in written.items():
        (folder / name).mkdir()
        write(folder / name / name)
        yield Specimen(name, format, folder / name, name)


def _exported(folder: Path, campaign: Campaign) -> Iterator[Specimen]:
    mains = {"rouge-xml": "rouge.xml", "simetrix": "mapping.txt", "lines": "1.txt"}
    for name in ("rouge-xml", "ducview", "lite-pyramid", "simetrix", "folder", "lines"):
        (folder / name).mkdir()
        find_format(name).write(campaign, folder / name, Problems())
        specimen = Specimen(name, name, folder / name, mains.get(name, ""))
        if name == "lines":
            words = ("--predictions", "{}/1.txt", "--predictions", "{}/2.txt", "--references", "{}/A.txt")
            options = ("--option", "references={}/A.txt", "--option", "ids={}/ids.txt")
            specimen = replace(specimen, words=(*words, "--sources", "{}/sources.txt"), options=options)
        yield specimen


def _foreign(folder: Path) -> Iterator[Specimen]:
    """What other programs and people write."""
    lines = {
        name: sets.lines(*[held] * (2 if name in ("lm-eval", "sacrerouge") else 1))
        for name, (_, held) in outside.MINIATURES.items()
    }
    files: dict[str, dict[str, str | bytes]] = {
        name: {file: lines[name]} for name, (file, _) in outside.MINIATURES.items()
    }
    files |= {
        "summeval": {"aligned.jsonl": sets.lines(sets.SUMMEVAL)},
        "rose": {"rose.jsonl": sets.lines(sets.ROSE)},
        "qapyramid": {"qa.jsonl": sets.lines(sets.QAPYRAMID, sets.WITHOUT_PEERS)},
        "newsroom": {"newsroom.csv": sets.NEWSROOM},
        "summeval-op": {"summeval-op.jsonl": sets.lines(sets.OP_MEANS, sets.OP_DETAILED)},
        **NUGGETS,
        "rouge-out": {"old.out": OUTPUT},
        "rouge-xml (SPL)": {"rouge.xml": CONFIGURATION, **TEXTS},
        "pyreval (XML)": {"t.xml": XML},
        "pyreval (lines)": {"t.pyr.txt": TABLE},
        "simetrix (scores)": {"m.ieval.micro": MICRO},
        "simetrix (means)": {"m.ieval.macro": MACRO},
        "realsumm": {
            "SCUs_list.csv": LIST,
            "SCU_rating_results_abs/sysA.csv": CROWD,
            "scores_dicts/abs.pkl": pickle.dumps(scores(litepyramid_recall=0.9, rouge_1_f_score="0.25")),
        },
    }
    for name, held in files.items():
        for file, content in held.items():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        yield Specimen(name, name.partition(" ")[0], folder / name, "" if name in WHOLE_FOLDERS else next(iter(held)))
