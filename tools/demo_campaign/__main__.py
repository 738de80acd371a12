"""`python -m tools.demo_campaign`: write the demo campaign again from its sources."""

from pyramidion.demo import campaign_path
from tools.demo_campaign.build import SOURCE, build

build(SOURCE, campaign_path())
print(f"campaign written to {campaign_path()}")
