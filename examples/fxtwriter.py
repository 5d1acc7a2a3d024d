#!/usr/bin/env python3
"""fxtwriter.py - writes a trace that fxtop opens, from Python, in one file: copy it into your project.

    import fxtwriter
    trace = fxtwriter.Writer("out.fxt")
    with trace.duration("app", "load", {"path": "x.png", "bytes": 1234}):
        ...
    trace.instant("app", "done")
    trace.counter("app", "queue", {"length": 3})
    trace.close()

Run as a program it writes example.fxt. The format is fxt(5). Times are ns of time.perf_counter_ns(). Methods may be
called from several threads.
"""
import contextlib
import os
import struct
import threading
import time

TEXT_MAX = 8000  # bytes of one text
RECORD_MAX = 32760  # bytes of one record; arguments that do not fit are left out
INSTANT, COUNTER, BEGIN, END, ASYNC_BEGIN, ASYNC_END, FLOW_BEGIN, FLOW_STEP, FLOW_END = 0, 1, 2, 3, 5, 7, 8, 9, 10


def _padded(data):
    return data + bytes(-len(data) % 8)


def _encoded(text):
    """Its UTF-8, cut between characters."""
    data = str(text).encode("utf-8", "replace")
    return data if len(data) <= TEXT_MAX else data[:TEXT_MAX].decode("utf-8", "ignore").encode()


class Writer:
    def __init__(self, path):
        self._file = open(path, "wb")
        self._lock = threading.Lock()
        self._strings, self._threads = {}, {}
        self._pid = os.getpid()
        self._words(0x0016547846040010)
        name = os.path.basename(os.sys.argv[0] or "python").encode()[:100]
        self._record(0 | 1 << 16 | 1 << 20 | len(name) << 52, _padded(name))  # provider info
        base, wall = time.perf_counter_ns(), time.time_ns()
        self._record(1, struct.pack("<QQQ", 1_000_000_000, base, wall))  # ns, and the wall clock
        if name:
            self._record(7 | 1 << 16 | (0x8000 | len(name)) << 24, struct.pack("<Q", self._pid) + _padded(name))

    def close(self):
        with self._lock:
            self._file.close()

    @contextlib.contextmanager
    def duration(self, category, name, args=None):
        self._event(BEGIN, category, name, args)
        try:
            yield
        finally:
            self._event(END, category, name)

    def instant(self, category, name, args=None):
        self._event(INSTANT, category, name, args, 0)  # scope: the thread

    def counter(self, category, name, args, number=0):
        self._event(COUNTER, category, name, args, number)

    def async_begin(self, category, name, number, args=None):
        self._event(ASYNC_BEGIN, category, name, args, number)

    def async_end(self, category, name, number, args=None):
        self._event(ASYNC_END, category, name, args, number)

    def flow_begin(self, category, name, number):
        self._event(FLOW_BEGIN, category, name, None, number)

    def flow_step(self, category, name, number):
        self._event(FLOW_STEP, category, name, None, number)

    def flow_end(self, category, name, number):
        self._event(FLOW_END, category, name, None, number)

    # ---- records ----

    def _words(self, *words):
        self._file.write(struct.pack("<%dQ" % len(words), *words))

    def _record(self, header, body):
        self._words(header | (1 + len(body) // 8) << 4)
        self._file.write(body)

    def _text(self, text):
        """A reference, and what goes inline."""
        data = _encoded(text)
        if not data:
            return 0, b""
        if data not in self._strings:
            if len(self._strings) >= 32767:
                return 0x8000 | len(data), _padded(data)
            self._strings[data] = len(self._strings) + 1
            self._record(2 | self._strings[data] << 16 | len(data) << 32, _padded(data))
        return self._strings[data], b""

    def _thread(self):
        """The index of the calling thread, and what goes inline."""
        tid = threading.get_native_id()
        if tid not in self._threads:
            name = threading.current_thread().name.encode("utf-8", "replace")[:100]
            key, inline = self._text("process")
            argument = struct.pack("<QQ", 8 | 2 << 4 | key << 16, self._pid)
            self._record(7 | 2 << 16 | (0x8000 | len(name)) << 24 | 1 << 40,
                         struct.pack("<Q", tid) + _padded(name) + argument + inline)
            self._threads[tid] = len(self._threads) + 1
            if self._threads[tid] < 256:
                self._record(3 | self._threads[tid] << 16, struct.pack("<QQ", self._pid, tid))
        if self._threads[tid] < 256:
            return self._threads[tid], b""
        return 0, struct.pack("<QQ", self._pid, tid)

    def _argument(self, key, value):
        key, inline = self._text(key)
        low = key << 16
        if value is None:
            kind, body = 0, b""
        elif isinstance(value, bool):
            kind, body, low = 9, b"", low | int(value) << 32
        elif isinstance(value, int) and -2**63 <= value < 2**63:
            kind, body = 3, struct.pack("<q", value)
        elif isinstance(value, int) and 0 <= value < 2**64:
            kind, body = 4, struct.pack("<Q", value)
        elif isinstance(value, float):
            kind, body = 5, struct.pack("<d", value)
        else:
            data = _encoded(value)
            kind, body, low = 6, _padded(data), low | (0x8000 | len(data) if data else 0) << 32
        return struct.pack("<Q", low | kind | (1 + (len(inline) + len(body)) // 8) << 4) + inline + body

    def _event(self, kind, category, name, args=None, extra=None):
        now = time.perf_counter_ns()
        with self._lock:
            thread, thread_inline = self._thread()
            category, category_inline = self._text(category)
            name, name_inline = self._text(name)
            body = struct.pack("<Q", now) + thread_inline + category_inline + name_inline
            number = 0
            for key, value in list((args or {}).items())[:15]:
                argument = self._argument(key, value)
                if 8 + len(body) + len(argument) + 8 <= RECORD_MAX:
                    body += argument
                    number += 1
            if extra is not None:
                body += struct.pack("<Q", extra)
            self._record(4 | kind << 16 | number << 20 | thread << 24 | category << 32 | name << 48, body)


if __name__ == "__main__":
    trace = Writer("example.fxt")

    def render(frame):
        with trace.duration("app", "render", {"frame": frame}):
            trace.flow_end("app", "frame", frame)
            time.sleep(0.001)

    for frame in range(5):
        with trace.duration("app", "layout", {"frame": frame, "page": "page %d" % frame, "zoom": 1.5}):
            trace.flow_begin("app", "frame", frame)
            time.sleep(0.0005)
        thread = threading.Thread(target=render, args=(frame,), name="renderer")
        thread.start()
        thread.join()
        trace.counter("app", "memory", {"kilobytes": 1000 + 37 * frame})
    trace.instant("app", "done")
    trace.close()
