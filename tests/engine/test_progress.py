"""Progress of a part is mapped into the whole."""

import pytest

from engine.progress import part, reporting, silent


def test_parts_fill_the_whole():
    seen = []
    report = part(lambda fraction, message="": seen.append((fraction, message)), 0.2, 0.6)
    report(0.0, "a")
    report(0.5)
    report(1.0)
    assert [fraction for fraction, _ in seen] == pytest.approx([0.2, 0.4, 0.6])
    assert seen[0][1] == "a"
    silent(0.3)


def test_many_small_items_are_reported_now_and_then():
    seen = []
    items = reporting(range(10_000), 10_000, lambda fraction, message: seen.append((fraction, message)), "x")
    assert list(items) == list(range(10_000))
    assert seen == [(0.0, "x"), (0.4096, "x"), (0.8192, "x")]
