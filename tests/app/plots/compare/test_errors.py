"""Errors of contenders: rows, boxes and curves, and what is said of those without any."""

import dataclasses
import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.pages.workspaces import MODES
from app.model.theme import DARK, LIGHT
from app.model.wording.numbers import quantity
from app.plots.compare.contender_rows import ComparisonNeeded, ComparisonTime, duration
from app.plots.compare.contender_style import contender_style, looks, short_names, spoken_names
from app.plots.compare.errors import ComparisonErrors
from app.plots.compare.frontier import ComparisonFrontier
from app.plots.compare.view import ComparisonView
from app.plots.figures import new_figure
from engine.comparison import ComparedMechanism, Needed, NeededEpsilons
from engine.mechanisms import LaplaceRelease, SmoothRelease

NU = "Smooth sensitivity, Student's t noise, nu = 3"


def drawn(view, picture=ComparisonErrors, palette=LIGHT, size=(600, 350)):
    figure = new_figure(palette, (size[0] / 100, size[1] / 100))
    figure.set_dpi(100)
    FigureCanvasAgg(figure)
    made = picture(figure.add_subplot(), palette, "$")
    made.update(view)
    figure.canvas.draw()
    figure.canvas.draw()
    return made


def with_errors(comparison, place, change):
    """Return a comparison in which the errors at one place of the sweep are others."""
    outcomes = [
        dataclasses.replace(o, errors=change(o.trial.contender, o.errors), problem="")
        if o.trial.position == place
        else o
        for o in comparison.outcomes
    ]
    return dataclasses.replace(comparison, outcomes=tuple(outcomes))


@pytest.fixture
def view(make, cases):
    return make.comparison(cases["salaries"])


@pytest.mark.parametrize("size", [(600, 350), (1100, 600)])
@pytest.mark.parametrize("mode", MODES)
def test_five_contenders_with_long_labels_fit(view, mode, size):
    picture = drawn(dataclasses.replace(view, mode=mode), size=size)
    assert picture.update(picture.result) is False
    renderer = picture.axes.figure.canvas.get_renderer()
    boxes = picture.labels.boxes(renderer)
    assert len(boxes) == 6  # with the heading
    for one, other in itertools.combinations(boxes, 2):
        assert min(one.y1, other.y1) - max(one.y0, other.y0) <= 1.5
    texts = [*picture.axes.texts, picture.axes.xaxis.label]
    for box in [*boxes, *(text.get_window_extent(renderer) for text in texts if text.get_text())]:
        assert box.x0 >= -1
        assert box.y0 >= -1
        assert box.x1 <= size[0] + 1
        assert box.y1 <= size[1] + 1
    assert picture.axes.bbox.width > 0.4 * size[0]


@pytest.mark.parametrize(("runs", "dots", "each"), [(3, 3, "33"), (10, 10, "10"), (300, 50, "2")])
def test_there_are_no_more_dots_than_runs(make, runs, dots, each):
    picture = drawn(ComparisonView(make.compared(runs=runs), 3))
    assert f"each dot: {each}\u202f% of the runs" in picture.axes.get_xlabel()
    assert max(len(row.x) for row in picture._rows._rows) == dots


def test_smooth_sensitivity_is_blue_wherever_it_stands():
    kinds = [LaplaceRelease(), SmoothRelease(), LaplaceRelease(), SmoothRelease()]
    contenders = [ComparedMechanism(kind, "") for kind in kinds]
    assert looks(contenders) == [1, 0, 2, 3]
    assert looks(contenders[:1]) == [0]
    for palette in (LIGHT, DARK):
        colours = [contender_style(look, palette).colour for look in range(8)]
        assert colours[0] == palette.smooth
        assert not {palette.local, palette.released, palette.private} & set(colours[:6])


def test_every_contender_has_one_colour_in_all_pictures(view):
    for palette in (LIGHT, DARK):
        styles = [contender_style(place, palette) for place in range(12)]
        assert len({style.colour for style in styles}) == 12
        assert len({style.stroke.dashes for style in styles}) == 12
        assert len({style.marker for style in styles}) == 12
    curves = drawn(dataclasses.replace(view, mode="ecdf"))
    frontier = drawn(view, ComparisonFrontier)
    lines = {line.get_color() for line in curves.axes.lines}
    assert {contender_style(place, LIGHT).colour for place in range(5)} <= lines
    assert lines & {line.get_color() for line in frontier.axes.lines} >= {contender_style(0, LIGHT).colour}


