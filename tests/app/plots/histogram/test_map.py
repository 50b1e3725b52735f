"""The map of a histogram: cells, shades, numbers, planes, bars, and what is read off it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from histogram_maps import CELLS, PLANE, SHIFT, UNIT, picture, values, view
from matplotlib.collections import PolyCollection

from app.model.theme import DARK, LEGIBLE, LIGHT, PALETTES, contrast
from app.model.wording.numbers import number
from app.plots.figure_panel import FigurePanel, figure
from app.plots.histogram.cells import (
    MAX_BORDERS,
    SHADES,
    Shading,
    cell_at,
    on_shade,
    ramp,
    shade,
    shade_values,
)
from app.plots.histogram.map import HistogramMap
from engine.analysis.histogram_contents import CellsAlong
from engine.analysis.histogram_maps import CellMap, ShiftPlanes
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.shown_histograms import MAX_RECORDS, some_records
from engine.domain import Interval
from engine.mechanisms import PrivTree, ShiftedHistogram


def flat(**changes):
    cells = CellsAlong(np.array([[0.0], [0.5]]), np.array([[0.5], [1.0]]), np.array([30.0, 10.0]))
    shift = ShiftPlanes(
        *(side[:1] for side in (SHIFT.lower, SHIFT.upper, SHIFT.middle)), SHIFT.kept[:1], SHIFT.dropped[:1]
    )
    made = CellMap(
        directions=PLANE[:1],
        window=(UNIT,),
        cells=cells,
        records=some_records(values()[:, :1], (UNIT,)),
        shift=shift,
        before=True,
        chosen=1,
    )
    return dataclasses.replace(made, **changes)


def pieces(line):
    """Split a line with gaps into its parts."""
    points = line.get_xydata()
    parts = np.split(points, np.flatnonzero(np.isnan(points[:, 0])))
    return [piece[~np.isnan(piece[:, 0])] for piece in parts if len(piece) > 1]


def colours(made):
    rows = np.round(255 * made._layer.patches.get_facecolors()[:, :3]).astype(int)
    return ["#{:02X}{:02X}{:02X}".format(*row) for row in rows]


def test_cells_lie_where_they_are_and_the_chosen_one_has_a_rim():
    made = picture(view())
    paths = made._layer.patches.get_paths()
    np.testing.assert_array_equal([path.vertices.min(axis=0) for path in paths], CELLS.lower)
    np.testing.assert_array_equal([path.vertices.max(axis=0) for path in paths], CELLS.upper)
    [rim] = pieces(made._winner)
    assert rim.min(axis=0).tolist() == [0.5, 0.5]
    assert rim.max(axis=0).tolist() == [0.75, 1.0]
    assert "chosen: 40 records" in made._legend.texts()
    assert not pieces(picture(view(chosen=None))._winner)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("per_area", [True, False])
def test_what_is_denser_is_stronger_and_what_is_empty_is_blank(palette, per_area):
    made = picture(view(per_area=per_area), palette)
    found = colours(made)
    amounts = CELLS.counts / CELLS.sizes if per_area else CELLS.counts
    contrasts = [contrast(found[place], palette.card) for place in np.argsort(amounts)]
    assert contrasts == sorted(contrasts)
    assert len(set(found)) == 5
    assert found[1] == palette.card


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_shades_are_told_apart_by_lightness_and_numbers_are_legible_on_each(palette):
    shades = ramp(palette)
    steps = [contrast(shade, palette.card) for shade in shades]
    assert len(shades) == SHADES
    assert steps == sorted(steps)
    assert steps[0] > 1.14
    assert steps[-1] > 3.5
    assert min(contrast(on_shade(shade), shade) for shade in shades) >= LEGIBLE


def test_the_faintest_cell_of_the_black_theme_is_not_black():
    black = PALETTES["contrast-dark"]
    assert contrast(ramp(black)[0], black.card) > 1.4


def test_density_is_against_the_average_and_the_key_says_so():
    np.testing.assert_allclose(shade_values(CELLS, True), CELLS.counts / CELLS.sizes / 60)
    assert shade_values(CELLS, False) is CELLS.counts
    assert sum("× average" in text for text in picture(view())._legend.texts()) == 2
    texts = picture(view(per_area=False))._legend.texts()
    assert {"1 record in a cell", "40 records in a cell"} <= {*texts}


def test_one_dense_cell_does_not_make_all_others_blank():
    counts = np.append(np.full(999, 10.0), 10.0)
    low = np.arange(1000.0)[:, None]
    cells = CellsAlong(low, low + np.append(np.ones(999), 1e-9)[:, None], counts)
    scale = Shading.of(cells, True)
    assert scale.top < shade_values(cells, True).max()
    assert scale.shares(shade_values(cells, True))[:999].min() > 0.5


def test_counts_are_written_in_the_cells_that_have_room_and_only_there():
    made = picture(view())
    written, sums = made._numbers.fit_numbers()
    assert not sums
    assert {one.cells[0]: one.text for one in written} == {0: "10", 1: "0", 2: "3", 3: "40", 4: "7"}
    to_pixels = made.axes.transData.transform
    for (place,), middle, _ in written:
        np.testing.assert_allclose(middle, to_pixels(CELLS.centers[place]))
    assert picture(view(numbers=False))._numbers.fit_numbers() == ([], [])
    grid = np.stack(np.meshgrid(np.arange(60), np.arange(60)), -1).reshape(-1, 2) / 60
    fine = CellsAlong(grid, grid + 1 / 60, np.ones(3600))
    assert picture(view(cells=fine, chosen=None))._numbers.fit_numbers() == ([], [])


def test_records_are_whole_or_left_out_where_a_number_would_cut_them():
    made = picture(view())
    written, _ = made._numbers.fit_numbers()
    for line in made._records:
        drawn = made.axes.transData.transform(line.get_xydata())[line.get_markevery()]
        for one in written:
            assert (np.abs(drawn - one.middle) > made._numbers._room(one.text) / 2).any(axis=1).all()
    assert not made._records[0].get_markevery().all()
    assert picture(view(numbers=False))._records[0].get_markevery().all()


def test_small_cells_beside_each_other_have_one_number_their_sum():
    grid = np.stack(np.meshgrid(np.arange(10), np.arange(10)), -1).reshape(-1, 2) / 100
    low = np.vstack([[(0.0, 0.0), (0.0, 0.5), (0.5, 0.0), (0.5, 0.5)], grid + 0.1, grid + 0.7])
    size = np.append(np.full(4, 0.5), np.full(200, 0.01))[:, None]
    counts = np.concatenate([[30.0, 40.0, 50.0, 60.0], np.full(100, 12.0), np.full(100, 1.0)])
    shown = view(cells=CellsAlong(low, low + size, counts), chosen=None, shift=None, half_width=5.0)
    made = picture(shown)
    _, sums = made._numbers.fit_numbers()
    # of the other hundred, all is below the noise
    assert [(one.text, len(one.cells)) for one in sums] == [("1\u202f200", 100)]
    held = made.axes.transData.transform(low[sums[0].cells].mean(axis=0) + 0.005)
    np.testing.assert_allclose(sums[0].middle, held)
    made.axes.figure.draw_without_rendering()  # the sum is drawn last
    (halo,) = made._numbers._text.get_path_effects()
    assert halo._gc["linewidth"] > 4  # hides borders at its sides, which would look like a minus
    assert "bold: sum of small cells" in made._legend.texts()
    assert "bold: sum of small cells" not in picture(view())._legend.texts()


def test_no_mark_of_the_key_is_a_formula():
    # the first one would hold the window up until matplotlib has made its grammar
    entries = picture(view(half_width=20.0))._legend._entries
    markers = [sample["marker"] for one in entries for sample in one.samples if "marker" in sample]
    assert not any("$" in str(marker) for marker in markers)


def test_many_cells_have_no_borders():
    side = int(np.sqrt(MAX_BORDERS)) + 1
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1).reshape(-1, 2) / side
    many = picture(view(cells=CellsAlong(grid, grid + 1 / side, np.ones(side**2)), chosen=None))
    assert many._layer.patches.get_linewidths() == [0]
    assert picture(view())._layer.patches.get_linewidths()[0] > 0


def test_voronoi_cells_are_polygons():
    corners = (
        np.array([(0, 0), (1, 0), (0, 1)], dtype=float),
        np.array([(1, 0), (1, 1), (0, 1)], dtype=float),
    )
    boxes = np.array([(0, 0), (0, 0)], dtype=float), np.array([(1, 1), (1, 1)], dtype=float)
    cells = CellsAlong(*boxes, np.array([5.0, 9.0]), "voronoi", corners)
    np.testing.assert_allclose(cells.sizes, 0.5)
    made = picture(view(cells=cells, chosen=1))
    for path, polygon in zip(made._layer.patches.get_paths(), corners, strict=True):
        np.testing.assert_array_equal(path.vertices[:3], polygon)
    assert cell_at(made.result.cells, 0.1, 0.1) == 0
    assert cell_at(made.result.cells, 0.9, 0.9) == 1
    assert cell_at(made.result.cells, 1.5, 0.9) is None
    assert made.tooltip(0.9, 0.8).startswith("9 records in the cell around width 0")


def test_planes_that_are_dropped_and_the_cells_along_the_perimeter():
    made = picture(view())
    slabs = [
        (*path.vertices.min(axis=0), *path.vertices.max(axis=0)) for path in made._shift.hatched.get_paths()
    ]
    assert slabs == [(0, 0, 0.15, 1), (0.9, 0, 1, 1), (0, 0, 1, 0.2), (0, 0.95, 1, 1)]
    [cube] = pieces(made._shift.cube)
    assert (*cube.min(axis=0), *cube.max(axis=0)) == (-0.6, -0.3, 1.4, 1.7)
    assert made._shift.middle.get_xydata().tolist() == [[0.4, 0.7]]
    after = picture(view(before=False))
    assert not after._shift.hatched.get_paths()
    without = picture(view(shift=None))
    assert not any(
        pieces(line) for line in (without._shift.cube, without._shift.kept, without._shift.dropped)
    )


def test_the_window_can_hold_the_shifted_cube():
    across, up = view().around()
    assert (across.lower, across.upper) == (-0.6, 1.4)
    assert (up.lower, up.upper) == (-0.3, 1.7)
    assert view(shift=None).around() == (UNIT, UNIT)


@pytest.mark.parametrize("per_area", [True, False])
def test_along_one_direction_bars_are_as_high_as_cells_are_full(per_area):
    made = picture(flat(per_area=per_area))
    heights = [path.vertices[:, 1].max() for path in made._layer.patches.get_paths()]
    assert heights == ([60, 20] if per_area else [30, 10])
    assert made.axes.get_title(loc="left") == ("records per cm" if per_area else "records in each bin")
    assert min(made.axes.get_yticks()) >= 0
    assert made.tooltip(0.2, 1.0).startswith("30 records in the cell in width 0\u202fcm to 0.5")


def test_bins_and_their_intervals_are_named_in_the_legend():
    ends = np.array([[24.0, 36.0], [4.0, 15.5]])
    for per_area in (False, True):
        legend = picture(flat(intervals=ends, per_area=per_area, half_width=6.0))._legend
        assert {"2 bins, simulated", "± 6 (95 %)"} < set(legend.texts())
        samples = [entry.samples for entry in legend._entries if entry.text.startswith("±")]
        [(sample,)] = samples
        across, up = np.array(sample["marker"]).T
        assert (np.ptp(across), np.ptp(up)) == (0.8, 2)  # upright, with caps, as whiskers are
    assert "2 bins" in picture(flat(intervals=ends, half_width=6.0, released=True))._legend.texts()


def test_the_ends_of_intervals_are_seen_where_these_are_short():
    ends = np.array([[29.9, 30.1], [9.9, 10.1]])
    made = picture(flat(intervals=ends, per_area=False, half_width=0.1))
    assert made._whiskers.get_ydata().reshape(-1, 3)[:, :2].tolist() == ends.tolist()
    assert made._whiskers.get_marker() == "_"
    assert made._zero.zorder < made._layer.patches.zorder  # which hides no small bar


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_counts_below_the_noise_are_grey_on_blank_cells_and_the_pointer_is_told(palette):
    made = picture(view(half_width=20.0, released=True, chosen=None), palette)
    below = view().cells.counts < 20.0
    assert 0 < below.sum() < below.size
    blank = np.array([colour == palette.card for colour in colours(made)])
    assert blank.tolist() == below.tolist()
    assert contrast(palette.muted, palette.card) >= LEGIBLE
    for middle, noisy in zip(view().cells.centers.tolist(), below.tolist(), strict=True):
        assert made.tooltip(*middle).endswith("; mostly noise") == noisy
    blank = [e.text for e in made._legend._entries if palette.card in [one["color"] for one in e.samples]]
    assert blank == ["under 20: mostly noise"]  # the only meaning


def test_the_key_shows_the_faintest_and_the_strongest_shade():
    low = np.arange(400.0)[:, None]
    counts = np.geomspace(1.0, 1e5, 400)
    cells = CellsAlong(np.hstack([low, 0 * low]), np.hstack([low + 1, 0 * low + 1]), counts)
    window = (Interval(0, 400), UNIT)
    sides = tuple(dataclasses.replace(side, side=one) for side, one in zip(PLANE, window, strict=True))
    made = picture(view(cells=cells, directions=sides, window=window, shift=None, chosen=None))
    entries = made._legend._entries
    rows = [one for one in entries if "× average" in one.text]
    scale = Shading.of(cells, True)
    low, high = scale.ends()
    assert [one.text for one in rows] == [
        f"density ≤ {number(low)} × average",
        f"density ≥ {number(high)} × average",
    ]
    shown = [shade(LIGHT, share) for share in scale.shares(np.array([low, high])).tolist()]
    assert [one.samples[0]["color"] for one in rows] == shown


def test_records_do_not_hide_small_cells():
    crowd = np.vstack([0.02 * values(1998) + 0.2, [(0.0, 0.0), (1.0, 1.0)]])
    low = np.array([(0.2, 0.2), (0.21, 0.2), (0.5, 0.5)])
    high = low + np.array([(0.01, 0.02), (0.01, 0.02), (0.5, 0.5)])
    cells = CellsAlong(low, high, np.array([900.0, 900, 200]))
    whole = {"shift": None, "chosen": None, "cells": cells}
    some = [line.get_xydata() for line in picture(view(**whole))._records]
    assert sum(map(len, some)) == 300
    made = picture(view(records=some_records(crowd, (UNIT, UNIT)), **whole))
    assert sum(len(line.get_xydata()) for line in made._records) < 100
    assert made.tooltip(0.205, 0.21).endswith("its records are not drawn")
    assert "(not drawn in small cells)" in made._legend.texts()
    assert not made.tooltip(0.7, 0.7).endswith("its records are not drawn")
    near = (Interval(0.2, 0.22), Interval(0.2, 0.22))
    close = picture(view(records=some_records(crowd, near), window=near, **whole))
    assert sum(len(line.get_xydata()) for line in close._records) == 2000
    assert "(not drawn in small cells)" not in close._legend.texts()


def test_a_close_up_has_all_cells_in_a_small_map_of_the_whole():
    near = (Interval(0.2, 0.22), Interval(0.2, 0.22))
    made = picture(view(window=near, shift=None, chosen=None))
    inset, box = made._inset, made._inset.box()
    (cells,) = [part for part in inset._parts(inset._seen, box) if isinstance(part, PolyCollection)]
    assert len(cells.get_paths()) == len(view().cells.counts)
    assert cells.get_clip_box() is box
    ends = cells.get_transform().transform([(0.0, 0.0), (1.0, 1.0)])
    np.testing.assert_allclose(ends, box.get_points())


def test_bars_touch_and_a_hairline_tells_them_apart():
    made = picture(flat(per_area=False))
    [gap] = made._gaps.get_segments()
    assert gap.tolist() == [[0.5, 0.0], [0.5, 30.0]]
    assert not picture(view())._gaps.get_segments()


def test_the_key_stands_below_bars_and_both_bounds_are_named():
    made = picture(flat(directions=(dataclasses.replace(PLANE[0], side=Interval(0.0, 0.93)),)))
    assert {0.0, 0.93} <= set(made.axes.get_xticks())
    assert made._legend.foot is None
    assert picture(view())._legend.below is False


def test_bars_of_a_wide_interval_are_as_high_as_those_of_a_narrow_one():
    wide = Interval(0, 2e5)
    cells = CellsAlong(np.array([[0.0], [1e5]]), np.array([[1e5], [2e5]]), np.array([30.0, 10.0]))
    made = picture(
        flat(directions=(Direction("pay", "$", wide),), window=(wide,), cells=cells, records=None, shift=None)
    )
    assert made._layer.patches.get_paths()[0].vertices[:, 1].max() == 3e-4
    assert made.axes.get_ylim()[1] < 4e-4


def test_noisy_counts_below_zero_are_bars_below_zero():
    cells = CellsAlong(np.array([[0.0], [0.5]]), np.array([[0.5], [1.0]]), np.array([30.4, -2.5]))
    made = picture(flat(cells=cells, records=None, chosen=None, per_area=False))
    assert made._layer.patches.get_paths()[1].vertices[:, 1].min() == -2.5
    assert made.axes.get_ylim()[0] <= -2.5
    assert made.tooltip(0.7, 1.0).startswith("−2.5 records")


def wide_view(**changes):
    """Cells of a map that is more than twice as wide as high."""
    wide = Interval(0, 2.25)
    cells = dataclasses.replace(CELLS, lower=CELLS.lower * (2.25, 1), upper=CELLS.upper * (2.25, 1))
    sides = (Direction("width", "cm", wide), PLANE[1])
    return view(directions=sides, window=(wide, UNIT), cells=cells, shift=None, **changes)


def test_at_a_border_the_cell_that_begins_there_is_meant():
    assert cell_at(CELLS, 0.5, 0.2) == 1
    assert cell_at(CELLS, 1.0, 1.0) == 4
    assert cell_at(CELLS, 1.1, 1.0) is None


def test_of_many_records_some_are_drawn_and_which_says_nothing():
    window = (UNIT, UNIT)
    many = some_records(values(3 * MAX_RECORDS), window)
    assert many.n == 3 * MAX_RECORDS
    assert len(many.dots) == MAX_RECORDS
    moved = some_records(values(3 * MAX_RECORDS) + 1, window)
    np.testing.assert_allclose(many.dots + 1, moved.dots)
    assert "2\u202f000 of 6\u202f000 records" in picture(view(records=many))._legend.texts()


def test_counts_that_are_spread_over_a_grid_are_said_to_be():
    spread = dataclasses.replace(CELLS, spread=True)
    assert "spread over a grid" in picture(view(cells=spread, chosen=None))._legend.texts()[2]


def test_numbers_behind_the_picture():
    header, rows = picture(view()).table()
    assert header == ["mark", "count", "width from", "width to", "height from", "height to"]
    assert rows[3] == ["cell (chosen)", 40.0, 0.5, 0.75, 0.5, 1.0]
    assert ["inflated cube", "", -0.6, 1.4, -0.3, 1.7] in rows
    assert ["dropped plane", "", "", "", 0.95, 0.95] in rows
    assert sum(row[0] == "record" for row in rows) == 300
    public = picture(view(records=None, shift=None))
    assert {row[0] for row in public.table()[1]} == {"cell", "cell (chosen)"}
    assert public.alt_text() == (
        "Along width and height: 5 cells (4 above 0) with 60 records; the emptiest holds "
        "0 records, the fullest 40 records; chosen: 40 records."
    )


def test_only_another_background_is_drawn_anew():
    shown = view()
    made = picture(shown)
    assert made.update(dataclasses.replace(shown, chosen=2)) is False
    assert made.update(dataclasses.replace(shown, chosen=2, per_area=False))
    assert made.update(dataclasses.replace(shown, cells=dataclasses.replace(CELLS)))


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_key_stands_where_it_leaves_a_map_that_is_drawn_to_scale_larger(scale):
    below = picture(wide_view(), size=(7.2, 5.1), scale=scale)
    assert below.axes.bbox.width > 0.8 * below.axes.figure.bbox.width
    beside = picture(wide_view(), size=(12.0, 3.6), scale=scale)
    assert beside.axes.bbox.height > 0.6 * beside.axes.figure.bbox.height
    for made in (below, beside):
        texts = [text for text in made._legend._texts if text.get_text()]
        boxes = [text.get_window_extent() for text in texts]
        assert not any(made.axes.bbox.overlaps(box) for box in boxes)
        assert min(box.y0 for box in boxes) >= 0
        assert max(box.x1 for box in boxes) <= made.axes.figure.bbox.width
        assert made.update(made.result) is False
    assert max(text.get_window_extent().y1 for text in below._legend._texts) < below.axes.bbox.y0


def test_a_saved_picture_of_exact_counts_says_so_below():
    def below(shown):
        return figure(FigurePanel("Cells", HistogramMap, shown, private=False)).get_supxlabel()

    words = "Shifted histogram, t = 8: exact counts, not differentially private"
    assert below(view(mechanism=ShiftedHistogram(t=8))) == words
    assert not below(view(mechanism=PrivTree()))
