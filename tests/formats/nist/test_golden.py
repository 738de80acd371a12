"""nist: the miniature packages come out as their expected.json says, from folders and from archives alike."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest

from formats.nist.packages import FORMS, GOLDEN, NAMES, expected, imported
from pyramidion import Evaluation, pyramid, score
from pyramidion.campaign import Problems, write_folder
from pyramidion.campaign.folder import read_folder
from pyramidion.campaign.nouns import Summary, plain
from pyramidion.errors import UsageError
from pyramidion.formats import find_format
from pyramidion.formats.nist.archives import all_files
from pyramidion.formats.nist.find import find_package
from pyramidion.formats.rouge.rouge_out import parse_output
from pyramidion.options import Choice
from pyramidion.scores import ScoreTable

pytestmark = pytest.mark.slow
every = pytest.mark.parametrize(("name", "form"), list(product(NAMES, FORMS)))


def totals(summaries: Iterable[Summary]) -> dict[str, int]:
    texts = [plain(one.text) for one in summaries]
    lines = [line for text in texts for line in text.split("\n") if line]
    return {"summaries": len(texts), "lines": len(lines), "characters": sum(map(len, lines))}


def sums(table: ScoreTable, measure: str, *, topics: Iterable[str] | None = None) -> dict[str, object]:
    wanted = None if topics is None else set(topics)
    values = [one.value for one in table if one.measure == measure and (wanted is None or one.topic in wanted)]
    return {"n": len(values), "sum": pytest.approx(sum(values), abs=1e-6)}


@every
def test_topics_are_as_expected(name: str, form: str) -> None:
    campaign, _ = imported(name, form)
    topics = {topic.topic: topic for topic in campaign.topics}
    assert len(topics) == expected(name)["totals"]["topics"]
    for wanted in expected(name)["topics"]:
        topic = topics[wanted["topic"]]
        written = [one for one in campaign.summaries if one.topic == topic.topic]
        assert {
            "title": topic.title,
            "narrative": topic.narrative,
            "selector": topic.attributes["selector"],
            "documents": len(topic.documents),
            "background": len(topic.background),
            "parent": topic.parent,
            "part": topic.part,
            "models": [one.summarizer for one in written if one.kind == "model"],
            "peers": [one.summarizer for one in written if one.kind == "peer"],
        } == {"background": 0, "parent": "", "part": ""} | {
            key: value for key, value in wanted.items() if key != "topic"
        }


@every
def test_documents_are_as_expected(name: str, form: str) -> None:
    campaign, _ = imported(name, form)
    documents = {
        topic.topic: [
            {"id": one.id, "date": one.date, "headline": one.headline or None, "text": one.text}
            for one in topic.documents
        ]
        for topic in campaign.topics
    }
    wanted = expected(name)
    if "documents" in wanted:
        assert documents == wanted["documents"]
    assert sum(map(len, documents.values())) == wanted["totals"]["documents"]
    if "distinct_documents" in wanted["totals"]:
        assert (
            len({one["id"] for several in documents.values() for one in several})
            == wanted["totals"]["distinct_documents"]
        )


@every
def test_texts_and_counts_are_as_expected(name: str, form: str) -> None:
    campaign, _ = imported(name, form)
    wanted = expected(name)["totals"]
    peers = [one for one in campaign.summaries if one.kind == "peer"]
    assert totals(one for one in campaign.summaries if one.kind == "model") == wanted["models"]
    assert totals(peers) == wanted.get("peers", wanted.get("peers_corrected (default)"))
    assert sum(not plain(one.text) for one in peers) == wanted.get("empty_peers", 0)
    assert len(campaign.pyramids) == wanted["pyramids"]
    assert len(campaign.annotations) == wanted["annotations"]


@every
def test_judgments_are_as_expected(name: str, form: str) -> None:
    campaign, _ = imported(name, form)
    wanted = expected(name)["totals"]
    groups = [("judgments", None), ("judgments_main", False), ("judgments_update", True)]
    for key, update in groups:
        if key not in wanted:
            continue
        own = [one for one in campaign.judgments if update is None or ("-" in one.topic) == update]
        values: dict[str, float] = defaultdict(float)
        for judgment in own:
            values[judgment.question] += judgment.value
        counts = Counter(one.question for one in own)
        assert {one: {"n": counts[one], "sum": values[one]} for one in counts} == wanted[key]
    if "judgment_rows" in wanted:
        assert len(campaign.judgments) == wanted["judgment_rows"]
        assert {one.topic: one.assessor for one in campaign.judgments} == wanted["assessors"]
    low, high = wanted.get("scale", (1, 5))
    assert {question.scale for question in campaign.questions} == {(low, high)}


@every
def test_the_roster_is_as_expected(name: str, form: str) -> None:
    campaign, _ = imported(name, form)
    kinds = {id: who.kind for id, who in campaign.summarizers.items()}
    wanted = expected(name)["summarizers"]
    named = {
        **wanted.get("main", {}),
        **wanted.get("update", {}),
        **{id: kind for id, kind in wanted.items() if id.isdecimal()},
    }
    assert {id for id, kind in kinds.items() if kind == "baseline"} == {
        id for id, kind in named.items() if kind == "baseline"
    }
    assert all(kinds[id] == kind for id, kind in named.items())
    assert all((kind == "human") == id.isalpha() for id, kind in kinds.items())


@every
def test_pyramids_are_as_expected(name: str, form: str) -> None:
    campaign, _ = imported(name, form)
    for wanted in expected(name)["pyramids"]:
        first = next(one for one in campaign.pyramids if one.topic == wanted["topic"])
        assert first.weights == "contributors"
        assert list(first.models) == wanted["models"]
        assert len(first.scus) == wanted["scus"]
        assert sum(len(scu.contributors) for scu in first.scus) == wanted["contributors"]
        if "weight_by_models" in wanted:
            assert sum(scu.weight for scu in first.scus) == wanted["weight_by_models"]


@every
def test_official_pyramid_scores_are_as_expected(name: str, form: str) -> None:
    campaign, _ = imported(name, form)
    wanted = expected(name)["official_pyramid_scores"]
    scores = {(one.measure, one.topic, one.summarizer): one.value for one in campaign.imported}
    rows = Counter((row["topic"], row["summarizer"]) for row in wanted["rows"])
    annotators = {(one.topic, one.summarizer, one.annotator) for one in campaign.annotations}
    for row in wanted["rows"]:
        key = (row["topic"], row["summarizer"])
        base = "nist-pyramid" if rows[key] == 1 else f"nist-pyramid(annotator={row['annotator']})"
        for statistic in ("modified", "scus", "repetitions", "jackknifed"):
            if statistic in row:
                assert scores[f"{base}.{statistic}", *key] == row[statistic]
        assert (*key, row["annotator"]) in annotators
        if "unmatched_marked" in row:
            annotation = next(
                one
                for one in campaign.annotations
                if (one.topic, one.summarizer, one.annotator) == (*key, row["annotator"])
            )
            assert (annotation.unmatched is not None) == row["unmatched_marked"]
    for row in wanted.get("model_rows", ()):
        for statistic in ("scus", "jackknifed"):
            assert scores[f"nist-pyramid.{statistic}", row["topic"], row["summarizer"]] == row[statistic]
    with_two = [key for key, count in rows.items() if count == 2]
    for topic, who in with_two:
        both = [row["modified"] for row in wanted["rows"] if (row["topic"], row["summarizer"]) == (topic, who)]
        assert scores["nist-pyramid.modified", topic, who] == pytest.approx(sum(both) / 2)


@every
def test_scores_of_outputs_are_as_expected(name: str, form: str) -> None:
    """The names carry the option of the file; expected.json writes them without."""
    wanted = expected(name)["rouge_outputs"]
    runs = {"NISTeval2/": {}, "NISTeval/": {"texts": "judged"}}
    for path, output in wanted.items():
        options = next((options for start, options in runs.items() if path.startswith(start)), {})
        campaign, _ = imported(name, form, **options)
        topics = {key.split()[0] for key in output["by_summary"]}
        option = "(jackknife=yes)" if "jk" in path else ""
        for measure, found in output["scores"].items():
            base, _, statistic = measure.rpartition(".")
            assert found == sums(campaign.imported, f"{base}{option}.{statistic}", topics=topics)
        named = "be-hm" if "BE/" in path else "rouge-2"
        scores = {(one.measure, one.topic, one.summarizer): one.value for one in campaign.imported}
        for key, summary in output["by_summary"].items():
            assert scores[f"{named}{option}.recall", *key.split()] == pytest.approx(summary["mean"], abs=1e-6)


@every
def test_items_of_outputs_are_counted_as_expected(name: str, form: str) -> None:
    files = {file.inner.as_posix(): file for file in all_files([GOLDEN / name / form], Problems())}
    for path, output in expected(name)["rouge_outputs"].items():
        problems = Problems()
        parsed = parse_output(files[path].read(problems).decode(), problems.at(path))
        assert parsed is not None
        assert len({item.line for item in parsed.items}) == output["item_lines"]
        assert parsed.jackknifed == ("jk" in path)
        named = "be-hm.recall" if "BE/" in path else "rouge-2.recall"
        items = Counter(f"{one.topic} {one.summarizer}" for one in parsed.items if one.measure == named)
        assert items == {key: summary["items"] for key, summary in output["by_summary"].items()}


@every
def test_every_repair_is_listed_and_nothing_that_is_none(name: str, form: str) -> None:
    _, problems = imported(name, form)
    listed = [f"{one.file} {one.found} {one.remedy}" for one in problems]
    matched: set[str] = set()
    for repair in expected(name)["repairs"]:
        patterns = [_pattern(file) for file in repair["file"].split(" and ")]
        for pattern in patterns:
            found = {line for line in listed if re.search(pattern, line.split(" found ")[0])}
            assert found, repair
            matched |= found
    assert matched == set(listed)  # whatever is not a repair imports in silence


def _pattern(file: str) -> str:
    """A file, or files, as expected.json names them: `{01,02}` and `*`."""
    braces = re.sub(r"\\\{([^}]*)\\\}", lambda match: f"(?:{match[1].replace(',', '|')})", re.escape(file))
    return braces.replace(r"\*", ".*")


def test_the_repairs_have_their_numbers() -> None:
    _, problems = imported("duc2007", "tree")
    moved = [one for one in problems if one.file.endswith("D0792-BDEI.pyr")]
    assert sum(one.count for one in moved) == 14
    _, problems = imported("duc2006", "tree")
    assert sum("startDocumentRegEx" in one.found for one in problems if "/115.D0693." in one.file) == 4
    assert [one.count for one in problems if "zeros in front" in one.found] == [3]


def test_two_runs_are_a_remark_with_its_number() -> None:
    for texts in ("corrected", "judged"):
        campaign, problems = imported("duc2006", "tree", texts=texts)
        (remark,) = [one for one in problems.remarks if "between the two runs" in one]
        (note,) = expected("duc2006")["notes"]
        assert remark.startswith(f"{note['n']} texts differ")
        assert all(where in remark for where in note["where"])
        assert f"in {len(note['prefix'])} of them" in remark
        wanted = expected("duc2006")["totals"]
        key = "peers_judged" if texts == "judged" else "peers_corrected (default)"
        assert totals(one for one in campaign.summaries if one.kind == "peer") == wanted[key]


def test_judged_texts_need_no_repair_of_spans() -> None:
    _, problems = imported("duc2006", "tree", texts="judged")
    assert not any("found again by their words" in one.remedy for one in problems)


@pytest.mark.parametrize("name", NAMES)
def test_both_forms_give_the_same_campaign(name: str) -> None:
    (tree, _), (archives, _) = imported(name, "tree"), imported(name, "archives")
    for nouns in ("topics", "summaries", "judgments", "pyramids", "annotations", "questions", "summarizers"):
        assert getattr(tree, nouns) == getattr(archives, nouns)
    assert set(tree.imported) == set(archives.imported)


@pytest.mark.parametrize("name", NAMES)
def test_official_scores_follow_from_the_annotations(name: str) -> None:
    """NIST's rule is the number of contributors; counting models gives fewer of the official scores."""
    campaign, _ = imported(name, "tree")
    wanted = expected(name)["official_pyramid_scores"]
    official = {(row["topic"], row["summarizer"], row["annotator"]): row["modified"] for row in wanted["rows"]}
    digits = 3 if name.startswith("tac") else 4
    for rule in ("contributors", "models"):
        rows = pyramid.score(campaign, weights=rule).scores
        found = {(row.topic, row.summarizer, row.annotator): round(row.modified + 1e-9, digits) for row in rows}
        agree = sum(abs(found[key] - value) < 10**-digits for key, value in official.items())
        assert agree == wanted["reproduced_with_weight"][rule]


