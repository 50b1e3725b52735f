"""Which data these are: the bytes decide, not the name."""

import hashlib

import pytest

from engine.data import digest_of, example_digest
from engine.errors import DataError
from engine.progress import Cancelled


def test_the_digest_is_that_of_the_bytes(tmp_path):
    content = bytes(range(256)) * 12_000  # three pieces
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(content)
    seen = []
    found = digest_of(tmp_path / "a.csv", lambda fraction, message="": seen.append(fraction))
    assert found == f"sha256:{hashlib.sha256(content).hexdigest()}" == digest_of(tmp_path / "b.csv")
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert len(seen) == 3
    (tmp_path / "b.csv").write_bytes(content + b" ")
    assert digest_of(tmp_path / "b.csv") != found


def test_it_can_be_cancelled(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"x")

    def enough(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        digest_of(tmp_path / "a.csv", enough)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(DataError, match="cannot be read") as caught:
            digest_of(path)
        assert str(path) in str(caught.value)


def test_no_file_has_the_digest_of_an_example():
    assert example_digest("salaries") == "example:salaries"
