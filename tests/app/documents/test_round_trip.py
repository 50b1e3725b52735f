"""What is saved is what is read: everything that the user has chosen, and none of the data."""

import dataclasses
import json
import os
import stat

import numpy as np
import pytest
from sessions import record

from app.documents import SessionSnapshot
from app.documents.document import SHARED
from app.documents.loading import OTHER, SAME, UNKNOWN, load_session, strangers
from app.documents.reading import read_session
from app.documents.writing import save
from app.model.kinds.base import fields_of
from app.model.kinds.column import ColumnChoice
from app.model.questions import AskedQuestion
from app.model.state import PAGE_FIELDS, SessionState
from app.releases.text import kind_words
from engine.data.reading_options import DETECTED
from engine.ledger import Ledger, Limit
from engine.questions.declarations import ColumnDeclaration, Declarations
from engine.questions.question import Question


def reopened(path, ledger):
    return load_session(read_session(path, ledger), {}, ledger)


def test_everything_comes_back(work, saved, ledger):
    path = saved()
    kept = read_session(path, ledger)
    assert kept.own
    loaded = load_session(kept, {}, ledger)
    before, after = work.state, loaded.work.state
    for name in (*SHARED, "page", "workspace"):
        assert getattr(after, name) == getattr(before, name), name
    for page in ("median", "spanning-tree", "clustering", "one-cluster", "histogram"):
        was, now = before.at(page), after.at(page)
        names = (set(PAGE_FIELDS) | fields_of(type(was.data))) - {"dataset", "data"}
        for name in names - {"numbers", "edges", "points", "categories"}:
            assert now.value(name) == was.value(name), (page, name)
        assert now.dataset.digest == was.dataset.digest
        if page == "histogram":
            assert now.data.categories.answers is not None
            unread = [dataclasses.replace(one.data.categories, answers=None) for one in (now, was)]
            assert unread[0] == unread[1]
    assert np.array_equal(after.data.numbers.values, before.data.numbers.values)
    assert np.array_equal(
        after.at("clustering").data.points.values, before.at("clustering").data.points.values
    )
    assert loaded.work.view_states == work.view_states
    assert after.trusted == frozenset()


def test_releases_come_back_without_what_is_private(work, saved, ledger):
    after = reopened(saved(), ledger).work.state.releases
    for was, now in zip(work.state.releases, after, strict=True):
        assert dict(now.release.diagnostics) == {}
        same = dataclasses.replace(was.release, diagnostics=now.release.diagnostics)
        assert dataclasses.replace(was, release=same) == now


DECLARED = Declarations(
    (
        ColumnDeclaration("salary", 0, 2e5, resolution=1, unit="$", missing="fill", fill=30_000),
        ColumnDeclaration("city", categories=("A", "B, C"), other=False, source="looked"),
    ),
    person="id",
    person_rule="sum",
    most_rows=3,
    public_groups=frozenset({"city"}),
)


def test_the_table_its_declarations_and_the_sheet_come_back(work, saved, ledger):
    released = work.state.releases[0]
    questions = (
        AskedQuestion(Question("median", ("salary",), by="city", where=("age >= 30",)), released),
        AskedQuestion(Question("count", weight=2, interval=0.1)),
    )
    state = dataclasses.replace(
        work.state, table=work.state.dataset, declarations=DECLARED, questions=questions, workspace="data"
    )
    after = reopened(saved(SessionSnapshot(state, work.view_states)), ledger).work.state
    assert after.table is after.dataset
    assert (after.declarations, after.workspace) == (DECLARED, "data")
    assert [asked.question for asked in after.questions] == [asked.question for asked in questions]
    assert after.questions[0].released is after.releases[0]
    assert after.questions[1].released is None


def test_a_session_without_a_table_is_saved_as_before(saved):
    assert not {"table", "declarations", "questions"} & json.loads(saved().read_text("utf-8")).keys()


def test_it_is_saved_twice_alike(saved, ledger):
    first = saved().read_text("utf-8")
    assert saved().read_text("utf-8") == first


def test_simulated_releases_are_none(work, saved, ledger):
    record = work.state.releases[0]
    simulated = dataclasses.replace(record, release=dataclasses.replace(record.release, simulated=True))
    state = dataclasses.replace(work.state, releases=(simulated,))
    assert reopened(saved(SessionSnapshot(state, work.view_states)), ledger).work.state.releases == ()


