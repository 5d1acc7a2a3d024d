#!/bin/bash
# screens.sh [--write] [CASE ...] - golden screens: what is played and what shall be seen then, side by side.
#
# A case is tests/screens/NAME.screen: lines "trace:" (a fixture of tests/screens, tests/traces or
# tests/import, or "demo"), "size:", "other:" (a second trace beside it),
# "options:", "keys:" and "promise:" (what the case holds, in one sentence), then "---" and the lines of the screen, as
# --print draws it, that carry the promise; ESC is \e. The rest is masked: a line "…" stands for any number of lines,
# and "…" at the end of a line for the rest of it; a line that is drawn with "…" at its end has "\…" there.
# Of size "csv": what --export=csv prints, or says, and its status.
#
# Cases named sql_... are left out if fxtop is built without SQLite.
#
# --write puts there what is drawn now and leaves the masks, for a person who then looks at the difference.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR COLUMNS LINES
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/program.sh"
fxtop=$(quick "${FXTOP:-$build/fxtop}") mktrace=${MKTRACE:-$build/tests/lib/mktrace} demo=${DEMO:-$build/tests/tools/demo}
for program in "$fxtop" "$mktrace" "$demo"; do
    [ -x "$program" ] || { echo "$program is missing: make check builds it"; echo '0 passed, 1 failed'; exit 1; }
done
if [ -x "$build/tests/system/runs" ] && [ "${FXTOP:-$build/fxtop}" = "$build/fxtop" ]; then
    start_runs "$build/tests/system/runs"
    fxtop=in_runs
fi
write=false
[ "${1-}" = --write ] && { write=true; shift; }
[ $# -gt 0 ] || set -- "$top"/tests/screens/*.screen

sqlite=true # cases named sql_... need it
"$fxtop" --query 'select 1' /dev/null 2>&1 | grep -q 'needs SQLite' && sqlite=false

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# The fields of a case, each of one line, and what it wants to be seen.
read_case() { # FILE
    local line
    trace='' other='' size='' keys='' promise='' options=()
    {
        while IFS= read -r line && [ "$line" != --- ]; do
            case $line in
            trace:\ *) trace=${line#*: } ;;
            other:\ *) other=${line#*: } ;;
            size:\ *) size=${line#*: } ;;
            keys:\ *) keys=${line#*: } ;;
            promise:\ *) promise=${line#*: } ;;
            options:\ *) read -ra options <<<"${line#*: }" ;;
            esac
        done
        cat >"$tmp/wanted"
    } <"$1"
}

make_trace() { # NAME: $tmp/NAME.fxt, once
    [ -e "$tmp/$1.fxt" ] && return
    if [ "$1" = demo ]; then
        "$demo" "$tmp/demo.fxt"
    elif [ -e "$top/tests/screens/$1.txt" ]; then
        "$mktrace" "$top/tests/screens/$1.txt" "$tmp/$1.fxt"
    elif [ -e "$top/tests/import/$1" ]; then
        cp "$top/tests/import/$1" "$tmp/$1.fxt" # its content decides
    else
        "$mktrace" "$top/tests/traces/$1.txt" "$tmp/$1.fxt"
    fi
}

play() { # the screen of the case that was read
    make_trace "$trace" || return
    [ -z "$other" ] || make_trace "$other" || return
    if [ "$size" = csv ]; then
        (cd "$tmp" && "$fxtop" --export=csv "--keys=$keys" "$trace.fxt" 2>&1 </dev/null; echo "status $?") | tr -d '\r' | sed 's/…$/\\…/'
        return
    fi
    (cd "$tmp" && "$fxtop" "--print=$size" ${keys:+"--keys=$keys"} ${options[@]+"${options[@]}"} "$trace.fxt" </dev/null) |
        sed 's/\x1b/\\e/g; s/…$/\\…/'
    return "${PIPESTATUS[0]}"
}

passed=0 failed=0
for case in "$@"; do
    [ -e "$case" ] || case=$top/tests/screens/$case.screen
    name=${case##*/} name=${name%.screen}
    case $name in sql_*) $sqlite || continue ;; esac
    read_case "$case"
    if ! play >"$tmp/got" 2>"$tmp/errors" || [ -s "$tmp/errors" ]; then
        echo "$name: fails"
        sed 's/^/    /' "$tmp/errors"
        failed=$((failed + 1))
        continue
    fi
    LC_ALL=C awk -f "$top/tests/tools/screens.awk" "$tmp/wanted" "$tmp/got" >"$tmp/new"
    if $write && ! cmp -s "$tmp/wanted" "$tmp/new"; then
        echo "$name: written"
        sed '/^---$/q' "$case" | cat - "$tmp/new" >"$tmp/case" && cat "$tmp/case" >"$case" && cp "$tmp/new" "$tmp/wanted"
    fi
    if diff -u --label "$name, wanted" --label "$name, drawn" "$tmp/wanted" "$tmp/new"; then
        passed=$((passed + 1))
    else
        echo "$name: $promise"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
