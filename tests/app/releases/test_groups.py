"""What is said of a value for each part of a table."""

from datetime import datetime

import pytest

from app.model.release_record import ReleaseRecord
from app.releases.registry import shape_of
from app.releases.text import answer_of
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy

GROUPS = {
    "groups": [
        {"group": "Sales", "value": 61239.2, "interval": [60900.0, 61578.4]},
        {"group": "IT", "value": 71000.5, "interval": [70000.0, 72001.0]},
        {"group": "Law", "value": None, "interval": None},
    ]
}


def record(value, mechanism="sums-in-parts", **parameters):
    release = Release(
        mechanism=mechanism,
        query="mean",
        value=value,
        privacy=Privacy(1.0, 0.0),
        noise={},
        parameters=parameters,
        error=None,
        simulated=False,
        exact=True,
        diagnostics=Private({}),
    )
    return ReleaseRecord(release, "", "pay.csv", "pay", "", "$", datetime(2026, 1, 1), False, False)


def shaped(value, **more):
    made = record(value, **more)
    return shape_of(made.release), made


@pytest.mark.parametrize("mechanism", ["sums-in-parts", "choice-in-parts", "laplace"])
def test_values_by_group_are_a_table(mechanism):
    shape, made = shaped(GROUPS, mechanism=mechanism)
    assert shape.name == "groups"
    assert shape.table(made) == (
        ["group", "mean", "95 % from", "to"],
        [
            ["Sales", 61239.2, 60900.0, 61578.4],
            ["IT", 71000.5, 70000.0, 72001.0],
            ["Law", "no answer", "", ""],
        ],
    )
    assert shape.table(made, 1)[1] == [["Sales", 61239.2, 60900.0, 61578.4]]
    first, _, third = shape.lines(made, 3)
    assert first.startswith("Sales 61")
    assert "95 % interval 60" in first
    assert third == "Law no answer"
    assert shape.summary(made).startswith("3 groups: Sales 61")
    assert answer_of(made).value == "3 groups"
    assert shape.fits(made)


def test_values_without_intervals_have_none():
    groups = [{"group": name, "value": 5.0, "interval": None} for name in ("a", "b")]
    shape, made = shaped({"groups": groups}, mechanism="choice-in-parts")
    assert shape.table(made) == (["group", "mean"], [["a", 5.0], ["b", 5.0]])
    assert shape.lines(made, 2) == ["a 5 $", "b 5 $"]


def test_a_single_part_is_a_number_with_its_interval():
    shape, made = shaped(61239.2, interval=[60900.0, 61578.4])
    answer = answer_of(made)
    assert answer.value.replace("\u202f", "") == "61239"
    assert "95 % interval" in answer.lines[0]
    assert shape.value_json(made.release) == {"value": 61239.2, "interval": [60900.0, 61578.4]}
    assert shape.exact(made) == "61239.2"
    assert shape.fits(made)
    assert shape.panel(made) is None


@pytest.mark.parametrize(
    "value",
    [
        "x",
        True,
        {"groups": 3},
        {"groups": [{"group": 3, "value": 1.0}]},
        {"groups": [{"group": "a", "value": "x"}]},
        {"groups": [{"group": "a", "value": 1.0, "interval": [1.0]}]},
    ],
)
def test_other_values_from_a_file_do_not_fit(value):
    shape, _ = shaped(GROUPS)
    assert not shape.fits(record(value))


def test_groups_are_drawn():
    shape, made = shaped(GROUPS)
    panel = shape.panel(made)
    assert panel.result.intervals[:2].tolist() == [[60900.0, 61578.4], [70000.0, 72001.0]]
    assert panel.result.whiskers[:2].tolist() == panel.result.intervals[:2].tolist()
    assert shape.drawing(made) is not None


def test_a_number_without_an_interval_says_its_ranks():
    shape, made = shaped(61239.2, mechanism="choice-in-parts", rank_error=96.3)
    assert shape.lines(made, 1) == ["95 % within ± 96.3 ranks"]
    assert answer_of(made).lines == ("95 % within ± 96.3 ranks",)
