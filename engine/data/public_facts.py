"""What is public about data, and nothing else of them."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class PublicFacts:
    """What is public about data; it stands in their place where they may not be looked at.

    Attributes
    ----------
    domain : Interval, Box or CategoryDomain
        The public range of one record.
    n : int
        How many records there are.
    columns, units : tuple of str
        The names and units of their coordinates.

    Examples
    --------
    >>> from engine import Interval
    >>> PublicFacts(Interval(0, 100), 10).n
    10
    """

    domain: Any
    n: int
    columns: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
