"""SIMetrix: its mapping file and its tables, in and out; numbers from the tool itself (golden/README.md)."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pyramidion
from formats.miniature import Import, Put
from pyramidion.campaign import Campaign, Document, Problems, Summary, Topic, plain
from pyramidion.cli import program as app
from pyramidion.formats import detect_format, find_format
from pyramidion.formats.programs.simetrix.simetrix_configuration import read_configuration
from pyramidion.formats.programs.simetrix.simetrix_tables import FEATURES, number, write_tables
from pyramidion.scores import Score, ScoreTable

GOLDEN = Path(__file__).parents[3] / "golden" / "model_free"
SCORES = json.loads((GOLDEN / "simetrix_scores.json").read_text(encoding="utf-8"))
INPUTS = [json.loads(line) for line in (GOLDEN / "simetrix_inputs.jsonl").read_text(encoding="utf-8").splitlines()]

MAPPING = "d1 sysA inputs/d1 summaries/d1.sysA.txt\n"
MICRO = "inputId sysId KLInputSummary KLSummaryInput unsmoothedJSD smoothedJSD\nd1 sysA 1.51 1.2034 0.41 0.30212\n"
MACRO = "sysId AvgKLInputSummary AvgKLSummaryInput AvgunsmoothedJSD AvgsmoothedJSD\nsysA 1.51 1.2034 0.41 0.30212\n"


@pytest.fixture
def mapping(put: Put) -> Path:
    """The miniature: a mapping with an input of two texts and a summary."""
    put("inputs/d1/first", "The ferry burned.\nNobody died.\n")
    put("inputs/d1/second", "The port was closed.")
    put("summaries/d1.sysA.txt", "Fire on a ferry.\n")
    return put("mapping.txt", MAPPING)


def test_the_miniature_is_imported_without_a_repair(mapping: Path, import_as: Import) -> None:
    campaign, problems = import_as("simetrix", mapping)
    assert list(problems) == []
    (topic,) = campaign.topics
    assert [(document.id, document.text) for document in topic.documents] == [
        ("first", "The ferry burned.\nNobody died.\n"),
        ("second", "The port was closed."),
    ]
    (summary,) = campaign.summaries
    assert (summary.topic, summary.summarizer, summary.kind, summary.text) == (
        "d1",
        "sysA",
        "peer",
        "Fire on a ferry.\n",
    )


def test_the_miniature_is_exported_byte_for_byte(mapping: Path, put: Put, import_as: Import) -> None:
    campaign, _ = import_as("simetrix", mapping)
    scores, problems = import_as("simetrix", put("mapping.txt.ieval.micro", MICRO))
    assert list(problems) == []
    whole = Campaign(topics=campaign.topics, summaries=campaign.summaries, imported=scores.imported)
    find_format("simetrix").write(whole, Path("out"), problems)
    assert list(problems) == []
    assert Path("out/mapping.txt").read_text(encoding="utf-8") == MAPPING
    assert Path("out/mapping.txt.ieval.micro").read_text(encoding="utf-8") == MICRO
    assert Path("out/mapping.txt.ieval.macro").read_text(encoding="utf-8") == MACRO
    for name in ("inputs/d1/first", "inputs/d1/second", "summaries/d1.sysA.txt"):
        assert Path("out", name).read_bytes() == Path(name).read_bytes()


def test_an_input_may_be_one_file_and_paths_relative_to_the_mapping(put: Put, import_as: Import) -> None:
    put("far/in/d1.txt", "The ferry burned.")
    put("far/sum/a.txt", "Fire.")
    campaign, problems = import_as("simetrix", put("far/map", "\n d1\tsysA \t in/d1.txt sum/a.txt\n\n"))
    assert [document.id for document in campaign.topics[0].documents] == ["d1.txt"]
    (problem,) = problems
    assert "read relative to map" in problem.remedy


def test_a_mapping_and_its_tables_are_recognised_by_content(mapping: Path, put: Put) -> None:
    files = (mapping, put("any.csv.not", MICRO), put("other", MACRO))
    assert [found.name for path in files if (found := detect_format(path))] == ["simetrix"] * 3
    assert detect_format(put("list", "summaries/d1.sysA.txt summaries/d1.sysA.txt")) is find_format("rouge-list")
    assert detect_format(put("no", "d1 sysA nowhere/d1 summaries/d1.sysA.txt")) is None
    assert detect_format(put("empty", "")) is None


def test_a_mapping_is_data_as_it_is(mapping: Path) -> None:
    table = pyramidion.score(str(mapping), ["coverage", "js(preset=simetrix)"])
    assert table.measures == ("coverage", "js(preset=simetrix)")


def test_micro_scores_have_our_names_directions_and_values(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("simetrix", put("x.micro", MICRO.replace("0.30212", "1.0E-5")))
    assert list(problems) == []
    assert [(one.measure, one.value, one.higher_is_better) for one in campaign.imported] == [
        ("kl-input-summary", 1.51, False),
        ("kl-summary-input", 1.2034, False),
        ("js", 0.41, False),
        ("js-smoothed", 0.00001, False),
    ]
    assert next(iter(campaign.imported)).signature == "kl-input-summary|SIMetrix"


def test_macro_scores_become_one_topic_and_that_is_said(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("simetrix", put("x.macro", MACRO))
    assert {(one.topic, one.summarizer) for one in campaign.imported} == {("average", "sysA")}
    assert [problem.found for problem in problems] == ["means over inputs"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "m:1: error: found no summary"),
        ("d1 sysA inputs/d1\n", "m:1: error: found 3 fields"),
        ("d1 sysA inputs/d1 summaries/d1 sysA.txt\n", "m:1: error: found 5 fields"),
        (MAPPING + MAPPING, "m:2: error: found input 'd1', system 'sysA' again (first on line 1)"),
        (MAPPING + "d1 sysB inputs summaries/d1.sysA.txt\n", "m:2: error: found 'inputs' for input 'd1'"),
        (MAPPING + "d2 sysA inputs/d2 summaries/d1.sysA.txt\n", "m:2: error: found no file or folder inputs/d2"),
        (MAPPING + "d1 sysB inputs/d1 summaries/none\n", "m:2: warning: found no file summaries/none"),
        (MICRO + "d1 sysA 1 2 3 4\n", "m:3: error: found 'd1 sysA' again (first on line 2)"),
        (MICRO + "d1 sysB 1 2 3\n", "m:3: error: found 5 fields"),
        (MICRO + "d1 sysB 1 2 3 x\n", "m:3: error: found 'x' as js-smoothed"),
        (MICRO + "d1 sysB 1 2 3 NaN\n", "m:3: warning: found NaN as js-smoothed"),
        (MICRO + "d1 sysB 1 2 3 -Infinity\n", "m:3: warning: found -Infinity as js-smoothed"),
        (MICRO.replace("smoothedJSD", "smoothedJS"), "m:1: warning: found the feature 'unsmoothedJS'"),
        (MICRO.split("\n")[0] + "\n", "m:1: error: found a header and no values"),
        ("inputId sysId unigramProb unigramProb\nd1 a 1 2\n", "m:1: error: found the feature 'unigramProb' again"),
        (MAPPING.replace("\n", "\r\n"), "m:1: warning: found 1 Windows line end"),
        ("\ufeff" + MAPPING, "m:1: warning: found a byte-order mark"),
        ("d1 \x00 " * 50, "m:1: error: found 100 fields"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_file_and_line(
    mapping: Path, put: Put, import_as: Import, content: str, message: str
) -> None:
    _, problems = import_as("simetrix", put("m", content))
    assert any(message in str(problem) for problem in problems), list(map(str, problems))


def test_other_encodings_of_texts_are_read_with_a_warning(mapping: Path, put: Put, import_as: Import) -> None:
    put("summaries/d1.sysA.txt", "The café burned.".encode("cp1252"))
    campaign, problems = import_as("simetrix", mapping)
    assert plain(campaign.summaries[0].text) == "The café burned."
    assert [problem.line for problem in problems if "not UTF-8" in problem.found] == [1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_file_is_read_or_refused_but_never_crashes(put: Put, import_as: Import, content: bytes) -> None:
    for start in (b"", MICRO.encode(), MACRO.encode(), b"inputId sysId x\n"):
        campaign, problems = import_as("simetrix", put("fuzz", start + content))
        assert problems.errors or campaign.imported or campaign.summaries


ids = st.text(min_size=1, max_size=6)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\r\ufeff"), max_size=20)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.dictionaries(ids, texts, min_size=1, max_size=3), st.dictionaries(ids, texts, min_size=1, max_size=3))
def test_what_is_exported_is_imported_again(
    tmp_path_factory: pytest.TempPathFactory, systems: dict[str, str], documents: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("out")
    campaign = Campaign(
        topics=(Topic(topic="t", documents=tuple(Document(id=id, text=text) for id, text in documents.items())),),
        summaries=tuple(Summary(topic="t", summarizer=id, kind="peer", text=text) for id, text in systems.items()),
    )
    problems = Problems()
    simetrix = find_format("simetrix")
    simetrix.write(campaign, folder, problems)
    again = simetrix.read(folder / "mapping.txt", problems, folder=folder)
    assert not problems.errors
    assert [plain(one.text) for one in again.summaries] == list(systems.values())
    assert sorted(plain(one.text) for one in again.topics[0].documents) == sorted(documents.values())


def test_ids_that_cannot_stand_in_a_mapping_are_written_otherwise_and_said(tmp_path: Path) -> None:
    document = Document(id="../../evil", text="x")
    campaign = Campaign(
        topics=(Topic(topic="a b", documents=(document,)), Topic(topic="lonely")),
        summaries=(
            Summary(topic="a b", summarizer="../x", kind="peer", text="x"),
            Summary(topic="a b", summarizer="M", kind="model", text="x"),
            Summary(topic="lonely", summarizer="y", kind="peer", text="x"),
        ),
    )
    problems = Problems()
    find_format("simetrix").write(campaign, tmp_path / "out", problems)
    written = (tmp_path / "out" / "mapping.txt").read_text(encoding="utf-8")
    assert written == "a%20b ../x inputs/a%20b summaries/a%20b.%2E.%2Fx.txt\n"
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
    said = " ".join(map(str, problems))
    assert "the id 'a b'" in said
    assert "topic 'lonely': found no documents" in said
    assert "1 reference" in said


def test_names_of_summaries_do_not_clash() -> None:
    problems = Problems()
    document = Document(id="d", text="x")
    pairs = [("a.b", "c"), ("a", "b.c")]
    campaign = Campaign(
        topics=tuple(Topic(topic=topic, documents=(document,)) for topic, _ in pairs),
        summaries=tuple(Summary(topic=topic, summarizer=who, kind="peer", text=topic) for topic, who in pairs),
    )
    with CliRunner().isolated_filesystem():
        find_format("simetrix").write(campaign, Path("out"), problems)
        again = find_format("simetrix").read(Path("out/mapping.txt"), problems, folder="out")
    assert [plain(one.text) for one in again.summaries] == ["a.b", "a"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.51, "1.51"), (0.30212, "0.30212"), (1.0, "1"), (0.0, "0"), (-0.0000001, "0"), (-96.30795, "-96.30795"),
     (0.9064, "0.9064"), (100.0, "100"), (float("nan"), "NaN")],
)  # fmt: skip
def test_numbers_have_up_to_five_decimals_and_no_trailing_zeros(value: float, expected: str) -> None:
    assert number(value) == expected


def test_macro_values_are_the_means_of_printed_micro_values() -> None:
    """All three runs of the golden file: 150 micro rows, 15 macro rows."""
    for name in ("tool_own", "tool_supplied"):
        run = SCORES["runs"][name]
        values = {
            (topic, system): dict(zip(FEATURES.values(), row, strict=True))
            for topic, systems in run["micro"].items()
            for system, row in systems.items()
        }
        _, macro = write_tables(values, list(FEATURES.values()))
        rows = {fields[0]: [float(value) for value in fields[1:]] for fields in map(str.split, macro[1:])}
        assert rows == run["macro"]


@pytest.fixture
def tool_folder(put: Put) -> Path:
    """The golden inputs as a user of the tool has them."""
    lines = []
    for item in INPUTS:
        for document in item["docs"]:
            put(f"inputs/{item['id']}/{document['name']}", document["text"])
        for summary in item["summaries"]:
            put(f"summaries/{item['id']}.{summary['system']}", summary["text"])
            lines.append(
                f"{item['id']} {summary['system']} inputs/{item['id']} summaries/{item['id']}.{summary['system']}"
            )
    return put("duc.mapping", "\n".join(lines) + "\n")


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, [*arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_who_moves_over_gets_the_numbers_of_the_tool(tool_folder: Path) -> None:
    """Import the mapping, score with the tool's settings and data, export: the tables are those of tool_supplied."""
    run("import", "simetrix", str(tool_folder), "campaign")
    data = f"background={GOLDEN}/simetrix_background.tsv,idf={GOLDEN}/simetrix_idf.tsv,stop={GOLDEN}/simetrix_stop.txt"
    asked = [argument for name in FEATURES.values() for argument in ("-m", f"{name}(preset=simetrix,{data})")]
    run("score", "campaign", *asked, "-o", "simetrix.parquet", "-q")
    run("import", "scores", "simetrix.parquet", "campaign")
    run("export", "simetrix", "campaign", "out")
    expected: dict[str, Any] = SCORES["runs"]["tool_supplied"]
    micro = [line.split() for line in Path("out/mapping.txt.ieval.micro").read_text(encoding="utf-8").splitlines()]
    assert micro[0] == ["inputId", "sysId", *SCORES["features"]]
    assert len(micro) == 31
    for topic, system, *values in micro[1:]:
        assert [float(value) for value in values] == expected["micro"][topic][system], (topic, system)
    macro = [line.split() for line in Path("out/mapping.txt.ieval.macro").read_text(encoding="utf-8").splitlines()]
    assert {row[0]: [float(value) for value in row[1:]] for row in macro[1:]} == expected["macro"]


