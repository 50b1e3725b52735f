"""What attacks on histograms are called, in forms, pictures and advice."""

from engine.histograms.attacks import BASELINE

ATTACK_NAMES = {
    BASELINE: "uniform guess",
    "occupied": "center of a cell",
    "singleton": "center of a small cell",
    "weighted": "weighted point",
    "cell": "box around a small cell",
}
"""What attacks are called."""
