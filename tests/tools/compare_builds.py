#!/usr/bin/env python3
"""compare_builds.py OLD NEW [--keys N] [--seed S] [FILE or FOLDER...] - two builds say the same, byte for byte.

OLD and NEW are two programs. Both read each trace in each text mode, export, SQL table and view, at three sizes, and play
N sequences of keys by chance (1000) on traces by chance. Without files: the traces of tests/, which need NEW's build
folder. Prints the command of each difference, then "N passed, N failed"."""
import argparse
import concurrent.futures
import os
import random
import shlex
import subprocess
import sys
import tempfile

MODES = [["--summary"], ["--check"], ["--check=strict"], ["--records"], ["--describe"], ["--describe=50%"], ["--top"],
         ["--top", "--by=p99"], ["--top", "--range=10%..60%"], ["--instances=dur>0"], ["--compare"], ["--cut=20%..70%"],
         ["--redact=all", "--export=fxt"]]
EXPORTS = ["ndjson", "json", "csv", "folded", "fxt"]
SIZES = ["80x24", "120x40", "200x60"]
VIEWS = ["", "<Enter>", "2", "2<Tab>", "2<Tab><Tab>", "3", "3i", "4", "5", "6", "7", "8", "9", "B", ":problems<Enter>",
         ":objects<Enter>", ":blobs<Enter>", ":wakeups<Enter>", ":profile<Enter>", ":compare half<Enter>", "/a<Enter>z/",
         ":sql select * from slice limit 9<Enter>", "?", "X"]
TEXTS = ["/a<Enter>", "&dur>1us<Enter>", ":only in=a<Enter>", ":range 10%..50%<Enter>", ":compare half<Enter>", "g50%<Enter>",
         "t/main<Enter>", ":pivot x<Enter>", ":wakeups<Enter>"]
KEYS = list("123456789wsadhjklnNrvfxXBWZzmTo[]{}%=;GuiL0+-") + ["<Enter>", "<Tab>", "<Esc>", "<Space>", "<Down>", "<Up>"] + TEXTS


def traces(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
            continue
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in names)


def own_traces(new, folder):
    """The text fixtures as files; imported ones as they are."""
    top, build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), os.path.dirname(new)
    yield from (path for path in traces([os.path.join(top, "tests/import")]) if not path.endswith(".ndjson"))
    for path in traces([os.path.join(top, "tests/traces"), os.path.join(top, "tests/screens")]):
        if not path.endswith(".txt"):
            continue
        out = os.path.join(folder, os.path.basename(path)[:-4] + ".fxt")
        subprocess.run([os.path.join(build, "tests/lib/mktrace"), path, out], check=True)
        yield out


class Builds:
    def __init__(self, old, new, home):
        self.programs = (old, new)
        self.env = {"HOME": home, "XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "TZ": "UTC",
                    "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "PATH": os.environ["PATH"]}

    def run(self, program, args):
        try:
            done = subprocess.run([program, *args], capture_output=True, check=False, env=self.env, timeout=120,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None
        return done.returncode, done.stdout, done.stderr

    def differ(self, args):
        """How the two differ; None: they do not."""
        args = ["--no-cache", "--no-config", "--no-session", *args]
        answers = [self.run(program, args) for program in self.programs]
        if None in answers:
            return "takes over 120 s: " + shlex.join(args)
        return None if answers[0] == answers[1] else "differs: " + shlex.join(args)

    def tables(self, trace):
        answer = self.run(self.programs[1], ["--query=select distinct name from pragma_table_list", "--format=csv", trace])
        return answer[1].decode("utf-8", "replace").split()[1:] if answer and answer[0] == 0 else []


def questions(builds, files, sequences, chance):
    for trace in files:
        for mode in MODES:
            yield [*mode, trace, *([trace] if mode == ["--compare"] else [])]
        for form in EXPORTS:
            yield ["--export=" + form, trace]
        for table in builds.tables(trace):
            yield [f'--query=select * from "{table}"', trace]
        for size in SIZES:
            for keys in VIEWS:
                yield ["--print=" + size, "--keys=" + keys, trace]
    for _ in range(sequences if files else 0):
        keys = "".join(chance.choice(KEYS) for _ in range(chance.randrange(2, 25)))
        yield ["--print=" + chance.choice(SIZES), "--keys=" + keys, chance.choice(files)]


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--keys", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("programs", nargs=2)
    options.add_argument("paths", nargs="*")
    of = options.parse_args()
    failed = total = 0
    with tempfile.TemporaryDirectory() as home, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        builds = Builds(*map(os.path.abspath, of.programs), home)
        files = sorted(traces(of.paths) if of.paths else own_traces(builds.programs[1], home))
        for fault in pool.map(builds.differ, questions(builds, files, of.keys, random.Random(of.seed))):
            total += 1
            failed += fault is not None
            if fault:
                print(fault, flush=True)
    print(f"{total - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
