"""Jobs: the newest request wins, crashes are messages, cancelled work is silent."""

import threading
import time
import weakref

import pytest

from app.jobs.channels import Failure
from app.jobs.tasks import REPORTS
from engine.errors import DataError

HANGS = 60.0
"""Seconds after which something has gone wrong, on a machine under load, too."""


def idle(qtbot, channel):
    qtbot.waitUntil(lambda: not channel.busy)


def test_a_result_arrives_on_the_windows_thread(qtbot, heard):
    channel, results, _, _ = heard
    threads = []
    channel.result.connect(lambda result: threads.append(threading.current_thread()))
    channel.request(lambda task: threading.current_thread() is threading.main_thread())
    idle(qtbot, channel)
    assert results == [False]
    assert threads == [threading.main_thread()]


def test_only_the_newest_of_many_requests_is_answered_last_and_few_are_run(qtbot, heard):
    channel, results, _, _ = heard
    ran, all_asked = [], threading.Event()

    def work(number):
        ran.append(number)
        all_asked.wait(HANGS)
        return number

    for number in range(100):
        channel.request(lambda task, number=number: work(number), live=True)
    all_asked.set()
    idle(qtbot, channel)
    assert results[-1] == 99
    assert len(ran) <= 3


def test_a_request_that_is_not_live_drops_the_older_result(qtbot, heard):
    channel, results, _, _ = heard
    started, newer = threading.Event(), threading.Event()

    def slow(task):
        started.set()
        newer.wait(HANGS)
        return "old"

    channel.request(slow)
    started.wait(HANGS)
    channel.request(lambda task: "new")
    newer.set()
    idle(qtbot, channel)
    assert results == ["new"]


def test_an_outdated_live_job_is_stopped_when_it_takes_long(qtbot, heard):
    channel, results, failures, _ = heard
    started = threading.Event()

    def endless(task):
        started.set()
        while True:
            time.sleep(0.005)
            task(0.5)

    channel.request(endless)
    started.wait(HANGS)
    channel.request(lambda task: "new", live=True)
    idle(qtbot, channel)
    assert results == ["new"]
    assert not failures


def test_cancel_stops_work_at_its_next_report_and_says_nothing(qtbot, heard):
    channel, results, failures, _ = heard
    steps = []

    def endless(task):
        while True:
            time.sleep(0.01)
            steps.append(1)
            task(0.5)

    channel.request(endless)
    qtbot.waitUntil(lambda: len(steps) >= 2)
    with qtbot.waitSignal(channel.cancelled):
        channel.cancel()
        made = len(steps)
    qtbot.wait(50)
    assert len(steps) <= made + 1
    assert results == failures == []


def test_what_cannot_be_taken_back_is_announced_although_it_was_cancelled_meanwhile(qtbot, heard):
    channel, results, _, _ = heard
    settled, cancelled, stops = threading.Event(), threading.Event(), []
    channel.cancelled.connect(lambda: stops.append(True))

    def work(task):
        task.settle()
        settled.set()
        cancelled.wait(HANGS)
        return "done"

    channel.request(work)
    settled.wait(HANGS)
    channel.cancel()
    cancelled.set()
    idle(qtbot, channel)
    assert (results, stops) == (["done"], [])


def test_what_was_cancelled_before_cannot_be_settled(qtbot, heard):
    channel, results, _, _ = heard
    started, cancelled, stops, done = threading.Event(), threading.Event(), [], []
    channel.cancelled.connect(lambda: stops.append(True))

    def work(task):
        started.set()
        cancelled.wait(HANGS)
        task.settle()
        done.append(True)
        return "done"

    channel.request(work)
    started.wait(HANGS)
    channel.cancel()
    cancelled.set()
    idle(qtbot, channel)
    assert (results, stops, done) == ([], [True], [])


def test_a_crash_becomes_a_failure_with_details(qtbot, heard):
    channel, results, failures, _ = heard
    channel.request(lambda task: 1 // 0)
    idle(qtbot, channel)
    assert not results
    assert not failures[0].expected
    assert "ZeroDivisionError" in failures[0].message
    assert "Traceback" in failures[0].details
    channel.request(lambda task: "alive")
    idle(qtbot, channel)
    assert results == ["alive"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DataError("is empty", source="a.csv"), "a.csv: is empty"),
        (FileNotFoundError(2, "No such file or directory", "b.csv"), "b.csv: No such file or directory"),
        (MemoryError(), "there is not enough memory"),
    ],
)
def test_what_a_user_can_cause_is_said_in_one_line(error, words):
    failure = Failure.of(error)
    assert failure.expected
    assert failure.message.startswith(words)
    assert "\n" not in failure.message


def test_progress_comes_with_the_time_left(qtbot, heard):
    channel, _, _, reports = heard

    def work(task):
        for step in range(1, 11):
            time.sleep(0.05)
            task(step / 10, "working")

    channel.request(work)
    idle(qtbot, channel)
    assert reports[0].seconds_left is None
    estimates = [report.seconds_left for report in reports if report.seconds_left is not None]
    assert estimates
    assert 0 <= estimates[-1] < 0.5


def test_parts_of_a_result_are_published_before_the_rest(qtbot, heard):
    channel, results, _, _ = heard

    def work(task):
        task.publish("first")
        return "second"

    channel.request(work)
    idle(qtbot, channel)
    assert results == ["first", "second"]


def test_quick_work_does_not_flood_the_window_with_reports(heard, qtbot):
    channel, results, _, reports = heard

    def work(task):
        for step in range(20_000):
            task(step / 20_000, f"step {step % 3}")
        return True

    start = time.monotonic()
    channel.request(work)
    qtbot.waitUntil(lambda: bool(results))
    assert 1 <= len(reports) <= 2 + (time.monotonic() - start) / REPORTS


def test_a_job_that_has_ended_is_forgotten_with_what_it_worked_on(qtbot, heard):
    class Data:
        pass

    channel, results, _, _ = heard
    data = Data()
    channel.request(lambda task, data=data: 7)
    idle(qtbot, channel)
    gone = weakref.ref(data)
    del data
    qtbot.waitUntil(lambda: gone() is None)
    assert results == [7]


def test_what_cannot_be_cancelled_is_waited_for_and_goes_on_meanwhile(jobs):
    """Such as imports: where the pool is deleted while they run, Qt waits and Python stands still."""
    ended = []

    def work(task):
        for _ in range(20):
            time.sleep(0.01)
        ended.append(True)

    jobs.channel("import").request(work)
    jobs.finish()
    assert ended == [True]
