"""A monkey at the window: ``python tests/support/monkey.py --seeds 1-50 --actions 20000 --jobs 2``.

Each seed plays in a process of its own: random actions on real windows, from inside the event loop, so
that dialogs with loops of their own are played with as well. What goes wrong is an exception anywhere, a
message of Qt, an abort, a turn of the loop that keeps the window's thread busy for more than half a second,
threads that outlive the windows, or more memory than a window may need. For each kind of failure the
shortest sequence is looked for by leaving out parts of it, and printed.

``--only 3,17,20-40`` plays just these actions of one seed, which is how a sequence is played again.

``--record FILE`` writes a line for each process: the commit, the seed, its first action, how many, what fell
out.  What stands there is not played again, so that a million actions can be the sum of many evenings:
the seeds take turns, ``--sitting 2000`` actions each (to start a process costs as much as a hundred of
them), and Ctrl+C ends all after the sitting of now.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import faulthandler
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from monkey_play import FAILED, play
from monkey_record import Record

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("MPLBACKEND", "Agg")


class Run:
    """One process that played, and what its log tells.

    Attributes
    ----------
    failures : dict of str to str
        The first failure of each kind, by what tells kinds apart.
    started : int
        How many actions were begun.
    """

    def __init__(self, seed: int, places: str, folder: Path) -> None:
        log = folder / f"{seed}-{random.randrange(1 << 40)}.log"
        command = [sys.executable, __file__, "--seed", str(seed), "--only", places, "--log", str(log)]
        with open(log.with_suffix(".err"), "w+") as errors:
            apart = {"stderr": errors, "stdout": errors, "start_new_session": True}  # from Ctrl+C
            ended = subprocess.run(command, **apart, check=False).returncode
            errors.seek(0)
            said = errors.read()
        text = log.read_text(errors="replace") if log.exists() else ""
        found = re.findall(r"^! (.*?)(?=^[<>!=] |\Z)", text, re.M | re.S)
        if ended not in (0, FAILED):
            found.append(f"ended by {ended}\n{said[-3000:]}")
        self.failures: dict[str, str] = {}
        for failure in found:
            self.failures.setdefault(kind_of(failure), failure)
        self.started = len(re.findall("^> ", text, re.M))
        self.actions = re.findall(r"^< ([0-9]+ .*)", text, re.M)
        self.end = (re.findall(r"^= (.*)", text, re.M) or [""])[-1]


def kind_of(failure: str) -> str:
    """Return what tells a failure from others: the last line of this program in it, and what it says."""
    if failure.startswith("late"):
        return "late " + " ".join(failure.split()[4:6])
    if "Timeout (" in failure:
        places = re.findall(r'/((?:app|engine)/[^"]*)", line [0-9]+,? in (\S+)', failure)
        return f"stuck in {places[0] if places else '?'}"
    ours = re.findall(r'File "[^"]*/((?:app|engine)/[^"]*)", line [0-9]+,? in (\S+)', failure)
    lines = [line for line in failure.strip().splitlines() if line.strip()]
    first, last = (lines[0], lines[-1]) if lines else ("", "")
    where = ours[0] if failure.startswith("ended") and ours else ours[-1] if ours else ("", "")
    what = first if failure.startswith(("ended", "Qt")) else last
    return re.sub(r"0x[0-9a-f]+|[0-9]+", "#", f"{where} {what[:120]}")


def shortest(places: list[int], fails: Callable[[list[int]], bool], tries: int = 40) -> list[int]:
    """Return a shorter sequence that still fails, by leaving out smaller and smaller parts."""
    parts = 2
    while len(places) > 1:
        size = max(1, len(places) // parts)
        for start in range(0, len(places), size):
            if not tries:
                return places
            tries -= 1
            fewer = places[:start] + places[start + size :]
            if fewer and fails(fewer):
                places, parts = fewer, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(places), 2 * parts)
    return places


def again(seed: int, places: list[int], kind: str, folder: Path, tries: int) -> str:
    """Return how a failure is seen again with few actions."""

    def fails(fewer: list[int]) -> bool:
        return kind in Run(seed, ",".join(map(str, fewer)), folder).failures

    ends = [places[-tail:] for tail in (50, 400)]  # what led to it lies near its end most often
    places = next(filter(fails, ends), places)
    only = ",".join(map(str, shortest(places, fails, tries)))
    actions = "\n  ".join(Run(seed, only, folder).actions)
    return f"\nplayed again with --seed {seed} --only {only}:\n  {actions}"


def report(
    seed: int, places: range, folder: Path, tries: int, record: Record | None = None
) -> tuple[int, dict[str, str]]:
    """Play actions of a seed, whatever ends its processes; return how many were played, and the failures."""
    begun, played, failures = places.start, 0, {}
    while begun < places.stop:
        run = Run(seed, f"{begun}-{places.stop - 1}", folder)
        played += run.started
        for kind, failure in run.failures.items():
            if kind in failures:
                continue
            if tries and not kind.startswith("late"):
                started = list(range(begun, begun + run.started))
                failure += again(seed, started, kind, folder, tries)
            failures[kind] = failure
        say(f"seed {seed}: {begun + run.started} of {places.stop} actions; {run.end}")
        if record is not None:
            record.add(seed, begun, max(1, run.started), run.failures)
        begun += max(1, run.started)
    return played, failures


def sittings(seeds: list[int], actions: int, sitting: int, record: Record) -> list[tuple[int, range]]:
    """Return what is still to be played: the actions of each seed in parts, so that the seeds take turns."""
    parts = [
        (seed, range(first, min(first + sitting, actions)))
        for seed in seeds
        for first in range(record.next(seed), actions, sitting)
    ]
    return sorted(parts, key=lambda part: part[1].start)


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def numbers(text: str) -> list[int]:
    """Return the numbers that "3,17,20-22" stands for.

    >>> numbers("3,17,20-22")
    [3, 17, 20, 21, 22]
    """
    ends = [[int(end) for end in part.split("-")] for part in text.split(",")]
    return [number for part in ends for number in range(part[0], part[-1] + 1)]


def main(arguments: list[str]) -> int:
    """Play one sequence, or many seeds side by side."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--actions", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tries", type=int, default=40, help="runs that a shorter sequence may cost")
    parser.add_argument("--sitting", type=int, help="actions of a process; by default all of a seed")
    parser.add_argument("--record", type=Path, help="a file of what was played, to go on with")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only")
    parser.add_argument("--log")
    chosen = parser.parse_args(arguments)
    if chosen.seed is not None:
        faulthandler.enable()
        places = numbers(chosen.only or f"0-{chosen.actions - 1}")
        with open(chosen.log or os.devnull, "w", buffering=1) as file:
            return play(chosen.seed, places, lambda line: print(line, file=file if chosen.log else None))
    folder = Path(tempfile.mkdtemp(prefix="monkey-logs-"))
    record, total, kinds = Record(chosen.record), 0, {}
    parts = sittings(numbers(chosen.seeds), chosen.actions, chosen.sitting or chosen.actions, record)
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        jobs = [pool.submit(report, *part, folder, chosen.tries, record) for part in parts]
        try:
            for job in concurrent.futures.as_completed(jobs):
                played, failures = job.result()
                total += played
                for kind, failure in failures.items():
                    if kind not in kinds:
                        say(f"\n== {kind}\n{failure}")
                    kinds[kind] = kinds.get(kind, 0) + 1
        except KeyboardInterrupt:
            say("ends after what is being played")
            pool.shutdown(cancel_futures=True)
    say(f"\n{total} actions, {len(kinds)} kinds of failures")
    for kind, times in sorted(kinds.items(), key=lambda item: -item[1]):
        say(f"  {times} times: {kind}")
    say(str(record))
    return FAILED if kinds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
