#!/usr/bin/env bash
# cache.sh - every mode takes the index from the cache and leaves one there, and prints the same bytes with and without it.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/program.sh"
fxtop=$(quick "$(realpath "${FXTOP:-./fxtop}")")
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/lib/cases.sh
. "$top/tests/lib/cases.sh"
cd "$tmp" || exit 1
export HOME=$tmp XDG_CACHE_HOME=$tmp/cache XDG_STATE_HOME=$tmp/state XDG_CONFIG_HOME=$tmp/config
mkdir cache

modes=(--print=120x40 '--print --keys=3' --summary '--summary --range=10%..60%' '--summary --tree' --check=strict --top
    '--top --by=p99 --format=csv' '--instances=dur>0' '--describe=50%' --export=ndjson --export=json --export=csv
    --export=folded '--export=csv --keys=2' '--cut=10%..70%' '--export=fxt --filter=name~a' '--assert=1' '--compare')
sql=("select * from slice" "select * from counter" "select * from flow" "select * from sched" "select * from log"
    "select * from process" "select * from thread" "select * from problem" "select * from metadata"
    "select * from args")
if "$fxtop" --version | grep -q '^with:.* sqlite'; then
    for statement in "${sql[@]}"; do modes+=("--query=$statement"); done
    modes+=(--export=sqlite)
fi

ask() { # HOW MODE FILE: out, err, status
    local words=()
    case $2 in
    --query=*) words=("$2" --format=csv) ;;
    --compare) words=(--compare "$3") ;;
    *) read -ra words <<<"$2" ;;
    esac
    "$fxtop" "--cache=$1" "${words[@]}" "$3" >out 2>err
    status=$?
}

index_of() { # waits for the index of the only trace
    for _ in $(seq 500); do
        [ -z "$(find cache/fxtop -name '*.index' 2>/dev/null)" ] || return 0
        read -rt 0.01 <> <(:)
    done
    return 1
}

same() { # MODE FILE
    ask off "$1" "$2"
    cp out out.off
    cp err err.off
    local before=$status
    rm -rf cache/fxtop
    ask write "$1" "$2"
    case_is "$2: $1 is the same without an index" cmp out out.off
    case_is "$2: $1 leaves an index" index_of
    ask read "$1" "$2"
    case_is "$2: $1 is the same with it" cmp out out.off
    case_is "$2: $1 says the same with it" cmp err err.off
    case_is "$2: $1 has the same status with it" [ "$status" = "$before" ]
}

# Every mode leaves the index of this one. Slices are made of backtraces: with them there would be none.
traces=(every_kind export_viewers slice_overlap sched_layouts damaged_times)
for name in "${traces[@]}"; do
    grep -vE '^(module|mmap|backtrace) ' "$top/tests/traces/$name.txt" >"$name.txt"
    "$build/tests/lib/mktrace" "$name.txt" "$name.fxt" || exit 1
    gzip -k "$name.fxt"
done
for mode in "${modes[@]}"; do
    same "$mode" every_kind.fxt
done
# The words of what is inflated or converted are kept beside the index.
mkdir imports
find "$top/tests/import" -type f ! -name '*.ndjson' -exec cp {} imports \;
rm -rf cache/fxtop
python3 "$top/tests/tools/check_cache.py" "$build/tests/system/runs" "${traces[@]/%/.fxt}" "${traces[@]/%/.fxt.gz}" imports/* >said
case_is 'no mode says something else with an index' grep -q ' 0 failed$' said
grep '^FAILED' said
rm -rf cache/fxtop
# So it is with several as one trace, whose index is another one for other files, offsets and hosts.
mkdir fixtures
for text in "$top"/tests/traces/*.txt; do
    printf '%s\n%s\n' "$text" "fixtures/$(basename "$text" .txt).fxt"
done | xargs "$build/tests/lib/mktrace"
python3 "$top/tests/tools/check_cache.py" --sets "$build/tests/system/runs" fixtures/*.fxt >said
case_is 'no mode of several says something else with an index' grep -q ' 0 failed$' said
case_is 'most of them have one' [ "$(sed -n 's/^\([0-9]*\) passed.*/\1/p' said)" -gt 500 ]
grep '^FAILED' said
rm -rf cache/fxtop
taken() { "$fxtop" --cache="$1" --stats --together --check "${@:2}" 2>&1 | grep -c ', cached'; }
set=(fixtures/async_same_id.fxt fixtures/slice_overlap.fxt)
"$fxtop" --index --together --align=begin "${set[@]}" >/dev/null 2>&1
case_is 'the index of a set is taken' [ "$(taken read --align=begin "${set[@]}")" -eq 1 ]
case_is 'not for another offset' [ "$(taken read --align=begin --offset=2=1us "${set[@]}")" -eq 0 ]
case_is 'not for one host' [ "$(taken read --align=begin --same-host "${set[@]}")" -eq 0 ]
case_is 'not in another order' [ "$(taken read --align=begin "${set[1]}" "${set[0]}")" -eq 0 ]
printf x | dd of="${set[1]}" bs=1 seek=40 conv=notrunc 2>/dev/null
case_is 'not for a file that changed' [ "$(taken read --align=begin "${set[@]}")" -eq 0 ]
"$fxtop" --together --align=begin --export=fxt "${set[@]}" >archive.fxt 2>/dev/null
"$fxtop" --index archive.fxt >/dev/null
case_is 'an archive has one' [ "$("$fxtop" --cache=read --stats --check archive.fxt 2>&1 | grep -c ', cached')" -eq 1 ]
rm -rf cache/fxtop
# What --stats says; a changed file, a damaged index, a folder that takes none.
indexes() { find cache/fxtop -name '*.index' 2>/dev/null | wc -l; }
run() { # ARGUMENT...: out, err, status
    "$fxtop" "$@" >out 2>err
    status=$?
}
rm -rf cache/fxtop
run --index every_kind.fxt
case_is '--index: a line' [ "$status$(cat out err)" = '0every_kind.fxt: written' ]
case_is '--index: an index' [ "$(indexes)" = 1 ]
run --index every_kind.fxt
case_is '--index: again' [ "$status$(cat out err)" = '0every_kind.fxt: was in the cache' ]
run --index --jobs=2 every_kind.fxt nosuch.fxt sched_layouts.fxt
case_is '--index: a line each' [ "$status$(cat out)" = $'2every_kind.fxt: was in the cache\nsched_layouts.fxt: written' ]
secrets() { find cache/fxtop -name '*.index' -exec od -An -j80 -N32 -tx1 {} \; | paste -sd ' \n' | sort -u; }
case_is 'a process can read all indexes: they have one key' [ "$(secrets | wc -l)" = 1 ]
for mode in --summary --check --top '--export=json' "--assert=1"; do
    run --stats "$mode" every_kind.fxt
    case_is "$mode says cached" grep -q '^index .* ms, cached$' err
    run --no-cache --stats "$mode" every_kind.fxt
    case_is "$mode --no-cache does not" grep -q '^index [0-9.]* ms$' err
