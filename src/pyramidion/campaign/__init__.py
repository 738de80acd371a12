"""The campaign: its nouns, its folder and its flat form. Reading checks everything and reports all problems at once."""

from pyramidion.campaign.campaign import Campaign, TopicData
from pyramidion.campaign.flat.writing import write_flat
from pyramidion.campaign.folder import write_folder
from pyramidion.campaign.nouns import (
    Contributor,
    Coverage,
    CoverageUnit,
    Document,
    Example,
    Judgment,
    Match,
    PeerAnnotation,
    Preference,
    Pyramid,
    Question,
    Scu,
    Summarizer,
    Summary,
    Topic,
    plain,
)
from pyramidion.campaign.questions import QuestionSet
from pyramidion.files.problems import CampaignError, CampaignWarning, Problem, Problems

__all__ = [
    "Campaign",
    "CampaignError",
    "CampaignWarning",
    "Contributor",
    "Coverage",
    "CoverageUnit",
    "Document",
    "Example",
    "Judgment",
    "Match",
    "PeerAnnotation",
    "Preference",
    "Problem",
    "Problems",
    "Pyramid",
    "Question",
    "QuestionSet",
    "Scu",
    "Summarizer",
    "Summary",
    "Topic",
    "TopicData",
    "plain",
    "write_flat",
    "write_folder",
]
