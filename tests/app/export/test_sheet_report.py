"""The report of the sheet: answers on the first page, rules and promise in sentences, details behind."""

import dataclasses
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lent_windows import started
from tables import declare, open_table

from app.export.report.building import build_report
from app.export.report.html import HtmlWriter
from app.export.report.pdf import to_pdf
from app.export.report.request import ReportRequest
from app.export.report.sheet_sections import LOOKED, NOTHING
from app.model.questions import AskedQuestion, released_row
from app.model.report_document import ReportOptions, ReportTable
from app.session import Session
from engine.ledger import Ledger
from engine.questions.words import read_question

pytestmark = pytest.mark.usefixtures("undrawn")

ROWS = 50_003  # so many that no answer can be the number of missing values by chance
TEXTS = ("mean of salary", "count by team", "sum of salary where age > 40", "share where age > 40")


@pytest.fixture(scope="module")
def answered(qapp: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a window with four released questions."""
    folder = tmp_path_factory.mktemp("sheet")
    path = folder / "staff.csv"
    lines = (f"{20 + i % 45},{'' if i % 9 == 0 else i % 1000},{'AB'[i % 2]}" for i in range(ROWS))
    path.write_text("age,salary,team\n" + "\n".join(lines), "utf-8")
    with started(Session(ledger=Ledger(folder / "ledger.sqlite"))) as window:
        open_table(window, path)
        declare(window, "salary", lower=0, upper=1000, unit="$")
        declare(window, "team", categories=("A", "B"))
        window.session.show_page("questions")
        questions = tuple(AskedQuestion(read_question(text)) for text in TEXTS)
        window.session.edit("ask", questions=questions)
        assert window.wait_until_idle()
        window.page.run_button.click()
        assert window.wait_until_idle()
        window.controllers.sheet.dialog.answers[None].click()
        assert window.wait_until_idle()
        yield window


def request(window: Any) -> ReportRequest:
    """Return the request for the report of a window."""
    session = window.session
    when = datetime(2026, 1, 31, tzinfo=UTC)
    return ReportRequest(session.state, session.databases, (), session.ledger, ReportOptions("Answers"), when)


def test_the_first_part_holds_answers_intervals_and_the_promise(answered: Any) -> None:
    report = build_report(request(answered))
    table = next(block for block in report.sections[0].blocks if isinstance(block, ReportTable))
    questions = [row[0] for row in table.rows]
    assert questions == ["mean of salary", "count by team", "– A", "– B", "– other", *TEXTS[2:]]
    assert all(" to " in row[2] for row in table.rows if row[1].strip())
    facts = dict(report.sections[1].blocks[0].rows)
    assert facts["Records"] == "n = 50\u202f003: one row each"
    assert "Rows without salary or team are left out" in facts["Missing values"]
    assert "ε = 1," in facts["Promise"]
    assert "73.1 %" in facts["Promise"]
    assert all(section.folded for section in report.sections[2:])
    assert not report.private


def test_details_open_on_demand_and_the_print_is_one_page(answered: Any) -> None:
    import pypdf

    report = build_report(request(answered))
    page = "".join(HtmlWriter(report).parts())
    assert page.count("<details class") == page.count("</details>\n</main>") == 1
    first, rest = page.split("<details class")
    assert "How to read them" in first
    assert "The budget" in rest
    pages = pypdf.PdfReader(io.BytesIO(to_pdf(report))).pages
    assert "How to read them" in pages[0].extract_text()
    assert "Intervals" in pages[0].extract_text()


def test_no_size_of_a_part_leaves(answered: Any) -> None:
    text = re.sub(
        r"<svg.*?</svg>", "", "".join(HtmlWriter(build_report(request(answered))).parts()), flags=re.DOTALL
    )
    missing = len(range(0, ROWS, 9))
    numbers = {number.replace("\u202f", "") for number in re.findall(r"\d[\d.\u202f]*\d", text)}
    assert str(ROWS) in numbers
    assert not {str(missing), str(ROWS - missing)} & numbers


def test_looked_bounds_void_the_promise(answered: Any) -> None:
    session = answered.session
    before = session.state
    row = before.questions[0]
    looked = dataclasses.replace(row.released, looked=True)
    state = dataclasses.replace(before, questions=released_row(before.questions, row.key, looked))
    wanted = dataclasses.replace(request(answered), state=state)
    assert build_report(wanted).sections[1].blocks[0].text == LOOKED


def test_an_open_sheet_says_that_nothing_is_released(answered: Any) -> None:
    wanted = request(answered)
    state = dataclasses.replace(wanted.state, questions=(AskedQuestion(read_question("mean of salary")),))
    report = build_report(dataclasses.replace(wanted, state=state))
    assert report.sections[0].blocks[0].text == NOTHING


def test_the_session_keeps_the_sheet(answered: Any, tmp_path: Path) -> None:
    path = tmp_path / "sheet.sensiscope"
    answered.controllers.session_files.write(path)
    assert answered.wait_until_idle()
    assert '"treatment"' in path.read_text("utf-8")
