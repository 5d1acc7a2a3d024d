#!/usr/bin/env bash
# load.sh - what --load=A..B opens is the part that --cut=A..B writes: the same export and the same problems.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/program.sh"
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
program=$(quick "$(realpath "${FXTOP:-./fxtop}")") fxtop=in_runs
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/lib/cases.sh
. "$top/tests/lib/cases.sh"
cd "$tmp" || exit 1
export HOME=$tmp XDG_CACHE_HOME=$tmp/cache
start_runs "$build/tests/system/runs"
mkdir cut whole

like_the_cut() { # FILE RANGE
    local mode
    rm -f cut/part # runs does not write to what it has read
    "$fxtop" --cut="$2" "$1" >cut/part 2>/dev/null || return
    ln -sf "$tmp/$1" whole/part
    for mode in --export=ndjson --check=strict; do
        (cd cut && "$fxtop" $mode part >../wanted 2>/dev/null; echo "status $?" >>../wanted)
        (cd whole && "$fxtop" $mode --load="$2" part >../got 2>/dev/null; echo "status $?" >>../got)
        case_is "$1: $mode of $2" diff wanted got
    done
}

make_traces "$build/tests/lib/mktrace" . "$top"/tests/traces/*.txt || exit 1
for name in *.fxt; do
    for range in ${RANGES-10%..30% 50%..51%}; do like_the_cut "$name" "$range"; done
done
for file in chrome.json times.json pytorch.json; do
    cp "$top/tests/import/$file" .
    for range in 10%..60% 50%..51%; do like_the_cut "$file" "$range"; done
done

# Slices, counters and operations of three threads in 1,000 s: all that lasts, and what a flow needs.
{
    echo magic
    echo init 1000000000
    echo 'begin 0 1/1 "c" "Run"'
    for i in $(seq 0 999); do
        t=$((i * 1000000000))
        echo "begin $t 1/2 \"c\" \"Work\""
        echo "counter $t 1/2 \"c\" \"n\" id=$((i % 3)) v=i32:$i"
        echo "flow_begin $((t + 10)) 1/2 \"c\" \"f\" id=$((i / 2))"
        echo "complete $((t + 20)) 1/3 \"c\" \"Part\" end=$((t + 1500000000))"
        echo "end $((t + 500000000)) 1/2 \"c\" \"Work\""
        echo "log $((t + 600000000)) 1/2 \"line $i\""
    done
    echo 'end 1000000000000 1/1 "c" "Run"'
} | "$build/tests/lib/mktrace" - long
for range in 500s..501s 0..1% ..20s 990s.. 499.7s..499.8s; do like_the_cut long "$range"; done
"$fxtop" --load=500s..501s --records long >out 2>err
case_is '--records reads the file itself' grep -q 'has no effect' err
if "$fxtop" --version | grep -q '^with:.* sqlite'; then
    "$fxtop" --load=500s..501s --format=csv --query "select name, count(*) from slice group by name" long >out 2>err
    case_is 'a query of a part' [ "$(tr '\n' ' ' <out)" = '"name","count(*)" "Part",2 "Run",1 "Work",1 ' ]
    case_is 'a part is told' [ "$(cat err)" = 'fxtop: long: note: loaded +500.000000000 s to +501.000000000 s of +1000.500000000 s' ]
fi
for range in 2000s..3000s 5s..4s x; do
    "$fxtop" --load=$range --summary long >out 2>err
    case_is "--load=$range: one line with the span" [ "$?$(wc -c <out)$(grep -c "(the trace is +0 ns to +1000.500000000 s)\$" err)" = 201 ]
done
"$fxtop" --load=1s..2s --summary nosuch >out 2>err
case_is '--load of no trace' [ "$(cat err)" = 'fxtop: nosuch: no such file or directory' ]
"$fxtop" --compare --load=0..10s long long >out 2>err
case_is '--compare of two parts' grep -q '^0 changed' out
# A trace that is too large for memory is not begun. Its zeros take no time.
head -c 24 long >begin
{ cat begin; head -c 400000000 /dev/zero; } >large
limited() { (ulimit -v 250000 && exec "$program" --no-cache "$@") >out 2>err; status=$?; }
for mode in --summary --print --check; do
    limited $mode large
    case_is "$mode of a trace that does not fit" [ "$status$(cat out err)" = \
        '2fxtop: large: needs about 280 MB of memory, 256 MB are free: --load=A..B opens a part, --load=all tries it' ]
done
limited --check --load=all large
case_is '--load=all tries it' [ "$status$(cat err)" = 0 ]
"$fxtop" --no-cache --check large >out 2>err
case_is 'it fits without the limit' [ "$?$(cat err)" = 0 ]
# An index in the cache needs no memory; one of other bytes does not count.
XDG_CACHE_HOME=$PWD "$program" --index large >out 2>err
case_is 'its index is written' [ "$(cat out err)" = 'large: written' ]
(ulimit -v 250000 && XDG_CACHE_HOME=$PWD exec "$program" --check large) >out 2>err
case_is 'a cached index fits' [ "$?$(cat err)" = 0 ]
limited --check large
case_is '--no-cache needs the memory' [ "$status" = 2 ]
printf x | dd of=large bs=1 seek=32 conv=notrunc 2>/dev/null
(ulimit -v 250000 && XDG_CACHE_HOME=$PWD exec "$program" --check large) >out 2>err
case_is 'the index of other bytes is none' [ "$?$(grep -c 'needs about 280 MB' err)" = 21 ]
cp begin large && truncate -s 400M large
limited --check large
case_is 'a hole takes no memory' [ "$status$(cat err)" = 0 ]
echo "load: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
