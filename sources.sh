#!/bin/sh
# sources.sh - prints sources.mk: the files of each floor and of each program of tests, as they are in the tree.
#
# bootstrap runs it, so a new file is named nowhere else. Its folder says what it belongs to.
set -eu
cd "$(dirname "$0")"

list() { # NAME FOLDER...
    name=$1
    shift
    printf '\n%s =' "$name"
    find "$@" -name '*.[ch]' ! -name '*_elsewhere.c' ! -name '*_without.c' ! -name '*_dwarf.c' | LC_ALL=C sort |
        while read -r file; do printf ' \\\n\t%s' "$file"; done
    echo
}

echo '# sources.mk - made by sources.sh.'
list src_files src
list model_files model
list sql_files sql
list record_files record
list provider_files provider/*.[ch]
list ui_files $(find ui/* -maxdepth 0 ! -name terminal)
list terminal_files ui/terminal
list app_files $(find app/* ! -name 'main.c')
list tests_lib_files $(find tests/lib/*.[ch] ! -name '*_main.c' ! -name 'counted_exit.c')
list unit_lib_files tests/unit/lib
list unit_src_files tests/unit/base tests/unit/fxt tests/unit/io
list unit_model_files tests/unit/import tests/unit/nest tests/unit/output tests/unit/query tests/unit/store tests/unit/trace
list unit_ui_files tests/unit/drawer tests/unit/timeline tests/unit/ui tests/unit/views
list unit_record_files tests/unit/record
list unit_sql_files tests/unit/sql
