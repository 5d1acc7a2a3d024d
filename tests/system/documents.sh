#!/usr/bin/env bash
# documents.sh - each command of README.md, TUTORIAL.md and TRACES.md works as it stands there.
#
# tools/check_documents.py reads and runs them, in a folder with the files that they name: TRACE is the demo trace, PROG a
# program. Commands that cannot be run are marked in the document.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) build=$(cd "${FXTOP_BUILD:-.}" && pwd)
fxtop=$(realpath "${FXTOP:-$build/fxtop}")
[ -e "$build/libfxttrace.a" ] || { echo 'recording needs Linux'; exit 77; }
[ -z "$(sed -n 's/^SANITIZE_FLAGS = *//p' "$build/Makefile")" ] || { echo 'the library needs a sanitizer'; exit 77; }
"$fxtop" --version | grep -q '^with:.* sqlite' || { echo 'the documents ask in SQL'; exit 77; }
for tool in python3 pkg-config; do
    command -v "$tool" >/dev/null || { echo "there is no $tool"; exit 77; }
done
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS NO_COLOR
mkdir "$tmp/bin" "$tmp/here" "$tmp/run"
export XDG_RUNTIME_DIR=$tmp/run XDG_CACHE_HOME=$tmp XDG_STATE_HOME=$tmp TERM=xterm-256color PATH=$tmp/bin:$tmp/here:$PATH

make -s -C "$build" demo.fxt DESTDIR="$tmp/root" install-libLIBRARIES install-fxttraceHEADERS \
    install-fxttraceproviderHEADERS install-pkgconfigDATA >/dev/null || exit 1
pc=$(find "$tmp/root" -name fxttrace.pc)
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$tmp/root

cd "$tmp/here" || exit
ln -s "$fxtop" "$tmp/bin/fxtop"
ln -s "$build" build
for name in TRACE OLD NEW TRACE... trace.fxt; do
    cp "$build/demo.fxt" "$name"
done
cp "$top/tests/import/phases.json" trace.json
cp "$top"/examples/* .
cat >hello.c <<'C'
#include <stdio.h>
static unsigned work(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += i * i;
    return sum;
}
int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 2000; i++)
        sum += work(10000);
    printf("%u\n", sum);
    return 0;
}
C
echo 'let sum = 0; for (let i = 0; i < 1e6; i++) sum += i; console.log(sum)' >hello.js
cat >build.ninja <<'NINJA'
rule cc
  command = cc -c $in -o $out
build a.o: cc hello.c
build b.o: cc hello.c
NINJA
read -r -a cc <<<"${CC:-cc}"
"${cc[@]}" hello.c -o hello && cp hello PROG || exit 1
python3 "$top/tests/tools/check_documents.py" . "$top/README.md" "$top/doc/TUTORIAL.md" "$top/doc/TRACES.md"
