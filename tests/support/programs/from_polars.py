"""Release the mean of a polars column where a condition holds."""

import numpy as np
import polars
import sensiscope

rng = np.random.default_rng(10)
frame = polars.DataFrame({"pay": rng.lognormal(11, 0.5, 5000), "age": rng.integers(18, 80, 5000)})
session = sensiscope.budget(
    frame, epsilon=1, bounds={"pay": (0, 300_000), "age": (0, 120)}, ledger=sensiscope.Ledger()
)
mean = session.where("age >= 30").mean("pay", epsilon=1)
print(mean.value, mean.interval)
