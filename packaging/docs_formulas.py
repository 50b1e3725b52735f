"""Formulas of the site as MathML, which browsers draw themselves: no script, no request."""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert


def setup(app: Any) -> dict[str, bool]:
    """Make it known to Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(self: Any, node: Any) -> None:
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _block(self: Any, node: Any) -> None:
    # a formula that is wider than a narrow window can be reached by the keyboard
    formula = convert(node.astext(), display="block")
    self.body.append(f'<div class="formula" role="group" aria-label="formula" tabindex="0">{formula}</div>')
    raise nodes.SkipNode
