"""A digest names the bytes of a file, not its name or place."""

import hashlib

import pytest

from engine.data.digest import CHUNK, file_digest
from engine.errors import DataError
from engine.progress import Cancelled


def test_it_is_that_of_all_bytes_wherever_they_lie(tmp_path):
    content = b"x\n1\n2\n" * CHUNK  # several chunks, and a part of one
    (tmp_path / "a.csv").write_bytes(content)
    (tmp_path / "b.csv").write_bytes(content)
    (tmp_path / "c.csv").write_bytes(content[:-1] + b" ")
    first, second, third = (file_digest(tmp_path / f"{name}.csv") for name in "abc")
    assert first == second == f"sha256:{hashlib.sha256(content).hexdigest()}"
    assert third != first


def test_it_reports_and_can_be_stopped(tmp_path):
    (tmp_path / "a.csv").write_bytes(bytes(5 * CHUNK))
    seen = []

    def progress(fraction, message=""):
        seen.append(fraction)
        if len(seen) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        file_digest(tmp_path / "a.csv", progress)
    assert seen == pytest.approx([0.2, 0.4, 0.6])


def test_a_file_that_is_gone_is_named(tmp_path):
    with pytest.raises(DataError, match=r"gone\.csv.*cannot be read"):
        file_digest(tmp_path / "gone.csv")
