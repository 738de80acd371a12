"""Campaigns and score tables with known truth, for load tests, power analysis and to check the statistics."""

from pyramidion.simulate.campaign import SimulatedCampaign, simulate_campaign, simulated_topics
from pyramidion.simulate.campaign_files import write_simulated_campaign
from pyramidion.simulate.design import CampaignDesign
from pyramidion.simulate.judgments import Assessors
from pyramidion.simulate.scores import (
    ScoreDesign,
    SimulatedMeasure,
    SimulatedScores,
    simulate_scores,
    write_simulated_scores,
)
from pyramidion.simulate.theory import ExpectedCorrelations, VarianceComponents, expected_correlations
from pyramidion.simulate.truth import Truth

__all__ = [
    "Assessors",
    "CampaignDesign",
    "ExpectedCorrelations",
    "ScoreDesign",
    "SimulatedCampaign",
    "SimulatedMeasure",
    "SimulatedScores",
    "Truth",
    "VarianceComponents",
    "expected_correlations",
    "simulate_campaign",
    "simulate_scores",
    "simulated_topics",
    "write_simulated_campaign",
    "write_simulated_scores",
]
