#!/usr/bin/env bash
# macros.sh - the trace macros compile in C11 and C++17, with and without NTRACE, and without a warning, -pedantic
# included; the Python writer makes a trace without a problem.
#
# All compilers that are there are asked. The programs are the examples, and one with each macro in each language.
set -u
top=$(cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd) || exit
fxtop=$(realpath "${FXTOP:-./fxtop}") || exit
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
flags=(-O1 -Wall -Wextra -pedantic -Wshadow -Werror -D_GNU_SOURCE "-I$top" "-I$top/provider" -fsyntax-only)
passed=0 failed=0

compiles() { # COMPILER LANGUAGE STANDARD FILE
    command -v "$1" >/dev/null || return
    for without in '' -DNTRACE; do
        if "$1" -x "$2" "-std=$3" $without "${flags[@]}" "$4" >"$tmp/out" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: $1 -std=$3 $without $4"
            head -n 20 "$tmp/out"
        fi
    done
}

for compiler in gcc clang; do
    compiles "$compiler" c c11 "$top/examples/trace.c"
    compiles "$compiler" c c11 "$top/tests/system/every_macro.c"
    compiles "$compiler" c gnu17 "$top/tests/system/traced.c"
done
for compiler in g++ clang++; do
    compiles "$compiler" c++ c++17 "$top/examples/trace.cc"
    compiles "$compiler" c++ c++17 "$top/tests/system/every_macro.cc"
    compiles "$compiler" c++ gnu++20 "$top/examples/trace.cc"
done
# Arguments that are too large or no texts, as users have them.
large() {
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$top/examples python3 - <<'END'
import fxtwriter
trace = fxtwriter.Writer("large.fxt")
trace.instant("app", 7, {i: "\u00fc" * 7000 for i in range(20)})
with trace.duration("a" * 40000, "b" * 40000, {None: 2**70, "f": float("nan"), "b": b"x"}):
    trace.instant("app", "last")
trace.close()
END
    "$fxtop" --check=strict large.fxt && [ "$("$fxtop" --query 'select count(*) from slice' large.fxt | tail -n 1)" = 3 ]
}

if command -v python3 >/dev/null; then
    if (cd "$tmp" && python3 "$top/examples/fxtwriter.py" && "$fxtop" --check=strict example.fxt && large) >"$tmp/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo 'FAILED: fxtwriter.py'
        cat "$tmp/out"
    fi
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
