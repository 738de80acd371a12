"""Pyramids: SCUs found in the models of a topic (paper 002).

State: `scu/UID` {label, comment, contributors: [{model: HANDLE, parts: [[start, end], …]}]}, `suggestion/NUMBER` what
was suggested and taken, `done` true.
Spec: `models` {handle: summarizer}.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import Piece, RefusedError
from pyramidion.assess.kinds.common import check_done, check_text, request_of
from pyramidion.assess.kinds.spans import (
    LONGEST_COMMENT,
    LONGEST_LABEL,
    SUGGESTION,
    as_lists,
    as_parts,
    check_fields,
    check_parts,
    check_suggestion,
    check_uid,
)
from pyramidion.assess.store.work import Changes, Event, State, changed
from pyramidion.campaign.nouns import Contributor, Noun, Pyramid, Scu, Status, Summary, plain
from pyramidion.pyramids.reliability.words import Words, cover
from pyramidion.text.sentences import sentence_spans
from pyramidion.wording import counted

SCU = "scu/"


class PyramidWork:
    """The SCUs of the models of a topic."""

    name = "pyramid"
    title = "Content units of model summaries"

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The request and the models."""
        return {"request": request_of(piece), "models": shown_models(piece)}

    def check(self, piece: Piece, state: State, changes: Changes) -> None:
        """SCUs whose contributors are parts of the models, at most one of each model."""
        check_done(state, changes, (), "SCU")
        for key, value in changes.items():
            if key.startswith(SCU):
                check_scu(piece, key, value, state.get(key))
            elif key.startswith(SUGGESTION):
                check_suggestion(key, value)
            elif key != "done":
                raise RefusedError(f"this work has no field {key!r}")
        if changes.get("done"):
            check_complete(changed(state, changes))

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:
        """The pyramid, once it has an SCU."""
        time = max((event.time for event in events), default="")
        status: Status | None = "annotated" if state.get("done") else None
        found = pyramid_from(piece, state)
        if not found:
            return []
        models = tuple(model.summarizer for model in models_of(piece))
        return [
            Pyramid(topic=piece.task.topic, models=models, scus=found, annotator=piece.person, status=status, time=time)
        ]

    def owns(self, piece: Piece, noun: Noun) -> bool:
        """Its person's pyramid of the topic."""
        return (
            isinstance(noun, Pyramid)
            and noun.topic == piece.task.topic
            and noun.annotator == piece.person
            and not noun.consensus
        )

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Words of the models that an SCU has, of all; all of them once it is handed in."""
        words = Words.of({handle: plain(piece.summary(handle, "models").text) for handle in piece.task.spec["models"]})
        parts = [
            (0, contributor["model"], as_parts(contributor["parts"]))
            for scu in scus_of(state).values()
            for contributor in scu["contributors"]
        ]
        covered = int(cover(words, parts, 1).members.sum())
        return (len(words) if state.get("done") else covered), len(words)

    def opening(self, piece: Piece) -> State:
        """The person's pyramid that the campaign already has, if it is of these models."""
        own = [noun for noun in piece.campaign.topic(piece.task.topic).pyramids if self.owns(piece, noun)]
        known = set(piece.task.spec["models"].values())
        return state_of(piece, own[0]) if own and set(own[0].models) <= known else {}


def models_of(piece: Piece) -> list[Summary]:
    """The task's models, in the campaign's order."""
    known = set(piece.task.spec["models"].values())
    return [one for one in piece.campaign.topic(piece.task.topic).models if one.summarizer in known]


def shown_models(piece: Piece) -> list[dict[str, Any]]:
    """The models by handle: text and sentences."""
    texts = {handle: plain(piece.summary(handle, "models").text) for handle in piece.task.spec["models"]}
    return [{"handle": handle, "text": text, "sentences": sentence_spans(text)} for handle, text in texts.items()]


def scus_of(state: State) -> dict[int, Any]:
    """The SCUs of a state by number."""
    found = {int(key.removeprefix(SCU)): value for key, value in state.items() if key.startswith(SCU)}
    return dict(sorted(found.items()))


def check_scu(piece: Piece, key: str, value: Any, before: Any) -> None:
    """Refuse an SCU that is not one. Contributors that were there before (imported ones) stay as they are."""
    uid = check_uid(key.removeprefix(SCU))
    if value is None:
        return
    what = f"SCU {uid}"
    check_fields(value, {"label": str, "comment": str, "contributors": list}, what)
    if set(value) != {"label", "comment", "contributors"}:
        raise RefusedError(f"{what} needs label, comment and contributors")
    check_text(value["label"], f"{what}: the label", LONGEST_LABEL)
    check_text(value["comment"], f"{what}: the comment", LONGEST_COMMENT)
    known = (before or {}).get("contributors", [])
    for contributor in value["contributors"]:
        if contributor in known:
            continue
        check_fields(contributor, {"model": str, "parts": list, "comment": str}, f"{what}: a contributor")
        handle = contributor.get("model")
        if handle not in piece.task.spec["models"]:
            raise RefusedError(f"{what}: there is no model {handle!r}")
        check_parts(contributor.get("parts"), plain(piece.summary(handle, "models").text), f"{what}, model {handle}")
    models = Counter(contributor["model"] for contributor in value["contributors"])
    allowed = Counter(contributor["model"] for contributor in known)
    for handle, times in models.items():
        if times > max(1, allowed[handle]):
            raise RefusedError(
                f"{what} already has a contributor from model {handle}: an SCU has at most one from each model. "
                "Add the words to it as a part"
            )


def check_complete(state: State) -> None:
    """Refuse to hand in a pyramid that lacks SCUs, labels or contributors."""
    scus = scus_of(state)
    if not scus:
        raise RefusedError("there is no SCU yet")
    for lacking, what in (
        ([uid for uid, scu in scus.items() if not scu["label"].strip()], "no label"),
        ([uid for uid, scu in scus.items() if not scu["contributors"]], "no contributor"),
    ):
        if lacking:
            verb = "has" if len(lacking) == 1 else "have"
            raise RefusedError(f"{counted(len(lacking), 'SCU')} {verb} {what} yet: {', '.join(map(str, lacking[:10]))}")


def pyramid_from(piece: Piece, state: State) -> tuple[Scu, ...]:
    """The SCUs of a state as the files hold them."""
    summarizer = piece.task.spec["models"]
    return tuple(
        Scu(
            uid=uid,
            label=scu["label"],
            comment=scu["comment"],
            contributors=tuple(
                Contributor(
                    model=summarizer[one["model"]], parts=as_parts(one["parts"]), comment=one.get("comment", "")
                )
                for one in scu["contributors"]
            ),
        )
        for uid, scu in scus_of(state).items()
    )


def state_of(piece: Piece, pyramid: Pyramid) -> State:
    """The state that leads to this pyramid."""
    handles = {summarizer: handle for handle, summarizer in piece.task.spec["models"].items()}
    return {
        f"{SCU}{scu.uid}": {
            "label": scu.label,
            "comment": scu.comment,
            "contributors": [
                {"model": handles[one.model], "parts": as_lists(one.parts)}
                | ({"comment": one.comment} if one.comment else {})
                for one in scu.contributors
            ],
        }
        for scu in pyramid.scus
    }
