#!/usr/bin/env bash
# pictures.sh - every view as SVG and HTML, of traces with hostile names: well-formed, without scripts and links.
#
# tools/check_pictures.py draws them and reads them with an XML parser, and, if Chromium is installed, with that.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) build=$(cd "${FXTOP_BUILD:-.}" && pwd)
fxtop=$(realpath "${FXTOP:-$build/fxtop}")
command -v python3 >/dev/null || { echo 'there is no python3'; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export XDG_RUNTIME_DIR=$tmp XDG_CACHE_HOME=$tmp XDG_STATE_HOME=$tmp XDG_CONFIG_HOME=$tmp
for trace in screens/hostile traces/names_hostile; do
    "$build/tests/lib/mktrace" "$top/tests/$trace.txt" "$tmp/${trace#*/}.fxt" || exit 1
done
python3 "$top/tests/tools/check_pictures.py" "$fxtop" "$tmp"/*.fxt
