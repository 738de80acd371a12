"""What organisers fear: outputs, judgments or annotations that are missing, and texts or answers that look wrong.

Each file is fine in itself; only all of them together show it. Every finding is a warning, folded: one for each kind,
with the first places and the count.
"""

from pyramidion.campaign.inspection.inspect import Inspection, inspect_campaign

__all__ = ["Inspection", "inspect_campaign"]
