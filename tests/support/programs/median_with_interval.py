"""Release the median age with a 95 % interval."""

import numpy as np
import pandas as pd
import sensiscope

frame = pd.DataFrame({"age": np.random.default_rng(1).normal(45, 15, 5000).clip(0, 110).round()})
with sensiscope.budget(frame, epsilon=1, bounds={"age": (0, 120)}, ledger=sensiscope.Ledger()) as session:
    median = session.median("age", interval=0.2)
print(median.value, median.interval)
