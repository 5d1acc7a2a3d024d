#!/bin/bash
# growth.sh [N [CASE ...]] - each structure of a trace with n, 2n and 8n of its kind, in every mode and view (growth.c).
#
# Without arguments n is small, and views are opened one after the other in one run: 30 s of processor
# time. `make bench` takes a large n.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
growth=$build/tests/system/growth mktrace=$build/tests/lib/mktrace
for program in "$growth" "$mktrace"; do
    [ -x "$program" ] || { echo "$program is missing: make check builds it"; echo '0 passed, 1 failed'; exit 1; }
done
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Each case prints its records for i from 0 to n - 1, as tests/lib/tracegen.h reads them, or JSON.
declare -A cases=(
    [threads]='print "complete " 10*i, i%7+1 "/" i+10, "\"c\" \"a\" end=" 10*i+9'
    [scheduled]='print "switch", 10*i, i%4, i+10, "3", i+11 "\nwakeup", 10*i+5, i%4, i+10'
    [busy]='print "complete " 10*i, i%7+1 "/" i+10, "\"c\" \"a\" end=" 10*i+9 "\nswitch", 10*i, 0, i+9, "3", i+10 "\nwakeup", 10*i+5, 0, i+10'
    [waits]='print "complete " 10*i, "1/" i%4+10, "\"c\" \"a\" end=" 10*i+40 "\nwakeup", 10*i, 0, i%4+10, "waker=koid:" (i+3)%4+10 "\nswitch", 10*i+2, 0, (i+3)%4+10, "3", i%4+10'
    [lives]='print "switch", 10*i, 0, i+9, 5, i+10 "\ncomplete", 10*i, "1/" i+10, "\"c\" \"a\" end=" 10*i+9'
    [names]='print "complete " 10*i, "t1 \"c\" \"name" i "\" end=" 10*i+9'
    [categories]='print "complete " 10*i, "t1 \"cat" i "\" \"a\" end=" 10*i+9'
    [arguments]='print "complete " 10*i, "t1 \"c\" \"a\" end=" 10*i+9, "arg" i "=i64:" i, "text=\"v" i "\""'
    [providers]='print "provider", i+5, "\"p" i "\"\ninit 1000000000\nthread 1 1 " i+10 "\ncomplete", 10*i, "t1 \"c\" \"a\" end=" 10*i+9'
    [sections]='print "section", i%2+1 "\nthread 1 1 " i%5+10 "\nstring 1 \"a" i%3 "\"\ncomplete", 10*i, "t1 \"c\" s1 end=" 10*i+9'
    [again]='print "string 1 \"name" i "\"\nthread 2 1", i+10 "\ncomplete", 10*i, "t2 \"c\" s1 end=" 10*i+9'
    [points]='print "complete " 10*i, "t" i%3+1, "\"c\" \"a\" end=" 10*i+9 "\nflow_" (i ? "step" : "begin"), 10*i+5, "t" i%3+1, "\"c\" \"f\" id=1"'
    [flows]='print "complete " 10*i, "t" i%3+1, "\"c\" \"a\" end=" 10*i+9 "\nflow_end", 10*i+2, "t" i%3+1, "\"c\" \"f\" id=" i "\nflow_begin", 10*i+5, "t" i%3+1, "\"c\" \"f\" id=" i+1'
    [fan]='print (i ? "" : "complete 0 t1 \"c\" \"a\" end=5\ncomplete 10 t2 \"c\" \"b\" end=99\n") "flow_begin 1 t1 \"c\" \"f\" id=" i "\nflow_end 20 t2 \"c\" \"f\" id=" i'
    [overlaps]='print "complete " 10*i, "t1 \"c\" \"a\" end=" 10*i+15'
    [crossings]='print "complete " i, "t1 \"c\" \"a\" end=" 100000000+i'
    [open]='print "begin", 10*i, "t1 \"c\" \"a\""'
    [deep]='print "begin", i, "t1 \"c\" \"a\""; if (i == n-1) for (k = 0; k < n; k++) print "end", n+k, "t1 \"c\" \"a\""'
    [deep_overlap]='print (i ? "" : "complete 0 t1 \"c\" \"a\" end=5\ncomplete 1 t1 \"c\" \"a\" end=" 3*n "\n") "begin", i+6, "t1 \"c\" \"a\""; if (i == n-1) for (k = 0; k < n; k++) print "end", n+7+k, "t1 \"c\" \"a\""'
    [deep_flows]='print "begin", i, "t1 \"c\" \"a\""; if (i == n-1) for (k = 0; k < n; k++) print "flow_begin", n, "t1 \"c\" \"f\" id=" k "\nflow_end", n+k, "t2 \"c\" \"f\" id=" k; if (i == n-1) for (k = 0; k < n; k++) print "end", n+1+k, "t1 \"c\" \"a\""'
    [tied]='print "begin", i, "t1 \"c\" \"a\""; if (i == n-1) for (k = 0; k < n; k++) print "instant", n, "t1 \"c\" \"i\"\ncomplete", n, "t1 \"c\" \"z\" end=" n "\nflow_begin", n, "t1 \"c\" \"f\" id=" k "\nlog", n, "t1 \"text\"\nend", n, "t1 \"c\" \"a\""'
    [json_tied]='print "{\"ph\":\"" (i%2 ? "B" : "X") "\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":" n ",\"name\":\"a\"},{\"ph\":\"i\",\"s\":\"t\",\"pid\":1,\"tid\":2,\"ts\":" n+1 ",\"name\":\"i\"},{\"ph\":\"s\",\"id\":" i ",\"pid\":1,\"tid\":2,\"ts\":" n+1 ",\"name\":\"f\"},"; if (i == n-1) for (k = 0; k < n; k += 2) print "{\"ph\":\"E\",\"pid\":1,\"tid\":2,\"ts\":" n+1 "},"'
    [no_length]='print "begin 5 t1 \"c\" \"a\"\ninstant 5 t1 \"c\" \"i\""; if (i == n-1) for (k = 0; k < n; k++) print "log 5 t1 \"text\"\nflow_begin 5 t1 \"c\" \"f\" id=" k "\nend 5 t1 \"c\" \"a\"\nbegin 5 t1 \"c\" \"b\"\ninstant 5 t1 \"c\" \"i\"\nend 5 t1 \"c\" \"b\""'
    [early]='print "instant", i, "t1 \"c\" \"i\"\nbegin", i, "t1 \"c\" \"a\""; if (i == n-1) for (k = 0; k < n; k++) print "end", n+k, "t1 \"c\" \"a\""'
    [beside]='print "complete " 10*i, "t1 \"c\" \"a\" end=" 10*i+9 "\nbegin", 10*n+i, "t1 \"c\" \"a\""; if (i == n-1) for (k = 0; k < n; k++) print "end", 11*n+k, "t1 \"c\" \"a\""'
    [damaged]='print (i ? "blob \"damaged time\" 1 \"\"\n" : "") "begin", 10*i, "t1 \"c\" \"a\"\ncomplete", 10*i+2, "t1 \"c\" \"b\" end=" 10*i+7; if (i == n-1) for (k = 0; k < n; k++) print "end", 10*n+k, "t1 \"c\" \"a\""'
    [children]='print (i ? "" : "complete 0 t1 \"c\" \"all\" end=" 10*n "\n") "complete " 10*i, "t1 \"c\" \"a" i%5 "\" end=" 10*i+9 "\ninstant", 10*i+3, "t1 \"c\" \"i\""'
    [equal]='print "complete 5 t1 \"c\" \"a\" end=9\ninstant 5 t1 \"c\" \"i\"\ncounter 5 t1 \"c\" \"n\" v=i64:" i " id=1\nlog 5 t1 \"text\"\ncomplete 5 t2 \"c\" \"a\" end=5"'
    [asyncs]='print "async_begin", 10*i, "t1 \"c\" \"op" i%5 "\" id=" i "\nasync_end", 10*i+25, "t1 \"c\" \"op" i%5 "\" id=" i'
    [waiting]='print "async_begin", 10*i, "t1 \"c\" \"op\" id=" i'
    [late]='print "complete", (i%2 ? 10*i : 10*(n-i)), "t1 \"c\" \"a\" end=" (i%2 ? 10*i : 10*(n-i))+9'
    [series]='print "counter", 10*i, "t1 \"c\" \"n\" v=i64:1 id=" i'
    [samples]='print "counter", 10*i, "t1 \"c\" \"n\" v=i64:" i " w=f64:1.5 id=1"'
    [logs]='print "log", 10*i, "t1 \"text " i " of many\""'
    [problems]='print "end", 10*i, "t1 \"c\" \"a\"\ncomplete", 10*i+9, "t2 \"c\" \"a\" end=" 10*i+5'
    [losses]='print "complete " 10*i, "t1 \"c\" \"a\" end=" 10*i+9 "\nprovider_event 1 0"'
    [objects]='print "kernel_object 2", i+10, "\"thread " i "\" process=koid:" i%5+1 "\nblob \"b" i%9 "\" 1 \"text\""'
    [profile]='print "module", 10*i, "t1", i%4000, "\"m\" \"id\"\nmmap", 10*i, "t1", i%4000, 5, 4096*i, 4096, 8192*i "\nbacktrace", 10*i, "t1", i, i+1'
    [json_complete]='print "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":" 10*i ",\"dur\":9,\"name\":\"a\",\"args\":{\"v\":" i "}},"'
    [json_pairs]='print "{\"ph\":\"B\",\"pid\":1,\"tid\":2,\"ts\":" i ",\"name\":\"a\"},"; if (i == n-1) for (k = 0; k < n; k++) print "{\"ph\":\"E\",\"pid\":1,\"tid\":2,\"ts\":" n+k "},"'
    [json_threads]='print "{\"ph\":\"X\",\"pid\":" i%5 ",\"tid\":\"t" i "\",\"ts\":" 10*i ",\"dur\":9,\"name\":\"a\"},{\"ph\":\"M\",\"pid\":" i%5 ",\"tid\":\"t" i "\",\"name\":\"thread_name\",\"args\":{\"name\":\"n" i "\"}},"'
    [json_one_thread]='print "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"n" i "\"}},"'
    [cpuprofile]='print (i ? "," : "") "{\"id\":" i+1 ",\"callFrame\":{\"functionName\":\"f" i "\"},\"children\":[" (i%50 == 49 ? "" : i+2) "]}"; if (i == n-1) { print "],\"timeDeltas\":[5"; for (k = 1; k < n; k++) print ",9"; print "],\"samples\":[1"; for (k = 1; k < n; k++) print "," k+1 }'
    [speedscope_evented]='print (i ? "," : "") "{\"type\":\"O\",\"frame\":0,\"at\":" i "}"; if (i == n-1) for (k = 0; k < n; k++) print ",{\"type\":\"C\",\"frame\":0,\"at\":" n+k "}"'
    [speedscope_profiles]='print "]},{\"type\":\"sampled\",\"unit\":\"seconds\",\"weights\":[1,1],\"name\":\"p" i "\",\"samples\":[[0,0],[0]"'
    [firefox_rows]='print (i ? "," : "") (i ? i-1 : "null"); if (i == n-1) { print "],\"frame\":["; for (k = 0; k < n; k++) print (k ? "," : "") k%9; print "]}},\"threads\":[{\"name\":\"t\",\"pid\":1,\"tid\":2,\"samples\":{\"time\":["; for (k = 0; k < n; k++) print (k ? "," : "") k; print "],\"stack\":["; for (k = 0; k < n; k++) print (k ? "," : "") (k % 2 ? k%60 : "null"); print "]},\"markers\":{\"name\":["; for (k = 0; k < n; k++) print (k ? "," : "") k%5; print "],\"phase\":["; for (k = 0; k < n; k++) print (k ? "," : "") k%4; print "],\"startTime\":["; for (k = 0; k < n; k++) print (k ? "," : "") k; print "],\"endTime\":["; for (k = 0; k < n; k++) print (k ? "," : "") k+1; print "]}" }'
    [firefox_threads]='print (i ? "," : "null],\"frame\":[0]}},\"threads\":[") "{\"name\":\"t\",\"pid\":\"p" i%5 "\",\"tid\":" i%3 (i%2 ? ",\"stringArray\":[\"a\"],\"funcTable\":{\"name\":[0]},\"frameTable\":{\"func\":[0]},\"stackTable\":{\"frame\":[0]}" : "") ",\"samples\":{\"stack\":[0],\"time\":[" i "]},\"markers\":{\"name\":[0],\"startTime\":[" i "]}"; if (i < n-1) print "}"'
    [json_profile]='print "{\"name\":\"ProfileChunk\",\"ph\":\"P\",\"pid\":1,\"tid\":2,\"id\":1,\"ts\":" i ",\"args\":{\"data\":{\"timeDeltas\":[9],\"cpuProfile\":{\"nodes\":[{\"id\":" i+1 ",\"parent\":" (i%50 ? i : 0) ",\"callFrame\":{\"functionName\":\"f" i "\"}}],\"samples\":[" i+1 "]}}}},"'
    [json_profiles]='print "{\"name\":\"ProfileChunk\",\"ph\":\"P\",\"pid\":1,\"tid\":2,\"id\":" i ",\"ts\":" i ",\"args\":{\"data\":{\"timeDeltas\":[9,9],\"cpuProfile\":{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"samples\":[1,1]}}}},{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"n" i "\"}},"'
    [json_asyncs]='print "{\"ph\":\"b\",\"cat\":\"c\",\"id\":\"x" i "\",\"pid\":1,\"tid\":2,\"ts\":" 10*i ",\"name\":\"a\"},{\"ph\":\"e\",\"cat\":\"c\",\"id\":\"x" i "\",\"pid\":1,\"tid\":2,\"ts\":" 10*i+25 ",\"name\":\"a\"},"'
    [json_flows]='print "{\"ph\":\"X\",\"pid\":1,\"tid\":" i%3 ",\"ts\":" 10*i ",\"dur\":9,\"name\":\"a\"},{\"ph\":\"s\",\"id\":" i ",\"pid\":1,\"tid\":" i%3 ",\"ts\":" 10*i+2 ",\"name\":\"f\"},{\"ph\":\"f\",\"bp\":\"e\",\"id\":" i ",\"pid\":1,\"tid\":" i%3 ",\"ts\":" 10*i+3 ",\"name\":\"f\"},"'
    [json_counters]='print "{\"ph\":\"C\",\"pid\":1,\"ts\":" 10*i ",\"name\":\"n" i%7 "\",\"args\":{\"a\":" i ",\"b\":1.5}},"'
    [json_stacks]='print "{\"ph\":\"P\",\"pid\":1,\"tid\":2,\"ts\":" 10*i ",\"name\":\"a\",\"sf\":" i "},{\"ph\":\"i\",\"s\":\"g\",\"pid\":1,\"tid\":2,\"ts\":" 10*i ",\"name\":\"i\"},"'
    [json_between]='print ",\"x\":[{\"a\":" i "},"'
    [processes]='print "complete " 10*i, i+5 "/" i+1000005, "\"c\" \"a" i%9 "\" end=" 10*i+9 "\nkernel_object 1", i+5, "\"p" i "\""'
    [cpus]='print "switch", 10*i, i, i%5+10, "3", (i+1)%5+10 "\nwakeup", 10*i+5, i, i%5+10'
    [templates]='print "log", 10*i, "t" i%3+1, "\"word" i "x of many\""'
    [flow_names]='print "complete " 10*i, "t1 \"c\" \"a" i "\" end=" 10*i+9 "\nflow_begin", 10*i+5, "t1 \"c\" \"f" i "\" id=" i "\ncomplete " 10*i, "t2 \"c\" \"b" i "\" end=" 10*i+9 "\nflow_end", 10*i+6, "t2 \"c\" \"f" i "\" id=" i'
    [flow_open]='print "flow_begin", 10*i, "t" i%3+1, "\"c" i "\" \"f\" id=7\ncomplete", 10*i, "t1 \"c\" \"a\" end=" 10*i+9'
    [strays]='print "begin", i, "t1 \"c\" \"a\""; if (i == n-1) for (k = 0; k < n; k++) print "end", n+k, "t1 \"c\" \"zz\""'
    [same_id]='print "async_begin", 10*i, "t1 \"c\" \"op\" id=7"; if (i == n-1) for (k = 0; k < n; k++) print "async_end", 10*n+k, "t1 \"c\" \"op" k "\" id=7"'
    [json_strays]='print "{\"ph\":\"B\",\"pid\":1,\"tid\":2,\"ts\":" i ",\"name\":\"a\"},"; if (i == n-1) for (k = 0; k < n; k++) print "{\"ph\":\"E\",\"pid\":1,\"tid\":2,\"name\":\"z\",\"ts\":" n+k "},"'
    [json_processes]='print "{\"ph\":\"M\",\"pid\":" i ",\"name\":\"process_name\",\"args\":{\"name\":\"p" i%3 "\"}},{\"ph\":\"M\",\"pid\":" i ",\"name\":\"process_labels\",\"args\":{\"labels\":\"l" i "\"}},{\"ph\":\"X\",\"pid\":" i ",\"tid\":1,\"ts\":" 10*i ",\"dur\":9,\"name\":\"a\"},"'
    [json_labels]='print "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_labels\",\"args\":{\"labels\":\"l" i "\"}},{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":" 10*i ",\"dur\":9,\"name\":\"a\"},"'
    [json_same_tid]='print "{\"ph\":\"M\",\"pid\":" i ",\"tid\":1,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":" i%7 "}},{\"ph\":\"X\",\"pid\":" i ",\"tid\":1,\"ts\":" 10*i ",\"dur\":9,\"name\":\"a\"},{\"ph\":\"M\",\"pid\":" i ",\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"main\"}},"'
    [json_other_tid]='print "{\"ph\":\"M\",\"pid\":5,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"n" i%2 "\"}},{\"ph\":\"X\",\"pid\":" i+10 ",\"tid\":1,\"ts\":" 10*i ",\"dur\":9,\"name\":\"a\"},"'
    [nameless]='print "kernel_object 2 10 \"\" process=koid:1\nuserspace_object 7 t1 \"\"\nuserspace_object 8 1/10 \"\"\ncomplete", 10*i, "t1 \"c\" \"a\" end=" 10*i+9, "owner=koid:10 at=ptr:8"'
    [json_waiting]='print "{\"ph\":\"s\",\"id\":" i ",\"pid\":1,\"tid\":1,\"ts\":" 10*i ",\"name\":\"f\"},{\"ph\":\"f\",\"id\":" i ",\"pid\":1,\"tid\":2,\"ts\":" 10*i+5 ",\"name\":\"f\"},"; if (i == n-1) for (k = 0; k < n; k++) print "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":" 10*k+7 ",\"dur\":2,\"name\":\"a\"},"'
    [json_one_flow]='print "{\"ph\":\"X\",\"pid\":1,\"tid\":" i%3 ",\"ts\":" 10*i ",\"dur\":9,\"name\":\"a\"},{\"ph\":\"" (i ? "f" : "s") "\",\"bp\":\"e\",\"id\":7,\"pid\":1,\"tid\":" i%3 ",\"ts\":" 10*i+2 ",\"name\":\"f\"},"'
    [json_states]='print "{\"ph\":\"T\",\"pid\":1,\"tid\":" i%4 ",\"ts\":" 10*i ",\"state\":\"" (i%2 ? "S" : "R") "\"},"'
    [json_objects]='print "{\"ph\":\"N\",\"cat\":\"c\",\"id\":\"" i "\",\"pid\":1,\"tid\":2,\"ts\":" 10*i ",\"name\":\"o\"},{\"ph\":\"O\",\"cat\":\"c\",\"id\":\"" i "\",\"pid\":1,\"tid\":2,\"ts\":" 10*i+1 ",\"name\":\"o\",\"args\":{\"snapshot\":{\"a\":[" i "]}}},"'
    [folded]='print "main;f" i ";g" i%9 ";leaf " i+1'
    [json_cut]='printf "%s", i%50 == 49 ? "{\"ph\":\"i\",\"name\":\"w\",\"ts\":" i "}" : (i%3 ? "{\"ph\":\"X\",\"name\":" : "{\"ph\":\"X\",\"na"); if (i%50 == 49) print ","'
    [strace_forks]='print 7, i ".000001 clone(flags=0 <unfinished ...>\n" i+10, i ".000002 close(3) = 0 <0.000001>\n7", i ".000003 <... clone resumed>) = " i+10, "<0.000002>"'
    [strace_screen]='print (i ? "" : "strace: Process 9999999 attached\n") "[pid " i+10 "]", i ".000001 read(3, \"\", 9) = 0 <0.000001>\n[pid " i+10 "]", i ".000002 +++ exited with 0 +++\n" i ".000003 close(3) = 0 <0.000001>"'
    [ftrace_threads]='printf "a%d-%d [%03d] %d.000001: sched_switch: prev_comm=a%d prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=b prev_pid=%d next_pid=%d next_prio=120\na%d-%d (%d) [%03d] %d.000002: x: y=1\n", i, i+10, i%70, i, i, i+10, i, i+11, i, i+10, i%9, i%70, i'
    [ftrace_marks]='print "a-1 [000] " i ".000001: print: B|1|x\na-1 [000] " i ".000002: sys_enter: NR " i " (1)"; if (i == n-1) print "a-1 [000] " n ".000001: sched_process_exit: comm=a pid=1 prio=120"'
    [ftrace_interrupts]='print "a-1 [" i%70 "] " i ".000001: irq_handler_entry: irq=" i%20 " name=x\na-1 [" i%70 "] " i ".000002: irq_handler_exit: irq=" i%7 " ret=handled\nCPU:" i%70 " [LOST 3 EVENTS]"'
    [perf_rows]='print "a 1 [000]", i ".000000: 7 e" i ": 1 f (d)"; if (i % 2) print "a 1 [000]", i ".000001: sched:sched_switch: a:1 [1] S ==> b:2 [1]"'
    [perf_stacks]='print "a", i % 50 + 1, i ".000000: 7 cycles:"; for (k = i % 9; k >= 0; k--) print "\t" k " f" (k > 6 ? i : k) "+0x1 (/bin/d" k % 3 ")"'
    [otlp_wide]='print (i ? "" : "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"1\",\"spanId\":\"1\",\"name\":\"p\",\"startTimeUnixNano\":1700000000000000000,\"endTimeUnixNano\":1700000000100000000}") ",{\"traceId\":\"1\",\"spanId\":\"" i+2 "\",\"parentSpanId\":\"1\",\"name\":\"c\",\"startTimeUnixNano\":1700000000000000000,\"endTimeUnixNano\":1700000000050000000}" (i < n-1 ? "" : "]}]}]}")'
    [otlp_chain]='print "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"1\",\"spanId\":\"" i+1 "\",\"parentSpanId\":\"" i "\",\"name\":\"c\",\"startTimeUnixNano\":1700000000000000000,\"endTimeUnixNano\":1700000000050000000,\"links\":[{\"traceId\":\"1\",\"spanId\":\"" n-i "\"}]}]}]}]}"'
    [zipkin_shared]='print (i ? "," : "[") "{\"traceId\":\"1\",\"id\":\"2\",\"kind\":\"SERVER\",\"shared\":true,\"timestamp\":17000000" 10000000+i ",\"duration\":" i ",\"localEndpoint\":{\"serviceName\":\"s" i "\"}}"; if (i == n-1) print "]"'
    [table_rows]='print (i ? "" : "ts,dur,name,thread,flow,x\n") 10*i ",9,a" i%7 ",t" i ",f" i%3 ",\"" i "\""'
    [json_lines]='print "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":" 10*i ",\"dur\":9,\"name\":\"a\"}"'
)

