"""The cluster of the settings: checked when it is entered, and used by pages, comparisons and audits."""

import pytest

from app.panels.settings_dialog import SettingsDialog
from engine.comparison.processes import Processes, side_by_side
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ExecutionError
from engine.extras.stored.cluster import Cluster, ClusterTrials
from engine.runners import THREADS, runner

distributed = pytest.importorskip("distributed", reason="Dask comes with the extra 'cluster'")

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def address():
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        dashboard_address=":0",
        protocol="tcp",
        host="127.0.0.1",
    ) as there:
        yield there.scheduler_address


def dialog_of(window):
    window.controllers.settings.show()
    return next(one for one in window.findChildren(SettingsDialog) if one.isVisible())


def entered(window, dialog, text):
    box = dialog.rows["cluster"].box
    box.setText(text)
    box.textEdited.emit(text)
    assert window.settings["cluster"] != text  # half an address is another one
    box.editingFinished.emit()
    assert window.wait_until_idle()
    return dialog._said["cluster"].text(), dialog.rows["cluster"].problem


def test_an_address_is_checked_when_it_is_entered_and_then_used(window, address, monkeypatch):
    data = Sample([1.0, 2.0, 3.0], Interval(0, 10))
    dialog = dialog_of(window)
    assert "confidential data leave this computer" in " ".join(
        label.text() for label in dialog.rows["cluster"].findChildren(type(dialog.ledger.label))
    )
    said, problem = entered(window, dialog, "127.0.0.1:9")
    assert (said, problem[:31]) == ("", "No scheduler answers at 127.0.0")
    assert "this computer does the work" in window.body.messages.texts()[0]
    assert runner() is THREADS
    assert isinstance(side_by_side(data), Processes)
    assert entered(window, dialog, f" {address} ") == ("Connected: 2 workers", "")
    assert isinstance(side_by_side(data), ClusterTrials)
    window.controllers.run.start()
    assert window.wait_until_idle()
    dialog.accept()
    assert dialog_of(window)._said["cluster"].text() == "Connected: 2 workers"

    def old(self, wait):
        raise ExecutionError("the worker x has no Sensiscope and needs Sensiscope 1")

    with monkeypatch.context() as patch:
        patch.setattr(Cluster, "_threads", old)
        said, problem = entered(window, dialog_of(window), address.replace("tcp://", ""))
    assert problem == "The worker x has no Sensiscope and needs Sensiscope 1"
    assert runner() is THREADS
    window.settings.change(cluster=address)
    assert window.wait_until_idle()
    assert runner() is not THREADS
    window.settings.change(cluster="")
    assert runner() is THREADS
    window.settings.change(cluster=address)
    assert window.wait_until_idle()
    window.close()
    assert runner() is THREADS
