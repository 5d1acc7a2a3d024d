#!/bin/bash
# term.sh - the real terminal, in tmux: start, keys, resize, suspend, signals, hang-up, leaving; what was there is there again.
#
# A shell runs in a pane of a private tmux server, and fxtop in that shell. Every wait is for something to be seen, with a
# deadline. After each way out: the terminal's modes, the main screen, the cursor and the exit status.
set -u
export LC_ALL=C.UTF-8
# The leak checker's own helper hangs when the terminal is gone while it runs; leaks are looked for by the other tests.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
unset NO_COLOR COLUMNS LINES TMUX TMUX_PANE
top=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
fxtop=${FXTOP:-$build/fxtop} mktrace=${MKTRACE:-$build/tests/mktrace} demo=${DEMO:-$build/tests/demo}
deadline=${TERM_TEST_SECONDS:-20}
server=fxtop-test-$$

command -v tmux >/dev/null || { echo 'tmux is not installed'; echo '0 passed, 1 failed'; exit 1; }
tmp=$(mktemp -d) || exit 1
trap 'tmux -L "$server" kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
"$mktrace" "$top/tests/screens/small.txt" "$tmp/small.fxt" || { echo '0 passed, 1 failed'; exit 1; }
"$demo" "$tmp/demo.fxt" || { echo '0 passed, 1 failed'; exit 1; }
ln -s "$fxtop" "$tmp/fxtop"

t() { tmux -L "$server" -f /dev/null "$@"; }
pane() { t capture-pane -p -t main; }
keys() { t send-keys -t main "$@"; }

wait_for() { # COMMAND...: until it succeeds
    local end=$((SECONDS + deadline))
    until "$@" 2>/dev/null; do
        [ "$SECONDS" -lt "$end" ] || return 1
        read -r -t 0.02 <>"$tmp/nothing"
    done
    return 0
}
mkfifo "$tmp/nothing"

shows() { pane | grep -q -e "$1"; }
shows_not() { ! pane | grep -q -e "$1"; }
flags() { [ "$(t display-message -p -t main '#{alternate_on} #{cursor_flag} #{mouse_any_flag}')" = "$1" ]; }

passed=0 failed=0
check() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: $*"
        pane | sed 's/^/    |/'
        [ "$failed" -lt 10 ] || { echo "too much fails; the rest is left out"; echo "$passed passed, $failed failed"; exit 1; }
    fi
}
see() { check "$1" wait_for shows "$2"; }

modes() { # FILE: the terminal's modes as the shell's commands find them
    rm -f "$tmp/$1" "$tmp/$1.new"
    keys "stty -a | sed 's/rows [0-9]*; columns [0-9]*;//' >$1.new; mv $1.new $1" Enter
    wait_for test -e "$tmp/$1"
}

new_shell() { # COLUMNS ROWS
    t kill-session -t main 2>/dev/null
    t new-session -d -s main -x "$1" -y "$2" -c "$tmp" "env PS1='shell> ' bash --norc --noprofile"
    wait_for shows '^shell>'
    keys 'HISTFILE=; PATH=.:$PATH; bind "set enable-bracketed-paste off"; clear' Enter
    modes before
}

run() { # COMMAND LINE: the shell's prompt is clean; says its status when it has ended
    keys "clear" Enter
    wait_for shows_not 'status'
    rm -f "$tmp/pid"
    keys -l "(echo \$BASHPID >pid; $1); echo \"status \$? was\""
    keys Enter
}

start() { # WHAT COMMAND LINE
    run "exec $2"
    see "$1: the picture" '\[1 Timeline\]'
    check "$1: takes the screen" wait_for flags "1 ${3:-0} 1"
}

left() { # WHAT STATUS
    see "$1: status $2" "^status $2 was"
    check "$1: the screen as it was" wait_for flags '0 1 0'
    check "$1: nothing left of the picture" shows_not 'Timeline'
    modes after
    check "$1: the modes as they were" cmp -s "$tmp/before" "$tmp/after"
}

