#!/usr/bin/env bash
# installed.sh - `make install` for programs elsewhere: headers, library, pkg-config file.
#
# The examples are compiled as their first lines say, with nothing but pkg-config, and recorded. The library defines no
# name that a program might have.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) build=$(cd "${FXTOP_BUILD:-.}" && pwd)
fxtop=$(realpath "${FXTOP:-$build/fxtop}")
[ -e "$build/libfxttrace.a" ] || { echo 'recording needs Linux: there is no libfxttrace.a'; exit 77; }
[ -z "$(sed -n 's/^SANITIZE_FLAGS = *//p' "$build/Makefile")" ] || { echo 'the library needs a sanitizer'; exit 77; }
command -v pkg-config >/dev/null || { echo 'there is no pkg-config'; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export XDG_RUNTIME_DIR=$tmp XDG_CACHE_HOME=$tmp
unset MAKEFLAGS MAKELEVEL MFLAGS
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/cases.sh"

slices() { # NAME N: in the last trace
    [ "$("$fxtop" --export=ndjson "$tmp/t.fxt" | grep -c "\"type\":\"slice\".*\"name\":\"$1\"")" -eq "$2" ]
}

case_is 'make install' make -s -C "$build" DESTDIR="$tmp/root" install-libLIBRARIES install-fxttraceHEADERS \
    install-fxttraceproviderHEADERS install-pkgconfigDATA
pc=$(find "$tmp/root" -name fxttrace.pc)
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$tmp/root
read -r -a cflags <<<"$(pkg-config --cflags fxttrace)"
read -r -a libs <<<"$(pkg-config --libs fxttrace)"
cp "$top/examples/trace.c" "$top/examples/trace.cc" "$tmp"
cd "$tmp" || exit
read -r -a cc <<<"${CC:-cc}"
read -r -a cxx <<<"${CXX:-c++}"

case_is 'a program in C' "${cc[@]}" "${cflags[@]}" trace.c "${libs[@]}" -o c
case_is 'it is recorded' "$fxtop" record -o t.fxt ./c
case_is 'its slices' slices Render 20
if command -v "${cxx[0]}" >/dev/null; then
    case_is 'a program in C++17' "${cxx[@]}" -std=c++17 "${cflags[@]}" trace.cc "${libs[@]}" -o cc
    case_is 'it is recorded, too' "$fxtop" record -o t.fxt ./cc
    case_is 'it has slices' [ "$("$fxtop" --export=ndjson t.fxt | grep -c '"type":"slice"')" -ge 50 ]
fi
nm -g --defined-only "$build/libfxttrace.a" | awk 'NF == 3 && $3 !~ /^(fxttrace_|trace_provider_)/ { print $3 }' >names
case_is 'no name of the library may be in the way' cmp names /dev/null
cat names

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
