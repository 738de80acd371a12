"""Answers of a judge: read by the schema that was asked for, else by the grammar of answers; never guessed.

What can't be read is counted by kind and listed. The rest becomes judgments, annotations or preferences of the judge.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec

from pyramidion.campaign import Campaign, Judgment, Match, PeerAnnotation, Preference
from pyramidion.campaign.answers import Grade, Misfit, read_answer
from pyramidion.campaign.importing import ImportPlan, ImportSource, import_into
from pyramidion.campaign.nouns import Assessor, moment, plain
from pyramidion.campaign.settings import digest_field
from pyramidion.errors import InputError, UsageError
from pyramidion.files.opening import read_lines
from pyramidion.files.problems import Problems, shorten
from pyramidion.judging.judge_plan import JudgePlanFile, PlannedRequest, find_plan, read_plan
from pyramidion.options import ImportOptions, JudgeReadOptions
from pyramidion.show.tables import Finding, Row, hidden

ReplyKind = Literal["answered", "refused", "truncated", "malformed", "failed", "missing", "repeated", "unknown"]
"""What became of a request: it was answered; the model declined; its answer was cut off at the most tokens; it can't be
read; the service gave no answer; there is none in the file; there is a second one; no request has its id."""
KINDS: tuple[ReplyKind, ...] = (
    "answered",
    "refused",
    "truncated",
    "malformed",
    "failed",
    "missing",
    "repeated",
    "unknown",
)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(?P<content>.*?)```", re.DOTALL)
_CHOICE = re.compile(
    r"(?:(?:my\s+|the\s+|final\s+)*(?:choice|verdict|answer|preference|winner)\s*(?:[:=]|is)\s*)?"
    r"[*_`\[\"'(]*(?:summary\s+)?(?P<choice>first|second|tie)[*_`\]\"')]*\.?",
    re.IGNORECASE,
)
"""A choice in words: the word alone, or with a label on the last line."""


class ReadCount(Row, record="judge-reading"):
    """How many requests have an answer of a kind."""

    kind: ReplyKind
    count: int


class UnreadAnswer(Row, record="judge-unread"):
    """A request without an answer that can be used, and why."""

    kind: ReplyKind
    id: str
    topic: str
    summarizers: tuple[str, ...]
    run: int
    found: str
    expected: str


class JudgeReading(Finding):
    """What was read of a judge's answers, and what the campaign got of it."""

    record_kinds: ClassVar[tuple[str, ...]] = ("judge-reading", "judge-unread")

    judge: str
    what: str
    """What was asked: questions, coverage or preferences."""
    counts: tuple[ReadCount, ...]
    unread: tuple[UnreadAnswer, ...]
    answers: int
    """Judgments, annotations or preferences."""
    imported: ImportPlan
    lists_all: bool = hidden(default=False)
    """Whether tables have all answers that can't be used; else the first ones."""

    def only(self, *kinds: str) -> JudgeReading:
        """The reading with all answers that can't be used, if these are asked for."""
        return replace(self, lists_all="judge-unread" in kinds)

    @property
    def requests(self) -> int:
        """How many requests the plan has."""
        return sum(count.count for count in self.counts if count.kind not in ("repeated", "unknown"))


@dataclass(frozen=True, kw_only=True)
class _ServiceReply:
    """What a service returned for one request."""

    text: str = ""
    kind: ReplyKind = "answered"
    found: str = ""
    seconds: float | None = None
    time: str = ""


