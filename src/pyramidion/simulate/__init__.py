"""Campaigns and score tables with known truth, for load tests, power analysis and checks of the statistics."""

from pyramidion.simulate.campaign import simulate_campaign, write_simulated_campaign
from pyramidion.simulate.design import CampaignDesign, ScoreDesign
from pyramidion.simulate.scores import simulate_scores, write_simulated_scores

__all__ = [
    "CampaignDesign",
    "ScoreDesign",
    "simulate_campaign",
    "simulate_scores",
    "write_simulated_campaign",
    "write_simulated_scores",
]
