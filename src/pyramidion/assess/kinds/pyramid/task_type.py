"""The task of making a pyramid: the SCUs of the models of a topic."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pyramidion.assess.kinds.assignment import (
    Assignment,
    PlanSettings,
    Spec,
    TopicFacts,
    number_handles,
    shuffle,
)
from pyramidion.assess.kinds.base import RefusedError, Stage, SuggestionRequest, TaskContext, TaskType, WorkPage
from pyramidion.assess.kinds.common import check_text, last_time, pick_fields, request_of
from pyramidion.assess.kinds.scu_suggestions import find_scu, propose_from_models, quote_selection, suggest_scus
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
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Contributor, Noun, Pyramid, Scu, Status, Summary, plain
from pyramidion.pyramids.reliability.words import Words, cover
from pyramidion.pyramids.suggestions import Idf, candidate_spans
from pyramidion.show.wording import counted
from pyramidion.text.clauses import clause_spans
from pyramidion.text.sentences import sentence_spans

SCU = "scu/"


class PyramidWork(TaskType[Pyramid]):
    """The SCUs of the models of a topic."""

    name = "pyramid"
    title = "Pyramid"
    noun_type = Pyramid
    page: ClassVar[WorkPage | None] = WorkPage("kinds/pyramid/page.js")
    stage = Stage.PYRAMIDS
    is_built_on = True
    is_about_models = True
    has_suggestions = True

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The request and the models."""
        return {"request": request_of(context), "models": shown_models(context)}

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """SCUs whose contributors are parts of the models, at most one of each model."""
        if key.startswith(SCU):
            check_scu(context, key, value, state.get(key))
        elif self.has_suggestions and key.startswith(SUGGESTION):
            check_suggestion(key, value)
        else:
            super().check_field(context, state, key, value)

    def check_complete(self, context: TaskContext, state: State) -> None:
        """There are SCUs, and each has a label and a contributor."""
        scus = scus_of(state)
        if not scus:
            raise RefusedError("there is no SCU yet")
        unlabelled = [uid for uid, scu in scus.items() if not scu["label"].strip()]
        check_none(unlabelled, ("has", "have"), "no label yet")
        without_contributor = [uid for uid, scu in scus.items() if not scu["contributors"]]
        check_none(without_contributor, ("has", "have"), "no contributor yet")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """The pyramid, once it has an SCU."""
        status: Status | None = "annotated" if state.get("done") else None
        pyramid = pyramid_from(context, state, annotator=context.person, status=status, time=last_time(events))
        return [pyramid] if pyramid.scus else []

    def is_task_row(self, context: TaskContext, row: Pyramid) -> bool:
        """Whether a pyramid of the topic is its person's."""
        return row.annotator == context.person and not row.consensus

    def counted_in(self, spec: Spec) -> str:
        """Words of the models, which belong into SCUs."""
        return "words"

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Words of the models that an SCU has, of all; all of them once it is handed in."""
        words = Words.of(context.models)
        if state.get("done"):
            return len(words), len(words)
        contributors = [contributor for scu in scus_of(state).values() for contributor in scu["contributors"]]
        units = [(0, contributor["model"], as_parts(contributor["parts"])) for contributor in contributors]
        return int(cover(words, units, 1).members.sum()), len(words)

    def initial_state(self, context: TaskContext) -> State:
        """The person's pyramid that the campaign already has, if it is of these models."""
        pyramids = self.task_rows(context)
        models = set(context.spec["models"].values())
        # SCUs with contributors in a model that is not shown could not be edited here.
        if not pyramids or not set(pyramids[0].models) <= models:
            return {}
        return state_of(context, pyramids[0])

    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """One task with all models."""
        yield {"models": model_handles(assignment, facts, options)}

    def suggest(self, context: TaskContext, state: State, request: SuggestionRequest, idf: Idf) -> list[dict[str, Any]]:
        """Proposals for SCUs, SCUs like the selected words, or words of other models for an SCU."""
        texts = texts_of(context)
        pyramid = pyramid_from(context, state)
        if request.about == "models":
            return propose_from_models(context, texts, idf)
        if request.about == "span":
            if request.model not in context.spec["models"]:
                raise RefusedError(f"there is no model {request.model!r}")
            text = texts[context.spec["models"][request.model]]
            return suggest_scus(quote_selection(request, text), pyramid, texts, idf)
        return _suggest_contributors(context, find_scu(pyramid, request.uid), texts, idf)

    def export_tables(self, campaign: Campaign) -> Mapping[str, Iterable[Mapping[str, Any]]]:
        """The pyramids, contributor by contributor."""
        return {"pyramids.csv": _contributor_rows(campaign)}


def model_handles(assignment: Assignment, facts: TopicFacts, options: PlanSettings) -> dict[str, str]:
    """The models of a topic by handle, in an order of the person's own, which is the same for peers of the topic."""
    return number_handles(shuffle(facts.models, options.seed, assignment.person, assignment.topic, "pyramid"))


def models_of(context: TaskContext) -> list[Summary]:
    """The task's models, in the campaign's order."""
    summarizers = set(context.spec["models"].values())
    return [model for model in context.data.models if model.summarizer in summarizers]


def texts_of(context: TaskContext) -> dict[str, str]:
    """The texts of the task's models by summarizer."""
    return {model.summarizer: plain(model.text) for model in models_of(context)}


