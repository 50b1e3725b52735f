"""A sheet: questions about one table under one budget, as a value and as a TOML file."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from engine.errors import DataError, ParameterError
from engine.privacy import Privacy
from engine.questions.declarations import ColumnDeclaration, Declarations, as_declarations
from engine.questions.planning import Planned, plan
from engine.questions.question import Question
from engine.questions.words import check_question, parse_question, read_question
from engine.small_files import parse_toml, small_text

_TABLE = {"epsilon", "delta", "data", "person", "rule", "rows", "columns", "questions", "public_groups"}
_COLUMN = {field.name for field in dataclasses.fields(ColumnDeclaration)} - {"name"}
_QUESTION = {"ask", "weight", "method", "interval", "population", "assumed", "edges", "where", "by", "q"}

_BEGIN = re.compile(r"\s*\[\[\s*questions\s*\]\]")


@dataclasses.dataclass(frozen=True)
class Sheet:
    """Questions about one table, which share one budget.

    Parameters
    ----------
    questions : sequence of Question or str
        Questions, or their words: "median of salary by department".
    epsilon, delta : float
        The budget of all questions together, for one record replaced.
    declarations : Declarations or list of ColumnDeclaration
        Public statements about the columns.
    data : str
        Path of the file; "" if it is given apart.
    name : str
        Name of the sheet in the ledger.

    Raises
    ------
    ParameterError
        If a question is not understood, or the budget is impossible.

    See Also
    --------
    ask, Question, Declarations

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
    name: str = dataclasses.field(default="", compare=False)

    def __init__(
        self,
        questions: Sequence[Question | str] | Question | str,
        epsilon: float = 1.0,
        delta: float = 0.0,
        declarations: Declarations | Sequence[ColumnDeclaration] | None = None,
        data: str = "",
        name: str = "",
    ) -> None:
        listed = [questions] if isinstance(questions, str | Question) else questions
        asked = tuple(read_question(one) if isinstance(one, str) else one for one in listed)
        values = {
            "questions": asked,
            "epsilon": float(epsilon),
            "delta": float(delta),
            "declarations": as_declarations(declarations or ()),
            "data": data,
            "name": name,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        Privacy(self.epsilon, self.delta)  # refuses an impossible budget

    @property
    def privacy(self) -> Privacy:
        """The budget of all questions together, for one record replaced: a row or a person."""
        return Privacy(self.epsilon, self.delta)

    def plan(self, n: int) -> tuple[Planned, ...]:
        """Return each question with its budget and expected error for n records; reads no record."""
        return plan(self.questions, self.declarations, n, self.privacy)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read a sheet from a TOML file.

        Raises
        ------
        DataError
            If the file is no sheet: what is wrong, and where.
        """
        file = Path(path)
        text = small_text(file)
        return cls.from_plain(parse_toml(text, file.name), file.name, _lines_of_questions(text))

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any], source: str = "sheet", lines: Sequence[int] = ()) -> Self:
        """Return the sheet of plain values, as in a TOML file; `DataError` says what is wrong.

        `lines` are the numbers of the lines at which the questions begin.
        """
        _refuse_others(plain, _TABLE, source, "")
        columns = plain.get("columns", {})
        asked = plain.get("questions", [])
        if not isinstance(columns, Mapping) or not all(isinstance(one, Mapping) for one in columns.values()):
            raise DataError("columns must be tables, such as [columns.salary]", source=source)
        if not isinstance(asked, list) or not asked:
            raise DataError(
                'it has no questions; write [[questions]] and ask = "count by city"', source=source
            )
        groups = plain.get("public_groups", [])
        for name in ("data", "person", "rule"):
            _check_type(name, plain.get(name, ""), str, source)
        for name in ("epsilon", "delta"):
            _check_type(name, plain.get(name, 0.0), float, source)
        _check_type("public_groups", groups, list, source)
        places = [
            f"{source}, line {line}" if line else source
            for line in (lines if len(lines) == len(asked) else [0] * len(asked))
        ]
        try:
            declarations = Declarations(
                tuple(_column(name, one, source) for name, one in columns.items()),
                plain.get("person", ""),
                plain.get("rule", "mean"),
                plain.get("rows"),
                frozenset(groups),
            )
            questions = [
                _question(one, number, where)
                for number, (one, where) in enumerate(zip(asked, places, strict=True), 1)
            ]
            return cls(
                questions,
                plain.get("epsilon", 1.0),
                plain.get("delta", 0.0),
                declarations,
                plain.get("data", ""),
                Path(source).stem,
            )
        except ParameterError as error:
            raise DataError(str(error), source=source) from None

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


def _lines_of_questions(text: str) -> list[int]:
    """Return the numbers of the lines that begin a question."""
    return [number for number, line in enumerate(text.split("\n"), 1) if _BEGIN.match(line)]


def _check_type(name: str, value: Any, kind: type, source: str) -> None:
    """Raise `DataError` unless a value is a text, a number or a list of texts."""
    if kind is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
    elif kind is list:
        fits = isinstance(value, list) and all(isinstance(one, str) for one in value)
    else:
        fits = isinstance(value, kind)
    if not fits:
        kinds = {str: "text in quotes", float: "a number", list: "a list of texts"}
        raise DataError(f"{name} must be {kinds.get(kind, 'true or false')}", source=source)


def _column(name: str, plain: Mapping[str, Any], source: str) -> ColumnDeclaration:
    _refuse_others(plain, _COLUMN, source, f" in [columns.{name}]")
    values = dict(plain)
    of = f" of column '{name}'"
    for field in ("lower", "upper", "resolution"):
        _check_type(f"{field}{of}", values.get(field, 0.0), float, source)
    for field in ("missing", "unit", "source"):
        _check_type(f"{field}{of}", values.get(field, ""), str, source)
    _check_type(f"other{of}", values.get("other", True), bool, source)
    if "fill" in values:
        values.setdefault("missing", "fill")
    if "categories" in values:
        categories = values["categories"]
        if not isinstance(categories, list) or not all(isinstance(one, str | int) for one in categories):
            raise DataError(f"categories{of} must be a list of texts", source=source)
        values["categories"] = tuple(map(_label, categories))
    return ColumnDeclaration(name, **values)


def _label(category: str | int) -> str:
    """Return the label of a category: that of true and false as a table writes it."""
    return str(category).lower() if isinstance(category, bool) else str(category)


def _question(plain: Any, number: int, source: str) -> Question:
    if isinstance(plain, str):
        plain = {"ask": plain}
    if not isinstance(plain, Mapping) or not isinstance(plain.get("ask"), str):
        raise DataError(f'question {number} has no text; write ask = "median of salary"', source=source)
    where = f" in question {number}"
    _refuse_others(plain, _QUESTION, source, where)
    more = {name: value for name, value in plain.items() if name not in ("ask", "where", "by", "q")}
    for name in ("by", "method"):
        _check_type(f"{name}{where}", plain.get(name, ""), str, source)
    _check_type(f"q{where}", plain.get("q", 0.5), float, source)
    _check_type(f"population{where}", plain.get("population", False), bool, source)
    conditions = plain.get("where", [])
    conditions = [conditions] if isinstance(conditions, str) else conditions
    _check_type(f"where{where}", conditions, list, source)
    try:
        asked = parse_question(plain["ask"], plain.get("q"))
        for name, given in (("by", asked.by), ("q", asked.q)):
            if name in plain and given not in ("", plain[name]):
                raise ParameterError(name, f"'{name}' stands in the words and beside them; write it once")
        if "q" in plain and asked.statistic != "quantile":
            raise ParameterError("q", "only a quantile has q; leave it out")
        result = dataclasses.replace(
            asked, by=plain.get("by", asked.by), where=(*asked.where, *conditions), **more
        )
        check_question(result)
        return result
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
    return repr(value.item() if hasattr(value, "item") else value)  # numpy writes its numbers differently


def _text(text: str) -> str:
    """Return a TOML string; JSON escapes are valid in TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return (
        name
        if name and all(mark.isascii() and (mark.isalnum() or mark in "-_") for mark in name)
        else _text(name)
    )
