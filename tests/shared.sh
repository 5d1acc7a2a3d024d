#!/usr/bin/env bash
# shared.sh FXTOP SHARED - exports every trace of SHARED/vectors and SHARED/corpus and compares with what is expected.
#
# NAME.fxt, NAME.fxt.gz or NAME.fxt.zst has NAME.ndjson or NAME.ndjson.gz beside it; without one fxtop must refuse it
# (status 2). Each export is also held against itself. A line a difference, "N passed, N failed" last; exit 1 when one
# failed.
set -u
[ $# -eq 2 ] || { echo 'usage: shared.sh FXTOP SHARED' >&2; exit 2; }
fxtop=$(realpath "$1") shared=$(realpath "$2") passed=0 failed=0
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT

check() { # TRACE: prints what is wrong
    local trace=$1 name=${1%.fxt*} want='' status=0
    for want in "$name.ndjson" "$name.ndjson.gz" ''; do
        [ -e "$want" ] && break
    done
    timeout 120 "$fxtop" --export=ndjson "$trace" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
    if [ -z "$want" ]; then
        [ "$status" -eq 2 ] || { echo "status $status instead of 2"; return 1; }
        return 0
    fi
    [ "$status" -eq 0 ] || { echo "status $status"; head -n 20 "$tmp/err"; return 1; }
    case $want in
    *.gz) gzip -dc "$want" >"$tmp/want.ndjson" ;;
    *) cp "$want" "$tmp/want.ndjson" ;;
    esac
    python3 "$shared/tools/compare_export.py" "$tmp/want.ndjson" "$tmp/out" >"$tmp/verdict" 2>&1 &&
        python3 "$shared/tools/selfcheck.py" "$tmp/out" >"$tmp/verdict" 2>&1 && return 0
    grep -v '^soft ' "$tmp/verdict" | cut -c1-400
    return 1
}

for trace in "$shared"/vectors/*.fxt "$shared"/{vectors,corpus}/*.fxt.{gz,zst} "$shared"/corpus/*.fxt; do
    [ -f "$trace" ] || continue
    if why=$(check "$trace"); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n%s\n' "${trace#"$shared"/}" "$(sed 's/^/    /' <<<"$why")"
    fi
done
[ $((passed + failed)) -gt 0 ] || { echo "no traces in $shared"; failed=1; }
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
