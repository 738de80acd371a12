"""Requests to a judge: blinded, shuffled, in the batch form of a provider, and what each of them means."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign import Campaign, Pyramid, Question, Summary, TopicData
from pyramidion.campaign.campaign import RATED, rater_of
from pyramidion.campaign.nouns import Assessor, Document, plain
from pyramidion.errors import InputError, UsageError, check_known, mention
from pyramidion.files.opening import read_lines
from pyramidion.files.problems import Problems
from pyramidion.files.writing import write_lines, written_together
from pyramidion.judging.judge_plan import JudgePlanFile, JudgePlanHead, PlannedRequest, plan_path
from pyramidion.judging.prompts import Prompt, read_prompt
from pyramidion.options import JudgePlanOptions
from pyramidion.options.choice import PeerChoice
from pyramidion.show.tables import Finding, Row, hidden

BYTES_PER_TOKEN = 4
"""Of English text, roughly; other languages have more tokens."""
TOKENS_OF_REASON = 60
TOKENS_OF_ANSWER = 12
"""Roughly, for a number or a choice with its name."""
TOKENS_OF_EVIDENCE = 35
"""Roughly, for an SCU with the words that express it."""
ANTHROPIC_TOKENS = 1024
"""Most tokens of an answer, which Anthropic's form has to name."""
CHAT = "/v1/chat/completions"
CHOICES = ("first", "second", "tie")


class JudgePlanned(Row, record="judge-plan"):
    """What a judge is going to be asked, and what that costs, roughly."""

    judge: str
    model: str
    kind: str
    requests: int
    topics: int
    systems: int
    asked: int
    """Answers that are asked for: a request may ask several questions, or about several SCUs."""
    already: int
    """Answers that the campaign has, and that are not asked for again."""
    runs: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """None without prices."""
    reason: str = ""
    seed: int
    prompt_digest: str
    output: str
    plan: str


class JudgePlan(Finding):
    """Requests to a judge, as they were written."""

    planned: JudgePlanned
    example: str = hidden(default="")
    """The text of the first request."""


@dataclass(frozen=True, kw_only=True)
class JudgeRequest:
    """A request before it gets its id."""

    planned: PlannedRequest
    text: str
    schema: Mapping[str, Any]
    """Of the JSON that is asked for."""
    answers: int
    output_tokens: int


def plan_requests(
    campaign: Campaign,
    output: Path,
    options: JudgePlanOptions,
    *,
    peers: PeerChoice = "systems",
    exclude: Sequence[str] = (),
    seed: int = 0,
    folder: Path | None = None,
) -> JudgePlan:
    """Write the requests to a judge, and next to them the plan that keeps what each id means.

    Args:
        campaign: with the answers of all raters.
        output: the file of the requests, .jsonl.
        options: what is asked, by which prompt, in which form.
        peers: whose summaries are judged.
        exclude: summarizers that are left out.
        seed: of the order of the requests.
        folder: of the campaign, if it is one: prompts are relative to it.

    Raises:
        UsageError: if there is nothing to ask, or an option does not fit.
    """
    campaign.require_single_outputs("judge plan")
    judge = _find_judge(campaign, options)
    prompt, prompt_file = _choose_prompt(judge, options, folder)
    topics = list(_judged_topics(campaign, peers, exclude, options))
    asking = _ASKING[options.kind](campaign, options, prompt)
    requests = [request for topic in topics for request in asking.requests_of(topic)]
    if not requests:
        raise UsageError(_nothing_to_ask(asking.already, options))
    random.Random(seed).shuffle(requests)
    head = JudgePlanHead(
        judge=str(options.llm),
        kind=options.kind,
        model=judge.model,
        digest=prompt.digest,
        prompt=prompt_file,
        temperature=judge.temperature,
        family=judge.family,
        provider=options.provider,
        runs=options.times,
        seed=seed,
        requests=len(requests),
    )
    requests = _number_requests(requests, head)
    lines = [json.dumps(_write_request(request, head, options), ensure_ascii=False).encode() for request in requests]
    plan_file = plan_path(output)
    with written_together():
        write_lines(output, lines)
        JudgePlanFile(head=head, requests=tuple(request.planned for request in requests)).write(plan_file)
    return JudgePlan(planned=_sum_up(requests, head, options, asking.already, output), example=requests[0].text)


