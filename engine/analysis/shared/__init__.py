"""What several analyses share: projections, records, steps of mechanisms that are remembered."""
