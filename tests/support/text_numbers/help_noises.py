"""Numbers in the help pages of noise families."""

import math

import numpy as np
from scipy.optimize import minimize_scalar

from engine import (
    GeneralizedCauchy,
    Laplace,
    LaplacePareto,
    Median,
    PowerLaplace,
    StudentT,
)
from engine.ledger import Cost
from engine.ledger.composition import compose
from engine.mechanisms import SmoothRelease
from engine.noise import ArsinhNormal, Gaussian, LaplaceLogNormal, MultivariateT, UniformLogNormal
from engine.noise.automatic import TAILS, noise_choices
from engine.noise.certificate import certify
from engine.noise.concentrated import MAX_DIMENSIONS
from engine.primitives.accounting import largest_rho
from engine.privacy import Privacy
from text_numbers import computes
from text_numbers._releases import DELTA, deviation, error, evenly_spaced_example, median_of, pair, salaries

ONE = Privacy(1.0, DELTA)


def of_median(noise, delta=0.0, **settings):
    """Return the median error of the median of salaries at epsilon = 1."""
    return error("smooth", Median(), salaries(), 1.0, delta, noise=noise, **settings)


def power():
    return of_median(PowerLaplace())


def chosen_until(family, decline):
    """Return the epsilon, a multiple of 0.1, at which the rule no longer chooses a family."""
    epsilons = (round(0.1 * i, 1) for i in range(1, 100))
    return next(
        e for e in epsilons if not isinstance(noise_choices(Privacy(e, DELTA), decline)[0].noise, family)
    )


@computes("help", "noises/arsinh-normal", slow=True)
def arsinh_normal():
    numbers = {"n": salaries().n, "power": power(), "default": ArsinhNormal().sigma}
    times = []
    for index, sigma in enumerate((0.5, 0.8, ArsinhNormal().sigma), 1):
        noise = ArsinhNormal(sigma=sigma)
        alpha, beta = pair(noise, DELTA)
        published = deviation(noise, DELTA, constants="published")
        numbers |= {
            f"alpha_{index}": alpha,
            f"beta_{index}": beta,
            f"deviation_{index}": deviation(noise, DELTA),
            f"published_{index}": published,
        }
        times.append(published / deviation(noise, DELTA))
    # the proof has the same alpha in two dimensions as in one
    two = pair(ArsinhNormal(), DELTA, dimension=2)[0] / pair(ArsinhNormal(), DELTA, constants="published")[0]
    best = [
        choice
        for choice in (noise_choices(Privacy(round(0.01 * i, 2), DELTA)) for i in range(5, 101))
        if next(one for one in choice if one.noise.shares).noise.name != "arsinh-normal"
    ]
    return numbers | {
        "least_times": min(times),
        "most_times": max(times),
        "two_times": two,
        "dimensions": MAX_DIMENSIONS,
        "tuned": of_median(ArsinhNormal(sigma=1.4), DELTA, split=0.2),
        "best_lcp": of_median(LaplacePareto(g=2.2)),
        "lcp": best_deviation(LaplacePareto, "g", numbers["beta_2"])[0],
        "best_from": 0.05 + 0.01 * len(best),
        "chosen_from": chosen_until(PowerLaplace, 0.5),
    }


