#!/usr/bin/env bash
# package.sh [built] - the Debian packages: built from the archive of `make dist`, checked by lintian, installed, used,
# removed.
#
# That takes minutes, since all is compiled once more: `make release-check` runs it. With `built` the packages hold what
# the build directory has already: .ci/run does that. Nothing of this machine changes: dpkg installs below a scratch root.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) build=$(cd "${FXTOP_BUILD:-.}" && pwd)
for tool in dpkg-buildpackage dh lintian pkg-config; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install dpkg-dev debhelper lintian"; exit 77; }
done
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export XDG_RUNTIME_DIR=$tmp XDG_CACHE_HOME=$tmp XDG_STATE_HOME=$tmp PATH=$PATH:/usr/sbin:/sbin
unset MAKEFLAGS MAKELEVEL MFLAGS CFLAGS
# shellcheck disable=SC1090,SC1091
. "$top/tests/lib/cases.sh"

if [ "${1-}" = built ]; then
    packages() {
        mkdir "$tmp/fxtop" && cp -r "$top/debian" "$tmp/fxtop" && cd "$tmp/fxtop" &&
            BUILT=$build dpkg-buildpackage -us -uc -b -nc && cd "$tmp" && ls ./*.deb
    }
else
    packages() {
        make -s -C "$build" distdir && mv "$build"/fxtop-[0-9]*/ "$tmp/fxtop" && cd "$tmp/fxtop" &&
            DEB_BUILD_OPTIONS="parallel=2 ${DEB_BUILD_OPTIONS-}" dpkg-buildpackage -us -uc && cd "$tmp" && ls ./*.deb
    }
fi
case_is 'dpkg-buildpackage' packages
cd "$tmp" || exit
debs=(fxtop_*.deb libfxttrace-dev_*.deb)
if [ "$failed" -gt 0 ]; then
    echo "$passed passed, $failed failed"
    exit 1
fi
clean() { lintian --allow-root --fail-on error,warning ./*.changes; }
case_is 'lintian has no error and no warning' clean

# The files of the packages and of make install, without those that only one of them may have.
packaged() {
    for deb in "${debs[@]}"; do
        dpkg --contents "$deb"
    done | awk '$1 !~ /^d/ { print $6 }' | sed -e 's|^\./usr/||' -e '/doc\/.*\/\(changelog\.gz\|copyright\)$/d' -e 's|\.gz$||' \
        -e 's|doc/libfxttrace-dev/|doc/fxtop/|' -e 's|^lib/[^/]*-linux-[^/]*/|lib/|' | LC_ALL=C sort
}
installed() {
    make -s -C "$build" DESTDIR="$tmp/dest" prefix=/usr install >/dev/null &&
        (cd dest/usr && find . ! -type d) | sed -e 's|^\./||' -e 's|zsh/site-functions|zsh/vendor-completions|' | LC_ALL=C sort
}
lists() { [ -n "$(packaged)" ] && diff <(installed) <(packaged); }
case_is 'the packages have the files of make install' lists

for deb in "${debs[@]}"; do
    dpkg-deb -x "$deb" root
done
version() { [ "$(root/usr/bin/fxtop --version)" = "$("$build/fxtop" --version)" ]; }
case_is 'fxtop runs, with the same features' version
completions() {
    bash -n root/usr/share/bash-completion/completions/fxtop
}
case_is 'completions' completions
pages() { for page in root/usr/share/man/man*/*.gz; do gzip -dc "$page" | head -n 3 | grep -q '^\.Dd' || return 1; done; }
case_is 'manual pages' pages

pc=$(find root -name fxttrace.pc)
export PKG_CONFIG_PATH=$tmp/${pc%/*} PKG_CONFIG_SYSROOT_DIR=$tmp/root
read -r -a cflags <<<"$(pkg-config --cflags fxttrace)"
read -r -a libs <<<"$(pkg-config --libs fxttrace)"
read -r -a cc <<<"${CC:-cc}"
case_is 'a program with libfxttrace-dev' "${cc[@]}" "${cflags[@]}" \
    root/usr/share/doc/libfxttrace-dev/examples/trace.c "${libs[@]}" -o traced
recorded() { root/usr/bin/fxtop record -o t.fxt ./traced && root/usr/bin/fxtop --top t.fxt | grep -q Render; }
case_is 'it is recorded' recorded

# Installed and removed. Dependencies are those of this machine.
mkdir -p sys/var/lib/dpkg/{info,updates,triggers} && : >sys/var/lib/dpkg/status
there() { (cd sys && find . -path ./var/lib/dpkg -prune -o -print | LC_ALL=C sort); }
there >before
dpkg_() { dpkg --root="$tmp/sys" --force-depends --force-not-root --force-script-chrootless --log="$tmp/log" "$@"; }
case_is 'dpkg --install' dpkg_ --install "${debs[@]}"
case_is 'the installed program runs' sys/usr/bin/fxtop --version
case_is 'dpkg --remove' dpkg_ --remove fxtop libfxttrace-dev
gone() { there >after && diff before after; }
case_is 'nothing is left' gone
forgotten() { ! grep -q '^Package' sys/var/lib/dpkg/status; }
case_is 'not even a configuration' forgotten

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
