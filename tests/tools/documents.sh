#!/usr/bin/env bash
# documents.sh - the documents name what exists.
#
# Each function and struct in backquotes, `name()` and `struct name`, is in the code.
# Each path below src, model, ui, record, provider, tests, doc or man in a document is a file or folder of the tree; names in capitals stand
# for any. ARCHITECTURE.md lists each folder, and no other; each module says in its first line what it is. A blank line is before
# and after each heading. fxtop-config(5) lists each role of a theme. Prints each fault; nothing if all is well.
set -u
top=$(cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd) || exit
cd "$top" || exit
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT

paths() {
    grep -noE '(^|[^A-Za-z0-9_/.~-])(src|model|sql|ui|record|provider|tests|doc|man)/[][A-Za-z0-9_/.*-]+' README.md HACKING.md ARCHITECTURE.md \
        doc/*.md /dev/null | sed 's/:[^:A-Za-z]*\([a-z]*\/[^:]*\)$/ \1/' | while read -r at path; do
        path=${path%.}
        case $path in
        *[A-Z]*.c | *[A-Z]*.screen | *FOLDER*) continue ;;
        esac
        compgen -G "$path" >/dev/null || compgen -G "$path.[ch]" >/dev/null || echo "$at: there is no $path"
    done
}

names() {
    grep -noE '`([a-z_0-9]+\(\)|struct [a-z_0-9]+)`' README.md HACKING.md ARCHITECTURE.md doc/*.md |
        while IFS=: read -r file line name; do
            name=${name//[\`()]/}
            grep -rqwF "$name" src model sql ui record provider app || echo "$file:$line: there is no $name"
        done
}

headings() {
    awk 'FNR == 1 { before = code = "" }
        /^```/ { code = !code }
        !code && FNR > 1 && (/^#/ ? before != "" : before ~ /^#/ && $0 != "") {
            print FILENAME ":" FNR ": no blank line next to a heading"
        }
        { before = code ? "code" : $0 }' README.md HACKING.md ARCHITECTURE.md doc/*.md
}

roles() {
    sed -n '/^Roles are/,/names\.$/p' man/fxtop-config.5 | tr -d '\\' | grep -oE '[a-z-]+' >"$tmp/roles"
    grep -oE '\[ROLE_[A-Z_]+\] = "[a-z-]+"' ui/screen/style.c | cut -d '"' -f 2 | grep -vxF -f "$tmp/roles" |
        sed 's/^/man\/fxtop-config.5: lacks the role /'
}

# The folders that ARCHITECTURE.md lists, and those of the tree.
listed() { sed -n 's/^| \([a-z][a-z/-]*\) | .*/\1/p' ARCHITECTURE.md | LC_ALL=C sort; }
existing() { find src/*/ model sql ui record provider app -name '*.[ch]' | sed 's|/[^/]*$||' | LC_ALL=C sort -u; }

{
    paths
    names
    headings
    roles
    listed >"$tmp/listed"
    existing >"$tmp/existing"
    LC_ALL=C comm -23 "$tmp/existing" "$tmp/listed" | sed 's/^/ARCHITECTURE.md: lacks the folder /'
    LC_ALL=C comm -13 "$tmp/existing" "$tmp/listed" | sed 's/^/ARCHITECTURE.md: there is no folder /'
    bash tests/tools/modules.sh | grep 'does not begin'
} >"$tmp/faults"
cat "$tmp/faults"
[ ! -s "$tmp/faults" ]
