"""Histograms: cells that tile a public space, the counts in them, and analyses of both."""
