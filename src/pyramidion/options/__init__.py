"""The options of every analysis, each defined once: the command line, the Python verbs and the documentation follow.

A field is an option: its type, default and help make the command-line option (`interval` is `--interval`, `with_` is
`--with`) and the keyword in Python. One module holds one family of commands; `base` says what an option is. Nothing
heavy is imported here, so that `pyramidion --help` stays quick.
"""

from pyramidion.options.base import Option as Option
from pyramidion.options.base import Options as Options
from pyramidion.options.base import option as option
from pyramidion.options.base import with_options as with_options
from pyramidion.options.campaigns import IMPORT_KINDS as IMPORT_KINDS
from pyramidion.options.campaigns import ImportOptions as ImportOptions
from pyramidion.options.campaigns import InitOptions as InitOptions
from pyramidion.options.campaigns import LeadOptions as LeadOptions
from pyramidion.options.choice import AnalysisOptions as AnalysisOptions
from pyramidion.options.choice import Choice as Choice
from pyramidion.options.choice import DescribeOptions as DescribeOptions
from pyramidion.options.choice import EmptyTreatment as EmptyTreatment
from pyramidion.options.choice import PeerChoice as PeerChoice
from pyramidion.options.choice import Progress as Progress
from pyramidion.options.choice import split_keywords as split_keywords
from pyramidion.options.comparison import Assessors as Assessors
from pyramidion.options.comparison import CompareOptions as CompareOptions
from pyramidion.options.comparison import Correction as Correction
from pyramidion.options.comparison import DesignOptions as DesignOptions
from pyramidion.options.comparison import LettersTest as LettersTest
from pyramidion.options.comparison import MeanInterval as MeanInterval
from pyramidion.options.comparison import PairMethod as PairMethod
from pyramidion.options.comparison import PowerOptions as PowerOptions
from pyramidion.options.correlation import Coefficient as Coefficient
from pyramidion.options.correlation import CorrelateOptions as CorrelateOptions
from pyramidion.options.correlation import CorrelationInterval as CorrelationInterval
from pyramidion.options.correlation import Level as Level
from pyramidion.options.correlation import NamedMeasure as NamedMeasure
from pyramidion.options.correlation import Resampled as Resampled
from pyramidion.options.correlation import Sides as Sides
from pyramidion.options.gate import GateOptions as GateOptions
from pyramidion.options.gate import MissingOutputs as MissingOutputs
from pyramidion.options.gate import SelfTestKind as SelfTestKind
from pyramidion.options.gate import Undecided as Undecided
from pyramidion.options.judgments import AlphaMetric as AlphaMetric
from pyramidion.options.judgments import AssessorOptions as AssessorOptions
from pyramidion.options.judgments import FrequencyOptions as FrequencyOptions
from pyramidion.options.judgments import JudgmentAgreementOptions as JudgmentAgreementOptions
from pyramidion.options.judgments import JudgmentRegressionOptions as JudgmentRegressionOptions
from pyramidion.options.judgments import PooledFit as PooledFit
from pyramidion.options.judgments import PreferenceOptions as PreferenceOptions
from pyramidion.options.judgments import RegressionErrors as RegressionErrors
from pyramidion.options.pyramids import PyramidAgreementOptions as PyramidAgreementOptions
from pyramidion.options.pyramids import PyramidOptions as PyramidOptions
from pyramidion.options.pyramids import PyramidScoreOptions as PyramidScoreOptions
from pyramidion.options.pyramids import PyramidShowOptions as PyramidShowOptions
from pyramidion.options.pyramids import Rounding as Rounding
from pyramidion.options.pyramids import SetDistance as SetDistance
from pyramidion.options.pyramids import SubPyramidOptions as SubPyramidOptions
from pyramidion.options.pyramids import WeightRule as WeightRule
from pyramidion.options.report import ReportOptions as ReportOptions
from pyramidion.options.report import ReportSection as ReportSection
from pyramidion.options.scoring import AverageOptions as AverageOptions
from pyramidion.options.scoring import ShardOptions as ShardOptions
from pyramidion.options.simulation import MOST_UNITS as MOST_UNITS
from pyramidion.options.simulation import SENTENCE_WORDS as SENTENCE_WORDS
from pyramidion.options.simulation import CampaignShape as CampaignShape
from pyramidion.options.simulation import SimulatedCampaignOptions as SimulatedCampaignOptions
from pyramidion.options.simulation import SimulatedQuestions as SimulatedQuestions
from pyramidion.options.simulation import SimulatedScoresOptions as SimulatedScoresOptions
from pyramidion.options.simulation import SimulationOptions as SimulationOptions
from pyramidion.options.studies import ITSELF as ITSELF
from pyramidion.options.studies import ChoicesOptions as ChoicesOptions
from pyramidion.options.studies import HeterogeneityOptions as HeterogeneityOptions
from pyramidion.options.studies import ModelFreeOptions as ModelFreeOptions
from pyramidion.options.studies import OrdersOptions as OrdersOptions
from pyramidion.options.studies import PyramidScoreName as PyramidScoreName
from pyramidion.options.studies import SampleSizeOptions as SampleSizeOptions
from pyramidion.options.studies import Scope as Scope
from pyramidion.options.studies import TopicsOptions as TopicsOptions
from pyramidion.options.tables import TableOptions as TableOptions
