#!/usr/bin/env python3
"""check_tables.py FXTOP TRACE... - computes the tables of statistics from the ndjson export, and compares.

check_tables.py --random N SEED FXTOP MKTRACE makes N traces by chance first.

States, CPUs, Counters, Flows, Async, Gaps and Logs of view 2, folded stacks, a sandwich and frames of the flame graph
(bottom-up and with recursion folded, too), wake-ups, a comparison and a critical path, each of the whole trace and of a
range by chance. It knows nothing of fxtop but its export and doc/SEMANTICS.md.
Traces with damaged or unset times but of scheduling are left out, and those of more than 150,000 lines, unless --large is first. Prints a line a difference, then "N passed, N failed"; the exit status is 1 if one
failed."""
import bisect
import csv
import io
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True # of check_top.py, which is in the source tree
from check_top import Records, Trace, lasts, overlap, overlaps, plain, rank, run, thread_of, union

TABS = ["slices", "states", "cpus", "counters", "flows", "async", "gaps", "logs"]
IDLE_WEIGHT = -(1 << 31)
GAPS_KEPT = 20000
FOREVER = 1 << 62
LINES_MOST = 150000 # of an export; larger ones take minutes here
PATH_MOST = 4000  # stretches of a critical path that are computed here
PATH_LINES = 20000  # of a trace, of which a short path is enough


class Thread:
    """What the export has of one thread."""

    def __init__(self, key):
        self.key, self.label, self.slices, self.states, self.points = key, None, [], [], []
        self.first, self.last, self.idle = FOREVER, -FOREVER, set()  # idle: begins of its runs as the idle thread
        self.marks = 0  # instants

    def event(self, since, until, lives=True):
        self.first, self.last = min(self.first, since), max(self.last, until if lives else -FOREVER)


class Tables(Trace):
    def __init__(self, text, records):
        super().__init__(text, records)
        self.damaged = self.unset or self.slices != self.all_slices or any(
            line["type"] == "async" and "damaged" in line for line in self.lines)
        self.threads, self.cpus, self.flows = {}, {}, [line for line in self.lines if line["type"] == "flow"]
        self.tids, self.json = {}, records.json
        for line in self.lines:
            self.read(line)
        threads = {key[:2]: t for key, t in self.threads.items()}
        for key, kind, ts in records.on_threads: # ends of operations, and those that are ignored
            ts -= self.lines[0].get("origin_ns", 0)
            if key in threads and 0 <= ts <= self.end:
                threads[key].event(ts, ts, kind != "counter")
        for flow in self.flows:
            before = None # the begin or step that an arrow comes from (SEMANTICS 7.3, 7.5)
            for point in flow["points"]:
                t = self.of(point)
                if t:
                    t.points.append((point["ts"], point, before))
                    t.event(point["ts"], point["ts"])
                if point["kind"] != "end":
                    before = point
                elif not self.json:
                    before = None
        self.by_id = {s["id"]: s for s in self.slices}
        self.woken = wakeups(records.switches, self.lines[0].get("origin_ns", 0))
        # An end that is ignored is not exported, but it may begin the life of its thread.
        self.whole = not any(line["type"] == "problem" and line["kind"] == "end_without_begin" for line in self.lines)
        # A thread that a contradicted switch makes runnable looks as if it were woken.
        self.consistent = not any(line["type"] == "problem" and line["kind"] == "sched_inconsistent" for line in self.lines)
        for t in self.threads.values():
            t.points.sort(key=lambda p: p[0])
            t.points_at = {}
            for p in t.points:
                t.points_at.setdefault(p[0], []).append(p)
            t.covered = union([s["ts"], s["end"]] for s in t.slices)
            t.at = {state["ts"]: k for k, state in enumerate(t.states)}
            t.begins = [state["ts"] for state in t.states]
            self.live(t)

    def of(self, line):
        if line.get("tid") is None and line.get("thread") is None:
            return None
        key = thread_of(line)
        if key not in self.threads:
            self.threads[key] = Thread(key)
        return self.threads[key]

    def read(self, line):
        kind = line["type"]
        t = self.of(line)
        if t is None:
            return
        if kind == "thread":
            name = line.get("name")
            tid = line.get("tid")
            t.label = f"{name} {tid}" if name else f"thread {tid}" if tid is not None else line["thread"]
            self.tids.setdefault(tid, t)
        elif kind == "state":
            t.states.append(line)
        elif kind == "sched":
            self.cpus.setdefault(line["cpu"], []).append(line)
            idle = line.get("priority") == 0 or line.get("weight") == IDLE_WEIGHT
            line["idle"] = idle
            if idle:
                t.idle.add(line["ts"])
        elif "ts" in line:
            end = (line["dur"] or 0) if kind == "slice" else 0
            t.event(line["ts"], line["ts"] + end, kind != "counter")
            if kind == "slice":
                t.slices.append(line)
            t.marks += kind == "instant"

    def live(self, t):
        """Which states are known, when the life of the thread begins and ends (SEMANTICS 10.7)."""
        states = t.states
        t.dying = None
        for k, state in enumerate(states):
            if state["state"] == "running":
                t.dying = None
            elif state["state"] == "dying" and t.dying is None:
                t.dying = k
        t.woken = []
        for k, state in enumerate(states):
            t.woken.append("damaged" in state or (t.key[1], state["ts"]) in self.woken)
        n = len(states)
        if n and t.woken[-1] and (n == 1 or t.dying is not None or states[-2]["state"] == "dead"):
            n -= 1
        t.scheduled = n > 0
        t.known = [k < n and "damaged" not in s and s["state"] != "dead" and (t.dying is None or k < t.dying) for k, s in enumerate(states)]
        t.born = states[0]["ts"] if states else FOREVER
        t.died = FOREVER
        if n and t.dying is not None:
            t.died = states[t.dying]["ts"]
        elif n and states[n - 1]["state"] == "dead":
            t.died = states[n - 1]["ts"]
        t.begin, end = min(t.first, t.born), t.last
        t.ended = t.scheduled and t.died != FOREVER and t.died >= end
        t.end = max(t.died if t.ended else self.end, end) if t.scheduled else self.end
        is_open = [s for s in t.slices if s["dur"] is None]
        if is_open and self.life_end(t.key, t.slices[-1]["ts"]) >= self.end:
            t.ended = False

    def thread_time(self, t, since, until):
        if t.begin == FOREVER:
            return 0
        return max(0, min(until, t.died) - max(since, t.begin)) if t.ended else max(0, until - max(since, t.begin))

    def state_end(self, state):
        dur = state.get("damaged_dur", state["dur"])
        return state["ts"] + dur if dur is not None else FOREVER

    def class_of(self, t, k):
        state = t.states[k]
        if not t.known[k] or state["state"] == "unknown":
            return "unknown"
        if state["state"] == "running":
            return "other" if state["ts"] in t.idle else "running"
        return state["state"] if state["state"] in ("runnable", "blocked") else "other"

    def waker(self, t, k):
        """(time, thread) of the wakeup that began state k; thread None if the trace has no such thread (10.9)."""
        if k >= len(t.states):
            return None
        state = t.states[k]
        if "waker" in state:
            return state["ts"], self.tids.get(state["waker"])
        if k == 0 or t.states[k - 1]["state"] == "running":
            return None
        for _, _, before in t.points_at.get(state["ts"], []):
            if before is not None and self.of(before) is not t:
                return before["ts"], self.of(before)
        return None


