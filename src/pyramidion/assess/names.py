"""Names of people and ids of systems: the files know both by their ids alone, so nobody shares one with a system."""

from __future__ import annotations

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.adjudicate import CONSENSUS
from pyramidion.assess.kinds.write import is_system
from pyramidion.assess.store.people import Person
from pyramidion.errors import UsageError
from pyramidion.show.wording import counted


def check_name(the: Assessment, name: str) -> None:
    """Refuse a name for a new person that a system of the campaign, a consensus or someone else has.

    Raises:
        UsageError: with a name that can be taken instead.
    """
    if the.people.find(name=name) is not None:
        raise UsageError(f"There is already someone called {name}.")
    if name == CONSENSUS:
        reason = f"The files use {name} for what is made of the work of two annotators."
    elif is_system(the.campaign, name):
        reason = f"{name} is also the id of a system of this campaign, and a person must not be taken for a system."
    else:
        return
    raise UsageError(f"{reason} Choose another name, such as {propose_name(the, name)}.")


def propose_name(the: Assessment, name: str) -> str:
    """A name like this one that neither a person nor a summarizer has."""
    taken = {person.name for person in the.people.all()} | set(the.campaign.summarizer_ids)
    proposal, number = f"{name}-person", 2
    while proposal in taken:
        proposal, number = f"{name}-person-{number}", number + 1
    return proposal


def name_problems(the: Assessment) -> dict[str, str]:
    """Why people who can sign in need another name, by the ids of these people."""
    campaign, found = the.campaign, {}
    peers = {(one.topic, one.summarizer) for one in campaign.summaries if one.kind == "peer"}
    tasks = the.work.given_out(kind="write", practice=False)
    for person in the.people.all(active=True):
        shared = [task for task in tasks if task.person == person.id and (task.topic, person.name) in peers]
        if not shared and not is_system(campaign, person.name):
            continue
        held = sum(task.person == person.id and task.done for task in tasks)
        waiting = (
            f" {counted(held, 'model summary', 'model summaries')} of this person can't be written." if held else ""
        )
        found[person.id] = (
            f"{person.name} is also the id of a system of this campaign. Nothing is lost, but model summaries of this "
            f"person are not taken until the name is another one.{waiting}"
        )
    return found


def rename(the: Assessment, person: Person, name: str) -> Person:
    """Give someone who is called like a system another name; all their work is the new person's.

    The person of the old name stays in the log of events and can't sign in any more.

    Raises:
        UsageError: if the name can't be taken, or the work of others rests on the old one.
    """
    if person.id not in name_problems(the):
        raise UsageError(f"{person.name} needs no other name: names change only where a system has the same id.")
    check_name(the, name)
    if topic := _rests_on(the, person):
        raise UsageError(
            f"Work on topic {topic} rests on what {person.name} made under this name, so the name can't change. "
            "Give the system another id in the campaign's files instead."
        )
    return the.people.replace(person, name)


def _rests_on(the: Assessment, person: Person) -> str:
    """A topic on which work names what a person wrote or annotated; empty if there is none."""
    models = {one.topic for one in the.campaign.summaries if one.kind == "model" and one.summarizer == person.name}
    for task in the.work.given_out():
        named = set(task.spec.get("models", {}).values()) | set(task.spec.get("summaries", {}).values())
        for pair in task.spec.get("pairs", {}).values():
            named |= set(pair)
        if person.name in task.spec.get("annotators", ()) or (task.topic in models and person.name in named):
            return task.topic
    return ""
