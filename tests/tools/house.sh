#!/usr/bin/env bash
# house.sh [--hints] [FOLDER ...] - lines of 100 columns, exported names and forbidden calls; with --hints, sizes instead.
#
# Sizes are hints for a reader: they are no faults. A .c should have at most 600 lines, a function 60 lines and 6 parameters,
# a folder 16 modules (NAME.c and NAME.h; NAME_internal is part of NAME). An exported function is used outside of its file, and its name begins with the file's name (flow.c: flow_ or flows_), or with a leading part of it that is a
# module of the same folder (reader_fast.c: reader_). Files are opened to be written in one module. No call writes or
# reads without a bound. Few conditional operators are within another one. Exceptions are below, with their reasons.
# layers.sh checks includes, cycles among them. Prints
# each fault in FOLDERs; without one, counts a folder, and the faults if they are few. Prints nothing if all is well.
# With --hints it prints each hint, and the exit status is 0.
set -u
top=$(cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd) || exit
cd "$top" || exit
few=60 hints=
if [ "${1-}" = --hints ]; then
    hints=yes
    shift
fi
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT

# Tables of data may be of any length.
tables='src/fxt/record_layout.c
ui/command_table.c'

# FILE PREFIX: other prefixes of exported names. The formats of --export share a header, ndjson.h.
prefixes='
model/output/chrome.c export_
model/output/csv.c export_
model/output/ndjson.c export_
'

# Files that make files. All else that a user names is written by src/io/output_file.c; the recorder has files of its own.
makers='src/io/output_file.c
src/io/cache.c
src/io/program.c
src/io/temporary.c
sql/modes/saved.c'

# Exported functions that only tests use besides their own file; "name_*" are all that begin so.
for_tests='
command_complete
nest_enclosing_at
nest_enclosing_ending
nest_enclosing_free
nest_enclosing_instant
nest_enclosing_new
sample_pause
two_samples_ranks
writer_*
'

find src model sql record ui app -name '*.[ch]' | LC_ALL=C sort >"$tmp/files"
find tests -name '*.[ch]' ! -path '*/corpus/*' | LC_ALL=C sort >"$tmp/tests"
LC_ALL=C xargs -d '\n' awk -f tests/tools/lexer.awk <"$tmp/files" >"$tmp/parts"
LC_ALL=C xargs -d '\n' awk -f tests/tools/lexer.awk <"$tmp/tests" >"$tmp/test_parts"

long() {
    { grep '\.c$' "$tmp/files" | grep -vxF "$tables"; cat "$tmp/tests"; } | xargs wc -l |
        awk '$2 != "total" && $1 > 600 { print $2 ":1: " $1 " lines" }'
}

crowded() { # folders
    sed -e 's/\.[ch]$//' -e 's/_internal$//' "$tmp/files" | sort -u | sed 's|/[^/]*$||' | sort | uniq -c |
        awk '$1 > 16 { print $2 "/:1: " $1 " modules" }'
}

