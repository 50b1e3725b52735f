"""Find three private cluster centers of two columns."""

import numpy as np
import pandas as pd
from sensiscope import KMeansOnCells, Points, Privacy

rng = np.random.default_rng(5)
heaps = [rng.normal(center, 0.03, (3000, 2)) for center in ((0.2, 0.2), (0.8, 0.3), (0.5, 0.8))]
frame = pd.DataFrame(np.concatenate(heaps), columns=["x", "y"])
release = KMeansOnCells(k=3).run(Points(frame[["x", "y"]], ((0, 0), (1, 1))), Privacy(1.0))
centers = np.array(release.value)
assert centers.shape == (3, 2)
print(centers)