def wakeups(records, origin):
    """Number and time of each thread that a wakeup made runnable (SEMANTICS 10.2, 10.4)."""
    cpus, states, out = {}, {}, set()
    for ts, kind, of in sorted(records, key=lambda record: record[0]):
        if kind == "thread_wakeup":
            tid = of["woken_thread_id"]
            if states.get(tid) not in ("running", 1):
                states[tid] = 1
                out.add((tid, ts - origin))
            continue
        before, after = of["outgoing_thread_id"], of["incoming_thread_id"]
        out -= {(before, ts - origin), (after, ts - origin)}
        if cpus.get(of["cpu"], before) != before:
            states[cpus[of["cpu"]]] = 1
        states[before], states[after] = of["outgoing_state"], "running"
        cpus[of["cpu"]] = after
    return out


def label(t):
    """As tables have it: without a number that an importer made."""
    return re.sub(r" \(samples\) [12][0-9]{9}$", " (samples)", t.label) if t else "-"


def inside(trace, ts, since, until):
    if since == 0 and until >= trace.end: # no table leaves out a point for a damaged time
        return True
    return since <= ts and (ts < until or (until >= trace.end and ts == until))


def part(left, right, since, until):
    return max(0, min(right, until) - max(left, since))


def share(value, of):
    """A share with four decimals as CSV prints it; the last one may be rounded either way."""
    return value / of if of > 0 else 0.0


# ---- the tables: lists of rows, in no order ----


def is_no_thread(t):
    """Number 0, if it never ran but as the idle thread, is no thread (SEMANTICS 10.6)."""
    return (t.key[1] == 0 and not t.slices and not t.marks and
            all(state["ts"] in t.idle for state in t.states if state["state"] == "running"))


def states(trace, since, until):
    rows = []
    for t in trace.threads.values():
        if not t.scheduled or is_no_thread(t):
            continue
        lived = trace.thread_time(t, since, until)
        time, count, longest, wakes, others = {}, {}, {}, {}, set()
        left, right = max(since, t.born), min(until, t.died)
        alive = 0
        for k, state in enumerate(t.states):
            end, kind = trace.state_end(state), trace.class_of(t, k)
            if state["state"] not in ("dead", "unknown") and "damaged" not in state:
                alive += max(0, part(state["ts"], end, left, right))
            if not (end > since and (state["ts"] < until or (until >= trace.end and state["ts"] == until))):
                continue
            time[kind] = time.get(kind, 0) + part(state["ts"], end, left, right)
            woke = trace.waker(t, k)
            if woke and woke[1]:
                wakes[woke[1].key] = wakes.get(woke[1].key, 0) + 1
            if kind == "unknown":
                continue
            if kind == "other":
                others.add("idle" if state["state"] == "running" else state["state"])
            count[kind] = count.get(kind, 0) + 1
            if state["dur"] is None:
                end = max(state["ts"], min(trace.life_end(t.key, state["ts"]), trace.end))
            if kind not in longest or end - state["ts"] > longest[kind][0]:
                longest[kind] = end - state["ts"], state["ts"]
        time["unknown"] = max(0, lived - alive)
        most = max(wakes.values(), default=0)
        wakers = {label(trace.threads[key]) for key, n in wakes.items() if n == most}
        other = others.pop() if len(others) == 1 else "other"
        other = "other" if isinstance(other, int) else other  # a state without a name
        rows.append((t, lived, time, count, longest, wakers, most, other))
    return rows


def wanted_states(trace, since, until):
    out = []
    for t, lived, time, count, longest, wakers, most, other in states(trace, since, until):
        for kind, ns in time.items():
            if ns == 0:
                continue
            row = [label(t), {"other": other, "blocked": trace.blocked}.get(kind, kind), ns, share(ns, lived), "", "", "", "", ""]
            if kind != "unknown" and count.get(kind):
                row[4:7] = count[kind], longest[kind][0], longest[kind][1]
            if kind in ("runnable", "blocked") and most:
                row[7:] = wakers, most
            out.append(row)
    return out


