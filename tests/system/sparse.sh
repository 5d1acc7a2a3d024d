#!/usr/bin/env bash
# sparse.sh - traces with holes of terabytes are read in the time that their data takes, and holes are told as zeros.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
fxtop=$(realpath "${FXTOP:-./fxtop}")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
cd "$tmp" || exit 1

case_is() { # NAME CONDITION...
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; cat out; fi
}

run() { timeout 20 "$fxtop" "$@" >out 2>&1; }

printf '[{"ph":"X","name":"early","pid":1,"tid":1,"ts":10,"dur":5},{"ph":"X","name":"late","pid":1,"tid":1,"ts":20,"dur":5}]' >two.json
run --export=fxt -o two.fxt two.json
size=$(stat -c %s two.fxt)
truncate -s 4T holes || { echo '0 passed, 0 failed: files here cannot be so large'; exit; }

# Data, a hole of 1 TB, data, a hole to the end; the second part is the same trace again.
cp two.fxt holes.fxt
truncate -s 1T holes.fxt
cat two.fxt >>holes.fxt
truncate -s 3T holes.fxt
run --top --format=csv holes.fxt
case_is 'slices of both parts' [ "$(grep -c '^"\(early\|late\)",2,' out)" -eq 2 ]
run --check holes.fxt
case_is 'the holes are zeros' grep -q "zero_words: 2, first at byte $size: $(((1 << 37) - size / 8)) words of zeros" out
run --records holes.fxt
case_is 'records' [ "$(grep -c '"late"' out)" -ge 2 ]
run --export=fxt -o clean.fxt holes.fxt
case_is 'a clean copy has none' [ "$(stat -c %s clean.fxt)" -lt $((4 * size)) ]

# Damage before the hole: it is looked through for a record.
printf '\001\000\000\000\000\000\000\000' | dd of=holes.fxt bs=1 seek=$((size - 8)) conv=notrunc status=none
run --top --format=csv holes.fxt
case_is 'damage before a hole' grep -q '^"early",2,' out

truncate -s 4T two.json
run --top --format=csv two.json
case_is 'JSON' grep -q '^"late",1,' out
printf 'main;work 3\n' >two.folded
truncate -s 4T two.folded
run --top --format=csv two.folded
case_is 'collapsed stacks' grep -q '^"work",1,' out
run --check holes
case_is 'a hole alone is no trace' grep -q 'zeros: not written yet, or a hole' out

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
