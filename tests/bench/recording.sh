#!/bin/bash
# recording.sh - what tracing costs a program, and the manager (`make bench-parts`).
#
# FXTOP, MACROS, BEAT: the programs (default: those of the build directory this runs in). BENCH_PACE: million bytes a
# second of the streaming run (100); BENCH_SECONDS of it (10); BENCH_FLOOD: events of a flood (20000000); BENCH_RUNS of
# the short ones (5). Files of up to BENCH_PACE * BENCH_SECONDS lie in TMPDIR. LTTng-UST is measured beside if it is
# installed, and its daemon can run.
set -u
export LC_ALL=C
fxtop=${FXTOP:-./fxtop}
macros=${MACROS:-./tests/bench/macros}
beat=${BEAT:-./tests/bench/beat}
here=$(dirname "${BASH_SOURCE[0]}") top=$(dirname "${BASH_SOURCE[0]}")/../..
runs=${BENCH_RUNS:-5}
[ -x "$macros" ] || { echo "recording.sh: no $macros: recording needs Linux" >&2; exit 2; }
work=$(mktemp -d "${TMPDIR:-/tmp}/fxtop-bench.XXXXXX") || exit
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export XDG_RUNTIME_DIR=$work XDG_CACHE_HOME=$work XDG_STATE_HOME=$work
quiet=(--no-sched --no-stacks --sample=0)

record() { # ARGUMENT...: the summary goes to $work/messages
    "$fxtop" record -o "$work/t.fxt" "$@" 2>"$work/messages"
    grep -v 'no provider' "$work/messages" | sed "s|$work/||g; s/; look at it.*//"
}

section() {
    printf '\n%s\n' "$1"
}

# CPU time of the manager alone: of all, without the program's own.
manager_of() { # BYTES PRINTED TIMED
    awk -v bytes="$1" '
        /CPU/ { sub(/.*CPU /, ""); own = $1 }
        /^total/ { total = $2 }
        END { printf "the manager: CPU %.2f s, %.2f ns a byte\n", total - own, (total - own) * 1e9 / bytes }' "$2" "$3"
}

timed() { # ARGUMENT...: of fxtop record; CPU time to $work/timed
    TIMEFORMAT='total %U %S'
    { time "$fxtop" record -o "$work/t.fxt" "$@" >"$work/printed" 2>"$work/messages"; } 2>"$work/time"
    awk '{ print $1, $2 + $3 }' "$work/time" >"$work/timed"
    cat "$work/printed"
    sed "s|$work/||g; s/; look at it.*//" "$work/messages"
}

section 'macros, tracing off'
"$macros" rows
section 'macros, tracing on (streaming, 16 MiB, nothing dropped)'
record "${quiet[@]}" -b 16m -c bench "$macros" rows
section 'the same, circular: a slice is one record'
record "${quiet[@]}" -b 16m -c bench -m circular "$macros" rows | grep -E 'DURATION|dropped'

section "streaming at ${BENCH_PACE:-100} MB/s, 8 MiB, into a file"
timed "${quiet[@]}" -b 8m "$macros" pace "${BENCH_PACE:-100}" "${BENCH_SECONDS:-10}"
manager_of "$(wc -c <"$work/t.fxt")" "$work/printed" "$work/timed"
rm "$work/t.fxt"
section "streaming at ${BENCH_PACE:-100} MB/s, 8 MiB, into /dev/null"
{ time "$fxtop" record -o /dev/null "${quiet[@]}" "$macros" pace "${BENCH_PACE:-100}" "${BENCH_SECONDS:-10}" >"$work/printed" 2>"$work/messages"; } 2>"$work/time" &
recorder=$!
sleep 2
for pid in $(pgrep -P "$recorder" fxtop); do
    awk '/^(RssAnon|RssFile|RssShmem)/ { printf "%s %d kB  ", $1, $2 } END { print "(the manager, 2 s after its begin)" }' "/proc/$pid/status"
done
wait "$recorder"
awk '{ print $1, $2 + $3 }' "$work/time" >"$work/timed"
cat "$work/printed"
sed 's/; look at it.*//' "$work/messages"
manager_of $((${BENCH_PACE:-100} * ${BENCH_SECONDS:-10} * 1000000)) "$work/printed" "$work/timed"

section "a flood of ${BENCH_FLOOD:-20000000} instants, 8 MiB, into /dev/null"
"$fxtop" record -o /dev/null "${quiet[@]}" "$macros" flood "${BENCH_FLOOD:-20000000}" 2>"$work/messages"
sed 's/; look at it.*//' "$work/messages"

section 'from the command to main(), and from main() to after the first event; best of the runs'
for ((i = 0; i < runs; i++)); do
    "$macros" exec "$fxtop" record "${quiet[@]}" -o "$work/t.fxt" "$macros" first 2>/dev/null
done | awk '{ ms = ($2 - $1) / 1e6; us = ($3 - $2) / 1e3; if (NR == 1 || ms < a) a = ms; if (NR == 1 || us < b) b = us; on += $4 }
    END { printf "%.1f ms, %.1f us; traced from the first event on: %d of %d\n", a, b, on, NR }'
