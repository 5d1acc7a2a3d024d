/* symbol_table.h - functions by address, from a text: /proc/kallsyms, or the perf-PID.map of a
 * program that makes code as it runs. */
#ifndef FXTOP_SYMBOL_TABLE_H
#define FXTOP_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/vec.h"

enum symbol_table_form {
    SYMBOL_TABLE_KALLSYMS, /* address, type, name; a function ends at the next one */
    SYMBOL_TABLE_PERF_MAP  /* address, size, name */
};

struct symbol_table_entry {
    uint64_t start, end;
    uint64_t order; /* of its line */
    size_t name;    /* in `names` */
};

struct symbol_table {
    VEC(struct symbol_table_entry) v; /* by address once it is read */
    VEC(char) names;
};

/* Adds the lines of a file, up to the first one without an end, and leaves it there. Lines of other
 * forms are left out, and names are cut to some hundred bytes. */
void symbol_table_read(struct symbol_table *table, FILE *file, enum symbol_table_form form);
void symbol_table_free(struct symbol_table *table);
/* The function that has an address, the latest one if there are several from one address on; NULL:
 * none. Valid until the next read. */
const char *symbol_table_find(const struct symbol_table *table, uint64_t address);

#endif
