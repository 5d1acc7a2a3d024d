#!/usr/bin/env bash
# portable.sh [PART ...] - fxtop where the machine or the system is another one: built and tested in build/portable/PART.
#
#   m32    words of 32 bits, no __int128 (gcc -m32); m32-fast leaves out what takes longest
#   s390x  the other byte order (Debian's cross compiler, qemu)
#   musl   another libc, with the libraries compiled for it from Debian's sources; what needs no terminal
#   posix  nothing but POSIX.1-2008 with XSI: all that configure looks for is taken away
#
# Without PART: all four. Needs Debian; compilers are installed as bootstrap does (root or sudo). Headers and static
# libraries of other machines come by apt too, but into a directory here, with lists of their own: the system's packages
# stay as they are. What a part has downloaded is used again. The last line is N passed, N failed.
set -u
top=$(cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd)
out=$(cd "${FXTOP_BUILD:-.}" && pwd)/portable
[ "$out" != "$top/portable" ] || out=$top/build/portable
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)} passed=0 failed=0
export LC_ALL=C.UTF-8 TZ=UTC CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-60} srcdir=$top
unset NO_COLOR COLUMNS LINES CFLAGS MAKEFLAGS

add() { # PASSED FAILED WHAT
    passed=$((passed + $1)) failed=$((failed + $2))
    printf '%-6s %-24s %5d passed, %d failed\n' "$part" "$3" "$1" "$2"
}

# check WHAT COMMAND...: counts as one.
check() {
    local what=$1
    shift
    if "$@" >"$out/log" 2>&1; then
        add 1 0 "$what"
    else
        tail -n 20 "$out/log"
        add 0 1 "$what"
        return 1
    fi
}

# apt_in ARCH COMMAND...: with lists of its own; the system does not learn of the architecture.
apt_in() {
    local dir=$out/apt-$1 arch=$1
    shift
    mkdir -p "$dir"/state/lists/partial "$dir"/cache/archives/partial "$dir"/etc
    : >"$dir/status"
    sed 's/^Types:.*/Types: deb deb-src/; s/^deb \(.*\)/&\ndeb-src \1/' /etc/apt/sources.list.d/debian.sources \
        >"$dir/etc/debian.sources" 2>/dev/null
    cat >"$dir/apt.conf" <<END
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
Dir::State "$dir/state";
Dir::State::status "$dir/status";
Dir::Cache "$dir/cache";
END
    if [ -s "$dir/etc/debian.sources" ]; then
        printf 'Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "%s";\n' "$dir/etc" >>"$dir/apt.conf"
    fi
    APT_CONFIG=$dir/apt.conf apt-get -qq "$@"
}

# libraries ARCH PACKAGE...: unpacked in root-ARCH, once. A part of the lists may be out of step; what matters is whether
# the packages come.
libraries() {
    local arch=$1 root=$out/root-$1
    shift
    [ -e "$root/complete" ] && return
    rm -rf "$root" && mkdir -p "$root/debs" && cd "$root/debs" || return
    apt_in "$arch" update
    apt_in "$arch" download "$@" || return
    for deb in *.deb; do
        dpkg-deb -x "$deb" "$root" || return
    done
    touch "$root/complete"
}

# configured FLAGS...: in $out/$part, unless it was with the same.
configured() {
    local dir=$out/$part
    mkdir -p "$dir" && cd "$dir" || return
    [ -f Makefile ] && [ "$(cat flags 2>/dev/null)" = "$*" ] && return
    rm -f Makefile
    "$top/configure" -q --enable-werror "$@" && echo "$*" >flags
}

# For the machine $1, with what $2 calls its libraries, and the compiler $3.
cross() {
    local root=$out/root-$1 gnu=$2
    export PKG_CONFIG='pkg-config --static' PKG_CONFIG_SYSROOT_DIR=$root
    export PKG_CONFIG_LIBDIR=$root/usr/lib/$gnu/pkgconfig:$root/usr/share/pkgconfig
    shift 2
    configured "CC=$* --sysroot=$root" LDFLAGS=-static --without-dw "--host=$host"
}

dev_packages=(libc6-dev linux-libc-dev "libgcc-$(gcc -dumpversion)-dev" libncurses-dev libpcre2-dev libutf8proc-dev
    zlib1g-dev libzstd-dev libsqlite3-dev check libsubunit-dev)

built() { # TARGET...
    make -s -j"$jobs" -C "$out/$part" all && make -s -j"$jobs" -C "$out/$part" "$@"
}

