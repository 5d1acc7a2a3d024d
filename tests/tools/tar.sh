#!/bin/sh
# tar.sh - `make dist` packs a folder with this: the same source gives the same bytes, whoever packs it, and when.
#
# Times are SOURCE_DATE_EPOCH, else that of the last commit, else that of configure.ac (in an unpacked distribution, all
# files have one time). tars that are not GNU's pack as they can.
set -eu
top=${srcdir:-$(dirname "$0")/../..}
tar=${TAR:-tar}
if ! "$tar" --version 2>/dev/null | grep -q 'GNU tar'; then
    exec "$tar" cf - "$1"
fi
epoch=${SOURCE_DATE_EPOCH:-}
[ -n "$epoch" ] || [ ! -e "$top/.git" ] || epoch=$(git -C "$top" log -1 --format=%ct 2>/dev/null) || epoch=
[ -n "$epoch" ] || epoch=$(stat -c %Y "$top/configure.ac")
LC_ALL=C exec "$tar" --format=ustar --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner \
    --mode=u+rwX,go+rX,go-w -chf - "$1"
