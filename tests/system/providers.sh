#!/usr/bin/env bash
# providers.sh - what --providers=NAME shows is what the trace would be without the events of the others.
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
export HOME=$tmp XDG_CACHE_HOME=$tmp/cache

# The text of a trace without the events of all but one provider.
without() { # NAME
    awk -v want="\"$1\"" '
        $1 == "provider" { names[$2] = $3; current = $2 }
        $1 == "section" { current = $2 }
        $1 ~ /^(begin|end|complete|instant|counter|async_.*|flow_.*|switch.*|wakeup|log|large_event|module|mmap|backtrace)$/ &&
            names[current] != want { next }
        { print }'
}

shown() { # ARGUMENT...: without what tells where records are
    "$fxtop" --export=ndjson "$@" 2>/dev/null | grep -v '"type":"trace"' | sed 's/,"[a-z_]*offset":[0-9]*//g'
}

like_the_rest() { # NAME TEXT
    "$build/tests/lib/mktrace" "$2" all.fxt && without "$1" <"$2" | "$build/tests/lib/mktrace" - part.fxt || return
    shown part.fxt >wanted
    shown --providers="$1" all.fxt >got
    case_is "$(basename "$2"): $1" diff wanted got
    # Written again, it has no faults, and ids of its own.
    "$fxtop" --export=fxt --providers="$1" all.fxt >again.fxt 2>/dev/null
    shown part.fxt | grep -v '"type":"\(provider\|problem\|end\)"' >wanted
    shown again.fxt | grep -v '"type":"\(provider\|problem\|end\)"' >got
    case_is "$(basename "$2"): $1 as clean FXT" diff wanted got
}

for name in clock_two_providers lost provider_again provider_renamed slice_two_providers tables_per_provider; do
    for provider in $(sed -n 's/^provider [0-9]* "\(.*\)"/\1/p' "$top/tests/traces/$name.txt" | sort -u); do
        like_the_rest "$provider" "$top/tests/traces/$name.txt"
    done
done

# Three providers that take turns, with all kinds of events, and strings and threads of each.
awk 'BEGIN {
    print "magic"
    for (i = 0; i < 3; i++)
        print "provider", i+1, "\"p" i "\"\ninit 1000000000\nthread 1", i+5, i+50 "\nstring 1 \"name" i "\""
    for (i = 0; i < 600; i++) {
        p = i * 7 % 3
        print "section", p+1
        print "complete", 10*i, "t1 \"c\" s1 end=" 10*i+9 "\ninstant", 10*i, "1/" i%9 " \"c\" \"i\""
        print "switch", 10*i, i%2, i%4+10, "3", (i+1)%4+10 "\nlog", 10*i, "t1 \"line\""
        print "flow_begin", 10*i, "t1 \"c\" \"f\" id=" i "\nflow_end", 10*i+5, "t1 \"c\" \"f\" id=" i
        print "counter", 10*i, "t1 \"c\" \"n\" id=1 v=i32:" i "\nkernel_object 2", i%9, "\"thread " i "\" process=koid:1"
        print "async_begin", 10*i, "t1 \"c\" \"o\" id=" i "\nasync_end", 10*i+5, "t1 \"c\" \"o\" id=" i
    }
}' >turns
for i in 0 1 2; do like_the_rest p$i turns; done
"$build/tests/lib/mktrace" turns turns.fxt
[ "$(shown --providers=p0,p1,p2 turns.fxt)" = "$(shown turns.fxt)" ]
case_is 'all of them are all' [ $? = 0 ]
"$fxtop" --check --providers=p2,,p0 turns.fxt >out 2>err
case_is 'it is told' [ "$?$(cat err)" = '0fxtop: turns.fxt: note: events of 1 of 3 providers are passed over' ]
for mode in --summary --print --export=fxt --export=json --check; do
    "$fxtop" $mode --providers=p1,nosuch turns.fxt >out 2>err
    case_is "$mode: a provider that is not there" [ "$?$(wc -c <out)$(cat err)" = \
        "20fxtop: turns.fxt: --providers: there is no 'nosuch', but p0, p1, p2" ]
done
cp turns.fxt again.fxt
"$fxtop" --export=fxt --providers=p1 turns.fxt >got 2>/dev/null
"$fxtop" --export=fxt --providers=p1 - <turns.fxt >piped 2>/dev/null
case_is 'from a file that is standard input' cmp got piped
{ cat turns.fxt; } | "$fxtop" --export=fxt --providers=p1 - >piped 2>/dev/null
case_is 'from a pipe' cmp got piped
"$fxtop" --compare --providers=nosuch turns.fxt again.fxt >out 2>err
case_is '--compare: a provider that is not there' [ "$?$(wc -c <out)$(wc -l <err)" = 201 ]
"$fxtop" --together --check --providers=p1 turns.fxt again.fxt >out 2>err
case_is 'of two files' [ "$(grep -c 'events of 4 of 6 providers are passed over$' err)" = 1 ]
shown --load=20%..60% --providers=p1 turns.fxt >got
"$fxtop" --cut=20%..60% --providers=p1 turns.fxt >cut.fxt 2>/dev/null
shown cut.fxt >wanted
case_is 'with --load, as --cut' diff wanted got
"$fxtop" --check --providers= turns.fxt >out 2>err
case_is 'no name' [ "$?$(wc -l <err)" = 21 ]
"$fxtop" --check --providers=p1 "$top/tests/import/clang.json" >out 2>err
case_is 'a trace without providers' grep -q 'names no provider' err
"$fxtop" --cache=write --summary --providers=p1 turns.fxt >out 2>err
case_is 'no index of a part is kept' [ ! -e cache ]
echo "providers: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
