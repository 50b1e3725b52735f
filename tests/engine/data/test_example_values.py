"""The values of the bundled examples follow the recipe on their card, or are those published."""

import cmath
import itertools
import math
import random
import re
import statistics

import numpy as np
import pytest

from engine.data import (
    EXAMPLES,
    CategoryDomain,
    load_example,
    read_categories,
    read_edges,
)
from engine.data.graph import pieces
from engine.errors import DataError

PLANES = {"planted-disc": 10_000, "two-minorities": 20_000, "outliers": 5_000}


def test_the_admissions_are_those_of_the_published_table():
    """Bickel, Hammel, O'Connell 1975: 44 % of 2,691 men and 30 % of 1,835 women; A: 62 % and 82 %."""
    table = load_example("admissions")
    lists = {own.name: own.labels for own in EXAMPLES["admissions"].categories}
    names = ["gender", "admitted", "department"]
    counts = read_categories(table, CategoryDomain(names, [lists[name] for name in names])).categories.table
    assert counts.sum(axis=(1, 2)).tolist() == [2691, 1835]
    assert counts.sum(axis=(0, 2)).tolist() == [1755, 2771]
    shares = counts[:, 0] / counts.sum(axis=1)
    assert counts[:, 0].sum(axis=1) / counts.sum(axis=(1, 2)) == pytest.approx([0.445, 0.304], abs=5e-4)
    assert shares[0] == pytest.approx([0.621, 0.630, 0.369, 0.331, 0.277, 0.059], abs=5e-4)
    assert shares[1] == pytest.approx([0.824, 0.680, 0.341, 0.349, 0.239, 0.070], abs=5e-4)


def test_the_blood_types_have_the_published_shares():
    """Of the American Association of Blood Banks, as the lectures print them: they add up to 100 %."""
    lists = {own.name: own.labels for own in EXAMPLES["blood-types"].categories}
    domain = CategoryDomain(list(lists), list(lists.values()))
    counts = read_categories(load_example("blood-types"), domain).categories.table
    assert (counts / 10).tolist() == [[38, 7], [34, 6], [9, 2], [3, 1]]
    assert (counts.sum(axis=1) / 10).tolist() == [45, 40, 11, 4]


def test_the_salaries_follow_the_recipe_on_their_card():
    rng, phi = random.Random(2007), statistics.NormalDist()
    recipe = "round(exp(log(48000) + 0.65 * phi.inv_cdf(rng.random())))"
    assert recipe in EXAMPLES["salaries"].source
    names = {"exp": math.exp, "log": math.log, "phi": phi, "rng": rng}
    expected = [eval(recipe, names) for _ in range(10_001)]
    np.testing.assert_array_equal(load_example("salaries").numbers("salary").values, expected)


def test_the_penguins_are_the_published_ones():
    table = load_example("penguins")
    assert [column.missing for column in table.columns] == [0, 0, 2, 2, 2, 2, 11, 0]
    with pytest.raises(DataError, match=r"penguins.csv, row 5, column 'body_mass_g': the value is missing"):
        table.numbers("body_mass_g")
    mass = table.numbers("body_mass_g", "drop")
    assert (mass.dropped, mass.values.size, round(mass.values.mean(), 4)) == (2, 342, 4201.7544)
    species = [record[0] for record in table.preview(table.n)]
    assert [species.count(name) for name in ("Adelie", "Chinstrap", "Gentoo")] == [152, 68, 124]
    points = table.points([column.name for column in EXAMPLES["penguins"].columns], "drop")
    assert points.values.shape == (342, 4)


def test_engels_households_have_their_published_means():
    # R's quantreg: mean(engel$income) = 982.473, mean(engel$foodexp) = 624.1501
    means = load_example("engel").points(["income", "foodexp"]).values.mean(axis=0)
    np.testing.assert_allclose(means, [982.473, 624.1501], atol=5e-4)


def test_the_classroom_sets():
    np.testing.assert_array_equal(load_example("one-to-ten").numbers("x").values, np.arange(1, 11))
    np.testing.assert_array_equal(
        load_example("evenly-spaced").numbers("x").values, 1000 * np.arange(1, 1002) / 1001
    )
    heaps = load_example("two-heaps").numbers("x").values
    neighbour = load_example("two-heaps-neighbour").numbers("x").values
    assert (np.median(heaps), np.median(neighbour)) == (0, 1000)
    assert np.count_nonzero(heaps != neighbour) == 1
    assert set(heaps) == set(neighbour) == {0, 1000}


