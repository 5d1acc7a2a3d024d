#!/bin/sh
# bench.sh - how long an index, a first picture and a frame take, beside what the memory allows (`make bench-parts`).
#
# FXTOP, GEN, HOP, BARE, HAND, ASK, SCREEN, DEMO: the programs (default: those of the build directory). BENCH_TRACE: a
# trace to measure instead of the generated one; BENCH_SIZE: of that one (1g); BENCH_RUNS: runs each (5); BENCH_SIZES:
# others (100m 3g); BENCH_KINDS: size of each trace of the kinds (200m), empty: without them. The large trace stays in
# $TMPDIR for the next time.
set -eu
LC_ALL=C
export LC_ALL

fxtop=${FXTOP:-./fxtop}
gen=${GEN:-./tests/bench/gen}
hop=${HOP:-./tests/bench/hop}
bare=${BARE:-./tests/bench/bare}
hand=${HAND:-./tests/bench/hand}
ask=${ASK:-./tests/bench/ask}
screen=${SCREEN:-./tests/bench/screen}
demo=${DEMO:-./tests/tools/demo}
name=${BENCH_NAME:-DrawFrame_144} # what is searched
size=${BENCH_SIZE:-1g}
runs=${BENCH_RUNS:-5}
trace=${BENCH_TRACE:-${TMPDIR:-/tmp}/fxtop-bench-$size.fxt}

for program in "$fxtop" "$hop" "$bare" "$ask" "$screen" "$demo"; do
    command -v "$program" >/dev/null || { echo "bench: no $program" >&2; exit 2; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/fxtop-bench.XXXXXX")
export XDG_CACHE_HOME="$work/cache" # of its own
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if [ ! -s "$trace" ]; then
    "$gen" "$trace.part" --size "$size"
    mv "$trace.part" "$trace"
fi
cat "$trace" >/dev/null # warm cache

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }
best() { sort -n "$1" | head -n 1; }
worst() { sort -n "$1" | tail -n 1; }
# The number in the line "NAME N unit" of a --stats output; nothing where there is no such line.
stat_of() {
    awk -v name="$1" 'index($0, name " ") == 1 { split(substr($0, length(name) + 2), f, " "); print f[1]; exit }' "$2"
}
now_ms() { date +%s%3N; }
one_core() { if command -v taskset >/dev/null; then taskset -c 0 "$@"; else "$@"; fi; }

# Private memory at its highest: VmHWM would count the mapped file as well, so the two kinds that are not mapped are
# watched while the program runs.
peak_of() {
    peak=0
    # A process that has ended and not been waited for has a status without these lines.
    while kb=$(awk '$1 == "RssAnon:" || $1 == "RssShmem:" { s += $2; n++ } END { print s + 0; exit n == 0 }' \
        "/proc/$1/status" 2>/dev/null); do
        [ "$kb" -gt "$peak" ] && peak=$kb
        sleep 0.02 2>/dev/null || sleep 1
    done
    echo $((peak * 1024))
}

"$hop" "$trace" >"$work/hop"
hop_ms=$(awk '$1 == "hop" { print $6 }' "$work/hop")
sum_ms=$(awk '$1 == "sum" { print $6 }' "$work/hop")
records=$(awk '$1 == "records" { print $2 }' "$work/hop")
bytes=$(awk '$1 == "records" { print $4 }' "$work/hop")

