"""ducview: whatever pyramid and annotation a campaign holds come back from their files as they were."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.ducview_files import annotation
from pyramidion.campaign import Campaign, Contributor, Match, PeerAnnotation, Problems, Pyramid, Scu, Summary, Topic
from pyramidion.errors import InputError
from pyramidion.formats import find_format
from pyramidion.formats.guarded_xml import NOT_XML

DUCVIEW = find_format("ducview")
CHARACTERS = st.sampled_from("ab .,-\"&<>'\n\t\ré–🔥𝔣\u0301\u200d]%\\") | st.characters(codec="utf-8")
# XML holds no control characters, and entities that are escaped twice are decoded (a repair), so neither comes back.
TEXTS = st.text(CHARACTERS, max_size=40).map(lambda text: NOT_XML.sub("x", text).replace("&", "&-"))
NAMES = st.text(CHARACTERS, min_size=1, max_size=8).map(lambda name: NOT_XML.sub("x", name).replace("\0", "x"))


@st.composite
def parts_of(draw: st.DrawFn, text: str) -> tuple[tuple[int, int], ...]:
    if not text:
        return ()
    spans = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 12))
    return tuple((start, min(start + size, len(text))) for start, size in draw(st.lists(spans, max_size=3)))


@st.composite
def campaigns(draw: st.DrawFn) -> Campaign:
    topic = draw(NAMES)
    models = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    texts = {model: draw(TEXTS) for model in models}
    peer = draw(NAMES.filter(lambda name: name not in texts))
    peer_text = draw(TEXTS)

    def contributor() -> Contributor:
        model = draw(st.sampled_from(models))
        return Contributor(model=model, parts=draw(parts_of(texts[model])), comment=draw(st.just("") | TEXTS))

    uids = draw(st.lists(st.integers(-(10**9), 10**9).filter(bool), max_size=5, unique=True))
    scus = tuple(
        Scu(
            uid=uid,
            label=draw(TEXTS),
            comment=draw(st.just("") | TEXTS),
            contributors=tuple(contributor() for _ in range(draw(st.integers(0, 3)))),
        )
        for uid in uids
    )

    def found() -> tuple[tuple[tuple[int, int], ...], ...]:
        return tuple(draw(st.lists(parts_of(peer_text).filter(bool), max_size=2)) if peer_text else ())

    matches: list[Match] = []
    for uid in draw(st.permutations(uids)):
        present = draw(st.booleans())
        comment = draw(st.just("") | TEXTS)
        matches.append(Match(uid=uid, present=present, contributors=found() if present else (), comment=comment))
    annotation = PeerAnnotation(
        topic=topic,
        summarizer=peer,
        annotator=draw(st.just("") | NAMES),
        scus=tuple(matches),
        unmatched=found() if draw(st.booleans()) else None,
    )
    return Campaign(
        topics=(Topic(topic=topic),),
        summaries=(
            *(Summary(topic=topic, summarizer=model, kind="model", text=text) for model, text in texts.items()),
            Summary(topic=topic, summarizer=peer, kind="peer", text=peer_text),
        ),
        pyramids=(
            Pyramid(
                topic=topic,
                annotator=draw(st.just("") | NAMES),
                models=tuple(models),
                scus=scus,
                weights="contributors",
            ),
        ),
        annotations=(annotation,),
    )


@settings(max_examples=60, deadline=None)
@given(campaigns())
def test_pyramids_and_annotations_come_back(campaign: Campaign) -> None:
    with tempfile.TemporaryDirectory() as folder:
        written, read = Problems(), Problems()
        DUCVIEW.write(campaign, Path(folder), written)
        again = DUCVIEW.read(Path(folder), read)
        assert read.errors == written.errors == 0
        for nouns in ("topics", "summaries", "pyramids", "annotations"):
            assert getattr(again, nouns) == getattr(campaign, nouns)


@pytest.mark.parametrize("uid", [10**18, 2**62, 2**63 - 1, -(2**63)])
def test_a_unit_keeps_its_number_of_64_bits(uid: int, tmp_path: Path) -> None:
    pyramid = Pyramid(topic="T", models=("A",), scus=(Scu(uid=uid, label="unit"),))
    summary = Summary(topic="T", summarizer="A", kind="model", text="words")
    DUCVIEW.write(Campaign(summaries=(summary,), pyramids=(pyramid,)), tmp_path, Problems())
    problems = Problems()
    (read,) = DUCVIEW.read(tmp_path, problems).pyramids
    assert (problems.errors, read.scus[0].uid) == (0, uid)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 30), st.binary(max_size=6)), max_size=4))
def test_whatever_happens_to_a_file_it_is_read_or_refused(edits: list[tuple[int, int, bytes]]) -> None:
    content = annotation().encode()
    for start, length, inserted in edits:
        content = content[:start] + inserted + content[start + length :]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.pan")
        path.write_bytes(content)
        problems = Problems()
        campaign = DUCVIEW.read(path, problems)
        assert problems.errors or campaign.pyramids
        with suppress(InputError):  # nothing to write
            DUCVIEW.write(campaign, Path(folder, "out"), Problems())
