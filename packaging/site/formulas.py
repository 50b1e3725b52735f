"""Formulas of the site as MathML, which browsers draw themselves: no script, no request."""

import html
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

from app.model.texts.plain import readable


def setup(app: Any) -> dict[str, bool]:
    """Make it known to Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(self: Any, node: Any) -> None:
    formula = convert(node.astext())
    if _heads_alone(node):
        # what names a column must be words for those who do not see it
        label = html.escape(readable(node.astext()), quote=True)
        formula = formula.replace("<math ", f'<math aria-label="{label}" ', 1)
    self.body.append(formula)
    raise nodes.SkipNode


def _heads_alone(node: Any) -> bool:
    """Tell whether a formula is all that stands in the head of a column."""
    cell = node.parent.parent
    is_head = isinstance(cell, nodes.entry) and isinstance(cell.parent.parent, nodes.thead)
    return is_head and cell.astext() == node.astext()


def _block(self: Any, node: Any) -> None:
    # a formula that is wider than a narrow window can be reached by the keyboard
    formula = convert(node.astext(), display="block")
    self.body.append(f'<div class="formula" role="group" aria-label="formula" tabindex="0">{formula}</div>')
    raise nodes.SkipNode
