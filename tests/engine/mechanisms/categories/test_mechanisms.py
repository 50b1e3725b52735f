"""What mechanisms on categories release: in which form, how far off, and what they refuse."""

import itertools
import json
import math

import numpy as np
import pytest

from engine.data.categories import Categories, CategoryDomain
from engine.errors import ParameterError
from engine.mechanisms.categories import ContingencyTable, Mode, RandomizedResponse, SortedHistogram
from engine.mechanisms.categories.contingency_table import make_agree, sum_margin
from engine.primitives.margins import consistent_margins
from engine.privacy import Privacy
from engine.randomness import reproducible
from engine.simulation import simulate

DOMAIN = CategoryDomain(["sex", "answer", "place"], [["m", "f"], ["yes", "no", "none"], ["north", "south"]])
RECORDS = np.random.default_rng(3).integers(0, [2, 3, 2], (500, 3)) * [1, 1, 0]
DATA = Categories(RECORDS, DOMAIN)
ANSWERS = Categories(RECORDS[:, 1:2], CategoryDomain(["answer"], [["yes", "no", "none"]]))
ALL = (ContingencyTable(), SortedHistogram(), Mode(), RandomizedResponse())


@pytest.mark.parametrize("mechanism", ALL, ids=lambda mechanism: mechanism.name)
def test_every_mechanism_releases_something_that_can_be_written_down(mechanism):
    privacy = Privacy(1.0, 1e-6)
    ready = mechanism.prepare(ANSWERS, privacy)
    release = mechanism.release(ready, ANSWERS, privacy, reproducible(1))
    json.dumps({"value": release.value, "noise": dict(release.noise), "parameters": dict(release.parameters)})
    assert (release.simulated, release.neighbours) == (True, "replace-one")
    assert release.privacy == Privacy(1.0)  # no delta is spent
    assert release.parameters["categories"] == [["yes", "no", "none"]]
    assert release.parameters["columns"] == ["answer"]
    assert not mechanism.run(ANSWERS, privacy).simulated
    run = simulate(mechanism, ANSWERS, privacy, runs=50, seed=1)
    assert run.errors.shape == (50,)
    assert run.refused == 0
    json.dumps(mechanism.output.true_answer(run.true_value, ANSWERS.domain))


def test_cells_of_a_table_stand_in_the_public_order():
    mechanism = ContingencyTable()
    value = mechanism.run(DATA, Privacy(1e2), reproducible(1)).value
    named = [cell["categories"] for cell in value["cells"]]
    assert named == [list(some) for some in itertools.product(*DOMAIN.labels)]
    counts = [cell["count"] for cell in value["cells"]]
    np.testing.assert_allclose(counts, DATA.table.ravel(), atol=0.5)
    assert sum(counts) == pytest.approx(500)
    true = mechanism.output.true_answer(
        mechanism.prepare(DATA, Privacy(1.0)).diagnostics["true_value"], DOMAIN
    )
    assert [cell["count"] for cell in true["cells"]] == DATA.table.ravel().tolist()


def test_untouched_counts_have_the_stated_noise():
    """5,000 tables: the mean absolute error of Lap(b), rounded, is 1/(2 sinh(1/(2b))); 6 standard errors."""
    mechanism = ContingencyTable(post="none")
    run = simulate(mechanism, DATA, Privacy(0.5), runs=5000, seed=2)
    away = run.values - run.true_value
    assert run.prepared.noise == {"family": "laplace", "scale": 4.0}
    assert np.array_equal(away, np.rint(away))
    assert np.abs(away).mean() == pytest.approx(0.5 / math.sinh(1 / 8), abs=6 * 4 / math.sqrt(away.size))
    within = 1 - math.exp(-(run.prepared.error + 0.5) / 4)
    assert within - math.exp(-(run.prepared.error - 0.5) / 4) < 0.95 <= within
    assert np.mean(np.abs(away) <= run.prepared.error) == pytest.approx(
        within, abs=6 * 0.218 / math.sqrt(away.size)
    )
    assert run.distances == pytest.approx(np.abs(away).mean(axis=1))
    assert ContingencyTable().prepare(DATA, Privacy(0.5)).error is None