size_is() { # COLUMNS ROWS: the picture fills it
    local lines
    mapfile -t lines < <(pane)
    [ "${#lines[@]}" -eq "$2" ] && [[ ${lines[0]} = *'[1 Timeline]'* && ${lines[$2 - 1]} = *zoom* ]] &&
        [ "${#lines[0]}" -le "$1" ] && [ "${#lines[0]}" -gt $(($1 - 4)) ]
}

t new-session -d -s keep "env PS1= bash --norc --noprofile" # so that the server outlives the shell
new_shell 100 30

# Start, keys, leaving.
start 'q' 'fxtop small.fxt'
check 'q: fills the screen' wait_for size_is 100 30
keys l l
see 'keys: the selected event in the drawer' 'vsync  ui  app 100'
keys '?'
see 'keys: help' 'zoom in at the time cursor'
keys q
see 'keys: q closes the help' '\[1 Timeline\]'
keys Escape /
keys -l Read
keys Enter
see 'keys: a search' 'hit 2/2'
keys : q Enter
left 'q' 0

# Whatever was read when the first picture was painted, the current row is the first that has slices.
start 'first row' 'fxtop demo.fxt'
keys l
see 'first row: its first slice' 'Frame  ui  render_svc.cm 1100'
keys Q
left 'first row' 0

start 'Q' 'fxtop small.fxt'
keys Q
left 'Q' 0

start 'Ctrl-C' 'fxtop small.fxt'
keys C-c
left 'Ctrl-C' 130

start 'Ctrl-C in a prompt' 'fxtop small.fxt'
keys / x C-c
check 'Ctrl-C in a prompt: only the prompt is gone' wait_for shows '^ +0 ns  window'
keys q
left 'Ctrl-C in a prompt' 0

# Size.
start 'resize' 'fxtop small.fxt'
t resize-window -t main -x 80 -y 24
check 'resize: 80x24' wait_for size_is 80 24
t resize-window -t main -x 19 -y 4
see 'resize: too small' 'fxtop needs 20x5'
t resize-window -t main -x 200 -y 60
check 'resize: 200x60' wait_for size_is 200 60
for i in 30 31 32 33 34 35 36 37 38 39 40; do t resize-window -t main -x $((60 + i)) -y "$i"; done
check 'resize: many at once' wait_for size_is 100 40
t resize-window -t main -x 100 -y 30
check 'resize: back' wait_for size_is 100 30
keys q
left 'resize' 0

# Suspended and back: the shell has the terminal meanwhile.
keys clear Enter
keys 'fxtop small.fxt; echo "status $? was"' Enter
see 'Ctrl-Z: the picture' '\[1 Timeline\]'
keys C-z
see 'Ctrl-Z: stops' 'Stopped'
check 'Ctrl-Z: the screen as it was' wait_for flags '0 1 0'
modes stopped
check 'Ctrl-Z: the modes as they were' cmp -s "$tmp/before" "$tmp/stopped"
t resize-window -t main -x 90 -y 28
keys 'fg; echo "status $? was"' Enter
check 'fg: the picture in the size of now' wait_for size_is 90 28
check 'fg: takes the screen again' wait_for flags '1 0 1'
keys '?'
see 'fg: keys work' 'zoom in at the time cursor'
keys q q
t resize-window -t main -x 100 -y 30
left 'fg' 0

# Signals.
for signal in TERM:143 INT:130 QUIT:131 HUP:129; do
    start "SIG${signal%:*}" 'fxtop small.fxt'
    kill -s "${signal%:*}" "$(cat "$tmp/pid")"
    left "SIG${signal%:*}" "${signal#*:}"
done
start 'SIGABRT' 'fxtop small.fxt'
kill -s ABRT "$(cat "$tmp/pid")"
left 'SIGABRT' 134

