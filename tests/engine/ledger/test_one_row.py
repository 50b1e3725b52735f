"""One account for one row: releases between all kinds of neighbours, against sums that are written here."""

import contextlib
import math
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from payments import pay

from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.extras.frontier.lipschitz_extension import LipschitzExtension
from engine.ledger import Cost, Ledger, LedgerError, Limit, Overspent, compose, storage
from engine.mechanisms import LaplaceRelease
from engine.mechanisms.categories import Mode
from engine.primitives import Concentrated
from engine.primitives.losses import Loss
from engine.privacy import NO_PROMISE, Privacy
from engine.queries import Mean, MstCost, TriangleCount

TIMES = {"replace-one": 1, "edge-weight": 1, "zero-out": 2, "edge": 2, "node": 2}
"""As `test_row_steps` finds them."""

EARLIER = Path(__file__).with_name("earlier.sqlite")
"""Of the version before, with --limit-epsilon 1: mst and mean at 1, triangles at 0.5, for vertices at 0.25;
histogram-noisy at 0.125 where a record is left empty, written down as 0.25."""


def epsilon_of(rho, delta):
    """The conversion of Canonne, Kamath, Steinke 2020, over a fine grid of orders."""
    a = 1 + np.geomspace(1e-4, 1e7, 20_001)
    return (a * rho + (math.log(1 / delta) - np.log(a - 1) + a * np.log1p(-1 / a)) / (a - 1)).min()


class Sum:
    """What releases come to, by arithmetic of its own."""

    def __init__(self):
        self.epsilon = self.delta = self.rho = self.approximate = 0.0

    def add(self, epsilon, delta, rho, approximate, neighbours):
        times = TIMES[neighbours]
        whole = times * epsilon
        failing = delta if times == 1 else delta + math.exp(epsilon) * delta
        self.epsilon += whole
        self.delta += failing
        if times == 2 and approximate:
            self.rho += min(whole**2 / 2, whole)
            self.approximate += failing
        else:
            # a pure release is known to have no more than that of its epsilon, whatever else is
            self.rho += times**2 * rho if delta or times == 1 else min(4 * rho, whole**2 / 2, whole)
            self.approximate += approximate
        return self

    def margin(self, limit):
        """How far it is from the limit: below 0 beyond it."""
        if self.delta > limit.delta:
            return limit.delta - self.delta
        if limit.delta == 0:
            return limit.epsilon - self.epsilon
        return limit.epsilon - min(self.epsilon, epsilon_of(self.rho, limit.slack))


def some_release(rng):
    """A release as any mechanism may state it: pure, with rho of its own, Gaussian, or with a delta."""
    epsilon = float(rng.choice([0.01, 0.0866, 0.3, 1.0, 2.5]))
    neighbours = str(rng.choice(list(TIMES)))
    return {
        0: (epsilon, 0.0, min(epsilon**2 / 2, epsilon), 0.0, neighbours),
        1: (epsilon, 0.0, epsilon**2 / 8, 0.0, neighbours),
        2: (epsilon, 1e-7, epsilon**2 / 50, 0.0, neighbours),
        3: (epsilon, 1e-7, min(epsilon**2 / 2, epsilon), 1e-7, neighbours),
    }[int(rng.integers(4))]


def cost_of(epsilon, delta, rho, approximate, neighbours):
    return Cost(Privacy(epsilon, delta), Concentrated(rho, approximate), neighbours)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_spent_is_the_sum_of_what_each_costs_one_row(seed):
    rng, account, expected = np.random.default_rng([seed, 1]), Ledger().account("data"), Sum()
    for number in range(1, 31):
        stated = some_release(rng)
        expected.add(*stated)
        pay(account, cost_of(*stated), {}, lambda: 1.0)
        entry, spent = account.entries()[-1], account.spent()
        assert (entry.cost.privacy, entry.cost.neighbours) == (Privacy(*stated[:2]), stated[-1])
        assert spent.releases == number
        assert spent.basic.epsilon == pytest.approx(expected.epsilon, rel=1e-12)
        assert spent.basic.delta == pytest.approx(expected.delta, rel=1e-9)
        assert spent.rho == pytest.approx(expected.rho, rel=1e-12)
        assert spent.approximate == pytest.approx(expected.approximate, rel=1e-9)
    assert spent.concentrated.epsilon == pytest.approx(epsilon_of(expected.rho, 1e-6), rel=1e-5)


