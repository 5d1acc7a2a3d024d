#!/bin/bash
# formats.sh - measures what the importers read in a second of one processor, and prints rows of doc/PERFORMANCE.md.
#
# FXTOP: the program. FORMATS_SIZE of each text in MB (20), FORMATS_RUNS of each (3), of which the median counts. FORMATS: those
# to measure, by their names below. A line after the table names those below 150 MB/s, which is asked of text.
set -eu
export LC_ALL=C
fxtop=${FXTOP:-./fxtop}
mb=${FORMATS_SIZE:-20} runs=${FORMATS_RUNS:-3} asked=150
work=$(mktemp -d "${TMPDIR:-/tmp}/fxtop-formats.XXXXXX")
export XDG_CACHE_HOME=$work/cache XDG_RUNTIME_DIR=$work XDG_STATE_HOME=$work
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Of each format: what it is called, and the body of a function lines(i) of awk for the i-th lines. begin and end are around
# all of them; sep is between them.
formats() {
    cat <<'END'
chrome|Chrome's JSON|begin="{\"traceEvents\":[\n"; sep=",\n"; end="]}"|printf "{\"ph\":\"X\",\"cat\":\"c%d\",\"name\":\"name %d\",\"pid\":1,\"tid\":%d,\"ts\":%d.125,\"dur\":7.5,\"args\":{\"v\":%d,\"text\":\"of %d\"}}", i%5, i%200, i%16, 10*i, i, i%9
otlp|OTLP|sep="\n"|printf "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":\"s%d\"}}]},\"scopeSpans\":[{\"spans\":[{\"traceId\":\"%032x\",\"spanId\":\"%016x\",\"parentSpanId\":\"%s\",\"name\":\"op %d\",\"kind\":2,\"startTimeUnixNano\":\"17000000%011d\",\"endTimeUnixNano\":\"17000000%011d\",\"attributes\":[{\"key\":\"http.method\",\"value\":{\"stringValue\":\"GET\"}},{\"key\":\"n\",\"value\":{\"intValue\":\"%d\"}}]}]}]}]}", i%7, int(i/9)+1, i+1, (i%9 ? sprintf("%016x", i) : ""), i%100, 1000*i, 1000*i+(9-i%9)*1000, i
jaeger|Jaeger|begin="{\"data\":["; sep=",\n"; end="]}"|printf "{\"traceID\":\"%x\",\"spans\":[{\"traceID\":\"%x\",\"spanID\":\"%x\",\"operationName\":\"op %d\",\"references\":[],\"startTime\":17000000%08d,\"duration\":9,\"tags\":[{\"key\":\"http.method\",\"type\":\"string\",\"value\":\"GET\"}],\"logs\":[],\"processID\":\"p1\"}],\"processes\":{\"p1\":{\"serviceName\":\"s%d\",\"tags\":[]}}}", i+1, i+1, i+1, i%100, 10*i, i%7
zipkin|Zipkin|begin="["; sep=",\n"; end="]"|printf "{\"traceId\":\"%016x\",\"id\":\"%016x\",\"kind\":\"SERVER\",\"name\":\"op %d\",\"timestamp\":17000000%08d,\"duration\":9,\"localEndpoint\":{\"serviceName\":\"s%d\"},\"tags\":{\"http.method\":\"GET\"}}", i+1, i+1, i%100, 10*i, i%7
cpuprofile|.cpuprofile|begin="{\"nodes\":["; for (k = 1; k <= 5000; k++) begin = begin (k > 1 ? ",\n" : "") "{\"id\":" k ",\"callFrame\":{\"functionName\":\"f" k%900 "\",\"scriptId\":\"7\",\"url\":\"file:///a.js\",\"lineNumber\":" k ",\"columnNumber\":5}" (k > 1 ? ",\"parent\":" int(k/2) : "") "}"; begin = begin "],\"startTime\":5,\"samples\":["; sep=","; end="],\"timeDeltas\":["; tail="125"; last="]}"|printf "%d", 2*((int(i/16)*7919)%2400)+2+i%2
speedscope|speedscope, sampled|begin="{\"shared\":{\"frames\":["; for (k = 0; k < 900; k++) begin = begin (k ? ",\n" : "") "{\"name\":\"f" k "\",\"file\":\"a.py\",\"line\":" k "}"; begin = begin "]},\"profiles\":[{\"type\":\"sampled\",\"name\":\"t\",\"unit\":\"seconds\",\"startValue\":0,\"endValue\":1,\"samples\":["; sep=","; end="],\"weights\":["; tail="0.01"; last="]}]}"|printf "[0,%d,%d,%d,%d,%d]", int(i/500)%3, int(i/100)%17+3, int(i/32)%29+20, int(i/8)%53+50, i%3+110
speedscope_evented|speedscope, evented|begin="{\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"}]},\"profiles\":[{\"type\":\"evented\",\"name\":\"t\",\"unit\":\"microseconds\",\"events\":["; sep=",\n"; end="]}]}"|printf "{\"type\":\"O\",\"frame\":0,\"at\":%d},{\"type\":\"O\",\"frame\":1,\"at\":%d},{\"type\":\"C\",\"frame\":1,\"at\":%d},{\"type\":\"C\",\"frame\":0,\"at\":%d}", 4*i, 4*i+1, 4*i+2, 4*i+3
firefox|Firefox, samply|begin="{\"meta\":{\"interval\":1,\"startTime\":1700000000000,\"preprocessedProfileVersion\":60},\"libs\":[{\"name\":\"a.so\"}],\"shared\":{\"stringArray\":["; for (k = 0; k < 900; k++) begin = begin (k ? "," : "") "\"f" k "\""; begin = begin "],\"funcTable\":{\"name\":["; for (k = 0; k < 900; k++) begin = begin (k ? "," : "") k; begin = begin "]},\"frameTable\":{\"func\":["; for (k = 0; k < 5000; k++) begin = begin (k ? "," : "") k%900; begin = begin "]},\"stackTable\":{\"frame\":["; for (k = 0; k < 5000; k++) begin = begin (k ? "," : "") k; begin = begin "],\"prefix\":[null"; for (k = 1; k < 5000; k++) begin = begin "," int((k-1)/2); begin = begin "]}},\"threads\":[{\"name\":\"t\",\"pid\":\"1\",\"tid\":2,\"samples\":{\"weight\":null,\"stack\":["; sep=","; end="],\"timeDeltas\":["; tail="1.000125"; last="]}}]}"|printf "%d", 2*((int(i/16)*7919)%2400)+1+i%2
firefox_markers|Firefox, gecko, markers|begin="{\"meta\":{\"interval\":1,\"startTime\":1700000000000,\"version\":24,\"categories\":[{\"name\":\"Other\"}]},\"libs\":[],\"threads\":[{\"name\":\"t\",\"pid\":1,\"tid\":2,\"stringTable\":[\"a\",\"b\",\"c\"],\"markers\":{\"schema\":{\"name\":0,\"startTime\":1,\"endTime\":2,\"phase\":3,\"category\":4,\"data\":5},\"data\":["; sep=",\n"; end="]}}]}"|printf "[%d,%d.25,%d.75,1,0,{\"type\":\"Text\",\"name\":\"text %d\",\"n\":%d}]", i%3, i, i, i%100, i
strace|strace|sep="\n"|printf "%d 1700000%03d.%06d read(3</etc/passwd>, \"root:x:0:0:root:/root:/bin/bash\\n\"..., 4096) = %d <0.000012>", i%16+10, int(i/1000000), i%1000000, i%4096
perf|perf script|sep="\n"|printf "worker %5d/%d [%03d] %d.%06d:     250000 cpu-clock:pppH: \n\t    55d0c0a0%04x inner_%d+0x1f (/usr/bin/worker)\n\t    55d0c0b0%04x outer_%d+0x2f (/usr/bin/worker)\n\t    7f1c0c00%04x __libc_start_main+0x85 (/usr/lib/libc.so.6)\n", i%16+10, i%16+10, i%4, int(i/1000000), i%1000000, i%65536, i%90, i%65536, i%9, i%65536
ftrace|ftrace|begin="# tracer: nop\n"; sep="\n"|printf "          <idle>-0       [%03d] d..2. %5d.%06d: sched_switch: prev_comm=swapper/%d prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=worker next_pid=%d next_prio=120\n          worker-%d      [%03d] d..2. %5d.%06d: sched_switch: prev_comm=worker prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=swapper/%d next_pid=0 next_prio=120", i%4, int(i/500000), 2*(i%500000), i%4, i%16+10, i%16+10, i%4, int(i/500000), 2*(i%500000)+1, i%16+10, i%4
csv|a table, CSV|begin="ts_us,dur_us,name,thread,bytes,note\n"; sep="\n"|printf "%d.125,7.5,name %d,t%d,%d,\"a text, in quotes\"", 10*i, i%200, i%16, i
lines|a table, JSON lines|sep="\n"|printf "{\"ts_us\":%d.125,\"dur_us\":7.5,\"name\":\"name %d\",\"thread\":\"t%d\",\"bytes\":%d}", 10*i, i%200, i%16, i
folded|collapsed stacks|sep="\n"|printf "main;run_%d;parse_%d;read_%d;copy %d", i%7, i%90, i%300, i%50+1
END
}