@computes("help", "noises/auto", slow=True)
def auto():
    numbers = {"n": salaries().n, "g": PowerLaplace().g, "g_flat": TAILS[0.0]}
    names = {
        "power-laplace": "power",
        "lcp": "lcp",
        "uniform-log-normal": "uniform",
        "arsinh-normal": "arsinh",
        "laplace": "laplace",
    }
    budgets = (Privacy(1.0), ONE, Privacy(0.3, DELTA), Privacy(0.1, DELTA))
    for index, privacy in enumerate(budgets, 1):
        choices = noise_choices(privacy)
        assert choices[0].noise == PowerLaplace()
        numbers |= {
            f"{names[one.noise.name]}_{index}": one.error for one in choices if one.noise.name in names
        }
    numbers["graph_from"] = chosen_until(PowerLaplace, 0.5)
    numbers["rank_from"] = chosen_until(PowerLaplace, 1.0)
    numbers["mean_from"] = chosen_until(Laplace, 0.0)
    methods = {"": "smooth", "exponential_": "exponential", "piecewise_": "piecewise-laplace"}
    for name, data in (("salaries", salaries()), ("even", evenly_spaced_example())):
        for index, epsilon in enumerate((0.1, 0.3, 1.0, 3.0), 1):
            for label, method in methods.items():
                numbers[f"{name}_{label}{index}"] = error(method, Median(), data, epsilon)
    return numbers


@computes("help", "noises/gaussian", slow=True)
def gaussian():
    alpha, beta = pair(Gaussian(), DELTA)
    numbers = {
        "alpha": alpha,
        "beta": beta,
        "deviation": deviation(Gaussian(), DELTA),
        "laplace": deviation(Laplace(), DELTA),
        "laplace_beta": pair(Laplace(), DELTA)[1],
        "full": deviation(Gaussian(), DELTA, constants="published"),
    }
    for power_of_ten in (3, 6):
        delta = 10.0**-power_of_ten
        printed = Gaussian().published_pairs(Privacy(1.0, delta))[0]
        certificate = certify(Gaussian(), printed.alpha, printed.beta, Privacy(1.0, delta))
        numbers[f"joint_{power_of_ten}"] = certificate.joint_delta
        numbers[f"shift_{power_of_ten}"] = certificate.sliding_delta / (delta / 2)
    return numbers


@computes("help", "noises/generalized-cauchy", slow=True)
def generalized_cauchy():
    usual, lcp = GeneralizedCauchy(), LaplacePareto()
    numbers = {
        "power": median_of(PowerLaplace()),
        "median": median_of(usual),
        "slope": (4 - 1) ** (3 / 4),
        "lcp": deviation(lcp),
        "lcp_beta": pair(lcp)[1],
        "deviation": deviation(usual),
        "beta": pair(usual)[1],
        "most": float(usual.quantile(0.975)) / pair(usual)[0],
    }

    def loss(gamma, edition, epsilon):
        noise = GeneralizedCauchy(gamma=float(gamma))
        printed = noise.published_pairs(Privacy(epsilon))[edition]
        return certify(noise, printed.alpha, printed.beta, Privacy(epsilon)).joint_epsilon / epsilon

    for gamma in (2, 3, 4, 6, 8, 12):
        numbers |= {f"loss_{gamma}": loss(gamma, 0, 0.1), f"own_{gamma}": loss(gamma, 1, 0.1)}
    return numbers | {
        "full_2": loss(2, 1, 1.0),
        "full_4": loss(4, 1, 1.0),
        "large_8": loss(8, 0, 1.0),
    }


@computes("help", "noises/laplace-log-normal")
def laplace_log_normal():
    noise, count = LaplaceLogNormal(), 30
    (alpha, beta), rho = pair(noise, DELTA), largest_rho(ONE)
    published = SmoothRelease(noise=noise, constants="published")
    return {
        "dimensions": MAX_DIMENSIONS,
        "releases": count,
        "composed": compose([Cost.of(published, ONE)] * count).concentrated.epsilon,
        "rho": rho,
        "e": math.sqrt(2 * rho),
        "sigma": noise.sigma,
        "times": alpha / pair(noise, DELTA, constants="published")[0],
        "alpha": alpha,
        "beta": beta,
        "deviation": deviation(noise, DELTA),
        "published": deviation(noise, DELTA, constants="published"),
        "lcp": deviation(LaplacePareto()),
        "lcp_beta": pair(LaplacePareto())[1],
        "wide": deviation(LaplaceLogNormal(sigma=1.15), DELTA),
    }