i=0
while [ $i -lt "$runs" ]; do
    from=$(now_ms)
    "$fxtop" --stats --summary "$trace" >/dev/null 2>"$work/err"
    echo $(($(now_ms) - from)) >>"$work/summary"
    stat_of index "$work/err" >>"$work/index"
    stat_of "own memory" "$work/err" >>"$work/own"

    from=$(now_ms)
    "$fxtop" --no-cache --stats --print=200x60 "$trace" >/dev/null 2>"$work/err"
    echo $(($(now_ms) - from)) >>"$work/print"
    stat_of "first picture" "$work/err" >>"$work/first"
    stat_of "slowest frame" "$work/err" >>"$work/frame"

    if command -v taskset >/dev/null; then
        taskset -c 0 "$fxtop" --stats --summary "$trace" 2>&1 >/dev/null | sed -n 's/^index \([^ ]*\).*/\1/p' >>"$work/alone"
    fi

    "$ask" "$trace" "$name" >"$work/asked"
    stat_of "first hit" "$work/asked" >>"$work/ask_first"
    stat_of "hits counted" "$work/asked" >>"$work/ask_hits"
    stat_of "same name" "$work/asked" >>"$work/ask_same"
    stat_of "names of all" "$work/asked" >>"$work/ask_names"
    sed -n 's/^names of all .*percentiles \([0-9.]*\) ms.*/\1/p' "$work/asked" >>"$work/ask_percentiles"
    sed -n 's/^names of 1 % .*percentiles \([0-9.]*\) ms.*/\1/p' "$work/asked" >>"$work/ask_window"
    stat_of "flame" "$work/asked" >>"$work/ask_flame"
    stat_of "flame with running time" "$work/asked" >>"$work/ask_running"
    stat_of "frames median" "$work/asked" >>"$work/ask_frame"
    stat_of "99 of 100 frames" "$work/asked" >>"$work/ask_most"
    stat_of "mono frames median" "$work/asked" >>"$work/ask_mono"
    i=$((i + 1))
done

for format in csv ndjson json; do
    for i in 1 2 3; do
        from=$(now_ms)
        "$fxtop" --no-cache --export=$format "$trace" >/dev/null
        echo $(($(now_ms) - from)) >>"$work/export_$format"
    done
    command -v taskset >/dev/null || continue
    from=$(now_ms)
    taskset -c 0 "$fxtop" --no-cache --export=$format "$trace" >/dev/null
    echo $(($(now_ms) - from)) >>"$work/export_${format}_alone"
done

# Opened again, when the index was kept; another process writes it.
"$fxtop" --print=200x60 "$trace" >/dev/null
from=$(now_ms)
until ls "$XDG_CACHE_HOME"/fxtop/*.index >/dev/null 2>&1 || [ $(($(now_ms) - from)) -gt 60000 ]; do
    sleep 1
done
echo $(($(now_ms) - from)) >"$work/keeping"
for i in 1 2 3 4 5; do
    "$fxtop" --stats --print=200x60 "$trace" 2>&1 >/dev/null | sed -n 's/^first picture \([^ ]*\).*/\1/p' >>"$work/again"
done
rm -rf "$XDG_CACHE_HOME"

"$fxtop" --summary "$trace" >/dev/null &
peak=$(peak_of $!)
wait $!

# The cost of views of statistics, from the lines of ask.
statistics_of() { sed -n -e 's/^names of/  &/p' -e 's/^flame/  &/p' -e 's/^.*: first/  &/p' -e 's/^[0-9]* keys/  &/p' "$1"; }

row() { # name, file with one value a line, unit, what a ratio is taken of
    [ -s "$2" ] || return 0
    m=$(median "$2")
    b=$(best "$2")
    w=$(worst "$2")
    if [ -n "${4:-}" ]; then
        awk -v n="$1" -v m="$m" -v b="$b" -v w="$w" -v u="$3" -v h="$hop_ms" -v s="$sum_ms" -v r="$records" 'BEGIN {
            printf "%-28s %9.1f %9.1f %9.1f %-3s %8.1fx %8.1fx %8.1f\n", n, m, b, w, u, m / h, m / s, m * 1e6 / r }'
    else
        awk -v n="$1" -v m="$m" -v b="$b" -v w="$w" -v u="$3" \
            'BEGIN { printf "%-28s %9.1f %9.1f %9.1f %-3s\n", n, m, b, w, u }'
    fi
}