# tail: a value for each of the lines, after `end`; last: after these.
make() { # SETUP LINE FILE
    awk -v most=$((mb * 1000000)) "function lines(i) { $2 }
        BEGIN {
            $1
            for (k = 0; k < 2000; k++) { lines(k); printf \"%s%s\", sep, tail }
        }" >"$work/part"
    local bytes rows
    bytes=$(wc -c <"$work/part")
    rows=$((2000 * mb * 1000000 / bytes))
    awk -v rows="$rows" "function lines(i) { $2 }
        BEGIN {
            $1
            printf \"%s\", begin
            for (k = 0; k < rows; k++) { if (k) printf \"%s\", sep; lines(k) }
            printf \"%s\", end
            if (tail != \"\") {
                for (k = 0; k < rows; k++) printf \"%s%s\", (k ? sep : \"\"), tail
                printf \"%s\", last
            }
            printf \"\n\"
        }" >"$3"
}

one_core() { if command -v taskset >/dev/null; then taskset -c 0 "$@"; else "$@"; fi; }
figure() { awk -v name="$1" 'index($0, name " ") == 1 { print $(split(name, words, " ") + 1); exit }' "$2"; }
median() { sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }

TIMEFORMAT='%U %S' # processor time of the whole process, which other programs do not change
short=''
while IFS='|' read -r name said setup line; do
    [[ " ${FORMATS:-$name} " == *" $name "* ]] || continue
    make "name = \"$name\"; $setup" "$line" "$work/text"
    bytes=$(wc -c <"$work/text")
    : >"$work/taken"
    for ((k = 0; k < runs; k++)); do
        { time one_core "$fxtop" --no-cache --stats --summary "$work/text" >"$work/out" 2>"$work/err"; } 2>"$work/time"
        awk '{ print ($1 + $2) * 1000 }' "$work/time" >>"$work/taken"
    done
    ms=$(median <"$work/taken") memory=$(figure 'own memory' "$work/err") rate=0
    [ -n "$ms" ] || { echo "formats.sh: $name was not read" >&2; exit 1; }
    if grep -q '^problem ' "$work/out"; then
        echo "formats.sh: $name has problems" >&2
        exit 1
    fi
    rate=$(awk -v b="$bytes" -v t="$ms" 'BEGIN { printf "%.0f", b / t / 1e3 }')
    awk -v s="$said" -v b="$bytes" -v r="$rate" -v m="$memory" -v e="$(sed -n 's/^span.*//; s/^size: .*, \([0-9,.]*[a-z]*\) events.*/\1/p' "$work/out")" \
        'BEGIN { printf "| %s | %.0f MB, %s events | %d MB/s | %.0f MB |\n", s, b / 1e6, e, r, m / 1e6 }'
    [ "$rate" -ge $asked ] || short="$short${short:+, }$said"
done < <(formats)
printf '\nBelow the %d MB/s that is asked of text on one processor: %s.\n' $asked "${short:-none}"
