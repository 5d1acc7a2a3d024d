#!/usr/bin/env bash
# promises.sh - the names and formats that are promised to stay (doc/STABILITY.md): the lists of tests/promised/ against the program.
#
# Options, commands, columns of SQL and csv, keys of ndjson, the form of --version and of --list-keys, exit statuses. New
# ones are no fault. Columns of csv keep their order: new ones come after them.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) build=$(cd "${FXTOP_BUILD:-.}" && pwd)
fxtop=${FXTOP:-$build/fxtop}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
promised=$top/tests/promised

verdict() { # NAME STATUS FILE: the third is what to print of a fault
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        cat "$3"
    fi
}

all_in() { # LIST: each line of it is one of the lines of standard input
    LC_ALL=C sort -u >"$tmp/now"
    LC_ALL=C sort -u "$promised/$1" | LC_ALL=C comm -23 - "$tmp/now" | sed 's/^/no longer: /' >"$tmp/out"
    [ ! -s "$tmp/out" ]
    verdict "$1" $? "$tmp/out"
}

options() {
    grep -oE '^ +(-[A-Za-z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+$'
}

ends() { # STATUS ARGUMENT...
    local want=$1 got
    shift
    "$fxtop" "$@" >"$tmp/out" 2>&1 </dev/null
    got=$?
    [ "$got" -eq "$want" ]
    verdict "exit status $want of $*: $got" $? "$tmp/out"
}

make -s -C "$build" demo.fxt >"$tmp/out" 2>&1 </dev/null
verdict 'the demo trace' $? "$tmp/out"
demo=$build/demo.fxt
all_in options.txt < <("$fxtop" --help </dev/null | options)
all_in verbs.txt < <("$fxtop" help </dev/null | sed -nE 's/^  ([a-z]+) +[^ ].*/\1/p')
if "$fxtop" --version | grep -q '^with:.* record'; then
    all_in options_record.txt < <("$fxtop" record --help </dev/null | options)
fi
"$fxtop" --list-keys </dev/null | awk -F '\t' 'NF != 3 { exit 1 }'
verdict '--list-keys has three columns' $? /dev/null
all_in commands.txt < <("$fxtop" --list-keys </dev/null | cut -f2)
"$fxtop" --version | awk 'NR == 1 && !/^fxtop [0-9.]+$/ || NR == 2 && !/^with:( [a-z-]+)*$/ ||
    NR == 3 && !/^without:( [a-z-]+)*$/ || NR == 4 { bad = 1 } END { exit bad || NR < 3 }'
verdict '--version has three lines' $? /dev/null

while IFS=: read -r arguments columns; do
    read -r -a words <<<"$arguments"
    traces=("$demo")
    [ "${words[0]}" != --compare ] || traces+=("$demo")
    now=$("$fxtop" "${words[@]}" "${traces[@]}" 2>/dev/null </dev/null | head -n 1 | tr ',' ' ' | tr -d '\r')
    case "$now " in "${columns# } "*) true ;; *) echo "$now" >"$tmp/out"; false ;; esac
    verdict "columns of $arguments" $? "$tmp/out"
done <"$promised/csv.txt"

