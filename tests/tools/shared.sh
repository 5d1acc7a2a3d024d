#!/usr/bin/env bash
# shared.sh FXTOP SHARED [OTHER] - exports every trace of SHARED/vectors and SHARED/corpus and compares with what is
# expected; OTHER, a build with sanitizers, must say the same.
#
# NAME.fxt, NAME.fxt.gz or NAME.fxt.zst may have NAME.ndjson or NAME.ndjson.gz beside it. Without one, fxtop must refuse
# a vector (status 2) and export a trace of the corpus. Each export is also checked for consistency. Then timestamps of
# the corpus are replaced (tests/system/far beside FXTOP, if it is built): the picture must stay. check_top.py computes
# --top, --instances and --range again from the exports, check_tables.py the tables of statistics, of traces by chance
# (mktrace beside FXTOP), too. Prints a line a difference, then "N passed, N failed"; the exit status is 1 if one failed.
set -u
[ $# -eq 2 ] || [ $# -eq 3 ] || { echo 'usage: shared.sh FXTOP SHARED [OTHER]' >&2; exit 2; }
fxtop=$(realpath "$1") shared=$(realpath "$2") other=${3:+$(realpath "$3")} jobs=$(getconf _NPROCESSORS_ONLN)
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
traces=()
for trace in "$shared"/vectors/*.fxt "$shared"/{vectors,corpus}/*.fxt.{gz,zst} "$shared"/corpus/*.fxt; do
    [ -f "$trace" ] && traces+=("$trace")
done

export_to() { # OUT PROGRAM TRACE
    timeout 120 "$2" --export=ndjson "$3" >"$1" 2>"$1.err" </dev/null
}

# Expectations that the rules have overtaken: OUT.want and OUT.now are without what changed. False: none.
# An end whose begin is not in the trace is a note (SEMANTICS 7.3); a mark at the end of a slice is in it (7.4); samples
# are made of the profiler's records (12).
supersede() { # NAME OUT
    case $1 in
    flow_end_without_begin)
        cp "$2.want" "$2.wanted"
        sed 's/,"note":true\(}*\)$/\1/' "$2" >"$2.now"
        ;;
    ftfrs_indexer)
        sed '/"type":"instant"/s/,"slice":[0-9]*//' "$2.want" >"$2.wanted"
        sed '/"type":"instant"/s/,"slice":[0-9]*//' "$2" >"$2.now"
        ;;
    cpp_profiler_records | rust_profiler_pid_only | ser_profiler)
        local without='/"cat":"sampled"|\(samples\)"|"profile_unusable"/d; s/"(records|events|span_ns|lines)":[0-9]+/"\1":0/g'
        sed -E "$without" "$2.want" >"$2.wanted"
        sed -E "$without" "$2" >"$2.now"
        ;;
    *) return 1 ;;
    esac
    mv "$2.wanted" "$2.want"
}

check() { # DIRECTORY TRACE: prints what is wrong
    local out=$1/out trace=$2 name=${2%.fxt*} want='' status=0 same=0
    for want in "$name.ndjson" "$name.ndjson.gz" ''; do
        [ -e "$want" ] && break
    done
    export_to "$out" "$fxtop" "$trace" || status=$?
    if [ -n "$other" ]; then
        export_to "$out.other" "$other" "$trace" || same=$?
        [ "$same" -eq "$status" ] && cmp -s "$out" "$out.other" && cmp -s "$out.err" "$out.other.err" ||
            { echo "the other says something else, status $same"; head -n 20 "$out.other.err"; return 1; }
    fi
    if [ -z "$want" ] && [ "${trace#"$shared/vectors/"}" != "$trace" ]; then
        [ "$status" -eq 2 ] || { echo "status $status instead of 2"; return 1; }
        return 0
    fi
    [ "$status" -eq 0 ] || { echo "status $status"; head -n 20 "$out.err"; return 1; }
    if [ -z "$want" ]; then
        python3 "$shared/tools/selfcheck.py" "$out" >"$out.verdict" 2>&1 || { cut -c1-400 "$out.verdict"; return 1; }
        return 0
    fi
    case $want in
    *.gz) gzip -dc "$want" >"$out.want" ;;
    *) cp "$want" "$out.want" ;;
    esac
    if supersede "${name##*/}" "$out"; then
        python3 "$shared/tools/compare_export.py" "$out.want" "$out.now" >"$out.verdict" 2>&1 && return 0
        grep -v '^soft ' "$out.verdict" | cut -c1-400
        return 1
    fi
    python3 "$shared/tools/compare_export.py" "$out.want" "$out" >"$out.verdict" 2>&1 &&
        python3 "$shared/tools/selfcheck.py" "$out" >"$out.verdict" 2>&1 && return 0
    grep -v '^soft ' "$out.verdict" | cut -c1-400
    return 1
}

worker() { # NUMBER: its share of the traces, a line for each in its directory
    mkdir "$tmp/$1"
    for ((i = $1; i < ${#traces[@]}; i += jobs)); do
        if why=$(check "$tmp/$1" "${traces[i]}"); then
            echo passed >>"$tmp/$1/counts"
        else
            echo failed >>"$tmp/$1/counts"
            printf 'FAIL %s\n%s\n' "${traces[i]#"$shared"/}" "$(sed 's/^/    /' <<<"$why")"
        fi
    done
}

for ((k = 0; k < jobs; k++)); do
    worker "$k" &
done
wait
passed=$(cat "$tmp"/*/counts 2>/dev/null | grep -c passed) failed=$((${#traces[@]} - passed))
# What takes one processor runs beside the others. Each says what differs, and then whether it passed.
beside() { # COMMAND...
    "$@" >"$tmp/beside.$n" 2>&1 && echo passed >"$tmp/beside.$n.passed" &
    n=$((n + 1))
}
n=0 readers=$(dirname "$0") built=$(dirname "$fxtop")/tests
[ ! -x "$built/system/far" ] || beside "$built/system/far" 3 7 "$shared"/corpus/*.fxt "$shared"/corpus/*.fxt.gz
beside python3 "$readers/check_top.py" "$fxtop" "${traces[@]}"
beside python3 "$readers/check_tables.py" "$fxtop" "${traces[@]}"
[ ! -x "$built/lib/mktrace" ] ||
    beside python3 "$readers/check_tables.py" --random 100 "$RANDOM" "$fxtop" "$built/lib/mktrace"
wait
for ((k = 0; k < n; k++)); do
    cat "$tmp/beside.$k"
    if [ -e "$tmp/beside.$k.passed" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
[ "${#traces[@]}" -gt 0 ] || { echo "no traces in $shared"; failed=1; }
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
