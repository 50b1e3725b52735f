"""Another choice is one click away, beside the advice, and undo takes it back."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from app.model.pages.registry import PAGE_KINDS
from app.model.pages.sensitivity import AGAINST_N, PICTURES
from app.model.state import SessionState
from app.model.wording.releases import ExpectedWords
from app.pages.histogram.advice import CellsWorth, estimate_cells, offer_cells
from app.pages.sensitivity.advice import offer_method
from engine import Box, Interval, NoisyHistogram, Points, Privacy, PrivTree, Sample
from engine.analysis.expected_error import (
    ErrorEstimate,
    ExpectedError,
    WithAlternative,
    estimate_scalar_error,
)
from engine.analysis.histogram_accuracy import CountError
from engine.data import EXAMPLES, load_example
from engine.mechanisms import MECHANISMS

pytestmark = pytest.mark.usefixtures("undrawn")


def estimate(typical, other):
    """Return what can be expected of a mechanism, and of the exponential one."""
    errors, others = (ExpectedError(one, 4 * one, True) for one in (typical, other))
    return ErrorEstimate(errors, 1.0, 10.0, 10.0, "replace-one", "exponential", others)


def test_what_does_clearly_better_is_offered_with_how_much():
    assert offer_method(None, estimate(5.0, 1.0)).text == "Try exponential mechanism: 5 × better here"
    assert offer_method(None, estimate(5.0, 0.0)).text == "Try exponential mechanism"
    assert offer_method(None, estimate(5.0, 4.9)) is None
    assert offer_method(None, None) is None


def test_where_nothing_does_better_a_smaller_epsilon_is_offered_with_which_something_does():
    level = estimate(5.0, 4.9)
    rivals = WithAlternative(0.1, level.errors, "exponential", ExpectedError(0.5, 2.0, True))
    found = offer_method(None, dataclasses.replace(level, stricter=rivals))
    assert found.text == "At ε = 0.1, exponential mechanism is 10 × better: show"
    assert found.fields == {"epsilon": 0.1}
    rivals = dataclasses.replace(rivals, alternative_errors=level.errors)
    assert offer_method(None, dataclasses.replace(level, stricter=rivals)) is None


def test_the_median_offers_the_case_where_it_loses_as_the_next_click(shared):
    assert shared.wait_until_idle()
    button = shared.page.card.alternative
    assert "ε = 0.1" in button.text()
    button.click()
    assert shared.wait_until_idle()
    assert shared.session.state.epsilon == pytest.approx(0.1)
    assert button.text().endswith("× better here")


def test_the_better_method_is_taken_by_a_click_and_undone(shared):
    shared.session.edit("method", method="smooth", epsilon=0.1)
    assert shared.wait_until_idle()
    button = shared.page.card.alternative
    if button.isHidden():
        pytest.fail("nothing is offered")
    button.click()
    assert shared.wait_until_idle()
    assert shared.session.state.mechanism.name == "piecewise-laplace"
    assert button.isHidden()
    shared.session.undo_stack.undo()
    assert shared.wait_until_idle()
    assert not button.isHidden()


@pytest.mark.slow
def test_clustering_offers_what_would_do_better_with_the_same_number_of_clusters(shared_points):
    shared_points.session.set_parameter(2, "k")
    assert shared_points.wait_until_idle(30_000)
    button = shared_points.page.card.alternative
    assert button.text().startswith("Try k-means on cells: about ")
    shared_points.page.show_tab("data")
    assert shared_points.wait_until_idle(30_000)
    assert button.isHidden()
    shared_points.page.show_tab("release")
    assert shared_points.wait_until_idle(30_000)
    button.click()
    assert shared_points.session.state.query == "k-means-on-cells"
    assert shared_points.session.state.mechanism.values["k"] == 2
    assert button.isHidden()


def worth(mechanism, **typical):
    """Return what a mechanism on cells is offered where these errors are expected."""
    own = CountError(typical.pop(mechanism.name), 0.0)
    [(other, error)] = typical.items()
    setup = SimpleNamespace(mechanism=mechanism)
    found = CellsWorth(own, MECHANISMS[other](), CountError(error, 0.0), ExpectedWords(""))
    return offer_cells(setup, found).text


def test_private_cells_that_count_clearly_better_are_offered_and_else_exact_ones():
    tree, grid = PrivTree(), NoisyHistogram()
    assert worth(tree, **{"privtree": 57.0, "histogram-noisy": 22.0}) == (
        "Try noisy histogram: 2.6× smaller error for regions"
    )
    assert worth(grid, **{"privtree": 22.0, "histogram-noisy": 57.0}) == (
        "Try PrivTree: 2.6× smaller error for regions"
    )
    assert worth(tree, **{"privtree": 22.0, "histogram-noisy": 20.0}) == "Show exact cells (Not DP)"
    assert offer_cells(SimpleNamespace(mechanism=tree), None).text == "Show exact cells (Not DP)"


def test_the_histograms_of_the_first_start_are_those_that_count_best():
    card = EXAMPLES[PAGE_KINDS["histogram"].example]
    bounds = Box.of(*([getattr(column, side) for column in card.columns] for side in ("lower", "upper")))
    table = load_example(card.name)
    points = np.column_stack([table.numbers(column.name).values for column in card.columns])
    found = estimate_cells(PrivTree(), Points(points, bounds), Privacy(1.0))
    assert found.error.typical * 2 < found.other.typical


def test_histograms_begin_private_and_exact_ones_are_a_click_away(points_on):
    rng = np.random.default_rng(3)
    heap = 0.2 + 0.01 * rng.random((400, 2))
    window = points_on(page="histogram", x=heap[:, 0], y=heap[:, 1])
    assert window.session.state.query == "privtree"
    window.page.card.alternative.click()
    assert window.wait_until_idle(30_000)
    assert not window.session.state.promises
    window.page.card.alternative.click()
    assert window.session.state.query == "privtree"


def test_the_median_opens_where_its_method_clearly_wins_and_offers_where_it_loses():
    state, opening = SessionState(), PAGE_KINDS["median"]
    card, privacy = EXAMPLES[opening.example], Privacy(opening.epsilon)
    domain = Interval(card.lower, card.upper)
    data = Sample(load_example(card.name).numbers(card.column).values, domain)
    found = estimate_scalar_error(state.mechanism.build(), data, privacy)
    assert 1.5 * found.errors.typical < found.alternative_errors.typical
    lost = found.stricter
    assert lost.alternative_errors.typical < lost.errors.typical / 1.5
    assert offer_method(None, found).fields == {"epsilon": lost.epsilon}


def test_no_method_is_offered_beside_pictures_that_show_no_error_at_this_epsilon():
    offering = {one.name for one in (*PICTURES, AGAINST_N) if one.makes_offers}
    assert offering == {"k", "epsilon", "distribution"}
