"""Secret orders: every one is equally probable, and so is every set that is drawn of a few records."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

import engine.sampling.shuffle as shuffle
from engine.errors import SensiscopeError
from engine.sampling.shuffle import Shuffled, random_order, random_subset

FALSE_ALARM = 1e-6


def surprise(found, possible):
    """Return with which probability even draws are as uneven as that."""
    expected = sum(found.values()) / len(possible)
    assert set(found) <= set(possible)
    squares = sum((found[one] - expected) ** 2 / expected for one in possible)
    return chi2.sf(squares, len(possible) - 1)


@pytest.mark.parametrize("bits", [1, 2, 32])
def test_all_orders_of_four_are_equally_probable(bits, monkeypatch):
    """Even where nearly all numbers get the same few bits at first; 1e-6 of false alarms."""
    entropy, asked = shuffle._bits, []
    monkeypatch.setattr(
        shuffle, "_bits", lambda count: asked.append(count) or entropy(count) >> np.uint64(32 - bits)
    )
    found = Counter(tuple(random_order(4).tolist()) for _ in range(6000))
    assert surprise(found, list(itertools.permutations(range(4)))) > FALSE_ALARM
    assert (len(asked) > 6000) == (bits < 32)


def test_ties_alone_are_drawn_again(monkeypatch):
    drawn = iter([[7, 3, 3, 3], [5, 1, 5], [9, 2]])
    monkeypatch.setattr(shuffle, "_bits", lambda count: np.array(next(drawn), dtype=np.uint64))
    # records 1, 2, 3 are the first three; of these 2 comes first, and then 3, which gets fewer than 1
    assert random_order(4).tolist() == [2, 3, 1, 0]


@pytest.mark.parametrize("n", [0, 1, 2, 1000, 300_000])
def test_an_order_holds_every_number_once(n):
    order = random_order(n)
    assert order.dtype == np.int64
    assert np.array_equal(np.sort(order), np.arange(n))


def test_places_are_those_of_the_records():
    order = Shuffled(50)
    records, places = order.places(10, 30)
    assert order.records(0, 50)[places].tolist() == records.tolist() == list(range(10, 30))


@pytest.mark.parametrize(("n", "size"), [(5, 2), (5, 3), (4, 1)])
def test_all_sets_in_all_orders_are_equally_probable(n, size):
    found = Counter(tuple(random_subset(n, size).tolist()) for _ in range(6000))
    possible = list(itertools.permutations(range(n), size))
    assert len(possible) == math.perm(n, size)
    assert surprise(found, possible) > FALSE_ALARM


def test_an_order_without_room_is_refused_in_a_line(monkeypatch):
    monkeypatch.setattr("engine.free_memory.free_memory", lambda: 10**6)
    with pytest.raises(SensiscopeError, match=r"a secret order of 10.000.000 records: it needs about 0.2 GB"):
        random_order(10**7)
