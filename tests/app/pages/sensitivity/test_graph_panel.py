"""The graph on its page: edges are chosen, weighed and taken away, and everything follows."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from seen import choose, words

from app.model.selection import selection
from app.model.view_states import WallView
from engine.queries.mst import MstCost

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def card(shared_graph):
    return shared_graph.page.parts[0]


def settle(card):
    """Let the page answer, and return what the graph shows then."""
    assert card.window().wait_until_idle()
    return card.canvas.picture.result


def click(qtbot, card, edge):
    """Click the middle of an edge."""
    picture = card.canvas.picture
    place = picture.result.edges.tolist().index(edge)
    x, y = picture.axes.transData.transform(picture.result.positions[picture.result.ends[place]].mean(axis=0))
    surface = card.canvas._surface
    ratio = surface.device_pixel_ratio
    where = QPoint(round(x / ratio), round(surface.height() - y / ratio))
    qtbot.mouseClick(surface, Qt.MouseButton.LeftButton, pos=where)


def test_the_graph_shows_its_tree_and_what_decides(card):
    view = settle(card)
    assert view.names == ("a", "b", "c", "d")
    assert view.edges[view.tree].tolist() == [0, 1, 3]
    graph = card.window().session.databases.get(selection(card.window().session.state).source)
    assert view.decision.k == 0
    assert view.decision.sensitivity == MstCost().sensitivity_at_distance(graph, 0)[0]
    assert card.canvas.accessibleDescription().endswith(view.sentence())
    assert "Click an edge" in card.edge.name.whole
    assert not card.reset.isVisible()


def test_an_edge_is_clicked_and_its_weight_is_dragged(card, qtbot):
    settle(card)
    click(qtbot, card, 3)
    assert card.chosen == 3
    assert card.edge.name.whole == "b – d"
    assert card.edge.box.value == 3.0
    positions = card.canvas.picture.result.positions
    for place in range(150, 401, 50):
        card.edge.slider.setValue(place)
    assert card.edge.box.value == 8.0  # at once, before anything was computed
    view = settle(card)
    assert card.window().session.state.data.modified_values == {3: 8.0}
    assert view.weights[3] == 8.0
    assert view.tree.tolist() == [True, True, False, False, True]
    assert view.positions is positions
    curve = card.window().page.canvas.picture.result
    assert curve.value == 1.5 + 2.03125 + 7
    assert card.reset.isVisible()
    card.window().session.show_page("median")  # whose records are no edges
    card.window().session.show_page("spanning-tree")
    # one movement is one step
    card.window().session.undo_stack.undo()
    view = settle(card)
    assert view.weights[3] == 3.0
    assert card.edge.box.value == 3.0
    assert not card.reset.isVisible()


def test_a_weight_is_typed(card, qtbot):
    settle(card)
    click(qtbot, card, 0)
    card.edge.box.type_in("2,5")
    assert settle(card).weights[0] == 2.5
    card.edge.box.type_in("12")
    assert card.problem.text() == "12 is no weight; enter a number from 0 to Λ = 10"
    assert card.window().session.state.data.modified_values == {0: 2.5}
    card.edge.box.type_in("-1")
    assert "no weight" in card.problem.text()
    card.edge.box.type_in("heavy")
    assert "'heavy' is not a number" in card.problem.text()
    card.edge.box.type_in("3")
    assert not card.problem.isVisible()
    assert settle(card).weights[0] == 3
    card.reset.click()
    assert settle(card).weights[0] == 1.5


def test_the_keyboard_chooses_and_changes_edges(graph_window, qtbot):
    card = graph_window.page.parts[0]
    settle(card)
    qtbot.keyClick(card.canvas, Qt.Key.Key_Up)
    assert card.chosen == 0  # the lightest
    qtbot.keyClick(card.canvas, Qt.Key.Key_Up)
    qtbot.keyClick(card.canvas, Qt.Key.Key_Up)
    assert card.chosen == 3
    qtbot.keyClick(card.canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert card.chosen == 4  # the heaviest
    qtbot.keyClick(card.canvas, Qt.Key.Key_Left)
    qtbot.keyClick(card.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert settle(card).weights[4] == pytest.approx(5.9)
    for _ in range(9):
        qtbot.keyClick(card.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert settle(card).weights[4] == 10


def test_k_is_chosen_by_slider_number_and_keyboard(card, qtbot):
    settle(card)
    assert card.distance.slider.maximum() == 2  # the smallest degree
    graph = card.window().session.databases.get(selection(card.window().session.state).source)
    expected = MstCost().sensitivity_at_distance(graph, 2)
    card.distance.slider.setValue(1)
    view = settle(card)
    assert (view.decision.k, view.decision.sensitivity) == (1, expected[1])
    assert view.sentence().startswith("k = 1")
    card.distance.box.type_in("2")
    assert settle(card).decision.sensitivity == expected[2]
    assert card.distance.slider.value() == 2
    card.distance.box.type_in("77")
    assert settle(card).decision.k == 2
    assert card.distance.box.value == 2
    qtbot.keyClick(card.distance.slider, Qt.Key.Key_Left)
    assert settle(card).decision.k == 1
    # the other question keeps k, in the words as in the tools
    choose(card.window().body.column.release.form.chooser("query").box, "triangles")
    assert settle(card).decision.k == card.distance.box.value == card.distance.slider.value() == 1


def test_a_bridge_is_explained(graph_on, qtbot):
    window = graph_on(source=["a", "b", "a", "c"], target=["b", "c", "c", "d"], weight=[1.0, 2, 3, 4])
    card = window.page.parts[0]
    assert "only the marked edge joins" in settle(card).sentence()
    assert not card.caption.isVisible()
    click(qtbot, card, 3)
    assert card.caption.text().startswith("c – d is a bridge: every spanning tree contains it")
    assert "can change the cost by 6" in card.caption.text()
    assert settle(card).decision.sensitivity >= 6
    click(qtbot, card, 0)
    assert not card.caption.isVisible()


def test_edges_of_triangles_can_be_taken_away(card, qtbot):
    settle(card)
    choose(card.window().body.column.release.form.chooser("query").box, "triangles")
    view = settle(card)
    assert card.window().session.state.query == "triangles"
    assert view.weights is None
    assert view.decision.names == ("b", "c")
    assert view.decision.count == 2
    click(qtbot, card, 1)
    assert card.edge.present.isVisible()
    assert card.edge.present.isChecked()
    assert not card.edge.slider.isVisible()
    card.edge.present.click()
    view = settle(card)
    assert card.window().session.state.data.removed_edges == {1}
    assert view.absent.tolist() == [False, True, False, False, False]
    assert card.window().page.canvas.picture.result.value == 0
    # an edge that was taken away can still be found, and brought back
    click(qtbot, card, 1)
    assert not card.edge.present.isChecked()
    qtbot.keyClick(card.canvas, Qt.Key.Key_Right)
    assert not settle(card).absent.any()
    choose(card.window().body.column.release.form.chooser("query").box, "mst")
    assert settle(card).weights is not None


def test_the_release_view_shows_the_edges_and_nothing_else(card, qtbot):
    window = card.window()
    settle(card)
    click(qtbot, card, 4)
    card.edge.box.type_in("6.875")
    settle(card)
    window.session.show_view("release")
    view = settle(card)
    assert view.weights is view.decision is None
    assert not view.tree.any()
    assert not card.canvas.private
    assert not card.badge.isVisible()
    assert not card.edge.isVisible()
    assert not card.distance.isVisible()
    assert not card.reset.isVisible()
    assert "are public" in card.caption.text()
    seen = words(window)
    for secret in ("6.875", "2.03125", "across", "c – d"):
        assert secret not in seen
    click(qtbot, card, 4)
    qtbot.keyClick(card.canvas, Qt.Key.Key_Up)
    assert card.chosen is None
    choose(window.body.column.release.form.chooser("query").box, "triangles")
    assert window.wait_until_idle()
    assert not card.isVisible()
    assert not card.canvas.has_result
    choose(window.body.column.release.form.chooser("query").box, "mst")
    assert settle(card).weights is None
    window.session.show_view("curator")
    assert settle(card).weights[4] == 6.875


@pytest.mark.slow
def test_the_newest_weight_is_shown_however_fast_the_slider_moves(card, qtbot, monkeypatch):
    # on a busy machine, a step of this movement may take as long as a user's pause
    monkeypatch.setattr("app.session.MERGE_SECONDS", np.inf)
    settle(card)
    click(qtbot, card, 2)
    for place in np.linspace(0, 500, 30).astype(int).tolist():
        card.edge.slider.setValue(place)
        qtbot.wait(2)
    view = settle(card)
    assert view.weights[2] == 10
    graph = card.window().session.databases.get(selection(card.window().session.state).source)
    assert view.decision.sensitivity == MstCost().sensitivity_at_distance(graph, 0)[0]
    assert card.window().session.undo_stack.count() == 1


def test_graph_and_curves_stand_side_by_side_where_there_is_room(card):
    window = card.window()
    window.resize(1280, 800)
    settle(card)
    assert window.page.splitter.orientation() == Qt.Orientation.Vertical
    assert card.height() > window.page.card.height()
    window.resize(1920, 1080)
    settle(card)
    assert window.page.splitter.orientation() == Qt.Orientation.Horizontal
    assert window.page.card.width() >= window.page.card.head_width  # no tab scrolls
    assert card.width() > 0.4 * window.page.width()
    window.page.splitter.moveSplitter(800, 1)
    moved = window.page.splitter.sizes()
    window.page.show_tab("path")
    settle(card)
    assert window.page.splitter.sizes() == moved
    window.resize(1700, 900)  # not even six tenths are enough: the graph keeps its share
    settle(card)
    assert window.page.splitter.orientation() == Qt.Orientation.Horizontal
    assert card.width() > window.page.card.width()


def test_the_wall_has_one_sentence_and_the_graph_none(card):
    (above,) = card.canvas.picture.sentences
    for wall in (WallView(), None):
        card.show_wall(wall)
        assert above._silent is (wall is not None)


def test_the_graph_can_be_saved(card, tmp_path):
    settle(card)
    for name in ("graph.svg", "graph.csv"):
        card.window().controllers.exports.figures.write(card.canvas, tmp_path / name)
    settle(card)
    text = (tmp_path / "graph.svg").read_text("utf-8")
    assert "Confidential" in text
    rows = (tmp_path / "graph.csv").read_text("utf-8").splitlines()
    assert len(rows) == 6
    assert rows[0].startswith("edge,source,target,weight,in the tree,across the cut")
    assert card.canvas.drawn.file_stem == "graph-confidential"


def test_the_title_says_what_is_released_and_the_name_stays(card):
    card.show_released("Nothing released yet")
    assert card._title.whole == "Nothing released yet"
    assert card.accessibleName() == "Graph"
