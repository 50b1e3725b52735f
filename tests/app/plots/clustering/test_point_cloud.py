"""The picture of points: what is drawn and said, room for the legend, close-ups, and how fast it is drawn."""

from __future__ import annotations

import dataclasses
import itertools
import time

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from point_clouds import MIDDLES, PLANE, UNIT, flat, picture, values, view

from app.model.theme import DARK, LIGHT, contrast
from app.model.wording.numbers import number
from app.plots.clustering.point_cloud import PointCloud, attention, baseline, mark_style
from app.plots.clustering.space_picture import lanes, place_points, shades
from app.plots.figures import new_figure
from engine.aggregation.blocks import Partition
from engine.analysis.clouds import Cloud
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import CELLS, Records
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.mechanisms.sample_aggregate import Clusters
from engine.privacy import Privacy

NAMES = ["declared bounds", "300 records", "outputs of 40 blocks", "center of attention"]


def outlines(line):
    """Split a line with gaps into its pieces."""
    points = line.get_xydata()
    ends = np.flatnonzero(np.isnan(points[:, 0]))
    return [piece[~np.isnan(piece[:, 0])] for piece in np.split(points, ends) if len(piece) > 1]


def test_a_window_counts_only_what_it_shows():
    points = values(20_000)
    window = (Interval(0.1, 0.3), Interval(0.2, 0.3))
    inside = ((points >= (0.1, 0.2)) & (points <= (0.3, 0.3))).all(axis=1)
    assert Records.of(points, window).counts.sum() == inside.sum()


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_more_records_have_more_ink(palette):
    image = shades(np.array([[0, 1, 5, 100]]), palette)[0]
    assert {"#{:02X}{:02X}{:02X}".format(*pixel[:3]) for pixel in image} == {palette.ink}
    assert image[0, 3] == 0
    contrasts = [contrast(palette.tint(palette.ink, pixel[3] / 255), palette.card) for pixel in image]
    assert contrasts == sorted(set(contrasts))
    assert contrasts[-1] > 3


def test_a_dense_spot_stands_out_of_a_background():
    counts = np.ones((40, 40), dtype=np.int64)
    counts[7, 9] = 40  # one cell in 1600, which holds 2.4 % of the records
    image = shades(counts, LIGHT)
    assert image[7, 9, 3] > 2.5 * image[0, 0, 3]


def test_the_image_lies_where_the_records_are():
    counts = np.zeros((CELLS, CELLS), dtype=np.int64)
    counts[10, 100] = 7
    made = picture(view(records=Records(7, None, counts, (UNIT, UNIT))))
    pixels = np.asarray(made._image.get_array())
    [(row, column)] = np.argwhere(pixels[..., 3])
    assert (column, row) == (10, 100)
    assert made._image.get_extent() == [0, 1, 0, 1]
    where = (10.5 / CELLS, 100.5 / CELLS)
    clear = picture(Cloud(directions=PLANE, records=Records(7, None, counts, (UNIT, UNIT))))
    assert clear.tooltip(*where).startswith("7 records in the cell at width 0.0656")
    assert clear.tooltip(0.9, 0.1).startswith("0 records")
    assert clear.tooltip(1.01, 0.5) == ""


def test_regions_are_drawn_around_the_release_and_before_it_around_the_center():
    for shown, middles in ((view(), view().released), (view(released=None), view().center)):
        made = picture(shown)
        for line, size in ((made._inner_rim, 0.1), (made._outer_rim, 0.3)):
            pieces = outlines(line)
            assert len(pieces) == 3
            for piece, middle in zip(pieces, middles, strict=True):
                np.testing.assert_allclose(np.linalg.norm(piece - middle, axis=1), size)
    assert not outlines(picture(view(regions=None))._inner_rim)


