#!/usr/bin/env python3
"""check_serve.py - clients of fxtop serve: FXTOP FOLDER, with the traces a, b and c in the folder.

A client of the Model Context Protocol finds the cause of the slow request in each trace in five calls, as doc/AGENTS.md
says. python/fxtop.py gives the same answers. Hostile lines get one answer each, in valid JSON.
"""

import json
import os
import subprocess
import sys
import time

fxtop, folder = sys.argv[1:3]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
sys.dont_write_bytecode = True
paths = [os.path.join(folder, name + ".fxt") for name in "abc"]
causes = {0: "Compile", 1: "Read index", 2: "Retry"}
faults = 0


def expect(name, good, seen=""):
    global faults
    if not good:
        faults += 1
        print("FAILED:", name, seen)


class Client:
    def __init__(self, *paths):
        self.process = subprocess.Popen([fxtop, "serve", "--stdio", *paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0

    def send(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline().decode("utf-8"))

    def ask(self, method, params):
        self.id += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}).encode())
        answer = self.read()
        expect("the id", answer["id"] == self.id, answer)
        return answer

    def tool(self, name, **arguments):
        result = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        expect(name, not result["isError"], result)
        return result["content"][0]["text"]

    def end(self):
        self.process.stdin.close()
        expect("the exit status", self.process.wait() == 0)


def model_context():
    client = Client(*paths)
    first = client.ask("initialize", {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
    expect("the version", first["result"]["protocolVersion"] == "2025-03-26", first)
    other = client.ask("initialize", {"protocolVersion": "1999-01-01"})
    expect("an unknown version", other["result"]["protocolVersion"] == "2025-06-18", other)
    client.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    expect("ping", client.ask("ping", {})["result"] == {})
    tools = client.ask("tools/list", {})["result"]["tools"]
    for tool in tools:
        expect("a schema", tool["inputSchema"]["type"] == "object" and tool["description"], tool)
    expect("the tools", {t["name"] for t in tools} >= {"query", "top", "instances", "describe", "why", "print"}, tools)
    for trace, cause in causes.items():
        calls = [
            client.tool("top", trace=trace, rows=5, by="max"),
            client.tool("instances", trace=trace, filter="name=Request", rows=1),
        ]
        slow = json.loads(calls[1])["rows"][0]
        calls.append(client.tool("why", trace=trace, what="@%d" % slow["offset"]))
        expect("why", cause in calls[2].splitlines()[0], calls[2])
        inside = "select id, name, dur from slice where parent_id = (select id from slice where offset = %d) order by dur desc" % slow["offset"]
        calls.append(client.tool("query", trace=trace, sql=inside, rows=1))
        worst = json.loads(calls[3])["rows"][0]
        expect("the cause", worst["name"] == cause, worst)
        calls.append(client.tool("describe", trace=trace, id=worst["id"]))
        expect("describe", cause in calls[4], calls[4])
        again = json.loads(client.tool("query", trace=trace, sql=inside, rows=1))["rows"][0]
        expect("ids stay", again == worst, again)
    client.end()


def package():
    import fxtop as package

    with package.Trace(*paths, program=fxtop) as trace:
        expect("traces", [row["name"] for row in trace.traces()] == paths)
        for number, cause in causes.items():
            slow = trace.instances("name=Request", rows=1, trace=number)
            expect("truncated", slow.truncated)
            expect("why of the package", cause in trace.why("@%d" % slow[0]["offset"], trace=number))
        expect("query", trace.query("select 1 as a, 'b' as b, null as c") == [{"a": 1, "b": "b", "c": None}])
        expect("top", trace.top(by="max")[0]["name"] == "Request", trace.top())
        expect("print", len(trace.print(width=60, height=12).splitlines()) == 12)
        expect("summary", trace.summary().startswith("file: "))
        for wrong in [lambda: trace.query("selct"), lambda: trace.query("@/etc/passwd"), lambda: trace.top(trace=3), lambda: trace.why(id=1 << 40)]:
            try:
                wrong()
                expect("a fault", False)
            except package.Error:
                pass
    try:
        package.Trace(os.path.join(folder, "none"), program=fxtop).top()
        expect("no file", False)
    except package.Error as e:
        expect("why no file", "none" in str(e), e)


def hostile():
    client = Client(paths[0])
    for line, code in [
        (b"{", -32700),
        (b"nonsense", -32700),
        (b"\xff\xfe", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"} {}', -32700),
        (b'{"jsonrpc":"2.0","id":"\x01","method":"ping"}', -32700),
        (b"[" * 100000, -32700),
        (b"[" * 5000 + b"]" * 5000, -32600),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"no\\u0000thing"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"query","params":{"sql":7}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"query","params":{"sql":"a\\u0000b"}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"query","params":["select 1"]}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"top","params":{"output":"x"}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"print","params":{"view":"w x"}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"top","params":{"rows":99999999999999999999}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"query","params":{"sql":"attach \'/tmp/x\' as y"}}', -32000),
        (b'{"jsonrpc":"2.0","id":1,"method":"query","params":{"sql":"' + b"x" * (1 << 21) + b'"}}', -32600),
    ]:
        client.send(line)
        answer = client.read()
        if isinstance(answer, list):
            answer = answer[0]
        expect("a code for %r" % line[:60], answer.get("error", {}).get("code") == code, answer)
    client.send(b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":"a\\"b","method":"ping"}]')
    expect("a batch", [part["id"] for part in client.read()] == [1, 'a"b'])
    # Endless queries: one that is cancelled, one before it was begun, and one that answers too much.
    endless = "with recursive t(x) as (select 1 union all select x + 1 from t) select "
    for n in 20, 21:
        client.send(json.dumps({"jsonrpc": "2.0", "id": n, "method": "query", "params": {"sql": endless + "count(*) from t"}}).encode())
    for n in 20, 21:
        client.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": n}}).encode())
    begun = time.monotonic()
    client.send(json.dumps({"jsonrpc": "2.0", "id": 22, "method": "query", "params": {"sql": endless + "count(*) from t"}}).encode())
    for other in [1] * 500 + [22]:  # too many to be read at once
        client.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}' % other)
    much = client.ask("query", {"sql": endless + "x from t", "rows": 3})["result"]
    expect("a limit of rows", much["rows"] == [{"x": 1}, {"x": 2}, {"x": 3}] and much["truncated"], much)
    wide = client.ask("query", {"sql": endless + "x, zeroblob(1000) as z from t", "rows": 10000})["result"]
    expect("a limit of bytes", wide["truncated"] and len(json.dumps(wide)) < 400000, len(json.dumps(wide)))
    expect("in time", time.monotonic() - begun < 60)
    client.end()
    # Nobody reads the answers.
    client = Client(paths[0])
    client.process.stdout.close()
    try:
        for _ in range(3):
            client.send(b'{"jsonrpc":"2.0","id":1,"method":"summary"}')
    except BrokenPipeError:
        pass
    try:
        client.process.stdin.close()
    except BrokenPipeError:
        pass
    expect("the status without a reader", client.process.wait() == 0)


model_context()
package()
hostile()
print("%d faults" % faults)
sys.exit(faults > 0)
