#!/usr/bin/env python3
"""random_traces.py FIRST N FOLDER MKTRACE - writes N traces by chance, of seeds from FIRST on: a fourth as JSON.

They are what programs write, with hangs that are far from the rest, and times that are damaged: replaced, off by a bit,
0 beside an epoch, negative or no time. Of the others, two thirds have bits flipped or are cut."""
import json
import os
import random
import subprocess
import sys

NAMES = ["req", "a", "b", "hang"]
LAST_TICK = (1 << 64) - 1
FLOWS = ["begin", "step", "end"]


class Writer:
    """Lines of tests/lib/tracegen.h."""

    def __init__(self, seed):
        self.c = random.Random(seed)
        self.base = self.c.choice([0, 0, 1000, 10 ** 9, 17 * 10 ** 17])
        self.threads = [(10, 11), (10, 12), (20, 21), (20, 22)][:self.c.randrange(1, 5)]
        self.n = self.c.choice([3, 20, 60, 200])
        self.unit = self.c.choice([10, 1000, 10 ** 6])
        self.far = self.c.choice([0, 0, 10 ** 10, 3 * 10 ** 10, 3 * 10 ** 11, 10 ** 15])

    def rarely(self):
        return self.far and self.c.random() < 1.5 / self.n

    def event(self, kind, t, rest):
        return t, f"{kind} {t} {rest}"

    def on_thread(self, number):
        """Events of a thread: (when it was written, line)."""
        c, t, out, stack = self.c, self.base + self.c.randrange(self.unit * 5), [], []
        on = f't{number} "c"'
        for _ in range(self.n):
            what, name = c.random(), c.choice(NAMES)
            step = self.far if self.rarely() else c.randrange(self.unit) if c.random() < .9 else 0
            if what < .35:
                dur = self.far if self.rarely() else c.randrange(self.unit)
                out.append((t + dur, f'complete {t} {on} "{name}" end={t + dur}'))
                t += step if c.random() < .3 else dur
            else:
                if what < .55:
                    stack.append(name)
                    out.append(self.event("begin", t, f'{on} "{name}"'))
                elif what < .75:
                    name = stack.pop() if stack and c.random() < .95 else name
                    out.append(self.event("end", t, f'{on} "{name}"'))
                elif what < .8:
                    out.append(self.event("instant", t, f'{on} "i"'))
                elif what < .85:
                    out.append(self.event("flow_" + c.choice(FLOWS), t, f'{on} "f" id={c.randrange(3)}'))
                elif what < .9:
                    kind = c.choice(["begin", "end", "instant"])
                    out.append(self.event("async_" + kind, t, f'{on} "{c.choice("xy")}" id={c.randrange(3)}'))
                elif what < .95:
                    out.append(self.event("counter", t, f'{on} "n" v=i32:{c.randrange(100)} id=0'))
                else:
                    out.append(self.event("log", t, f't{number} "m"'))
                t += step
            t += c.randrange(3)
        if c.random() < .7:
            out += [self.event("end", t, f'{on} "{name}"') for name in reversed(stack)]
        return out

    def switches(self):
        c, t, out, current = self.c, self.base, [], [0, 0]
        tids = [tid for _, tid in self.threads]
        for _ in range(self.n):
            cpu, after = c.randrange(2), c.choice(tids + [0])
            state = c.choice([1, 2, 3, 3, 3, 3, 4, 5]) if c.random() < .98 else 15
            after = 0 if after in current and c.random() < .9 else after
            if c.random() < .3:
                out.append(self.event("wakeup", t, f"{cpu} {c.choice(tids)}"))
            else:
                weight = " incoming_weight=i32:-2147483648" if after == 0 else ""
                state = state if current[cpu] else 1
                out.append(self.event("switch", t, f"{cpu} {current[cpu]} {state} {after}{weight}"))
                current[cpu] = after
            t += self.far if self.rarely() else c.randrange(self.unit * 2)
        return out

    def damage(self, lines, value=None):
        """Replaces a time."""
        k, c = self.c.randrange(len(lines)), self.c
        words = lines[k].split(" ")
        t = int(words[1])
        value = c.choice([0, 1, 1 << 62, (1 << 63) - 1, (1 << 63) + 5, LAST_TICK, t + self.far, t + 10 ** 12,
                          t ^ 1 << c.randrange(64), max(0, t - self.far)]) if value is None else value
        if words[0] == "complete" and c.random() < .5:
            words[-1] = f"end={value}"
        else:
            words[1] = str(value)
        lines[k] = " ".join(words)

    def text(self):
        c = self.c
        parts = [self.on_thread(k + 1) for k in range(len(self.threads))]
        parts += [self.switches()] if c.random() < .5 else []
        events = [event for part in parts for event in part]
        if c.random() < .5:
            events.sort(key=lambda event: event[0])
        lines = [line for _, line in events]
        for _ in range(c.choice([0, 0, 0, 1, 1, 2, 4])):
            self.damage(lines)
        for _ in range(c.randrange(1, 5) if self.base > 10 ** 9 and c.random() < .15 else 0):
            self.damage(lines, 0)
        head = ["magic", 'provider 1 "p"', "init 1000000000"]
        head += [f"thread {k + 1} {pid} {tid}" for k, (pid, tid) in enumerate(self.threads)]
        return "\n".join(head + lines) + "\n"


