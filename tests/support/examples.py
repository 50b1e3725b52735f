"""Runs the examples in the docstrings of a module."""

import doctest
import importlib
from unittest import mock


def run_examples(module: str) -> doctest.TestResults:
    """Run the examples of a module, as `doctest.testmod` does, passing over docstrings that have none.

    For each docstring a debugger is made ready, which asks the file system about every source file that
    was ever traced: most of the time of a short example.
    """
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    with mock.patch("linecache.checkcache"):
        for docstring in doctest.DocTestFinder().find(importlib.import_module(module)):
            if docstring.examples:
                runner.run(docstring)
    return runner.summarize()