def test_jackknifed_scores_of_tac_follow_from_the_pyramids() -> None:
    campaign, _ = imported("tac2008", "tree")
    official = {
        (one.topic, one.summarizer): one.value for one in campaign.imported if one.measure == "nist-pyramid.jackknifed"
    }
    table = score(campaign, ["pyramid(jackknife=yes).modified"], peers="all")
    found = {(one.topic, one.summarizer): one.value for one in table}
    assert len(official) == 27
    assert all(found[key] == pytest.approx(value, abs=6e-4) for key, value in official.items())
    assert "|weights:contributors|" in next(iter(table)).signature


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_loads_without_errors(name: str, tmp_path: Path) -> None:
    campaign, _ = imported(name, "tree")
    write_folder(campaign, tmp_path / name)
    problems = Problems()
    again = read_folder(tmp_path / name, problems)
    assert problems.errors == 0
    assert again.pyramids == campaign.pyramids
    assert len(again.imported) == len(campaign.imported)


@pytest.mark.parametrize(
    ("name", "configuration", "output"),
    [
        ("duc2006", "NISTeval/ROUGE/rougejk.in", "NISTeval/ROUGE/rougejk.m.out"),
        ("duc2007", "updateEval/ROUGE/rougejk.in", "updateEval/ROUGE/rougejk.m.out"),
        ("tac2008", "UpdateSumm08_eval/ROUGE/rougejk.in", "UpdateSumm08_eval/ROUGE/rougejk.m.out"),
    ],
)
def test_configurations_of_nist_give_the_scores_of_its_outputs(name: str, configuration: str, output: str) -> None:
    """Computed by the Perl program: the mean over leaving out each model, a human against the three others."""
    problems = Problems()
    campaign = find_format("rouge-xml").read(GOLDEN / name / "tree" / configuration, problems, evaluations="joined")
    assert problems.errors == 0
    found = {
        f"{one.topic} {one.summarizer}": one.value
        for one in score(campaign, ["rouge-2(jackknife=yes).recall"], peers="all")
    }
    wanted = expected(name)["rouge_outputs"][output]["by_summary"]
    assert found == {key: pytest.approx(summary["mean"], abs=1e-5) for key, summary in wanted.items()}


