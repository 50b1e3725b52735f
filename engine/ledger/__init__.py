"""The privacy budget: the releases of each dataset, and their total cost.

An entry is on the disk before its value is drawn; it counts whatever happens afterwards.
"""

from engine.ledger.account import Account
from engine.ledger.composition import Composition, compose
from engine.ledger.cost import SLACK, Cost, LedgerEntry, Limit
from engine.ledger.errors import LedgerDamaged, LedgerError, MisstatedCost, Overspent, Resembling
from engine.ledger.ledger import Ledger
from engine.ledger.similar import SimilarData

__all__ = [
    "SLACK",
    "Account",
    "Composition",
    "Cost",
    "Ledger",
    "LedgerDamaged",
    "LedgerEntry",
    "LedgerError",
    "Limit",
    "MisstatedCost",
    "Overspent",
    "Resembling",
    "SimilarData",
    "compose",
]
