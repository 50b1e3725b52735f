"""The figure that a command saves: its file, width and font; the mark on confidential ones."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.commands.support.options import Option, add_option, up_to
from app.model.figure_style import (
    DPI,
    FONTS,
    HIGHEST_DPI,
    LOWEST_DPI,
    STYLE,
    WIDTHS,
    WORDS_AROUND,
    FigureStyle,
)
from app.model.output_file import OutputFile
from app.model.wording.console import CONFIDENTIAL, OF_PUBLIC_DATA

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel


def add_figure_options(group: argparse._ActionsContainer, shown: str = "") -> None:
    """Add --plot and the style of the figure; `shown` says what it shows."""
    text = f"save the figure{shown and f' {shown}'} (png, svg, pdf or pgf)"
    add_option(group, Option("plot", text, metavar="FILE"))
    for name, known, text, default in (
        ("width", WIDTHS, "width of the figure", STYLE.width),
        ("font", FONTS, "font of the figure", STYLE.font),
        ("words", WORDS_AROUND, "text around the figure", STYLE.text_around),
    ):
        choices = ", ".join(f"{key}: {meaning}" for key, meaning in known.items())
        option = Option(f"plot-{name}", f"{text}; {choices}", choices=tuple(known), default=default)
        add_option(group, option)
    text = f"pixels per inch of a PNG (default {DPI})"
    add_option(group, Option("dpi", text, read=_dpi))


def _dpi(text: str) -> int:
    """Read a resolution."""
    value = up_to(HIGHEST_DPI)(text)
    if value < LOWEST_DPI:
        raise argparse.ArgumentTypeError(f"'{text}' is too low; at least {LOWEST_DPI} is possible")
    return value


def figure_style(options: argparse.Namespace) -> FigureStyle:
    """Return the chosen style; figures of public data carry no stamp."""
    stamp = "never" if of_public_data(options) else STYLE.stamp
    return FigureStyle(options.plot_width, options.plot_font, options.plot_words, stamp, options.dpi)


def save_panels(panels: Sequence[FigurePanel], file: OutputFile, options: argparse.Namespace) -> None:
    """Draw one picture, or several on one sheet, and save them."""
    from app.plots.figure_panel import figure, save_figure, sheet

    style = figure_style(options)
    if len(panels) == 1:
        save_figure(figure(panels[0], style), file, style)
    else:
        file.write(sheet(panels, style))


def of_public_data(options: argparse.Namespace) -> bool:
    """Tell whether the data of a command are public; then no result is confidential."""
    from engine.data import EXAMPLES

    example = getattr(options, "example", None)
    return example is not None and EXAMPLES[example].public


def confidentiality(options: argparse.Namespace) -> str:
    """Return the line above numbers that a command computed from the data without releasing them."""
    return OF_PUBLIC_DATA if of_public_data(options) else CONFIDENTIAL
