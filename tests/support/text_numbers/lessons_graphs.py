"""Numbers of the lesson about spanning trees."""

import math
from functools import cache

from engine import Interval, LaplacePareto
from engine.data.graph import WeightedGraph
from engine.mechanisms import SmoothRelease
from engine.privacy import Privacy
from engine.queries import MstCost
from text_numbers import computes
from text_numbers._lesson_data import loaded


@cache
def tree(example, upper):
    """Return what is ready to draw the cost of a spanning tree, and A of the first distances."""
    edges = loaded("spanning-tree", "mst", example)["edges"]
    data = WeightedGraph(edges.ends, edges.weights, Interval(0, upper), n=edges.n)
    ready = SmoothRelease(query=MstCost(), noise=LaplacePareto(), clamp="none").prepare(data, Privacy(1.0))
    return data, ready, MstCost().sensitivity_at_distance(data, 3)


@computes("lessons", "spanning-tree")
def spanning_tree():
    (_, ready, near), (sixty, dense, far) = tree("roads", 10.0), tree("k60", 1000.0)
    return {
        "total": ready.diagnostics["true_value"],
        "bound": 10.0,
        "local": near[0],
        "light": 10.0 - near[0],
        "edges": len(sixty.weights),
        "cost": dense.diagnostics["true_value"],
        "near": far[0],
        "far": far[3],
        "peak": dense.diagnostics["argmax_k"],
        "smooth": dense.diagnostics["smooth"],
        "discount": 1 - math.exp(-dense.noise["beta"]),
        "half": dense.error_quantiles([0.5]).item(),
        "half_global": math.log(2) * 1000,
        "smooth_roads": ready.diagnostics["smooth"],
        "half_roads": ready.error_quantiles([0.5]).item(),
        "half_roads_global": math.log(2) * 10,
    }
