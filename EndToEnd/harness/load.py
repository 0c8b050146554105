"""Threads that run together and hand their failures back."""

import threading


def together(*functions):
    """Runs the functions at the same time; raises the first failure after all have ended."""
    failures, barrier = [], threading.Barrier(len(functions))

    def run(function):
        try:
            barrier.wait(30)
            function()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(function,), daemon=True) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
