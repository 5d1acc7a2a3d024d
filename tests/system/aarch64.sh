#!/usr/bin/env bash
# aarch64.sh - the library on another processor: compiled for aarch64, and run in qemu's user mode.
#
# restarts.c and the programs of record.sh have to do there what they do here. The host's fxtop records the latter, for
# the buffer and the packets are the same. qemu runs the code on this machine's memory order, so orders that only a
# weaker machine shows are left to suite_write_model. Without Debian's cross compiler and qemu-user it is skipped.
set -u
top=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)} fxtop=${FXTOP:-./fxtop}
cc=aarch64-linux-gnu-gcc run=qemu-aarch64
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export XDG_RUNTIME_DIR=$tmp XDG_CACHE_HOME=$tmp TMPDIR=$tmp
if ! command -v $cc >/dev/null || ! command -v $run >/dev/null || ! echo '#include <stdio.h>' | $cc -E - >/dev/null 2>&1; then
    echo "$cc, its libc6-dev and $run are needed"
    exit 77
fi
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/cases.sh"

build() { # PROGRAM
    $cc -static -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$top" -I"$top/provider" -o "$tmp/$1" \
        "$top/tests/system/$1"*.c "$top"/provider/*.c -lpthread
}

ticks() { # N: those of each of two threads
    "$fxtop" --export=ndjson "$tmp/t.fxt" | grep -c '"name":"tick"' | grep -qx $((2 * $1))
}

case_is 'restarts is compiled' build restarts
case_is 'traced is compiled' build traced
# qemu 7.2 fails an assertion of its own in one of 30 runs on a busy machine: then once more.
restarts() {
    local status
    for _ in 1 2 3 4; do
        status=0
        RUNNER=$run timeout 60 $run "$tmp/restarts" || status=$?
        [ $status -eq 4 ] || return $status
    done
    echo 'qemu itself failed each time'
    return 1
}
case_is 'restarts' restarts
for mode in streaming circular oneshot; do
    case_is "$mode: exit status" "$fxtop" record --no-sched --no-stacks --sample=0 -m $mode -o "$tmp/t.fxt" $run "$tmp/traced" steps 2 1000
    case_is "$mode: all instants" ticks 1000
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
