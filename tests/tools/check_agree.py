#!/usr/bin/env python3
"""check_agree.py FXTOP [--damage N SEED] TRACE... - two ways to one number agree, on any trace.

Numbers of slices by name are asked of --top, --instances, --summary, --query over slice and slice_name, dur_max(), the
ndjson export, --export=folded and views 2 and 3, and computed from the ndjson lines. Self times of slices are asked of
--top, --instances, a filter, the list of hits, --describe, the drawer and its children. --damage tries N copies of each
trace with bits flipped and times replaced. Prints a line a difference, then "N passed, N failed"."""
import csv
import io
import json
import os
import random
import re
import struct
import sys
import tempfile

sys.dont_write_bytecode = True  # of runs.py, which is in the source tree
import runs

os.environ["TZ"] = "UTC"

BYTES_MOST = 2 << 20  # of a trace
SLICES = ("select s.name, sum(s.dur), max(s.dur) from slice s join thread_track t on s.track_id = t.id "
          "where s.dur > 0 group by s.name")

SELVES = ("select s.name, sum(d.self_dur) from slice s join slice_self_dur d using (id) "
          "join thread_track t on s.track_id = t.id where s.dur <> 0 group by s.name")

DAMAGED = "select count(*) from slice s join thread_track t on s.track_id = t.id where s.damaged"


def run(*args):
    done = runs.run(*args)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode("utf-8", "replace")


def rows(text):
    return list(csv.reader(io.StringIO(text, newline="")))[1:]


def plain(name):
    """Whether all ways write the name alike: they escape controls and formulas."""
    return name and all(" " <= c <= "~" for c in name) and not set(name) & set("\"\\'^<") and name[0] not in "=+-@"


def number(text):
    return int(text.replace(",", ""))


UNITS = {"ns": 1, "µs": 1000, "ms": 10 ** 6, "s": 10 ** 9}


def is_shown(ns, text):
    """Whether a page may write the time so: three or four digits and a unit; "-" if finding it took too long."""
    shown = re.fullmatch(r"(\d+)(?:\.(\d+))? (ns|µs|ms|s)", text)
    if not shown:
        return True
    last = UNITS[shown[3]] / 10 ** len(shown[2] or "")
    return abs(float(text.split()[0]) * UNITS[shown[3]] - ns) <= last / 2


def check_selves(fxtop, path, name, instances, wrong):
    """instances: rows of --instances, all of one name."""
    selves = [int(r[7]) for r in instances]
    _, text, _ = run(fxtop, "--export=csv", "--no-session", f'--keys=/name="{name}"<Enter>z/', path)
    hits = [int(r[4]) for r in rows(text) if r[4]]
    if sorted(hits) != sorted(selves):
        wrong(f"hits: {name}: {sorted(hits)} are not the self times of --instances {sorted(selves)}")
    least = random.Random(path).choice(selves)
    _, text, _ = run(fxtop, f'--instances=name="{name}" self>={least}ns', "--format=csv", path)
    if len(rows(text)) != sum(x >= least for x in selves):
        wrong(f"self>={least}ns: {name}: {len(rows(text))} rows of {len(selves)}")
    asked = random.Random(path).choice(instances)
    _, text, _ = run(fxtop, f"--describe=@{asked[14]}", path)
    said = re.findall(r"^(.*) of it is in no slice inside it\.$|  self ([0-9].*?)(?:  |$)", text, re.M)
    _, text, _ = run(fxtop, f"--describe=@{asked[14]}", "--keys=<Tab>llll", path)
    if "\ncounting\n" in text:
        wrong(f"--describe: {name} at {asked[14]}: its children are not counted")
    if "children overlap in part" not in text:
        said += re.findall(r"^(self) (.*?)  ", text, re.M)
    for words in said:
        if not is_shown(int(asked[7]), words[1] or words[0]):
            wrong(f"self of {name} at {asked[14]}: {words} instead of {asked[7]}")


def owner(line):
    return line.get("pid"), line.get("tid"), line.get("thread")


def measured(lines):
    """Without the slices of a profiler's samples, which have no durations in tables; check_top.py counts their samples."""
    sampled = {owner(line) for line in lines if line["type"] == "instant" and line.get("cat") == "sampled" and line["name"] in ("sample", "blocked")}
    return [line for line in lines if line["type"] != "slice" or owner(line) not in sampled]


