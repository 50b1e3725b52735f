"""Sessions with a release of each kind, for reports, and what must not be in a report of it."""

from __future__ import annotations

import dataclasses
import functools
import html
import io
import re
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from loading import clusters, load, load_edges, load_points

from app.model.selection import selection

FOLDER = Path("/home/quokkauser/zebra-folder")
"""Where the data are said to lie."""

WHEN = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
MEDIAN = 73.15625
"""The median of the planted numbers; nothing public is like it."""

COLUMN = {
    "x": np.concatenate([np.linspace(3.28125, 71.40625, 100), [MEDIAN], np.linspace(75.59375, 97.84375, 100)])
}
GRAPH = {
    "source": ["ann-7", "bob-7", "ann-7", "bob-7", "cas-7"],
    "target": ["bob-7", "cas-7", "cas-7", "dan-7", "dan-7"],
    "weight": [1.59375, 2.03125, 4.0, 3.46875, 7.28125],
}
PEOPLE = {"sex": ["f", "m", "f", "m"] * 25, "smokes": ["yes", "no", "no", "no", "yes"] * 20}


class Quiet:
    """A task that is not cancelled."""

    def __call__(self, fraction: float, message: str = "") -> None:
        """Take note of nothing."""

    def settle(self) -> None:
        """Allow no cancel any more."""


def dataset(name: str, columns: dict[str, Any]) -> Any:
    """Return a dataset that is said to come from a file in `FOLDER`."""
    from app.model.dataset import Dataset
    from engine.data import Table

    return Dataset(Table(name, pa.table(columns)), f"sha256:{'5eed' * 16}", path=FOLDER / name)


def on_column(**fields: Any) -> Any:
    """Return a session on the planted numbers."""
    from app.session import Session

    session = Session()
    load(session, dataset("data.csv", COLUMN), "x", 0.0, 100.0)
    return changed(session, fields)


def on_graph(**fields: Any) -> Any:
    """Return a session on the planted graph."""
    from app.session import Session

    session = Session()
    session.show_page("spanning-tree")
    load_edges(session, dataset("graph.csv", GRAPH), 10.0, 4)
    return changed(session, fields)


def on_points(page: str = "clustering", **fields: Any) -> Any:
    """Return a session on planted points."""
    from app.session import Session

    session = Session()
    session.show_page(page)
    load_points(session, dataset("points.csv", clusters(600)), 0.0, 1.0)
    return changed(session, fields)


def on_people(**fields: Any) -> Any:
    """Return a session on answers."""
    from app.model.kinds.category_choice import CategoryChoice
    from app.model.pages.registry import PAGE_KINDS
    from app.session import Session
    from engine.progress import silent

    session = Session()
    session.show_page("histogram")
    lists = {"sex": ("f", "m"), "smokes": ("yes", "no")}
    columns = fields.pop("columns", ("sex", "smokes"))
    data, kind = dataset("people.csv", PEOPLE), PAGE_KINDS["histogram"]
    read = kind.read(data, {"categories": CategoryChoice(columns=columns, lists=lists)}, silent)
    session.open_dataset(data, "open", **kind.after_read(session.state, data, read))
    return changed(session, fields)


def changed(session: Any, fields: dict[str, Any]) -> Any:
    """Choose something else than what a page begins with."""
    if fields:
        session.edit("choose", **fields)
    return session


def release(session: Any) -> Any:
    """Make one release, as Run does."""
    from app.window.release_controller import make_release

    state = session.state
    record = make_release(state, session.databases, session.ledger, False, False, Quiet())
    session.add_release(record)
    return record


def request_of(session: Any, drawn: tuple[Any, ...] = (), **options: Any) -> Any:
    """Return what a report of a session is made from."""
    from app.export.report.request import ReportRequest
    from app.model.report_document import ReportOptions

    wanted = ReportOptions(**({"title": "A report", "pictures": tuple(range(len(drawn)))} | options))
    return ReportRequest(session.state, session.databases, drawn, session.ledger, wanted, WHEN)


def both_of(asked: Any) -> tuple[Any, str, bytes]:
    """Return a report, as a page of HTML and as a PDF."""
    from app.export.report.building import build_report
    from app.export.report.html import HtmlWriter
    from app.export.report.pdf import to_pdf

    report = build_report(asked)
    return report, "".join(HtmlWriter(report).parts()), to_pdf(report)


