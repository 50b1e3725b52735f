"""The picture of a graph: what is marked, what is written, what is under the pointer, and how fast."""

import dataclasses
import io
import itertools
import time

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.plots.figures import NOT_PRIVATE, export_figure, new_figure
from app.plots.sensitivity.graph_layout import layout
from app.plots.sensitivity.graph_picture import GraphPicture, draw_graph
from app.plots.sensitivity.graph_style import LEVELS, strengths, weight_levels
from app.plots.sensitivity.graph_view import DecidingCut, DecidingPair, GraphView
from app.theme import DARK, LIGHT, contrast
from engine.domain import Interval

# a square with a diagonal, a tail, and one edge that stands twice
ENDS = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4), (1, 0)])
WEIGHTS = np.array([1.0, 2, 3, 4, 5, 6, 7])
NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve")


def mask(*chosen, size=7):
    return np.isin(np.arange(size), chosen)


def view(**changes):
    made = GraphView(
        positions=layout(ENDS, 5),
        names=NAMES,
        sizes=np.ones(5, dtype=np.int64),
        ends=ENDS,
        edges=np.arange(10, 17),
        weights=WEIGHTS,
        ramp=(1.0, 7.0),
        tree=mask(0, 1, 2, 5),
        bridges=mask(5),
        absent=mask(),
        domain=Interval(0, 10),
        n=5,
        m=7,
    )
    return dataclasses.replace(made, **changes)


def cut(k=1, rising=True, lightest=(1, 2, 3), count=4, weights=(2.0, 3.0, 4.0), sensitivity=2.0):
    side = np.array([False, False, True, False, False])
    return DecidingCut(k, side, mask(1, 2, 3, 4), lightest, weights, count, sensitivity, rising)


PAIR = DecidingPair(2, (0, 2), ("Ada", "Cy"), np.array([1, 3]), 2, mask(0, 1, 2, 3), 4.0)