def test_a_configuration_with_the_tools_own_files_gives_the_numbers_of_the_tool(tool_folder: Path, put: Put) -> None:
    """The golden background and idf in the layout of the tool's files, named by a configuration as users have it."""
    background = (GOLDEN / "simetrix_background.tsv").read_text(encoding="utf-8").split("\n", 1)[1].replace("\t", " ")
    idf = (GOLDEN / "simetrix_idf.tsv").read_text(encoding="utf-8").split("\n", 1)[1].replace("\t", " ")
    put("bgFreqCounts.unstemmed.txt", background)
    put("bgIdfValues.stemmed.txt", f"5000\n{idf}")
    put("stop.txt", (GOLDEN / "simetrix_stop.txt").read_text(encoding="utf-8"))
    config = put(
        "config",
        "==== Options ====\nperformStemming = Y\nremoveStopWords = Y\nstopFilePath = stop.txt\n"
        "backgroundCorpusFreqCounts = bgFreqCounts.unstemmed.txt\nbackgroundIdfUnstemmed = none.txt\n"
        "backgroundIdfStemmed = bgIdfValues.stemmed.txt\ntopicWordCutoff = 10.0\n",
    )
    run("import", "simetrix", str(tool_folder), "campaign", "--option", f"config={config}")
    names = read_configuration(config, Problems())
    assert len(names) == 10
    out = run("score", "campaign", *(argument for name in names for argument in ("-m", name)), "--format", "json")
    found = {
        (row["topic"], row["summarizer"], row["measure"].partition("(")[0]): row["value"]
        for row in map(json.loads, out.splitlines())
    }
    expected = {
        (topic, system, feature): value
        for topic, systems in SCORES["runs"]["tool_supplied"]["micro"].items()
        for system, values in systems.items()
        for feature, value in zip(FEATURES.values(), values, strict=True)
    }
    assert found == expected


