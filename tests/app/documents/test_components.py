"""Mechanisms and their parts as session files have them."""

import pytest

from app.documents.components import SpecificationKind
from engine import BlackBox
from engine.specification import describe


@pytest.mark.parametrize("metric", ["L1", "L2"])
def test_all_that_was_said_of_a_function_from_a_file_is_kept(metric, tmp_path):
    kind = SpecificationKind("function")
    chosen = describe(BlackBox(str(tmp_path / "mine.py"), "f", (0.0,), (1.0,), metric=metric))
    assert kind.read(kind.plain(chosen), "function") == chosen


def test_a_file_of_an_earlier_version_has_no_metric(tmp_path):
    kind = SpecificationKind("function")
    plain = kind.plain(describe(BlackBox(str(tmp_path / "mine.py"), "f", (0.0,), (1.0,), metric="L1")))
    del plain["file"]["metric"]
    assert kind.read(plain, "function").values["metric"] == "L2"
