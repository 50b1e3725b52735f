"""What simulated balls are worth: every number against the draws themselves."""

import numpy as np
import pytest
from small_clusters import PRIVACY, T, cluster

from engine.analysis.ball_quality import judge_balls
from engine.mechanisms import KBalls, NoisyAverage, OneCluster, ScreenedMean
from engine.randomness import reproducible

DATA, RUNS = cluster(), 24
MECHANISM = OneCluster(t=T)


def test_each_run_is_compared_with_the_smallest_ball():
    known = []
    quality = judge_balls(MECHANISM, DATA, PRIVACY, runs=RUNS, seed=2, publish=known.append)
    drawn = MECHANISM.prepare(DATA, PRIVACY).draw(reproducible(2), RUNS)
    places = MECHANISM.search.domain(DATA.domain).round_points(DATA.values)
    true = MECHANISM._truth(DATA)
    for row, coverage, ratio in zip(drawn, quality.sample.coverage, quality.sample.ratio, strict=True):
        held = np.count_nonzero(np.linalg.norm(places - row[:2], axis=1) <= row[2] * (1 + 1e-9))
        assert coverage == pytest.approx(held / T)
        assert ratio == pytest.approx(row[2] / true[2])
    assert [len(one.sample.coverage) for one in known] == [6, 12, 18]
    assert (
        quality.sample.promised_share == MECHANISM.search.promise(DATA.domain, DATA.n, PRIVACY).promised / T
    )
    assert (quality.ball, quality.alternative, quality.mean_error) == (None, None, None)
    assert judge_balls(MECHANISM, DATA, PRIVACY, runs=RUNS, seed=2) is quality


def test_another_method_is_compared_with_the_one_that_is_best_here():
    mechanism = OneCluster(t=T, method="tight-boxes")
    quality = judge_balls(mechanism, DATA, PRIVACY, runs=RUNS)
    alone = judge_balls(MECHANISM, DATA, PRIVACY, runs=RUNS // 4, seed=0)
    np.testing.assert_array_equal(quality.alternative.coverage, alone.sample.coverage)


def test_one_of_several_balls_is_looked_at():
    mechanism = KBalls(k=2, t=T)
    quality = judge_balls(mechanism, DATA, PRIVACY, runs=RUNS, ball=1)
    drawn = mechanism.prepare(DATA, PRIVACY).draw(reproducible(1), RUNS)
    true = mechanism._truth(DATA)
    np.testing.assert_allclose(quality.sample.ratio, drawn[:, 5] / true[5])
    assert quality.ball == 1
    assert quality.sample.promised_share == 0  # of what is left, nothing is promised


def test_the_mean_inside_beside_a_mean_of_everything():
    mechanism = ScreenedMean(t=T)
    quality = judge_balls(mechanism, DATA, PRIVACY, runs=RUNS)
    truth = mechanism._truth(DATA)
    drawn = mechanism.prepare(DATA, PRIVACY).draw(reproducible(1), RUNS)
    away = np.linalg.norm(drawn[:, 3:] - truth[3:], axis=1)
    assert quality.mean_error == pytest.approx(np.nanmedian(away))
    means = NoisyAverage().prepare(DATA, PRIVACY).draw(reproducible(0), 300)
    assert quality.average_error == pytest.approx(np.median(np.linalg.norm(means - truth[3:], axis=1)))
