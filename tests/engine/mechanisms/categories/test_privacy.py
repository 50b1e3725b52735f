"""Privacy of releases of categories: all neighbours of tiny tables, exact laws, audits, planted bugs."""

import itertools
import math

import numpy as np
import pytest
from discrete import assert_drawn_from
from flint import arb, ctx
from scipy.stats import chisquare

from engine.audit import audit
from engine.data.categories import Categories, CategoryDomain
from engine.mechanisms import PLANTED
from engine.mechanisms.categories import (
    ContingencyTable,
    Mode,
    RandomizedResponse,
    SortedHistogram,
    randomized_response,
)
from engine.mechanisms.categories.randomized_response import answer_probabilities
from engine.primitives import selection
from engine.primitives.counts import AddedNoise
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

DOMAIN = CategoryDomain(["a", "b", "c"], [["x", "y"], ["x", "y", "z"], ["x", "y"]])
COLOURS = CategoryDomain(["colour"], [["red", "green", "blue"]])


def databases(domain, n):
    """Return all databases of n records, as multisets."""
    cells = itertools.combinations_with_replacement(range(domain.size), n)
    return [Categories(np.column_stack(np.unravel_index(some, domain.shape)), domain) for some in cells]


def neighbours(domain, n):
    """Yield all pairs of neighbours."""
    everything = databases(domain, n)
    for one, other in itertools.combinations(everything, 2):
        if np.abs(one.table - other.table).sum() == 2:
            yield one, other


@pytest.mark.parametrize(
    ("mechanism", "tables"),
    [
        (ContingencyTable(), 1),
        (ContingencyTable(margins="pairs"), 3),
        (ContingencyTable(margins="singles"), 3),
        (SortedHistogram(), 1),
    ],
    ids=["full", "pairs", "singles", "sorted"],
)
def test_noise_is_for_the_largest_change_that_one_record_can_make(mechanism, tables):
    """Laplace: L1 change over scale is at most epsilon, and is it somewhere; Gaussian: L2 likewise."""
    pure, approximate = Privacy(0.7), Privacy(0.7, 1e-6)
    gaussian = type(mechanism)(**mechanism.settings() | {"noise": "gaussian"})
    unit = AddedNoise.of("gaussian", approximate, 1.0, 1.0).scale
    losses, moves = [], []
    for one, other in neighbours(DOMAIN, 2):
        ready = [mechanism.prepare(data, pure) for data in (one, other)]
        change = ready[0].counts - ready[1].counts
        assert ready[0].noise == ready[1].noise
        losses.append(np.abs(change).sum() / ready[0].noise["scale"])
        moves.append(np.linalg.norm(change))
    scale = gaussian.prepare(one, approximate).noise["scale"]
    assert max(losses) == pytest.approx(0.7, rel=1e-12)
    assert max(moves) * unit == pytest.approx(scale, rel=1e-12)
    assert max(moves) == pytest.approx(math.sqrt(2 * tables))


FLIP = Mode(choice="permute-and-flip")


@pytest.mark.parametrize("mechanism", [Mode(), FLIP], ids=["exponential", "flip"])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_law_of_the_mode_moves_by_at_most_epsilon(epsilon, mechanism):
    losses = []
    for one, other in neighbours(COLOURS, 5):
        p, q = (mechanism.prepare(data, Privacy(epsilon)).probabilities for data in (one, other))
        losses.append(np.abs(np.log(p / q)).max())
    assert 0.5 * epsilon < max(losses) <= epsilon * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 1.0, 100.0])
def test_the_exact_law_of_the_mode_satisfies_epsilon(epsilon, monkeypatch):
    """From the balls by which a release decides."""

    def exact(data):
        seen = []
        monkeypatch.setattr(selection, "choose", lambda weights, enclosed, *_: seen.append(enclosed) or 0)
        Mode().prepare(data, Privacy(epsilon)).draw(secure(), 1)
        weights = [seen[0](place).exp() for place in range(data.domain.size)]
        return [weight / sum(weights) for weight in weights]

    with ctx.workprec(300):
        for one, other in neighbours(COLOURS, 4):
            for p, q in zip(exact(one), exact(other), strict=True):
                assert p < q * arb(epsilon).exp()
                assert q < p * arb(epsilon).exp()


