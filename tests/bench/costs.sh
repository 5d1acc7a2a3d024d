#!/bin/bash
# costs.sh - measures time and memory of opening and asking traces, and prints doc/PERFORMANCE.md (`make bench`).
#
# FXTOP, GEN, ASK, MACROS: the programs (default: those of the build directory this runs in). COSTS_RUNS of each figure
# (5), of which the median counts. COSTS_SIZE of the large trace (1g), COSTS_SIZES of the others (200m). The machine has
# to do nothing else meanwhile. Files lie in $TMPDIR.
set -eu
export LC_ALL=C
fxtop=${FXTOP:-./fxtop}
gen=${GEN:-./tests/bench/gen}
ask=${ASK:-./tests/bench/ask}
macros=${MACROS:-./tests/bench/macros}
runs=${COSTS_RUNS:-5}
for program in "$fxtop" "$gen" "$ask"; do
    command -v "$program" >/dev/null || { echo "costs.sh: no $program" >&2; exit 2; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/fxtop-bench.XXXXXX")
export XDG_CACHE_HOME=$work/cache XDG_RUNTIME_DIR=$work XDG_STATE_HOME=$work
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

median() { sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }
# The median of the figures that COMMAND prints, one a run.
of_runs() { for ((i = 0; i < runs; i++)); do "$@"; done | median; }
seconds() { # COMMAND...: as a whole process
    local from to
    from=$(date +%s%N)
    "$@" >/dev/null 2>&1
    to=$(date +%s%N)
    awk -v ns=$((to - from)) 'BEGIN { printf "%.3f\n", ns / 1e9 }'
}
# The figure in the line "NAME FIGURE unit" of --stats.
stat_of() { # NAME COMMAND...
    "${@:2}" --stats 2>&1 >/dev/null | awk -v name="$1" 'index($0, name " ") == 1 { print $(split(name, words, " ") + 1); exit }'
}
short() { awk -v x="$1" -v d="$2" 'BEGIN { if (x == "") print "-"; else printf "%.*f\n", d, x }'; }

# A row of the table. Only an .fxt has frames and keys: ask opens nothing else.
row() { # WHAT FILE NAME
    local what=$1 file=$2 name=$3 bytes index memory first again keys='' frames='' top query
    cat "$file" >/dev/null
    bytes=$(wc -c <"$file")
    index=$(of_runs stat_of index "$fxtop" --no-cache --summary "$file")
    memory=$(of_runs stat_of 'own memory' "$fxtop" --no-cache --summary "$file")
    first=$(of_runs stat_of 'first picture' "$fxtop" --no-cache --print=120x40 "$file")
    top=$(of_runs seconds "$fxtop" --no-cache --top=10 "$file")
    query=$(of_runs seconds "$fxtop" --no-cache --query "select name, count(*), sum(dur) from slice group by name" "$file")
    "$fxtop" --print=120x40 "$file" >/dev/null # another process writes the index
    for ((i = 0; i < 60; i++)); do
        compgen -G "$XDG_CACHE_HOME/fxtop/*.index" >/dev/null && break
        [ "$bytes" -ge 268435456 ] || break
        sleep 1
    done
    again=-
    if compgen -G "$XDG_CACHE_HOME/fxtop/*.index" >/dev/null; then
        again=$(short "$(of_runs stat_of 'first picture' "$fxtop" --print=120x40 "$file")" 0)
        rm -rf "$XDG_CACHE_HOME"
    fi
    if [ -n "$name" ]; then
        "$ask" "$file" "$name" >"$work/asked" 2>/dev/null
        frames=$(sed -n 's/^99 of 100 frames \([0-9.]*\) ms.*/\1/p' "$work/asked")
        keys=$(sed -n 's/^[0-9]* keys median .* p99 \([0-9.]*\),.* (one of.*/\1/p' "$work/asked" | sort -n | tail -n 1)
    fi
    awk -v w="$what" -v b="$bytes" -v i="$index" -v m="$memory" -v f="$first" -v a="$again" -v fr="$(short "$frames" 1)" \
        -v k="$(short "$keys" 1)" -v t="$top" -v q="$query" 'BEGIN {
        printf "| %s | %.0f MB | %.2f s | %.0f MB | %.0f ms | %s | %s | %s | %.2f s | %.2f s |\n",
               w, b / 1e6, i / 1e3, m / 1e6, f, a == "-" ? a : a " ms", fr == "-" ? fr : fr " ms", k == "-" ? k : k " ms", t, q }'
}

machine() {
    awk -F ': *' '/^model name/ { m = $2; n++ } END { printf "%d processors, %s", n, m == "" ? "of an unknown model" : m }' /proc/cpuinfo
    awk '/^MemTotal/ { printf ", %.0f GB of memory", $2 / 1e6 }' /proc/meminfo
}

cat <<END
# What fxtop costs

