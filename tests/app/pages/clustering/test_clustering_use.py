"""The clustering page in use: releases, what the release view hides, directions, room and keys."""

import re
from collections import Counter

import numpy as np
import pytest
from clustering_windows import result
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel
from seen import PRESENTATION, SIZES, choose, clipped, option, tabbed, words

from app.model.pages.registry import PAGES
from app.model.wording.numbers import number
from app.plots.clustering.space_picture import place_words

pytestmark = pytest.mark.usefixtures("undrawn")

STAGES = tuple(spec.name for spec in PAGES["clustering"].pictures)


def run(window):
    window.controllers.run.start()
    assert window.wait_until_idle(30_000)


def test_a_release_is_shown_in_the_place_of_a_simulated_one(shared_points):
    assert result(shared_points).baseline is not None
    run(shared_points)
    shown = result(shared_points)
    assert not shown.simulated
    assert shown.released.tolist() == shared_points.session.state.releases[-1].release.value
    shared_points.body.pages["clustering"].card.draws.again.click()
    assert shared_points.wait_until_idle(30_000)
    assert result(shared_points).simulated
    assert "seed 2" in shared_points.body.pages["clustering"].card.draws.source.text()
    run(shared_points)
    assert not result(shared_points).simulated


def test_the_history_shows_a_set_shortly(shared_points):
    run(shared_points)
    model = shared_points.body.history.model
    cells = [model.data(model.index(0, column)) for column in range(model.columnCount())]
    assert cells[1] == "Clusters of x, y"
    assert cells[2].startswith("3 centers: (")
    assert len(cells[2]) < 40
    assert any(cell.startswith("Center of attention of ") for cell in cells)
    tip = model.data(model.index(0, 2), Qt.ItemDataRole.ToolTipRole)
    assert "columns x, y" in tip
    assert "one record replaced" in tip


@pytest.mark.slow
def test_a_bound_that_is_published_is_drawn_and_never_used(shared_points):
    card = shared_points.body.pages["clustering"].card
    shared_points.page.show_tab("blocks")
    assert shared_points.wait_until_idle(30_000)
    assert np.isnan(result(shared_points).published).all()
    option(card, "published").click()
    assert shared_points.wait_until_idle(30_000)
    assert np.isfinite(result(shared_points).published).any()
    assert "Not DP" in option(card, "published").text()
    run(shared_points)
    parameters = shared_points.session.state.releases[-1].release.parameters
    assert not any("publish" in str(item) for pair in parameters.items() for item in pair)


def test_each_center_of_a_release_can_be_enlarged_beside_the_whole(shared_points):
    shared_points.page.show_tab("release")
    assert shared_points.wait_until_idle(30_000)
    zoom = option(shared_points.page.card, "zoom")
    listed = [zoom.itemText(row) for row in range(zoom.count())]
    centers = ["center 1 of 3", "center 2 of 3", "center 3 of 3"]
    assert listed == ["auto: nothing", *centers, "nothing"]
    assert result(shared_points).zoom is None
    for row, (label, index) in enumerate(zip(listed[1:], (0, 1, 2, None), strict=True), 1):
        zoom.setCurrentIndex(row)
        zoom.activated.emit(row)
        assert shared_points.wait_until_idle(30_000)
        shown = result(shared_points)
        assert (shown.zoom is None) == (index is None), label
        if index is not None:
            assert shown.window == tuple(direction.side for direction in shown.directions)
            middles = [(side.lower + side.upper) / 2 for side in shown.zoom]
            np.testing.assert_allclose(middles, shown.truth[index])
    note = shared_points.page.card.note.text()
    points = shown.released[np.linalg.norm(shown.released - shown.truth[0], axis=1).argsort()]
    off, where = note.splitlines()
    assert off == f"The 3 centers are {number(shown.error)} off (root sum of squares)."
    assert where.startswith(f"Simulated centers: 1 ({place_words(shown, points[0], 4)}), 2 (")
    shared_points.session.show_view("release")
    assert shared_points.wait_until_idle(30_000)
    assert not zoom.isVisible()


