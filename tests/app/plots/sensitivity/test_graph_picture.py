"""The picture of a graph: strengths, marks, names, weights, lines, and what is read off it."""

from __future__ import annotations

import dataclasses
import io
import itertools
import time

import numpy as np
import pytest
from graph_pictures import ENDS, NAMES, WEIGHTS, cut, large, mask, picture, view
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.transforms import Affine2D, IdentityTransform

from app.model.theme import DARK, LIGHT, contrast
from app.plots.elements.labels import figure_of
from app.plots.elements.sentence import Sentence
from app.plots.figure_panel import FigurePanel
from app.plots.figures import CONFIDENTIAL, new_figure
from app.plots.sensitivity.graph_layout import layout
from app.plots.sensitivity.graph_picture import (
    LEVELS,
    EdgeLines,
    GraphPicture,
    bows,
    is_dense,
    strengths,
    weight_levels,
)
from app.plots.sensitivity.graph_view import DecidingPair, GraphView
from engine.domain import Interval

PAIR = DecidingPair(2, (0, 2), ("Ada", "Cy"), np.array([1, 3]), 2, mask(0, 1, 2, 3), 4.0)


def test_heavy_edges_are_strong_and_all_can_be_seen():
    assert weight_levels(view()).tolist() == [0, 0, 1, 2, 3, 4, 4]
    assert weight_levels(view(weights=None)).tolist() == [LEVELS // 2] * 7
    for palette in (LIGHT, DARK):
        colours, widths = zip(*strengths(palette), strict=True)
        contrasts = [contrast(colour, palette.card) for colour in colours]
        assert contrasts == sorted(contrasts)
        assert list(widths) == sorted(widths)
        assert min(contrasts) > 1.3


def test_a_graph_is_looked_at_more_closely_in_both_directions():
    assert picture(view()).zoom.planar


def test_of_a_dense_graph_the_tree_and_what_decides_are_strong_and_all_else_is_faint():
    plain = view(decision=cut())
    assert not is_dense(plain)
    assert picture(plain)._crossing.get_alpha() == 1.0
    many = 100
    dense = dataclasses.replace(
        plain,
        ends=np.repeat(plain.ends, many, axis=0),
        edges=np.arange(many * len(plain.edges)),
        weights=np.repeat(plain.weights, many),
        **{name: np.repeat(getattr(plain, name), many) for name in ("tree", "bridges", "absent")},
        decision=dataclasses.replace(plain.decision, crossing=np.repeat(plain.decision.crossing, many)),
    )
    assert is_dense(dense)
    assert picture(dense)._crossing.get_alpha() < 0.5
    for palette in (LIGHT, DARK):
        faint, strong = (
            max(contrast(colour, palette.card) for colour, _ in strengths(palette, many_edges))
            for many_edges in (True, False)
        )
        assert faint < 1.5 < strong


def test_tree_cut_and_what_decides_are_marked_and_differ_by_more_than_colour():
    made = picture(view(decision=cut()))
    square, circle = (points.get_paths()[0] for points in (made._side, made._plain))
    assert len(square) != len(circle)
    assert not picture(view())._side.get_visible()


def test_the_pair_and_its_common_neighbours_are_marked():
    made = picture(view(decision=PAIR, weights=None, tree=mask(), absent=mask(4)), unit="")
    assert made._legend.texts() == ["the pair, joined or not", "common neighbors", "taken away"]
    assert (
        "Ada and Cy have 2 common neighbors, and 2 more after 2 changes. So many triangles" in made.alt_text()
    )
    assert made.table()[0][3:] == ["joined", "to a common neighbor"]


@pytest.mark.parametrize(
    ("decision", "parts"),
    [
        (
            cut(),
            [
                "k = 1: first the edge after the lightest (2) between the two sides rises to 10. ",
                "When the lightest rises, too, the tree has to take the next, 4: the cost moves by ",
                "moves by 2\u202fkm.",
            ],
        ),
        (cut(2, count=3), ["the 2 edges after the lightest", "has to take an edge of 10: the cost moves"]),
        (
            cut(0, weights=(2.0, 9.0), sensitivity=7.0),
            ["the lightest edge between the two sides weighs 2, the next 9. When the lightest rises,"],
        ),
        (cut(0, rising=False), ["weighs 2. When one of them falls to 0, the tree takes that instead: the"]),
        (
            cut(1, rising=False),
            ["the lightest edge between the two sides rises to 10; the tree has to take the next, 3. "],
        ),
        (
            cut(2, rising=False, weights=(2.0, 3.0, 10.0, 10.0), count=2),
            ["the 2 lightest edges between the two sides rise to 10; the tree has to take an edge of 10"],
        ),
        (
            cut(0, count=1, weights=(2.0, 10.0), sensitivity=8.0),
            ["k = 0: only the marked edge joins squares and circles. When its weight of 2 becomes 10"],
        ),
        (cut(0, rising=False, count=1, weights=(7.0, 10.0)), ["When its weight of 7 becomes 0, the cost"]),
        (cut(count=1), ["When its weight is first 0 and then 10, the cost moves by"]),
    ],
)
def test_a_sentence_says_what_decides(decision, parts):
    words = view(decision=decision).sentence("km")
    for part in parts:
        assert part in words
    assert picture(view(decision=decision)).alt_text().endswith(words)


@pytest.mark.parametrize("scale", [1.0, 1.5], ids=["window", "projector"])
@pytest.mark.parametrize("size", [(7.4, 3.0), (4.2, 6.0), (14.0, 8.0)])
def test_nothing_is_clipped_and_no_label_lies_on_another(size, scale):
    made = picture(view(decision=cut(), chosen=14), size=size, scale=scale)
    width, height = made.axes.figure.canvas.get_width_height()
    renderer = made.axes.figure.canvas.get_renderer()
    labels = made._names.boxes(renderer)
    pieces = [*labels, made._sentence.get_window_extent(renderer), made._legend.get_window_extent(renderer)]
    for box in pieces:
        assert box.x0 >= -1
        assert box.y0 >= -1
        assert box.x1 <= width + 1
        assert box.y1 <= height + 1
    for one, other in itertools.combinations(labels, 2):
        overlap = np.minimum(one.max, other.max) - np.maximum(one.min, other.min)
        assert overlap.min() <= 1.0
    assert made.axes.bbox.y1 <= pieces[-2].y0 + 1
    below, beside = made.axes.bbox.y0 - pieces[-1].y1, pieces[-1].x0 - made.axes.bbox.x1
    assert max(below, beside) >= -1
    assert set(NAMES[:3]) & set(made._names.texts())


def test_short_names_stand_inside_their_vertices():
    made = picture(view(names=("1", "2", "3", "4", "5")))
    assert made._spacing.name_size >= 6
    assert made._names.texts()[:5] == ["1", "2", "3", "4", "5"]


def test_all_weights_are_written_on_few_edges_and_those_that_matter_on_many():
    texts = picture(view())._names.texts()
    assert {"1", "2", "3", "6"} <= set(texts)
    many = picture(large())._names.texts()
    assert len(many) == 1


def test_the_vertex_that_most_edges_meet_has_its_name():
    leaves = 60
    around = 2 * np.pi * np.arange(leaves) / leaves
    rim = np.column_stack([np.cos(around), np.sin(around)])
    rays = np.column_stack([np.zeros(leaves, dtype=int), np.arange(1, leaves + 1)])
    none = np.zeros(leaves, dtype=bool)
    made = picture(
        view(
            positions=np.concatenate([[[0.0, 0.0]], rim]),
            names=("centre", *(f"leaf {i}" for i in range(leaves))),
            sizes=np.ones(leaves + 1, dtype=np.int64),
            ends=rays,
            edges=np.arange(leaves),
            weights=None,
            tree=none,
            bridges=none,
            absent=none,
        )
    )
    assert "centre" in made._names.texts()
    assert any(name.get_path_effects() for name in made._names._names)  # a halo, over the edges behind it


def test_the_weight_of_a_short_edge_stands_beside_it():
    places = np.array([(0.0, 0.0), (0.4, 0.0), (10.0, 3.0), (10.0, -3.0), (5.0, 0.0)])
    made = picture(view(positions=places, decision=cut(lightest=(0,)), weights=WEIGHTS + 0.25))
    start, stop = made.axes.transData.transform(places[:2])
    box = next(text for text in made._names._weights if text.get_text() == "1.25").get_window_extent()
    middle = (start + stop) / 2
    assert not box.contains(*middle)
    assert np.abs(np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]) - middle).max() < 60


