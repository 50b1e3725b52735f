"""A figure as PGF, to be read by LaTeX with ``\\input``: its type is that of the document.

matplotlib's own backend asks a LaTeX that must be installed how large each text is; here matplotlib
measures, as it does for all other formats.
"""

from __future__ import annotations

import io
import re
from types import SimpleNamespace
from typing import Any

from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_pgf import RendererPgf
from matplotlib.figure import Figure

from engine.errors import SensiscopeError

HEAD = r"""% Needs \usepackage{pgf} and \usepackage{amsmath} in the preamble; put in with \input.
\begingroup\makeatletter\begin{pgfpicture}
\pgfpathrectangle{\pgfpointorigin}{\pgfqpoint{WIDTHin}{HEIGHTin}}
\pgfusepath{use as bounding box, clip}
"""
FOOT = "\\end{pgfpicture}\\makeatother\\endgroup\n"

SPECIAL = {**{letter: f"\\{letter}" for letter in "&%$#_{}"}, "~": r"\textasciitilde{}", "^": r"\^{}"}
"""Letters with a meaning in TeX, and how they are escaped."""

RAISED = {"⁻": "-", "⁽": "(", "⁾": ")", "ᵏ": "k", "ᵝ": r"\beta"}
"""Raised letters other than digits, and what is raised."""

SYMBOLS = (
    {
        "\u202f": r"\,",
        "\u00a0": "~",
        "−": r"\ensuremath{-}",
        "×": r"\ensuremath{\times}",
        "±": r"\ensuremath{\pm}",
        "≤": r"\ensuremath{\le}",
        "≥": r"\ensuremath{\ge}",
        "≈": r"\ensuremath{\approx}",
        "∞": r"\ensuremath{\infty}",
        "→": r"\ensuremath{\to}",
        "←": r"\ensuremath{\gets}",
        "·": r"\ensuremath{\cdot}",
        "∈": r"\ensuremath{\in}",
        "√": r"\ensuremath{\surd}",
        "○": r"\ensuremath{\circ}",
        "●": r"\ensuremath{\bullet}",
        "│": r"\ensuremath{\vert}",
        "Δ": r"\ensuremath{\Delta}",
        "φ": r"\ensuremath{\varphi}",
        "ε": r"\ensuremath{\varepsilon}",
        "δ": r"\ensuremath{\delta}",
        "α": r"\ensuremath{\alpha}",
        "β": r"\ensuremath{\beta}",
        "γ": r"\ensuremath{\gamma}",
        "σ": r"\ensuremath{\sigma}",
        "ν": r"\ensuremath{\nu}",
        "Λ": r"\ensuremath{\Lambda}",
        "°": r"\ensuremath{^\circ}",
        "…": r"\ldots{}",
        "⋯": r"\ensuremath{\cdots}",
        "–": "--",
        "“": "``",
        "”": "''",
        "’": "'",
        "ᵦ": r"\ensuremath{_\beta}",
        "*": r"\ensuremath{{}^{*}}",
    }
    | {
        letter: rf"\ensuremath{{{mark}{plain}}}"
        for mark, letters in (("^", "⁰¹²³⁴⁵⁶⁷⁸⁹"), ("_", "₀₁₂₃₄₅₆₇₈₉"))
        for plain, letter in enumerate(letters)
    }
    | {letter: rf"\ensuremath{{^{plain}}}" for letter, plain in RAISED.items()}
)
"""Letters that fonts of LaTeX lack, or that are better set as mathematics."""

_FORMULA = re.compile(r"((?<!\\)\$.+?(?<!\\)\$)")
_DEFAULT = re.compile(r"\\mathdefault\b")


def pgf(figure: Figure, scale: float = 1.0) -> bytes:
    """Return a figure as PGF, `scale` times as large.

    Raises SensiscopeError if a part of it is an image, which PGF has no place for.
    """
    content = io.StringIO()
    width, height = (float(side) for side in figure.get_size_inches())
    sides = {"WIDTH": f"{scale * width:.6f}", "HEIGHT": f"{scale * height:.6f}"}
    content.write(re.sub("|".join(sides), lambda match: sides[match[0]], HEAD))
    own: Any = _Renderer(figure, content, scale)
    renderer: Any = MixedModeRenderer(figure, width, height, figure.dpi, own)  # type: ignore[no-untyped-call]  # matplotlib has no types of it
    figure.draw(renderer)
    content.write(FOOT)
    return content.getvalue().encode()


class _Renderer(RendererPgf):
    """Measures text without LaTeX, sets it in the fonts of the document, and draws `scale` times as large.

    LaTeX could scale it itself, but only as an argument of a command, in which no text may say how its
    letters are read.
    """

    def __init__(self, figure: Figure, content: io.StringIO, scale: float) -> None:
        super().__init__(figure, content)  # type: ignore[no-untyped-call]  # as above
        self._scale = scale
        self._sizes = figure.get_size_inches() * figure.dpi
        self._own_dpi = figure.dpi
        # what is placed is divided by these
        self.dpi = figure.dpi / scale
        self.figure = SimpleNamespace(dpi=self.dpi)

    def points_to_pixels(self, points: Any) -> Any:
        return points * self._own_dpi / 72

    def get_canvas_width_height(self) -> tuple[float, float]:
        return float(self._sizes[0]), float(self._sizes[1])

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> tuple[float, float, float]:
        return RendererBase.get_text_width_height_descent(self, s, prop, ismath)

    def draw_text(
        self,
        gc: Any,
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        ismath: Any = False,
        mtext: Any = None,
    ) -> None:
        plain = prop.copy()
        sans = any("sans" in family.lower() for family in prop.get_family())
        plain.set_family("sans-serif" if sans else "serif")
        plain.set_size(self._scale * prop.get_size_in_points())
        super().draw_text(gc, x, y, tex_of(s, formulas=bool(ismath)), plain, angle, ismath, mtext)  # type: ignore[no-untyped-call]  # as above

    def draw_image(self, gc: Any, x: float, y: float, im: Any, transform: Any = None) -> None:
        """Refuse what would have to stand in a file of its own."""
        raise SensiscopeError("a part of this picture is an image, which PGF cannot hold; save it as PDF")

    def _print_pgf_path_styles(self, gc: Any, rgbFace: Any) -> None:
        scaled = self.new_gc()
        scaled.copy_properties(gc)
        scaled.set_linewidth(self._scale * gc.get_linewidth())
        offset, dashes = gc.get_dashes()
        if dashes is not None:
            scaled.set_dashes(self._scale * offset, [self._scale * dash for dash in dashes])
        super()._print_pgf_path_styles(scaled, rgbFace)  # type: ignore[no-untyped-call]  # as above


def tex_of(text: str, *, formulas: bool) -> str:
    """Return a text as TeX sets it; with `formulas`, text between dollar signs is one.

    >>> print(tex_of("90 % of $S^*$ in \\\\$", formulas=True))
    90 \\% of $S^*$ in \\$
    """
    if not formulas:
        return _escape(text)
    parts = _FORMULA.split(text)
    return "".join(
        _DEFAULT.sub(r"\\mathrm", part) if index % 2 else _escape(part.replace(r"\$", "$"))
        for index, part in enumerate(parts)
    )


def _escape(text: str) -> str:
    return "".join(SPECIAL.get(letter) or SYMBOLS.get(letter, letter) for letter in text)
