#!/bin/bash
# hostile.sh [CASE ...] - traces, file names and command lines as somebody makes them who wants to do harm.
#
# hostile writes the cases, strict runs fxtop on them and holds what it says against a grammar: every mode that prints, and
# the real screen with a walk through its views. Large ones have a third of their events, and under sanitizers a ninth; there small ones
# are opened in every mode by one process, since the beginning of one takes 0.1 s there (every.c). With names of cases only these; the last line says what passed.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
fxtop=${FXTOP:-$build/fxtop} runs=$build/tests/system/runs hostile=$build/tests/system/hostile strict=$build/tests/system/strict
for program in "$fxtop" "$runs" "$hostile" "$strict"; do
    [ -x "$program" ] || { echo "$program is missing: make check builds it"; echo '0 passed, 1 failed'; exit 1; }
done
tmp=$(mktemp -d) || exit 1
trap 'chmod -R u+rwX "$tmp"; rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
sanitized=false
"$strict" sanitized && sanitized=true

passed=0 failed=0
fail() { # WHAT
    echo "FAILED: $*"
    failed=$((failed + 1))
}

judged() { # PROGRAM ARG...: what it says of it
    local said counts err=$tmp/judged.$BASHPID
    said=$("$@" 2>"$err")
    counts=$(tail -n 1 <<<"$said" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    [ -n "$counts" ] || { fail "$*: no answer"; echo "$said"; tail -n 200 "$err"; return; }
    [ "${counts#* }" -eq 0 ] || { sed '$d' <<<"$said"; tail -n 200 "$err"; }
    passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
}

judge() { # ARG...: what strict says of it
    judged "$strict" "$@"
}

generate() { # CASE [N]
    "$hostile" "$1" "$tmp/$1" ${2:+"$2"} || { fail "$1: not written"; return 1; }
}

wanted() { # CASE
    local name
    [ ${#only[@]} -eq 0 ] && return 0
    for name in "${only[@]}"; do
        [ "$name" = "$1" ] && return 0
    done
    return 1
}

# A line "NAME SIZE small|big trace|refused N" each, of those wanted.
only=("$@")
"$hostile" list >"$tmp/list"
[ "$(wc -l <"$tmp/list")" -gt 90 ] || fail 'the list of cases is not whole'
: >"$tmp/cases"
while read -r name size what n _; do
    wanted "$name" && echo "$name $size $what $n" >>"$tmp/cases"
done <"$tmp/list"

while read -r name size what n; do
    [ "$size" = small ] || continue
    generate "$name" || continue
    [ "$(stat -c %s "$tmp/$name")" -lt 1000000 ] || fail "$name: is not small"
done <"$tmp/cases"

# The screen waits for a terminal more than for a processor: beside the rest.
screens() {
    passed=0 failed=0
    while read -r name size what _; do
        [ "$size" = small ] && judge screen "$fxtop" "$tmp/$name" "$what"
    done <"$tmp/cases"
    echo "$passed passed, $failed failed"
}
screens >"$tmp/screens.log" &

while read -r name size what n; do
    if [ "$size" = small ] && "$sanitized"; then
        judged "$build/tests/system/every" "$tmp/$name"
    elif [ "$size" = small ]; then
        judge modes "$runs" "$tmp/$name" "$what"
    else
        n=$(((n + 2) / 3)) # large ones are large then, too
        $sanitized && n=$(((n + 2) / 3))
        generate "$name" "$n" && judge big "$fxtop" "$tmp/$name"
        rm -f "$tmp/$name"
    fi
done <"$tmp/cases"

check() { # WHAT STATUS COMMAND...: its status, and one line of an error where it is not 0
    local what=$1 status=$2 got
    shift 2
    "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    got=$?
    if [ "$got" -ne "$status" ]; then
        fail "$what: status $got"
        cat "$tmp/err"
    elif [ "$(wc -l <"$tmp/err")" -ne $((status == 2)) ]; then
        fail "$what: standard error"
        cat "$tmp/err"
    else
        passed=$((passed + 1))
    fi
}

says() { # WHAT: it is in the error line
    if grep -q -e "$1" "$tmp/err"; then passed=$((passed + 1)); else fail "no '$1': $(cat "$tmp/err")"; fi
}

files() { # what is no plain file with a trace
    generate text-osc && generate gzip && generate gzip-bomb 4 || return
    judge options "$runs" "$tmp/text-osc"
    judge names "$runs" "$tmp/text-osc"
    : >"$tmp/empty"
    mkdir "$tmp/directory"
    printf 'x' >"$tmp/forbidden" && chmod 000 "$tmp/forbidden"
    ln -s "$tmp/vanished" "$tmp/dangling"
    ln -s "$tmp/loop" "$tmp/loop"
    truncate -s 1T "$tmp/sparse"
    for file in "$tmp/empty" "$tmp/directory" /dev/zero /dev/null "$tmp/forbidden" "$tmp/vanished" "$tmp/dangling" \
        "$tmp/loop" "$tmp/sparse"; do
        judge unreadable "$fxtop" "$file"
    done
    check 'a sparse terabyte' 2 "$fxtop" --summary "$tmp/sparse"
    says 'zeros: not written yet, or a hole'
    mkfifo "$tmp/fifo"
    # Derived records come after the bytes of the file, with a space between if the pipe has not ended by then.
    same() { # the lines that are the same
        awk -v size="$(wc -c <"$tmp/text-osc")" '!/^{"type":"trace"/ {
            if (match($0, /"offset":[0-9]+}$/) && substr($0, RSTART + 9) + 0 >= size)
                $0 = substr($0, 1, RSTART - 1)
            print
        }'
    }
    for mode in --export=ndjson --records; do
        "$fxtop" $mode "$tmp/text-osc" | same >"$tmp/plain"
        cat "$tmp/text-osc" >"$tmp/fifo" &
        check "a FIFO, $mode" 0 "$fxtop" $mode "$tmp/fifo"
        if same <"$tmp/out" | cmp -s - "$tmp/plain"; then
            passed=$((passed + 1))
        else
            fail "a FIFO, $mode: says something else than the file"
        fi
        wait $!
    done
    check '--max-inflate' 2 "$fxtop" --summary --max-inflate=1m "$tmp/gzip-bomb"
    says 'max-inflate'
    if grep -q '^records: .* 1,001 duration_complete' "$tmp/out"; then
        passed=$((passed + 1))
    else
        fail '--max-inflate: what came before is not shown'
    fi
    check 'behind a bomb' 0 "$fxtop" --check "$tmp/gzip-bomb"
}
[ ${#only[@]} -gt 0 ] || files

wait
sed '$d' "$tmp/screens.log"
read -r more _ bad _ < <(tail -n 1 "$tmp/screens.log")
passed=$((passed + ${more:-0})) failed=$((failed + ${bad:-1}))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
