from pyramidion.simulate.campaign import (
    simulate_campaign as simulate_campaign,
    write_simulated_campaign as write_simulated_campaign,
)
from pyramidion.simulate.design import CampaignDesign as CampaignDesign, ScoreDesign as ScoreDesign
from pyramidion.simulate.scores import (
    simulate_scores as simulate_scores,
    write_simulated_scores as write_simulated_scores,
)
