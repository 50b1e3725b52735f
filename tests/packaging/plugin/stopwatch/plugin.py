"""What is called when Sensiscope starts: what is imported here registers itself."""

from pathlib import Path

from sensiscope import add_resources


def register() -> None:
    """Add components, a kind of data, a page, a picture, a format, an example and a lesson."""
    from stopwatch import components, durations, laps, picture  # noqa: F401

    add_resources(Path(__file__).parent / "resources")
