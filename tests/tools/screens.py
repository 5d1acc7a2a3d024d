"""screens.py [--write] [CASE ...] - golden screens: what is played and what shall be seen then, side by side.

A case is tests/screens/NAME.screen: lines "trace:" (a fixture of tests/screens, tests/traces or tests/import, or "demo"),
"size:", "other:" (a second trace beside it), "options:", "keys:" and "promise:" (what the case holds, in one sentence),
then "---" and the lines of the screen, as --print draws it, that carry the promise; ESC is \\e. The rest is masked: a line
"…" stands for any number of lines, and "…" at the end of a line for the rest of it; a line that is drawn with "…" at its
end has "\\…" there. Of size "csv": what --export=csv prints, or says, and its status.

Cases named sql_... are left out if fxtop is built without SQLite.

--write puts there what is drawn now and leaves the masks, for a person who then looks at the difference.

Needs $FXTOP_BUILD; $FXTOP, $MKTRACE and $DEMO are programs of it. tests/system/runs is the program of that build."""
import difflib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import runs

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
SCREENS = TOP / "tests/screens"
MASK = "…"


class Case:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.head, _, wanted = path.read_text("utf-8").partition("\n---\n")
        self.wanted = wanted.splitlines()
        fields = dict(line.split(": ", 1) for line in self.head.split("\n") if ": " in line)
        self.trace, self.other = fields.get("trace", ""), fields.get("other", "")
        self.size, self.keys = fields.get("size", ""), fields.get("keys", "")
        self.promise, self.options = fields.get("promise", ""), fields.get("options", "").split()

    def write(self, lines):
        self.path.write_text("\n".join([self.head, "---", *lines, ""]), "utf-8")


def make_traces(names, folder, mktrace, demo):
    pairs = []
    for name in sorted(names):
        made = folder / (name + ".fxt")
        sources = [SCREENS / (name + ".txt"), TOP / "tests/import" / name, TOP / "tests/traces" / (name + ".txt")]
        source = next((source for source in sources if source.exists()), sources[-1])
        if name == "demo":
            subprocess.run([demo, made], check=True)
        elif source == sources[1]:
            shutil.copyfile(source, made)  # its content decides
        else:
            pairs += [source, made]
    if pairs:
        subprocess.run([mktrace, *pairs], check=True)


def play(case, program, folder):
    """The lines of the screen. Raises ValueError: what it says instead."""
    if case.size == "csv":
        done = runs.run(program, "--export=csv", "--keys=" + case.keys, case.trace + ".fxt", folder=folder)
        text = (done.stdout + done.stderr).decode("utf-8", "surrogateescape").replace("\r", "")
        lines = text.splitlines() + [f"status {done.returncode}"]
    else:
        keys = ["--keys=" + case.keys] if case.keys else []
        done = runs.run(program, "--print=" + case.size, *keys, *case.options, case.trace + ".fxt", folder=folder)
        if done.returncode or done.stderr:
            raise ValueError(f"status {done.returncode}\n" + done.stderr.decode("utf-8", "replace"))
        lines = done.stdout.decode("utf-8", "surrogateescape").replace("\x1b", "\\e").split("\n")[:-1]
    return [line[:-1] + "\\" + MASK if line.endswith(MASK) else line for line in lines]


def open_ended(wanted):
    """Is its last character a mask? "\\…" is the character itself."""
    return len(wanted) > 1 and wanted.endswith(MASK) and wanted[-2] != "\\"


def holds(wanted, drawn):
    return drawn.startswith(wanted[:-1]) if open_ended(wanted) else wanted == drawn


def matches(wanted, drawn):
    """Is each line drawn as expected? Where it is not, the last mask takes one line more."""
    i = j = 0
    masked = None
    while j < len(drawn):
        if i < len(wanted) and wanted[i] == MASK:
            masked, taken = i, j
            i += 1
        elif i < len(wanted) and holds(wanted[i], drawn[j]):
            i, j = i + 1, j + 1
        elif masked is not None:
            taken += 1
            i, j = masked + 1, taken
        else:
            return False
    return all(line == MASK for line in wanted[i:])


