#!/usr/bin/env python3
"""check_sql.py FXTOP TRACE...: each table of --query held against the ndjson export, column by column.

The rules are those of doc/QUERIES.md, read once more in a few lines each. Prints a line for each difference, and
N passed, N failed last; a trace that cannot be opened counts as passed if --query says so, too."""
import collections
import json
import math
import subprocess
import sys

sys.dont_write_bytecode = True  # of runs.py, which is in the source tree
import runs

MOST = (1 << 63) - 1
fxtop = sys.argv[1]
passed = failed = 0


def run(*args):
    return runs.run(fxtop, *args)


def rows(trace, sql):
    r = run("--query", sql, "--format=ndjson", "--query-memory=4g", trace)
    if r.returncode != 0:
        raise ValueError(r.stderr.decode("utf-8", "replace").strip().split("\n")[-1])
    return [tuple(json.loads(line).values()) for line in r.stdout.decode().split("\n") if line]


def signed(n):
    return None if n is None else (n + (1 << 63)) % (1 << 64) - (1 << 63)


def order(row):
    return [(v is not None, type(v) is str, v if type(v) in (int, float) else 0, str(v)) for v in row]


def held(trace, what, sql, wanted):
    """Rows as bags."""
    global passed, failed
    try:
        got = sorted(rows(trace, sql), key=order)
    except (ValueError, subprocess.TimeoutExpired) as e:
        print(f"{trace}: {what}: {e}")
        failed += 1
        return
    wanted = sorted((tuple(w) for w in wanted), key=order)
    if got == wanted:
        passed += 1
        return
    failed += 1
    print(f"{trace}: {what}: {len(got)} rows, wanted {len(wanted)}")
    both = [(g, w) for g, w in zip(got, wanted) if g != w]
    for g, w in both[:2]:
        print("   got   ", g, "\n   wanted", w)


STATES = {"new": "R", "runnable": "R", "suspended": "T", "blocked": "S", "dying": "Z", "dead": "X", "running": "Running"}
SPLIT = ("int32", "uint32", "int64", "uint64", "koid")


def argument(a):
    """type, int, string, real, display of one argument."""
    t, v = a["type"], a.get("value")
    if t in SPLIT:
        return "int", signed(v), None, None, str(signed(v))
    if t == "bool":
        return "bool", int(v), None, None, "true" if v else "false"
    if t == "pointer":
        return "pointer", signed(int(v, 16)), None, None, v
    if t == "double":
        x = {"NaN": None, "Infinity": "Infinity", "-Infinity": "-Infinity"}.get(v, v) if type(v) is str else float(v)
        return "real", None, None, x, None
    if t == "string":
        return "string", None, v, None, v
    text = "null" if t == "null" else "unknown"
    return "string", None, text, None, text


def merged(line):
    last = {}
    for a in line.get("args", []) + line.get("end_args", []):
        last.pop(a["name"], None)
        last[a["name"]] = a
    return last


def spread(name, flat, value, out):
    """The values of JSON by their names: (key, flat key, type, int, string, real, display)."""
    if isinstance(value, dict):
        for k, v in value.items():
            spread(f"{name}.{k}", f"{flat}.{k}", v, out)
    elif isinstance(value, list):
        for i, v in enumerate(value):
            spread(f"{name}[{i}]", flat, v, out)
    elif value is not None:
        kind = ("bool" if isinstance(value, bool) else "int" if isinstance(value, int) and abs(value) <= MOST else
                "string" if isinstance(value, str) else "double")
        value = float(value) if kind == "double" else value
        out.append((name, flat, *argument({"type": "int64" if kind == "int" else kind, "value": value})))


def arguments(line, js):
    """The rows of args of a slice: of JSON those that Perfetto has."""
    out = []
    for name, a in merged(line).items():
        key = f"args.{name}" if js else name
        if js and (name in ("tts", "tdur") or a["type"] == "null"):
            continue
        text = a.get("value")
        if js and a["type"] == "string" and text[:1] in ("{", "["):
            try:
                spread(key, key, json.loads(text), out)
                continue
            except ValueError:
                pass
        out.append((key, key, *argument(a)))
    return out


def thread_time(line):
    """thread_ts and thread_dur of a slice of JSON."""
    def of(args, name):
        found = [a["value"] for a in line.get(args, []) if a["name"] == name]
        return found[0] if found and type(found[0]) in (int, float) else None

    begin, dur, end = of("args", "tts"), of("args", "tdur"), of("end_args", "tts")
    dur = end - begin if dur is None and begin is not None and end is not None else dur
    return tuple(None if x is None else round(x * 1000) for x in (begin, dur))


