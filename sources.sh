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

# PROGRAM_files, and PROGRAM_united: a source for each folder, made of its C files. It is made again when one is removed.
united() { # PROGRAM FOLDER...
    program=$1
    shift
    list "${program}_files" "$@"
    printf '\n%s_united =' "$program"
    for folder; do printf ' \\\n\ttests/united/%s.c' "${folder##*/}"; done
    echo
    for folder; do
        list "${folder##*/}_suites" $(find "$folder"/*.c)
        printf 'tests/united/%s.c: $(%s_suites) $(srcdir)/%s tests/tools/unite.awk\n' "${folder##*/}" "${folder##*/}" "$folder"
        printf '\t$(UNITE) $(%s_suites) >$@.new && mv -f $@.new $@\n' "${folder##*/}"
    done
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
united unit_src tests/unit/base tests/unit/fxt tests/unit/io
united unit_model tests/unit/import tests/unit/nest tests/unit/output tests/unit/query tests/unit/store tests/unit/trace
united unit_ui tests/unit/drawer tests/unit/timeline tests/unit/ui tests/unit/views
united unit_record tests/unit/record
united unit_sql tests/unit/sql
