"""What objects show at a prompt and in a notebook, and what is taken in the place of a component."""

import dataclasses
import pkgutil
import re
from importlib import import_module

import numpy as np
import pytest

import engine
from engine import (
    Box,
    Categories,
    CategoryDomain,
    ExponentialRelease,
    Interval,
    LaplaceRelease,
    Ledger,
    Lloyd,
    Median,
    NoisyHistogram,
    Points,
    Privacy,
    Sample,
    ShiftedHistogram,
    SimpleGraph,
    SmoothRelease,
    StudentT,
    Sweep,
    WeightedGraph,
    as_table,
    compare,
    contenders_from,
    reproducible,
    sensitivity_against_k,
    simulate,
    verdict,
)
from engine.errors import DataError, ParameterError, SensiscopeError, UnknownName
from engine.shown import ShownInALine

SECRET = 37.12345
COLUMN = Sample([SECRET, 3.0, 8.0], (0, 100))
SHOWN = {
    COLUMN: "Sample(n=3, lower=0.0, upper=100.0; records are confidential)",
    Points([[SECRET, 1.0]], ([0, 0], [100, 10])): "Points(n=1, lower=[0.0, 0.0], upper=[100.0, 10.0]; rec",
    WeightedGraph(
        [[0, 1]], [SECRET], (0, 50)
    ): "WeightedGraph(n=2, lower=0.0, upper=50.0, vertices=2, edges=1",
    SimpleGraph([[0, 1]], n=4): "SimpleGraph(n=4",
    Categories(np.array([[0]]), CategoryDomain(["a"], [["x", "y"]])): "Categories(n=1",
    as_table({"age": [SECRET]}, "people").numbers("age"): "Numbers(confidential)",
    as_table({"age": [SECRET]}, "people"): "Table('people', n=1; columns age; records are confidential)",
    Ledger(None): "Ledger(None)",
}


@pytest.mark.parametrize(("known", "words"), SHOWN.items(), ids=lambda value: type(value).__name__)
def test_data_show_what_is_public_and_no_record(known, words):
    assert repr(known).startswith(words)
    assert "37" not in repr(known)


def test_results_show_a_line_and_nothing_confidential():
    asked = ExponentialRelease(query="median")
    points = Points(np.linspace(0, 1, 2000).reshape(-1, 2), (0, 1))
    released = NoisyHistogram(bins=32).run(points, 1.0, reproducible(1))
    compared = compare(
        contenders_from([asked, SmoothRelease(query="median")]),
        COLUMN,
        1.0,
        Sweep("epsilon", (1.0,)),
        runs=5,
        seed=1,
    )
    shown = [
        (
            simulate(asked, COLUMN, 1.0, runs=1000, seed=1),
            "Simulation(1,000 runs, seed=1; no releases, and conf",
        ),
        (compared, "Comparison(mechanisms: 2, values of epsilon: 1, runs: 5; confidential)"),
        (verdict(compared.at(0)), "Verdict(confidence=0.99; confidential)"),
        (asked.prepare(COLUMN, 1.0), "PiecewisePrepared(confidential)"),
        (Ledger().account("a" * 64, "people"), "Account('people')"),
        (released.histogram, "GridHistogram(1,024 cells, d=2)"),
    ]
    assert [repr(known)[: len(words)] for known, words in shown] == [words for _, words in shown]
    assert "value=cells = 1" in repr(released)
    assert len(repr(released)) < 2000


def test_whatever_is_called_private_shows_none_of_its_numbers():
    private = []
    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        if module.name.startswith(("engine.extras.sandbox", "engine.extras.sandbox.worker")):
            continue
        private += [
            one
            for one in vars(import_module(module.name)).values()
            if isinstance(one, type)
            and dataclasses.is_dataclass(one)
            and one.__module__ == module.name
            and "(private" in one.__doc__.split("\n\n")[0]
            and any(field.repr for field in dataclasses.fields(one))
        ]
    assert len(private) > 60
    hidden = ShownInALine.__repr__, object.__repr__
    assert [one.__name__ for one in private if one.__repr__ not in hidden] == []
    profile = sensitivity_against_k(SmoothRelease(), COLUMN, 1.0)
    assert repr(profile) == "SensitivityProfile(confidential)"


