"""What windows do little of in tests, for the time that it takes."""

FEW = {
    "engine.extras.points.k_means._MAX_DISTANCES": 150_000,
    "engine.extras.points.k_means._MAX_CELL_DISTANCES": 150_000,
    "engine.mechanisms.prepared.LAW": 200,
    "engine.analysis.expected_error.DRAWS": 6,
    "engine.analysis.expected_error.PREPARED": 3,
}
"""Numbers of the program by where they stand: how much is simulated."""
