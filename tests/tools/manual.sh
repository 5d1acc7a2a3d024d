#!/bin/sh
# manual.sh - the manual has all options, keys and commands.
#
# Each option of --help is in fxtop(1), of VERB --help, which has at most 25 lines, in fxtop-VERB(1). Each key, command and line of help of
# --list-keys is in fxtop-keys(7), as a reader sees the page: rendered, without overstriking, blanks squeezed.
# --list-keys prints KEYS, COMMAND and HELP, separated by tabs, several keys by blanks.
set -u
top=${srcdir:-$(dirname "$0")/../..}
fxtop=${FXTOP:-./fxtop}
mandoc=${MANDOC:-mandoc}
page=${FXTOP_BUILD:-.}/man/fxtop-keys.7
command -v "$mandoc" >/dev/null || { echo 'mandoc is not installed'; exit 77; }

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
"$fxtop" --list-keys >"$tmp/keys" </dev/null || { echo "$fxtop --list-keys failed"; exit 1; }
if [ ! -f "$page" ]; then # a build without completions
    page=$tmp/fxtop-keys.7
    awk -f "$top/man/keys.awk" "$tmp/keys" "$top/man/fxtop-keys.in" >"$page" || exit 1
fi
"$mandoc" -Tutf8 -O width=1000 "$page" >"$tmp/page" || { echo "$mandoc failed"; exit 1; }
"$mandoc" -Tlint -Wwarning "$page" || exit 1

options() { # MODE PAGE
    # shellcheck disable=SC2086 # no mode is an empty word
    "$fxtop" $1 --help </dev/null | sed -n 's/^ *\(-., \)*--\([a-z-]*\).*/\2/p' | while read -r name; do
        roff=$(printf %s "$name" | sed 's/-/\\\\-/g')
        grep -qE "^\\.It Fl .*\\\\-$roff( |$)" "$top/man/$2" || echo "not in $2: --$name"
    done
}
verbs() { # as help lists them
    "$fxtop" help </dev/null | sed -nE 's/^  ([a-z]+) +[^ ].*/\1/p' | grep -vx help
}
# The help of a verb is short, and each has a page with its options.
short() { # VERB
    lines=$("$fxtop" "$1" --help </dev/null | wc -l)
    [ "$lines" -gt 3 ] && { [ "$lines" -le 25 ] || [ "$1" = record ]; } || echo "$1 --help has $lines lines"
    [ "$("$fxtop" help "$1" </dev/null)" = "$("$fxtop" "$1" --help </dev/null)" ] || echo "help $1 is not $1 --help"
    grep -q "^\.It Cm $1 " "$top/man/fxtop.1" || echo "not in fxtop.1: $1"
    "$mandoc" -Tlint -Wwarning "$top/man/fxtop-$1.1"
}
{
    options '' fxtop.1
    [ "$(verbs | wc -l)" -ge 11 ] || echo 'help lists few verbs'
    verbs | while read -r verb; do short "$verb" && options "$verb" "fxtop-$verb.1"; done
} >"$tmp/options"
cat "$tmp/options"
[ ! -s "$tmp/options" ] || exit 1

LC_ALL=C.UTF-8 awk -F '\t' '
function squeezed(s) {
    gsub(/.\b/, "", s)
    gsub(/[ \t\n]+/, " ", s)
    return s
}
function fault(what, s) {
    printf "not in fxtop-keys.7: %s \"%s\" (line %d of --list-keys)\n", what, s, FNR
    faults++
}
NR == FNR { page = page " " $0; next }
FNR == 1 {
    page = squeezed(page) " "
    n = split(page, words, " ")
    for (i = 1; i <= n; i++) { # "a," and "(a)" are the word a too; a key may itself be a mark
        word[words[i]]
        sub(/[,.;:)]+$/, "", words[i])
        word[words[i]]
        sub(/^\(/, "", words[i])
        word[words[i]]
    }
}
NF < 3 { printf "line %d of --list-keys has no three fields: %s\n", FNR, $0; faults++; next }
{
    n = split($1, keys, " ")
    if (n == 0 && $1 != "") fault("key", $1)
    for (i = 1; i <= n; i++) {
        count++
        if (!(keys[i] in word)) fault("key", keys[i])
    }
    if (!($2 in word)) fault("command", $2)
    help = squeezed($3)
    sub(/\.$/, "", help)
    if (index(page, help) == 0) fault("help", help)
}
END {
    if (count == 0) { print "--list-keys names no key"; faults++ }
    printf "%d keys looked up\n", count
    exit faults > 0
}' "$tmp/page" "$tmp/keys"
