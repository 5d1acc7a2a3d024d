#!/usr/bin/env bash
# threads.sh - the library under a manager that restarts it, while threads, signals and children write: also with TSan.
#
# tests/system/restarts.c tells what has to hold. TSan sees each access of two threads that nothing orders.
set -u
top=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)} build=${FXTOP_BUILD:-.}
[ -x "$build/tests/system/restarts" ] || { echo 'recording needs Linux: restarts was not built'; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export TMPDIR=$tmp TSAN_OPTIONS=die_after_fork=0:exitcode=66
passed=0 failed=0

# try NAME COMMAND...: its last line is "N passed, N failed".
try() {
    local name=$1 status=0 counts
    shift
    timeout 120 "$@" >"$tmp/out" 2>&1 || status=$?
    read -r -a counts < <(tail -n 1 "$tmp/out" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    passed=$((passed + ${counts[0]:-0}))
    failed=$((failed + ${counts[1]:-1}))
    if [ "$status" -ne 0 ] || [ "${#counts[@]}" -ne 2 ] || grep -q 'WARNING: ThreadSanitizer' "$tmp/out"; then
        echo "FAILED: $name, status $status"
        tail -n 80 "$tmp/out"
        failed=$((failed + (${counts[1]:-1} == 0)))
    else
        echo "$name: $(tail -n 2 "$tmp/out" | head -n 1)"
    fi
}

try 'as it was built' "$build/tests/system/restarts" 2
read -r -a cc <<<"${CC:-cc}"
# -w: gcc warns that TSan does not follow fences; no order that TSan has to see depends on one.
echo 'int main(void) { return 0; }' >"$tmp/any.c"
if "${cc[@]}" -fsanitize=thread -o "$tmp/any" "$tmp/any.c" 2>"$tmp/out" && "$tmp/any" 2>"$tmp/out" &&
    "${cc[@]}" -std=c11 -D_GNU_SOURCE -g -O1 -fsanitize=thread -w -I"$top" -I"$top/provider" -o "$tmp/tsan" \
    "$top"/tests/system/restarts*.c "$top"/provider/*.c -lpthread 2>"$tmp/out"; then
    try TSan "$tmp/tsan" 2
else
    echo "no TSan with ${cc[*]}: $(tail -n 1 "$tmp/out")"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
