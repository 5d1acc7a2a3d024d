#!/usr/bin/env python3
"""link.py - what a person waits for at the other end of a slow line: link.py PROGRAM ARG...

The program runs on a pseudo-terminal of 120x40 as under ssh, and a client at the other side of a relay on the loopback
types. The relay delays each byte by half of LINK_MS (100) and passes LINK_RATE (64000) bytes a second in each direction.
A row has the bytes of a step: median, most; then the ms from the key to the first and to the last byte: median, most.
The first picture counts from the connection. Nothing is judged.
"""
import os
import pty
import select
import socket
import struct
import sys
import termios
import threading
import time
from fcntl import ioctl
from queue import Queue

COLS, ROWS = 120, 40
DELAY = float(os.environ.get("LINK_MS", "100")) / 2000
RATE = float(os.environ.get("LINK_RATE", "64000"))
QUIET = 2 * DELAY + 0.3  # seconds without a byte end a step
PIECE = 1400  # bytes of a packet
WAITING = 64  # packets that may wait in the relay
STEPS = (
    ("row move", "jk"),
    ("cursor a column", "HL"),
    ("zoom in and out", "wwss"),
    ("pan by a quarter", "wdddaaas"),
    ("pan by a window", "wwDADAss"),
)


def listen():
    server = socket.create_server(("127.0.0.1", 0))
    return server, server.getsockname()[1]


def serve(server, argv):
    """What sshd does: the program on a terminal, its bytes to the connection."""
    connection, _ = server.accept()
    pid, master = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", SSH_CONNECTION="127.0.0.1 1 127.0.0.1 22")
        ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
        os.execvp(argv[0], argv)
    while True:
        for ready in select.select([connection, master], [], [])[0]:
            try:
                data = os.read(ready.fileno() if ready is connection else ready, 65536)
            except OSError:
                data = b""
            if not data:
                connection.close()
                os.close(master)
                os.waitpid(pid, 0)
                return
            if ready is connection:
                os.write(master, data)
            else:
                connection.sendall(data)


def carry(source, sink):
    """One direction of the line."""
    packets = Queue(WAITING)

    def deliver():
        while True:
            due, data = packets.get()
            time.sleep(max(0, due - time.monotonic()))
            if not data:
                return
            sink.sendall(data)

    threading.Thread(target=deliver, daemon=True).start()
    sent = 0.0
    while True:
        try:
            data = source.recv(PIECE)
        except OSError:
            data = b""
        sent = max(sent, time.monotonic()) + len(data) / RATE
        packets.put((sent + DELAY, data))
        if not data:
            return


def relay(entry, port):
    near, _ = entry.accept()
    far = socket.create_connection(("127.0.0.1", port))
    for end in near, far:
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=carry, args=(near, far), daemon=True).start()
    carry(far, near)


def answer(client, start):
    """The bytes until it is quiet, and when the first and the last of them came, in ms."""
    count, first, last = 0, 0.0, 0.0
    while select.select([client], [], [], QUIET)[0]:
        data = client.recv(65536)
        if not data:
            break
        last = (time.monotonic() - start) * 1000
        first = first or last
        count += len(data)
    return count, first, last


def row(name, answers):
    def both(i):
        values = sorted(a[i] for a in answers)
        return values[len(values) // 2], values[-1]

    print("%-20s %7d %7d   %7.0f %7.0f   %7.0f %7.0f" % ((name,) + both(0) + both(1) + both(2)), flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: link.py PROGRAM ARG...")
    server, far = listen()
    entry, near = listen()
    threading.Thread(target=serve, args=(server, sys.argv[1:]), daemon=True).start()
    threading.Thread(target=relay, args=(entry, far), daemon=True).start()
    print("%-20s %15s   %15s   %15s" % ("%dx%d, %.0f ms, %.0f kB/s" % (COLS, ROWS, DELAY * 2000, RATE / 1000),
                                       "bytes", "first byte, ms", "last byte, ms"))
    start = time.monotonic()
    client = socket.create_connection(("127.0.0.1", near))
    row("first picture", [answer(client, start)])
    for name, keys in STEPS:
        answers = []
        for key in keys:
            start = time.monotonic()
            client.sendall(key.encode())
            answers.append(answer(client, start))
        row(name, answers)
    client.sendall(b"Q")
    answer(client, time.monotonic())


main()
