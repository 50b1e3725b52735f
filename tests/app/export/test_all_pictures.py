"""Every picture of every page can be saved with its numbers, and says when it is not private."""

from __future__ import annotations

import csv

import pytest
from loading import clusters, load_points

from app.model.pages.audit import TAB as AUDIT
from app.model.pages.registry import tabs_of
from app.model.pages.workspaces import COMPARE
from app.model.view_states import AuditChoice
from app.plots.figures import CONFIDENTIAL

pytestmark = pytest.mark.usefixtures("roughly_drawn")

BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
FORMATS = tuple(BEGINNINGS)


def check(window, canvas, folder, formats):
    """Save a picture in these formats, and its numbers; see that all of them say what must be said."""
    assert canvas.has_result
    assert canvas.private == canvas.drawn.file_stem.endswith("-confidential")
    figure = canvas.drawn.draw().axes.get_figure(root=True)
    assert (CONFIDENTIAL in [text.get_text() for text in figure.texts]) == canvas.private
    target = folder / f"{canvas.drawn.file_stem}.csv"
    window.controllers.exports.figures.write(canvas, target)
    for form in formats:
        window.controllers.exports.figures.write(canvas, target.with_suffix(f".{form}"))
    assert window.wait_until_idle(30_000)
    with open(target, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert len(set(header)) == len(header) > 0
    assert rows
    assert {len(row) for row in rows} == {len(header)}
    seen, numbers = canvas.picture.saved_table()
    assert (header, rows) == (seen, [["" if cell is None else str(cell) for cell in row] for row in numbers])
    for form in formats:
        assert target.with_suffix(f".{form}").read_bytes().startswith(BEGINNINGS[form])
    assert not window.body.messages.texts()


def pictures_of(window, tabs):
    """Yield the pictures in sight of each tab."""
    for tab in tabs:
        window.page.show_tab(tab)
        assert window.wait_until_idle(60_000)
        yield from (canvas for canvas in window.page.canvases if canvas is not None and canvas.isVisible())


@pytest.mark.slow
def test_the_pictures_of_a_column_can_be_saved(shared, tmp_path):
    seen = []
    for canvas in pictures_of(shared, [tab for tab in tabs_of("median") if tab != AUDIT]):
        check(shared, canvas, tmp_path, FORMATS[:1] if not seen else ())
        seen.append(canvas.drawn.file_stem)
    assert len(set(seen)) == 7


def test_what_is_public_may_be_saved_in_the_release_view(shared, tmp_path):
    shared.session.show_view("release")
    (canvas,) = pictures_of(shared, ["noise"])
    assert not canvas.private
    check(shared, canvas, tmp_path, ())


@pytest.mark.slow
@pytest.mark.parametrize("view", ["curator", "release"])
def test_the_pictures_of_a_graph_can_be_saved(shared_graph, tmp_path, view):
    shared_graph.session.show_view(view)
    tabs = tabs_of("spanning-tree") if view == "curator" else ("noise", AUDIT)
    for canvas in pictures_of(shared_graph, tabs):
        if canvas.has_result:
            check(shared_graph, canvas, tmp_path, FORMATS)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["clustering", "one-cluster", "histogram"])
def test_the_pictures_of_points_can_be_saved(window_of, dataset, tmp_path, page):
    from app.session import Session

    session = Session()
    session.show_page(page)
    load_points(session, dataset("points.csv", **clusters(1500)), 0.0, 1.0)
    window = window_of(session, 30_000)
    shown = getattr(window.page.card, "shown", tabs_of(page))
    stems = set()
    for canvas in pictures_of(window, [tab for tab in tabs_of(page) if tab in shown and tab != AUDIT]):
        if canvas.has_result:
            check(window, canvas, tmp_path, FORMATS)
            stems.add(canvas.drawn.file_stem)
    assert len(stems) >= 4  # clouds of points share a name


@pytest.mark.slow
def test_exact_counts_are_called_so_in_every_picture_of_them(window_of, dataset):
    from app.session import Session

    session = Session()
    session.show_page("histogram")
    load_points(session, dataset("points.csv", **clusters(1500)), 0.0, 1.0)
    session.edit("choose", query="histogram-shifted")
    window = window_of(session, 30_000)
    for tab in ("cells", "levels", "tree", "isolation", "attacks", "radii"):
        (canvas,) = pictures_of(window, [tab])
        supxlabel = canvas.drawn.draw().axes.get_figure(root=True).get_supxlabel()
        assert "exact counts, not differentially private" in supxlabel, tab


@pytest.mark.slow
@pytest.mark.parametrize("name", ["window", "points_window"])
def test_the_pictures_of_audits_can_be_saved(request, tmp_path, name):
    shown = request.getfixturevalue(name)
    for shows in ("guess-who", "outcomes", "posterior", "trade-off"):
        shown.page.show_audit(AuditChoice(runs=1000), shows)
        assert shown.wait_until_idle(60_000)
        check(shown, shown.page.canvas, tmp_path, FORMATS)


@pytest.mark.slow
def test_the_pictures_of_comparisons_can_be_saved(window, tmp_path):
    window.session.show_page(COMPARE.name)
    assert window.wait_until_idle(30_000)
    window.page.take()
    window.page.run()
    assert window.wait_until_idle(120_000)
    for canvas in pictures_of(window, ("errors", "frontier", "time")):
        check(window, canvas, tmp_path, FORMATS)
    window.page.show_tab("table")
    assert window.wait_until_idle()
    name, header, rows = window.page.table
    assert name.endswith("-confidential")
    assert {len(row) for row in rows} == {len(header)}