@pytest.mark.parametrize(
    ("name", "folder", "options"),
    [
        ("duc2006", "NISTeval/ROUGE", {"texts": "judged"}),
        ("tac2008", "UpdateSumm08_eval/ROUGE", {}),
    ],
)
def test_jackknifed_averages_and_limits_are_those_of_the_perl_program(
    name: str, folder: str, options: dict[str, str]
) -> None:
    """rougejk.m.out by ROUGE-1.5.5 (README): it resamples the leave-one-out evaluations, not topics."""
    output = (GOLDEN / name / "tree" / folder / "rougejk.m.out").read_text()
    printed = re.findall(r"^(\S+) (ROUGE-\w+) Average_R: (\S+) \(95%-conf.int. (\S+) - (\S+)\)", output, re.MULTILINE)
    wanted = {(who, measure.lower()): tuple(map(float, rest)) for who, measure, *rest in printed}
    wanted = {key: values for key, values in wanted.items() if key[1] in ("rouge-2", "rouge-su4")}
    measures = [f"{measure}(jackknife=yes,rounding=rouge155).recall" for measure in ("rouge-2", "rouge-su4")]
    evaluation = Evaluation(imported(name, "tree", **options)[0], Choice(peers="all"))
    averages = evaluation.averages(measures, bootstrap="rouge155").averages
    found = {
        (one.summarizer, one.measure.partition("(")[0]): (one.bootstrap_mean, one.lower, one.upper) for one in averages
    }
    assert len(wanted) > 10
    assert {key: tuple(round(value or 0, 5) for value in found[key]) for key in wanted} == wanted
    assert {one.method for one in averages} == {"macro, rouge155 bootstrap of leave-one-out scores"}