\`make bench\` measures and prints this page. Measured with $("$fxtop" --version | head -n 1) on $(machine), which did nothing
else; files in the page cache; each figure is the median of $runs.

## What will my trace cost

| trace | size | index | own memory | first picture | opened again | a frame | a key | --top | --query |
|---|---|---|---|---|---|---|---|---|---|
END
"$gen" "$work/a.fxt" --size "${COSTS_SIZE:-1g}" >/dev/null
row 'durations of 16 threads' "$work/a.fxt" DrawFrame_144
cat_large=$(of_runs seconds cat "$work/a.fxt")
large=$(wc -c <"$work/a.fxt")
rm "$work/a.fxt"
size=${COSTS_SIZES:-200m}
"$gen" "$work/a.fxt" --size "$size" --sched 12 --flows 11 --counters 6 --instants 6 --args 2 --indexes sparse >/dev/null
row 'all programs and the kernel' "$work/a.fxt" DrawFrame_144
"$gen" "$work/a.fxt" --size "$size" --threads 10000 >/dev/null
row 'durations of 10,000 threads' "$work/a.fxt" DrawFrame_144
"$gen" "$work/a.fxt" --size "$size" --depth 200 >/dev/null
row 'durations 200 deep' "$work/a.fxt" DrawFrame_144
if command -v zstd >/dev/null; then
    "$gen" "$work/a.fxt" --size "$size" >/dev/null
    zstd -qf1 "$work/a.fxt" -o "$work/a.fxt.zst"
    row "the same as the first, $size, as .zst" "$work/a.fxt.zst" ''
    unpacked=$(of_runs seconds zstd -qdfo "$work/b.fxt" "$work/a.fxt.zst")
    rm "$work/a.fxt.zst" "$work/b.fxt"
fi
"$gen" "$work/a.fxt" --size 50m >/dev/null
"$fxtop" --no-cache --export=json "$work/a.fxt" >"$work/a.json"
row "Chrome's JSON of 50 MB of the first" "$work/a.json" ''
json=$(wc -c <"$work/a.json")
if command -v python3 >/dev/null; then
    loaded=$(of_runs seconds python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/a.json")
fi
rm "$work/a.fxt" "$work/a.json"

cat <<END

- *index*: until all that the trace holds is shown. *own memory*: besides the mapped file. *opened again*: from the index
  in the cache, which traces of 256 MiB or more have. *first picture*: of a file that is read whole before, as with --print;
  on the terminal it does not wait.
- *a frame*: 99 of 100 zooms and pans at 200x60. *a key*: 99 of 100 keys with their frame, processor time, also of views
  that are statistics. The promise is 16 ms.
- *--top* and *--query* (count and sum by name) are whole processes, with their index.

## Beside what one would take instead

| what | measured |
|---|---|
| cat of the first trace, $(awk -v b="$large" 'BEGIN { printf "%.0f", b / 1e6 }') MB, to /dev/null | $cat_large s |
END
[ -z "${unpacked:-}" ] || echo "| zstd -d of the fifth into a file | $unpacked s |"
[ -z "${loaded:-}" ] || echo "| Python's json.load() of the JSON, $(awk -v b="$json" 'BEGIN { printf "%.0f", b / 1e6 }') MB | $loaded s |"

cat <<END

## What other formats cost

Text of each, made by \`tests/bench/formats.sh\`, in processor time of the whole process, and its own memory.

| format | size | read | own memory |
|---|---|---|---|
END
FXTOP=$fxtop FORMATS_RUNS=$runs bash "$(dirname "$0")/formats.sh"

if [ -x "$macros" ]; then
    cat <<END

## What recording costs

| a program that traces itself with libfxttrace, an event | measured |
|---|---|
END
    "$fxtop" record -o "$work/t.fxt" --no-sched --no-stacks --sample=0 -b 16m -c bench "$macros" rows 2>"$work/messages" |
        awk '/ ns/ && !/\(off\)/ { ns = $0; sub(/ ns.*/, "", ns); sub(/.* /, "", ns); what = $0; sub(/  +[0-9.]+ ns.*/, "", what)
            sub(/^ +/, "the same with ", what); printf "| %s | %s ns |\n", what, ns }'
    flood=$("$fxtop" record -o /dev/null --no-sched --no-stacks --sample=0 -b 8m "$macros" pace 100 5 2>&1 | grep -o 'none dropped\|[0-9][0-9,.k]* *[a-z]* dropped' | tail -n 1)
    echo "| streaming 100 MB/s for 5 s with a buffer of 8 MB | ${flood:-not measured} |"
fi

cat <<'END'

## How it was measured

`tests/bench/costs.sh` generates the traces (`tests/bench/gen`), runs fxtop with --stats, and asks the model and the views
for frames and keys in one process (`tests/bench/ask`). `make bench` then counts instructions of each mode at n and 2n
(`tests/system/growth.sh`). `make bench-parts` has what the costs are made of: each kind of trace beside bare loops,
exports, other sizes (`tests/bench/bench.sh`), bytes over a slow link (`tests/bench/link.py`), and the recorder
(`tests/bench/recording.sh`).

## What falls short

- A trace of ten times the size takes eleven times as long: memory comes slower than in proportion.
- Many threads, and times that are far off, cost more for each byte than durations of a few threads do.
- A query that reads each slice takes what SQLite takes for a row; `slice_name` has counts and sums by name at once.
- A point of a flow keeps 16 bytes besides the 24 of its record.
- Names for dense columns may cost up to twice a frame without them.
END
