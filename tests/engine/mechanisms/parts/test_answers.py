"""Answers for parts of a table: their form, their intervals, and the errors known before."""

import math

import numpy as np
import pytest

from engine.audit import audit_run, worst_case_pairs
from engine.data.parts import Parts, PartsDomain
from engine.domain import Interval
from engine.errors import DataError, ParameterError
from engine.mechanisms import (
    ChoiceInParts,
    ExponentialRelease,
    LaplaceRelease,
    Planted,
    SmoothRelease,
    SumsInParts,
)
from engine.mechanisms.answer_rows import rows_of
from engine.mechanisms.base import ledger_cost
from engine.mechanisms.parts import EachPart
from engine.mechanisms.planted import SizesShown
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Cancelled
from engine.queries import Count, InterquartileRange, Mean, Median, MstCost, Quantile, Sum
from engine.randomness import reproducible

BOUNDS = Interval(0, 100)
PRIVACY = Privacy(1.0)
RUNS = 20_000
ROWS = 1000


def table(groups=("a", "b", "none"), seed=1):
    """Return a table with two groups, an empty one, and rows in no part."""
    rng = np.random.default_rng(seed)
    values = np.where(np.arange(ROWS) < 400, rng.uniform(0, 60, ROWS), rng.uniform(50, 100, ROWS))
    index = np.where(np.arange(ROWS) < 400, 0, np.where(np.arange(ROWS) < 900, 1 if groups else 0, -1))
    return Parts(values, index, PartsDomain(BOUNDS, groups))


COVERED = [
    SumsInParts(query=Count()),
    SumsInParts(query=Count(where="> 55")),
    SumsInParts(query=Count(where="> 55", give="share")),
    SumsInParts(query=Count(give="share")),
    SumsInParts(query=Sum()),
    SumsInParts(query=Mean()),
    SumsInParts(query=Mean(), noise="gaussian"),
    SumsInParts(query=Sum(), noise="gaussian"),
]


@pytest.mark.parametrize("groups", [(), ("a", "b", "none")])
@pytest.mark.parametrize("mechanism", COVERED, ids=repr)
@pytest.mark.parametrize("epsilon", [0.05, 1.0])
def test_intervals_hold_the_answer(mechanism, groups, epsilon):
    """With probability 95 % or more; fewer than 94 % of 20,000 draws would have probability 1e-9."""
    data = table(groups)
    ready = mechanism.prepare(data, Privacy(epsilon, 1e-6))
    true = ready.diagnostics["true_value"]
    drawn = ready.draw(reproducible(1), RUNS).reshape(RUNS, data.domain.size, 3)
    value, low, high = np.moveaxis(drawn, 2, 0)
    assert (low <= value).all()
    assert (value <= high).all()
    share = ((low - 1e-9 <= true) & (true <= high + 1e-9)).mean(axis=0)
    assert (share[~np.isnan(true)] > 0.94).all()
    if mechanism.is_mean:
        assert (low >= 0).all()
        assert (high <= mechanism._values(data.domain).upper).all()


@pytest.mark.parametrize("mechanism", COVERED, ids=repr)
def test_errors_are_known_before(mechanism):
    data = table()
    privacy = Privacy(1.0, 1e-6)
    ready = mechanism.prepare(data, privacy)
    expected = mechanism.expected_error(data.domain, data.n, privacy)
    if not mechanism.is_mean:
        assert expected == ready.error
        return
    assert (expected, ready.error) == (None, None)
    drawn = ready.draw(reproducible(1), 1000).reshape(1000, 3, 3)
    halves = (drawn[:, :2, 2] - drawn[:, :2, 1]).mean(axis=0) / 2
    known = [mechanism.expected_error(data.domain, data.n, privacy, share=share) for share in (0.4, 0.5)]
    assert halves == pytest.approx(known, rel=0.05)


@pytest.mark.parametrize("q", [0.2, 0.5])
def test_ranks_are_within_their_error(q):
    mechanism, data = ChoiceInParts(query=Quantile(q=q)), table()
    ready = mechanism.prepare(data, PRIVACY)
    drawn = ready.draw(reproducible(1), RUNS)
    for part in range(2):
        below = np.searchsorted(np.sort(data.part(part)), drawn[:, part])
        missed = np.abs(below - q * data.sizes[part])
        assert (missed > mechanism.rank_error(data.domain, PRIVACY)).mean() < 0.05
        # records that are spread evenly
        expected = mechanism.expected_error(PartsDomain(Interval(0, 60), ("a", "b")), ROWS, PRIVACY, 0.4)
        if part == 0:
            errors = np.abs(drawn[:, 0] - ready.diagnostics["true_value"][0])
            assert np.quantile(errors, 0.95) == pytest.approx(expected, rel=0.3)


def test_the_rank_error_is_public_and_known_before():
    mechanism, data = ChoiceInParts(), table()
    release = mechanism.run(data, PRIVACY)
    assert release.parameters["rank_error"] == mechanism.rank_error(data.domain, PRIVACY)
    # log(M/beta)/c for 101 values, and the margin 4/epsilon
    whole = PartsDomain(Interval(0, 100, 1.0), ("a", "b"))
    assert mechanism.rank_error(whole, PRIVACY, beta=0.01) == pytest.approx(2 * math.log(101 / 0.01) + 4)
    assert mechanism.expected_error(whole, 1000, PRIVACY) is None


def test_a_single_part_has_a_number_and_its_interval():
    release = SumsInParts().run(table(()), Privacy(100.0))
    low, high = release.parameters["interval"]
    assert low < release.value < high
    assert release.value == pytest.approx(table(()).part(0).mean(), abs=1)
    chosen = ChoiceInParts().run(table(()), Privacy(100.0))
    assert "interval" not in chosen.parameters
    assert chosen.value == pytest.approx(np.median(table(()).part(0)), abs=1)


