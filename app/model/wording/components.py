"""Names of components and their choices: kinds, parameters, noise, sensitivities."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Mapping
from types import MappingProxyType

from app.model.wording.numbers import short
from engine.noise import Noise
from engine.noise.automatic import Choice
from engine.parameters import Parameter


@dataclasses.dataclass(frozen=True)
class KindWords:
    """Names of a kind of components."""

    # title, plural: title of a list of them, and prefix of keys: "queries/median" is the help page of a query
    title: str
    plural: str
    # label, name, help: form row in which one is chosen: its label, its name for screen readers, its tooltip
    label: str
    name: str
    help: str


KIND_WORDS: Mapping[str, KindWords] = MappingProxyType(
    {
        "query": KindWords(
            "Queries", "queries", "&Query", "Query", "The function of the data that is released"
        ),
        "method": KindWords(
            "Methods", "methods", "&Method", "How it is protected", "How the release is made private"
        ),
        "noise": KindWords(
            "Noises", "noises", "Noi&se", "Family of the noise", "The distribution of the noise"
        ),
        "mechanism": KindWords("Mechanisms", "mechanisms", "&Mechanism", "Mechanism", "The kind of release"),
        "aggregator": KindWords(
            "Aggregators",
            "aggregators",
            "Aggrega&tor",
            "How one output is made of those of the blocks",
            "How one output is made of those of the blocks",
        ),
        "function": KindWords(
            "Functions of blocks",
            "functions",
            "F&unction",
            "Function of a block",
            "The function computed on each block",
        ),
        "sampling": KindWords(
            "Ways to draw blocks",
            "samplings",
            "Sampling",
            "How the blocks are drawn",
            "How the blocks are drawn, blind to the data",
        ),
    }
)
"""The kinds of `engine.catalog.kinds` with their names on the screen."""


def words_of(kind: str, declared: Parameter | None = None) -> KindWords:
    """Return the names of a kind; for an unknown kind, from the parameter that holds it."""
    if kind in KIND_WORDS:
        return KIND_WORDS[kind]
    label, tip = (declared.label, declared.help) if declared is not None else (kind.capitalize(), "")
    return KindWords(f"{label}s", f"{kind}s", label, label, tip)


def page_key(kind: str, name: str) -> str:
    return f"{words_of(kind).plural}/{name}"


LINK = "help:"
"""Prefix of the addresses of help pages."""
ABOUT = "help"
"""Qt property of a chooser: the kind of help pages for its choices."""
DECLARED = "declared"
"""Qt property of an editor whose texts come from a declaration."""


def name_of(declared: Parameter) -> str:
    """Return the name of a parameter: its label, if it has one."""
    text = (declared.label or declared.name).replace("&", "").rstrip(",")
    return text[:1].upper() + text[1:]


def parameter_words(declared: Parameter, page: str = "") -> str:
    """Return the description of a parameter as HTML; `page` is the key of the help page of its component."""
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
    """Return a link to a help page as HTML; "" without a page."""
    return f'<p><a href="{LINK}{key}">{html.escape(label)}</a></p>' if key else ""


MODELS = {
    1.0: "S* = c/β, the usual case for ranks",
    0.5: "S* = c/√β, between a rank and a sum",
    0.0: "an S* that is the same for every β",
}
"""The public models of the sensitivity, by the exponent in S*."""

BLOCKS = "Of outputs of blocks it is this one, whatever the budget: how S falls there is another matter."


def noise_name(noise: Noise) -> str:
    """Name a family with its shape.

    >>> from engine.noise import ArsinhNormal, Laplace
    >>> noise_name(ArsinhNormal(sigma=1.4)), noise_name(Laplace())
    ('Arsinh-normal, σ = 1.4', 'Laplace')
    """
    shapes = (f"{one.label.split()[-1]} = {short(getattr(noise, one.name))}" for one in noise.parameters())
    return ", ".join((noise.label, *shapes))


def choice_words(choice: Choice) -> str:
    """Return the noise with its share of epsilon for sliding."""
    return f"{noise_name(choice.noise)}, share {short(choice.split, 2)}"


def rule_words(decline: float) -> str:
    """Return the rule by which the noise was chosen."""
    return (
        f"The least median error of a release if {MODELS[decline]}: from ε, δ and the query alone, never "
        "from the data. Bars: the median error of each family, with its best shape and sliding share, in "
        "multiples of the least."
    )


def smooth_label(amount: str, bound: bool) -> str:
    """Name smooth sensitivity in a legend."""
    return f"smooth S ≤ {amount}" if bound else f"smooth S*  {amount}"


def local_label(amount: str, bound: bool) -> str:
    """Name local sensitivity in a legend."""
    return f"local ≤ {amount}" if bound else f"local  {amount}"


def at_most(amount: str, bound: bool) -> str:
    """Write an amount in a sentence."""
    return f"at most {amount}" if bound else amount


def below(amount: str, bound: bool) -> str:
    """Write an amount in a table."""
    return f"≤ {amount}" if bound else amount
