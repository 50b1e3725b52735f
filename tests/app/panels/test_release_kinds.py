"""The first choice on the page about histograms: what kind of thing is released."""

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("undrawn")


def test_each_kind_is_a_click_away_and_pages_with_one_kind_do_not_ask(points_on):
    window = points_on(page="histogram", x=np.linspace(0, 1, 50), y=np.linspace(0, 1, 50))
    kinds = window.body.column.release.kinds
    assert list(kinds.buttons) == [
        "Counts",
        "Tables",
        "Distribution",
        "Relations",
    ]
    assert kinds.isVisible()
    for words, query in (
        ("Relations", "covariance"),
        ("Tables", "contingency-table"),
        ("Counts", "privtree"),
    ):
        kinds.buttons[words].click()
        assert window.session.state.query == query
        assert [one for one, button in kinds.buttons.items() if button.isChecked()] == [words]
    window.session.choose("randomized-response")
    assert [one for one, button in kinds.buttons.items() if button.isChecked()] == ["Tables"]
    kinds.buttons["Distribution"].click()
    assert window.wait_until_idle(30_000)
    assert window.session.state.data.columns == ("x",)  # no more columns than they take
    assert window.body.column.release.run.isEnabled()
    window.session.edit("exact", query="histogram-shifted")
    assert kinds.isVisible()
    window.session.show_page("clustering")
    assert not window.body.column.release.kinds.isVisible()
    assert window.wait_until_idle(30_000)


@pytest.mark.slow
def test_an_example_that_holds_nothing_of_a_kind_gives_way_to_one_that_does(shared):
    session = shared.session
    session.show_page("histogram")
    assert shared.wait_until_idle(30_000)
    kinds, begun = shared.body.column.release.kinds, session.state.dataset.example
    for words, example in (("Tables", "admissions"), ("Counts", begun)):
        kinds.buttons[words].click()
        assert shared.wait_until_idle(30_000)
        assert session.state.dataset.example == example
        assert shared.body.column.release.run.isEnabled()
