"""What windows do little of in tests, for the time that it takes."""

FEW = {
    "app.window.garbage.DELAY": 0,  # each test waits for the timers that it leaves
    "app.window.garbage.PAUSE": 0,
    "engine.mechanisms.k_means_on_cells._LOOKS": 150_000,
    "engine.mechanisms.lloyd._LOOKS": 150_000,
    "engine.mechanisms.prepared.LAW": 200,
    "engine.analysis.expected_error.DRAWS": 6,
    "engine.analysis.expected_error.PREPARED": 3,
}
"""Numbers of the program by where they stand: milliseconds, and how much is simulated."""
