"""Registers mechanisms of recent papers, each at its position in the list."""

from __future__ import annotations

from engine.components import register_later

HERE = "engine.extras.frontier"


def register() -> None:
    """Register mechanisms, a query, an aggregator and planted mistakes."""
    for name, target, after in (
        ("inverse-sensitivity", "inverse_sensitivity:InverseSensitivity", "exponential"),
        ("piecewise-laplace", "inverse_sensitivity:PiecewiseLaplace", "inverse-sensitivity"),
        ("ladder", "ladder:Ladder", "piecewise-laplace"),
        ("lipschitz-extension", "lipschitz_extension:LipschitzExtension", "ladder"),
        ("log-scale", "log_scale_release:LogScaleRelease", "propose-test-release"),
    ):
        register_later("mechanism", name, f"{HERE}.{target}", after=after)
    for name, target, after in (
        ("metric-median", "metric_median:MetricMedian", "noisy-average"),
        ("perceptron", "perceptron:Perceptron", "metric-median"),
        ("coinpress", "coinpress:CoinPress", "perceptron"),
        ("growing-box", "growing_box:GrowingBox", "interior-point"),
        ("stable-cell", "stable_cell:StableCell", "growing-box"),
        ("scored-choice", "scored_choice:ScoredChoice", "synthetic"),
    ):
        register_later("mechanism", name, f"{HERE}.{target}", after=after, reads="points")
    register_later("query", "winsorized-mean", f"{HERE}.winsorized_mean:WinsorizedMean", after="trimmed-mean")
    register_later(
        "aggregator", "friendly-core", f"{HERE}.friendly_core:FriendlyCore", after="winsorized-mean"
    )
    for name, target, after in (
        ("fixed-threshold", "FixedThreshold", "two-category-odds"),
        ("any-cell", "AnyCell", "fixed-threshold"),
        ("all-or-nothing", "AllOrNothing", "published-center-of-attention"),
        ("hubs-left-out", "HubsLeftOut", "all-or-nothing"),
    ):
        register_later("planted", name, f"{HERE}.planted:{target}", after=after)
