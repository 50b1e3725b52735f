"""Numbers in the help pages of clusters, mixtures and small balls."""

import math
from functools import cache

import numpy as np
from cluster_sets import NEAR, PRIVACY, SPREAD, blobs_of, farthest, median_distance, three_blobs
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from engine.aggregation.blocks import Partition
from engine.analysis.cluster_separation import separate_clusters
from engine.data.points import Points
from engine.extras.frontier.friendly_core import HALVINGS, SEPARATION, SHARES, FriendlyCore
from engine.extras.points.k_means import _SHARE as TREE_SHARE
from engine.mechanisms import MECHANISMS, Clusters, Mixture
from engine.mechanisms.aggregators import Average, CenterOfAttention, OneClusterAggregator
from engine.mechanisms.one_cluster.tight_boxes import MAX_AXES
from engine.mechanisms.planning import plan
from engine.noise import Laplace, PowerLaplace
from engine.primitives.rec_concave import needed_promise
from engine.randomness import reproducible
from text_numbers import computes
from text_numbers._lesson_data import points
from text_numbers._releases import pair
from text_numbers.help_aggregators import FRIENDLY, fewest
from text_numbers.help_mechanisms import box, draws

MEANS = np.array([(2, 2, 2, 2, 2), (8, 2, 5, 2, 8), (2, 8, 5, 8, 5), (8, 8, 2, 5, 2)], dtype=float)
"""Of the four Gaussians of the example `mixture-5d`."""


@cache
def mixture_errors():
    """Return the median of the largest distance of a mean, from 100,000 records, by aggregators."""
    n, blocks, runs = 100_000, 1400, 50
    rng = np.random.default_rng(n)
    values = MEANS[rng.integers(0, 4, n)] + 0.5 * rng.standard_normal((n, 5))
    data = Points(np.clip(np.round(values, 2), 0, 10), box(5, 10.0))
    numbers = {"n": n, "blocks": blocks, "runs": runs, "diagonal": 10 * math.sqrt(5)}
    for name, aggregator in (
        ("core", FriendlyCore()),
        ("center", CenterOfAttention()),
        ("average", Average()),
    ):
        mechanism = Mixture(k=4, sampling=Partition(blocks=blocks), aggregator=aggregator)
        sets = draws(mechanism, data, runs, delta=1e-6).reshape(runs, 4, 5)
        tables = [cdist(one, MEANS) for one in sets]
        numbers[name] = float(np.median([one[linear_sum_assignment(one**2)].max() for one in tables]))
    return numbers


@computes("help", "aggregators/friendly-core", slow=True)
def friendly_core():
    numbers = {f"fewest_{name}": fewest(FriendlyCore(), 2, epsilon) for name, epsilon in FRIENDLY.items()}
    return (
        numbers
        | {f"share_{index}": share for index, share in enumerate(SHARES, 1)}
        | {"held": FriendlyCore().held, "separation": SEPARATION, "radii": 2 * HALVINGS}
        | mixture_errors()
    )


@computes("help", "mechanisms/mixture", slow=True)
def mixture():
    errors = mixture_errors()
    return {
        "tight": fewest(OneClusterAggregator(), 20, 1.0),
        "fewest": fewest(FriendlyCore(), 20, 1.0),
        "n": errors["n"],
        "core": errors["core"],
        "average": errors["average"],
    }


def of_blocks(aggregator, data, noise):
    """Return the error with the number of blocks that suits an aggregator."""
    space = Clusters().vectors.space(data.domain)
    least, guess = aggregator.fewest(space, 1, PRIVACY), 0.02 * np.sqrt(6)
    blocks = plan(data.n, space, PRIVACY, noise, guess, smallest=3, fewest=least).blocks
    mechanism = Clusters(sampling=Partition(blocks=blocks), aggregator=aggregator)
    return median_distance(draws(mechanism, data, 200, delta=PRIVACY.delta))


@cache
def three_clusters():
    """Return distances from the centers of three blobs, by mechanism and number of records."""
    numbers = {"few": 10_000, "many": 100_000, "spread": SPREAD}
    for name, n in (("few", 10_000), ("many", 100_000)):
        data = three_blobs(n)
        numbers |= {
            f"cells_{name}": median_distance(draws(MECHANISMS["k-means-on-cells"](), data, 40)),
            f"lloyd_{name}": median_distance(draws(MECHANISMS["lloyd"](), data, 40)),
            f"center_{name}": of_blocks(CenterOfAttention(), data, PowerLaplace()),
            f"average_{name}": of_blocks(Average(), data, Laplace()),
            f"one_cluster_{name}": of_blocks(OneClusterAggregator(), data, Laplace()),
            f"core_{name}": of_blocks(FriendlyCore(), data, Laplace()),
        }
    return numbers


