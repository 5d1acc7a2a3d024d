#!/usr/bin/env python3
"""check_top.py FXTOP TRACE... - computes --top, --instances and --range from the ndjson export, and compares.

It knows nothing of fxtop but its export: covered time is the union of intervals, self time belongs to the last slice by
id that covers, percentiles are the nearest rank of sorted lists. Traces with unset times are left out. Prints
a line a difference, then "N passed, N failed"; the exit status is 1 if one failed."""
import bisect
import csv
import heapq
import io
import json
import random
import re
import sys

sys.dont_write_bytecode = True  # of runs.py, which is in the source tree
import runs

TOP = ("name,count,open,total_ns,self_ns,min_ns,avg_ns,p50_ns,p90_ns,p95_ns,p99_ns,max_ns,share,running_ns,"
       "samples,about_self_ns,self_samples,off_cpu_ns")
INSTANCES = ("name,pid,tid,thread,ts_ns,dur_ns,open,self_ns,depth,running_ns,runnable_ns,blocked_ns,other_ns,args,"
             "offset,samples,about_self_ns")
EVENTS_MOST = 150000  # of a trace; larger ones would take minutes here


def run(*args):
    done = runs.run(*args)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace")


def thread_of(line):
    return line.get("pid"), line.get("tid"), line.get("thread"), line.get("provider")


def rows_of(text, header):
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows and ",".join(rows[0]) == header, rows[:1]
    return rows[1:]


def shown(name):
    """A text as CSV prints it: formulas get an apostrophe; controls are spelled out, which is not repeated here."""
    return "'" + name if name and name[0] in "=+-@" else name


LAST_TICK = (1 << 64) - 1
UNITS = {"ns": 1, "µs": 1000, "ms": 10 ** 6, "s": 10 ** 9, "d": 86400 * 10 ** 9}


def by_thread(slices):
    threads = {}
    for s in slices:
        threads.setdefault(thread_of(s), []).append(s)
    return threads


class Records:
    """What the export does not say of the records."""

    def __init__(self, fxtop, path):
        _, text, _ = run(fxtop, "--records", path)
        _, summary, _ = run(fxtop, "--summary", path)
        rate = re.search(r"^0x\S+ [0-9]+ init ticks_per_second=([1-9][0-9]*)", text, re.M)
        rate = int(rate[1]) if rate else 10 ** 9

        def ns(ticks):
            return int(ticks) * 10 ** 9 // rate

        events = re.findall(r"^0x([0-9a-f]+) [0-9]+ (\S+) .*?timestamp=([0-9]+)(?: end=([0-9]+))?", text, re.M)
        # of threads with a number: (pid, tid), kind, time
        self.on_threads = [((int(pid), int(tid)), kind, ns(t)) for kind, pid, tid, t in re.findall(
            r"^0x\S+ [0-9]+ (\S+) thread=([0-9]+)/([0-9]+) .*?timestamp=([0-9]+)", text, re.M)]
        # complete events that have no known end (SEMANTICS 6.13)
        self.endless = {int(at, 16) for at, kind, _, end in events
                        if kind == "duration_complete" and end == str(LAST_TICK)}
        self.json = re.search(r" source:[0-9]+$", text, re.M) is not None
        self.switches = [(ns(t), kind, {key: int(value) for key, value in re.findall(r"(\S+)=([0-9]+)(?= |$)", rest)})
                         for kind, t, rest in re.findall(
                             r"^0x\S+ [0-9]+ (context_switch|thread_wakeup) (?=.*?timestamp=([0-9]+))(.*)", text, re.M)]
        self.times = {ns(t) for _, _, *times in events for t in times if t and int(t) < LAST_TICK}
        self.span = re.search(r"^span: ([0-9.]+) (ns|µs|ms|s|d)\b", summary, re.M)

    def end(self, origin):
        """The last time that is not damaged: the summary rounds it to a few digits. 0: it is too far."""
        if not self.span:
            return 0
        size = UNITS[self.span[2]]
        last = size / 10 ** len(self.span[1].partition(".")[2])
        return max([t - origin for t in self.times if abs(t - origin - float(self.span[1]) * size) <= last / 2], default=0)


