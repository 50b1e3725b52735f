"""The clustering page: stages, pictures and forms."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from clustering_windows import result
from PySide6.QtCore import Qt
from seen import choose

from app.model.pages.registry import PAGES, queries_of
from app.model.selection import selection
from app.pages.clustering.page import blocks_note
from engine.analysis.block_sweeps import BlocksSweep
from engine.mechanisms.aggregators import AGGREGATORS

pytestmark = pytest.mark.usefixtures("roughly_drawn")

PICTURED = {
    "data": "Cloud",
    "separation": "ClusterSeparation",
    "blocks": "BlocksSweep",
    "outputs": "Cloud",
    "aggregate": "RadiusProfile",
    "agreement": "OutputAgreement",
    "compare": "ErrorComparison",
    "release": "Cloud",
}

STAGES = tuple(spec.name for spec in PAGES["clustering"].pictures if spec.name not in ("cells", "agreement"))
"""Those of a mechanism with blocks, and a center of attention."""


def usual(names, *kept):
    """Return the names; those that other tests meet as well are left to the slow run."""
    return [pytest.param(name, marks=() if name in kept else pytest.mark.slow) for name in names]


def choose_blocks(window, blocks):
    window.body.column.release.form.part("sampling").extra.box.type_in(str(blocks))
    assert window.wait_until_idle(30_000)


@pytest.mark.slow
def test_a_first_visit_shows_an_example_with_a_simulated_release(window):
    window.session.show_page("clustering")
    assert window.wait_until_idle(30_000)
    assert "three-clusters" in window.windowTitle()
    assert window.body.stack.currentWidget() is window.body.pages["clustering"]
    assert window.body.column.data.isVisible()
    assert window.session.state.topic == "clusters"
    assert result(window).released.shape == (3, 2)
    assert result(window).simulated
    assert window.body.column.release.run.isEnabled()
    assert not window.body.messages.texts()


def test_every_stage_has_its_picture_and_can_be_clicked(shared_points, qtbot):
    for stage in STAGES:
        tabs = shared_points.page.card.tabs
        place = tabs.tabRect(tabs._keys.index(stage)).center()
        qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=place)
        assert shared_points.wait_until_idle(30_000), stage
        assert shared_points.body.pages["clustering"].card.tab == stage
        assert type(result(shared_points)).__name__ == PICTURED[stage], stage
        assert shared_points.page.canvas.picture.alt_text(), stage
        header, rows = shared_points.page.canvas.picture.table()
        assert rows, stage
        assert all(len(row) == len(header) for row in rows), stage
        assert not shared_points.body.messages.texts(), stage


def test_arrow_keys_go_from_stage_to_stage(shared_points, qtbot):
    tabs = shared_points.page.card.tabs
    tabs.setFocus()
    qtbot.keyClick(tabs, Qt.Key.Key_Left)
    assert shared_points.body.pages["clustering"].card.tab == "compare"
    qtbot.keyClick(tabs, Qt.Key.Key_Left)
    assert shared_points.body.pages["clustering"].card.tab == "aggregate"
    assert shared_points.wait_until_idle(30_000)


def test_epsilon_does_not_run_the_blocks_again(points_window, monkeypatch):
    from engine.mechanisms import BlockMechanism

    choose_blocks(points_window, 60)
    ran = []
    before = BlockMechanism._block_outputs
    monkeypatch.setattr(
        BlockMechanism, "_block_outputs", lambda self, *rest: ran.append(self) or before(self, *rest)
    )
    points_window.page.show_tab("aggregate")
    assert points_window.wait_until_idle(30_000)
    smooth = result(points_window).smooth
    ran.clear()
    points_window.body.column.privacy.epsilon.type_in("3")
    assert points_window.wait_until_idle(30_000)
    assert result(points_window).smooth != smooth
    assert not ran
    choose_blocks(points_window, 61)
    assert len(ran) == 1
    choose_blocks(points_window, 60)
    assert len(ran) == 1


def test_the_planner_chooses_until_a_person_does(shared_points):
    row = shared_points.body.column.release.form.part("sampling").extra
    planned = int(row.box.value)
    assert row.plan.isChecked()
    assert not row.text.isVisible()  # the typical error is that of the data
    choose_blocks(shared_points, 50)
    assert not row.plan.isChecked()
    assert not row.text.isVisible()
    assert selection(shared_points.session.state).mechanism.sampling.blocks == 50
    shared_points.session.undo_stack.undo()
    assert row.plan.isChecked()
    assert int(row.box.value) == planned
    choose_blocks(shared_points, 50)
    row.plan.click()
    assert int(row.box.value) == planned
    assert shared_points.wait_until_idle(30_000)


def test_the_forecast_of_the_planner_never_stands_beside_the_error_of_the_data(shared_points):
    column = shared_points.body.column
    row = column.release.form.part("sampling").extra
    assert column.release.error.text().startswith("Typical error")
    assert not row.text.isVisible()
    column.release.tuning_button.setChecked(True)
    assert row.text.text().startswith("Public forecast for block error 2")
    assert "needs n ≈ " in row.text.text()
    column.release.tuning_button.setChecked(False)
    assert not row.text.isVisible()
    shared_points.session.show_view("release")
    assert shared_points.wait_until_idle(30_000)
    assert column.release.error.text() == ""
    assert row.text.isVisible()


def test_enough_data_are_called_enough(shared_points):
    shared_points.session.edit("ask for a mean", query="sample-aggregate", epsilon=20.0)
    shared_points.body.column.release.tuning_button.setChecked(True)
    assert shared_points.wait_until_idle(30_000)
    forecast = shared_points.body.column.release.form.part("sampling").extra.text.text()
    assert "typical error" in forecast
    assert "needs n ≈ " not in forecast


def test_too_many_blocks_are_explained_beside_the_field(shared_points):
    choose_blocks(shared_points, 2000)
    assert "hold 1 each" in shared_points.body.column.release.form.part("sampling").extra.row.problem
    assert not shared_points.body.column.release.run.isEnabled()
    choose_blocks(shared_points, 4000)
    assert "are not possible" in shared_points.body.column.release.form.part("sampling").extra.row.problem
    shared_points.body.column.release.form.part("sampling").extra.box.type_in("20.5")
    assert "whole number" in shared_points.body.column.release.form.part("sampling").extra.row.problem
    choose_blocks(shared_points, 30)
    assert shared_points.body.column.release.form.part("sampling").extra.row.problem == ""
    assert shared_points.body.column.release.run.isEnabled()
    assert not shared_points.body.messages.texts()


def test_more_clusters_than_a_block_has_points(points_on):
    window = points_on(x=[0.1, 0.5, 0.9, 0.2], y=[0.1, 0.5, 0.9, 0.2])
    assert not window.body.column.release.run.isEnabled()
    assert "at most" in window.body.column.release.form.part("sampling").extra.row.problem
    assert not window.body.messages.texts()


@pytest.mark.slow
@pytest.mark.parametrize("name", usual(queries_of("clustering"), "k-means-on-cells", "noisy-average"))
def test_every_mechanism_can_be_looked_at_and_run(shared_points, name):
    choose(shared_points.body.column.release.form.chooser("query").box, name)
    assert shared_points.wait_until_idle(30_000)
    for stage in shared_points.body.pages["clustering"].card.shown[:-1]:
        shared_points.page.show_tab(stage)
        assert shared_points.wait_until_idle(30_000)
        assert result(shared_points) is not None, stage
    shared_points.page.show_tab("release")
    shared_points.controllers.run.start()
    assert shared_points.wait_until_idle(30_000)
    release = shared_points.session.state.releases[-1].release
    assert (release.query, release.mechanism, release.simulated) == (name, name, False)
    assert not shared_points.body.messages.texts()
    assert result(shared_points).released is not None


@pytest.mark.parametrize("name", usual(AGGREGATORS, "one-cluster", "shortest-interval"))
def test_every_aggregator_can_be_looked_at(shared_points, name):
    choose(shared_points.body.column.release.form.chooser("aggregator").box, name)
    assert shared_points.wait_until_idle(30_000)
    if name == "shortest-interval":
        assert "one number" in shared_points.body.column.release.form.chooser("aggregator").problem
        return
    fourth = "aggregate" if AGGREGATORS[name].by_radii else "agreement"
    for stage in ("outputs", fourth, "blocks", "compare", "release"):
        shared_points.page.show_tab(stage)
        assert shared_points.wait_until_idle(30_000)
    assert not shared_points.body.messages.texts()
    rows = shared_points.body.column.release.rows
    assert any("noise" in row.fields for row in rows) == (
        name in ("center-of-attention", "median", "smallest-ball")
    )


@pytest.mark.slow
def test_who_has_chosen_the_number_of_blocks(shared_points):
    choose(shared_points.body.column.release.form.chooser("aggregator").box, "one-cluster")
    shared_points.body.column.privacy.delta.type_in("1e-6")
    shared_points.body.column.release.tuning_button.setChecked(True)
    said = shared_points.body.column.release.form.part("sampling").extra.text
    for epsilon, why in (
        ("2", "The smallest number that a 1-cluster needs."),
        ("100", "The same number as for the center"),
    ):
        shared_points.body.column.privacy.epsilon.type_in(epsilon)
        assert said.text().startswith(why)


def test_a_planned_number_of_blocks_is_told_from_the_best_one_on_these_data():
    blocks, error = np.array([10, 20]), np.array([0.2, 0.3])
    sweep = BlocksSweep(1_000, blocks, error, None, error, error, 1.0, chosen=20)
    planned = SimpleNamespace(plan=object())
    note = blocks_note(planned, sweep)
    assert note.startswith("Auto takes 20 without looking at the data. To pick 10 from this picture")
    assert not blocks_note(planned, dataclasses.replace(sweep, chosen=10))
    assert not blocks_note(SimpleNamespace(plan=None), sweep)  # a person has chosen it


@pytest.mark.slow
def test_one_column_has_pictures_too(points_on):
    window = points_on(x=np.linspace(0, 1, 400))
    choose(window.body.column.release.form.chooser("query").box, "sample-aggregate")
    choose(window.body.column.release.form.chooser("aggregator").box, "shortest-interval")
    assert window.wait_until_idle(30_000)
    for stage in ("data", "outputs", "release"):
        window.page.show_tab(stage)
        assert window.wait_until_idle(30_000)
        assert len(result(window).directions) == 1
    assert not window.body.messages.texts()
