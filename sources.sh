#!/bin/sh
# sources.sh - prints sources.mk: the files of each floor and of each program of tests, as they are in the tree.
#
# bootstrap runs it, so a new file is named nowhere else. Its folder says what it belongs to.
set -eu
cd "$(dirname "$0")"

list() { # NAME FOLDER...
    name=$1
    shift
    printf '\n%s = \\\n' "$name"
    find "$@" -name '*.[ch]' ! -name '*_elsewhere.c' ! -name '*_without.c' ! -name '*_dwarf.c' | LC_ALL=C sort |
        sed 's/.*/\t&/; $!s/$/ \\/'
}

# Files of the product that share a name with a header of another one in their folder.
alone='src/base/worker.c src/import/tables/table.c src/import/tables/columns.c src/io/database_files.c'
alone="$alone model/trace/trace_problems.c sql/functions.c ui/jobs.c ui/screen/table_draw.c"

# NAME_united: a source for each folder, made of its C files. It is made again when one of them is removed. NAME_alone:
# what is not in them.
united() { # NAME FOLDER...
    name=$1
    shift
    find "$@" -name '*.c' ! -name '*_elsewhere.c' ! -name '*_without.c' ! -name '*_dwarf.c' | LC_ALL=C sort |
        awk -v name="$name" -v alone="$alone" '
        BEGIN { n = split(alone, list, " "); while (n) by_itself[list[n--]] = 1 }
        $0 in by_itself { others = others " " $0; next }
        {
            folder = $0
            sub(/\/[^\/]*$/, "", folder)
            if (!(folder in parts))
                folders[++nfolders] = folder
            parts[folder] = parts[folder] " \\\n\t" $0
        }
        END {
            print "\n" name "_alone =" others
            for (i = 1; i <= nfolders; i++) {
                folder = folders[i]
                source = folder
                gsub(/\//, "_", source)
                all = all " \\\n\ttests/united/" source ".c"
                print "\n" source "_parts =" parts[folder]
                print "tests/united/" source ".c: $(" source "_parts) $(srcdir)/" folder " tests/tools/unite.awk"
                print "\t$(UNITE) $(" source "_parts) >$@.new && mv -f $@.new $@"
            }
            print "\n" name "_united =" all
        }'
}

# The files of a program of suites, and its sources.
suites() { # PROGRAM FOLDER...
    list "$1_files" $(shift && echo "$@")
    united "$@"
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
suites unit_src tests/unit/base tests/unit/fxt tests/unit/io
suites unit_model tests/unit/import tests/unit/nest tests/unit/output tests/unit/query tests/unit/store tests/unit/trace
suites unit_ui tests/unit/drawer tests/unit/timeline tests/unit/ui tests/unit/views
suites unit_record tests/unit/record
suites unit_sql tests/unit/sql
united src src
united model model
united sql sql
united ui $(find ui/* -maxdepth 0 ! -name terminal)