awk -v b="$bytes" -v r="$records" 'BEGIN { printf "%d bytes, %d records, %.1f bytes a record\n\n", b, r, b / r }'
printf '%-28s %9s %9s %9s %-3s %9s %9s %8s\n' what median best worst '' 'of hop' 'of sum' ns/record
awk '$1 == "hop" || $1 == "sum" { f = file $1; print $3 > f; print $6 > f; print $6 > f }' file="$work/raw_" \
    "$work/hop"
row 'hop over headers' "$work/raw_hop" ms ratio
row 'sum of all words' "$work/raw_sum" ms ratio
row '--summary, the whole process' "$work/summary" ms ratio
row '  its index' "$work/index" ms ratio
row '  the same on one core' "$work/alone" ms ratio
row '--print=200x60' "$work/print" ms ratio
row '  its first picture' "$work/first" ms
row '  its slowest frame' "$work/frame" us
for format in csv ndjson json; do
    row "--export=$format to /dev/null" "$work/export_$format" ms ratio
    row '  the same on one core' "$work/export_${format}_alone" ms ratio
done
row 'opened again: first picture' "$work/again" ms
row '  until the index was kept' "$work/keeping" ms
row 'a search: its first hit' "$work/ask_first" ms
row '  all hits counted' "$work/ask_hits" ms
row 'numbers of all of a name' "$work/ask_same" ms
row 'view 2: totals and selves' "$work/ask_names" ms
row '  with percentiles' "$work/ask_percentiles" ms
row '  of 1 % of the time' "$work/ask_window" ms
row 'self times by path' "$work/ask_flame" ms
row '  with running times' "$work/ask_running" ms
row '600 frames of 200x60, each' "$work/ask_frame" ms
row '  99 % of them within' "$work/ask_most" ms
row '  each without colours' "$work/ask_mono" ms
statistics_of "$work/asked"
awk -v p="$peak" -v b="$bytes" -v r="$records" \
    'BEGIN { printf "%-28s %9.1f %19s MiB %8.2f%% of the file, %.1f bytes a record\n",
             "private memory at its peak", p / 1048576, "", p * 100 / b, p / r }'
if [ -s "$work/own" ]; then
    awk -v p="$(median "$work/own")" -v b="$bytes" -v r="$records" \
        'BEGIN { printf "%-28s %9.1f %19s MiB %8.2f%% of the file, %.1f bytes a record\n",
                 "  as the program counts it", p / 1048576, "", p * 100 / b, p / r }'
fi

# Queries: a process each; the first one is of the index alone. Memory is that at the peak beyond the index's.
if ! "$fxtop" --query 'select 1' "$trace" 2>&1 | grep -q 'needs SQLite'; then
    printf '\n%-44s %9s %9s %9s %9s\n' 'query, ms after the index' median best worst 'MiB more'
    while IFS='|' read -r what sql; do
        : >"$work/query"
        for i in 1 2 3; do
            from=$(now_ms)
            "$fxtop" --format=csv --query "$sql" "$trace" >/dev/null
            echo $(($(now_ms) - from - ${index_ms:-0})) >>"$work/query"
        done
        "$fxtop" --format=csv --query "$sql" "$trace" >/dev/null &
        most=$(peak_of $!)
        wait $!
        index_ms=${index_ms:-$(median "$work/query")} index_most=${index_most:-$most}
        awk -v w="$what" -v m="$(median "$work/query")" -v b="$(best "$work/query")" -v x="$(worst "$work/query")" \
            -v p="$most" -v i="$index_most" \
            'BEGIN { printf "%-44s %9d %9d %9d %9.1f\n", w, m, b, x, (p - i) / 1048576 }'
    done <<'END'
