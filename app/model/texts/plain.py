"""Formulas and help pages as plain text, for terminals, searches and screen readers."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterator
from functools import cache

from app.model.texts.marks import MarkupBlock, Runs, TextRun
from app.model.texts.pages import HelpPage
from app.model.wording.numbers import in_prose

_SIGNS = dict(
    pair.split(" ")
    for pair in """
varepsilon ε  varphi φ  vartheta θ  varrho ρ  ell ℓ  infty ∞  partial ∂  leq ≤  le ≤  geq ≥  ge ≥
neq ≠  ne ≠  approx ≈  sim ~  equiv ≡  propto ∝  times ×  cdot ·  pm ±  mp ∓  div ÷  circ ∘  star *
ast *  in ∈  notin ∉  subset ⊂  subseteq ⊆  supseteq ⊇  cup ∪  cap ∩  setminus ∖  emptyset ∅
forall ∀  exists ∃  neg ¬  wedge ∧  vee ∨  to →  rightarrow →  leftarrow ←  mapsto ↦  Rightarrow ⇒
Leftrightarrow ⇔  sum Σ  prod ∏  int ∫  sqrt √  ldots …  dots …  cdots ⋯  prime ′  ll ≪  gg ≫
lfloor ⌊  rfloor ⌋  lceil ⌈  rceil ⌉  langle ⟨  rangle ⟩  mid |  vert |  Vert ‖  | ‖  { {  } }  % %
_ _  & &  # #  nabla ∇  oplus ⊕  otimes ⊗  top ⊤  bot ⊥  perp ⊥  triangle △  dagger †
""".replace("\n", "  ").split("  ")
    if pair
)
_SIGNS |= dict.fromkeys((",", ";", ":", " ", "quad", "qquad"), " ") | dict.fromkeys(
    ("!", "left", "right"), ""
)
_SIGNS |= {unicodedata.name(letter).split()[-1].lower(): letter for letter in "αβγδεζηθικμνξοπρστυφχψω"}
_SIGNS |= {unicodedata.name(letter).split()[-1].title(): letter for letter in "ΓΔΘΞΠΣΥΦΨΩ"}
_SIGNS |= {"lambda": "λ", "Lambda": "Λ"}  # which Unicode spells without the b
_STYLES = re.compile(
    r"\\(?:mathrm|mathbf|mathit|mathcal|mathbb|mathsf|mathtt|text|operatorname|mathfrak|mathscr)"
)
_SIGN = re.compile(r"\\([A-Za-z]+|.)")
_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(rf"\\[dt]?frac\s*{_GROUP}\s*{_GROUP}")
_BINOMIAL = re.compile(rf"\\binom\s*{_GROUP}\s*{_GROUP}")
_ROOT = re.compile(rf"\\sqrt\s*{_GROUP}")
_ACCENT = re.compile(rf"\\(?:hat|widehat|tilde|widetilde|bar|overline|vec|dot)\s*(?:{_GROUP}|(\\?\w+))")
_SIMPLE = re.compile(r"\{(\w|[^\x00-\x7F]|\*)\}")


@cache
def readable(tex: str) -> str:
    r"""Return a formula as plain characters.

    >>> readable(r"S^*_\beta(x) = \max_{k \geq 0} e^{-\beta k} A^{(k)}(x)")
    'S^*_β(x) = max_(k ≥ 0) e^(-β k) A^(k)(x)'
    >>> readable(r"\frac{S(x)}{\alpha} \, Z, \quad \sqrt{2 \ln(1/\delta)}")
    'S(x)/α Z, √(2 ln(1/δ))'
    """
    text = tex.replace(r"\{", "\0").replace(r"\}", "\1")
    for _ in range(4):  # one within the other
        text = _FRACTION.sub(lambda match: f"{_term(match[1])}/{_term(match[2])}", text)
        text = _BINOMIAL.sub(r"(\1 choose \2)", text)
        text = _ROOT.sub(r"√(\1)", text)
    text = _ACCENT.sub(lambda match: match[1] or match[2], _STYLES.sub("", text))
    text = _SIGN.sub(lambda match: _SIGNS.get(match[1], match[1]), text)
    text = _SIMPLE.sub(r"\1", text)
    text = re.sub(r"([_^])\{\(([^(){}]*)\)\}", r"\1(\2)", text)
    text = re.sub(r"([_^])\{", "\\1\2", text)
    text = _closed(text)
    return " ".join(text.replace("\0", "{").replace("\1", "}").split())


def _term(text: str) -> str:
    """Return one side of a fraction, in brackets if it needs them."""
    return text if re.fullmatch(r"\\?\w+(\([^()]*\))?|\d+(\.\d+)?", text.strip()) else f"({text})"


def _closed(text: str) -> str:
    """Close the brackets that replace braces, and drop all other braces."""
    results: list[str] = []
    opened: list[bool] = []
    for sign in text:
        if sign == "\2":
            opened.append(True)
            results.append("(")
        elif sign == "{":
            opened.append(False)
        elif sign == "}":
            results.append(")" if opened and opened.pop() else "")
        else:
            results.append(sign)
    return "".join(results)


def page_text(page: HelpPage, width: int = 96) -> str:
    """Return a page in lines of at most `width` characters, except formulas, tables and code."""
    parts = [page.title, *_texts(page.summary, width)]
    for section in page.sections:
        parts += [section.title.upper(), *_texts(section.blocks, width)]
    return "\n\n".join(parts)


def said(runs: Runs) -> str:
    """Return the text of a line, with formulas as plain characters."""
    return "".join(_said(run) for run in runs)


def _said(run: TextRun) -> str:
    if run.kind == "formula":
        return readable(run.text)
    return run.text if run.kind == "code" else in_prose(run.text)


def block_text(block: MarkupBlock) -> str:
    """Return the whole text of a block on one line."""
    cells = "  ".join(said(cell) for row in block.rows for cell in row)
    return f"{said(block.runs)} {cells}".strip()


def _texts(blocks: tuple[MarkupBlock, ...], width: int) -> Iterator[str]:
    """Yield blocks for a terminal; items of a list stay together."""
    items: list[str] = []
    for block in blocks:
        if block.kind in ("bullet", "number"):
            items.append(_wrapped(said(block.runs), width, "- "))
            continue
        if items:
            yield "\n".join(items)
            items = []
        if block.kind == "table":
            yield _table([[said(cell) for cell in row] for row in block.rows])
        elif block.kind in ("formula", "code"):
            yield textwrap.indent(said(block.runs), "    ")
        else:
            yield _wrapped(said(block.runs), width)
    if items:
        yield "\n".join(items)


def _wrapped(text: str, width: int, first: str = "") -> str:
    rest = " " * len(first)
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
