"""The golden pyramids as incidences: who contributes and what peers match is in pyramids.json, so no text is needed."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.arrays import Bools
from pyramidion.campaign import Contributor, Match, PeerAnnotation, Pyramid, Scu
from pyramidion.pyramids.incidence import subsets

FOLDER = Path(__file__).parents[1] / "golden" / "pyramid"
PYRAMIDS: dict[str, dict[str, Any]] = json.loads((FOLDER / "pyramids.json").read_text(encoding="utf-8"))["pyramids"]
ROUNDINGS = {"round_half_up": "half-up", "floor": "floor", "ceil": "ceil", "interpolate": "interpolate"}
"""The names of the roundings there and here."""
TOLERANCE = 1e-6


def pyramid(name: str) -> Pyramid:
    golden = PYRAMIDS[name]
    return Pyramid(
        topic=name,
        models=tuple(golden["models"]),
        scus=tuple(
            Scu(uid=int(uid), label=f"SCU {uid}", contributors=tuple(Contributor(model=model) for model in models))
            for uid, models in golden["contributing_models"].items()
        ),
    )


def annotation(name: str, peer: str) -> PeerAnnotation:
    """The matched SCUs, all repeats of the first of them, and the non-matching units."""
    golden = PYRAMIDS[name]["peers"][peer]
    contributors = dict.fromkeys(golden["matched_scus"], (((0, 1),),))
    if golden["n_repeats"]:
        contributors[golden["matched_scus"][0]] = (((0, 1),),) * (1 + golden["n_repeats"])
    return PeerAnnotation(
        topic=name,
        summarizer=peer,
        scus=tuple(Match(uid=uid, contributors=given) for uid, given in contributors.items()),
        unmatched=(((0, 1),),) * golden["n_nonmatching"],
    )


PEERS = [(name, peer) for name, golden in PYRAMIDS.items() for peer in golden["peers"]]
MODELS = [(name, model) for name, golden in PYRAMIDS.items() for model in golden["models"]]


def all_subsets(models: int) -> Bools:
    """Every subset but the empty one, by order: (2ⁿ − 1) × n."""
    return np.concatenate([subsets(models, order) for order in range(1, models + 1)])
