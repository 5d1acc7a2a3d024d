#!/usr/bin/env bash
# record.sh - fxtop record, from the command line to the trace that it writes.
#
# Each case records tests/system/traced, and compares the exported events with what the program did. Killed programs
# keep the number of their committed events in a file: the trace holds just as many, or one more, but for those that it
# counts as dropped.
set -u
fxtop=${FXTOP:-./fxtop}
traced=${FXTOP_BUILD:-.}/tests/system/traced plugin=${FXTOP_BUILD:-.}/tests/system/plugin.so
file_order=${FXTOP_BUILD:-.}/tests/system/file_order
[ -x "$traced" ] || { echo "recording needs Linux: $traced was not built"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$tmp"' EXIT
export XDG_RUNTIME_DIR=$tmp XDG_CACHE_HOME=$tmp
passed=0 failed=0
quiet=(--no-sched --no-stacks --sample=0)

case_is() { # NAME CONDITION...
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        cat "$tmp/messages" 2>/dev/null
    fi
}

record() { # ARGUMENT...: into $tmp/t.fxt
    "$fxtop" record -o "$tmp/t.fxt" "$@" 2>"$tmp/messages" >"$tmp/printed"
}

ends_after() { # RECORDER PROGRAM: ends a recorder that listens once the program, which ran before, has ended
    local status
    wait "$2"
    status=$?
    kill "$1"
    wait "$1"
    ended=$?
    return "$status"
}

events() { # NAME: their arguments i in file order by thread k, "k i" a line
    "$fxtop" --export=ndjson "$tmp/t.fxt" | grep "\"name\":\"$1\"" |
        awk -F'"value":' '$1 ~ /"name":"k","type":"int32",$/ && $2 ~ /"name":"i","type":"uint32",$/ { print $2 + 0, $3 + 0 }'
}

whole() { # NAME THREADS N: each thread has 0 .. N - 1, each once
    events "$1" | LC_ALL=C sort -n -k1,1 -k2,2 | awk -v threads="$2" -v n="$3" '
        $1 != int((NR - 1) / n) || $2 != (NR - 1) % n { exit bad = 1 }
        END { exit bad || NR != threads * n }'
}

count() { # PATTERN: lines of the export
    "$fxtop" --export=ndjson "$tmp/t.fxt" | grep -c -- "$1"
}

framed() { # notes are no fault: a slice may be open
    "$fxtop" --check "$tmp/t.fxt" >"$tmp/problems" || { cat "$tmp/problems"; return 1; }
}

cut_by_limit() { # no problem but one loss
    ! "$fxtop" --check "$tmp/t.fxt" >"$tmp/problems" || return 1
    [ "$(sed '/^note/d; s/,.*//' "$tmp/problems")" = 'problem records_lost: 1' ] || { cat "$tmp/problems"; return 1; }
}

sound() {
    "$fxtop" --check=strict "$tmp/t.fxt" >"$tmp/problems" || { cat "$tmp/problems"; return 1; }
}

in_order() { # the file ends at a record, and the times of each thread, as they were written, never go back
    "$file_order" "$tmp/t.fxt" >"$tmp/problems" || { cat "$tmp/problems"; return 1; }
}

# shellcheck disable=SC2016 # a parameter of sh
last_words='until [ -s "$0" ]; do :; done; echo "at last"; exit 3' # once the recorder has said something
goes_on() { # NAME: the program was not recorded to its end, but ended before the recorder
    case_is "$1: says that the program goes on" grep -q ': the program goes on, and is not recorded any more$' "$tmp/messages"
    case_is "$1: it has ended" grep -qx 'at last' "$tmp/printed"
}

kills() { # TIMES: threads that count their steps are killed at any moment
    local round k n got dropped
    for round in $(seq "$1"); do
        record "${quiet[@]}" "$traced" kill "$tmp/counts" $((RANDOM % 30000 + 3000))
        case_is "kill $round: exit status" [ $? -eq 137 ]
        case_is "kill $round: in the order of the file" in_order
        for k in 0 1; do
            n=$(od 2>/dev/null -An -t u8 -j $((64 * k)) -N 8 "$tmp/counts" | tr -d ' ')
            n=${n:-0} # it ended before it had made the file
            events tick | grep "^$k " >"$tmp/ticks"
            got=$(wc -l <"$tmp/ticks")
            dropped=$(sed -n 's/.* dropped \([0-9]*\) records: .*/\1/p' "$tmp/messages")
            dropped=${dropped:-0} # if the manager got no processor for long
            case_is "kill $round: thread $k has $got of $n" [ "$got" -le $((n + 1)) -a $((got + dropped)) -ge "$n" ]
            # shellcheck disable=SC2016 # fields of awk
            case_is "kill $round: thread $k in order" awk -v dropped="$dropped" '
                $2 < NR - 1 || $2 > NR - 1 + dropped || (NR > 1 && $2 <= last) { exit 1 }
                { last = $2 }' "$tmp/ticks"
        done
    done
}

kills "${FXTOP_KILLS:-20}"
if [ "${FXTOP_KILLS:-}" ]; then # of long.sh: nothing else
    echo "$passed passed, $failed failed"
    exit $((failed > 0))
fi

for mode in streaming circular oneshot; do
    record "${quiet[@]}" -m "$mode" "$traced" steps 2 3000
    case_is "$mode: exit status" [ $? -eq 0 ]
    case_is "$mode: all slices" whole work 2 3000
    case_is "$mode: all instants" whole tick 2 3000
    case_is "$mode: no problem in the trace" sound
    record "${quiet[@]}" -m "$mode" "$traced" kinds
    case_is "$mode: kinds, exit status" [ $? -eq 0 ]
    case_is "$mode: kinds, no problem in the trace" sound
    case_is "$mode: kinds, slices" [ "$(count '"type":"slice".*"cat":"kinds"')" -eq 6 ]
    case_is "$mode: kinds, whole flows" [ "$(count '"type":"flow".*"state":"complete"')" -eq 2 ]
    case_is "$mode: kinds, a flow's arguments" [ "$(count '"name":"koid","type":"koid","value":17')" -eq 1 ]
    case_is "$mode: kinds, names that are made" [ "$(count '"name":"made ')" -eq 3 ]
    case_is "$mode: kinds, in a constructor and a destructor" [ "$(count '"name":"[a-z]* main"')" -eq 2 ]
    case_is "$mode: kinds, texts that are too long for a record are cut" [ "$(count '"name":"long".*"value":"t\{20000\}".*"value":"t\{12,\}"')" -eq 1 ]
    case_is "$mode: kinds, blobs" [ "$(count '"type":"[a-z_]*blob')" -ge 2 ]
    record "${quiet[@]}" -m "$mode" "$traced" pause
    case_is "$mode: pause, all of each part" whole seen 3 100
    case_is "$mode: pause, nothing meanwhile" [ "$(count '"name":"unseen"')" -eq 0 ]
    case_is "$mode: pause, no problem in the trace" sound
    # a sanitizer of leaks opens a folder when the program ends
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 record "${quiet[@]}" -m "$mode" "$traced" pause alone
    case_is "$mode: no more files may be opened, exit status" [ $? -eq 0 ]
    case_is "$mode: no more files may be opened, the library obeys" whole seen 3 100
    case_is "$mode: no more files may be opened, nothing meanwhile" [ "$(count '"name":"unseen"')" -eq 0 ]
    record "${quiet[@]}" -m "$mode" "$traced" plugin "$plugin"
    case_is "$mode: a library that is loaded twice" [ "$(count '"type":"slice".*"name":"in the plugin"')" -eq 2 ]
    case_is "$mode: its program" [ "$(count '"type":"slice".*"name":"call"')" -eq 2 ]
    case_is "$mode: libraries, no problem in the trace" sound
done

record "${quiet[@]}" -b 64k "$traced" steps 4 20000
case_is 'a small buffer: exit status' [ $? -eq 0 ]
case_is 'a small buffer: records are dropped' grep -q ' dropped [0-9]* records' "$tmp/messages"
case_is 'a small buffer: in order' in_order
sound
case_is 'a small buffer: slices nest' [ "$(grep -cv 'records_lost\|begin_without_end' "$tmp/problems")" -eq 0 ]

record "${quiet[@]}" -c 'kin*,nothing' "$traced" kinds
case_is 'categories: a prefix' [ "$(count '"cat":"kinds"')" -gt 10 ]
case_is 'categories: others are left out' [ "$(count '"cat":"other"')" -eq 0 ]

record "${quiet[@]}" "$traced" fork
case_is 'fork: exit status' [ $? -eq 0 ]
for name in before after 'in the child' 'traced at last'; do
    case_is "fork: $name" [ "$(count "\"type\":\"slice\".*\"name\":\"$name\"")" -eq 1 ]
done
case_is 'fork: all of two threads that begin at once' whole tick 2 300
case_is 'fork: no problem in the trace' sound

# Children that the library is not told of, as of _Fork(): they are not traced, and go on.
record "${quiet[@]}" "$traced" copies
case_is 'copies: they end as they would without the library' [ $? -eq 0 ]
case_is 'copies: no event of them is taken for one of the program' [ "$(count '"cat":"copies"')" -eq 3 ]
case_is 'copies: they are traced again after exec' [ "$(count '"name":"traced at last"')" -eq 2 ]
case_is 'copies: no problem in the trace' sound

record "${quiet[@]}" timeout -s KILL 20 "$traced" leaves 300
case_is 'the main thread ends: so does the program, with its last thread' [ $? -eq 0 ]
case_is 'the main thread ends: all of both threads' whole tick 2 300
case_is 'the main thread ends: what was printed is there' grep -qx left "$tmp/printed"
record "${quiet[@]}" timeout -s KILL 20 "$traced" interrupted 300
case_is 'fork in a signal handler that interrupts an event: the program goes on' [ $? -eq 0 ]

record "${quiet[@]}" "$traced" closes 3000
case_is 'closed descriptors: what has their numbers is left alone' [ $? -eq 0 ]
# All; before Linux 5.9 until the library notices, and from its next connection on, which may be there while the first
# steps go on.
one_gap_and_whole() { # N
    events tick | awk -v n="$1" '
        $2 < at[$1] || ($2 > at[$1] && ($1 != 0 || gaps++ > 0)) { exit bad = 1 }
        { at[$1] = $2 + 1 }
        END { exit bad || at[0] > n || at[1] != n }'
}
case_is 'closed descriptors: all from the next connection on' one_gap_and_whole 3000
program=$(realpath "$traced") recorder=$(realpath "$fxtop")
(cd "$tmp" && FXTTRACE_SOCKET=later exec "$program" closes 300) &
daemon=$!
until case $(readlink "/proc/$daemon/cwd") in / | '') true ;; *) false ;; esac; do :; done # it goes there once all are closed
(cd "$tmp" && exec "$recorder" record -o t.fxt "${quiet[@]}" --listen=later 2>messages) &
ends_after $! "$daemon"
case_is 'closed descriptors of a library that waits: what has their numbers is left alone' [ $? -eq 0 ]
case_is 'closed descriptors of a library that waits: all is there' [ "$(count '"name":"tick"')" -eq 300 ]
case_is '--listen: the path to paste is that from the root' grep -q "FXTTRACE_SOCKET=$tmp/later; " "$tmp/messages"

record "${quiet[@]}" "$traced" crash
case_is 'crash: exit status' [ $? -eq 139 ]
case_is 'crash: the signal is named' grep -q 'was killed by signal 11: ' "$tmp/messages"
case_is 'crash: the signal is in the trace' [ "$(count '"name":"killed by a signal".*"value":11')" -eq 1 ]
case_is 'crash: the slice that was open' [ "$(count '"name":"the last slice"')" -eq 1 ]

# Its exec is known later than its end, and is before it in the file.
# shellcheck disable=SC2016 # a parameter of sh
record --sample=0 sh -c 'kill -9 $$'
case_is 'killed at once: its exec is before the signal' in_order
record --sample=0 --log sh -c 'echo one; exec sh -c "echo two; exec echo three"'
case_is 'lines: execs are before what follows them' in_order

# A recorder that is too busy to answer: the program goes on, and its events until it is traced are counted.
record "${quiet[@]}" "$traced" late 20
case_is 'a busy recorder: tracing is not on before it answers' [ $? -eq 0 ]
case_is 'a busy recorder: events before the session are counted' grep -q ', 40 dropped; ' "$tmp/messages"
case_is 'a busy recorder: it is said' grep -q ' dropped 40 records before it was traced: ' "$tmp/messages"
case_is 'a busy recorder: those after are there' [ "$(count '"name":"tick"')" -eq 20 ]

# A program with rights that its caller lacks is not traced, because the caller chooses the socket.
group=$([ "$(id -u)" -eq 0 ] && echo 65534 || id -G | tr ' ' '\n' | grep -vx "$(id -g)" | head -n 1)
gains_group() { chgrp "$group" "$1" 2>/dev/null && chmod g+s "$1"; }
cp "$(command -v id)" "$tmp/id"
cp "$traced" "$tmp/setgid"
if gains_group "$tmp/id" && gains_group "$tmp/setgid" && [ "$("$tmp/id" -g)" = "$group" ]; then # else no file gains it
    record "${quiet[@]}" "$tmp/setgid" kinds
    case_is 'a setgid program: it is not traced' [ $? -eq 3 ]
    case_is 'a setgid program: no provider' grep -q ': no provider, ' "$tmp/messages"
    cp "$(command -v sleep)" "$tmp/setgid"
    gains_group "$tmp/setgid"
    record --sample=0 "$tmp/setgid" 0.15
    if ! grep -q 'no context switches' "$tmp/messages"; then
        case_is 'a setgid program: its context switches are left out' grep -q '^fxtop record: setgid ([0-9]*) has rights that you lack' "$tmp/messages"
        case_is 'a setgid program: it is not dead' [ "$("$fxtop" --print=100x20 --keys='2<Tab>&setgid<Enter>' "$tmp/t.fxt" | grep -c 'setgid .* unknown .* 9[0-9]\.')" -eq 1 ]
    fi
fi

record "${quiet[@]}" "$traced" orphan
case_is 'a child that is killed: the signal is named' grep -q 'traced ([0-9]*) was killed by a signal: Killed$' "$tmp/messages"
case_is 'a child that is killed: in one line' [ "$(grep -c 'was killed by' "$tmp/messages")" -eq 1 ]

# More providers than the soft limit of descriptors allows; then than the hard one does, and what waits for room is not lost.
(ulimit -Sn 80 && record "${quiet[@]}" -b 64k "$traced" crowd 60 1)
case_is 'a crowd: all at once' whole tick 1 60
case_is 'a crowd: nothing is lost' [ "$(wc -l <"$tmp/messages")" -eq 1 ]
(ulimit -n 80 && record "${quiet[@]}" -b 64k "$traced" crowd 60 0)
case_is 'a crowd with few descriptors: all, one after the other' whole tick 1 60
(ulimit -n 80 && record "${quiet[@]}" -b 64k "$traced" hurry 150)
ticks=$(count '"name":"tick"')
lost=$(grep -o '[0-9]* \(dropped\|providers* that\|connections* refused\)' "$tmp/messages" | awk '{ n += $1 } END { print n + 0 }')
case_is "a crowd in a hurry: $ticks ticks, $lost lost" [ "$((ticks + lost))" -eq 150 ]
record --no-stacks --sample=0 "$traced" shut 30
case_is 'children that may open no file: they are counted' test -n "$(grep ', none dropped, 30 processes not reached' "$tmp/messages" ||
    grep 'no context switches' "$tmp/messages")"
