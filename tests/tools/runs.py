"""runs.py - a run of the program: in tests/system/runs, one process for all runs, or in a process of its own."""
import atexit
import collections
import os
import selectors
import subprocess
import sys
import tempfile
import threading
import time

Done = collections.namedtuple("Done", "returncode stdout stderr")


class Ended(Exception):
    pass


class Process:
    """tests/system/runs. A run that kills it has the status of the signal, and the next run begins another."""

    def __init__(self, program):
        self.program, self.process = program, None
        atexit.register(self.leave)

    def begin(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.read = bytearray()

    def end(self):
        """Returns a Done."""
        self.process.kill()
        self.process.communicate()
        self.selector.close()
        self.errors.seek(0)
        done = Done(self.process.returncode, b"", self.errors.read())
        self.errors.close()
        self.process = None
        return done

    def leave(self):
        if self.process:
            self.process.stdin.close()
            if self.process.wait():
                print(f"{self.program}: status {self.process.returncode} at its end", file=sys.stderr, flush=True)
                os._exit(1)

    def until(self, complete, last):
        """Reads until it is complete. Raises Ended."""
        while not complete():
            if not self.selector.select(max(0, last - time.monotonic())):
                self.end()
                raise subprocess.TimeoutExpired(self.program, 0)
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            if not part:
                raise Ended
            self.read += part

    def take(self, n):
        part = bytes(self.read[:n])
        del self.read[:n]
        return part

    def run(self, words, timeout, folder):
        if self.process is None:
            self.begin()
        last = time.monotonic() + timeout
        asked = b"".join(os.fsencode(word) + b"\0" for word in ("PWD=" + os.path.abspath(folder), "fxtop", *words))
        try:
            self.process.stdin.write(b"%d\n%s" % (len(asked), asked))
            self.process.stdin.flush()
            self.until(lambda: b"\n" in self.read, last)
            status, out, err = map(int, self.take(self.read.index(b"\n") + 1).split())
            self.until(lambda: len(self.read) >= out + err, last)
        except (Ended, BrokenPipeError):
            return self.end()
        return Done(status, self.take(out), self.take(err))


processes = threading.local()


def run(program, *words, timeout=300, folder="."):
    """Returns a Done. A program of the name "runs" is asked, one of each thread."""
    if os.path.basename(program) != "runs":
        done = subprocess.run([program, *words], capture_output=True, timeout=timeout, check=False, cwd=folder,
                              stdin=subprocess.DEVNULL)
        return Done(done.returncode, done.stdout, done.stderr)
    if not hasattr(processes, "mine"):
        processes.mine = Process(program)
    return processes.mine.run(words, timeout, folder)
