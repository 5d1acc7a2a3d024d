#!/usr/bin/env python3
"""fxtwriter.py - writes a trace that fxtop opens, from Python, in one file: copy it into your project.

    import fxtwriter
    trace = fxtwriter.Writer("out.fxt")
    with trace.duration("app", "load", {"path": "x.png", "bytes": 1234}):
        ...
    trace.instant("app", "done")
    trace.counter("app", "queue", {"length": 3})
    trace.close()

Under `fxtop record` the events go to the recording, beside those of other processes, and no file is written. After
fork() a child joins it by itself. Run as a program it writes example.fxt. The format is fxt(5), the protocol of
recordings fxttrace(7). Times are ns of time.perf_counter_ns(), or the clock of the recording. Methods may be called
from several threads.
"""
import atexit
import contextlib
import ctypes
import fcntl
import mmap
import os
import platform
import select
import socket
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


class _File:
    """Where records go: a file."""

    def __init__(self, path):
        self._file = open(path, "wb")
        self.on = True
        self.now = time.perf_counter_ns
        self._file.write(struct.pack("<Q", 0x0016547846040010))
        name = os.path.basename(os.sys.argv[0] or "python").encode()[:100]
        self.durable(struct.pack("<Q", 0 | (1 + (len(name) + 7) // 8) << 4 | 1 << 16 | 1 << 20 | len(name) << 52) +
                     _padded(name))  # provider info
        self.durable(struct.pack("<QQQQ", 1 | 4 << 4, 1_000_000_000, time.perf_counter_ns(), time.time_ns()))

    def durable(self, record):
        self._file.write(record)
        return True

    rolling = durable

    def wants(self, category):
        return True

    def close(self):
        self._file.close()


def _counter(kind):
    """The function that reads the clock of a recording: ns, or the processor's counter."""
    if kind == 0:
        return time.monotonic_ns
    code = {("x86_64", 1): "0f3148c1e2204809d0c3", ("aarch64", 2): "40e03bd5c0035fd6"}[platform.machine(), kind]
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(bytes.fromhex(code))
    read = ctypes.CFUNCTYPE(ctypes.c_uint64)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    return lambda: read() + 0 * len(memory)  # which keeps it


class _Recording:
    """Where records go: the buffer of a recording (fxttrace(7)). begun() is called when its tables are empty."""

    def __init__(self, path, lock, begun):
        self.on, self._lock, self._begun, self._buffer, self._fifo = False, lock, begun, None, None
        self._started = threading.Event()
        self._control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.connect(path)
        name = os.path.basename(os.sys.argv[0] or "python").encode()[:100]
        self._control.send(struct.pack("<HHIIIQ", 1, 0, 16 + len(name), 1, 0, os.getpid()) + name)
        threading.Thread(target=self._listen, name="fxttrace", daemon=True).start()
        self._started.wait(0.2)

    def wants(self, category):
        return not self._categories or any(
            category.startswith(c[:-1]) if c.endswith("*") else category == c for c in self._categories)

    def durable(self, record):
        if self._mode == 0:
            return self.rolling(record)
        if self._durable_end + len(record) > self._durable_size:
            return False
        self._copy(128 + self._durable_end, record)
        self._durable_end += len(record)
        return True

    def rolling(self, record):
        if self._at + len(record) > self._rolling_size and not self._turn(len(record)):
            self._dropped += 1
            self._put(64, self._dropped)
            return False
        self._copy(128 + self._durable_size + self._rolling_size * (self._wrapped & 1) + self._at, record)
        self._at += len(record)
        return True

    def close(self):
        with self._lock:
            self._stop()

    # ---- the buffer, with the lock ----

    def _copy(self, at, record):
        """The header comes last, so that a record is whole or not there."""
        self._buffer[at + 8:at + len(record)] = record[8:]
        self._buffer[at:at + 8] = record[:8]

    def _put(self, at, value, kind="<Q"):
        struct.pack_into(kind, self._buffer, at, value)

    def _turn(self, need):
        """Goes to the other half, if that is free."""
        other = (self._wrapped + 1) & 1
        if self._mode == 0 or need > self._rolling_size or (self._mode == 2 and self._full[other]):
            return False
        self._put(48 + 8 * (self._wrapped & 1), self._at)
        self._full[self._wrapped & 1] = self._mode == 2
        if self._mode == 2:
            self._packet(2, self._wrapped, self._durable_end)
        self._wrapped += 1
        self._put(12, self._wrapped, "<I")
        self._at = 0
        self._put(48 + 8 * other, 0)
        return True

    def _layout(self):
        if self._mode == 0:
            self._durable_size, self._rolling_size = 0, self._size - 128
        else:
            self._durable_size = (self._size - 128) // 16 // 16 * 16
            self._durable_size += (self._size - 128 - self._durable_size) % 16
            self._rolling_size = (self._size - 128 - self._durable_size) // 2
        struct.pack_into("<QHBBIQQQQQQQ", self._buffer, 0, 0x627566EE68656164, 0, self._mode, 0, 0, self._size,
                         self._durable_size, self._rolling_size, 0, 0, 0, 0)
        self._durable_end, self._fresh = 0, True

    def _start(self, disposition):
        if disposition < 2 or self._fresh:
            self._wrapped, self._at, self._full, self._dropped = 0, 0, [False, False], 0
            for at in (48, 56, 64):
                self._put(at, 0)
            self._put(12, 0, "<I")
        if disposition == 0 or self._fresh:
            self._durable_end = 0
            self._begun()
        self._fresh = False
        self.durable(struct.pack("<QQ", 1 | 2 << 4, self._rate))
        self.on = True
        self._packet(1, 1, 0)

    def _stop(self):
        if not self.on:
            return
        self.on = False
        self._put(12, self._wrapped, "<I")
        self._put(40, self._durable_end)
        self._put(48 + 8 * (self._wrapped & 1), self._at)
        self._packet(3, 0, 0)

    def _packet(self, request, word, data):
        with contextlib.suppress(OSError):
            self._fifo.send(struct.pack("<HHIQ", request, 0, word, data))

    # ---- messages, in a thread of its own ----

    def _listen(self):
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                with self._lock:
                    if self._fifo is not None and descriptor == self._fifo.fileno():
                        goes_on = self._take_packet()
                    else:
                        goes_on = self._take_message(poll)
                    if not goes_on:
                        self.on = False
                        return

    def _take_packet(self):
        packet = self._fifo.recv(16)
        if len(packet) < 16:
            return False
        request, _, word, _ = struct.unpack("<HHIQ", packet)
        if request == 0x100 and self.on:  # a half is saved
            self._full[word & 1] = False
        return True

    def _take_message(self, poll):
        data, ancillary, _, _ = self._control.recvmsg(65536, socket.CMSG_SPACE(8))
        if len(data) < 8:
            return False
        kind, body = struct.unpack_from("<H", data)[0], data[8:]
        if kind == 0x82 and self._buffer is None and ancillary:
            self._initialize(body, struct.unpack("ii", ancillary[0][2][:8]))
            poll.register(self._fifo, select.POLLIN)
        elif kind == 0x83 and self._buffer is not None and not self.on:
            self._start(body[0])
            self._started.set()
        elif kind == 0x84:
            self._stop()
        elif kind == 0x85 and self._buffer is not None:
            self._stop()
            poll.unregister(self._fifo)
            self._fifo.close()
            self._buffer.close()
            self._buffer = self._fifo = None
        return True

    def _initialize(self, body, descriptors):
        self._mode, clock, count, _, self._size, self._rate = struct.unpack_from("<BBHIQQ", body)
        self._categories, at = [], 24
        for _ in range(count):
            self._categories.append(body[at + 1:at + 1 + body[at]].decode("utf-8", "replace"))
            at += 1 + body[at]
        self._buffer = mmap.mmap(descriptors[0], self._size)
        os.close(descriptors[0])
        self._fifo = socket.socket(fileno=descriptors[1])
        self.now = _counter(clock)
        self._layout()


class Writer:
    def __init__(self, path):
        self._lock = threading.RLock()
        self._pid = os.getpid()
        self._begin()
        self._sink = self._join() or _File(path)
        self._name()
        os.register_at_fork(after_in_child=self._after_fork)
        atexit.register(self.close)

    def _join(self):
        try:
            return _Recording(os.environ["FXTTRACE_SOCKET"], self._lock, self._begin)
        except (KeyError, OSError):
            return None

    def _after_fork(self):
        if isinstance(self._sink, _Recording):
            self._lock, self._pid = threading.RLock(), os.getpid()
            self._begin()
            self._sink = self._join() or self._sink
            self._sink.on = self._sink.on and self._sink._lock is self._lock

    def _begin(self):
        """No string and no thread is registered."""
        self._strings, self._threads, self._named = {}, {}, False

    def _name(self):
        name = os.path.basename(os.sys.argv[0] or "python").encode()[:100]
        if name and self._sink.on and not self._named:
            self._named = True
            self._record(7 | 1 << 16 | (0x8000 | len(name)) << 24, struct.pack("<Q", self._pid) + _padded(name))

    def close(self):
        self._sink.close()

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

    def _record(self, header, body, durable=True):
        write = self._sink.durable if durable else self._sink.rolling
        return write(struct.pack("<Q", header | (1 + len(body) // 8) << 4) + body)

    def _text(self, text):
        """A reference, and what goes inline."""
        data = _encoded(text)
        if not data:
            return 0, b""
        if data not in self._strings:
            index = len(self._strings) + 1
            if index > 32767 or not self._record(2 | index << 16 | len(data) << 32, _padded(data)):
                return 0x8000 | len(data), _padded(data)
            self._strings[data] = index
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
            index = len(self._threads) + 1
            known = index < 256 and self._record(3 | index << 16, struct.pack("<QQ", self._pid, tid))
            self._threads[tid] = index if known else 256
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
        with self._lock:
            if not self._sink.on or not self._sink.wants(str(category)):
                return
            now = self._sink.now()
            self._name()
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
            self._record(4 | kind << 16 | number << 20 | thread << 24 | category << 32 | name << 48, body, False)


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
