#!/usr/bin/env python3
"""check_cut.py FXTOP TRACE... - compares the parts that --cut writes with the whole traces.

check_cut.py --random N SEED FXTOP MKTRACE makes N traces by chance first.

Of each trace, parts at ranges by chance are exported, and compared in the range: slices, instants, operations, flows
and logs as they are, states, runs of CPUs and slices of backtraces cut off at the range, counters by the value that
they have at its begin and each sample. A part is shown in its range, as --summary tells. With --redact=all no text of the trace may be among the bytes of the part. Prints a line a difference, then
"N passed, N failed"; the exit status is 1 if one failed."""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # of what is imported, which is in the source tree
import runs
from check_tables import Maker

RANGES = 2
BYTES_MOST = 60_000_000  # of a trace; larger ones take minutes here
QUOTED_LEAST = 6  # bytes of a text that is sought in a redacted part
FOREVER = 1 << 127
MADE_TID = 2_000_000_000  # of rows of samples, and up
# Words of the format, and of pseudonyms.
KNOWN = {"archive", "include", "process", "sort_index", "incoming_weight", "outgoing_weight", "ktrace_drop_stats", "kernel:meta", "argument"}


def export(fxtop, path):
    done = runs.run(fxtop, "--export=ndjson", path)
    lines = []
    for line in done.stdout.decode("utf-8", "surrogateescape").splitlines():
        lines.append(json.loads(line))
    return lines


def owner(line):
    lost = line.get("pid") == 1 << 63 or "thread" in line  # an undefined thread, and what --export=fxt makes of it
    return ("lost",) if lost else (line.get("pid"), line.get("tid"))


def arguments(line):
    return json.dumps(line.get("args", []), sort_keys=True)


