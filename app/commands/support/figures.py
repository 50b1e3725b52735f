"""The figure that a command saves: where, how wide, in which font; and what is said of confidential ones."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.commands.support.options import add_option
from app.model.figure_style import FONTS, STYLE, WIDTHS, WORDS_AROUND, FigureStyle
from app.model.output_file import OutputFile
from app.model.wording.console import CONFIDENTIAL, OF_PUBLIC_DATA
from engine.data import EXAMPLES

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel


def add_figure_options(group: argparse._ArgumentGroup, shown: str = "") -> None:
    """Add --plot, and how the figure looks; `shown` says what is in it."""
    group.add_argument(
        "--plot", metavar="FILE", help=f"save the figure{shown and f' {shown}'} (png, svg, pdf or pgf)"
    )
    for name, known, text in (
        ("width", WIDTHS, "how wide the figure is"),
        ("font", FONTS, "its font"),
        ("words", WORDS_AROUND, "what stands around it"),
    ):
        choices = ", ".join(f"{key}: {meaning}" for key, meaning in known.items())
        default = getattr(STYLE, name)
        text = f"{text}; {choices} (default {default})"
        add_option(group, f"--plot-{name}", text, choices=tuple(known), default=default)


def figure_style(options: argparse.Namespace) -> FigureStyle:
    """Return the look that was asked for; figures of public data are not stamped."""
    stamp = "never" if of_public_data(options) else STYLE.stamp
    return FigureStyle(options.plot_width, options.plot_font, options.plot_words, stamp)


def save_panels(panels: Sequence[FigurePanel], file: OutputFile, options: argparse.Namespace) -> None:
    """Draw one picture, or several on one sheet, and save them."""
    from app.plots.figure_panel import figure, save_figure, sheet

    style = figure_style(options)
    if len(panels) == 1:
        save_figure(figure(panels[0], style), file, style)
    else:
        file.write(sheet(panels, style))


def of_public_data(options: argparse.Namespace) -> bool:
    """Tell whether the data of a command are public, so that nothing computed from them is confidential."""
    example = getattr(options, "example", None)
    return example is not None and EXAMPLES[example].public


def confidentiality(options: argparse.Namespace) -> str:
    """Return the line above numbers that were computed from the data of a command, and are no release."""
    return OF_PUBLIC_DATA if of_public_data(options) else CONFIDENTIAL
