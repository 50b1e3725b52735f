"""Pictures of audits: both distributions, beliefs, and hypothesis tests."""

import dataclasses
import re

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.wording.guarantees import audit_verdict
from app.model.wording.numbers import THIN, number, plain, share
from app.plots.audit.guess_who import MAX_RECORDS, AuditGuessWho, databases_of
from app.plots.audit.low_bits import AuditLowBits
from app.plots.audit.outcomes import AuditOutcomes
from app.plots.audit.squares import AuditPosterior, AuditTradeOff
from app.plots.audit.view import AuditView
from app.plots.figures import new_figure
from engine.audit import audit_neighbours, audit_run, replace_one_pair, worst_case_pairs
from engine.audit.bounding import audit_draws
from engine.data.categories import CategoryDomain
from engine.data.database import PublicFacts
from engine.data.graph import SimpleGraph
from engine.data.order_statistics import Sample
from engine.domain import Box, Interval
from engine.mechanisms import LaplaceRelease, Mode, NoisyAverage, NoisyHistogram, SmoothRelease
from engine.privacy import Privacy
from engine.queries import Mean, Median, MstCost, TriangleCount


def drawn(picture, view, size=(600, 350)):
    figure = new_figure(size=(size[0] / 100, size[1] / 100))
    figure.set_dpi(100)
    FigureCanvasAgg(figure)
    made = picture(figure.add_subplot(), unit="$")
    made.update(view)
    figure.canvas.draw()
    figure.canvas.draw()
    return made


def ticks(picture):
    return [tick.label1.get_text() for tick in picture.axes.xaxis.get_major_ticks()]


@pytest.fixture
def bad(make, cases):
    """Noise that is private with epsilon = 2, where 1 was promised."""
    return make.audit(cases["salaries"])


@pytest.fixture
def good(make, cases):
    return make.audit(cases["salaries"], scale=1.0)


def test_the_verdict_is_said(good, bad):
    assert drawn(AuditOutcomes, bad).alt_text().startswith("Violated: ε\xa0=\xa01. Measured: ε ≥ ")
    words = drawn(AuditOutcomes, good).alt_text()
    assert words.startswith("Consistent with ε\xa0=\xa01. Measured: ε ≥ ")
    assert "An audit can refute a guarantee, never prove it." in words
    assert f"all equal  {share(good.run.shares[0])}" in words
    assert (
        drawn(AuditOutcomes, bad)
        .caption()
        .startswith("Faulty variant (planted bug), Not DP: half the noise. Viol")
    )


def test_refusals_stand_beyond_all_numbers(make, cases):
    view = make.audit(cases["salaries"], refusing=0.5)
    picture = drawn(AuditOutcomes, view)
    assert "refused" in ticks(picture)
    at = float(np.mean(picture.result.run.bins.refusals))
    refused = float(np.isinf(view.run.second).mean())
    assert picture.tooltip(at).startswith("refused to answer: 0\u202f% on “all equal”")
    assert picture.table()[1][-1] == ["refused", "refused", 0.0, pytest.approx(refused)]
    assert picture.update(view) is False


@pytest.mark.parametrize("refusing", [(1.0, 1.0), (0.1, 0.6)])
def test_whether_there_is_an_answer_may_be_the_event(refusing):
    rng = np.random.default_rng(1)
    sides = [np.where(rng.random(2000) < part, np.nan, 3.0) for part in refusing]
    view = AuditView(audit_draws(*sides, Privacy(1.0)))
    picture = drawn(AuditOutcomes, view)
    assert {"refuses", "refused"} & set(ticks(picture))
    assert picture.axes.get_ylim()[1] <= 104  # percent: there is no more than all
    assert picture.alt_text()


def test_a_few_values_have_a_bar_each(bad):
    rng = np.random.default_rng(2)
    sides = [rng.choice(4, 4000, p=p).astype(float) for p in ((0.7, 0.1, 0.1, 0.1), (0.1, 0.1, 0.1, 0.7))]
    picture = drawn(AuditOutcomes, AuditView(audit_draws(*sides, Privacy(1.0))))
    assert picture.result.run.bins.values.tolist() == [0, 1, 2, 3]
    assert "(in the event)" in picture.tooltip(0.0) + picture.tooltip(3.0)


def test_rare_events_are_seen_on_a_logarithmic_axis():
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 0.1, (2, 20_000))
    noise[0, rng.random(20_000) < 0.02] += 3
    picture = drawn(AuditOutcomes, AuditView(audit_draws(*noise, Privacy(1.0))))
    assert picture.axes.get_yscale() == "log"


