"""Intervals of the cells of a table whose counts are fitted to the number of records."""

import numpy as np
import pytest

from engine import Categories, CategoryDomain, ContingencyTable, reproducible

DOMAIN = CategoryDomain(["answer", "place"], [["yes", "no"], ["here", "there", "away"]])
COUNTS = np.array([60, 5, 0, 30, 0, 5])


def cells_of(value):
    return [cell for table in value.get("margins", [value]) for cell in table["cells"]]


@pytest.mark.parametrize("margins", ["full", "singles"])
def test_intervals_hold_nineteen_of_twenty_true_counts(margins):
    """False alarm below 1e-6 for each cell: 5 standard deviations of 1,500 draws."""
    records = np.repeat([[i, j] for i in range(2) for j in range(3)], COUNTS, axis=0)
    data, table, rng = Categories(records, DOMAIN), ContingencyTable(margins=margins), reproducible(1)
    full = COUNTS.reshape(2, 3)
    true = COUNTS if margins == "full" else np.concatenate([full.sum(axis=1), full.sum(axis=0)])
    held = [
        [low <= count <= high for count, (low, high) in zip(true, ends, strict=True)]
        for ends in (
            [cell["interval"] for cell in cells_of(table.run(data, 1.0, rng).value)] for _ in range(1500)
        )
    ]
    assert np.mean(held, axis=0).min() >= 0.95 - 5 * np.sqrt(0.05 * 0.95 / 1500)


def test_counts_without_post_processing_have_one_error_instead():
    records = [[0, 0]] * 10
    release = ContingencyTable(post="none").run(Categories(records, DOMAIN), 1.0, reproducible(1))
    assert release.error == 6
    assert "interval" not in cells_of(release.value)[0]