def _find_judge(campaign: Campaign, options: JudgePlanOptions) -> Assessor:
    """The judge as campaign.toml and the options describe it."""
    if options.llm is None:
        raise UsageError("`llm=` is missing: name the judge, an assessor of campaign.toml or a model")
    declared = campaign.assessors.get(options.llm)
    if declared is not None and not declared.is_judge:
        raise UsageError(f"{mention('llm', options.llm)}: campaign.toml says that this is a person")
    raters = {rater_of(answer) for field in RATED for answer in getattr(campaign, field)}
    if declared is None and options.llm in raters:
        # Its answers would become those of a judge as soon as campaign.toml gets the entry.
        raise UsageError(
            f"{mention('llm', options.llm)}: the campaign has answers of {options.llm}, who counts as a person; name "
            f'another judge, or declare it: [assessors] "{options.llm}" = {{ kind = "judge" }} in campaign.toml'
        )
    judge = declared or Assessor(kind="judge", model=options.llm)
    changes: dict[str, Any] = {}
    for name in ("model", "temperature"):
        value = getattr(options, name)
        if value is None:
            continue
        before = getattr(judge, name)
        # Answers of one name are those of one judge: another model is another judge.
        if declared is not None and before not in ("", None, value):
            raise UsageError(
                f"{mention(name, value)}: campaign.toml says {before} for {options.llm}; name another judge (`llm=`)"
            )
        changes[name] = value
    judge = msgspec.structs.replace(judge, **changes)
    if not judge.model:
        judge = msgspec.structs.replace(judge, model=options.llm)
    return judge


def _choose_prompt(judge: Assessor, options: JudgePlanOptions, folder: Path | None) -> tuple[Prompt, str]:
    """The prompt, and its file relative to the campaign if it is in there."""
    path: Path | None = None
    if options.prompt is not None:
        path = Path(options.prompt)
    elif named := judge.prompt_for(options.kind) or judge.prompt:
        path = (folder or Path()) / named
    prompt = read_prompt(path, options.kind)
    on_record = judge.digest_for(options.kind)
    if on_record and on_record != prompt.digest:
        raise UsageError(
            f"{prompt.name}: another prompt than that of the answers that the campaign has of {options.llm}; name "
            "another judge (`llm=`)"
        )
    if path is None or folder is None:
        return prompt, ""
    try:
        return prompt, path.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        return prompt, ""


def _judged_topics(
    campaign: Campaign, peers: PeerChoice, exclude: Sequence[str], options: JudgePlanOptions
) -> Iterator[TopicData]:
    """The topics with the summaries that are judged."""
    for name in exclude:
        check_known(name, campaign.summarizer_ids, f"{mention('exclude', name)}: no such summarizer")
    drawn = None if options.plan is None else read_drawn(Path(options.plan))
    for topic in campaign.each_topic(peers=peers):
        id = topic.topic.topic
        chosen = [peer for peer in topic.peers if peer.summarizer not in exclude and plain(peer.text).strip()]
        if drawn is not None:
            chosen = [peer for peer in chosen if drawn.has(id, peer.summarizer)]
        if chosen:
            yield replace(topic, peers=tuple(chosen))


@dataclass(frozen=True)
class DrawnUnits:
    """What a sample has drawn: whole topics, or single summaries."""

    topics: frozenset[str]
    summaries: frozenset[tuple[str, str]]

    def has(self, topic: str, summarizer: str) -> bool:
        """Whether a summary is part of the sample."""
        return topic in self.topics or (topic, summarizer) in self.summaries


class _SampleRow(msgspec.Struct):
    topic: str
    drawn: bool
    summarizer: str | None = None


def read_drawn(path: Path) -> DrawnUnits:
    """What was drawn by a plan: sample.jsonl. Where SCUs were drawn, their topics count.

    Raises:
        InputError: if it is no such file.
    """
    problems = Problems()
    topics: set[str] = set()
    summaries: set[tuple[str, str]] = set()
    for number, line in read_lines(path, problems):
        try:
            row = msgspec.json.decode(line, type=_SampleRow)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(
                f"{path}:{number}: {error}; expected a unit of a sample, as `pyramidion plan` draws it"
            ) from None
        if row.drawn and row.summarizer is None:
            topics.add(row.topic)
        elif row.drawn and row.summarizer is not None:
            summaries.add((row.topic, row.summarizer))
    problems.refuse()
    if not topics and not summaries:
        raise InputError(f"{path}: nothing was drawn; expected rows with drawn: true")
    return DrawnUnits(frozenset(topics), frozenset(summaries))


