"""realsumm: SCUs, answers and score dictionaries become a light pyramid with its majority; pickles run nothing."""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from formats.miniature import Import, Put, only, texts_of
from pyramidion.errors import UsageError
from pyramidion.formats import detect_format, find_format

REALSUMM = find_format("realsumm")
DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere")) / "realsumm"

# The miniature of the format description.
CROWD = """Input.eventId,Input.summaryId,Input.summary_text,Input.statement_1,Input.statement_2,\
Answer.S1Answer,Answer.S2Answer
ev1,sysA_out,a ferry burned .,A ferry burned.,BLANK,p,n
ev1,sysA_out,a ferry burned .,A ferry burned.,BLANK,n,n
"""
LIST = """eventId,questionId,questionText,answer,author,sourceSummaryId,forUse
ev1,1,A ferry burned.,Y,x,ref,1
ev1,2,Nobody died.,Y,x,ref,1
ev1,3,BLANK,N,x,ref,1
"""


def crowd(*rows: tuple[str, str, str, str, str]) -> str:
    """Answers about two statements: event, summary, text and both answers."""
    header = CROWD.partition("\n")[0]
    lines = [
        f'{event},{summary},"{text}",A ferry burned.,Nobody died.,{one},{two}'
        for event, summary, text, one, two in rows
    ]
    return "\n".join([header, *lines]) + "\n"


def scores(system: str = "sysA_out", text: str = "<t> a ferry burned . </t>", **values: object) -> dict[str, object]:
    entry = {"system_summary": text, "scores": values}
    reference = "<t> a ferry burned . </t> <t> nobody died . </t>"
    return {"ev1": {"doc_id": "ev1", "ref_summ": reference, "system_summaries": {system: entry}}}


