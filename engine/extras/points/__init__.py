"""Mechanisms on points: PrivTree, k-means on cells and by Lloyd, covariance, synthetic points."""
