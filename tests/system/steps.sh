#!/bin/bash
# steps.sh [CASE ... | keys] - hostile traces, each with n of its kind and with 2n: twice as much may take twice the steps, no more.
#
# n is as small as the case allows: what is visible at once must be full with half of it already. And what the fuzzer
# found worth keeping: no more than so many steps, and so many a byte.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
hostile=$build/tests/system/hostile steps=$build/tests/system/steps gen=$build/tests/bench/gen
for program in "$hostile" "$steps" "$gen"; do
    [ -x "$program" ] || { echo "$program is missing: make check builds it"; echo '0 passed, 1 failed'; exit 1; }
done
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

n_of() { # CASE
    case $1 in
    one-time) echo 9000 ;;
    problem-kinds | wakeups) echo 30000 ;;
    backwards | saw) echo 64000 ;; # two times are far off: the window shows all others at once
    index-again | nested-ended | overlap | overlap-late | provider*) echo 16000 ;;
    names) echo 7000 ;; # with more, the jobs beside a frame, which may grow, are most of a key's steps
    *) echo 8000 ;;
    esac
}

# What overlaps is put in order when the first key asks for it. A name is shown whole in details. A flow that is followed is drawn whole, all its points at one time too; and above the threads of a process stands how
# busy all of them are, of which those without slices are passed over one by one. Backwards events fill 33 rows: columns
# of a window that was zoomed are full only with far more of them. With same-ends the selected slice encloses all others:
# jobs count its children. With profile they count the samples of the current line.
linear() { # CASE
    case $1 in profile | backwards | long-name | one-time | overlap-asked | same-ends | thread-again) echo linear ;; esac
}

passed=0 failed=0
add() { # NAME COMMAND...
    local name=$1 said counts
    shift
    said=$("$@" 2>&1)
    counts=$(tail -n 1 <<<"$said" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    [ -n "$counts" ] || { echo "FAILED: $name: no answer: $said"; failed=$((failed + 1)); return; }
    [ "${counts#* }" -eq 0 ] || sed '$d' <<<"$said"
    passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
}

count() { # CASE
    local n
    n=$(n_of "$1")
    "$hostile" "$1" "$tmp/n" "$n" && "$hostile" "$1" "$tmp/2n" $((2 * n))
    add "$1" "$steps" "$1" "$tmp/n" "$tmp/2n" $(linear "$1")
}

statistics_of() { # CASE: so many that the work of a view is left to the jobs
    case $1 in names) echo 100000 ;; *) echo 500000 ;; esac
}

# Keys of the statistics while they are computed.
statistics() { # NAME TRACE
    add "statistics of $1" "$steps" keys "statistics of $1" "$2" 2 j '<Tab>' j '<Tab>' '<Tab>' '<Tab>' '<Tab>' '<Tab>' \
        '<Tab>' '<Tab>' t t '<Enter>' j q r q 3 j i r W 4 j '<Enter>' 1 l B j q ':compare half<Enter>' j '<Tab>' \
        ':wakeups<Enter>' '<Tab>' '<Tab>' j
}

# A key is answered whatever runs: searches and lists of many threads, tables of many rows.
keys() {
    "$gen" "$tmp/threads" --size 40m --threads 18000 --mix complete >/dev/null &&
        "$gen" "$tmp/log" --size 30m --logs 90 >/dev/null || return
    add threads "$steps" keys threads "$tmp/threads" j w d '/Tree<Enter>' n n N o '&1<Enter>' '&<C-u><Enter>' f 7 8 6 1
    add log "$steps" keys log "$tmp/log" 5 '>' '>' j G '&raster<Enter>' '&<C-u><Enter>' '/no row<Enter>' n 'r' r 6 '<Enter>' 1 \
        '/Tree<Enter>' n N
    "$gen" "$tmp/loading" --size 24m --threads 10000 --mix complete >/dev/null &&
        add loading "$steps" loading loading "$tmp/loading" 'jjwdwsWaGg0joosNfk<Esc>'
    for what in threads sched async flows; do # one after the other: the second goes back in time, so all of it is late
        mix="--$what 80"
        [ $what != threads ] || mix='--threads 3'
        "$gen" "$tmp/half" --size 8m $mix >/dev/null && cat "$tmp/half" "$tmp/half" >"$tmp/loading" &&
            add "late $what" "$steps" loading "late $what" "$tmp/loading" 'wWswaGg0oosk<Esc>' # selects no slice in many flows
    done
    "$gen" "$tmp/half" --size 30m --threads 10000 --sched 20 >/dev/null && statistics threads "$tmp/half"
    for case in names nested one-time; do
        "$hostile" "$case" "$tmp/half" "$(statistics_of "$case")" && statistics "$case" "$tmp/half"
    done
    rm -f "$tmp/threads" "$tmp/log" "$tmp/loading" "$tmp/half"
}

if [ "$*" = keys ]; then
    keys
elif [ $# -gt 0 ]; then
    for name in "$@"; do count "$name"; done
else # bombs are zeros, counted as such; JSON is converted first, as tests/system/hostile holds it
    while read -r name size _; do
        case $name in *-bomb | json-*) continue ;; esac
        [ "$size" = big ] && count "$name"
    done < <("$hostile" list)
    add text "$steps" text
    keys
    add corpus "$steps" each "${srcdir:-.}"/tests/fuzz/corpus/reader/*
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
