"""Every guarantee of the catalog has a test that goes through all small cases, and a mistake that is caught.

The third, an audit over all built-in pairs, is `tests/engine/audit/test_mechanisms.py`, which walks the
catalog itself.  A component without an entry here fails, and so does an entry without its tests.
"""

import ast
import functools
import pathlib

import pytest

from engine.aggregation.samplings import SAMPLINGS
from engine.catalog import methods, methods_for_parts, sanitizers
from engine.extras.libraries.library import Peer
from engine.mechanisms import MECHANISMS, PLANTED
from engine.mechanisms.aggregators import AGGREGATORS
from engine.noise import NOISES
from engine.privacy import NO_PROMISE, Privacy
from engine.queries import QUERIES, TriangleCount

HERE = pathlib.Path(__file__).parent

RELEASES = "mechanisms/test_privacy_of_releases"
LAWS, TIGHT = f"{RELEASES}::test_values_by_their_distance", f"{RELEASES}::test_global_{{}}_is_tight"
CAUGHT = "mechanisms/planted/test_planted::test_planted_mistakes_are_caught"
OFFERED = "mechanisms/planted/test_planted::test_whatever_is_offered_is_caught"
OVERSPENT = "audit/test_overspent::test_a_budget_spent_several_times_is_found"
BLOCKS = "mechanisms/test_points::test_one_person_changes_one_block"
CELLS, GRIDS = "mechanisms/histograms/", "mechanisms/histograms/test_noisy_counts::"
WORDS = "mechanisms/categories/test_privacy::"
PARTS = "mechanisms/parts/test_privacy::"
BALLS, SHARES = "mechanisms/one_cluster/test_privacy::", "mechanisms/one_cluster/test_budgets::"
BUGS = f"{BALLS}test_planted_bugs_are_caught"
OUTPUTS = "mechanisms/test_aggregators::"

