"""shared.py FXTOP SHARED [OTHER] - exports every trace of SHARED/vectors and SHARED/corpus and compares with what is
expected; OTHER, a build with sanitizers, must say the same.

NAME.fxt, NAME.fxt.gz or NAME.fxt.zst may have NAME.ndjson or NAME.ndjson.gz beside it. Without one, fxtop must refuse a
vector (status 2) and export a trace of the corpus. Each export is also checked for consistency. Then timestamps of the
corpus are replaced (tests/system/far beside FXTOP, if it is built): the picture must stay. check_top.py computes --top,
--instances and --range again from the exports, check_tables.py the tables of statistics, of traces by chance, too.

Programs are asked in one process where tests/system/runs is beside them. Prints a line a difference, then "N passed, N
failed"; the exit status is 1 if one failed."""
import concurrent.futures
import contextlib
import functools
import gzip
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import runs

TOOLS = pathlib.Path(__file__).resolve().parent
LINES_MOST = 20  # of a difference
# Expectations that the rules have overtaken: what is taken out of both, or of the export alone. An end whose begin is not in
# the trace is a note (SEMANTICS 7.3); a mark at the end of a slice is in it (7.4); samples are made of the profiler's
# records (12).
PROFILED = [(r'(?m)^.*("cat":"sampled"|\(samples\)"|"profile_unusable").*\n', ""),
            (r'"(records|events|span_ns|lines)":[0-9]+', r'"\1":0')]
SUPERSEDED = {"cpp_profiler_records": PROFILED, "rust_profiler_pid_only": PROFILED, "ser_profiler": PROFILED,
              "ftfrs_indexer": [(r'(?m)^(.*"type":"instant".*?),"slice":[0-9]+', r"\1")],
              "flow_end_without_begin": [(r'(?m),"note":true(\}*)$', r"\1")]}


@functools.cache
def code_of(path):
    return compile(path.read_text("utf-8"), str(path), "exec")


def ask(script, *words):
    """Runs a script here, since to begin a process takes longer. Returns its status and what it printed."""
    said, status, before = io.StringIO(), 0, sys.argv
    sys.argv = [str(script), *map(str, words)]
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            exec(code_of(script), {"__name__": "__main__", "__file__": str(script)})
    except SystemExit as end:
        status = end.code or 0
    finally:
        sys.argv = before
    return status, said.getvalue()


def same(tools, script, *words):
    """Raises ValueError: what the script has found."""
    status, said = ask(tools / script, *words)
    if status:
        raise ValueError("\n".join(line[:400] for line in said.splitlines() if not line.startswith("soft ")))


def wanted_of(trace):
    name = re.sub(r"\.fxt(\.gz|\.zst)?$", "", str(trace))
    if os.path.exists(name + ".ndjson"):
        return pathlib.Path(name + ".ndjson").read_bytes()
    return gzip.open(name + ".ndjson.gz").read() if os.path.exists(name + ".ndjson.gz") else None


def hold(trace, folder, program, other, shared):
    """Raises ValueError: what is wrong with the export of the trace."""
    wanted = wanted_of(trace)
    done = runs.run(program, "--export=ndjson", str(trace), timeout=120)
    if other and runs.run(other, "--export=ndjson", str(trace), timeout=120) != done:
        raise ValueError("the other says something else")
    if wanted is None and trace.parent.name == "vectors":
        if done.returncode != 2:
            raise ValueError(f"status {done.returncode} instead of 2")
        return
    if done.returncode:
        raise ValueError(f"status {done.returncode}\n{done.stderr.decode('utf-8', 'replace')}")
    out, want = folder / "out", folder / "want"
    out.write_bytes(done.stdout)
    changes = SUPERSEDED.get(trace.name.split(".")[0])
    if wanted is not None and changes:
        for path, text in (out, done.stdout), (want, wanted):
            text = text.decode("utf-8")
            if path == out or changes != SUPERSEDED["flow_end_without_begin"]:
                for old, new in changes:
                    text = re.sub(old, new, text)
            path.write_text(text, "utf-8")
    elif wanted is not None:
        want.write_bytes(wanted)
    if wanted is not None:
        same(shared / "tools", "compare_export.py", want, out)
    if wanted is None or not changes:
        same(shared / "tools", "selfcheck.py", out)


def fault(trace, **others):
    """What is wrong, or None."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return hold(trace, pathlib.Path(folder), **others)
        except (ValueError, subprocess.TimeoutExpired) as why:
            return "\n".join(str(why).splitlines()[:LINES_MOST])


def in_one_process(program):
    """tests/system/runs of the build, if the program is that of a build."""
    beside = pathlib.Path(program).parent / "tests/system/runs"
    return str(beside if beside.exists() else program)


def main():
    if len(sys.argv) not in (3, 4):
        print("usage: shared.py FXTOP SHARED [OTHER]", file=sys.stderr)
        return 2
    program, shared, *other = map(os.path.realpath, sys.argv[1:])
    shared, built, jobs = pathlib.Path(shared), pathlib.Path(program).parent / "tests", os.cpu_count() or 1
    program, other = in_one_process(program), in_one_process(other[0]) if other else None
    traces = [trace for pattern in ("*.fxt", "*.fxt.gz", "*.fxt.zst") for folder in ("vectors", "corpus")
              for trace in sorted((shared / folder).glob(pattern))]
    passed = failed = 0
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        asked = functools.partial(fault, program=program, other=other, shared=shared)
        for trace, why in zip(traces, pool.map(asked, traces, chunksize=4)):
            passed, failed = passed + (why is None), failed + (why is not None)
            if why is not None:
                print(f"FAIL {trace.relative_to(shared)}\n    " + why.replace("\n", "\n    "))
    # These take one processor each. They say what differs, and end with 0 if nothing does.
    commands = [["python3", TOOLS / "check_top.py", program, *traces], ["python3", TOOLS / "check_tables.py", program, *traces]]
    plain = [trace for trace in traces if trace.parent.name == "corpus" and trace.suffix != ".zst"]
    if plain and (built / "system/far").exists():
        commands.append([built / "system/far", "3", "7", *plain])
    if (built / "lib/mktrace").exists():
        seed = str(random.randrange(32768))
        commands.append(["python3", TOOLS / "check_tables.py", "--random", "100", seed, program, built / "lib/mktrace"])
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in pool.map(lambda command: subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                                            text=True, errors="replace", check=False), commands):
            passed, failed = passed + (done.returncode == 0), failed + (done.returncode != 0)
            print(done.stdout, end="")
    if not traces:
        print(f"no traces in {shared}")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