# Each select finds rows that break a rule.
RULES = {
    "columns of slice": "select id from slice where slice_id is not id or cat is not category or "
                        "(arg_set_id is not null and arg_set_id <> id)",
    "reals of args": "select id from args where value_type = 'real' and display_value is not cast(real_value as text)",
    "ids of slice": "select id from slice group by id having count(*) > 1",
    "tracks of slice": "select s.id from slice s left join track t on t.id = s.track_id where t.id is null",
    "tracks": "select id, type, name from track except select * from (select id, type, name from thread_track union all select "
              "id, type, name from process_track union all select id, type, name from counter_track) except select id, type, "
              "name from track where type = 'legacy_instant'",
    "tracks of counters": "select id, name, type from counter_track except select id, name, type from process_counter_track",
    "columns of sched": "select id from sched where ucpu is not cpu or (dur >= 0 and ts_end - dur is not ts and ts_end < "
                        "9223372036854775807)",
    "columns of thread_state": "select id from thread_state where ucpu is not cpu or (state <> 'W') <> (waker_utid is null)",
    "bounds": "select 1 from (select min(ts) a, max(ts + min(max(dur, 0), 9223372036854775807 - ts)) b from (select ts, dur "
              "from slice union all select ts, 0 from counter union all select ts, dur from sched union all select ts, dur "
              "from thread_state)), trace_bounds where a is not null and (a, b) <> (start_ts, end_ts)",
    "flow_hop": "select slice_out, slice_in from flow_hop except select slice_out, slice_in from flow",
    "cpu": "select cpu from sched except select cpu from cpu where id = cpu and ucpu = cpu",
    "stats": "select name, key, value, severity = 'info', description from stats except select kind, kind, count, note, "
             "message from problem",
    "instants": "select ts, track_id, name from instant except select ts, track_id, name from slice where dur = 0",
    "aliases": "select (select count(*) from slices) - (select count(*) from slice) x where x <> 0 union all select (select "
               "count(*) from counters) - (select count(*) from counter) x where x <> 0 union all select (select count(*) from "
               "sched_slice) - (select count(*) from sched) x where x <> 0",
}