_DRAWN = rb"m|l|c|re|h|f\*?|S|n|W\*?|cs|CS|scn|SCN|gs|d|w|J|j|M"
"""Operators of a PDF that draw lines and choose colours."""


@functools.lru_cache(8)
def pdf_pages(content: bytes) -> list[str]:
    """Return the text of each page; every space is one blank.

    Lines of figures, of which there are thousands, are left out before: they hold no text.
    """
    import pypdf
    from pypdf.generic import DecodedStreamObject, NameObject

    pages = []
    for page in pypdf.PdfReader(io.BytesIO(content)).pages:
        stream = DecodedStreamObject()
        drawing = page.get_contents().get_data()
        stream.set_data(re.sub(rb"(?m)^(?:.* )?(?:" + _DRAWN + rb")\s*$\n?", b"", drawing))
        page[NameObject("/Contents")] = stream
        pages.append(" ".join(page.extract_text().split()))
    return pages


def inside(content: bytes) -> bytes:
    """Return everything in a PDF, with all streams unpacked."""
    parts = [content]
    for found in re.finditer(rb"stream\r?\n(.*?)endstream", content, re.DOTALL):
        try:
            parts.append(zlib.decompress(found[1]))
        except zlib.error:
            continue
    return b"\n".join(parts)


def lettered(report: Any) -> str:
    """Return the letters of all figures, which are outlines in a file."""
    from matplotlib.text import Text

    from app.model.report_document import ReportFigure

    figures = [
        block for section in report.sections for block in section.blocks if isinstance(block, ReportFigure)
    ]
    texts = [text for figure in figures for text in figure.draw().findobj(Text)]
    return "\n".join(text.get_text() for text in texts)


def forms(value: float) -> set[str]:
    """Return how a number could stand in a report; too short ones would be found by chance."""
    from app.model.wording.numbers import number

    written = {repr(float(value)), *(number(value, digits) for digits in (4, 5, 6, 7))}
    return {words for words in written if sum(letter.isdigit() for letter in words) >= 4}


def secrets(session: Any) -> set[str]:
    """Return words and numbers that no release of a session says."""
    found = {str(FOLDER.name), "quokkauser", "sha256", session.state.dataset.digest[7:]}
    setup = selection(session.state)
    prepared = setup.mechanism.prepare(session.databases.get(setup.source), setup.privacy)
    known = prepared.diagnostics
    # noise for the worst case has a scale that is public
    names = ("true_value", "local", "smooth", "scale") if "smooth" in known else ("true_value",)
    for value in map(known.get, names):
        if isinstance(value, float) and value != known.get("global"):
            found |= forms(value)
    return found


def records_changed(session: Any, **fields: Any) -> None:
    """Let the releases of a session have been made under other circumstances."""
    session._replace(
        {"releases": tuple(dataclasses.replace(record, **fields) for record in session.state.releases)}
    )


def text_of(page):
    """Return the words of a page of HTML; every space is one blank."""
    plain = re.sub(r"<(style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", plain)).split())


def without_formulas(page):
    """Return a page without the formulas of the help: numbers in their outlines say nothing."""
    return re.sub(r'<svg [^>]*aria-label=[^>]*><path fill="currentColor"[^>]*/></svg>', " ", page)


def readable(page):
    """Return a page without what places the lines and letters of its figures: numbers there say nothing.

    What is read stays, also by those who hear the page: text, titles, descriptions and what `aria-` says.
    """
    return re.sub(
        r"<svg\b.*?</svg>",
        lambda figure: re.sub(r'\s(?!aria-)[\w:-]+="[^"]*"', "", figure[0]),
        page,
        flags=re.DOTALL,
    )


KINDS = {
    "median": lambda: on_column(),
    "mean": lambda: on_column(query="mean", method="laplace"),
    "mst": lambda: on_graph(),
    "triangles": lambda: on_graph(query="triangles"),
    "lloyd": lambda: on_points(query="lloyd"),
    "sample-aggregate": lambda: on_points(query="sample-aggregate"),
    "one-cluster": lambda: on_points("one-cluster", query="one-cluster", epsilon=10.0),
    "privtree": lambda: on_points("histogram", query="privtree"),
    "covariance": lambda: on_points("histogram", query="covariance"),
    "contingency-table": lambda: on_people(query="contingency-table"),
    "mode": lambda: on_people(query="mode"),
    "randomized-response": lambda: on_people(query="randomized-response", columns=("smokes",)),
}
"""A session on each kind of page, for each kind of value."""
