"""The page about histograms in use: keys, files, facilities, close-ups, and what is said."""

import re
from collections import Counter

import numpy as np
import pytest
from histogram_windows import PLANE, open_tab, release, result, wait
from PySide6.QtWidgets import QFileDialog
from seen import choose, clipped, letters_of, option, tabbed

from app.model.pages.audit import TAB as AUDIT
from app.model.pages.histogram_options import LevelOptions, TreeOptions
from app.model.selection import selection
from engine.analysis.histogram_structures import default_facility_price
from engine.data import read_table

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.mark.slow
def test_another_mechanism_while_the_first_one_is_computed(window):
    window.page.show_tab("compare")
    window.page.show_tab("attacks")
    choose(window.body.column.release.form.chooser("query").box, "histogram-noisy")
    choose(window.body.column.release.form.chooser("query").box, "covariance")
    choose(window.body.column.release.form.chooser("query").box, "privtree")
    window.page.show_tab("cells")
    assert wait(window).cells.counts.sum() == pytest.approx(400)
    assert window.page.card.shown == (*PLANE[:-1], AUDIT)
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_everything_is_reached_by_the_keyboard_and_nothing_is_clipped(own_window):
    window = own_window
    for tab, some in (
        ("cells", {"Level", "Parts of the shifted cubes", "Ne&w seed"}),
        ("isolation", {"Place the guess by an attack", "Close u&p"}),
        ("attacks", {"Horizontal axis"}),
    ):
        open_tab(window, tab)
        assert some <= set(tabbed(window))
    window.setFixedSize(1024, 768)
    for tab in ("cells", "isolation", "attacks"):  # all others: test_everything_fits.py
        open_tab(window, tab)
        assert clipped(window) == []
        letters = Counter(letters_of(window))
        assert max(letters.values()) == 1, letters


def test_pictures_and_numbers_can_be_saved(window, tmp_path):
    open_tab(window, "cells")
    window.controllers.exports.figures.write(window.page.canvas, tmp_path / "cells.png")
    window.controllers.exports.figures.write(window.page.canvas, tmp_path / "cells.csv")
    assert window.wait_until_idle(30_000)
    assert (tmp_path / "cells.png").stat().st_size > 10_000
    assert (tmp_path / "cells.csv").read_text().startswith("mark,count,x from")


def test_synthetic_points_of_a_release_are_public_and_of_a_simulation_are_not(window, tmp_path, monkeypatch):
    page = window.page
    page.synthetic.click()
    dialog = page.findChild(QFileDialog)
    assert "derived from confidential data" in dialog.windowTitle()
    assert dialog.selectedFiles()[0].endswith("histogram-shifted-synthetic-simulated-confidential.csv")
    dialog.close()
    page.save_points(str(tmp_path / "simulated.csv"))
    wait(window)
    assert "simulated histogram, which was derived from confidential data" in window.controllers.status.text()
    release(window)
    window.session.show_view("release")
    wait(window)
    with monkeypatch.context() as patch:
        patch.setattr(window.session.databases, "get", lambda source: pytest.fail("data were looked at"))
        page.save_points(str(tmp_path / "released.parquet"))
        wait(window)
    assert "400 points drawn from the newest release" in window.controllers.status.text()
    for name in ("simulated.csv", "released.parquet"):
        values = read_table(tmp_path / name).points(("x", "y")).values
        assert values.shape == (400, 2)
        assert ((values >= 0) & (values <= 1)).all()
    page.save_points(str(tmp_path / "nowhere" / "points.csv"))
    window.wait_until_idle()
    assert "there is no folder" in window.body.messages.texts()[0]