def test_like_named_contenders_are_called_by_what_tells_them_apart():
    assert short_names([NU, "Smooth sensitivity, Laplace noise", "Global sensitivity, Gaussian"]) == [
        ("Student's t noise, nu = 3", "Smooth sensitivity"),
        ("Laplace noise", "Smooth sensitivity"),
        ("Global sensitivity, Gaussian", ""),
    ]
    short = ["Global sensitivity, Laplace", "Global sensitivity, Gaussian"]
    assert short_names(short) == [(label, "") for label in short]
    assert short_names(["Propose, test, release", NU]) == [
        ("Propose, test, release", ""),
        ("Smooth sensitivity", "Student's t noise, nu = 3"),
    ]
    assert spoken_names(["Propose, test, release", NU, "Smooth sensitivity, Laplace"]) == [
        "“Propose, test, release”",
        "“Student's t noise, nu = 3”",
        "“Smooth sensitivity, Laplace”",
    ]
    inside = ["Smooth sensitivity (Student's t, nu = 3)", "Smooth sensitivity (Laplace)"]
    assert short_names(inside) == [(label, "") for label in inside]
    same = ["Smooth, k = 2", "Smooth, k = 3", "Laplace, k = 2", "Laplace, k = 3"]
    assert [name for name, _ in short_names(same)] == same


def test_boxes_and_curves_are_at_the_quantiles(view):
    box = drawn(dataclasses.replace(view, mode="box"))
    outcome = view.outcome(0)
    low, first, _, third, high = box._lines[0].get_xdata()
    assert [low, first, third, high] == [outcome.quantile(p) for p in (0.05, 0.25, 0.75, 0.95)]
    curve = drawn(dataclasses.replace(view, mode="ecdf"))
    x, y = curve._lines[0].get_data()
    for error, held in list(zip(x, y, strict=True))[1:-1:20]:
        assert held == pytest.approx(100 * np.mean(outcome.errors <= error))


def row_names(picture):
    """Return the names of rows: beside the axes, or at the left where bars begin."""
    names = picture.labels.texts() or [tick.get_text() for tick in picture.axes.get_yticklabels()]
    return [name for name in names if name != "median error"]  # the heading


@pytest.mark.parametrize("picture", [ComparisonErrors, ComparisonTime])
def test_who_does_not_fit_has_no_row_and_is_named(view, picture):
    without = dataclasses.replace(view, position=0)
    assert without.left_out(without.rows).startswith("Not possible: “Smooth sensitivity, Laplace noise”")
    left_out = drawn(without, picture)
    assert len(row_names(left_out)) == 4
    assert left_out.axes.get_ylim() == (-3.5, 0.5)
    last = {ComparisonErrors: "Propose-test-release", ComparisonTime: "Global sensitivity"}[picture]
    assert left_out.tooltip(1.0, -3.0).startswith(last)
    assert "too small" in left_out.alt_text()
    assert "too small" in left_out.table()[1][2][-1]
    assert not view.left_out(view.rows)


def test_a_name_is_told_apart_from_those_that_are_shown(view):
    whole, apart = (row_names(drawn(dataclasses.replace(view, position=place))) for place in (0, 1))
    assert [name.split()[0] for name in whole].count("Smooth") == 1
    assert not [name for name in apart if name.startswith("Smooth")]  # called by their noise


def test_who_has_no_errors_says_why(view):
    gone = dataclasses.replace(view.comparison, outcomes=view.comparison.outcomes[:12])
    partial = ComparisonView(gone, 2)
    begun = drawn(partial)
    assert any("not begun" in text.get_text() for text in begun.axes.texts)
    assert "Preliminary" in begun.alt_text()
    assert "Preliminary" in begun.caption()


@pytest.mark.parametrize("mode", MODES)
def test_no_error_and_no_answer_have_places_of_their_own(view, mode):
    def extreme(contender, errors):
        return np.full(200, np.nan if contender == 3 else 0.0)

    made = ComparisonView(with_errors(view.comparison, 2, extreme), 2, mode=mode)
    picture = drawn(made)
    ticks = [tick.label1.get_text() for tick in picture.axes.xaxis.get_major_ticks()]
    assert "0" in ticks
    assert picture.tooltip(picture._errors.zero, 0.0).startswith("Exponential mechanism: 100")
    assert "all refused" in picture.alt_text()
    assert picture.update(made) is False


