"""What is compared in the window, and by whom."""

import dataclasses

from app.model.comparison_choice import NO_CHOICE

LABELS = [
    "Smooth sensitivity",
    "Global sensitivity, Laplace",
    "Global sensitivity, Gaussian",
    "Exponential mechanism",
    "Inverse sensitivity",
    "Piecewise Laplace",
    "Propose, test, release",
]
FEW = dataclasses.replace(NO_CHOICE, runs=200, steps=3)


def labels(window):
    return [chip.label.whole for chip in window.page.contenders.chips]


def compared(window):
    window.controllers.run.start()
    assert window.wait_until_idle(30_000)
    return window.page.seen.result.comparison