@pytest.mark.parametrize("mechanism", [ContingencyTable(), SortedHistogram()], ids=lambda one: one.name)
def test_the_simplex_never_leads_away_from_the_truth(mechanism):
    kept = type(mechanism)(post="none")
    for noise in ("laplace", "gaussian"):
        some, other = (
            type(one)(**one.settings() | {"noise": noise}).prepare(DATA, Privacy(0.2, 1e-6))
            for one in (kept, mechanism)
        )
        noisy, fitted = (ready.draw(reproducible(5), 50) for ready in (some, other))
        assert (fitted >= 0).all()
        assert (fitted == fitted.round()).all()
        assert (fitted.sum(axis=1) == 500).all()
        far, near = (np.linalg.norm(values - some.counts, axis=1) for values in (noisy, fitted))
        assert (near <= far + np.sqrt(fitted.shape[1]) / 2).all()  # whole counts move by less than 1


def margins_of(value, domain):
    """Return released margins as arrays by the places of their columns."""
    found = {}
    for margin in value["margins"]:
        axes = tuple(domain.columns.index(name) for name in margin["columns"])
        counts = [cell["count"] for cell in margin["cells"]]
        named = [cell["categories"] for cell in margin["cells"]]
        assert named == [list(some) for some in itertools.product(*(domain.labels[axis] for axis in axes))]
        found[axes] = np.reshape(counts, [len(domain.labels[axis]) for axis in axes])
    return found


@pytest.mark.parametrize("post", ["none", "simplex"])
@pytest.mark.parametrize(("margins", "ways"), [("singles", 1), ("pairs", 2)])
def test_margins_agree_on_the_columns_that_they_share(margins, ways, post):
    mechanism = ContingencyTable(margins=margins, post=post)
    for seed in range(10):
        found = margins_of(mechanism.run(DATA, Privacy(0.3), reproducible(seed)).value, DOMAIN)
        assert list(found) == list(itertools.combinations(range(3), ways))
        totals = [table.sum() for table in found.values()]
        np.testing.assert_allclose(totals, 500 if post == "simplex" else totals[0], atol=1e-4)
        for (axes, table), (others, other) in itertools.combinations(found.items(), 2):
            for axis in set(axes) & set(others):
                single = sum_margin(table, (axes.index(axis),)), sum_margin(other, (others.index(axis),))
                np.testing.assert_allclose(*single, atol=1e-4)
        if post == "simplex":
            assert min(table.min() for table in found.values()) >= 0


def test_agreement_never_leads_away_from_the_truth():
    rng = np.random.default_rng(6)
    true = {axes: sum_margin(DATA.table, axes) for axes in ((0, 1), (0, 2), (1, 2))}
    for scale in (1, 20, 300):
        noisy = {axes: table + rng.laplace(0, scale, table.shape) for axes, table in true.items()}
        fitted = make_agree(noisy, 500)
        first = consistent_margins(noisy, dict.fromkeys(noisy, 1.0))
        away = [
            sum(np.sum((tables[axes] - true[axes]) ** 2) for axes in true)
            for tables in (noisy, first, fitted)
        ]
        assert away[0] >= away[1] >= away[2] - 1e-6


def test_sorted_counts_are_sorted_and_nearer_than_their_noise():
    domain = CategoryDomain(["x"], [[str(label) for label in range(200)]])
    data = Categories(np.random.default_rng(7).integers(0, 20, (2000, 1)), domain)
    ready = SortedHistogram().prepare(data, Privacy(0.2))
    assert ready.diagnostics["true_value"].tolist() == sorted(data.table.tolist(), reverse=True)
    drawn = ready.draw(reproducible(1), 20)
    assert (np.diff(drawn, axis=1) <= 1e-9).all()
    errors = SortedHistogram().output.errors(drawn, ready.diagnostics["true_value"], domain)
    assert errors.max() < ready.noise["scale"] / 2
    assert list(SortedHistogram().output.released(drawn[0], domain)) == ["counts"]


def test_the_mode_is_a_label_or_one_for_each_column():
    assert Mode().run(ANSWERS, Privacy(10.0), reproducible(1)).value in ("yes", "no", "none")
    far = Categories([[1, 2, 0]] * 100 + [[0, 0, 0]], DOMAIN)
    assert Mode().run(far, Privacy(1.0), reproducible(1)).value == ["f", "none", "north"]
    ready = Mode().prepare(far, Privacy(1.0))
    assert Mode().output.true_answer(ready.diagnostics["true_value"], DOMAIN) == ["f", "none", "north"]
    places = np.array([[DOMAIN.size - 1.0], [0.0], [10.0]])
    errors = Mode().output.errors(places, ready.diagnostics["true_value"], DOMAIN)
    assert errors == pytest.approx([100 / 101, 99 / 101, 0])


