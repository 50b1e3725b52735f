"""Two databases that differ in one record."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Pair:
    """Neighbours on which to audit a mechanism; `built_in` has public ones.

    Attributes
    ----------
    name : str
        Lower case with hyphens; what the command line takes.
    label : str
        A few words.
    why : str
        One sentence: which mistake shows here.
    data, neighbour : AnyDatabase
        Of the kind that the mechanism reads.
    public : bool
        Whether both follow from public facts; otherwise they tell about the data at hand.
    """

    name: str
    label: str
    why: str
    data: Any
    neighbour: Any
    public: bool = True
