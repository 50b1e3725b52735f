"""What the steps of 1-cluster are for, in words that also name choices before it is loaded."""

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
