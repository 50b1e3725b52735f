r"""Fields of lessons and help pages: ``{name}`` in a text stands for a number or name.

Computed numbers lie in ``resources/numbers``; ``{methods/smooth}`` is the title of a choice, ``{tabs/path}``
the name of a tab, and ``{buttons/audit}`` the label of a button.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from functools import cache

from app.model.texts.kinds import KINDS, titles
from app.model.wording.buttons import BUTTONS, without_mnemonic
from app.model.wording.components import name_of
from app.model.wording.numbers import superscript
from engine.resources import resource
from engine.small_files import parse_toml, small_text

MAX_BYTES = 1 << 18
"""Largest size of a file of numbers."""

FIELD = re.compile(
    r"\\.|\$\$.+?\$\$|\$[^$]+\$|```.+?```|`[^`]+`"  # escaped, formulas and code: as they are
    r"|\{(?P<name>[a-z]\w*(?:/[a-z][\w-]*)?)(?::(?P<spec>[^{}]*))?\}",
    re.DOTALL,
)
_POWER = re.compile(r"e([+-])0*(\d+)$")


class FieldError(ValueError):
    """A field that cannot be filled, with its position in the text."""

    def __init__(self, problem: str, position: int) -> None:
        super().__init__(problem)
        self.position = position


@cache
def text_numbers(kind: str) -> Mapping[str, Mapping[str, int | float]]:
    """Return the numbers of all texts of a kind ("lessons", "help"), by text and name."""
    source = f"{kind}.toml"
    return parse_toml(small_text(resource("numbers", source), source=source, most=MAX_BYTES), source)


def fill_fields(text: str, numbers: Mapping[str, int | float]) -> str:
    r"""Fill the fields of a text; numbers use the English format, as all prose of the program.

    A format of Python may follow a colon: ``{error:,.1f}``, ``{share:.0%}``. Without one, whole numbers are
    written in full and others with three significant digits.

    >>> fill_fields(r"{n} rows, {methods/smooth}: \{{share:.0%}\}, $x_{n}$", {"n": 10001, "share": 0.05})
    '10,001 rows, Smooth sensitivity: \\{5 %\\}, $x_{n}$'
    >>> fill_fields("{a}, {b}, {c:.0e}", {"a": 1346.9, "b": 0.04549, "c": 1e-6})
    '1,347, 0.0455, 10⁻⁶'

    Raises
    ------
    FieldError
        For a name that is not in `numbers` or the catalog, or for an invalid format.
    """

    def fill(match: re.Match[str]) -> str:
        name, spec = match["name"], match["spec"]
        if name is None:
            return match[0]
        if "/" in name:
            kind, _, choice = name.partition("/")
            label = (titles(kind) if kind in KINDS else labels_of(kind)).get(choice)
            if label is None:
                raise FieldError(f"there is no choice '{name}' in the catalog", match.start())
            return label
        if name not in numbers:
            known = ", ".join(sorted(numbers)) or "none"
            raise FieldError(
                rf"there is no number '{name}'; known: {known}; for a brace write \{{", match.start()
            )
        try:
            return _write(numbers[name], spec)
        except ValueError:
            raise FieldError(f"'{spec}' is no format of numbers; try ,.1f or .0%", match.start()) from None

    return FIELD.sub(fill, text)


def labels_of(kind: str) -> dict[str, str]:
    """Return the labels of "tabs", "pages", "controls", "buttons" or "planted", without ambiguous names."""
    from app.model.pages.audit import AUDIT
    from app.model.pages.registry import places
    from engine.catalog import kinds
    from engine.mechanisms import PLANTED
    from engine.parameters import plain_parameters

    pictures = [picture for spec in (*places().values(), AUDIT) for picture in spec.pictures]
    parts = (part for family in kinds().values() for part in family.values())
    parameters = itertools.chain(*map(plain_parameters, parts), *(one.declared for one in pictures))
    pairs: dict[str, Iterable[tuple[str, str]]] = {
        "planted": ((name, variant.label) for name, variant in PLANTED.items()),
        "pages": ((name, spec.title) for name, spec in places().items()),
        "tabs": ((one.name.removeprefix("audit "), one.title.name) for one in pictures),
        "controls": ((one.name, name_of(one)) for one in parameters),
        "buttons": BUTTONS.items(),
    }
    known: dict[str, set[str]] = {}
    for name, label in pairs.get(kind, ()):
        known.setdefault(name, set()).add(without_mnemonic(label))
    return {name: labels.pop() for name, labels in known.items() if len(labels) == 1}


def _write(value: int | float, spec: str | None) -> str:
    if spec is None:
        spec = "," if isinstance(value, int) else ",.0f" if abs(value) >= 100 else ".3g"
    text = format(value, spec).replace("%", " %")
    power = _POWER.search(text)
    if power is None:
        return text
    mantissa, exponent = text[: power.start()], superscript(int(power[1] + power[2]))
    return f"10{exponent}" if mantissa == "1" else f"{mantissa}×10{exponent}"
