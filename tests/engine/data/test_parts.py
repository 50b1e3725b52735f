"""Records dealt to parts of a table."""

import math

import numpy as np
import pytest

from engine.data import parts
from engine.data.parts import IN_NO_PART, Parts, PartsDomain
from engine.domain import Interval
from engine.errors import DataError, ParameterError

BOUNDS = Interval(0, 10)
GROUPS = PartsDomain(BOUNDS, ("a", "b", "c"))


@pytest.mark.parametrize("chunk", [1, 7, 10**6])
@pytest.mark.parametrize("kind", [np.int8, np.int64])
def test_every_part_has_its_clamped_values(chunk, kind, monkeypatch):
    monkeypatch.setattr(parts, "_CHUNK", chunk)
    rng = np.random.default_rng(1)
    values, index = rng.uniform(-2, 12, 100), rng.integers(-1, 2, 100).astype(kind)
    data = Parts(values, index, GROUPS)
    for number in range(3):
        expected = np.clip(values[index == number], 0, 10)
        assert data.part(number).tolist() == expected.tolist()
    assert data.sizes.tolist() == [np.count_nonzero(index == number) for number in range(3)]
    assert data.outside == np.count_nonzero((index >= 0) & ((values < 0) | (values > 10)))


def test_more_groups_than_small_integers():
    domain = PartsDomain(BOUNDS, tuple(map(str, range(40_000))))
    data = Parts([1.0, 2.0, 3.0], [39_999, 5, 39_999], domain)
    assert (data.part(39_999).tolist(), data.part(5).tolist(), data.part(6).tolist()) == ([1, 3], [2], [])


def test_values_of_no_part_are_ignored():
    data = Parts([1.0, math.nan, 2.0], [0, IN_NO_PART, 0], PartsDomain(BOUNDS))
    assert (data.n, data.part(0).tolist(), data.sizes.tolist()) == (3, [1.0, 2.0], [2])
    assert Parts([math.nan], [IN_NO_PART], GROUPS).part(1).size == 0


def test_a_replaced_record_may_change_value_and_part():
    data = Parts([1.0, 2.0], [0, 1], GROUPS)
    other = data.replaced(0, (7.0, 2))
    assert [other.part(number).tolist() for number in range(3)] == [[], [2.0], [7.0]]
    assert data.part(0).tolist() == [1.0]
    assert data.replaced(1, (math.nan, IN_NO_PART)).sizes.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("values", "index", "message"),
    [
        ([], [], "no records"),
        ([1.0], [0, 1], "one value and one part"),
        ([1.0], [3], "invalid part"),
        ([1.0], [0.5], "no whole numbers"),
        ([math.inf], [0], "record 1 is not finite"),
    ],
)
def test_wrong_records_are_refused_without_their_values(values, index, message):
    with pytest.raises(DataError, match=message):
        Parts(values, np.array(index), GROUPS)


@pytest.mark.parametrize("groups", [("a", ""), ("a", "b", "a")])
def test_groups_have_names_of_their_own(groups):
    with pytest.raises(ParameterError, match="group"):
        PartsDomain(BOUNDS, groups)
