#!/usr/bin/env bash
# words.sh [PATH ...] - the language of comments, texts and commits (doc/GLOSSARY.md).
#
# A sentence of a comment has at most 25 words, does not open with a fragment ("Of ...", "Those ..."), and uses none of
# the words that the glossary replaces; texts of the interface neither. A source opens with "/* name.c - ". A commit
# subject is "area: verb object", at most 72 characters. Lines of a comment that are indented by three blanks or more are
# pictures and are not read. Prints each fault of the PATHs, files or folders; without one, counts a folder, and the faults
# if they are few. Prints nothing if all is well.
set -u
top=$(cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd) || exit
cd "$top" || exit
few=60 first=ca9ae91
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
paths=("$@")
[ $# -gt 0 ] || paths=(src model sql record ui app provider tests)
find "${paths[@]}" -name '*.[ch]' ! -path '*/corpus/*' | LC_ALL=C sort >"$tmp/files"

opened() { # each source opens with its name
    while read -r file; do
        case $(head -n 1 "$file") in
        "/* ${file##*/} - "*) ;;
        *) echo "$file:1: does not open with /* ${file##*/} - ..." ;;
        esac
    done <"$tmp/files"
}

# Sentences end with . ! ? or : and at a paragraph, a list item or the end of the comment.
spoken() {
    LC_ALL=C xargs -r -d '\n' awk -f tests/tools/lexer.awk <"$tmp/files" | LC_ALL=C awk -F '\t' '
    BEGIN {
        n = split("behind who whoever whom somebody nobody anybody someone anyone room beside aside settle settles " \
            "settled tell tells told says anew brief", list, " ")
        for (i = 1; i <= n; i++)
            bad[list[i]]
        n = split("what came|what comes|what is there|" \
            "what is left|what was left|what is wanted|what was read|what was written|what is written|" \
            "what is shown|what is drawn|what was drawn|what was known|what was counted|what was there|" \
            "what stands|at hand|stands for|stands at|stands in|stand for|" \
            "stand at|stand in|let go|lets go|let it go", phrases, "|")
        nphrases = n
    }
    function fault(what) {
        print file ":" line ": " what
    }
    function words_of(text,    i, m, w, low, plain) {
        gsub(/`[^`]*`|"[^"]*"/, " ", text)
        low = " " tolower(text) " "
        gsub(/[ \n]+/, " ", low)
        for (i = 1; i <= nphrases; i++)
            if (index(low, " " phrases[i] " ") || index(low, " " phrases[i] ",") || index(low, " " phrases[i] "."))
                fault("say instead: \"" phrases[i] "\"")
        m = split(low, w, " ")
        for (i = 1; i <= m; i++) {
            plain = w[i]
            if (plain ~ /[_=<>\/]|\(\)|->|^\.|[a-z]\.[a-z]/)
                continue # a name of the code
            gsub(/^[^a-z]+|[^a-z]+$/, "", plain)
            if (plain in bad)
                fault("say instead: \"" plain "\"")
        }
    }
    function sentence(text,    n, w, i, words) {
        sub(/^[ ]+/, "", text)
        if (text == "")
            return
        n = split(text, w, /[ \n]+/)
        words = 0
        for (i = 1; i <= n; i++)
            words += w[i] ~ /[A-Za-z0-9]/
        if (words > 25)
            fault(words " words: " substr(text, 1, 60) "...")
        if (text ~ /^(Of|Those|What|Where|Who)[ ,]/ || text ~ /^The same([,;:.]| (for|of|where|with|as|in|from|once|by|on|but|to|when|again) )/)
            fault("opens with a fragment: " substr(text, 1, 60))
    }
    function flush(    at) {
        words_of(said)
        while (match(said, /[.!?:][)"]?( |$)/)) {
            at = RSTART
            if (substr(said, 1, at) ~ /(e\.g|i\.e|cf|vs|etc)\.$/) {
                said = substr(said, 1, at - 1) ";" substr(said, at + 1)
                continue
            }
            sentence(substr(said, 1, at))
            said = substr(said, at + RLENGTH)
        }
        sentence(said)
        said = ""
    }
    { text = $0; sub(/^[^\t]*\t[^\t]*\t[^\t]*\t/, "", text) }
    $3 == "comment" {
        if (said == "") {
            file = $1
            line = $2
        }
        if (text == "" || text ~ /^   /) {
            flush()
            next
        }
        if (text ~ /^ *([-*] |[0-9]+\. |\([0-9a-z]\) |\[[A-Z][0-9]+\] )/)
            flush()
        if (said == "")
            line = $2
        sub(/^ /, "", text)
        said = said (said == "" ? "" : " ") text
    }
    $3 == "end" { flush() }
    $3 == "string" && $1 ~ /^(src|model|ui)\// && text ~ /[a-z] [a-z]/ {
        file = $1
        line = $2
        words_of(text)
    }'
}

committed() { # subjects since the rules hold
    git rev-parse -q --verify "$first^{commit}" >/dev/null 2>&1 || return 0
    git log --no-merges --abbrev=7 --format='%h %s' "$first..HEAD" | awk '
    {
        hash = $1
        sub(/^[^ ]* /, "")
        if (length($0) > 72)
            print "commit:" hash ": a subject of " length($0) " characters: " $0
        else if ($0 !~ /^[a-z][a-z0-9_.\/, -]*: [a-zA-Z]/)
            print "commit:" hash ": a subject is area: verb object: " $0
    }'
}

{
    opened
    spoken
    [ $# -gt 0 ] || committed
} >"$tmp/faults"
[ -s "$tmp/faults" ] || exit 0
if [ $# -gt 0 ] || [ "$(wc -l <"$tmp/faults")" -le "$few" ]; then
    cat "$tmp/faults"
fi
echo "faults of language, a folder (tests/tools/words.sh FOLDER lists them):"
sed -e 's|/[^/:]*:.*||' -e 's|:.*||' "$tmp/faults" | LC_ALL=C sort | uniq -c
exit 1
