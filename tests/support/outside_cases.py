"""What is asked of the program so that each thing that the package `outside` adds takes part."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

TABLE = "start,end\n" + "".join(f"{i % 5},{i % 5 + 1 + i % 7}\n" for i in range(60))
"""A file with durations of 1 to 7."""


@dataclasses.dataclass(frozen=True)
class Case:
    """What is chosen, in the window as on the command line.

    Attributes
    ----------
    things : mapping of str to str
        What takes part: what each is one of, and what it is called on the screen.
    page : str
    chosen : mapping of str to str
        Names by kind of component, in the order of the form.
    other : str
        What it is compared with, in a word of the command line.
    example : str
        Without one, the data are those of `TABLE`.
    values : mapping of str to number
        Parameters that are typed.
    tab : str
        The picture that is looked at; "" for the first one.
    """

    things: Mapping[str, str]
    page: str
    chosen: Mapping[str, str]
    other: str
    example: str = ""
    values: Mapping[str, float] = dataclasses.field(default_factory=dict)
    tab: str = ""

    @property
    def query(self) -> str:
        """What is asked."""
        return self.chosen["query"]

    @property
    def declared(self) -> dict[str, str | float]:
        """What is declared of data that are no example."""
        return {} if self.example else {"begin": "start", "finish": "end", "lower": 0, "upper": 10}

    @property
    def options(self) -> dict[str, str | float]:
        """What is chosen as options have it, without what is asked."""
        return {name: one for name, one in {**self.chosen, **self.values}.items() if name != "query"}

    def words(self) -> list[str]:
        """Return the mechanism as words of a command."""
        return [self.query, *_words(self.options)]

    def word(self) -> str:
        """Return the mechanism in one word of a command: NAME[:METHOD][,key=value…]."""
        options = self.options
        method = f":{options.pop('method')}" if "method" in options else ""
        return ",".join([self.query + method, *(f"{name}={one}" for name, one in options.items())])

    def data(self, folder: Path) -> list[str]:
        """Return the data as words of a command."""
        if self.example:
            return ["--example", self.example]
        return ["--data", str(file_in(folder)), *_words(self.declared)]


def _words(options: Mapping[str, str | float]) -> list[str]:
    return [word for name, value in options.items() for word in (f"--{name}", f"{value}")]


def file_in(folder: Path) -> Path:
    """Write the file with the data of what has no example."""
    path = folder / "times.csv"
    path.write_text(TABLE, "utf-8")
    return path


CASES = {
    "scalar": Case(
        {"query": "Second smallest", "noise": "Broad", "picture": "Gaps"},
        "median",
        {"query": "second", "method": "smooth", "noise": "broad"},
        "second:laplace,above=2",
        "one-to-ten",
        {"above": 2, "nu": 5},
        "gaps",
    ),
    "page": Case(
        {"page": "Spread", "method": "Plain Laplace"},
        "spread",
        {"query": "winsorized-mean", "method": "plain-laplace"},
        "winsorized-mean:laplace",
        "two-heaps",
    ),
    "kind": Case(
        {"kind": "Begin"},
        "durations",
        {"query": "median-duration", "method": "smooth", "noise": "lcp"},
        "median-duration:laplace",
    ),
    "points": Case(
        {"mechanism": "Mean within", "shape": "around "},
        "clustering",
        {"query": "mean-within"},
        "mean-within",
        "four-heaps",
        tab="release",
    ),
    "blocks": Case(
        {"function": "Halfway", "aggregator": "Pool"},
        "clustering",
        {"query": "sample-aggregate", "function": "halfway", "aggregator": "pool"},
        "sample-aggregate,function=halfway",
        "four-heaps",
    ),
}
"""Together they have one of each thing."""