def far_apart(zeros=0):
    """Noise of sizes that are a million times apart, about one middle; so many releases are exact."""
    rng = np.random.default_rng(4)
    style_axes, loud = rng.laplace(0, 1e-3, 4000), 1e3 * rng.standard_cauchy(4000)
    style_axes[: 4 * zeros : 4] = 0.0
    return AuditView(audit_draws(style_axes, loud, Privacy(1.0)), ("first database", "second database"))


@pytest.mark.parametrize("zeros", [0, 900])
def test_distances_over_decades_are_seen_on_an_axis_of_logarithms(zeros):
    view = far_apart(zeros)
    picture = drawn(AuditOutcomes, view)
    bins, (left, right) = picture.result.run.bins, picture.axes.get_xlim()
    assert bins.least > 0
    assert (bins.shares.sum(axis=1) + bins.out).tolist() == pytest.approx([1, 1])
    for part in bins.shares:  # neither side is a stroke at the edge
        middle = bins.edges[np.searchsorted(part.cumsum(), 0.5)]
        assert left + 0.05 * (right - left) < middle < right - 0.05 * (right - left)
    inside = bins.edges[1:] <= bins.positions(view.run.event.threshold) + 1e-9
    assert bins.shares[:, inside].sum(axis=1) == pytest.approx(view.run.shares, abs=bins.out.max() + 1e-12)
    assert len([text for text in ticks(picture) if text]) >= 3
    assert plain("($)") in picture.axes.get_xlabel()
    rows = np.array(picture.table()[1])
    assert rows[0][0] == pytest.approx(bins.value(bins.edges[0]))
    at = float(np.median(view.run.second))
    assert "on the second database" in picture.tooltip(bins.positions(at))
    assert "\u202f$: " in picture.tooltip(bins.positions(at))
    assert "\u202f$ away" in picture._sentence.text
    assert picture.units_of(view)["from"] == "$"
    assert picture.update(view) is False


@pytest.mark.parametrize("size", [(600, 350), (520, 300)])
def test_the_name_of_the_event_stands_beside_its_limit_inside_the_axes(good, bad, size):
    for view in (good, bad, far_apart()):
        picture = drawn(AuditOutcomes, view, size)
        name, axes = picture._name.get_window_extent(), picture.axes.bbox
        limit = picture.axes.transData.transform((picture._edge.get_xdata()[0], 0))[0]
        assert axes.x0 <= name.x0 < name.x1 <= axes.x1
        assert name.x1 < limit or limit < name.x0


def test_events_are_told_in_words():
    words = far_apart().event_sentence()
    assert words.startswith("Event: a release is at most 0.0")
    assert words.endswith("away from the middle release of the first database.")
    assert "“" not in words


def test_the_shares_beside_the_event_give_the_measured_bound(good, bad):
    """The sentence has the numbers of the labels, and they give the number of the verdict."""
    for view in (good, bad):
        run, labels = view.run, " ".join(drawn(AuditOutcomes, view).labels.texts())
        low, high, bound = share(run.p_low), share(run.q_high), number(run.audit.epsilon_lower_bound)
        assert f"in the event, at least {low}" in labels
        assert f"in the event, at most {high}" in labels
        assert view.bound_sentence == f"So ε ≥ ln({low} / {high}) = {bound}."
        assert f"ε ≥ {bound} " in view.verdict.numbers
        assert np.log(run.p_low / run.q_high) == pytest.approx(run.audit.epsilon_lower_bound)
    never = dataclasses.replace(good.run.audit, epsilon_lower_bound=0.0)
    assert AuditView(dataclasses.replace(good.run, audit=never)).bound_sentence == ""


def test_belief_stays_in_the_band_as_long_as_the_promise_holds(good, bad):
    for view, within in ((good, True), (bad, False)):
        picture = drawn(AuditPosterior, view)
        before, low, high, after = np.array(picture.table()[1]).T / 100
        inner = slice(1, -1)
        odds = high[inner] / (1 - high[inner]) / (before[inner] / (1 - before[inner]))
        assert odds == pytest.approx(np.full(99, np.e))
        assert (low <= before + 1e-12).all()
        assert ((low[inner] <= after[inner]) & (after[inner] <= high[inner])).all() == within
    assert "ε = 1 allows 27\u202f% to 73\u202f%." in picture.alt_text()


