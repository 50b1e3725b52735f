"""The private steps that mechanisms consist of, and their accounting."""

from engine.primitives.above_threshold import (
    above_threshold,
    above_threshold_slack,
    above_threshold_tight_slack,
)
from engine.primitives.accounting import (
    Concentrated,
    advanced_composition,
    best_share,
    compose,
    largest_rho,
    of_approximate,
    of_exponential,
    of_gaussian,
    of_pure,
    worst,
)
from engine.primitives.averaging import SumCount, noisy_average
from engine.primitives.gaussian import analytic_gaussian_sigma, normal_margin
from engine.primitives.permute_and_flip import flip_probabilities, permute_and_flip
from engine.primitives.projections import (
    jl_dimension,
    johnson_lindenstrauss,
    projection_bound,
    random_rotation,
)
from engine.primitives.rec_concave import (
    iterated_logarithm,
    needed_promise,
    published_promise,
    rec_concave,
)
from engine.primitives.selection import (
    choose_crossing,
    crossing_scores,
    exponential_mechanism,
    exponential_slack,
    selection_probabilities,
)
from engine.primitives.stable_argmax import (
    gaussian_cost,
    gaussian_threshold,
    stability_needed,
    stability_slack,
    stability_threshold,
    stable_argmax,
    stable_argmax_gaussian,
)

__all__ = [
    "Concentrated",
    "SumCount",
    "above_threshold",
    "above_threshold_slack",
    "above_threshold_tight_slack",
    "advanced_composition",
    "analytic_gaussian_sigma",
    "best_share",
    "choose_crossing",
    "compose",
    "crossing_scores",
    "exponential_mechanism",
    "exponential_slack",
    "flip_probabilities",
    "gaussian_cost",
    "gaussian_threshold",
    "iterated_logarithm",
    "jl_dimension",
    "johnson_lindenstrauss",
    "largest_rho",
    "needed_promise",
    "noisy_average",
    "normal_margin",
    "of_approximate",
    "of_exponential",
    "of_gaussian",
    "of_pure",
    "permute_and_flip",
    "projection_bound",
    "published_promise",
    "random_rotation",
    "rec_concave",
    "selection_probabilities",
    "stability_needed",
    "stability_slack",
    "stability_threshold",
    "stable_argmax",
    "stable_argmax_gaussian",
    "worst",
]
