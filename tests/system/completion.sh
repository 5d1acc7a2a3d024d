#!/usr/bin/env bash
# completion.sh - candidates that bash, zsh and fish offer for a command line of fxtop, asked of the shells themselves.
#
# Expected are the texts that fxtop names elsewhere: options of --help, values in refusals ("--by expects total, self
# or cpu"), commands of --list-keys, fields of the table of filters. bash and zsh are interactive, each on a terminal
# of its own (completion.zsh); fish has `complete -C`. A shell that is missing is an error if CI is "true".
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
fxtop=$(realpath "${FXTOP:-./fxtop}") build=$(realpath -m "${FXTOP_BUILD:-.}")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0 tested=0

fault() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

mkdir -p "$tmp/files" "$tmp/zsh" "$tmp/home"
cd "$tmp/files" || exit 1
touch 'other.json' 'a trace.fxt'
export HOME=$tmp/home XDG_CONFIG_HOME=$tmp/home XDG_DATA_HOME=$tmp/home
unset BASH_ENV ENV ZDOTDIR

options() { # [record]: as --help lists them
    "$fxtop" "$@" --help | sed -nE 's/^  (-.,|   ) (--[a-z-]+).*/\1 \2/p' | tr -d ', ' | sed 's/\(.\)--/\1\n--/'
}

words() { # "a, b or c" as lines
    sed 's/ or /, /g' <<<"$1" | tr -d ' ' | tr ',' '\n'
}

# A query is LINE, a tab, how answers are read (option, value, last), a tab, and all answers that are expected; or those
# after "+", among others. "!": not these.
query() { # LINE HOW, expected lines on standard input
    local expected
    expected=$(tr '\n' ' ')
    printf '%s\t%s\t%s\n' "$1" "$2" "$expected" >>"$tmp/queries"
}

each_option() { # COMMAND [record]
    local command=$1 option list
    shift
    options "$@" | query "$command -" option
    while read -r option; do
        case $option in --*) printf '+ %s' "$option" | query "$command ${option%?}" option ;; esac
        list=$("$fxtop" "$@" "$option=?" no-such-file 2>&1 | sed -nE "s/.*expects ([a-z0-9]+(, [a-z0-9]+)* or [a-z0-9]+), not.*/\1/p")
        case $option in --check) list=strict ;; esac
        [ -n "$list" ] || continue
        words "$list" | query "$command $option=" value
        case $option in # their values are optional: after a blank come files
        --check | --syscalls) ;;
        *) words "$list" | query "$command $option " value ;;
        esac
        query "$command $option=no-such-" value </dev/null
        lists=$((lists + 1))
    done < <(options "$@" | grep '^--')
}

lists=0
each_option fxtop
recording=
if "$fxtop" record --help >/dev/null 2>&1; then
    recording=1
    each_option 'fxtop record' record
    words 'streaming, circular or oneshot' | query 'fxtop record -m ' value
    echo '+ echo' | query 'fxtop record ec' value
    echo '+ echo' | query 'fxtop record -o other.json --wait ec' value
    echo '! --mode' | query 'fxtop record ls --mo' option
    echo '+ other.json' | query 'fxtop record ls oth' value
    echo '+ other.json' | query 'fxtop record --recover oth' value
    echo '+ record' | query 'fxtop rec' value
fi
[ "$lists" -ge $((recording ? 9 : 8)) ] || fault "$lists options with a list of values"

echo '+ summary' | query 'fxtop summ' value
echo '+ instances' | query 'fxtop ins' value
echo '--by' | query 'fxtop top --by' option
echo '! --summary' | query 'fxtop top --s' option
words 'ndjson, json, csv, folded, fxt or sqlite' | query 'fxtop export ' value
echo '+ other.json' | query 'fxtop export csv oth' value
echo '+ other.json' | query 'fxtop top --by=self oth' value
echo '+ describe' | query 'fxtop help desc' value
words 'total, self, count, p99, max, cpu, trace, thread, samples, off-cpu or weight' | query 'fxtop top --by=' value

