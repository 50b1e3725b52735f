"""A table with one declared column: equal bins between round numbers, with whiskers."""

import numpy as np
import pytest
from seen import choose
from tables import ask_on, declare, open_table


@pytest.fixture
def ages(tmp_path):
    path = tmp_path / "ages.csv"
    path.write_text("age\n" + "\n".join(str(20 + place % 45) for place in range(400)), "utf-8")
    return path


def shown_options(card):
    boxes = (getattr(editor, "boxes", {}) for editor in card.editors.values())
    return {name for found in boxes for name, box in found.items() if box.isVisible()}


def test_equal_bins_are_counted_with_intervals(shared, ages):
    open_table(shared, ages)
    declare(shared, "age", lower=0, upper=120)
    ask_on(shared, "histogram")
    assert shared.session.state.query == "histogram-noisy"
    result = shared.page.canvas.picture.result
    assert np.diff(result.cells.lower[:, 0]).tolist() == [5.0] * 23
    assert not result.per_area
    low, high = result.intervals.T
    inside = (low <= result.cells.counts) & (result.cells.counts <= high)
    assert inside.all()
    assert "per_area" not in shown_options(shared.page.card)
    assert shared.page.card.tabs.tabText(0) == "Bins"
    advice = "24 bins of 5, each ± 6 records: counts under 6 are mostly noise."
    assert shared.page.card.advice.text() == advice
    assert shared.body.column.release.error.text() == "Noise ± 6 per bin (95 %)"
    shared.session.edit("epsilon", epsilon=0.01)
    assert shared.wait_until_idle()
    assert "this hides most counts" in shared.page.card.advice.text()


def test_the_query_stays_that_was_chosen(shared, ages):
    shared.session.show_page("histogram")
    assert shared.wait_until_idle()
    choose(shared.body.column.release.form.chooser("query").box, "histogram-tree")
    open_table(shared, ages)
    declare(shared, "age", lower=0, upper=120)
    ask_on(shared, "histogram")
    assert shared.session.state.query == "histogram-tree"


def test_one_column_chosen_among_several_is_counted_in_equal_bins_until_a_query_is_chosen(shared, tmp_path):
    path = tmp_path / "staff.csv"
    path.write_text("age,pay\n" + "\n".join(f"{20 + row % 45},{row}" for row in range(400)), "utf-8")
    open_table(shared, path)
    declare(shared, "age", lower=0, upper=120)
    declare(shared, "pay", lower=0, upper=500)
    ask_on(shared, "histogram")
    assert (shared.session.state.query, shared.session.state.data.columns) == ("privtree", ("age", "pay"))
    shared.controllers.data.choose(columns=("pay",))
    assert shared.wait_until_idle()
    assert shared.session.state.query == "histogram-noisy"
    choose(shared.body.column.release.form.chooser("query").box, "privtree")
    shared.controllers.data.choose(columns=("age",))
    assert shared.wait_until_idle()
    assert shared.session.state.query == "privtree"