def json_text(seed):
    c = random.Random(seed)
    unit, far, n = c.choice([10, 1000, 1e5]), c.choice([0, 3e7, 3e8, 1e10]), c.choice([3, 30, 200])
    times, events = dict.fromkeys(range(1, c.randrange(2, 5)), c.choice([0, 100, 1.7e15])), []
    for _ in range(n):
        tid, what = c.choice(list(times)), c.random()
        step = far if far and c.random() < 1.5 / n else round(c.random() * unit, 3) if c.random() < .8 else 0
        event = {"pid": 1, "tid": tid, "ts": times[tid], "name": c.choice(NAMES), "cat": "c"}
        if what < .35:
            event |= {"ph": "X"} | ({} if c.random() < .03 else {"dur": -5 if c.random() < .02 else step})
        elif what < .75:
            event |= {"ph": "B" if what < .55 else "E"}
        elif what < .85:
            event |= {"ph": c.choice("stf"), "id": c.randrange(3)}
        elif what < .9:
            event |= {"ph": c.choice("ben"), "id": c.randrange(3)}
        elif what < .95:
            event |= {"ph": "C", "args": {"v": c.randrange(9)}}
        else:
            event |= {"ph": "i", "s": "t"}
        if c.random() < .01:
            event["ts"] = c.choice([0, -5, 1e19, 9.3e15])
        events.append(event)
        times[tid] = round(times[tid] + step, 3)
    if c.random() < .3:
        c.shuffle(events)
    return json.dumps(events, separators=(",", ":")).replace("},{", "},\n{")


def spoil(path, c):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    way = c.randrange(3)
    for _ in range(1 + c.randrange(3) if way == 1 else 0):
        data[c.randrange(len(data))] ^= 1 << c.randrange(8)
    with open(path, "wb") as file:
        file.write(data[:c.randrange(len(data))] if way == 2 else data)


def main():
    first, n, folder, mktrace = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    made = []
    for seed in range(first, first + n):
        path = os.path.join(folder, f"chance{seed}")
        if seed % 4 == 0:
            with open(path + ".json", "w", encoding="utf-8") as file:
                file.write(json_text(seed))
            continue
        with open(path + ".txt", "w", encoding="utf-8") as file:
            file.write(Writer(seed).text())
        made.append((seed, path))
    subprocess.run([mktrace, *(path + end for _, path in made for end in (".txt", ".fxt"))], check=True)
    for seed, path in made:
        os.unlink(path + ".txt")
        spoil(path + ".fxt", random.Random(-seed))


if __name__ == "__main__":
    main()
