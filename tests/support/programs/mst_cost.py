"""Release the cost of the minimum spanning tree of an edge list in a data frame."""

import numpy as np
import pandas as pd
from sensiscope import MstCost, SmoothRelease, WeightedGraph

rng = np.random.default_rng(7)
n = 60
pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if rng.random() < 0.2 or j == i + 1]
edges = pd.DataFrame(pairs, columns=["source", "target"])
edges["weight"] = rng.uniform(0, 5, len(edges))
graph = WeightedGraph(edges[["source", "target"]], weights=edges["weight"], domain=(0, 5))
release = SmoothRelease("mst").run(graph, 1.0)
print(release.value, release.interval)
print(MstCost().smooth_sensitivity(graph, beta=0.1).value)
