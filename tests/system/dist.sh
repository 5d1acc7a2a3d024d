#!/usr/bin/env bash
# dist.sh - `make dist` is reproducible: twice the same bytes, also for another user's umask, time zone and language,
# at another time, and again from the archive.
set -u
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
[ -z "$(sed -n 's/^SANITIZE_FLAGS = *//p' "$build/Makefile")" ] || { echo 'it is the same for every build'; exit 77; }
tar --version 2>/dev/null | grep -q 'GNU tar' || { echo 'there is no GNU tar'; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS SOURCE_DATE_EPOCH
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/cases.sh"

# The files are copied once, which takes a process for each; make packs them twice, without another copy.
collected() { make -s -C "$build" distdir && (cd "$build" && cp -a fxtop-*/ "$tmp/second"); }
packed() { # FILE VARIABLE=VALUE...
    local file=$1
    shift
    rm -f "$build"/fxtop-*.tar.gz
    env "$@" make -s -C "$build" -o distdir dist-gzip && mv "$build"/fxtop-*.tar.gz "$file"
}
elsewhere() ( # the same by another user, later
    umask 077
    chmod -R go-rwx "$tmp/second" && find "$tmp/second" -exec touch {} + &&
        mv "$tmp/second" "$build/$(tar tzf "$tmp/1.tar.gz" | sed -n '1s,/.*,,p')" &&
        packed "$tmp/2.tar.gz" TZ=Asia/Tokyo LC_ALL=C.UTF-8 GZIP=-1 TAR_OPTIONS=--verbose
)
members() { ! tar tvzf "$tmp/1.tar.gz" | awk '$2 != "0/0" || $1 !~ /^.r[w-].r-.r-.$/' | head -n 5 | grep .; }
again() { # the folder that was packed, packed as it lies there
    mkdir "$tmp/in" && tar xzf "$tmp/1.tar.gz" -C "$tmp/in" && cd "$tmp/in" && rm -rf ./*/.git &&
        srcdir=$tmp/in/$(ls) sh ./*/tests/tools/tar.sh "$(ls)" | gzip --best -n | cmp - "$tmp/1.tar.gz"
}
epoch() {
    cd "$tmp/in" && SOURCE_DATE_EPOCH=86400 srcdir=$tmp/in/$(ls) sh ./*/tests/tools/tar.sh "$(ls)" >"$tmp/3.tar" &&
        [ "$(TZ=UTC tar tvf "$tmp/3.tar" | awk '{ print $4 }' | sort -u)" = 1970-01-02 ]
}

case_is 'make distdir' collected
case_is 'make dist' packed "$tmp/1.tar.gz" TZ=UTC
case_is 'make dist once more' elsewhere
case_is 'twice the same bytes' cmp "$tmp/1.tar.gz" "$tmp/2.tar.gz"
case_is 'no user, and readable by all' members
case_is 'the same from the archive' again
case_is 'SOURCE_DATE_EPOCH' epoch
packages() { tar tzf "$tmp/1.tar.gz" | grep -q '/debian/rules$'; }
[ ! -d "$top/debian" ] || case_is 'what makes a package is in it' packages

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
