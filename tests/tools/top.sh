#!/usr/bin/env bash
# top.sh - --top, --instances and --range (check_top.py), the tables of statistics (check_tables.py) and the parts that
# --cut writes (check_cut.py) equal a reading of the ndjson export on the project's fixtures, the demo trace and traces
# by chance: 20 of them for the tables, and 12 parts. Two ways to one number agree, also on damaged copies
# (check_agree.py). All but the parts read 24 traces, too, of random_traces.py, of
# seeds from 1 or $TOP_SEED on.
#
# TOP_RANDOM=N: N traces by chance each. TOP_SHARE=N: every N-th fixture.
set -u
top=$(cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd) || exit
build=$(cd "${FXTOP_BUILD:-.}" && pwd) || exit
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/program.sh"
fxtop=$(quick "${FXTOP:-$build/fxtop}") runs=$build/tests/system/runs
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
"$build/tests/tools/demo" "$tmp/demo.fxt" || exit
fixture=0 fixtures=()
for text in "$top"/tests/traces/*.txt; do
    [ $((fixture++ % ${TOP_SHARE:-1})) -ne 0 ] || fixtures+=("$text")
done
make_traces "$build/tests/lib/mktrace" "$tmp" "${fixtures[@]}" || exit
status=0
python3 "$top/tests/tools/check_top.py" "$runs" "$tmp"/*.fxt || status=1
python3 "$top/tests/tools/check_agree.py" "$runs" "$tmp"/*.fxt || status=1
python3 "$top/tests/tools/check_agree.py" "$runs" --damage 1 1 "$tmp"/*.fxt || status=1
mkdir "$tmp/chance" || exit
python3 "$top/tests/tools/random_traces.py" "${TOP_SEED:-1}" "${TOP_RANDOM:-24}" "$tmp/chance" "$build/tests/lib/mktrace" || status=1
python3 "$top/tests/tools/check_top.py" "$runs" "$tmp/chance"/* || status=1
python3 "$top/tests/tools/check_agree.py" "$runs" "$tmp/chance"/* || status=1
python3 "$top/tests/tools/check_tables.py" "$runs" "$tmp/chance"/* || status=1
python3 "$top/tests/tools/check_tables.py" "$runs" "$tmp"/*.fxt || status=1
python3 "$top/tests/tools/check_tables.py" --random "${TOP_RANDOM:-20}" 1 "$runs" "$build/tests/lib/mktrace" || status=1
# The screen has no column of running time, but its csv.
"$fxtop" --top --format=csv "$tmp/demo.fxt" >"$tmp/top"
"$fxtop" --export=csv --no-session --keys=2 "$tmp/demo.fxt" | cmp - "$tmp/top" || status=1
python3 "$top/tests/tools/check_cut.py" "$runs" "$tmp"/*.fxt || status=1
python3 "$top/tests/tools/check_cut.py" --random "${TOP_RANDOM:-12}" 1 "$runs" "$build/tests/lib/mktrace" || status=1
exit "$status"
