"""Names of the purposes of steps, which choices show before 1-cluster is loaded."""

PURPOSES = {
    "GoodRadius": "Estimate the size",
    "AboveThreshold": "Shift the boxes",
    "GoodCenter (cell)": "Find the cell",
    "GoodCenter (box)": "Choose the box",
    "GoodCenter (axes)": "Cut the axes",
    "NoisyAVG": "Average",
    "Radius": "Fit the radius",
}
"""Purposes of steps, by their names in papers."""
