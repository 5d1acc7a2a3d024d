#!/bin/sh
# layers.sh - the floors: src knows neither model nor ui, model does not know ui, one file knows ncurses.
#
# Reads the includes, then (where a build is near) the symbols of the three libraries: nm sees also the calls of objects
# that no check program happens to link. Last, every file of a floor must stand in Makefile.am.
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
# main.c and options.c are above all floors, though their folder is the lowest one.
includes '["<](\.\./)*(model|ui)/' $(files src | grep -vxE 'src/(main|options)\.[ch]') | refuse 'src includes a floor above it'
includes '["<](\.\./)*src/options\.h' $(files src model ui | grep -vxE 'src/(main|options)\.[ch]') |
    refuse 'only main.c may include options.h'
includes '["<](\.\./)*ui/' $(files model) | refuse 'model includes a floor above it'
includes '["<](\.\./)*tests/' $(files src model ui) | refuse 'the program includes its tests'
includes '["<](ncurses(w)?/)?(n?curses|term|panel|menu|form)\.h' $(files src model ui tests | grep -vxE "ui/screen/term_(caps|curses)\.c") |
    refuse 'only ui/screen/term_caps.c and term_curses.c may include ncurses'
includes '"[^/"]*"' $(files src model ui tests) | refuse 'an include must name its floor'

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

for file in $(files src model ui tests); do
    grep -qE "(^|[[:space:]=])$file([[:space:]]|\$)" Makefile.am || echo "$file"
done | refuse 'not in Makefile.am'

if [ -s "$tmp/faults" ]; then
    cat "$tmp/faults"
    exit 1
fi
echo "$(files src model ui | wc -l) files on their floors"
