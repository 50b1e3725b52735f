"""Errors of several mechanisms: the dots, who wins, what is refused."""

import dataclasses
import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import DARK, LIGHT
from app.plots.clustering.point_cloud import baseline
from app.plots.clustering.release_errors import ReleaseErrors, sentence
from app.plots.elements.dot_rows import DOTS, quantile_dots, stacks
from app.plots.figures import new_figure
from engine.analysis.points_errors import ErrorComparison, ErrorSample


def sample(label, middle, chosen=False, refused=0.0, runs=400):
    rng = np.random.default_rng(len(label))
    errors = middle * np.exp(0.4 * rng.standard_normal(runs))
    return ErrorSample(label, np.where(np.arange(runs) < refused * runs, np.nan, errors), chosen)


CLUSTERS, LLOYD = sample("Clusters", 0.3, chosen=True), sample("Noisy Lloyd", 0.002, refused=0.25)
NOTHING = ErrorSample("Winsorized mean", np.empty(0), problem="too few blocks")


def picture(*samples, diameter=2.45, palette=LIGHT, size=(7.4, 3.8), scale=1.0):
    figure = new_figure(palette, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = ReleaseErrors.draw(figure.add_subplot(), ErrorComparison(samples, diameter), palette, "cm")
    figure.canvas.draw()
    figure.canvas.draw()
    return made


def test_dots_stand_for_equal_shares():
    values = np.random.default_rng(0).exponential(size=10_000)
    dots = quantile_dots(values)
    assert dots.size == DOTS
    for low, high in itertools.pairwise(dots):
        assert np.mean((values > low) & (values <= high)) == pytest.approx(1 / DOTS, abs=0.001)
    assert quantile_dots(np.empty(0)).size == 0
    assert quantile_dots(np.array([3.0])).tolist() == [3.0] * DOTS


@pytest.mark.parametrize("most", [4, 50])
def test_dots_are_stacked_and_never_overlap(most):
    x = np.sort(np.random.default_rng(1).normal(0, 30, 50))
    columns, heights = stacks(x, 8.0, most)
    assert heights.max() < most
    assert (np.abs(columns - x) <= 24).all()
    for one, other in itertools.combinations(zip(columns, heights, strict=True), 2):
        assert one[0] == other[0] or abs(one[0] - other[0]) >= 8 - 1e-9
        assert one != other
    assert stacks(np.zeros(3), 1.0, 3)[1].tolist() == [0, 1, 2]


def test_a_stack_that_is_too_high_has_columns_around_its_place():
    columns, heights = stacks(np.full(20, 5.0), 2.0, 8)
    places, counts = np.unique(columns, return_counts=True)
    assert places.tolist() == [3, 5, 7]
    assert sorted(counts.tolist()) == [6, 7, 7]
    assert heights.max() == 6


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("count", [1, 3, 6])
def test_every_row_has_room_for_its_dots(count, scale):
    made = picture(*(sample(f"Mechanism {i}", 0.1 * 2**i) for i in range(count)), scale=scale)
    width = made._rows.diameter() * made.axes.figure.dpi / 72
    for places, room in made._rows._spaces():
        assert (stacks(places[:, 0], width, DOTS)[1].max() + 1) * width <= room
    assert 2.5 <= made._rows.diameter() <= 9


@pytest.mark.parametrize(
    ("samples", "diameter", "words"),
    [
        ((CLUSTERS, LLOYD), 2.45, "Noisy Lloyd wins: half of the releases are within 0.00"),
        ((sample("Clusters", 0.001, chosen=True), LLOYD), 2.45, "Clusters wins: "),
        ((CLUSTERS, sample("Clusters 2", 0.3)), 2.45, "are equally good: with both, half"),
        ((CLUSTERS, NOTHING), 2.45, "Clusters: half of the releases are within"),
        (
            (CLUSTERS, sample("Mean", 0.4)),
            0.5,
            "Of little use here: even with Clusters, only half",
        ),
        ((CLUSTERS,), 0.5, "Of little use here: even with Clusters, only half"),
        ((NOTHING,), 2.45, "No mechanism has made a release."),
    ],
)
def test_a_sentence_says_who_wins(samples, diameter, words):
    made = picture(*samples, diameter=diameter)
    assert words in made._sentence.text
    assert made.alt_text().startswith(made._sentence.text)


def test_the_winner_is_the_one_with_the_smaller_median_and_by_how_much():
    ratio = CLUSTERS.typical / LLOYD.typical
    winner = dataclasses.replace(LLOYD, why="It adds up.")
    text, why = sentence(ErrorComparison((CLUSTERS, winner), 2.45), "")
    assert text.endswith(f"{ratio:.0f}× smaller error than Clusters.")
    assert why == winner.why  # not in the large sentence of a presentation


def test_refusals_and_problems_are_said():
    made = picture(CLUSTERS, LLOYD, NOTHING)
    texts = made.labels.texts()
    assert texts[0].endswith("25\u202f% refused")  # the best one is on top
    assert "refused" not in texts[1]
    assert texts[2] == "Winsorized mean"
    assert [text.get_text() for text in made._problems] == ["too few blocks"]
    assert made.tooltip(1, -2) == "Winsorized mean: too few blocks"
    artists = len(made.artists)
    made.update(made.result)
    assert len(made.artists) == artists
    made.update(ErrorComparison((CLUSTERS, LLOYD), 2.45))
    assert not made._problems


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_mechanism_of_the_page_is_blue_and_every_other_has_a_colour_of_its_own(palette):
    made = picture(LLOYD, CLUSTERS, sample("Average", 1.0), sample("Median", 0.5), palette=palette)
    colours = [row.colour for row in made._rows._rows]
    assert colours[1] == palette.smooth  # of the second best
    assert len(set(colours)) == 4
    assert palette.released not in colours
    lloyd = dataclasses.replace(LLOYD, baseline=True)
    assert picture(CLUSTERS, lloyd, palette=palette)._rows._rows[0].colour == baseline(palette)


def test_errors_of_zero_stand_at_the_left_edge():
    made = picture(ErrorSample("Exact", np.zeros(50)), CLUSTERS)
    assert made._rows._rows[0].x.min() == made.axes.get_xlim()[0]
    assert "Exact wins: half of the releases are within 0" in made._sentence.text


def test_words_and_numbers():
    made = picture(CLUSTERS, LLOYD)
    nearer = np.mean(LLOYD.answered <= 0.002)
    assert made.tooltip(0.002, 0).startswith(f"Noisy Lloyd: {100 * nearer:.0f}")
    assert made.tooltip(0.002, -7) == ""
    header, rows = made.table()
    assert header[:3] == ["mechanism", "runs", "refused"]
    assert rows[1][:3] == ["Noisy Lloyd", 400, 100]
    assert rows[0][5] == CLUSTERS.typical


def test_a_mechanism_with_the_answers_of_another_says_so():
    twin = dataclasses.replace(LLOYD, label="Twin")
    made = picture(CLUSTERS, LLOYD, twin)
    assert [text.endswith("the same answers as Noisy Lloyd") for text in made.labels.texts()] == [
        False,
        True,
        False,
    ]