commands=$("$fxtop" --list-keys | cut -f2)
for line in "--keys=':" "--keys ':" "--keys=:" "--keys='jj<Space>:" "--keys ':slices<Enter>jj:"; do
    query "fxtop $line" last <<<"$commands"
done
views=$(sed -nE 's/^VIEW\([a-z_]+, "([a-z-]+)".*/\1/p' "$top/ui/views/view_list.h")
echo "+ $views" | query "fxtop --keys='w:" last
for line in "--keys=':flows " "--keys ':slices<Enter>:flows " '--keys=:flows\ '; do
    words 'chain, direct, all or off' | query "fxtop $line" last
done

fields=$(sed -nE 's/^    \{"([a-z]+)", FILTER_.*/\1/p' "$top/model/query/filter.c")
for line in "--filter='" "--filter '" "--filter='name=Frame " "--instances='" "--tracks='"; do
    query "fxtop $line" field <<<"$fields"
done
# The position in the value at which readline begins a word.
for line in '--filter=name=a@b\ open\ de' '--filter name=a@b:c\ open\ de' "--filter='name=a@b:c open de"; do
    query "fxtop $line" field <<<'depth'
done
texts=$(tr '\n' ' ' <"$top/model/query/filter.c" | sed -E 's/" +"//g') # a text may be on several lines
for field in kind state; do
    list=$(grep -oE "\"$field is [a-z, ]+\"" <<<"$texts" | sed -E "s/\"$field is (.*)\"/\1/")
    words "${list/or a number/}" | sed "s/^./$field=&/" | query "fxtop --filter='open $field=" last
    [ -n "$list" ] || fault "no values of $field"
done

for line in oth -ooth '-o oth' --output=oth '--session oth' '-- oth' '--ascii oth' '--files-from=oth'; do
    [ "$line" = -ooth ] || echo '+ other.json' | query "fxtop $line" value
done
echo '+ other.json' | query 'fxtop --query=@oth' value

asked() { # SHELL offers | becomes QUERIES: its answers
    case $1 in
    bash) "$fxtop" --completion=bash >"$tmp/bash" && timeout 100 zsh -f "$top/tests/system/completion.zsh" bash "$tmp/bash" "$tmp/setup" "$2" ;;
    zsh) "$fxtop" --completion=zsh >"$tmp/zsh/_fxtop" && timeout 100 zsh -f "$top/tests/system/completion.zsh" zsh "$tmp/zsh" "$tmp/setup" "$2" ;;
    fish)
        "$fxtop" --completion=fish >"$tmp/fish" && timeout 100 fish --no-config -c "source $tmp/fish
            while read -l line
                echo \"== \$line\"
                complete -C \"\$line\"
            end"
        ;;
    esac < <(cut -f1 "$3")
}

# Answers without descriptions, escapes and the part of the word before them.
compare() { # SHELL, its answers on standard input
    LC_ALL=C awk -F '\t' -v shell="$1" '
    function is_in(list, text) { return index(" " list " ", " " text " ") > 0 }
    FNR == NR { n++; line[n] = $1; how[n] = $2; expected[n] = $3; next }
    /^== / { at++; if ($0 != "== " line[at]) { print "no answer to: " line[at]; exit 1 } next }
    {
        answer = $1
        gsub(/\\/, "", answer)
        if (answer == "" || answer == "-") next
        if (how[at] == "option") sub(/=$/, "", answer)
        else sub(/^(--[a-z-]+=)?@?/, "", answer)
        if (how[at] == "last") sub(/.*[: ]/, "", answer)
        if (how[at] == "field") { sub(/.* /, "", answer); sub(/[=>]$/, "", answer) }
        if (!is_in(given[at], answer)) given[at] = given[at] " " answer
    }
    END {
        if (at != n) { print "answers end at: " line[at]; bad++ }
        for (i = 1; i <= at; i++) {
            count = split(expected[i], want, " ")
            kind = want[1] == "+" || want[1] == "!" ? want[1] : ""
            for (k = kind == "" ? 1 : 2; k <= count; k++)
                if (is_in(given[i], want[k]) == (kind == "!") && !(want[k] ~ /other.json/ && is_in(given[i], "FILES"))) {
                    print "[" line[i] "] " (kind == "!" ? "offers " : "lacks ") want[k]; bad++
                }
            count = kind == "" ? split(given[i], have, " ") : 0
            for (k = 1; k <= count; k++)
                if (!is_in(expected[i], have[k])) { print "[" line[i] "] offers " have[k]; bad++ }
        }
        exit bad > 0
    }' "$tmp/queries" -
}

