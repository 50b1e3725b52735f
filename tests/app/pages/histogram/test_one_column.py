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


def test_the_query_stays_that_was_chosen(shared, ages):
    shared.session.show_page("histogram")
    assert shared.wait_until_idle()
    choose(shared.body.column.release.form.chooser("query").box, "histogram-tree")
    open_table(shared, ages)
    declare(shared, "age", lower=0, upper=120)
    ask_on(shared, "histogram")
    assert shared.session.state.query == "histogram-tree"
