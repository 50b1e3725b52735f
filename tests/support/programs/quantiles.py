"""Release the deciles of a list of numbers."""

import random

import sensiscope

random.seed(14)
ages = [random.randint(0, 99) for _ in range(3000)]
deciles = [i / 10 for i in range(1, 10)]
session = sensiscope.budget({"age": ages}, epsilon=1, bounds={"age": (0, 100)}, ledger=sensiscope.Ledger())
for q, release in zip(deciles, session.quantiles("age", deciles), strict=True):
    print(q, float(release))
