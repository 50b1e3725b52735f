"""Ask three questions within one budget of (1, 1e-6), and say what is left."""

import numpy as np
import pandas as pd
import sensiscope

rng = np.random.default_rng(4)
frame = pd.DataFrame({"age": rng.integers(18, 80, 3000), "pay": rng.lognormal(11, 0.5, 3000)})
with sensiscope.budget(
    frame, epsilon=1, delta=1e-6, bounds={"age": (0, 120), "pay": (0, 300_000)}, ledger=sensiscope.Ledger()
) as session:
    session.mean("pay", epsilon=0.4)
    session.median("age", epsilon=0.3)
    session.count(where="age >= 65", epsilon=0.2)
    print(session.to_frame())
    print("left:", session.left)
    try:
        session.mean("age", epsilon=0.5)
    except sensiscope.SensiscopeError as error:
        print("refused:", error)
