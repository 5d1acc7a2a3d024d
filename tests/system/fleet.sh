#!/usr/bin/env bash
# fleet.sh - --query and --assert over many traces: order, one head, bad traces, lists, jobs, statuses, interrupts.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
# shellcheck disable=SC1090,SC1091
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/program.sh"
fxtop=$(quick "${FXTOP:-./fxtop}")
start_runs "${FXTOP_BUILD:-.}/tests/system/runs"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

case_is() { # NAME CONDITION...
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; fi
}

apart() { # ARGUMENT...: a run in a process of its own, which has the pipes of this shell
    "$fxtop" "$@" >"$tmp/out" 2>"$tmp/messages"
    status=$?
}

run() { # ARGUMENT...: fills out, messages, status
    in_runs "$@" >"$tmp/out" 2>"$tmp/messages"
    status=$?
}

is() { [ "$(cat "$tmp/out")" = "$1" ]; }

"${FXTOP_BUILD:-.}/tests/tools/demo" "$tmp/demo.fxt" || exit 1

# --compare: a trace and itself, faults, forms.
run --compare "$tmp/demo.fxt" "$tmp/demo.fxt"
case_is 'compare with itself: status' [ "$status" -eq 0 ]
case_is 'compare with itself: nothing changed' grep -q '^0 changed of [0-9]* names$' "$tmp/out"
perf=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)/tests/import/perf.txt
run --compare "$perf" "$perf"
case_is 'compare samples: status' [ "$status" -eq 2 ]
run --compare --filter='cat!=sampled' "$perf" "$perf"
case_is 'compare what was measured beside samples' [ "$status" -eq 0 ]
run --compare "$tmp/demo.fxt" "$tmp/demo.fxt"
case_is 'compare with itself: no rows' [ "$(wc -l <"$tmp/out")" -eq 2 ]
run --compare "$tmp/demo.fxt,$tmp/demo.fxt" "$tmp/demo.fxt" --all --format=csv
case_is 'compare: all names' [ "$(wc -l <"$tmp/out")" -gt 20 ]
run --compare --filter='name!=Frame' --range=0..50% "$tmp/demo.fxt" "$tmp/demo.fxt"
case_is 'compare: a filter and a range' [ "$status" -eq 0 ]
run --compare "$tmp/demo.fxt" "$tmp/nosuch.fxt"
case_is 'compare: no such trace: status' [ "$status" -eq 2 ]
case_is 'compare: no such trace: one line' [ "$(wc -l <"$tmp/messages")" -eq 1 ]
run --compare "$tmp/demo.fxt"
case_is 'compare: one trace is too few' [ "$status" -eq 2 ]
run --compare "$tmp/demo.fxt," "$tmp/demo.fxt"
case_is 'compare: an empty name' [ "$status" -eq 2 ]
text_of() { # FACTOR: a trace of 50 slices, each so many hundredths of about 1 ms
    echo magic
    echo init 1000000000
    for i in $(seq 0 49); do
        echo "complete $((i * 3000000)) 1/2 \"c\" \"outer\" end=$((i * 3000000 + 500000 + (900000 + i * 4000) * $1 / 100))"
        echo "complete $((i * 3000000 + 100)) 1/2 \"c\" \"work <b>|\" end=$((i * 3000000 + 100 + (900000 + i * 4000) * $1 / 100))"
        echo "complete $((i * 3000000 + 2600000)) 1/2 \"c\" \"rest\" end=$((i * 3000000 + 2700000 + i * 10))"
    done
}
mktrace=${FXTOP_BUILD:-.}/tests/lib/mktrace
text_of 100 | "$mktrace" - "$tmp/fast.fxt"
text_of 110 | "$mktrace" - "$tmp/slow.fxt"
run --compare "$tmp/fast.fxt" "$tmp/slow.fxt" --format=csv
case_is 'compare: slower: status' [ "$status" -eq 1 ]
case_is 'compare: slower: the name and what contains it' \
    [ "$(sed 1d "$tmp/out" | tr -d '\r' | sed -n 's/^"\([a-z]*\).*"slower",.*/\1/p' | sort | tr '\n' ' ')" = 'outer work ' ]
case_is 'compare: slower: nothing else' [ "$(wc -l <"$tmp/out")" -eq 3 ]
# A name that is gone is found in the names around it: the last trace of A is read again, unless it is a pipe.
text_of 100 | grep -v work | awk '/outer/ { sub(/end=.*/, "end=" $2 + 500000) } 1' | "$mktrace" - "$tmp/without.fxt"
run --compare "$tmp/fast.fxt" "$tmp/without.fxt"
case_is 'compare: gone: what contained it' grep -q '^outer -49.9 ms: work <b>| -49.9 ms (50 calls, gone)$' "$tmp/out"
apart --compare <(cat "$tmp/fast.fxt") "$tmp/without.fxt"
case_is 'compare: gone from a pipe' [ "$status$(grep -c 'outer.*faster' "$tmp/out")" = 01 ]
# Half as long, with the same number of slices each: the same work in less time. With half of them: more in a second.
{ text_of 100; echo 'instant 290000000 1/2 "c" "later"'; } | "$mktrace" - "$tmp/long.fxt"
{ text_of 100 | sed '3~6d; 4~6d; 5~6d'; echo 'instant 290000000 1/2 "c" "later"'; } | "$mktrace" - "$tmp/few.fxt"
run --compare "$tmp/long.fxt" "$tmp/fast.fxt" --all
case_is 'compare: lengths: as many in all are the same' [ "$status$(grep -c '+9[0-9]\.[0-9]%.*same' "$tmp/out")" = 03 ]
for form in table markdown; do
    run --compare "$tmp/few.fxt" "$tmp/fast.fxt" --format=$form
    case_is "compare: lengths, $form" grep -q '^lengths differ: counts are compared per second, totals by their share$' "$tmp/out"
    case_is "compare: lengths, $form: more per second" grep -q '+2[0-9][0-9]\.[0-9]%.*more' "$tmp/out"
done
run --compare "$tmp/long.fxt" "$tmp/fast.fxt" --format=csv
case_is 'compare: lengths, csv' grep -q '^name,kind,count_a,count_b,per_s_a,per_s_b,per_s_change,' "$tmp/out"
case_is 'compare: equal lengths: no sentence' [ "$(run --compare "$tmp/fast.fxt" "$tmp/fast.fxt" && grep -c lengths "$tmp/out")" = 0 ]
# A slice without an end that is longer than all others: nothing changed for sure.
{ text_of 100; echo 'begin 149200000 1/2 "c" "rest"'; } | "$mktrace" - "$tmp/open.fxt"
run --compare "$tmp/fast.fxt" "$tmp/open.fxt"
case_is 'compare: unsure' [ "$status$(sed -n '2{p;q}' "$tmp/out")" = \
    '11 slice of rest has no end and has lasted 500.5 µs: longer than all that ended' ]
run --compare "$tmp/fast.fxt" "$tmp/open.fxt" --format=ndjson
case_is 'compare: unsure, ndjson' [ "$status$(grep -c 'note: 1 slice of rest has no end' "$tmp/messages")" = 11 ]
run --compare "$tmp/open.fxt" "$tmp/open.fxt"
case_is 'compare: unsure of both' [ "$status" -eq 0 ]
# An operation or a slice with a damaged time, on either side: nothing changed for sure.
ticks() { # END PREFIX ID: 50 slices or operations of a thread, of which one has this end
    echo magic
    echo init 1000000000
    for i in $(seq 50); do
        printf '%sbegin %s 1/2 "c" "tick"%s\n' "$2" $((i * 100)) "$3"
        printf '%send %s 1/2 "c" "tick"%s\n' "$2" $((i == 25 ? $1 : i * 100 + 50)) "$3"
    done
}
for kind in '' async_; do
    ticks 2550 "$kind" "${kind:+ id=7}" | "$mktrace" - "$tmp/sound.fxt"
    ticks 30000000000 "$kind" "${kind:+ id=7}" | "$mktrace" - "$tmp/damaged.fxt"
    for sides in sound.damaged damaged.sound; do
        run --compare "$tmp/${sides%.*}.fxt" "$tmp/${sides#*.}.fxt"
        case_is "compare: $kind $sides" \
            [ "$status$(grep -c 'damaged.fxt: note: 1 slice with a damaged time is left out$' "$tmp/messages")" = 11 ]
    done
done
run --compare "$tmp/fast.fxt" "$tmp/slow.fxt" --by=thread --format=csv
case_is 'compare: by thread' [ "$(grep -c '^"process","thread","[a-z <>|]*","slice",50,50,' "$tmp/out")" -eq 2 ]
run --compare "$tmp/fast.fxt" "$tmp/slow.fxt" --by=total
case_is 'compare: by another column' [ "$status" -eq 2 ]
run --compare "$tmp/slow.fxt" "$tmp/fast.fxt" --format=ndjson
case_is 'compare: faster: status' [ "$status" -eq 0 ]
case_is 'compare: faster: ndjson' [ "$(grep -c '"verdict":"faster"' "$tmp/out")" -eq 2 ]
run --compare "$tmp/slow.fxt" "$tmp/fast.fxt" --any
case_is 'compare: faster with --any: status' [ "$status" -eq 1 ]
run --compare "$tmp/fast.fxt" "$tmp/slow.fxt" --threshold=20%
case_is 'compare: below the threshold' [ "$status" -eq 0 ]
run --compare "$tmp/fast.fxt" "$tmp/slow.fxt" --format=markdown
case_is 'compare: markdown begins with the sum' grep -q '^\*\*2 changed of 3 names: 2 slower\*\*$' "$tmp/out"
case_is 'compare: markdown is escaped' grep -qF '| work \<b\>\| |' "$tmp/out"
# One request of 30 s among 500 of 0.9 ms: slower in B, and said by what; faster in the other direction.
hang() { # SECONDS: JSON
    printf '[{"name":"request","ph":"X","ts":2000000,"dur":%s,"pid":1,"tid":1}' "$1"
    for i in {1..500}; do printf ',{"name":"request","ph":"X","ts":%d,"dur":900,"pid":1,"tid":1}' $((i * 1000)); done
    echo ']'
}
hang 900 >"$tmp/flows.json"
hang 30000000 >"$tmp/hangs.json"
run --compare "$tmp/flows.json" "$tmp/hangs.json"
case_is 'compare: a hang: status' [ "$status" -eq 1 ]
case_is 'compare: a hang: what it is' grep -q '^request +30 s: its longest 30 s, 900 µs in A$' "$tmp/out"
case_is 'compare: a hang: verdict' grep -q '^1 changed of 1 name: 1 slower$' "$tmp/out"
run --compare "$tmp/flows.json" "$tmp/hangs.json" --format=markdown
case_is 'compare: a hang: markdown says it below the table' grep -q '^- request +30 s: its longest' "$tmp/out"
run --compare "$tmp/hangs.json" "$tmp/flows.json"
case_is 'compare: no hang any more' grep -q '^1 changed of 1 name: 1 faster$' "$tmp/out"
case_is 'compare: no hang any more: status' [ "$status" -eq 0 ]

# Every mode over a list: the bytes of each trace alone with its name, whatever the number of jobs.
fxtop=$(realpath "$fxtop")
cd "$tmp" || exit 1
mkdir dir few
for i in $(seq 1 20); do echo "dir/t$i.fxt"; done >all
for i in $(seq 1 20); do ln -s ../fast.fxt "dir/t$i.fxt"; done
printf 'host a\tfast.fxt\r\n\nslow.fxt\n' >few/list
export XDG_CACHE_HOME=$tmp/cache
mkdir cache
texts=(--summary --check '--check=strict' --records --describe --top --instances=dur\>1ms '--top --by=count' '--export=csv --keys=7')
rows=('--top --format=csv' '--instances=dur>1ms --format=csv' --export=csv '--export=csv --keys=2' '--compare fast.fxt --format=csv'
    '--compare fast.fxt --format=csv --all')
objects=('--top --format=ndjson' '--instances=dur>1ms --format=ndjson' --export=ndjson '--compare fast.fxt --format=ndjson --all')
joined() { # WAY ARGUMENT...: what the list few/list is expected to print
    local way=$1 label name path first=1 worst=0
    shift
    for label in 'host a:fast.fxt' slow.fxt:slow.fxt; do
        name=${label%:*} path=${label#*:}
        run "$@" "$path"
        [ "$status" -le "$worst" ] || worst=$status
        case $way in
        text) [ ! -s out ] || { echo "== $name =="; cat out; } ;;
        rows)
            [ "$first" = 0 ] || sed -n '1s/^"/"trace","/;1s/^\([a-z]\)/trace,\1/;1p' out
            sed "1d;s/^/\"$name\",/" out
            ;;
        objects) sed "s/^{/{\"trace\":\"$name\",/" out ;;
        stacks) sed "s/^/$name;/" out ;;
        esac
        first=0
    done >want
    echo "$worst" >worst
}
like() { # WAY MODE
    local words
    read -ra words <<<"$2"
    joined "$1" "${words[@]}"
    for jobs in 1 3; do
        run "${words[@]}" --files-from=few/list --jobs=$jobs
        case_is "a list: $2, $jobs jobs" cmp out want
        case_is "a list: $2, $jobs jobs: status" [ "$status" = "$(cat worst)" ]
    done
}
for mode in "${texts[@]}"; do like text "$mode"; done
for mode in "${rows[@]}"; do like rows "$mode"; done
for mode in "${objects[@]}"; do like objects "$mode"; done
like stacks --export=folded
run --top=1 --format=markdown fast.fxt slow.fxt
case_is 'a list: headings of Markdown' [ "$(grep -c '^### \(fast\|slow\).fxt$' out)" = 2 ]
run --top=1 --with-trace --format=csv fast.fxt
case_is 'one trace with its name' grep -q '^"\?trace"\?,' out
run --top=1 --format=csv --label=host=a --label=run=7 fast.fxt
case_is 'labels' [ "$(cut -d, -f1-2 out | tr -d '"' | tr '\n' ' ')" = 'host,run a,7 ' ]
run --top --label=7
case_is 'a label without a value' [ "$status$(cat messages)" = "2fxtop: --label expects a name and a value like host=a, not '7'" ]
run --top --format=csv --files-from=all --jobs
case_is 'a list of 20: one head' [ "$(grep -c '^"\?trace"\?,' out)" = 1 ]
case_is 'a list leaves no index' [ -z "$(ls cache)" ]

# What cannot be joined goes to a folder.
for mode in --export=json --export=fxt --cut=0..1ms --print; do
    run $mode fast.fxt slow.fxt
    [ $mode = --print ] || case_is "$mode of two: refused" [ "$status$(wc -c <out)$(grep -c '^fxtop: --[a-z=]* of several traces needs -o DIR/, for a file each$' messages)" = 201 ]
    for file in fast slow; do run $mode $file.fxt; cp out want.$file; done
    rm -rf folder
    run $mode -o folder/ --jobs=2 fast.fxt slow.fxt dir/../fast.fxt
    case_is "$mode: a file each" [ "$status$(ls folder | wc -l)$(wc -c <out)" = 030 ]
    for file in fast slow; do case_is "$mode: $file as alone" cmp want.$file folder/$file.*; done
    case_is "$mode: the same name twice" cmp want.fast "folder/fast 2".*
done
run --export=json -o folder/ fast.fxt nosuch.fxt
case_is 'a folder: a trace that is not there has no file' [ "$status$(find folder -name '*nosuch*' | wc -l)" = 20 ]
run --summary -o folder/ slow.fxt
case_is 'a folder for one trace' [ -s folder/slow.txt ]
run --summary -o slow.fxt/ fast.fxt
case_is 'a folder that is a file' [ "$status$(wc -l <messages)" = 21 ]

# --quiet: the status alone, and what could not be done.
{ cat fast.fxt; head -c 20 slow.fxt; } >cut.fxt
printf 'cut.fxt\nnosuch.fxt\nfast.fxt\n' >few/quiet
for mode in --check '--compare fast.fxt'; do
    # shellcheck disable=SC2086
    run $mode --quiet --files-from=few/quiet
    case_is "$mode --quiet: what failed" [ "$status$(cat out messages)" = '2fxtop: nosuch.fxt: no such file or directory' ]
done
run --check --quiet cut.fxt fast.fxt
case_is '--check --quiet: a status' [ "$status$(cat out messages)" = 1 ]
run --check --quiet fast.fxt slow.fxt
case_is '--check --quiet: all is well' [ "$status$(cat out messages)" = 0 ]

# A trace that may take more memory than is free waits; alone it is not begun if it does not fit.
{ cat fast.fxt; head -c 400000000 /dev/zero; } >huge.fxt
(ulimit -v 250000 && exec "$fxtop" --assert=1 --jobs=3 fast.fxt nosuch.fxt huge.fxt slow.fxt) >out 2>messages
case_is 'jobs wait for memory' [ "$(grep -c '^fxtop: huge.fxt: note: waits for memory: with the others it needs about ' messages)" = 1 ]
case_is 'what does not fit is not begun' [ "$(grep -c '^fxtop: huge.fxt: needs about 28. MB of memory, 256 MB are free' messages)" = 1 ]
rm -f huge.fxt

run --query 'select 1' "$tmp/demo.fxt"
if grep -q 'built without' "$tmp/messages"; then
    case_is 'without SQLite: one line names --query' grep -q '^fxtop: --query needs SQLite' "$tmp/messages"
    run --assert 1 "$tmp/demo.fxt"
    case_is 'without SQLite: one line names --assert' grep -q '^fxtop: --assert needs SQLite' "$tmp/messages"
    case_is 'without SQLite: status' [ "$status" -eq 2 ]
    run --export=sqlite "$tmp/demo.fxt"
    case_is 'without SQLite: one line names --export=sqlite' grep -q '^fxtop: --export=sqlite needs SQLite' "$tmp/messages"
    echo "fleet: $passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
fi

for i in $(seq 1 30); do
    ln -s demo.fxt "t$i.fxt"
    echo "t$i.fxt"
done >all
echo nonsense >bad.fxt

# The same bytes with any number of jobs, in the order of the list.
names='select name, count(*) n, sum(dur) d from slice group by name'
for format in table csv ndjson markdown; do
    run --query "$names" --files-from=all --format=$format
    cp out one
    case_is "$format: status" [ "$status" -eq 0 ]
    run --query "$names" --files-from=all --format=$format --jobs=4
    case_is "$format: --jobs=4 prints the same" cmp -s out one
    tr '\n' '\0' <all | in_runs --query "$names" --files-from=- --format=$format --jobs >out 2>/dev/null
    case_is "$format: a list with NULs prints the same" cmp -s out one
done
run --query 'select count(*) n from slice' --files-from=all --format=csv
case_is 'csv: one head, a row a trace' [ "$(wc -l <out)" -eq 31 ]
case_is 'csv: the order of the list' [ "$(sed 1d out | cut -d'"' -f2 | tr '\n' ' ')" = "$(tr '\n' ' ' <all)" ]

# A bad trace is one line on standard error and status 2; the rest is there.
for jobs in 1 3; do
    run --query 'select 1 as n' --jobs=$jobs --format=csv nosuch.fxt t1.fxt bad.fxt t2.fxt
    case_is "bad traces, $jobs jobs: status" [ "$status" -eq 2 ]
    case_is "bad traces, $jobs jobs: the rest" is $'"trace","n"\n"t1.fxt",1\n"t2.fxt",1'
    case_is "bad traces, $jobs jobs: a line each" [ "$(grep -c '^fxtop: \(nosuch\|bad\)' messages)" -eq 2 ]
done
run --query 'select 1 as n' --files-from=nosuch.list
case_is 'a list that is not there: status' [ "$status" -eq 2 ]
case_is 'a list that is not there: one line' [ "$(wc -l <messages)" -eq 1 ]
run --assert '1 = 2' --files-from=/dev/null
case_is 'assert: an empty list: status' [ "$status" -eq 2 ]
case_is 'assert: an empty list: one line' [ "$(cat messages)" = 'fxtop: /dev/null: lists no trace' ]
run --query 'select 1 as n' --files-from=/dev/null
case_is 'query: an empty list: status' [ "$status" -eq 0 ]
TMPDIR=/nonexistent run --query 'select 1 as n' --format=csv t1.fxt t2.fxt
case_is 'no TMPDIR: another place is taken' [ "$status" -eq 0 ]

# A query that wants too much memory is a fault of each trace.
run --query "select length(printf('%.60000000c', 'x'))" --query-memory=8m t1.fxt t2.fxt
case_is 'too much memory: status' [ "$status" -eq 2 ]
case_is 'too much memory: a line each' [ "$(grep -c 'query: the query needs more than 8 MB' messages)" -eq 2 ]

# Assertions.
run --assert '1 < 2' --assert '(select count(*) from slice) > 5' t1.fxt
case_is 'assert: all hold' [ "$status" -eq 0 ]
run --assert '1 < 2' --assert 'ms(3) < us(2)' t1.fxt t2.fxt
case_is 'assert: one does not hold: status' [ "$status" -eq 1 ]
case_is 'assert: a line for each trace and expression' is 'ok     t1.fxt: 1 < 2   left 1, right 2
FAILED t1.fxt: ms(3) < us(2)   left 3 ms, right 2 µs
ok     t2.fxt: 1 < 2   left 1, right 2
FAILED t2.fxt: ms(3) < us(2)   left 3 ms, right 2 µs'
run --assert 'nosuch' --assert '0' t1.fxt
case_is 'assert: one has a fault: status' [ "$status" -eq 2 ]
case_is 'assert: one has a fault: the reason' [ "$(tail -n 1 messages)" = 'fxtop: t1.fxt: nosuch: no such column: nosuch (at byte 0)' ]
echo before >kept
run --assert 'nosuch' -o kept t1.fxt
case_is 'assert: a fault leaves the old file, and says why' [ "$(cat kept; tail -n 1 messages)" = 'before
fxtop: t1.fxt: nosuch: no such column: nosuch (at byte 0)' ]
run --assert '0' --jobs=2 t1.fxt bad.fxt
case_is 'assert: a bad trace: status' [ "$status" -eq 2 ]
# Reports for CI systems, read again by another reader; a trace that cannot be opened is an error there.
junit() { # the number of suites, tests, failures, errors; the elements that are counted
    python3 -c '
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
say = [len(root), *(sum(int(s.get(k)) for s in root) for k in ("tests", "failures", "errors"))]
print(*say, *(len(root.findall(".//" + e)) for e in ("testcase", "failure", "error")))' "$1"
}
run --assert '1 < 2' --assert "ms(3) < us(2) and '<&' = '<&'" --assert nosuch --format=junit --jobs=2 t1.fxt bad.fxt t2.fxt
case_is 'junit: assert' [ "$status $(junit "$tmp/out")" = '2 3 7 2 3 7 2 3' ]
run --check --format=junit t1.fxt bad.fxt fast.fxt
case_is 'junit: check: a problem, two notes, a bad trace, no problem' [ "$status $(junit "$tmp/out")" = '2 3 5 1 1 5 1 1' ]
run --check=strict --format=junit -o reports/ t1.fxt fast.fxt
case_is 'junit: a file for each trace' [ "$status $(junit reports/t1.xml) $(junit reports/fast.xml)" = '1 1 3 3 0 3 3 0 1 1 0 0 1 0 0' ]
run --assert '1 < 2' --assert 'ms(3) < us(2)' --format=github t1.fxt bad.fxt
case_is 'github: assert' [ "$status $(sed 's/: opens: .*/: opens/' "$tmp/out")" = \
    "2 ::error title=fxtop assert::t1.fxt: ms(3) < us(2): left 3 ms, right 2 µs
::error title=fxtop::bad.fxt: opens" ]
run --query 'select 1' --format=junit t1.fxt
case_is 'junit: of --assert and --check alone' [ "$status$(wc -c <"$tmp/out")" = 20 ]
run --check --format=csv t1.fxt
case_is 'check: its formats' [ "$status$(wc -c <"$tmp/out")" = 20 ]
run --assert "dur_p50('Decode') < 1" --format=ndjson t1.fxt
case_is 'assert: ndjson' grep -q '^{"trace":"t1.fxt","result":"FAILED","assertion":"dur_p50(.Decode.) < 1"' out
run --assert '2 > 1' --format=csv t1.fxt t2.fxt
sed -i 's/\r$//' out
case_is 'assert: csv' is 'trace,result,assertion,left,right,message
"t1.fxt","ok","2 > 1",2,1,
"t2.fxt","ok","2 > 1",2,1,'
run --assert '2 > 1' --format=markdown t1.fxt t2.fxt
case_is 'assert: markdown has one head' [ "$(wc -l <out)" -eq 4 ]

# A database has the same rows, and no file is left.
mkdir temporary
TMPDIR=$PWD/temporary run --export=sqlite demo.fxt
case_is 'sqlite: status' [ "$status" -eq 0 ]
case_is 'sqlite: no file is left' [ -z "$(ls temporary)" ]
case_is 'sqlite: a database' [ "$(head -c 15 out)" = 'SQLite format 3' ]
mv out demo.db
if command -v sqlite3 >/dev/null; then
    for table in slice args thread process counter sched thread_state flow thread_slice trace_bounds slice_self_dur; do
        in_runs --query "select * from $table order by 1, 2" --format=ndjson demo.fxt 2>/dev/null | wc -l >want
        sqlite3 demo.db "select count(*) from $table" >got
        case_is "sqlite: the rows of $table" [ "$(cat want)" -eq "$(cat got)" ]
    done
    in_runs --query 'select id, self_dur from slice_self_dur order by 1' --format=csv demo.fxt 2>/dev/null | sed 1d | tr , '|' >want
    sqlite3 demo.db 'select id, self_dur from slice_self_dur order by 1' >got
    case_is 'sqlite: the self times' cmp -s want got
    sums='select count(*), sum(ts), sum(dur), sum(depth), count(distinct name), sum(parent_id is null) from slice'
    in_runs --query "$sums" --format=csv demo.fxt 2>/dev/null | sed 1d | tr , '|' >want
    sqlite3 demo.db "$sums" >got
    case_is 'sqlite: the sums of slice' cmp -s want got
fi
run --export=sqlite bad.fxt
case_is 'sqlite: a bad trace: status' [ "$status" -eq 2 ]

# A process that is killed is a bad trace: the next one is asked.
set -m
"$fxtop" --query 'select count(*) n from slice a, slice b, slice c' --format=csv demo.fxt fast.fxt >out 2>messages &
pid=$!
until child=$(pgrep -P $pid) || ! kill -0 $pid 2>/dev/null; do :; done
kill -KILL "$child"
wait $pid
case_is 'killed: status' [ $? -eq 2 ]
case_is 'killed: the rest is there' is $'"trace","n"\n"fast.fxt",3375000'
case_is 'killed: one line' grep -q '^fxtop: demo.fxt: the process that read it was ended by signal 9$' messages

# An interrupt ends all of it.
forever='with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'
"$fxtop" --query "$forever" --jobs=2 t1.fxt t2.fxt t3.fxt >out 2>&1 &
pid=$!
until [ -n "$(pgrep -P $pid)" ] || ! kill -0 $pid 2>/dev/null; do :; done
children=$(pgrep -P $pid)
kill -INT $pid
wait $pid
case_is 'interrupt: status' [ $? -eq 130 ]
for child in $children; do
    while [ -d "/proc/$child" ] && ! grep -q '^State:.*Z' "/proc/$child/status" 2>/dev/null; do :; done
done
case_is 'interrupt: no process is left' true

echo "fleet: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
