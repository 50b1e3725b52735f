"""What is worked out when it is asked for."""

import pytest

from engine.mechanisms.release import Private
from engine.progress import Cancelled


def test_what_is_asked_for_reports_is_cancelled_and_is_then_worked_out_once():
    asked = []

    def find(progress):
        progress(0.5)
        asked.append(1)
        return 41.0

    def stop(fraction, message=""):
        raise Cancelled

    known = Private({"n": 3}, later={"true_value": find})
    with pytest.raises(Cancelled):
        known.fetch("true_value", stop)
    assert not asked
    assert known.fetch("true_value") == known["true_value"] == dict(known)["true_value"] == 41.0
    assert known.fetch("n", stop) == 3  # nothing is left to be done
    assert len(asked) == 1
