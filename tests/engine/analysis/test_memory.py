"""What is remembered of a database is found once, bounded, and goes with the database."""

import gc
import pickle
import weakref

import pytest

from engine.analysis.memory import forget, is_remembered, remembered
from engine.data.order_statistics import Sample
from engine.domain import Interval


def sample():
    return Sample([1.0, 2.0], Interval(0, 3))


def test_work_is_done_once_for_each_key_and_database():
    calls = []
    one, other = sample(), sample()
    for data in (one, one, other):
        assert remembered(data, ("a", 1), lambda: calls.append(1) or len(calls)) in (1, 2)
    assert len(calls) == 2
    assert remembered(one, ("a", 2), lambda: "another") == "another"


def test_only_the_newest_of_a_name_are_remembered():
    data = sample()
    remembered(data, ("kept", 0), lambda: 0)
    for place in range(5):
        remembered(data, ("many", place), lambda: None, most=3)
    assert [is_remembered(data, ("many", place)) for place in range(5)] == [False, False, True, True, True]
    assert is_remembered(data, ("kept", 0))


def test_what_was_interrupted_is_not_remembered():
    data = sample()
    with pytest.raises(KeyboardInterrupt):
        remembered(data, ("cut",), lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    assert not is_remembered(data, ("cut",))


@pytest.mark.slow
def test_findings_go_with_the_database_even_if_they_hold_it():
    databases = [sample()]
    seen = weakref.ref(databases[0])
    remembered(databases[0], ("finding",), lambda: list(databases))
    databases.clear()
    gc.collect()
    assert seen() is None


def test_what_is_forgotten_keeps_no_database_that_it_knows():
    databases = [sample()]
    seen = weakref.ref(databases[0])
    remembered(databases[0], ("finding",), lambda: list(databases))
    forget(databases[0])
    assert not is_remembered(databases[0], ("finding",))
    gc.disable()
    try:
        databases.clear()
        assert seen() is None
    finally:
        gc.enable()


def test_findings_stay_at_home():
    data = sample()
    remembered(data, ("finding",), lambda: 1)
    assert not is_remembered(pickle.loads(pickle.dumps(data)), ("finding",))
