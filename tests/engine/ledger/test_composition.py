"""What several releases cost together, against every transcript of chains whose steps are known exactly."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from payments import pay

from engine.ledger import SLACK, Cost, Ledger, Limit, compose
from engine.mechanisms import GaussianRelease
from engine.primitives import Concentrated, of_exponential
from engine.primitives.losses import is_installed
from engine.privacy import NO_PROMISE, Privacy


def cost(epsilon, delta=0.0, rho=None):
    """A step that is known to be no more than (epsilon, delta)-private."""
    rho = epsilon**2 / 2 if rho is None else rho
    return Cost(Privacy(epsilon, delta), Concentrated(rho, delta), "replace-one")


NOTHING = Cost(NO_PROMISE, None, "replace-one")


def hockey_stick(steps, epsilon):
    """The delta of randomised response at each (epsilon, delta), which tells all with probability delta."""
    p = q = np.ones(1)
    leak = 1 - math.prod(1 - delta for _, delta in steps)
    for own, delta in steps:
        right = (1 - delta) / (1 + math.exp(-own))
        wrong = (1 - delta) - right
        p, q = np.concatenate([p * right, p * wrong]), np.concatenate([q * wrong, q * right])
    return leak + np.maximum(p - np.exp(epsilon) * q, 0).sum()


steps = st.lists(
    st.tuples(st.floats(0.01, 1.5), st.sampled_from([0.0, 0.0, 1e-3, 0.02])), min_size=1, max_size=10
)


@given(steps, st.sampled_from([1e-6, 1e-3, 0.05, 0.3]))
@settings(max_examples=150, deadline=None)
def test_no_rule_promises_more_than_the_worst_steps_keep(chosen, slack):
    found = compose([cost(*step) for step in chosen], slack)
    for promise in (found.basic, found.advanced, found.concentrated, found.tightest):
        assert hockey_stick(chosen, promise.epsilon) <= promise.delta * (1 + 1e-9) + 1e-13


def broken_of(costs, mistake):
    """What a mistaken rule would promise."""
    found = compose(costs, 0.05)
    if mistake == "epsilon^2/8 for everything":
        spent = [Cost(each.privacy, of_exponential(each.privacy.epsilon), each.neighbours) for each in costs]
        return compose(spent, 0.05).concentrated
    if mistake == "slack forgotten":
        return Privacy(found.concentrated.epsilon, found.concentrated.delta - 0.05 + 1e-12)
    if mistake == "deltas forgotten":
        return Privacy(found.basic.epsilon)
    return Privacy(math.sqrt(math.log(1 / 0.05) * found.squares), found.advanced.delta)


@pytest.mark.parametrize(
    "mistake",
    ["epsilon^2/8 for everything", "slack forgotten", "deltas forgotten", "no 2 under the root"],
)
def test_a_mistaken_rule_would_be_found(mistake):
    delta = 0.001 if mistake == "deltas forgotten" else 0.0
    chosen = [(0.5, delta)] * 14
    wrong = broken_of([cost(*step) for step in chosen], mistake)
    assert hockey_stick(chosen, wrong.epsilon) > 1.05 * wrong.delta


@given(steps, st.tuples(st.floats(0.01, 1.5), st.sampled_from([0.0, 1e-3])))
@settings(max_examples=60, deadline=None)
def test_one_more_release_never_costs_less(chosen, another):
    costs = [cost(*step) for step in chosen]
    before, after = compose(costs), compose([*costs, cost(*another)])
    for rule in ("basic", "advanced", "concentrated", "tightest"):
        assert getattr(after, rule).epsilon >= getattr(before, rule).epsilon
    for rule in ("basic", "advanced", "concentrated"):
        assert getattr(after, rule).delta >= getattr(before, rule).delta
    limit = Limit(after.basic.epsilon, after.basic.delta)
    assert before.within(limit)
    assert after.within(limit)


@given(steps)
@settings(max_examples=60, deadline=None)
def test_the_order_does_not_matter_and_the_exact_conversion_is_never_above_the_advanced_one(chosen):
    costs = [cost(*step) for step in chosen]
    found, turned = compose(costs), compose(costs[::-1])
    assert found == turned
    assert found.concentrated.epsilon <= found.advanced.epsilon * (1 + 1e-9)
    assert found.tightest.epsilon == min(
        found.basic.epsilon, found.advanced.epsilon, found.concentrated.epsilon
    )


@given(steps, steps)
@settings(max_examples=30, deadline=None)
def test_what_is_added_up_in_parts_is_the_same(first, then):
    costs, more = [cost(*step) for step in first], [cost(*step) for step in then]
    found, whole = compose(costs) + compose(more), compose([*costs, *more])
    for field in dataclasses.fields(whole):
        assert getattr(found, field.name) == pytest.approx(getattr(whole, field.name), rel=1e-12)
    assert (compose(costs) + compose([NOTHING])).basic is NO_PROMISE


@pytest.mark.skipif(not is_installed(), reason="dp-accounting is missing (extra 'accounting')")
@pytest.mark.parametrize("taken", [[(0.3, 0.0)] * 9, [(1.0, 1e-3), (0.2, 0.0), (0.5, 0.02)]])
def test_privacy_losses_never_come_to_less_than_is_true(taken):
    told = compose([cost(*step) for step in taken], 1e-4).by_losses()
    assert told.delta == pytest.approx(sum(delta for _, delta in taken) + 1e-4)
    assert hockey_stick(taken, told.epsilon) <= told.delta
    assert told.epsilon <= sum(epsilon for epsilon, _ in taken)
    assert compose([NOTHING]).by_losses() is NO_PROMISE


@pytest.mark.skipif(not is_installed(), reason="dp-accounting is missing (extra 'accounting')")
def test_losses_that_are_stated_are_kept_and_help():
    asked, domain = Privacy(0.1, 1e-6), "salaries"
    account = Ledger(None).account("sha256:1", domain)
    for _ in range(20):
        pay(account, Cost.of(GaussianRelease(), asked), {}, lambda: 1.0)
    assert [entry.cost.loss for entry in account.entries()] == [GaussianRelease().guarantee.loss(asked)] * 20
    spent = account.spent()
    assert spent.by_losses().epsilon < spent.concentrated.epsilon < spent.basic.epsilon
    assert spent.tightest == spent.concentrated  # losses count against no limit


def test_known_values():
    assert compose([]) is None
    one = compose([cost(0.7)])
    assert (one.tightest, one.method, one.releases) == (Privacy(0.7), "basic", 1)
    # rho = 0.02436 gives (1, 1e-6), computed elsewhere
    many = compose([cost(0.02)] * 122, 1e-6)
    assert many.rho == pytest.approx(0.0244)
    assert many.concentrated.epsilon == pytest.approx(1.0, abs=2e-3)
    assert many.concentrated.delta == 1e-6
    assert many.method == "zcdp"
    # by hand: sum of squares 0.0488, ln(1e6) = 13.8155
    assert many.advanced.epsilon == pytest.approx(math.sqrt(2 * 13.815511 * 0.0488) + 0.0244, rel=1e-6)
    assert many.basic.epsilon == pytest.approx(2.44)
    exact = compose([Cost(Privacy(1.0), of_exponential(1.0), "replace-one")] * 2, 0.01)
    assert exact.rho == pytest.approx(0.25)
    gaussian = compose([Cost(Privacy(1.0, 1e-6), Concentrated(0.02436), "replace-one")] * 4)
    assert gaussian.basic == Privacy(4.0, 4e-6)
    assert gaussian.concentrated.delta == 1e-6  # its deltas are not needed
    assert gaussian.concentrated.epsilon == pytest.approx(2.14, abs=0.05)
    assert gaussian.advanced.delta == pytest.approx(5e-6)


def test_what_promises_nothing_spoils_everything():
    found = compose([cost(0.1), NOTHING])
    assert found.basic is found.advanced is found.concentrated is found.tightest is NO_PROMISE
    assert found.releases == 2
    assert not found.within(Limit(1e6, 0.5))
    assert compose([NOTHING]).tightest is NO_PROMISE


def test_deltas_that_reach_one_promise_nothing():
    found = compose([cost(0.1, 0.4)] * 3)
    assert found.basic is found.advanced is found.concentrated is NO_PROMISE
    assert not found.within(Limit(10.0, 0.9))


def test_a_limit_is_kept_as_people_reckon():
    assert compose([cost(0.1)] * 3).within(Limit(0.3))  # although 0.1 + 0.1 + 0.1 > 0.3
    assert not compose([cost(0.1)] * 3 + [cost(1e-6)]).within(Limit(0.3))
    assert not compose([cost(0.1, 1e-6)]).within(Limit(1.0))  # no delta was allowed
    assert compose([cost(0.1, 1e-6)]).within(Limit(1.0, 1e-6))
    many = compose([cost(0.02)] * 122)
    assert many.within(Limit(1.01, 1e-9))
    assert not many.within(Limit(0.99, 1e-9))
    assert not many.within(Limit(1.01, 1e-9, slack=1e-9))
    assert not many.within(Limit(1.01))  # the concentrated bound has a delta, and none was allowed


@pytest.mark.parametrize(
    ("values", "field"),
    [((0.0,), "epsilon"), ((math.inf,), "epsilon"), ((math.nan,), "epsilon"), ((1.0, 1.0), "delta")]
    + [((1.0, 0.0, bad), "slack") for bad in (0.0, 1.0, -1.0, math.nan)]
    + [((1.0, 0.9, 0.1), "slack")],
)
def test_an_impossible_limit_is_refused(values, field):
    from engine.errors import ParameterError

    with pytest.raises(ParameterError) as caught:
        Limit(*values)
    assert caught.value.field == field


def test_a_limit_says_what_is_promised_in_all():
    assert Limit(1.0, 1e-5).whole == Privacy(1.0, 1e-5 + SLACK)
    assert Limit(1.0).whole == Limit(1.0, slack=0.1).whole == Privacy(1.0)


# Whatever is chosen in the light of what came before


def worst_adversary(limit, kinds):
    """The largest hockey-stick divergence that any strategy reaches while it keeps the limit.

    `kinds` are (epsilon of randomised response, delta, cost). What happens after two transcripts
    with the same numbers of each step and each answer is the same, so all strategies together
    are one dynamic programme.
    """
    allowed, memory = {}, {}

    def keeps(counts):
        if counts not in allowed:
            spent = [kind[2] for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]
            allowed[counts] = compose(spent).within(limit)
        return allowed[counts]

    def reach(counts, nets):
        """Per unit of P, at this point of the tree."""
        if (counts, nets) not in memory:
            loss = sum(kind[0] * net for kind, net in zip(kinds, nets, strict=True))
            best = max(0.0, 1 - math.exp(limit.epsilon - loss))
            for place, (epsilon, delta, _) in enumerate(kinds):
                more = tuple(count + (place == at) for at, count in enumerate(counts))
                if keeps(more):
                    right = (1 - delta) / (1 + math.exp(-epsilon))
                    value = delta
                    for chance, turn in ((right, 1), (1 - delta - right, -1)):
                        after = tuple(net + turn * (place == at) for at, net in enumerate(nets))
                        value += chance * reach(more, after)
                    best = max(best, value)
            memory[counts, nets] = best
        return memory[counts, nets]

    zero = (0,) * len(kinds)
    return reach(zero, zero)


PURE = (0.5, 0.0, cost(0.5))
SMALL = (0.2, 0.0, cost(0.2))
LEAKY = (0.3, 0.01, cost(0.3, 0.01))
# as Gaussian noise: (epsilon, delta) with a small epsilon, and concentrated without any delta
TAILS = (
    0.5,
    0.0,
    Cost(Privacy(0.4, hockey_stick([(0.5, 0.0)], 0.4)), Concentrated(0.125), "replace-one"),
)
# randomised response at 0.3, of which nothing is known but that its log-ratios span 0.6
RANGE = (0.3, 0.0, Cost(Privacy(0.6), of_exponential(0.6), "replace-one"))


@pytest.mark.parametrize(
    ("limit", "kinds"),
    [
        (Limit(1.5, 1e-9, 0.3), (PURE, SMALL)),
        (Limit(1.0, 1e-9, 0.05), (PURE, SMALL)),
        (Limit(1.5, 0.03, 0.2), (PURE, LEAKY)),
        (Limit(1.2, 0.02, 0.2), (RANGE, LEAKY)),
        (Limit(0.8, 0.02, 1e-6), (SMALL, LEAKY)),
        (Limit(1.3, 0.25, 0.1), (TAILS, PURE)),
        (Limit(0.9, 0.15, 0.05), (TAILS, SMALL)),
    ],
)
def test_no_strategy_that_keeps_a_limit_beats_it(limit, kinds):
    found = worst_adversary(limit, kinds)
    assert 0 < found <= limit.whole.delta


@pytest.mark.parametrize("limit", [Limit(1.5, 0.0, 0.3), Limit(1.0)])
def test_a_limit_without_a_delta_is_pure(limit):
    assert worst_adversary(limit, (PURE, SMALL, LEAKY)) <= 1e-12
    assert worst_adversary(Limit(limit.epsilon, 1e-9, 0.3), (PURE, SMALL)) > 1e-4


def test_strategies_would_find_a_mistake():
    limit = Limit(1.5, 1e-9, 0.3)
    wrong = [
        (epsilon, delta, Cost(c.privacy, of_exponential(epsilon), c.neighbours))
        for epsilon, delta, c in (PURE,)
    ]
    assert worst_adversary(limit, wrong) > limit.whole.delta
    # without its slack, the promise of the limit is not kept either
    assert worst_adversary(limit, (PURE, SMALL)) > limit.delta + 0.01