def shown_models(context: TaskContext) -> list[dict[str, Any]]:
    """The models by handle: text, sentences and clauses."""
    return [{"handle": handle, "text": text, **units_of(text)} for handle, text in context.models.items()]


def units_of(text: str) -> dict[str, list[tuple[int, int]]]:
    """What pages step through in a text: its sentences and clauses."""
    return {"sentences": sentence_spans(text), "clauses": clause_spans(text)}


def scus_of(state: State) -> dict[int, Any]:
    """The SCUs of a state by number."""
    scus = {int(key.removeprefix(SCU)): value for key, value in state.items() if key.startswith(SCU)}
    return dict(sorted(scus.items()))


def check_scu(context: TaskContext, key: str, value: Any, before: Any) -> None:
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
    # Imported pyramids may break rules that this page keeps; what they have is no fault of the assessor.
    earlier = (before or {}).get("contributors", [])
    for contributor in value["contributors"]:
        if contributor not in earlier:
            _check_contributor(context, contributor, what)
    models = Counter(contributor["model"] for contributor in value["contributors"])
    # Files that were imported may have several of one model: these stay, and no more are added.
    allowed = Counter(contributor["model"] for contributor in earlier)
    for handle, times in models.items():
        if times > max(1, allowed[handle]):
            raise RefusedError(
                f"{what} already has a contributor from model {handle}: an SCU has at most one from each model. "
                "Add the words to it as a part"
            )


def _check_contributor(context: TaskContext, contributor: Any, what: str) -> None:
    check_fields(contributor, {"model": str, "parts": list, "comment": str}, f"{what}: a contributor")
    handle = contributor.get("model")
    if handle not in context.spec["models"]:
        raise RefusedError(f"{what}: there is no model {handle!r}")
    check_parts(contributor.get("parts"), plain(context.model(handle).text), f"{what}, model {handle}")


def check_none(uids: Sequence[int], verbs: tuple[str, str], what: str) -> None:
    """Refuse to hand in while there are such SCUs; the verb is that of one, or of several."""
    if uids:
        verb = verbs[len(uids) > 1]
        raise RefusedError(f"{counted(len(uids), 'SCU')} {verb} {what}: {', '.join(map(str, uids[:10]))}")


def pyramid_from(
    context: TaskContext,
    state: State,
    *,
    annotator: str = "",
    adjudicator: str = "",
    status: Status | None = None,
    time: str = "",
) -> Pyramid:
    """The pyramid of a state as the files hold it.

    Args:
        context: the task.
        state: what it holds.
        annotator: whose pyramid it is.
        adjudicator: who made it of what annotators had; then it is a consensus.
        status: how far it is.
        time: when it was last changed.
    """
    models = tuple(model.summarizer for model in models_of(context))
    scus = tuple(_scu_from(context, uid, scu) for uid, scu in scus_of(state).items())
    return Pyramid(
        topic=context.task.topic,
        models=models,
        scus=scus,
        annotator=annotator,
        consensus=bool(adjudicator),
        adjudicator=adjudicator,
        status=status,
        time=time,
    )


def _scu_from(context: TaskContext, uid: int, scu: Mapping[str, Any]) -> Scu:
    """An SCU of a state as the files hold it."""
    summarizers = context.spec["models"]
    contributors = tuple(
        Contributor(
            model=summarizers[contributor["model"]],
            parts=as_parts(contributor["parts"]),
            comment=contributor.get("comment", ""),
        )
        for contributor in scu["contributors"]
    )
    return Scu(uid=uid, label=scu["label"], comment=scu["comment"], contributors=contributors)


def state_of(context: TaskContext, pyramid: Pyramid) -> State:
    """The state that leads to this pyramid."""
    handles = {summarizer: handle for handle, summarizer in context.spec["models"].items()}
    state: State = {}
    for scu in pyramid.scus:
        contributors = []
        for contributor in scu.contributors:
            value: dict[str, Any] = {"model": handles[contributor.model], "parts": as_lists(contributor.parts)}
            if contributor.comment:
                value["comment"] = contributor.comment
            contributors.append(value)
        state[f"{SCU}{scu.uid}"] = {"label": scu.label, "comment": scu.comment, "contributors": contributors}
    return state


def _suggest_contributors(context: TaskContext, scu: Scu, texts: Mapping[str, str], idf: Idf) -> list[dict[str, Any]]:
    """The best span of each model that does not contribute to an SCU yet."""
    contributing = {contributor.model for contributor in scu.contributors}
    suggestions: list[dict[str, Any]] = []
    for handle, summarizer in context.spec["models"].items():
        if summarizer in contributing:
            continue
        for span in candidate_spans(scu, texts[summarizer], texts, idf, most=1):
            parts = [[span.start, span.end]]
            suggestions.append({"model": handle, "parts": parts, "similarity": span.similarity})
    return sorted(suggestions, key=lambda suggestion: -suggestion["similarity"])


def _contributor_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each contributor of each SCU."""
    keys = pick_fields(campaign.pyramids, ("topic", "annotator", "consensus", "adjudicator"))
    for key, pyramid in zip(keys, campaign.pyramids, strict=True):
        for scu in pyramid.scus:
            unit = {"scu": scu.uid, "label": scu.label, "weight": scu.weight}
            for contributor in scu.contributors:
                yield {**key, **unit, "model": contributor.model, "parts": json.dumps(contributor.parts)}


TASK_TYPE = PyramidWork()
