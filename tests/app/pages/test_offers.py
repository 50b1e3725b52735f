"""Another choice is one click away, beside the advice, and undo takes it back."""

import numpy as np
import pytest

from app.pages.sensitivity.advice import offer
from engine.analysis.expected_error import ErrorEstimate, ExpectedError

pytestmark = pytest.mark.usefixtures("undrawn")


def estimate(typical, other):
    """Return what can be expected of a mechanism, and of the exponential one."""
    errors, others = (ExpectedError(one, 4 * one, True) for one in (typical, other))
    return ErrorEstimate(errors, 1.0, 10.0, 10.0, "replace-one", "exponential", others)


def test_what_does_clearly_better_is_offered_with_how_much():
    assert offer(None, estimate(5.0, 1.0)).words == "Try exponential mechanism: 5 × better here"
    assert offer(None, estimate(5.0, 0.0)).words == "Try exponential mechanism"
    assert offer(None, estimate(5.0, 4.9)) is None
    assert offer(None, None) is None


def test_the_better_method_is_taken_by_a_click_and_undone(shared):
    shared.session.edit("method", method="smooth", epsilon=0.1)
    assert shared.wait_until_idle()
    button = shared.page.card.alternative
    if button.isHidden():
        pytest.fail("nothing is offered")
    button.click()
    assert shared.wait_until_idle()
    assert shared.session.state.mechanism.name == "exponential"
    assert button.isHidden()
    shared.session.undo_stack.undo()
    assert shared.wait_until_idle()
    assert not button.isHidden()


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


def test_histograms_begin_private_and_exact_ones_are_a_click_away(points_on):
    rng = np.random.default_rng(3)
    window = points_on(page="histogram", x=rng.random(200), y=rng.random(200))
    assert window.session.state.query == "privtree"
    window.page.card.alternative.click()
    assert window.wait_until_idle(30_000)
    assert not window.session.state.promises
    window.page.card.alternative.click()
    assert window.session.state.query == "privtree"