@pytest.mark.parametrize(("given", "cutoff"), [("5", 5 * math.log(10)), ("10", None), ("many", None), ("-1", None)])
def test_another_cutoff_of_topic_words_is_taken_over(put: Put, given: str, cutoff: float | None) -> None:
    problems = Problems()
    names = read_configuration(put("config", f"divergence = N\ntopicWordCutoff = {given}\n"), problems)
    found = [getattr(pyramidion.measures.select(name).measure, "cutoff", None) for name in names]
    assert found == [None, cutoff, cutoff, cutoff, None, None]
    assert [problem.field for problem in problems] == ([] if given.isdigit() else ["topicWordCutoff"])


def test_tables_of_the_tool_are_imported_into_the_campaign_of_its_mapping(tool_folder: Path, put: Put) -> None:
    rows = {
        (topic, system): dict(zip(FEATURES.values(), values, strict=True))
        for topic, systems in SCORES["runs"]["tool_own"]["micro"].items()
        for system, values in systems.items()
    }
    micro, _ = write_tables(rows, list(FEATURES.values()))
    run("import", "simetrix", str(tool_folder), "campaign")
    run("import", "simetrix", str(put("duc.mapping.ieval.micro", "\n".join(micro))), "campaign")
    out = run("score", "campaign", "-m", "imported.js", "--format", "json")
    found = {(row["topic"], row["summarizer"]): row["value"] for row in map(json.loads, out.splitlines())}
    assert found == {key: values["js"] for key, values in rows.items()}