class Names:
    """By name: slices, ended ones, longest, shortest; from the lines of the ndjson export."""

    def __init__(self, lines):
        self.of, self.left_out, self.all, self.unset = {}, 0, 0, {}
        lines = list(lines)
        has_unset = any(line["type"] == "problem" and line["kind"] == "unset_time" for line in lines)
        self.states_left_out, self.most = 0, {"sched": 0, "state": 0}  # the longest
        for line in lines:
            self.states_left_out += line["type"] == "state" and "damaged" in line
            if line["type"] in self.most and line["dur"] is not None:
                self.most[line["type"]] = max(self.most[line["type"]], line["dur"])
            if line["type"] != "slice":
                continue
            self.left_out += "damaged" in line
            if "damaged" in line:
                continue
            name = self.of.setdefault(line["name"], [0, []])
            name[0] += 1
            self.all += 1
            if line["dur"] is not None:
                name[1].append(line["dur"])
            self.unset[line["name"]] = self.unset.get(line["name"], has_unset) and line["ts"] == 0

    def row(self, name):
        count, durs = self.of[name]
        return [str(count), str(len(durs)), str(max(durs)) if durs else "", str(min(durs)) if durs else ""]


def check(fxtop, path, say):
    status, text, error = run(fxtop, "--export=ndjson", path)
    if status != 0:
        return True
    lines = [json.loads(line) for line in text.split("\n") if line]
    every, names = Names(lines), Names(measured(lines))  # in tables of SQL and lists of threads, and in the others
    sampled = every.all > names.all
    wanted = {name: names.row(name) for name in names.of if plain(name)}
    good = True

    def wrong(what):
        nonlocal good
        good = not say(what)

    def same(way, got, wanted):
        nonlocal good
        for name in sorted(set(wanted) | set(got)):
            if plain(name) and wanted.get(name) != got.get(name):
                say(f"{way}: {name}: {got.get(name)} instead of {wanted.get(name)}")
                good = False
                return

    def same_sums(way, got):
        nonlocal good
        sums = {name: [str(sum(durs)), str(max(durs))] for name, (_, durs) in every.of.items() if plain(name) and any(durs)}
        if {name: row for name, row in got.items() if plain(name)} != sums and all(int(s[0]) < 1 << 62 for s in sums.values()):
            good = not say(f"{way}: {got} instead of {sums}")

    status, text, error = run(fxtop, "--top", "--format=csv", path)
    table = [r for r in rows(text) if r[14] == ""]
    top = {r[0]: [r[1], str(int(r[1]) - int(r[2])), r[11], r[5]] for r in table}
    same("--top", top, wanted)
    if ("left out" in error) != (names.left_out + names.states_left_out > 0):
        good = not say(f"--top: {names.left_out} slices, {names.states_left_out} states left out, but it says: {error}")
    covered = sum(int(r[4].lstrip(">=")) for r in table)
    selves = {}
    for r in rows(text):
        selves[r[0]] = selves.get(r[0], 0) + int((r[4] or r[15]).lstrip(">="))
    for r in table:
        if names.unset.get(r[0]) and not int(r[3].lstrip(">=")) == int(r[4].lstrip(">=")) == sum(names.of[r[0]][1]):
            good = not say(f"--top: {r[0]}: {r[3]} and {r[4]} are not the sum of unset slices {sum(names.of[r[0]][1])}")
    totals = {r[0]: [r[2], r[3].lstrip(">=")] for r in table if plain(r[0])}
    status, text, error = run(fxtop, "--query", "select name, count, most, least from slice_name", path)
    if status == 0:
        # Rows without a count are of samples, or of names of which all slices have a damaged time.
        same("slice_name", {r[0]: [r[1], top.get(r[0], ["", ""])[1], r[2], r[3]] for r in rows(text) if r[1]}, wanted)
        _, text, _ = run(fxtop, "--query", "select name, open, total, dur_total(name), dur_count(name) from slice_name "
                         "where count > 0", path)
        got = {r[0]: r[1:] for r in rows(text) if plain(r[0])}
        if got != {n: [*totals[n], totals[n][1], top[n][0]] for n in totals}:
            good = not say(f"slice_name: {got} instead of {totals}")
        _, text, error = run(fxtop, "--query", DAMAGED, path)
        if rows(text) != [[str(names.left_out)]] or (names.left_out > 0) != bool(
                re.search("with (an?)? ?(damaged|unset|damaged or unset) times? (is|are) ", error)):
            good = not say(f"damaged rows of slice: {text} instead of {names.left_out}, {error}")
        _, text, _ = run(fxtop, "--query", "select 'sched', max(dur) from sched union all "
                         "select 'state', max(dur) from thread_state", path)
        if any(r[1] and int(r[1]) > names.most[r[0]] for r in rows(text)):
            good = not say(f"sched, thread_state: {rows(text)} instead of {names.most}")
        _, text, _ = run(fxtop, "--query", SLICES, path)
        same_sums("slice", {r[0]: [r[1], r[2]] for r in rows(text)})
        _, text, _ = run(fxtop, "--query", SELVES, path)
        got = {r[0]: int(r[1]) for r in rows(text) if plain(r[0]) and r[1] not in ("", "0")}
        if got != {n: ns for n, ns in selves.items() if plain(n) and ns} and max(selves.values(), default=0) < 1 << 62:
            good = not say(f"slice_self_dur: {got} instead of {selves}")
    name = random.Random(path).choice(sorted(wanted)) if wanted else None
    if name:
        status, text, _ = run(fxtop, f'--instances=name="{name}"', "--format=csv", path)
        lengths = [int(r[5]) for r in rows(text) if r[6] == "false"]
        got = [str(len(rows(text))), str(len(lengths)), str(max(lengths)) if lengths else "",
               str(min(lengths)) if lengths else ""]
        exact = [n for n in names.of if n.lower() == name.lower()]
        if len(exact) == 1 and got != wanted[name]:
            good = not say(f"--instances: {name}: {got} instead of {wanted[name]}")
        if len(exact) == 1 and sum(int(r[7].lstrip(">=")) for r in rows(text)) != selves[name] < (1 << 62):
            good = not say(f"--instances: {name}: selves are not {selves[name]}")
        if len(exact) == 1 and covered < (1 << 62):
            check_selves(fxtop, path, name, rows(text), wrong)
    _, text, _ = run(fxtop, "--summary", path)
    threads = re.findall(r"^  .*: [0-9,]+ events?, ([0-9,]+) slices?(?:, ([0-9,]+) (?:damaged or unset|damaged|unset) left out)?, [0-9]+ deep", text, re.M)
    counted = [sum(number(n[k] or "0") for n in threads) for k in (0, 1)]
    if "more threads" not in text and counted != [every.all, every.left_out]:
        good = not say(f"--summary: {counted} slices and damaged instead of {every.all} and {every.left_out}")
    status, text, error = run(fxtop, "--export=folded", path)
    if (names.left_out > 0) != ("left out" in error):
        good = not say(f"--export=folded: {names.left_out} left out, but it says {error!r}")
    folded = sum(int(line.rsplit(" ", 1)[1]) for line in text.split("\n") if line)
    if folded != covered and (names.all or not sampled) and covered < (1 << 62):
        good = not say(f"--export=folded: {folded} ns instead of {covered}")
    status, text, _ = run(fxtop, "--print=200x20", "--keys=2", path)
    heading = re.search(r" ([0-9,]+) slices?\b(?! with)", text.split("\n")[2] if text.count("\n") > 2 else "")
    if heading and number(heading.group(1)) != names.all:
        good = not say(f"view 2: {heading.group(0)} instead of {names.all}")
    return good


