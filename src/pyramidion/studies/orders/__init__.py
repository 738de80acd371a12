"""How scores behave as pyramids grow: orders, errors, rankings (Nenkova & Passonneau 2004, §3.3)."""

from pyramidion.studies.orders.sets import SummarySet
from pyramidion.studies.orders.study import OrdersStudy, study_orders

__all__ = ["OrdersStudy", "SummarySet", "study_orders"]
