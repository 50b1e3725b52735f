"""The delta that is offered where one above 0 is needed."""

from __future__ import annotations

import math

from app.model.wording.numbers import superscript

USUAL_DELTA = 1e-6
"""Public, and far below 1/n for all but the largest data."""
USE_DELTA = f"Use δ = 10{superscript(round(math.log10(USUAL_DELTA)))}"
"""What a button says that chooses it."""
