"""The picture of the error of histograms over n."""

import pytest

from app.plots.figures import new_figure
from app.plots.sensitivity.against_size import DensityRate
from engine.analysis.expected_error import SIZES, ErrorAgainstSize

ERRORS = SIZES ** (-1 / 3)
FOUND = ErrorAgainstSize(SIZES, 10.0 / SIZES, ERRORS, int(SIZES[-1]))


def test_the_error_of_sampling_falls_like_the_cube_root():
    made = DensityRate.draw(new_figure().add_subplot(), FOUND)
    assert "synthetic records" in made.axes.get_xlabel()
    assert "sampling falls like n to the power of −1/3" in made.labels.texts()
    assert "n to the power -0.33" in made.alt_text()
    assert made.table()[1][0] == [10, 1.0, pytest.approx(10 ** (-1 / 3))]
