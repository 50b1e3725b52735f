"""Numbers of the lessons on sensitivity, noise and the guarantee."""

import math
import tomllib
from functools import cache

import numpy as np

from app.lessons.lesson import Scene
from app.lessons.player import load_scene
from engine import (
    Gaussian,
    GeneralizedCauchy,
    Interval,
    Laplace,
    LaplacePareto,
    Sample,
    StudentT,
    noise_families,
)
from engine.data import EXAMPLES
from engine.mechanisms import ExponentialRelease, SmoothRelease
from engine.mechanisms.global_noise import GaussianRelease, LaplaceRelease
from engine.noise.calibration import implying_rho
from engine.privacy import Privacy
from engine.progress import silent
from engine.queries import Mean, Median
from engine.resources import resource
from text_numbers import computes

BELL = 0.67448975
"""Half of the draws of the standard normal distribution are within."""
DELTA = 1e-6
FACTOR = round(math.e, 2)


@cache
def values(example, column=""):
    """Return the sorted values of a bundled column, as lessons load them."""
    scene = Scene("median", query="mean", example=example, columns=(column,) if column else ())
    return np.sort(load_scene(scene, silent).data["numbers"].values)


@cache
def salaries(upper=500_000.0):
    return Sample(values("salaries"), Interval(0, upper))


def laplace(bound, n, epsilon):
    """Return the median absolute error of Laplace noise, for a mean from 0 to `bound`."""
    return math.log(2) * bound / n / epsilon


def odds(epsilon, prior=0.5):
    """Return the largest belief after a release."""
    after = prior / (1 - prior) * math.exp(epsilon)
    return after / (1 + after)


def worst_case():
    """Return the example of two heaps: 51 people at 0 and 50 at 1,000."""
    return Sample([0] * 51 + [1000] * 50, Interval(0, 1000))


@cache
def released(noise=None, delta=0.0, worst=False):
    """Return a median that is ready to be drawn, by smooth sensitivity; without noise, by the default."""
    chosen = {} if noise is None else {"noise": noise}
    data = worst_case() if worst else salaries()
    return SmoothRelease(query=Median(), clamp="none", **chosen).prepare(data, Privacy(1.0, delta))


def within(percent, *chosen):
    """Return the distance that so many of 100 draws keep from the true median."""
    return released(*chosen).error_quantiles([percent / 100]).item()


def local(data):
    return Median().sensitivity_at_distance(data, 0)[0]


def by_rank():
    """Return the median absolute error of the exponential mechanism on the salaries."""
    return ExponentialRelease(query=Median()).prepare(salaries(), Privacy(1.0)).error_quantiles([0.5]).item()


def global_noise():
    """Return the median absolute error of Laplace noise for the median of the salaries."""
    ready = LaplaceRelease(query=Median(), clamp="none").prepare(salaries(), Privacy(1.0))
    return ready.error_quantiles([0.5]).item()


def biased(bias, scale):
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


def scenes(name):
    """Return the scenes of a lesson as they are written: it cannot be read before it has its numbers."""
    table = tomllib.loads(resource("lessons", f"{name}.toml").read_text("utf-8"))
    return [step["scene"] for step in table["step"]]


@computes("lessons", "what-epsilon-means")
def what_epsilon_means():
    return {
        "factor": FACTOR,
        "belief": odds(1),
        "disbelief": odds(-1),
        "from_ninety": odds(1, 0.9),
        "from_one": odds(1, 0.01),
        "cube": math.exp(3),
        "square": math.exp(2),
        "three": odds(3),
        "tenth": odds(0.1),
        "ten": odds(10),
        "missed": 1 - math.e * 0.05,
        "detected": math.e * 0.05,
        "missed_ten": 1 - math.e * 0.1,
        "two": odds(2),
        "caught": math.floor(1000 * odds(scenes("what-epsilon-means")[5]["audit"]["bound"])) / 1000,
    }


@computes("lessons", "neighbours")
def neighbours():
    flippers = values("penguins", "flipper_length_mm")
    admitted = load_scene(
        Scene("histogram", query="contingency-table", example="admissions", columns=("admitted",)), silent
    )
    karate = load_scene(Scene("spanning-tree", query="triangles", example="karate"), silent).data["edges"]
    adjacent = np.zeros((karate.n, karate.n))
    for a, b in karate.ends:
        adjacent[a, b] = adjacent[b, a] = 1
    return {
        "one": odds(1),
        "two": odds(2),
        "two_down": odds(-2),
        "applicants": admitted.data["dataset"].table.data.num_rows,
        "penguins": flippers.size,
        "step": 100 / flippers.size,
        "mean": flippers.mean(),
        "members": karate.n,
        "friendships": len(karate.ends),
        "triangles": round(np.trace(np.linalg.matrix_power(adjacent, 3)) / 6),
    }


