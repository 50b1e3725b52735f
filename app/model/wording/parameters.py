"""What is declared about a parameter, in words, and where to read on."""

from __future__ import annotations

import html

from app.model.wording.numbers import short
from engine.parameters import Parameter

LINK = "help:"
"""How the address of a help page begins."""
ABOUT = "help"
"""The property of a chooser that names the kind of pages about its choices."""
DECLARED = "declared"
"""The property of an editor whose words come from a declaration."""


def name_of(declared: Parameter) -> str:
    """Return what a parameter is called: as on its label, if it has one."""
    text = (declared.label or declared.name).replace("&", "").rstrip(",")
    return text[:1].upper() + text[1:]


def parameter_words(declared: Parameter, page: str = "") -> str:
    """Return what is declared about a parameter, as HTML.

    Parameters
    ----------
    declared : Parameter
        The parameter.
    page : str
        The key of the page about what it belongs to.
    """
    label = name_of(declared)
    unit = f", in {declared.unit}" if declared.unit else ""
    first = short(declared.default) if isinstance(declared.default, float) else declared.default
    usual = "" if declared.default in (None, "") else f"; {first} unless you change it"
    values = f"{declared.bounds()}{unit}{usual}."
    lines = [
        f"<b>{html.escape(label)}</b>",
        html.escape(declared.help),
        html.escape(f"{values[:1].upper()}{values[1:]} Public: choose it without looking at the data."),
    ]
    if declared.source:
        lines.append(f"<i>{html.escape(declared.source)}</i>")
    return "".join(f"<p>{line}</p>" for line in lines) + help_link(page)


def help_link(key: str, label: str = "Formula, guarantee and source") -> str:
    """Return a link to a help page, as HTML; "" for no page."""
    return f'<p><a href="{LINK}{key}">{html.escape(label)}</a></p>' if key else ""
