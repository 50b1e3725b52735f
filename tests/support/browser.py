"""A real browser without a window: Chromium, spoken to by its own protocol (Chrome DevTools)."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Self

from tornado.websocket import WebSocketClientConnection, websocket_connect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LANDMARKS = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "best-practice"]}}
SECONDS = 120


class Browser:
    """One page of Chromium, which notes what it asks for and what goes wrong.

    Attributes
    ----------
    requests : list of str
        Addresses that were asked for since the page was opened.
    faults : list of str
        Errors and warnings of the console, and exceptions.
    """

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.faults: list[str] = []
        self._folder = Path(tempfile.mkdtemp(prefix="browser"))
        self._loop = asyncio.new_event_loop()
        self._count = 0
        assert CHROMIUM is not None
        # what a page asks of another host fails at once, and is noted
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
        options += [
            f"--user-data-dir={self._folder}",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ]
        self._process = subprocess.Popen(
            [CHROMIUM, *options, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._socket = self._run(self._connected())
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Page.setBypassCSP", enabled=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()
        self._loop.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(asyncio.wait_for(work, SECONDS))

    async def _connected(self) -> WebSocketClientConnection:
        file = self._folder / "DevToolsActivePort"
        while not (file.exists() and "\n" in file.read_text()):
            assert self._process.poll() is None, "Chromium has ended"
            await asyncio.sleep(0.1)
        port = file.read_text().split()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
            [page] = [one for one in json.load(answer) if one["type"] == "page"]
        return await websocket_connect(page["webSocketDebuggerUrl"], max_message_size=1 << 28)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the browser for something, and return its answer."""
        self._count += 1
        number = self._count
        self._socket.write_message(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            said = self._heard()
            if said.get("id") == number:
                assert "error" not in said, said
                return said["result"]

    def _heard(self) -> dict[str, Any]:
        async def read() -> Any:
            return await self._socket.read_message()

        said: dict[str, Any] = json.loads(self._run(read()))
        about = said.get("params", {})
        if said.get("method") == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        elif said.get("method") == "Runtime.exceptionThrown":
            self.faults.append(str(about["exceptionDetails"]))
        elif said.get("method") == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.faults.append(about["entry"]["text"])
        elif said.get("method") == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning"):
            self.faults.append(str(about["args"]))
        return said

    def open(self, page: Path, *, dark: bool = False, width: int = 1280) -> None:
        """Open a file, light or dark, and wait until it is loaded."""
        self.requests.clear()
        self.faults.clear()
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", media="", features=[scheme])
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )
        self.ask("Page.navigate", url=page.as_uri())
        while self._heard().get("method") != "Page.loadEventFired":
            pass

    def evaluate(self, script: str) -> Any:
        """Return what an expression of JavaScript gives, once that is known."""
        found = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def printed(self, width: float, height: float) -> bytes:
        """Return the page as it is printed on paper of so many inches."""
        found = self.ask("Page.printToPDF", paperWidth=width, paperHeight=height, printBackground=True)
        return base64.b64decode(found["data"])

    def axe(self, script: Path) -> list[str]:
        """Return what axe-core finds wrong: each rule, with the first place where it fails."""
        self.evaluate(script.read_text("utf-8") + ";0")
        run = f"axe.run(document, {json.dumps(LANDMARKS)}).then(r => JSON.stringify(r.violations))"
        return [
            f"{one['id']} ({one['impact']}), {len(one['nodes'])} times: {one['nodes'][0]['html'][:150]}"
            for one in json.loads(self.evaluate(run))
        ]
