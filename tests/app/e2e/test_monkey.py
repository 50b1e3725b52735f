"""A monkey plays with the window: a short game by default, long ones with ``-m slow``."""

import random
import sys
import threading
from types import SimpleNamespace

import monkey
import monkey_play
import pytest
from monkey import kind_of, numbers, report, shortest, sittings
from monkey_play import Monkey, watch
from monkey_record import Record, commit

ACTIONS = 40
MANY = 20_000
WINDOW = SimpleNamespace(isVisible=lambda: True)


def test_a_short_game_breaks_nothing(tmp_path):
    played, failures = report(1, range(ACTIONS), tmp_path, tries=20)
    slow = {kind for kind in failures if kind.startswith("late")}
    assert played == ACTIONS
    assert not {kind: failure for kind, failure in failures.items() if kind not in slow}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 51))
def test_long_games_break_nothing(tmp_path, seed):
    played, failures = report(seed, range(MANY), tmp_path, tries=40)
    assert not failures
    assert played == MANY


@pytest.mark.parametrize("needed", [{7}, {3, 17}, {0, 1, 40}])
def test_the_shortest_sequence_is_what_a_failure_needs(needed):
    assert shortest(list(range(50)), needed.issubset, tries=500) == sorted(needed)
    assert needed.issubset(shortest(list(range(50)), needed.issubset, tries=3))


def test_sequences_are_written_with_ranges():
    assert numbers("3,17,20-22") == [3, 17, 20, 21, 22]


def test_what_an_action_raises_is_noted_and_the_game_goes_on(qapp, monkeypatch):
    def fall(zoo, rng):
        raise ValueError(f"fell {rng.random()}")

    monkeypatch.setattr("monkey_actions.ACTIONS", {fall: 1})
    monkeypatch.setattr(monkey_play.faulthandler, "dump_traceback_later", lambda *_, **__: None)
    log, ended = [], []
    game = Monkey(SimpleNamespace(windows=[WINDOW]), 5, [2, 9], log.append, lambda: ended.append(True))
    game.step()
    while not ended:
        qapp.processEvents()
    expected = [random.Random(f"5/{place}") for place in (2, 9)]
    for rng in expected:
        rng.choices([0], [1])
    assert [failure.splitlines()[-1] for failure in game.failures] == [
        f"ValueError: fell {rng.random()}" for rng in expected
    ]
    assert [line for line in log if line[0] == ">"] == ["> 2 fall", "> 9 fall"]


def test_exceptions_anywhere_and_messages_of_qt_are_noted(monkeypatch):
    for name in ("excepthook", "unraisablehook"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    failures, handlers = [], []
    watch(failures.append, handlers.append)

    def work():
        raise KeyError("in a thread")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    handlers[0](None, None, "QObject: something is wrong")
    handlers[0](None, None, "This plugin does not support propagateSizeHints()")
    assert len(failures) == 2
    assert "in a thread" in failures[0]
    assert failures[1].startswith("Qt says: QObject: something is wrong")


def test_a_record_is_gone_on_with_where_it_ends(tmp_path):
    path = tmp_path / "played.txt"
    record = Record(path)
    assert sittings([7, 8], 250, 100, record)[:3] == [(7, range(100)), (8, range(100)), (7, range(100, 200))]
    record.add(7, 0, 60, {"late in\nplot": "long"})
    record.add(7, 60, 40, {})
    record.add(8, 100, 100, {})  # of two processes the later one was done first
    again = Record(path)
    assert again.sittings == record.sittings
    assert [again.next(seed) for seed in (7, 8, 9)] == [100, 0, 0]
    assert sittings([7, 8], 250, 100, again)[:3] == [
        (8, range(100)),
        (7, range(100, 200)),
        (8, range(100, 200)),
    ]
    assert sittings([7], 100, 100, again) == []
    said = "200 actions over 2 seeds on 1 commits, in 3 sittings, 1 of them with a failure"
    assert str(again) == f"in all {said}"
    assert path.read_text().splitlines()[0] == f"{commit()}\t7\t0\t60\tlate in plot"


def test_each_process_is_written_down(tmp_path, monkeypatch):
    player = tmp_path / "player.py"
    player.write_text(
        "import os, sys\n"
        "first, last = map(int, sys.argv[4].split('-'))\n"
        "with open(sys.argv[-1], 'w') as log:\n"
        "    log.writelines(f'> {place} wait\\n' for place in range(first, min(last + 1, first + 30)))\n"
        "    log.flush()\n"
        "    first or os.abort()\n"
    )
    monkeypatch.setattr(monkey, "__file__", str(player))
    record = Record(tmp_path / "played.txt")
    played, failures = report(3, range(50), tmp_path, 0, record)
    assert played == 50
    assert len(failures) == 1
    assert [(one.seed, one.first, one.actions) for one in record.sittings] == [(3, 0, 30), (3, 30, 20)]
    assert record.sittings[1].found == "nothing"
    assert "ended by" in record.sittings[0].found


@pytest.mark.parametrize(("ending", "failures"), [("raise SystemExit(0)", 0), ("import os; os.abort()", 1)])
def test_an_abort_is_a_failure(tmp_path, monkeypatch, ending, failures):
    player = tmp_path / "player.py"
    player.write_text(ending)
    monkeypatch.setattr(monkey, "__file__", str(player))
    run = monkey.Run(1, "0-3", tmp_path)
    assert len(run.failures) == failures
    assert all("ended by -6" in failure for failure in run.failures.values())


def test_kinds_of_failures_go_by_their_place_and_not_by_their_numbers():
    trace = 'File "{}/app/a.py", line {}, in draw\n  x\nValueError: size {}'
    assert kind_of(trace.format("/home/x", 3, 4)) == kind_of(trace.format("/tmp", 30, 5))
    assert kind_of(trace.format("/home/x", 3, 4)) != kind_of(trace.format("/h", 3, 4).replace("draw", "show"))
