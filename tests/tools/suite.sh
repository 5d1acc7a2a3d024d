#!/bin/sh
# suite.sh PROGRAM - runs a test; suites in one process, where CK_FORK does not say otherwise.
#
# A process for each test takes as long as most of them. Where the one process ends by a signal, or does not end, they
# run once more with a process each, which names the test. That does not make it pass.
set -u
# They open thousands of small traces: pages from the kernel took more than half of their time.
case $1 in
*/check_damage | */check_model | */check_ui)
    export MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=4294967296
    ;;
esac
case $1 in
*/unit/check_*) ;;
*) exec "$@" ;;
esac
[ -z "${CK_FORK-}" ] || exec "$@"
srcdir=$(cd "${srcdir-.}" && pwd) # a test may have gone elsewhere
export srcdir
status=0
CK_FORK=no timeout "${SUITE_SECONDS-900}" "$@" || status=$?
[ "$status" -gt 1 ] || exit "$status"
echo "status $status: once more, with a process for each test"
"$@"
exit 1
