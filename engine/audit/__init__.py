"""Audits: empirical lower bounds on epsilon, from draws of a mechanism on two neighbours.

`audit` has the method; `engine.audit.low_bits` attacks the lowest bits of real releases, which it cannot see.
"""

from engine.audit.auditing import audit_mechanism, audit_run, audit_runs
from engine.audit.bounding import MIN_RUNS, Audit, AuditRun, audit
from engine.audit.events import Event
from engine.audit.low_bits import MAX_LOW_BITS_RUNS, LowBits, LowBitsRun, check_grid, low_bits_run
from engine.audit.on_neighbours import MOVED, NeighbourAudit, attack_low_bits, audit_neighbours, with_bug
from engine.audit.pairs import Pair, as_meant, worst, worst_case_pairs
from engine.audit.pairs_of_data import pairs_from_data, replace_one_pair
from engine.audit.trade_off import bound, posterior, trade_off

__all__ = [
    "MAX_LOW_BITS_RUNS",
    "MIN_RUNS",
    "MOVED",
    "Audit",
    "AuditRun",
    "Event",
    "LowBits",
    "LowBitsRun",
    "NeighbourAudit",
    "Pair",
    "as_meant",
    "attack_low_bits",
    "audit",
    "audit_mechanism",
    "audit_neighbours",
    "audit_run",
    "audit_runs",
    "bound",
    "check_grid",
    "low_bits_run",
    "pairs_from_data",
    "posterior",
    "replace_one_pair",
    "trade_off",
    "with_bug",
    "worst",
    "worst_case_pairs",
]
