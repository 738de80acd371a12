"""Names of people and ids of systems: the files know both by their ids alone, so nobody shares one with a system."""

from __future__ import annotations

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.adjudicate.consensus import CONSENSUS
from pyramidion.assess.kinds.write.task_type import is_system
from pyramidion.assess.store.people import Person
from pyramidion.errors import UsageError
from pyramidion.show.wording import counted


def check_name(assessment: Assessment, name: str) -> None:
    """Refuse a name for a new person that a system of the campaign, a consensus or someone else has.

    Raises:
        UsageError: with a name that can be taken instead.
    """
    for person in assessment.people.all():
        # Readers of tables, and file systems of some computers, take Ann and ann for one person.
        if person.name.casefold() == name.casefold():
            also = "" if person.name == name else f", which differs from {name} only in capital letters"
            raise UsageError(f"There is already someone called {person.name}{also}.")
    if name.casefold() == CONSENSUS:
        reason = f"The files use {CONSENSUS} for what is made of the work of two annotators."
    elif is_system(assessment.campaign, name):
        reason = f"{name} is also the id of a system of this campaign, and a person must not be taken for a system."
    else:
        return
    raise UsageError(f"{reason} Choose another name, such as {propose_name(assessment, name)}.")


def propose_name(assessment: Assessment, name: str) -> str:
    """A name like this one that neither a person nor a summarizer has."""
    taken = {person.name for person in assessment.people.all()} | set(assessment.campaign.summarizer_ids)
    proposal, number = f"{name}-person", 2
    while proposal in taken:
        proposal, number = f"{name}-person-{number}", number + 1
    return proposal


def name_problems(assessment: Assessment) -> dict[str, str]:
    """Why people who can sign in need another name, by the ids of these people."""
    campaign = assessment.campaign
    problems = {}
    peers = {(summary.topic, summary.summarizer) for summary in campaign.summaries if summary.kind == "peer"}
    tasks = assessment.given_out(kind="write", practice=False)
    for person in assessment.people.all(active=True):
        shared = [task for task in tasks if task.person == person.id and (task.topic, person.name) in peers]
        if not shared and not is_system(campaign, person.name):
            continue
        waiting_models = sum(task.person == person.id and task.done for task in tasks)
        waiting = ""
        if waiting_models:
            models = counted(waiting_models, "model summary", "model summaries")
            waiting = f" {models} of this person can't be written."
        problems[person.id] = (
            f"{person.name} is also the id of a system of this campaign. Nothing is lost, but model summaries of this "
            f"person are not taken until the name is another one.{waiting}"
        )
    return problems


def rename(assessment: Assessment, person: Person, name: str) -> Person:
    """Give someone who is called like a system another name; all their work is the new person's.

    The person of the old name stays in the log of events and can't sign in any more.

    Raises:
        UsageError: if the name can't be taken, or the work of others rests on the old one.
    """
    if person.id not in name_problems(assessment):
        raise UsageError(f"{person.name} needs no other name: names change only where a system has the same id.")
    check_name(assessment, name)
    topic = _topic_resting_on(assessment, person)
    if topic:
        raise UsageError(
            f"Work on topic {topic} rests on what {person.name} made under this name, so the name can't change. "
            "Give the system another id in the campaign's files instead."
        )
    return assessment.people.replace(person, name)


def _topic_resting_on(assessment: Assessment, person: Person) -> str:
    """A topic on which work names what a person wrote or annotated; empty if there is none."""
    models = [summary for summary in assessment.campaign.summaries if summary.kind == "model"]
    topics = {model.topic for model in models if model.summarizer == person.name}
    for task in assessment.given_out():
        if person.name in task.spec.get("annotators", ()):
            return task.topic
        if task.topic in topics and person.name in assessment.task_type(task).summarizers_in(task.spec):
            return task.topic
    return ""
