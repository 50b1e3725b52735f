"""What is told of a column in a file is what is told of the same column in memory."""

import pickle
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from engine import (
    ExponentialRelease,
    Interval,
    InverseSensitivity,
    Maximum,
    Mean,
    Median,
    Privacy,
    Quantile,
    TrimmedMean,
    secure,
)
from engine.data.order_statistics import Sample
from engine.errors import DataError
from engine.extras.stored import arrow_files
from engine.extras.stored import sample as stored
from engine.extras.stored.opening import stored_column
from engine.extras.stored.sample import StoredSample
from engine.sampling.sums import exact_sum

RNG = np.random.default_rng(7)
N = 20_000
COLUMNS = {
    "random": RNG.lognormal(3, 1, N),
    "sorted": np.sort(RNG.normal(50, 20, N)),
    "backwards": np.sort(RNG.normal(50, 20, N))[::-1].copy(),
    "ties": RNG.integers(0, 4, N).astype(float),
    "equal": np.full(N, 7.0),
    "two heaps": np.repeat([1.0, 99.0], N // 2),
    "signs": RNG.choice([-0.0, 0.0, -1e-300, 1e300, -1e300, 5.0], N),
    "blocks": np.repeat(RNG.normal(50, 30, 20), N // 20),
}
BOUNDS = Interval(0, 100)


def write(folder, values, kind="parquet", rows=1000, **options):
    path = folder / f"people.{kind}"
    table = pa.table({"other": pa.array(["x"] * len(values)), "pay": values})
    if kind == "parquet":
        parquet.write_table(table, path, row_group_size=rows, **options)
    else:
        feather.write_feather(table, path, chunksize=rows)
    return path


def both(folder, values, kind="parquet", **options):
    path = write(folder, values, kind, **options)
    return StoredSample(stored_column(path, "pay"), BOUNDS), Sample(values, BOUNDS)


@pytest.mark.parametrize("most", [1 << 23, 300])
@pytest.mark.parametrize("name", COLUMNS)
def test_ranks_sums_and_counts(tmp_path, monkeypatch, name, most):
    monkeypatch.setattr(stored, "MAX_HELD", most)  # little room leads through the counting in parts
    stored_one, held = both(tmp_path, COLUMNS[name])
    assert (stored_one.n, stored_one.facts) == (held.n, held.facts)
    for first, last in ((9_900, 10_100), (1, 50), (N - 60, N + 30), (-20, 5), (4_321, 4_321)):
        np.testing.assert_array_equal(stored_one.ranks(first, last), held.ranks(first, last))
    assert stored_one.total(1, N) == held.total(1, N) == exact_sum(held.values)
    assert stored_one.total(5000, 5100) == held.total(5000, 5100)
    assert stored_one.outside == held.outside


def test_a_sum_over_most_ranks(tmp_path):
    stored_one, held = both(tmp_path, np.repeat(COLUMNS["random"], 10))
    assert stored_one.total(1000, 190_000) == held.total(1000, 190_000)
    assert isinstance(stored_one.total(1, 2), Fraction)


@pytest.mark.parametrize("kind", ["parquet", "feather"])
@pytest.mark.parametrize(
    "query", [Median(), Quantile(q=0.9), Maximum(), Mean(), TrimmedMean()], ids=lambda query: query.name
)
def test_sensitivities(tmp_path, query, kind):
    stored_one, held = both(tmp_path, COLUMNS["random"], kind)
    assert query.value(stored_one) == query.value(held)
    assert query.smooth_sensitivity(stored_one, 0.1) == query.smooth_sensitivity(held, 0.1)
    assert query.local_sensitivity(stored_one) == query.local_sensitivity(held)


def test_whole_numbers_beyond_doubles_and_single_precision(tmp_path):
    for values in (np.array([2**53 + 1, 2**53 + 3, -5] * 500), COLUMNS["random"].astype(np.float32)):
        stored_one = StoredSample(stored_column(write(tmp_path, values), "pay"), Interval(-1e17, 1e17))
        held = Sample(values.astype(float), Interval(-1e17, 1e17))
        np.testing.assert_array_equal(stored_one.ranks(1, 1500), held.ranks(1, 1500))
        np.testing.assert_array_equal(stored_one.ranks(700, 720), held.ranks(700, 720))


def test_pieces_that_lie_outside_are_not_read_again(tmp_path, monkeypatch):
    path = write(tmp_path, COLUMNS["sorted"])
    column, read = stored_column(path, "pay"), []
    load = arrow_files.ParquetTable.load
    monkeypatch.setattr(
        arrow_files.ParquetTable,
        "load",
        lambda self, place, names: read.append(place) or load(self, place, names),
    )
    sample = StoredSample(column, BOUNDS)
    sample.check()
    read.clear()
    sample.ranks(10_000, 10_010)
    assert len(set(read)) < len(column.pieces)


def test_missing_values(tmp_path):
    values = pa.array([1.0, None, 3.0, None, 5.0] * 400)
    for options in ({}, {"write_statistics": False}):
        column = stored_column(write(tmp_path, values, **options), "pay")
        with pytest.raises(DataError, match=r"the value is missing in some records"):
            StoredSample(column, BOUNDS)
        sample = StoredSample(column, BOUNDS, "drop")
        assert (sample.n, sample.dropped) == (1200, 800)
        np.testing.assert_array_equal(sample.ranks(399, 402), [1, 1, 3, 3])


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_value_that_is_not_finite_is_named_with_its_row(tmp_path, wrong):
    values = COLUMNS["random"].copy()
    values[12_345] = wrong
    sample = StoredSample(stored_column(write(tmp_path, values), "pay"), BOUNDS)
    with pytest.raises(DataError) as caught:
        sample.ranks(10, 20)
    assert (caught.value.row, caught.value.column) == (12_346, "pay")


def test_what_is_no_column_of_numbers(tmp_path):
    path = write(tmp_path, COLUMNS["ties"])
    with pytest.raises(DataError, match="it does not hold numbers"):
        stored_column(path, "other")
    with pytest.raises(DataError, match="there is no column 'salary'"):
        stored_column(path, "salary")
    (tmp_path / "a.json").write_text('[{"pay": 1}]')
    with pytest.raises(
        DataError, match=r"read as a whole, and files read in place are .*: write it as Parquet"
    ):
        stored_column(tmp_path / "a.json", "pay")
    (tmp_path / "cut.parquet").write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DataError, match="damaged"):
        stored_column(tmp_path / "cut.parquet", "pay")


def test_it_stops_when_it_is_asked_to(tmp_path):
    class Enough(Exception):
        pass

    def impatient(fraction, message=""):
        if fraction > 0.3:
            raise Enough

    sample = StoredSample(
        stored_column(write(tmp_path, COLUMNS["random"]), "pay"), BOUNDS, progress=impatient
    )
    with pytest.raises(Enough):
        sample.ranks(10, 20)
    with pytest.raises(DataError, match="cannot change"):
        sample.replaced(0, 1.0)


def test_it_arrives_in_another_process(tmp_path):
    sample, held = both(tmp_path, COLUMNS["random"])
    again = pickle.loads(pickle.dumps(sample))
    np.testing.assert_array_equal(again.ranks(500, 600), held.ranks(500, 600))


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("step", [None, 0.5])
def test_draws_by_rank_are_those_from_memory(tmp_path, name, step):
    """Weights and edges, hence every release with the same bits."""
    bounds, privacy = Interval(0, 100, step), Privacy(0.5)
    path = write(tmp_path, COLUMNS[name])
    for query in (Median(), Quantile(q=0.99), Maximum()):
        mechanism = ExponentialRelease(query=query)
        stored_one = mechanism.prepare(StoredSample(stored_column(path, "pay"), bounds), privacy)
        held = mechanism.prepare(Sample(COLUMNS[name], bounds), privacy)
        np.testing.assert_array_equal(stored_one.edges, held.edges)
        np.testing.assert_array_equal(stored_one.probability, held.probability)
        assert 0 <= stored_one.draw(secure(), 1)[0] <= 100


@pytest.mark.parametrize("name", [pytest.param("ties", marks=pytest.mark.slow), "equal", "signs", "blocks"])
def test_ties_are_counted_however_many_they_are(tmp_path, monkeypatch, name):
    stored_one, held = both(tmp_path, COLUMNS[name])
    monkeypatch.setattr(stored, "MAX_HELD", 500)
    for first, last in ((3, 9000), (-7, 5000), (9000, N + 5), (-1, N + 1), (9_900, 9_910)):
        for found, expected in zip(stored_one.ties(first, last), held.ties(first, last), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("ties", None),
        ("two heaps", 0.5),
        ("blocks", None),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (("ties", 0.5), ("two heaps", None), ("blocks", 0.5))
        ),
    ],
)
def test_draws_among_ties_of_more_ranks_than_are_held(tmp_path, name, step, monkeypatch):
    """The law is the same as in memory, and what is not near can be drawn as well."""
    bounds, path = Interval(0, 100, step), write(tmp_path, COLUMNS[name])
    held = ExponentialRelease().prepare(Sample(COLUMNS[name], bounds), Privacy(0.5))
    monkeypatch.setattr(stored, "MAX_HELD", 500)
    sample = StoredSample(stored_column(path, "pay"), bounds)
    ready = ExponentialRelease().prepare(sample, Privacy(0.5))
    np.testing.assert_array_equal(ready.edges, held.edges)
    np.testing.assert_array_equal(ready.probability, held.probability)
    monkeypatch.setattr(type(ready), "_beyond", lambda self, rng: not self.near.is_complete)
    assert 0 <= ready.draw(secure(), 1)[0] <= 100


