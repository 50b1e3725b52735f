"""Bins of the runs of an audit: all runs are in them, and none is half in the event."""

import numpy as np
import pytest

from engine.audit.bins import AuditBins
from engine.audit.bounding import audit_draws
from engine.privacy import Privacy


def test_the_bars_hold_all_runs_and_none_is_half_in_the_event():
    rng = np.random.default_rng(1)
    run = audit_draws(rng.laplace(0, 1, 4000), rng.laplace(2, 1, 4000), Privacy(1.0))
    bins = run.bins
    assert (bins.shares.sum(axis=1) + bins.out + bins.refused).tolist() == pytest.approx([1, 1])
    inside = bins.edges[:-1] >= run.event.threshold
    counted = bins.shares[:, inside if run.event.above else ~inside].sum(axis=1)
    assert counted == pytest.approx(run.shares, abs=bins.out.max() + 1e-12)


def test_an_event_of_nothing_but_zeros_holds_no_other_number():
    sides = np.zeros(1000), np.concatenate([np.zeros(10), np.geomspace(1e-3, 1e3, 990)])
    bins = AuditBins.of(*sides, 0.0)
    inside = bins.edges[1:] <= bins.positions(0.0) + 1e-9
    assert bins.shares[:, inside].sum(axis=1).tolist() == pytest.approx([1.0, 0.01])


def test_far_outliers_are_out_of_view_where_all_others_would_be_a_stroke():
    rng = np.random.default_rng(5)
    bins = AuditBins.of(rng.standard_cauchy(4000), 1 + rng.standard_cauchy(4000), 0.5)
    assert bins.least == 0
    assert np.ptp(bins.edges) < 60
    assert 0 < bins.out.max() < 0.06


def test_no_bin_of_distances_begins_below_zero_and_all_before_the_event_are_alike():
    rng = np.random.default_rng(5)
    sides = rng.exponential(1, 4000), rng.exponential(1.2, 4000)
    bins = AuditBins.of(*sides, 3.217)
    assert bins.edges[0] == bins.least == 0
    widths = np.diff(bins.edges)
    assert widths == pytest.approx(np.full(widths.size, widths[-1]))
    assert bins.shares[0, 0] > bins.shares[0, 1]  # as the density, which falls from 0 on
    assert np.nextafter(3.217, np.inf) == pytest.approx(
        bins.edges[np.searchsorted(bins.edges, 3.217)], abs=1e-12
    )


def test_numbers_far_above_zero_do_not_begin_at_zero():
    rng = np.random.default_rng(5)
    sides = 30 + rng.exponential(0.1, 4000), 30 + rng.exponential(0.12, 4000)
    bins = AuditBins.of(*sides, 30.2)
    assert bins.edges[0] > 29.9
    assert bins.edges.size < 60


def test_no_bin_lies_between_two_whole_numbers():
    rng = np.random.default_rng(6)
    sides = rng.binomial(80, 0.5, 4000) + 0.0, rng.binomial(80, 0.52, 4000) + 0.0
    bins = AuditBins.of(*sides, 46.0)
    assert np.diff(bins.edges) == pytest.approx(1.0)
    assert (bins.shares.sum(axis=0)[2:-2] > 0).all()