the index, and select 1|select 1
count(*)|select count(*) from slice
sum(dur)|select sum(dur) from slice
name, count, sum by name|select name, count(*), sum(dur) from slice group by name
the same from slice_name|select name, count, total from slice_name
one name|select count(*), sum(dur) from slice where name = 'DrawFrame_144'
name glob|select count(*) from slice where name glob 'Draw*'
longest 10|select name, dur from slice order by dur desc limit 10
by time, first 10|select ts, name from slice order by ts limit 10
by thread (three tables)|select t.name, count(*), sum(s.dur) from slice s join thread_track tt on s.track_id = tt.id join thread t using (utid) group by t.utid
by name of the thread|select t.name, count(*), sum(s.dur) from slice s join thread_track tt on s.track_id = tt.id join thread t using (utid) group by t.name
by process|select p.name, count(*), sum(s.dur) from slice s join thread_track tt on s.track_id = tt.id join thread t using (utid) join process p using (upid) group by p.upid
percentile by name|select name, percentile(dur, 50), percentile(dur, 99) from slice group by name
children by parent, 1 %|select count(*), sum(c.dur) from slice p join slice c on c.parent_id = p.id where p.id % 100 = 0
END
fi

# Compressed, beside what decompressing into a file takes.
"$gen" "$work/plain.fxt" --size 200m >/dev/null
for packer in gzip zstd; do
    command -v $packer >/dev/null || continue
    $packer -qk1 "$work/plain.fxt"
    packed=$(ls "$work"/plain.fxt.*)
    for i in 1 2 3; do
        from=$(now_ms)
        $packer -qdc "$packed" >"$work/again.fxt"
        echo $(($(now_ms) - from)) >>"$work/$packer"
        "$fxtop" --stats --summary "$packed" 2>&1 >/dev/null | sed -n 's/^index \([^ ]*\).*/\1/p' >>"$work/$packer.index"
    done
    row "$packer -dc 200 MB into a file" "$work/$packer" ms
    row '  index of what is packed' "$work/$packer.index" ms
    rm "$work/again.fxt" "$packed"
done
rm "$work/plain.fxt"

# The same trace as JSON and as FXT: the cost of converting, on one core and in memory.
"$gen" "$work/plain.fxt" --size 50m >/dev/null
"$fxtop" --no-cache --export=json "$work/plain.fxt" >"$work/plain.json"
"$fxtop" --no-cache --export=fxt "$work/plain.json" >"$work/same.fxt"
for i in 1 2 3; do
    for file in plain.json same.fxt; do
        one_core "$fxtop" --no-cache --stats --summary "$work/$file" >/dev/null 2>"$work/err"
        stat_of index "$work/err" >>"$work/$file.index"
        stat_of 'own memory' "$work/err" >>"$work/$file.own"
    done
done
awk -v b="$(wc -c <"$work/plain.json")" -v f="$(wc -c <"$work/same.fxt")" -v t="$(median "$work/plain.json.index")" \
    -v u="$(median "$work/same.fxt.index")" -v o="$(median "$work/plain.json.own")" -v p="$(median "$work/same.fxt.own")" 'BEGIN {
    printf "JSON of %.0f MB, one core: %.0f ms, %.0f MB/s, %.1f MiB of own memory; as FXT of %.0f MB: %.0f ms, %.1f MiB\n",
           b / 1e6, t, b / t / 1e3, o / 1048576, f / 1e6, u, p / 1048576 }'
if command -v valgrind >/dev/null; then # its first bytes, and twice as many: instructions a byte without the start of the program
    for n in 200000 2200000; do
        head -c "$n" "$work/plain.json" >"$work/part.json"
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$fxtop" --no-cache --summary "$work/part.json" 2>&1 >/dev/null |
            awk '/Collected/ { print $4 }' >"$work/instructions.$n"
    done
    awk -v a="$(cat "$work/instructions.200000")" -v b="$(cat "$work/instructions.2200000")" \
        'BEGIN { printf "JSON: %.1f instructions a byte\n", (b - a) / 2000000 }'
    rm "$work/part.json"
fi
rm "$work/plain.json" "$work/plain.fxt" "$work/same.fxt"

# The same at other sizes: what a byte costs beside one of the large trace, and what is asked of it.
sizes=${BENCH_SIZES-100m 3g}
per_byte=$(awk -v t="$(median "$work/index")" -v b="$bytes" 'BEGIN { print t / b }')
[ -z "$sizes" ] || printf '\n%-12s %12s %9s %9s %9s %9s %9s %9s %9s\n' size slices 'index ms' ns/byte 'of above' \
    'all hits' 'same name' 'a frame' '99 %'