def test_a_wide_room_is_filled_but_nothing_is_torn_apart():
    def spread(size):
        made = picture(view(decision=cut()), size=size)
        return np.ptp(made.axes.transData.transform(made.result.positions), axis=0)

    square, wide, very_wide = spread((5.0, 6.0)), spread((9.0, 4.0)), spread((30.0, 4.0))
    ratio = np.ptp(view().positions, axis=0)
    for shown in (square, wide, very_wide):
        assert 1 / 2.41 < (shown[0] / shown[1]) / (ratio[0] / ratio[1]) < 2.41
    assert very_wide[0] / very_wide[1] > square[0] / square[1]


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


SQUARE = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])


def test_single_edges_are_straight_and_parallel_ones_are_not():
    found = bows(np.array([(0, 1), (1, 2), (1, 0), (2, 3), (0, 1)]))
    assert found[1] == found[3] == 0
    assert len({*found[[0, 2, 4]]}) == 3
    assert found[[0, 2, 4]].sum() == pytest.approx(0)
    many = bows(np.tile([0, 1], (200, 1)))
    assert np.unique(many).size == 200
    assert np.ptp(many) < 1


def test_lines_join_the_vertices_and_gaps_divide_them():
    ends = np.array([(0, 1), (1, 0), (1, 2)])
    lines = EdgeLines(SQUARE, ends)
    for edge, points in enumerate(lines.segments()):
        assert {tuple(points[0]), tuple(points[-1])} == {tuple(SQUARE[end]) for end in ends[edge]}
        assert np.isfinite(points).all()
    only = lines.of(np.array([False, False, True]))
    assert np.isnan(only[-1]).all()
    assert only[:-1].tolist() == [[4, 0], [4, 4]]
    assert lines.of(np.zeros(3, dtype=bool)).shape == (0, 2)
    first, second = lines.middles[:2]
    assert first[1] == -second[1] != 0


def test_parallel_edges_bow_the_same_way_whichever_end_is_named_first():
    there, back = (EdgeLines(SQUARE, np.array(ends)) for ends in ([(0, 1), (0, 1)], [(1, 0), (0, 1)]))
    assert np.allclose(there.middles, back.middles)


def test_distances_are_those_of_the_nearest_points_in_pixels():
    ends = np.array([(0, 1), (1, 2), (2, 3), (0, 2)])
    lines = EdgeLines(SQUARE, ends)
    assert lines.distances(1, 0.5, IdentityTransform()) == pytest.approx([0.5, 3, 3.5, 0.5 / np.sqrt(2)])
    assert lines.distances(-3, -4, IdentityTransform())[0] == pytest.approx(5)
    wide = Affine2D().scale(10, 1)
    assert lines.distances(1, 0.5, wide)[1] == pytest.approx(30)


def test_a_graph_without_edges_has_no_lines():
    lines = EdgeLines(SQUARE, np.empty((0, 2), dtype=np.int64))
    assert lines.segments() == []
    assert lines.distances(0, 0, IdentityTransform()).size == 0
