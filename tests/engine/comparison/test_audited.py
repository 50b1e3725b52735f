"""Audits of contenders: a planted mistake is found, a kept promise not; what cannot be audited says why."""

import dataclasses

import pytest

from engine import (
    PLANTED,
    Box,
    GaussianRelease,
    Interval,
    LaplaceRelease,
    Mean,
    ParameterError,
    Privacy,
    ShiftedHistogram,
    audit_run,
    contenders_from,
    worst_case_pairs,
)
from engine.comparison import audit_contenders
from engine.progress import Cancelled

DOMAIN, N, PRIVACY, RUNS = Interval(0, 100), 10, Privacy(1.0), 4000
RIGHT = LaplaceRelease(query=Mean())


def test_each_has_the_worst_of_its_pairs():
    """A bound fails with probability 0.001 by itself; these seeds do not."""
    wrong = PLANTED["halved-scale"].planted(RIGHT)
    found = audit_contenders(contenders_from([RIGHT, wrong]), DOMAIN, N, PRIVACY, runs=RUNS, seed=1)
    assert [each.verdict for each in found.audits] == ["consistent", "violated"]
    assert found.violated == (1,)
    for each, mechanism in zip(found.audits, (RIGHT, wrong), strict=True):
        pairs = worst_case_pairs(mechanism, DOMAIN, N, PRIVACY)
        share = 1 - (1 - found.confidence) / len(pairs)
        audits = [
            audit_run(mechanism, pair, PRIVACY, runs=RUNS, seed=1, confidence=share).audit for pair in pairs
        ]
        worst = max(audits, key=lambda audit: audit.epsilon_lower_bound)
        assert each.audit == dataclasses.replace(worst, confidence=found.confidence)
        assert (each.pairs, each.pair) == (len(pairs), pairs[audits.index(worst)].label)


def test_what_cannot_be_audited_says_why():
    contenders = contenders_from([GaussianRelease(query=Mean()), RIGHT])
    first, second = audit_contenders(contenders, DOMAIN, N, PRIVACY, runs=1000, seed=1).audits
    assert (first.audit, first.verdict) == (None, "")
    assert "needs delta above 0" in first.problem
    assert (second.problem, second.verdict) == ("", "consistent")
    square = Box.of([0, 0], [100, 100])
    (exact,) = audit_contenders(
        contenders_from([ShiftedHistogram()]), square, N, PRIVACY, runs=1000, seed=1
    ).audits
    assert exact.problem == "it has no guarantee"
    with pytest.raises(ParameterError, match="999 are too few"):
        audit_contenders(contenders, DOMAIN, N, PRIVACY, runs=999, seed=1)


def test_what_there_is_when_it_is_cancelled_is_kept():
    def progress(fraction, message=""):
        if fraction > 0.5:
            raise Cancelled

    found = audit_contenders(
        contenders_from([RIGHT] * 2), DOMAIN, N, PRIVACY, runs=1000, seed=1, progress=progress
    )
    assert len(found.audits) == 1
