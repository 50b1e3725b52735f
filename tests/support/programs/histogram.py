"""Release a histogram of ages with edges of one's own, and draw it."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import sensiscope

ages = np.random.default_rng(3).integers(0, 100, 4000)
with sensiscope.budget(
    {"age": ages}, epsilon=0.5, bounds={"age": (0, 100)}, ledger=sensiscope.Ledger()
) as session:
    histogram = session.histogram("age", edges=[0, 18, 40, 65, 100])
print(histogram.to_pandas())
figure, axes = plt.subplots()
histogram.plot(axes)
figure.savefig("ages.png")
