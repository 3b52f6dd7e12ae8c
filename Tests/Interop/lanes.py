"""Groups of cases in several processes at once. Each group has servers of its own, so none is in another's way."""

import contextlib
import multiprocessing
import os
import signal
import sys

from report import Report


def usual_lanes(most):
    """How many groups to run at a time: one more than there are processors, because they also wait."""
    return min(most, (os.cpu_count() or 1) + 1)


def run_groups(groups, lanes, lane, report):
    """Runs the groups in their order, each in the next lane that is free.

    `lane(number, report)` is a context manager around the work of one process; its value is called for each group.
    """
    processes = multiprocessing.get_context("fork")
    waiting = processes.SimpleQueue()
    lanes = min(lanes, len(groups))
    for group in (*groups, *[None] * lanes):
        waiting.put(group)

    def work(number, done):
        own = Report()
        try:
            with lane(number, own) as run:
                while (group := waiting.get()) is not None:
                    run(group)
        finally:
            done.send((own.passed, own.failed, own.seconds))

    sys.stdout.flush()
    workers, results = [], []
    with _stopped_at_the_end(workers):
        for number in range(lanes):
            result, done = processes.Pipe(duplex=False)
            workers.append(processes.Process(target=work, args=(number, done)))
            workers[-1].start()
            done.close()  # the end of the process is the end of what can be read
            results.append(result)
        for worker, result in zip(workers, results):
            with contextlib.suppress(EOFError):
                report.add(*result.recv())
            worker.join()
            if worker.exitcode != 0:
                with report.case("a process of the tests"):
                    raise RuntimeError(f"expected it to end with 0, saw {worker.exitcode}")


@contextlib.contextmanager
def _stopped_at_the_end(workers):
    """A run that is interrupted ends its processes, which stop their servers."""
    try:
        yield
    finally:
        for worker in workers:
            if worker.is_alive():
                os.kill(worker.pid, signal.SIGTERM)
        for worker in workers:
            if worker.pid is not None:
                worker.join()
