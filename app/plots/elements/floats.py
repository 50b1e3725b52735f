"""The numbers in pictures; apart from what draws them, so that a view can be made without matplotlib."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
