"""Balls on the data: what is drawn where, and what is said about it."""

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import DARK, LIGHT, contrast
from app.plots.clustering.space_picture import lanes
from app.plots.figures import new_figure
from app.plots.one_cluster.map import RIMS, BallMap, centre_style, legend_entries
from engine.analysis.ball_scenes import MAX_DRAWN_BOXES, BallCloud, Boxes, Disc
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.mechanisms.one_cluster import OneCluster
from engine.privacy import Privacy

UNIT = Interval(0, 1)
NEAR = (Interval(0.15, 0.45), Interval(0.25, 0.55))
PLANE = (Direction("width", "cm", UNIT), Direction("height", "cm", UNIT))
BALL, TRUE = Disc(np.array([0.3, 0.4]), 0.1, 87), Disc(np.array([0.32, 0.41]), 0.08)
BOXES = Boxes(
    np.array([(0.2, 0.3), (0.6, 0.6), (0.25, 0.35)]),
    np.array([(0.4, 0.5), (0.8, 0.8), (0.45, 0.55)]),
    np.array([90, 3, 70]),
    0,
    side=0.2,
    held=3,
)


def values(n=300):
    return np.random.default_rng(0).uniform(0, 1, (n, 2))


def view(**changes):
    made = BallCloud(
        directions=PLANE,
        window=(UNIT, UNIT),
        records=Records.of(values(), [UNIT] * 2),
        balls=(BALL,),
        truth=(TRUE,),
        mean=np.array([0.33, 0.45]),
        true_mean=np.array([0.35, 0.35]),
        boxes=BOXES,
        n=300,
        simulated=True,
        target=100,
    )
    return dataclasses.replace(made, **changes)


def flat(**changes):
    def cut(disc):
        return dataclasses.replace(disc, center=disc.center[:1])

    one = view()
    boxes = dataclasses.replace(BOXES, lower=BOXES.lower[:, :1], upper=BOXES.upper[:, :1])
    parts = {"directions": PLANE[:1], "window": (UNIT,), "balls": (cut(BALL),), "truth": (cut(TRUE),)}
    parts |= {"records": Records.of(values()[:, :1], [UNIT]), "boxes": boxes}
    parts |= {"mean": one.mean[:1], "true_mean": one.true_mean[:1]}
    return dataclasses.replace(one, **(parts | changes))


def picture(shown, palette=LIGHT, size=(7.4, 3.8)):
    figure = new_figure(palette, size)
    FigureCanvasAgg(figure)
    made = BallMap.draw(figure.add_subplot(), shown, palette)
    figure.canvas.draw()
    return made


def pieces(line):
    """Split a line with gaps into its outlines."""
    points = line.get_xydata()
    parts = np.split(points, np.flatnonzero(np.isnan(points[:, 0])))
    return [piece[~np.isnan(piece[:, 0])] for piece in parts if len(piece) > 1]


def test_balls_have_their_centers_and_radii():
    made = picture(view())
    for kind, disc in (("balls", BALL), ("truth", TRUE)):
        [rim] = pieces(made._rims[kind])
        np.testing.assert_allclose(np.linalg.norm(rim - disc.center, axis=1), disc.radius)
        np.testing.assert_array_equal(made._marks[kind].get_xydata(), [disc.center])
    [fill] = made._fill.get_paths()
    np.testing.assert_allclose(np.linalg.norm(fill.vertices - BALL.center, axis=1), BALL.radius)


def test_what_is_released_and_what_is_true_differ_by_more_than_colour():
    assert RIMS["balls"]["linestyle"] != RIMS["truth"]["linestyle"]
    for palette in (LIGHT, DARK):
        styles = {mark: centre_style(mark, palette) for mark in ("balls", "truth", "mean", "true_mean")}
        assert len({style["marker"] for style in styles.values()}) == 4
        for mark, style in styles.items():
            assert style["color"] == (palette.truth if "tru" in mark else palette.released)
            assert contrast(style["color"], palette.card) > 3


def test_the_key_tells_a_release_from_a_simulation():
    texts = picture(view())._legend.texts()
    assert texts[texts.index("this simulated run:") + 1] == "87 records within 0.1\u202fcm"
    assert texts[texts.index("true ball:") + 1] == "radius 0.08\u202fcm"
    assert "simulated mean inside" in texts
    released = picture(view(simulated=False, balls=(BALL, TRUE), truth=()))._legend.texts()
    assert "2 released balls" in released
    assert "released mean inside" in released
    assert "true ball:" not in released
    assert texts[texts.index("this simulated run:") + 2] == "center (0.3, 0.4)"
    assert picture(view()).summary() == "This run's ball holds 87 of the 100 wanted"
    assert picture(view(simulated=False, target=0)).summary() == "This ball holds 87 records"
    assert picture(view(balls=(BALL, TRUE))).summary() == ""


