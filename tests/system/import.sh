#!/usr/bin/env bash
# import.sh - JSON opens however it comes: against Python's reader, each phase in any order, compressed, piped, growing;
# from clang itself; and --export=json and --export=fxt open again.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/program.sh"
fxtop=$(quick "${FXTOP:-./fxtop}")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

case_is() { # NAME CONDITION...
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; fi
}

slices() { # ARGUMENT...: what is shown, without where it is
    "$fxtop" --export=ndjson "$@" 2>"$tmp/messages" | grep -v '"type":"\(trace\|problem\|end\)"' | sed 's/,"offset":[0-9]*//g'
}

same() { # FILE ARGUMENT...: the same as the plain source
    local want=$1
    shift
    [ "$(slices "$want")" = "$(slices "$@")" ] && [ -n "$(slices "$@")" ]
}

json=$top/tests/import/phases.json
gzip -c "$json" >"$tmp/a.gz"
case_is 'gzip' same "$json" "$tmp/a.gz"
if "$fxtop" --version | grep -q '^with:.* zstd' && command -v zstd >/dev/null; then
    zstd -q "$json" -o "$tmp/a.zst"
    case_is 'zstd' same "$json" "$tmp/a.zst"
fi
piped() { slices - <"$1" >"$tmp/1"; { head -c 1000000 "$1"; } | slices - >"$tmp/2"; cmp -s "$tmp/1" "$tmp/2" && [ -s "$tmp/1" ]; }
case_is 'standard input and a pipe' piped "$json"
parts() { { head -c 700 "$json"; sleep 0; tail -c +701 "$json"; } | slices - | cmp -s - <(slices "$json"); }
case_is 'a pipe in two parts' parts
again() { "$fxtop" --export=fxt "$json" >"$tmp/again.fxt" && same "$json" "$tmp/again.fxt"; }
case_is 'as clean FXT' again
into() { "$fxtop" --export=fxt --output "$tmp/out.fxt" "$json" && cmp -s "$tmp/out.fxt" "$tmp/again.fxt"; }
case_is 'into a file' into
itself() { ! "$fxtop" --cut=0..50% -o "$tmp/out.fxt" "$tmp/out.fxt" 2>"$tmp/messages" && cmp -s "$tmp/out.fxt" "$tmp/again.fxt"; }
case_is 'the trace itself is not written to' itself
twice() { ! "$fxtop" --cut=0..50% --export=csv "$json" 2>"$tmp/messages" && [ "$(wc -l <"$tmp/messages")" -eq 1 ]; }
case_is 'a part is one format' twice
dropped() { ! "$fxtop" --cut=9h..10h -o "$tmp/none.fxt" "$json" 2>"$tmp/messages" && [ ! -e "$tmp/none.fxt" ] && grep -q -e '--cut:' "$tmp/messages"; }
case_is 'nothing is left of a failure' dropped
refused() { ! "$fxtop" --summary "$1" 2>"$tmp/messages" >&2 && [ "$(wc -l <"$tmp/messages")" -eq 1 ]; }
printf '[1, 2, 3]' >"$tmp/list.json"
printf '{"a": 1}' >"$tmp/object.json"
case_is 'a list of numbers is no trace' refused "$tmp/list.json"
# An object without events is an empty trace only if it has a place for them.
case_is 'an object without a place for events is no trace' refused "$tmp/object.json"
printf '{"traceEvents": []}' >"$tmp/empty.json"
empty() { "$fxtop" --summary "$1" | grep -q '0 events'; }
case_is 'an object with none is an empty trace' empty "$tmp/empty.json"

# --export=json opens again with the same slices, counters, flows and operations.
roundtrip() { # FIXTURE
    "$FXTOP_BUILD/tests/lib/mktrace" "$top/tests/traces/$1.txt" "$tmp/t.fxt" && "$fxtop" --export=json "$tmp/t.fxt" >"$tmp/t.json" &&
        [ "$(shown "$tmp/t.fxt")" = "$(shown "$tmp/t.json")" ]
}
shown() { slices "$1" | grep '"type":"\(slice\|instant\|counter\|async\|flow\)"' | sed 's/"type":"[a-z]*32"/"type":"int64"/g' | sort; }
# A flow event that is written at another time comes back at its own. A point at the end of a slice, and after it in the file, comes back as in it (EXPORT 5.1).
for fixture in point_at_end slice_children_first slice_no_length instant_edges clock_24mhz string_again; do
    case_is "$fixture as JSON and back" roundtrip "$fixture"
done

waits() { slices "$1" | grep '"type":"state"' | grep -v '"tid":0'; }
waited() { "$fxtop" --export="$1" -o "$tmp/w" "$top/tests/import/waits.json" && [ "$(waits "$tmp/w")" = "$(waits "$top/tests/import/waits.json")" ]; }
case_is 'waits as JSON and back' waited json
case_is 'waits as FXT and back' waited fxt

gutter() { "$fxtop" --print=100x30 "$1" | sed -n '4,$s/│.*//p' && "$fxtop" --summary "$1" | grep ' / '; }
labelled() { "$fxtop" --export="$1" -o "$tmp/l" "$top/tests/import/labels.json" && [ "$(gutter "$tmp/l")" = "$(gutter "$top/tests/import/labels.json")" ]; }
case_is 'labels and sort indexes as JSON and back' labelled json
case_is 'labels and sort indexes as FXT and back' labelled fxt

# Tables of threads and shared ones, prefixes and offsets, times and deltas, in any order of keys: one profile.
versions() { [ "$(slices "$top/tests/import/firefox.json")" = "$(slices "$top/tests/import/firefox_48.json")" ]; }
case_is 'a profile of Firefox in two versions' versions

if command -v clang >/dev/null; then
    printf '#include <vector>\nint f() { std::vector<int> v(3); return v[1]; }\n' >"$tmp/a.cc"
    (cd "$tmp" && clang -x c++ -ftime-trace -ftime-trace-granularity=0 -c a.cc -o a.o) 2>"$tmp/clang"
    if [ -s "$tmp/a.json" ]; then
        compiled() { slices "$tmp/a.json" >"$tmp/out"; grep -q '"name":"ExecuteCompiler"' "$tmp/out" && grep -q '"name":"clang' "$tmp/out" &&
            ! "$fxtop" --export=ndjson "$tmp/a.json" | grep -q '"kind":"source'; }
        case_is 'clang -ftime-trace' compiled
    fi
fi
if command -v python3 >/dev/null; then
    python3 "$top/tests/tools/check_import.py" "$fxtop" 60 >"$tmp/python"
    case_is 'against the reader of Python' [ $? -eq 0 ]
    grep -v passed "$tmp/python"
    python3 "$top/tests/tools/check_phases.py" "$fxtop" 30 >"$tmp/python"
    case_is 'each phase, in any order' [ $? -eq 0 ]
    grep -v passed "$tmp/python"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
