#!/bin/sh
# layers.sh - the floors: no file includes a higher one, no modules include each other, one folder sees inside struct
# trace, one file knows ncurses.
#
# Reads the includes, then (where a build is near) the symbols of the three libraries: nm sees also the calls of objects
# that no check program happens to link. Last, sources.mk must have the files of the tree.
set -u
top=${srcdir:-$(dirname "$0")/../..}
build=$(cd "${FXTOP_BUILD:-.}" && pwd) || exit 1
cd "$top" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
: >"$tmp/faults"

refuse() { # WHY, lines on standard input (so this runs in a subshell and leaves a file)
    lines=$(cat)
    [ -z "$lines" ] || printf '%s:\n%s\n' "$1" "$lines" >>"$tmp/faults"
}

includes() { # PATTERN FILES...: lines that include something matching
    pattern=$1
    shift
    [ $# -eq 0 ] || grep -HnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$pattern" "$@" /dev/null
}

files() { # FLOOR...: its sources
    find "$@" -name '*.[ch]' | LC_ALL=C sort
}

[ -f src/fxt/fxt.h ] || { echo "no sources in $top"; exit 1; }
includes '["<](\.\./)*(model|sql|ui|app)/' $(files src) | refuse 'src includes a floor above it'
includes '["<](\.\./)*app/' $(files src model sql record ui) | refuse 'app is the roof'
includes '["<](\.\./)*(sql|ui)/' $(files model) | refuse 'model includes a floor above it'
includes '["<](\.\./)*ui/' $(files sql) | refuse 'sql includes a floor above it'
includes '["<]sqlite3' $(files src model record ui | grep -vxE 'src/(io/database_files|import/tables/database)\.c') |
    refuse 'only sql, src/io/database_files.c and src/import/tables/database.c may include SQLite'
includes '["<](\.\./)*tests/' $(files src model sql record ui app) | refuse 'the program includes its tests'
includes '["<](ncurses(w)?/)?(n?curses|term|panel|menu|form)\.h' $(files src model sql record ui app tests | grep -vxE "ui/terminal/term_(caps|curses)\.c") |
    refuse 'only ui/terminal/term_caps.c and term_curses.c may include ncurses'
includes '"[^/"]*"' $(files src model sql record ui app tests) | refuse 'an include must name its floor'

# ---- floors by folder, cycles of modules ----

# Lowest first. A folder stands for all below it; a file may be listed by itself, before the folder it is in.
floors='provider src/base src/command_line src/io src/fxt src/import model/store model/nest model/trace model/query model/query/stat model/output record
sql/rewrite sql/source sql/scopes sql/rows sql/operations sql/family sql/lanes sql/arguments sql/aggregate sql/batch sql/functions sql/state_time sql/table sql/tables sql ui/screen
ui/timeline/window ui/timeline/track_ops ui/timeline/selection ui/timeline/list ui/timeline/track_list ui/timeline/track_line ui/session
ui/timeline ui/drawer ui/status ui/views ui/views/stat ui/terminal ui app'

# Modules in several files: their files may include each other.
several='src/import/rewrite model/store/async model/store/lane model/store/sched model/query/filter_internal=model/query/filter model/query/filter_number=model/query/filter
model/query/filter_print=model/query/filter model/query/filter/filter_match model/query/search
src/fxt/reader model/nest/nest model/trace/trace model/query/dissect model/output/fleet src/io/inflate=src/io/file
src/io/spool=src/io/file src/io/parts=src/io/file src/io/convert=src/io/file model/trace/ingest=model/trace/trace model/trace/persist=model/trace/trace
model/trace/batch=model/trace/trace model/trace/crowd=model/trace/trace ui/screen/table ui/views/view_table=ui/views/view ui/views/stat/view_slices
ui/views/sql/view_sql sql/rewrite/rewrite'

files src model sql record ui app | xargs awk -F '"' '/^[ \t]*#[ \t]*include[ \t]*"/ { print FILENAME, $2 }' >"$tmp/includes"

awk -v floors="$floors" '
    BEGIN { n = split(floors, floor, /[ \n]+/) }
    function rank(path, i, best, len) { # by the longest entry that it begins with
        sub(/\.[ch]$/, "", path)
        best = 0
        len = 0
        for (i = 1; i <= n; i++)
            if (length(floor[i]) > len && (path == floor[i] || index(path, floor[i] "/") == 1)) {
                best = i
                len = length(floor[i])
            }
        return best
    }
    rank($1) == 0 || rank($2) == 0 { print $1 " includes " $2 ": on no floor"; next }
    rank($1) < rank($2) { print $1 " includes " $2 }' "$tmp/includes" | refuse 'an include of a higher floor'

awk -v several="$several" '
    BEGIN {
        k = split(several, group, /[ \n]+/)
        for (i = 1; i <= k; i++)
            if (split(group[i], pair, "=") == 2)
                whole[pair[1]] = pair[2]
            else
                prefix[group[i]] = 1
    }
    function module(path, p) {
        sub(/\.[ch]$/, "", path)
        if (path in whole)
            return whole[path]
        for (p in prefix)
            if (path == p || index(path, p "_") == 1)
                return p
        return path
    }
    { a = module($1); b = module($2); if (a != b) { edge[a, b] = 1; node[a] = node[b] = 1 } }
    END {
        for (via in node)
            for (a in node)
                if ((a, via) in edge || (a, via) in reach)
                    for (b in node)
                        if ((via, b) in edge || (via, b) in reach)
                            reach[a, b] = 1
        for (e in edge) {
            split(e, pair, SUBSEP)
            if ((pair[2], pair[1]) in edge || (pair[2], pair[1]) in reach)
                print pair[1] " includes " pair[2]
        }
    }' "$tmp/includes" | LC_ALL=C sort | refuse 'modules include each other in a circle'

includes '"model/trace/trace_internal\.h"' $(files src model sql record ui app tests | grep -v '^model/trace/') |
    refuse 'only model/trace sees inside struct trace'

# What the model keeps in arrays is asked of its accessors: nest_row(), async_group(), flow_link(), sched_cpu() ...
grep -HnE '(->|\.)(nest\.(lanes|nlanes|active|late|strays)|lanes\[|nlanes|(groups|cpus|points|runs|instants|samples|chunks|cases|log)\.[nv]([^a-z_]|$))' \
    $(files ui) | refuse 'the interface asks the model, not its arrays'

symbols() { # LIBRARY KINDS: names, sorted
    "${NM:-nm}" -g "$build/$1" 2>/dev/null | awk -v kinds="$2" 'NF >= 2 && $(NF - 1) ~ "^[" kinds "]$" { print $NF }' |
        LC_ALL=C sort -u
}

if [ -f "$build/libsrc.a" ] && [ -f "$build/libmodel.a" ] && [ -f "$build/libui.a" ]; then
    for lib in src model ui; do
        symbols "lib$lib.a" U >"$tmp/$lib.needs"
        symbols "lib$lib.a" TDBRCVW >"$tmp/$lib.has"
    done
    [ -s "$tmp/src.has" ] || { echo "nm shows nothing in $build/libsrc.a"; exit 1; }
    uses() { # FLOOR UPPER: what FLOOR needs of UPPER and does not have itself
        LC_ALL=C comm -23 "$tmp/$1.needs" "$tmp/$1.has" | LC_ALL=C comm -12 - "$tmp/$2.has"
    }
    uses src model | refuse 'src calls model'
    uses src ui | refuse 'src calls ui'
    uses model ui | refuse 'model calls ui'
fi

# A file that includes two headers of one guard lacks the second one.
grep -hE '^#ifndef [A-Z0-9_]+_H$' $(files src model sql record ui app provider tests) /dev/null | LC_ALL=C sort | uniq -d |
    refuse 'headers have the same include guard'

./sources.sh | diff sources.mk - | refuse 'sources.mk is older than the tree: ./sources.sh >sources.mk'

if [ -s "$tmp/faults" ]; then
    cat "$tmp/faults"
    exit 1
fi
echo "$(files src model sql record ui app | wc -l) files on their floors"
