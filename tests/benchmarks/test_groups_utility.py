"""Errors of medians, means and counts by group beside OpenDP, DP Wizard and Tumult, at the same promise.

All promise epsilon for one replaced row.  The others promise it for rows that are added or removed; a
replaced row is one of each, so they get half of it.  OpenDP is called.  DP Wizard calls OpenDP with the same
candidates for medians, and releases sums and counts.  Tumult Analytics needs Spark; its
documentation states a median by the exponential mechanism, and a mean from a centred sum and a count with
half of the budget each.
"""

import numpy as np
import pytest

from engine import (
    ChoiceInParts,
    Count,
    Interval,
    Mean,
    Median,
    Parts,
    PartsDomain,
    Privacy,
    SumsInParts,
    reproducible,
)

pytestmark = pytest.mark.benchmark

EPSILON, BOUNDS, RUNS = 1.0, Interval(0, 200_000, resolution=1000), 2000
CANDIDATES = np.arange(0, 201_000, 1000.0)
TABLES = {5: 4000, 50: 400, 500: 100}
"""Number of groups, and the mean number of records of each."""


@pytest.fixture(params=TABLES)
def table(request):
    rng = np.random.default_rng(request.param)
    groups = request.param
    sizes = rng.poisson(TABLES[groups], groups)
    index = np.repeat(np.arange(groups), sizes)
    level = rng.normal(11.0, 0.3, groups)[index]
    values = np.clip(rng.lognormal(level, 0.4), BOUNDS.lower, BOUNDS.upper)
    return Parts(values, index, PartsDomain(BOUNDS, tuple(map(str, range(groups)))))


def ours(mechanism, table):
    """Return the absolute errors of all groups in all runs."""
    prepared = mechanism.prepare(table, Privacy(EPSILON))
    truth = np.asarray(prepared.diagnostics["true_value"])
    drawn = prepared.draw(reproducible(1), RUNS).reshape(RUNS, table.domain.size, -1)[:, :, 0]
    return np.abs(drawn - truth).ravel(), truth


def opendp_median(table):
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))

    def measurement(scale):
        return dp.m.make_private_quantile(
            domain, dp.symmetric_distance(), dp.max_divergence(), CANDIDATES.tolist(), 0.5, scale
        )

    ready = measurement(dp.binary_search_param(measurement, d_in=1, d_out=EPSILON / 2))
    return [
        [ready(table.part(group).tolist()) for group in range(table.domain.size)]
        for _ in range(2000 // table.domain.size)
    ]


def compare(title, groups, mine, others):
    print(f"\n{title} of {groups} groups: ours {np.median(mine):.4g}", end="")
    for name, errors in others.items():
        ratio = np.mean(mine) / np.mean(errors)
        print(f"; {name} {np.median(errors):.4g}, mean error {ratio:.2f} of theirs", end="")
        assert ratio < 1.1, name


def test_medians(table):
    mine, truth = ours(ChoiceInParts(query=Median(), choice="permute-and-flip"), table)
    theirs = np.abs(np.array(opendp_median(table)) - truth).ravel()
    compare("medians", table.domain.size, mine, {"OpenDP, DP Wizard": theirs})


def test_means(table):
    mine, truth = ours(SumsInParts(query=Mean()), table)
    rng = np.random.default_rng(2)
    sizes, half = table.sizes, BOUNDS.width / 2
    shape = (RUNS, sizes.size)
    count = np.maximum(1, sizes + rng.laplace(0, 4 / EPSILON, shape))
    whole = (truth * sizes + rng.laplace(0, 4 * BOUNDS.upper / EPSILON, shape)) / count
    centred = half + ((truth - half) * sizes + rng.laplace(0, 4 * half / EPSILON, shape)) / count
    errors = {
        name: np.abs(np.clip(means, BOUNDS.lower, BOUNDS.upper) - truth).ravel()
        for name, means in (("OpenDP, DP Wizard", whole), ("Tumult", centred))
    }
    compare("means", sizes.size, mine, errors)


def test_counts(table):
    mine, _ = ours(SumsInParts(query=Count()), table)
    rng = np.random.default_rng(3)
    theirs = np.abs(np.rint(rng.laplace(0, 2 / EPSILON, mine.size)))
    compare("counts", table.domain.size, mine, {"OpenDP, DP Wizard, Tumult": theirs})
