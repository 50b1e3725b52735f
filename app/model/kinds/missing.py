"""What is chosen about records that lack a value, and whether n is public afterwards.

Refused or filled with a public value, n is the number of rows.  Where records are left out, n tells how many
of them lack a value: it is confidential unless it was declared without the data, or the data are public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.model.kinds.base import DataChoice, Fields, numbers_of, parts_of
from app.model.wording.numbers import format_exact
from engine.data.categories import OTHER
from engine.errors import ParameterError
from engine.mechanisms.problem import Problem

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from app.model.kinds.kind import DataKind

FILL, DROP = "fill", "drop"
OPEN = (
    "records without a value are left out, so n is confidential: fill them with a public value, or write "
    "down n, in the Curator view, if it was public before"
)
OTHER_N = "so many records do not have all values: correct n, or fill the others with a public value"
CONFIDENTIAL = (
    "Records without a value are left out. How many are left is confidential, for it tells how many lack a "
    "value."
)


def size_problem(
    kind: DataKind[Any], choice: Any, dataset: Dataset | None, *, curator: bool
) -> Problem | None:
    """Return what keeps n from being public, beside the field that can mend it, if there is one.

    Where no release may be made of the data, n is confidential, too.  Only the curator is told that an n was
    declared, and that it is another one.
    """
    if dataset is not None and dataset.table.release_problem:
        return Problem("data", dataset.table.release_problem)
    if dataset is not None and (inferred := kind.inferred(choice)) is not None:
        return inferred
    if choice.missing != DROP or not kind.drop_tells or dataset is None or dataset.is_public:
        return None
    if choice.complete is not None and choice.complete == kind.kept(choice):
        return None
    return Problem("missing", OTHER_N if curator and choice.complete is not None else OPEN)


def confidential_words(problem: Problem) -> str:
    """Return why n is confidential, for such a `size_problem`."""
    return CONFIDENTIAL if problem.field == "missing" else problem.message


def default_fills(kind: DataKind[Any], choice: Any) -> dict[str, Any]:
    """Return what stands for missing values by column: what was written, else the middle of the bounds."""
    results: dict[str, Any] = {}
    for name in kind.filled_columns(choice):
        value = choice.fills[name] if name in choice.fills else kind.usual_fill(choice, name)
        if value is not None:
            results[name] = value
    return results


def check_fills(kind: DataKind[Any], choice: Any) -> None:
    """Raise `ParameterError` while something is to be filled, and with what is not said."""
    if choice.missing == FILL:
        lacking = [name for name in kind.filled_columns(choice) if name not in choice.fills]
        if lacking:
            raise ParameterError("missing", f"write what stands for a missing value of {lacking[0]}")


def fills_of(kind: DataKind[Any], choice: DataChoice, text: str) -> Fields:
    """Read what was typed: one value for each column, with colons between them."""
    names = kind.filled_columns(choice)
    values = numbers_of(text) if kind.fills_numbers else parts_of(text)
    if len(values) != len(names):
        raise ParameterError("missing", f"write one value for each column: {' : '.join(names)}")
    return dict(zip(names, values, strict=True))


def fill_words(kind: DataKind[Any], choice: Any) -> str:
    """Write what stands for missing values, as it can be typed."""
    known = [choice.fills.get(name) for name in kind.filled_columns(choice)]
    if None in known:
        return ""
    return " : ".join(format_exact(value) if kind.fills_numbers else value for value in known)


def given_fills(kind: DataKind[Any], choice: Any, given: Sequence[str] | None) -> Mapping[str, Any]:
    """Return what stands for missing values on the command line; `ParameterError` where that is not said."""
    names = kind.filled_columns(choice)
    if given is None:
        results = default_fills(kind, choice)
        lacking = [name for name in names if name not in results]
        if lacking:
            raise ParameterError("fill", f"say what stands for a missing value of {lacking[0]}")
        return results
    if len(given) != len(names):
        which = ", ".join(names) or "none"
        raise ParameterError("fill", f"give one value for each column ({which}), separated by commas")
    if not kind.fills_numbers:
        return dict(zip(names, given, strict=True))
    return {name: _number(value) for name, value in zip(names, given, strict=True)}


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError("fill", f"'{text}' is no number") from None


def usual_label(labels: Sequence[str], unseen: str) -> str | None:
    """Return the category for missing values where there is one for all else."""
    return OTHER if unseen == "other" or OTHER in labels else None
