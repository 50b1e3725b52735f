"""Errors along a sweep: medians, bands, the envelope, and the run under a click."""

import dataclasses
import types

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.pages.workspaces import SPREADS
from app.plots.compare.frontier import ComparisonFrontier
from app.plots.compare.view import ComparisonView
from app.plots.figures import new_figure
from engine.comparison.results import ComparedMechanism
from engine.mechanisms.facts import Facts


def drawn(view, size=(600, 350)):
    figure = new_figure(size=(size[0] / 100, size[1] / 100))
    figure.set_dpi(100)
    FigureCanvasAgg(figure)
    made = ComparisonFrontier(figure.add_subplot(), unit="$")
    made.update(view)
    figure.canvas.draw()
    figure.canvas.draw()
    return made


@pytest.fixture
def view(make, cases):
    return make.comparison(cases["salaries"])


def test_medians_and_their_envelope(view):
    picture = drawn(view)
    x, y = picture._medians[0].get_data()
    assert x == pytest.approx(view.comparison.sweep.values)  # each mark stands at its value
    assert picture._medians[2].get_xdata() == pytest.approx([0.3, 1.0, 3.0])  # it does not fit at first
    filled = [line.get_markerfacecolor() != "none" for line in picture._medians]
    assert [index for index, each in enumerate(filled) if each] == [picture.result.leading]
    assert y.tolist() == [outcome.quantile(0.5) for outcome in view.comparison.of(0)]
    assert "all along" in picture.alt_text()
    assert picture.axes.get_xscale() == "log"


def banded(picture):
    """Return the mechanisms whose runs are drawn as a band."""
    return [index for index, band in enumerate(picture._bands) if len(band.get_xy()) > 2]


def test_only_the_mechanism_that_stands_out_has_a_band_and_a_thick_line(view):
    picture = drawn(view)
    best = view.order[0]
    assert banded(picture) == [best]
    widths = [line.get_linewidth() for line in picture._medians]
    assert widths.index(max(widths)) == best
    assert len(set(widths)) == 2
    other = next(i for i, one in enumerate(view.comparison.outcomes) if one.trial.contender == 4 and one.runs)
    assert banded(drawn(dataclasses.replace(view, picked=(other, 0)))) == [4]
    assert banded(drawn(dataclasses.replace(view, spread="dots"))) == []


def test_labels_stand_in_the_order_of_their_numbers(view):
    picture = drawn(view)
    labels = [label for label in picture.labels.shown if label.marker]
    typical = [view.typical(index) for index in view.lines]
    assert [label.y for label in labels] == picture._errors.locate(typical).tolist()
    assert [label.hollow for label in labels] == [index != view.leading for index in view.lines]
    assert "median error at ε = 1" in picture.labels.texts()


def test_refusals_are_not_joined_to_numbers(view):
    refused, *numbers = (outcome.quantile(0.5) for outcome in view.comparison.of(3))
    assert np.isinf(refused)
    picture = drawn(view)
    x, y = picture._medians[3].get_data()
    assert y[0] == picture._errors.refused
    assert np.isnan(x[1 + int(np.isinf(numbers).sum())])
    assert "Propose-test-release: mostly refused" in picture.tooltip(0.1)


@pytest.mark.parametrize("spread", SPREADS)
def test_a_click_finds_the_run_that_is_drawn_there(view, spread):
    picture = drawn(dataclasses.replace(view, spread=spread), (1100, 600))
    index = next(
        i for i, o in enumerate(view.comparison.outcomes) if (o.trial.contender, o.trial.position) == (1, 2)
    )
    outcome = view.comparison.outcomes[index]
    run = int(np.argsort(outcome.errors)[outcome.runs // 2])
    _, x, y = picture._places(outcome, some=False)
    assert picture.pick(float(x[run]), float(y[run])) == (index, run)
    picked = drawn(dataclasses.replace(view, spread=spread, picked=(index, run)))
    assert picked._picked.get_ydata() == [outcome.errors[run]]
    assert picture.pick(float(x[run]), picture._errors.low * 1e-3) is None


def test_a_refused_run_can_be_picked(view):
    picture = drawn(dataclasses.replace(view, spread="dots"), (1100, 600))
    index = next(i for i, o in enumerate(view.comparison.outcomes) if o.trial.contender == 3)
    outcome = view.comparison.outcomes[index]
    refused = int(np.flatnonzero(np.isnan(outcome.errors))[0])
    _, x, y = picture._places(outcome, some=False)
    assert picture.pick(float(x[refused]), float(y[refused])) == (index, refused)


def test_few_of_many_runs_are_drawn_and_the_mark_of_a_lost_run_goes(make):
    many = make.compared(values=(1.0, 2.0), runs=3000)
    picture = drawn(ComparisonView(many, 0, spread="dots", picked=(99, 5)))
    assert picture.axes.get_xscale() == "linear"


def test_one_value_alone_gives_each_contender_a_column(make):
    picture = drawn(ComparisonView(make.compared(labels=("A", "B"), values=(1.0,)), 0))
    first, second = (picture._medians[place].get_xdata()[0] for place in range(2))
    assert first < 1 < second
    corners = picture._bands[0].get_xy()
    assert corners[:, 0].min() < first < corners[:, 0].max() < second
    assert picture.update(picture.result) is False


def test_the_table_has_a_row_for_every_contender_and_value(view):
    header, rows = drawn(view).table()
    assert header[1] == "epsilon"
    assert len(rows) == 20
    assert rows[0][:3] == ["Exponential mechanism", 0.1, 200]
    assert rows[2][-1].startswith("ε is too small")


def test_contenders_that_never_fit_are_named_and_have_no_label(view):
    outcomes = [
        dataclasses.replace(o, errors=np.empty(0), problem="it needs more blocks " * 5)
        if o.trial.contender == 1
        else o
        for o in view.comparison.outcomes
    ]
    found = dataclasses.replace(view.comparison, outcomes=tuple(outcomes))
    left = ComparisonView(found, 2)
    picture = drawn(left)
    assert len(picture.labels.texts()) == 6  # with the trivial baseline, and the value of the numbers
    assert left.left_out(left.lines) == "Not possible: “Student's t noise, nu = 3”."
    assert "it needs more blocks" in picture.table()[1][1][-1]
    assert picture.axes.bbox.width > 200


def test_how_far_it_has_come_is_no_part_of_what_was_found(view):
    gone = dataclasses.replace(view.comparison, outcomes=view.comparison.outcomes[:12])
    partial = dataclasses.replace(view, comparison=gone)
    assert partial.sentence("$") == (
        f"Preliminary, 55\u202f% of the runs (2\u202f200 of 4\u202f000). {partial.finding('$')}"
    )
    assert "Preliminary" not in partial.finding("$")


def test_who_promises_nothing_is_a_reference_and_leads_nowhere(view):
    open_book = types.SimpleNamespace(facts=Facts(is_private=False), label="exact")
    contenders = (ComparedMechanism(open_book, "Exact counts"), *view.comparison.contenders[1:])
    found = dataclasses.replace(view.comparison, contenders=contenders)
    picture = drawn(ComparisonView(found, 2))
    assert any("Exact counts" in words and "Not DP" in words for words in picture.labels.texts())
    assert "Exact counts has" not in picture.alt_text()
