"""The numbers that lessons tell, computed anew: what is told must stand in the words of its lesson."""

import dataclasses
import math
from functools import cache

import numpy as np
import pytest

from app.lessons.lesson import Scene
from app.lessons.player import load_scene
from app.lessons.reading import lessons
from engine import (
    Gaussian,
    GeneralizedCauchy,
    Interval,
    Laplace,
    LaplacePareto,
    Sample,
    StudentT,
)
from engine.mechanisms import ExponentialRelease, SmoothRelease
from engine.mechanisms.global_noise import GaussianRelease
from engine.privacy import Privacy
from engine.progress import silent
from engine.queries import Mean, Median

LESSONS = {lesson.name: lesson for lesson in lessons()[0]}
BELL = 0.67448975  # half of the draws of the standard bell curve are within


@cache
def values(example, column=""):
    """Return the sorted values of a bundled column, as lessons load them."""
    scene = Scene("median", query="mean", example=example, columns=(column,) if column else ())
    return np.sort(load_scene(scene, silent).data["numbers"].values)


def laplace(bound, n, epsilon):
    """Return within what half of the draws of Laplace noise are, for a mean from 0 to `bound`."""
    return math.log(2) * bound / n / epsilon


def gaussian(bound, n):
    return BELL * bound / n * float(GaussianRelease(query=Mean()).scale(Privacy(1.0, 1e-6)))


def odds(epsilon, prior=0.5):
    """Return the largest belief after a release."""
    after = prior / (1 - prior) * math.exp(epsilon)
    return after / (1 + after)


@cache
def released(noise, delta=0.0, worst=False):
    """Return what is ready to draw a median, of the salaries or of 51 zeros and 50 at the upper bound."""
    worst_case = Sample([0] * 51 + [1000] * 50, Interval(0, 1000))
    data = worst_case if worst else Sample(values("salaries"), Interval(0, 500_000))
    return SmoothRelease(query=Median(), noise=noise, clamp="none").prepare(data, Privacy(1.0, delta))


def within(percent, *chosen):
    """Return the distance that so many of 100 draws keep from the true median."""
    ready = released(*chosen)
    return float(ready.quantile([(1 + percent / 100) / 2])[0]) - ready.diagnostics["true_value"]