@pytest.fixture
def of_file(work, tmp_path):
    """Return work on a file beside the session, and the file."""
    from app.model.kept_data import read_file

    path = tmp_path / "data" / "people.csv"
    path.parent.mkdir()
    path.write_text("age,pay\n" + "".join(f"{20 + i},{7231.5 + 911 * i}\n" for i in range(40)), "utf-8")
    dataset = read_file("median", path, DETECTED, lambda *_: None).dataset
    numbers = dataset.table.numbers("age", missing="refuse")
    state = SessionState(
        dataset=dataset, data=ColumnChoice(column="age", numbers=numbers, lower=0.0, upper=120.0)
    )
    return SessionSnapshot(state, {}), path


def test_a_file_in_the_folder_is_named_by_the_way_to_it(of_file, ledger, tmp_path):
    work, path = of_file
    session = save(work, tmp_path / "work.sensiscope", ledger)
    assert '"path": "data/people.csv"' in session.read_text("utf-8")
    kept = read_session(session, ledger)
    assert kept.document.pages["median"].data.path == str(path)
    moved = tmp_path / "elsewhere"
    (moved / "data").mkdir(parents=True)
    session.rename(moved / "work.sensiscope")
    path.rename(moved / "data" / "people.csv")
    kept = read_session(moved / "work.sensiscope", ledger)
    loaded = load_session(kept, {"median": moved / "data" / "people.csv"}, ledger)
    assert loaded.checked == {"median": SAME}


def test_data_that_have_changed_are_noticed_and_so_are_keys(of_file, ledger, tmp_path):
    work, path = of_file
    session = save(work, tmp_path / "work.sensiscope", ledger)
    path.write_text(path.read_text("utf-8").replace("20,", "21,", 1), "utf-8")
    files = {"median": path}
    assert load_session(read_session(session, ledger), files, ledger).checked == {"median": OTHER}
    other = Ledger(None)
    kept = read_session(session, other)
    assert not kept.own
    assert load_session(kept, files, other).checked == {"median": UNKNOWN}


def test_only_ones_own_session_may_read_elsewhere_without_a_question(of_file, ledger, tmp_path):
    work, path = of_file
    folder = tmp_path / "sessions"
    folder.mkdir()
    session = save(work, folder / "work.sensiscope", ledger)
    assert strangers(read_session(session, ledger)) == ()
    assert strangers(read_session(session, Ledger(None))) == (str(path),)
    text = session.read_text("utf-8")
    session.write_text(text.replace('"lower": 0.0', '"lower": 1.0', 1), "utf-8")
    assert strangers(read_session(session, ledger)) == (str(path),)  # it was changed: not one's own
    inside = save(work, tmp_path / "work.sensiscope", ledger)
    assert strangers(read_session(inside, Ledger(None))) == ()


def test_releases_of_the_same_data_have_the_name_that_these_have_in_another_ledger(of_file, ledger, tmp_path):
    work, path = of_file
    account = ledger.account(work.state.dataset.digest).name
    state = dataclasses.replace(work.state, releases=(record(account), record("of something else")))
    session = save(SessionSnapshot(state, {}), tmp_path / "work.sensiscope", ledger)
    other = Ledger(None)
    loaded = load_session(read_session(session, other), {"median": path}, other)
    own = other.account(work.state.dataset.digest).name
    assert [one.dataset for one in loaded.work.state.releases] == [own, ""]
    assert loaded.accounts == {work.state.dataset.digest: own}
    assert all(one.elsewhere for one in loaded.work.state.releases)


def test_releases_that_somebody_has_changed_are_none_of_this_ledger_s_for_good(of_file, ledger, tmp_path):
    """Nor does saving the session again, which seals it, make them so."""
    work, path = of_file
    account = ledger.account(work.state.dataset.digest).name
    state = dataclasses.replace(work.state, releases=(record(account),))
    session = save(SessionSnapshot(state, {}), tmp_path / "work.sensiscope", ledger)
    text = session.read_text("utf-8")
    session.write_text(text.replace("48211.71828", "41999.25"), "utf-8")
    loaded = load_session(read_session(session, ledger), {"median": path}, ledger)
    (forged,) = loaded.work.state.releases
    assert (forged.release.value, forged.elsewhere, loaded.unvouched) == (41999.25, True, True)
    assert "from another user" in kind_words(forged)
    save(loaded.work, session, ledger)
    again = load_session(read_session(session, ledger), {"median": path}, ledger)
    assert not again.unvouched
    assert again.work.state.releases[0].elsewhere