@pytest.mark.parametrize("limit", [Limit(3.0), Limit(3.0, 1e-6), Limit(0.5, 1e-5, 1e-4), Limit(8.0, 2e-7)])
@pytest.mark.parametrize("seed", range(3))
def test_a_limit_lets_through_what_the_sum_does(limit, seed):
    rng, account = np.random.default_rng([seed, 2]), Ledger().account("data")
    account.set_limit(limit)
    taken, through, refused = [], 0, 0
    for _ in range(60):
        stated = some_release(rng)
        margin = Sum()
        for each in [*taken, stated]:
            margin.add(*each)
        if abs(margin.margin(limit)) < 1e-6:
            continue  # a matter of rounding
        if margin.margin(limit) > 0:
            pay(account, cost_of(*stated), {}, lambda: 1.0)
            taken.append(stated)
            through += 1
        else:
            with pytest.raises(Overspent):
                pay(account, cost_of(*stated), {}, lambda: 1.0)
            refused += 1
    assert len(account.entries()) == through
    assert refused > 0
    assert account.spent() is None or account.spent().tightest.delta <= limit.whole.delta


def test_25_small_releases_do_not_pass_a_limit_without_a_delta():
    """By zCDP they come to (1, 1e-6), which is no pure promise; 12 of them add up to more than 1."""
    account, small = Ledger().account("data"), cost_of(0.0866, 0.0, 0.0866**2 / 8, 0.0, "replace-one")
    account.set_limit(Limit(1.0))
    for _ in range(11):
        pay(account, small, {}, lambda: 1.0)
    with pytest.raises(Overspent, match=r"it would be epsilon 1\.039, above the limit of epsilon 1;"):
        pay(account, small, {}, lambda: 1.0)
    assert len(account.entries()) == 11
    spent = account.spent()
    assert (list(spent.by_method), spent.method, spent.tightest.delta) == (["basic"], "basic", 0.0)
    # with a delta they do, and what is told is within what was promised
    account.set_limit(Limit(1.0, 1e-7))
    for _ in range(14):
        pay(account, small, {}, lambda: 1.0)
    assert account.spent().method == "zcdp"
    assert account.spent().tightest.delta <= Limit(1.0, 1e-7).whole.delta


def test_a_release_with_a_delta_keeps_no_limit_without_one():
    account = Ledger().account("data")
    account.set_limit(Limit(10.0))
    with pytest.raises(Overspent, match="the deltas would sum to 1e-12, above the limit of delta 0"):
        pay(account, cost_of(0.1, 1e-12, 1e-3, 0.0, "replace-one"), {}, lambda: 1.0)


ENDS = [(0, 1), (1, 2), (0, 2), (2, 3)]
WEIGHTS = Interval(0, 5)
OF_EDGES = {
    "mst": (LaplaceRelease(query=MstCost()), WeightedGraph(ENDS, [3, 1, 2, 4], WEIGHTS)),
    "mean": (LaplaceRelease(query=Mean()), Sample([3.0, 1.0, 2.0, 4.0], WEIGHTS)),
    "triangles": (LaplaceRelease(query=TriangleCount()), SimpleGraph(ENDS, n=5)),
    "vertices": (LipschitzExtension(query=TriangleCount()), SimpleGraph(ENDS, n=5)),
}


@pytest.mark.parametrize("first", ["mst", "mean"])
def test_of_one_file_of_edges_a_limit_of_1_lets_one_release_of_1_through(first):
    account = Ledger().account("edges.csv")
    account.set_limit(Limit(1.0))
    account.release(*OF_EDGES[first], 1.0)
    for mechanism, data in OF_EDGES.values():
        with pytest.raises(Overspent):
            account.release(mechanism, data, 1.0)
    assert len(account.entries()) == 1


@pytest.mark.parametrize("name", ["triangles", "vertices"])
def test_a_row_that_becomes_another_edge_is_two_steps(name):
    account = Ledger().account("edges.csv")
    account.set_limit(Limit(1.0))
    with pytest.raises(Overspent, match="it would be epsilon 2,"):
        account.release(*OF_EDGES[name], 1.0)
    account.release(*OF_EDGES[name], 0.5)
    assert account.spent().basic == Privacy(1.0)


def test_what_all_releases_promise_to_a_vertex_is_told_where_it_is_known():
    account = Ledger().account("edges.csv")
    assert account.spent_between("node") is None
    for _ in range(2):
        account.release(*OF_EDGES["vertices"], 0.25)
    assert account.spent_between("node").basic == Privacy(0.5)
    assert account.spent().basic == Privacy(1.0)
    account.release(*OF_EDGES["triangles"], 0.25)
    assert account.spent_between("node") is None