def test_of_two_columns_the_one_with_the_tools_settings_is_written(tmp_path: Path) -> None:
    scores = ScoreTable.of(
        Score(measure=name, topic="t", summarizer="s", value=value)
        for name, value in (("js", 1.0), ("js(preset=simetrix)", 2.0), ("rouge-2.recall", 3.0))
    )
    problems = Problems()
    find_format("simetrix").write(Campaign(imported=scores), tmp_path, problems)
    micro = (tmp_path / "mapping.txt.ieval.micro").read_text(encoding="utf-8")
    assert micro == "inputId sysId unsmoothedJSD\nt s 2\n"
    assert any("2 columns of js" in problem.found for problem in problems)


def test_a_configuration_says_which_measures_it_asks_for(mapping: Path, put: Put, import_as: Import) -> None:
    config = put(
        "config",
        "# SIMetrix\nperformStemming = N\nremoveStopWords=Y\nstopFilePath = data/stop words.txt\ndivergence = Y\n"
        "frequencyFeatures = N\ncosineOverlap = Y\ntopicWordFeatures = N\nbackgroundIdfStemmed = bg.txt\nother line\n",
    )
    problems = Problems()
    names = read_configuration(config, problems)
    options = '(preset=simetrix,stem=no,stop="data/stop words.txt")'
    assert names == [f"{name}{options}" for name in list(FEATURES.values())[:5]]
    assert list(problems) == []  # the idf of stems is not for words that are not stemmed
    assert [pyramidion.measures.select(name).name for name in names] == names
    campaign, _ = import_as("simetrix", mapping, config=str(config))
    assert campaign.description == f"SIMetrix: {' '.join(names)}"
