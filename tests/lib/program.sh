# shellcheck shell=bash
# program.sh - the program and traces for scripts that begin it hundreds of times.

# The static program, if it is built of the same libraries: it begins in a fourth of the time.
quick() { # FXTOP
    if [ -x "$1-static" ] && [ -z "$(find "$(dirname "$1")" -maxdepth 1 -name 'lib*.a' -newer "$1-static")" ]; then
        echo "$1-static"
    else
        echo "$1"
    fi
}

# Writes each fixture as a trace of its name in the folder.
make_traces() { # MKTRACE FOLDER FIXTURE...
    local mktrace=$1 folder=$2 fixture name pairs=()
    for fixture in "${@:3}"; do
        name=${fixture##*/}
        pairs+=("$fixture" "$folder/${name%.txt}.fxt")
    done
    "$mktrace" "${pairs[@]}"
}
