"""Every sanitization of the bundled examples runs, and is drawn; their numbers are kept in `tests/golden`."""

import dataclasses
import io

import every_sanitization
import pytest
from every_sanitization import MIN_RUNS, RUNS, sanitizations, simulate_all

from app.commands.support.data import readers
from app.model.figure_style import STYLE
from app.releases.registry import SHAPES
from engine.catalog import methods, sanitizers
from engine.data import EXAMPLES
from engine.extras.libraries.library import Peer
from engine.mechanisms import HistogramMechanism
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.facts import facts_of
from engine.noise import noises_of_numbers
from engine.privacy import neighbours_of
from engine.randomness import reproducible


@pytest.fixture(scope="module", params=[(30, 4), pytest.param((RUNS, MIN_RUNS), marks=pytest.mark.slow)])
def cases(request):
    return [dataclasses.asdict(case) for case in simulate_all(1, *request.param)]


def names(kind):
    known = sanitizers().items()
    return {name for name, cls in known if issubclass(cls, kind) and not issubclass(cls, Peer)}


def test_they_have_every_method_query_noise_and_example(cases):
    assert {case["example"] for case in cases} == set(EXAMPLES)
    others = {name for name, kind in sanitizers().items() if issubclass(kind, Peer)}
    assert {case["query"] for case in cases} == set(readers()) - others
    ours = {name for name, kind in methods().items() if not issubclass(kind, Peer)} - {"auto"}
    assert {case["method"] for case in cases if case["method"]} == {*ours, *AGGREGATORS}
    assert {case["noise"] for case in cases if case["noise"]} == {
        family.name for family in noises_of_numbers()
    }
    for case in cases:
        assert case["neighbours"] == neighbours_of(readers()[case["query"]])
        assert case["epsilon"] == (1 if facts_of(readers()[case["query"]]).is_private else None)
        assert (case["value"] is None) <= (case["refused"] > 0)


def test_sets_of_centers_have_as_many_as_were_asked_for(cases):
    sets = [case for case in cases if case["query"] in ("clusters", "mixture", "lloyd")]
    assert sets
    for case in sets:
        assert len(case["value"]) == len(case["true_value"]) == case["parameters"]["k"]
        assert case["median_error"] <= case["p95_error"]


def test_balls_are_searched_where_there_are_some(cases):
    by_name = {(case["query"], case["example"]): case for case in cases if case["delta"]}
    ball = by_name["one-cluster", "planted-disc"]
    balls, mean = by_name["k-balls", "two-minorities"], by_name["screened-mean", "outliers"]
    assert list(ball["value"]) == list(ball["true_value"]) == ["center", "radius"]
    assert ball["value"]["center"] == pytest.approx([0.619, 0.371], abs=0.1)
    assert (len(balls["value"]), balls["parameters"]["k"]) == (2, 2)
    assert mean["value"]["mean"] == pytest.approx([0.2, 0.25], abs=0.01)
    for case in (ball, balls, mean):
        assert case["runs"] < RUNS
        assert case["median_error"] <= case["p95_error"]


def test_histograms_say_how_many_points_ranges_hold(cases):
    of_histograms = [case for case in cases if case["query"] in names(HistogramMechanism)]
    assert {case["query"] for case in of_histograms} == names(HistogramMechanism)
    for case in of_histograms:
        assert case["true_value"] is None
        assert list(case["value"]) == ["cells", "fewest points", "most"]
        assert 0 < case["median_error"] <= case["p95_error"] < case["n"]


def test_the_same_seed_gives_the_same_numbers(monkeypatch):
    blood_types = {"blood-types": EXAMPLES["blood-types"]}
    monkeypatch.setattr(every_sanitization, "EXAMPLES", blood_types)
    assert list(simulate_all(1, 4, 4)) == list(simulate_all(1, 4, 4)) != list(simulate_all(2, 4, 4))


def test_each_mechanism_of_its_own_is_drawn():
    from matplotlib.image import imread

    from app.plots.figure_panel import render

    first = {}
    for card in EXAMPLES.values():
        for made, prepared in sanitizations(card):
            first.setdefault(made.mechanism.name, (made, prepared))
    for made, prepared in first.values():
        release = made.mechanism.release(prepared, made.data.database, made.privacy, reproducible(1))
        shape = SHAPES[made.mechanism.facts.shape]
        figure = shape.figure(made.record(release, prepared), STYLE)
        pixels = imread(io.BytesIO(render(figure, ".png")))
        assert pixels.shape[1] >= 700
        assert pixels[..., :3].std() > 0.02