def check(trace):
    global passed, failed
    export = run("--export=ndjson", trace)
    if export.returncode != 0:
        if run("--query", "select 1", trace).returncode == 0:
            print(f"{trace}: --export fails and --query does not")
            failed += 1
        else:
            passed += 1
        return
    lines = {}
    for text in export.stdout.decode().split("\n"):
        if text:
            line = json.loads(text)
            lines.setdefault(line["type"], []).append(line)
    head = lines["trace"][0]
    origin = head.get("origin_ns", 0)

    js = head.get("made_from") == "Chrome JSON"

    def cat(line):
        return line["cat"] or (None if js else "")

    def counter(c):
        name, number = c["name"], c.get("id", 0)
        return (name + (f" id: {number}" if number else "") + f" {c['series']}") if js else f"{name}:{c['series']}:{number}"

    def bare(line):
        return not any(not js or (name not in ("tts", "tdur") and a["type"] != "null") for name, a in merged(line).items())

    def ts(line):
        return min(MOST, min(MOST, origin) + line["ts"]) if "ts" in line else None

    def dur(line):
        if line.get("damaged"):
            return None
        return -1 if line.get("dur") is None else line["dur"]

    def arrows(flow):
        """From the begin or the last step in a slice; to no end after the first, unless JSON lets flows go on (SEMANTICS
        7.3). Points in no slice are passed over."""
        source, ended, out = None, None, []
        for point in flow["points"]:
            end = point["kind"] == "end"
            if (not end or ended is None or js or point["ts"] == ended) and source and "damaged" not in point:
                out.append((source, point))
            ended = point["ts"] if end and ended is None else ended
            source = source if end or "slice" not in point else None if "damaged" in point else point
        return out

    def who(line):
        return signed(line.get("pid")), signed(line.get("tid")), line.get("thread")

    owner = ("(select p.pid from process p where p.upid = t.upid), t.tid, iif(t.tid is null, t.name, null)")
    slices = {s["id"]: s for s in lines.get("slice", [])}
    want = []
    for s in slices.values():
        parent = slices[s["parent"]]["offset"] if "parent" in s else None
        want.append((s["offset"], ts(s), dur(s), cat(s), s["name"], s["depth"], parent, int(bare(s)), *who(s)))
    for s in lines.get("instant", []):
        if js and s.get("scope") in ("process", "global"):
            continue
        parent = slices[s["slice"]] if "slice" in s else None
        want.append((s["offset"], ts(s), 0, cat(s), s["name"], parent["depth"] + 1 if parent else 0,
                     parent["offset"] if parent else None, int(bare(s)), *who(s)))
    held(trace, "slice on threads",
         f"select s.offset, s.ts, s.dur, s.category, s.name, s.depth, (select p.offset from slice p where p.id = "
         f"s.parent_id), s.arg_set_id is null, {owner} from slice s join thread_track tt on s.track_id = tt.id join thread t using (utid)", want)
    held(trace, "instants of processes", "select s.ts, s.name, p.pid from slice s join track t on t.id = s.track_id left "
         "join process_track pt on pt.id = t.id left join process p using (upid) where t.type = 'legacy_instant'",
         [(ts(s), s["name"], signed(s.get("pid")) if s["scope"] == "process" else None)
          for s in lines.get("instant", []) if js and s.get("scope") in ("process", "global")])
    held(trace, "thread times", "select offset, thread_ts, thread_dur from slice where thread_ts is not null or thread_dur is "
         "not null", [(s["offset"], *thread_time(s)) for s in slices.values() if js and thread_time(s) != (None, None)])
    held(trace, "async",
         "select s.offset, s.ts, s.dur, s.cat, s.name, s.depth from slice s join process_track t on s.track_id = t.id "
         "where t.type <> 'legacy_instant' and (s.end_offset is not null or s.dur is not 0)",
         [(s["offset"], ts(s), dur(s), cat(s), s["name"], s["depth"]) for s in lines.get("async", [])])
    held(trace, "async instants",
         "select s.offset, s.ts, s.dur, s.cat, s.name from slice s join process_track t on s.track_id = t.id "
         "where t.type <> 'legacy_instant' and s.end_offset is null and s.dur = 0",
         [(s["offset"], ts(s), 0, cat(s), s["name"]) for s in lines.get("async_instant", [])])
    want = []
    for kind in ("slice", "instant", "async", "async_instant"):
        for s in lines.get(kind, []):
            for key, flat, t, i, text, x, display in arguments(s, js):
                want.append((s["offset"], key, flat, i, text, x, t, None if t == "real" else display))
    held(trace, "args",
         "select s.offset, a.key, a.flat_key, a.int_value, a.string_value, a.real_value, a.value_type, "
         "iif(a.value_type = 'real', null, a.display_value) from slice s join args a using (arg_set_id)", want)

    def number(v):
        if type(v) is str:
            return {"NaN": None}.get(v, v)
        return float(v)

    held(trace, "counter",
         "select c.ts, t.name, c.value from counter c join counter_track t on c.track_id = t.id",
         [(ts(c), counter(c), number(c["value"])) for c in lines.get("counter", [])])
    held(trace, "counter by process",
         "select c.ts, t.name, p.pid from counter c join process_counter_track t on c.track_id = t.id left join process p "
         "using (upid)",
         [(ts(c), counter(c), signed(c.get("pid"))) for c in lines.get("counter", [])])
    doubted = any(p["kind"] in ("damaged_time", "unset_time") for p in lines.get("problem", [])) # in no bounds
    hops = []
    for f in lines.get("flow", []):
        for a, b in arrows(f) if f["state"] != "no_begin" else []:
            if "slice" not in a or "slice" not in b:
                continue
            a, b = slices[a["slice"]], slices[b["slice"]]
            a, b = (b, a) if a["ts"] > b["ts"] else (a, b)
            hops.append((a["offset"], b["offset"], signed(int(f["id"], 16))))
    held(trace, "flow",
         "select o.offset, i.offset as reached, f.trace_id from flow f join slice o on o.id = f.slice_out join slice i on i.id = "
         "f.slice_in", hops)
    rules = {what: broken for what, broken in RULES.items() if what != "bounds" or not doubted}
    held(trace, "rules", " union all ".join(f"select '{what}' from ({broken})" for what, broken in rules.items()), [])
    held(trace, "log",
         f"select l.offset, l.ts, l.msg, t.tid, (select offset from slice s where s.id = l.slice_id) from log l left join "
         f"thread t using (utid)",
         [(g["offset"], ts(g), g["message"], signed(g.get("tid")), slices[g["slice"]]["offset"] if "slice" in g else None)
          for g in lines.get("log", [])])
    held(trace, "process", "select pid, name from process where upid > 0 or name is not null",
         [(signed(p["pid"]), p.get("name")) for p in lines.get("process", []) if p["pid"] != 0 or "name" in p])
    held(trace, "thread",
         f"select {owner}, t.name, t.is_main_thread, t.is_idle from thread t",
         [(*who(t), t.get("name", t.get("thread")),
           int(t["pid"] == t["tid"]) if "pid" in t and "tid" in t else None, int(t.get("tid") == 0))
          for t in lines.get("thread", [])])
    held(trace, "object", "select koid, kind, name, pid, offset from object",
         [(signed(o["koid"]), str(o["kind"]), o["name"], signed(o.get("pid")), o["offset"])
          for o in lines.get("object", [])])
    held(trace, "userobject", "select pointer_text, name, pid, offset from userobject",
         [(o["pointer"], o["name"], signed(o.get("pid")), o["offset"]) for o in lines.get("userobject", [])])
    held(trace, "blob", "select name, category, kind, bytes, ts, offset from blob",
         [(b["name"], b.get("cat"), str(b["kind"]), b["bytes"], ts(b), b["offset"]) for b in lines.get("blob", [])])
    held(trace, "lost", "select provider, ts, records, bytes, offset from lost",
         [(x.get("provider"), ts(x), signed(x.get("records")), signed(x.get("bytes")), x["offset"]) for x in lines.get("lost", [])])
    held(trace, "provider", "select id, name from provider", [(p["id"], p["name"]) for p in lines.get("provider", [])])
    held(trace, "problem", "select kind, note, count, offset, message from problem",
         [(p["kind"], int(p.get("note", False)), p["count"], p["first_offset"], p["message"])
          for p in lines.get("problem", [])])
    held(trace, "metadata", "select int_value from metadata where name in ('trace_size_bytes', 'fxtop_records')",
         [(head["bytes"],), (head["records"],)])
    scheduling(trace, lines, ts, dur)


