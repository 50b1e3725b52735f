"""An empirical lower bound on epsilon, from what a mechanism draws on two neighbours.

The first half of the draws chooses an event and a direction, the second half bounds its two
probabilities: p from below and q from above (Clopper and Pearson 1934), so that with
probability 1 - eta

    epsilon >= ln((p - delta)/q).

A bound above the promised epsilon is a violation; one below proves nothing.  What no simulation
shows, `engine.audit.low_bits` attacks: the lowest bits of real releases.
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
