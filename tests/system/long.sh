#!/bin/bash
# long.sh - what takes too long for every check (`make soak`): ten thousand random keys on every trace, every fault there
# is to inject, damage at more places, the tables of more random traces, an hour of following, a thousand recorded
# programs that are killed, ten minutes of fuzzing a target, other machines and systems. SOAK_KEYS, SOAK_SECONDS,
# SOAK_KILLS, FUZZ_SECONDS: of these; FXTOP_TRACES: a directory of more traces.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR COLUMNS LINES
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
export srcdir
fxtop=${FXTOP:-$build/fxtop}
passed=0 failed=0

part() { # WHAT COMMAND...: as many as its last line says
    local what=$1 start=$SECONDS status=0 last counts
    shift
    printf '== %s\n' "$what"
    last=$("$@" | tee /dev/stderr | tail -n 1) || status=1
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' <<<"$last")
    set -- ${counts:-0 1}
    [ "$status" -eq 0 ] || [ "$2" -gt 0 ] || set -- "$1" 1
    passed=$((passed + $1)) failed=$((failed + $2))
    printf -- '-- %s: %d s\n' "$what" $((SECONDS - start))
}

set -o pipefail
part 'random keys' "$build/tests/system/monkey" "${SOAK_KEYS:-10000}"
part 'random keys and budgets' "$build/tests/system/monkey" -b "${SOAK_KEYS:-10000}"
part 'every fault' "$build/tests/system/faults" all
part 'damage' env DAMAGE_PLACES=256 FXTOP_BUILD="$build" "$build/tests/system/check_damage" # four times those of a check
part 'tables of random traces' env TOP_RANDOM=480 FXTOP="$fxtop" FXTOP_BUILD="$build" bash "$srcdir/tests/tools/top.sh"
part 'following' "$build/tests/system/soak" "$fxtop" "${SOAK_SECONDS:-3600}"
[ ! -x "$build/tests/system/traced" ] || # recording needs Linux
    part 'kills' env FXTOP_KILLS="${SOAK_KILLS:-1000}" FXTOP="$fxtop" FXTOP_BUILD="$build" bash "$srcdir/tests/system/record.sh"
part 'fuzzing' env FUZZ_SECONDS="${FUZZ_SECONDS:-600}" bash "$srcdir/tests/fuzz/run_fuzzers.sh"
part 'other machines and systems' env FXTOP_BUILD="$build" bash "$srcdir/tests/tools/portable.sh"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
