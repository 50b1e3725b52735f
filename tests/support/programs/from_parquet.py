"""Release the median of a column of a Parquet file."""

import numpy as np
import pandas as pd
import sensiscope

pd.DataFrame({"income": np.random.default_rng(11).lognormal(10.5, 0.6, 5000)}).to_parquet("people.parquet")
with sensiscope.budget(
    "people.parquet", epsilon=1, bounds={"income": (0, 500_000)}, ledger=sensiscope.Ledger()
) as session:
    print(session.median("income").value)
data = sensiscope.StoredSample(sensiscope.stored_column("people.parquet", "income"), (0, 500_000))
print(sensiscope.SmoothRelease("median").run(data, 1).value)