def test_each_circle_holds_the_majority_of_the_outputs_that_are_drawn():
    shown = view()
    made = picture(shown)
    circles = outlines(made._circles)
    for j, (piece, middle) in enumerate(zip(circles, shown.center, strict=True)):
        (radius,) = set(np.linalg.norm(piece - middle, axis=1).round(9))
        assert (np.linalg.norm(shown.outputs[:, j] - middle, axis=1) < radius + 1e-9).sum() == 21
    assert "majority: 21 of each center" in made._legend.texts()
    near = picture(shown.closeup(1))
    size = number(np.linalg.norm(circles[1][0] - shown.center[1]))
    texts = near._legend.texts()
    assert texts[texts.index("center 2 alone:") + 1] == f"majority: 21 within {size}\u202fcm"
    assert not outlines(picture(view(radius=None))._circles)


def test_each_mark_has_a_colour_a_shape_and_an_entry():
    made = picture(view())
    assert made._legend.texts()[:4] == NAMES
    assert made._legend.texts()[5:] == [
        "true centers",
        "noisy Lloyd, released",
        "released",
        "50 % and 95 % of its noise",
    ]
    colours = {mark: line.get_color() for mark, line in made._marks.items()}
    assert colours == {
        "truth": LIGHT.truth,
        "released": LIGHT.released,
        "baseline": baseline(LIGHT),
        "center": attention(LIGHT),
    }
    assert len({line.get_marker() for line in made._marks.values()}) == 4
    for palette in (LIGHT, DARK):
        for mark in colours:
            assert contrast(mark_style(mark, palette)["color"], palette.card) > 3
    before = picture(view(released=None, baseline=None))._legend.texts()
    assert before[-1] == "50 % and 95 % of releases"
    assert "one simulated release" in picture(view(simulated=True))._legend.texts()


def test_the_public_view_shows_bounds_and_releases_alone():
    public = Cloud(directions=PLANE, released=view().released, baseline=MIDDLES)
    made = picture(public)
    assert made._legend.texts() == ["declared bounds", "noisy Lloyd, released", "released"]
    header, rows = made.table()
    assert header == ["mark", "record, block or count", "center", "width", "height"]
    assert len(rows) == 6


def test_directions_found_in_the_data_say_so_and_have_no_public_box():
    sides = tuple(dataclasses.replace(side, private=True) for side in PLANE)
    made = picture(view(directions=sides))
    assert "declared bounds" not in made._legend.texts()
    named = "height (found in the data) ↑   width (found in the data) →"
    assert made.axes.get_title(loc="left") == named


def test_directions_in_one_unit_are_drawn_to_scale():
    def scale(made):
        (x0, y0), (x1, y1) = made.axes.transData.transform([(0, 0), (1, 1)])
        return (x1 - x0) / (y1 - y0)

    assert scale(picture(view())) == pytest.approx(1, abs=0.01)
    other = (PLANE[0], Direction("weight", "kg", UNIT))
    assert scale(picture(view(directions=other))) > 1.3


def test_one_direction_has_a_lane_for_each_kind():
    shown = flat()
    made = picture(shown)
    assert lanes(shown) == {kind: -i for i, kind in enumerate(lanes(shown))}
    assert list(lanes(shown)) == ["records", "outputs", "center", "truth", "baseline", "released"]
    heights = place_points(shown, "outputs", shown.outputs)[:, 1]
    assert (np.abs(heights - lanes(shown)["outputs"]) < 0.5).all()
    for mark, line in made._marks.items():
        assert set(line.get_ydata()) == {lanes(shown)[mark]}
    bars = outlines(made._circles)
    assert len(bars) == 3
    assert not made.axes.yaxis.get_visible()
    many = flat(records=Records.of(values(5000)[:, :1], [UNIT]))
    assert "records in the cell at width" in picture(many).tooltip(0.2, 0)
    assert picture(many).tooltip(0.9, -0.5) == ""


