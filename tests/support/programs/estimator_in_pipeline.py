"""Cluster scaled data with a pipeline of scikit-learn."""

import numpy as np
from sensiscope import PrivateKMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

rng = np.random.default_rng(9)
data = np.concatenate([rng.normal(center, 3, (2000, 2)) for center in (20, 80)])
centers = PrivateKMeans(n_clusters=2, lower=0, upper=1, epsilon=1.0)
pipeline = make_pipeline(FunctionTransformer(lambda rows: rows / 100), centers)
pipeline.fit(data)
print(centers.cluster_centers_, np.bincount(pipeline.predict(data)))
