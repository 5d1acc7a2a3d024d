# shellcheck shell=bash
# program.sh - the program for scripts that begin it hundreds of times.

# The static program, if it is built of the same libraries: it begins in a fourth of the time.
quick() { # FXTOP
    if [ -x "$1-static" ] && [ -z "$(find "$(dirname "$1")" -maxdepth 1 -name 'lib*.a' -newer "$1-static")" ]; then
        echo "$1-static"
    else
        echo "$1"
    fi
}