def test_a_tie_is_absent(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("realsumm", put("sysA.csv", CROWD))
    (annotation,) = campaign.annotations
    assert [(match.uid, match.present) for match in annotation.scus] == [(1, False)]
    assert [(one.assessor, one.question, one.value) for one in campaign.judgments] == [
        ("crowd-majority", "litepyramid-recall", 0.0),
        ("worker1", "scu:1", 1),
        ("worker2", "scu:1", 0),
    ]
    assert texts_of(campaign)["ev1", "peer", "sysA_out"] == "a ferry burned ."
    assert "no reference of 1 topic," in only(problems)


@pytest.mark.parametrize(
    ("votes", "present"), [("ppp", True), ("ppn", True), ("pnn", False), ("ppnn", False), ("pppn", True), ("n", False)]
)
def test_more_than_half_of_the_workers_must_say_so(put: Put, import_as: Import, votes: str, present: bool) -> None:
    path = put("s.csv", crowd(*(("ev1", "s", "x", vote, "n") for vote in votes)))
    campaign, _ = import_as("realsumm", path, votes="no")
    assert [match.present for match in campaign.annotations[0].scus] == [present, False]
    assert [(one.question, one.value) for one in campaign.judgments] == [("litepyramid-recall", present / 2)]


def test_list_answers_and_scores_come_together(put: Put, import_as: Import) -> None:
    put("repo/SCUs_list.csv", LIST)
    put("repo/SCU_rating_results_abs/sysA.csv", crowd(("ev1", "sysA_out", "a ferry burned .", "p", "n")))
    put("repo/scores_dicts/abs.pkl", pickle.dumps(scores(litepyramid_recall=0.9, rouge_1_f_score="0.25")))
    assert detect_format(Path("repo")) is REALSUMM
    campaign, problems = import_as("realsumm", Path("repo"))
    assert list(problems) == []
    assert texts_of(campaign) == {
        ("ev1", "model", "ref1"): ("a ferry burned .", "nobody died ."),
        ("ev1", "peer", "abs_sysA_out"): ("a ferry burned .",),
    }
    assert [(scu.uid, scu.label, scu.weight) for scu in campaign.pyramids[0].scus] == [
        (1, "A ferry burned.", 1),
        (2, "Nobody died.", 1),
    ]
    # The workers' answers are the human score; the dictionary's is taken where there are none.
    assert campaign.judgments[0].value == 0.5
    assert [(one.measure, one.value) for one in campaign.imported] == [("rouge_1_f_score", 0.25)]


def numbered(number: int, **systems: str) -> dict[int, dict[str, object]]:
    """An entry of a score dictionary as it is published: documents are numbers, systems end in .txt."""
    entries = {f"{name}.txt": {"system_summary": text, "scores": {"rouge": 0.5}} for name, text in systems.items()}
    return {number: {"doc_id": number, "ref_summ": "<t> a ferry burned . </t>", "system_summaries": entries}}


def test_numbers_of_the_score_dictionaries_are_joined_with_events(put: Put, import_as: Import) -> None:
    put(
        "repo/SCU_rating_results_abs_systems/t5_Batch_crowd_3.csv",
        crowd(("cnndm7", "t5", "A -LRB- ferry ) burned .", "p", "n")),
    )
    put("repo/scores_dicts/abs.pkl", pickle.dumps(numbered(1, t5="<t> a ( ferry ) burned . </t>"), protocol=3))
    for listed in (True, False):
        if listed:
            put("repo/selected_documents.md", "# Aligned\n\n```\n[3, 7]\n```\n")
        else:
            Path("repo/selected_documents.md").unlink()
        campaign, problems = import_as("realsumm", Path("repo"))
        assert list(problems) == []
        assert texts_of(campaign) == {
            ("cnndm7", "model", "ref1"): ("a ferry burned .",),
            ("cnndm7", "peer", "abs_t5"): ("a ( ferry ) burned .",),
        }
    Path("repo/SCU_rating_results_abs_systems/t5_Batch_crowd_3.csv").unlink()
    campaign, problems = import_as("realsumm", Path("repo"))
    assert campaign.topic_ids == ("1",)
    assert "1 document with a number alone" in only(problems)


def test_the_abstractive_bart_has_sentences_where_its_file_is(put: Put, import_as: Import) -> None:
    put("repo/selected_documents.md", "[3, 7]\n")
    put("repo/SCU_rating_results_abs_systems/bart_out.csv", crowd(("cnndm7", "bart_out", "The right. Text.", "p", "n")))
    put("repo/scores_dicts/abs.pkl", pickle.dumps(numbered(1, bart_out="<t> the extractive text </t>")))
    put("repo/selected_docs_for_human_eval/abs/bart/out.txt", "\n<t> <t> The right. </t> <t> Text. </t> </t>\n")
    campaign, problems = import_as("realsumm", Path("repo"))
    assert texts_of(campaign)["cnndm7", "peer", "abs_bart_out"] == ("The right.", "Text.")
    assert len(campaign.imported) == 0
    assert "a known defect" in only(problems)


def test_unused_units_have_no_number(put: Put, import_as: Import) -> None:
    listed = LIST.replace("ev1,2,", "ev1,9,BLANK,N,x,ref,1\nev1,2,")
    campaign, _ = import_as("realsumm", put("SCUs_list.csv", listed))
    assert [(scu.uid, scu.label) for scu in campaign.pyramids[0].scus] == [(1, "A ferry burned."), (2, "Nobody died.")]


def test_the_wrong_bart_of_the_score_dictionary_is_left_out(put: Put, import_as: Import) -> None:
    put("repo/SCU_rating_results_abs/bart.csv", crowd(("ev1", "bart_out", "the right text", "p", "n")))
    put("repo/abs.pkl", pickle.dumps(scores("bart_out", "the extractive text", rouge=0.5)))
    campaign, problems = import_as("realsumm", Path("repo"))
    assert texts_of(campaign)["ev1", "peer", "abs_bart_out"] == "the right text"
    assert len(campaign.imported) == 0
    assert "a known defect" in only(problems)


def test_extractive_systems_among_the_abstractive_ones_are_named_so(put: Put, import_as: Import) -> None:
    put("repo/SCU_rating_results_abs/a.csv", crowd(("ev1", "neusumm_out", "x", "p", "n"), ("ev1", "t5", "y", "p", "n")))
    campaign, _ = import_as("realsumm", Path("repo"))
    assert [one.summarizer for one in campaign.annotations] == ["abs_t5", "ext_neusumm_out"]


def test_numbers_of_numpy_are_numbers(put: Put, import_as: Import) -> None:
    for protocol in (0, 2, 5):
        content = pickle.dumps(scores(r=np.float32(0.5), i=np.int64(2), x="abc"), protocol=protocol)
        campaign, problems = import_as("realsumm", put("ext.pkl", content))
        assert [(one.measure, one.value) for one in campaign.imported] == [("r", 0.5), ("i", 2.0)]
        assert "x': 'abc'" in only(problems)


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch /tmp/pyramidion-was-here",)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (pickle.dumps(Evil()), "would make"),
        (pickle.dumps(print), "would make 'builtins.print'"),
        (b"cbuiltins\neval\n(S'1'\ntR.", "would make"),
        (b"cbuiltins\nbytes\n(I1000000000000\ntR.", "would make"),
        (pickle.dumps(np.arange(3)), "would make"),
        (pickle.dumps(scores())[:20], "no pickle"),
        (b"", "no pickle"),
        (b"hello", "no pickle"),
        (pickle.dumps([1]), "found list; expected a dictionary"),
        (b"\x80\x02}X\x01\x00\x00\x00acnumpy\ndtype\ns.", "would make"),
        (pickle.dumps({1: {"ref_summ": "", "doc_id": [1], "system_summaries": {"s": {}}}}), "expected ref_summ"),
        (pickle.dumps({"ev1": {"ref_summ": 1}}), "expected ref_summ and system_summaries"),
        (pickle.dumps({"ev1": {"ref_summ": "", "system_summaries": {"s": {}}}}), "expected system_summary"),
    ],
)
def test_a_pickle_that_is_more_or_less_than_values_is_refused(
    put: Put, import_as: Import, content: bytes, said: str
) -> None:
    campaign, problems = import_as("realsumm", put("abs.pkl", content))
    assert said in only(problems)
    assert only(problems).startswith("abs.pkl: error: ")
    assert campaign.annotations == ()
    assert not Path("/tmp/pyramidion-was-here").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a,b\n1,2\n", "x.csv:1: error: found a file without REALSumm's columns"),
        ("", "x.csv:1: error"),
        (CROWD.replace(",p,n", ",maybe,n"), "x.csv:2: warning: found 1 answer other than p and n"),
        (CROWD.replace("ev1,sysA_out", ",sysA_out", 1), "x.csv:2: error: found no eventId"),
        (
            b"\xef\xbb\xbf" + CROWD.replace("ferry burned .", "caf\xe9").replace("\n", "\r\n").encode("cp1252"),
            "byte 0xE9",
        ),
    ],
)
def test_what_is_odd_is_said_with_file_and_line(put: Put, import_as: Import, content: str | bytes, said: str) -> None:
    _, problems = import_as("realsumm", put("x.csv", content))
    assert any(said in str(problem) for problem in problems)


