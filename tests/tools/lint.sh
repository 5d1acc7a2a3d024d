#!/usr/bin/env bash
# lint.sh [--fast] - reads the code without running it: the project's own rules, gcc -fanalyzer, clang-tidy, cppcheck,
# mandoc, shellcheck.
#
# The rules: words of comments and commits (words.sh), prefixes and exports (house.sh, whose sizes are hints), floors and cycles
# (layers.sh), citations (citations.sh), a suite for each module (suites.sh). The analysers read src, model and ui;
# tests are held to gcc's warnings alone. .clang-tidy and this file give the reason for each check that is off; other exceptions have theirs beside the code.
# --fast leaves out clang-analyzer-*, which takes longest, and has the analysers read what the last 30 commits changed:
# more than lands at a time. Prints a line a tool, N passed, N failed last; a tool that is not installed fails.
set -u
top=$(cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd)
build=$(cd "${FXTOP_BUILD:-$top/build}" && pwd) || exit
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)} passed=0 failed=0
cd "$top" || exit
[ -f "$build/config.h" ] || { echo "no config.h in $build: configure first"; echo '0 passed, 1 failed'; exit 1; }
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
flags=(-std=c11 "--include=$build/config.h" -I.)
slow='' fast=false
[ "${1-}" = --fast ] && slow='-clang-analyzer-*' fast=true
folders=(src model sql record ui app provider)

# The names of the sources that are read. All of them where the history is not whole.
sources() {
    if "$fast" && [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
        git log -30 --name-only --no-renames --diff-filter=d --format= -- "${folders[@]/%//*.c}" | sort -u |
            while read -r name; do [ ! -e "$name" ] || echo "$name"; done
    else
        find "${folders[@]}" -name '*.c'
    fi
}

each() { # COMMAND...: with every source, as many as there are processors at a time
    xargs -n 1 -P "$jobs" "$@" <"$tmp/sources"
}

tool() { # NAME COMMAND...: fine where it says nothing
    local name=$1 started=$SECONDS
    shift
    if "$@" >"$tmp/out" 2>&1 && [ ! -s "$tmp/out" ]; then
        passed=$((passed + 1))
        printf '%-12s fine, %d s\n' "$name" $((SECONDS - started))
    else
        failed=$((failed + 1))
        printf '%-12s FAILED\n' "$name"
        head -n 200 "$tmp/out"
    fi
}

analyzed() {
    each "${CC:-gcc}" "${flags[@]}" -O2 -fanalyzer -Wall -Wextra -c -o /dev/null
}

# What it says on its standard error is how much it has not told.
tidied() {
    each sh -c 'clang-tidy --quiet "--checks=$0" "$2" -- -std=c11 "--include=$1/config.h" -I. 2>/dev/null' "$slow" "$build"
}

# readdir() is not thread-safe in name only: it is for streams that are not shared, and none is. A macro that is given
# has it read what is built; else it reads each file once for every combination of #if, which takes twice the time.
checked() {
    cppcheck -q "-j$jobs" --std=c11 -D__linux__ --enable=warning,performance,portability --inline-suppr --library=posix -I. \
        "--include=$build/config.h" --suppress=readdirCalled --error-exitcode=1 "--file-list=$tmp/sources"
}

sources >"$tmp/sources"
[ -s "$tmp/sources" ] || { echo 'no sources to read'; echo '0 passed, 1 failed'; exit 1; }

# Scripts of our own, which may also say what they looked at.
ours() { # SCRIPT
    bash "tests/tools/$1" >"$tmp/said" 2>&1 || { cat "$tmp/said"; return 1; }
}

# SC2046: lists of names without blanks are split into words on purpose.
export srcdir=$top FXTOP_BUILD=$build
tool words ours words.sh
tool house ours house.sh
tool layers ours layers.sh
tool citations ours citations.sh
tool documents ours documents.sh
tool suites ours suites.sh
tool fanalyzer analyzed
tool clang-tidy tidied
tool cppcheck checked
tool mandoc mandoc -Tlint -Wwarning man/*.[0-9]
tool shellcheck shellcheck -S warning -e SC2046 bootstrap .ci/run tests/*/*.sh
echo 'Hints, which are no faults:'
bash tests/tools/house.sh --hints
echo "$(wc -l <"$tmp/sources") sources analysed"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
