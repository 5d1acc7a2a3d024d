#!/bin/sh
# citations.sh - every rule that a comment cites exists.
#
# Numbered invariants ([N3]) are defined where a line of a comment begins with them, once; they are cited anywhere.
# SEMANTICS 6.1, EXPORT 4 and RELIABILITY 1.2 are sections and rules of the pages in doc/; a citation has a number.
set -u
top=${srcdir:-$(dirname "$0")/../..}
cd "$top" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
: >"$tmp/faults"

refuse() { # WHY, lines on standard input
    lines=$(cat)
    [ -z "$lines" ] || printf '%s:\n%s\n' "$1" "$lines" >>"$tmp/faults"
}

files() {
    find src model sql record ui app provider tests \( -name '*.[ch]' -o -name '*.sh' -o -name '*.md' \) ! -path tests/tools/citations.sh |
        LC_ALL=C sort
    ls ./*.md man/*.[157] doc/*.md
}

[ -f doc/SEMANTICS.md ] || { echo "no documents in $top"; exit 1; }

# shellcheck disable=SC2046 # no file of ours has a blank in its name
awk -v here="$tmp" '
    {
        line = $0
        if (match(line, /^[ \t]*\*[ \t]*\[[A-Z][0-9]+\] /)) {
            name = line
            sub(/^[^[]*\[/, "", name)
            sub(/\].*/, "", name)
            if (name in defined)
                print FILENAME ":" FNR ": [" name "] is defined in " defined[name] ", too"
            defined[name] = FILENAME ":" FNR
            sub(/\[[A-Z][0-9]+\] /, "", line)
        }
        while (match(line, /\[[A-Z][0-9]+(, [A-Z][0-9]+)*\]/)) {
            list = substr(line, RSTART + 1, RLENGTH - 2)
            n = split(list, one, ", ")
            for (i = 1; i <= n; i++)
                cited[FILENAME ":" FNR ": [" one[i] "]"] = one[i]
            line = substr(line, RSTART + RLENGTH)
        }
    }
    END {
        for (c in cited)
            if (!(cited[c] in defined))
                print c " is not defined"
            else
                used++
        print used + 0 >(here "/used")
    }' $(files | grep '\.[ch]$') | LC_ALL=C sort | refuse 'numbered invariants'

for page in SEMANTICS EXPORT RELIABILITY; do
    sed -nE 's/^## ([0-9]+)\..*/\1/p; s/^\*\*([0-9]+\.[0-9]+)\*\*.*/\1/p' "doc/$page.md" | LC_ALL=C sort -u >"$tmp/rules"
    [ -s "$tmp/rules" ] || { echo "doc/$page.md has no rules"; exit 1; }
    # Digits that end a sentence are no rule: "EXPORT 2.3." cites 2.3. A range cites both its ends.
    # shellcheck disable=SC2046
    grep -HnoE "(^|[^A-Za-z_/])$page( [0-9]+(\.[0-9]+)?( to [0-9]+(\.[0-9]+)?)?)?([^A-Za-z_.]|\.([^A-Za-z]|\$)|\$)" $(files) |
        sed -E "s/^([^:]*:[0-9]+):.*$page/\1 /; s/ to / /" >"$tmp/cited"
    awk -v page="$page" -v rules="$tmp/rules" '
        BEGIN { while ((getline rule < rules) > 0) known[rule] = 1 }
        {
            n = 0
            for (i = 2; i <= NF; i++) {
                gsub(/[^0-9.]/, "", $i)
                sub(/\.$/, "", $i)
                if ($i == "")
                    continue
                n++
                if (!($i in known))
                    print $1 ": " page " " $i " does not exist"
            }
            if (n == 0)
                print $1 ": " page " without a number"
        }' "$tmp/cited"
done | grep -vE '^(\./)?(README|HACKING|ARCHITECTURE|NEWS)\.md.*without|^NEWS|^doc/.*without|^man/' | refuse 'rules of the pages in doc/'

if [ -s "$tmp/faults" ]; then
    cat "$tmp/faults"
    exit 1
fi
echo "$(cat "$tmp/used") citations of invariants, all of rules that exist"