@computes("help", "noises/laplace")
def laplace():
    numbers = {
        "n": salaries().n,
        "median": of_median(Laplace(), DELTA),
        "power": power(),
        "lcp": of_median(LaplacePareto()),
        "arsinh": of_median(ArsinhNormal(sigma=1.4), DELTA, split=0.2),
        # with 1 for the hidden constant of the conference version, in two dimensions
        "conference": certify(
            Laplace(), 0.5, 1 / (math.sqrt(2) * math.log(1 / DELTA)), ONE, dimension=2
        ).joint_delta
        / DELTA,
    }
    for index, (noise, delta, constants) in enumerate(
        (
            (Laplace(), DELTA, "tight"),
            (Laplace(), DELTA, "published"),
            (Laplace(), 1e-3, "tight"),
            (LaplacePareto(), 0.0, "tight"),
        ),
        1,
    ):
        numbers[f"alpha_{index}"], numbers[f"beta_{index}"] = pair(noise, delta, constants=constants)
        numbers[f"deviation_{index}"] = deviation(noise, delta, constants=constants)
    return numbers


def best_deviation(family, shape, beta):
    """Return the least standard deviation at epsilon = 1 with a given beta, and the shape that has it."""

    def of(value):
        noise = family(**{shape: value})
        low, high = 1e-6, 1 - 1e-6  # the share for sliding that leaves this beta
        for _ in range(60):
            share = (low + high) / 2
            low, high = (share, high) if pair(noise, split=share)[1] > beta else (low, share)
        return deviation(noise, split=low) if pair(noise, split=high)[1] < 1.01 * beta else math.inf

    least = {"g": 2.02, "nu": 2.02, "gamma": 3.02}[shape]
    # a shape so light that it leaves nothing for sliding has no deviation
    values = np.linspace(least, 9.0, 60)
    errors = [of(value) for value in values]
    middle = int(np.argmin(errors))
    found = minimize_scalar(
        of, bounds=(values[max(middle - 1, 0)], values[min(middle + 1, 59)]), method="bounded"
    )
    return float(found.fun), float(found.x)


def laplace_deviation(beta):
    """Return the least standard deviation of Laplace noise with a delta and at least a beta."""
    pairs = [pair(Laplace(), DELTA, split=float(share)) for share in np.linspace(0.01, 0.99, 99)]
    found = [(b, a) for a, b in pairs]
    betas, alphas = zip(*sorted(found), strict=True)
    return math.sqrt(2) / float(np.interp(beta, betas, alphas))


@computes("help", "noises/lcp", slow=True)
def lcp():
    usual = LaplacePareto()
    numbers = {
        "n": salaries().n,
        "best": of_median(LaplacePareto(g=2.2)),
        "usual": of_median(usual),
        "power": power(),
        "alpha": pair(usual)[0],
        "beta": pair(usual)[1],
        "deviation": deviation(usual),
        "most": float(usual.quantile(0.975)) / pair(usual)[0],
    }
    for index, beta in enumerate((0.01, 0.03, 0.05, 0.1, 0.2), 1):
        numbers[f"lcp_{index}"], numbers[f"g_{index}"] = best_deviation(LaplacePareto, "g", beta)
        numbers[f"student_{index}"] = best_deviation(StudentT, "nu", beta)[0]
        numbers[f"cauchy_{index}"] = best_deviation(GeneralizedCauchy, "gamma", beta)[0]
        if index <= 3:
            numbers[f"laplace_{index}"] = laplace_deviation(beta)
    return numbers


