"""check_cache.py [--sets] PROGRAM FILE... - an index from the cache changes no answer.

With --sets every third file and the one before it are one trace. Writes the index of each, or takes it that there can be none, and holds each mode with the index against the same one
without. $XDG_CACHE_HOME is a folder of the test. PROGRAM is fxtop, or tests/system/runs. Prints what differs, then "N
passed, N failed"."""
import sys

import runs

MODES = [["--print=120x40"], ["--print", "--keys=3"], ["--print=120x40", "--keys=ljl<Tab>"], ["--print", "--keys=9"],
         ["--summary"], ["--summary", "--range=10%..60%"], ["--summary", "--tree"], ["--check=strict"], ["--top"],
         ["--top", "--by=p99", "--format=csv"], ["--instances=dur>0"], ["--describe=50%"], ["--export=ndjson"],
         ["--export=json"], ["--export=csv"], ["--export=folded"], ["--export=csv", "--keys=2"], ["--cut=10%..70%"],
         ["--export=fxt", "--filter=name~a"], ["--assert=1"]]
SET_OPTIONS = [[], ["--align=begin"], ["--align=raw"], ["--align=begin", "--offset=2=3ms"], ["--align=begin", "--same-host"],
               ["--join-flows"]]
TABLES = ["slice", "counter", "flow", "sched", "log", "process", "thread", "problem", "metadata", "args"]


def main():
    of_sets = sys.argv[1] == "--sets"
    program, *files = sys.argv[1 + of_sets:]
    passed = failed = 0
    modes = MODES + ([["--top", "--by=trace"]] if of_sets else [])
    if b"needs SQLite" not in runs.run(program, "--query", "select 1", "/dev/null").stderr:
        modes = modes + [["--query=select * from " + table, "--format=csv"] for table in TABLES]
    sets = [["--together", *SET_OPTIONS[i % len(SET_OPTIONS)], files[i - 1], file] for i, file in enumerate(files) if i % 3 == 0] if of_sets else []
    for each in sets or [[file] for file in files]:
        file = " ".join(each)
        written = runs.run(program, "--index", *each)
        if written.returncode:
            print(f"{file}: {(written.stdout + written.stderr).decode('utf-8', 'replace').strip()}")
            continue
        cached = runs.run(program, "--cache=read", "--stats", "--check", *each).stderr
        wrong = [] if b", cached" in cached else ["its index is not taken"]
        for mode in modes:
            if runs.run(program, "--cache=read", *mode, *each) != runs.run(program, "--cache=off", *mode, *each):
                wrong.append("other with its index: " + " ".join(mode))
        passed, failed = passed + len(modes) + 1 - len(wrong), failed + len(wrong)
        for what in wrong:
            print(f"FAILED: {file}: {what}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main())
