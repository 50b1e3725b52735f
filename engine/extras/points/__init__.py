"""Mechanisms on points: cells that PrivTree cuts, k-means on cells, covariance, synthetic points."""
