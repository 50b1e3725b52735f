"""Progress of a part is mapped into the whole."""

import pytest

from engine.progress import each, part, parts, reporting, silent


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


def test_equal_parts_follow_each_other_and_each_reports_its_start():
    seen = []

    def hear(fraction, message=""):
        seen.append((fraction, message))

    for here in parts(4, part(hear, 0.5, 1.0)):
        here(0.0)
        here(1.0)
    assert [fraction for fraction, _ in seen] == [0.5, 0.625, 0.625, 0.75, 0.75, 0.875, 0.875, 1.0]
    seen.clear()
    for here in each(2, hear, "x"):
        here(0.5)
    assert seen == [(0.0, "x"), (0.25, ""), (0.5, "x"), (0.75, "")]
    assert list(parts(0, hear)) == list(each(0, hear)) == []