def wanted_cpus(trace, since, until):
    out = []
    for t, lived, time, count, longest, _, _, _ in states(trace, since, until):
        n, ns = count.get("running", 0), time.get("running", 0)
        waited = longest.get("runnable", (0, 0))[0]
        row = [label(t), ns, share(ns, lived), n] + ([ns // n, *longest["running"]] if n else ["", "", ""])
        out.append(row + [time.get("runnable", 0), waited, lived])
    return out


def number(text):
    return math.nan if text in ("NaN", "Infinity", "-Infinity") else text


def wanted_counters(trace, since, until):
    series, out = {}, []
    for line in trace.lines:
        if line["type"] == "counter":
            series.setdefault((line["pid"] if "pid" in line else line.get("provider"), line["name"],
                               line.get("id", 0), line["series"]), []).append((line["ts"], number(line["value"])))
    for (_, name, _, argument), samples in series.items():
        mine = [s for s in samples if inside(trace, s[0], since, until)]
        before = [s for s in samples if s[0] < since]
        held = [before[-1]] if before and not (mine and mine[0][0] == since) else []
        all_of = held + mine
        if not all_of:
            continue
        area = time = 0
        steps = [(min(max(since, ts), until), value) for ts, value in all_of] + [(until, 0)]
        for (left, value), (right, _) in zip(steps, steps[1:]):
            if not math.isnan(value) and right > left:
                area, time = area + value * (right - left), time + right - left
        finite = [(ts, value) for ts, value in all_of if not math.isnan(value)]
        first, last = all_of[0][1], all_of[-1][1]
        most = max((value for _, value in finite), default=None)
        row = [name if argument in ("", name) else f"{name}.{argument}", None, len(mine)]
        row += [min(v for _, v in finite), area / time if time else "", most,
                next(ts for ts, v in finite if v == most)] if finite else [""] * 4
        row += ["", "", ""] if math.isnan(last - first) else [first, last, last - first]
        out.append(row)
    return out


def in_range(trace, flow, since, until):
    if since == 0 and until >= trace.end:
        return True
    first, last = flow["points"][0]["ts"], flow["points"][-1]["ts"]
    return last >= since and (first < until or (until >= trace.end and first == until))


def ended_at(trace, flow):
    """The first end ends a flow; later ones are listed with it. In JSON a flow goes on (SEMANTICS 7.3, 7.7)."""
    return flow["points"][-1]["ts"] if trace.json else next(p["ts"] for p in flow["points"] if p["kind"] == "end")


def is_damaged(trace, flow):
    """Whether its begin, or the end that counts, has a damaged time."""
    last = flow["points"][-1] if trace.json else next(p for p in flow["points"] if p["kind"] == "end")
    return "damaged" in flow["points"][0] or "damaged" in last


def wanted_flows(trace, since, until):
    names, out = {}, []
    for flow in trace.flows:
        if in_range(trace, flow, since, until):
            names.setdefault(flow["name"], []).append(flow)
    for name, flows in names.items():
        complete = [f for f in flows if f["state"] == "complete"]
        unfinished = len(flows) - len(complete)
        # If its first or last point is damaged the total is not known (SEMANTICS 4.7, 7.7).
        complete = sorted(ended_at(trace, f) - f["points"][0]["ts"] for f in complete
                          if not is_damaged(trace, f))
        row = [name or "(no name)", len(flows), unfinished, sum(complete)]
        out.append(row + ([rank(complete, p) for p in (50, 90, 99, 100)] if complete else [""] * 4))
    return out


def wanted_async(trace, since, until):
    names, tracks, out = {}, {}, []
    for line in sorted((x for x in trace.lines if x["type"] == "async"), key=lambda x: (x["ts"], x["offset"])):
        key = line.get("pid"), line.get("cat"), line["id"]
        if line["depth"] == 0: # what is inside it is on its track (SEMANTICS 8.3)
            tracks[key] = line.get("pid"), line["name"]
        line["track"] = tracks[key]
        if overlaps(trace, line, since, until):
            names.setdefault(line["name"], []).append(line)
    for name, operations in names.items():
        ended, groups = sorted(o["dur"] for o in operations if o["dur"] is not None), {}
        for o in operations:
            end = o["ts"] + o["dur"] if o["dur"] is not None else trace.end
            groups.setdefault(o["track"], []).append([max(since, o["ts"]), min(until, end)])
        total = sum(b - a for stretches in groups.values() for a, b in union(stretches))
        row = [name, len(operations), len(operations) - len(ended), total, ""]
        if ended:
            row += [ended[0], (2 * sum(ended) + len(ended)) // (2 * len(ended))]
            row += [rank(ended, p) for p in (50, 90, 95, 99, 100)]
        out.append(row + [""] * (12 - len(row)))
    return out


def wanted_gaps(trace, since, until):
    out, covered, threads = [], [], 0
    for t in trace.threads.values():
        if not any(lasts(trace, s, since, until) for s in t.slices):
            continue
        threads += 1
        covered += t.covered
        left = max(since, t.begin)
        right = left + trace.thread_time(t, since, until)
        out += free(t.covered, left, right, label(t))
    if threads > 1:
        out += free(union([list(c) for c in covered]), since, until, "all threads")
    for cpu, runs in trace.cpus.items():
        busy = union([r["ts"], trace.state_end(r)] for r in runs if not r["idle"] or "damaged" in r)
        out += free(busy, since, until, f"CPU {cpu}")
    return [row + [share(row[2], until - since)] for row in sorted(out, key=lambda row: -row[2])]


def free(covered, left, right, name):
    out = []
    for a, b in covered + [[right, right]]:
        if min(a, right) > left:
            out.append([left, name, min(a, right) - left])
        left = max(left, b)
    return out


def wanted_logs(trace, since, until):
    texts = {}
    for line in trace.lines:
        if line["type"] == "log" and inside(trace, line["ts"], since, until):
            texts.setdefault(re.sub("[0-9]+", "#", line["message"]), []).append(line)
    out = []
    for text, logs in texts.items():
        threads = {thread_of(line) for line in logs}
        owner = threads.pop() if len(threads) == 1 else None
        name = label(trace.threads[owner]) if owner in trace.threads else ""
        out.append([len(logs), logs[0]["ts"], logs[-1]["ts"], name, text])
    return out


# ---- wake-ups ----


def latency(trace, t, k):
    """From the wakeup that led to the running state k to its begin; None: it was not woken (SEMANTICS 10.10)."""
    if k == 0 or t.states[k - 1]["state"] == "running" or "damaged" in t.states[k - 1]:
        return None
    before = t.states[k - 1]
    if before["state"] == "runnable":
        return t.states[k]["ts"] - before["ts"] if t.woken[k - 1] else None
    woke = trace.waker(t, k)
    return t.states[k]["ts"] - woke[0] if woke and woke[0] <= t.states[k]["ts"] else None


def numbers(latencies):
    ordered = sorted(latencies)
    row = [rank(ordered, p) for p in (50, 99, 100)] if ordered else [""] * 3
    return [len(ordered)] + row + [sum(ordered)]


def idles(t, k):
    """Whether it is the idle thread: that runs, or is runnable while it does not."""
    return any(0 <= i < len(t.states) and t.states[i]["state"] == "running" and t.states[i]["ts"] in t.idle
               for i in (k - 1, k, k + 1))


def wanted_wakeups(trace, since, until):
    by_thread, by_cpu, wanted, waits, sums = {}, {cpu: [] for cpu in trace.cpus}, [], {}, {}
    for cpu, runs in trace.cpus.items():
        for r in runs:
            t = trace.of(r)
            k = t.at.get(r["ts"])
            if r["idle"] or not inside(trace, r["ts"], since, until) or k is None or t.states[k]["state"] != "running":
                continue
            ns = latency(trace, t, k)
            if ns is not None:
                by_thread.setdefault(t.key, []).append(ns)
                by_cpu[cpu].append(ns)
    for t in trace.threads.values():
        for k, state in enumerate(t.states if not is_no_thread(t) else []):
            end, kind = trace.state_end(state), state["state"]
            ns = part(state["ts"], end, since, until)
            if ns == 0 or kind not in ("runnable", "blocked") or not t.known[k] or idles(t, k):
                continue
            if kind == "runnable":
                wanted.append([max(since, state["ts"]), min(until, end)])
            mine = sums.setdefault(t.key, {"runnable": 0, "blocked": 0})
            mine[kind] += ns
            if kind == "runnable" and not t.woken[k]:
                continue
            woke = trace.waker(t, k if kind == "runnable" else k + 1)
            name = label(woke[1]) if woke and woke[1] else "unknown waker"
            row = waits.setdefault(name, [0, 0, 0, -1])
            row[0] += kind == "blocked"
            row[1 + (kind == "runnable")] += ns
            row[3] = max(row[3], ns) if kind == "blocked" else row[3]
    threads = [[label(trace.threads[key])] + numbers(by_thread.get(key, [])) +
               [sums.get(key, {}).get(kind, 0) for kind in ("runnable", "blocked")]
               for key in by_thread.keys() | sums.keys()]
    wanted, cpus = union(wanted), []
    for cpu, runs in trace.cpus.items():
        idle = union([max(since, r["ts"]), min(until, trace.state_end(r))] for r in runs if r["idle"] and "damaged" not in r)
        idle_ns = sum(right - left for left, right in idle)
        both = overlap(idle, wanted)
        cpus.append([f"cpu {cpu}"] + numbers(by_cpu[cpu]) + [idle_ns, both, share(both, idle_ns) if idle_ns else ""])
    wakers = [[name] + row[:3] + [row[3] if row[3] >= 0 else ""] for name, row in waits.items()]
    return threads, cpus, wakers


# ---- folded stacks ----


def counts_samples(trace):
    """Paths count samples if no slice was measured."""
    return len(trace.samples) > 0 and all(thread_of(s) in trace.samples for s in trace.slices)


def weights(trace, since, until):
    """Self time by id, or the samples in which the slice is innermost. Sampled slices have no time."""
    if not counts_samples(trace):
        return {ident: ns for ident, ns in trace.selves(since, until).items() if thread_of(trace.by_id[ident]) not in trace.samples}
    out = {}
    for samples in trace.samples.values():
        for ts, frames in samples:
            if frames and (since <= ts < until or ts == until == trace.end):
                out[frames[0]] = out.get(frames[0], 0) + 1
    return out


def wanted_folded(trace, since, until, name):
    out = {}
    for ident, ns in weights(trace, since, until).items():
        s = trace.by_id[ident]
        if (name is not None and s["name"] != name) or ns == 0:
            continue
        path, at = [], s
        while at is not None:
            path.append(at["name"].replace(";", "\\x3b") or '""')
            at = trace.by_id.get(at.get("parent"))
        key = ";".join([trace.threads[thread_of(s)].label] + path[::-1])
        out[key] = out.get(key, 0) + ns
    return out


# ---- paths: flame and sandwich ----


def path_of(trace, s):
    """The names of a slice and of its ancestors, innermost first."""
    out = []
    while s is not None:
        out.append(s["name"])
        s = trace.by_id.get(s.get("parent"))
    return out


def paths_of(trace, since, until):
    """Path, self time and whether it counts, for each slice that is in the range."""
    selves, counted = weights(trace, since, until), counts_samples(trace)
    return [(path_of(trace, s), selves.get(s["id"], 0)) for s in trace.slices
            if lasts(trace, s, since, until) and (counted or thread_of(s) not in trace.samples)]


def sums(paths, is_last, is_on):
    """Calls, total and self of the paths that end in a frame, and that have it anywhere."""
    mine = [ns for path, ns in paths if is_last(path)]
    return len(mine), sum(ns for path, ns in paths if is_on(path)), sum(mine)


def wanted_sandwich(paths, middle):
    """The middle, its callers and its callees by name: calls, total, self."""
    out = {("middle", middle): sums(paths, lambda p: p[0] == middle, lambda p: middle in p)}
    pairs = {pair for path, _ in paths for pair in zip(path, path[1:] + [None])}
    for inner, outer in pairs:
        if middle not in (inner, outer):
            continue
        numbers = sums(paths, lambda p, pair=(inner, outer): (p[0], (p[1:] + [None])[0]) == pair,
                       lambda p, pair=(inner, outer): pair in zip(p, p[1:] + [None]))
        if inner == middle:
            out["caller", outer] = numbers
        if outer == middle:
            out["callee", inner] = numbers
    return out


def folded_path(path):
    return [name for name, outer in zip(path, path[1:] + [None]) if name != outer]


def wanted_frame(paths, frames):
    """Calls and time of a frame by the names on its way from the root; frames inside it count for the time."""
    ends = [ns for path, ns in paths if path == frames]
    return len(ends), sum(ns for path, ns in paths if path[:len(frames)] == frames), sum(ends)


# ---- two ranges ----


def side_of(trace, since, until):
    names = {}
    for t in trace.threads.values():
        own = {}
        for s in t.slices:
            if lasts(trace, s, since, until):
                own.setdefault(s["name"], []).append(s)
        for name, mine in own.items():
            row = names.setdefault(name, [0, 0, []])
            row[0] += len(mine)
            row[1] += sum(b - a for a, b in union([max(s["ts"], since), min(s["end"], until)] for s in mine))
            row[2] += [s["dur"] for s in mine if s["dur"] is not None]
    return names, (min(until, trace.end) - since) / 10**9


def wanted_compare(trace, a, b):
    sides = [side_of(trace, *a), side_of(trace, *b)]
    out = []
    for name in sides[0][0].keys() | sides[1][0].keys():
        row = [name]
        for names, seconds in sides:
            count, total, ended = names.get(name, [0, 0, []])
            ended = sorted(ended)
            row += [count, count / seconds, total] if count else ["", "", ""]
            row += [rank(ended, p) if ended else "" for p in (50, 99)]
        out.append(row)
    return out


# ---- the critical path ----


class Path:
    """The stretches of a critical path from the last one to the first (SEMANTICS 10.11)."""

    def __init__(self, trace):
        self.trace, self.out, self.entered, self.waiting = trace, [], [], []

    def add(self, t, state, left, right):
        state = self.trace.blocked if state == "blocked" else state
        if self.out and self.out[-1][0] == right and self.out[-1][2:] == [label(t), state]:
            self.out[-1][0] = left
        else:
            self.out.append([left, right, label(t), state])

    def enter(self, t, other, left, right, waits):
        if other in self.entered:
            self.add(t, waits, left, right)
        else:
            self.waiting.append((t, waits))
            self.walk(other, left, right)
            self.waiting.pop()

    def walk(self, t, low, at):
        self.entered.append(t)
        while at > low and len(self.out) <= PATH_MOST:
            k = self.place(t, at)
            at = self.by_state(t, k, low, at) if k >= 0 else self.by_slices(t, low, at)
        self.entered.pop()

    @staticmethod
    def place(t, at):
        """The state before a time; -1: none. A wakeup that is all that is known of a thread is no state."""
        return -1 if len(t.states) == 1 and t.woken[0] else bisect.bisect_left(t.begins, at) - 1

    def idles(self, t, at):
        k = self.place(t, at)
        return k >= 0 and t.states[k]["state"] == "running" and t.states[k]["ts"] in t.idle

    def end(self, t, since, until):
        """The end of the thread's life, if that is earlier. Unknown states alone end none."""
        k, over = self.place(t, until), False
        while k >= 0 and until > since and (not t.known[k] or t.states[k]["state"] == "unknown"):
            before, over = over, t.states[k]["state"] == "dead" or (t.dying is not None and k >= t.dying)
            if before and not over:
                break
            until = max(t.states[k]["ts"], since) if over else until
            k -= 1
        return until

    def by_state(self, t, k, low, at):
        state, left = t.states[k], max(low, t.states[k]["ts"])
        kind = state["state"]
        if t.known[k] and kind == "blocked":
            woke = self.trace.waker(t, k + 1)
            if woke and woke[1] and not self.idles(woke[1], at):
                self.enter(t, woke[1], left, at, "blocked")
            else:
                self.add(t, "blocked", left, at)
        elif kind == "running" and state["ts"] in t.idle:
            self.add(t, "idle", left, at)
        elif not t.known[k]:
            self.add(*(self.waiting[-1] if self.waiting else (t, "unknown")), left, at)
        else:
            self.add(t, kind, left, at)
        return left

    def by_slices(self, t, low, at):
        k = bisect.bisect_left(t.covered, [at]) - 1
        if k >= 0 and at <= t.covered[k][1]:
            self.add(t, "in slices", max(t.covered[k][0], low), at)
            return max(t.covered[k][0], low)
        ends = [s["end"] for s in t.slices if s["ts"] < at]
        low = max([low] + ends)
        after = min([s["ts"] for s in t.slices if s["ts"] >= at], default=FOREVER)
        source = None
        for ts, point, before in t.points:
            if before is None or self.trace.of(before) is t:
                continue
            inner = self.trace.by_id.get(point.get("slice"))
            arrives = inner["ts"] if inner else ts
            if at <= ts and (arrives == after if inner else ts <= after) and source is None:
                source = self.trace.of(before)
            if ts < at:
                low = max(low, ts)
        if source is not None:
            self.enter(t, source, low, at, "no slice")
        else:
            self.add(t, "no slice", low, at)
        return low


# ---- comparing ----


def same_cell(got, wanted):
    if isinstance(wanted, set):
        return got in wanted
    if wanted is None:
        return True
    if isinstance(wanted, float):
        return got != "" and abs(float(got) - wanted) <= max(0.000051, 1e-9 * abs(wanted))
    if isinstance(wanted, int) and abs(wanted) <= 1 << 53 and (got == "-0" or "." in got):
        return float(got) == float(wanted)
    return got == str(wanted)


def key_of(row, kinds):
    return tuple(str(row[i]) for i in kinds)


def differ(got, wanted, exact):
    """A row and one that it should be, found by the columns that are compared as texts; None: all are equal. Rows with
    the same texts are equal in any order."""
    left = {}
    for row in wanted:
        left.setdefault(key_of(row, exact), []).append(row)
    for x in got:
        like = left.get(key_of(x, exact), [])
        same = next((y for y in like if len(x) == len(y) and all(same_cell(g, w) for g, w in zip(x, y))), None)
        if same is None:
            return x, like[0] if like else next((rows[0] for rows in left.values() if rows), None)
        like.remove(same)
    return (len(got), len(wanted)) if any(left.values()) else None


class Asker:
    """Asks fxtop for its tables of one trace."""

    def __init__(self, fxtop, path, say):
        self.fxtop, self.path, self.say, self.good = fxtop, path, say, True

    def table(self, keys, options):
        status, text, error = run(self.fxtop, "--export=csv", "--no-session", f"--keys={keys}", *options, self.path)
        if status != 0:
            self.fault(f"{keys} {options}: status {status} {error}")
            return None
        return list(csv.reader(io.StringIO(text, newline="")))[1:]

    def fault(self, what):
        self.say(what)
        self.good = False

    def screen(self, keys, options):
        status, text, error = run(self.fxtop, "--print=200x160", "--no-session", f"--keys={keys}", *options, self.path)
        if status != 0:
            self.fault(f"{keys} {options}: status {status} {error}")
        return text.replace("µ", "u").splitlines()

    def compare(self, keys, options, wanted, exact, columns=None):
        got = self.table(keys, options)
        if got is None:
            return
        if columns:
            got = [[row[i] for i in columns] for row in got]
        pair = differ(got, wanted, exact)
        if pair:
            self.fault(f"{keys} {options}: {pair[0]} instead of {pair[1]}")


def check_tabs(asker, trace, since, until, options):
    exact = {"states": [0, 1, 2, 4, 5], "cpus": [0, 1, 3, 7], "counters": [0, 2], "flows": range(8), "gaps": [2, 0, 1],
             "logs": range(5), "async": range(12)}
    columns = {"async": range(12)}
    for tab, wanted in (("states", wanted_states), ("cpus", wanted_cpus), ("counters", wanted_counters),
                        ("flows", wanted_flows), ("async", wanted_async), ("gaps", wanted_gaps), ("logs", wanted_logs)):
        rows = wanted(trace, since, until)
        if tab == "gaps" and (len(rows) > GAPS_KEPT or not trace.whole):
            continue
        asker.compare("2" + "<Tab>" * TABS.index(tab), options, rows, exact[tab], columns.get(tab))


def check_wakeups(asker, trace, since, until, options):
    for n, rows in enumerate(wanted_wakeups(trace, since, until)):
        asker.compare(":wakeups<Enter>" + "<Tab>" * n, options, rows, range(len(rows[0]) - (n == 1)) if rows else [0],
                      range(5) if n == 2 else None)


def check_folded(asker, trace, since, until, options, name):
    if name is not None:
        options = options + [f'--filter=name="{name}"']
    status, text, error = run(asker.fxtop, "--export=folded", *options, asker.path)
    got = {}
    for line in text.splitlines():
        path, ns = line.rsplit(" ", 1)
        got[path] = got.get(path, 0) + int(ns)
    wanted = wanted_folded(trace, since, until, name)
    if status != 0 or got != wanted:
        pairs = [(key, got.get(key), wanted.get(key)) for key in got.keys() | wanted.keys()
                 if got.get(key) != wanted.get(key)]
        asker.fault(f"--export=folded {options}: {pairs[:2]} {error}")


def duration(ns):
    """As the screen prints it: four digits at most, halves up."""
    if ns < 1000:
        return f"{ns} ns"
    for unit, size in (("us", 1000), ("ms", 10**6), ("s", 10**9)):
        for decimals in (3, 2, 1, 0):
            value = (2 * ns * 10**decimals + size) // (2 * size)
            if value < 10000 and (decimals > 0 or unit == "s"):
                return f"{value / 10**decimals:.{decimals}f} {unit}"
    return f"{value} s"


def check_sandwich(asker, paths, options, chance, print_weight, sampled):
    """Of a name that a search leads to: the screen says which one is in the middle. Samples have no calls."""
    if not paths:
        return
    got, place, middle, first = {}, "caller", None, 1 if sampled else 0
    calls_of = ("()", "()") if sampled else (r"([0-9,]+) calls?  ", "([0-9,]+) +")
    for line in asker.screen(f"3/{chance.choice(paths)[0][0]}<Enter>n4", options):
        whole = re.search(rf"[-─]+ (\S.*?) [-─]+ {calls_of[0]}total (.*?)  self (.*?)  [0-9.]+% of all", line)
        row = re.match(rf" (\S.*?)  +{calls_of[1]}([0-9.]+ [a-z]+|[0-9,]+) +[0-9.]+% +([0-9.]+ [a-z]+|[0-9,]+) *$", line)
        if whole:
            place, middle = "callee", whole[1]
            got["middle", middle] = [whole[2], whole[3], whole[4]][first:]
        elif row:
            got[place, None if row[1] == "(root)" else row[1]] = [row[2], row[3], row[4]][first:]
    wanted = {key: [f"{calls:,}", print_weight(total), print_weight(own)][first:]
              for key, (calls, total, own) in wanted_sandwich(paths, middle).items()}
    if got != wanted:
        pairs = [(key, got.get(key), wanted.get(key)) for key in got.keys() | wanted.keys()
                 if got.get(key) != wanted.get(key)]
        asker.fault(f"sandwich of {middle} {options}: {pairs[:3]}")


def check_frames(asker, paths, options, chance, print_weight, sampled):
    """A frame that some keys lead to, left-heavy or bottom-up, with recursion folded or not."""
    for up, fold in ((0, 0), (1, 0), (0, 1), (1, 1)):
        keys = "3" + "i" * up + "r" * fold + "".join(chance.choice("jjjl") for _ in range(1 + chance.randrange(5)))
        mine = [(folded_path(path) if fold else path, ns) for path, ns in paths]
        if not up:
            mine = [(path[::-1], ns) for path, ns in mine]
        status = next((line for line in asker.screen(keys, options) if " of all" in line and "all > " in line), None)
        if status is None:
            continue
        frames = status[status.index("all > ") + 6:].strip().split(" > ")
        if frames[0] == "no slice":
            continue
        calls, total, own = wanted_frame(mine, frames)
        calls = sum(path[:len(frames)] == frames for path, _ in mine) if up else calls
        said = "" if sampled else f"  {calls:,} call{'s' * (calls != 1)}"
        wanted = f"{print_weight(total)}{said}" if up else f"{print_weight(total)}  self {print_weight(own)}{said}"
        if not re.search(rf"of all  {re.escape(wanted)}(  |$)", status.rstrip()):
            asker.fault(f"{keys} {options}: {status.strip()} instead of {wanted}")


def check_compare(asker, trace, chance):
    a, b = [], []
    for side in (a, b):
        side.append(chance.randrange(trace.end))
        side.append(side[0] + 1 + chance.randrange(trace.end - side[0]))
    keys = f":range {a[0]}ns..{a[1]}ns<Enter>=<Esc>:range {b[0]}ns..{b[1]}ns<Enter>:compare<Enter><Tab>"
    rows = wanted_compare(trace, a, b)
    asker.compare(keys, [], rows, [0], [0, 2, 4, 7, 10, 13, 3, 5, 8, 11, 14])


def check_path(asker, trace, chance):
    # A row of samples is folded where there is no slice beside it: no key leads to it then.
    threads = [t for t in trace.threads.values() if (t.slices or t.scheduled) and not is_no_thread(t) and t.label and
               " (samples)" not in t.label and
               sum(t.label == other.label for other in trace.threads.values()) == 1]
    if not threads:
        return
    t = chance.choice(threads)
    since = chance.randrange(trace.end)
    until = since + 1 + chance.randrange(trace.end - since)
    if len(trace.lines) > PATH_LINES:
        until = min(until, since + 1 + trace.end // 1000)
    path = Path(trace)
    if path.end(t, since, until) == since:
        return
    path.walk(t, since, path.end(t, since, until))
    if len(path.out) > PATH_MOST:
        return
    got = asker.table(f't"{t.label}"<Enter>:range {since}ns..{until}ns<Enter>BB', [])
    if got is None:
        return
    mine = []
    for left, name, state, ns, *_ in got:
        left, ns = int(left), int(ns)
        if mine and mine[-1][0] == left + ns and mine[-1][2:] == [name, state]:
            mine[-1][0] = left
        else:
            mine.append([left, left + ns, name, state])
    if mine != path.out:
        pair = next(((x, y) for x, y in zip(mine, path.out) if x != y), (len(mine), len(path.out)))
        asker.fault(f"the critical path of {t.label} from {since} to {until}: {pair[0]} instead of {pair[1]}")


def check(fxtop, path, say, large=False, turns=2):
    status, text, _ = run(fxtop, "--export=ndjson", path)
    if status != 0:
        return True
    if text.count("\n") > LINES_MOST and not large:
        return True
    trace = Tables(text, Records(fxtop, path))
    if trace.damaged or trace.end == 0 or trace.end > 1 << 53:
        return True
    if not all(plain(line.get(field, "x")) for line in trace.lines for field in ("name", "message", "series")):
        return True
    chance, asker = random.Random(trace.end), Asker(fxtop, path, say)
    _, summary, _ = run(fxtop, "--summary", path)
    trace.blocked = "blocked" if re.search("^records:.* thread_wakeup", summary, re.M) else "not running"
    for turn in range(turns):
        since, until, options, name = 0, trace.end, [], None
        if turn > 0:
            since = chance.randrange(trace.end)
            until = since + 1 + chance.randrange(trace.end - since)
            options = [f"--range={since}ns..{until}ns"]
            name = chance.choice(trace.slices)["name"] if trace.slices and chance.randrange(2) else None
        check_tabs(asker, trace, since, until, options)
        if trace.consistent or not any("damaged" in line for line in trace.lines):
            check_wakeups(asker, trace, since, until, options)
        check_folded(asker, trace, since, until, options, name)
        paths = paths_of(trace, since, until)
        sampled = counts_samples(trace)
        print_weight = "{:,}".format if sampled else duration
        check_sandwich(asker, paths, options, chance, print_weight, sampled)
        check_frames(asker, paths, options, chance, print_weight, sampled)
    if trace.whole:
        check_compare(asker, trace, chance)
    check_path(asker, trace, chance)
    return asker.good


# ---- traces by chance ----


class Maker:
    """The text of a trace: slices that nest and that do not, operations, counters, flows, logs and scheduling."""

    def __init__(self, chance):
        self.chance, self.lines, self.t = chance, ["magic", 'provider 1 "p"', "init 1000000000"], 1
        self.open, self.running, self.state, self.flows, self.operations = {}, {}, {}, {}, {}
        self.threads, self.cpus = 2 + chance.randrange(4), chance.randrange(4)
        for k in range(self.threads):
            if chance.randrange(3):
                self.lines.append(f'kernel_object 2 {10 + k} "t{k}" process=koid:{1 + k % 2}')
        for k in range(self.cpus): # its idle thread
            self.lines.append(f'kernel_object 2 {100 + k} "idle" process=koid:3')

    def below(self, n):
        return self.chance.randrange(n)

    def thread(self):
        k = self.below(self.threads)
        return f"{1 + k % 2}/{10 + k}"

    def event(self):
        kinds = [self.complete, self.complete, self.begin, self.begin, self.end, self.instant, self.counter, self.log,
                 self.operation, self.flow] + ([self.switch, self.switch, self.wakeup] * 3 if self.cpus else [])
        self.chance.choice(kinds)()
        self.t += self.below(25)

    def complete(self):
        dur = 0 if self.below(5) == 0 else self.below(120)
        self.lines.append(f'complete {self.t} {self.thread()} "c" "n{self.below(5)}" end={self.t + dur}')

    def begin(self):
        thread, name = self.thread(), f"n{self.below(5)}"
        self.open.setdefault(thread, []).append(name)
        self.lines.append(f'begin {self.t} {thread} "c" "{name}"')

    def end(self):
        thread = self.thread()
        if self.open.get(thread):
            self.lines.append(f'end {self.t} {thread} "c" "{self.open[thread].pop()}"')

    def instant(self):
        self.lines.append(f'instant {self.t} {self.thread()} "c" "i"')

    def counter(self):
        big = (1 << 63) - 1 - self.below(9)
        value = self.chance.choice(["i64:%d" % (self.below(50) - 20), "f64:%d.5" % self.below(9), "f64:nan"] +
                                   ["i64:%d" % big, "i64:%d" % -big, "u64:%d" % (2 * big)])
        self.lines.append(f'counter {self.t} 1/10 "c" "level" value={value} id={self.below(2)}')

    def log(self):
        self.lines.append(f'log {self.t} {self.thread()} "took {self.below(9)} of {self.below(3)} {"ab"[self.below(2)]}"')

    def operation(self):
        ident, thread = self.below(4), self.thread()
        if ident in self.operations:
            owner, name = self.operations.pop(ident)
            self.lines.append(f'async_end {self.t} {owner} "c" "{name}" id={ident}')
        else:
            self.operations[ident] = thread, f"o{self.below(3)}"
            self.lines.append(f'async_begin {self.t} {thread} "c" "o{self.operations[ident][1][1:]}" id={ident}')

    def flow(self):
        ident = self.below(3)
        kind = "flow_begin"
        if ident in self.flows:
            kind = self.chance.choice(["flow_step", "flow_end"])
        elif self.below(9) == 0:
            kind = "flow_step"
        self.lines.append(f'{kind} {self.t} {self.thread()} "c" "f{ident % 2}" id={ident}')
        if kind == "flow_end":
            del self.flows[ident]
        else:
            self.flows[ident] = True

    def switch(self):
        cpu = self.below(self.cpus)
        out, state = self.running.get(cpu, 100 + cpu), self.chance.choice([1, 3, 3, 3, 2, 5 if self.below(4) == 0 else 3, 4])
        free = [10 + k for k in range(self.threads) if 10 + k not in self.running.values()]
        into = self.chance.choice(free) if free and self.below(3) else 100 + cpu
        if into == out:
            return
        self.t += 1
        weights = f" outgoing_weight=i32:{IDLE_WEIGHT if out >= 100 else 5}"
        weights += f" incoming_weight=i32:{IDLE_WEIGHT if into >= 100 else 5}"
        self.lines.append(f"switch {self.t} {cpu} {out} {1 if out >= 100 else state} {into}{weights}")
        self.running[cpu] = into
        self.t += 1

    def wakeup(self):
        free = [10 + k for k in range(self.threads) if 10 + k not in self.running.values()]
        if free:
            waker = f" waker=koid:{10 + self.below(self.threads)}" if self.below(3) else ""
            self.t += 1
            self.lines.append(f"wakeup {self.t} {self.below(self.cpus)} {self.chance.choice(free)}{waker}")
            self.t += 1

    def damage(self):
        """A switch or a wakeup gets a far time, which those of its CPU before and after it contradict."""
        at = [i for i, line in enumerate(self.lines) if line.startswith(("switch", "wakeup"))]
        cpus = [self.lines[i].split(" ")[2] for i in at]
        at = [i for k, i in enumerate(at) if cpus[k] in cpus[:k] and cpus[k] in cpus[k + 1:]]
        for i in self.chance.sample(at, min(len(at), 1)):
            kind, _, rest = self.lines[i].split(" ", 2)
            self.lines[i] = f"{kind} {10**12 + self.below(10**12)} {rest}"

    def text(self, events):
        self.instant() # the first thread of a CPU ran before its first switch (SEMANTICS 10.3)
        for _ in range(events):
            self.event()
        if self.cpus and events > 40 and self.below(2):
            self.damage()
        self.t += 1
        self.instant() # the span has an end that is exported
        return "\n".join(self.lines) + "\n"


def check_random(number, seed, fxtop, mktrace, keep):
    chance = random.Random(f"{seed} {number}")
    text = os.path.join(keep, f"random_{seed}_{number}.txt")
    trace = text[:-4] + ".fxt"
    with open(text, "w", encoding="utf-8") as file:
        file.write(Maker(chance).text(5 + chance.randrange(120)))
    subprocess.run([mktrace, text, trace], check=True)
    faults = []
    check(fxtop, trace, lambda what: faults.append(f"FAIL {seed} {number}: {what}"))
    os.unlink(trace)
    os.unlink(text)
    return faults


def main():
    args, passed, failed = sys.argv[1:], 0, 0
    with tempfile.TemporaryDirectory() as keep, ThreadPoolExecutor(os.cpu_count()) as pool:
        if args[0] == "--random":
            jobs = [pool.submit(check_random, k, args[2], args[3], args[4], keep) for k in range(int(args[1]))]
        else:
            large, args = args[0] == "--large", args[args[0] == "--large":]
            def job(path):
                faults = []
                check(args[0], path, lambda what: faults.append(f"FAIL {path}: {what}"), large)
                return faults
            jobs = [pool.submit(job, path) for path in args[1:]]
        for one in jobs:
            faults = one.result()
            print("\n".join(faults), end="\n" if faults else "")
            passed, failed = passed + (not faults), failed + bool(faults)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