def test_the_roads_follow_the_recipe_on_their_card():
    rng = random.Random(2007)
    junctions = []
    while len(junctions) < 200:
        radius, angle = 12 * rng.random(), 2 * math.pi * rng.random()
        junction = (round(radius * math.cos(angle), 2), round(radius * math.sin(angle), 2))
        if all(math.dist(junction, other) >= 0.4 for other in junctions):
            junctions.append(junction)
    away = np.hypot(*np.array(junctions).T)
    squared = ((np.array(junctions)[:, None] - np.array(junctions)) ** 2).sum(axis=2)
    expected = []
    for a, b in itertools.combinations(range(200), 2):
        town = max(away[a], away[b]) < 4
        others = np.delete(squared[[a, b]], [a, b], axis=1)
        nearest = (others.sum(axis=0) if town else others.max(axis=0)).min()
        if nearest >= squared[a, b] - 1e-9:
            minutes = math.sqrt(squared[a, b]) * (2 if town else 0.8) * (1 + 0.5 * rng.random())
            expected.append((a + 1, b + 1, round(minutes, 1)))
            assert squared[a, b] < 5**2  # km, as the bounds on the card say
    columns = load_example("roads").data.to_pydict()
    assert list(zip(*columns.values(), strict=True)) == expected


def test_the_roads_have_bridges_and_a_dense_town():
    edges = read_edges(load_example("roads")).ends
    without = (pieces(np.delete(edges, edge, axis=0), 200) for edge in range(len(edges)))
    assert sum(found > 1 for found in without) == 5
    degrees = np.bincount(edges.ravel())
    assert (degrees.min(), degrees.max()) == (1, 6)


@pytest.mark.parametrize(("name", "digits"), [("three-clusters", 3), ("mixture-5d", 2)])
def test_clouds_follow_the_recipe_on_their_card(name, digits):
    source = EXAMPLES[name].source
    listed, drawn = re.search(r"a (?:center|mean) (\[.*\])\[(.*?)\], then", source).groups()
    recipe = re.search(r"round\(.*, \d\)", source)[0]
    rng, phi = random.Random(2007), statistics.NormalDist()
    names = {"rng": rng, "phi": phi, "round": round, "int": int}
    choose, draw = compile(drawn, "card", "eval"), compile(recipe, "card", "eval")
    centers, expected = eval(listed), []
    for _ in range(EXAMPLES[name].n):
        chosen = centers[eval(choose, names)]
        expected.append([eval(draw, names | {"center": value, "mean": value}) for value in chosen])
    table = load_example(name)
    assert recipe.endswith(f", {digits})")
    np.testing.assert_array_equal(table.points(table.data.column_names).values, expected)


@pytest.mark.parametrize("name", PLANES)
def test_sets_with_a_small_cluster_follow_the_recipe_on_their_card(name):
    n, recipe = re.search(
        r"for i in range\((\d+)\) the point x \+ yj = (.*), both coordinates rounded to 4 digits",
        EXAMPLES[name].source,
    ).groups()
    assert int(n) == EXAMPLES[name].n == PLANES[name]
    names = {"rng": random.Random(2007), "phi": statistics.NormalDist(), "complex": complex}
    names |= {"pi": math.pi, "sqrt": math.sqrt, "exp": cmath.exp}
    draw, expected = compile(recipe, "card", "eval"), []
    for i in range(int(n)):
        point = eval(draw, names | {"i": i})
        expected.append((round(point.real, 4), round(point.imag, 4)))
    np.testing.assert_array_equal(load_example(name).points(["x", "y"]).values, expected)


def held(points, center, radius):
    """Return how many points lie within `radius` of `center`."""
    return int((np.linalg.norm(points - center, axis=1) <= radius).sum())


