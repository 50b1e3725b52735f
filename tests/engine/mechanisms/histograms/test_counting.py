"""Counts of conditions: sensitivities against all neighbours, exact laws, and what is refused."""

import itertools
import math

import numpy as np
import pytest

from engine.audit import audit_run, worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms import CountingQueries
from engine.mechanisms.planted import HalvedScale, HistogramScaleOne
from engine.privacy import Privacy
from engine.randomness import reproducible

SQUARE = Box.of([0, -1], [4, 1])
VALUES = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
GRID = list(itertools.product(VALUES, [-1.0, -0.5, 0.0, 0.5, 1.0]))
WHERE = [
    "",
    "> 2",
    "< 1; 1..2.5; > 3",
    "> 1; > 2; > 3; 2: = 0",
    "= 1; != 1; 2: > 0.25; 2: < -0.25",
    "1: < 1 or > 3; 1: 1..3; 2: >= 0",
]


@pytest.mark.parametrize("where", WHERE)
def test_sensitivity_is_what_the_worst_two_records_differ_in(where):
    mechanism = CountingQueries(where=where)
    counts = {
        point: mechanism.prepare(Points([point], SQUARE), Privacy(1.0)).diagnostics["true_value"]
        for point in GRID
    }
    largest = max(np.abs(one - other).sum() for one in counts.values() for other in counts.values())
    squares = max(((one - other) ** 2).sum() for one in counts.values() for other in counts.values())
    assert mechanism.sensitivity(SQUARE) == largest == squares
    assert mechanism.added(SQUARE, Privacy(0.5)).scale == largest / 0.5


def test_gaussian_noise_grows_with_the_root():
    one, many = (
        CountingQueries(where="; ".join(f"> {k / 10}" for k in range(d)), noise="gaussian") for d in (1, 16)
    )
    privacy, line = Privacy(1.0, 1e-6), Box.of([0], [4])
    ratio = many.added(line, privacy).scale / one.added(line, privacy).scale
    assert ratio == pytest.approx(math.sqrt(16), rel=1e-12)


@pytest.mark.parametrize("planted", [HalvedScale, HistogramScaleOne])
def test_too_little_noise_is_found(planted):
    mistaken = planted.planted(CountingQueries(where="> 1; > 2; > 3"))
    line = Box.of([0], [4])
    pair = worst_case_pairs(mistaken, line, 20, Privacy(1.0))[0]
    assert audit_run(mistaken, pair, Privacy(1.0), runs=20_000, seed=1).audit.violated


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("3: > 1", "names column 3, but there are 2"),
        ("> 4", "is true of all values between 0 and 4 or of none"),
        ("; ".join(["> 1"] * 1001), "1001 conditions are too many"),
    ],
)
def test_conditions_that_make_no_sense_for_the_data_are_refused(where, words):
    mechanism = CountingQueries(where=where)
    with pytest.raises(ParameterError, match=words):
        mechanism.run(Points([[1, 1]], SQUARE), Privacy(1.0))


@pytest.mark.parametrize("where", ["0: > 1", "1: ", "> 1; lots", "x: lots", "x > y", '"x > 1'])
def test_words_that_are_no_conditions_are_refused_at_once(where):
    with pytest.raises(ParameterError, match=r"^where: "):
        CountingQueries(where=where)


@pytest.mark.parametrize(
    ("where", "numbered"),
    [
        ("age > 1; height [cm] <= 0", "1: > 1; 2: <= 0"),
        ("height [cm]: -0.5..0.5; 0..2; > 3", "2: -0.5..0.5; 0..2; > 3"),
        ('"height [cm]" != 0 and < 0.5; 1: > 2', "2: != 0 and < 0.5; 1: > 2"),
    ],
)
def test_conditions_name_their_columns(where, numbered):
    columns = ("age", "height [cm]")
    mechanism, points = CountingQueries(where=where), Points(GRID, SQUARE, columns)
    assert mechanism.for_columns(columns) == CountingQueries(where=numbered)
    counts, expected = (
        [row["count"] for row in each.run(points, Privacy(50.0), reproducible(1)).value["counts"]]
        for each in (mechanism, CountingQueries(where=numbered))
    )
    assert counts == expected


def test_quotes_enclose_a_name_with_signs():
    names = ("a;b", "x > 1")
    assert CountingQueries(where='"a;b" > 1; "x > 1" < 0').for_columns(names).where == "1: > 1; 2: < 0"


def test_a_name_of_no_column_is_refused_with_the_nearest():
    with pytest.raises(ParameterError, match="where: there is no column 'agee'; try age"):
        CountingQueries(where="agee > 1").for_columns(("age", "height"))
    with pytest.raises(ParameterError, match="the data have no names"):
        CountingQueries(where="age > 1").refuse(Privacy(1.0), SQUARE, 10)


def test_a_release_is_clamped_and_on_its_grid():
    release = CountingQueries(where="> 1; > 2").run(Points([[3, 0]] * 5, SQUARE), Privacy(0.01))
    counts = [row["count"] for row in release.value["counts"]]
    assert all(0 <= count <= 5 and count % release.step == 0 for count in counts)
    assert release.parameters["changed_by_one_record"] == 2