def test_belief_is_that_in_the_database_that_the_event_points_to():
    rng = np.random.default_rng(7)
    few, many = (np.where(rng.random(4000) < part, np.nan, 3.0) for part in (0.1, 0.6))
    for sides, name in (((few, many), "their neighbor"), ((many, few), "the data")):
        view = AuditView(audit_draws(*sides, Privacy(1.0)))
        picture = drawn(AuditPosterior, view)
        run, after = view.run, picture._found.get_ydata()[0] / 100
        assert after / (1 - after) == pytest.approx(run.p_low / run.q_high)
        assert after > 0.5
        assert f"sure of {name}: " in picture.alt_text()
        assert f"belief in {name} after" in picture.axes.get_title(loc="left")


def test_the_test_by_the_event_names_the_second_database():
    rng = np.random.default_rng(8)
    few, many = (np.where(rng.random(4000) < part, np.nan, 3.0) for part in (0.1, 0.6))
    for first, second in ((few, many), (many, few)):
        view = AuditView(audit_draws(first, second, Privacy(1.0)))
        (alarms,), (missed,) = drawn(AuditTradeOff, view)._event.get_data()
        told = [np.isnan(side[2000:]).mean() for side in (first, second)]  # refusals tell of `many`
        expected = (told[0], 1 - told[1]) if second is many else (1 - told[0], told[1])
        assert (alarms, missed) == pytest.approx([100 * part for part in expected])


def test_tests_lie_above_the_limit_as_long_as_the_promise_holds(good, bad):
    alarms, missed, least = np.array(drawn(AuditTradeOff, good).table()[1]).T
    # four standard deviations of a share of 2,000 runs
    assert (missed >= least - 4 * 0.5 / np.sqrt(2000)).all()
    assert least == pytest.approx(np.maximum(0, np.maximum(1 - np.e * alarms, (1 - alarms) / np.e)))
    _, missed, least = np.array(drawn(AuditTradeOff, bad).table()[1]).T
    assert (missed < least - 0.1).any()


def test_the_verdict_of_the_test_is_that_of_the_audit(good, bad):
    for view in (good, bad):
        run, privacy = view.run, view.run.audit.privacy
        forced = 1 - privacy.delta - np.exp(privacy.epsilon) * run.q_high
        assert (1 - run.p_low < forced) == run.audit.violated
        assert drawn(AuditTradeOff, view).alt_text().lower().startswith(run.audit.verdict)


@pytest.fixture
def low_bits_views(make, cases):
    """All numbers on the grid, and none."""
    return make.low_bits(cases["salaries"], off=False), make.low_bits(cases["salaries"])