def test_a_notebook_shows_a_release_without_what_is_private():
    release = SmoothRelease(query="median").run(COLUMN, 1.0, reproducible(1))
    shown = release._repr_html_()
    assert "<b>Simulation: not a release</b>" in shown
    assert "median, by smooth" in shown
    assert "ε = 1, δ = 0, replace-one" in shown
    assert re.findall(r"<(script|img|link)", shown) == []
    truth = release.diagnostics["true_value"]
    assert truth == 8.0
    assert ">8<" not in shown
    assert "true_value" not in shown


def test_every_shape_of_release_is_shown():
    data = Points(np.random.default_rng(1).uniform(0, 1, (60, 2)), (0, 1))
    counts = NoisyHistogram(bins=2).run(data, (1.0, 1e-6), reproducible(1))._repr_html_()
    assert "cells = 4 parts" in counts
    centers = Lloyd(k=2).run(data, 1.0, reproducible(1))._repr_html_()
    assert "<td" in centers
    assert "((" in centers
    assert "not differentially private" in ShiftedHistogram(t=5).run(data, 1.0)._repr_html_()


def test_words_in_a_release_are_escaped():
    release = SmoothRelease().run(COLUMN, 1.0, reproducible(1))
    object.__setattr__(release, "value", "<b>&")
    assert "&lt;b&gt;&amp;" in release._repr_html_()


def test_a_component_is_taken_by_name_or_class():
    right = SmoothRelease(query=Median(), noise=StudentT())
    assert SmoothRelease(query="median", noise="student-t") == right
    assert SmoothRelease(Median, noise=StudentT) == right


def test_bounds_and_budgets_are_taken_as_numbers():
    ours = LaplaceRelease(query="mean").run(Sample([1, 2], (0, 10)), 1, reproducible(1))
    same = LaplaceRelease(query="mean").run(
        Sample([1, 2], Interval(0.0, 10.0)), Privacy(1.0), reproducible(1)
    )
    assert ours.value == same.value
    assert Points([[1, 2]], (0, 10)).domain == Points([[1, 2]], Box.of([0, 0], [10, 10])).domain
    assert NoisyHistogram().run(Points([[1, 2]], (0, 10)), (1, 1e-6)).privacy == Privacy(1.0)


@pytest.mark.parametrize(
    ("wrong", "kind", "words"),
    [
        (lambda: SmoothRelease(query="medain"), UnknownName, "there is no query 'medain'; try median"),
        (lambda: SmoothRelease(query=5), ParameterError, "query: 5 is not possible; give a query, such as"),
        (lambda: SmoothRelease(query=StudentT), ParameterError, "give a query, such as Median"),
        (lambda: Sample([1.0], (10, 0)), ParameterError, "upper: 0 is not above lower = 10"),
        (lambda: Sample([1.0], 10), ParameterError, "bounds: 10 are not public bounds; give Interval"),
        (lambda: Sample([1.0], "ab"), ParameterError, "'ab' are not public bounds"),
        (
            lambda: Points([[1, 2]], ([0], [1, 2, 3])),
            ParameterError,
            "not public bounds of 2 columns",
        ),
        (lambda: Points([1, 2], (0, 1)), DataError, "does not fit the bounds"),
        (lambda: SmoothRelease().run([1, 2], 1.0), DataError, "a list has none; give Sample"),
        (lambda: SmoothRelease().run(COLUMN, "one"), ParameterError, "privacy: 'one' is not a budget"),
        (lambda: SmoothRelease().run(COLUMN, (1, 2, 3)), ParameterError, "privacy: .* is not a budget"),
        (lambda: SmoothRelease().run(COLUMN, True), ParameterError, "privacy: True is not a budget"),
        (lambda: SmoothRelease().run(COLUMN, -1), ParameterError, "epsilon: -1 is not possible"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_remedy(wrong, kind, words):
    with pytest.raises(kind, match=words):
        wrong()
    assert issubclass(kind, SensiscopeError)
