"""The grid of released numbers in words."""

from __future__ import annotations

import dataclasses

import pytest

from app.model.wording.console import grid
from app.model.wording.guarantees import certificate_line
from app.model.wording.releases import expected_words, grid_words, inexact_words, with_clamp, with_counted
from engine.analysis.expected_error import ErrorEstimate, ExpectedError, estimate_scalar_error
from engine.analysis.noise import certify_noise
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import MECHANISMS, LaplaceRelease, SmoothRelease
from engine.privacy import Privacy


@pytest.mark.parametrize(
    ("step", "window", "console"),
    [
        (2.0**-22, "multiples of 2⁻²² = 2.4×10⁻⁷ m", "multiples of 2^-22 = 2.4e-07 m"),
        (2.0**20, "multiples of 2²⁰ = 1 048 576 m", "multiples of 2^20 = 1 048 576 m"),
        (2.0**-700, "multiples of 2⁻⁷⁰⁰ = 1.9×10⁻²¹¹ m", "multiples of 2^-700 = 1.9e-211 m"),
        (0.125, "multiples of 0.125 m", "multiples of 0.125 m"),
        (1.0, "multiples of 1 m", "multiples of 1 m"),
        (2500.0, "multiples of 2 500 m", "multiples of 2 500 m"),
        (0.1, "multiples of 0.1 m", "multiples of 0.1 m"),
        ([0.5, 0.5, 0.5], "multiples of 0.5 m", "multiples of 0.5 m"),
        ([0.5, 0.25], "x: multiples of 0.5 m, y: multiples of 0.25 m", None),
        ([0.5, 0.25, 2.0, 4.0], "multiples of 0.25 m to multiples of 4 m, by coordinate", None),
        (None, "", ""),
    ],
)
def test_a_step_in_words(step, window, console):
    assert grid_words(step, "m", ("x", "y")).replace("\u202f", " ") == window
    assert grid(step, "m", {}, ("x", "y")).replace("\u202f", " ") == (window if console is None else console)


def test_counts_are_whole_numbers():
    assert grid_words(1.0) == grid(1.0, "", {}) == "whole numbers"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({}, "w"),
        ({"clamp": "none"}, "w, not clamped"),
        ({"clamp": "bounds"}, "w, clamped to the range of results"),
        ({"post": "none"}, "w"),
        ({"post": "simplex"}, "w, then fitted to the number of records"),
    ],
)
def test_clamping_is_said_where_there_is_a_choice(parameters, said):
    assert with_clamp("w", parameters) == said


def test_exactness_in_words():
    assert inexact_words(True, "") == ""
    assert inexact_words(False, "") == "not verified to the last bit"
    assert inexact_words(False, "sums are rounded") == "not verified to the last bit: sums are rounded"


def test_where_only_what_is_counted_lies_on_a_grid_that_is_said():
    words = "whole numbers of answers, from which the shares follow"
    assert with_counted("whole numbers", MECHANISMS["randomized-response"]) == words
    assert with_counted("whole numbers", MECHANISMS["contingency-table"]) == "whole numbers"
    assert with_counted("whole numbers", None) == "whole numbers"
    assert with_counted("", MECHANISMS["randomized-response"]) == ""


MOSTLY = ErrorEstimate(ExpectedError(0.0, 0.25, True), None, 1.0, 1.0, "replace-one", exact=0.64)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, "Error up to ± 0.25 m\n(in 95 % of the releases; 64 % have no error)"),
        ({"answers": 0.5}, "Error up to ± 0.25 m\n(in 95 % of the answers; 64 % have no error)"),
        ({"errors": ExpectedError(0.0, 0.0, True)}, "No error in 64 % of the releases"),
        ({"exact": None}, "Typical error ± 0 m\n(95 % within ± 0.25 m)"),
        ({"errors": ExpectedError(0.1, 0.25, True)}, "Typical error ± 0.1 m\n(95 % within ± 0.25 m)"),
    ],
)
def test_where_most_releases_have_no_error_the_others_are_the_headline(changed, words):
    said = expected_words(dataclasses.replace(MOSTLY, **changed), "m").text
    assert said.replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ") == words


def test_clamping_that_hides_useless_noise_is_no_typical_error_of_0():
    worst = Sample([0.0] * 6 + [5e5] * 5, Interval(0.0, 5e5))
    said = expected_words(estimate_scalar_error(LaplaceRelease(), worst, Privacy(1.0)), "$").text
    assert said.replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ") == (
        "Error up to ± 500 000 $\n"
        "(in 95 % of the releases; 50 % have no error, because they are clamped to a bound)"
    )


def test_what_pays_for_an_error_bar_is_told_beside_what_pays_for_the_value():
    found = certify_noise(SmoothRelease(error_share=0.25), Privacy(2.0))
    assert certificate_line(found) == "Verified: ε ≤ 1.5 for the value, 0.5 for its error bar"
    assert certificate_line(certify_noise(SmoothRelease(), Privacy(2.0))) == "Verified: ε ≤ 2"