(ulimit -Sn 80 && record "${quiet[@]}" sh -c 'ulimit -Sn')
case_is 'the program has the limit that it had' grep -qx 80 "$tmp/printed"

times=$("$traced" refused "$tmp/refusing" 700)
case_is "a refused provider tries again after ever longer times: $times" [ "$times" -ge 2 -a "$times" -le 9 ]

# A buffer of 4096 bytes that was left in memory, with one instant. Options may stand before and after its name.
{
    printf 'daeh\xeefub\0\0\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x0f\0\0\0\0\0\0'
    head -c 88 /dev/zero
    printf '\x64\0\0\0\x04\x80\x04\x80\x09\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0cats\0\0\0\0left\0\0\0\0'
    head -c 3920 /dev/zero
} >"$tmp/image"
for order in '--recover IMAGE -o FILE' '--recover -o FILE IMAGE' '-o FILE --recover -- IMAGE'; do
    rm -f "$tmp/t.fxt"
    words=${order/IMAGE/$tmp/image}
    # shellcheck disable=SC2086 # several words
    "$fxtop" record ${words/FILE/$tmp/t.fxt} 2>"$tmp/messages"
    case_is "$order" [ $? -eq 0 -a "$(count '"name":"left"')" -eq 1 ]
done

record sh -c 'exit 7'
case_is 'exit status of the program' [ $? -eq 7 ]
cp "$tmp/t.fxt" "$tmp/older"
case_is 'a program without a provider' grep -q ': no provider, ' "$tmp/messages"
record "$tmp/nothing"
case_is 'a program that is not there' [ $? -eq 127 ]
PATH=/usr/bin:/bin record fxtop-nothing-of-this-name # a folder that may not be read would be another reason
case_is 'a program that is not in PATH' [ $? -eq 127 ]
record "$tmp"
case_is 'a program that cannot be run' [ $? -eq 126 ]
case_is 'a program that is not begun leaves the older trace' cmp -s "$tmp/older" "$tmp/t.fxt"
cp /bin/true "$tmp/program"
for name in program words printed; do # it, an argument of it, its output
    cp "$tmp/program" "$tmp/words"
    "$fxtop" record "${quiet[@]}" -o "$tmp/$name" "$tmp/program" "$tmp/words" 2>"$tmp/messages" >"$tmp/printed"
    case_is "an output that the program uses is refused: $name" \
        [ $? -eq 125 -a "$(grep -c ': it is in use: write to another file$' "$tmp/messages")" -eq 1 ]
    case_is 'and is left as it is' cmp -s "$tmp/program" "$tmp/words"