@dataclass
class _ReplyReader:
    """Reads the replies to the requests of a plan."""

    plan: JudgePlanFile
    campaign: Campaign
    judgments: list[Judgment] = field(default_factory=list)
    preferences: list[Preference] = field(default_factory=list)
    annotations: list[PeerAnnotation] = field(default_factory=list)
    unread: list[UnreadAnswer] = field(default_factory=list)
    counts: Counter[ReplyKind] = field(default_factory=Counter)

    def read(self, replies: Mapping[str, _ServiceReply]) -> None:
        """Read the reply to each request, or note that there is none."""
        for request in self.plan.requests:
            reply = replies.get(request.id)
            if reply is None:
                self._note(request, "missing", "no answer", "an answer to each request")
                continue
            if reply.kind != "answered":
                self._note(request, reply.kind, reply.found, "an answer")
                continue
            misfit = self._read_one(request, reply)
            if misfit is None:
                self.counts["answered"] += 1
            else:
                self._note(request, "malformed", misfit.found, misfit.expected)

    def _note(self, request: PlannedRequest, kind: ReplyKind, found: str, expected: str) -> None:
        self.counts[kind] += 1
        self.unread.append(
            UnreadAnswer(
                kind=kind,
                id=request.id,
                topic=request.topic,
                summarizers=request.summarizers,
                run=request.run,
                found=found,
                expected=expected,
            )
        )

    def _read_one(self, request: PlannedRequest, reply: _ServiceReply) -> Misfit | None:
        """Add what a reply says; the misfit if it can't be read."""
        reply = replace(reply, text=_without_thoughts(reply.text))
        content = _json_in(reply.text)
        if isinstance(content, Misfit):
            return content
        if self.plan.head.kind == "questions":
            return self._read_questions(request, reply, content)
        if self.plan.head.kind == "coverage":
            return self._read_coverage(request, reply, content)
        return self._read_preference(request, reply, content)

    def _read_questions(
        self, request: PlannedRequest, reply: _ServiceReply, content: Mapping[str, Any] | None
    ) -> Misfit | None:
        grades: dict[str, Grade] = {}
        for name in request.questions:
            question = self.campaign.questions.get(name)
            if question is None:
                raise InputError(f"campaign.toml has no question {name!r}, which the plan has")
            cell = _cell_of(name, content, reply.text, is_only=len(request.questions) == 1)
            grade = cell if isinstance(cell, Misfit) else read_answer(cell, scale=question.scale, labels=[name])
            if isinstance(grade, Misfit):
                # All or nothing: half of an answer is more likely a misunderstanding than half an opinion.
                return Misfit(grade.kind, f"{name}: {grade.found}", grade.expected)
            grades[name] = grade
        shared_reason = _text_of(content, "reason")
        for name, grade in grades.items():
            self.judgments.append(
                Judgment(
                    topic=request.topic,
                    summarizer=request.summarizers[0],
                    question=name,
                    value=int(grade.value) if grade.value.is_integer() else grade.value,
                    assessor=self.plan.head.judge,
                    run=request.run,
                    comment=grade.reason or shared_reason,
                    seconds=reply.seconds,
                    time=reply.time,
                    order=request.order,
                )
            )
        return None

    def _read_coverage(
        self, request: PlannedRequest, reply: _ServiceReply, content: Mapping[str, Any] | None
    ) -> Misfit | None:
        rows = (content or {}).get("scus")
        expected = (
            f'{{"scus": [{{"uid": …, "evidence": "…", "present": true or false}}]}} with {len(request.scus)} SCUs'
        )
        if not isinstance(rows, list):
            return Misfit("json", shorten(reply.text), expected)
        matches: dict[int, Match] = {}
        text = self._text_of_summary(request.topic, request.summarizers[0])
        for row in rows:
            match = _match_of(row, text)
            if match is None or match.uid not in request.scus or match.uid in matches:
                return Misfit("json", shorten(row), expected)
            matches[match.uid] = match
        missing = [uid for uid in request.scus if uid not in matches]
        if missing:
            return Misfit("json", f"no answer about SCU {missing[0]} and {len(missing) - 1} others", expected)
        self.annotations.append(
            PeerAnnotation(
                topic=request.topic,
                summarizer=request.summarizers[0],
                annotator=self.plan.head.judge,
                pyramid=request.pyramid,
                scus=tuple(matches[uid] for uid in request.scus),
                time=reply.time,
            )
        )
        return None

    def _read_preference(
        self, request: PlannedRequest, reply: _ServiceReply, content: Mapping[str, Any] | None
    ) -> Misfit | None:
        expected = '{"reason": "…", "choice": "first", "second" or "tie"}'
        choice, reason = _choice_of(reply.text, content)
        if not choice:
            return Misfit("words", shorten(reply.text), expected)
        self.preferences.append(
            Preference(
                topic=request.topic,
                a=request.summarizers[0],
                b=request.summarizers[1],
                choice={"first": "a", "second": "b", "tie": "tie"}[choice],  # type: ignore[arg-type]
                assessor=self.plan.head.judge,
                reason=reason,
                time=reply.time,
                seconds=reply.seconds,
            )
        )
        return None

    def _text_of_summary(self, topic: str, summarizer: str) -> str:
        data = self.campaign.topic(topic, peers="all")
        return next((plain(peer.text) for peer in data.peers if peer.summarizer == summarizer), "")

    @property
    def incoming(self) -> Campaign:
        """What the campaign gets."""
        return Campaign(
            assessors=_entry_of(self.plan, self.campaign),
            judgments=tuple(self.judgments),
            preferences=tuple(self.preferences),
            annotations=tuple(self.annotations),
        )