# Inserted text is quoted: the shell splits the line into the intended words.
cat >"$tmp/lines" <<'END'
fxtop --expo	fxtop --export=
fxtop --export=nd	fxtop --export=ndjson
fxtop --filter='name=a@b:c open de	fxtop --filter=name=a@b:c open depth>
fxtop --filter=name=a@b:c\ open\ de	fxtop --filter=name=a@b:c open depth>
fxtop --filter name=a@b\ de	fxtop --filter name=a@b depth>
fxtop --query=@a	fxtop --query=@a trace.fxt
fxtop --query @a\ t	fxtop --query @a trace.fxt
fxtop --keys ':slices-w	fxtop --keys :slices-wakeups
fxtop --keys=:flows\ al	fxtop --keys=:flows all
fxtop --keys='jj:sandw	fxtop --keys=jj:sandwich
fxtop --keys=w:w!	fxtop --keys=w:w!
fxtop a\ t	fxtop a trace.fxt
fxtop --output=a	fxtop --output=a trace.fxt
fxtop -o a	fxtop -o a trace.fxt
fxtop rec	fxtop record
END
inserted() { # SHELL, its lines on standard input
    local line words expected
    while IFS=$'\t' read -r _ expected; do
        read -r _ <&3 && IFS= read -r line <&3 || line=
        (eval "printf '%s ' $line") >"$tmp/words" 2>/dev/null || eval "printf '%s ' $line'" >"$tmp/words"
        words=$(sed 's/ $//' "$tmp/words")
        if [ "$words" = "$expected" ]; then
            passed=$((passed + 1))
        else
            fault "$1 makes '$words' of what should become '$expected'"
        fi
    done 3<&0 <"$tmp/lines"
}

for shell in bash zsh fish; do
    missing=
    for program in "$shell" $([ "$shell" != bash ] || echo zsh); do
        command -v "$program" >/dev/null || missing=$program
    done
    if [ -z "$missing" ]; then
        tested=$((tested + 1))
        if asked "$shell" offers "$tmp/queries" >"$tmp/answers" && compare "$shell" <"$tmp/answers" >"$tmp/out"; then
            passed=$((passed + $(wc -l <"$tmp/queries")))
        else
            fault "$shell"
            head -n 40 "$tmp/out"
        fi
        [ "$shell" = fish ] || inserted "$shell" < <(asked "$shell" becomes "$tmp/lines")
    elif [ "${CI-}" = true ]; then
        fault "$missing is not installed"
    else
        echo "$missing is not installed: the completion of $shell is not tested"
    fi
done

# Each file is in the folder that its shell reads, equals the output of --completion, and is removed by uninstall.
if grep -qs '^nodist_bashcompletion_DATA = ' "$build/Makefile"; then
    unset MAKEFLAGS MAKELEVEL MFLAGS
    targets='nodist_bashcompletionDATA nodist_fishcompletionDATA nodist_zshcompletionDATA'
    make -s -C "$build" prefix="$tmp/installed" datadir="$tmp/installed" ${targets//nodist/install-nodist} >/dev/null || fault 'make install'
    for file in bash:bash-completion/completions/fxtop fish:fish/vendor_completions.d/fxtop.fish \
        zsh:zsh/site-functions/_fxtop; do
        if "$fxtop" --completion="${file%%:*}" | cmp - "$tmp/installed/${file#*:}"; then
            passed=$((passed + 1))
        else
            fault "installed for ${file%%:*}"
        fi
    done
    make -s -C "$build" prefix="$tmp/installed" datadir="$tmp/installed" ${targets//nodist/uninstall-nodist} >/dev/null || fault 'make uninstall'
    [ -z "$(find "$tmp/installed" -type f)" ] || fault 'files are left after make uninstall'
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] || exit 1
[ "$tested" -gt 0 ] || exit 77
