"""The bundled examples are what their cards say."""

import math
import random
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.data import DEFAULT_EXAMPLE, EXAMPLES, load_example
from engine.domain import Interval
from engine.errors import DataError, UnknownName
from engine.resources import resource

NAMES = ["salaries", "penguins", "engel", "evenly-spaced", "one-to-ten", "two-heaps", "two-heaps-neighbour"]


def test_all_are_offered_the_salaries_first():
    assert list(EXAMPLES) == NAMES
    assert len(EXAMPLES) == len(NAMES)
    assert next(iter(EXAMPLES)) == DEFAULT_EXAMPLE


def test_every_file_has_a_card_and_all_are_small():
    files = {path.name for path in resource("examples").iterdir()}
    assert files == {f"{name}.toml" for name in NAMES} | {example.file for example in EXAMPLES.values()}
    assert sum(path.stat().st_size for path in resource("examples").iterdir()) < 1_000_000


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_true(name):
    example = EXAMPLES[name]
    table = load_example(name)
    assert example.name == name
    for words in (example.title, example.description, example.source, example.licence, example.bounds):
        assert words
        assert "\n" not in words
    assert "ublic domain" in example.licence
    assert (table.n, table.source) == (example.n, example.file)
    assert (example.column, example.unit) == (example.columns[0].name, example.columns[0].unit)
    for column in example.columns:
        assert (table.column(column.name).type, table.column(column.name).unit) == ("number", column.unit)
        domain = Interval(column.lower, column.upper)
        values = table.numbers(column.name, "drop").values
        assert domain.outside(values) <= values.size / 1000
        assert np.ptp(values) > domain.width / 200
    assert Interval(example.lower, example.upper).width > 0


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
    with pytest.raises(
        DataError, match=r"penguins.csv, row 5, column 'body_mass_g': the value is missing, as in 2"
    ):
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


def test_an_unknown_example_is_answered_with_the_nearest_names():
    with pytest.raises(UnknownName, match="there is no example 'salary'; try salaries"):
        load_example("salary")


def test_cards_are_read_only_when_asked_for():
    script = (
        "import pathlib, engine.resources\n"
        "engine.resources.resource = lambda *parts: exit('a card was read')\n"
        "import engine.data\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(engine.__file__).parents[1])
