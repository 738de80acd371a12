"""The task of answering questions about drawn SCUs: is this content in the summary, and where?"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pyramidion.assess.kinds.assignment import (
    Assignment,
    ListChoice,
    PlanChoice,
    PlanSettings,
    Spec,
    TopicFacts,
    number_handles,
    shuffle,
)
from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType, WorkPage, cut_text
from pyramidion.assess.kinds.common import check_answered, last_time, request_of, shown_text
from pyramidion.assess.kinds.spans import as_lists, as_parts, check_fields, check_parts
from pyramidion.assess.store.work import Event, State, Task
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Match, Noun, PeerAnnotation, Pyramid, SampledUnit, Scu, Status, plain
from pyramidion.pyramids.automatic import pyramids_of

ANSWER = "answer/"
BY_SCU = "all summaries of an SCU"
BY_SUMMARY = "all SCUs of a summary"
BOTH = "half of the topics each"
ORDER = ListChoice(
    name="question_order",
    label="SCU questions: asked together are",
    default=BY_SCU,
    values=(BY_SCU, BY_SUMMARY, BOTH),
)
"""What the page goes through first. With half of the topics each, the dashboard tells which is faster."""
HEADINGS = {BY_SCU: "SCU questions, SCU by SCU", BY_SUMMARY: "SCU questions, summary by summary"}

Asked = tuple[int, str]
"""A question: the SCU and the handle of the summary."""


class ContentWork(TaskType[PeerAnnotation]):
    """Whether the content of drawn SCUs is in summaries of a topic."""

    name = "content"
    title = "SCU questions"
    noun_type = PeerAnnotation
    page: ClassVar[WorkPage | None] = WorkPage(
        "kinds/content/page.js", wide=False, styles=("static/forms.css", "kinds/content/page.css")
    )
    plan_choices: ClassVar[tuple[PlanChoice[Any], ...]] = (ORDER,)
    listing_field = "asked"
    is_about_summaries = False  # what comes late was not in the frame of the sample

    def heading(self, campaign: Campaign, task: Task) -> str:
        """The order of the questions: each has a speed of its own."""
        return HEADINGS.get(str(task.spec.get("order")), self.title)

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The SCUs with their wordings in the models, the summaries, and the questions in order."""
        asked = questions_of(context)
        handles = dict.fromkeys(handle for _, handle in asked)
        scus = scus_asked(context)
        limit = context.word_limit
        return {
            "request": request_of(context),
            "limit": limit,
            "by_summary": context.spec.get("order") == BY_SUMMARY,
            "scus": [
                {"uid": uid, "label": scu.label, "comment": scu.comment, "wordings": _wordings(context, scu)}
                for uid, scu in scus.items()
            ],
            "summaries": [{"handle": handle, **shown_text(context.summary(handle).text, limit)} for handle in handles],
            "asked": [{"uid": uid, "handle": handle} for uid, handle in asked],
        }

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """Answers to questions that are asked, with words of the summary."""
        if not key.startswith(ANSWER):
            super().check_field(context, state, key, value)
        uid, _, handle = key.removeprefix(ANSWER).partition("/")
        if (uid, handle) not in {(str(number), handle) for number, handle in questions_of(context)}:
            raise RefusedError(f"there is no question about SCU {uid!r} and summary {handle!r}")
        if value is None:
            return
        what = f"SCU {uid} in summary {handle}"
        check_fields(value, {"present": (bool, type(None)), "parts": list}, what)
        if "present" not in value:
            raise RefusedError(f"{what}: present is true, false, or null if you are unsure")
        if not value.get("parts"):
            return
        if not value["present"]:
            raise RefusedError(f"{what}: words express it, so it is present")
        text = cut_text(plain(context.summary(handle).text), context.word_limit)
        check_parts(value["parts"], text, what)

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Every question has an answer, and none is unsure."""
        open_questions = [asked for asked in questions_of(context) if _presence(state, asked) is None]
        check_answered(open_questions, "question")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """For each summary the answers about it, also those to questions that this task does not ask."""
        pyramid = pyramid_of_task(context)
        if pyramid is None:
            return []
        uids = {scu.uid for scu in pyramid.scus}
        status: Status | None = "annotated" if state.get("done") else None
        time = last_time(events)
        annotations: list[Noun] = []
        for handle, summarizer in context.spec["summaries"].items():
            matches = [match for match in _matches(state, handle) if match.uid in uids]
            if not matches:
                continue
            annotation = PeerAnnotation(
                topic=context.task.topic,
                summarizer=summarizer,
                scus=tuple(matches),
                annotator=context.person,
                pyramid=pyramid.annotator,
                status=status,
                time=time,
                draw=draw_of(context),
            )
            annotations.append(annotation)
        return annotations

    def is_task_row(self, context: TaskContext, row: PeerAnnotation) -> bool:
        """Whether a row has its person's answers to the same draw, about one of these summaries."""
        return row.annotator == context.person and row.draw == draw_of(context) and context.is_about(row.summarizer)

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Questions that are answered."""
        asked = questions_of(context)
        return sum(_presence(state, question) is not None for question in asked), len(asked)

    def initial_state(self, context: TaskContext) -> State:
        """The answers that the campaign already has; those to other questions are kept with them."""
        handles = {summarizer: handle for handle, summarizer in context.spec["summaries"].items()}
        state: State = {}
        for annotation in self.task_rows(context):
            for match in annotation.scus:
                parts = as_lists(match.contributors[0]) if match.contributors else []
                key = f"{ANSWER}{match.uid}/{handles[annotation.summarizer]}"
                state[key] = {"present": match.present, "parts": parts}
        return state

    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """A task for each draw of the sample; all SCUs of the topic where there is no sample."""
        topic = campaign.topic(assignment.topic, peers="all")
        pyramids = pyramids_of(topic)
        peers = [summarizer for summarizer in assignment.summarizers if summarizer not in facts.models]
        if not pyramids or not peers:
            return
        units = [unit for unit in campaign.sample if unit.topic == assignment.topic]
        named = next((unit.pyramid for unit in units if unit.pyramid), None)
        pyramid = next((pyramid for pyramid in pyramids if pyramid.annotator == named), pyramids[0])
        order = _order_of(campaign.topic_ids, assignment.topic, options)
        # The same order of summaries for each SCU: whoever has read a summary finds it in its place.
        names = shuffle(peers, options.seed, assignment.person, assignment.topic, "content")
        for draw, drawn in drawn_questions(pyramid, units, peers, has_sample=bool(campaign.sample)).items():
            seed = (options.seed, assignment.person, assignment.topic, "content", draw)
            yield {
                "draw": draw,
                "order": order,
                "pyramid": pyramid.annotator,
                "summaries": number_handles(names),
                "asked": ask_in_order(drawn, names, order, *seed),
            }

    def subject(self, spec: Spec) -> Hashable:
        """The draw."""
        draw: int | None = spec.get("draw")
        return draw

    def items(self, spec: Spec) -> Mapping[str, Hashable]:
        """The questions by number, with the names of summarizers: the same in any order."""
        summaries = spec["summaries"]
        return {number: (uid, summaries[handle]) for number, (uid, handle) in spec["asked"].items()}

    def reorder(self, task: Task, person: str, seed: int) -> Spec:
        """The same questions in an order of the new person's own."""
        spec = task.spec
        names = shuffle(list(spec["summaries"].values()), seed, person, task.topic, "content")
        drawn = [(uid, spec["summaries"][handle]) for uid, handle in spec["asked"].values()]
        asked = ask_in_order(drawn, names, str(spec.get("order")), seed, person, task.topic, "content", spec["draw"])
        return {**spec, "summaries": number_handles(names), "asked": asked}


