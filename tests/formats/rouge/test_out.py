"""rouge-out: what ROUGE-1.5.5 printed, as imported scores. Values are those of the lines themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.miniature import Import, Put, only
from pyramidion.campaign import Campaign, Problems
from pyramidion.formats import detect_format, find_format
from pyramidion.formats.rouge.rouge_out import measure_name

AVERAGES = """---------------------------------------------
12 ROUGE-2 Average_R: 0.08123 (95%-conf.int. 0.07710 - 0.08540)
12 ROUGE-2 Average_P: 0.08001 (95%-conf.int. 0.07600 - 0.08420)
12 ROUGE-2 Average_F: 0.08060 (95%-conf.int. 0.07660 - 0.08470)
"""
OUTPUT = f"""{AVERAGES}.............................................
12 ROUGE-2 Eval D9901.M.250.A.12 R:0.07143 P:0.06897 F:0.07018
"""
FORMAT = find_format("rouge-out")


def values(campaign: Campaign) -> dict[tuple[str, str, str], float]:
    return {(score.measure, score.topic, score.summarizer): score.value for score in campaign.imported}


def test_the_miniature_imports_without_a_repair(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("rouge-out", put("old.out", OUTPUT))
    assert len(problems) == 0
    assert values(campaign) == {
        ("rouge-2.recall", "D9901", "12"): 0.07143,
        ("rouge-2.precision", "D9901", "12"): 0.06897,
        ("rouge-2.f", "D9901", "12"): 0.07018,
    }


def test_averages_alone_become_one_topic_and_that_is_said(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("rouge-out", put("old.out", AVERAGES))
    assert values(campaign) == {
        ("rouge-2.recall", "average", "12"): 0.08123,
        ("rouge-2.precision", "average", "12"): 0.08001,
        ("rouge-2.f", "average", "12"): 0.0806,
    }
    assert "found averages only" in only(problems)


def test_an_average_twice_is_an_error(put: Put, import_as: Import) -> None:
    _, problems = import_as("rouge-out", put("old.out", AVERAGES + AVERAGES))
    assert problems.errors == 3
    assert "old.out:6: error: found the average of rouge-2.recall for '12' again (first on line 2)" in {
        str(problem).partition(";")[0] for problem in problems
    }


@pytest.mark.parametrize(
    ("id", "system", "topic"),
    [
        ("D9901.M.250.A.12", "12", "D9901"),
        ("D0703-B.M.100.E.12", "12", "D0703-B"),
        ("D9901.12", "12", "D9901"),
        ("my.topic.12", "12", "my.topic"),
        ("7.gpt-4.1", "gpt-4.1", "7"),
    ],
)
def test_the_topic_comes_from_the_item(put: Put, import_as: Import, id: str, system: str, topic: str) -> None:
    line = f"{system} ROUGE-1 Eval {id} R:0.50000 P:0.25000 F:0.33333\n"
    campaign, problems = import_as("rouge-out", put("old.out", line))
    assert len(problems) == 0
    assert values(campaign)["rouge-1.recall", topic, system] == 0.5


def test_an_item_of_another_system_is_said(put: Put, import_as: Import) -> None:
    line = "12 ROUGE-1 Eval D9901.M.250.A.13 R:0.50000 P:0.25000 F:0.33333\n"
    campaign, problems = import_as("rouge-out", put("old.out", line))
    assert "The topic was read as 'D9901.M.250.A', the summarizer as '12'." in only(problems)
    assert len(campaign.imported) == 3


def test_letters_in_nist_names_are_humans(put: Put, import_as: Import) -> None:
    lines = "".join(f"{who} ROUGE-1 Eval D9901.M.250.A.{who} R:0.5 P:0.2 F:0.3\n" for who in ("A", "12"))
    campaign, _ = import_as("rouge-out", put("old.out", lines))
    assert [campaign.kind_of(who) for who in ("A", "12")] == ["human", "participant"]


def test_jackknifed_lines_are_averaged_with_a_note(put: Put, import_as: Import) -> None:
    lines = "".join(f"12 ROUGE-1 Eval D9901.M.250.A.12 R:{r} P:0.50000 F:0.50000\n" for r in ("0.25000", "0.75000"))
    campaign, problems = import_as("rouge-out", put("old.out", lines))
    assert values(campaign)["rouge-1.recall", "D9901", "12"] == 0.5
    assert only(problems).startswith("old.out:2: warning: found several values for 3 of 3 scores (jackknife)")


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("ROUGE-1", "rouge-1"),
        ("ROUGE-L", "rouge-l"),
        ("ROUGE-W-1.2", "rouge-w1.2"),
        ("ROUGE-W-2.0", "rouge-w2"),
        ("ROUGE-S4", "rouge-s4"),
        ("ROUGE-S*", "rouge-s*"),
        ("ROUGE-SU4", "rouge-su4"),
        ("ROUGE-SU*", "rouge-su*"),
        ("ROUGE-BE-HM", "be-hm"),
        ("ROUGE-BE-HMR2", "be-hmr2"),
        ("ROUGE-X", None),
    ],
)
def test_measures_are_named_like_ours(tag: str, name: str | None) -> None:
    assert measure_name(tag) == name


def test_counts_are_refused_in_clear_words(put: Put, import_as: Import) -> None:
    totals = "-----\n12 ROUGE-2 M_count: 480 P_count: 470 H_count: 40\n"
    campaign, problems = import_as("rouge-out", put("t2.out", totals))
    assert only(problems).startswith("t2.out:2: error: found counts (-t 2); expected scores.")
    assert len(campaign.imported) == 0
    items = f"{AVERAGES}.....\n12 ROUGE-2 Eval D9901.12 R:48 P:47 F:4\n"
    campaign, problems = import_as("rouge-out", put("t1.out", items))
    assert only(problems).startswith("t1.out:6: error: found 'D9901.12 R:48 P:47 F:4'; expected scores between 0 and 1")
    assert len(campaign.imported) == 0


def test_other_lines_are_left_out_and_named(put: Put, import_as: Import) -> None:
    cut = OUTPUT.replace(" F:0.07018", " F:0.0") + "12 ROUGE-2 Eval D9902.M.250.A.12 R:0.07"
    campaign, problems = import_as("rouge-out", put("cut.out", cut))
    assert len(campaign.imported) == 3
    assert only(problems).startswith("cut.out:7: warning: found '12 ROUGE-2 Eval D9902.M.250.A.12 R:0.07'")


@pytest.mark.parametrize("content", [b"", b"\n\n", b"-----\n"])
def test_an_output_without_scores_is_an_error(put: Put, import_as: Import, content: bytes) -> None:
    _, problems = import_as("rouge-out", put("old.out", content))
    assert only(problems).startswith("old.out:1: error: found no score")


def test_windows_files_give_the_same_scores(put: Put, import_as: Import) -> None:
    dos, problems = import_as("rouge-out", put("dos.out", b"\xef\xbb\xbf" + OUTPUT.replace("\n", "\r\n").encode()))
    assert values(dos) == values(import_as("rouge-out", put("old.out", OUTPUT))[0])
    assert [problem.severity for problem in problems] == ["warning", "warning"]


def test_it_is_recognised_by_content(put: Put) -> None:
    assert detect_format(put("scores.txt", OUTPUT)) is FORMAT
    assert detect_format(put("t2", "---\n12 ROUGE-2 M_count: 4 P_count: 4 H_count: 4\n")) is FORMAT
    assert detect_format(put("prose.txt", "We use ROUGE-2 Average recall.\n")) is None


pieces = st.lists(
    st.sampled_from(
        [
            "12",
            " ",
            "ROUGE-2",
            "Average_R:",
            "Eval",
            "D.1",
            "R:",
            "P:",
            "F:",
            "0.5",
            "9" * 400,
            "\n",
            "---",
            "(95%-conf.int.",
        ]
    )
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.one_of(st.binary(), pieces.map(lambda found: "".join(found).encode())))
def test_any_bytes_give_problems_never_a_traceback(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "old.out"
    path.write_bytes(content)
    problems = Problems()
    FORMAT.detect(path)
    campaign = FORMAT.read(path, problems)
    assert campaign.imported or problems.errors
    assert all(0 <= score.value <= 1 for score in campaign.imported)
