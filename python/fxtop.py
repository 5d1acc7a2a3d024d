"""fxtop.py - asks traces from Python, over fxtop serve --stdio. One file, without dependencies.

    import fxtop
    with fxtop.Trace("trace.fxt") as trace:
        for row in trace.query("select name, dur from slice order by dur desc limit 10"):
            print(row["name"], row["dur"])
        slow = trace.instances("name=Request dur>p99")[0]
        print(trace.why("@%d" % slow["offset"]))

Rows are a list of dicts; frame() makes a DataFrame of them if pandas is there. rows.truncated says whether there were
more, rows.notes what fxtop remarked. A question that fails raises fxtop.Error.
"""

import json
import os
import subprocess


class Error(Exception):
    def __init__(self, message, code=None):
        super().__init__(message)
        self.code = code


class Rows(list):
    """Rows as dicts."""

    truncated = False
    notes = ()

    def frame(self):
        import pandas

        return pandas.DataFrame(list(self))


class Text(str):
    truncated = False
    notes = ()


class Trace:
    """One or several traces; `trace=1` in a question is the second."""

    def __init__(self, *paths, program=None, options=()):
        if not paths:
            raise Error("no trace")
        program = program or os.environ.get("FXTOP", "fxtop")
        self._id = 0
        self._process = subprocess.Popen([program, "serve", "--stdio", *options, "--", *map(os.fspath, paths)],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def call(self, method, **arguments):
        """The result of any method of fxtop-serve(1)."""
        self._id += 1
        params = {name: value for name, value in arguments.items() if value is not None}
        line = json.dumps({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self._process.stdout.readline()
        if not answer:
            message = self._process.stderr.read().decode(errors="replace").strip()
            raise Error(message or "fxtop has ended")
        answer = json.loads(answer)
        if "error" in answer:
            raise Error(answer["error"]["message"], answer["error"]["code"])
        return answer["result"]

    def _rows(self, method, **arguments):
        result = self.call(method, **arguments)
        rows = Rows(result["rows"])
        rows.truncated, rows.notes = result["truncated"], result["notes"]
        return rows

    def _text(self, method, **arguments):
        result = self.call(method, **arguments)
        text = Text(result["text"])
        text.truncated, text.notes = result["truncated"], result["notes"]
        return text

    def traces(self):
        return self._rows("traces")

    def query(self, sql, rows=10000, trace=None):
        return self._rows("query", sql=sql, rows=rows, trace=trace)

    def top(self, rows=None, by=None, range=None, tracks=None, filter=None, trace=None):
        return self._rows("top", rows=rows, by=by, range=range, tracks=tracks, filter=filter, trace=trace)

    def instances(self, filter, rows=None, range=None, tracks=None, trace=None):
        return self._rows("instances", filter=filter, rows=rows, range=range, tracks=tracks, trace=trace)

    def summary(self, trace=None):
        return self._text("summary", trace=trace)

    def describe(self, what=None, id=None, window=None, trace=None):
        return self._text("describe", what=what, id=id, window=window, trace=trace)

    def why(self, what=None, id=None, trace=None):
        return self._text("why", what=what, id=id, trace=trace)

    def print(self, width=None, height=None, at=None, window=None, view=None, filter=None, range=None, tracks=None, trace=None):
        return self._text("print", width=width, height=height, at=at, window=window, view=view, filter=filter,
                          range=range, tracks=tracks, trace=trace)

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()
