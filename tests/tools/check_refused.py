"""check_refused.py PROGRAM TRACE FOLDER... <STATEMENTS - each statement of a line is refused in one sentence.

It runs in the first FOLDER, and leaves no file in any of them. PROGRAM is fxtop, or tests/system/runs. Prints those that are
not refused, then "N passed, N failed"."""
import os
import sys

import runs


def fault(program, trace, folders, statement):
    """What is wrong with the answer, or None."""
    done = runs.run(program, "--query", statement, trace, timeout=60, folder=folders[0])
    lines = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if ": note: " not in line]
    left = [name for folder in folders for name in os.listdir(folder)]
    if done.returncode != 2:
        return f"status {done.returncode}"
    if done.stdout:
        return "something is printed"
    if len(lines) != 1 or not lines[0].startswith("fxtop: "):
        return f"not one sentence: {lines}"
    return f"left {left}" if left else None


def main():
    program, trace, *folders = sys.argv[1:]
    passed = failed = 0
    for statement in filter(None, sys.stdin.read().splitlines()):
        why = fault(program, trace, folders, statement)
        passed, failed = passed + (why is None), failed + (why is not None)
        if why:
            print(f"FAILED: {statement}: {why}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