def told():
    """Yield (lesson, words, number, words of the number) of what is told."""
    salaries = values("salaries")
    n = salaries.size
    means = {bound: np.minimum(salaries, bound).mean() for bound in (100_000, 200_000, 250_000)}
    yield "choosing-bounds", "3,465", laplace(5e6, n, 0.1)
    yield "choosing-bounds", "347", laplace(5e5, n, 0.1)
    yield "choosing-bounds", "69", laplace(1e5, n, 0.1)
    yield "choosing-bounds", "173", laplace(2.5e5, n, 0.1)
    yield "choosing-bounds", "1,347", (salaries > 100_000).sum()
    yield "choosing-bounds", "56", (salaries > 250_000).sum()
    yield "choosing-bounds", "53,685", means[100_000]
    yield "choosing-bounds", "59,565", salaries.mean()
    yield "choosing-bounds", "5,880", salaries.mean() - means[100_000]
    yield "choosing-bounds", "308", salaries.mean() - means[250_000]
    for bound, words in ((250_000, "328"), (200_000, "742")):
        yield "choosing-bounds", words, half_within(salaries.mean() - means[bound], bound / n / 0.1)
    yield "choosing-bounds", "479,074", salaries[-1]
    yield "choosing-bounds", "214,499", salaries[math.ceil(0.99 * n) - 1]
    yield "composition", "35", laplace(5e5, n, 1)
    yield "composition", "347", laplace(5e5, n, 0.1)
    yield "composition", "142", gaussian(5e5, n)
    yield "composition", "1,425", 10 * gaussian(5e5, n)
    yield "composition", "3,465", 100 * laplace(5e5, n, 1)
    yield "composition", "17", math.ceil((gaussian(5e5, n) / laplace(5e5, n, 1)) ** 2)
    yield "composition", "18", 100 * math.exp(-1) / 2
    yield "composition", "5", BELL * math.sqrt(2 / 100) * 5e5 / n
    yield "groups", "95", 100 * odds(3)
    yield "groups", "88", 100 * odds(2)
    yield "groups", "60", 100 * odds(0.4)
    yield "groups", "18", 4 * math.exp(1.5)
    yield "groups", "twelve billion", 40 * math.exp(19.5) / 1e9
    yield "groups", "ten trillion", math.exp(30) / 1e12
    yield "neighbours", "342", values("penguins", "flipper_length_mm").size
    yield "neighbours", "201", values("penguins", "flipper_length_mm").mean()
    yield "neighbours", "0.29", 100 / 342
    yield "differencing", "6,931", laplace(1e5, 10, 1)
    yield "differencing", "11,111", 1e5 / 9

    core, student, cauchy = LaplacePareto(), StudentT(), GeneralizedCauchy()
    lesson = "choosing-noise"
    for percent, words in ((50, ("87", "86", "125")), (99.9, ("1,062", "1,449", "1,482"))):
        for noise, said in zip((core, student, cauchy), words, strict=True):
            yield lesson, said, within(percent, noise)
    yield lesson, "119 dollars", released(Laplace(), 1e-6).diagnostics["smooth"]
    yield lesson, "9 now", released(Laplace(), 1e-6).diagnostics["argmax_k"]
    yield lesson, "143", within(50, Laplace(), 1e-6)
    yield lesson, "883", within(50, Gaussian(), 1e-6)
    yield lesson, "1,203", within(50, Laplace(), 1e-6, True)
    yield lesson, "1,390", within(50, core, 0.0, True)
    yield lesson, "368", 1000 * math.exp(-1)
    for widths, words in ((10, "2.8"), (20, "8.8"), (50, "279")):
        yield lesson, words, math.exp(widths * (1 - 1 / 1.13)) / 1.13
    yield lesson, "1.63", 1.13**4
    yield lesson, "63 of 100", 100 * (1 - math.exp(-1))
    exponential = ExponentialRelease(query=Median())
    salaries = Sample(values("salaries"), Interval(0, 500_000))
    off = exponential.prepare(salaries, Privacy(1.0)).error_quantiles([0.5]).item()
    yield lesson, "18 dollars", off
    lesson = "smooth-sensitivity"
    yield lesson, "18 dollars", off
    for steps, words in ((1, "882"), (2, "779"), (20, "82")):
        yield lesson, words, 1000 * math.exp(-released(core).noise["beta"] * steps)
    yield lesson, "472", 1000 * math.exp(-0.3 * released(core).noise["beta"] * 20)
    yield lesson, "11.75", 100 * (1 - math.exp(-released(core).noise["beta"]))
    yield lesson, "132", Median().sensitivity_at_distance(salaries, 6)[6]
    yield lesson, "62.4", released(core).diagnostics["smooth"]
    yield lesson, "87", within(50, core)
    yield lesson, "378", released(core).error_quantiles([0.95]).item()
    yield lesson, "1,390", within(50, core, 0.0, True)
    yield lesson, "693", math.log(2) * 1000


def half_within(bias, scale):
    """Return the distance that half of Laplace draws around `bias` keep from 0, by halving."""
    low, high = 0.0, 10 * (abs(bias) + scale)
    while high - low > 1e-6:
        t = (low + high) / 2
        below = [
            0.5 * math.exp((x - bias) / scale) if x < bias else 1 - 0.5 * math.exp((bias - x) / scale)
            for x in (-t, t)
        ]
        low, high = (t, high) if below[1] - below[0] < 0.5 else (low, t)
    return low


NUMBERS = {"twelve billion": 12.0, "ten trillion": 10.0}


@pytest.mark.parametrize(("name", "words", "number"), list(told()))
def test_a_number_is_told_and_true(name, words, number):
    assert any(words in str(step) for step in map(dataclasses.asdict, LESSONS[name].steps))
    digits = words.replace(",", "").split(" ")[0].rstrip(".")
    claimed = NUMBERS.get(words) or float(digits)
    decimals = len(digits.split(".")[1]) if "." in digits else 0
    assert number == pytest.approx(claimed, abs=0.501 * 10**-decimals if words not in NUMBERS else 0.7)


def test_the_differencing_attack_finds_the_salary():
    first, second = (LESSONS["differencing"].steps[place].scene.values for place in (0, 1))
    assert first[:-1] == second
    assert np.mean(first) == 50_000
    assert round(float(np.mean(second)), 2) == 46_777.78
    assert sum(first) - sum(second) == 79_000
    rounded = 10 * 50_000 - 9 * 47_000
    assert (rounded, rounded - 9_500, rounded + 9_500) == (77_000, 67_500, 86_500)
    # the sum of two draws of Laplace noise of scale 1 is beyond t with this probability
    t = 114_000 / 1e5
    assert math.exp(-t) * (1 + t / 2) > 0.5
