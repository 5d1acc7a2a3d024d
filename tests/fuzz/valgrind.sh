#!/bin/bash
# valgrind.sh - under memcheck: the fuzz targets over their corpora, and programs that are recorded.
#
# Nothing uninitialised decides anything, and nothing is lost.
set -u
build=${FXTOP_BUILD:-.}
command -v valgrind >/dev/null || { echo 'valgrind is not installed'; echo '0 passed, 1 failed'; exit 1; }
strict=(valgrind --quiet --error-exitcode=99 --leak-check=full '--errors-for-leak-kinds=definite,indirect,possible')
if [ -x "$build/tests/system/traced" ]; then # recording needs Linux
    for mode in streaming circular oneshot; do
        for what in kinds 'steps 2 2000' pause; do
            # shellcheck disable=SC2086 # several words
            "$build/fxtop" record -o /dev/null --no-sched --no-stacks --sample=0 -m "$mode" "${strict[@]}" "$build/tests/system/traced" $what \
                2>"$build/valgrind.log" && continue
            cat "$build/valgrind.log"
            echo "$mode, traced $what: not clean under valgrind"
            echo '0 passed, 1 failed'
            exit 1
        done
    done
    rm -f "$build/valgrind.log"
fi
exec "${strict[@]}" "$build/tests/fuzz/replay" "$@"
