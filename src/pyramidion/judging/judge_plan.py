"""The plan of a judge: what each request asks, under an id that tells nothing. A file next to the requests."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from pyramidion.campaign.nouns import Assessor
from pyramidion.campaign.settings import digest_field, prompt_field
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.opening import read_lines
from pyramidion.files.problems import Problems, shorten
from pyramidion.files.writing import write_lines
from pyramidion.options import JudgedKind, Provider
from pyramidion.show.wording import listed

ENDING = ".plan.jsonl"


class PlannedRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one request asks."""

    id: str
    topic: str
    summarizers: tuple[str, ...]
    """Whose summaries it shows: one, or two in the order in which they are shown."""
    order: int
    """Its place among all requests, from 1."""
    run: int = 1
    questions: tuple[str, ...] = ()
    scus: tuple[int, ...] = ()
    pyramid: str | None = None
    """The annotator of the pyramid that the SCUs are of."""


class JudgePlanHead(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What all requests of a plan have in common: the first line of its file."""

    judge: str
    kind: JudgedKind
    model: str
    digest: str
    """Of the prompt."""
    prompt: str = ""
    """The file of the prompt, relative to the campaign, if it is in there."""
    temperature: float | None = None
    family: str = ""
    provider: Provider = "openai"
    runs: int = 1
    seed: int = 0
    requests: int = 0

    @property
    def assessor(self) -> Assessor:
        """The judge as campaign.toml describes it."""
        temperature = self.temperature
        if temperature is not None and temperature.is_integer():
            temperature = int(temperature)
        assessor = Assessor(kind="judge", model=self.model, temperature=temperature, family=self.family)
        of_prompt = {prompt_field(self.kind): self.prompt, digest_field(self.kind): self.digest}
        return msgspec.structs.replace(assessor, **of_prompt)


class JudgePlanFile(msgspec.Struct, frozen=True, kw_only=True):
    """A plan as its file holds it."""

    head: JudgePlanHead
    requests: tuple[PlannedRequest, ...]

    def write(self, path: Path) -> None:
        """Write the file: the head, then a line for each request."""
        lines = [msgspec.json.encode(self.head), *map(msgspec.json.encode, self.requests)]
        write_lines(path, lines)


def plan_path(requests: Path) -> Path:
    """Where the plan of requests is.

    >>> str(plan_path(Path("out/requests.jsonl")))
    'out/requests.plan.jsonl'
    """
    return requests.with_name(requests.name.removesuffix(".jsonl") + ENDING)


def read_plan(path: Path) -> JudgePlanFile:
    """Read the file of a plan.

    Raises:
        InputError: if it is not what `judge plan` wrote.
    """
    problems = Problems()
    lines = list(read_lines(path, problems))
    problems.refuse()
    if not lines:
        raise InputError(f"{path}: found nothing; expected the plan that `judge plan` wrote")
    requests: list[PlannedRequest] = []
    number = 1
    try:
        head = msgspec.json.decode(lines[0][1], type=JudgePlanHead)
        for line_number, line in lines[1:]:
            number = line_number
            requests.append(msgspec.json.decode(line, type=PlannedRequest))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}:{number}: {shorten(str(error), 120)}; expected a line of a plan that `judge plan` wrote"
        ) from None
    if len(requests) != head.requests:
        raise InputError(f"{path}: found {len(requests):,} requests; its first line says {head.requests:,}")
    return JudgePlanFile(head=head, requests=tuple(requests))


def find_plan(answers: Path, ids: Collection[str]) -> Path:
    """The plan next to answers that has their ids.

    Raises:
        UsageError: if there is none, or there are several.
    """
    candidates = sorted(answers.parent.glob(f"*{ENDING}"))
    matching = [path for path in candidates if _has_any(path, ids)]
    if len(matching) == 1:
        return matching[0]
    names = [path.name for path in matching or candidates]
    found = f"found {listed(names)}" if names else "found none"
    raise UsageError(
        f"which plan do the answers in {answers} belong to? Name the file that `judge plan` wrote next to the "
        f"requests, {mention('plan', 'requests' + ENDING)}; {found}"
    )


def _has_any(path: Path, ids: Collection[str]) -> bool:
    """Whether a plan has one of the ids."""
    try:
        plan = read_plan(path)
    except InputError:
        return False
    return not {request.id for request in plan.requests}.isdisjoint(ids)
