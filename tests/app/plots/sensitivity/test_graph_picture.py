"""The picture of a graph: strengths, marks, names, weights, and room."""

import dataclasses
import itertools

import numpy as np
import pytest
from graph_pictures import NAMES, WEIGHTS, cut, large, mask, picture, view

from app.model.theme import DARK, LIGHT, contrast
from app.plots.sensitivity.graph_picture import LEVELS, is_dense, strengths, weight_levels
from app.plots.sensitivity.graph_view import DecidingPair

PAIR = DecidingPair(2, (0, 2), ("Ada", "Cy"), np.array([1, 3]), 2, mask(0, 1, 2, 3), 4.0)


def test_light_edges_are_strong_and_all_can_be_seen():
    assert weight_levels(view()).tolist() == [0, 0, 1, 2, 3, 4, 4]
    assert weight_levels(view(weights=None)).tolist() == [LEVELS // 2] * 7
    for palette in (LIGHT, DARK):
        colours, widths = zip(*strengths(palette), strict=True)
        contrasts = [contrast(colour, palette.card) for colour in colours]
        assert contrasts == sorted(contrasts, reverse=True)
        assert list(widths) == sorted(widths, reverse=True)
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
    assert made._legend.texts() == ["the pair, joined or not", "common neighbours", "taken away"]
    assert (
        "Ada and Cy have 2 common neighbours, and 2 more after 2 changes. So many triangles"
        in made.alt_text()
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