# the test that enumerates or computes a divergence exactly, and the one in which a mistake is caught
PROVED = {
    "smooth": (f"{RELEASES}::test_smooth_release_with_pure_noise", CAUGHT),
    "laplace": (TIGHT.format("laplace"), CAUGHT),
    "gaussian": (
        TIGHT.format("gaussian"),
        f"{RELEASES}::test_gaussian_noise_for_a_slightly_larger_epsilon_is_found",
    ),
    "exponential": (f"{RELEASES}::test_exponential_release", CAUGHT),
    "choice-in-parts": (f"{PARTS}test_choices_keep_epsilon_whatever_row_is_replaced", CAUGHT),
    "sums-in-parts": (f"{PARTS}test_noise_hides_every_replaced_row_and_no_less_would", CAUGHT),
    "auto": ("mechanisms/test_auto::test_the_choice_and_its_law_depend_on_public_facts_alone", OFFERED),
    "inverse-sensitivity": (LAWS, OFFERED),
    "piecewise-laplace": (LAWS, OFFERED),
    "ladder": (f"{RELEASES}::test_ladder", OFFERED),
    "lipschitz-extension": (
        "extras/frontier/test_packed_triangles::test_on_all_graphs_of_five_vertices",
        CAUGHT,
    ),
    "propose-test-release": (f"{RELEASES}::test_propose_test_release", CAUGHT),
    "log-scale": (
        "extras/frontier/test_log_scale_release::"
        "test_distances_are_the_definition_and_the_promise_holds_for_all_neighbours",
        CAUGHT,
    ),
    "k-means-on-cells": (
        "extras/points/test_k_means_on_cells::test_the_law_of_centers_on_two_cells_keeps_epsilon",
        CAUGHT,
    ),
    "clusters": (BLOCKS, OFFERED),
    "mixture": (BLOCKS, OFFERED),
    "sample-aggregate": (BLOCKS, CAUGHT),
    "lloyd": ("extras/points/test_lloyd::test_rounds_of_lloyd_cost_their_share", CAUGHT),
    "cluster-cost": (
        "extras/points/test_cluster_cost::test_one_record_moves_what_gets_noise_by_no_more_than_it_hides",
        OVERSPENT,
    ),
    "noisy-average": ("primitives/test_noisy_average::test_noisy_average_is_private", CAUGHT),
    "metric-median": (
        "extras/frontier/test_metric_median::test_no_probability_changes_by_more_than_epsilon",
        "extras/frontier/test_metric_median::test_the_half_that_is_left_out_is_found",
    ),
    "perceptron": (
        "extras/frontier/test_perceptron::"
        "test_each_round_has_noise_for_the_worst_record_and_its_share_of_the_budget",
        "extras/frontier/test_perceptron::test_half_of_the_noise_is_found_with_one_round",
    ),
    "coinpress": (
        "extras/frontier/test_coinpress::test_one_record_moves_all_steps_together_by_what_the_budget_hides",
        CAUGHT,
    ),
    "one-cluster": (f"{BALLS}test_level_and_cell_cost_their_shares", BUGS),
    "k-balls": (f"{SHARES}test_each_of_several_balls_is_given_its_share_of_what_is_left", BUGS),
    "screened-mean": (f"{SHARES}test_a_screened_mean_is_given_what_its_ball_leaves", BUGS),
    "interior-point": (f"{SHARES}test_an_interior_point_is_given_the_budget", OVERSPENT),
    "growing-box": ("extras/frontier/test_growing_box::test_every_law_is_private_on_all_neighbours", CAUGHT),
    "stable-cell": ("extras/frontier/test_stable_cell::test_the_law_is_private_on_all_neighbours", CAUGHT),
    "histogram-noisy": (f"{GRIDS}test_laplace_noise_is_for_the_worst_neighbours", CAUGHT),
    "histogram-tree": (f"{GRIDS}test_laplace_noise_is_for_the_worst_neighbours", OVERSPENT),
    "privtree": (
        "extras/points/test_privtree::test_no_tree_of_any_neighbours_reveals_more",
        "extras/points/test_privtree::test_planted_mistakes_cost_more",
    ),
    "quantiles": (
        f"{CELLS}test_quantiles::test_all_quantiles_together_are_private",
        f"{CELLS}test_quantiles::test_the_whole_of_epsilon_on_each_level_is_too_much",
    ),
    "covariance": (
        "extras/points/test_covariance::test_laplace_noise_is_for_the_worst_neighbours",
        "extras/points/test_covariance::test_an_audit_finds_a_constant_that_is_too_small",
    ),
    "counts": (
        f"{CELLS}test_counting::test_sensitivity_is_what_the_worst_two_records_differ_in",
        f"{CELLS}test_counting::test_too_little_noise_is_found",
    ),
    "synthetic": (
        "extras/points/test_synthetic_data::test_no_neighbours_are_told_apart",
        "extras/points/test_synthetic_data::test_twice_the_rate_reveals_more",
    ),
    "scored-choice": (
        "extras/frontier/test_scored_choice::test_no_neighbour_is_told_apart_by_more_than_epsilon",
        "extras/frontier/test_scored_choice::test_the_half_that_is_left_out_is_found",
    ),
    "contingency-table": (
        f"{WORDS}test_noise_is_for_the_largest_change_that_one_record_can_make",
        CAUGHT,
    ),
    "sorted-histogram": (
        f"{WORDS}test_noise_is_for_the_largest_change_that_one_record_can_make",
        "mechanisms/planted/test_planted::"
        "test_half_of_the_noise_is_caught_after_processing_and_in_heavy_tails",
    ),
    "mode": (f"{WORDS}test_the_exact_law_of_the_mode_satisfies_epsilon", CAUGHT),
    "randomized-response": (f"{WORDS}test_the_law_of_randomized_answers_moves_by_at_most_epsilon", CAUGHT),
}