@computes("lessons", "global-sensitivity")
def global_sensitivity():
    n = salaries().n
    return {
        "n": n,
        "median": float(np.median(values("salaries"))),
        "local": local(Sample(scenes("global-sensitivity")[1]["values"], Interval(0, 500_000))),
        "step": local(salaries()),
        "error": 1000 * math.floor(global_noise() / 1000),
        "mean_step": 500_000 / n,
        "mean_error": laplace(5e5, n, 1),
        "tenth": 500_000 / n / 10,
        "rank_error": by_rank(),
    }


@computes("lessons", "choosing-bounds")
def choosing_bounds():
    data, n = values("salaries"), salaries().n
    means = {bound: np.minimum(data, bound).mean() for bound in (100_000, 200_000, 250_000)}
    return {
        "n": n,
        "step": 5_000_000 / n,
        "wide": laplace(5e6, n, 0.1),
        "medium": laplace(5e5, n, 0.1),
        "tight_noise": laplace(1e5, n, 0.1),
        "tight_above": int((data > 100_000).sum()),
        "clamped": means[100_000],
        "mean": data.mean(),
        "tight_bias": data.mean() - means[100_000],
        "above": int((data > 250_000).sum()),
        "bias": data.mean() - means[250_000],
        "noise": laplace(2.5e5, n, 0.1),
        "both": biased(data.mean() - means[250_000], 250_000 / n / 0.1),
        "narrow": biased(data.mean() - means[200_000], 200_000 / n / 0.1),
        "largest": data[-1],
        "high": data[math.ceil(0.99 * n) - 1],
        "smooth": SmoothRelease(query=Median(), noise=LaplacePareto())
        .prepare(salaries(5e6), Privacy(1.0))
        .diagnostics["smooth"],
    }


@computes("lessons", "choosing-noise")
def choosing_noise():
    core, student, cauchy, power = LaplacePareto(), StudentT(), GeneralizedCauchy(), None
    results = {
        f"{name}{str(percent).replace('.', '')}": within(percent, noise)
        for name, noise in (("power", power), ("lcp", core), ("t", student), ("cauchy", cauchy))
        for percent in (50, 95, 99.9)
    }
    mechanism = SmoothRelease(query=Median(), noise=core, clamp="none")
    for name, delta in (("families", 0.0), ("all_families", DELTA)):
        results[name] = len(noise_families(mechanism, salaries(), Privacy(1.0, delta)).curves)
    light, bell = released(Laplace(), DELTA), released(Gaussian(), DELTA)
    return results | {
        "factor": FACTOR,
        "first": 1000 * math.exp(-1),
        "inside": 1 - math.exp(-1),
        "light10": math.exp(10 * (1 - 1 / 1.13)) / 1.13,
        "light50": math.exp(50 * (1 - 1 / 1.13)) / 1.13,
        "heavy": 1.13**4,
        "laplace_share": 1 - math.exp(-light.noise["beta"]),
        "gaussian_share": 1 - math.exp(-bell.noise["beta"]),
        "lcp_share": 1 - math.exp(-released(core).noise["beta"]),
        "laplace_smooth": light.diagnostics["smooth"],
        "lcp_smooth": released(core).diagnostics["smooth"],
        "laplace50": within(50, Laplace(), DELTA),
        "gaussian50": within(50, Gaussian(), DELTA),
        "laplace_worst": within(50, Laplace(), DELTA, True),
        "lcp_worst": within(50, core, 0.0, True),
        "power_worst": within(50, None, 0.0, True),
        "laplace_k": light.diagnostics["argmax_k"],
        "lcp_k": released(core).diagnostics["argmax_k"],
        "rank50": by_rank(),
    }