def drawn_questions(
    pyramid: Pyramid, units: Sequence[SampledUnit], peers: Sequence[str], *, has_sample: bool
) -> dict[int, list[tuple[int, str]]]:
    """By draw, what a sample asks about a topic: (SCU, summarizer). All of it where there is no sample.

    Args:
        pyramid: of the topic.
        units: those of the sample that are of the topic.
        peers: the summarizers that are judged.
        has_sample: whether the campaign has a sample.
    """
    uids = [scu.uid for scu in pyramid.scus]
    if not has_sample:
        return {1: [(uid, peer) for uid in uids for peer in peers]}
    questions: dict[int, list[tuple[int, str]]] = {}
    for unit in units:
        is_about_summary = unit.scu is None and unit.summarizer is not None
        if not unit.drawn or is_about_summary:
            continue
        unit_uids = [uid for uid in uids if unit.scu in (None, uid)]
        unit_peers = [peer for peer in peers if unit.summarizer in (None, peer)]
        questions.setdefault(unit.draw, []).extend((uid, peer) for uid in unit_uids for peer in unit_peers)
    return {draw: asked for draw, asked in sorted(questions.items()) if asked}


def ask_in_order(
    drawn: Iterable[tuple[int, str]], names: Sequence[str], order: str, *seed: object
) -> dict[str, list[int | str]]:
    """Questions by number, in the order in which they are asked: SCUs in an order of the seed, summaries as named."""
    questions = list(drawn)
    uids = shuffle(list(dict.fromkeys(str(uid) for uid, _ in questions)), *seed)
    place = {int(uid): number for number, uid in enumerate(uids)}
    handle = {name: int(number) for number, name in number_handles(names).items()}

    def by_scu(question: tuple[int, str]) -> tuple[int, int]:
        uid, name = question
        return place[uid], handle[name]

    def by_summary(question: tuple[int, str]) -> tuple[int, int]:
        uid, name = question
        return handle[name], place[uid]

    questions.sort(key=by_summary if order == BY_SUMMARY else by_scu)
    return {str(number): [uid, str(handle[name])] for number, (uid, name) in enumerate(questions, start=1)}


