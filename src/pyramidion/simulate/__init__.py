"""Campaigns and score tables with known truth, for load tests, power analysis and checks of the statistics."""

from pyramidion.simulate.campaign import SimulatedCampaign, simulate_campaign, write_simulated_campaign
from pyramidion.simulate.design import CampaignDesign, ScoreDesign
from pyramidion.simulate.scores import SimulatedScores, simulate_scores, write_simulated_scores
from pyramidion.simulate.truth import Truth

__all__ = [
    "CampaignDesign",
    "ScoreDesign",
    "SimulatedCampaign",
    "SimulatedScores",
    "Truth",
    "simulate_campaign",
    "simulate_scores",
    "write_simulated_campaign",
    "write_simulated_scores",
]