@pytest.mark.slow
def test_facilities_are_located_on_cells_and_on_records_for_a_price(window):
    card, points = window.page.card, window.session.state.data.points.values
    open_tab(window, "tree")
    choose(card.editors[TreeOptions].box, "facilities")
    view = wait(window)
    assert (
        card.options["price"]
        == default_facility_price(selection(window.session.state).source.domain, 400)
        == 6.0
    )
    assert len(view.trees.tree.open) >= 1
    assert view.trees.tree.cost >= view.trees.tree.in_truth  # counts are exact
    gaps = np.linalg.norm(points[:, None] - view.trees.tree.open, axis=2).min(axis=1)
    assert view.trees.tree.in_truth == pytest.approx(6.0 * len(view.trees.tree.open) + gaps.sum())
    gaps = np.linalg.norm(points[:, None] - view.trees.truth.open, axis=2).min(axis=1)
    assert view.trees.truth.cost == pytest.approx(6.0 * len(view.trees.truth.open) + gaps.sum())
    assert np.linalg.norm(view.trees.truth.starts - view.trees.truth.ends, axis=1).sum() == pytest.approx(
        gaps.sum()
    )
    card.editors[TreeOptions].price_box.edited.emit(600.0, False)
    dear = wait(window)
    assert (len(dear.trees.tree.open), len(dear.trees.truth.open)) == (1, 1)
    assert "1 facility on the cells costs" in window.page.canvas.picture.alt_text()
    card.editors[TreeOptions].price_box.edited.emit(-1.0, False)
    assert wait(window).trees.tree.price == card.editors[TreeOptions].price_box.value == 600.0
    release(window)
    window.session.show_view("release")
    view = wait(window)
    assert (view.trees.truth, view.trees.tree.in_truth, view.released) == (None, None, True)
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_tiny_cells_are_looked_at_closely_at_first_in_both_views(histograms_on):
    rng = np.random.default_rng(3)
    window = histograms_on(x=0.3 + 1e-3 * rng.random(300), y=0.7 + 1e-3 * rng.random(300))
    card = window.page.card
    window.session.set_parameter(8, "t")
    near = wait(window)
    assert option(card, "closely").isChecked()
    assert near.is_closeup
    assert near.window[0].width < 0.02
    assert near.window[0].lower < 0.3005 < near.window[0].upper
    assert near.records.n == 300
    card.editors[LevelOptions].slider.setValue(1)
    assert wait(window).window == near.window  # it stays while cells are cut
    release(window)
    window.session.show_view("release")
    assert wait(window).is_closeup
    option(card, "closely").click()
    assert not wait(window).is_closeup
    option(card, "closely").click()
    assert wait(window).is_closeup
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_cells_all_over_the_bounds_are_not_looked_at_closely(window):
    assert not result(window).is_closeup
    assert not option(window.page.card, "closely").isChecked()
    option(window.page.card, "closely").click()
    assert wait(window).window[0].upper <= 1


def test_how_far_counts_are_off_is_said_and_is_private(window):
    exact = window.body.column.release.error.text()
    assert re.match(r"Typical error ± [\d.]+ records?$", exact)
    choose(window.body.column.release.form.chooser("query").box, "histogram-noisy")
    wait(window)
    assert window.body.column.release.error.text() != exact
    window.session.show_view("release")
    assert window.wait_until_idle(30_000)
    # the noise of a count is public; how far regions are off depends on the data
    assert window.body.column.release.error.text() == "Noise ± 6 per cell (95 %)"
    assert not window.body.column.release.error_range.text()


@pytest.mark.slow
def test_a_mended_mistake_leaves_no_sentence(window):
    open_tab(window, "cells")
    window.session.set_parameter(1, "t")
    assert window.wait_until_idle(30_000)
    assert "still shows the last valid choices" in window.page.card.advice.text()
    window.session.set_parameter(9, "t")
    assert window.wait_until_idle(30_000)
    assert window.page.card.advice.text() == ""


def test_mechanisms_of_categories_have_no_tabs_of_points(window):
    window.session.edit("ask for the mode", query="mode")
    assert window.wait_until_idle(30_000)
    assert window.page.card.shown == ("bars",)
    assert not window.page.notice.isVisibleTo(window)


@pytest.mark.slow
def test_what_is_not_random_is_not_drawn_anew(window):
    card = window.page.card
    assert card.draws.isVisibleTo(window)
    window.session.edit("halve the bounds", query="histogram-recursive")
    assert window.wait_until_idle(30_000)
    assert not card.draws.isVisibleTo(window)
    open_tab(window, "tree")  # resampled points are random
    assert card.draws.isVisibleTo(window)


def test_more_to_hide_among_than_there_are_is_said(window):
    window.session.set_parameter(1000, "t")
    assert window.wait_until_idle(30_000)
    assert "more than n = 400" in window.page.notice.text()


def test_a_release_keeps_its_bounds(window):
    release(window)
    bounds = dict.fromkeys(window.session.state.data.columns, (0.0, 0.5))
    window.session.edit("declare other bounds", bounds=bounds)
    window.session.show_view("release")
    view = wait(window)
    assert [(side.lower, side.upper) for side in view.window] == [(0.0, 1.0)] * 2
