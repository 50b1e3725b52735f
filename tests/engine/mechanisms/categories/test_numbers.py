"""What released values say of each category, and of pairs of categories."""

import numpy as np

from engine.data.categories import CategoryDomain
from engine.mechanisms import ContingencyTable, Mode, RandomizedResponse, SortedHistogram
from engine.mechanisms.categories.numbers import CrossTable

DOMAIN = CategoryDomain(("a", "b", "c"), (("x", "y"), ("0", "1", "2"), ("p", "q")))
COUNTS = np.arange(12.0).reshape(2, 3, 2)


def cells(counts, labels):
    places = np.ndindex(counts.shape)
    return [
        {"categories": [names[i] for names, i in zip(labels, place, strict=True)], "count": counts[place]}
        for place in places
    ]


def test_a_pair_of_columns_is_found_in_whatever_table_holds_it():
    full = {"cells": cells(COUNTS, DOMAIN.labels)}
    found = CrossTable.of(DOMAIN, (0, 1), full, simulated=False)
    assert found.counts.tolist() == COUNTS.sum(axis=2).tolist()
    turned = CrossTable.of(DOMAIN, (2, 0), full, full, simulated=True)
    assert turned.counts.tolist() == COUNTS.sum(axis=1).T.tolist()
    assert (turned.names, turned.truth.tolist()) == (("c", "a"), turned.counts.tolist())
    pair = {"columns": ["b", "c"], "cells": cells(COUNTS.sum(axis=0), DOMAIN.labels[1:])}
    margins = {"margins": [pair]}
    found = CrossTable.of(DOMAIN, (2, 1), margins, simulated=False)
    assert found.counts.tolist() == COUNTS.sum(axis=0).T.tolist()
    assert CrossTable.of(DOMAIN, (0, 1), margins, simulated=False) is None
    assert ContingencyTable.numbers(margins, DOMAIN.columns, DOMAIN).labels[:2] == ("0, p", "0, q")


def test_a_number_for_each_category():
    one = CategoryDomain(("a",), (("x", "y", "z"),))
    mode = Mode.numbers("y", one.columns, one).compared([1, 5, 2], simulated=True)
    assert (mode.chosen, mode.truth.tolist(), np.isnan(mode.values).all()) == (1, [1, 5, 2], True)
    pairs = CategoryDomain(("a", "b"), (("x", "y"), ("0", "1")))
    assert Mode.numbers(["y", "0"], pairs.columns, pairs).chosen == 2
    ranked = SortedHistogram.numbers({"counts": [5.0, 2.0, 1.0]}, one.columns, one).compared(
        [6, 2, 0], simulated=True
    )
    assert (ranked.labels, ranked.truth.tolist()) == (("1.", "2.", "3."), [6, 2, 0])
    value = {"shares": {"x": 0.5, "y": 0.25, "z": 0.25}, "standard_errors": dict.fromkeys("xyz", 0.1)}
    true_value = [0.4, 0.3, 0.3, 0.0, 0.0, 0.0, 40.0, 30.0, 30.0]  # shares, their errors, answers
    shares = RandomizedResponse.numbers(value, one.columns, one).compared(true_value, simulated=False)
    assert (shares.values.tolist(), shares.truth.tolist()) == ([0.5, 0.25, 0.25], [0.4, 0.3, 0.3])
    assert shares.errors.tolist() == [0.1, 0.1, 0.1]
    assert all(finding.public for finding in RandomizedResponse.numbers(value, one.columns, one).findings())
