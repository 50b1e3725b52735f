"""Answer a sheet of questions, and hand the answers on as a table and as JSON."""

import json

import numpy as np
import pandas as pd
from sensiscope import ColumnDeclaration, Declarations, Ledger, Sheet, ask

rng = np.random.default_rng(15)
frame = pd.DataFrame(
    {"salary": rng.lognormal(11, 0.5, 4000), "department": rng.choice(["Sales", "IT"], 4000)}
)
declarations = Declarations(
    (
        ColumnDeclaration("salary", lower=0, upper=200_000),
        ColumnDeclaration("department", categories=("Sales", "IT", "other")),
    )
)
sheet = Sheet(
    ["median of salary by department", "mean of salary", "count where salary >= 60000"],
    epsilon=1.0,
    declarations=declarations,
)
answers = ask(frame, sheet, ledger=Ledger())
answers.to_pandas().to_csv("answers.csv")
print(answers.table())
print(json.dumps(answers.to_dict()))