def test_the_public_view_shows_bounds_and_the_release_alone():
    public = BallCloud(PLANE, (UNIT, UNIT), balls=(Disc(BALL.center, 0.1),), n=300, target=100)
    made = picture(public)
    assert made._legend.texts() == [
        "declared bounds",
        "released ball:",
        "radius 0.1\u202fcm",
        "center (0.3, 0.4)",
    ]
    assert made.table()[1] == [["released ball", 1, 0.1, 0.3, 0.4]]
    assert made.alt_text() == (
        "Along width and height: released ball: radius 0.1\u202fcm, center width 0.3\u202fcm, "
        "height 0.4\u202fcm."
    )


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_fuller_boxes_are_darker_and_the_chosen_one_has_a_rim(palette):
    made = picture(view(), palette)
    corners = [path.vertices.min(axis=0).tolist() for path in made._boxes.get_paths()]
    assert corners == BOXES.lower[[1, 2, 0]].tolist()
    colours = [
        "#{:02X}{:02X}{:02X}".format(*row)
        for row in np.round(255 * made._boxes.get_facecolors()[:, :3]).astype(int)
    ]
    contrasts = [contrast(colour, palette.card) for colour in colours]
    assert contrasts == sorted(set(contrasts))
    [rim] = pieces(made._winner)
    assert rim.min(axis=0).tolist() == [0.2, 0.3]
    assert rim.max(axis=0).tolist() == [0.4, 0.5]
    assert "chosen: 90 records" in made._legend.texts()
    without = picture(view(boxes=dataclasses.replace(BOXES, chosen=None)), palette)
    assert not pieces(without._winner)


def test_of_many_boxes_the_fullest_are_drawn_and_the_chosen_one_in_any_case():
    low = np.random.default_rng(2).uniform(0, 0.9, (1000, 2))
    boxes = Boxes(low, low + 0.1, np.arange(1000), 4, 0.1, 1000)
    made = picture(view(boxes=boxes))
    drawn = [path.vertices.min(axis=0) for path in made._boxes.get_paths()]
    np.testing.assert_array_equal(drawn, low[-MAX_DRAWN_BOXES:])
    assert f"fullest {MAX_DRAWN_BOXES} of 1\u202f000 cells;" in made._legend.texts()
    assert "chosen: 4 records" in made._legend.texts()


def test_the_key_says_where_cells_overlap():
    lower = np.array([(0.2, 0.2), (0.3, 0.2)])
    for side, overlaps in ((0.1, False), (0.2, True)):
        boxes = Boxes(lower, lower + side, np.array([5, 4]), 0, side, 2)
        assert ("(cells overlap)" in picture(view(boxes=boxes))._legend.texts()) == overlaps


def test_a_small_chosen_box_is_enlarged_with_its_neighbours():
    corner = np.array([(1.0, 1.0)])
    boxes = Boxes(corner - 1e-6, corner + 1e-6, np.array([500]), 0, 2e-6, 1)
    made = picture(view(boxes=boxes, balls=(Disc(corner[0], 0.0, 500), Disc(corner[0], 1e-3)), truth=()))
    across, up = made.enlarged_part(made.result)
    assert across == up
    assert (across.lower, across.upper) == pytest.approx((1 - 3e-6, 1 + 3e-6), abs=1e-9)
    assert made.named  # the whole map shrinks for it
    assert made._rims["balls"].get_linestyle() == "-"  # too small for dashes
    assert made.enlarged_part(view()) is None
    assert picture(view())._rims["balls"].get_linestyle() != "-"
    alone = picture(view(boxes=boxes, balls=(Disc(corner[0], 0.0, 500),)))
    assert "500 records at one point" in alone._legend.texts()


def test_boxes_go_when_there_are_none_any_more():
    made = picture(view())
    assert made.update(view(boxes=None, records=made.result.records))
    assert not made._boxes.get_paths()
    assert not pieces(made._winner)
    assert not pieces(made._winner)


def test_one_direction_has_a_lane_for_each_kind():
    shown = flat()
    made = picture(shown)
    assert list(lanes(shown)) == ["records", "boxes", "truth", "balls"]
    [bar] = pieces(made._rims["balls"])
    assert bar[:, 0].min() == pytest.approx(0.2)
    assert bar[:, 0].max() == pytest.approx(0.4)
    assert made.tooltip(0.24, lanes(shown)["balls"]).startswith("simulated ball: 87 records")
    assert made.tooltip(0.7, lanes(shown)["boxes"]).startswith("3 records in the cell width 0.6")
    assert made.tooltip(0.9, lanes(shown)["balls"]) == ""


