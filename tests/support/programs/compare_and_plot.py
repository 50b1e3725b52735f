"""Compare all methods for the median over epsilon, and save the figure."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import sensiscope

values = np.random.default_rng(8).lognormal(10.5, 0.8, 2000)
data = sensiscope.Sample(values, (0, 500_000))
comparison = sensiscope.compare(
    [sensiscope.SmoothRelease("median"), sensiscope.ExponentialRelease("median"), "median"],
    data,
    1.0,
    ("epsilon", [0.1, 1.0, 10.0]),
    runs=50,
    seed=1,
)
figure, axes = plt.subplots()
comparison.plot(axes)
figure.savefig("comparison.png")
print(comparison.to_pandas())
