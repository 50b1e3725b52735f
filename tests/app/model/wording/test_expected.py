"""What is expected of a mechanism, and what its noise was certified to give, in words."""

import dataclasses

import pytest

from app.model.wording.guarantees import certificate_line
from app.model.wording.releases import expected_words
from engine.analysis.expected_error import ErrorEstimate, ExpectedError
from engine.analysis.noise import certify_noise
from engine.mechanisms import SmoothRelease
from engine.privacy import Privacy

MOSTLY = ErrorEstimate(ExpectedError(0.0, 0.25, True), None, 1.0, 1.0, "replace-one", exact=0.64)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, "No error in 64\u202f% of the releases\n(95 % within ±\N{NO-BREAK SPACE}0.25\u202fm)"),
        ({"errors": ExpectedError(0.0, 0.0, True)}, "No error in 64\u202f% of the releases"),
        ({"exact": None}, "Typical error ±\N{NO-BREAK SPACE}0\u202fm"),
    ],
)
def test_most_releases_without_error_are_told_by_their_share(changed, words):
    assert expected_words(dataclasses.replace(MOSTLY, **changed), "m").text.startswith(words)


def test_what_pays_for_an_error_bar_is_told_beside_what_pays_for_the_value():
    found = certify_noise(SmoothRelease(error_share=0.25), Privacy(2.0))
    assert certificate_line(found) == "Verified: ε ≤ 1.5 for the value, 0.5 for its error bar"
    assert certificate_line(certify_noise(SmoothRelease(), Privacy(2.0))) == "Verified: ε ≤ 2"