def test_room_is_asked_for_before_more_is_held(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "MAX_HELD", 500)
    monkeypatch.setattr(stored, "lack_of_memory", lambda size: "" if size < 50_000 else "no room is there")
    stored_one, held = both(tmp_path, COLUMNS["random"])
    np.testing.assert_array_equal(stored_one.ranks(9000, 10_000), held.ranks(9000, 10_000))
    for ask in (stored_one.ranks, stored_one.ties):
        with pytest.raises(DataError, match="than fit into memory; choose a larger epsilon") as caught:
            ask(1000, 9000)
        assert caught.value.confidential.endswith(" values; no room is there")
    assert both(tmp_path, COLUMNS["ties"])[0].ties(1000, 19_000)[0].size == 4


@pytest.mark.parametrize("name", ["sorted", "backwards"])
def test_the_pieces_of_a_sorted_column_are_not_sampled(tmp_path, monkeypatch, name):
    """Their statistics bracket the ranks, so that one pass over the pieces near them is enough."""
    monkeypatch.setattr(stored, "MAX_HELD", 500)
    stored_one, held = both(tmp_path, COLUMNS[name])
    stored_one.check()
    passes, one_pass = [], StoredSample._pass
    monkeypatch.setattr(
        StoredSample, "_pass", lambda self, *facts: passes.append(facts) or one_pass(self, *facts)
    )
    monkeypatch.setattr(StoredSample, "_values_at", lambda *_: pytest.fail("it counts bits"))
    np.testing.assert_array_equal(stored_one.ranks(2000, N - 2000), held.ranks(2000, N - 2000))
    assert len(passes) == 1


def test_a_draw_by_rank_asks_for_the_ranks_near_it_alone(tmp_path, monkeypatch):
    """Most ranks are far away, and never leave the file."""
    asked, run = [], StoredSample._run
    monkeypatch.setattr(
        StoredSample, "_run", lambda self, first, last: asked.append(last - first) or run(self, first, last)
    )
    sample = StoredSample(stored_column(write(tmp_path, COLUMNS["random"]), "pay"), BOUNDS)
    ExponentialRelease(query=Median()).run(sample, Privacy(1.0))
    assert max(asked) < N / 5
    monkeypatch.setattr(stored, "MAX_HELD", N)
    for mechanism in (ExponentialRelease(query=Median()), InverseSensitivity(query=TrimmedMean())):
        prepared = mechanism.prepare(sample, Privacy(1.0))
        assert prepared.density([0.001, 99.999]).tolist() == [0, 0]
        assert prepared.density(prepared.edges[:2].mean()) > 0
    assert max(asked) < N / 5


def test_bounds_may_be_a_pair(tmp_path):
    column = stored_column(write(tmp_path, [20.0, 30.0]), "pay")
    assert StoredSample(column, (0, 120)).domain == Interval(0, 120)
