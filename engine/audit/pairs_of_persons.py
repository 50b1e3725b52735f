"""A worst case for records that are persons: a row moves from one person to another."""

from __future__ import annotations

from engine.audit.pairs import Pair
from engine.data.order_statistics import Sample
from engine.data.rows import combine_rows
from engine.data.table import Table
from engine.domain import Interval


def pair_of_persons(domain: Interval, n: int) -> Pair:
    """Return samples of n persons before and after one row of the file moved to another person.

    The record of a person is their last row.  The last row of the file is the upper bound of person 0, or
    the lower bound of person 1 in the neighbour: the records of both fall from the upper to the lower bound.
    """
    import pyarrow as pa

    low, high = domain.lower, domain.upper

    def records(person: int, value: float) -> Sample:
        columns = {"person": [*range(n), person], "value": [low, *[high] * (n - 1), value]}
        table = Table("persons", pa.table(columns))
        return Sample(combine_rows(table, "person", "last").numbers("value").values, domain)

    return Pair(
        "changes-person",
        "A row changes its person",
        "one row of the file moves to another person, so that the records of both change",
        records(0, high),
        records(1, low),
    )
