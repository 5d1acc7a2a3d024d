#!/bin/bash
# run_fuzzers.sh [TARGET ...] - fuzzes each target for $FUZZ_SECONDS (60) of a processor, all at a time, from its corpus in
# the source tree.
#
# Builds with clang, ASan and UBSan in fuzz/ below this build. What is new in coverage stays in fuzz/corpus/TARGET, what
# breaks something in fuzz/found/TARGET-*: run tests/fuzz/replay TARGET FILE on it, mend the cause, add it to
# tests/fuzz/corpus.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
build=$(pwd)/fuzz seconds=${FUZZ_SECONDS:-60}
[ $# -gt 0 ] || set -- view reader query sql text key packet readout proto import
mkdir -p "$build" && cd "$build" || exit 1
[ -f Makefile ] || "$top/configure" -q CC="${FUZZ_CC:-clang}" CFLAGS="-O1 -g" --enable-sanitizers --enable-fuzzers ||
    { rm -f Makefile; echo '0 passed, 1 failed'; exit 1; }
${MAKE:-make} -s $(printf 'tests/fuzz/fuzz_%s ' "$@") || { echo '0 passed, 1 failed'; exit 1; }
# Short stacks of what was allocated, and little that was freed: half the time else goes there.
export ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=16

fuzz() { # TARGET: its statistics in a line; fails where something was found
    local target=$1 dict=$top/tests/fuzz/$1.dict status=0 log=$build/$1.log
    mkdir -p "corpus/$target" found
    [ -e "$dict" ] || dict=
    "tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=1024 -entropic=0 \
        -print_final_stats=1 -artifact_prefix="found/$target-" ${dict:+-dict="$dict"} \
        "corpus/$target" "$top/tests/fuzz/corpus/$target" >"$log" 2>&1 || status=1
    awk -v target="$target" -v status=$status '
        /^stat::number_of_executed_units/ { runs = $2 }
        /^stat::average_exec_per_sec/ { rate = $2 }
        /^#.* cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") edges = $(i + 1); if ($i == "ft:") features = $(i + 1) } }
        END {
            printf "%-7s %9d executions, %6d a second, %d edges, %d features%s\n", target, runs, rate, edges, features,
                status ? ": SOMETHING FOUND" : ""
        }' "$log"
    [ "$status" -eq 0 ] || grep -aE 'unsound:|ERROR:|SUMMARY:|runtime error:|Test unit written' "$log"
    return "$status"
}

passed=0 failed=0 pids=()
jobs=$(getconf _NPROCESSORS_ONLN)
[ "$jobs" -ge $# ] || seconds=$((seconds * $# / jobs))
for target in "$@"; do
    fuzz "$target" &
    pids+=($!)
done
for pid in "${pids[@]}"; do
    if wait "$pid"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
