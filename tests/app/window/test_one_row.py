"""One account for one row of the file, in the window: what a limit counts, and earlier ledgers."""

import shutil
from pathlib import Path

import pytest
from budgets import account, beside_run, limited, run, spend

from app.panels.release_questions import FirstLimitDialog
from app.window.release_controller import make_release
from engine.ledger import Ledger, Limit, Overspent
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")

EARLIER = Path(__file__).parents[2] / "engine" / "ledger" / "earlier.sqlite"


@pytest.fixture
def graph(graph_window):
    yield graph_window
    for dialog in (graph_window.controllers.budget.dialog, graph_window.controllers.confirmation.dialog):
        if dialog is not None:
            dialog.close()


def test_weights_and_edges_of_a_graph_have_one_limit(graph):
    limited(graph, Limit(2.5))
    run(graph)
    assert graph.body.history.total.whole == "ε = 1 of 2.5"
    graph.session.edit("change the query", query="triangles")
    assert graph.wait_until_idle()
    assert graph.body.history.total.whole == "ε = 1 of 2.5"
    assert beside_run(graph) == "Run would pass the limit: ε = 3 of 2.5."
    run(graph)
    assert len(graph.session.state.releases) == 1
    words = graph.controllers.confirmation.dialog.sums.text()
    assert "This release: ε = 1; counts ε = 2\nTogether: ε = 3; the limit is ε = 2.5" in words
    graph.controllers.confirmation.dialog.close()
    graph.session.edit("epsilon", epsilon=0.75)
    run(graph)
    assert graph.body.history.total.whole == "ε = 2.5 of 2.5"
    # what is over the limit is refused before the data are read for it
    with pytest.raises(Overspent, match=r"it would be epsilon 4, above the limit of epsilon 2\.5"):
        make_release(graph.session.state, None, graph.session.ledger, False, False, silent)
    graph.controllers.budget.show()
    assert graph.wait_until_idle()
    table = graph.controllers.budget.dialog.table.model()
    kinds = [table.index(row, table.columnCount() - 1).data() for row in range(2)]
    assert kinds == ["released, counts ε = 1.5", "released"]


@pytest.mark.usefixtures("asks_for_limit")
def test_the_limits_that_are_offered_let_a_release_for_edges_pass(graph):
    graph.session.edit("change the query", query="triangles", epsilon=2.0)
    assert graph.wait_until_idle()
    graph.controllers.confirmation.run()
    dialog = graph.controllers.confirmation.dialog
    assert isinstance(dialog, FirstLimitDialog)
    assert list(dialog.answers) == [10.0, 30.0, None]
    dialog.answers[10.0].click()
    assert graph.wait_until_idle()
    assert len(graph.session.state.releases) == 1


def test_of_a_limit_without_a_delta_the_plain_sum_is_told(spending, ledger_file):
    other = account(spending, Ledger(ledger_file))
    for _ in range(60):
        spend(other, 0.1)
    spending.controllers.budget.show()
    assert spending.wait_until_idle()
    dialog = spending.controllers.budget.dialog
    assert dialog.sums["zcdp"][0].text() == "zCDP – counts"
    limited(spending, Limit(10.0))
    texts = {name: [label.text() for label in labels] for name, labels in dialog.sums.items()}
    assert texts["basic"] == ["Basic – counts", "6", "0"]
    assert texts["zcdp"][1:] == texts["advanced"][1:] == ["–", "–"]
    assert "the plain sum of all ε counts" in dialog.why.text()
    assert "for one row of the file" in dialog.why.text()
    assert "is (10, 0)-DP." in dialog.limit.promise.text()
    assert not dialog.limit.slack.isEnabled()
    assert spending.body.history.total.whole == "ε = 6 of 10"
    assert set(dialog.canvas.picture.result.spent) == {"basic"}
    dialog.limit.delta.type_in("1e-6")
    assert dialog.limit.slack.isEnabled()
    assert "2×10⁻⁶)-DP" in dialog.limit.promise.text()
    limited(spending, Limit(10.0, 1e-6))
    assert spending.body.history.total.whole == "ε = 3.92 of 10, δ = 10⁻⁶ of 2×10⁻⁶ by zCDP"


def test_an_earlier_ledger_is_told_to_be_counted_anew(spending, ledger_file):
    shutil.copy(EARLIER, ledger_file)
    ledger_file.chmod(0o600)
    spending.session.ledger = type(spending.session.ledger)(ledger_file)
    dataset = spending.session.state.dataset
    (earlier,) = spending.session.ledger.accounts()
    dataset.account_in(spending.session.ledger).count_as(earlier.name)
    spending.controllers.budget_watcher.refresh()
    assert spending.wait_until_idle()
    whole = spending.body.history.total.whole
    assert whole == "ε = 3.75 of 1 · over the limit · earlier releases were counted again"
    run(spending)
    assert spending.session.state.releases == ()
    spending.controllers.confirmation.close()
    spending.controllers.budget.show()
    assert spending.wait_until_idle()
    dialog = spending.controllers.budget.dialog
    assert "now counted together, for one row of the file" in dialog.problem.text()
    tips = [dialog.table.model().index(row, 0).data(3) for row in range(5)]
    assert sum("ounts ε = 1 in the budget" in tip for tip in tips) == 1
