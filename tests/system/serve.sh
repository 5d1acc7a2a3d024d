#!/usr/bin/env bash
# serve.sh - fxtop serve --stdio: programs find what was planted in three traces, and hostile ones get an answer.
#
# In each trace one of twenty requests is slow: in a, a part of it is; in b and c, it has a part that the others lack.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) build=$(cd "${FXTOP_BUILD:-.}" && pwd)
fxtop=$(realpath "${FXTOP:-$build/fxtop}")
mktrace=$build/tests/lib/mktrace
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
"$fxtop" --version | grep -q '^with:.* sqlite' || { echo 'built without SQLite'; exit 77; }

planted() { # PARTS-OF-THE-SLOW-REQUEST: NAME LENGTH in ms, by commas; all others have Parse, Compile and Send of 1 ms
    echo magic
    echo 'init 1000000'
    echo 'thread 1 5 6'
    local i at part name length
    for ((i = 0; i < 20; i++)); do
        at=$((i * 100000))
        echo "begin $at t1 \"web\" \"Request\" n=i32:$i"
        IFS=, read -r -a parts <<<'Parse 1,Compile 1,Send 1'
        [ "$i" != 13 ] || IFS=, read -r -a parts <<<"$1"
        for part in "${parts[@]}"; do
            name=${part% *} length=$((${part##* } * 1000))
            echo "complete $at t1 \"web\" \"$name\" end=$((at + length))"
            at=$((at + length))
        done
        echo "end $at t1 \"web\" \"Request\""
    done
}

planted 'Parse 1,Compile 40,Send 1' >"$tmp/a.txt"
planted 'Parse 1,Read index 25,Compile 1,Send 1' >"$tmp/b.txt"
planted 'Parse 1,Compile 1,Retry 9,Send 1' >"$tmp/c.txt"
for name in a b c; do "$mktrace" "$tmp/$name.txt" "$tmp/$name.fxt" || exit 1; done

failed=0
# Without Python: the answers to three lines are three lines, each whole.
{
    echo '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    echo '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"instances","arguments":{"filter":"name=Request","rows":1}}}'
    echo '{"jsonrpc":"2.0","id":3,"method":"query","params":{"sql":"select name from slice order by dur desc","rows":2}}'
} | "$fxtop" serve --stdio "$tmp/a.fxt" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && [ "$(grep -c '^{"jsonrpc":"2.0","id":[123],"result":{.*}$' "$tmp/out")" -eq 3 ] && [ ! -s "$tmp/err" ] &&
    grep -qF '"rows":[{"name":"Request"},{"name":"Compile"}],"truncated":true' "$tmp/out" ||
    { failed=1; echo 'FAILED: three lines'; cat "$tmp/out" "$tmp/err"; }
for wrong in 'serve' "serve $tmp/a.fxt" 'serve --stdio' "serve --stdio $tmp/none" 'serve --stdio -' "serve --stdio -o $tmp/o $tmp/a.fxt"; do
    # shellcheck disable=SC2086 # words
    "$fxtop" $wrong </dev/null >"$tmp/out" 2>"$tmp/err"
    [ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && [ ! -s "$tmp/out" ] || { failed=1; echo "FAILED: $wrong"; cat "$tmp/err"; }
done
if command -v python3 >/dev/null; then
    timeout 300 python3 "$top/tests/tools/check_serve.py" "$fxtop" "$tmp" || failed=1
fi
exit "$failed"