class TestReleaseView:
    def test_nothing_private_is_said_or_shown(self, shared_points):
        page, private = shared_points.body.pages["clustering"], []
        for stage in STAGES:
            shared_points.page.show_tab(stage)
            assert shared_points.wait_until_idle(30_000)
            if stage in ("blocks", "aggregate"):  # others speak of places near those released
                private += re.findall(r"\d\.\d{2,}", page.canvas.picture.alt_text())
        assert private
        shared_points.session.show_view("release")
        assert shared_points.wait_until_idle(30_000)
        assert shared_points.body.pages["clustering"].card.tab == "release"
        seen = words(shared_points)
        assert "Confidential" not in seen
        assert [number for number in private if len(number) > 3 and number in seen] == []
        assert "Run makes one and spends ε" in shared_points.body.pages["clustering"].card.waiting.text()
        assert page.card.shown == ("release", "audit")

    def test_what_was_released_stands_alone_in_the_public_box(self, shared_points):
        run(shared_points)
        shared_points.session.show_view("release")
        assert shared_points.wait_until_idle(30_000)
        shown = result(shared_points)
        assert shown.released.tolist() == shared_points.session.state.releases[-1].release.value
        for name in ("records", "outputs", "center", "radius", "regions", "baseline", "truth"):
            assert getattr(shown, name) is None, name
        assert not shared_points.page.canvas.private

    def test_its_numbers_can_be_saved(self, shared_points, tmp_path):
        run(shared_points)
        shared_points.session.show_view("release")
        assert shared_points.wait_until_idle(30_000)
        file = tmp_path / "centers.csv"
        shared_points.controllers.exports.figures.write(shared_points.page.canvas, file)
        assert shared_points.wait_until_idle(30_000)
        rows = file.read_text().splitlines()
        value = shared_points.session.state.releases[-1].release.value
        assert sum("released" in row for row in rows) == 3
        assert all(str(number) in file.read_text() for point in value for number in point)

    def test_a_release_by_another_function_is_not_shown(self, shared_points):
        run(shared_points)
        shared_points.body.column.release.form.chooser("query").box.setFocus()
        choose(shared_points.body.column.release.form.chooser("query").box, "lloyd")
        shared_points.session.show_view("release")
        assert shared_points.wait_until_idle(30_000)
        assert shared_points.page.canvas is None or result(shared_points) is None
        assert "Run makes one and spends ε" in shared_points.body.pages["clustering"].card.waiting.text()


class TestDirections:
    @pytest.fixture
    def window(self, points_on):
        rng = np.random.default_rng(5)
        return points_on(-10, 10, a=rng.normal(0, 3, 600), b=rng.normal(0, 1, 600), c=rng.normal(0, 0.1, 600))

    def test_two_columns_need_no_choice(self, shared_points):
        shared_points.page.show_tab("data")
        assert shared_points.wait_until_idle(30_000)
        assert not option(shared_points.body.pages["clustering"].card, "across").isVisible()

    @pytest.mark.slow
    def test_columns_and_principal_components(self, window):
        card = window.body.pages["clustering"].card
        window.page.show_tab("data")
        assert [
            option(card, "across").itemText(place) for place in range(option(card, "across").count())
        ] == [
            "a",
            "b",
            "c",
            "PC 1 (from the data)",
            "PC 2 (from the data)",
        ]
        for place, name in ((2, "c"), (3, "principal component 1")):
            option(card, "across").setCurrentIndex(place)
            option(card, "across").activated.emit(place)
            assert window.wait_until_idle(30_000)
            assert result(window).directions[0].name == name
            assert result(window).directions[0].private == (place > 2)
        assert not window.body.messages.texts()

    @pytest.mark.slow
    def test_the_release_view_knows_no_principal_components(self, window):
        card = window.body.pages["clustering"].card
        option(card, "across").setCurrentIndex(3)
        option(card, "across").activated.emit(3)
        run(window)
        window.session.show_view("release")
        assert window.wait_until_idle(30_000)
        assert option(card, "across").count() == 3
        assert not any(direction.private for direction in result(window).directions)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("presentation", PRESENTATION)
@pytest.mark.slow
def test_nothing_is_clipped_at_usual_sizes(points_window, size, presentation):
    window = points_window
    window.resize(*size)
    window.controllers.appearance.set_presentation(presentation)
    assert window.wait_until_idle(30_000)
    least = window.minimumSizeHint()
    assert least.width() <= size[0]
    assert least.height() <= size[1]
    for view in ("curator", "release"):
        window.session.show_view(view)
        for stage in STAGES if view == "curator" else ("release",):
            window.page.show_tab(stage)
            assert window.wait_until_idle(30_000)
            assert clipped(window) == [], (view, stage)


