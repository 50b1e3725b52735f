"""Shared by several analyses: projections, records, cached steps of mechanisms."""
