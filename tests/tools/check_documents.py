#!/usr/bin/env python3
"""check_documents.py - runs the commands of documents as they stand there: check_documents.py FOLDER DOCUMENT...

A command is what a block of four blanks (after an empty line) or a fence with "sh" holds; one that goes on is complete
when bash can parse it. It runs in FOLDER, which has the files that the documents name, on a pseudo-terminal; where the
screen comes up, q is typed. It must exit with 0, or with 1 if its comment says "status 1".

An HTML comment before a block says what cannot be run: "not run: WHY", or "not run (BEGIN): WHY" for the commands that
begin so. "needs: PROGRAM" leaves the block out where that program is missing; this is printed. The last line is the sum.
"""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import time

LIMIT = 60  # seconds a command


def blocks(path):
    """Yields (line number, mark, lines) of each block of commands."""
    lines = open(path, encoding="utf-8").read().split("\n")
    mark, i = "", 0
    while i < len(lines):
        line = lines[i]
        fence = re.match(r"```(\w*)$", line)
        if fence:
            end = i + 1
            while end < len(lines) and lines[end] != "```":
                end += 1
            if fence[1] == "sh":
                yield i + 2, mark, lines[i + 1 : end]
            mark, i = "", end + 1
        elif line.startswith("    ") and (i == 0 or lines[i - 1] == ""):
            end = i
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            yield i + 1, mark, [text[4:] for text in lines[i:end]]
            mark, i = "", end
        else:
            comment = re.match(r"<!-- (.*) -->$", line)
            if comment:
                mark = comment[1]
            elif line:
                mark = ""
            i += 1


def complete(text):
    if text.rstrip().endswith(("\\", "|")):
        return False
    return subprocess.run(["bash", "-n", "-c", text], capture_output=True).returncode == 0


def commands(at, lines):
    """Yields (line number, command): as many lines as make it complete."""
    text, first = "", at
    for number, line in enumerate(lines, at):
        if not text:
            first = number
        text += line + "\n"
        if complete(text):
            yield first, text.rstrip("\n")
            text = ""
    if text:
        yield first, text.rstrip("\n")


def run(text):
    """The status of a command (None: it took too long), and what it printed."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp("bash", ["bash", "-c", text])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    output, typed, end = b"", 0, time.monotonic() + LIMIT
    while True:
        ready = select.select([fd], [], [], max(0, end - time.monotonic()))[0]
        if not ready:
            os.killpg(pid, 9)
            os.waitpid(pid, 0)
            os.close(fd)
            return None, output
        try:
            more = os.read(fd, 65536)
        except OSError:
            more = b""
        if not more:
            break
        output += more
        screens = output.count(b"\x1b[?2004h")  # each start of the screen asks for pastes once
        if screens > typed and b"[1 Timeline]" in output:
            typed = screens
            os.write(fd, b"q")
        if output.endswith(b"[y/N] "):  # a recording that has not ended: it goes on without the screen
            os.write(fd, b"\r")
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), output


def main():
    folder, documents = sys.argv[1], [os.path.abspath(name) for name in sys.argv[2:]]
    os.chdir(folder)
    passed = failed = 0
    for path in documents:
        name, found = os.path.basename(path), 0
        for at, mark, lines in blocks(path):
            found += 1
            needs = re.match(r"needs: (\S+)", mark)
            if needs and not shutil.which(needs[1]):
                print(f"{name}:{at}: not run: {needs[1]} is not here")
                continue
            left = re.match(r"not run(?: \((.*?)\))?: ", mark)
            if left and not left[1]:
                continue
            for number, text in commands(at, lines):
                if left and text.startswith(left[1]):
                    continue
                status, output = run(text)
                fine = status == 0 or (status == 1 and "status 1" in text)
                passed, failed = passed + fine, failed + (not fine)
                if not fine:
                    why = "took too long" if status is None else f"status {status}"
                    print(f"FAILED: {name}:{number}: {text}: {why}\n{output[-600:].decode('utf-8', 'replace')}")
        if found == 0:
            print(f"FAILED: {name}: no commands")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
