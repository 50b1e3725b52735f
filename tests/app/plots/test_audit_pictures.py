"""Pictures of audits: both distributions, beliefs, and hypothesis tests."""

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.plots.audit_bins import AuditBins
from app.plots.audit_outcomes import AuditOutcomes
from app.plots.audit_posterior import AuditPosterior
from app.plots.audit_trade_off import AuditTradeOff
from app.plots.audit_view import AuditView
from app.plots.base import new_figure
from engine.audit.bounding import audited
from engine.privacy import Privacy


def drawn(picture, view, size=(600, 350)):
    figure = new_figure(size=(size[0] / 100, size[1] / 100))
    figure.set_dpi(100)
    FigureCanvasAgg(figure)
    made = picture(figure.add_subplot(), unit="$")
    made.update(view)
    figure.canvas.draw()
    figure.canvas.draw()
    return made


def ticks(picture):
    return [tick.label1.get_text() for tick in picture.axes.xaxis.get_major_ticks()]


@pytest.fixture
def bad(make, cases):
    """Noise that is private with epsilon = 2, where 1 was promised."""
    return make.audit(cases["salaries"])


@pytest.fixture
def good(make, cases):
    return make.audit(cases["salaries"], scale=1.0)


def test_the_bars_hold_all_runs_and_none_is_half_in_the_event(bad):
    bins = AuditBins.of(bad.run.first, bad.run.second, bad.run.event.threshold)
    assert (bins.shares.sum(axis=1) + bins.out + bins.refused).tolist() == pytest.approx([1, 1])
    inside = bins.edges[:-1] >= bad.run.event.threshold
    counted = bins.shares[:, inside if bad.run.event.above else ~inside].sum(axis=1)
    assert counted == pytest.approx(bad.shares, abs=bins.out.max() + 1e-12)


def test_the_verdict_is_said(good, bad):
    assert "1 was promised: violated" in drawn(AuditOutcomes, bad).summary()
    words = drawn(AuditOutcomes, good).summary()
    assert "1 was promised: consistent. That proves nothing" in words
    assert "“all equal”" in words
    assert drawn(AuditOutcomes, bad).note() == "Planted on purpose, not private: half the noise"


def test_refusals_stand_beyond_all_numbers(make, cases):
    view = make.audit(cases["salaries"], refusing=0.5)
    picture = drawn(AuditOutcomes, view)
    assert "refused" in ticks(picture)
    at = float(np.mean(picture._bins.refusals))
    share = float(np.isinf(view.run.second).mean())
    assert picture.describe(at).startswith("refused to answer: 0\u202f% on all equal")
    assert picture.table()[1][-1] == ["refused", "refused", 0.0, pytest.approx(share)]
    assert picture.update(view) is False


@pytest.mark.parametrize("refusing", [(1.0, 1.0), (0.1, 0.6)])
def test_whether_there_is_an_answer_may_be_the_event(refusing):
    rng = np.random.default_rng(1)
    sides = [np.where(rng.random(2000) < part, np.nan, 3.0) for part in refusing]
    view = AuditView(audited(*sides, Privacy(1.0)))
    picture = drawn(AuditOutcomes, view)
    assert {"refuses", "refused"} & set(ticks(picture))
    assert picture.summary()


def test_a_few_values_have_a_bar_each(bad):
    rng = np.random.default_rng(2)
    sides = [rng.choice(4, 4000, p=p).astype(float) for p in ((0.7, 0.1, 0.1, 0.1), (0.1, 0.1, 0.1, 0.7))]
    picture = drawn(AuditOutcomes, AuditView(audited(*sides, Privacy(1.0))))
    assert picture._bins.values.tolist() == [0, 1, 2, 3]
    assert "(in the event)" in picture.describe(0.0) + picture.describe(3.0)


def test_rare_events_are_seen_on_a_logarithmic_axis():
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 0.1, (2, 20_000))
    noise[0, rng.random(20_000) < 0.02] += 3
    picture = drawn(AuditOutcomes, AuditView(audited(*noise, Privacy(1.0))))
    assert picture.axes.get_yscale() == "symlog"


def test_belief_stays_in_the_band_as_long_as_the_promise_holds(good, bad):
    for view, within in ((good, True), (bad, False)):
        picture = drawn(AuditPosterior, view)
        before, low, high, after = np.array(picture.table()[1]).T / 100
        inner = slice(1, -1)
        odds = high[inner] / (1 - high[inner]) / (before[inner] / (1 - before[inner]))
        assert odds == pytest.approx(np.full(99, np.e))
        assert (low <= before + 1e-12).all()
        assert (after[inner] <= high[inner]).all() == within
    assert "73\u202f% after any release" in picture.summary()
    other = drawn(AuditPosterior, dataclasses.replace(bad, prior=0.1))
    assert other._found.get_xdata() == [10.0]


def test_tests_lie_above_the_limit_as_long_as_the_promise_holds(good, bad):
    alarms, missed, least = np.array(drawn(AuditTradeOff, good).table()[1]).T
    # four standard deviations of a share of 2,000 runs
    assert (missed >= least - 4 * 0.5 / np.sqrt(2000)).all()
    assert least == pytest.approx(np.maximum(0, np.maximum(1 - np.e * alarms, (1 - alarms) / np.e)))
    _, missed, least = np.array(drawn(AuditTradeOff, bad).table()[1]).T
    assert (missed < least - 0.1).any()


def test_the_verdict_of_the_test_is_that_of_the_audit(good, bad):
    for view in (good, bad):
        run, privacy = view.run, view.run.audit.privacy
        forced = 1 - privacy.delta - np.exp(privacy.epsilon) * run.q_high
        assert (1 - run.p_low < forced) == run.audit.violated
        assert drawn(AuditTradeOff, view).summary().endswith(f"{run.audit.verdict}.")