class Whole:
    """The export of a trace, with times that do not depend on its first event."""

    def __init__(self, lines):
        self.origin = next((int(line["origin_ns"]) for line in lines if line["type"] == "trace" and "origin_ns" in line), 0)
        self.span = next((line.get("span_ns", 0) for line in lines if line["type"] == "trace"), 0)
        self.lines = lines
        # Slices of backtraces are derived again from those of the part, which has the last ones before the range and
        # the next ones after it: since when before the range a frame is on the stack, it does not know.
        self.derives = any(line["type"] == "backtrace" for line in lines)
        # Rows of samples are numbered as they come: they are known by their names, `NAME (samples)`.
        self.rows = {(line["pid"], line["tid"]): line["name"] for line in lines if line["type"] == "thread" and self.made(line)}
        # What has not ended lasts to the end of its file, after which nothing of that is shown.
        files = [line for line in lines if line["type"] == "file" and "dur" in line]
        self.begins = {line["trace"]: line["ts"] + self.origin for line in files}
        self.ends = {line["trace"]: line["ts"] + line["dur"] + self.origin for line in files}
        self.idle = {(0, 0), (None, 0)}
        self.problems = {line["kind"] for line in lines if line["type"] == "problem" and not line.get("note")}

    def ts(self, line):
        return line["ts"] + self.origin

    def made(self, line):
        return self.derives and (line.get("tid") or 0) >= MADE_TID and (line["type"] != "thread" or "name" in line)

    def owner(self, line):
        if not self.made(line):
            return owner(line)
        # of an undefined thread: process 0, and in a part what --export=fxt makes of it
        return ("lost", "samples") if line["pid"] in (0, 1 << 63) else (line["pid"], self.rows.get(owner(line), line["tid"]))

    def lasting(self, kind):
        for line in self.lines:
            if line["type"] == kind:
                begin = self.ts(line)
                yield line, begin, FOREVER if line["dur"] is None else begin + line["dur"]

    def until(self, line, end):
        return self.ends.get(line.get("trace"), end) if end == FOREVER else end

    def shown(self, a, b):
        """The range as it is shown: of a set, as far as a file is in it."""
        within = [(max(a, self.begins[file]), min(b, self.ends[file])) for file in self.ends if self.begins[file] < b and self.ends[file] >= a]
        return (min(begin for begin, _ in within), max(end for _, end in within)) if within else (a, b)

    def seen(self, a, b):
        """The events in [a, b), as a sorted list of tuples."""
        out = []
        for kind in "slice", "async":
            for line, begin, end in self.lasting(kind):
                if a <= begin < b or begin < a < self.until(line, end):
                    if line.get("cat") == "sampled" and self.made(line):
                        begin, end = max(begin, a), min(end, b)
                    out.append((kind, self.owner(line), line.get("cat"), line["name"], begin, end, line.get("id") if kind == "async" else 0,
                                line.get("depth"), arguments(line), line.get("end_name")))
        for line in self.lines:
            kind = line["type"]
            if kind in ("instant", "async_instant", "log", "backtrace") and a <= self.ts(line) < b:
                out.append((kind, self.owner(line), line.get("cat"), line.get("name"), line.get("message"), self.ts(line), arguments(line)))
            elif kind == "flow":
                points = [(p["kind"], owner(p), p["ts"] + self.origin, "slice" in p) for p in line["points"]]
                if points[0][2] < b and points[-1][2] >= a:
                    out.append((kind, line["id"], line.get("cat"), line["name"], line["state"], tuple(points)))
        return sorted(out, key=repr)

    def states(self, a, b):
        """States and runs in [a, b), cut off there; idle threads, which take the place of others, are left out."""
        out = []
        for kind in "state", "sched":
            for line, begin, end in self.lasting(kind):
                if (line.get("pid"), line.get("tid")) in self.idle or line.get("idle"):
                    continue
                begin, end = max(begin, a), min(self.until(line, end), b)
                if begin < end:
                    out.append((kind, owner(line), line.get("cpu"), line.get("state"), begin, end))
        return sorted(out, key=repr)

    def counters(self, a, b):
        values, samples = {}, []
        for line in self.lines:
            if line["type"] != "counter" or self.until(line, FOREVER) < a:
                continue
            key = (line.get("trace"), line.get("pid"), line.get("cat"), line["name"], line["id"], line["series"])
            if self.ts(line) <= a:
                old = values.get(key)
                if old is None or old[0] <= self.ts(line):
                    values[key] = (self.ts(line), repr(line["value"]))
            elif self.ts(line) < b:
                samples.append((key, self.ts(line), repr(line["value"])))
        return sorted((key, value[1]) for key, value in values.items()), sorted(samples, key=repr)

    def texts(self):
        """Every text of names and values."""
        found = set()
        for line in self.lines:
            if line["type"] in ("trace", "problem", "end"):
                continue
            for key in "cat", "name", "message", "series", "end_name":
                if isinstance(line.get(key), str):
                    found.add(line[key])
            for argument in line.get("args", []):
                found.add(argument["name"])
                if argument["type"] == "string":
                    found.add(argument["value"])
        return {text for text in found if len(text) >= QUOTED_LEAST and "\ufffd" not in text and "<" not in text} - KNOWN


