"""L(r, S) and the smallest ball, against all distances."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from engine.mechanisms.one_cluster import capped_counts
from engine.mechanisms.one_cluster.capped_counts import average_counts, smallest_ball
from engine.progress import Cancelled


def by_definition(points, squared, t):
    distances = np.square(points[:, None] - points[None]).sum(axis=-1)
    counts = np.sort(np.minimum(t, (distances <= squared).sum(axis=1)))[::-1]
    return math.floor(Fraction(int(counts[:t].sum()), t) * 2**20) / 2**20


@pytest.mark.parametrize("d", [1, 2, 3, 9])
def test_quality_and_smallest_ball_are_those_of_the_definition(d):
    rng = np.random.default_rng(d)
    for _ in range(40):
        n, top = int(rng.integers(1, 90)), int(rng.integers(1, 20))
        points = rng.integers(0, top + 1, (n, d))
        t = int(rng.integers(1, n + 3))
        squared = sorted(rng.integers(0, 2 * top * top * d, 6).tolist(), reverse=True)
        found = average_counts(points, squared, t)
        assert found.tolist() == [by_definition(points, square, t) for square in squared]
        ball = smallest_ball(points, t)
        if t > n:
            assert ball is None
            continue
        distances = np.square(points[:, None] - points[None]).sum(axis=-1)
        assert ball is not None
        assert ball[1] == np.sort(distances, axis=1)[:, t - 1].min()
        assert np.count_nonzero(np.square(points - ball[0]).sum(axis=1) <= ball[1]) >= t


@pytest.mark.slow
def test_a_large_cloud_is_counted_exactly_although_most_of_it_is_passed_over():
    rng = np.random.default_rng(6)
    points = rng.integers(0, 1 << 12, (800, 2))
    points[:100] = rng.integers(2000, 2060, (100, 2))
    squared = [2 << 2 * j for j in range(12, -1, -1)]
    for t in (50, 100, 500):
        found = average_counts(points, squared, t)
        assert found.tolist() == [by_definition(points, square, t) for square in squared]


def test_one_person_changes_quality_by_at_most_two():
    """All databases of 3 points on a line of 4, all t and r: the most is 2 - 2/t, on the grid of scores."""
    for t in (1, 2, 3):
        quality = {
            data: average_counts(np.array(data)[:, None], [9, 4, 1, 0], t)
            for data in itertools.product(range(4), repeat=3)
        }
        change = max(
            np.abs(quality[data] - quality[(moved, *data[1:])]).max()
            for data in quality
            for moved in range(4)
        )
        assert change <= min(2, max(1, 2 - 2 / t) + 2**-20)
        # a record that is taken out, as between two balls of several, changes it no more
        less = max(
            np.abs(quality[data] - average_counts(np.array(data[1:])[:, None], [9, 4, 1, 0], t)).max()
            for data in quality
        )
        assert less <= 2


def test_the_sensitivity_comes_near_two():
    """A star: t points at distance 1 of a middle that appears, and nowhere near each other."""
    t = 8
    spread = np.eye(t, dtype=np.int64) * 2
    middle, away = np.zeros((1, t), dtype=np.int64), np.full((1, t), 9)
    # all are at distance 2 of the middle, and 2 sqrt(2) apart
    before, after = (np.concatenate([spread, extra]) for extra in (away, middle))
    change = average_counts(after, [4], t)[0] - average_counts(before, [4], t)[0]
    assert change == pytest.approx(2 - 2 / t)


def test_copies_of_one_point_are_a_ball_of_radius_zero():
    points = np.concatenate([np.full((700, 2), 5), np.arange(600).reshape(300, 2)])
    found = smallest_ball(points, 700)
    assert found is not None
    assert (found[0].tolist(), found[1]) == ([5, 5], 0)


def test_counting_can_be_cancelled():
    def cancel(done, words=""):
        if done > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        average_counts(
            np.random.default_rng(1).integers(0, 1 << 12, (4000, 2)),
            [1 << 18, 1 << 16] * 4,
            3000,
            progress=cancel,
        )


def test_between_sorting_points_and_searching_them_a_cancel_is_heard():
    heard = []
    smallest_ball(np.arange(200).reshape(100, 2), 10, progress=lambda done, words="": heard.append(words))
    assert heard.count("sorting points") == 4  # before and after either of two trees


def test_pieces_hold_everything_once(monkeypatch):
    monkeypatch.setattr(capped_counts, "TURN", 1e-9)
    pieces = list(capped_counts.in_turns(np.arange(1000)))
    assert np.array_equal(np.concatenate(pieces), np.arange(1000))
    assert max(map(len, pieces[1:])) <= 16