def read_answers(answers: Path, folder: Path, options: JudgeReadOptions) -> JudgeReading:
    """Read the answers of a judge, and add them to a campaign.

    Args:
        answers: what `judge send` or a batch service returned.
        folder: the campaign folder.
        options: which plan they belong to, and whether anything is written.

    Raises:
        InputError: if the files do not belong together.
        CampaignError: if the campaign has errors, or would have.
    """
    replies, repeated = _read_replies(answers)
    plan = read_plan(Path(options.plan) if options.plan is not None else find_plan(answers, replies))
    ids = {request.id for request in plan.requests}
    readers: list[_ReplyReader] = []

    def read(campaign: Campaign, _: Problems) -> Campaign:
        _require_same_judge(plan, campaign)
        reader = _ReplyReader(plan, campaign)
        reader.read(replies)
        readers.append(reader)
        return reader.incoming

    import_options = ImportOptions(dry_run=options.dry_run, replace=options.replace, strict=options.strict)
    imported = import_into(folder, ImportSource(read=read, path=answers), import_options)
    reader = readers[-1]
    unknown = [id for id in replies if id not in ids]
    if unknown and len(unknown) == len(replies):
        raise InputError(f"{answers}: no request of the plan has one of these ids, such as {unknown[0]!r}")
    reader.counts["repeated"] = repeated
    reader.counts["unknown"] = len(unknown)
    counts = [ReadCount(kind=kind, count=reader.counts[kind]) for kind in KINDS if reader.counts[kind]]
    return JudgeReading(
        judge=plan.head.judge,
        what=plan.head.kind,
        counts=tuple(counts),
        unread=tuple(reader.unread),
        answers=len(reader.judgments) + len(reader.preferences) + len(reader.annotations),
        imported=imported,
    )


def _require_same_judge(plan: JudgePlanFile, campaign: Campaign) -> None:
    """Refuse answers to another prompt, or of another model, than campaign.toml has for the judge.

    Raises:
        UsageError: with what differs.
    """
    head = plan.head
    declared = campaign.assessors.get(head.judge)
    if declared is None:
        return
    declared_digest = declared.digest_for(head.kind) or campaign.prompt_digests.get((head.judge, head.kind), "")
    pairs = {
        "prompt (digest)": (declared_digest, head.digest),
        "model": (declared.model, head.model),
        "temperature": (declared.temperature, head.temperature),
    }
    for what, (there, planned) in pairs.items():
        if there not in ("", None) and there != planned:
            raise UsageError(
                f"campaign.toml has another {what} for {head.judge} ({there}) than the plan ({planned}); answers of "
                "two judges must not have one name: restore it, or plan with another judge"
            )


def _entry_of(plan: JudgePlanFile, campaign: Campaign) -> Mapping[str, Assessor]:
    """The entry of the judge in campaign.toml: a new one, or the one that is there with the digest of its prompt."""
    head = plan.head
    declared = campaign.assessors.get(head.judge)
    if declared is None:
        return {head.judge: head.assessor}
    on_record = {digest_field(head.kind): head.digest}
    return {head.judge: msgspec.structs.replace(declared, kind="judge", **on_record)}


# Replies of services


def _read_replies(path: Path) -> tuple[dict[str, _ServiceReply], int]:
    """By the id of the request, what services returned; and how many further replies there are to one request.

    A usable reply counts more than an unusable one, then the first.

    Raises:
        InputError: if a line is no reply.
    """
    problems = Problems()
    replies: dict[str, _ServiceReply] = {}
    repeated = 0
    for number, line in read_lines(path, problems):
        row = _decode(line)
        if not isinstance(row, dict) or not isinstance(row.get("custom_id"), str):
            raise InputError(
                f"{path}:{number}: found {shorten(line.decode(errors='replace'))}; expected an answer with a custom_id"
            )
        id = row["custom_id"]
        reply = _reply_of(row)
        if id in replies:
            repeated += 1
            if replies[id].kind == "answered" or reply.kind != "answered":
                continue
        replies[id] = reply
    problems.refuse()
    if not replies:
        raise InputError(f"{path}: found no answer")
    return replies, repeated


