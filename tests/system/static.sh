#!/usr/bin/env bash
# static.sh - `make static`: the program runs in an empty root directory.
#
# In a folder that holds the program and a trace alone, and is all that the program can see (chroot): no libraries, no
# terminfo, no /dev, /proc or /tmp. It prints there what the ordinary program prints here, and starts on a terminal.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) build=$(cd "${FXTOP_BUILD:-.}" && pwd)
fxtop=$(realpath "${FXTOP:-$build/fxtop}")
[ -z "$(sed -n 's/^SANITIZE_FLAGS = *//p' "$build/Makefile")" ] || { echo 'no sanitizer is static'; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS
PATH=$PATH:/usr/sbin:/sbin
read -r -a cc <<<"${CC:-cc}"
echo 'int main(void) { return 0; }' >"$tmp/c.c"
"${cc[@]}" -static "$tmp/c.c" -o "$tmp/c" 2>/dev/null || { echo 'no static C library'; exit 77; }
command -v infocmp >/dev/null || { echo 'there is no infocmp'; exit 77; }
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/cases.sh"

case_is 'make static' make -s -C "$build" static demo.fxt
mkdir "$tmp/bare"
cp "$build/fxtop-static" "$build/demo.fxt" "$tmp/bare"
if [ "$(id -u)" -eq 0 ]; then
    alone=(chroot "$tmp/bare" /fxtop-static)
elif unshare -r true 2>/dev/null; then
    alone=(unshare -r chroot "$tmp/bare" /fxtop-static)
else
    alone=("$tmp/bare/fxtop-static")
fi
cd "$tmp/bare" || exit

linked() { ! ldd fxtop-static 2>/dev/null | grep -q '=>' && ! nm fxtop-static 2>/dev/null | grep -q .; }
case_is 'it needs no library, and is stripped' linked
features() { "${alone[@]}" --version | grep -q '^with:.* terminals'; }
case_is 'it has descriptions of terminals' features

same() { # ARGUMENT...: prints the same alone as the ordinary program
    cmp <(env -i PATH="$PATH" "${alone[@]}" "$@" demo.fxt) <(env -i LC_ALL=C "$fxtop" "$@" demo.fxt)
}
case_is 'a picture' same --print --no-cache
case_is 'a picture in colours' same --print=80x24 --no-cache --color=always --keys '5'
case_is 'a summary' same --summary
case_is 'an export' same --export=ndjson
if "$fxtop" --version | grep -q '^with:.* sqlite'; then
    case_is 'a query' same --query 'SELECT name, COUNT(*) FROM slices GROUP BY name ORDER BY name'
fi

# Starts on a pseudo-terminal of type $1, waits for the title, types q; 0: the screen came, and it left with 0.
cat >"$tmp/typed.py" <<'PY'
import os, pty, select, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
got, typed = b"", False
while select.select([fd], [], [], 60)[0]:
    try:
        more = os.read(fd, 65536)
    except OSError:
        more = b""
    if not more:
        break
    got += more
    if b"demo.fxt" in got and not typed:
        typed = os.write(fd, b"q") == 1
else:
    os.kill(pid, 9)
status = os.waitpid(pid, 0)[1]
if b"is unknown" in got:
    print(got)
sys.exit(not (typed and status == 0 and b"is unknown" not in got))
PY
if command -v python3 >/dev/null; then
    for type in xterm xterm-256color screen screen-256color tmux tmux-256color linux vt100 rxvt-unicode-256color; do
        grep -q "\"$type\"" "$build/ui/terminal/builtin/term_builtin_table.h" || echo "no description of $type here"
        if grep -q "\"$type\"" "$build/ui/terminal/builtin/term_builtin_table.h"; then
            case_is "a terminal of type $type" env -i PATH="$PATH" TERM="$type" TERMINFO=/nowhere \
                python3 "$tmp/typed.py" "${alone[@]}" --no-session demo.fxt
        fi
    done
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