for other in $sizes; do
    "$gen" "$work/size.fxt" --size "$other" >/dev/null
    cat "$work/size.fxt" >/dev/null
    for what in size_index size_hits size_same size_frame size_most; do : >"$work/$what"; done
    for i in 1 2 3; do
        "$fxtop" --no-cache --stats --summary "$work/size.fxt" 2>&1 >/dev/null |
            sed -n 's/^index \([^ ]*\).*/\1/p' >>"$work/size_index"
        "$ask" "$work/size.fxt" "$name" >"$work/asked"
        stat_of "hits counted" "$work/asked" >>"$work/size_hits"
        stat_of "same name" "$work/asked" >>"$work/size_same"
        stat_of "frames median" "$work/asked" >>"$work/size_frame"
        stat_of "99 of 100 frames" "$work/asked" >>"$work/size_most"
    done
    awk -v n="$other" -v s="$(stat_of slices "$work/asked")" -v t="$(median "$work/size_index")" \
        -v b="$(wc -c <"$work/size.fxt")" -v p="$per_byte" -v h="$(median "$work/size_hits")" \
        -v m="$(median "$work/size_same")" -v f="$(median "$work/size_frame")" -v w="$(median "$work/size_most")" 'BEGIN {
        printf "%-12s %12d %9.0f %9.2f %8.2fx %9.1f %9.1f %9.2f %9.2f\n", n, s, t, t * 1e6 / b, t / b / p, h, m, f, w }'
    statistics_of "$work/asked"
    rm "$work/size.fxt"
done

printf '\non the terminal, the trace of fxtop run:\n'
"$demo" "$work/demo.fxt"
LC_ALL=C.UTF-8 "$screen" "$fxtop" --stats "$work/demo.fxt"
if command -v python3 >/dev/null; then
    printf '\n'
    LC_ALL=C.UTF-8 python3 "${0%/*}/link.py" "$fxtop" --no-session "$work/demo.fxt"
fi
printf '\nthe large one:\n'
LC_ALL=C.UTF-8 "$screen" "$fxtop" "$trace"
for options in '--size 150m --logs 90' '--size 68m --threads 10000 --mix complete' '--size 20m --logs 3 --sched 10 --flows 3'; do
    printf '\ngen %s:\n' "$options"
    "$gen" "$work/keys.fxt" $options >/dev/null
    LC_ALL=C.UTF-8 "$screen" "$fxtop" --no-cache "$work/keys.fxt"
    "$ask" "$work/keys.fxt" "$name" | sed -n 's/^[0-9]* keys /CPU time of a key and its frame: &/p'
done
rm "$work/keys.fxt"

# Kinds of trace, smaller: what a byte of each costs beside one of the mixed trace, on both cores and on one. The mixed
# trace is measured beside each again, as the machine changes from minute to minute; ratios are medians of pairs.
kinds=${BENCH_KINDS-200m}
[ -n "$kinds" ] || exit 0
printf '\nwhat a second processor gains at best, with other sizes of events and work for each:\n'
"$hand" || : # needs two processors
indexed() { # FILE RESULTS COMMAND...
    trace_of_kind=$1 results=$2
    shift 2
    "$@" "$fxtop" --stats --summary "$trace_of_kind" >/dev/null 2>"$work/err"
    stat_of index "$work/err" >>"$results"
}
ratio() { # of the numbers of two files, line by line: SECOND / FIRST
    paste "$1" "$2" | awk '{ print $2 / $1 }' >"$work/ratios"
    median "$work/ratios"
}
"$gen" "$work/mixed.fxt" --size "$kinds" >/dev/null
# bare: all loops of tests/bench/bare in ms, and what one core takes in them; before it what two cores would gain if one
# only read, the other did the rest, and neither waited.
printf '\n%-28s %8s %9s %7s %6s %6s %5s %5s %8s %13s  %s\n' "kind, $kinds each" 'index ms' 'from-to' ns/byte mixed alone \
    gain bare own/byte 'bare ms' 'who writes like this'
