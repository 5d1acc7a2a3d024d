#!/bin/sh
# sources.sh - prints sources.mk: the sources of each floor and of each program of tests, as they are in the tree.
#
# bootstrap runs it, so a new file is named nowhere else. Its folder says what it belongs to.
set -eu
cd "$(dirname "$0")"

files() { # FOLDER...
    find "$@" -name '*.[ch]' ! -name '*_elsewhere.c' ! -name '*_without.c' ! -name '*_dwarf.c' | LC_ALL=C sort
}

list() { # NAME FOLDER...
    name=$1
    shift
    printf '\n%s_files = \\\n' "$name"
    files "$@" | sed 's/.*/\t&/; $!s/$/ \\/'
}

# NAME_united: a source for each folder, made of its C files. It is made again when one of them is removed.
floor() { # NAME FOLDER...
    name=$1
    shift
    files "$@" | awk -v name="$name" '
        /\.c$/ {
            folder = $0
            sub(/\/[^\/]*$/, "", folder)
            if (!(folder in parts))
                folders[++nfolders] = folder
            parts[folder] = parts[folder] " \\\n\t" $0
        }
        END {
            for (i = 1; i <= nfolders; i++) {
                folder = folders[i]
                source = folder
                gsub(/\//, "_", source)
                all = all " \\\n\tunited/" source ".c"
                print "\n" source "_parts =" parts[folder]
                print "united/" source ".c: $(" source "_parts) $(srcdir)/" folder " unite.awk"
                print "\t$(UNITE) $(" source "_parts) >$@.new && mv -f $@.new $@"
            }
            print "\n" name "_united =" all
        }'
}

echo '# sources.mk - made by sources.sh.'
floor src src
floor model model
floor sql sql
floor record record
floor ui $(find ui/* -maxdepth 0 ! -name terminal)
list terminal ui/terminal
list app $(find app/* ! -name main.c)
list provider provider/*.[ch]
list tests_lib $(find tests/lib/*.[ch] ! -name '*_main.c' ! -name counted_exit.c)
list unit_lib tests/unit/lib
floor unit_src tests/unit/base tests/unit/fxt tests/unit/io
floor unit_model tests/unit/import tests/unit/nest tests/unit/output tests/unit/query tests/unit/store tests/unit/trace
floor unit_ui tests/unit/drawer tests/unit/timeline tests/unit/ui tests/unit/views
floor unit_record tests/unit/record
floor unit_sql tests/unit/sql