def law_of_answers(counts, epsilon):
    """Return the probability of every sheet of answer counts, straight from the definition."""
    k, n = len(counts), sum(counts)
    p, q = answer_probabilities(epsilon, k)
    truths = [place for place, count in enumerate(counts) for _ in range(count)]
    law = {}
    for answers in itertools.product(range(k), repeat=n):
        sheet = tuple(np.bincount(answers, minlength=k))
        chance = math.prod(p if answer == truth else q for answer, truth in zip(answers, truths, strict=True))
        law[sheet] = law.get(sheet, 0.0) + chance
    return law


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_law_of_randomized_answers_moves_by_at_most_epsilon(epsilon):
    losses = []
    for one, other in neighbours(COLOURS, 4):
        p, q = (law_of_answers(data.table.tolist(), epsilon) for data in (one, other))
        losses += [abs(math.log(p[sheet] / q[sheet])) for sheet in p]
    assert max(losses) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("k", [2, 3, 7, 1000])
@pytest.mark.parametrize("epsilon", [1e-9, 1.0, 100.0])
def test_a_single_answer_is_private_by_itself(k, epsilon):
    p, q = answer_probabilities(epsilon, k)
    assert p + (k - 1) * q == pytest.approx(1, rel=1e-12)
    assert math.log(p / q) == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize("k", [2, 3, 1000])
@pytest.mark.parametrize("epsilon", [1e-9, 1.0, 100.0])
def test_the_coin_of_an_answer_is_exact(k, epsilon, monkeypatch):
    """From the ball by which a release decides: what the k - 1 others share is left, evenly."""
    seen = []

    def tossed(probability, enclosed, size, rng):
        seen.append((probability, enclosed))
        return np.zeros(size, dtype=bool)

    monkeypatch.setattr(randomized_response, "coins", tossed)
    assert randomized_response.randomize_answers(np.full(k, 2), epsilon, secure()).sum() == 2 * k
    [(probability, enclosed)] = seen
    with ctx.workprec(300):
        p = enclosed()
        q = (1 - p) / (k - 1)
        assert abs((p / q).log() - arb(epsilon)) < arb(2) ** -100
        assert abs(arb(probability) / p - 1) < arb(2) ** -44


