"""A sheet: questions about one table under one budget, as a value and as a TOML file."""

from __future__ import annotations

import dataclasses
import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from engine.errors import DataError, ParameterError
from engine.privacy import Privacy
from engine.questions.declarations import PERSON_RULES, ColumnDeclaration, Declarations
from engine.questions.planning import Planned, plan
from engine.questions.question import Question
from engine.questions.words import read_question

_TABLE = {"epsilon", "delta", "data", "person", "rule", "rows", "columns", "questions", "public_groups"}
_COLUMN = {field.name for field in dataclasses.fields(ColumnDeclaration)} - {"name"}
_QUESTION = {"ask", "weight", "method", "interval", "population", "assumed", "where", "by", "q"}


@dataclasses.dataclass(frozen=True)
class Sheet:
    """Questions about one table, which share one budget.

    Parameters
    ----------
    questions : sequence of Question or str
        Questions, or their words: "median of salary by department".
    epsilon, delta : float
        The budget of all questions together, for one record replaced.
    declarations : Declarations
        Public statements about the columns.
    data : str
        Path of the file; "" if it is given apart.

    Examples
    --------
    >>> from engine import ColumnDeclaration, Declarations
    >>> salary = ColumnDeclaration("salary", lower=0, upper=200_000)
    >>> sheet = Sheet(["median of salary", "mean of salary"], 1.0, declarations=Declarations([salary]))
    >>> [round(planned.privacy.epsilon, 3) for planned in sheet.plan(4000)]
    [0.5, 0.5]
    """

    questions: tuple[Question, ...]
    epsilon: float = 1.0
    delta: float = 0.0
    declarations: Declarations = Declarations()  # noqa: RUF009
    data: str = ""

    def __init__(
        self,
        questions: Sequence[Question | str],
        epsilon: float = 1.0,
        delta: float = 0.0,
        declarations: Declarations | None = None,
        data: str = "",
    ) -> None:
        asked = tuple(read_question(one) if isinstance(one, str) else one for one in questions)
        values = {
            "questions": asked,
            "epsilon": float(epsilon),
            "delta": float(delta),
            "declarations": declarations or Declarations(),
            "data": data,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        Privacy(self.epsilon, self.delta)  # refuses an impossible budget

    @property
    def privacy(self) -> Privacy:
        """The budget of all questions together, for one record replaced: a row or a person."""
        return Privacy(self.epsilon, self.delta)

    @property
    def row_privacy(self) -> Privacy:
        """The budget for one row replaced: a share of `privacy` if a person may have several rows."""
        rows = self.declarations.most_rows if self.declarations.person else None
        return self.privacy if rows is None or rows == 1 else Privacy(self.epsilon / rows)

    def plan(self, n: int) -> tuple[Planned, ...]:
        """Return each question with its budget and expected error for n records; reads no record."""
        return plan(self.questions, self.declarations, n, self.row_privacy)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read a sheet from a TOML file.

        Raises
        ------
        DataError
            If the file is no sheet: what is wrong, and where.
        """
        source = Path(path).name
        try:
            plain = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror or error})", source=source) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise DataError(f"it is no TOML: {error}", source=source) from None
        return cls.from_plain(plain, source)

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any], source: str = "sheet") -> Self:
        """Return the sheet of plain values, as in a TOML file; `DataError` says what is wrong."""
        _refuse_others(plain, _TABLE, source, "")
        columns = plain.get("columns", {})
        asked = plain.get("questions", [])
        if not isinstance(columns, Mapping) or not all(isinstance(one, Mapping) for one in columns.values()):
            raise DataError("columns must be tables, such as [columns.salary]", source=source)
        if not isinstance(asked, list) or not asked:
            raise DataError(
                'it has no questions; write [[questions]] and ask = "count by city"', source=source
            )
        declared = tuple(_column(name, one, source) for name, one in columns.items())
        person, rule = plain.get("person", ""), plain.get("rule", "mean")
        if rule not in PERSON_RULES:
            raise DataError(f"rule is {rule!r}; it must be {', '.join(PERSON_RULES)}", source=source)
        try:
            declarations = Declarations(
                declared, str(person), rule, plain.get("rows"), frozenset(plain.get("public_groups", ()))
            )
            questions = [_question(one, number, source) for number, one in enumerate(asked, 1)]
            return cls(
                questions,
                plain.get("epsilon", 1.0),
                plain.get("delta", 0.0),
                declarations,
                str(plain.get("data", "")),
            )
        except ParameterError as error:
            raise DataError(str(error), source=source) from None
        except (TypeError, ValueError) as error:
            raise DataError(f"a value has the wrong type ({error})", source=source) from None

    def as_toml(self) -> str:
        """Return the sheet as the text of a TOML file."""
        lines = [f"epsilon = {self.epsilon!r}"]
        lines += [f"delta = {self.delta!r}"] if self.delta else []
        lines += [f"data = {_text(self.data)}"] if self.data else []
        own = self.declarations
        if own.person:
            lines += [f"person = {_text(own.person)}"]
            lines += [f"rows = {own.most_rows}"] if own.most_rows else [f"rule = {_text(own.person_rule)}"]
        if own.public_groups:
            lines += [f"public_groups = {_value(sorted(own.public_groups))}"]
        for column in own.columns:
            lines += ["", f"[columns.{_key(column.name)}]"]
            lines += _changed(column, ColumnDeclaration(column.name), _COLUMN)
        for question in self.questions:
            lines += ["", "[[questions]]", f"ask = {_text(question.as_text())}"]
            lines += _changed(question, Question(question.statistic), _QUESTION - {"ask", "where", "by", "q"})
        return "\n".join(lines) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sheet to a TOML file."""
        Path(path).write_text(self.as_toml(), encoding="utf-8")


def _column(name: str, plain: Mapping[str, Any], source: str) -> ColumnDeclaration:
    _refuse_others(plain, _COLUMN, source, f" in [columns.{name}]")
    values = dict(plain)
    for field in ("lower", "upper", "resolution"):
        if field in values and (
            isinstance(values[field], bool) or not isinstance(values[field], int | float)
        ):
            raise DataError(f"{field} of column '{name}' must be a number", source=source)
    if "fill" in values:
        values.setdefault("missing", "fill")
    if values.get("missing", "drop") not in ("drop", "fill", "refuse"):
        raise DataError(f"missing of column '{name}' must be drop, fill or refuse", source=source)
    if "categories" in values:
        values["categories"] = tuple(map(str, values["categories"]))
    return ColumnDeclaration(name, **values)


def _question(plain: Any, number: int, source: str) -> Question:
    if isinstance(plain, str):
        plain = {"ask": plain}
    if not isinstance(plain, Mapping) or not isinstance(plain.get("ask"), str):
        raise DataError(f'question {number} has no text; write ask = "median of salary"', source=source)
    _refuse_others(plain, _QUESTION, source, f" in question {number}")
    more = {name: value for name, value in plain.items() if name != "ask"}
    if "where" in more:
        more["where"] = (more["where"],) if isinstance(more["where"], str) else tuple(more["where"])
    try:
        return dataclasses.replace(read_question(plain["ask"]), **more)
    except ParameterError as error:
        raise DataError(f"question {number}: {error.problem}", source=source) from None


def _refuse_others(plain: Mapping[str, Any], known: set[str], source: str, where: str) -> None:
    for name in plain:
        if name not in known:
            raise DataError(
                f"'{name}' is unknown{where}; there are {', '.join(sorted(known))}", source=source
            )


def _changed(value: Any, usual: Any, names: set[str]) -> list[str]:
    """Return lines for the fields that differ from the usual ones, in the order of the fields."""
    fields = [field.name for field in dataclasses.fields(value) if field.name in names]
    return [
        f"{name} = {_value(getattr(value, name))}"
        for name in fields
        if getattr(value, name) != getattr(usual, name)
    ]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)


def _text(text: str) -> str:
    """Return a TOML string; JSON escapes are valid in TOML."""
    return json.dumps(text, ensure_ascii=False)


def _key(name: str) -> str:
    return (
        name
        if name and all(mark.isascii() and (mark.isalnum() or mark in "-_") for mark in name)
        else _text(name)
    )
