"""A file of edges, and what a session ends with that has it open."""

from app.model.kept_data import read_file
from app.model.pages.registry import PAGE_KINDS
from app.model.state import SessionState
from engine.data import EdgeColumns
from engine.data.reading_options import DETECTED
from engine.progress import silent

EDGES = "from,to,cost\n" + "".join(f"{i},{(i + 1) % 8},{i % 3 + 1}\n" for i in range(8))


def opened(edges):
    """Return a state with a list of edges."""
    dataset = read_file("spanning-tree", edges, DETECTED, silent).dataset
    fields = {"edge_columns": EdgeColumns("from", "to", "cost"), "missing": "refuse", "lower": 0.0}
    read = PAGE_KINDS["spanning-tree"].read(dataset, {**fields, "upper": 12.5}, silent)
    return SessionState().at("spanning-tree").replaced({**read, "dataset": dataset})
