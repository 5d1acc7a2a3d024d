#!/bin/sh
# man_keys.sh - fxtop(1) tells the truth: every key, command and line of help of --list-keys stands in it.
#
# --list-keys prints KEYS, COMMAND and HELP, separated by tabs, several keys by blanks. The page is compared as a reader
# sees it: rendered, without overstriking, blanks squeezed.
set -u
top=${srcdir:-$(dirname "$0")/../..}
fxtop=${FXTOP:-./fxtop}
mandoc=${MANDOC:-mandoc}
command -v "$mandoc" >/dev/null || { echo 'mandoc is not installed'; exit 77; }

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
"$fxtop" --list-keys >"$tmp/keys" </dev/null || { echo "$fxtop --list-keys failed"; exit 1; }
"$mandoc" -Tutf8 -O width=1000 "$top/man/fxtop.1" >"$tmp/page" || { echo "$mandoc failed"; exit 1; }

LC_ALL=C.UTF-8 awk -F '\t' '
function squeezed(s) {
    gsub(/.\b/, "", s)
    gsub(/[ \t\n]+/, " ", s)
    return s
}
function fault(what, s) {
    printf "not in fxtop.1: %s \"%s\" (line %d of --list-keys)\n", what, s, FNR
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
