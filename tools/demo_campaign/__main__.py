"""`python -m tools.demo_campaign`: write the demo campaign again from its sources."""

from pyramidion.demo import CAMPAIGN_FOLDER
from tools.demo_campaign.build import SOURCE, build

build(SOURCE, CAMPAIGN_FOLDER)
print(f"campaign written to {CAMPAIGN_FOLDER}")
