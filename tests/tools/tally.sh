#!/bin/sh
# tally.sh BUILD [STATUS] - counts the results of `make check` in BUILD, a line a test and the sum last.
#
# A libcheck program counts as the checks it made, a script that ends in "N passed, N failed" as it says, any other
# as one. STATUS is what make returned: a failure that no result tells of (it did not compile) counts as one.
# Exits with 1 when anything failed or nothing ran.
set -eu
build=$1
status=${2-0}

result() { # FILE.trs: "passed failed" of one test
    log=${1%.trs}.log
    verdict=$(sed -n 's/^:global-test-result: //p' "$1")
    counts=$(sed -n \
        -e 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' \
        -e 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2 passed/p' "$log" | tail -n 1)
    echo "$verdict" "${counts:-none}" | awk '{
        if ($2 == "none") { passed = ($1 == "PASS" || $1 == "XFAIL"); failed = 0 }
        else if ($4 == "passed") { passed = $2; failed = $3 }
        else { failed = $3 + $4; passed = $2 - failed }
        if ($1 == "SKIP") passed = failed = 0
        else if ($1 != "PASS" && $1 != "XFAIL" && !failed) failed = 1
        print passed, failed
    }'
}

passed=0 failed=0
for trs in $(find "$build" -name '*.trs' | sort); do
    set -- $(result "$trs")
    passed=$((passed + $1)) failed=$((failed + $2))
    name=${trs#"$build"/}
    name=${name%.trs}
    if [ "$1" -eq 0 ] && [ "$2" -eq 0 ]; then
        printf '%-28s skipped: %s\n' "$name" "$(tail -n 2 "$build/$name.log" | head -n 1)"
    else
        printf '%-28s %5d passed, %d failed\n' "$name" "$1" "$2"
    fi
done
if [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$passed" -eq 0 ]; }; then
    echo 'the tests were not run to their end'
    failed=1
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