def _decode(text: bytes | str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _reply_of(row: Mapping[str, Any]) -> _ServiceReply:
    """What a line of answers says: OpenAI's form, which `judge send` writes, or Anthropic's."""
    seconds = row.get("seconds")
    time = row.get("time")
    facts: dict[str, Any] = {
        "seconds": seconds if isinstance(seconds, int | float) and seconds >= 0 else None,
        "time": time if isinstance(time, str) and moment(time) is not None else "",
    }
    result = _dictionary(row.get("result"))
    if result:
        return _anthropic_reply(result, facts)
    response = _dictionary(row.get("response"))
    status = response.get("status_code")
    if row.get("error") or status != 200:
        return _ServiceReply(
            kind="failed", found=shorten(row.get("error") or response.get("body") or f"status {status}")
        )
    choices = _dictionary(response.get("body")).get("choices")
    choice = _dictionary(choices[0]) if isinstance(choices, list) and choices else {}
    message = _dictionary(choice.get("message"))
    content = message.get("content")
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return _ServiceReply(kind="refused", found=shorten(message.get("refusal") or content or "content filter"))
    if choice.get("finish_reason") == "length":
        return _ServiceReply(kind="truncated", found=shorten(content or ""))
    return _ServiceReply(text=content if isinstance(content, str) else "", **facts)


def _anthropic_reply(result: Mapping[str, Any], facts: Mapping[str, Any]) -> _ServiceReply:
    """What a result of Anthropic's batch service says."""
    if result.get("type") != "succeeded":
        return _ServiceReply(kind="failed", found=shorten(result.get("error") or result.get("type") or "no result"))
    message = _dictionary(result.get("message"))
    blocks = message.get("content")
    texts = [_dictionary(block).get("text") for block in blocks] if isinstance(blocks, list) else []
    text = "".join(part for part in texts if isinstance(part, str))
    if message.get("stop_reason") == "refusal":
        return _ServiceReply(kind="refused", found=shorten(text or "refusal"))
    if message.get("stop_reason") == "max_tokens":
        return _ServiceReply(kind="truncated", found=shorten(text))
    return _ServiceReply(text=text, **facts)


def _dictionary(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


# What an answer says


class _RepeatedKeyError(ValueError):
    """An object with a key twice, of which one would have to be guessed."""


def _refuse_repeated_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise _RepeatedKeyError
    return content


def _without_thoughts(text: str) -> str:
    r"""An answer without what the model thought before it, which some servers leave in the text.

    >>> _without_thoughts("<think>\nScore: 2? No.\n</think>\n\nScore: 4")
    'Score: 4'
    """
    # The first mark is often missing, because it is part of the request that the server made.
    _, mark, answer = text.rpartition("</think>")
    if mark:
        return answer.strip()
    # Thoughts that come to no end are no answer.
    return "" if text.lstrip().startswith("<think>") else text


def _json_in(text: str) -> Mapping[str, Any] | Misfit | None:
    r"""The only JSON object of an answer, alone, between words or in a fence of backquotes; None if there is none.

    >>> _json_in('Here is my answer:\n```json\n{"fluency": 4}\n```')
    {'fluency': 4}
    """
    stripped = text.strip()
    fences = _FENCE.findall(stripped)
    if len(fences) == 1:
        stripped = fences[0].strip()
    start = stripped.find("{")
    if start < 0:
        return None
    decoder = json.JSONDecoder(object_pairs_hook=_refuse_repeated_keys)
    try:
        content, end = decoder.raw_decode(stripped, start)
    except _RepeatedKeyError:
        return Misfit("several", shorten(text), "each field once")
    except (ValueError, RecursionError):
        return None
    if "{" in stripped[end:]:
        return Misfit("several", shorten(text), "one JSON object")
    return content if isinstance(content, dict) else None


def _cell_of(name: str, content: Mapping[str, Any] | None, text: str, *, is_only: bool) -> Any:
    """The part of an answer that is about one question, for the grammar of answers."""
    if content is not None:
        if name in content:
            return content[name]
        if is_only:
            return content
        return Misfit("json", f"no field {name!r}", f"a field {name!r}")
    if is_only:
        return text
    # One number must not become the answer to several questions: only lines that name the question count.
    pattern = r"[\s_-]+".join(map(re.escape, re.split(r"[\s_-]+", name)))
    is_about = re.compile(rf"[*_`\s-]*{pattern}[*_`\s]*[:=]", re.IGNORECASE)
    lines = [line for line in text.splitlines() if is_about.match(line)]
    if not lines:
        return Misfit("words", shorten(text), f"a JSON object with {name!r}, or a line “{name}: number”")
    return "\n".join(lines)


def _text_of(content: Mapping[str, Any] | None, key: str) -> str:
    """A text in an object; empty if there is none."""
    value = (content or {}).get(key)
    return value.strip() if isinstance(value, str) else ""


def _match_of(row: Any, text: str) -> Match | None:
    """What an answer says about one SCU, with the place of its evidence if the summary has these words once."""
    facts = _dictionary(row)
    uid, is_present = facts.get("uid"), facts.get("present")
    if not isinstance(uid, int) or isinstance(uid, bool) or not isinstance(is_present, bool):
        return None
    evidence = _text_of(facts, "evidence")
    contributors: tuple[Any, ...] = ()
    if is_present and evidence and text.count(evidence) == 1:
        start = text.index(evidence)
        contributors = (((start, start + len(evidence)),),)
    comment = "" if contributors else evidence
    return Match(uid=uid, present=is_present, contributors=contributors, comment=comment)


def _choice_of(text: str, content: Mapping[str, Any] | None) -> tuple[str, str]:
    """The choice of an answer, and its reason; empty if it has none that is clear."""
    if content is not None:
        choice = _text_of(content, "choice").lower()
        return (choice if choice in ("first", "second", "tie") else "", _text_of(content, "reason"))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return "", ""
    last = _CHOICE.fullmatch(lines[-1])
    if last is None:
        return "", ""
    return last["choice"].lower(), "\n".join(lines[:-1])