def picture(shown, palette=LIGHT, unit="km", size=(7.4, 4.2), scale=1.0):
    figure = new_figure(palette, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = draw_graph(figure.add_subplot(), shown, palette, unit)
    figure.canvas.draw()
    return made


def large(width=50, height=40):
    """A map of 2,000 places and nearly 4,000 roads."""
    rng = np.random.default_rng(3)
    at = np.arange(width * height).reshape(height, width)
    steps = [(at[:, :-1], at[:, 1:]), (at[:-1, 0], at[1:, 0]), (at[:-1, 1:], at[1:, 1:])]
    ends = np.concatenate([np.column_stack([one.ravel(), other.ravel()]) for one, other in steps])
    n, m = width * height, len(ends)
    places = np.column_stack([np.arange(n) % width, np.arange(n) // width]) + rng.normal(0, 0.2, (n, 2))
    side = places[:, 0] < 10
    crossing = side[ends[:, 0]] != side[ends[:, 1]]
    return GraphView(
        positions=places,
        names=tuple(map(str, range(n))),
        sizes=np.ones(n, dtype=np.int64),
        ends=ends,
        edges=np.arange(m),
        weights=rng.random(m) * 10,
        ramp=(0.0, 10.0),
        tree=np.arange(m) < n - 1,
        bridges=np.zeros(m, dtype=bool),
        absent=np.zeros(m, dtype=bool),
        domain=Interval(0, 10),
        n=n,
        m=m,
        decision=DecidingCut(1, side, crossing, (5,), (1.0, 2.0, 3.0), int(crossing.sum()), 2.0, False),
    )


def test_light_edges_are_strong_and_all_can_be_seen():
    assert weight_levels(view()).tolist() == [0, 0, 1, 2, 3, 4, 4]
    assert weight_levels(view(weights=None)).tolist() == [LEVELS // 2] * 7
    for palette in (LIGHT, DARK):
        colours, widths = zip(*strengths(palette), strict=True)
        contrasts = [contrast(colour, palette.card) for colour in colours]
        assert contrasts == sorted(contrasts, reverse=True)
        assert list(widths) == sorted(widths, reverse=True)
        assert min(contrasts) > 1.3


def test_tree_cut_and_what_decides_are_marked_and_differ_by_more_than_colour():
    made = picture(view(decision=cut()))
    assert len(made._tree.get_segments()) == 4
    assert np.isfinite(made._deciding.get_xdata()).sum() == 6
    assert np.isfinite(made._crossing.get_xdata()).sum() == 2  # the diagonal, which decides nothing
    assert made._crossing.is_dashed()
    assert made._tree.get_linestyle() == [(0, None)]
    assert made._tree.get_linewidth()[0] > max(width for _, width in strengths(LIGHT))
    assert made._side.get_offsets().tolist() == made.result.positions[[2]].tolist()
    assert len(made._plain.get_offsets()) == 4
    square, circle = (points.get_paths()[0] for points in (made._side, made._plain))
    assert len(square) != len(circle)
    assert not picture(view())._side.get_visible()


def test_the_pair_and_its_common_neighbours_are_marked():
    made = picture(view(decision=PAIR, weights=None, tree=mask(), absent=mask(4)), unit="")
    assert len(made._side.get_offsets()) == len(made._common.get_offsets()) == 2
    assert made._link.get_xydata().tolist() == made.result.positions[[0, 2]].tolist()
    assert np.isfinite(made._absent.get_xdata()).sum() == 2
    assert made._key.texts() == ["the pair, joined or not", "common neighbours", "taken away"]
    assert (
        "Ada and Cy have 2 common neighbours, and 2 more after 2 changes. So many triangles" in made.summary()
    )
    assert made.table()[0][3:] == ["joined", "to a common neighbour"]


@pytest.mark.parametrize(
    ("decision", "parts"),
    [
        (
            cut(),
            [
                "k = 1: first the edge after the lightest (2) between the two sides rises to 10. ",
                "When the lightest rises, too, the tree has to take the next, 4: the cost moves by ",
                "A⁽¹⁾\xa0=\xa02\u202fkm.",
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
            ["k = 0: a bridge, the only edge between the two sides. When its weight of 2 becomes 10, the"],
        ),
        (cut(0, rising=False, count=1, weights=(7.0, 10.0)), ["When its weight of 7 becomes 0, the cost"]),
        (cut(count=1), ["When its weight is first 0 and then 10, the cost moves by"]),
    ],
)
def test_a_sentence_says_what_decides(decision, parts):
    words = view(decision=decision).sentence("km")
    for part in parts:
        assert part in words
    assert picture(view(decision=decision)).summary().endswith(words)


@pytest.mark.parametrize("scale", [1.0, 1.5], ids=["window", "projector"])
@pytest.mark.parametrize("size", [(7.4, 3.0), (4.2, 6.0), (14.0, 8.0)])
def test_nothing_is_clipped_and_no_label_lies_on_another(size, scale):
    made = picture(view(decision=cut(), chosen=14), size=size, scale=scale)
    width, height = made.axes.figure.canvas.get_width_height()
    renderer = made.axes.figure.canvas.get_renderer()
    labels = made._names.boxes(renderer)
    pieces = [*labels, made._sentence.get_window_extent(renderer), made._key.get_window_extent(renderer)]
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
    assert made._room.name_size >= 6
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
    assert len(made._names._grounds) >= 1


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
        assert 1 / 1.61 < (shown[0] / shown[1]) / (ratio[0] / ratio[1]) < 1.61
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
    assert made.describe(*places[0]) == "Ada: 4 edges"
    middle = (places[3] + places[4]) / 2
    assert made.describe(*middle) == "Dee – Eve: 6\u202fkm · in the spanning tree · a bridge"
    middle = (places[1] + places[2]) / 2
    assert made.point_at(*middle) == "Bo – Cy: 2\u202fkm · in the spanning tree · across the cut"
    assert not made.cursor.get_visible()
    assert made.describe(99, 99) == ""
    grouped = picture(view(sizes=np.array([1, 30, 1, 1, 1]), n=34))
    assert grouped.describe(*places[1]) == "30 vertices, Bo among them"


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
    assert made._key.texts()[-1] == "5 groups stand for 34 vertices · 7 of 500 edges drawn"
    assert "7 of 500 edges" in made.summary()
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
    assert np.isfinite(made._halo.get_xdata()).sum() == 2
    assert len(made._rings.get_offsets()) == 2
    made.update(view(chosen=99))
    assert not made._rings.get_visible()


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_saved_figures_are_complete(palette):
    figure = export_figure(GraphPicture, view(decision=cut()), palette, "km", title="A graph")
    made = next(artist for artist in figure.axes[0].get_children() if hasattr(artist, "words"))
    assert made.words.startswith("k = 1")
    for form in ("png", "svg", "pdf"):
        target = io.BytesIO()
        figure.savefig(target, format=form)
        assert target.tell() > 5000
    assert [text.get_text() for text in figure.texts if text.get_text() != "A graph"] == [NOT_PRIVATE]
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
    assert made.describe(0.5, 0.5) == made.summary() == ""
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


def test_two_thousand_vertices_are_redrawn_within_50_ms():
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
        start = time.perf_counter()
        made.update(dataclasses.replace(shown, chosen=edge))
        for artist in sorted(made.artists, key=lambda artist: artist.get_zorder()):
            artist.draw(renderer)
        spent.append(time.perf_counter() - start)
    assert sorted(spent)[4] < 0.05