def test_the_pointer_is_told_what_lies_under_it():
    made = picture(view())
    assert made.tooltip(0.1, 0.3) == "released: width 0.1\u202fcm, height 0.3\u202fcm"
    assert made.tooltip(*(MIDDLES[0] + 0.1)).startswith("noisy Lloyd, released: width 0.3")
    together = picture(view(released=MIDDLES, baseline=MIDDLES, truth=MIDDLES, center=None, radius=None))
    names = [line.partition(":")[0] for line in together.tooltip(*MIDDLES[1]).splitlines()]
    assert names == ["released", "noisy Lloyd, released", "true centers"]
    far = picture(view(center=None, radius=None, truth=None))
    block = far.tooltip(*view().outputs[5, 1])
    assert block.startswith("output of block")
    assert "center 2: width 0.7" in block
    alone = picture(Cloud(directions=PLANE, records=view().records))
    assert alone.tooltip(*values()[17]).startswith("record ")
    assert made.point_at(0.99, 0.01) == ""


def test_the_table_holds_all_numbers():
    rows = picture(view()).table()[1]
    assert rows[0] == ["released", "", 1, 0.1, 0.3]
    kinds = [row[0] for row in rows]
    assert kinds.count("output") == 120
    assert kinds.count("record") == 300
    assert ["half-width of the 95 % region", "", 2, 0.3, 0.3] in rows
    radii = [row for row in rows if row[0] == "radius of 21 outputs"]
    assert [row[2] for row in radii] == [1, 2, 3]
    assert all(x == y > 0 for *_, x, y in radii)
    many = Records.of(values(5000), [UNIT] * 2)
    cells = [row for row in picture(view(records=many)).table()[1] if row[0] == "records in a cell"]
    assert sum(row[1] for row in cells) == 5000
    for _, count, _, x, y in cells[:20]:
        assert many.counts[int(x * CELLS), int(y * CELLS)] == count


@pytest.mark.parametrize("scale", [1.0, 1.5], ids=["window", "projector"])
@pytest.mark.parametrize(
    ("shown", "size"),
    [
        *((view, (7.4, 3.8)), (flat, (4.6, 5.6)), (view, (12.0, 5.0))),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in ((flat, (7.4, 3.8)), (view, (4.6, 5.6)), (flat, (12.0, 5.0)))
        ),
    ],
)
def test_the_key_stands_clear_of_everything(shown, size, scale):
    made = picture(shown(), size=size, scale=scale)
    figure = made.axes.figure
    renderer = figure.canvas.get_renderer()
    width, height = figure.canvas.get_width_height()
    texts = made._legend._texts
    boxes = [text.get_window_extent(renderer) for text in texts if text.get_text()]
    assert len(boxes) == 9
    for one, other in itertools.combinations(boxes, 2):
        assert (np.minimum(one.max, other.max) - np.maximum(one.min, other.min)).min() <= 1
    others = [tick.label1 for tick in made.axes.xaxis.get_major_ticks()] + [made.axes.xaxis.label]
    taken = [made.axes.bbox, *(text.get_window_extent(renderer) for text in others)]
    for box in boxes:
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= width
        assert box.y1 <= height
        for other in taken:
            assert (np.minimum(box.max, other.max) - np.maximum(box.min, other.min)).min() <= 1


def test_only_another_background_is_drawn_anew():
    shown = view()
    made = picture(shown)
    assert made.update(dataclasses.replace(shown, released=MIDDLES, regions=shown.regions * 2)) is False
    assert made.update(dataclasses.replace(shown, outputs=shown.outputs + 0.01))
    part, alone = (Interval(0.1, 0.4), Interval(0.2, 0.4)), view(regions=None)
    made = picture(dataclasses.replace(alone, zoom=part))
    assert made.update(dataclasses.replace(alone, zoom=part[::-1])) is False
    assert made.axes.get_xlim()[0] < 0
    along = flat()
    assert picture(along).update(dataclasses.replace(along, zoom=part[:1]))


