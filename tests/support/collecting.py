"""In which order workers collect tests."""

import os
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def begin_elsewhere(config: pytest.Config) -> None:
    """Let each worker collect in an order of its own, if it collects everything.

    Workers that begin together would each compile the same tests at the same time. What another one has
    compiled already is read.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if not worker or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    rooms = [room for room in TESTS.iterdir() if room.is_dir()]
    places = [place for folder in (TESTS, *rooms) for place in folder.iterdir() if holds_tests(place, rooms)]
    begin = len(places) * int(worker) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    places.sort()
    config.args = [str(place) for place in places[begin:] + places[:begin]]


def holds_tests(place: Path, rooms: list[Path]) -> bool:
    """Whether a file of tests, or a folder in a room."""
    if place.is_file():
        return place.match("test_*.py")
    return place not in rooms and place.name != "__pycache__"