# A line of ndjson has its type first; the keys of objects inside do not count, nor does what a text quotes.
awk -F ': ' '{ n = split($2, keys, " "); for (i = 1; i <= n; i++) print $1, keys[i] }' "$promised/ndjson.txt" | LC_ALL=C sort >"$tmp/keys"
for file in "$top"/tests/traces/*.ndjson; do
    "$build/tests/lib/mktrace" "${file%.ndjson}.txt" "$tmp/t.fxt" && "$fxtop" --export=ndjson "$tmp/t.fxt" </dev/null
done 2>/dev/null | awk '
    match($0, /^\{"type":"[a-z_]+"/) {
        type = substr($0, 10, RLENGTH - 10)
        rest = substr($0, RLENGTH + 1)
        gsub(/\\./, "", rest)                                     # quotes and backslashes of texts
        while (match(rest, /^,"[a-z_]+":/)) {
            key = substr(rest, 3, RLENGTH - 4)
            print type, key
            rest = substr(rest, RLENGTH + 1)
            depth = 0
            do {                                                   # one value
                if (match(rest, /^"[^"]*"/) || match(rest, /^[^][{}",]+/)) { rest = substr(rest, RLENGTH + 1); continue }
                c = substr(rest, 1, 1)
                if (c == "[" || c == "{") depth++
                else if (c == "]" || c == "}") depth--
                if (depth >= 0) rest = substr(rest, 2)
            } while (rest != "" && depth >= 0 && (depth > 0 || rest !~ /^[,}]/))
        }
    }' | LC_ALL=C sort -u >"$tmp/now"
LC_ALL=C comm -23 "$tmp/keys" "$tmp/now" | sed 's/^/no longer: /' >"$tmp/out"
[ ! -s "$tmp/out" ]
verdict 'keys of ndjson' $? "$tmp/out"

if "$fxtop" --version | grep -q '^with:.* sqlite'; then
    while IFS=: read -r table columns; do
        read -r -a words <<<"$columns"
        "$fxtop" --query "select $(IFS=,; echo "${words[*]}") from $table limit 0" "$demo" >"$tmp/out" 2>&1 </dev/null
        verdict "table $table" $? "$tmp/out"
    done <"$promised/sql.txt"
fi

ends 0 --summary "$demo"
ends 1 --check=strict "$demo"
ends 1 --assert '1 = 0' "$demo"
# A verb answers as the option of its name does.
same() { # VERB-LINE, OPTION-LINE: words by blanks, a _ is a blank within
    local -a verb option
    read -r -a verb <<<"$1"
    read -r -a option <<<"$2"
    "$fxtop" "${verb[@]//_/ }" "$demo" >"$tmp/verb" 2>&1 </dev/null
    echo "$?" >>"$tmp/verb"
    "$fxtop" "${option[@]//_/ }" "$demo" >"$tmp/option" 2>&1 </dev/null
    echo "$?" >>"$tmp/option"
    diff "$tmp/verb" "$tmp/option" >"$tmp/out"
    verdict "$1 is $2" $? "$tmp/out"
}
same 'top -n 3 --by=self' '--top=3 --by=self'
same 'instances dur>1ms' '--instances=dur>1ms'
same 'query --format=csv select_1' '--query=select_1 --format=csv'
same "compare $demo" "--compare $demo"
same 'check --strict' '--check=strict'
same 'assert 1=0 --assert=1=1' '--assert=1=1 --assert=1=0'
same summary --summary
same 'export csv' '--export=csv'
same 'cut 0..1%' '--cut=0..1%'
same 'describe 1ms' '--describe=1ms'
same describe --describe
ends 0 help top
ends 2 help no-such-verb
ends 2 query 'select 1'
ends 2 top --summary "$demo"
cp "$demo" "$tmp/top"
(cd "$tmp" && "$fxtop" --top ./top && "$fxtop" --top -- top) >"$tmp/out" 2>&1 </dev/null
verdict 'a file called like a verb' $? "$tmp/out"
"$fxtop" qurey 'select 1' "$demo" >"$tmp/out" 2>&1 </dev/null
[ $? -eq 2 ] && [ "$(wc -l <"$tmp/out")" -eq 1 ] && grep -q ' query ' "$tmp/out"
verdict 'a mistyped verb' $? "$tmp/out"
cp "$demo" "$tmp/chek"
(cd "$tmp" && "$fxtop" chek --check) >"$tmp/out" 2>&1 </dev/null
[ $? -le 1 ]
verdict 'a file nearly called like a verb' $? "$tmp/out"
ends 2 --no-such-option
ends 2 "$tmp/no-such-file"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