class Trace:
    def __init__(self, text, records):
        self.lines = [json.loads(line) for line in text.splitlines()]
        self.raw = text.splitlines()
        kinds = {line["kind"] for line in self.lines if line["type"] == "problem"}
        self.unset = "unset_time" in kinds
        self.end = self.lines[0].get("span_ns", 0)
        if "damaged_time" in kinds:
            self.end = records.end(self.lines[0]["origin_ns"])
        self.all_slices = [line for line in self.lines if line["type"] == "slice"]
        self.states, self.ends, ran = {}, {}, set()
        for line in self.lines:
            if line["type"] == "state":
                self.states.setdefault(thread_of(line), []).append(line)
                if line["state"] in ("dying", "dead") and "damaged" not in line:
                    self.ends.setdefault(thread_of(line), []).append((line["ts"], line["state"]))
            if line["type"] == "sched":
                ran.add(thread_of(line))
                if line.get("end_state") in ("dying", "dead") and "damaged" not in line:
                    self.ends.setdefault(thread_of(line), []).append((line["ts"] + line["dur"], line["end_state"]))
        for thread in set(self.states) - ran: # a wakeup alone says nothing
            if all(state["state"] == "runnable" for state in self.states[thread]):
                del self.states[thread]
        self.begins = {thread: [state["ts"] for state in states] for thread, states in self.states.items()}
        for s in self.all_slices:
            s["end"] = s["ts"] + s["dur"] if s["dur"] is not None else self.life_end(thread_of(s), s["ts"])
        for slices in by_thread(self.all_slices).values():
            by_id = {s["id"]: s for s in slices}
            slices = [by_id[n] for n in sorted(by_id)]
            for s, after in zip(slices, slices[1:] + [None]):
                if s["dur"] is None and s["offset"] in records.endless:
                    around = by_id.get(s.get("parent"))
                    bounds = [after["ts"]] if after else []
                    bounds += [around["end"]] if around and around["dur"] is not None else []
                    s["end"] = min(bounds or [s["end"]])
                    s["bounded"] = bool(bounds)
        self.slices = [s for s in self.all_slices if "damaged" not in s] # which are in no sum
        # of threads whose slices are frames of a profiler: the time of each sample, and the slices that it is in
        self.samples, by_id = {}, {s["id"]: s for s in self.all_slices}
        # and of each blocked one, when its thread ran again or was dead
        self.blocked, sampled = {}, {}
        for line in self.lines:
            if line["type"] == "object" and line["kind"] == "thread":
                ids = {a["name"]: a["value"] for a in line.get("args", []) if a["type"] == "koid"}
                if "thread" in ids:
                    sampled[line["koid"]] = ids["process"], ids["thread"]
        for line in self.lines:
            if line["type"] == "instant" and line.get("cat") == "sampled" and line["name"] in ("sample", "blocked"):
                frames, at = [], line.get("slice")
                while at is not None:
                    frames.append(at)
                    at = by_id[at].get("parent")
                self.samples.setdefault(thread_of(line), [])
                if line["name"] == "sample":
                    self.samples[thread_of(line)].append((line["ts"], frames))
                else:
                    of = sampled.get(line["tid"], (line.get("pid"), line["tid"]))
                    ends = [state["ts"] for thread, states in self.states.items() if thread[:2] == of
                            for state in states if state["ts"] >= line["ts"] and state["state"] in ("running", "dead")]
                    self.blocked.setdefault(thread_of(line), []).append((line["ts"], frames, min(ends, default=self.end)))
        for thread, blocked in self.blocked.items():
            times = sorted([ts for ts, _ in self.samples[thread]] + [ts for ts, *_ in blocked])
            for i, (ts, frames, end) in enumerate(blocked):
                after = bisect.bisect(times, ts)
                blocked[i] = ts, frames, min(end, times[after] if after < len(times) else self.end)

    def life_end(self, thread, begun):
        runs = [state["ts"] for state in self.states.get(thread, []) if state["state"] == "running"]
        for ts, state in sorted(self.ends.get(thread, [])):
            if ts >= begun and (state == "dead" or not any(run >= ts for run in runs)):
                return ts
        return self.end

    def selves(self, since, until):
        """Self time by id, of the part in [since, until)."""
        out = {}
        for slices in by_thread(self.slices).values():
            edges = sorted({min(max(t, since), until) for s in slices for t in (s["ts"], s["end"])})
            order = sorted(slices, key=lambda s: s["ts"])
            at, heap = 0, []
            for left, right in zip(edges, edges[1:]):
                while at < len(order) and order[at]["ts"] <= left:
                    heapq.heappush(heap, (-order[at]["id"], order[at]["end"]))
                    at += 1
                while heap and heap[0][1] <= left:
                    heapq.heappop(heap)
                if heap:
                    out[-heap[0][0]] = out.get(-heap[0][0], 0) + right - left
        return out


