"""Orders compared with the position: what is legal, what is void, and why (DATC 4.B to 4.E)."""

from satdip.check.adjustments import check_adjustments
from satdip.check.movement import check_movement
from satdip.check.orders import check_orders
from satdip.check.result import Checked, CheckedOrders, Reason, Status
from satdip.check.retreats import check_retreats

__all__ = [
    "Checked",
    "CheckedOrders",
    "Reason",
    "Status",
    "check_adjustments",
    "check_movement",
    "check_orders",
    "check_retreats",
]
