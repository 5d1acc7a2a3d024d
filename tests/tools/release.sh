#!/usr/bin/env bash
# release.sh [STEP...] - the checks before a version is released (`make release-check`, RELEASE='STEP...'; HACKING.md).
#
#   versions  configure.ac, NEWS and debian/changelog name the same version, `make pictures` draws those of the
#             documents, and nothing is left to commit
#   gate      .ci/run from a clone: tests, distcheck, sanitizers, valgrind, linters
#   distcheck the distribution with all of its tests, with zstd and SQLite
#   dist      the distribution has the same bytes twice
#   package   Debian packages: lintian, contents, use, removal
#   static    the static program, in an empty folder
#   documents every command of the documents
#   promises  names and formats that are promised to stay
#   soak      hours: random keys, every fault, following, kills, fuzzing, other machines and systems (portable.sh)
#
# Without STEP: all. The last line is the sum.
set -u
top=$(cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd)
build=$(cd "${FXTOP_BUILD:-.}" && pwd)
export FXTOP_BUILD=$build FXTOP=$build/fxtop srcdir=$top LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR COLUMNS LINES MAKEFLAGS MAKELEVEL MFLAGS
passed=0 failed=0 faults=()
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

step() { # NAME COMMAND...: as many as its last line says, else one; a step that is left out has failed
    local name=$1 start=$SECONDS status=0 counts numbers
    shift
    printf '\n== %s\n' "$name"
    "$@" 2>&1 | tee "$tmp/log" || status=$?
    counts=$(tail -n 1 "$tmp/log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    [ -n "$counts" ] || counts="$((status == 0)) $((status != 0))"
    read -r -a numbers <<<"$counts"
    set -- "${numbers[@]}"
    [ "$status" -eq 0 ] || [ "$2" -gt 0 ] || set -- "$1" 1
    passed=$((passed + $1)) failed=$((failed + $2))
    [ "$2" -eq 0 ] || faults+=("$name")
    printf -- '-- %s: %d s\n' "$name" $((SECONDS - start))
}

versions() {
    local here news debian bad=0
    here=$(sed -n 's/^AC_INIT(\[fxtop\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
    news=$(sed -n '/^==/,$p' "$top/NEWS" | sed -n '/^[A-Z0-9]/{p;q;}')
    debian=$(sed -n '1s/^fxtop (\(.*\)) .*/\1/p' "$top/debian/changelog")
    [ "$news" = "$here" ] || { echo "NEWS begins with '$news', the version is $here"; bad=1; }
    [ "$debian" = "$here" ] || { echo "debian/changelog begins with $debian, the version is $here"; bad=1; }
    [ "$("$FXTOP" --version | head -n 1)" = "fxtop $here" ] || { echo "the build is of another version"; bad=1; }
    make -s -C "$build" pictures || bad=1
    if [ -e "$top/.git" ] && [ -n "$(git -C "$top" status --porcelain)" ]; then
        git -C "$top" status --short
        bad=1
    fi
    return "$bad"
}

clone() {
    git clone -q "$top" "$tmp/clone" && bash "$tmp/clone/.ci/run"
}

run() {
    case $1 in
    versions) step 'versions' versions ;;
    gate) step 'gate' clone ;;
    distcheck) step 'distcheck' make -s -C "$build" distcheck ;;
    dist) step 'dist' bash "$top/tests/system/dist.sh" ;;
    package) step 'package' bash "$top/tests/system/package.sh" ;;
    static) step 'static' bash "$top/tests/system/static.sh" ;;
    documents) step 'documents' bash "$top/tests/system/documents.sh" ;;
    promises) step 'promises' bash "$top/tests/tools/promises.sh" ;;
    soak) step 'soak' bash "$top/tests/system/long.sh" ;;
    *)
        echo "release.sh: no step $1" >&2
        exit 2
        ;;
    esac
}

set -o pipefail
[ $# -gt 0 ] || set -- versions gate distcheck dist package static documents promises soak
for name; do
    run "$name"
done
printf '\n'
for fault in ${faults[@]+"${faults[@]}"}; do
    echo "FAILED: $fault"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
