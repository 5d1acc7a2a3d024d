#!/usr/bin/env bash
# sql.sh - queries of the program: each table held against the export over fixtures, what is refused, and how it ends.
#
# A hostile statement must end in one sentence and leave no file. SIGINT ends a query wherever it is. Too much memory and
# a temporary file that cannot be written are a sentence each.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/program.sh"
fxtop=$(quick "${FXTOP:-$build/fxtop}") mktrace=${MKTRACE:-$build/tests/lib/mktrace} demo=${DEMO:-$build/tests/tools/demo}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/files" "$tmp/here" || exit 1
export TMPDIR=$tmp/files
passed=0 failed=0

"$demo" "$tmp/demo.fxt" || exit 1
"$fxtop" --query 'select 1' "$tmp/demo.fxt" >"$tmp/out" 2>&1
if grep -q 'needs SQLite' "$tmp/out"; then
    echo 'built without SQLite'
    exit 77
fi

fail() { # WHAT
    failed=$((failed + 1))
    echo "FAILED: $*"
}

# ends STATUS WHAT COMMAND...: with that status, at most one line on standard error that begins with fxtop:, and no file.
ends() {
    local want=$1 what=$2 status=0
    shift 2
    (cd "$tmp/here" && timeout 60 "$@" </dev/null >"$tmp/out" 2>"$tmp/said") || status=$?
    grep -v ': note: ' "$tmp/said" >"$tmp/err" # the demo trace has lost records
    if [ $status -ne "$want" ] || [ "$(wc -l <"$tmp/err")" -gt 1 ] || grep -qv '^fxtop: ' "$tmp/err" ||
        { [ "$want" -eq 2 ] && [ ! -s "$tmp/err" ]; } || [ -n "$(find "$tmp/here" "$tmp/files" -mindepth 1)" ]; then
        fail "$what: status $status: $(head -n 2 "$tmp/err")"
        rm -f "$tmp"/here/* "$tmp"/files/*
    else
        passed=$((passed + 1))
    fi
}

# Adds the last line of what a check of many things has printed, and prints the rest if any failed.
add() { # FILE
    local counts
    read -r -a counts < <(tail -n 1 "$1" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    passed=$((passed + ${counts[0]:-0}))
    failed=$((failed + ${counts[1]:-1}))
    [ "${counts[1]:-1}" -eq 0 ] || sed '$d' "$1"
}

# ---- tables against the export ----

make_traces "$mktrace" "$tmp" "$top"/tests/traces/*.txt || fail 'fixtures: not written'
for hostile in all-types text-markup times-to-max rate-max name-32000-bad; do
    "$build/tests/system/hostile" $hostile "$tmp/$hostile.fxt" || fail "$hostile: not written"
done
mkdir "$tmp/chance"
python3 "$top/tests/tools/random_traces.py" 49 24 "$tmp/chance" "$mktrace" || fail 'random traces: not written'
python3 "$top/tests/tools/check_sql.py" "$build/tests/system/runs" "$tmp"/*.fxt "$tmp/chance"/* >"$tmp/out"
add "$tmp/out"

# ---- refused statements ----

python3 "$top/tests/tools/check_refused.py" "$build/tests/system/runs" "$tmp/demo.fxt" "$tmp/here" "$tmp/files" >"$tmp/out" <<'END'
ATTACH 'stolen.db' AS a
ATTACH ':memory:' AS a
DETACH main
VACUUM
VACUUM INTO 'copy.db'
VACUUM temp INTO 'copy.db'
REINDEX
BEGIN
COMMIT
SAVEPOINT s
PRAGMA journal_mode = WAL
PRAGMA temp_store_directory = '/tmp'
PRAGMA writable_schema = 1
PRAGMA user_version = 1
PRAGMA database_list
PRAGMA trusted_schema = 1
SELECT load_extension('x')
SELECT load_extension('x', 'y')
SELECT fts3_tokenizer('simple')
SELECT writefile('x', 'y')
SELECT readfile('/etc/passwd')
SELECT edit('x')
SELECT fts5(1)
INSERT INTO slice(id) VALUES (1)
UPDATE slice SET dur = 1
DELETE FROM slice
REPLACE INTO thread(utid) VALUES (1)
DROP TABLE slice
DROP VIEW thread_slice_not
ALTER TABLE slice RENAME TO x
CREATE TRIGGER t AFTER INSERT ON x BEGIN SELECT 1; END
CREATE TEMP TRIGGER t AFTER INSERT ON x BEGIN SELECT 1; END
CREATE VIRTUAL TABLE v USING fts5(a)
CREATE VIRTUAL TABLE v USING slice
CREATE VIRTUAL TABLE v USING csv(filename='/etc/passwd')
CREATE VIRTUAL TABLE v USING zipfile('x.zip')
CREATE TABLE main.x(a)
CREATE VIEW main.x AS SELECT 1
INSERT INTO sqlite_schema VALUES (1, 2, 3, 4, 5)
DELETE FROM sqlite_master
ANALYZE
EXPLAIN SELECT nosuch
SELECT * FROM generate_nothing(1)
SELECT * FROM fsdir('/')
SELECT * FROM sqlite_dbpage
SELECT * FROM dbstat
CREATE PERFETTO FUNCTION f() RETURNS INT AS
CREATE PERFETTO FUNCTION f() RETURNS INT AS ATTACH 'x.db' AS x; SELECT f()
CREATE PERFETTO FUNCTION f() RETURNS TABLE(a INT) AS PRAGMA journal_mode; SELECT * FROM f()
CREATE PERFETTO FUNCTION f() RETURNS INT AS DELETE FROM slice; SELECT f()
CREATE PERFETTO MACRO m(a Expr) RETURNS Expr AS m!($a) m!($a); SELECT m!(1)
CREATE PERFETTO MACRO m() RETURNS Expr AS ATTACH 'x.db' AS x; m!()
SELECT RUN_METRIC('x.sql')
SELECT m!(1)
INCLUDE PERFETTO MODULE android.startup
SELECT
SELECT (
SELECT 'unclosed
SELECT "unclosed
SELECT /* unclosed
SELECT * FROM slice WHERE
SELECT * FROM nosuch
SELECT nosuch(1)
SELECT name FROM slice ORDER BY 3
SELECT * FROM directly_connected_flow
SELECT * FROM ancestor_slice
CREATE VIRTUAL TABLE temp.x USING SPAN_JOIN(nosuch, slice)
CREATE VIRTUAL TABLE temp.x USING SPAN_OUTER_JOIN(slice PARTITIONED track_id, sched)
SELECT zeroblob(1000000000)
SELECT regexp('(', 'x')
SELECT regexp_extract('x', '(')
SELECT percentile(dur, 101) FROM slice
SELECT abs(-9223372036854775808)
END
add "$tmp/out"

# ---- how it ends ----

interrupted() { # WHAT SQL
    local status=0
    timeout -k 5 -s INT 0.5 "$fxtop" --query "$2" "$tmp/demo.fxt" >/dev/null 2>"$tmp/said" || status=$?
    grep -v ': note: ' "$tmp/said" >"$tmp/err"
    # timeout reports 124 whatever the status is
    if [ $status -eq 124 ] && [ ! -s "$tmp/err" ]; then passed=$((passed + 1)); else fail "$1: status $status"; fi
}
interrupted 'a query without an end' \
    'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'
interrupted 'a join without an end' 'select count(*) from slice a, slice b, slice c where a.dur + b.dur = c.dur + 0.5'
interrupted 'an intersection' \
    'with recursive n(id, ts, dur) as (select 1, 1, 0 union all select id + 1, id + 1, 0 from n where id < 3000000),
     m as (select id, 1 as ts, -1 as dur from n where id < 4000)
     select sum(ts) from interval_intersect!((n, m), ())'
interrupted 'a sort without an end' 'select a.name from slice a, slice b, slice c order by a.dur + b.dur * c.ts'

ends 2 'too much memory' "$fxtop" --query-memory=16m --query \
    "select count(distinct hex(randomblob(2000))) + length(group_concat(hex(zeroblob(30000000)))) from slice" "$tmp/demo.fxt"
ends 2 'an intersection that needs too much memory' "$fxtop" --query-memory=16m --query \
    'select count(*) from interval_intersect!(((select id, 0 as ts, -1 as dur from slice), (select id, 0 as ts, -1 as dur
     from slice)), ())' "$tmp/demo.fxt"
sorts="with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000)
    select max(x) from (select hex(randomblob(100)) as x from n order by 1 limit -1 offset 1)"
ends 0 'a sort in a temporary file' "$fxtop" --query "$sorts" "$tmp/demo.fxt"
status=0
(ulimit -f 64 && trap '' XFSZ && exec timeout 60 "$fxtop" --query "$sorts" "$tmp/demo.fxt") >/dev/null 2>"$tmp/said" || status=$?
grep -v ': note: ' "$tmp/said" >"$tmp/err"
if [ $status -eq 2 ] && grep -q '^fxtop: query: the temporary file' "$tmp/err" && [ "$(wc -l <"$tmp/err")" -eq 1 ]; then
    passed=$((passed + 1))
else
    fail "a temporary file that cannot grow: status $status: $(head -n 2 "$tmp/err")"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
