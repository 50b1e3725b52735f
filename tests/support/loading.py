"""Data for a session, without files."""

from typing import Any

import numpy as np


def clusters(n: int) -> dict[str, Any]:
    """Return the columns of n points near (0.2, 0.2), (0.5, 0.8) and (0.8, 0.3)."""
    rng = np.random.default_rng(3)
    centers = np.array([[0.2, 0.2], [0.5, 0.8], [0.8, 0.3]])
    points = centers[rng.integers(0, 3, n)] + 0.03 * rng.standard_normal((n, 2))
    return {"x": points[:, 0], "y": points[:, 1]}


def load_points(session: Any, made: Any, lower: float, upper: float) -> None:
    """Open points without a file, on the page that is open."""
    columns = tuple(column.name for column in made.table.columns)
    session.open_dataset(
        made,
        "open",
        columns=columns,
        points=made.table.points(columns),
        bounds=dict.fromkeys(columns, (lower, upper)),
        missing="refuse",
        bounds_source="known",
    )


def load(session: Any, made: Any, column: str, lower: float, upper: float) -> None:
    """Open a dataset without a file."""
    session.open_dataset(
        made,
        "open",
        column=column,
        numbers=made.table.numbers(column),
        missing="refuse",
        lower=lower,
        upper=upper,
        bounds_source="known",
    )


def load_edges(session: Any, made: Any, upper: float | None, vertices: int | None) -> None:
    """Open a list of edges without a file, on the page that is open."""
    from engine.data.edges import EdgeColumns, read_edges

    columns = EdgeColumns()
    session.open_dataset(
        made,
        "open",
        edge_columns=columns,
        edges=read_edges(made.table, columns),
        missing="refuse",
        lower=0.0,
        upper=upper,
        vertices=vertices,
        bounds_source="known",
    )


def load_blocks(session: Any, path: Any, lower: float, upper: float) -> None:
    """Open points, and ask for clusters by blocks, which have the most to show."""
    load_points(session, path, lower, upper)
    session.edit("ask", query="clusters")
