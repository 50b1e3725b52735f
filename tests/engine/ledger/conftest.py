"""Ledgers in a folder of their own, where a disk with patience does not slow the tests down."""

import shutil
import tempfile
from pathlib import Path

import pytest
from payments import pay

from engine.ledger import Cost, Ledger
from engine.primitives import of_pure
from engine.privacy import Privacy


@pytest.fixture
def folder():
    """A folder that every user may see; in memory where there is one, since no power fails here."""
    memory = Path("/dev/shm")
    found = Path(tempfile.mkdtemp(prefix="ledger-", dir=memory if memory.is_dir() else None))
    found.chmod(0o755)
    yield found
    shutil.rmtree(found)


@pytest.fixture
def path(folder):
    return folder / "ledger.sqlite"


@pytest.fixture(params=["memory", "file"])
def ledger(request, path):
    return Ledger(None if request.param == "memory" else path)


@pytest.fixture
def costing():
    """Return a cost by its epsilon."""
    return lambda epsilon=0.1: Cost(Privacy(epsilon), of_pure(epsilon), "replace-one")


@pytest.fixture
def value():
    """Return something to draw that releases a value, and counts how often it did."""

    def make(value=1.0):
        def draw():
            draw.drawn += 1
            return value

        draw.drawn = 0
        return draw

    return make


@pytest.fixture
def used(path, costing, value):
    """A ledger with entries of every kind; returns what it says."""
    first = Ledger(path).account("sha256:1", "first.csv")
    pay(first, costing(), {"release": "median"}, value(3.5))
    pay(first, costing(0.3), {"release": "mean", "parameters": {"q": 0.5}}, value([1.0, {"a": None}]))
    second = Ledger(path).account("sha256:2", "second.csv")
    pay(second, costing(), {}, value())
    with pytest.raises(ZeroDivisionError):
        pay(first, costing(), {}, lambda: 1 / 0)
    return {(each.name, each.title, each.limit): each.entries() for each in Ledger(path).accounts()}