def test_outputs_are_enlarged_around_one_center_and_keep_the_scale():
    shown = view(records=Records.of(values(5000), [UNIT] * 2))
    near = shown.closeup(1)
    across, up = near.zoom
    assert across.width == pytest.approx(up.width)
    assert across.width < 0.2
    around = shown.outputs[:, 1]
    inside = (around >= (across.lower, up.lower)) & (around <= (across.upper, up.upper))
    assert inside.all(axis=1).mean() >= 0.95
    made = picture(near)
    assert made._image.get_visible()
    assert made.axes.get_xlim() == picture(shown).axes.get_xlim()
    assert view(outputs=None, released=None).closeup(1).zoom is None
    assert view(outputs=None, released=np.full((2, 2), np.nan)).closeup(1).zoom is None
    assert view(outputs=None, regions=np.full((2, 2, 2), np.nan)).closeup(1).zoom is None
    strip = flat().closeup(0)
    assert strip.window[0].width < 0.2
    assert picture(strip)._inset.box() is None


def test_a_release_is_enlarged_around_a_true_point():
    truth = np.array([[0.2, 0.3], [0.7, 0.6]])
    marks = {"truth": truth, "released": truth + 0.001, "baseline": truth + 0.3}
    shown = view(outputs=None, regions=None, radius=None, **marks)
    near = shown.closeup(1)
    assert [(side.lower + side.upper) / 2 for side in near.zoom] == pytest.approx(truth[1].tolist())
    assert near.baseline is None  # it is out of view
    assert dataclasses.replace(shown, baseline=truth).closeup(1).baseline is truth
    made = picture(near)
    assert made._inset._text.get_text() == "center 2, enlarged"
    assert made._inset._length.get_text() == "0.001\u202fcm"  # of 0.005
    assert [text.get_text() for text in made._numbers] == ["1", "2"]
    texts = made._legend.texts()
    assert "true centers" in texts
    assert not any("close-up" in text for text in texts)


def test_the_key_says_how_large_the_regions_of_the_enlarged_center_are():
    sizes = np.array([[(0.01, 0.01), (0.02, 0.02)], [(0.03, 0.03), (0.05, 0.0505)]])
    truth = MIDDLES[:2]
    shown = view(outputs=None, radius=None, center=None, regions=sizes, truth=truth, released=truth)
    texts = picture(shown.closeup(1))._legend.texts()
    said = texts.index("center 2 alone:")
    assert texts[said + 1 : said + 3] == ["50 % within 0.02\u202fcm,", "95 % within 0.05\u202fcm"]
    narrow = dataclasses.replace(shown, regions=sizes * (1, 2)).closeup(1)
    assert "50 % and 95 % of its noise" in picture(narrow)._legend.texts()


def test_the_error_of_a_release_is_summed_up():
    said = picture(view(error=0.25)).summary()
    assert said == "The 3 centers are 0.25\u202fcm off (root sum of squares)"
    alone = picture(view(error=0.25, truth=MIDDLES[:1])).summary()
    assert alone == "This release is 0.25\u202fcm from the truth"
    before = picture(view(error=0.25, released=None)).summary()
    assert before == "The 3 centers are 0.25\u202fcm off (root sum of squares), without noise"
    assert picture(view()).summary() == picture(view(error=np.nan)).summary() == ""


@pytest.mark.parametrize("size", [(7.4, 3.8), (3.0, 5.0)], ids=["below the key", "in a corner"])
def test_an_enlarged_part_stands_clear_of_its_frame_and_is_joined_to_it(size):
    shown = view(outputs=None, regions=None, radius=None, released=MIDDLES + 0.001)
    assert picture(shown)._inset.box() is None
    made = picture(shown.closeup(1), size=size)
    inset, home = made._inset, made.axes.bbox
    box, foot = inset.box(), made._legend.foot
    frame = inset._frame(inset._seen, box)
    middle = (frame.p0 + frame.p1) / 2
    np.testing.assert_allclose(middle, made.axes.transData.transform(MIDDLES[1]), atol=1)
    assert not frame.overlaps(box)
    if foot is None:
        assert home.contains(*box.p0)
        assert home.contains(*box.p1)
    else:
        assert box.x0 > home.x1
        assert box.y1 < foot
        assert box.y0 >= home.y0 - 1e-6


