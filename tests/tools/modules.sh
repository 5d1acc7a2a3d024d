#!/usr/bin/env bash
# modules.sh [FOLDER] - prints the modules of a folder, or of all, with the first sentence of their headers.
#
# A file without a header is private to its folder and is printed, too. Status 1 if a file does not begin with its name.
set -u
cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit
folders=("$@")
[ $# -gt 0 ] || folders=(src model sql ui record provider app)

find "${folders[@]}" -name '*.[ch]' | LC_ALL=C sort | while read -r file; do
    [ "${file##*.}" = c ] && [ -e "${file%.c}.h" ] && continue
    printf '%s\t%s\n' "$file" "$(head -n 6 "$file" | tr '\n' ' ')"
done | awk -F '\t' '
    {
        folder = name = $1
        sub(/\/[^\/]*$/, "", folder)
        sub(/.*\//, "", name)
        if (index($2, "/* " name " - ") != 1) {
            print $1 ": does not begin with its name and what it is"
            faults++
            next
        }
        if (folder != last)
            print (last == "" ? "" : "\n") folder
        last = folder
        text = substr($2, length(name) + 7)
        gsub(/ +\* +/, " ", text)
        sub(/ *\*\/.*/, "", text)
        if (match(text, /[.] /))
            text = substr(text, 1, RSTART - 1)
        sub(/[.]$/, "", text)
        sub(/\.[ch]$/, "", name)
        printf "  %-20s %s\n", name, text
    }
    END { exit faults > 0 }'