class Check:
    def __init__(self, fxtop):
        self.fxtop, self.passed, self.failed = fxtop, 0, 0

    def same(self, what, want, got):
        if want == got:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED: {what}")
        if isinstance(want, list) and isinstance(got, list):
            for sign, only in ("-", [x for x in want if x not in got]), ("+", [x for x in got if x not in want]):
                for x in only[:4]:
                    print(f"  {sign} {x}")

    def cut(self, path, out, *options):
        done = runs.run(self.fxtop, *options, "--output", out, path)
        if done.returncode != 0:
            self.failed += 1
            print(f"FAILED: {options} of {path}: {done.stderr.decode()}")
        return done.returncode == 0

    def shown(self, name, path, part, begin, end):
        """What is shown lasts from `begin` to `end`, if an event is in between."""
        if begin >= end or not any(begin <= part.ts(line) <= end for line in part.lines if "ts" in line):
            return
        done = runs.run(self.fxtop, "--summary", path)
        span = next(line for line in done.stdout.decode().splitlines() if line.startswith("span: ")).split()
        self.same(f"{name}: begin of what is shown", str(begin), span[4])
        length = float(span[1]) * {"ns": 1, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9}.get(span[2].rstrip(","), 0)
        if length:  # not in minutes and hours
            self.same(f"{name}: length of what is shown, about", True, abs(length - (end - begin)) <= 0.001 * length)

    def trace(self, path, chance):
        whole = Whole(export(self.fxtop, path))
        if whole.span <= 0 or any(line["type"] == "problem" and line["kind"] in ("damaged_time", "unset_time", "time_saturated") for line in whole.lines):
            return
        if not any("ts" in line for line in whole.lines):
            return
        ends = sorted({line["ts"] for line in whole.lines if "ts" in line})
        for _ in range(RANGES):
            a = chance.choice(ends) if chance.random() < 0.5 else chance.randrange(whole.span)
            b = min(a + max(1, int(whole.span * chance.choice([0.0001, 0.01, 0.1, 0.5]))), whole.span - 1)
            if b > a >= 0:
                self.part(path, whole, a, b)

    def part(self, path, whole, a, b):
        name = f"{path} {a}..{b}"
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "part.fxt")
            if not self.cut(path, out, f"--cut={a}ns..{b}ns"):
                return
            part = Whole(export(self.fxtop, out))
            a, b = a + whole.origin, b + whole.origin
            self.same(f"{name}: events", whole.seen(a, b), part.seen(a, b))
            since = max(a, part.origin)
            self.same(f"{name}: states", whole.states(since, b), part.states(since, b))
            self.same(f"{name}: counters", whole.counters(a, b), part.counters(a, b))
            self.shown(name, out, part, *whole.shown(since, b))
            self.same(f"{name}: problems", [], sorted(part.problems - whole.problems))
            redacted = os.path.join(folder, "redacted.fxt")
            if self.cut(path, redacted, f"--cut={a - whole.origin}ns..{b - whole.origin}ns", "--redact=all"):
                with open(redacted, "rb") as file:
                    content = file.read()
                self.same(f"{name}: texts", [], [t for t in whole.texts() if t.encode("utf-8", "surrogateescape") in content])


    def archive(self, path, other, chance):
        """Both traces as an archive, at times of which one begins anywhere in the other."""
        out = f"{path}.together"
        if other is None:
            return
        offset = f"--offset=2={chance.choice([0, chance.randrange(-10**6, 10**6), chance.randrange(-1000, 1000)])}ns"
        done = runs.run(self.fxtop, "--together", "--align=begin", offset, "--export=fxt", "--output", out, other, path)
        if done.returncode == 0:
            self.trace(out, chance)
            os.unlink(out)


def by_cpu(text):
    """The trace of a writer with a buffer for each CPU: their records stand together, the last CPU first."""
    lines = text.splitlines()
    sched = [line for line in lines if line.split(" ")[0] in ("switch", "switch_legacy", "wakeup")]
    return "\n".join([line for line in lines if line not in sched] +
                     sorted(sched, key=lambda line: -int(line.split(" ")[2]))) + "\n"


def main():
    args = sys.argv[1:]
    if len(args) == 5 and args[0] == "--random":
        check = Check(args[3])
        with tempfile.TemporaryDirectory() as folder:
            last = None
            for n in range(int(args[1])):
                chance = random.Random(f"{args[2]} {n}")
                text, path = os.path.join(folder, "t.txt"), os.path.join(folder, f"random_{args[2]}_{n}.fxt")
                with open(text, "w", encoding="utf-8") as file:
                    made = Maker(chance).text(5 + chance.randrange(120))
                    file.write(by_cpu(made) if n % 2 else made)
                subprocess.run([args[4], text, path], check=True)
                check.trace(path, chance)
                check.archive(path, last, chance)
                if last:
                    os.unlink(last)
                last = path
    elif len(args) >= 2 and not args[0].startswith("-"):
        check = Check(args[0])
        for path in args[1:]:
            if os.path.getsize(path) <= BYTES_MOST:
                check.trace(path, random.Random(os.path.basename(path)))
    else:
        sys.exit(__doc__)
    print(f"{check.passed} passed, {check.failed} failed")
    sys.exit(check.failed > 0)


main()
