"""A table of employees with missing values, and its declarations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.questions.declarations import ColumnDeclaration, Declarations

DEPARTMENTS = ("Sales", "IT", "Legal")


@pytest.fixture
def employees() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    n = 4000
    salary = rng.integers(30_000, 120_000, n).astype(object)
    salary[rng.random(n) < 0.05] = None
    return {
        "salary": salary.tolist(),
        "age": rng.integers(18, 66, n).tolist(),
        "department": rng.choice([*DEPARTMENTS, "Board"], n, p=[0.4, 0.3, 0.28, 0.02]).tolist(),
    }


@pytest.fixture
def declared() -> Declarations:
    return Declarations(
        (
            ColumnDeclaration("salary", 0, 200_000),
            ColumnDeclaration("age", 18, 66, 1),
            ColumnDeclaration("department", categories=DEPARTMENTS),
        )
    )
