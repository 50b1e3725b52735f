"""Finders of a small ball for comparison: the published algorithms, and those of the paper's Table 1."""
