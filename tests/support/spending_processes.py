"""Programs of their own that spend on a ledger: run as a script by the tests that kill them.

``kills FILE ROUNDS SEED``: round after round a worker is forked that spends without end and
writes each value to a pipe, and is killed at a random moment; afterwards the ledger is opened
as a new program would, and every value that came out of the pipe must be in it.

``race FILE WORKERS ROUNDS``: workers spend on each of so many accounts until its limit is reached;
``mixed FILE WORKERS ROUNDS``: the same, each worker between other neighbours.

``forked FILE``: spends in a process, in its child, and again.

``full FILE``: spends until the file may grow no more.

``barred FOLDER``: spends, as a user without rights, on files that cannot be written.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
import types
from pathlib import Path

from payments import pay

from engine.ledger import Cost, Ledger, LedgerError, Overspent
from engine.primitives.accounting import of_pure
from engine.privacy import Privacy

DIGEST = "sha256:0"


NEIGHBOURS = "replace-one", "edge", "node", "zero-out"


def cost(epsilon: float = 0.01, neighbours: str = "replace-one") -> Cost:
    return Cost(Privacy(epsilon), of_pure(epsilon), neighbours)


def spend_without_end(path: Path, pipe: int) -> None:
    """Spend, and show each value: nothing that was shown may be forgotten."""
    account = Ledger(path).account(DIGEST, "data.csv")
    while True:
        value = int.from_bytes(os.urandom(6), "big")
        release = pay(account, cost(), {"about": value}, lambda value=value: value)
        os.write(pipe, b"%d\n" % release.value)


def killed(path: Path, after: float, *, shown_one: bool) -> list[int]:
    """Return what a worker has shown before it is killed.

    That is so many seconds `after` it was begun, or after it has shown its first value.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            spend_without_end(path, writer)
        finally:
            os._exit(1)
    os.close(writer)
    if shown_one:
        select.select([reader], [], [], 60)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the worker ended by itself"
    shown = b""
    while select.select([reader], [], [], 0)[0] and (piece := os.read(reader, 1 << 16)):
        shown += piece
    os.close(reader)
    return [int(line) for line in shown.split(b"\n")[:-1]]


def kills(path: Path, rounds: int, seed: int) -> dict[str, object]:
    rng = random.Random(seed)
    shown, journals, open_entries = [], 0, 0
    for turn in range(rounds):
        shown += killed(path, rng.uniform(0.0, 0.02), shown_one=turn % 2 == 0)
        journals += path.with_name(path.name + "-journal").exists()
        entries = Ledger(path).account(DIGEST).entries()
        counted = {entry.about["about"] for entry in entries if entry.counts}
        forgotten = set(shown) - counted
        assert not forgotten, f"{len(forgotten)} of {len(shown)} values are forgotten"
        kept = {entry.value for entry in entries if entry.state == "spent"}
        open_entries = sum(entry.state == "open" for entry in entries)
        assert kept >= set(shown), "a value that was shown was not kept"
    last = pay(Ledger(path).account(DIGEST), cost(), {"about": 0}, lambda: 0)
    assert last.value == 0
    return {"shown": len(shown), "journals": journals, "open": open_entries, "rounds": rounds}


def mixed(path: Path, workers: int, rounds: int) -> list[list[int]]:
    """Do what `race` does, each worker between other neighbours."""
    return race(path, workers, rounds, NEIGHBOURS)


def race(
    path: Path, workers: int, rounds: int, neighbours: tuple[str, ...] = NEIGHBOURS[:1]
) -> list[list[int]]:
    """Return how many releases each worker made of each dataset until its limit stopped it."""
    pipes = [os.pipe() for _ in range(workers)]
    ready, go = os.pipe()
    for number, (_, writer) in enumerate(pipes):
        if os.fork() == 0:
            try:
                os.close(go)
                ledger, made = Ledger(path), [0] * rounds
                os.read(ready, 1)  # until the end of the pipe: all begin together
                for turn in range(rounds):
                    account = ledger.account(f"sha256:{turn}")
                    try:
                        while True:
                            pay(account, cost(0.1, neighbours[number % len(neighbours)]), {}, lambda: 1.0)
                            made[turn] += 1
                    except Overspent:
                        pass
                os.write(writer, json.dumps(made).encode())
                os._exit(0)
            finally:
                os._exit(1)
    os.close(go)
    made = [json.loads(os.read(reader, 1 << 16)) for reader, _ in pipes]
    for _ in range(workers):
        _, status = os.wait()
        assert status == 0
    return made


def forked(path: Path) -> dict[str, int]:
    """Spend before a fork, in the child, and after it, on one ledger."""
    account = Ledger(path).account(DIGEST)

    def spend() -> None:
        pay(account, cost(), {}, lambda: 1.0)

    spend()
    if (child := os.fork()) == 0:
        try:
            spend()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert status == 0
    spend()
    return {"entries": len(account.entries())}


def spend_until_refused(path: Path) -> dict[str, object]:
    """Return how often a value was drawn, and why it ended."""
    drawn = 0

    def draw() -> types.SimpleNamespace:
        nonlocal drawn
        drawn += 1
        return drawn

    try:
        account = Ledger(path).account(DIGEST)
        while drawn < 1000:
            pay(account, cost(), {"long": "x" * 500}, draw)
    except LedgerError as error:
        return {"drawn": drawn, "error": str(error)}
    return {"drawn": drawn, "error": ""}


def full(path: Path) -> dict[str, object]:
    import resource

    Ledger(path)
    most = path.stat().st_size + 40_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return spend_until_refused(path)


def barred(folder: Path) -> dict[str, object]:
    folder.absolute().as_uri()  # imports what it needs, in Python 3.13
    pay(Ledger(None).account(DIGEST), cost(), {}, lambda: 1.0)  # imports all
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    return {each.name: spend_until_refused(each / "ledger.sqlite") for each in sorted(folder.iterdir())}


if __name__ == "__main__":
    what, path, *numbers = sys.argv[1:]
    work = {"kills": kills, "race": race, "mixed": mixed, "forked": forked, "full": full, "barred": barred}
    sys.stdout.write(json.dumps(work[what](Path(path), *map(int, numbers))))
