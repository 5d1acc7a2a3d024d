#!/usr/bin/env python3
"""check_import.py FXTOP [N] - Chrome's JSON as fxtop reads it, against Python's reader of JSON.

Makes N (60) random documents with Python's writer: odd layouts, escapes, surrogates, numbers of all sizes, nested
values, duplicate keys, events in any order. Names, times and arguments of each event have to be what json.loads() and
exact decimals give. Then documents with a few bytes changed, five times as many: what json.loads() still takes as events
has to be the same, and else fxtop says one line at most. Prints each difference, then "N passed, N failed"; the status is 1 if one failed.
"""
import decimal
import json
import os
import random
import re
import subprocess
import sys
import tempfile

decimal.getcontext().prec = 60


def text(r):
    letters = ['a', 'b', ' ', '"', '\\', '/', '\n', '\t', '\x01', 'é', '€', '😀', '\ud800', '\udc00', '{', ']', ',', ':']
    return paired(''.join(r.choice(letters) for _ in range(r.randrange(12))))


def number(r):
    kind = r.randrange(6)
    if kind == 0:
        return r.randrange(-10, 10)
    if kind == 1:
        return r.randrange(-2**63, 2**64)
    if kind == 2:
        return r.choice([2**64 - 1, 2**63, -2**63, 2**53 + 1, 10**19])
    if kind == 3:
        return r.random() * 10 ** r.randrange(-30, 30)
    if kind == 4:
        return 10**30 + r.randrange(100)
    return r.choice([0.0, -0.0, 1e308, 5e-324, float('inf'), float('-inf'), float('nan')])


def value(r, depth=0):
    kind = r.randrange(7 if depth < 3 else 5)
    if kind < 2:
        return text(r)
    if kind == 2:
        return number(r)
    if kind == 3:
        return r.choice([True, False])
    if kind == 4:
        return None
    if kind == 5:
        return [value(r, depth + 1) for _ in range(r.randrange(4))]
    return {text(r): value(r, depth + 1) for _ in range(r.randrange(4))}


def micros(r):
    whole = r.randrange(10 ** r.randrange(1, 14))
    digits = ''.join(r.choice('0123456789') for _ in range(r.randrange(7)))
    written = str(whole) + ('.' + digits if digits else '')
    if r.randrange(8) == 0:
        written = '%d.%se%d' % (whole, digits or '0', r.choice([0, 1, 2, -1, -3]))
    return written


def blanks(r):
    return r.choice(['', '', ' ', '\n', '\t ', '\r\n'])


def document(r, closed=False):
    events, out = [], []
    for i in range(r.randrange(1, 40)):
        args = {'k%d %s' % (k, text(r)): value(r) for k in range(r.randrange(18))}
        event = {'name': 'e%d %s' % (i, text(r)), 'ts': micros(r), 'dur': micros(r), 'args': args}
        fields = ['"ph":"X"', '"pid":1', '"tid":%d' % r.randrange(3), '"name":' + dumps(r, event['name']),
                  '"args":' + dumps(r, args)]
        for key in 'ts', 'dur':
            fields.append('"%s":%s' % (key, event[key] if r.randrange(4) else '"%s"' % event[key]))
        r.shuffle(fields)
        out.append('{' + blanks(r) + (',' + blanks(r)).join(fields) + blanks(r) + '}')
        events.append(event)
    body = '[' + blanks(r) + (',' + blanks(r)).join(out) + blanks(r) + (']' if closed else r.choice([']', '', ',', '\n,\n']))
    if r.randrange(2):
        return events, body
    return events, '{"other":' + dumps(r, value(r)) + ',"traceEvents":' + body + ('}' if closed else '')


def dumps(r, v):
    separators = r.choice([(',', ':'), (', ', ': '), (' ,\n', ' :\t')])
    escaped = json.dumps(v, ensure_ascii=True, separators=separators)
    if r.randrange(2):
        return escaped
    plain = json.dumps(v, ensure_ascii=False, separators=separators)
    try:
        plain.encode()
        return plain
    except UnicodeEncodeError: # a surrogate by itself
        return escaped


def paired(s): # two surrogates that are neighbours are a character as soon as they are written
    return s.encode('utf-16-le', 'surrogatepass').decode('utf-16-le', 'surrogatepass')


def shown(s):
    return ''.join('\ufffd' if 0xd800 <= ord(c) < 0xe000 else c for c in paired(s))


def nested(v):
    if isinstance(v, str):
        return v
    if isinstance(v, list):
        return [nested(x) for x in v]
    if isinstance(v, dict):
        return {k: nested(x) for k, x in v.items()}
    return v


def nanos(d):
    return int((d * 1000).quantize(decimal.Decimal(1), decimal.ROUND_HALF_UP))


def same_argument(want, got):
    kind, v = got['type'], got.get('value')
    if want is None:
        return kind == 'null'
    if isinstance(want, bool):
        return kind == 'bool' and v is want
    if isinstance(want, int) and -2**63 <= want < 2**64:
        return kind in ('int64', 'uint64') and v == want
    if isinstance(want, (int, float)):
        if kind != 'double':
            return False
        return float(want) == float(v) if v != 'NaN' else want != want # -0 is printed as one, and read as 0
    if isinstance(want, str):
        return kind == 'string' and v == shown(want)
    return kind == 'string' and repr(nested(json.loads(v))) == repr(nested(json.loads(json.dumps(want))))


def truncated(d):
    return d.quantize(decimal.Decimal('1e-6'), decimal.ROUND_DOWN)