done
run --compare --stats every_kind.fxt sched_layouts.fxt
cp out out.cached
run --compare --no-cache every_kind.fxt sched_layouts.fxt
case_is '--compare of two from the cache' cmp out out.cached
run --summary --no-cache sched_layouts.fxt
cp out out.off
printf x | dd of="$(find cache/fxtop -name '*.index' -size -20k | head -n 1)" bs=1 seek=5000 conv=notrunc 2>/dev/null
run --summary sched_layouts.fxt
case_is 'a damaged index changes nothing' cmp out out.off
run --summary --no-cache imports/before.json
cp out out.off
rm -rf cache/fxtop
run --index --cache-size=8k imports/before.json
case_is 'the words of an import may take a fourth of the cache' [ "$status$(indexes)" = 20 ]
run --index imports/before.json
run --summary --stats imports/before.json
case_is 'an import from the cache' grep -q '^index .* ms, cached$' err
index=$(find cache/fxtop -name '*.index')
printf x | dd of="$index" bs=1 seek=$(($(stat -c %s "$index") - 9)) conv=notrunc 2>/dev/null
run --summary --stats imports/before.json
case_is 'damaged words change nothing' cmp out out.off
case_is 'damaged words are not taken' grep -q '^index [0-9.]* ms$' err
cp every_kind.fxt changed.fxt
run --index changed.fxt
printf x | dd of=changed.fxt bs=1 seek=400 conv=notrunc 2>/dev/null
run --summary --stats changed.fxt
case_is 'an index of a former content is not taken' grep -q '^index [0-9.]* ms$' err
rm -rf cache/fxtop
: >cache/fxtop
run --index every_kind.fxt
case_is '--index: no place' [ "$status$(cat out err)" = '2fxtop: every_kind.fxt: its index was not written to the cache' ]
run --cache=write --summary every_kind.fxt
case_is 'no place: nothing is said of it' [ "$status$(wc -c <err)" = 00 ]
rm -f cache/fxtop
run --index --cache-size=1k every_kind.fxt
case_is '--cache-size: it does not fit' [ "$status$(indexes)" = 20 ]
run --index --cache=read every_kind.fxt
case_is '--index: --cache=read' [ "$(cat err)" = 'fxtop: --index writes to the cache: leave out --cache=read' ]

# Short lists leave indexes of large traces, long ones do not; --cache=write of all.
for i in $(seq 17); do ln every_kind.fxt "t$i.fxt"; done
run --summary every_kind.fxt
case_is 'small traces leave none' [ "$(indexes)" = 0 ]
truncate -s 32M t1.fxt
run --assert=1 t*.fxt
case_is 'a list of 17 leaves none' [ "$status$(indexes)" = 00 ]
run --assert=1 t{1..16}.fxt
case_is 'a list of 16 leaves indexes' index_of
run --index t{1..17}.fxt
case_is '--index writes all of a list' [ "$(indexes)" = 17 ]
for mode in --print --summary "--assert=1"; do
    rm -rf cache/fxtop
    run "$mode" t1.fxt
    case_is "$mode of 32 MiB leaves an index" index_of
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
