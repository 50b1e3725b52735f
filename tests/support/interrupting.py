"""Ctrl+C for a program of its own, and what it still does after that."""

import signal

import psutil


def interrupted(process, limit=60):
    """Send Ctrl+C; return the exit status and the CPU seconds that the program took to end.

    That is not lengthened by other work on the machine; a program that waits instead of ending does not end
    within `limit` seconds.
    """
    import resource  # where there are POSIX signals

    before = psutil.Process(process.pid).cpu_times()
    reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
    process.send_signal(signal.SIGINT)
    status = process.wait(timeout=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - reaped.ru_utime - reaped.ru_stime
    return status, whole - sum(before[:4])