# suite PROGRAM: the checks of a libcheck program. Those of $cannot must fail, and no others.
suite() {
    local log=$out/$part/$1.log counts failures unexpected
    (cd "$out/$part" && $run "./tests/unit/$1") >"$log" 2>&1
    counts=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' "$log")
    if [ -z "$counts" ]; then
        tail -n 20 "$log"
        add 0 1 "$1"
        return
    fi
    set -- "$1" $counts
    failures=$(sed -n 's/^[^:]*:[0-9]*:[FES]:[^:]*:\([a-z0-9_A-Z]*\):\([0-9]*\):.*/\1:\2/p' "$log" | sort)
    unexpected=$(comm -3 <(echo "$failures") <(printf '%s\n' ${cannot[$1]-} | sort) | sed '/^[[:space:]]*$/d')
    if [ -n "$unexpected" ]; then
        echo 'not as it is known to be:' $unexpected
        grep -E ':[FES]:' "$log"
    fi
    [ -z "${cannot[$1]-}" ] || echo "$part cannot: ${cannot[$1]}"
    add $(($2 - $3 - $4)) "$(echo "$unexpected" | grep -c .)" "$1"
}

script() { # NAME: as it counts itself
    local counts status=0
    (cd "$out/$part" && FXTOP_BUILD=$out/$part bash "$top/tests/tools/$1.sh") >"$out/$part/$1.log" 2>&1 || status=1
    counts=$(tail -n 1 "$out/$part/$1.log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    [ "$status" -eq 0 ] || tail -n 30 "$out/$part/$1.log"
    set -- "$1" ${counts:-$((!status)) $status}
    add "$2" "$3" "$1"
}

replay() {
    check replay $run "$out/$part/tests/fuzz/replay"
}


# Words are what long files run out of: a slice behind a blob of 5 GB, which is never read.
five_gb() {
    local home=$out/$part/five && mkdir -p "$home" && cd "$home" || return
    printf '%s\n' magic 'provider 1 "p"' 'word 0x000001027fffffdf 0 0x13fffffd0' >front.txt
    printf '%s\n' 'init 1000000000' 'begin 10 3/4 "c" "behind"' 'end 30 3/4 "c" "behind"' >back.txt
    "$mktrace" front.txt long.fxt && "$mktrace" back.txt back.fxt || return
    truncate -s $((5 << 30)) long.fxt && cat back.fxt >>long.fxt || return
    "$fxtop" --export=ndjson long.fxt >long.ndjson && "$fxtop" --print --keys=n long.fxt >long.screen </dev/null
    rm -f long.fxt
    cat long.ndjson
    grep -q '"name":"behind"' long.ndjson && ! grep -q '"problem"' long.ndjson
}

far_future() {
    local trace=$out/$part/future.fxt
    "$demo" "$trace" && touch -d '2040-01-01 UTC' "$trace" && "$fxtop" --summary "$trace"
    local status=$?
    rm -f "$trace"
    return "$status"
}

programs() {
    fxtop=$out/$part/fxtop mktrace=$out/$part/tests/lib/mktrace demo=$out/$part/tests/tools/demo
}

checks='tests/unit/check_src tests/unit/check_model tests/unit/check_ui tests/system/check_damage tests/fuzz/replay'

part_m32() {
    local host=i686-linux-gnu run=
    libraries i386 "${dev_packages[@]}" || return
    cross i386 i386-linux-gnu "gcc -m32 -B$out/root-i386/usr/lib/gcc/i686-linux-gnu/$(gcc -dumpversion)/" || return
    check build built $checks || return
    programs
    suite check_src
    suite check_model
    suite check_ui
    script screens
    replay
    check '5 GB' five_gb
    check 'a file of 2040' far_future
    $fast || script manual
    $fast || check check_damage "$out/$part/tests/system/check_damage"
}

# qemu reports no SIGBUS to the program it runs, and holds no limit of its address space. The terminal's own tests start
# programs that start programs, which qemu would have to be told of.
part_s390x() {
    local host=s390x-linux-gnu run="env LOCPATH=$out/root-s390x/usr/lib/locale qemu-s390x" program # locales have a byte order
    local -A cannot=([check_src]='what_was_cut_off_under_the_map_reads_as_zeros:0
        a_file_that_loses_bytes_leaves_the_others_alone:0 what_was_lost_stays_zeros_when_the_file_grows_again:0
        a_file_that_is_opened_again_has_lost_nothing:0 a_file_that_is_cut_to_nothing_reads_as_zeros:0
        a_window_moves_when_memory_is_short:0 a_window_moves_when_memory_is_short:1 a_window_that_moves_is_not_seen:0')
    "$top/bootstrap" packages gcc-s390x-linux-gnu qemu-user || return
    libraries s390x "${dev_packages[@]}" libc-bin || return
    cross s390x s390x-linux-gnu s390x-linux-gnu-gcc || return
    check build built $checks || return
    programs
    for program in fxtop mktrace demo; do
        printf '#!/bin/sh\nexec %s %q "$@"\n' "$run" "${!program}" >"$out/$part/$program.sh"
        chmod +x "$out/$part/$program.sh"
        export "${program^^}=$out/$part/$program.sh"
        printf -v "$program" %s "$out/$part/$program.sh"
    done
    suite check_src
    suite check_model
    suite check_ui
    script screens
    replay
    check '5 GB' five_gb
    unset FXTOP MKTRACE DEMO
}

# Compiled from what Debian keeps as their source; only what fxtop needs of them.
musl_libraries() {
    local root=$out/root-musl
    [ -e "$root/complete" ] && return
    rm -rf "$root" && mkdir -p "$root/src" "$root/include" "$root/lib/pkgconfig" && cd "$root/src" || return
    apt_in amd64 update
    # The release's own version: mirrors need not have the sources of security updates, and upstream's archive is the same.
    apt_in amd64 source --download-only zlib "pcre2/$(. /etc/os-release && echo "$VERSION_CODENAME")" utf8proc check ncurses || return
    for archive in *.orig.tar.*z* ; do
        case $archive in *.asc) ;; *) tar xf "$archive" || return ;; esac
    done
    (cd zlib-*/ && CC=musl-gcc ./configure --static --prefix="$root" && make -j"$jobs" libz.a && make install) &&
        (cd pcre2-*/ && ./configure -q CC=musl-gcc "--prefix=$root" --disable-shared &&
            make -j"$jobs" libpcre2-8.la && make install-libLTLIBRARIES install-nodist_includeHEADERS install-pkgconfigDATA) &&
        (cd utf8proc-*/ && make libutf8proc.a CC=musl-gcc && cp utf8proc.h "$root/include" &&
            cp libutf8proc.a "$root/lib") &&
        (cd check-*/ && ./configure -q CC=musl-gcc "--prefix=$root" --disable-shared --disable-subunit &&
            make -C lib && make -C src install && cp check_stdint.h "$root/include" &&
            cp check.pc "$root/lib/pkgconfig") &&
        (cd ncurses-*/ && ./configure -q CC=musl-gcc "--prefix=$root" --enable-widec --without-ada --without-cxx \
            --without-cxx-binding --without-progs --without-tests --without-manpages --without-debug --disable-db-install \
            --with-default-terminfo-dir=/usr/share/terminfo \
            --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo &&
            make -j"$jobs" libs && make install.libs install.includes) && touch "$root/complete"
}

