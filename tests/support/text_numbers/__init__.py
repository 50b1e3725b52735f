"""Computes the numbers that stand as fields in lessons and help pages.

``python -P tests/support/text_numbers/__main__.py`` writes them to ``resources/numbers``.  Each module
of this folder computes those of some texts; ``constants/*.toml`` lists the numbers that are no fields.
"""

import importlib
import numbers
import pkgutil
import re
import tomllib
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.model.texts.pages import FIELD
from engine.resources import resource

HERE = Path(__file__).parent
KINDS = ("help", "lessons")
HEAD = "# Computed by tests/support/text_numbers: change the computation, not the number.\n"
MAX_COUNT = 12
"""Whole numbers up to this one are words of the text: two answers, three steps."""
NAMED = (
    "Algorithm|Appendix|Chapter|Claim|Corollary|Definition|Equation|Example|Exercise|Fact|Figure|Lemma|"
    "Observation|Part|Proposition|Python|Remark|Section|Sections|Step|Table|Theorem|Version|E|page|pages|"
    "section|sections|step|steps|version|v|§"
)
"""Words before a number that is part of a name."""
NUMBER = re.compile(rf"(?:(?:\b|(?=§))(?:{NAMED})\s?)?(?<![\w.])\d+(?:[, \u202f]\d{{3}})*(?:\.\d+)?(?![\w])")
YEAR = re.compile(r"(19|20)\d\d")


@dataclass(frozen=True)
class Computation:
    """The numbers of one text, by name."""

    kind: str
    text: str
    compute: Callable[[], Mapping[str, float]]
    slow: bool
    loose: Container[str]  # names of numbers that hang on the last bit of a distance, and so on the processor

    def tolerance(self, name: str) -> float:
        """Return by how much a number may differ, as a share of it."""
        return 0.05 if name in self.loose else 1e-4

    def values(self) -> dict[str, int | float]:
        """Return whole numbers as they are, others with six significant digits."""
        return {
            name: int(value) if isinstance(value, numbers.Integral) else float(f"{value:.6g}")
            for name, value in sorted(self.compute().items())
        }


COMPUTATIONS: list[Computation] = []


def computes(kind, text, *, slow=False, loose=()):
    """Declare that a function returns the numbers of a text: ``@computes("help", "queries/mean")``."""

    def declare(function):
        COMPUTATIONS.append(Computation(kind, text, function, slow, loose))
        return function

    return declare


def computations() -> list[Computation]:
    """Return those of all modules, each text once."""
    for module in pkgutil.iter_modules([str(HERE)]):
        if not module.name.startswith("_"):
            importlib.import_module(f"{__name__}.{module.name}")
    return COMPUTATIONS


def write(kind: str, texts: Container[str] = ()) -> None:
    """Compute and write the numbers of a kind of texts; if some are listed, of these alone."""
    path = resource("numbers", f"{kind}.toml")
    written = tomllib.loads(path.read_text("utf-8")) if texts else {}
    lines = [HEAD]
    for one in sorted((one for one in computations() if one.kind == kind), key=lambda one: one.text):
        kept = None if one.text in texts else written.get(one.text)
        lines.append(f'["{one.text}"]')
        lines += [f"{name} = {value!r}" for name, value in (kept or one.values()).items()]
        lines.append("")
    path.write_text("\n".join(lines), "utf-8")


def constants() -> dict[str, set[str]]:
    """Return the numbers that may stand in each text without a field; the reason of each is its value."""
    results: dict[str, set[str]] = {}
    for path in sorted((HERE / "constants").glob("*.toml")):
        for text, listed in tomllib.loads(path.read_text("utf-8")).items():
            assert all(isinstance(reason, str) and reason.strip() for reason in listed.values()), text
            results.setdefault(text, set()).update(listed)
    return results


def literal_numbers(text: str) -> Iterator[str]:
    """Yield the numbers in a text that are neither in a field or code, nor counts, years or names.

    In formulas these are numbers with more than one significant digit, outside exponents and indices.

    >>> list(literal_numbers("At 0.5, {n} of 10,001 rows: $x_{17}$, three or 3 answers, Claim 3.2 of 2007."))
    ['0.5', '10,001']
    >>> list(literal_numbers(r"$n = 1\\,500$, $q = 0.1$, $10^{-6}$, $\\frac{1}{2} x^{1.5} + 2.8 y$"))
    ['1500', '2.8']
    """
    prose = re.sub(r"(?m)^\d+\. |\]\([^)]*\)|https?://\S+", " ", FIELD.sub(" ", text))
    for match in NUMBER.findall(prose):
        plain = match.strip()
        if not plain[0].isdigit() or YEAR.fullmatch(plain):
            continue
        if "." not in plain and int(re.sub(r"\D", "", plain)) <= MAX_COUNT:
            continue
        yield plain
    for match in FIELD.finditer(text):
        if match[0].startswith("$"):
            yield from formula_numbers(match[0])


def formula_numbers(tex: str) -> Iterator[str]:
    """Yield the numbers of a formula that are more than part of its form."""
    plain = re.sub(r"[\^_](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\\w+|\w)", " ", tex.replace(r"\,", ""))
    for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\d.])", plain):
        digits = number.lstrip("0.").replace(".", "") if "." in number else number.rstrip("0")
        if len(digits) > 1 and float(number) not in range(MAX_COUNT + 1):
            yield number