def test_bars_of_low_bits_hold_all_numbers_and_the_impossible_ones_stand_on_top(low_bits_views):
    on_grid, off_grid = low_bits_views
    table = np.array(drawn(AuditLowBits, off_grid).table()[1])
    assert table[:, 2:].sum() == pytest.approx(100)
    assert table[:, 3].sum() == pytest.approx(100 * np.mean(off_grid.run.result.impossible))
    middle = np.array(drawn(AuditLowBits, on_grid).table()[1])
    assert middle[len(middle) // 2, 2] == 100  # all of them on points of the grid
    assert middle[:, 3].sum() == 0


def test_low_bits_say_what_is_consistent_and_what_is_violated(low_bits_views):
    on_grid, off_grid = (drawn(AuditLowBits, view) for view in low_bits_views)
    assert on_grid.alt_text().startswith("Consistent with ε\xa0=\xa01.")
    assert "never prove it" in on_grid.alt_text()
    assert off_grid.alt_text().startswith("Violated: ε\xa0=\xa01.")
    assert "on a point of the grid" in on_grid.tooltip(0.0)
    assert "impossible" in off_grid.tooltip(0.3)
    assert on_grid.tooltip(0.7) == ""
    assert off_grid.caption().startswith("Faulty variant (planted bug), Not DP")


@pytest.mark.parametrize(
    ("mechanism", "edges", "differing"),
    [(SmoothRelease(query=MstCost()), 8, 1), (SmoothRelease(query=TriangleCount()), 13, 1)],
    ids=["weights", "edges"],
)
def test_the_game_draws_graphs(mechanism, edges, differing):
    """Both sides differ in the coloured edge only: it has two weights, or is absent from one side."""
    pair = worst_case_pairs(mechanism, Interval(0, 10), 8, Privacy(1.0))[0]
    run = audit_run(mechanism, pair, Privacy(1.0), runs=1000)
    picture = drawn(AuditGuessWho, AuditView(run, pair=pair), size=(700, 400))
    for side, part in enumerate(picture._sides):
        assert part.records.get_xdata().size == 8
        shared, absent = (np.isnan(line.get_xdata()).sum() for line in part.edges)
        own = np.isnan(part.differs.get_xdata()).sum()
        assert shared + absent + own == edges
        assert absent == (differing if side and edges == 13 else 0)
        assert part.edges[0].get_linestyle() == part.differs.get_linestyle() == "-"
        assert part.edges[1].get_color() == part.differs.get_color()
        assert part.why.get_text() == ("dotted: no edge" if absent else "")
    names = [part.name.get_text() for part in picture._sides]
    assert ("10" in names[0]) == (edges == 8)  # a weight
    weights = [[text.get_text() for text in part.weights if text.get_text()] for part in picture._sides]
    few = edges == 8
    assert [len(one) for one in weights] == [8 * few] * 2  # a ring has room for all its weights
    bold = [
        [text for text in part.weights if text.get_fontweight() == "bold" and text.get_text()]
        for part in picture._sides
    ]
    assert [[text.get_text() for text in one] for one in bold] == ([["10"], ["0"]] if few else [[], []])
    assert len({text.get_position() for one in bold for text in one}) == few


@pytest.mark.parametrize("n", [5, 6, 800, 10_001])
def test_both_databases_of_the_game_draw_the_same_shared_records(n):
    """Only the colored record moves."""
    made_up = worst_case_pairs(SmoothRelease(query=Median()), Interval(0, 500_000), n, Privacy(1.0))[0]
    data = Sample(np.random.default_rng(1).normal(50, 9, n).round(), Interval(0, 500))
    for pair in (made_up, replace_one_pair(data, 0, 400.0)):
        run = audit_run(SmoothRelease(query=Median()), pair, Privacy(1.0), runs=1000)
        picture = drawn(AuditGuessWho, AuditView(run, pair=pair), size=(700, 400))
        first, second = (side.records.get_xydata() for side in picture._sides)
        assert np.array_equal(first, second)
        assert 3 < len(first) <= MAX_RECORDS
        colored = [side.differs.get_xydata() for side in picture._sides]
        assert [len(one) for one in colored] == [1, 1]
        assert colored[0][0, 0] != colored[1][0, 0]
        assert first[:, 1].min() > colored[0][0, 1]  # they hide none of the colored ones
        for side in picture._sides:  # where dots stand for many records, it is said how many
            texts = [text.get_text() for text in side.weights if text.get_text()]
            held = [int(text.removesuffix(" records").replace("\u202f", "")) for text in texts]
            assert sum(held) == len(pair.data.values) * (pair is made_up)


def test_the_game_outlines_the_bounds_of_points_and_the_counted_box():
    result = audit_neighbours(NoisyHistogram(), PublicFacts(SQUARE, 20), Privacy(2.0), runs=2000)
    view = AuditView.of(result)
    index = view.range_of(view.run.game.feature)
    picture = drawn(AuditGuessWho, view, size=(700, 400))
    for side, held in zip(picture._sides, ((10, 10), (9, 11)), strict=True):
        corners, counted = (edges.get_xydata() for edges in side.edges)
        assert np.nanmin(corners, axis=0).tolist() == [0, 0]
        assert np.nanmax(corners, axis=0).tolist() == [1, 1]
        ends = np.nanmin(counted, axis=0), np.nanmax(counted, axis=0)  # the box that decides is marked
        np.testing.assert_array_equal(ends, (view.counts.lower[index], view.counts.upper[index]))
        assert side.edges[1].get_linewidth() > side.edges[0].get_linewidth()
        texts = [text.get_text() for text in side.weights if "records" in text.get_text()]
        assert texts == [f"{count} records" for count in held]  # beside both corners
    names = [part.name.get_text().partition(": ")[2][:12] for part in picture._sides]
    assert [name[:8] for name in names] == [
        "10 at (0",
        "9 at (0\u202f",
    ]  # at one place, whatever the answers are
    assert picture._answers.get_xlabel().endswith("count released for the framed box")
    out = view.run.game.bins.out.max()
    assert f"({share(out)} out of view)" in picture._answers.get_xlabel()


def test_a_line_leads_from_the_open_answer_to_the_axis(good):
    picture = drawn(AuditGuessWho, dataclasses.replace(good, bets=np.empty(0, dtype=int)), size=(700, 400))
    (x, top), foot = picture._open.get_xydata()
    assert foot.tolist() == [x, 0]
    assert top > 0
    assert picture._open.get_markevery() == [0]


def test_coordinates_of_centers_have_the_names_of_their_columns(good):
    view = dataclasses.replace(good, coordinates=("age", "income"))
    assert view.name_of("coordinate 3") == "age of center 2"
    assert good.name_of("coordinate 3") == "coordinate 3"


def test_the_names_of_both_axes_of_the_game_stand_apart():
    result = audit_neighbours(NoisyHistogram(), PublicFacts(SQUARE, 20), Privacy(2.0), runs=2000)
    picture = drawn(AuditGuessWho, AuditView.of(result), size=(700, 400))
    answers, bets = (part.xaxis.label.get_window_extent() for part in (picture._answers, picture._hits))
    assert answers.x1 < bets.x0


def test_the_rule_of_the_game_is_the_sentence_above_it(good):
    picture = drawn(AuditGuessWho, good)
    (rule,) = picture.sentences
    assert rule.text == "If ε = 1 holds, you win at most 73\u202f% in the long run."
    assert picture._bound.get_ydata() == pytest.approx([100 * good.run.game.bound] * 2)


def test_each_curve_of_the_game_has_the_name_of_its_database_away_from_the_other_one(good):
    picture = drawn(AuditGuessWho, good, size=(700, 400))
    names = left, right = [side.source for side in picture._sides]
    assert [one.get_text() for one in names] == list(good.names)
    assert left.get_window_extent().x1 < right.get_window_extent().x0
    for side, name in zip(picture._sides, names, strict=True):
        curve = side.curve.get_path().transformed(side.curve.get_transform()).get_extents()
        assert curve.y1 < name.get_window_extent().y0
    assert picture._question.get_window_extent().y1 < left.get_window_extent().y0


SQUARE, COLOURS = Box.of([0.0, 0.0], [1.0, 1.0]), CategoryDomain(["colour"], [["red", "green"]])
PLAYED = {
    "median": (SmoothRelease(query=Median()), Interval(0, 500_000)),
    "mean": (LaplaceRelease(query=Mean()), Interval(0, 500_000)),
    "tree": (SmoothRelease(query=MstCost()), Interval(0, 8)),
    "triangles": (SmoothRelease(query=TriangleCount()), Interval(0, 8)),
    "histogram": (NoisyHistogram(), SQUARE),
    "average": (NoisyAverage(), Box.of([0.0], [1.0])),
    "mode": (Mode(), COLOURS),
}


def test_the_database_with_the_smaller_counts_is_first_whatever_the_order_of_the_pair():
    result = audit_neighbours(NoisyHistogram(), PublicFacts(SQUARE, 40), Privacy(4.0), runs=10_000)
    pair = dataclasses.replace(result.pair, data=result.pair.neighbour, neighbour=result.pair.data)
    other = dataclasses.replace(result, pair=pair, run=result.run.exchanged())
    views = [AuditView.of(one) for one in (result, other)]
    assert all(view.range_of(view.run.game.feature) is not None for view in views)
    assert views[0].pair.data is views[1].pair.data
    assert views[0].run.game.sides.tolist() == views[1].run.game.sides.tolist()


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("exchanged", [False, True], ids=["as it is", "exchanged"])
def test_the_left_curve_belongs_to_the_left_button(name, exchanged):
    """Whatever the order of the pair; nothing that the audit proves depends on it."""
    mechanism, domain = PLAYED[name]
    result = audit_neighbours(mechanism, PublicFacts(domain, 20), Privacy(2.0), runs=10_000)
    if exchanged:
        pair = dataclasses.replace(result.pair, data=result.pair.neighbour, neighbour=result.pair.data)
        result = dataclasses.replace(result, pair=pair, run=result.run.exchanged())
    view = AuditView.of(result)
    picture = drawn(AuditGuessWho, view)
    middles = []
    for side in picture._sides:
        heights, edges, _ = side.curve.get_data()
        middles.append(np.average((edges[1:] + edges[:-1]) / 2, weights=heights))
    width = np.ptp(edges)
    assert middles[0] <= middles[1] + 0.02 * width
    assert view.names == ("first database", "second database")
    game, before = view.run.game, result.run.game
    assert (game.bound, game.best_rate, game.hit_rate) == (before.bound, before.best_rate, before.hit_rate)
    assert view.verdict == audit_verdict(result.run)
    seen, drawn_first = databases_of(view.run, view.pair), view.run is result.run
    own = databases_of(result.run, result.pair)
    assert (seen is None) == (own is None)
    if own is not None:
        assert list(seen.values) == list(own.values)[:: 1 if drawn_first else -1]


def test_the_game_says_which_databases_are_made_up():
    mechanism, data = SmoothRelease(query=Median()), Sample([1.0, 2.0, 3.0], Interval(0, 500_000))
    made_up = worst_case_pairs(mechanism, data.domain, 5, Privacy(1.0))[0]
    for pair in (made_up, replace_one_pair(data, 0, 9.0)):
        run = audit_run(mechanism, pair, Privacy(1.0), runs=1000)
        picture = drawn(AuditGuessWho, AuditView(run, pair=pair), size=(700, 400))
        assert picture.alt_text().startswith("Worst case, not your data: half the values") == pair.public
        assert len(picture._answers.get_xticks()) > 2


def test_records_of_the_game_stand_on_no_tick_label_on_a_wall():
    pair = worst_case_pairs(SmoothRelease(query=Median()), Interval(0, 500_000), 5, Privacy(1.0))[0]
    run = audit_run(SmoothRelease(query=Median()), pair, Privacy(1.0), runs=1000)
    picture = drawn(AuditGuessWho, AuditView(run, pair=pair), size=(840, 312))
    for side, box in zip(picture._sides, picture._boxes, strict=True):
        labels = [tick.label1.get_window_extent() for tick in box.xaxis.get_major_ticks()]
        dot = side.differs
        radius = (dot.get_markersize() + dot.get_markeredgewidth()) / 2 * dot.get_figure().dpi / 72
        middle = box.transData.transform((0.0, dot.get_ydata()[0]))[1]
        assert labels
        assert max(label.y1 for label in labels) < middle - radius


def test_no_weight_stands_on_the_name_of_a_database_on_a_wall():
    pair = worst_case_pairs(SmoothRelease(query=MstCost()), Interval(0, 8), 34, Privacy(1.0))[0]
    run = audit_run(SmoothRelease(query=MstCost()), pair, Privacy(1.0), runs=1000)
    picture = drawn(AuditGuessWho, AuditView(run, pair=pair), size=(840, 312))
    for side in picture._sides:
        weights = [text.get_window_extent() for text in side.weights if text.get_text()]
        assert weights
        assert max(weight.y1 for weight in weights) < side.name.get_window_extent().y0


def test_a_large_graph_is_drawn_around_the_difference():
    ends = np.column_stack(np.triu_indices(60, 1))
    pair = replace_one_pair(SimpleGraph(ends, 60), 700, False)
    seen = databases_of(audit_run(SmoothRelease(query=TriangleCount()), pair, Privacy(1.0), runs=1000), pair)
    assert sum(len(path) // 3 for path in (seen.differing[0], *seen.edges[0])) == MAX_RECORDS
    assert [len(path) // 3 for path in seen.differing] == [1, 0]


def test_counts_of_histograms_are_named_by_their_range_and_have_no_unit_of_the_data():
    facts = PublicFacts(Box.of([0.0], [500_000.0]), 20)
    view = AuditView.of(audit_neighbours(NoisyHistogram(), facts, Privacy(1.0), runs=1000))
    assert view.run.event.feature.startswith("coordinate ")
    label = rf"count released for values from [\d\u202f]+ to [\d\u202f]+{THIN}\$"
    picture = drawn(AuditOutcomes, view)
    assert re.match(label, picture.axes.get_xlabel().replace("\\", ""))
    assert re.search(rf"Event: {label} is (above|at most) [^ ]+\.$", view.event_sentence("$"))
    assert picture.units_of(view)["from"] == ""
    game = drawn(AuditGuessWho, view)
    assert not any("$" in text.get_text() for text in game._answers.get_xticklabels())
    plane = PublicFacts(Box.of([0.0, 0.0], [1.0, 1.0]), 20)
    boxes = AuditView.of(audit_neighbours(NoisyHistogram(), plane, Privacy(1.0), runs=1000))
    assert boxes.name_of("coordinate 89", "$") == "count released for random box 89"
    assert boxes.name_of("coordinate 89", "$", "the framed box") == "count released for the framed box"
