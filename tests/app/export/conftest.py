"""Sessions with a release, and the reports that are written of them."""

from __future__ import annotations

import functools
import shutil
import subprocess

import pytest
import reported
from reported import both_of, release

AXE = "axe-core@4.10.3"


@pytest.fixture(scope="session")
def of_kind(qapp):
    """Return what gives a session of a kind with one release, and its report in both formats."""

    @functools.cache
    def make(kind):
        session = reported.KINDS[kind]()
        release(session)
        return session, both_of(reported.request_of(session))

    return make


@pytest.fixture(scope="session")
def median(of_kind):
    """Return a session on a column, with the report of either view in either format."""
    session, released = of_kind("median")
    return session, {"release": released, "curator": both_of(reported.request_of(session, view="curator"))}


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """The script of axe-core, from npm."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    if (
        npm is None
        or subprocess.run([npm, "pack", AXE], cwd=folder, capture_output=True, check=False).returncode
    ):
        pytest.skip(f"npm, or the way to it, is missing: npm pack {AXE}")
    [packed] = folder.glob("*.tgz")
    shutil.unpack_archive(packed, folder, filter="data")
    return folder / "package" / "axe.min.js"
