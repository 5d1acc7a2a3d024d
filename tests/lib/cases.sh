# shellcheck shell=bash disable=SC2154
# cases.sh - counts conditions, for scripts that source it; they have a folder $tmp and end with the sum in their last line.

passed=0 failed=0

case_is() { # NAME CONDITION...: the end of its output if it does not hold
    local name=$1
    shift
    if "$@" >"$tmp/case_output" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        tail -n 60 "$tmp/case_output"
    fi
}
