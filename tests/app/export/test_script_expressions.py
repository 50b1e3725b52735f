"""Values, strings and long lines are written so that the same are read."""

import ast
import math

import numpy as np
import pytest
from hostile_words import HOSTILE

from app.export.script.expressions import to_code
from app.export.script.writing import imports, lay_out, quote
from engine import catalog
from engine.domain import Box, Interval
from engine.noise import StudentT
from engine.privacy import Privacy


@pytest.mark.parametrize("text", HOSTILE)
def test_strings_are_quoted_so_that_the_same_is_read(text):
    assert ast.literal_eval(quote(text)) == text
    assert "\n" not in quote(text)


@pytest.mark.parametrize(
    "value",
    [
        0.1,
        1e-6,
        -0.0,
        1e300,
        123456.789,
        1_000_000,
        5e-324,
        2.0**53 + 2,
        [1.5, [2, None]],
        (1,),
        (),
        {"a": [True, "x"], 3: 0.5},
    ],
)
def test_values_are_written_so_that_the_same_are_read(value):
    assert ast.literal_eval(to_code(value)) == value


def test_what_is_not_finite_and_arrays():
    assert to_code(math.inf) == 'float("inf")'
    assert to_code(np.array([1.0, 2.5])) == "[1.0, 2.5]"
    assert to_code(np.float64(3.0)) == "3.0"


def test_domains_and_components_are_written_as_they_are_made():
    assert (
        to_code(Box((Interval(0.0, 1.0), Interval(-2.0, 20000.0)))) == "Box.of([0.0, -2.0], [1.0, 20_000.0])"
    )
    assert to_code(Interval(0, 10, 0.5)) == "Interval(0, 10, resolution=0.5)"
    assert to_code(Privacy(1.0, 1e-6)) == "Privacy(epsilon=1.0, delta=1e-06)"
    smooth = catalog.mechanism("smooth", catalog.query("quantile", q=0.25), StudentT(nu=4.0), split=0.3)
    assert to_code(smooth) == "SmoothRelease(query=Quantile(q=0.25), noise=StudentT(nu=4.0), split=0.3)"


def test_what_cannot_be_written_is_no_silent_gap():
    with pytest.raises(TypeError, match="object cannot be written"):
        to_code(object())


def test_a_name_of_its_own_is_not_imported():
    assert imports("plan = plan_blocks(x)\nprint(plan, Privacy)") == (
        "from sensiscope import Privacy, plan_blocks"
    )


def test_long_lines_of_all_kinds_are_broken():
    words = ", ".join(f"a_long_name_{number}" for number in range(9))
    for line in (
        f"x = f({words})",
        f"[{words}]",
        f"x = [g({words}) for y in z]",
        f"x = {{1: [{words}], 2: 3}}",
    ):
        assert max(map(len, lay_out(line).splitlines())) <= 88
        assert ast.dump(ast.parse(lay_out(line))) == ast.dump(ast.parse(line))
