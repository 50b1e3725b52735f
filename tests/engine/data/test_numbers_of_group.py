"""The numbers of one group whose members are public."""

import numpy as np
import pyarrow as pa
import pytest

from engine import Interval, Mean, Sample
from engine.data import Table
from engine.data.categories import CategoryDomain
from engine.data.reading_parts import ONE_GROUP, numbers_of_group
from engine.errors import DataError
from engine.mechanisms import LaplaceRelease
from engine.privacy import Privacy
from engine.randomness import SecureGenerator, reproducible

TABLE = Table(
    "pay.csv",
    pa.table({"pay": [1.0, None, 3.0, 4.0, None, 6.0], "team": ["a", "a", "b", "c", "b", None]}),
)
GROUPS = CategoryDomain(["team"], [("a", "b")]).with_other()


@pytest.mark.parametrize(
    ("group", "missing", "values", "rows", "dropped", "filled"),
    [
        ("a", "drop", [1], [0], 1, 0),
        ("b", "drop", [3], [2], 1, 0),
        ("other", "drop", [4], [3], 0, 0),
        ("a", "fill", [1, 9], [0, 1], 0, 1),
        ("b", "fill", [3, 9], [2, 4], 0, 1),
    ],
)
def test_values_and_rows(group, missing, values, rows, dropped, filled):
    found = numbers_of_group(TABLE, "pay", GROUPS, group, missing, 9.0)
    assert found.numbers.values.tolist() == values
    assert found.rows.tolist() == rows
    assert (found.numbers.dropped, found.numbers.filled) == (dropped, filled)


def test_no_release_is_made_of_them():
    found = numbers_of_group(TABLE, "pay", GROUPS, "a", "fill", 9.0)
    data = Sample(found.numbers.values, Interval(0, 10))
    assert data.release_problem == ONE_GROUP
    mechanism = LaplaceRelease(query=Mean())
    assert np.isfinite(mechanism.run(data, Privacy(1.0), reproducible(1)).value)
    with pytest.raises(DataError, match="all groups together"):
        mechanism.run(data, Privacy(1.0), SecureGenerator())


def test_missing_values_and_empty_groups_are_refused():
    with pytest.raises(DataError, match="the value is missing"):
        numbers_of_group(TABLE, "pay", GROUPS, "a")
    only = CategoryDomain(["team"], [("a", "z")])
    with pytest.raises(DataError, match="no row of group 'z' has a value"):
        numbers_of_group(TABLE, "pay", only, "z", "drop")