def test_small_clusters_are_where_and_as_large_as_the_descriptions_say():
    rounding = 1e-4
    disc = load_example("planted-disc").points(["x", "y"]).values
    others = 10_000 * math.pi * 0.02**2
    assert held(disc, [0.62, 0.37], 0.02 + rounding) == pytest.approx(600 + others, abs=4 * others**0.5)
    minorities = load_example("two-minorities").points(["x", "y"]).values
    others = 20_000 * math.pi * 0.03**2
    for center in ([0.2, 0.3], [0.8, 0.75]):
        assert held(minorities, center, 0.03 + rounding) == pytest.approx(1500 + others, abs=4 * others**0.5)
        assert np.linalg.norm(minorities.mean(axis=0) - center) > 10 * 0.03
    assert held(minorities, minorities.mean(axis=0), 0.03) < 2 * others


def test_outliers_pull_the_mean_out_of_the_cluster():
    points = load_example("outliers").points(["x", "y"]).values
    cluster = np.arange(5000) % 10 > 0
    np.testing.assert_allclose(points[cluster].mean(axis=0), [0.2, 0.25], atol=4 * 0.02 / 4500**0.5)
    assert np.linalg.norm(points.mean(axis=0) - [0.2, 0.25]) > 1.9 * 0.02
    assert held(points, [0.2, 0.25], 3 * 0.02) > 0.98 * 4500


def test_points_around_the_middle_follow_the_recipe_on_their_card():
    card = EXAMPLES["around-the-middle"]
    x, y, a, b = re.search(
        r"the point (.*), (0\.5 \+ b.*) with a = (.*) and b = (.*), rounded", card.source
    ).groups()
    rng, expected = random.Random(2005), []
    for i in range(card.n):
        signs = {"a": eval(a, {"i": i}), "b": eval(b, {"i": i})}
        expected.append([round(eval(one, {"rng": rng} | signs), 5) for one in (x, y)])
    points = load_example("around-the-middle").points(["x", "y"]).values
    np.testing.assert_array_equal(points, expected)
    quarters = np.unique(points > 0.5, axis=0, return_counts=True)[1]
    assert quarters.tolist() == [90] * 4
    assert np.abs(points - 0.5).max() < 0.001 + 1e-9


def test_the_airports_are_where_they_are():
    airports = load_example("airports").points(["longitude", "latitude"]).values
    assert len(np.unique(airports, axis=0)) == 3069
    published = {
        "Chicago O'Hare": (-87.9048, 41.9786),
        "Atlanta": (-84.4281, 33.6367),
        "Denver": (-104.6731, 39.8617),
        "Los Angeles": (-118.4081, 33.9425),
        "Key West": (-81.7596, 24.5561),
    }
    for place in published.values():
        assert held(airports, place, 0.01) == 1
    assert airports[:, 1].min() == 24.5561  # no airport of these states lies south of Key West's


def test_one_of_four_heaps_points_moves_both_centers():
    first, second = (load_example(f"four-heaps{end}").points(["x", "y"]).values for end in ("", "-neighbour"))
    assert np.count_nonzero((first != second).any(axis=1)) == 1
    assert_cheapest_halves(first, axis=1)
    assert_cheapest_halves(second, axis=0)


def assert_cheapest_halves(points, axis):
    """The best two clusters lie on both sides of the middle of `axis`, 0.4 apart; no line does better."""

    def cost(left):
        return sum(((side - side.mean(axis=0)) ** 2).sum() for side in (points[left], points[~left]))

    def cheapest_cut(along):
        order = np.argsort(along)
        apart = np.flatnonzero(np.diff(along[order]))  # no cut parts points that lie on one line
        below = np.cumsum(points[order], axis=0)[apart]
        sizes = 1.0 + apart[:, None]
        of_halves = below**2 / sizes + (points.sum(axis=0) - below) ** 2 / (len(points) - sizes)
        return (points**2).sum() - of_halves.sum(axis=1).max()

    halves = points[:, axis] > 0.5
    # the best two clusters are always parted by a line
    angles = np.linspace(0, math.pi, 181)
    along = points @ np.array([np.cos(angles), np.sin(angles)])
    assert cost(halves) == pytest.approx(min(map(cheapest_cut, along.T)), rel=1e-11)
    assert cost(points[:, 1 - axis] > 0.5) > 1.01 * cost(halves)


def test_the_geyser_has_its_published_means():
    # R: colMeans(faithful) = 3.487783, 70.897059
    means = load_example("geyser").points(["eruptions", "waiting"]).values.mean(axis=0)
    np.testing.assert_allclose(means, [3.487783, 70.897059], atol=5e-7)