@pytest.mark.parametrize("k", [2, 3, 8])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_shares_of_randomized_answers_are_unbiased_and_their_errors_true(k, epsilon):
    """4,000 sheets: means within 6 standard errors, standard deviations within 10 %."""
    domain = CategoryDomain(["x"], [[str(label) for label in range(k)]])
    data = Categories(np.repeat(np.arange(k), [100 * (label + 1) for label in range(k)])[:, None], domain)
    run = simulate(RandomizedResponse(), data, Privacy(epsilon), runs=4000, seed=3)
    shares, errors, answers = np.split(run.values, 3, axis=1)
    true = data.table / data.n
    spread = shares.std(axis=0)
    assert (np.abs(shares.mean(axis=0) - true) <= 6 * spread / math.sqrt(4000)).all()
    np.testing.assert_allclose(np.sqrt((errors**2).mean(axis=0)), spread, rtol=0.1)
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-9)
    assert (answers.sum(axis=1) == data.n).all()
    assert run.distances == pytest.approx(np.abs(shares - true).mean(axis=1))


def test_warners_error_of_two_categories_depends_on_no_answer():
    domain = CategoryDomain(["x"], [["yes", "no"]])
    data = Categories([[0]] * 30 + [[1]] * 70, domain)
    value = RandomizedResponse().run(data, Privacy(1.0), reproducible(1)).value
    p = math.e / (1 + math.e)
    expected = math.sqrt(p * (1 - p) / 100) / (2 * p - 1)
    assert value["standard_errors"] == pytest.approx({"yes": expected, "no": expected})
    share = (value["answers"]["yes"] / 100 - (1 - p)) / (2 * p - 1)
    assert value["shares"]["yes"] == pytest.approx(share)
    assert RandomizedResponse().public_facts(domain, 100, Privacy(1.0)) == pytest.approx(
        {"true_answer": p, "other_answer": 1 - p}
    )


@pytest.mark.parametrize("epsilon", [1e-9, 100.0])
def test_tiny_and_huge_budgets_give_numbers(epsilon):
    for mechanism in ALL:
        run = simulate(mechanism, ANSWERS, Privacy(epsilon), runs=20, seed=1)
        assert np.isfinite(run.values).all()


@pytest.mark.parametrize(
    ("mechanism", "privacy", "data", "field"),
    [
        (ContingencyTable(noise="gaussian"), Privacy(1.0), DATA, "delta"),
        (SortedHistogram(noise="gaussian"), Privacy(1.0), DATA, "delta"),
        (ContingencyTable(), Privacy(1e-10), DATA, "epsilon"),
        (Mode(), Privacy(1e3), DATA, "epsilon"),
        (ContingencyTable(margins="pairs"), Privacy(1.0), ANSWERS, "margins"),
        (RandomizedResponse(), Privacy(1.0), DATA, "columns"),
        (RandomizedResponse(), Privacy(1.0), Categories([[0]], CategoryDomain(["x"], [["y"]])), "categories"),
        (RandomizedResponse(), Privacy(1e-10), ANSWERS, "epsilon"),
    ],
)
def test_combinations_without_sense_are_explained(mechanism, privacy, data, field):
    (problem,) = mechanism.problems(privacy, data.domain, data.n)
    assert problem.field == field
    with pytest.raises(ParameterError, match=field):
        mechanism.prepare(data, privacy)
    with pytest.raises(ParameterError, match="noise"):
        ContingencyTable(noise="lcp")


def test_gaussian_noise_spends_delta_and_laplace_noise_does_not():
    for noise, spent in (("gaussian", 1e-6), ("laplace", 0.0)):
        mechanism = ContingencyTable(noise=noise)
        assert mechanism.guarantee.cost(Privacy(1.0, 1e-6)) == Privacy(1.0, spent)


def test_a_large_table_takes_no_time():
    import time

    labels = [[str(label) for label in range(100)]] * 3
    data = Categories(
        np.random.default_rng(1).integers(0, 100, (10_000, 3)), CategoryDomain(list("abc"), labels)
    )
    start = time.process_time()
    for mechanism in (ContingencyTable(margins="pairs"), SortedHistogram(), Mode()):
        mechanism.run(data, Privacy(1.0), reproducible(1))
    assert time.process_time() - start < 8
