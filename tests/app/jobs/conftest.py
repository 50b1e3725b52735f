"""A pool of worker threads, and a channel of which all is heard."""

import pytest

from app.jobs.channels import Jobs


@pytest.fixture
def jobs(qtbot):
    made = Jobs()
    yield made
    made.close()


@pytest.fixture
def heard(jobs):
    channel = jobs.channel("test")
    results, failures, reports = [], [], []
    channel.result.connect(results.append)
    channel.failed.connect(failures.append)
    channel.progressed.connect(reports.append)
    return channel, results, failures, reports