@pytest.mark.slow
def test_undo_goes_back_to_the_page(points_window):
    choose(points_window.body.column.release.form.chooser("aggregator").box, "average")
    points_window.session.show_page("median")
    assert points_window.wait_until_idle(30_000)
    points_window.session.undo_stack.undo()
    assert points_window.session.state.page == "clustering"
    assert points_window.session.state.mechanism.part("aggregator").name == "center-of-attention"
    assert points_window.wait_until_idle(30_000)


@pytest.mark.slow
def test_a_cancelled_picture_says_so(points_on):
    window = points_on(**{name: np.random.default_rng(1).random(200_000) for name in "xy"})
    window.page.show_tab("blocks")
    window.page.requester.due.emit()
    window.page.cancel()
    assert window.wait_until_idle(30_000)
    assert window.body.pages["clustering"].card.waiting.text().startswith("Cancelled.")


class TestNumbersOfARelease:
    @pytest.fixture
    def window(self, shared_points):
        run(shared_points)
        return shared_points

    def expected(self, window):
        value = window.session.state.releases[-1].release.value
        return "x,y\n" + "".join(f"{x},{y}\n" for x, y in value)

    def test_they_are_copied(self, window, qtbot):
        from PySide6.QtGui import QGuiApplication

        window.body.history.table.setFocus()
        window.body.history.copy_numbers.trigger()
        assert QGuiApplication.clipboard().text() == self.expected(window)

    def test_they_are_saved_in_any_view(self, window, tmp_path):
        window.session.show_view("release")
        file = tmp_path / "centers.csv"
        with_rows = []
        window.body.history.save_requested.connect(lambda header, rows: with_rows.append((header, rows)))
        window.body.history.save_requested.disconnect(window.controllers.exports.figures.ask_release)
        window.body.history.save_numbers.trigger()
        window.controllers.exports.figures.write_table(file, *with_rows[0])
        assert window.wait_until_idle(30_000)
        assert file.read_text() == self.expected(window)

    def test_what_cannot_be_saved_is_told(self, window, tmp_path):
        window.controllers.exports.figures.write_table(tmp_path / "no" / "centers.csv", ["x"], [[1.0]])
        assert window.wait_until_idle(30_000)
        assert "there is no folder" in window.body.messages.texts()[0]


def test_tab_reaches_everything_in_the_order_of_the_eye(shared_points):
    window = shared_points
    window.body.column.release.tuning_button.setChecked(True)
    window.page.show_tab("release")
    assert window.wait_until_idle(30_000)
    names = tabbed(window)
    assert all(names)
    expected = [
        "Pages",
        "Release",
        "Ne&w seed",
        "A release, and the truth",
        "Columns of the data",
        "Declare columns on the page Data",
        "Epsilon",
        "Mechanism",
        "Clusters k",
        "How the blocks are drawn",
        "Number of blocks m",
        "auto",
        "Assumed block error in percent",
        "How one output is made of those of the blocks",
        "Family of the noise",
        "Pattern",
        "Run: make one release",
    ]
    order = [name for name in names if name in expected]
    assert order[order.index("Ne&w seed") - 1] == "Release"
    assert [name for name in order if name != "Release"] == [name for name in expected if name != "Release"]


@pytest.mark.slow
@pytest.mark.parametrize("query", ["sample-aggregate", "k-means-on-cells"])
def test_no_two_fields_answer_to_the_same_letter(shared_points, query):
    window = shared_points
    choose(window.body.column.release.form.chooser("query").box, query)
    window.body.column.release.tuning_button.setChecked(True)
    assert window.wait_until_idle(30_000)
    for stage in window.page.card.tabs.offered:
        window.page.show_tab(stage)
        assert window.wait_until_idle(30_000)
        texts = [action.text() for action in window.menuBar().actions()]
        texts += [
            widget.text()
            for widget in [*window.findChildren(QLabel), *window.findChildren(QAbstractButton)]
            if widget.isVisibleTo(window)
        ]
        letters = [re.search(r"&(\w)", text.replace("&&", "")) for text in texts if "<a" not in text]
        counts = Counter(letter[1].lower() for letter in letters if letter)
        assert max(counts.values()) == 1, counts