def damaged(data, chance):
    """A copy with a few bits flipped, or words replaced by far values."""
    data = bytearray(data)
    for _ in range(1 + chance.randrange(4)):
        at = chance.randrange(len(data) // 8) * 8
        word = struct.unpack_from("<Q", data, at)[0]
        way = chance.randrange(3)
        if way == 0:
            word ^= 1 << chance.randrange(64)
        elif way == 1:
            word ^= 1 << chance.randrange(30, 62)
        else:
            word = (word + (1 << chance.randrange(20, 62))) % (1 << 64)
        struct.pack_into("<Q", data, at, word)
    return bytes(data)


def main():
    args, copies, seed = sys.argv[2:], 0, 0
    if args and args[0] == "--damage":
        copies, seed, args = int(args[1]), int(args[2]), args[3:]
    passed = failed = 0
    for path in args:
        if os.path.getsize(path) > BYTES_MOST:
            continue
        fine = True
        if copies == 0:
            fine = check(sys.argv[1], path, lambda what, at=path: print(f"FAIL {at}: {what}") or True)
        for copy in range(copies):
            with open(path, "rb") as f:
                data = f.read()
            if len(data) < 64:
                break
            with tempfile.NamedTemporaryFile(suffix=".fxt", delete=False) as out:
                out.write(damaged(data, random.Random(f"{seed} {copy} {os.path.basename(path)}")))
            kept = check(sys.argv[1], out.name, lambda what, at=path, c=copy, o=out.name:
                         print(f"FAIL {at}, copy {c}, kept as {o}: {what}") or True)
            if kept:
                os.unlink(out.name)
            fine = fine and kept
        passed, failed = passed + fine, failed + (not fine)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