def test_between_unknown_neighbours_nothing_is_known_of_a_row():
    cost = Cost(Privacy(1.0), Concentrated(0.5), "distance")
    assert (cost.row.privacy, cost.row.concentrated) == (NO_PROMISE, None)
    assert compose([cost]).basic is NO_PROMISE


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_the_loss_of_two_steps_is_that_of_twice_the_change(kind):
    """The trade-off of two steps is that of one, put into itself; laws of the noise as they are known."""
    from scipy import stats

    one = Loss.of_laplace(1.7) if kind == "laplace" else Loss.of_gaussian(1.7)
    both = one.for_group(2)
    law = stats.laplace if kind == "laplace" else stats.norm

    def more(alpha, scale):
        """One less the least probability of a missed detection at a level."""
        return 1 - law.cdf(law.ppf(1 - alpha) - 1 / scale)

    levels = np.geomspace(1e-9, 0.99, 50)
    np.testing.assert_allclose(more(more(levels, one.scale), one.scale), more(levels, both.scale), rtol=1e-6)
    assert Loss.of_stated(Privacy(0.5, 1e-4)).for_group(2) == Loss.of_stated(Privacy(0.5, 1e-4).for_group(2))
    assert Loss.of_stated(Privacy(3.0, 0.2)).for_group(2) is None


def test_losses_of_all_relations_add_up():
    costs = [Cost.of(mechanism, Privacy(0.5)) for mechanism, _ in OF_EDGES.values()]
    costs.append(Cost.of(Mode(relation="zero-out"), Privacy(0.5)))
    assert costs[2].row.loss == Loss.of_laplace(1.0)
    assert sum(compose(costs).losses.values()) == 5


# Ledgers of the version before, and both versions at once


@pytest.fixture
def earlier(path):
    shutil.copy(EARLIER, path)
    path.chmod(0o600)
    return path


def test_an_earlier_ledger_is_added_up_anew(earlier):
    (account,) = Ledger(earlier).accounts()
    assert [(e.cost.privacy.epsilon, e.cost.neighbours, e.earlier) for e in account.entries()] == [
        (1.0, "edge-weight", True),
        (1.0, "replace-one", True),
        (0.5, "edge", True),
        (0.25, "edge", True),
        (0.25, "replace-one", True),
    ]
    # 1 + 1 + 2 (0.5 + 0.25) + 0.25
    assert account.spent().basic == Privacy(3.75)
    assert account.limit == Limit(1.0)
    assert "now counted together" in account.recounted
    before = earlier.read_bytes()
    with pytest.raises(
        Overspent, match=r"epsilon 3\.75, delta 0 is spent .*\(releases of earlier versions"
    ) as told:
        account.release(*OF_EDGES["mean"], 0.01)
    assert "\n" not in str(told.value)
    assert earlier.read_bytes() == before
    account.release(*OF_EDGES["mean"], 0.25, over=True)
    assert Ledger(earlier).accounts()[0].spent().basic == Privacy(4.0)
    assert [entry.earlier for entry in account.entries()] == [True] * 5 + [False]


def test_an_earlier_limit_without_a_delta_is_pure_now(earlier):
    """It let through what came to it by zCDP alone."""
    (account,) = Ledger(earlier).accounts()
    account.set_limit(Limit(3.75))
    assert account.with_one_more(cost_of(1e-6, 0.0, 1e-12, 0.0, "replace-one"))[1]
    account.set_limit(Limit(4.0))
    assert not account.with_one_more(cost_of(0.25, 0.0, 1 / 32, 0.0, "replace-one"))[1]


def test_what_this_version_has_written_to_earlier_ones_refuse(earlier, monkeypatch):
    def version():
        with contextlib.closing(sqlite3.connect(earlier)) as database:
            return database.execute("PRAGMA user_version").fetchone()

    (older,) = Ledger(earlier).accounts()  # of a window of the version before, open all the while
    (account,) = Ledger(earlier).accounts()
    assert version() == (1,)
    account.release(*OF_EDGES["mean"], 0.25, over=True)
    assert version() == (3,)
    monkeypatch.setattr(storage, "VERSION", 2)
    before = earlier.read_bytes()
    with pytest.raises(LedgerError, match=r"a newer version .* wrote this ledger.*nothing was released"):
        pay(older, cost_of(0.1, 0.0, 0.005, 0.0, "edge"), {}, lambda: 1.0)
    assert earlier.read_bytes() == before