# The terminal goes away, with SIGHUP and without.
gone() { # PID: ended, whether or not somebody has waited for it
    local stat
    stat=$(cat "/proc/$1/stat") || return 0
    [[ $stat = *') Z '* ]]
}
start 'hang-up' 'fxtop small.fxt'
pid=$(cat "$tmp/pid")
new_shell 100 30
check 'hang-up: ends' wait_for gone "$pid"
run "trap '' HUP; exec fxtop small.fxt"
see 'hang-up ignored: the picture' '\[1 Timeline\]'
pid=$(cat "$tmp/pid")
new_shell 100 30
check 'hang-up ignored: ends' wait_for gone "$pid"

# Terminals: which, and what of them there is.
run 'TERM=dumb exec fxtop small.fxt'
see 'TERM=dumb: one line' '^fxtop: .*dumb'
left 'TERM=dumb' 2
run 'exec env TERM=no-such-terminal fxtop small.fxt'
see 'TERM unknown: a picture and a note' 'using vt100'
keys q
left 'TERM unknown' 0
start 'TERM of an unknown xterm' 'env TERM=xterm-no-such fxtop small.fxt'
keys q
left 'TERM of an unknown xterm' 0
run 'exec env -u TERM fxtop small.fxt'
see 'TERM unset: a picture and a note' 'using vt100'
keys q
left 'TERM unset' 0
start 'TERM=xterm-256color' 'env TERM=xterm-256color fxtop small.fxt'
keys q
left 'TERM=xterm-256color' 0
run 'TERM=vt100 exec fxtop small.fxt'
see 'TERM=vt100: ASCII' '^>main .*101|\[Frame'
keys q
left 'TERM=vt100' 0
run 'LC_ALL=C exec fxtop small.fxt'
see 'LC_ALL=C: ASCII' '^>main .*101|'
ascii() { ! pane | LC_ALL=C grep -q '[^ -~]'; }
check 'LC_ALL=C: nothing but ASCII' ascii
keys q
left 'LC_ALL=C' 0

# Pipes.
run 'cat small.fxt | fxtop -'
see 'a pipe: the picture' '\[1 Timeline\]'
keys l l
see 'a pipe: keys come from the terminal' 'vsync  ui  app 100'
keys q q
left 'a pipe' 0
run 'fxtop small.fxt >out'
see 'output to a file: the picture is on the terminal' '\[1 Timeline\]'
keys q
left 'output to a file' 0
check 'output to a file: nothing in it' test ! -s "$tmp/out"

# A file that is still written, from its first byte on; then one that is written anew.
: >"$tmp/grows.fxt"
printf 'magic\ninit 1000000000\ninstant 1000 7/8 "c" "first seen"\n' >"$tmp/first.txt"
printf 'instant 2000 7/8 "c" "then seen"\n' >"$tmp/then.txt"
"$mktrace" "$tmp/first.txt" "$tmp/first.fxt" && "$mktrace" "$tmp/then.txt" "$tmp/then.fxt"
run 'exec fxtop -F grows.fxt'
cat "$tmp/first.fxt" >>"$tmp/grows.fxt"
see 'following: the picture comes with the first words' 'following  \[1 Timeline\]'
see 'following: one event' ' 1 ev '
cat "$tmp/then.fxt" >>"$tmp/grows.fxt"
see 'following: the next comes by itself' ' 2 ev '
cat "$tmp/small.fxt" >"$tmp/grows.fxt"
see 'following: written anew' 'written anew'
see 'following: the other trace' 'main .*101'
keys F
see 'following: F stops' 'no longer following'
cat "$tmp/then.fxt" >>"$tmp/grows.fxt"
see 'a file that has grown: offered' 'has grown: R'
keys R
see 'a file that has grown: read again' 'read again'
keys Q
left 'following' 0

# What is pasted outside a prompt is not typed.
start 'paste' 'fxtop small.fxt'
t set-buffer 'QQQ'
t paste-buffer -p -t main
keys '?'
see 'paste: eaten' 'zoom in at the time cursor'
keys q
see 'paste: the picture' '\[1 Timeline\]'
keys q
left 'paste' 0

# What cannot be shown is said before the screen is taken.
run 'exec fxtop .'
see 'a directory: one line' '^fxtop: \.: .*directory'
left 'a directory' 2
run 'exec fxtop /dev/null'
left 'an empty file' 2

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