def test_a_mechanism_that_mostly_refuses_is_told_so(view):
    def refusing(contender, errors):
        kept = np.ones(200)
        kept[:150] = np.nan
        return kept if contender == 1 else np.ones(200)

    picture = drawn(ComparisonView(with_errors(view.comparison, 2, refusing), 2))
    ticks = [tick.label1.get_text() for tick in picture.axes.xaxis.get_major_ticks()]
    assert "refused" in ticks
    assert "75\u202f% refused" in picture.labels.texts()[0] + picture.labels.texts()[1]
    assert f"{NU}: mostly refused" in picture.alt_text()
    header, rows = picture.table()
    assert rows[1][header.index("refused")] == 150
    assert rows[1][header.index("quantile 0.5")] == ""


def test_run_times_are_read_in_their_units(view):
    assert duration(0.0032) == "3.2\u202fms"
    assert duration(1e-7) == "0.10\u202fµs"
    assert duration(90) == "90\u202fs"
    assert duration(600) == "10\u202fmin"
    picture = drawn(view, ComparisonTime)
    assert "10\u202fms to look at the data, 1.0\u202fµs for each draw" in picture.tooltip(1.0, 0.0)
    assert "is the fastest" in picture.alt_text()
    assert [row[3] for row in picture.table()[1]] == pytest.approx([0.01 * 3**i for i in range(5)])


def with_times(view, *seconds):
    """Return a comparison in which the mechanisms take so long at every value."""
    outcomes = [
        dataclasses.replace(one, preparations=(seconds[one.trial.contender],), drawing=0.0)
        for one in view.comparison.outcomes
    ]
    return dataclasses.replace(
        view, comparison=dataclasses.replace(view.comparison, outcomes=tuple(outcomes))
    )


def test_bars_of_run_times_begin_at_zero_and_the_fastest_is_the_highest(view):
    picture = drawn(with_times(view, 0.004, 0.001, 0.003, 0.005, 0.002), ComparisonTime)
    assert picture.axes.get_xscale() == "linear"
    assert picture.axes.get_xlim()[0] == 0
    bars = sorted((bar.get_data() for bar, _ in picture._rows), key=lambda data: -data[1][0])
    assert [x for x, _ in bars] == [[0.0, 0.001 * place] for place in range(1, 6)]
    assert [text.get_text() for text in picture._texts] == [f"{place}.0\u202fms" for place in range(1, 6)]
    ends = sorted(text.get_position()[0] for text in picture._texts)  # of the bars, not of the whiskers
    assert ends == [0.001 * place for place in range(1, 6)]
    assert row_names(picture)[0] == "Smooth sensitivity,\nStudent's t noise, nu = 3"  # as in sentences
    ticks = [tick.label1.get_text() for tick in picture.axes.xaxis.get_major_ticks()]
    assert {text.partition("\u202f")[2] for text in ticks if text} == {"ms"}


def test_run_times_are_medians_with_the_middle_half_as_whiskers(view):
    outcomes = [
        dataclasses.replace(one, preparations=(9.0, 0.001, 0.002, 0.003, 0.004), drawing=0.0)
        for one in view.comparison.outcomes
    ]
    comparison = dataclasses.replace(view.comparison, outcomes=tuple(outcomes))
    picture = drawn(dataclasses.replace(view, comparison=comparison), ComparisonTime)
    assert outcomes[0].seconds_per_run == 0.003  # the first, slow preparation does not matter
    assert picture._rows[0][0].get_data()[0] == [0.0, 0.003]
    assert picture._rows[0][1].get_data()[0] == pytest.approx([0.002, 0.004])
    assert picture.axes.get_xlabel().startswith("median time; whiskers")


def test_no_mechanism_is_called_the_fastest_that_is_hardly_faster(view):
    text = drawn(with_times(view, 0.004, 0.001, 0.003, 0.005, 0.0012), ComparisonTime).alt_text()
    assert "; no mechanism is clearly the fastest." in text
    assert "is the fastest," not in text


