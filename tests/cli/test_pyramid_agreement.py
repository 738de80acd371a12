"""`pyramid agreement` at the command line; expected values from golden/pyramid/pyramids.json."""

from pathlib import Path

import pytest

from cli.running import Run, records, write

ROOT = Path(__file__).parents[2]
FERRY = ROOT / "tests" / "golden" / "pyramid"
PYRAMIDS = (str(FERRY / "ferry.pyr"), str(FERRY / "ferry.annotator2.pyr"))
PEERS = tuple(sorted(map(str, FERRY.glob("ferry.peer*.pan"))))


def test_two_files_of_the_same_models_are_compared(run: Run) -> None:
    code, out, _ = run("pyramid", "agreement", *PYRAMIDS, "--format", "json")
    assert code == 0
    found = {row["distance"]: row for row in records(out)}
    assert {distance: round(row["alpha"], 6) for distance, row in found.items()} == {
        "nominal": 0.103772,
        "passonneau": 0.551077,
        "jaccard": 0.632649,
        "masi": 0.426356,
    }
    assert {(row["unit"], row["n"]) for row in found.values()} == {("word", 219)}
    assert all(row["lower"] < row["alpha"] < row["upper"] for row in found.values())


def test_pyramids_and_peers_are_told_apart(run: Run) -> None:
    _, out, _ = run("pyramid", "agreement", *PYRAMIDS, *PEERS, "--format", "json")
    rows = records(out)
    assert {(row["unit"], row["n"]) for row in rows} == {("word", 219), ("peer-word", 79), ("presence", 54)}
    (presence,) = (row for row in rows if row["unit"] == "presence")
    assert presence["alpha"] == pytest.approx(0.824302, abs=1e-6)
    words = {row["distance"]: round(row["alpha"], 6) for row in rows if row["unit"] == "peer-word"}
    assert words == {"nominal": 0.730186, "passonneau": 0.802844, "jaccard": 0.784582, "masi": 0.766385}


def test_scores_across_annotations_are_had_on_request(run: Run) -> None:
    _, out, _ = run("pyramid", "agreement", *PEERS, "--across", "--distance", "masi", "--format", "json")
    rows = records(out)
    dice = [
        row["dice"] for row in rows if row["record"] == "annotation-difference" and row["measure"] == "pyramid.original"
    ]
    assert dice == pytest.approx([0.923077, 0.857143, 0.0], abs=1e-6)
    anova = [row for row in rows if row["record"] == "annotation-anova"]
    assert [(row["df_between"], row["df_within"]) for row in anova] == [(1, 4), (1, 4)]
    assert {row["distance"] for row in rows if row["record"] == "alpha" and row["unit"] != "presence"} == {"masi"}


def test_the_consensus_is_a_row_of_scores_but_no_annotator(run: Run, tmp_path: Path) -> None:
    """Table 1 of Nenkova & Passonneau 2004 has rows C1, C2 and consensus: 3 groups; α compares C1 and C2."""
    consensus = tmp_path / "ferry.consensus.pyr"
    consensus.write_bytes(Path(PYRAMIDS[1]).read_bytes())
    arguments = ("--across", "--include-self", "--format", "json")
    _, out, _ = run("pyramid", "agreement", *PYRAMIDS, str(consensus), *arguments)
    rows = records(out)
    nominal = [row["alpha"] for row in rows if row["record"] == "alpha" and row["distance"] == "nominal"]
    assert nominal == pytest.approx([0.103772], abs=1e-6)  # pyramids.json: of the two annotators
    scores = [row for row in rows if row["record"] == "annotation-score" and row["measure"] == "pyramid.original"]
    by_annotator: dict[str, list[float]] = {}
    for row in scores:
        by_annotator.setdefault(row["annotator"], []).append(row["value"])
    assert list(by_annotator) == ["ferry", "annotator2", "consensus"]
    # pyramids.json: include_self_original of ferry
    assert by_annotator["ferry"] == pytest.approx([1.0, 0.965517, 0.869565, 0.925926, 0.809524], abs=1e-6)
    assert by_annotator["consensus"] == by_annotator["annotator2"]
    anova = [row for row in rows if row["record"] == "annotation-anova"]
    assert [(row["df_between"], row["df_within"]) for row in anova] == [(2, 12), (2, 12)]


def test_a_campaign_with_two_annotators_is_compared_topic_by_topic(run: Run, tmp_path: Path) -> None:
    """Spec, "Reliability": six words, {123}{4}{56} against {12}{34}{56}; the other topic has one annotator."""
    text = "The ferry burned Tuesday nobody died"
    names = [(topic, who) for topic in ("t", "alone") for who in ("C1", "C2")][:3]
    parts = {"C1": ([0, 16], [17, 24], [25, 36]), "C2": ([0, 9], [10, 24], [25, 36])}
    write(
        tmp_path,
        "summaries.jsonl",
        *({"topic": topic, "summarizer": "A", "kind": "model", "text": text} for topic in ("t", "alone")),
    )
    write(
        tmp_path,
        "pyramids.jsonl",
        *(
            {
                "topic": topic,
                "annotator": who,
                "models": ["A"],
                "scus": [
                    {"uid": uid, "label": "", "contributors": [{"model": "A", "parts": [part]}]}
                    for uid, part in enumerate(parts[who])
                ],
            }
            for topic, who in names
        ),
    )
    code, out, err = run("pyramid", "agreement", str(tmp_path), "--format", "json")
    assert code == 0
    rows = records(out)
    assert [(row["topic"], round(row["alpha"], 3)) for row in rows] == [
        ("t", 0.2),
        ("t", 0.615),
        ("t", 0.565),
        ("t", 0.421),
    ]
    assert "1 of 2 topics left out: a single annotator" in err
    assert all(row["lower"] is None and "resample" in row["reason"] for row in rows)  # one sentence


def test_two_annotators_who_draw_the_same_pyramid_agree_fully(run: Run, tmp_path: Path) -> None:
    again = tmp_path / "second.pyr"
    again.write_bytes(Path(PYRAMIDS[0]).read_bytes())
    _, out, _ = run("pyramid", "agreement", PYRAMIDS[0], str(again), "--format", "json")
    assert [row["alpha"] for row in records(out)] == [1, 1, 1, 1]


def test_a_single_annotator_is_an_error_that_says_what_to_do(run: Run) -> None:
    for arguments in ((PYRAMIDS[0],), ("demo",)):
        code, _, err = run("pyramid", "agreement", *arguments)
        assert code == 1
        assert "give the files of both annotators" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--include-self",), "--across"),
        (("--topic", "F9002"), "F9001"),
        (("--confidence", "100"), "confidence"),
        (("--distance", "dice"), "dice"),
    ],
)
def test_what_can_not_be_done_is_refused(run: Run, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = run("pyramid", "agreement", *PYRAMIDS, *arguments)
    assert code == 2
    assert said in err
    assert out == ""
