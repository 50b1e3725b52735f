"""Many quantiles: the law of all of them together from its definition, and that it is private."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from definition import databases, neighbours
from exact_laws import keeps, piecewise
from flint import arb
from scipy.special import chdtrc

from engine.audit import audit_run, worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import Quantiles
from engine.mechanisms.histograms.quantiles import QuantileNode
from engine.mechanisms.planted import ExponentialDoubled
from engine.primitives.accounting import of_exponential
from engine.privacy import Privacy
from engine.randomness import reproducible, secure
from engine.sampling import output_grid
from engine.sampling.balls import ball
from engine.sampling.output_grid import OutputGrid

LINE, QUARTER = Box.of([0], [1]), Fraction(1, 4)
VALUES = (0.0, 0.3, 0.5, 0.9, 1.0)


@pytest.fixture
def coarse(monkeypatch):
    """Let released values be quarters."""
    monkeypatch.setattr(output_grid, "FINENESS", 2)


def one_law(records, low, high, share, epsilon):
    """Return the law of one quantile of the records between two quarters, by those quarters."""
    if low == high:
        return {low: arb(1)}
    edges = [low, *(Fraction(value) for value in records), high]
    weights = [
        ball(after - before) * (-ball(epsilon) * ball(abs(place - share * len(records))) / 2).exp()
        for place, (before, after) in enumerate(itertools.pairwise(edges))
    ]
    grid = OutputGrid(0.25, lower=float(low), upper=float(high))
    masses = piecewise(edges, weights, grid)
    return {low + place * QUARTER: mass for place, mass in enumerate(masses)}


def joint_law(
    records, shares, epsilon, low=Fraction(0), high=Fraction(1), below=Fraction(0), above=Fraction(1)
):
    """Return the law of all quantiles: the middle one first, then those on either side of it."""
    if not shares:
        return {(): arb(1)}
    middle = len(shares) // 2
    share = Fraction(round((shares[middle] - below) / (above - below) * 2**20), 2**20)
    found = {}
    for cut, chance in one_law(records, low, high, share, epsilon).items():
        left = joint_law(
            [x for x in records if x < cut], shares[:middle], epsilon, low, cut, below, shares[middle]
        )
        right = joint_law(
            [x for x in records if x >= cut], shares[middle + 1 :], epsilon, cut, high, shares[middle], above
        )
        for (first, p), (last, q) in itertools.product(left.items(), right.items()):
            found[(*first, cut, *last)] = chance * p * q
    return found


@pytest.mark.parametrize("parts", [3, 4, 5])
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_all_quantiles_together_are_private(parts, epsilon, coarse):
    """Every database of three records and every neighbour, every outcome, without an error."""
    mechanism = Quantiles(parts=parts)
    level = mechanism.level(Privacy(epsilon))
    laws = {x: joint_law(x, list(mechanism.wanted), level) for x in databases(VALUES, 3)}
    outcomes = set().union(*laws.values())
    rows = {x: [law.get(one, arb(0)) for one in outcomes] for x, law in laws.items()}
    assert all(abs(sum(row, arb(0)) - 1) < arb(2) ** -120 for row in rows.values())
    ratios = []
    for x in rows:
        for y in neighbours(x, VALUES):
            assert keeps(rows[x], rows[y], epsilon, 0.0)
            ratios += [
                abs(float((p / q).log().mid())) for p, q in zip(rows[x], rows[y], strict=True) if q > 0
            ]
    assert max(ratios) > 0.4 * epsilon


@pytest.mark.parametrize("rng", [secure, lambda: reproducible(7)], ids=["release", "simulation"])
def test_what_is_drawn_has_that_law(rng, coarse):
    """Chi-square; false alarm 1e-8 each.  A simulation is not rounded, and cuts where it has drawn."""
    x, mechanism, privacy, runs = (0.3, 0.3, 0.9), Quantiles(parts=4), Privacy(2.0), 600
    drawn = mechanism.prepare(Points(np.array(x)[:, None], LINE), privacy).draw(rng(), runs)
    assert np.all(np.diff(drawn, axis=1) >= 0)
    law = joint_law(x, list(mechanism.wanted), mechanism.level(privacy))
    middle = {}
    for outcome, mass in law.items():
        key = outcome if rng is secure else outcome[1]
        middle[key] = middle.get(key, 0.0) + float(mass)
    cells = np.rint(drawn * 4)
    keys = [tuple(Fraction(int(c), 4) for c in row) for row in cells]
    keys = keys if rng is secure else [key[1] for key in keys]
    counts = {key: keys.count(key) for key in middle}
    assert sum(counts.values()) == runs
    often = [key for key, mass in middle.items() if mass * runs >= 5]
    statistic = sum((counts[key] - runs * middle[key]) ** 2 / (runs * middle[key]) for key in often)
    assert chdtrc(len(often) - 1, statistic) > 1e-8


def test_the_price_is_that_of_the_worst_replaced_record():
    """Over all ways on which one record can go before and after, from their definition."""
    for parts in (2, 3, 4, 5, 10, 17):
        tree = QuantileNode.of(Quantiles(parts=parts).wanted)

        def ways(node):
            children = [part for part in (node.below, node.above) if part is not None]
            return [[node]] if not children else [[node, *way] for part in children for way in ways(part)]

        every = ways(tree)
        for power in (1, 2):
            worst = Fraction(0)
            for one, other in itertools.product(every, repeat=2):
                cost = Fraction(0)
                for first, second in itertools.zip_longest(one, other):
                    if first is second:
                        cost += 1
                    else:
                        cost += sum(node.moved**power for node in (first, second) if node is not None)
                worst = max(worst, cost)
            assert tree.price(power) == worst
    assert QuantileNode.of(Quantiles(parts=4).wanted).price() == 2
    assert Quantiles(parts=2).guarantee.zcdp_cost(Privacy(1.0)).rho == pytest.approx(of_exponential(1.0).rho)


def test_the_level_never_costs_more_than_epsilon():
    for parts, epsilon in itertools.product((3, 7, 10, 100), (0.1, 1.0, 2.7)):
        mechanism = Quantiles(parts=parts)
        assert Fraction(mechanism.level(Privacy(epsilon))) * mechanism.tree().price() <= Fraction(epsilon)
        assert mechanism.guarantee.zcdp_cost(Privacy(epsilon)).rho < of_exponential(epsilon).rho


def test_values_that_many_records_share_are_drawn_where_their_step_is_declared():
    ages = np.repeat(np.arange(20.0, 60.0), 50)[:, None]
    data = Points(ages, Box.of([0], [120]))
    release = Quantiles(parts=4, multiples=1.0).run(data, Privacy(2.0))
    values = release.value["values"]
    assert all(float(value).is_integer() for value in values)
    assert np.abs(np.array(values) - [29.5, 39.5, 49.5]).max() <= 2
    assert release.step == 1.0
    (problem,) = Quantiles(multiples=500.0).problems(Privacy(1.0), Box.of([0], [120]), 10)
    assert problem.field == "multiples"


def test_wrong_questions_are_refused():
    (problem,) = Quantiles().problems(Privacy(1.0), Box.of([0, 0], [1, 1]), 10)
    assert (problem.field, "one column" in problem.message) == ("columns", True)


def test_one_record_and_equal_records_work():
    for values in ([0.3], [0.5] * 40, [0.0] * 3, [1.0] * 7):
        drawn = Quantiles(parts=10).prepare(Points(np.array(values)[:, None], LINE), Privacy(1.0))
        for rng in (secure(), reproducible(1)):
            rows = drawn.draw(rng, 3)
            assert np.all((rows >= 0) & (rows <= 1) & np.isfinite(rows))


@pytest.mark.slow
def test_an_audit_finds_the_doubled_epsilon_and_nothing_else():
    mechanism, privacy = Quantiles(parts=2), Privacy(1.0)
    planted = ExponentialDoubled.planted(mechanism)
    (pair,) = [one for one in worst_case_pairs(mechanism, LINE, 1000, privacy) if one.name == planted.worst]
    verdicts = [
        audit_run(mechanism, pair, privacy, runs=5000, seed=1, confidence=1 - 1e-8).audit.verdict,
        audit_run(planted, pair, privacy, runs=20_000, seed=1).audit.verdict,
    ]
    assert verdicts == ["consistent", "violated"]
    assert ExponentialDoubled.planted(Quantiles()).problems(privacy, LINE, 10)[0].field == "parts"


def test_the_whole_of_epsilon_on_each_level_is_too_much(coarse):
    """What the enumeration above would find, if the price were forgotten."""
    laws = [joint_law(x, list(Quantiles(parts=4).wanted), 1.0) for x in ((0.0, 0.3, 0.5), (0.3, 0.5, 1.0))]
    outcomes = set(laws[0]) | set(laws[1])
    assert not keeps(*([law.get(one, arb(0)) for one in outcomes] for law in laws), 1.0, 0.0)


def test_many_quantiles_cost_as_their_levels_do():
    """Nine deciles together are nearer than each with a ninth of epsilon: four of nine parts are enough."""
    assert float(Quantiles(parts=10).tree().price()) < 5 < 9
    assert math.log2(100) < float(Quantiles(parts=100).tree().price()) < 8