AGGREGATED = {
    "center-of-attention": (
        f"{OUTPUTS}test_vectors_keep_to_the_admissible_pair",
        f"{OUTPUTS}test_planted_mistakes_are_caught",
    ),
    "shortest-interval": (f"{OUTPUTS}test_one_number_with_pure_noise", CAUGHT),
    "smallest-ball": (
        "aggregation/test_smallest_balls::test_the_bound_is_smooth_and_never_below_what_the_center_moves",
        CAUGHT,
    ),
    "median": (f"{OUTPUTS}test_medians_of_coordinates_share_the_budget", CAUGHT),
    "exponential-median": (
        "mechanisms/test_exponential_median::test_the_exponential_median_shares_the_budget_among_coordinates",
        CAUGHT,
    ),
    "average": (f"{OUTPUTS}test_the_average", OFFERED),
    "winsorized-mean": (f"{OUTPUTS}test_the_winsorized_mean_step_by_step", OVERSPENT),
    "friendly-core": (
        "extras/frontier/test_friendly_core::test_the_exact_divergence_of_all_neighbours_is_at_most_delta",
        "extras/frontier/test_friendly_core::test_abrupt_weights_exceed_delta",
    ),
    "one-cluster": (
        f"{SHARES}test_an_aggregate_is_given_the_budget_for_all_outputs_that_a_person_changes",
        f"{BALLS}test_a_ball_of_outputs_without_noise_is_caught",
    ),
}

SAMPLED = {
    "partition": (BLOCKS, CAUGHT),
    "subsets": ("mechanisms/test_points::test_one_person_changes_at_most_s_subsets", OVERSPENT),
    "with-replacement": (
        "aggregation/test_replacement::test_a_secret_draw_costs_no_more_on_all_databases",
        "aggregation/test_replacement::test_an_audit_catches_a_known_draw",
    ),
}


OURS = {
    name: kind
    for name, kind in {**methods(), **methods_for_parts(), **sanitizers()}.items()
    if kind.facts.is_private and not issubclass(kind, Peer)
}
FAMILIES = [(OURS, PROVED), (AGGREGATORS, AGGREGATED), (SAMPLINGS, SAMPLED)]


@functools.cache
def contents(file):
    """Return all names of a file, and its tests."""
    tree = ast.parse((HERE / file).with_suffix(".py").read_text(encoding="utf-8"))
    names = {word.id for word in ast.walk(tree) if isinstance(word, ast.Name)}
    return names, {part.name for part in tree.body if isinstance(part, ast.FunctionDef)}


@pytest.mark.parametrize(("family", "tested"), FAMILIES, ids=["mechanisms", "aggregators", "samplings"])
def test_every_component_has_an_exact_test_and_a_mistake_that_is_caught(family, tested):
    assert set(tested) == {name for name, kind in family.items() if kind.__module__.startswith("engine.")}
    for name, tests in tested.items():
        for place in tests:
            file, test = place.split("::")
            assert test in contents(file)[1], f"{name}: there is no test {place}"
        # a table of cases must have one with it
        if tests[1] in (CAUGHT, OVERSPENT):
            assert family[name].__name__ in contents(tests[1].split("::")[0])[0], name


def test_what_is_said_to_be_offered_has_a_mistake_that_applies():
    for name in [name for name, tests in PROVED.items() if tests[1] == OFFERED]:
        made = OURS[name](query=TriangleCount()) if name == "ladder" else OURS[name]()
        assert any(mistake.applies_to(made) for mistake in PLANTED.values()), name


def test_what_promises_nothing_says_so():
    without = {name: kind for name, kind in MECHANISMS.items() if name not in OURS}
    assert {"perturbed-points", "histogram-recursive"} <= set(without)
    for kind in without.values():
        assert issubclass(kind, Peer) or kind().guarantee.cost(Privacy(1.0)) == NO_PROMISE


def test_every_family_of_noise_and_every_query_is_checked_against_the_definition():
    certified = contents("noise/test_certificate")[0] | contents("noise/test_vectors")[0]
    assert {kind.__name__ for kind in NOISES.values()} <= certified
    columns = contents("queries/test_against_definition")[0]
    for name, kind in QUERIES.items():
        assert kind.__name__ in columns if kind.reads == "column" else contents(f"queries/test_{name}")[1]
