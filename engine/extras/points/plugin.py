"""Registers mechanisms on points, each at its position in the list."""

from __future__ import annotations

from engine.components import register_later

HERE = "engine.extras.points"


def register() -> None:
    """Register mechanisms and planted mistakes."""
    for name, target, after in (
        ("k-means-on-cells", "k_means:KMeansOnCells", "python-dp"),
        ("lloyd", "k_means:Lloyd", "sample-aggregate"),
        ("cluster-cost", "cluster_cost:ClusterCost", "k-means-diffprivlib"),
        ("privtree", "privtree:PrivTree", "histogram-tree"),
        ("covariance", "covariance:Covariance", "quantiles"),
        ("synthetic", "synthetic_data:SyntheticPoints", "counts"),
    ):
        register_later("mechanism", name, f"{HERE}.{target}", after=after, reads="points")
    register_later("planted", "lloyd-inverted", f"{HERE}.planted:LloydInverted", after="any-cell")
    register_later("planted", "exact-last-step", f"{HERE}.planted:ExactLastStep", after="lloyd-inverted")