def of_vectors(family):
    """Return median lengths of vectors of noise at epsilon = 1, beside independent coordinates of LCP."""
    numbers = {}
    for index, dimension in enumerate((2, 5, 10), 1):
        independent = LaplacePareto(g=2.2)
        alpha, beta = pair(independent, dimension=dimension)
        vector, own = family(dimension, beta)
        lengths = []
        # independent coordinates are scaled to the L1 sensitivity, up to sqrt(d) times the Euclidean one
        for noise, scale in ((independent, alpha / math.sqrt(dimension)), (vector, own)):
            drawn = noise.sample_vectors(np.random.default_rng(7), 400_000, dimension)
            lengths.append(float(np.median(np.linalg.norm(drawn, axis=1))) / scale)
        numbers |= {
            f"beta_{index}": beta,
            f"lcp_{index}": lengths[0],
            f"vector_{index}": lengths[1],
            f"ratio_{index}": lengths[0] / lengths[1],
        }
    return numbers


@computes("help", "noises/multivariate-t", slow=True)
def multivariate_t():
    def family(dimension, beta):
        nu = float(dimension)  # the cost of both together is nu sqrt(beta^2 + alpha^2 / nu)
        return MultivariateT(nu=nu), math.sqrt(nu * ((1 / nu) ** 2 - beta**2))

    return of_vectors(family)


@computes("help", "noises/power-laplace", slow=True)
def power_laplace():
    ours, lcp = PowerLaplace(g=2.2), LaplacePareto(g=2.2)

    def family(dimension, beta):
        return PowerLaplace(g=1 / (dimension * beta)), 1.0

    alpha, beta = pair(ours)
    lcp_alpha, lcp_beta = pair(lcp)
    return of_vectors(family) | {
        "n": salaries().n,
        "power": power(),
        "lcp": of_median(lcp),
        "alpha": alpha,
        "beta": beta,
        "median": median_of(ours),
        "lcp_alpha": lcp_alpha,
        "lcp_beta": lcp_beta,
        "lcp_median": median_of(lcp),
        "times": median_of(lcp) / median_of(ours) * beta / lcp_beta,
    }


@computes("help", "noises/student-t", slow=True)
def student_t():
    usual = StudentT()
    alpha, beta = pair(usual)
    printed = usual.published_pairs(Privacy(1.0))[-1]
    return {
        "n": salaries().n,
        "median": of_median(usual),
        "power": power(),
        "lcp": best_deviation(LaplacePareto, "g", 0.05)[0],
        "best": best_deviation(StudentT, "nu", 0.05)[0],
        "nu": usual.nu,
        "alpha": alpha,
        "beta": beta,
        "deviation": deviation(usual),
        "nu_small": best_deviation(StudentT, "nu", 0.01)[1],
        "nu_large": best_deviation(StudentT, "nu", 0.2)[1],
        "printed_beta": printed.beta,
        "printed": certify(usual, printed.alpha, printed.beta, Privacy(1.0)).joint_epsilon,
    }


@computes("help", "noises/uniform-log-normal")
def uniform_log_normal():
    noise = UniformLogNormal()
    alpha, beta = pair(noise, DELTA)
    radii = np.linspace(1e-3, 20, 400_000)
    slopes = np.diff(noise.log_density(radii)) / np.diff(radii)
    choices = {one.noise.name: one for one in noise_choices(Privacy(0.1, DELTA))}
    best = choices["uniform-log-normal"]
    assert best.noise == UniformLogNormal(sigma=1.0)
    return {
        "alpha": alpha,
        "beta": beta,
        "sigma": noise.sigma,
        "deviation": deviation(noise, DELTA),
        "published": deviation(noise, DELTA, constants="published"),
        "times": alpha / pair(noise, DELTA, constants="published")[0],
        "lcp": deviation(LaplacePareto()),
        "slope": float(np.abs(slopes).max()),
        "factor": math.exp(1.5 * 0.5**2) * math.sqrt(2 / (math.pi * 0.5**2)),
        "share": best.split,
        "power": choices["power-laplace"].error / best.error,
        "dimensions": MAX_DIMENSIONS,
        "narrow": deviation(UniformLogNormal(sigma=0.3), DELTA),
    }