def _nothing_to_ask(already: int, options: JudgePlanOptions) -> str:
    if already:
        return f"the campaign has all {already:,} answers of {options.llm} already; `again=True` asks again"
    return "there is nothing to ask: no summary of the chosen topics and systems has what is needed"


# What is asked


class _Asking:
    """Makes the requests of one kind, and counts what is not asked again."""

    def __init__(self, campaign: Campaign, options: JudgePlanOptions, prompt: Prompt) -> None:
        self.campaign = campaign
        self.options = options
        self.prompt = prompt
        self.already = 0
        self.judge = str(options.llm)

    def requests_of(self, topic: TopicData) -> Iterator[JudgeRequest]:
        """The requests about one topic."""
        raise NotImplementedError

    def make(
        self,
        topic: TopicData,
        values: Mapping[str, Any],
        schema: Mapping[str, Any],
        *,
        answers: int,
        output_tokens: int,
        summarizers: tuple[str, ...],
        questions: tuple[str, ...] = (),
        scus: tuple[int, ...] = (),
        pyramid: str | None = None,
        run: int = 1,
    ) -> JudgeRequest:
        """A request; its id and its place come later."""
        described = {
            "title": topic.topic.title,
            "narrative": topic.topic.narrative,
            "documents": [_document_values(document) for document in topic.topic.documents],
            "background": [_document_values(document) for document in topic.topic.background],
            "references": [plain(model.text) for model in topic.models],
        }
        planned = PlannedRequest(
            id="",
            order=0,
            topic=topic.topic.topic,
            summarizers=summarizers,
            questions=questions,
            scus=scus,
            pyramid=pyramid,
            run=run,
        )
        return JudgeRequest(
            planned=planned,
            text=self.prompt.render({**described, **values}),
            schema=schema,
            answers=answers,
            output_tokens=output_tokens,
        )


class _Questions(_Asking):
    """The questions of the campaign: a request for each summary, pass and run."""

    def __init__(self, campaign: Campaign, options: JudgePlanOptions, prompt: Prompt) -> None:
        super().__init__(campaign, options, prompt)
        declared = {question.name: question for question in campaign.questions}
        if not declared:
            raise UsageError(
                "campaign.toml declares no questions, so that their scales are not known: add a table [questions]"
            )
        for name in options.questions:
            check_known(name, declared, f"{mention('questions', name)}: campaign.toml has no such question")
        chosen = [question for name, question in declared.items() if not options.questions or name in options.questions]
        self.by_pass: dict[int, list[Question]] = {}
        for question in chosen:
            self.by_pass.setdefault(question.pass_number, []).append(question)
        self.answered = {
            (judgment.topic, judgment.summarizer, judgment.question, judgment.run)
            for judgment in campaign.judgments
            if judgment.assessor == self.judge
        }

    def requests_of(self, topic: TopicData) -> Iterator[JudgeRequest]:
        """A request for each summary, for the questions of each pass, and each run."""
        for peer in topic.peers:
            for questions in self.by_pass.values():
                for run in range(1, self.options.times + 1):
                    asked = self._unanswered(peer, questions, run)
                    if asked:
                        yield self._ask(topic, peer, asked, run)

    def _unanswered(self, peer: Summary, questions: Sequence[Question], run: int) -> list[Question]:
        if self.options.again:
            return list(questions)
        open_questions = [
            question for question in questions if (peer.topic, peer.summarizer, question.name, run) not in self.answered
        ]
        self.already += len(questions) - len(open_questions)
        return open_questions

    def _ask(self, topic: TopicData, peer: Summary, questions: Sequence[Question], run: int) -> JudgeRequest:
        properties: dict[str, Any] = {"reason": {"type": "string"}}
        for question in questions:
            low, high = question.scale
            properties[question.name] = {"type": "integer", "enum": list(range(low, high + 1))}
        return self.make(
            topic,
            {"summary": plain(peer.text), "questions": list(map(_question_values, questions))},
            _object_schema(properties),
            answers=len(questions),
            output_tokens=TOKENS_OF_REASON + TOKENS_OF_ANSWER * len(questions),
            summarizers=(peer.summarizer,),
            questions=tuple(question.name for question in questions),
            run=run,
        )


