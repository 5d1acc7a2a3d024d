#!/bin/bash
# coverage.sh - what `make check` reaches of the program, file by file and floor by floor: lines and branches in percent.
#
# A build of its own, below this one, counts with gcc. Not counted: assertions (--enable-coverage leaves them out), what
# runs out of memory, and branches that the compiler made for calls. With -u also each line that was not reached, and
# each that was left only one way. Fails below the goals that stand here. --again: as it was counted the last time.
set -u
export LC_ALL=C
top=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
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
for counts in src/*.gcda model/*.gcda ui/*.gcda; do
    gcov -b -c -t "$counts" 2>/dev/null
done | awk -v unreached="$unreached" '
    function keep(    i, hit) { # the file that was read: lines that run out of memory, and the ways there, do not count
        if (name !~ /\.c$/) n = 0
        for (i = 1; i <= n; i++) {
            if (text[i] ~ /err_no_memory\(\)/) continue
            hit = count[i] !~ /#/
            lines[name]++
            lines_hit[name] += hit
            if (!hit && unreached) printf "%s:%d: never:%s\n", name, number[i], text[i]
            if (i < n && text[i + 1] ~ /err_no_memory\(\);/) continue
            ways[name] += made[i]
            ways_hit[name] += went[i]
            if (hit && went[i] < made[i] && unreached)
                printf "%s:%d: %d of %d ways:%s\n", name, number[i], went[i], made[i], text[i]
        }
        n = 0
    }
    function percent(part, all) { return all > 0 ? 100 * part / all : 100 }
    function show(to, what, l, lh, w, wh) {
        printf "%-24s %5d lines %6.2f %%  %5d branches %6.2f %%\n", what, l, percent(lh, l), w, percent(wh, w) | to
    }
    /^ *-: *0:Source:/ {
        keep()
        sub(/.*Source:/, "")
        name = match($0, /(src|model|ui)\/[a-z_0-9]*\.[ch]$/) ? substr($0, RSTART) : ""
        next
    }
    /^branch/ {
        made[n]++
        went[n] += $3 == "taken" && $4 > 0
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
        made[n] = went[n] = 0
    }
    END {
        keep()
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
        for (i = split("src model ui", floors, " "); i > 0; i--) {
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
