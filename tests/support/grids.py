"""The grid that a release states in text: public, so that it may be printed."""

import math
import re


def without_grid(out: str, step: float | list[float]) -> str:
    """Return a text without the line about its grid, which must say this step and no other number."""
    (line,) = [line for line in out.splitlines(keepends=True) if line.startswith("  grid ")]
    steps = set(step) if isinstance(step, list) else {step}
    (one,) = steps  # that of all coordinates
    power = math.log2(one)
    assert power.is_integer()
    words, _, clamped = line.removeprefix("  grid").strip().partition(", ")
    found = re.fullmatch(r"multiples of 2\^(-?\d+) = (\S+)", words)
    assert found is not None
    assert int(found[1]) == power
    assert float(found[2].replace(",", "")) == float(f"{one:.2g}")
    assert clamped in ("", "clamped to the range of results", "not clamped")
    return out.replace(line, "")
