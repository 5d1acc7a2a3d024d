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

# in_runs ARGUMENT...: the program by tests/system/runs, one process for all runs, in the folder of the shell and with its
# descriptors. For scripts that look at no process of it; a limit or a signal would be that of all runs. A file of standard
# output is of this run alone: if others write to it, too, it must be a pipe.
start_runs() { # RUNS
    local said file
    file=$(mktemp) && exec {said}<>"$file" && rm -f "$file"
    coproc RUNS { exec "$1" 2>&"$said"; }
    exec {runs_to}>&"${RUNS[1]}" {runs_from}<&"${RUNS[0]}" {said}>&- # subshells have these
}
in_runs() {
    local LC_ALL=C of=/proc/$BASHPID/fd word bytes=0 status in out err words # LC_ALL: a length is in bytes
    exec {in}<&0 {out}>&1 {err}>&2 # 1 is that of the request while it is written
    words=("STDIN=$of/$in" "STDOUT=$of/$out" "STDERR=$of/$err" "PWD=$PWD" fxtop "$@")
    for word in "${words[@]}"; do bytes=$((bytes + ${#word} + 1)); done
    { echo "$bytes"; printf '%s\0' "${words[@]}"; } >&"$runs_to"
    read -rt 300 status _ <&"$runs_from" || { echo 'no answer of tests/system/runs' >&2; status=124; }
    exec {in}<&- {out}>&- {err}>&-
    return "$status"
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