make_trace() { # CASE N FILE
    local head='' tail=''
    case $1 in
    json_lines | folded | strace_* | ftrace_* | perf_* | otlp_* | zipkin_* | table_*) ;;
    cpuprofile) head='{"nodes":[' tail=']}' ;;
    firefox_*) head='{"meta":{"preprocessedProfileVersion":60},"shared":{"stringArray":["f","g"],"funcTable":{"name":[0,1,0,1,0,1,0,1,0]},"frameTable":{"func":[0,1,2,3,4,5,6,7,8]},"stackTable":{"prefix":[' tail='}]}' ;;
    speedscope_*) head='{"shared":{"frames":[{"name":"a"}]},"profiles":[{"type":"evented","unit":"seconds","events":[' tail=']}]}' ;;
    json_*) head='{"traceEvents":[' tail='{}]}' ;;
    *) head=$'magic\nprovider 2 "p2"\nprovider 1 "p1"\ninit 1000000000\nthread 1 1 10\nthread 2 1 11\nthread 3 2 12\nstring 1 "a"' ;;
    esac
    {
        [ -z "$head" ] || printf '%s\n' "$head"
        awk -v n="$2" "BEGIN { for (i = 0; i < n; i++) { ${cases[$1]} } }"
        [ -z "$tail" ] || printf '%s\n' "$tail"
    } >"$tmp/text"
    case $1 in
    json_* | folded | strace_* | ftrace_* | perf_* | otlp_* | zipkin_* | table_* | cpuprofile | speedscope_* | firefox_*) mv "$tmp/text" "$3" ;;
    *) "$mktrace" "$tmp/text" "$3" ;;
    esac
}

n=${1:-100} joined=20
[ $# -eq 0 ] || { joined=1; shift; }
[ $# -gt 0 ] || set -- "${!cases[@]}"
passed=0 failed=0
for name; do
    for k in 1 2 8; do
        make_trace "$name" $((n * k)) "$tmp/n$k" || { echo "$name: no trace"; failed=$((failed + 1)); }
    done
    said=$("$growth" "$name" "$tmp/n1" "$tmp/n2" "$tmp/n8" "$joined")
    counts=$(tail -n 1 <<<"$said" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    [ -n "$counts" ] || { echo "FAILED: $name: it did not end"; counts='0 1'; }
    sed '$d' <<<"$said"
    passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
