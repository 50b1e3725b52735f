"""Cells, tables of counts, shares and matrices: in a few words, and as tables to take away."""

import dataclasses
from datetime import datetime

from app.model.release_record import ReleaseRecord
from app.releases.text import all_words, kind_words, mechanism_words, release_table, value_words
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy


def record(query, value, *columns):
    """Return a release of `value`."""
    release = Release(
        mechanism=query,
        query=query,
        value=value,
        privacy=Privacy(1.0),
        noise={},
        parameters={},
        error=None,
        simulated=False,
        exact=True,
        diagnostics=Private({}),
    )
    when = datetime(2026, 1, 1)
    return ReleaseRecord(release, "", "a.csv", "", "", "", when, False, False, columns)


CELLS = [
    {"lower": [0.0, 1.0], "upper": [2.0, 3.0], "count": 7.0, "level": 1},
    {"lower": [2.0, 1.0], "upper": [4.0, 3.0], "count": 5.0, "level": 1},
]


def test_cells_are_counted_and_listed_by_their_faces():
    made = record("histogram-recursive", {"cells": CELLS}, "x", "y")
    assert value_words(made) == "2 cells"
    header, rows = release_table(made)
    assert header == ["x lower", "x upper", "y lower", "y upper", "level", "count"]
    assert rows[0] == [0.0, 2.0, 1.0, 3.0, 1, 7.0]
    assert all_words(made) == "x 0 to 2, y 1 to 3: 7; x 2 to 4, y 1 to 3: 5"


def test_a_tip_about_very_many_cells_is_short():
    made = record("histogram-recursive", {"cells": CELLS * 100_000}, "x", "y")
    assert value_words(made) == "200\u202f000 cells"
    assert all_words(made).endswith("…")
    assert len(all_words(made)) < 1300
    assert len(release_table(made)[1]) == 200_000


def test_tables_of_categories_name_them():
    cells = [{"categories": ["a", "u"], "count": 3.25}, {"categories": ["b", "u"], "count": 1.0}]
    made = record("contingency-table", {"cells": cells}, "first", "second")
    assert value_words(made) == "2 cells: a, u 3.25; …"
    assert release_table(made) == (["first", "second", "count"], [["a", "u", 3.25], ["b", "u", 1.0]])
    assert all_words(made) == "a, u: 3.25; b, u: 1"


def test_margins_leave_out_what_they_do_not_tell():
    margins = [
        {"columns": ["first"], "cells": [{"categories": ["a"], "count": 4.0}]},
        {"columns": ["second"], "cells": [{"categories": ["u"], "count": 2.0}]},
    ]
    made = record("contingency-table", {"margins": margins}, "first", "second")
    assert value_words(made) == "2 cells in 2 tables"
    assert release_table(made) == (["first", "second", "count"], [["a", "", 4.0], ["", "u", 2.0]])


def test_labels_shares_and_sorted_counts():
    assert value_words(record("mode", "Adelie", "species")) == "Adelie"
    mode = record("mode", ["Adelie", "Dream"], "species", "island")
    assert value_words(mode) == "Adelie, Dream"
    assert release_table(mode) == (["species", "island"], [["Adelie", "Dream"]])
    counts = record("sorted-histogram", {"counts": [5.0, 3.0, 2.0, 0.5]}, "x")
    assert value_words(counts) == "4 counts: 5, 3, 2, …"
    assert release_table(counts) == (["count"], [[5.0], [3.0], [2.0], [0.5]])
    value = {"shares": {"yes": 0.25, "no": 0.75}, "standard_errors": {"yes": 0.1, "no": 0.1}}
    answers = record("randomized-response", {**value, "answers": {"yes": 3, "no": 5}}, "smokes")
    assert value_words(answers) == "shares: yes 25\u202f%, no 75\u202f%"
    assert release_table(answers) == (
        ["smokes", "share", "standard error", "answers"],
        [["yes", 0.25, 0.1, 3], ["no", 0.75, 0.1, 5]],
    )


def test_vectors_and_matrices_stand_below_each_other():
    made = record("covariance", {"mean": [1.0, 2.0], "covariance": [[1.0, 0.5], [0.5, 2.0]]}, "x", "y")
    assert value_words(made) == "mean of 2 numbers, covariance of 2 × 2"
    header, rows = release_table(made)
    assert header == ["", "x", "y"]
    assert rows == [["mean", 1.0, 2.0], ["covariance x", 1.0, 0.5], ["covariance y", 0.5, 2.0]]


def test_synthetic_points_are_no_centers():
    assert value_words(record("synthetic", [[1.0, 2.0], [3.0, 4.0]], "x", "y")) == "2 points: (1, 2), …"


def test_the_history_tells_noise_and_what_was_looked_at():
    made = record("mode", "Adelie", "species")
    noisy = dataclasses.replace(made, release=dataclasses.replace(made.release, noise={"family": "laplace"}))
    exact = record("histogram-shifted", {"cells": CELLS}, "x", "y")
    assert [mechanism_words(one.release) for one in (made, noisy, exact)] == [
        "Mode",
        "Laplace",
        "exact counts",
    ]
    looked = [kind_words(dataclasses.replace(one, looked=True)) for one in (made, exact)]
    assert looked == ["release (categories taken from the data)", "release (bounds taken from the data)"]
