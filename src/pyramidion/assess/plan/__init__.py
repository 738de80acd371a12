"""Who does what: plans are drawn by seed, looked at, changed by hand, and then taken.

Pure functions: names in, assignments and specs of tasks out. Nothing here knows the database.
"""

from pyramidion.assess.plan.drawing import Assignment, PlanOptions, TopicFacts, draw, reassign, topics_of
from pyramidion.assess.plan.specs import specs_of

__all__ = ["Assignment", "PlanOptions", "TopicFacts", "draw", "reassign", "specs_of", "topics_of"]