def compare(events, lines):
    by_name, origin = {}, 0
    for line in lines:
        o = json.loads(line)
        if o['type'] == 'trace':
            origin = int(o.get('origin_ns', 0))
        if o['type'] == 'slice':
            by_name[o['name']] = o
        if o['type'] == 'problem' and o['kind'].startswith('source'):
            yield 'problem ' + o['message']
    for e in events:
        o = by_name.get(shown(e['name']))
        if o is None:
            yield 'no slice %r' % e['name']
            continue
        ts, dur = truncated(decimal.Decimal(e['ts'])), truncated(decimal.Decimal(e['dur']))
        if o['ts'] + origin != nanos(ts) or o['dur'] != nanos(ts + dur) - nanos(ts):
            yield '%r: ts %s dur %s, got %d %d' % (e['name'], e['ts'], e['dur'], o['ts'] + origin, o['dur'])
        got = o.get('args', [])
        want = list(e['args'].items())
        for (key, v), a in zip(want[:14], got):
            if a['name'] != shown(key) or not same_argument(v, a):
                yield '%r: argument %r is %r, got %r' % (e['name'], key, v, a)
        more = dict(want[14:])
        if len(got) != min(len(want), 14) + (1 if more else 0):
            yield '%r: %d arguments, got %d' % (e['name'], len(want), len(got))
        elif more and repr(json.loads(got[-1]['value'])) != repr(json.loads(json.dumps(more))):
            yield '%r: more is %r, got %r' % (e['name'], more, got[-1])


# ---- changed documents ----


class Int(int):
    text = ''


class Real(float):
    text = ''


def kept(kind):
    def parse(text):
        number = kind(text)
        number.text = text
        return number
    return parse


def changed(r, body):
    gentle = r.randrange(4) > 0 # within a word or a number, by characters that may be there
    for _ in range(r.randrange(1, 4)):
        if gentle:
            at = r.choice([i for i, c in enumerate(body) if c.isalnum()])
            piece = r.choice(['0', '7', '00', 'a', '\\n', '\\u00e9', '\\ud83d', '\\/', '.5', 'e1', 'E-2', '\\"', ' ', '-'])
            body = body[:at] + piece + body[at + r.randrange(2):]
            continue
        at, piece = r.randrange(len(body)), r.choice(list('{}[]",:\\/0123456789eE+-.tfnu \n\tab')) * r.randrange(1, 3)
        end = at + r.randrange(3)
        if r.randrange(4) == 0: # a stretch once more
            piece = body[at:at + r.randrange(1, 20)]
            end = at
        body = body[:at] + piece + body[end:]
    return body


def decimal_text(v):
    text = v if isinstance(v, str) else getattr(v, 'text', '')
    return text if re.fullmatch(r'[0-9]+(\.[0-9]+)?([eE][+-]?[0-9])?', text) and decimal.Decimal(text) < 10**14 else None


def event_of(o):
    """The event as compare() takes it; None: it is not as document() makes them."""
    if not isinstance(o, dict) or set(o) != {'ph', 'pid', 'tid', 'name', 'args', 'ts', 'dur'} or o['ph'] != 'X' or o['pid'] != 1:
        return None
    ts, dur = decimal_text(o['ts']), decimal_text(o['dur'])
    if not isinstance(o['name'], str) or not isinstance(o['args'], dict) or not isinstance(o['tid'], int) or ts is None or dur is None:
        return None
    return {'name': o['name'], 'ts': ts, 'dur': dur, 'args': o['args']} if len(o['name']) < 1000 else None


def expected(body):
    """The events that json.loads() finds; None: it finds none, or others than document() makes."""
    twice = []

    def pairs(v):
        if len({k for k, _ in v}) < len(v):
            twice.append(v)
        return dict(v)
    try:
        v = json.loads(body, parse_int=kept(Int), parse_float=kept(Real), object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return None
    found = v.get('traceEvents') if isinstance(v, dict) else v
    events = [event_of(o) for o in found] if isinstance(found, list) else [None]
    names = {shown(e['name']) for e in events if e}
    return None if twice or None in events or len(names) < len(events) else events


def read(fxtop, body):
    with tempfile.NamedTemporaryFile(suffix='.json', delete=False) as f:
        f.write(body.encode('utf-8', 'replace'))
    run = subprocess.run([fxtop, '--export=ndjson', f.name], capture_output=True, check=False)
    os.unlink(f.name)
    return run


def check_changed(fxtop, r):
    body = changed(r, document(r, closed=True)[1])
    events, run = expected(body), read(fxtop, body)
    if events is None or not events:
        if run.returncode not in (0, 2) or len(run.stderr.splitlines()) > 1:
            yield 'status %d: %s' % (run.returncode, run.stderr.decode())
    elif run.returncode:
        yield 'status %d: %s' % (run.returncode, run.stderr.decode())
    else:
        yield from compare(events, run.stdout.decode().splitlines())


def main():
    fxtop, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    failed = 0
    for seed in range(n):
        events, body = document(random.Random(seed))
        run = read(fxtop, body)
        faults = ['status %d: %s' % (run.returncode, run.stderr.decode())] if run.returncode else \
            list(compare(events, run.stdout.decode().splitlines()))
        failed += bool(faults)
        for fault in faults[:5]:
            print('document %d: %s' % (seed, fault))
    for seed in range(5 * n):
        faults = list(check_changed(fxtop, random.Random('changed %d' % seed)))
        failed += bool(faults)
        for fault in faults[:5]:
            print('changed document %d: %s' % (seed, fault))
    print('%d passed, %d failed' % (6 * n - failed, failed))
    return 1 if failed else 0


sys.exit(main())
