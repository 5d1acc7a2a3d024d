#!/usr/bin/env bash
# outputs.sh - what -o, :w and :session write is whole or not there, and nothing that is read is ever written.
#
# Every option, key and command that takes a file is given each file that is read, by each of its names.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
fxtop=$(realpath "${FXTOP:-./fxtop}")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
cd "$tmp" || exit 1
export HOME=$tmp XDG_STATE_HOME=$tmp/state XDG_CONFIG_HOME=$tmp/config

case_is() { # NAME CONDITION...
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; cat messages; fi
}

run() { # ARGUMENT...: fills out, messages, status
    "$fxtop" "$@" >out 2>messages
    status=$?
}

event='{"ph":"X","name":"a","cat":"c","pid":1,"tid":1,"ts":10,"dur":'
mkdir read
printf '[%s5}]' "$event" >read/a.json
printf '[%s7}]' "$event" >read/b.json
echo 'select count(*) from slice' >read/q.sql
printf 'read/a.json\nread/b.json\n' >read/list
echo 'set keys vi' >read/config
printf '# fxtop session: commands that fxtop -S runs; see fxtop(1)\nplace order name\n' >read/session
gzip -c read/a.json >read/c.json.gz
sums=$(cd read && sha256sum -- *)
mkdir hard soft
for file in read/*; do
    ln "$file" "hard/${file#*/}"
    ln -s "../$file" "soft/${file#*/}"
done

# Each mode that prints, over each file that it reads.
over() { # FILE ARGUMENT...
    local file=$1 name output
    shift
    for name in ${names-hard}; do
        output=$name/$file
        [ "$name" != fd ] || output=/dev/fd/9
        run -o "$output" "$@" 9<>"read/$file"
        case_is "-o $output $*: status $status" [ "$status" -eq 2 ]
    done
}

for mode in --summary --print '--print --format=svg' --check --records --top --instances=name=a --export=ndjson \
    --export=json --export=csv --export=folded --export=fxt '--export=sqlite' --cut=0..1us --describe '--top --format=csv' \
    '--export=csv --keys=5' '--cut=0..1us --redact=all'; do
    read -ra words <<<"$mode"
    over a.json "${words[@]}" read/a.json
done
for input in read/a.json soft/a.json -; do
    "$fxtop" --records "$input" <read/a.json >>hard/a.json 2>messages
    case_is "$input >>a.json" [ $? -eq 2 -a "$(cat messages)" = 'fxtop: standard output is a file that is read' ]
done
names='read hard soft fd' over c.json.gz --summary read/c.json.gz
names='read hard soft fd' over b.json --compare read/a.json read/b.json
over b.json --compare read/a.json,read/b.json read/a.json
over a.json --assert='count(*) > 0' --files-from=read/list
over b.json --query=@read/q.sql --files-from=read/list --jobs=2
over list --query=@read/q.sql --files-from=read/list
over q.sql --query=@read/q.sql read/a.json
over config --print --config=read/config read/a.json
over session --print -S read/session read/a.json
run -o read/a.json --summary - <read/a.json
case_is 'standard input' [ "$status" -eq 2 ]

# An overlay has another device for a file below it. Only root mounts one, in a namespace of its own.
mkdir -p below/upper below/work merged
cp read/a.json below/upper/a.json
cat >mounted <<'END'
mount -t overlay overlay -o lowerdir=hard,upperdir=below/upper,workdir=below/work merged 2>/dev/null || exit 77
"$1" -o below/upper/a.json --summary merged/a.json
[ $? -eq 2 ] && echo refused
END
unshare -m bash mounted "$fxtop" >out 2>messages
status=$?
case_is "below an overlay: status $status" [ "$status" -eq 77 -o "$(cat out)" = refused -o -n "$(grep ^unshare messages)" ]

# Each command that takes a file.
commands=$("$fxtop" --list-keys | cut -f2 | grep -x 'w\|w!\|session')
case_is 'the commands' [ "$(wc -l <<<"$commands")" -eq 3 ]
for command in $commands; do
    for file in read/a.json hard/a.json soft/a.json /dev/fd/9 read/config hard/config read/session; do
        [ "$command $file" != 'session read/session' ] || continue
        run --print=90x9 --keys-may-write -S read/session --config=read/config --keys=":$command $file<Enter>" \
            read/a.json 9<>read/a.json
        case_is ":$command $file" grep -q 'exists\|read itself\|another kind' out
    done
done
case_is 'nothing that is read was written' [ "$(cd read && sha256sum -- *)" = "$sums" ]
cp read/session kept
run --print=90x9 --keys-may-write -S kept --keys=":session kept<Enter>" read/a.json
case_is 'but a session again' grep -q 'session written' out

# The old file stays until the new one is whole.
echo old >old
run -o old --query='select nope' read/a.json
case_is 'a failed run: status' [ "$status" -eq 2 ]
case_is 'a failed run leaves the old file' [ "$(cat old)" = old ]
run -o new --query='select nope' read/a.json
case_is 'and no new one' [ ! -e new ]
(ulimit -f 1; trap '' XFSZ; exec "$fxtop" -o old --query="select printf('%900000d', 1)" read/a.json) >out 2>messages
case_is 'no space leaves the old file' [ "$(cat old)" = old ]
ln old other
(ulimit -f 1; trap '' XFSZ; exec "$fxtop" -o old --query="select printf('%900000d', 1)" read/a.json) >out 2>messages
case_is 'no space leaves a file with two names' [ "$(cat old)" = old ]
run -o other --format=csv --query='select 1 as one' read/a.json
case_is 'a file with two names has them still' grep -q one old
(umask 027; exec "$fxtop" -o mode --summary read/a.json)
case_is 'the mode of a new file' [ "$(stat -c %a mode)" = 640 ]
chmod 604 mode
run -o mode --summary read/a.json
case_is 'the mode of the old file' [ "$(stat -c %a mode)" = 604 ]
ln -s mode link
run -o link --format=csv --query='select 2 as two' read/a.json
case_is 'a link stays, and its file is new' [ -L link -a "$(head -1 mode)" = '"two"' ]
ln -s later dangling
run -o dangling --format=csv --query='select 3 as three' read/a.json
case_is 'a link to nothing so far' [ -L dangling -a "$(head -1 later)" = '"three"' ]
echo first >log
"$fxtop" -o /dev/stdout --format=csv --query='select 4 as four' read/a.json >>log 2>messages
case_is 'standard output by its name is appended to' [ "$(head -2 log | tr '\n' ' ')" = 'first "four" ' ]
case_is 'no other file is left' [ -z "$(find . -name '.fxtop-*')" ]

# Pipes.
mkfifo pipe
run --print=90x9 --keys-may-write --keys=':w pipe<Enter>' read/a.json
case_is ':w to a pipe without a reader' grep -q 'nothing reads this pipe' out
exec 8<>pipe
run --print=90x9 --keys-may-write --keys=':w pipe<Enter>' read/a.json
case_is ':w to a pipe' grep -q 'written to pipe' out
exec 8>&-
timeout 20 "$fxtop" -o pipe --summary pipe >out 2>messages 9<>pipe
case_is '-o a pipe that is read' [ $? -eq 2 -a "$(cat messages)" = 'fxtop: pipe: it is read itself: write to another file' ]
run -o /dev/full --summary read/a.json
case_is 'a device that is full' [ "$status" -eq 2 ]
cat pipe >copy &
run -o pipe --format=csv --query='select 5 as five' read/a.json
wait
case_is '-o waits for a reader' [ "$(head -1 copy)" = '"five"' ]

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