while IFS=: read -r kind options who; do
    # shellcheck disable=SC2086 # words
    "$gen" "$work/kind.fxt" --size "$kinds" $options >/dev/null
    sync # the system writes it out meanwhile, else
    for list in mixed mixed_alone kind kind_alone; do : >"$work/$list"; done
    i=0
    while [ $i -lt "$runs" ]; do
        indexed "$work/mixed.fxt" "$work/mixed" env
        indexed "$work/kind.fxt" "$work/kind" env
        indexed "$work/mixed.fxt" "$work/mixed_alone" one_core
        indexed "$work/kind.fxt" "$work/kind_alone" one_core
        i=$((i + 1))
    done
    own=$(stat_of "own memory" "$work/err")
    one_core "$bare" "$work/kind.fxt" >"$work/bare"
    sed "s/^/$kind: /" "$work/bare" >>"$work/bare_all"
    bound=$(awk '$1 == "read" { r = $8 } $1 == "all" { a = $2 } END { print a / (r > a - r ? r : a - r) }' "$work/bare")
    awk -v n="$kind" -v bound="$bound" -v t="$(median "$work/kind")" -v a="$(median "$work/kind_alone")" -v own="$own" \
        -v b="$(wc -c <"$work/kind.fxt")" -v m="$(ratio "$work/mixed" "$work/kind")" \
        -v ma="$(ratio "$work/mixed_alone" "$work/kind_alone")" -v gain="$(ratio "$work/kind" "$work/kind_alone")" \
        -v who="$who" -v lo="$(best "$work/kind")" -v hi="$(worst "$work/kind")" -v bare="$(stat_of all "$work/bare")" 'BEGIN {
        printf "%-28s %8.0f %4.0f-%-4.0f %7.2f %5.1fx %5.1fx %5.2f %5.2f %8.2f %6.0f (%3.1fx)  %s\n",
               n, t, lo, hi, t * 1e6 / b, m, ma, gain, bound, own / b, bare, a / bare, who }'
done <<EOF
mixed::programs with begins, completes and arguments
strings with a hole:--indexes sparse:writers that number names and arguments apart
strings hashed:--indexes hashed:writers that take the index from the text
strings registered again:--reregister 20:magic-trace, and others with few slots
all inline:--inline:writers without tables
clock of 24 MHz:--clock 24000000:Fuchsia on arm64
clock of 1 MHz:--clock 1000000:converters from microseconds
clock of 2.1 GHz:--clock 2112000123:ticks of a TSC
a system:--sched 12 --flows 11 --counters 6 --instants 6 --args 2 --indexes sparse:a trace of all programs and the kernel
a system, clock of 24 MHz:--sched 12 --flows 11 --counters 6 --instants 6 --args 2 --indexes sparse --clock 24000000:the same on arm64
eight times far off:--far 8:any, with flipped bits in times
begins and ends of 16 bytes:--mix begin --args 0 --instants 0 --counters 0 --flows 0:function tracers
completes, children first:--mix complete --order end:macros for scopes
completes, parents first:--mix complete --order start:converters from other formats
one thread:--threads 1:an event loop
400 threads:--threads 400:servers with a thread for each client
10000 threads:--threads 10000:builds, servers
200 deep:--depth 200:interpreters
flows 60 %:--flows 60:programs that send messages
counters 90 %:--counters 90 --instants 0 --flows 0:samplers
scheduling 90 %:--sched 90 --instants 0 --flows 0 --counters 0:the kernel
async 90 %:--async 90 --instants 0 --flows 0 --counters 0:asynchronous programs
logs 90 %:--logs 90 --instants 0 --flows 0 --counters 0:programs that log
instants 90 %:--instants 90 --flows 0 --counters 0:probes
EOF
echo
cat "$work/bare_all"
