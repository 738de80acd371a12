"""The campaign: its nouns, its folder and its flat form. Reading checks everything and reports all problems at once."""

from pyramidion.campaign.campaign import Campaign, PeerChoice, TopicData
from pyramidion.campaign.flat.writing import write_flat
from pyramidion.campaign.folder import write_folder
from pyramidion.campaign.nouns import (
    Contributor,
    Coverage,
    CoverageUnit,
    Document,
    Judgment,
    Match,
    PeerAnnotation,
    Pyramid,
    Question,
    Scu,
    Summarizer,
    Summary,
    Text,
    Topic,
    plain,
    pyramid_of,
)
from pyramidion.campaign.sources import Source
from pyramidion.files.problems import CampaignError, CampaignWarning, Problem, Problems

__all__ = [
    "Campaign",
    "CampaignError",
    "CampaignWarning",
    "Contributor",
    "Coverage",
    "CoverageUnit",
    "Document",
    "Judgment",
    "Match",
    "PeerAnnotation",
    "PeerChoice",
    "Problem",
    "Problems",
    "Pyramid",
    "Question",
    "Scu",
    "Source",
    "Summarizer",
    "Summary",
    "Text",
    "Topic",
    "TopicData",
    "plain",
    "pyramid_of",
    "write_flat",
    "write_folder",
]
