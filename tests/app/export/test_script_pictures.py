"""Every picture of every page is written as what it is, or the script says that it cannot be."""

import dataclasses
import json

import pytest
from all_scripts import BALL, CELLS, GRAPH, MEDIAN, POINTS
from scripts import example, notebook, python, run, worked_out

from app.export.script import NOT_WRITTEN, script_of, to_notebook
from app.model.comparison_choice import ComparisonChoice
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.registry import PAGES as DECLARED_PAGES
from app.model.pages.registry import tabs_of
from app.model.pages.workspaces import COMPARE
from app.model.view_states import AuditChoice, AuditViewState, ViewState
from engine.findings import findings_text

STATES = {
    "median": MEDIAN,
    "spanning-tree": GRAPH,
    "clustering": POINTS,
    "one-cluster": BALL,
    "histogram": CELLS.replaced({"query": "histogram-shifted"}),
    COMPARE.name: dataclasses.replace(
        MEDIAN, workspace=COMPARE.name, comparison=ComparisonChoice(runs=10, within=1.0)
    ),
}
NUMBER = BALL.replaced(
    {"query": "interior-point", "columns": ("x",), "points": BALL.dataset.table.points(["x"])}
)
OTHERS = {
    "number": NUMBER,
    "place": BALL.replaced({"query": "stable-cell"}),
    "choice": BALL.replaced({"query": "growing-box"}),
    "matrix": CELLS.replaced({"query": "covariance"}),
    "conditions": CELLS.replaced({"query": "counts"}),
    "rate": CELLS.replaced({"query": "histogram-noisy"}),
    "scores": CELLS.replaced({"query": "scored-choice"}),
    "quantiles": CELLS.replaced(
        {"query": "quantiles", "columns": ("x",), "points": CELLS.dataset.table.points(["x"])}
    ),
    "points": CELLS.replaced({"query": "synthetic"}),
    "table": example("histogram", "admissions", query="contingency-table"),
    "agreement": POINTS.replaced({"query": "clusters", "aggregator": "average"}),
    **dict.fromkeys(("blocks", "outputs", "aggregate"), POINTS.replaced({"query": "clusters"})),
    "bars": example("histogram", "admissions", query="sorted-histogram"),
}
"""What has a picture that the usual mechanism of its page does not have."""

EVERY = [
    (page, tab)
    for page, tabs in ((place, tabs_of(place)) for place in (*DECLARED_PAGES, COMPARE.name))
    for tab in tabs
]


SLOW = {
    ("clustering", "blocks"),
    ("clustering", "compare"),
    ("histogram", "compare"),
    ("histogram", "radii"),
    ("histogram", "rate"),
    ("one-cluster", "runs"),
}


def view_of(tab):
    return ViewState(tab=tab, audit=AuditViewState(choice=AuditChoice(runs=1000)))


@pytest.mark.parametrize(("page", "tab"), EVERY)
def test_a_picture_is_written_unless_nothing_of_it_can_be(page, tab):
    state = OTHERS.get(tab, STATES[page])
    assert NOT_WRITTEN not in script_of(state, view_of(tab))


DRAWN = [
    pytest.param(page, tab, marks=[pytest.mark.slow] * ((page, tab) in SLOW))
    for page, tab in EVERY
    if page != COMPARE.name and tab != AUDIT
]


@pytest.mark.parametrize(("page", "tab"), DRAWN)
def test_script_and_notebook_have_the_numbers_and_the_picture_of_the_window(page, tab):
    state = OTHERS.get(tab, STATES[page])
    task, names = worked_out(state, tab), notebook(state, ViewState(tab=tab))
    result, picture = task.last(tab), names["picture"]
    assert findings_text(result) in names["printed"]
    load = DECLARED_PAGES[page].picture(tab).drawn_by
    assert type(picture) is load()
    again = type(picture)(picture.axes, picture.palette, picture.unit)
    again.update(result)
    assert picture.table() == again.table()


def test_how_long_contenders_take():
    printed = run(STATES[COMPARE.name], ViewState(tab="time"))["printed"]
    assert printed.count("seconds to prepare, to draw (confidential): ") > 1


@pytest.mark.parametrize("view", ["curator", "release"])
@pytest.mark.parametrize("page", STATES)
def test_a_picture_that_no_script_knows_is_no_other_picture(page, view):
    state = dataclasses.replace(STATES[page], view=view)
    cells = script_of(state, ViewState(tab="planted"))
    assert cells.count(NOT_WRITTEN) == 1
    assert "# The open picture cannot be written as a script.\n" in python(state, ViewState("planted"))
    assert "cannot be written as a script" in json.dumps(json.loads(to_notebook(cells)))
    assert not any(cell.title == "A picture (confidential)" for cell in cells)


def test_a_picture_that_the_chosen_mechanism_does_not_have():
    average = POINTS.replaced({"query": "noisy-average"})
    noisy = CELLS.replaced({"query": "histogram-noisy"})
    for state, tab in ((average, "outputs"), (NUMBER, "radius"), (noisy, "radii")):
        assert NOT_WRITTEN in script_of(state, ViewState(tab=tab))
    too_few = MEDIAN.replaced({"method": "exponential", "query": "mean"})
    assert NOT_WRITTEN in script_of(too_few, ViewState(tab="distribution"))
    assert NOT_WRITTEN in script_of(too_few, ViewState(tab=AUDIT))