def test_no_mechanism_is_called_the_slowest_where_the_middle_halves_overlap(view):
    timed = with_times(view, 0.001, 0.003, 0.003, 0.004, 0.005)
    assert "is the slowest, with 5.0\u202fms." in drawn(timed, ComparisonTime).alt_text()
    varied = [
        dataclasses.replace(one, preparations=(9.0, 0.0035, 0.004, 0.005, 0.006))
        if one.preparing == 0.004
        else one
        for one in timed.comparison.outcomes
    ]
    overlapping = dataclasses.replace(timed.comparison, outcomes=tuple(varied))
    text = drawn(dataclasses.replace(timed, comparison=overlapping), ComparisonTime).alt_text()
    assert "is the slowest" not in text
    assert "is the fastest, with 1.0\u202fms for a release; the others take" in text


def test_answers_that_nobody_has_found_yet_have_an_empty_row():
    smooth, laplace = (ComparedMechanism(kind, kind.label) for kind in (SmoothRelease(), LaplaceRelease()))
    view = NeededEpsilons((None, Needed(laplace, 2.0, 1.5, 2.5, 0.95)), (smooth, laplace), 10.0, 0.95, 100)
    picture = drawn(view, ComparisonNeeded)
    assert "needs the smallest ε = 2 for" in picture.alt_text()
    assert "not looked at yet" in [text.get_text() for text in picture.axes.texts]


def test_the_smallest_epsilon_has_the_highest_row_once_all_are_known():
    kinds = [ComparedMechanism(kind, kind.label) for kind in (SmoothRelease(), LaplaceRelease())]
    answers = [Needed(kind, epsilon, 1.0, 4.0, 0.95) for kind, epsilon in zip(kinds, (3.0, 2.0), strict=True)]
    picture = drawn(NeededEpsilons(tuple(answers), tuple(kinds), 10.0, 0.95, 100), ComparisonNeeded)
    assert [dot.get_data() for _, dot in picture._rows] == [([3.0], [-1]), ([2.0], [0])]
    assert picture.tooltip(1.0, 0.0).startswith(kinds[1].label)
    assert [text.partition("ε")[2] for text in picture.labels.texts()] == [" ≈ 2 (1 to 4)", " ≈ 3 (1 to 4)"]
    assert [bar.get_data()[0] for bar, _ in picture._rows] == [[1.0, 4.0]] * 2


def test_equal_errors_do_not_make_the_dots_of_all_rows_small(view):
    def half_equal(contender, errors):
        return np.where(np.arange(errors.size) % 2, 5000.0, errors) if contender == 4 else errors

    dots = drawn(view)._rows.diameter()
    spiked = drawn(dataclasses.replace(view, comparison=with_errors(view.comparison, 2, half_equal)))
    assert spiked._rows.diameter() >= dots - 0.5


def test_the_best_row_is_the_highest_once_all_runs_are_made(view):
    medians = [view.typical(index) for index in view.rows]
    assert medians == sorted(medians)
    best, heading = drawn(view).labels.texts()[-2:]
    assert best.startswith("Exponential mechanism")
    assert heading == "median error"
    part = dataclasses.replace(view.comparison.outcomes[-1], asked=300)
    running = dataclasses.replace(view.comparison, outcomes=(*view.comparison.outcomes[:-1], part))
    assert dataclasses.replace(view, comparison=running).rows == [0, 1, 2, 3, 4]


def test_why_a_mechanism_is_not_possible_stands_beside_its_name(view):
    def without(contender, problem, field):
        outcomes = [
            dataclasses.replace(one, errors=np.empty(0), problem=problem, field=field)
            if one.trial.contender == contender
            else one
            for one in view.comparison.outcomes
        ]
        found = ComparisonView(dataclasses.replace(view.comparison, outcomes=tuple(outcomes)), 2)
        return found.left_out(found.rows)

    name = "Propose-test-release"
    assert without(3, "it needs delta above 0 (say 1e-6)", "delta") == f"Not possible: {name} (need δ > 0)."
    assert without(3, "n is too small; use more", "n") == f"Not possible: {name} (n is too small)."
    assert without(3, "it is so long that nobody reads it in a label", "n") == f"Not possible: {name}."


def test_beyond_the_trivial_baseline_a_tip_says_what_it_is(view):
    picture = drawn(view)
    assert "midpoint" not in picture.tooltip(1.0, 0.0)
    tip = picture.tooltip(2 * view.trivial, 0.0)
    assert tip.endswith(f"the midpoint of the bounds, errs by at most {quantity(view.trivial, '$')}")
