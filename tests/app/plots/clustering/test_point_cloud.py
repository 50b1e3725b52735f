"""The picture of points: records, outputs, regions, marks, and what stands under the pointer."""

import dataclasses

import numpy as np
import pytest
from point_clouds import MIDDLES, PLANE, UNIT, flat, picture, values, view

from app.model.theme import DARK, LIGHT, contrast
from app.plots.clustering.point_cloud import attention, baseline, mark_style
from app.plots.clustering.space_picture import lanes, place_points, shades
from engine.analysis.clouds import Cloud
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import CELLS, Records
from engine.domain import Interval

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


def test_circles_have_the_radius_and_say_that_they_are_a_bound():
    made = picture(view())
    for piece, middle in zip(outlines(made._circles), view().center, strict=True):
        np.testing.assert_allclose(np.linalg.norm(piece - middle, axis=1), 0.05)
    texts = made._legend.texts()
    assert texts[texts.index("21 outputs within 0.05\u202fcm") + 1] == "(an upper bound)"
    assert "(an upper bound)" not in picture(view(exact=True))._legend.texts()
    assert not outlines(picture(view(radius=None))._circles)


def test_each_mark_has_a_colour_a_shape_and_an_entry():
    made = picture(view())
    assert made._legend.texts()[:4] == NAMES
    assert made._legend.texts()[6:] == [
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
    assert made.axes.get_xlabel() == "width (found in the data)"


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
    assert [np.ptp(bar[:, 0]) for bar in bars] == pytest.approx([0.1] * 3)
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
    assert ["21 outputs within 0.05\u202fcm (an upper bound)", "", "", 0.05, 0.05] in rows
    many = Records.of(values(5000), [UNIT] * 2)
    cells = [row for row in picture(view(records=many)).table()[1] if row[0] == "records in a cell"]
    assert sum(row[1] for row in cells) == 5000
    for _, count, _, x, y in cells[:20]:
        assert many.counts[int(x * CELLS), int(y * CELLS)] == count
