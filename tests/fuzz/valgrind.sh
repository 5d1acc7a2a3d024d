#!/bin/bash
# valgrind.sh - the fuzz targets over their corpora under memcheck: nothing uninitialised decides anything, nothing is lost.
set -u
replay=${FXTOP_BUILD:-.}/tests/fuzz/replay
command -v valgrind >/dev/null || { echo 'valgrind is not installed'; echo '0 passed, 1 failed'; exit 1; }
exec valgrind --quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible "$replay" "$@"