def test_a_statement_that_is_not_the_listed_scu_is_said(put: Put, import_as: Import) -> None:
    files = [put("SCUs_list.csv", LIST.replace("A ferry burned.", "Something else.")), put("a.csv", CROWD)]
    campaign, problems = import_as("realsumm", files)
    assert campaign.annotations[0].scus == ()
    assert sum("the SCU of this number" in str(problem) for problem in problems) == 2


def test_a_wrong_option_is_a_usage_error(put: Put, import_as: Import) -> None:
    with pytest.raises(UsageError, match="choose one of: yes, no"):
        import_as("realsumm", put("a.csv", CROWD), votes="maybe")


@pytest.mark.skipif(not DATA.is_dir(), reason="PYRAMIDION_DATA names no folder with REALSumm")
def test_the_published_labels_come_out_of_the_votes(tmp_path: Path, import_as: Import) -> None:
    """The votes of 1250 summaries, written as the crowd's files, give the majority labels that were published."""

    def rows(name: str) -> list[dict[str, object]]:
        return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]

    labels = {row["topic"]: {scu["uid"]: scu["label"] for scu in row["scus"]} for row in rows("pyramids")}  # type: ignore[attr-defined]
    votes: dict[object, dict[object, dict[int, list[int]]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows("votes"):
        votes[row["summarizer"]][row["topic"]][row["uid"]] = row["votes"]  # type: ignore[index, assignment]
    for summarizer, topics in votes.items():
        table = io.StringIO(newline="")
        writer = csv.writer(table)
        writer.writerow(
            [
                *("Input.eventId", "Input.summaryId", "Input.summary_text"),
                *(f"Input.statement_{number}" for number in range(1, 17)),
                *(f"Answer.S{number}Answer" for number in (*range(10, 17), *range(1, 10))),  # their order
            ]
        )
        for topic, answers in topics.items():
            for worker in range(max(map(len, answers.values()))):
                said = {uid: "p" if given[worker] else "n" for uid, given in answers.items() if worker < len(given)}
                writer.writerow(
                    [
                        *(topic, summarizer, "text"),
                        *(labels[topic].get(number, "BLANK") for number in range(1, 17)),
                        *(said.get(number, "n") for number in (*range(10, 17), *range(1, 10))),
                    ]
                )
        folder = tmp_path / f"SCU_rating_results_{str(summarizer)[:3]}"
        folder.mkdir(exist_ok=True)
        (folder / f"{summarizer}.csv").write_text(table.getvalue(), encoding="utf-8")
    campaign, problems = import_as("realsumm", tmp_path)
    assert problems.errors == 0
    expected = {
        (row["topic"], row["summarizer"]): [(scu["uid"], scu["present"]) for scu in row["scus"]]  # type: ignore[attr-defined]
        for row in rows("annotations")
    }
    found = {
        (one.topic, one.summarizer): [(match.uid, match.present) for match in one.scus] for one in campaign.annotations
    }
    assert len(found) == 1250
    assert found == expected
    shares = {(row["topic"], row["summarizer"]): row["value"] for row in rows("judgments")}
    recall = {
        (one.topic, one.summarizer): one.value for one in campaign.judgments if one.question == "litepyramid-recall"
    }
    assert recall == pytest.approx(shares)
    single = [one for one in campaign.judgments if one.question.startswith("scu:")]
    assert len(single) == sum(
        len(given) for topics in votes.values() for told in topics.values() for given in told.values()
    )


@pytest.mark.slow
@pytest.mark.skipif(not (DATA.parent / "originals/realsumm").is_dir(), reason="PYRAMIDION_DATA has no originals")
def test_the_repository_as_it_is_published_gives_its_labels(import_as: Import) -> None:
    campaign, problems = import_as("realsumm", DATA.parent / "originals/realsumm")
    assert problems.errors == 0
    peers = [one for one in campaign.summaries if one.kind == "peer"]
    assert (len(campaign.topics), len({one.summarizer for one in peers}), len(peers)) == (50, 25, 1250)
    rows = [json.loads(line) for line in (DATA / "annotations.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(one.topic, one.summarizer): [(m.uid, m.present) for m in one.scus] for one in campaign.annotations} == {
        (row["topic"], row["summarizer"]): [(scu["uid"], scu["present"]) for scu in row["scus"]] for row in rows
    }
    assert "abs_bart_out" not in campaign.imported.summarizers


def doubled(times: int, start: bytes = b"]", close: bytes = b"a") -> bytes:
    """A pickle of lists, each of which holds the one before it twice: 2 ** times values in a few bytes."""
    return b"\x80\x02" + start + b"".join(b"q" + bytes([n]) + b"]" + b"h" + bytes([n]) + close + b"h" + bytes([n]) + close for n in range(times)) + b"."  # fmt: skip


NESTED_TUPLES = b"\x80\x02)" + b"".join(b"q" + bytes([n]) + b"h" + bytes([n]) + b"\x86" for n in range(60))
EXPLOSIVE = {
    "shared lists": doubled(60),
    "a cycle": b"\x80\x02]q\x00h\x00a.",
    "tuples as keys": NESTED_TUPLES.replace(b"\x80\x02", b"\x80\x02}", 1) + b"K\x01s.",
    "tuples as keys of several items": NESTED_TUPLES.replace(b"\x80\x02", b"\x80\x02}(", 1) + b"K\x01u.",
    "a huge index": b"\x80\x02]r\xff\xff\xff\x7f.",
    "a long text": b"\x80\x02X\xff\xff\xff\x7fabc.",
    "text of shared lists": b"\x80\x02cbuiltins\nstr\n" + doubled(60)[2:-1] + b"\x85R.",
    "deep": b"\x80\x02" + b"]" * 100_000 + b"a" * 99_999 + b".",
    "a set": b"\x80\x04\x8f(K\x01\x90.",
    "calls with one long text": b"\x80\x02X\xa0\x86\x01\x00" + b"a" * 100_000 + b"q\x00](" + b"cbuiltins\nlist\nh\x00\x85R" * 20_000 + b"e.",
    "bytes of one long text": b"\x80\x02X\xa0\x86\x01\x00" + b"a" * 100_000 + b"q\x00](" + b"c_codecs\nencode\nh\x00X\x06\x00\x00\x00latin1\x86R" * 20_000 + b"e.",
    "one long text many times": b"\x80\x02X\x80\x84\x1e\x00" + "é".encode() * 1_000_000 + b"q\x00](" + b"h\x00" * 500_000 + b"e.",
    "keys with the same hash": b"\x80\x02}(" + b"".join(pickle.dumps((2**61 - 1) * n, 2)[2:-1] + b"N" for n in range(2, 30_000)) + b"u.",
    "a whole number of thousands of digits": pickle.dumps({"ev1": {"ref_summ": "", "doc_id": 10**6000, "system_summaries": {}}}),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPLOSIVE)
def test_small_pickles_do_not_explode(put: Put, import_as: Import, name: str) -> None:
    campaign, problems = import_as("realsumm", put("abs.pkl", EXPLOSIVE[name]))
    assert campaign.summaries == ()
    assert problems.errors == 1
    assert ("pickle" in only(problems)) == (name != "a huge index")  # that one is merely no dictionary


def test_names_of_documents_may_have_any_number_of_digits(put: Put, import_as: Import) -> None:
    entry = numbered(1, t5="a")[1] | {"doc_id": "9" * 5000}
    campaign, _ = import_as("realsumm", put("abs.pkl", pickle.dumps({1: entry})))
    assert campaign.topic_ids == ("9" * 5000,)


def test_explosive_entries_are_shown_short(put: Put, import_as: Import) -> None:
    entry = pickle.dumps({"ev1": ["x" * 50] * 3})
    _, problems = import_as("realsumm", put("abs.pkl", entry))
    assert len(only(problems)) < 400
    long = {"k" * 100_000: {"ref_summ": "", "system_summaries": {"n" * 100_000: None}}}
    _, problems = import_as("realsumm", put("abs.pkl", pickle.dumps(long)))
    assert len(only(problems)) < 400


def test_halves_of_characters_in_pickles_are_mended_and_said(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("realsumm", put("abs.pkl", pickle.dumps(scores(text="<t> a \ud800 b </t>"))))
    assert ("a \ufffd b",) in texts_of(campaign).values()
    assert "halves of surrogate pairs" in only(problems)