def priority(s):
    """A weight that is no integer is none, and none is 0."""
    weight = s.get("priority", s.get("weight"))
    return signed(weight) if type(weight) is int else 0


def scheduling(trace, lines, ts, dur):
    """Rows of idle threads and of what began before the first record are left out, so each row must be one of the
    export, and each line of the export a row unless it can be one of these."""
    global passed, failed
    runs = {}
    for s in lines.get("sched", []):
        runs.setdefault((ts(s), dur(s), s["cpu"], signed(s.get("tid"))), []).append(s)
    states = collections.Counter((ts(s), dur(s), signed(s.get("tid")), STATES.get(s["state"]))
                                 for s in lines.get("state", []))
    try:
        got = rows(trace, "select s.ts, s.dur, s.cpu, t.tid, s.end_state, s.priority from sched s left join thread t "
                          "using (utid)")
        got_states = rows(trace, "select s.ts, s.dur, t.tid, iif(s.state = 'W', 'R', s.state) from thread_state s left "
                                 "join thread t using (utid)")
    except ValueError as e:
        print(f"{trace}: sched: {e}")
        failed += 1
        return
    bad = []
    for g in got:
        found = [s for s in runs.get(g[:4], []) if (STATES.get(s.get("end_state")), priority(s)) == g[4:]]
        if found:
            runs[g[:4]].remove(found[0])
        else:
            bad.append((g, runs.get(g[:4])))
    left = [s for same in runs.values() for s in same if s.get("weight") != -2147483648 and not (s.get("pid", 0) == 0 and
            s.get("priority", 1) == 0)]
    first = {}
    for s in lines.get("sched", []):
        first.setdefault(s["cpu"], s["offset"])
    left = [s for s in left if s["offset"] != first[s["cpu"]]]
    if bad or left:
        failed += 1
        print(f"{trace}: sched: {len(bad)} rows that are no lines {bad[:1]}, {len(left)} lines that are no rows {left[:1]}")
    else:
        passed += 1
    for g in got_states:
        if states[g] > 0:
            states[g] -= 1
        else:
            failed += 1
            print(f"{trace}: thread_state: {g} is no line")
            return
    passed += 1


for path in sys.argv[2:]:
    check(path)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