for ((i = 0; i < runs; i++)); do
    "$macros" exec "$macros" first
done | awk '{ ms = ($2 - $1) / 1e6; if (NR == 1 || ms < a) a = ms } END { printf "without a recording: %.1f ms\n", a }'

section 'fork() of a program that is not traced, of one with a second thread, with all that the library has, and traced'
"$macros" fork 2000
"$macros" fork 2000 thread
"$macros" fork 2000 bare
record "${quiet[@]}" "$macros" fork 2000 | grep fork

section 'wake-ups in 5 s: the manager without a provider; with a silent one, and of that one'
"$fxtop" record --listen="$work/socket" -d 6s -o "$work/t.fxt" 2>/dev/null &
manager=$!
waits() { awk '/^voluntary/ { print $2 }' "/proc/$manager/status"; }
sleep 0.5
a=$(waits)
sleep 5
echo "the manager waited $(($(waits) - a)) times"
wait "$manager"
"$fxtop" record --listen="$work/socket" -d 9s -o "$work/t.fxt" 2>/dev/null &
manager=$!
sleep 0.5
FXTTRACE_SOCKET=$work/socket "$macros" silent 8 &
sleep 3 # ticks become rare after 2 s
a=$(waits)
sleep 4
echo "the manager waited $(($(waits) - a)) times in 4 s"
wait

section 'context switches: a program that does nothing but switch'
for ((i = 0; i < 3; i++)); do "$macros" switch 200000; done | sort -k3 -n | head -n 1
for ((i = 0; i < 3; i++)); do "$macros" switch 200000 rings; done | sort -k3 -n | sed -n '1s/$/ (rings of the kernel, no reader)/p'
for ((i = 0; i < 3; i++)); do
    timed --sample=0 "$macros" switch 200000 | tr '\n' ' '
    cat "$work/timed"
done

section 'stacks: CPU time of a program by itself; best of the runs: alone, without and with samples, and by perf record'
cat >"$work/busy.c" <<'END'
#include <stdio.h>
#include <time.h>
volatile unsigned long sum;
__attribute__((noinline)) static void inner(long n) { while (n-- > 0) sum += (unsigned long)n * 3; }
__attribute__((noinline)) static void outer(long n) { inner(n); sum++; }
int main(void) {
    struct timespec t;
    for (int i = 0; i < 20; i++) outer(20000000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    fprintf(stderr, "busy %ld.%09ld\n", (long)t.tv_sec, t.tv_nsec);
}
END
busy() { # COMMAND...: the least CPU time of the program, in s
    for ((i = 0; i < 2 * runs; i++)); do "$@" 2>&1 | sed -n 's/^busy //p'; done | sort -n | head -n 1
}
for frames in -fno-omit-frame-pointer -fomit-frame-pointer; do
    ${CC:-cc} -O2 $frames "$work/busy.c" -o "$work/busy" || exit
    alone=$(busy "$work/busy") off=$(busy "$fxtop" record -o "$work/t.fxt" --no-stacks "$work/busy")
    on=$(busy "$fxtop" record --stacks -o "$work/t.fxt" "$work/busy")
    perf=$(command -v perf >/dev/null && busy perf record -q -F 999 -e cpu-clock --call-graph dwarf,16384 -o "$work/perf.data" "$work/busy")
    awk -v f=$frames -v a="$alone" -v b="$off" -v c="$on" -v d="$perf" 'BEGIN {
        printf "%s: %.3f s alone; more by %.2f %% without samples, %.2f %% with them", f, a, (b / a - 1) * 100, (c / a - 1) * 100
        if (d) printf ", %.2f %% by perf record", (d / a - 1) * 100
        print "" }'
done

section 'live'
"$beat" "$fxtop" "$macros" "${BENCH_BEATS:-40}" "$work/beats"
"$beat" "$fxtop" "$macros" "${BENCH_BEATS:-40}" "$work/beats" lines

if pkg-config --exists lttng-ust 2>/dev/null && command -v lttng >/dev/null; then
    section 'LTTng-UST, the same machine (user space, discard mode, 16 buffers of 1 MiB a CPU)'
    ${CC:-cc} -O2 -I "$top" $(pkg-config --cflags lttng-ust) "$here/lttng.c" -o "$work/lttng" $(pkg-config --libs lttng-ust) -ldl || exit
    export LTTNG_HOME=$work LTTNG_UST_REGISTER_TIMEOUT=-1
    "$work/lttng" | sed 's/$/ (off)/'
    lttng-sessiond --daemonize --no-kernel >/dev/null 2>&1
    if lttng create bench --output="$work/lttng-trace" >/dev/null 2>&1; then
        lttng enable-channel --userspace --subbuf-size=1M --num-subbuf=16 channel >/dev/null
        lttng enable-event --userspace --channel=channel 'fxtop_bench:*' >/dev/null
        lttng start >/dev/null
        "$work/lttng"
        lttng destroy bench >/dev/null
    else
        echo 'LTTng: no session daemon'
    fi
    [ -e "$work/.lttng/lttng-sessiond.pid" ] && kill "$(cat "$work/.lttng/lttng-sessiond.pid")"
fi
