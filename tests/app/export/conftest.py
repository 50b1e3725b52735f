"""Sessions with a release, and the reports that are written of them."""

from __future__ import annotations

import functools

import pytest
import reported
from reported import both_of, release


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