done
mkdir "$tmp/$(printf '%080d' 0)"
XDG_RUNTIME_DIR=$tmp/$(printf '%080d' 0) record "${quiet[@]}" true
case_is 'a directory whose name is too long for a socket' [ $? -eq 0 ]
"$fxtop" record -o "$tmp/no/where" true 2>"$tmp/messages"
case_is 'an output that cannot be made' [ $? -eq 125 ]
for bad in '-o - --live true' '-b 1k true' '-m often true' '-d soon true' '--sample=x true' '--nonsense true' '--max-size=99999999999999999999g true' '--wai=3 true' '--until=a-name-that-is-long true' '--until=dur> true' '--until=dur>p99 true' '--until=dur>1s -m circular true' '--recover' ''; do
    # shellcheck disable=SC2086 # several words
    record $bad
    case_is "refused: $bad" [ $? -eq 125 -a "$(wc -l <"$tmp/messages")" -eq 1 ]
done

"$fxtop" record "${quiet[@]}" -o - sh -c 'echo one' 2>"$tmp/messages" | cat >"$tmp/t.fxt"
case_is '-o -: the trace' sound
case_is '-o -: is of the program' [ "$(count '"name":"recording ends"')" -eq 1 ]
case_is '-o -: what the program prints' grep -qx one "$tmp/messages"
case_is '-o -: the last line' grep -q '^standard output: .* dropped$' "$tmp/messages"
"$fxtop" record "${quiet[@]}" -o "$tmp/it's a trace.fxt" true 2>"$tmp/messages"
hint=$(sed -n 's/.*look at it with: fxtop //p' "$tmp/messages")
case_is 'the hint is for a shell' eval "cmp -s $hint \"$tmp/it's a trace.fxt\""

"$fxtop" record "${quiet[@]}" -o - true 2>"$tmp/messages" >&-
case_is '-o -: a closed standard output is refused' [ $? -eq 125 -a "$(grep -c 'standard output is closed' "$tmp/messages")" -eq 1 ]
# Quit from the terminal reaches both, and is for the program first: a second one ends the recording.
# shellcheck disable=SC2016 # parameters of sh
record "${quiet[@]}" sh -c 'trap "" QUIT; kill -QUIT $PPID; "$0" steps 1 10; kill -QUIT $PPID; exec sleep 20' "$traced"
case_is 'two quits end the recording as two interrupts do' grep -q 'goes on without being recorded' "$tmp/messages"
case_is 'two quits: what came before' whole tick 1 10