def test_the_pointer_is_told_what_lies_under_it():
    made = picture(view(records=Records.of(values(5000), [UNIT] * 2)))
    assert made.tooltip(0.3, 0.4).startswith("simulated ball: 87 records within 0.1")
    assert made.tooltip(0.33, 0.45) == "simulated mean inside: width 0.33\u202fcm, height 0.45\u202fcm"
    rim = made.tooltip(0.32, 0.41 - 0.08)
    assert rim.startswith("true ball (the smallest around a record that holds 100): radius 0.08")
    assert "in the cell at width 0.9" in made.tooltip(0.9, 0.1)
    alone = picture(BallCloud(PLANE, (UNIT, UNIT), records=view().records))
    assert alone.tooltip(*values()[17]).startswith("record 18: width")
    assert made.point_at(2.0, 2.0) == ""


def test_of_overlapping_boxes_the_pointer_is_told_of_the_chosen_one_else_of_the_fullest():
    bare = {"balls": (), "truth": (), "mean": None, "true_mean": None}
    made = picture(view(**bare, boxes=dataclasses.replace(BOXES, chosen=2)))
    words = made.tooltip(0.38, 0.36)
    assert words.startswith("70 records in the cell width 0.25\u202fcm to 0.45\u202fcm, height 0.35\u202fcm")
    assert words.endswith("(chosen)")
    assert made.tooltip(0.22, 0.32).startswith("90 records in the cell width 0.2")
    none = picture(view(**bare, boxes=dataclasses.replace(BOXES, chosen=None)))
    assert none.tooltip(0.38, 0.36).startswith("90 records")


def test_a_closeup_has_an_edge_of_its_own():
    across, _ = NEAR
    near = picture(view(window=NEAR))
    assert all(spine.get_visible() for spine in near.axes.spines.values())
    texts = [entry.text for entry in legend_entries(near.result, near.palette)]
    assert "declared bounds" not in texts
    inside = ((values() >= (0.15, 0.25)) & (values() <= (0.45, 0.55))).all(axis=1)
    assert f"{inside.sum()} of 300 records" in texts
    far = picture(view())
    assert not any(spine.get_visible() for spine in far.axes.spines.values())
    assert "declared bounds" in [entry.text for entry in legend_entries(far.result, far.palette)]
    assert near.axes.get_xlim()[0] == pytest.approx(across.lower, abs=0.05 * across.width)


def test_a_closeup_has_a_small_map_of_the_whole_below_its_key():
    assert picture(view())._inset.box() is None
    records = Records.of(values(), [UNIT] * 2)
    made = picture(view(window=NEAR, boxes=None, whole=records))
    inset, box = made._inset, made._inset.box()
    assert box.x0 > made.axes.bbox.x1
    assert box.y1 < made._legend.foot
    frame = inset._frame(inset._seen, box)
    middle = ((frame.p0 + frame.p1) / 2 - box.p0) / box.size
    np.testing.assert_allclose(middle, [(side.lower + side.upper) / 2 for side in NEAR])
    assert made._whole.get_visible()
    assert inset._text.get_text() == "whole range: 0\u202fcm to 1\u202fcm; frame: close-up"
    made.update(dataclasses.replace(made.result, whole=None))
    assert made._inset.box() is not None
    assert not made._whole.get_visible()


def test_marks_do_not_hide_a_small_ball():
    sizes = [
        picture(view(balls=(Disc(BALL.center, radius),), truth=()))._marks["balls"].get_markersize()
        for radius in (0.1, 0.022, 0.001)
    ]
    assert sizes[0] > sizes[1] > sizes[2] > 0.5 * sizes[0]


def test_only_another_background_is_drawn_anew():
    shown = view()
    made = picture(shown)
    moved = dataclasses.replace(shown, balls=(Disc(np.array([0.5, 0.5]), 0.1, 87),))
    assert made.update(moved) is False
    assert made.update(dataclasses.replace(shown, boxes=dataclasses.replace(BOXES)))
    assert made.update(dataclasses.replace(shown, window=NEAR))


def test_what_the_engine_finds_is_drawn_where_it_is():
    points = np.concatenate([np.full((300, 2), 0.7), values(300)])
    mechanism = OneCluster(t=250)
    prepared = mechanism.prepare(Points(points, Box.of([0, 0], [1, 1])), Privacy(2.0, 1e-6))
    found = prepared.run(np.random.default_rng(3)).searches[0]
    cells = found.tries[-1]
    low, high = cells.bounds(cells.cells.corners)
    [chosen] = np.flatnonzero((cells.cells.corners == cells.chosen).all(axis=1)).tolist()
    boxes = Boxes(low, high, cells.cells.counts, chosen, 0.1, len(low))
    made = picture(view(boxes=boxes, balls=(Disc(np.array(found.ball.center), found.ball.radius),)))
    assert f"chosen: {cells.cells.counts[chosen]} records" in made._legend.texts()
    inside = ((points >= low[chosen]) & (points <= high[chosen])).all(axis=1)
    assert inside.sum() == cells.cells.counts[chosen]
