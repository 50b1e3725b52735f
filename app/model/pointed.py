"""A record that is pointed at, in a picture or in the table of the data."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping


@dataclasses.dataclass(frozen=True)
class PointedRecord:
    """What is known of it.

    Attributes
    ----------
    record : int or None
        Its number, from 0, where it is known.
    values : mapping of str to float
        Its values by column; by "" the one of the only column that is read.
    """

    record: int | None
    values: Mapping[str, float] = dataclasses.field(default_factory=dict)
