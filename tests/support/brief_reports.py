"""What workers report to the process that shows it: an outcome for each test, and whatever goes wrong."""

from typing import Any

import pytest
from _pytest.runner import runtestprotocol


def report_briefly(config: pytest.Config) -> None:
    """Leave out, in a worker, that fixtures were set up and torn down well, unless it is to be timed.

    Writing, sending and reading these reports takes as long as many a test.
    """
    if hasattr(config, "workerinput") and config.getoption("durations") is None:
        config.pluginmanager.register(Brief(), "brief-reports")


class Brief:
    """Runs a test as pytest does, and reports less."""

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Any:
        """Run the test; report how it went, and all else that is not as it should be."""
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True