def unlike(a, b):
    """1 to 2: how little two lines have in common, at their begins and ends."""
    begin = len(os.path.commonprefix([a, b]))
    end = len(os.path.commonprefix([a[begin:][::-1], b[begin:][::-1]]))
    return 2 - 2 * (begin + end) / (len(a) + len(b) + 1)


def expected(wanted, drawn):
    """What the case would have to expect: its masks stay, lines that are not as drawn are replaced.

    This is `wanted` itself if and only if `drawn` is as expected. Lines are aligned at the least cost: a line that is drawn
    as expected is free, and so is what the mask takes; another line costs the more the less it is alike."""
    if matches(wanted, drawn):
        return wanted
    best = {(0, 0): (0, "")}
    for i in range(len(wanted) + 1):
        line = wanted[i - 1] if i else ""
        for j in range(len(drawn) + 1):
            ways = []
            if i and line == MASK:
                ways.append((best[i - 1, j][0], "gone"))
                if j:
                    ways.append((best[i, j - 1][0], "masked"))
            elif i:
                if j:
                    cost = 0 if holds(line, drawn[j - 1]) else unlike(line, drawn[j - 1])
                    ways.append((best[i - 1, j - 1][0] + cost, "line"))
                ways.append((best[i - 1, j][0] + 2, "gone"))
            if j:
                ways.append((best[i, j - 1][0] + 2, "new"))
            if ways:
                best[i, j] = min(ways, key=lambda way: way[0])
    lines, i, j = [], len(wanted), len(drawn)
    while i + j:
        way = best[i, j][1]
        if way == "line":
            i, j = i - 1, j - 1
            old, new = wanted[i], drawn[j]
            if holds(old, new):
                new = old
            elif open_ended(old):
                new = new[:len(old) - 1] + MASK
            lines.append(new)
        elif way == "gone":
            i -= 1
            if wanted[i] == MASK:
                lines.append(MASK)
        else:
            j -= 1
            if way == "new":
                lines.append(drawn[j])
    return lines[::-1]


def hold(case, program, folder, write):
    """Whether the screen of the case is as expected."""
    try:
        drawn = play(case, program, folder)
    except ValueError as said:
        print(f"{case.name}: fails\n    {said}")
        return False
    lines = expected(case.wanted, drawn)
    if lines == case.wanted:
        return True
    if write:
        print(f"{case.name}: written")
        case.write(lines)
        return True
    print("\n".join(difflib.unified_diff(case.wanted, lines, f"{case.name}, wanted", f"{case.name}, drawn", lineterm="")))
    print(f"{case.name}: {case.promise}")
    return False


def main(arguments):
    os.environ.update(LC_ALL="C.UTF-8", TZ="UTC")
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        os.environ.pop(name, None)
    build = pathlib.Path(os.environ.get("FXTOP_BUILD", ".")).resolve()
    own, in_one_process = str(build / "fxtop"), build / "tests/system/runs"
    program = os.environ.get("FXTOP", own)
    if program == own and in_one_process.exists():
        program = str(in_one_process)
    write = arguments[:1] == ["--write"]
    paths = [pathlib.Path(name) for name in arguments[write:]] or sorted(SCREENS.glob("*.screen"))
    paths = [path if path.exists() else SCREENS / f"{path}.screen" for path in paths]
    lacking = [path for path in paths if not path.exists()]
    if lacking:
        print(f"there is no {lacking[0]}\n0 passed, 1 failed")
        return 1
    cases = [Case(path) for path in paths]
    if b"needs SQLite" in runs.run(program, "--query", "select 1", "/dev/null").stderr:
        cases = [case for case in cases if not case.name.startswith("sql_")]
    with tempfile.TemporaryDirectory() as folder:
        make_traces({name for case in cases for name in (case.trace, case.other) if name}, pathlib.Path(folder),
                    os.environ.get("MKTRACE", build / "tests/lib/mktrace"),
                    os.environ.get("DEMO", build / "tests/tools/demo"))
        failed = sum(not hold(case, program, folder, write) for case in cases)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return failed > 0 or not cases


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
