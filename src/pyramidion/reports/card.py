"""The card of a judge: what a trial found, as one HTML page that needs nothing else."""

from __future__ import annotations

from pathlib import Path

from pyramidion.errors import MissingExtraError
from pyramidion.files import atomic_writer
from pyramidion.present.trust.cards import card_sections
from pyramidion.show.wording import capital, counted, listed
from pyramidion.studies.trust.results import Trust


def write_card(path: Path, trust: Trust) -> Path:
    """Write the card as a page, whole or not at all; returns its path."""
    try:
        from pyramidion.reports.layout import Heading, render_page
    except ImportError:
        raise MissingExtraError("a card", "report") from None
    names = listed([card.name for card in trust.cards])
    heading = Heading(
        title=f"May I trust {names}?",
        date="",
        compared=(
            f"{_models_of(trust)}against people's answers to {trust.cards[0].with_} · "
            f"{counted(trust.systems, 'system')} · {counted(trust.topics, 'topic')}"
        ),
        description="",
        cut=False,
        simulated=f"{capital(trust.note)}." if trust.note else "",
    )
    page = render_page(heading, card_sections(trust))
    with atomic_writer(path) as file:
        file.write(page.encode())
    return path


def _models_of(trust: Trust) -> str:
    """The models behind the judges, where their names do not say them; a card that is kept must tell which it was."""
    models = dict.fromkeys(card.model for card in trust.cards if card.model and card.model != card.name)
    return f"{listed(list(models))} · " if models else ""
