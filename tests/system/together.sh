#!/usr/bin/env bash
# together.sh - --together: several traces on one timeline. True times: server Boot 0, Handle 10 to 30 ms; client Call
# 6 to 36 ms; kernel Fault 20 to 21 ms; gpu Kernel from 11.5 ms. All use pid 7.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
# shellcheck disable=SC1090,SC1091
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/program.sh"
start_runs "${FXTOP_BUILD:-.}/tests/system/runs"
program=$(realpath "${FXTOP:-./fxtop}") fxtop=in_runs
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

case_is() { # NAME CONDITION...
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; cat "$tmp/out" "$tmp/messages"; fi
}

run() { # ARGUMENT...: fills out, messages, status
    (cd "$tmp" && "$fxtop" --together "$@" >out 2>messages)
    status=$?
}

is() { [ "$(tail -n +2 "$tmp/out" | tr -d "\"" | tr "\n" ";")" = "$1" ]; }

says() { grep -qF "$1" "$tmp/messages"; }

mktrace() { "${FXTOP_BUILD:-.}/tests/lib/mktrace" - "$tmp/$1" || exit 1; }

U=1800000000000000000
mktrace server.fxt <<END
magic
init 1000000000 5000000000 $U
provider 1 "svc"
thread 1 7 8
kernel_object 1 7 "svc"
kernel_object 2 8 "main"
complete 5000000000 t1 "app" "Boot" end=5001000000
complete 5010000000 t1 "app" "Handle" end=5030000000
END
mktrace kernel.fxt <<END
magic
init 1000000000 6000000000 1800000001000000000
provider 1 "ktrace"
thread 1 7 8
kernel_object 1 7 "svc"
complete 5020000000 t1 "app" "Fault" end=5021000000
END
mktrace gpu.fxt <<END
magic
init 24000000
provider 1 "gpu"
thread 1 7 9
complete 0 t1 "app" "Kernel" end=120000
complete 144000 t1 "app" "Kernel" end=192000
END
gzip -f "$tmp/gpu.fxt"
cat >"$tmp/client.json" <<END
{"traceEvents": [{"ph": "X", "pid": 7, "tid": 8, "name": "Call", "cat": "app", "ts": 4000, "dur": 30000}],
 "note": "\"baseTimeNanoseconds\": 5", "baseTimeNanoseconds": 1800000000002000000}
END

times='select trace, name, ts-(select min(ts) from slice) t from slice order by ts, trace'
run --query "$times" server.fxt client.json kernel.fxt
case_is 'wall clocks and one clock' is 'server,Boot,0;client,Call,6000000;server,Handle,10000000;kernel,Fault,20000000;'
case_is 'known clocks need no note' [ ! -s "$tmp/messages" ]
run --query "$times" client.json server.fxt
case_is 'another order' is 'server,Boot,0;client,Call,6000000;server,Handle,10000000;'
run --query "$times" --reference=server client.json server.fxt
case_is 'another reference' is 'server,Boot,0;client,Call,6000000;server,Handle,10000000;'

run --query "$times" server.fxt gpu.fxt.gz
case_is 'begin with begin' is 'gpu,Kernel,0;server,Boot,0;gpu,Kernel,6000000;server,Handle,10000000;'
case_is 'begin with begin is said' says 'begin with begin'
run --query "$times" --offset gpu=+11.5ms server.fxt gpu.fxt.gz
case_is 'an offset' is 'server,Boot,0;server,Handle,10000000;gpu,Kernel,11500000;gpu,Kernel,17500000;'
run --query "$times" --offset gpu=-1s server.fxt gpu.fxt.gz
case_is 'before all others' is 'gpu,Kernel,0;gpu,Kernel,6000000;server,Boot,1000000000;server,Handle,1010000000;'
run --query "select count(*) from slice" --offset 2=-10h server.fxt gpu.fxt.gz
case_is 'nothing is far off' is '4;'
run --query "$times" --align=begin server.fxt client.json
case_is 'begin by will' is 'client,Call,0;server,Boot,0;server,Handle,10000000;'
run --query "$times" --align=raw server.fxt kernel.fxt
case_is 'raw' is 'server,Boot,0;server,Handle,10000000;kernel,Fault,20000000;'

# Ids of two traces are of two hosts, unless they are of one.
run --query "select count(*) from process where pid = 7" server.fxt client.json kernel.fxt
case_is 'pid 7 three times' is '3;'
run --query "select trace, depth from slice where name = 'Fault'" server.fxt kernel.fxt
case_is 'alone' is 'kernel,0;'
run --query "select count(*) from process where pid = 7" --same-host=server,kernel server.fxt client.json kernel.fxt
case_is 'one host' is '2;'
run --query "select c.name, p.name from slice c join slice p on c.parent_id = p.id" --same-host server.fxt kernel.fxt
case_is 'a child in another file' is 'Fault,Handle;'

# Each is as alone, wherever it is put.
"${FXTOP_BUILD:-.}/tests/tools/demo" "$tmp/demo.fxt" || exit 1
run_alone() { (cd "$tmp" && "$fxtop" --query "$1" demo.fxt 2>/dev/null | tail -n +2 | tr '\n' ';'); }
alone=$(run_alone 'select count(*), sum(dur), count(distinct track_id) from slice')
for offset in -1h +0s +10h; do
    run --offset "demo=$offset" --query \
        "select count(*), sum(dur), count(distinct track_id) from slice where trace = 'demo'" server.fxt demo.fxt client.json
    case_is "as alone at $offset" is "$alone"
done
alone=$(run_alone 'select name, count(*) n, sum(dur) from thread_state join thread using (utid) group by name order by name')
run --query "select t.name, count(*) n, sum(dur) from thread_state join thread t using (utid) where t.trace = 'demo'
    group by t.name order by t.name" server.fxt demo.fxt client.json
case_is 'states as alone' is "$(echo "$alone" | tr -d '"')"

# Names.
mkdir -p "$tmp/a" "$tmp/b" && cp "$tmp/server.fxt" "$tmp/a/t.fxt" && cp "$tmp/server.fxt" "$tmp/b/t.fxt"
run --query "select distinct trace from slice order by 1" a/t.fxt b/t.fxt
case_is 'folders tell names apart' is 'a/t;b/t;'

# Other modes, and one file.
run --top --format=csv server.fxt client.json
case_is 'top' [ "$(wc -l <"$tmp/out")" -eq 4 ]
(cd "$tmp" && "$fxtop" --query "select * from slice limit 0" server.fxt >one && "$fxtop" --together --query \
    "select * from slice limit 0" server.fxt client.json >two)
case_is 'a column of several' [ "$(cat "$tmp/one"),\"trace\"" = "$(cat "$tmp/two")" ]

# Flows go from one trace to another if their ids are large, and one pair alone is open.
mktrace fserver.fxt <<END
magic
init 1000000000 5000000000 $U
provider 1 "svc"
thread 1 7 8
complete 5010000000 t1 "app" "Handle" end=5030000000
flow_end 5012000000 t1 "rpc" "call" id=0x10000000001
flow_begin 5029000000 t1 "rpc" "reply" id=0x10000000002
flow_begin 5015000000 t1 "app" "own" id=1
flow_end 5016000000 t1 "app" "own" id=1
flow_end 5017000000 t1 "small" "s" id=3
END
cat >"$tmp/fclient.json" <<END
{"traceEvents": [{"ph": "X", "pid": 7, "tid": 8, "name": "Call", "cat": "app", "ts": 4000, "dur": 30000},
 {"ph": "s", "pid": 7, "tid": 8, "name": "call", "cat": "rpc", "id": 1099511627777, "ts": 5000},
 {"ph": "f", "bp": "e", "pid": 7, "tid": 8, "name": "reply", "cat": "rpc", "id": 1099511627778, "ts": 33000},
 {"ph": "s", "pid": 7, "tid": 8, "name": "own", "cat": "app", "id": 1, "ts": 6000},
 {"ph": "f", "bp": "e", "pid": 7, "tid": 8, "name": "own", "cat": "app", "id": 1, "ts": 7000},
 {"ph": "s", "pid": 7, "tid": 8, "name": "s", "cat": "small", "id": 3, "ts": 8000}],
 "baseTimeNanoseconds": 1800000000002000000}
END
hops="select a.trace, b.trace, f.trace_id from flow f join slice a on f.slice_out = a.id join slice b on f.slice_in = b.id
    where a.trace != b.trace order by f.trace_id"
run --query "$hops" fserver.fxt fclient.json
case_is 'joined flows' is 'fclient,fserver,1099511627777;fclient,fserver,1099511627778;'
run --query "$hops" --join-flows fserver.fxt fclient.json
case_is 'small ids by will' is 'fclient,fserver,3;fclient,fserver,1099511627777;fclient,fserver,1099511627778;'
run --query "$hops" --join-flows=rpc fserver.fxt fclient.json
case_is 'small ids of a category' is 'fclient,fserver,1099511627777;fclient,fserver,1099511627778;'
run --query "select count(*) from flow" --join-flows fserver.fxt fclient.json
case_is 'flows of their own stay' is '5;'
run --check=strict --join-flows fserver.fxt fclient.json
case_is 'no flow is without an end' [ "$status$(tr '\n' ';' <"$tmp/out")" = '0== fserver ==;== fclient ==;' ]
run --check --offset fclient=+20ms --join-flows fserver.fxt fclient.json
case_is 'flows that go back' [ "$(grep -c 'flow_backwards: [12]' "$tmp/out")" -ge 1 ]
run --query "$hops" --offset fclient=+20ms fserver.fxt fclient.json
case_is 'the begin is first whatever the times' is 'fserver,fclient,1099511627777;fserver,fclient,1099511627778;'
cp "$tmp/fserver.fxt" "$tmp/fthird.fxt"
run --query "$hops" fserver.fxt fclient.json fthird.fxt
case_is 'two pairs join nothing' is ''

# Texts: a line for each trace, and --check by trace.
run --summary server.fxt client.json gpu.fxt.gz
case_is 'summary' [ "$(grep '^trace: ' "$tmp/out" | sed 's/;.*//' | tr '\n' ';')" = \
    'trace: server: the reference;trace: client: +6.000 ms by wall clock (as good as NTP);trace: gpu: +0 ns begin with begin;' ]
head -c 200 "$tmp/server.fxt" >"$tmp/cut.fxt"
run --check cut.fxt client.json
case_is 'check: a problem of one' [ "$status$(tr '\n' ';' <"$tmp/out")" = \
    '1== cut ==;problem truncated_record: 1, first at byte 168: a record declares more than the 32 bytes left;== client ==;' ]
run --check client.json cut.fxt
case_is 'check: bytes of its file' grep -q 'first at byte 168' "$tmp/out"
run --check server.fxt client.json
case_is 'check: none' [ "$status$(tr '\n' ';' <"$tmp/out")" = '0== server ==;== client ==;' ]
run --describe server.fxt client.json
case_is 'describe' grep -q '^Trace server, client: 36.00 ms, 3 events, 2 processes.$' "$tmp/out"
(cd "$tmp" && "$fxtop" --print=100x30 server.fxt client.json >out 2>messages)
case_is 'print' [ "$(grep -c 'Handle\|Call' "$tmp/out")" = 2 ]

# The set in SQL, and trace= in filters.
run --query "select no, name, path, shift, method, uncertainty, world, begin, end - begin, events, bytes from trace" \
    server.fxt client.json kernel.fxt
case_is 'table trace' is "1,server,server.fxt,0,the reference,0,0,5000000000,30000000,2,208;2,client,client.json,5002000000,by wall clock (as good as NTP),,1,5006000000,30000000,1,224;3,kernel,kernel.fxt,0,the same clock,0,2,5020000000,1000000,1,144;"
run --query "select trace, name from provider order by 1" server.fxt kernel.fxt
case_is 'providers' is 'kernel,ktrace;server,svc;'
run --instances 'trace=client' --format=csv server.fxt client.json
case_is 'trace= in a filter' [ "$(grep -c Call "$tmp/out")$(grep -c Boot "$tmp/out")" = 10 ]
run --top --filter 'trace!=client' --format=csv server.fxt client.json
case_is 'trace!= in a filter' [ "$(grep -c Call "$tmp/out")$(grep -c Boot "$tmp/out")" = 01 ]
run --top --tracks 'trace~ern' --format=csv server.fxt kernel.fxt
case_is 'trace~ of tracks' [ "$(grep -c Fault "$tmp/out")$(grep -c Boot "$tmp/out")" = 10 ]
run --top --tracks 'trace=kernel' --same-host --format=csv server.fxt kernel.fxt
case_is 'a track of two traces' [ "$(grep -c 'Fault\|Boot' "$tmp/out")" = 2 ]

# Exports have the trace of each row, and numbers of the second host that the first one has not.
run --export=csv server.fxt client.json
case_is 'csv' [ "$(sed 's/.*,//' "$tmp/out" | tr -d '\r' | tr '\n' ';')" = 'trace;"server";"client";"server";' ]
run --export=ndjson server.fxt client.json
case_is 'ndjson' [ "$(grep -c '"type":"slice".*"trace":"server"' "$tmp/out")$(grep -c '"type":"slice".*"trace":"client"' "$tmp/out")" = 21 ]
case_is 'ndjson: its files' [ "$(grep -c '"type":"file"' "$tmp/out")" = 2 ]
run --export=folded server.fxt client.json
case_is 'folded' [ "$(LC_ALL=C sort "$tmp/out" | tr '\n' ';')" = \
    'client;thread 8;Call 30000000;server;main 8;Boot 1000000;server;main 8;Handle 20000000;' ]
run --export=json server.fxt client.json
case_is 'json: labels' [ "$(grep -c '"process_labels".*"server"' "$tmp/out")$(grep -c '"process_labels".*"client"' "$tmp/out")" = 11 ]
case_is 'json: numbers' [ "$(sed -n 's/.*"ph":"[XB]".*"pid":\([0-9]*\),.*/\1/p' "$tmp/out" | LC_ALL=C sort -u | wc -l)" -eq 2 ]
run --top --by=trace --format=csv server.fxt client.json
case_is 'a row for each trace' [ "$(cut -d, -f1,2,4 "$tmp/out" | tr -d '\r' | tr '\n' ';')" = \
    'trace,count,total_ns;"client",1,30000000;"server",2,21000000;' ]
run --top --range client:0s..client:1ms --format=csv server.fxt client.json
case_is 'a time of a trace' [ "$(sed -n 's/^"\([A-Za-z]*\)",\([0-9]*\),[0-9]*,\([0-9]*\),.*/\1 \2 \3/p' "$tmp/out" | tr '\n' ';')" = 'Call 1 1000000;' ]

# Faults: nothing is answered.
fault() { # NAME LINE ARGUMENT...
    local name=$1 line=$2
    shift 2
    run "$@"
    case_is "$name: status" [ "$status" -eq 2 ]
    case_is "$name: no answer" [ ! -s "$tmp/out" ]
    case_is "$name: said" says "$line"
}
fault 'no file' 'none.fxt: ' --query "$times" server.fxt none.fxt
fault 'no file, a picture' 'none.fxt: no such file' --print=80x24 server.fxt none.fxt gpu.fxt.gz
printf 'hello\n' >"$tmp/alien.fxt"
fault 'alien' 'alien.fxt: ' --query "$times" server.fxt alien.fxt
fault 'twice' 'are one file' --query "$times" server.fxt server.fxt
fault 'no such name' 'no trace' --offset x=1s --query "$times" server.fxt gpu.fxt.gz
fault 'no time' 'expects NAME=TIME' --offset gpu=soon --query "$times" server.fxt gpu.fxt.gz
fault 'the reference' 'does not move' --offset server=5s --query "$times" server.fxt gpu.fxt.gz
fault 'no wall clock' 'no wall clock' --align=wall --query "$times" server.fxt gpu.fxt.gz
fault 'alone' '2 to 64 traces' --query "$times" server.fxt
fault 'not of it' 'has no effect' --records server.fxt gpu.fxt.gz
fault 'a part of it' 'whole and at once' --load=0..1ms --query "$times" server.fxt gpu.fxt.gz

# Times are judged file by file: what is damaged or unset in a file alone is so in a set, wherever the file is put.
random_lines() { # SEED KIND BASE: a trace of KIND damaged or unset
    awk -v seed="$1" -v kind="$2" -v base="$3" 'function below(n) { return int(rand() * n) }
        BEGIN {
            srand(seed)
            print "magic\ninit " (kind == "unset" ? 1000000 : 1000000000) "\nprovider 1 \"p\"\nthread 1 7 8\nthread 2 7 9"
            for (i = 0; i < 300; i++) {
                t = 1 + below(2)
                at[t] += below(20)
                from = base + at[t]
                at[t] += 1 + below(50)
                to = base + at[t]
                odd = kind == "unset" ? below(20) == 0 : i % 50 == 25 + seed % 9
                what = below(5)
                if (odd && kind == "unset" && what < 2 && below(2))
                    to = 1 + below(90)
                if (odd)
                    kind == "unset" ? from = 0 : to = base + 4398046511104 + i * 68719476736
                name = "\"n" i % 3 "\""
                if (what < 2)
                    printf "complete %.0f t%d \"c\" %s end=%.0f\n", from, t, name, to
                else if (what == 2)
                    printf "begin %.0f t%d \"c\" %s\nend %.0f t%d \"c\" %s\n", from, t, name, to, t, name
                else if (what == 3)
                    printf "flow_begin %.0f t%d \"c\" \"f\" id=%d\nflow_end %.0f t%d \"c\" \"f\" id=%d\n", from, t, i, to, t, i
                else
                    printf "switch %.0f 0 %d 3 %d\n", odd && kind == "unset" ? from : to, 100 + i % 2, 101 - i % 2
            }
        }'
}
judged() { # FILE: what it says alone or, as NAME, in the set of `files`
    local of='1' only=() name=${1%.fxt}
    [ "${#files[@]}" -gt 0 ] && of="trace = '$name'" only=(--filter "trace=$name")
    (
        cd "$tmp" || exit
        ask() { if [ "${#files[@]}" -gt 0 ]; then "$fxtop" --together "$@" "${files[@]}"; else "$fxtop" "$@" "$name.fxt"; fi; }
        ask --query "select name, count(*), sum(dur), min(dur), max(dur) from slice where $of group by name order by 1"
        ask --query "select state, count(*), sum(dur) from thread_state join thread t using (utid) where
            ${of/trace/t.trace} group by state order by 1"
        ask --query "select count(*), sum(dur) from sched where $of"
        ask --top --format=csv "${only[@]}" | cut -d, -f1-12
        ask --instances "n${only[1]:+ ${only[1]}}" --format=csv | tr -d '"\r' | cut -d, -f1-4,6-9 | sed 's/,trace$//' | LC_ALL=C sort
        ask --check | sed -n "/^== /h; /^==/!{G; s/\n== $name ==$//; s/\n$//; /\n/!p; }"
    ) 2>/dev/null
}
left_out() { sed -n 's/.*note: \(.*\) left out$/\1/p' "$tmp/messages" | grep -o '^[0-9]* slices\?'; }
sum_is() { # the slices that the set leaves out are those of each
    local all n=0 f
    all=$(left_out | grep -o '[0-9]*')
    for f in "${parts[@]}"; do
        (cd "$tmp" && "$fxtop" --top --format=csv "$f" >/dev/null 2>messages)
        n=$((n + $(left_out | grep -o '[0-9]*' || echo 0)))
    done
    [ "$n" -gt 0 ] && [ "${all:-0}" -eq "$n" ]
}
for seed in 1 2 3; do
    random_lines "$seed" damaged 5000000000 | mktrace x.fxt
    random_lines "$((seed + 10))" damaged 1000000 | mktrace y.fxt
    random_lines "$((seed + 20))" unset 1700000000000000 | mktrace z.fxt
    parts=(x.fxt y.fxt z.fxt)
    for name in x y z; do
        files=()
        alone=$(judged "$name.fxt")
        for offset in -10h +0s +400d; do
            for order in 'x.fxt y.fxt z.fxt' 'z.fxt y.fxt x.fxt'; do
                read -ra files <<<"--offset=${order:12:1}=$offset $order"
                judged "$name.fxt" | cat >"$tmp/out"
                case_is "$name of ${files[*]}, seed $seed: judged as alone" [ "$alone" = "$(cat "$tmp/out")" ]
            done
        done
    done
    run --top --format=csv "${files[@]}"
    case_is "left out, seed $seed" sum_is
    run --assert "dur_max('n0') < s(1000000)" "${files[@]}"
    case_is "a verdict over them, seed $seed" [ "$status" -eq 1 ]
    case_is "and the reason, seed $seed" grep -q 'left out' "$tmp/out"
done
random_lines 1 unset 1700000000000000 | mktrace z.fxt
random_lines 2 unset 1600000000000000 | mktrace w.fxt
run --query "select max(ts) - min(ts) < 10000000 from slice where dur > 0 and ts > (select max(ts) from slice) - 1000000000" z.fxt w.fxt
case_is 'an unset time is no begin' is '1;'

# An archive of a set is the set: all answers but names, sizes and offsets of files are the same.
answers() { # ARGUMENT...: those of a set, or of an archive
    (
        cd "$tmp" || exit
        all='from slice order by ts, trace, name, dur, depth'
        "$fxtop" "$@" --query "select trace, name, category, ts, dur, depth, (select name from slice p where p.id = slice.parent_id) $all"
        "$fxtop" "$@" --query "select trace, pid, name from process order by 1, 2, 3"
        "$fxtop" "$@" --query "select trace, tid, name, (select pid from process where upid = thread.upid) from thread order by 1, 2, 3, 4"
        "$fxtop" "$@" --query "select a.trace, b.trace, a.ts, b.ts, f.trace_id from flow f join slice a on f.slice_out = a.id
            join slice b on f.slice_in = b.id order by 3, 4, 5, 1, 2"
        "$fxtop" "$@" --query "select t.trace, t.tid, state, s.ts, s.dur, cpu from thread_state s join thread t using (utid) order by 1, 2, 4, 3"
        "$fxtop" "$@" --query "select trace, cpu, ts, dur from sched order by 1, 2, 3, 4"
        "$fxtop" "$@" --query "select name, trace from provider where name != '' order by 1, 2"
        "$fxtop" "$@" --query "select no, name, shift, method, uncertainty, world, begin, end, events from trace"
        "$fxtop" "$@" --top --format=csv
        "$fxtop" "$@" --top --by=trace --format=csv
        "$fxtop" "$@" --instances --rows=0 --format=csv
        "$fxtop" "$@" --check | sed 's/, first at byte [0-9]*//; s/: line [0-9]*, column [0-9]*//'
    ) 2>/dev/null | sed 's/,[0-9]*$//'
}
kept() { # NAME FILE_OR_OPTION...: the archive of a set has the answers of the set, plain, compressed and from a pipe
    local name=$1
    shift
    run --export=fxt "$@"
    cp "$tmp/out" "$tmp/all.fxt"
    case_is "$name: written" [ "$status" -eq 0 ]
    answers --together "$@" >"$tmp/before"
    answers all.fxt >"$tmp/after"
    diff "$tmp/before" "$tmp/after" >"$tmp/out"
    case_is "$name: the same set" [ ! -s "$tmp/out" ]
    case_is "$name: which has answers" [ "$(wc -l <"$tmp/before")" -gt 20 ]
    (cd "$tmp" && "$fxtop" --export=fxt all.fxt) >"$tmp/again.fxt"
    case_is "$name: written again" cmp -s "$tmp/all.fxt" "$tmp/again.fxt"
}
kept 'wall clocks' server.fxt client.json kernel.fxt gpu.fxt.gz
case_is 'times of one clock' [ "$(cd "$tmp" && "$fxtop" --query "${times/, trace/}" all.fxt 2>/dev/null | grep -c .)" -eq 7 ]
(cd "$tmp" && gzip -k all.fxt && "$fxtop" --query "$times" all.fxt >plain && "$fxtop" --query "$times" all.fxt.gz >out && "$fxtop" --query "$times" - <all.fxt >piped)
case_is 'a compressed archive' cmp -s "$tmp/plain" "$tmp/out"
case_is 'an archive from a pipe' cmp -s "$tmp/plain" "$tmp/piped"
# Any reader of FXT sees the same times, and one process for each host: here as one trace among others.
run --query "select trace, count(*), min(ts) - (select min(ts) from slice) from slice group by trace order by 1" --align=raw all.fxt kernel.fxt
case_is 'an archive in a set' is 'all,6,0;kernel,1,20000000;'
run --query "select count(distinct pid) from process where trace = 'all'" --align=raw all.fxt kernel.fxt
case_is 'processes of an archive in a set' is '4;'
(cd "$tmp" && "$fxtop" --top --by=trace server.fxt) >"$tmp/out" 2>&1
case_is 'one trace is not by trace' [ "$? $(cat "$tmp/out")" = '2 fxtop: --by=trace: it is of several FILEs as one trace: --together' ]
kept 'an offset' --offset=server=+3ms --offset=gpu=-7.5ms --reference=client server.fxt client.json gpu.fxt.gz
kept 'one host' --same-host=server,kernel server.fxt kernel.fxt client.json
case_is 'names of hosts' [ "$(cd "$tmp" && "$fxtop" --query "select count(*) from process where pid = 7" all.fxt 2>/dev/null | tail -n 1)" = 2 ]
kept 'flows' --join-flows fserver.fxt fclient.json
kept 'flows of a category' --join-flows=rpc fserver.fxt fclient.json
kept 'many kinds' demo.fxt server.fxt client.json
for seed in ${FXTOP_SEEDS:-1 2 3}; do
    random_lines "$seed" damaged 5000000000 | mktrace x.fxt
    random_lines "$((seed + 10))" damaged 1000000 | mktrace y.fxt
    random_lines "$((seed + 20))" unset 1700000000000000 | mktrace z.fxt
    read -ra files <<<"$(printf '%s\n' x.fxt y.fxt z.fxt client.json gpu.fxt.gz | shuf --random-source=<(yes "$seed") | head -n $((2 + seed % 4)) | tr '\n' ' ')"
    second=${files[1]%%.*}
    kept "random set $seed: ${files[*]}" "--offset=$second=$((seed * 7919 % 20011 - 9000))us" "${files[@]}"
done
# An archive that is cut shows what is left of it.
run --export=fxt server.fxt client.json kernel.fxt
cp "$tmp/out" "$tmp/all.fxt"
bytes() { LC_ALL=C grep -a -o "^[0-9]* .*[0-9]:$1\$" "$tmp/all.fxt" | sed 's/^0*//; s/ .*//'; } # those of a trace, by the table
server=$(bytes server) client=$(bytes client) kernel=$(bytes kernel)
begin=$(($(wc -c <"$tmp/all.fxt") - server - client - kernel))
left() { # NAME BYTES ROWS MISSING: those of an archive of which so many bytes of its traces are left
    head -c $((begin + $2)) "$tmp/all.fxt" >"$tmp/cut.fxt"
    (cd "$tmp" && "$fxtop" --query "select trace, count(*) from slice group by 1 order by 1" cut.fxt >out 2>messages)
    case_is "$1" is "$3"
    case_is "$1: it is told" says "problem"
    (cd "$tmp" && "$fxtop" --check cut.fxt >out 2>messages)
    case_is "$1: it is no sound trace" [ "$?" -eq 1 ]
    case_is "$1: what is missing" [ "$(awk '/^== / { name = $2 } /^problem archive_cut: 1,/ { match($0, /[0-9]+ bytes of/); print name, substr($0, RSTART) + 0 }' \
        "$tmp/out" | tr '\n' ';')" = "$4" ]
}
left 'cut between two traces' $((server + client)) 'client,1;server,2;' "kernel $kernel;"
left 'cut in the magic word of a trace' $((server + client + 5)) 'client,1;server,2;' "kernel $((kernel - 5));"
left 'cut after the first trace' "$server" 'server,2;' "client $client;kernel $kernel;"
left 'cut within the second trace' $((server + 13)) 'server,2;' "client $((client - 13));kernel $kernel;"
# Every cut is told, also at a border of records; a whole archive has no such problem.
told=0
for cut in $(seq 8 8 $((server + client + kernel))); do
    head -c $((begin + server + client + kernel - cut)) "$tmp/all.fxt" >"$tmp/cut.fxt"
    "$fxtop" --check "$tmp/cut.fxt" 2>/dev/null | grep -q '^problem archive_cut: 1,' && told=$((told + 1))
done
case_is 'every cut is told' [ "$told" -eq $(((server + client + kernel) / 8)) ]
"$fxtop" --check=strict "$tmp/all.fxt" >"$tmp/out" 2>/dev/null
case_is 'a whole archive is not cut' [ "$? $(grep -c archive_cut "$tmp/out")" = '0 0' ]
# The table is written last where the output can seek, and first elsewhere: to the same bytes. A failure leaves nothing.
run --export=fxt server.fxt client.json kernel.fxt
cp "$tmp/out" "$tmp/all.fxt"
written() { (cd "$tmp" && "$program" --together --export=fxt server.fxt client.json kernel.fxt 2>/dev/null); }
written | cat >"$tmp/piped"
case_is 'an archive to a pipe' cmp -s "$tmp/all.fxt" "$tmp/piped"
{ printf '12345678' && written; } >"$tmp/after"
case_is 'after other bytes' cmp -s <(tail -c +9 "$tmp/after") "$tmp/all.fxt"
printf '12345678' >"$tmp/after"
written >>"$tmp/after"
case_is 'at the end of a file' cmp -s <(tail -c +9 "$tmp/after") "$tmp/all.fxt"
head -c 9999 /dev/zero >"$tmp/over"
written 1<>"$tmp/over"
case_is 'over other bytes' cmp -s <(head -c "$(wc -c <"$tmp/all.fxt")" "$tmp/over") "$tmp/all.fxt"
case_is 'other bytes stay' [ "$(wc -c <"$tmp/over")" -eq 9999 ]
(cd "$tmp" && ulimit -f 1 && { printf '12345678' && "$program" --together --export=fxt demo.fxt server.fxt; } >full 2>messages)
case_is 'a full disk' [ "$?" -eq 2 ]
case_is 'it is told' says 'File too large'
case_is 'nothing is left' [ "$(cat "$tmp/full")" = 12345678 ]
(cd "$tmp" && "$fxtop" --export=fxt - <all.fxt >again.fxt)
case_is 'an archive from a pipe stays one' cmp -s "$tmp/all.fxt" "$tmp/again.fxt"
run --export=fxt --redact=names server.fxt client.json
cp "$tmp/out" "$tmp/all.fxt"
case_is 'no name is left' [ "$(grep -c 'client\|server\|Call\|Boot' "$tmp/all.fxt")" -eq 0 ]
case_is 'redacted, it is a set' [ "$(cd "$tmp" && "$fxtop" --query "select trace, count(*) from slice group by 1 order by 1" all.fxt | tr -d '"' | tr '\n' ';')" = \
    'trace,count(*);trace 1,2;trace 2,1;' ]
# A part of a set is an archive; so is a part of an archive, of events that a filter holds for, and of a track. A trace
# that has nothing in the range keeps its names.
names_of() { (cd "$tmp" && "$fxtop" --query "select trace, s.name from slice s order by ts" "$1" | tail -n +2 | tr -d '"' | tr '\n' ';'); }
part() { # NAME WANTED OPTIONS FILE...
    run "${@:3}"
    cp "$tmp/out" "$tmp/part.fxt"
    case_is "$1" [ "$(names_of part.fxt)" = "$2" ]
}
run --export=fxt server.fxt client.json kernel.fxt
cp "$tmp/out" "$tmp/all.fxt"
part 'a range of a set' 'client,Call;server,Handle;' --cut=5ms..11ms server.fxt client.json kernel.fxt
case_is 'what it is part of' grep -aq '5005000000 to 5011000000 ns' "$tmp/part.fxt"
(cd "$tmp" && "$fxtop" --cut=5ms..11ms all.fxt >again.fxt)
case_is 'a range of an archive' [ "$(names_of again.fxt)" = 'client,Call;server,Handle;' ]
part 'one trace is outside' 'server,Boot;' --cut=0..1ms server.fxt client.json
case_is 'it is there' [ "$(cd "$tmp" && "$fxtop" --query "select name from trace order by no" part.fxt | tail -n +2 | tr -d '"' | tr '\n' ';')" = 'server;client;' ]
part 'a filter of a set' 'client,Call;' --export=fxt --filter=name=Call server.fxt client.json kernel.fxt
part 'a track of a set' 'server,Boot;server,Handle;' --export=fxt --tracks=trace=server server.fxt client.json kernel.fxt
part 'a range that keys lead to' 'client,Call;server,Handle;' --export=fxt --range=5ms..11ms --keys=l server.fxt client.json kernel.fxt
run --cut=5ms..11ms --redact=names server.fxt client.json kernel.fxt
cp "$tmp/out" "$tmp/part.fxt"
case_is 'a part without names' [ "$(names_of part.fxt | sed 's/name [0-9]*/NAME/g')" = 'trace 2,NAME;trace 1,NAME;' ]
fault 'names of functions' 'has no effect' --cut=0..1ms --symbols=. server.fxt client.json
fault 'tracks of questions' 'no place' --export=fxt --keys=':as-track calls name=Call<Enter>' server.fxt client.json

# As many slices by trace as there are.
run --top --by=trace --format=csv demo.fxt server.fxt client.json
by_trace=$(tail -n +2 "$tmp/out" | tr -d '"' | awk -F, '{ print $2, $1 }' | sort)
run --export=ndjson demo.fxt server.fxt client.json
case_is 'slices by trace' [ "$by_trace" = "$(sed -n 's/^{"type":"slice".*"trace":"\([^"]*\)"}$/\1/p' "$tmp/out" | sort | uniq -c | awk '{ print $1, $2 }' | sort)" ]

# A cut part is its own problem.
head -c 200 "$tmp/server.fxt" >"$tmp/cut.fxt"
run --query "select name from slice order by name" cut.fxt client.json
case_is 'a cut part' is 'Boot;Call;'
case_is 'a cut part is told' says "declares more than"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
