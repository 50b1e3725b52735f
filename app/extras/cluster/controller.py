"""Connects to the cluster in the settings; all pages use it until the window closes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.jobs.channels import Failure
from app.jobs.tasks import JobTask
from app.model.wording.console import counted
from app.panels.settings_dialog import SettingsDialog
from app.window.extra_controllers import ExtraController
from app.window.parts import WindowParts
from engine.progress import Cancelled
from engine.runners import runner

if TYPE_CHECKING:
    from engine.extras.stored.cluster import Cluster

NAME = "cluster"

HERE = "until then, this computer does the work"


class ClusterController(ExtraController):
    """Connects to a Dask scheduler in a worker, and shows the state of the connection.

    An error appears below the field while the settings are open, and among the messages.  Pages continue on
    this computer.  A cluster from the command line is used until the user enters another one.
    """

    reported = Signal(str, str, bool)  # name of the setting, its state as text, whether it is an error

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._channel = parts.jobs.channel("cluster", self._on_connected, self._on_failed)
        self._used: list[Cluster] = []
        self._stands = "", False
        parts.settings.changed.connect(self._on_settings)

    def start(self) -> None:
        """Connect to the cluster in the settings."""
        cluster = runner().cluster
        if cluster is not None:
            self._tell(f"connected: {counted(cluster.workers, 'worker')} (--cluster)", wrong=False)
        elif self._settings[NAME]:
            self._connect()

    def report_to(self, dialog: SettingsDialog) -> None:
        """Show the state below the field."""
        dialog.say(NAME, *self._stands)
        self.reported.connect(dialog.say)

    def end(self) -> None:
        for cluster in self._used:
            cluster.__exit__(None, None, None)
        self._used = []

    def _on_settings(self, names: frozenset[str]) -> None:
        if NAME in names:
            self._connect()

    def _connect(self) -> None:
        address = self._settings[NAME]
        for cluster in self._used:
            cluster.rest()  # its running tasks may end
        if address:
            self._tell("connecting …", wrong=False)
            self._channel.request(partial(_connected, address))
        else:
            self._channel.cancel()
            self._tell("", wrong=False)

    def _on_connected(self, cluster: Cluster) -> None:
        self._used.append(cluster.__enter__())
        self._tell(f"connected: {counted(cluster.workers, 'worker')}", wrong=False)

    def _on_failed(self, failure: Failure) -> None:
        self._tell(failure.message, wrong=True)
        self._body.messages.show_message(f"{failure.message}; {HERE}", kind="warning")

    def _tell(self, text: str, *, wrong: bool) -> None:
        self._stands = text, wrong
        self.reported.emit(NAME, text, wrong)


def _connected(address: str, task: JobTask) -> Cluster:
    """Return a cluster, unless the user has entered another one (in a worker)."""
    from engine.extras.stored.cluster import Cluster  # imports Dask

    cluster = Cluster(address)
    if task.cancelled:
        cluster.close()
        raise Cancelled
    return cluster
