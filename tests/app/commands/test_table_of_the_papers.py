"""The help's table of where everything is: each name, command, place and page in it is there."""

import shlex

import pytest

import engine
from app.actions import action_specs
from app.model.pages.registry import places, queries_of
from app.model.texts.pages import pages
from app.model.texts.plain import said
from engine.catalog import FAMILIES
from engine.extras.libraries.library import INSTALL

TOPIC = "topics/papers-and-after"
COLUMNS = ["what", "Python", "command line", "window", "help"]
ABSENT = ["what", "why"]
LISTED = ("query", "noise", "mechanism", "sampling", "aggregator")


def plain(text):
    """Return the words of a menu without the sign for its key."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def tables(head):
    """Return the rows of all tables of the page that have this head, each a list of runs."""
    found, _ = pages()
    blocks = [block for block in found[TOPIC].blocks if block.kind == "table"]
    return [
        row for block in blocks if [said(cell) for cell in block.rows[0]] == head for row in block.rows[1:]
    ]


ROWS = tables(COLUMNS)
IDS = [said(row[0]) for row in ROWS]


def test_every_table_of_the_page_is_one_of_the_two_and_no_row_stands_twice():
    found, _ = pages()
    heads = [[said(cell) for cell in block.rows[0]] for block in found[TOPIC].blocks if block.kind == "table"]
    assert heads == [COLUMNS] * (len(heads) - 1) + [ABSENT]
    names = IDS + [said(row[0]) for row in tables(ABSENT)]
    assert len(set(names)) == len(names) > 50
    assert all(len(said(row[1])) > 10 for row in tables(ABSENT))


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_names_places_and_pages_of_a_row_are_there(row):
    _, names, command, place, page = row
    found, _ = pages()
    codes = [run.text for run in names if run.kind == "code"]
    assert codes
    assert [name for name in codes if not hasattr(engine, name)] == []
    assert [run.kind for run in command] == ["code"]
    (link,) = [run.target for run in page if run.target]
    assert link.removeprefix("help:") in found
    where, _, part = said(place).partition(" · ")
    menu = [plain(action.text) for action in action_specs() if plain(action.menu) == where]
    if part in menu:
        return
    named = {plain(spec.title): spec for spec in places().values()}
    assert where in named
    if part == "form":
        assert shlex.split(command[0].text)[1] in queries_of(named[where].name)
    else:
        assert part in [title.name for title in named[where].titles.values()]


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_command_of_a_row_runs(cli, row):
    found = cli(*shlex.split(row[2][0].text))
    if INSTALL in found.err:
        pytest.skip("another library is not installed (extra 'peers')")
    assert (found.status, found.out == "") == (0, False), found.err


def test_everything_in_the_catalog_stands_in_the_table():
    named = {run.text for row in ROWS for run in row[1] if run.kind == "code"}
    listed = [one for family in LISTED for one in FAMILIES[family].values()]
    own = {one.__name__: one.name for one in listed if one.__module__.startswith("engine.")}
    assert len(own) > 40
    assert {kind: name for kind, name in own.items() if kind not in named} == {}