def test_the_line_to_an_enlarged_part_stays_clear_of_other_marks():
    middles = np.array([[0.2, 0.5], [0.6, 0.5]])  # the second one on the shortest way
    shown = view(outputs=None, regions=None, radius=None, truth=middles, released=middles + 0.001)
    inset = picture(shown.closeup(0))._inset
    box, start = inset.box(), inset.home.transData.transform(middles[0])
    straight = (start, np.array([box.x0, start[1]]))
    assert inset._clearance(straight) < 1
    assert max(inset._clearance((start, end)) for end in box.corners()[:2]) > 10


def test_an_enlarged_part_shows_the_marks_where_they_are():
    made = picture(view(outputs=None, radius=None, released=MIDDLES + 0.001).closeup(1))
    inset, box = made._inset, made._inset.box()
    shown = {
        part.get_marker(): part for part in inset._parts(inset._seen, box) if hasattr(part, "get_marker")
    }
    cross = shown["+"].get_transform().transform(MIDDLES[1])
    np.testing.assert_allclose(cross, (box.p0 + box.p1) / 2)
    assert shown["+"].get_clip_box() is box
    assert made._marks["truth"].get_transform() is made.axes.transData  # the large map keeps its own


def test_both_axes_of_a_map_to_scale_have_ticks_as_far_apart():
    made = picture(view())
    assert np.diff(made.axes.get_xticks())[0] == pytest.approx(np.diff(made.axes.get_yticks())[0])


def test_a_record_has_a_number_where_all_are_drawn():
    points = values(5000)
    bare = dict.fromkeys(("outputs", "radius", "regions", "released", "baseline", "truth", "center"))
    all_drawn = picture(view(**bare, records=Records.of(points[:50], [UNIT] * 2)))
    assert all_drawn.tooltip(*points[3]).startswith("record 4: ")
    part = Interval(points[3, 0] - 0.01, points[3, 0] + 0.01)
    some = picture(view(**bare, records=Records.of(points, [part, UNIT])))
    assert some.tooltip(*points[3]).startswith("a record: ")


def test_outputs_of_the_engine_lie_in_their_circles():
    box = Box.of([0, 0], [1, 1])
    mechanism = Clusters(k=3, sampling=Partition(30))
    prepared = mechanism.prepare(Points(values(3000), box), Privacy(1.0, 1e-6))
    known = prepared.diagnostics
    outputs, center = known["outputs"].reshape(-1, 3, 2), known["center"].reshape(3, 2)
    away = np.linalg.norm(outputs[:, :, None] - center, axis=3).min(axis=1).max(axis=1)
    assert (away <= known["radius"]).sum() >= known["majority"]


@pytest.mark.parametrize("n", [100_000, 1_000_000])
def test_a_release_is_redrawn_within_50_ms(n):
    figure = new_figure(size=(7.4, 3.8))
    figure.set_dpi(100)
    canvas = FigureCanvasAgg(figure)
    shown = view(
        records=Records.of(values(n), [UNIT] * 2),
        outputs=np.clip(np.random.default_rng(3).normal(0.5, 0.1, (3000, 3, 2)), 0, 1),
    )
    made = PointCloud.draw(figure.add_subplot(), shown)
    made.animate()
    canvas.draw()
    renderer = canvas.get_renderer()
    spent = []
    for step in range(9):
        start = time.thread_time()
        made.update(dataclasses.replace(shown, released=MIDDLES + step / 100))
        for artist in sorted(made.artists, key=lambda artist: artist.get_zorder()):
            artist.draw(renderer)
        spent.append(time.thread_time() - start)
    assert sorted(spent)[4] < 0.05