def _order_of(topics: Sequence[str], topic: str, options: PlanSettings) -> str:
    """In which order a topic is asked; with half of the topics each, drawn by the seed."""
    order = ORDER.value_in(options)
    if order != BOTH:
        return order
    place = shuffle(list(topics), options.seed, "order of questions").index(topic)
    return (BY_SCU, BY_SUMMARY)[place % 2]


def draw_of(context: TaskContext) -> int:
    """The draw whose questions the task asks."""
    return int(context.spec["draw"])


def pyramid_of_task(context: TaskContext) -> Pyramid | None:
    """The pyramid whose SCUs are asked about; None if it is gone."""
    for pyramid in context.data.pyramids:
        if pyramid.annotator == context.spec["pyramid"]:
            return pyramid
    return None


def scus_asked(context: TaskContext) -> dict[int, Scu]:
    """The SCUs that are asked about, as far as the pyramid still has them."""
    pyramid = pyramid_of_task(context)
    if pyramid is None:
        return {}
    scus = {scu.uid: scu for scu in pyramid.scus}
    uids = dict.fromkeys(uid for uid, _ in context.spec["asked"].values())
    return {uid: scus[uid] for uid in uids if uid in scus}


def questions_of(context: TaskContext) -> list[Asked]:
    """The questions in order, without those about SCUs that the pyramid has no longer."""
    scus = scus_asked(context)
    asked = context.spec["asked"]
    questions = [(asked[number][0], asked[number][1]) for number in sorted(asked, key=int)]
    return [(uid, handle) for uid, handle in questions if uid in scus]


def _presence(state: State, question: Asked) -> bool | None:
    """What was answered; None if nothing, or unsure."""
    uid, handle = question
    answer = state.get(f"{ANSWER}{uid}/{handle}") or {}
    presence: bool | None = answer.get("present")
    return presence


def _matches(state: State, handle: str) -> Iterator[Match]:
    """What was answered about a summary, by SCU."""
    answers: dict[int, Any] = {}
    for key, value in state.items():
        if not key.startswith(ANSWER):
            continue
        uid, _, about = key.removeprefix(ANSWER).partition("/")
        if about == handle and value["present"] is not None:
            answers[int(uid)] = value
    for number in sorted(answers):
        parts = answers[number].get("parts") or []
        contributors = (as_parts(parts),) if parts else ()
        yield Match(uid=number, present=answers[number]["present"], contributors=contributors)


def _wordings(context: TaskContext, scu: Scu) -> list[str]:
    """How models say it: their words, without their names."""
    texts = {model.summarizer: plain(model.text) for model in context.data.models}
    wordings: list[str] = []
    for contributor in scu.contributors:
        text = texts.get(contributor.model)
        if text is None or not contributor.parts:
            continue
        wordings.append(" … ".join(" ".join(text[start:end].split()) for start, end in contributor.parts))
    return [wording for wording in dict.fromkeys(wordings) if wording != scu.label]


TASK_TYPE = ContentWork()