# Functions begin in the first column and end with a brace there, as clang-format leaves them.
functions() { # prints faults, and to $tmp/exported FILE LINE NAME
    awk -F '\t' -v exported="$tmp/exported" -v sizes="$tmp/sizes" '
    function commas(s,    i, c, depth, n) { # parameters of the first list in parentheses
        depth = n = 0
        for (i = index(s, "("); i <= length(s); i++) {
            c = substr(s, i, 1)
            if (c == "(") depth++
            if (c == ")" && --depth == 0) break
            if (c == "," && depth == 1) n++
        }
        return n + 1
    }
    $3 != "code" { next }
    /__attribute__/ { gsub(/__attribute__ *\(\([^)]*(\([^)]*\))?[^)]*\)\) */, "") }
    { text = $0; sub(/^[^\t]*\t[^\t]*\t[^\t]*\t/, "", text) }
    $1 != file { file = $1; head = ""; start = 0 }
    start && text ~ /^}/ {
        if ($2 - start + 1 > 60)
            print file ":" start ": " name "() has " $2 - start + 1 " lines" >sizes
        start = 0
        head = ""
        next
    }
    start || text ~ /^[ \t]*#/ { next }
    text ~ /^[A-Za-z_]/ { head = ""; at = $2 }
    text ~ /^[^ \t}]/ || head != "" { head = head " " text }
    text ~ /[;}]$/ && text !~ /\{$/ { head = "" }
    head ~ /\(.*\) *\{$/ && head !~ /^ *(struct|enum|union)[^(]*\{/ && head !~ /=/ {
        name = head
        sub(/\(.*/, "", name)
        sub(/.*[^A-Za-z0-9_]/, "", name)
        start = at
        n = commas(head)
        if (n > 6)
            print file ":" at ": " name "() has " n " parameters" >sizes
        if (head !~ /^ *static / && file ~ /\.c$/ && file !~ /^tests\//)
            print file, at, name >exported
    }' "$tmp/parts" "$tmp/test_parts"
    [ -s "$tmp/exported" ] || echo 'tests/tools/house.sh:1: found no functions'
}

# A name is used elsewhere if the code of another .c has it, or a header in more than its declaration.
lonely() {
    awk -F '\t' -v exported="$tmp/exported" -v for_tests="$for_tests" '
    BEGIN {
        while ((getline line <exported) > 0) {
            split(line, f, " ")
            owner[f[3]] = f[1]
            at[f[3]] = f[2]
        }
        n = split(for_tests, row, "\n")
        for (i = 1; i <= n; i++)
            if (row[i] != "")
                excused[row[i]]
    }
    $3 == "code" {
        text = $0
        sub(/^[^\t]*\t[^\t]*\t[^\t]*\t/, "", text)
        header = $1 ~ /\.h$/
        n = split(text, w, /[^A-Za-z0-9_]+/)
        for (i = 1; i <= n; i++)
            if (w[i] in owner && owner[w[i]] != $1 && !(header && text ~ ("^[A-Za-z].*[^A-Za-z0-9_]" w[i] "\\(")))
                if ($1 ~ /^tests\//)
                    tested[w[i]]
                else
                    used[w[i]]
    }
    function group(name) {
        sub(/_.*/, "_*", name)
        return name
    }
    END {
        for (name in owner) {
            if (name in used || name == "main")
                continue
            row_of = name in excused ? name : group(name)
            if (row_of in excused && name in tested)
                needed[row_of]
            else
                print owner[name] ":" at[name] ": " name "() is used in no other file"
        }
        for (name in excused)
            if (!(name in needed))
                print "tests/tools/house.sh:1: the exception for " name " is not needed"
    }' "$tmp/parts" "$tmp/test_parts"
}

prefixed() {
    awk -v prefixes="$prefixes" '
    BEGIN {
        n = split(prefixes, rows, "\n")
        for (i = 1; i <= n; i++)
            if (split(rows[i], f, " ") == 2)
                also[f[1]] = also[f[1]] " " f[2]
    }
    FILENAME == ARGV[1] { there[$1]; next }
    {
        folder = base = $1
        sub(/[^\/]*$/, "", folder)
        sub(/.*\//, "", base)
        sub(/\.c$/, "", base)
        good = $3 == "main" || $3 == base || $3 ~ ("^" base "(e?s)?_")
        for (part = base; !good && part ~ /_/;) {
            sub(/_[^_]*$/, "", part)
            if ((folder part ".h" in there) || (folder part ".c" in there))
                good = $3 == part || index($3, part "_") == 1
        }
        n = split(also[$1], f, " ")
        for (i = 1; i <= n; i++)
            good = good || index($3, f[i]) == 1
        if (!good)
            print $1 ":" $2 ": " $3 "() does not begin with " base "_"
    }' "$tmp/files" "$tmp/exported"
}

# Pictures in comments, which begin with three blanks, and the tables of record_layout.c may be wider.
wide() {
    cat "$tmp/files" "$tmp/tests" | grep -vx 'src/fxt/record_layout.c' | LC_ALL=C.UTF-8 xargs grep -nP '^(?! \*   ).{101,}' |
        sed -E 's/^([^:]*:[0-9]*):.*/\1: more than 100 columns/'
}

making() {
    grep -vE '^record/' "$tmp/files" | grep -vxF "$makers" |
        xargs grep -nE 'O_CREAT|O_TRUNC|mkstemp|freopen|fopen *\([^)]*"[wa]' |
        sed -E 's/^([^:]*:[0-9]*):.*/\1: src\/io\/output_file.h makes files/'
}

# Conditional operators within another one: all of them, if there is more than one in 2,000 lines.
nested() {
    awk -F '\t' '
    $1 != file { file = $1; depth = within = 0; split("", open) }
    $3 == "code" {
        text = $0
        sub(/^[^\t]*\t[^\t]*\t[^\t]*\t/, "", text)
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "?" && within > 0)
                print $1 ":" $2 ": a ?: within another: if and else, or a name for the inner one"
            if (c == "?" && !open[depth]) {
                open[depth] = 1
                within++
            }
            if (c ~ /[],;)}]/) { # the expression ends
                within -= open[depth]
                open[depth] = 0
            }
            depth += (c ~ /[[({]/) - (c ~ /[])}]/)
        }
    }' "$tmp/parts" >"$tmp/nested"
    [ "$(wc -l <"$tmp/nested")" -le $(($(xargs cat <"$tmp/files" | wc -l) / 2000)) ] || cat "$tmp/nested"
}

unbounded() {
    cat "$tmp/parts" "$tmp/test_parts" | awk -F '\t' '
    $3 == "code" && match($4, /(^|[^A-Za-z0-9_])(strcpy|strcat|sprintf|vsprintf|gets|ato[ilf])\(/) {
        print $1 ":" $2 ": a call that checks nothing: snprintf(), strtol() or append to a buffer of known size"
    }'
}

: >"$tmp/exported"
: >"$tmp/sizes"
{
    wide
    making
    nested
    unbounded
    functions
    lonely
    prefixed
} >"$tmp/unsorted"
if [ -n "$hints" ]; then
    { long; crowded; cat "$tmp/sizes"; } >"$tmp/unsorted"
fi
LC_ALL=C sort -t : -k 1,1 -k 2,2n "$tmp/unsorted" >"$tmp/all"
: >"$tmp/faults"
[ $# -gt 0 ] || set -- src model sql record ui app
for folder in "$@"; do
    grep "^${folder%/}[/:.]" "$tmp/all"
done >"$tmp/faults"
[ "$*" != 'src model sql record ui app' ] || grep '^tests/' "$tmp/all" >>"$tmp/faults"
if [ -n "$hints" ]; then
    cat "$tmp/faults"
    exit 0
fi
[ -s "$tmp/faults" ] || exit 0
if [ "$*" != 'src model sql record ui app' ] || [ "$(wc -l <"$tmp/faults")" -le "$few" ]; then
    cat "$tmp/faults"
fi
echo "faults of measure, a folder (tests/tools/house.sh FOLDER lists them):"
sed -e 's|/[^/:]*:.*||' -e 's|:.*||' "$tmp/faults" | LC_ALL=C sort | uniq -c
exit 1