def test_what_is_not_imported_is_named() -> None:
    rows = list(find_package([GOLDEN / "duc2006/tree"], Problems()).rows())
    use = {name: row.use for row in rows for name in row.names}
    assert {name: use[name] for name in ("_DS_Store", "DUCView-1.4.jar", "D0691a.scu", "2006_content.table")} == {
        "_DS_Store": "skip",
        "DUCView-1.4.jar": "skip",
        "D0691a.scu": "skip",
        "2006_content.table": "compare",
    }
    averages = {name for row in rows if row.what == "averages" for name in row.names}
    assert averages == {"avg_content", "avg_overall", "rouge2.jk.m.avg", "rougeSU4.jk.m.avg", "simple.jk.m.hm.avg"}
    assert (use["avg_content"], use["content.table"]) == ("compare", "import")


@pytest.mark.parametrize("name", NAMES)
def test_unmatched_says_what_an_empty_uid_0_means(name: str) -> None:
    unmarked, problems = imported(name, "tree")
    marked, marked_problems = imported(name, "tree", unmatched="marked")
    assert len(marked.annotations) == len(unmarked.annotations) > 0
    # What somebody marked stays; what was not marked is now nothing, so that the original score can be computed.
    before = [annotation.unmatched for annotation in unmarked.annotations]
    assert [annotation.unmatched for annotation in marked.annotations] == [units or () for units in before]
    is_remarked = any("was not marked" in remark for remark in problems.remarks)
    assert is_remarked == (None in before)
    assert not any("was not marked" in remark for remark in marked_problems.remarks)


def test_unmatched_takes_two_words_only() -> None:
    with pytest.raises(UsageError, match="marked, unmarked"):
        imported("duc2006", "tree", unmatched="yes")