def test_releases_list_the_public_groups_and_no_size():
    release = SumsInParts(query=Mean()).run(table(), PRIVACY)
    assert [row["group"] for row in release.value["groups"]] == ["a", "b", "none"]
    assert release.parameters["groups"] == ["a", "b", "none"]
    assert not {"sizes", "size"} & release.parameters.keys()


def test_a_share_of_all_is_a_count_divided_by_the_number_of_rows():
    data = table()
    shares = SumsInParts(query=Count(give="share")).prepare(data, PRIVACY)
    counts = SumsInParts(query=Count()).prepare(data, PRIVACY)
    assert shares.diagnostics["true_value"].tolist() == [0.4, 0.5, 0.0]
    drawn = [ready.draw(reproducible(3), 50) for ready in (shares, counts)]
    assert drawn[0] * ROWS == pytest.approx(drawn[1])


@pytest.mark.parametrize(
    ("mechanism", "field"),
    [
        (ChoiceInParts(query=Mean()), "query"),
        (SumsInParts(query=Median()), "query"),
        (SumsInParts(noise="gaussian"), "delta"),
        (EachPart(SmoothRelease(query=MstCost())), "query"),
    ],
    ids=repr,
)
def test_what_does_not_fit_is_refused(mechanism, field):
    with pytest.raises(ParameterError) as raised:
        mechanism.run(table(), PRIVACY)
    assert raised.value.field == field


def test_counting_every_record_of_a_table_is_refused():
    data = Parts([1.0, 2.0], [0, 0], PartsDomain(BOUNDS, every=True))
    with pytest.raises(ParameterError, match="the answer is public"):
        SumsInParts(query=Count()).run(data, PRIVACY)


def test_data_that_must_not_be_released_are_refused():
    data = Parts([1.0, 2.0], [0, 0], PartsDomain(BOUNDS), release_problem="declare something first")
    for mechanism in (ChoiceInParts(), SumsInParts(), EachPart(LaplaceRelease(query=Mean()))):
        with pytest.raises(DataError, match="declare something first"):
            mechanism.run(data, PRIVACY)


def test_with_public_groups_each_part_is_a_database_of_its_own():
    data = table()
    method = LaplaceRelease(query=Mean())
    release = EachPart(method).run(data, PRIVACY)
    assert (release.mechanism, release.query, release.neighbours) == ("laplace", "mean", "same-group")
    assert release.parameters["membership"] == "public"
    first, second, empty = release.value["groups"]
    assert (empty["value"], empty["interval"]) == (None, None)
    for row, size in ((first, 400), (second, 500)):
        low, high = row["interval"]
        assert (high - low) / 2 == pytest.approx(100 / size * math.log(20))
    assert ledger_cost(EachPart(method), PRIVACY)[0] == PRIVACY
    assert release.exact


@pytest.mark.parametrize(
    "method", [LaplaceRelease(query=Mean()), ExponentialRelease(), SmoothRelease()], ids=lambda m: m.name
)
def test_each_part_keeps_the_promise_of_its_method(method):
    domain, bounds = PartsDomain(BOUNDS, ("a", "b")), []
    for pair in worst_case_pairs(EachPart(method), domain, 100, PRIVACY):
        audit = audit_run(EachPart(method), pair, PRIVACY, runs=RUNS, seed=1, confidence=1 - 1e-8).audit
        assert audit.verdict == "consistent"
        bounds.append(audit.epsilon_lower_bound)
    assert max(bounds) > 0.2


@pytest.mark.parametrize(
    "method",
    [
        ExponentialRelease(error_share=0.5),
        SmoothRelease(error_share=0.5),
        SmoothRelease(query=InterquartileRange(), error_share=0.5),
        LaplaceRelease(query=Mean()),
    ],
    ids=lambda m: f"{m.name}-{m.query.name}",
)
def test_each_part_has_the_interval_of_its_method(method):
    """False alarm below 1e-6: 5 standard deviations of 200 releases of two parts."""
    data, rng, mechanism = table(), reproducible(3), EachPart(method)
    prepared, held = mechanism.prepare(data, PRIVACY), []
    truth = prepared.diagnostics["true_value"]
    for _ in range(200):
        *rows, empty = rows_of(mechanism.release(prepared, data, PRIVACY, rng))
        assert (empty.value, empty.interval) == (None, None)
        held += [row.low <= one <= row.high for row, one in zip(rows, truth, strict=False)]
        assert all(0 <= row.low <= row.high <= 100 for row in rows)
    assert np.mean(held) >= 0.95 - 5 * np.sqrt(0.05 * 0.95 / 400)


def test_a_part_without_a_paid_interval_has_none():
    release = EachPart(ExponentialRelease()).run(table(), PRIVACY)
    assert all(row.interval is None for row in rows_of(release))


def test_the_sizes_stand_beside_the_answers_only_by_mistake():
    mistake: Planted = SizesShown(SumsInParts(query=Mean()))
    release = mistake.run(table(), PRIVACY)
    assert (release.privacy, release.parameters["sizes"]) == (NO_PROMISE, [400, 500, 0])
    assert [row["group"] for row in release.value["groups"]] == ["a", "b", "none"]


@pytest.mark.parametrize("message", ["reading the groups", "gaps between values", "choosing"])
def test_a_release_can_be_cancelled_in_each_step(message):
    def stop(fraction, text=""):
        assert 0 <= fraction <= 1
        if text == message:
            raise Cancelled

    with pytest.raises(Cancelled):
        ChoiceInParts().run(table(), PRIVACY, progress=stop)
