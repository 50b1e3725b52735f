"""The picture of a graph: what is under the pointer, in the table and in files, and how fast it is drawn."""

import dataclasses
import io
import time

import numpy as np
import pytest
from graph_pictures import ENDS, WEIGHTS, cut, large, mask, picture, view
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import DARK, LIGHT
from app.plots.elements.artists import figure_of
from app.plots.elements.sentence import Sentence
from app.plots.figure_panel import FigurePanel
from app.plots.figures import CONFIDENTIAL, new_figure
from app.plots.sensitivity.graph_layout import layout
from app.plots.sensitivity.graph_picture import GraphPicture
from app.plots.sensitivity.graph_view import GraphView
from engine.domain import Interval


def test_the_nearest_edge_is_found_in_pixels():
    made = picture(view())
    places = made.result.positions
    for edge, (first, second) in enumerate(ENDS[1:6], start=1):
        x, y = 0.7 * places[first] + 0.3 * places[second]
        assert made.nearest_edge(x, y) == edge + 10
    twice = {made.nearest_edge(*made._lines.middles[edge]) for edge in (0, 6)}
    assert twice == {10, 16}
    assert made.nearest_edge(*(places.max(axis=0) + 3)) is None


def test_the_pointer_is_told_what_lies_under_it():
    made = picture(view(decision=cut()))
    places = made.result.positions
    assert made.tooltip(*places[0]) == "Ada: 4 edges"
    middle = (places[3] + places[4]) / 2
    assert made.tooltip(*middle) == "Dee – Eve: 6\u202fkm · in the spanning tree · a bridge"
    middle = (places[1] + places[2]) / 2
    assert made.point_at(*middle) == "Bo – Cy: 2\u202fkm · in the spanning tree · across the cut"
    assert not made.cursor.get_visible()
    assert made.tooltip(99, 99) == ""
    grouped = picture(view(sizes=np.array([1, 30, 1, 1, 1]), n=34))
    assert grouped.tooltip(*places[1]) == "30 vertices, Bo among them"


def test_the_table_has_the_numbers_behind_the_picture():
    header, rows = picture(view(decision=cut())).table()
    assert header == ["edge", "source", "target", "weight", "in the tree", "across the cut"]
    assert rows[1] == [12, "Bo", "Cy", 2.0, True, True]
    assert len(rows) == 7
    header, rows = picture(view(weights=None, tree=mask())).table()
    assert header == ["edge", "source", "target"]


def test_what_is_left_out_is_said():
    assert view().left_out() == ""
    made = picture(view(sizes=np.array([1, 30, 1, 1, 1]), n=34, m=500))
    assert made._legend.texts()[-1] == "5 groups stand for 34 vertices · 7 of 500 edges drawn"
    assert "7 of 500 edges" in made.alt_text()
    assert view(n=9).left_out() == "5 of 9 vertices drawn"


def test_changing_a_weight_moves_nothing():
    shown = view(decision=cut(), chosen=12)
    made = picture(shown)
    limits = made.axes.get_xlim(), made.axes.get_ylim()
    for weight in (5.0, 5.1, 5.2):
        again = made.update(dataclasses.replace(shown, weights=np.where(mask(4), weight, WEIGHTS)))
        assert again is False
        assert (made.axes.get_xlim(), made.axes.get_ylim()) == limits
    # a weight of another strength, and so the kept background is out of date
    assert made.update(dataclasses.replace(shown, weights=np.where(mask(4), 1.0, WEIGHTS)))
    assert made.needs_layout is False


def test_the_chosen_edge_is_marked_with_its_ends():
    made = picture(view(chosen=12))
    made.update(view(chosen=99))
    assert not made._rings.get_visible()


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_saved_figures_are_complete(palette):
    panel = FigurePanel("A graph", GraphPicture, view(decision=cut()), "km")
    figure = figure_of(panel.draw(palette).axes)
    made = next(artist for artist in figure.axes[0].get_children() if isinstance(artist, Sentence))
    assert made.text.startswith("k = 1")
    for form in ("png", "svg", "pdf"):
        target = io.BytesIO()
        figure.savefig(target, format=form)
        assert target.tell() > 5000
    assert [text.get_text() for text in figure.texts if text.get_text() != "A graph"] == [CONFIDENTIAL]
    figure.canvas = FigureCanvasAgg(figure)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3].reshape(-1, 3)
    accent = np.array([int(palette.local[i : i + 2], 16) for i in (1, 3, 5)])
    assert (np.abs(pixels.astype(int) - accent).max(axis=1) < 8).sum() > 200


def test_an_empty_picture_can_be_drawn_and_asked():
    figure = new_figure()
    FigureCanvasAgg(figure)
    made = GraphPicture(figure.add_subplot())
    figure.canvas.draw()
    assert made.table()[1] == []
    assert made.tooltip(0.5, 0.5) == made.alt_text() == ""
    assert made.nearest_edge(0, 0) is None


def test_two_vertices_and_one_edge():
    one = np.zeros(1, dtype=bool)
    made = picture(
        GraphView(
            positions=layout([(0, 1)], 2),
            names=("a", "b"),
            sizes=np.ones(2, dtype=np.int64),
            ends=np.array([(0, 1)]),
            edges=np.array([0]),
            weights=np.array([3.0]),
            ramp=(0.0, 10.0),
            tree=~one,
            bridges=~one,
            absent=one,
            domain=Interval(0, 10),
            n=2,
            m=1,
        )
    )
    assert made.nearest_edge(*made.result.positions.mean(axis=0)) == 0
    assert made._names.texts() == ["a", "b", "3"]


def test_two_thousand_vertices_are_redrawn_with_50_ms_of_work():
    figure = new_figure(size=(7.4, 4.2))
    figure.set_dpi(100)
    canvas = FigureCanvasAgg(figure)
    made = GraphPicture(figure.add_subplot(), LIGHT, "km")
    made.animate()
    shown = large()
    made.update(shown)
    canvas.draw()
    renderer = canvas.get_renderer()
    spent = []
    for edge in range(9):
        start = time.thread_time()
        made.update(dataclasses.replace(shown, chosen=edge))
        for artist in sorted(made.artists, key=lambda artist: artist.get_zorder()):
            artist.draw(renderer)
        spent.append(time.thread_time() - start)
    assert sorted(spent)[4] < 0.05
