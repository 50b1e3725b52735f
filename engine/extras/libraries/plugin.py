"""Registers mechanisms of other libraries."""

from __future__ import annotations

from engine.components import register_later

HERE = "engine.extras.libraries"


def register() -> None:
    """Register mechanisms of other libraries."""
    for name, target, after in (
        ("opendp", "opendp:OpenDPRelease", "log-scale"),
        ("diffprivlib", "diffprivlib:DiffprivlibRelease", "opendp"),
        ("python-dp", "python_dp:PythonDPRelease", "diffprivlib"),
    ):
        register_later("mechanism", name, f"{HERE}.{target}", after=after)
    for name, target, after in (
        ("k-means-diffprivlib", "k_means:DiffprivlibKMeans", "lloyd"),
        ("histogram-opendp", "histograms:OpenDPHistogram", "privtree"),
        ("histogram-diffprivlib", "histograms:DiffprivlibHistogram", "histogram-opendp"),
        ("histogram-python-dp", "histograms:PythonDPHistogram", "histogram-diffprivlib"),
    ):
        register_later("mechanism", name, f"{HERE}.{target}", after=after, reads="points")
