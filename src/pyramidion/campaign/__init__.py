"""The campaign: its nouns, its folder and its flat form. Reading is validated; all problems come at once."""

from pyramidion.campaign.campaign import Campaign, PeerChoice, TopicData
from pyramidion.campaign.content import Contributor, Coverage, Match, PeerAnnotation, Pyramid, Scu, pyramid_of
from pyramidion.campaign.flat_export import write_flat
from pyramidion.campaign.folder import write_folder
from pyramidion.campaign.join import join_imported
from pyramidion.campaign.memory import RowSource, WholeCampaign
from pyramidion.campaign.nouns import (
    Document,
    ImportedScore,
    Judgment,
    Question,
    Summarizer,
    Summary,
    Text,
    Topic,
    plain,
)
from pyramidion.campaign.problems import CampaignError, CampaignWarning, Problem, Problems
from pyramidion.campaign.score_files import read_names, read_score_file, write_score_file
from pyramidion.campaign.source import Readable, Source

__all__ = [
    "Campaign",
    "CampaignError",
    "CampaignWarning",
    "Contributor",
    "Coverage",
    "Document",
    "ImportedScore",
    "Judgment",
    "Match",
    "PeerAnnotation",
    "PeerChoice",
    "Problem",
    "Problems",
    "Pyramid",
    "Question",
    "Scu",
    "Readable",
    "RowSource",
    "Source",
    "Summarizer",
    "Summary",
    "Text",
    "Topic",
    "TopicData",
    "WholeCampaign",
    "join_imported",
    "plain",
    "pyramid_of",
    "read_names",
    "read_score_file",
    "write_flat",
    "write_folder",
    "write_score_file",
]
