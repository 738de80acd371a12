from pyramidion.campaign.campaign import Campaign as Campaign, TopicData as TopicData
from pyramidion.campaign.flat.writing import write_flat as write_flat
from pyramidion.campaign.folder import write_folder as write_folder
from pyramidion.campaign.importing import (
    ImportConflictError as ImportConflictError,
    ImportPlan as ImportPlan,
)
from pyramidion.campaign.nouns import (
    Assessor as Assessor,
    Contributor as Contributor,
    Coverage as Coverage,
    CoverageUnit as CoverageUnit,
    Document as Document,
    Example as Example,
    Judgment as Judgment,
    Match as Match,
    PeerAnnotation as PeerAnnotation,
    Preference as Preference,
    Pyramid as Pyramid,
    Question as Question,
    SampledUnit as SampledUnit,
    Scu as Scu,
    Summarizer as Summarizer,
    Summary as Summary,
    Topic as Topic,
    plain as plain,
)
from pyramidion.campaign.questions import QuestionSet as QuestionSet
from pyramidion.files.problems import (
    CampaignError as CampaignError,
    CampaignWarning as CampaignWarning,
    Problem as Problem,
    Problems as Problems,
)