def union(parts):
    out = []
    for left, right in sorted(parts):
        if out and left <= out[-1][1]:
            out[-1][1] = max(out[-1][1], right)
        elif left < right:
            out.append([left, right])
    return out


def overlap(a, b):
    """Common time of two lists of intervals, each in order and apart."""
    total = at = 0
    for left, right in a:
        while at < len(b) and b[at][1] <= left:
            at += 1
        k = at
        while k < len(b) and b[k][0] < right:
            total += max(0, min(right, b[k][1]) - max(left, b[k][0]))
            k += 1
    return total


def rank(values, percent):
    return values[-(-len(values) * percent // 100) - 1]


def overlaps(trace, line, since, until):
    if "ts" not in line and line["type"] != "flow":
        return True
    if line["type"] in ("blob", "module"):
        return True
    if line["type"] == "flow":
        left, right = line["points"][0]["ts"], line["points"][-1]["ts"]
    else:
        left = line["ts"]
        dur = line.get("damaged_dur", line.get("dur"))
        right = left + (dur if dur is not None else float("inf") if "dur" in line else 0)
        right = line["end"] if line.get("bounded") else right
    before = left < until or (until >= trace.end and left == until)
    return before and (right > since or left >= since)


def lasts(trace, s, since, until):
    """Whether a slice is in the range for sums: an open one lasts as long as its thread does."""
    return overlaps(trace, s | {"dur": s["end"] - s["ts"]}, since, until)


def samples_in(trace, slices, since, until):
    """How many samples of the range are in one of the slices."""
    wanted, n = {}, 0
    for s in slices:
        wanted.setdefault(thread_of(s), set()).add(s["id"])
    for thread, ids in wanted.items():
        n += sum((since <= ts < until or ts == until == trace.end) and not ids.isdisjoint(frames)
                 for ts, frames in trace.samples[thread])
    return n


def self_samples(trace, slices, since, until):
    """How many samples of the range have one of the slices as their innermost."""
    wanted = {s["id"] for s in slices}
    return sum((since <= ts < until or ts == until == trace.end) and bool(frames) and frames[0] in wanted
               for samples in trace.samples.values() for ts, frames in samples)


def off_cpu(trace, slices, since, until):
    """The time of the range in which blocked samples in one of the slices lasted."""
    wanted = {s["id"] for s in slices}
    return sum(max(0, min(end, until) - max(ts, since))
               for blocked in trace.blocked.values() for ts, frames, end in blocked if not wanted.isdisjoint(frames))


def wanted_top(trace, since, until, name):
    rows, selves = {}, trace.selves(since, until)
    for s in trace.slices:
        if (name is None or s["name"] == name) and lasts(trace, s, since, until):
            rows.setdefault((s["name"], thread_of(s) in trace.samples), []).append(s)
    out = {}
    for (key, sampled), slices in rows.items():
        if sampled:
            own = sum(selves.get(s["id"], 0) for s in slices)
            out[shown(key), True] = [""] * 11, "", [
                str(samples_in(trace, slices, since, until)), str(own), str(self_samples(trace, slices, since, until)),
                str(off_cpu(trace, slices, since, until))]
            continue
        total = running = 0
        scheduled = False
        own = {}
        for s in slices:
            own.setdefault(thread_of(s), []).append([max(s["ts"], since), min(s["end"], until)])
        for thread, stretches in own.items():
            parts = union(stretches)
            runs = [[r["ts"], r["ts"] + r["dur"] if r["dur"] is not None else trace.end]
                    for r in trace.states.get(thread, []) if r["state"] == "running" and "damaged" not in r]
            total += sum(right - left for left, right in parts)
            running += overlap(parts, runs)
            scheduled = scheduled or thread in trace.states
        ended = sorted(s["dur"] for s in slices if s["dur"] is not None)
        row = [len(slices), len(slices) - len(ended), total, sum(selves.get(s["id"], 0) for s in slices)]
        if ended:
            average = (2 * sum(ended) + len(ended)) // (2 * len(ended))
            row += [ended[0], average] + [rank(ended, p) for p in (50, 90, 95, 99)] + [ended[-1]]
        else:
            row += [""] * 7
        out[shown(key), False] = [str(x) for x in row], str(running) if scheduled else "", [""] * 4
    return out


def check_top(fxtop, path, trace, since, until, name, options, say):
    status, text, error = run(fxtop, "--top", "--format=csv", "--by=self", *options, path)
    if status != 0:
        return say(f"--top {options}: status {status} {error}")
    got, wanted = rows_of(text, TOP), wanted_top(trace, since, until, name)
    names = sorted((row[0], row[14] != "") for row in got)
    if names != sorted(wanted):
        return say(f"--top {options}: names {names[:5]} instead of {sorted(wanted)[:5]}")
    if "'" not in text and got != sorted(got, key=lambda row: (
            row[14] != "", -int(row[4] or 0), -int(row[14] or 0), row[0].encode())):
        return say(f"--top {options}: not in order")
    for row in got:
        numbers, running, sampled = wanted[row[0], row[14] != ""]
        if row[1:12] != numbers or row[13] not in (running, "" if running == "0" else running) or row[14:] != sampled:
            return say(f"--top {options}: {row} instead of {numbers} {running} {sampled}")
    if not options: # selves are all the covered time
        covered = sum(right - left for slices in by_thread(trace.slices).values()
                      for left, right in union([s["ts"], s["end"]] for s in slices))
        if covered != sum(int(row[4] or row[15]) for row in got):
            return say("selves do not add up to the covered time")
    return True


def wanted_instances(trace, since, until, name):
    out, selves = [], trace.selves(-1, 1 << 62)
    for s in trace.slices:
        if s["name"] != name or not lasts(trace, s, since, until):
            continue
        states = trace.states.get(thread_of(s))
        times = {"running": 0, "runnable": 0, "blocked": 0}
        begins = trace.begins.get(thread_of(s), [])
        first, last = max(0, bisect.bisect_right(begins, s["ts"]) - 1), bisect.bisect_left(begins, s["end"])
        for state in (states or [])[first:last]:
            right = state["ts"] + state["dur"] if state["dur"] is not None else trace.end
            if state["state"] in times and "damaged" not in state:
                times[state["state"]] += max(0, min(right, s["end"]) - max(state["ts"], s["ts"]))
        dur = s["end"] - s["ts"]
        split = list(times.values()) if states else [""] * 3
        other = [dur - sum(times.values())] if states else [""]
        args = json.dumps(s["args"], separators=(",", ":"), ensure_ascii=False) if "args" in s else ""
        lengths, sampled = [dur, str(s["dur"] is None).lower(), selves.get(s["id"], 0)], ["", ""]
        if thread_of(s) in trace.samples:
            sampled = [samples_in(trace, [s], -1, 1 << 62), selves.get(s["id"], 0)]
            lengths, split, other = [""] * 3, [""] * 3, [""]
        out.append((-dur, s["ts"], [name, s.get("pid", ""), s.get("tid", ""), s["ts"]] + lengths + [s["depth"]] + split +
                    other + [args, s["offset"]] + sampled))
    return [[str(cell) for cell in row] for _, _, row in sorted(out, key=lambda one: one[:2])]


def check_instances(fxtop, path, trace, since, until, name, options, say):
    quoted = json.dumps(name, ensure_ascii=False)
    status, text, error = run(fxtop, f"--instances=name={quoted}", "--format=csv", *options, path)
    if status != 0:
        return say(f"--instances {options}: status {status} {error}")
    got = [row[:3] + row[4:] for row in rows_of(text, INSTANCES)]
    wanted = wanted_instances(trace, since, until, name)
    if [(row[4], row[3]) for row in got] != [(row[4], row[3]) for row in wanted]:
        return say(f"--instances={name} {options}: another order, {len(got)} rows instead of {len(wanted)}")
    for row in got:
        row[12] = json.dumps(json.loads(row[12]), separators=(",", ":"), ensure_ascii=False) if row[12] else ""
    if sorted(got) != sorted(wanted):
        differ = [pair for pair in zip(sorted(got), sorted(wanted)) if pair[0] != pair[1]]
        return say(f"--instances={name} {options}: {differ[0]}")
    return True


def check_range(fxtop, path, trace, since, until, options, say):
    status, text, error = run(fxtop, "--export=ndjson", *options, path)
    wanted = [raw for raw, line in zip(trace.raw, trace.lines)
              if line["type"] != "end" and overlaps(trace, line, since, until)]
    wanted.append('{"type":"end","lines":%d}' % (len(wanted) + 1))
    if status != 0 or text.splitlines() != wanted:
        return say(f"--export=ndjson {options}: {len(text.splitlines())} lines instead of {len(wanted)} {error}")
    return True


def plain(name):
    return all(" " <= c <= "~" for c in name) and '"' not in name and "\\" not in name and name


def check(fxtop, path, say):
    status, text, _ = run(fxtop, "--export=ndjson", path)
    if status != 0:
        return True
    trace = Trace(text, Records(fxtop, path))
    if trace.unset or len(trace.lines) > EVENTS_MOST or trace.end == 0 or trace.end > 1 << 53:
        return True
    if not all(plain(s["name"]) for s in trace.slices):
        return True
    chance, good = random.Random(trace.end), True
    names = sorted({s["name"] for s in trace.slices})
    for turn in range(4):
        since, until = 0, trace.end
        options, name = [], None
        if turn > 0:
            since = chance.randrange(trace.end)
            until = since + 1 + chance.randrange(trace.end - since)
            options = [f"--range={since}ns..{until}ns"]
            good = check_range(fxtop, path, trace, since, until, options, say) and good
        if names:
            some = chance.choice(names)
            good = check_instances(fxtop, path, trace, since, until, some, options, say) and good
        if turn == 3 and names:
            name = chance.choice(names)
            options = options + [f'--filter=name="{name}"']
            if name.lower() == name and any(other != name and other.lower() == name for other in names):
                continue # smart case: it is the name of more than one
        good = check_top(fxtop, path, trace, since, until, name, options, say) and good
    return good


def main():
    passed = failed = 0
    for path in sys.argv[2:]:
        if check(sys.argv[1], path, lambda what, at=path: print(f"FAIL {at}: {what}") is not None):
            passed += 1
        else:
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
