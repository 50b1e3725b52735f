"""The privacy budget: the releases of each dataset, and their total cost.

An entry is on the disk before its value is drawn; it counts whatever happens afterwards.
"""

from engine.ledger.account import Account as Account
from engine.ledger.composition import Composition as Composition
from engine.ledger.composition import compose as compose
from engine.ledger.cost import SLACK as SLACK
from engine.ledger.cost import Cost as Cost
from engine.ledger.cost import LedgerEntry as LedgerEntry
from engine.ledger.cost import Limit as Limit
from engine.ledger.errors import LedgerDamaged as LedgerDamaged
from engine.ledger.errors import LedgerError as LedgerError
from engine.ledger.errors import MisstatedCost as MisstatedCost
from engine.ledger.errors import Overspent as Overspent
from engine.ledger.errors import Resembling as Resembling
from engine.ledger.ledger import Ledger as Ledger
from engine.ledger.similar import SimilarData as SimilarData