class _CoverageRequests(_Asking):
    """Whether a summary expresses each SCU of a pyramid: a request for each summary and pyramid."""

    def __init__(self, campaign: Campaign, options: JudgePlanOptions, prompt: Prompt) -> None:
        super().__init__(campaign, options, prompt)
        _require_one_run(options)
        if not campaign.pyramids:
            raise UsageError('the campaign has no pyramids; `kind="coverage"` asks about their SCUs')
        self.annotated = {
            (annotation.topic, annotation.summarizer)
            for annotation in campaign.annotations
            if annotation.annotator == self.judge
        }

    def requests_of(self, topic: TopicData) -> Iterator[JudgeRequest]:
        """A request for each summary, about the topic's only pyramid or its consensus."""
        pyramid = _only_pyramid(topic)
        if pyramid is None or not pyramid.scus:
            return
        for peer in topic.peers:
            if (peer.topic, peer.summarizer) in self.annotated and not self.options.again:
                self.already += len(pyramid.scus)
                continue
            uids = [scu.uid for scu in pyramid.scus]
            scu_schema = _object_schema(
                {
                    "uid": {"type": "integer", "enum": uids},
                    "evidence": {"type": "string"},
                    "present": {"type": "boolean"},
                }
            )
            yield self.make(
                topic,
                {
                    "summary": plain(peer.text),
                    "scus": [{"uid": scu.uid, "label": scu.label} for scu in pyramid.scus],
                },
                _object_schema({"scus": {"type": "array", "items": scu_schema}}),
                answers=len(uids),
                output_tokens=TOKENS_OF_EVIDENCE * len(uids),
                summarizers=(peer.summarizer,),
                scus=tuple(uids),
                pyramid=pyramid.annotator,
            )


class _PreferenceRequests(_Asking):
    """Which of two summaries is better: each pair in both orders."""

    def __init__(self, campaign: Campaign, options: JudgePlanOptions, prompt: Prompt) -> None:
        super().__init__(campaign, options, prompt)
        _require_one_run(options)
        for name in (name for pair in options.pair for name in pair):
            check_known(name, campaign.summarizer_ids, f"{mention('pair', name)}: no such summarizer")
        self.pairs = {frozenset(pair) for pair in options.pair}
        self.compared = {
            (preference.topic, preference.a, preference.b)
            for preference in campaign.preferences
            if preference.assessor == self.judge
        }

    def requests_of(self, topic: TopicData) -> Iterator[JudgeRequest]:
        """Two requests for each pair of summaries, one in each order."""
        for pair in combinations(topic.peers, 2):
            if self.pairs and frozenset(peer.summarizer for peer in pair) not in self.pairs:
                continue
            for first, second in (pair, pair[::-1]):
                key = (first.topic, first.summarizer, second.summarizer)
                if key in self.compared and not self.options.again:
                    self.already += 1
                    continue
                yield self.make(
                    topic,
                    {"first": plain(first.text), "second": plain(second.text)},
                    _object_schema({"reason": {"type": "string"}, "choice": {"type": "string", "enum": list(CHOICES)}}),
                    answers=1,
                    output_tokens=TOKENS_OF_REASON + TOKENS_OF_ANSWER,
                    summarizers=(first.summarizer, second.summarizer),
                )


_ASKING: Mapping[str, type[_Asking]] = {
    "questions": _Questions,
    "coverage": _CoverageRequests,
    "preferences": _PreferenceRequests,
}


def _require_one_run(options: JudgePlanOptions) -> None:
    """Refuse several runs of what campaigns keep one answer of."""
    if options.times > 1:
        raise UsageError(
            f"{mention('times', options.times)}: a campaign keeps several runs of questions only; give each run of "
            f"{options.kind} to a judge of another name"
        )