def test_a_session_of_an_older_version_knows_its_data_and_its_releases_by_their_bytes(of_file, tmp_path):
    work, path = of_file
    dataset, ledger = work.state.dataset, Ledger(None)
    before = dataclasses.replace(dataset, digest=dataset.former, former="")
    old, new = (each.account_in(ledger) for each in (before, dataset))
    old.set_limit(Limit(1.0))
    new.set_limit(Limit(2.0))
    state = dataclasses.replace(work.state, dataset=before, releases=(record(old.name), record("of others")))
    session = save(SessionSnapshot(state, {}), tmp_path / "work.sensiscope", ledger)
    loaded = load_session(read_session(session, ledger), {"median": path}, ledger)
    assert loaded.checked == {"median": SAME}
    assert loaded.accounts == {dataset.digest: new.name}
    assert [one.dataset for one in loaded.work.state.releases] == [new.name, "of others"]


@pytest.mark.skipif(os.name != "posix", reason="rights are told by other means")
def test_a_session_file_is_for_nobody_else(of_file, ledger, tmp_path):
    path = tmp_path / "work.sensiscope"
    path.write_text("{}", "utf-8")
    path.chmod(0o666)
    for _ in range(2):
        assert stat.S_IMODE(save(of_file[0], path, ledger).stat().st_mode) == 0o600
        path.unlink()


def test_nothing_private_is_in_the_file(of_file, ledger, tmp_path):
    work, _ = of_file
    session = save(work, tmp_path / "work.sensiscope", ledger)
    text = session.read_text("utf-8")
    for digest in (work.state.dataset.digest, work.state.dataset.former):
        assert digest.partition(":")[2] not in text
    for value in work.state.dataset.table.numbers("pay", missing="refuse").values:
        assert f"{value:.1f}" not in text
    assert "314159" not in text


def test_data_in_no_file_cannot_be_saved(work, ledger, tmp_path):
    dataset = dataclasses.replace(work.state.dataset, example=None)
    lost = SessionSnapshot(dataclasses.replace(work.state, dataset=dataset), {})
    with pytest.raises(Exception, match="not in a file that can be opened again"):
        save(lost, tmp_path / "work.sensiscope", ledger)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", [None, 2.0**-22, [0.5, 0.25]])
def test_grid_resolution_and_exactness_come_back(work, saved, ledger, step):
    release = dataclasses.replace(work.state.releases[0].release, step=step, exact=False)
    made = dataclasses.replace(work.state.releases[0], release=release, inexact="sums are rounded")
    mechanism = dataclasses.replace(work.state.comparison.mechanisms[0], clamp="none")
    comparison = dataclasses.replace(work.state.comparison, mechanisms=(mechanism,))
    parameters = {"method/smooth": {"clamp": "none"}}
    state = work.state.replaced(
        {"resolution": 0.5, "parameters": parameters, "comparison": comparison, "releases": (made,)}
    )
    after = reopened(saved(SessionSnapshot(state, work.view_states)), ledger).work.state
    assert (after.data.resolution, after.mechanism) == (0.5, state.mechanism)
    assert after.remembered.values["method/smooth"] == {"clamp": "none"}
    assert after.comparison.mechanisms == (mechanism,)
    (now,) = after.releases
    assert (now.release.step, now.release.exact, now.inexact) == (step, False, "sums are rounded")


def without(content, names):
    """Return what a file says without some fields, wherever they stand."""
    if isinstance(content, list):
        return [without(part, names) for part in content]
    if isinstance(content, dict):
        return {name: without(part, names) for name, part in content.items() if name not in names}
    return content


def test_a_file_from_before_exact_releases_is_opened(saved, ledger):
    path = saved()
    whole = json.loads(path.read_text("utf-8"))
    old = without(whole, {"resolution", "clamp", "exact", "inexact"})
    old["releases"] = without(old["releases"], {"step"})
    assert old != whole
    path.write_text(json.dumps(old), "utf-8")
    state = reopened(path, ledger).work.state
    assert state.data.resolution is None
    assert [made.release.step for made in state.releases] == [None, None]
    assert all(made.release.exact and not made.flaw for made in state.releases)
    assert [one.clamp for one in state.comparison.mechanisms] == ["bounds", "bounds"]


def test_that_data_are_public_is_kept_of_ones_own_data_while_they_are_the_same(of_file, ledger, tmp_path):
    work, path = of_file
    content = work.state.dataset.content
    work = SessionSnapshot(dataclasses.replace(work.state, published=frozenset({content})), {})
    session, files = save(work, tmp_path / "work.sensiscope", ledger), {"median": path}
    loaded = load_session(read_session(session, ledger), files, ledger).work.state
    assert loaded.has_public_data
    other = Ledger(None)
    assert not load_session(read_session(session, other), files, other).work.state.has_public_data
    path.write_text(path.read_text("utf-8").replace("20,", "21,", 1), "utf-8")
    assert not load_session(read_session(session, ledger), files, ledger).work.state.has_public_data
