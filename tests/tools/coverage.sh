#!/bin/bash
# coverage.sh - what `make check` reaches of the program, file by file and floor by floor: lines and branches in percent.
#
# A build of its own, below this one, counts with gcc. Not counted: assertions (--enable-coverage leaves them out), what
# runs out of memory, and branches that the compiler made for calls. With -u also each line that was not reached, and
# each that was left only one way. Fails below the goals that stand here. --again: as it was counted the last time.
set -u
export LC_ALL=C
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
build=$(pwd)/coverage
unreached=0 again=false
while [ $# -gt 0 ]; do
    case $1 in
    -u) unreached=1 ;;
    --again) again=true ;;
    *) echo "usage: coverage.sh [-u] [--again]"; exit 2 ;;
    esac
    shift
done

if ! $again; then
    rm -rf "$build" && mkdir "$build" && cd "$build" || exit 1
    "$top/configure" -q CC=gcc --enable-coverage && ${MAKE:-make} -s all && 
        CK_TIMEOUT_MULTIPLIER=30 ${MAKE:-make} -s -k check >check.txt 2>&1 ||
        { grep -E '^(FAIL|ERROR)' check.txt; echo '0 passed, 1 failed'; exit 1; }
fi
cd "$build" || exit 1

# Of an object's counts: the source as gcov marks it.
find src model sql ui app -name '*.gcda' | while read -r counts; do
    gcov -b -c -t "$counts" 2>/dev/null
done | awk -v unreached="$unreached" '
    # The file that was read, once more where a test has an object of its own of it: reached is what one of them reached.
    function keep(    i, k, at) {
        if (name !~ /\.c$/) n = 0
        for (i = 1; i <= n; i++) {
            at = name ":" number[i]
            if (!(at in text_of)) {
                order[++places] = at
                name_of[at] = name
                text_of[at] = text[i]
                left_out[at] = i < n && text[i + 1] ~ /err_no_memory\(\);/
            }
            hit[at] = hit[at] || count[i] !~ /#/
            if (made[i] > made_of[at]) made_of[at] = made[i]
            for (k = 1; k <= made[i]; k++) went_of[at, k] = went_of[at, k] || went[i, k]
        }
        n = 0
    }
    # Lines that run out of memory, and the ways there, do not count.
    function add_up(    i, k, at, to, taken) {
        for (i = 1; i <= places; i++) {
            at = order[i]
            to = name_of[at]
            if (text_of[at] ~ /^_Noreturn void err_no_memory\(void\) \{/) out = name_of[at] # its body
            if (out == name_of[at] && text_of[at] !~ /^\}/) continue
            out = ""
            if (text_of[at] ~ /err_no_memory\(\)/) continue
            lines[to]++
            lines_hit[to] += hit[at]
            if (!hit[at] && unreached) printf "%s: never:%s\n", at, text_of[at]
            if (left_out[at]) continue
            taken = 0
            for (k = 1; k <= made_of[at]; k++) taken += went_of[at, k]
            ways[to] += made_of[at]
            ways_hit[to] += taken
            if (hit[at] && taken < made_of[at] && unreached)
                printf "%s: %d of %d ways:%s\n", at, taken, made_of[at], text_of[at]
        }
    }
    function percent(part, all) { return all > 0 ? 100 * part / all : 100 }
    function show(to, what, l, lh, w, wh) {
        printf "%-32s %5d lines %6.2f %%  %5d branches %6.2f %%\n", what, l, percent(lh, l), w, percent(wh, w) | to
    }
    /^ *-: *0:Source:/ {
        keep()
        sub(/.*Source:/, "")
        name = match($0, /(src|model|ui)\/[a-z_0-9\/]*\.[ch]$/) ? substr($0, RSTART) : ""
        next
    }
    /^branch/ {
        went[n, ++made[n]] = $3 == "taken" && $4 > 0
        next
    }
    /^ *[^ :]*: *[0-9]+:/ {
        split($0, part, ":")
        gsub(/[ *]/, "", part[1])
        if (part[1] == "-") next
        n++
        count[n] = part[1]
        number[n] = part[2] + 0
        text[n] = $0
        sub(/^[^:]*:[^:]*:/, "", text[n])
        made[n] = 0
    }
    END {
        keep()
        add_up()
        for (name in lines) {
            floor = name
            sub(/\/.*/, "", floor)
            all[floor] += lines[name]
            all_hit[floor] += lines_hit[name]
            all_ways[floor] += ways[name]
            all_ways_hit[floor] += ways_hit[name]
            show("sort", name, lines[name], lines_hit[name], ways[name], ways_hit[name])
        }
        close("sort")
        for (i = split("src model sql ui app", floors, " "); i > 0; i--) {
            f = floors[i]
            show("cat", f, all[f], all_hit[f], all_ways[f], all_ways_hit[f])
            wanted = f == "ui" ? 85 : 95
            ok = percent(all_hit[f], all[f]) >= wanted
            ok_ways = percent(all_ways_hit[f], all_ways[f]) >= wanted
            passed += ok + ok_ways
        }
        close("cat")
        printf "%d passed, %d failed\n", passed, 6 - passed
        exit passed < 6
    }'
