"""Pyramids: SCUs found in the models of a topic (paper 002).

State: `scu/UID` {label, comment, contributors: [{model: HANDLE, parts: [[start, end], …]}]}, `suggestion/NUMBER` what
was suggested and taken, `done` true.
Spec: `models` {handle: summarizer}.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pyramidion.assess.kinds.base import Kind, Piece, RefusedError
from pyramidion.assess.kinds.common import check_text, last_time, request_of
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
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.nouns import Contributor, Noun, Pyramid, Scu, Summary, plain
from pyramidion.pyramids.reliability.words import Words, cover
from pyramidion.show.wording import counted
from pyramidion.text.sentences import sentence_spans

SCU = "scu/"


class PyramidWork(Kind[Pyramid]):
    """The SCUs of the models of a topic."""

    name = "pyramid"
    title = "Content units of model summaries"
    makes = Pyramid
    suggests = True

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The request and the models."""
        return {"request": request_of(piece), "models": shown_models(piece)}

    def check_field(self, piece: Piece, state: State, key: str, value: Any) -> None:
        """SCUs whose contributors are parts of the models, at most one of each model."""
        if key.startswith(SCU):
            check_scu(piece, key, value, state.get(key))
        elif self.suggests and key.startswith(SUGGESTION):
            check_suggestion(key, value)
        else:
            super().check_field(piece, state, key, value)

    def check_complete(self, piece: Piece, state: State) -> None:  # noqa: ARG002  # as every kind is asked
        """There are SCUs, and each has a label and a contributor."""
        scus = scus_of(state)
        if not scus:
            raise RefusedError("there is no SCU yet")
        check_none([uid for uid, scu in scus.items() if not scu["label"].strip()], ("has", "have"), "no label yet")
        check_none([uid for uid, scu in scus.items() if not scu["contributors"]], ("has", "have"), "no contributor yet")

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:
        """The pyramid, once it has an SCU."""
        status = "annotated" if state.get("done") else None
        found = pyramid_from(piece, state, annotator=piece.person, status=status, time=last_time(events))
        return [found] if found.scus else []

    def is_own(self, piece: Piece, row: Pyramid) -> bool:
        """Its person's pyramid of the topic."""
        return row.annotator == piece.person and not row.consensus

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Words of the models that an SCU has, of all; all of them once it is handed in."""
        words = Words.of(piece.models)
        parts = [
            (0, contributor["model"], as_parts(contributor["parts"]))
            for scu in scus_of(state).values()
            for contributor in scu["contributors"]
        ]
        covered = int(cover(words, parts, 1).members.sum())
        return (len(words) if state.get("done") else covered), len(words)

    def opening(self, piece: Piece) -> State:
        """The person's pyramid that the campaign already has, if it is of these models."""
        own = self.own(piece)
        known = set(piece.spec["models"].values())
        return state_of(piece, own[0]) if own and set(own[0].models) <= known else {}


def models_of(piece: Piece) -> list[Summary]:
    """The task's models, in the campaign's order."""
    known = set(piece.spec["models"].values())
    return [one for one in piece.data.models if one.summarizer in known]


def texts_of(piece: Piece) -> dict[str, str]:
    """The texts of the task's models by summarizer."""
    return {model.summarizer: plain(model.text) for model in models_of(piece)}


def shown_models(piece: Piece) -> list[dict[str, Any]]:
    """The models by handle: text and sentences."""
    return [
        {"handle": handle, "text": text, "sentences": sentence_spans(text)} for handle, text in piece.models.items()
    ]


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
        if handle not in piece.spec["models"]:
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


def check_none(uids: Sequence[int], verbs: tuple[str, str], what: str) -> None:
    """Refuse to hand in while there are such SCUs; the verb is that of one, or of several."""
    if uids:
        verb = verbs[len(uids) > 1]
        raise RefusedError(f"{counted(len(uids), 'SCU')} {verb} {what}: {', '.join(map(str, uids[:10]))}")


def pyramid_from(piece: Piece, state: State, **facts: Any) -> Pyramid:
    """The pyramid of a state as the files hold it; `facts` are its other fields."""
    summarizer = piece.spec["models"]
    scus = tuple(
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
    models = tuple(model.summarizer for model in models_of(piece))
    return Pyramid(topic=piece.task.topic, models=models, scus=scus, **facts)


def state_of(piece: Piece, pyramid: Pyramid) -> State:
    """The state that leads to this pyramid."""
    handles = {summarizer: handle for handle, summarizer in piece.spec["models"].items()}
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