def _only_pyramid(topic: TopicData) -> Pyramid | None:
    """The pyramid of a topic that peers are matched against; None if it has none.

    Raises:
        UsageError: if it has several, and none or more than one of them is a consensus.
    """
    consensus = [pyramid for pyramid in topic.pyramids if pyramid.consensus]
    candidates = consensus or list(topic.pyramids)
    if len(candidates) > 1:
        names = ", ".join(pyramid.annotator for pyramid in candidates)
        raise UsageError(
            f"topic {topic.topic.topic} has several pyramids ({names}); mark one of them as the consensus "
            '("consensus": true)'
        )
    return candidates[0] if candidates else None


def _document_values(document: Document) -> dict[str, str]:
    """A document as templates see it."""
    return {"text": plain(document.text), "date": document.date, "headline": document.headline}


def _question_values(question: Question) -> dict[str, Any]:
    """A question as templates see it."""
    low, high = question.scale
    labels = [(value, question.label_of(value)) for value in range(low, high + 1)]
    return {
        "name": question.name,
        "text": question.text,
        "lowest": low,
        "highest": high,
        "labels": [(value, label) for value, label in labels if label],
        "examples": [{"value": example.value, "text": example.text} for example in question.examples],
    }


def _object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with all of these fields and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


# How it is written


def _number_requests(requests: Sequence[JudgeRequest], head: JudgePlanHead) -> list[JudgeRequest]:
    """The requests with their places and with ids that tell nothing and that no other plan has."""
    digest = hashlib.sha256(msgspec.json.encode(head))
    for request in requests:
        digest.update(msgspec.json.encode(request.planned))
        digest.update(request.text.encode())
    plan_id = digest.hexdigest()[:8]
    numbered: list[JudgeRequest] = []
    for order, request in enumerate(requests, start=1):
        planned = msgspec.structs.replace(request.planned, id=f"{plan_id}-{order:06d}", order=order)
        numbered.append(replace(request, planned=planned))
    return numbered


def _write_request(request: JudgeRequest, head: JudgePlanHead, options: JudgePlanOptions) -> dict[str, Any]:
    """A line of a batch file."""
    body: dict[str, Any] = {"model": head.model, "messages": [{"role": "user", "content": request.text}]}
    if head.temperature is not None:
        body["temperature"] = head.temperature
    most_tokens = options.max_tokens
    if options.provider == "anthropic":
        most_tokens = most_tokens or ANTHROPIC_TOKENS
    if most_tokens is not None:
        body["max_tokens"] = most_tokens
    if options.provider == "openai" and options.answer == "json-schema":
        schema = {"name": "answer", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif options.provider == "openai" and options.answer == "json-object":
        body["response_format"] = {"type": "json_object"}
    body.update({key: _json_value(value) for key, value in (options.body or {}).items()})
    if options.provider == "anthropic":
        return {"custom_id": request.planned.id, "params": body}
    return {"custom_id": request.planned.id, "method": "POST", "url": CHAT, "body": body}


def _json_value(text: str) -> Any:
    """A value of the command line as JSON, or as a text if it is none.

    >>> [_json_value(text) for text in ("0.9", "true", "low")]
    [0.9, True, 'low']
    """
    try:
        return json.loads(text)
    except ValueError:
        return text


def count_tokens(text: str) -> int:
    """The tokens of a text, roughly: a quarter of its bytes.

    >>> count_tokens("The harbour was closed.")
    6
    """
    return -(-len(text.encode()) // BYTES_PER_TOKEN)


def _sum_up(
    requests: Sequence[JudgeRequest], head: JudgePlanHead, options: JudgePlanOptions, already: int, output: Path
) -> JudgePlanned:
    """How much is asked, and what that costs."""
    input_tokens = sum(count_tokens(request.text) for request in requests)
    output_tokens = sum(request.output_tokens for request in requests)
    cost = None
    if options.price_input is not None or options.price_output is not None:
        cost = input_tokens / 1e6 * (options.price_input or 0) + output_tokens / 1e6 * (options.price_output or 0)
    return JudgePlanned(
        judge=head.judge,
        model=head.model,
        kind=head.kind,
        requests=len(requests),
        topics=len({request.planned.topic for request in requests}),
        systems=len(set(chain.from_iterable(request.planned.summarizers for request in requests))),
        asked=sum(request.answers for request in requests),
        already=already,
        runs=head.runs,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost=cost,
        reason="" if cost is not None else "no prices were given",
        seed=head.seed,
        prompt_digest=head.digest,
        output=str(output),
        plan=str(plan_path(output)),
    )