@computes("lessons", "composition")
def composition():
    n, budget = salaries().n, Privacy(1.0, DELTA)
    one = laplace(5e5, n, 1)
    bell = BELL * 5e5 / n * float(GaussianRelease(query=Mean()).scale(budget))
    return {
        "factor": FACTOR,
        "square": math.exp(2),
        "n": n,
        "one": one,
        "hundred": BELL * math.sqrt(2 / 100) * 5e5 / n,
        "tenth": laplace(5e5, n, 0.1),
        "gaussian": bell,
        "gaussian100": 10 * bell,
        "laplace100": 100 * one,
        # an epsilon-DP release is epsilon^2 / 2-zCDP (Bun and Steinke 2016, Proposition 1.4)
        "better100": laplace(5e5, n, math.sqrt(2 * implying_rho(budget) / 100)),
        "better_from": math.ceil((bell / one) ** 2),
        "above": math.exp(-1) / 2,
    }


@computes("lessons", "differencing")
def differencing():
    first, second = (scene["values"] for scene in scenes("differencing")[:2])
    rounded, rounded_without = 50_000, 47_000
    assert (round(np.mean(first), -3), round(np.mean(second), -3)) == (rounded, rounded_without)
    guess = 10 * rounded - 9 * rounded_without
    # the sum of two draws of Laplace noise of scale 1 is beyond t with probability exp(-t) (1 + t / 2)
    low, high = 0.0, 10.0
    while high - low > 1e-9:
        t = (low + high) / 2
        low, high = (t, high) if math.exp(-t) * (1 + t / 2) > 0.5 else (low, t)
    return {
        "mean": round(np.mean(first)),
        "dollars": math.floor(np.mean(second)),
        "cents": round(100 * (np.mean(second) % 1)),
        "sum": round(sum(first)),
        "sum_without": round(sum(second)),
        "rounded": rounded,
        "rounded_without": rounded_without,
        "guess": guess,
        "guess_low": guess - 19 * 500,
        "guess_high": guess + 19 * 500,
        "applicants": neighbours()["applicants"],
        "found": 1000 - 4 * 10,
        "scale": 100_000 // 10,
        "half": laplace(1e5, 10, 1),
        "scale_without": 1e5 / 9,
        "attack": 1000 * math.floor(100 * low),
        "many": laplace(1e5, 10_000, 1),
        "one": odds(1),
        "two": odds(2),
        "two_down": odds(-2),
    }


@computes("lessons", "groups")
def groups():
    roads = load_scene(Scene("spanning-tree", query="mst", example="roads"), silent).data["edges"]
    return {
        "factor": FACTOR,
        "cube": math.exp(3),
        "three": odds(3),
        "two": odds(2),
        "small": odds(0.4),
        "delta4": Privacy(0.5, DELTA).for_group(4).delta,
        "millions": sum(math.exp(0.5 * i) for i in range(40)) / 1e6,
        "junctions": roads.n,
        "roads": len(roads.ends),
    }


@computes("lessons", "smooth-sensitivity")
def smooth_sensitivity():
    core = released(LaplacePareto())
    beta, k = core.noise["beta"], core.diagnostics["argmax_k"]
    one = 1000 * math.exp(-beta)
    return {
        "step": math.exp(beta),
        "one": one,
        "wrong": 2 * one - 1000,
        "two": 1000 * math.exp(-2 * beta),
        "twenty": 1000 * math.exp(-20 * beta),
        "factor": FACTOR,
        "factor_low": math.exp(0.3),
        "step_low": math.exp(0.3 * beta),
        "twenty_low": 1000 * math.exp(-0.3 * beta * 20),
        "n": salaries().n,
        "k": k,
        "far": Median().sensitivity_at_distance(salaries(), k)[k],
        "smooth": core.diagnostics["smooth"],
        "local": local(salaries()),
        "half": within(50, LaplacePareto()),
        "most": within(95, LaplacePareto()),
        "global_half": 1000 * math.floor(global_noise() / 1000),
        "worst": within(50, LaplacePareto(), 0.0, True),
        "plain": math.log(2) * 1000,
        "rank": by_rank(),
        "auto": within(50),
    }


@computes("lessons", "dp-in-45-minutes")
def lecture():
    return {"factor": FACTOR, "ten": 10, "penguins": EXAMPLES["penguins"].n}


@computes("lessons", "questions-by-group")
def questions_by_group():
    return {"penguins": EXAMPLES["penguins"].n}


@computes("lessons", "local-noise-leaks")
def local_noise_leaks():
    beta = released(LaplacePareto()).noise["beta"]
    return {
        "local": local(salaries()),
        "upper": 500_000,
        "n": salaries().n,
        "people": worst_case().n,
        "factor": FACTOR,
        "bound": scenes("local-noise-leaks")[3]["audit"]["bound"],
        "share": 1 - math.exp(-beta),
        "before": 1000 * math.exp(-beta),
    }