record --log sh -c 'echo one; echo two >&2; printf three'
case_is '--log: lines' [ "$(count '"type":"log"')" -eq 3 ]
case_is '--log: passed on' [ "$(cat "$tmp/printed")" = "one
three" ]

record "${quiet[@]}" -m circular -b 64k "$traced" steps 1 30000
times=$("$fxtop" --export=ndjson "$tmp/t.fxt" | sed -n 's/.*"name":"\(recording\|tick\)","ts":\([0-9]*\).*/\1 \2/p' | LC_ALL=C sort -s -k1,1 | uniq -w4 | cut -d" " -f2 | tr "\n" " ")
# shellcheck disable=SC2086 # two times
case_is "circular: no time long before the last events: $times" test $(printf "%s -gt %s" $times)
case_is 'circular: why records were dropped' \
    [ "$(grep -c ' dropped [0-9]* records' "$tmp/messages")" -eq "$(grep -c 'while no half of its buffer was free' "$tmp/messages")" ]

record "${quiet[@]}" --until=enough "$traced" alert enough
case_is '--until: the alert ends it' [ $? -eq 0 -a "$(count '"cat":"alert","name":"enough"')" -eq 1 ]
# shellcheck disable=SC2016 # parameters of sh
record "${quiet[@]}" --until='name=work cat~e' sh -c 'echo $$ >"$0"; "$1" steps 1 10; exec sleep 1000' "$tmp/pid" "$traced"
case_is '--until with a filter: status 0' [ $? -eq 0 ]
kill "$(cat "$tmp/pid")"
case_is '--until with a filter: the event is named' grep -q '^fxtop record: --until ended it: work, ' "$tmp/messages"
case_is '--until with a filter: it is in the trace' whole work 1 10
record "${quiet[@]}" --until='cat=syscall' true
case_is '--until: an event that cannot come is said' grep -q 'none are recorded: add --syscalls$' "$tmp/messages"
# A flight recorder: two snapshots while it goes on, and the end at an alert.
record "${quiet[@]}" -m circular --until=enough "$traced" snapshots "$tmp/t"
case_is 'circular, --until: exit status' [ $? -eq 0 ]
case_is 'circular, --until: the program goes on' grep -q 'goes on without being recorded' "$tmp/messages"
case_is 'circular, --until: all instants' whole kept 2 100
case_is 'circular, --until: no problem in the trace' sound
for n in 1 2; do
    cp "$tmp/t.$n.fxt" "$tmp/t.fxt"
    case_is "snapshot $n: no problem in the trace" sound
    case_is "snapshot $n: what was there then" whole kept "$n" 100
done
rm "$tmp/t.1.fxt"
record "${quiet[@]}" -b 64k -m circular "$traced" early "$tmp/t.1.fxt"
case_is 'a snapshot before STARTED: exit status' [ $? -eq 0 ]
cp "$tmp/t.1.fxt" "$tmp/t.fxt"
case_is 'a snapshot before STARTED: what was there then' [ "$(count '"name":"early"')" -eq 1 ]
# What the recording itself has written so far is in it, too, as switches and stacks are.
rm -f "$tmp/t.1.fxt"
# shellcheck disable=SC2016 # a parameter of sh
record "${quiet[@]}" -m circular sh -c 'kill -USR1 $PPID'
cp "$tmp/t.1.fxt" "$tmp/t.fxt"
case_is 'a snapshot of all sources: no problem in the trace' sound
case_is 'a snapshot of all sources: the begin of the recording' [ "$(count '"name":"recording"')" -eq 1 ]
record "${quiet[@]}" --report "$traced" steps 1 100
case_is '--report: exit status' [ $? -eq 0 ]
case_is '--report: a page' [ "$(grep -c '^span: \|^Slowest slices$\|^problems: none$' "$tmp/printed")" -eq 3 ]
# shellcheck disable=SC2016 # a parameter of sh
record "${quiet[@]}" sh -c 'kill -USR1 $PPID'
case_is 'a snapshot in another mode: one line' [ "$(grep -c 'no snapshot: only --mode=circular' "$tmp/messages")" -eq 1 ]

# Many events at once, and few long before and after them: all are in the growing file, and none is taken for damaged.
growing() {
    [ "$("$fxtop" --summary "$tmp/t.fxt" 2>/dev/null | grep -c '^note ')" -eq 0 ] && [ "$(count '"name":"late"')" -eq 1 ] &&
        [ "$(count '"type":"log"')" -eq 3 ]
}
record --log "${quiet[@]}" "$traced" burst "$tmp/gone" &
burst=$!
until_is() { # CONDITION...: within a minute
    local end=$((SECONDS + 60))
    until "$@"; do [ "$SECONDS" -lt "$end" ] || return 1; done
}
case_is 'a burst: events and lines are in the file while the program goes on' until_is growing
case_is 'a burst: no far time meanwhile' sound
: >"$tmp/gone"
wait "$burst"
case_is 'a burst: no far time at the end' sound
rm "$tmp/gone"

record "${quiet[@]}" -d 300ms sleep 20
case_is '--duration ends it' grep -q 'goes on without being recorded' "$tmp/messages"
# shellcheck disable=SC2016 # a parameter of sh
record "${quiet[@]}" --max-size=100k sh -c '"$1" steps 2 20000; '"$last_words" "$tmp/messages" "$traced"
case_is '--max-size: exit status of the program' [ $? -eq 3 ]
case_is '--max-size: says so' grep -q 'max-size' "$tmp/messages"
goes_on '--max-size'
case_is '--max-size: counts what had no room' grep -Eq ', none dropped, [0-9.]+k? records past its limit;' "$tmp/messages"
case_is '--max-size: ends at a record' cut_by_limit
case_is '--max-size: has the end of the recording' [ "$(count '"name":"recording ends"')" -eq 1 ]
size=$(wc -c <"$tmp/t.fxt")
case_is "--max-size: is not exceeded: $size" [ "$size" -le 102400 ]
case_is "--max-size: is used: $size" [ "$size" -gt 100000 ]

for size in 500 9999 10240 12345; do
    # shellcheck disable=SC2016 # variables of sh
    record "${quiet[@]}" --log --max-size=$size sh -c 'i=0; while [ $i -lt 99 ]; do printf "%0900d\n" $((i += 1)); done'
    case_is "--max-size=$size: is not exceeded" [ "$(wc -c <"$tmp/t.fxt")" -le $size ]
    case_is "--max-size=$size: ends at a record" cut_by_limit
done

# A write that fails ends the recording with a line, and the program goes on: it is waited for.
record -o /dev/full "${quiet[@]}" echo 'at last'
case_is 'a full device: exit status' [ $? -eq 125 ]
case_is 'a full device: the program is not begun' [ ! -s "$tmp/printed" -a "$(wc -l <"$tmp/messages")" -eq 1 ]
mkfifo "$tmp/pipe"
(head -c 8 "$tmp/pipe" >"$tmp/head"; : >"$tmp/gone") &
# shellcheck disable=SC2016 # parameters of sh
record "${quiet[@]}" -o "$tmp/pipe" sh -c 'until [ -e "$1" ]; do :; done; "$2" steps 1 10000; '"$last_words" "$tmp/messages" "$tmp/gone" "$traced"
case_is 'a pipe without a reader: exit status' [ $? -eq 125 ]
case_is 'a pipe without a reader: says so' grep -q 'cannot write: Broken pipe' "$tmp/messages"
goes_on 'a pipe without a reader'
wait
# The reader of the program's output begins when the events are there: it delays the program alone.
rm -f "$tmp/gone"
# shellcheck disable=SC2016 # parameters of sh
"$fxtop" record "${quiet[@]}" --log -o "$tmp/t.fxt" sh -c '{ "$0" steps 1 3000; : >"$1"; } & seq 50000; wait' "$traced" "$tmp/gone" \
    2>"$tmp/messages" | { until [ -e "$tmp/gone" ]; do :; done; cat; } >"$tmp/printed"
case_is 'output that is read late: all lines' [ "$(wc -l <"$tmp/printed")" -eq 50000 -a "$(count '"type":"log"')" -eq 50000 ]
case_is 'output that is read late: all events' whole tick 1 3000
rm -f "$tmp/gone"
# A pipe that is not read may be given up: by one interrupt if the program has ended.
(exec 3<"$tmp/pipe"; until [ -e "$tmp/given-up" ]; do :; done) &
reader=$!
rm -f "$tmp/gone"
# shellcheck disable=SC2016 # parameters of sh
"$fxtop" record "${quiet[@]}" -o "$tmp/pipe" sh -c '"$0" steps 2 40000; : >"$1"' "$traced" "$tmp/gone" 2>"$tmp/messages" &
recorder=$!
given_up() { kill -INT "$recorder" 2>/dev/null; ! kill -0 "$recorder" 2>/dev/null; }
case_is 'a pipe that is not read: the program ends' until_is test -e "$tmp/gone"
case_is 'a pipe that is not read: an interrupt ends it' until_is given_up
wait "$recorder"
case_is 'a pipe that is not read: exit status' [ $? -eq 125 ]
case_is 'a pipe that is not read: says so' grep -q 'cannot write: it is not read' "$tmp/messages"
: >"$tmp/given-up"
wait "$reader"
rm "$tmp/gone"
# shellcheck disable=SC2016 # variables of sh
(ulimit -f 8 && "$fxtop" record -o "$tmp/t.fxt" "${quiet[@]}" --log sh -c \
    'i=0; while [ $i -lt 99 ]; do printf "%0900d\n" $((i += 1)); done; '"$last_words" "$tmp/messages" 2>"$tmp/messages" |
    tail -n 1 >"$tmp/printed"
    exit "${PIPESTATUS[0]}")
case_is 'ulimit -f: exit status' [ $? -eq 125 ]
case_is 'ulimit -f: says so' grep -q 'cannot write: File too large' "$tmp/messages"
goes_on 'ulimit -f'
case_is 'ulimit -f: counts what is missing' grep -q 'none dropped, [0-9]* records not written;' "$tmp/messages"
sound >/dev/null
case_is 'ulimit -f: ends at a record, with the loss' [ "$(cut -d: -f1 "$tmp/problems")" = 'problem records_lost' ]
case_is 'ulimit -f: has what fits' [ "$(wc -c <"$tmp/t.fxt")" -gt 7000 ]

(ulimit -f 1024 && "$fxtop" record -o "$tmp/t.fxt" "${quiet[@]}" -b 2m "$traced" steps 1 3000 2>"$tmp/messages" >/dev/null)
case_is 'no buffer: exit status' [ $? -eq 0 ]
case_is 'no buffer: said once' [ "$(grep -c 'no buffer: File too large' "$tmp/messages")" -eq 1 ]
case_is 'no buffer: counted once' grep -q ', 1 provider given up;' "$tmp/messages"

# A daemon that was started before; it connects when the socket appears.
FXTTRACE_SOCKET=$tmp/listening "$traced" wait &
daemon=$!
"$fxtop" record -o "$tmp/t.fxt" --listen="$tmp/listening" 2>"$tmp/messages" &
ends_after $! "$daemon"
case_is '--listen: exit status' [ "$ended" -eq 0 ]
case_is '--listen: a program that ran already' [ "$(count '"name":"traced at last"')" -eq 1 ]

# A manager that is killed: its program goes on without the buffer, and another manager takes it.
has_ticks() { [ "$(count '"name":"tick"' 2>/dev/null)" = "$1" ]; }
is_free() { ! grep -q 'memfd:fxttrace' "/proc/$1/maps"; }
"$fxtop" record -o "$tmp/t.fxt" "${quiet[@]}" --listen="$tmp/killed" 2>/dev/null &
manager=$!
until_is test -S "$tmp/killed"
FXTTRACE_SOCKET=$tmp/killed "$traced" again 300 &
again=$!
case_is 'a manager that is killed: what came before' until_is has_ticks 300
kill -KILL "$manager"
wait "$manager" 2>/dev/null
case_is 'a manager that is killed: its file ends at a record' framed
case_is 'a manager that is killed: its file is in order' in_order
case_is 'a manager that is killed: the program unmaps the buffer' until_is is_free "$again"
"$fxtop" record -o "$tmp/t.fxt" "${quiet[@]}" --listen="$tmp/killed" 2>"$tmp/messages" &
ends_after $! "$again"
case_is 'a manager that is killed: the program ends well' [ $? -eq 0 ]
case_is 'a manager that is killed: the next one has what follows' has_ticks 300
# At any moment of a flood: the file ends at a record, whatever write was under way.
has_bytes() { [ "$(wc -c 2>/dev/null <"$tmp/t.fxt" || echo 0)" -gt "$1" ]; }
for round in 1 2 3 4 5; do
    rm -f "$tmp/t.fxt"
    "$fxtop" record -o "$tmp/t.fxt" "${quiet[@]}" "$traced" steps 2 40000 2>/dev/null &
    manager=$!
    until_is has_bytes $((RANDOM * 90))
    kill -KILL "$manager" 2>/dev/null
    wait "$manager" 2>/dev/null
    case_is "a flood whose manager is killed, $round: whole records in order" in_order
done
record "${quiet[@]}" true
case_is 'sockets of recorders that were killed are removed by the next one' [ "$(find "$tmp" -maxdepth 1 -name 'fxttrace-*' | wc -l)" -eq 0 ]
mkdir "$tmp/taken"
"$fxtop" record -o "$tmp/t.fxt" --listen="$tmp/taken" 2>"$tmp/messages"
case_is '--listen: a path that is taken is named' grep -q "cannot listen at $tmp/taken: " "$tmp/messages"
case_is '--listen: nobody is to connect where nobody listens' [ "$(grep -c 'waiting for' "$tmp/messages")" -eq 0 ]
mkdir "$tmp/"$'\e[31m'
"$fxtop" record -o "$tmp/t.fxt" --listen="$tmp/"$'\e[31m' 2>"$tmp/messages"
is_safe() { ! grep -q $'\e' "$tmp/messages" && grep -qF '^[[31m' "$tmp/messages"; }
case_is '--listen: a path does not reach the terminal raw' is_safe
wait

# Providers that lie, while another one writes.
# shellcheck disable=SC2016 # parameters of sh
record "${quiet[@]}" -b 1m sh -c '"$0" lie "$FXTTRACE_SOCKET" & "$0" steps 1 2000; wait' "$traced"
case_is 'lies: exit status' [ $? -eq 0 ]
case_is 'lies: another provider loses nothing' whole tick 1 2000
case_is 'lies: connections that are no providers are counted' grep -q ', [0-9]* connections refused' "$tmp/messages"
# shellcheck disable=SC2016 # parameters of sh
record "${quiet[@]}" -b 1m --timeout=500ms sh -c '"$1" steps 1 20000 & "$0" "$FXTTRACE_SOCKET"; status=$?; wait; exit $status' \
    "${FXTOP_BUILD:-.}/tests/system/liar" "$traced"
case_is 'a liar: memory, descriptors and time of the manager are bounded' [ $? -eq 0 ]
case_is 'a liar: so are the lines about it' [ "$(grep -c 'liar (' "$tmp/messages")" -le 20 -a \
    "$(grep -c '[0-9] more providers did not end' "$tmp/messages")" -eq 1 ]
dropped=$(sed -n 's/.*traced.* dropped \([0-9]*\) records: .*/\1/p' "$tmp/messages")
case_is 'a liar: another provider loses nothing' [ $(($(events tick | wc -l) + ${dropped:-0})) -ge 20000 ]

# A provider that shares nothing with the library. FROM: the first number is at most that, or any if it is "any".
run_of() { # FROM TO: the ticks are one run of numbers, each once
    events tick | awk -v from="$1" -v to="$2" '
        NR == 1 { if (from != "any" && $2 > from) exit bad = 1; at = $2 }
        $2 != at++ { exit bad = 1 }
        END { exit bad || NR == 0 || (to != "any" && at != to) }'
}
peer=${FXTOP_BUILD:-.}/tests/system/peer
for how in '' dies current; do
    ends=$([ -z "$how" ] && echo 0 || echo 137)
    # shellcheck disable=SC2086 # none or one word
    {
        record "${quiet[@]}" -b 64k "$peer" 20000 $how
        case_is "peer, streaming $how: exit status" [ $? -eq "$ends" ]
        case_is "peer, streaming $how: all events" run_of 0 20000
        record "${quiet[@]}" -b 64k -m oneshot "$peer" 20000 $how
        case_is "peer, oneshot $how: the first events" run_of 0 any
        case_is "peer, oneshot $how: the rest is counted" grep -q 'dropped 1[78][0-9]* records' "$tmp/messages"
        record "${quiet[@]}" -b 64k -m circular "$peer" 20000 $how
        case_is "peer, circular $how: the last events" run_of any 20000
        record "${quiet[@]}" -b 64k -m circular "$peer" 200 $how
        case_is "peer, circular $how: few events" run_of 0 200
        record "${quiet[@]}" -b 64k "$peer" 200 $how
        case_is "peer, streaming $how: few events" run_of 0 200
    }
done
record "${quiet[@]}" -b 64k "$peer" 20000 drops
case_is 'peer, drops: told' grep -Eq 'dropped [0-9]+ records|none dropped' "$tmp/messages"
sound >/dev/null
case_is 'peer, drops: no other problem in the trace' [ "$(grep -cv records_lost "$tmp/problems")" -eq 0 ]

# The system's own events: each switch on a processor has its end.
record --sample=100 sh -c 'for i in 1 2 3; do sleep 0.3 & done; wait'
if grep -q 'no context switches' "$tmp/messages"; then
    case_is 'refused switches: one line' [ "$(grep -c 'no context switches' "$tmp/messages")" -eq 1 ]
else
    case_is 'switches: forks are named' [ "$(count '"name":"sleep"')" -ge 3 ]
    case_is 'switches: command lines' [ "$(count '"name":"exec".*"name":"command".*"value":"sleep 0.3"')" -ge 3 ]
    case_is 'switches: states tile' [ "$("$fxtop" --check "$tmp/t.fxt" | grep -c sched)" -eq 0 ]
fi
case_is 'counters of the program' [ "$(count '"type":"counter"')" -ge 3 ]

# Samples of stacks, unless they are not wanted.
# shellcheck disable=SC2016 # a parameter of sh
loop='i=0; while [ "$i" -lt 100000 ]; do i=$((i + 1)); done'
record --sample=0 sh -c "$loop"
grep -q 'no stack samples' "$tmp/messages" || case_is 'stacks: sampled by default' [ "$(count '"cat":"sampled"')" -ge 10 ]
record --sample=0 --no-stacks sh -c "$loop"
case_is 'stacks: --no-stacks' [ "$(count '"cat":"sampled"')" -eq 0 ]

# A stripped program, and its symbols in a folder: a finished trace gets the names from there, as --recover writes them.
if strip -o "$tmp/bare" "$traced" 2>/dev/null && "$fxtop" --version | grep -qw libdw; then
    mkdir -p "$tmp/symbols"
    record --sample=0 "$tmp/bare" usage "$tmp/used"
    grep -q 'no stack samples' "$tmp/messages" || {
        samples_in() { awk '{ n += $NF } END { print n + 0 }' "$1"; }
        stacks() { "$fxtop" --export=folded --by=samples "$@"; }
        ln -sf "$traced" "$tmp/symbols/bare"
        stacks "$tmp/t.fxt" >"$tmp/nameless"
        case_is 'symbols: none of a stripped program' [ "$(grep -cw main "$tmp/nameless")" -eq 0 ]
        stacks --symbols="$tmp/symbols" "$tmp/t.fxt" >"$tmp/named"
        case_is 'symbols: from a folder' [ "$(grep -cw main "$tmp/named")" -ge 1 ]
        "$fxtop" --print --symbols="$tmp/symbols" --keys=3 "$tmp/t.fxt" >"$tmp/screen"
        case_is 'symbols: on the screen' grep -qw main "$tmp/screen"
        case_is 'symbols: no other samples' [ "$(samples_in "$tmp/named")" -eq "$(samples_in "$tmp/nameless")" ]
        head -c "$(($(stat -c %s "$tmp/t.fxt") - 4))" "$tmp/t.fxt" >"$tmp/cut.fxt"
        "$fxtop" record --recover --symbols="$tmp/symbols" -o "$tmp/r.fxt" "$tmp/cut.fxt" 2>"$tmp/messages"
        case_is 'symbols: --recover says how many' grep -q ', names of [0-9,]* addresses found, ' "$tmp/messages"
        stacks "$tmp/r.fxt" >"$tmp/recovered"
        case_is 'symbols: --recover writes them' [ "$(grep -cw main "$tmp/recovered")" -ge 1 ]
        case_is 'symbols: and leaves out what was cut' [ "$("$fxtop" --check "$tmp/r.fxt" | grep -ciw truncated)" -eq 0 ]
        rm "$tmp/symbols/bare"
        head -c 9000 "$traced" >"$tmp/symbols/bare"
        stacks --symbols="$tmp/symbols" "$tmp/t.fxt" >"$tmp/named"
        case_is 'symbols: a cut file has none' cmp -s "$tmp/named" "$tmp/nameless"
    }
fi

# Processes: a tree with their command lines, and what they used is what the kernel counts of them.
if ! grep -q 'no context switches' "$tmp/messages"; then
    lives() { "$fxtop" --export=ndjson "$tmp/t.fxt" | grep '"type":"async".*"cat":"process"'; }
    in_life() { sed -n "s/.*\"name\":\"$1\",\"type\":\"[a-z0-9]*\",\"value\":\([0-9]*\).*/\1/p"; }
    # shellcheck disable=SC2016 # a parameter of sh
    record --sample=0 sh -c '(exit 3); exec sh -c "sleep 1 & sleep 1; wait; kill \$\$"'
    case_is 'processes: the last lines count them, and have the longest wait' \
        grep -Eq '^fxtop record: 4 processes used [0-9.]+ m?s of CPU; longest wait [0-9.]+ s, of sleep$' "$tmp/messages"
    case_is 'processes: no problem in the trace' sound
    case_is 'processes: in the order of the file' in_order
    lives >"$tmp/lives"
    case_is 'processes: two programs of the first one, two others and a copy' [ "$(wc -l <"$tmp/lives")" -eq 5 ]
    first=$(sed -n '1s/.*"pid":\([0-9]*\),.*/\1/p' "$tmp/lives")
    case_is 'processes: their parent' [ "$(in_life parent <"$tmp/lives" | grep -c "^$first\$")" -eq 3 ]
    case_is 'processes: command lines' [ "$(grep -c '"value":"sleep 1"' "$tmp/lives")" -eq 2 ]
    case_is 'processes: the signal' [ "$(in_life signal <"$tmp/lives")" -eq 15 ]
    case_is 'processes: a status of each that is waited for soon' [ "$(in_life status <"$tmp/lives" | grep -c '^0$')" -eq 2 ]
    case_is 'processes: forks' [ "$(count '"type":"flow".*"name":"fork","state":"complete"')" -eq 3 ]
    "$fxtop" --summary --tree "$tmp/t.fxt" | sed '1,/^command/d' >"$tmp/tree"
    case_is 'processes: the tree' [ "$(sed 's/  *[0-9.]* [mu\xc2\xb5]*s .*//' "$tmp/tree" | sort)" = "  sh
  sleep 1
  sleep 1
sh -c sleep 1 & sleep 1; wait; kill \$\$" ]
    # A copy of a provider: libfxttrace has a thread in it that ends last.
    record --sample=0 --no-stacks "$traced" fork
    case_is 'processes: a copy has the name of its first thread' \
        [ -z "$("$fxtop" --summary --tree "$tmp/t.fxt" | sed '1,/^command/d' | grep fxttrace)" ]
    # a sanitizer of leaks makes a process of its own when the program ends
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 record --sample=0 "$traced" usage "$tmp/usage"
    lives | grep '"name":"traced"' >"$tmp/lives"
    read -r peak faults cpu blocked <"$tmp/usage"
    near() { # NAME VALUE PERCENT MORE: no less than that of the kernel, and not much more, as it ended later
        local got
        got=$(in_life "$1" <"$tmp/lives")
        [ "${got:-0}" -ge $(($2 - $2 * $3 / 100 - $4)) ] && [ "$got" -le $(($2 + $2 * $3 / 100 + $4)) ]
    }
    case_is "usage: peak memory $peak" near 'peak bytes' "$peak" 1 0
    case_is "usage: page faults $faults" near 'minor faults' "$faults" 1 64
    case_is "usage: CPU time $cpu" near 'cpu ns' "$cpu" 3 2000000
    case_is "usage: blocked $blocked times" near 'blocked' "$blocked" 0 3
    "$fxtop" --summary --tree "$tmp/t.fxt" >"$tmp/tree"
    case_is 'usage: the tree has it' grep -Eq '^traced usage .* exact +7 ' "$tmp/tree"
    case_is 'usage: status' [ "$(in_life status <"$tmp/lives")" -eq 7 ]
fi

# A process that runs already: what it starts is recorded, the recording ends with it, and with ^C before.
mkfifo "$tmp/go"
attached() { # until the trace has a process; its number is $1
    until "$fxtop" --export=ndjson "$tmp/t.fxt" 2>/dev/null | grep -q "\"type\":\"async\",.*\"pid\":$1,"; do :; done
}
# shellcheck disable=SC2016 # parameters of sh
sh -c 'read -r line <"$0"; (exit 3); sh -c "sleep 0.01; exit 4"; exit 5' "$tmp/go" &
target=$!
rm -f "$tmp/t.fxt"
record -p "$target" &
recorder=$!
attached "$target"
echo go >"$tmp/go"
wait "$recorder"
case_is '-p: ends with the process, status 0' [ $? -eq 0 ]
wait "$target"
case_is '-p: the process ends as it would' [ $? -eq 5 ]
if ! grep -q 'no context switches' "$tmp/messages"; then
    "$fxtop" --export=ndjson "$tmp/t.fxt" | grep '"type":"async".*"cat":"process"' >"$tmp/lives"
    case_is '-p: each process that it starts' [ "$(wc -l <"$tmp/lives")" -eq 4 ]
    case_is '-p: its own status' [ "$(grep "\"pid\":$target," "$tmp/lives" | in_life status)" = 5 ]
    case_is '-p: nothing is open or contradicts' sound
fi
sleep 100 &
target=$!
rm -f "$tmp/t.fxt"
"$fxtop" record -o "$tmp/t.fxt" -p "$target" 2>"$tmp/messages" &
recorder=$!
attached "$target"
kill -INT "$recorder"
wait "$recorder"
case_is '-p: SIGINT ends it, status 0' [ $? -eq 0 ]
case_is '-p: the process goes on' kill "$target"
wait "$target"
record -p "$target"
case_is '-p: a process that is not there: status 2' [ $? -eq 2 ]
case_is '-p: a process that is not there: one line' [ "$(cat "$tmp/messages")" = "fxtop record: --pid $target: there is no such process" ]
case_is '-p: with a program it is refused' grep -q 'records no program' <("$fxtop" record -p 1 true 2>&1)
record -a --for=300ms
case_is '--all --for: status' [ $? -eq 0 ]
case_is '--all: its caller is there' [ "$(count "\"type\":\"process\",\"pid\":$$,")" -eq 1 ]
case_is '--all: no switch contradicts another' [ "$(count sched_inconsistent)" -eq 0 ]

# System calls, as strace counts them: the same calls and errors, but for exit_group, which never returns.
counted() { # into $tmp/counts
    "$fxtop" --query "select s.name, count(*), count(a.key) from slice s left join args a on a.arg_set_id = s.arg_set_id
        and a.key = 'error' where category = 'syscall' and name != 'exit_group' group by s.name" --format=csv \
        "$tmp/t.fxt" | tail -n +2 | tr -d '"' | LC_ALL=C sort >"$tmp/counts"
}
by_strace() { # PROGRAM ARGUMENT...: into $tmp/expected
    strace -c -o "$tmp/strace" "$@" >"$tmp/printed" 2>&1 &&
        awk 'NR > 2 && $NF != "total" && $4 ~ /^[0-9]+$/ { print $NF "," $4 "," (NF > 5 ? $5 : 0) }' "$tmp/strace" | LC_ALL=C sort >"$tmp/expected"
}
record "${quiet[@]}" --syscalls -- ls -R /usr/include/linux
if grep -q 'no system calls' "$tmp/messages"; then
    case_is '--syscalls: one line says why there are none' [ "$(grep -c 'no system calls' "$tmp/messages")" -eq 1 ]
else
    counted
    case_is '--syscalls: directories are read' grep -q '^getdents64,[1-9]' "$tmp/counts"
    case_is '--syscalls: all have their ends' sound
    if by_strace ls -R /usr/include/linux; then
        case_is '--syscalls: as many as strace counts' diff "$tmp/expected" "$tmp/counts"
    fi
    # shellcheck disable=SC2016 # a parameter of sh
    record --no-stacks --sample=0 --syscalls sh -c 'for i in 1 2 3 4 5 6 7 8 9; do (exit "$i"); done'
    if ! grep -q 'no context switches' "$tmp/messages"; then
        "$fxtop" --export=ndjson "$tmp/t.fxt" | grep '"type":"async".*"cat":"process"' >"$tmp/lives"
        case_is '--syscalls: each process has the status that it asked for' [ \
            "$(in_life status <"$tmp/lives" | LC_ALL=C sort -n | tr '\n' ' ')" = '1 2 3 4 5 6 7 8 9 9 ' ]
    fi
    # One descriptor is two files in turns, and the second one when it is looked up: it is the path of no other call.
    echo a >"$tmp/a"
    echo b >"$tmp/b"
    # shellcheck disable=SC2016 # parameters of sh
    record "${quiet[@]}" --syscalls sh -c 'cd "$0"; for i in 1 2 3 4 5; do read -r x <a; read -r x <b; done; exec 3<b; sleep 0.3; exit 0' "$tmp"
    pid=$("$fxtop" --export=ndjson "$tmp/t.fxt" | sed -n 's/.*"type":"process","pid":\([0-9]*\),"name":"sh".*/\1/p')
    case_is '--syscalls: a descriptor has its path, and no other one' [ "$("$fxtop" --export=ndjson "$tmp/t.fxt" |
        grep "\"pid\":$pid,.*\"name\":\"openat\"" | tail -n 11 | awk '/"value":"[^"]*\/[ab]"/ { print NR ($0 ~ /\/a"/ ? "a" : "b") }' |
        grep -v -e '[13579]a' -e '[02468]b')" = 11b ]
    # A program that is blocked when it begins shows the call and the file.
    mkfifo "$tmp/empty"
    sleep 1000 >"$tmp/empty" &
    writer=$!
    cat "$tmp/empty" &
    target=$!
    until grep -q '^0 ' "/proc/$target/syscall"; do :; done # it reads
    rm -f "$tmp/t.fxt"
    "$fxtop" record -o "$tmp/t.fxt" --no-stacks -p "$target" 2>"$tmp/messages" &
    recorder=$!
    attached "$target"
    kill -INT "$recorder"
    wait "$recorder"
    case_is '-p: what a blocked thread waits for' [ "$(count "\"tid\":$target,\"cat\":\"syscall\",\"name\":\"read\".*\"value\":\"$tmp/empty\"")" -eq 1 ]
    kill "$target" "$writer"
    wait "$target" "$writer"
fi

# The same without rights, by ptrace.
record "${quiet[@]}" --syscalls=ptrace -- ls -R /usr/include/linux
if grep -q 'no system calls: ptrace' "$tmp/messages"; then
    case_is '--syscalls=ptrace: one line says why there are none' [ "$(grep -c 'no system calls' "$tmp/messages")" -eq 1 ]
else
    case_is '--syscalls=ptrace: one line says what it costs' [ "$(grep -c 'stops the program twice a call' "$tmp/messages")" -eq 1 ]
    counted
    case_is '--syscalls=ptrace: directories are read' grep -q '^getdents64,[1-9]' "$tmp/counts"
    case_is '--syscalls=ptrace: all have their ends' sound
    case_is '--syscalls=ptrace: files by name' [ "$(count '"name":"openat".*"value":"/usr/include/linux"')" -ge 1 ]
    if by_strace ls -R /usr/include/linux; then
        case_is '--syscalls=ptrace: as many as strace counts' diff "$tmp/expected" "$tmp/counts"
    fi
    # Processes, threads, a stop and its end, a signal that is caught; its status. What it opens in vain has its name.
    # shellcheck disable=SC2016 # parameters of sh
    record "${quiet[@]}" --syscalls=ptrace sh -c 'trap "echo caught" USR1; (until [ -e "$1" ]; do kill -CONT $$; done) &
        kill -STOP $$; : >"$1"; kill -USR1 $$; cat /no/such/file; "$0" steps 4 10; exit 7' "$traced" "$tmp/goes-on"
    case_is '--syscalls=ptrace: the status of the program' [ $? -eq 7 ]
    case_is '--syscalls=ptrace: it got its signal' grep -qx caught "$tmp/printed"
    case_is '--syscalls=ptrace: a file that is not there' [ "$(count '"name":"openat".*"value":"/no/such/file".*"value":"ENOENT"')" -eq 1 ]
    case_is '--syscalls=ptrace: calls of all processes have their ends' sound
    # shellcheck disable=SC2016 # parameters of sh
    record "${quiet[@]}" --syscalls=ptrace sh -c 'kill -KILL $$'
    case_is '--syscalls=ptrace: a program that is killed' [ $? -eq 137 ]
    # shellcheck disable=SC2016 # parameters of sh
    record "${quiet[@]}" --syscalls=ptrace --until='name~nanosleep open' sh -c 'echo $$ >"$0"; exec sleep 1000' "$tmp/pid"
    case_is '--syscalls=ptrace: a call that goes on is seen, and ends it' grep -q '^fxtop record: --until ended it: .*nanosleep, no end after ' "$tmp/messages"
    case_is '--syscalls=ptrace: the program goes on untraced' grep -q '^TracerPid:.0$' "/proc/$(cat "$tmp/pid")/status"
    kill "$(cat "$tmp/pid")"
fi
case_is '--syscalls: another word is refused' grep -q 'expects kernel or ptrace' <("$fxtop" record --syscalls=often true 2>&1)
case_is '--syscalls=ptrace: with -p it is refused' grep -q 'has no effect with --pid' <("$fxtop" record --syscalls=ptrace -p 1 2>&1)

# A program that writes much and reads its libraries.
record --no-sched --no-stacks --sample=100 sh -c 'timeout 0.6 yes >/dev/null'
most() { # SERIES: its greatest value, in MB a second
    "$fxtop" --query "select cast(max(value) / 1e6 as int) from counter c join counter_track t on c.track_id = t.id
        where t.name glob 'io/s:$1:*'" "$tmp/t.fxt" | tail -n 1
}
case_is 'bytes written are not those read' [ "$(most written)" -gt $((10 * $(most read) + 10)) ]

# In a pid namespace a process has two numbers: in the trace it is one process, with the slices and the states.
if unshare -pf true 2>/dev/null; then
    record --sample=0 unshare -pf "$traced" steps 2 3000
    case_is 'a pid namespace: all slices' whole work 2 3000
    pids=$("$fxtop" --export=ndjson "$tmp/t.fxt" | sed -n -e "/\"cat\":\"sampled\"/d" -e 's/.*"type":"slice".*"pid":\([0-9]*\),.*/\1/p' | sort -u)
    case_is "a pid namespace: one process has slices: $pids" [ "$(wc -w <<<"$pids")" -eq 1 ]
    case_is 'a pid namespace: it has the name' [ "$(count "\"type\":\"process\",\"pid\":$pids,\"name\":\"traced\"")" -eq 1 ]
    grep -q 'no context switches' "$tmp/messages" ||
        case_is 'a pid namespace: it has states' [ "$(count "\"type\":\"state\",\"pid\":$pids,")" -gt 2 ]
fi

# Waits until so many more counters are in the file, which is not to be an argument of a recorded program.
cat >"$tmp/sampled" <<END
#!/usr/bin/env bash
counters() { "$(realpath "$fxtop")" --export=ndjson "$tmp/t.fxt" 2>/dev/null | grep -c '"type":"counter"'; }
end=\$((\$(counters) + \$1))
until [ "\$(counters)" -ge "\$end" ] || [ "\$SECONDS" -ge 60 ]; do :; done
END
chmod +x "$tmp/sampled"

# A program that has another folder where the socket is cannot connect.
if unshare -m sh -c 'mount -t tmpfs none "$0"' "$tmp" 2>/dev/null; then
    mkdir "$tmp/hidden"
    # shellcheck disable=SC2016 # parameters of sh
    XDG_RUNTIME_DIR=$tmp/hidden record --no-sched --no-stacks --sample=100 unshare -m sh -c 'mount -t tmpfs none "$0"; "$1" 100' "$tmp/hidden" "$tmp/sampled"
    case_is 'a socket that is not seen: one line' [ "$(grep -c '^fxtop record: .* ([0-9]*) does not see the socket: ' "$tmp/messages")" -eq 1 ]
fi

# A program that ends before the one that it has started begins.
# shellcheck disable=SC2016 # a parameter of sh
record "${quiet[@]}" --wait sh -c '"$0" steps 1 2000 & exit 0' "$traced"
case_is '--wait: the exit status of the program' [ $? -eq 0 ]
case_is '--wait: all of the program that it started' whole tick 1 2000

record sh -c 'sleep 1 & exit 0'
case_is 'a process that the program leaves: one line' [ "$(grep -c 'goes on without being recorded; --wait' "$tmp/messages")" -eq 1 ]

# The manager asks for a higher priority, but keeps one that is higher still.
if [ "$(nice -n -15 nice 2>/dev/null)" = -15 ]; then
    # shellcheck disable=SC2016 # parameters of sh
    nice -n -15 "$fxtop" record "${quiet[@]}" -o "$tmp/t.fxt" sh -c \
        'for i in $(seq 50); do cut -d" " -f19 "/proc/$PPID/stat"; done' 2>"$tmp/messages" >"$tmp/printed"
    case_is 'a priority of -15 stays' [ "$(sort -u "$tmp/printed")" = -15 ]
fi

# The same where perf is refused, as in a container; and a library without membarrier().
refuse=${FXTOP_BUILD:-.}/tests/system/refuse
if "$refuse" perf true; then
    # shellcheck disable=SC2016 # a parameter of sh
    "$refuse" perf "$fxtop" record -o "$tmp/t.fxt" --sample=100 sh -c '"$0" steps 2 300; "$1" 2' "$traced" "$tmp/sampled" 2>"$tmp/messages"
    case_is 'perf is refused: exit status' [ $? -eq 0 ]
    case_is 'perf is refused: one line, and it goes on' [ "$(grep -c 'no context switches, no stack samples: ' "$tmp/messages")" -eq 1 \
        -a "$(wc -l <"$tmp/messages")" -eq 2 ]
    case_is 'perf is refused: all slices' whole work 2 300
    case_is 'perf is refused: processes have their names' [ "$(count '"type":"process".*"name":"sh"')" -eq 1 ]
    case_is 'perf is refused: lives of processes, with command lines' [ "$(count '"type":"async".*"name":"sh".*"dur":.*"value":"sh -c ')" -ge 1 ]
    "$fxtop" --summary --tree "$tmp/t.fxt" >"$tmp/tree"
    case_is 'perf is refused: the tree of processes' grep -q '^  bash .*/sampled 2 ' "$tmp/tree"
    case_is 'perf is refused: counters' [ "$(count '"type":"counter"')" -ge 2 ]
    for mode in streaming circular; do
        record "${quiet[@]}" -b 1m -m "$mode" "$refuse" membarrier "$traced" steps 2 3000
        case_is "no membarrier, $mode: exit status" [ $? -eq 0 ]
        case_is "no membarrier, $mode: all instants" whole tick 2 3000
    done
else
    echo 'no seccomp filters here'
fi

# A program that knows nothing of traces tells how long it waited: each wait is a slice of its thread that took no
# longer, nor less than the program had asked for. 1,000 calls that do not wait leave nothing but those in which the
# thread was preempted.
waiting=${FXTOP_BUILD:-.}/tests/system/waiting
if [ -x "$waiting" ]; then
    record --no-sched --no-stacks --sample=0 --waits -- "$waiting"
    case_is '--waits: exit status' [ $? -eq 0 ]
    "$fxtop" --export=ndjson "$tmp/t.fxt" | grep '"cat":"wait"' |
        sed 's/.*"tid":\([0-9]*\),.*"name":"\([a-z_0-9]*\)","ts":\([0-9]*\),"dur":\([0-9]*\),.*/\2 \1 \4/' >"$tmp/waits"
    # shellcheck disable=SC2016 # fields of awk
    case_is '--waits: each wait, as long as it was' awk '
        FNR == NR { slices[$1 " " $2] = slices[$1 " " $2] " " $3; next }
        {
            n = split(slices[$1 " " $2], ns, " ")
            asked = $1 ~ /sleep|poll|waitpid/ ? 20000000 : 0
            for (found = 0; n > 0 && !found; n--) # the two clocks agree to a thousandth
                found = ns[n] <= $3 * 1.001 + 1000 && ns[n] >= asked * 0.999
            if (!found) { print "no slice of " $0 ": " slices[$1 " " $2]; bad = 1 }
        }
        END { exit bad || FNR != 12 }' "$tmp/waits" "$tmp/printed"
    case_is '--waits: nothing of the library itself' [ "$(awk '{ print $2 }' "$tmp/waits" | sort -u | wc -l)" -le 3 ]
    case_is '--waits: calls that do not wait leave nothing' [ "$(wc -l <"$tmp/waits")" -lt 100 ]
    case_is '--waits: what is waited for' [ "$(count '"name":"poll".*"file".*pipe:.*"fd"')" -eq 1 ]
    # The C library asks for some blocks, too: of threads that begin.
    record --no-sched --no-stacks --sample=0 --waits -- "$waiting" malloc
    last_of() { "$fxtop" --export=ndjson "$tmp/t.fxt" | sed -n "s/.*\"name\":\"malloc\",\"id\":0,\"series\":\"$1\",.*\"value\":\([-0-9]*\),.*/\1/p" | tail -n 1; }
    read -r bytes calls <"$tmp/printed"
    more_bytes=$(($(last_of bytes) - bytes)) more_calls=$(($(last_of calls) - calls))
    case_is "--waits: bytes of malloc() in use: $more_bytes more than kept" [ "$more_bytes" -ge 0 -a "$more_bytes" -le 20000 ]
    case_is "--waits: calls of malloc(): $more_calls more" [ "$more_calls" -ge 0 -a "$more_calls" -le 50 ]
    record --no-sched --no-stacks --sample=0 --waits=0 -- "$waiting"
    case_is '--waits=0: each call' [ "$(count '"name":"read".*/dev/zero')" -eq 1000 ]
    record --no-sched --no-stacks --sample=0 --waits=10s -- "$waiting"
    case_is '--waits=10s: none so long' [ "$(count '"cat":"wait"')" -eq 0 ]
    record --no-sched --no-stacks --sample=0 --waits -- "$traced" steps 2 300
    case_is '--waits: beside the events of the program' whole work 2 300
fi

# Events of a program in Python, in each mode; no file of its own is left.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
writer=$(realpath "${srcdir:-.}/examples/fxtwriter.py")
if [ -x "$python" ] && [ -f "$writer" ]; then
    for mode in streaming circular oneshot; do
        record "${quiet[@]}" -m "$mode" -- "$python" "$writer"
        case_is "fxtwriter.py, $mode: exit status" [ $? -eq 0 ]
        case_is "fxtwriter.py, $mode: slices, instant, counters" [ "$(count '"name":"render","ts"') $(count '"name":"layout","ts"') $(count '"name":"done"') $(count '"type":"counter"')" = '5 5 1 5' ]
        case_is "fxtwriter.py, $mode: sound" sound
    done
    case_is 'fxtwriter.py: no file' [ ! -e example.fxt ]
fi

# Calls of functions, by the program's own counts; longjmp() ends some.
called=${FXTOP_BUILD:-.}/tests/system/called
if [ -x "$called" ]; then
    calls() { # as the program prints them
        "$fxtop" --query "select name, count(*) from slice where category = 'function' group by name order by name" \
            --format=csv "$tmp/t.fxt" | tail -n +2 | tr -d '"' | tr , ' '
    }
    record "${quiet[@]}" --functions -- "$called"
    case_is '--functions: exit status' [ $? -eq 0 ]
    calls >"$tmp/calls"
    case_is '--functions: each call of each function' diff "$tmp/printed" "$tmp/calls"
    case_is '--functions: all have their ends' framed
    case_is '--functions: what is inside what' [ "$("$fxtop" --query "select count(*) from slice s join slice p on
        s.parent_id = p.id where s.name = 'leaf' and p.name not in ('work', 'deep') or s.name = 'work' and p.name not in ('main', 'thread')" \
        --format=csv "$tmp/t.fxt" | tail -n 1)" = 0 ]
    record "${quiet[@]}" '--functions=w*k,main' -- "$called"
    calls >"$tmp/calls"
    case_is '--functions=LIST: these alone' diff <(grep -E 'work|main' "$tmp/printed") "$tmp/calls"
    record "${quiet[@]}" --functions --functions-over=1ms -- "$called"
    case_is '--functions-over: what took as long' [ "$(calls | grep -c -x -e 'slow 1' -e 'main 1')" -eq 2 ]
    case_is '--functions-over: nothing that took less' [ "$("$fxtop" --query "select count(*) from slice where
        category = 'function' and dur < 990000" --format=csv "$tmp/t.fxt" | tail -n 1)" = 0 ]
    record "${quiet[@]}" --waits --functions -- "$called"
    calls >"$tmp/calls"
    case_is '--waits --functions: both' [ "$(diff "$tmp/printed" "$tmp/calls" && count '"name":"pthread_join"')" -le 1 ]
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
