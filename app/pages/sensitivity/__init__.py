"""The pages about one number: Median & quantiles, Spanning tree."""