@computes("help", "topics/clustering", slow=True)
def clustering():
    data = points("clustering", "clusters", "three-clusters")
    found = separate_clusters(Clusters(k=3), data)
    return three_clusters() | {"separation": found.at_chosen}


@computes("help", "mechanisms/clusters", slow=True)
def clusters():
    beta = pair(PowerLaplace(), dimension=6)[1]
    shown = {name: value for name, value in three_clusters().items() if not name.startswith("core")}
    return shown | {
        "fewest": fewest(OneClusterAggregator(), 6, 1.0),
        "beta": beta,
        "needed": 2 / beta,
        "apart": 100 * math.sqrt(2),
    }


@computes("help", "mechanisms/k-means-on-cells", slow=True)
def k_means_on_cells():
    numbers = {"runs": 40, "near": NEAR, "spread": SPREAD, "n": 10_000}
    numbers |= {"shape": TREE_SHARE, "counts": 1 - TREE_SHARE}
    names = {"3 blobs": "three", "80, 15 and 5 %": "unequal", "8 blobs": "eight", "4 blobs, d = 4": "four"}
    for name, key in names.items():
        centers, data = blobs_of(name, 10_000)
        k = len(centers)
        for way, mechanism in (
            ("tree", MECHANISMS["k-means-on-cells"](k=k)),
            ("grid", MECHANISMS["k-means-on-cells"](k=k, partition="grid")),
            ("lloyd", MECHANISMS["lloyd"](k=k)),
        ):
            errors = farthest(draws(mechanism, data, 40), centers)
            numbers[f"{key}_{way}"] = float(np.mean(errors <= NEAR))
            numbers[f"{key}_{way}_error"] = float(np.median(errors))
    return numbers


RADIUS = {2: 0.01, 6: 0.05}


def planted(n, t, d, seed):
    """Return points of the cube, t of them in a ball."""
    rng = np.random.default_rng(seed)
    values = rng.uniform(0, 1, (n, d))
    direction = rng.standard_normal((t, d))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    values[:t] = 0.4 + RADIUS[d] * direction * rng.uniform(0, 1, (t, 1)) ** (1 / d)
    return Points(values, box(d))


def promise(method, dimension, n=10_000, t=500, **more):
    """Return the smallest t with a guarantee, and how many times as large the ball may be."""
    found = MECHANISMS["one-cluster"](t=t, method=method, **more).search.promise(box(dimension), n, PRIVACY)
    return found.needed, found.factor


@computes("help", "topics/one-cluster", slow=True)
def one_cluster():
    published = MECHANISMS["one-cluster"](method="published").search
    task = published.task(box(), 10_000, PRIVACY)
    candidates, runs = 2**20, 10
    numbers = {
        "n": 5000,
        "runs": runs,
        "promise": published.finder(box()).promise(task),
        "published": published.promise(box(), 10_000, PRIVACY).needed,
        "published_factor": published.promise(box(), 10_000, PRIVACY).factor,
        "axes": MAX_AXES,
        "concave": needed_promise(candidates, PRIVACY),
    }
    for key, method, d, grid in (
        ("plane_cells", "overlapping-cells", 2, 2**7),
        ("plane_balls", "balls", 2, 2**7),
        ("line_cells", "overlapping-cells", 1, 2**16),
        ("line_balls", "balls", 1, 2**14),
        ("line_thresholds", "thresholds", 1, 2**16),
    ):
        numbers[key], numbers[f"{key}_factor"] = promise(method, d, grid=grid)
    for key, method, d, t in (
        ("cells_2", "overlapping-cells", 2, 400),
        ("cells_6", "overlapping-cells", 6, 800),
        ("wide_2", "wide-boxes", 2, 800),
        ("tight_6", "tight-boxes", 6, 1000),
    ):
        mechanism, held, ratio = MECHANISMS["one-cluster"](t=t, method=method), [], []
        for seed in range(runs):
            data = planted(5000, t, d, seed)
            ball = mechanism.prepare(data, PRIVACY).located.run(reproducible(seed)).ball
            held.append(np.count_nonzero(ball.contains(data.values[:t])) / t)
            ratio.append(ball.radius / RADIUS[d])
        numbers |= {
            f"{key}_t": t,
            f"{key}_needed": promise(method, d, 5000, t)[0],
            f"{key}_held": float(np.median(held)),
            f"{key}_ratio": float(np.median(ratio)),
        }
    return numbers


RHO = 0.225
"""Of Su and others 2016, as diffprivlib 0.6.6 has it."""


@computes("help", "mechanisms/k-means-diffprivlib")
def k_means_diffprivlib():
    numbers = {"many": 100}
    for columns in (5, 10, 100):
        counts = (4 * columns * RHO**2) ** (1 / 3)
        # exchanged: counts get the share of a column, each column that of the counts
        numbers[f"cost_{columns}"] = (1 + columns * counts) / (columns + counts)
    return numbers