@pytest.mark.parametrize("k", [2, 3, 255, 256, 257])
def test_those_who_do_not_tell_give_any_other_answer(k, monkeypatch):
    """100,000 answers by Pearson's test; false alarm 1e-6."""
    monkeypatch.setattr(randomized_response, "coins", lambda p, ball, size, rng: np.zeros(size, dtype=bool))
    counts = np.zeros(k, dtype=int)
    counts[k // 2] = 100_000
    answers = randomized_response.randomize_answers(counts, 1.0, secure())
    assert answers.sum() == 100_000
    assert answers[k // 2] == 0
    others = np.delete(answers, k // 2)
    assert chisquare(others).pvalue > 1e-6 if k > 2 else others.tolist() == [100_000]


@pytest.mark.parametrize("source", [secure, lambda: reproducible(3)], ids=["release", "simulation"])
def test_randomized_answers_follow_their_law(source):
    """20,000 sheets by Pearson's test; false alarm 1e-6."""
    data = Categories([[0], [0], [0], [2]], COLOURS)
    law = law_of_answers([3, 0, 1], 1.3)
    sheets = {sheet: place for place, sheet in enumerate(law)}
    drawn = RandomizedResponse().prepare(data, Privacy(1.3)).draw(source(), 20_000)
    places = [sheets[tuple(sheet)] for sheet in drawn[:, 6:].astype(int)]
    assert_drawn_from(places, list(law.values()))


@pytest.mark.parametrize("source", [secure, lambda: reproducible(4)], ids=["release", "simulation"])
def test_modes_follow_their_law(source):
    """20,000 choices by Pearson's test; false alarm 1e-6."""
    data = Categories([[0]] * 4 + [[1]] * 3 + [[2]], COLOURS)
    ready = Mode().prepare(data, Privacy(0.8))
    expected = np.exp(0.4 * np.array([4, 3, 1]))
    np.testing.assert_allclose(ready.probabilities, expected / expected.sum(), rtol=1e-12)
    assert_drawn_from(ready.draw(source(), 20_000)[:, 0].astype(int), ready.probabilities)


def test_permute_and_flip_costs_more_among_many_releases():
    """The Rényi divergences of its exact law are above what the exponential mechanism's would be."""
    assert FLIP.guarantee.zcdp_cost(Privacy(1.0)).rho > Mode().guarantee.zcdp_cost(Privacy(1.0)).rho
    divergences = []
    for one, other in neighbours(COLOURS, 8):
        p, q = (FLIP.prepare(data, Privacy(1.0)).probabilities for data in (one, other))
        divergences.append(float((p * np.log(p / q)).sum()))
    assert 0.125 < max(divergences) <= FLIP.guarantee.zcdp_cost(Privacy(1.0)).rho


def test_the_mode_by_flips_follows_its_law():
    data = Categories([[0]] * 4 + [[1]] * 3 + [[2]], COLOURS)
    for rng, runs in ((secure(), 500), (reproducible(4), 5000)):
        ready = FLIP.prepare(data, Privacy(0.8))
        assert_drawn_from(ready.draw(rng, runs)[:, 0].astype(int), ready.probabilities)
    assert ready.probabilities[0] > Mode().prepare(data, Privacy(0.8)).probabilities[0]


# Audits: draws of 20,000 on each of two neighbours, confidence 1 - 1e-6.

PAIR = Categories([[0]] * 6 + [[1]] * 5, COLOURS), Categories([[0]] * 5 + [[1]] * 6, COLOURS)


def audited(mechanism, privacy, runs=20_000, pair=PAIR):
    drawn = [
        mechanism.prepare(data, privacy).draw(reproducible(seed), runs) for seed, data in enumerate(pair)
    ]
    return audit(*drawn, privacy, confidence=1 - 1e-6)


@pytest.mark.parametrize(
    "mechanism",
    [ContingencyTable(post="none"), ContingencyTable(), SortedHistogram(), Mode(), RandomizedResponse()],
    ids=lambda mechanism: f"{mechanism.name}-{getattr(mechanism, 'post', '')}",
)
def test_audits_find_no_violation(mechanism):
    runs = 20_000 if mechanism.settings().get("post") == "none" or not mechanism.settings() else 4_000
    assert not audited(mechanism, Privacy(1.0), runs).violated


def test_an_audit_comes_near_epsilon():
    alone = Categories([[0]], COLOURS), Categories([[1]], COLOURS)
    assert audited(RandomizedResponse(), Privacy(1.0), pair=alone).epsilon_lower_bound > 0.8
    assert audited(ContingencyTable(post="none"), Privacy(1.0)).epsilon_lower_bound > 0.4


def test_noise_for_records_that_are_added_is_caught_where_they_are_replaced():
    """A scale of 1/epsilon instead of 2/epsilon: what one replaced record reveals is 2 epsilon."""
    wrong = PLANTED["histogram-scale-one"].planted(ContingencyTable(post="none"))
    assert audited(wrong, Privacy(1.0)).violated


def test_answers_that_keep_the_truth_too_often_are_caught():
    """e^epsilon/(e^epsilon + 1) is for two categories; with three, each other one gets half of the rest."""
    alone = Categories([[0]], COLOURS), Categories([[1]], COLOURS)
    wrong = PLANTED["two-category-odds"].planted(RandomizedResponse())
    assert wrong.prepare(alone[0], Privacy(1.0)).epsilon == pytest.approx(1 + math.log(2))
    assert answer_probabilities(1 + math.log(2), 3)[0] == pytest.approx(math.e / (math.e + 1))
    assert not audited(RandomizedResponse(), Privacy(1.0), pair=alone).violated
    assert audited(wrong, Privacy(1.0), pair=alone).violated
