"""Settings of the site for Sphinx; `docs_site.py` starts it."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpydoc.xref import DEFAULT_LINKS
from sphinx.pycode import ModuleAnalyzer

import engine
from app.model.wording.components import KIND_WORDS
from engine import catalog

sys.path.insert(0, str(Path(__file__).parent))  # for `formulas`

project = "Sensiscope"
author = "The Sensiscope authors"
project_copyright = "The Sensiscope authors, MIT licence"
version = release = engine.__version__
language = "en"

extensions = [
    "formulas",
    "matplotlib.sphinxext.plot_directive",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["tests/**"]
templates_path = ["templates"]
default_role = "py:obj"

html_theme = "furo"
html_title = "Sensiscope"
html_favicon = "resources/icons/sensiscope.svg"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
html_math_renderer = "mathml"
highlight_language = "text"
pygments_style = "a11y-high-contrast-light"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autosummary_imported_members = True
autodoc_typehints = "none"  # the docstrings state the types
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # the template lists them
numpydoc_xref_param_type = True
LISTED = re.compile(
    r"^   ((?:engine\.[\w.]+\.)?(\w+))$", re.MULTILINE
)  # the names on a page of the reference
numpydoc_xref_aliases = {
    short: f"sensiscope.{name}"
    for page in Path(__file__).parent.glob("reference/*.rst")
    if "autosummary::" in (text := page.read_text("utf-8"))
    for name, short in LISTED.findall(text)
}
numpydoc_xref_ignore = "all"
DEFAULT_LINKS.clear()  # they lead to sites of other projects

plot_formats = ["svg"]
plot_html_show_formats = False
plot_html_show_source_link = False
plot_include_source = True
plot_rcparams = {"figure.figsize": (6.4, 3.6), "svg.fonttype": "none", "font.family": "sans-serif"}
plot_apply_rcparams = True

DEPTH_OF_NAVIGATION = 3
NOT_IN_NAVIGATION = ("_modules/", "reference/names/")
NAVIGATIONS: dict[tuple[Any, ...], str] = {}
"""Side bars by page, or by depth and pages above: most of the time of a build goes into them."""

FUNCTION = re.compile(r"<function (\w+)[^>]*>")
OUTSIDE_OF_CODE = re.compile(r"``[^`]+``|`[^`]+`|\|")
HELP_PAGES = {
    component: f"resources/help/{KIND_WORDS[kind].plural}/{name}"
    for kind, registry in catalog.kinds().items()
    for name, component in registry.items()
    if kind in KIND_WORDS
}


def setup(app: Any) -> None:
    """Connect the functions below."""
    app.connect("autodoc-process-signature", name_defaults)
    app.connect("autodoc-process-docstring", describe_constant, priority=50)
    app.connect("autodoc-process-docstring", read_as_prose, priority=100)
    app.connect("autodoc-process-docstring", link_help_page, priority=900)
    app.connect("html-page-context", limit_navigation, priority=100)


def name_defaults(
    _app: Any, _what: str, _name: str, _thing: Any, _options: Any, signature: str | None, returns: str | None
) -> tuple[str, str | None] | None:
    """Write a default that is a function by its name."""
    return signature and (FUNCTION.sub(r"\1", signature), returns)


def describe_constant(_app: Any, what: str, name: str, thing: Any, _options: Any, lines: list[str]) -> None:
    """Take the text below a constant in the module that defines it; its type says less."""
    short = name.removeprefix("sensiscope.")
    if what == "data" and short in engine._HOMES:
        texts = ModuleAnalyzer.for_module(engine._HOMES[short]).find_attr_docs()
        lines[:] = texts.get(("", short), lines)
        if isinstance(thing, Mapping):
            lines += ["", *(f"- ``{key}``" + _linked(value) for key, value in thing.items()), ""]


def _linked(value: Any) -> str:
    return f": `{value.__name__}`" if inspect.isclass(value) else ""


def read_as_prose(_app: Any, _what: str, _name: str, _thing: Any, _options: Any, lines: list[str]) -> None:
    """Escape the bars of |x| outside of code, and let examples import from `sensiscope`."""
    is_example = False
    for number, line in enumerate(lines):
        is_example = line.lstrip().startswith(">>>") or (is_example and bool(line.strip()))
        if is_example:
            lines[number] = line.replace(">>> from engine import", ">>> from sensiscope import")
        else:
            lines[number] = OUTSIDE_OF_CODE.sub(lambda found: found[0] if "`" in found[0] else r"\|", line)


def link_help_page(app: Any, _what: str, _name: str, thing: Any, _options: Any, lines: list[str]) -> None:
    """Link a component to the help page with its formula, guarantee and sources."""
    page = HELP_PAGES.get(thing) if inspect.isclass(thing) else None
    if page in app.env.found_docs:
        lines += ["", f".. seealso:: :doc:`/{page}` for formula, guarantee and sources.", ""]


def limit_navigation(_app: Any, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Keep the pages of single names out of the side bar, and lay out equal side bars only once."""
    whole = context.get("toctree")
    if whole is None:
        return
    above = tuple(parent["link"] for parent in context.get("parents", ()))
    key = (page.count("/"), *above) if page.startswith(NOT_IN_NAVIGATION) else (page,)

    def toctree(**options: Any) -> str:
        if key not in NAVIGATIONS:
            NAVIGATIONS[key] = whole(**{**options, "maxdepth": DEPTH_OF_NAVIGATION})
        return NAVIGATIONS[key]

    context["toctree"] = toctree
