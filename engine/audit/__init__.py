"""Audits: empirical lower bounds on epsilon, from draws of a mechanism on two neighbours.

`audit` has the method; `engine.audit.low_bits` attacks the lowest bits of real releases, which it cannot see.
"""

from engine.audit.auditing import audit_mechanism as audit_mechanism
from engine.audit.auditing import audit_run as audit_run
from engine.audit.auditing import audit_runs as audit_runs
from engine.audit.bounding import MIN_RUNS as MIN_RUNS
from engine.audit.bounding import Audit as Audit
from engine.audit.bounding import AuditRun as AuditRun
from engine.audit.bounding import audit as audit
from engine.audit.events import Event as Event
from engine.audit.low_bits import MAX_LOW_BITS_RUNS as MAX_LOW_BITS_RUNS
from engine.audit.low_bits import LowBits as LowBits
from engine.audit.low_bits import LowBitsRun as LowBitsRun
from engine.audit.low_bits import check_grid as check_grid
from engine.audit.low_bits import low_bits_run as low_bits_run
from engine.audit.on_neighbours import MOVED as MOVED
from engine.audit.on_neighbours import NeighbourAudit as NeighbourAudit
from engine.audit.on_neighbours import attack_low_bits as attack_low_bits
from engine.audit.on_neighbours import audit_neighbours as audit_neighbours
from engine.audit.on_neighbours import with_bug as with_bug
from engine.audit.pairs import Pair as Pair
from engine.audit.pairs import as_meant as as_meant
from engine.audit.pairs import worst as worst
from engine.audit.pairs import worst_case_pairs as worst_case_pairs
from engine.audit.pairs_of_data import pairs_from_data as pairs_from_data
from engine.audit.pairs_of_data import replace_one_pair as replace_one_pair
from engine.audit.trade_off import bound as bound
from engine.audit.trade_off import posterior as posterior
from engine.audit.trade_off import trade_off as trade_off
