"""What the card of a release says of values of each shape."""

import dataclasses
from datetime import datetime

import pytest

from app.model.release_record import ReleaseRecord
from app.releases.shape import IN_PARENTHESES, LOOKED, NO_INTERVAL, OUTSIDE, bars
from app.releases.text import answer_of, copied_words
from engine.mechanisms.histograms.counting import CountingQueries
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy

CELL = {"lower": [0.0, 0.0], "upper": [1.0, 1.0], "level": 1}


def record(mechanism, value, error=None, looked=False, **parameters):
    """Return a release of a value."""
    release = Release(
        mechanism=mechanism,
        query="median" if mechanism in ("laplace", "smooth") else mechanism,
        value=value,
        privacy=Privacy(1.0, 0.0),
        noise={},
        parameters=parameters,
        error=error,
        simulated=False,
        exact=True,
        diagnostics=Private({}),
    )
    return ReleaseRecord(
        release, "", "data.csv", "x", "", "$", datetime(2026, 1, 1), looked, False, ("x", "y")
    )


@pytest.mark.parametrize(
    ("mechanism", "value", "said"),
    [
        ("smooth", 48569.25, "48\u202f569"),
        ("smooth", None, "Refused"),
        ("clusters", [[0.5, 0.5], [0.25, 0.75]], "2 centers"),
        ("one-cluster", {"center": [0.5, 0.5], "radius": 0.1}, "1 ball"),
        ("k-balls", [{"center": [0.5, 0.5], "radius": 0.1}, None], "1 ball of 2"),
        ("privtree", {"cells": [{**CELL, "count": 3.0}, {**CELL, "count": 5.0}]}, "2 cells"),
        ("sorted-histogram", {"counts": [7.0, 3.0]}, "2 counts"),
        ("mode", "blue", "blue"),
    ],
)
def test_what_stands_large(mechanism, value, said):
    assert answer_of(record(mechanism, value)).value.startswith(said)


@pytest.mark.parametrize(("many", "said"), [(1, "x 0.5, y 0"), (2, "x 0.5, y 1"), (3, "x 0.5, y 1 …")])
def test_dots_say_that_there_are_more_points(many, said):
    points = [[0.5, float(place)] for place in range(many)]
    assert answer_of(record("clusters", points)).lines[-2] == said


def test_dots_say_that_there_are_more_balls():
    balls = [{"center": [0.5, float(place)], "radius": 0.1} for place in range(3)]
    first, second = answer_of(record("k-balls", balls)).lines
    assert not first.endswith("…")
    assert second.endswith("(0.5, 1), radius 0.1 …")


def test_an_interval_is_public_where_scale_and_bounds_are():
    said = answer_of(record("laplace", 90.0, 20.0, lower=0.0, upper=100.0))
    assert (said.unit, said.lines) == ("$", ("95 % interval 70 $ to 100 $",))
    assert answer_of(record("laplace", 90.0, 20.0, True, lower=0.0, upper=100.0)).lines == (LOOKED,)
    assert answer_of(record("smooth", 90.0, lower=0.0, upper=100.0)).lines == (NO_INTERVAL,)
    paid = record("smooth", 90.0, 5.0, lower=0.0, upper=100.0, error_share=0.25)
    paid.release.noise["error_bar"] = 5.0
    assert answer_of(paid).lines == ("95 % interval 85 $ to 95 $, for 25\u202f% of ε",)
    # no interval is left of what lies beyond all that is possible
    assert answer_of(record("laplace", -50.0, 10.0, lower=0.0, upper=100.0)).lines == (OUTSIDE,)


def test_a_number_is_copied_with_all_digits_and_points_as_a_table():
    assert copied_words(record("laplace", 0.1 + 0.2)) == "0.30000000000000004"
    points = record("clusters", [[0.5, 0.25]], function="k-means", lower=[0, 0], upper=[1, 1])
    assert copied_words(points) == "x,y\n0.5,0.25\n"


def test_cells_of_a_table_show_their_intervals():
    cells = [
        {"categories": ["A", "c"], "count": 9.0, "interval": [3.0, 12.0]},
        {"categories": ["B", "c"], "count": 0.0, "interval": [0.0, 4.0]},
    ]
    lists = {"columns": ["x", "y"], "categories": [["A", "B"], ["c"]]}
    fitted = record("contingency-table", {"cells": cells}, **lists)
    assert answer_of(fitted).lines == ("A, c: 9 (3 to 12)", "B, c: 0 (0 to 4)", IN_PARENTHESES)
    assert copied_words(fitted) == "x,y,count,95 % from,to\nA,c,9.0,3.0,12.0\nB,c,0.0,0.0,4.0\n"
    looked = record("contingency-table", {"cells": cells}, looked=True, **lists)
    assert answer_of(looked).lines == ("A, c: 9", "B, c: 0", LOOKED)
    assert copied_words(looked) == "x,y,count\nA,c,9.0\nB,c,0.0\n"


@pytest.mark.parametrize("looked", [False, True])
def test_intervals_of_conditions_are_drawn_unless_bounds_were_taken_from_the_data(looked):
    rows = [{"condition": "1: > 5", "count": 9.0, "interval": [3.0, 12.0]}]
    numbers = CountingQueries.numbers({"counts": rows}, ("x",))
    assert numbers.intervals.tolist() == [[3.0, 12.0]]
    drawn = bars(record("counts", {"counts": rows}, looked=looked), numbers).result
    assert (drawn.intervals is None) == looked


def test_cells_of_a_histogram_show_the_error_of_their_noise():
    cells = [{**CELL, "count": 3.0, "interval": [0.0, 9.0]}, {**CELL, "count": 5.0, "interval": [0.0, 10.0]}]
    made = record("histogram-noisy", {"cells": cells}, post="top-down")
    made = dataclasses.replace(
        made, release=dataclasses.replace(made.release, noise={"family": "laplace", "scale": 2.0})
    )
    assert answer_of(made).lines == (
        "3 to 5 records in each",
        "Before post-processing, 95 % within ± 6 records in each cell",
    )
