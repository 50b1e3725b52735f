"""Release the median pay of each of three cities."""

import numpy as np
import pandas as pd
import sensiscope

rng = np.random.default_rng(2)
cities = ["Bern", "Basel", "Chur"]
frame = pd.DataFrame({"pay": rng.lognormal(11, 0.5, 9000), "city": rng.choice(cities, 9000)})
session = sensiscope.budget(
    frame, epsilon=1, bounds={"pay": (0, 200_000)}, categories={"city": cities}, ledger=sensiscope.Ledger()
)
by_city = session.group_by("city").median("pay")
for row in by_city.rows:
    print(row.group, row.value)
