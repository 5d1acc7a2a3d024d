#!/usr/bin/env python3
"""check_phases.py FXTOP [N [SEED]] - every phase of Chrome's JSON, with its events in any order.

Makes N (20) random documents: nested slices of X, B and E, instants, counters, async operations, flows and names, with
processes, threads and ids as numbers, digits and texts. The events are shuffled, and so are the fields of each. What
fxtop exports has to be what was meant. Prints each difference, then "N passed, N failed"; the status is 1 if one failed."""
import json
import os
import random
import subprocess
import sys
import tempfile

SPAN = 10_000_000  # nanoseconds


def micros(ns):
    return "%d.%03d" % (ns // 1000, ns % 1000)


def number(owner):
    """The number that an owner or id has, or None: it is a text."""
    if isinstance(owner, int):
        return owner
    try:
        return int(owner, 0)
    except ValueError:
        return None


class Document:
    """Events as the source has them, and what each means: a tuple in `meant`."""

    def __init__(self, chance):
        self.chance, self.events, self.meant, self.names = chance, [], [], {}
        self.begin = chance.choice([0, 10**6, 17 * 10**17])
        self.used, self.slices, self.named = set(), [], 0
        self.threads = []
        for p in range(chance.randrange(1, 4)):
            pid = chance.choice([p + 1, 4 * 10**9 + p, f"proc {p}", str(p + 50), hex(p + 900)])
            for t in range(chance.randrange(1, 4)):
                self.threads.append((pid, chance.choice([p * 10 + t + 1, f"thr {p}.{t}", str(p * 10 + t + 70)])))
        for thread in self.threads:
            self.nest(thread, self.begin, self.begin + SPAN, 0)
        for make in self.instant, self.counter, self.operation, self.flow:
            for _ in range(chance.randrange(6)):
                make()
        for i, thread in enumerate(self.threads):  # tells the number that its owner got
            self.add(thread, "i", self.begin + SPAN + 1 + i, name="last")
        self.metadata()

    def add(self, thread, phase, ts=None, **fields):
        event = {"ph": phase, "pid": thread[0], "tid": thread[1], **fields}
        if thread[1] is None:
            del event["tid"]
        if ts is not None:
            event["ts"] = micros(ts)
        self.events.append(event)

    def time(self, low, high):
        """A time that no other event has: the order of equal ones would matter."""
        while True:
            ts = self.chance.randrange(low, high)
            if ts not in self.used:
                self.used.add(ts)
                return ts

    def name(self):
        self.named += 1
        return f"n{self.named}"

    def nest(self, thread, low, high, depth):
        for _ in range(self.chance.randrange(4)):
            if high - low < 1000:
                return
            a = self.time(low + 1, low + (high - low) // 2)
            b = self.time(a + 100, high - 50)
            name, category = self.name(), self.chance.choice(["c1", "c2", ""])
            args = {"k": self.chance.randrange(10)} if self.chance.random() < 0.5 else {}
            form = self.chance.randrange(3)
            if form == 0:
                self.add(thread, "X", a, name=name, cat=category, args=args, dur=micros(b - a))
            else:
                self.add(thread, "B", a, name=name, cat=category, args=args)
                self.add(thread, "E", b, **({"name": name, "cat": category} if form == 1 else {}))
            self.meant.append(("slice", thread, category, name, a, b - a, depth, args.get("k")))
            self.slices.append((thread, a, b, name))
            self.nest(thread, a, b, depth + 1)
            low = b

    def instant(self):
        thread, ts, name = self.chance.choice(self.threads), self.time(self.begin, self.begin + SPAN), self.name()
        scope = self.chance.choice(["t", "p", "g", None])
        self.add(thread, self.chance.choice("iIR"), ts, name=name, **({"s": scope} if scope else {}))
        self.meant.append(("instant", thread, name, ts, {"p": "process", "g": "global"}.get(scope)))

    def counter(self):
        thread, ts, name = self.chance.choice(self.threads), self.time(self.begin, self.begin + SPAN), self.chance.choice("ab")
        values = [self.chance.randrange(100), self.chance.random(), str(self.chance.randrange(9))]
        args = {f"s{i}": self.chance.choice(values) for i in range(self.chance.randrange(1, 35))}
        id_, meant, suffix = self.chance.choice([(None, 0, ""), (3, 3, ""), ("0x4", 4, ""), ("gpu", 0, "[gpu]")])
        self.add(thread, "C", ts, name=name, args=args, **({} if id_ is None else {"id": id_}))
        for series, value in args.items():
            self.meant.append(("counter", thread[0], name + suffix, meant, series, ts, float(value)))

    def operation(self):
        thread, n, name = self.chance.choice(self.threads), self.named, self.name()
        end = self.chance.choice([other for other in self.threads if other[0] == thread[0]])
        a = self.time(self.begin, self.begin + SPAN // 2)
        b = self.time(a + 100, self.begin + SPAN)
        id_ = self.chance.choice([{"id": n + 1000}, {"id": hex(n + 5000)}, {"id": f"text {n}"}, {"id2": {"local": hex(n + 300)}},
                                  {"id2": {"global": hex(n + 400)}}, {"id": n, "scope": "s"}])
        first, step, last = self.chance.choice(["bne", "STF", "SpF"])
        self.add(thread, first, a, name=name, cat="o", **id_)
        self.add(end, last, b, name=name, cat="o", **id_)
        self.meant.append(("async", thread, name, a, b - a))
        if self.chance.random() < 0.5:
            ts = self.time(a, b)
            self.add(thread, step, ts, name="step", cat="o", **id_)
            self.meant.append(("async_instant", thread, "step", ts))

    def innermost(self, thread, ts):
        return max((a, name) for owner, a, b, name in self.slices if owner == thread and a <= ts < b)[1]

    def following(self, thread, ts):
        return min(((a, name) for owner, a, _, name in self.slices if owner == thread and a >= ts), default=(0, None))[1]

    def flow(self):
        if len(self.slices) < 2:
            return
        source, target = sorted(self.chance.sample(self.slices, 2), key=lambda s: s[1])
        if min(source[2], target[2] - 50) - source[1] < 50:
            return
        a = self.time(source[1], min(source[2], target[2] - 50))
        b = self.time(max(target[1], a + 1), target[2])
        id_ = self.chance.choice([len(self.events), hex(len(self.events)), f"flow {len(self.events)}"])
        self.add(source[0], "s", a, name="f", cat="f", id=id_)
        follows = self.following(target[0], b) if self.chance.random() < 0.5 else None
        more = self.chance.choice([{}, {"args": {"k": 1}}])
        self.add(target[0], "f", b, name="f", cat="f", id=id_, **more, **({} if follows else {"bp": "e"}))
        self.meant.append(("flow", self.innermost(source[0], a), follows or self.innermost(target[0], b)))

    def metadata(self):
        for owner in dict.fromkeys(self.threads + [thread[0] for thread in self.threads]):
            is_thread = isinstance(owner, tuple)
            text = owner[1] if is_thread else owner
            self.names[owner] = text if number(text) is None else None
            if self.chance.random() < 0.5:
                self.names[owner] = f"name {owner}"
                self.add(owner if is_thread else (owner, None), "M", name="thread_name" if is_thread else "process_name",
                         args={"name": self.names[owner]})

    def text(self):
        self.chance.shuffle(self.events)
        events = []
        for event in self.events:
            fields = [(key, json.dumps(value)) for key, value in event.items()]
            fields = [(key, value.strip('"') if key in ("ts", "dur") and self.chance.random() < 0.7 else value) for key, value in fields]
            self.chance.shuffle(fields)
            events.append("{" + ",".join(f'"{key}":{value}' for key, value in fields) + "}")
        body = "[" + ",\n".join(events) + self.chance.choice(["]", "", ",", ",{}]"])
        return body if self.chance.random() < 0.5 else '{"displayTimeUnit":"ns","traceEvents":' + body


def found(lines, document):
    """The tuples of an export, with the owners of the source."""
    origin = int(lines[0]["origin_ns"])
    threads, slices, out = {}, {}, []
    for line in lines:
        if line["type"] == "instant" and line["name"] == "last":
            threads[line["pid"], line["tid"]] = document.threads[line["ts"] + origin - document.begin - SPAN - 1]
    processes = {pid: thread[0] for (pid, _), thread in threads.items()}
    for line in lines:
        kind, thread = line["type"], threads.get((line.get("pid"), line.get("tid")))
        ts = line.get("ts", 0) + origin
        if kind == "slice":
            slices[line["id"]] = line["name"]
            out.append((kind, thread, line["cat"], line["name"], ts, line["dur"], line["depth"],
                        line["args"][0]["value"] if "args" in line else None))
        elif kind == "instant" and line["name"] != "last":
            out.append((kind, thread, line["name"], ts, line.get("scope")))
        elif kind == "counter":
            out.append((kind, processes[line["pid"]], line["name"], line["id"], line["series"], ts, float(line["value"])))
        elif kind == "async":
            out.append((kind, thread, line["name"], ts, line["dur"]))
        elif kind == "async_instant":
            out.append((kind, thread, line["name"], ts))
        elif kind == "flow":
            out.append((kind, *(slices.get(point.get("slice")) for point in line["points"])))
        elif kind == "problem":
            out.append((kind, line["message"]))
        elif kind in ("thread", "process"):
            owner = thread if kind == "thread" else processes[line["pid"]]
            if owner is not None and document.names[owner] != line.get("name"):
                out.append((kind, owner, line.get("name")))
    return out


def differences(fxtop, chance):
    document = Document(chance)
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        file.write(document.text())
    done = subprocess.run([fxtop, "--export=ndjson", file.name], capture_output=True, text=True, check=False)
    os.unlink(file.name)
    if done.returncode != 0:
        return [done.stderr]
    want = sorted(map(repr, document.meant))
    got = sorted(map(repr, found([json.loads(line) for line in done.stdout.splitlines()], document)))
    return ["- " + x for x in want if x not in got] + ["+ " + x for x in got if x not in want] + [""] * (len(want) != len(got))


def main():
    fxtop, n, seed = sys.argv[1], int((sys.argv + ["20"])[2]), (sys.argv + ["", ""])[3]
    failed = 0
    for i in range(n):
        faults = differences(fxtop, random.Random(f"{seed} {i}"))
        failed += bool(faults)
        for fault in faults[:6]:
            print(f"document {i}: {fault}")
    print(f"{n - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