part_musl() {
    local root=$out/root-musl run=
    "$top/bootstrap" packages musl-tools || return
    check libraries musl_libraries || return
    export PKG_CONFIG='pkg-config --static' PKG_CONFIG_LIBDIR=$root/lib/pkgconfig
    configured CC=musl-gcc LDFLAGS=-static --without-zstd --without-sqlite --without-dw "NCURSES_LIBS=-L$root/lib -lncursesw" \
        "NCURSES_CFLAGS=-I$root/include -I$root/include/ncursesw" "UTF8PROC_LIBS=-L$root/lib -lutf8proc" \
        "UTF8PROC_CFLAGS=-I$root/include -DUTF8PROC_STATIC" || return
    check build built $checks || return
    programs
    suite check_src
    suite check_model
    suite check_ui
    script screens
    replay
    check check_damage "$out/$part/tests/system/check_damage"
}

# The C library shows only what it is asked for, and config.h asks for everything; so do the flags of ncurses.
posix_alone() {
    sed -i 's/^# *define \(_[A-Z0-9_]*_SOURCE\|__EXTENSIONS__\)\( .*\)*$/#undef \1/' config.h &&
        printf '%s\n' '#undef _DEFAULT_SOURCE' '#undef _XOPEN_SOURCE' '#define _XOPEN_SOURCE 700' >>config.h
}

part_posix() {
    local run='' absent=''
    local -A cannot=([check_src]='what_was_passed_is_given_back:0') # there is no madvise()
    for name in memfd_create memmem sched_getaffinity; do
        absent="$absent ac_cv_func_$name=no"
    done
    configured CC=gcc $absent ac_cv_header_sys_inotify_h=no || return
    grep -q '_XOPEN_SOURCE 700' config.h || posix_alone
    check build built $checks || return
    programs
    suite check_src
    suite check_model
    suite check_ui
    script screens
    replay
}

[ $# -gt 0 ] || set -- m32 s390x musl posix
mkdir -p "$out" || exit
for part; do
    fast=false
    [ "$part" = m32-fast ] && part=m32 fast=true
    case $part in m32 | s390x | musl | posix) ;; *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
    started=$SECONDS
    declare -A cannot=()
    "part_$part" || add 0 1 'was not run to its end'
    unset PKG_CONFIG PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
    printf '%-6s %d s\n' "$part" $((SECONDS - started))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
