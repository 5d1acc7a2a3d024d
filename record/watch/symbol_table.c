/* symbol_table.c - functions by address, from a text. */
#include "record/watch/symbol_table.h"

#include <stdlib.h>
#include <string.h>

#define LINE 1024                   /* bytes of one that are looked at */
#define ENTRIES (UINT64_C(1) << 22) /* at most: some 300 MB */
#define NAMES (UINT64_C(128) << 20) /* bytes of them at most */

static int by_address(const void *a, const void *b) {
    const struct symbol_table_entry *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The whole line, of which the rest may not fit; false: it has no end so far, or there is none. */
static bool next_line(FILE *f, char *line) {
    long at = ftell(f);
    if (fgets(line, LINE, f) == NULL)
        return false;
    size_t n = strlen(line);
    if (n > 0 && line[n - 1] == '\n') {
        line[n - 1] = 0;
        return true;
    }
    int c;
    while ((c = getc(f)) != EOF && c != '\n')
        ;
    if (c == EOF && at >= 0)
        fseek(f, at, SEEK_SET);
    return c == '\n';
}

/* Takes a number in base 16, and the blank after it. */
static bool take_hex(char **at, uint64_t *n) {
    char *end = *at;
    *n = strtoull(*at, &end, 16);
    bool ok = end > *at && *end == ' ';
    *at = end + ok;
    return ok;
}

static bool parse(char *line, enum symbol_table_form form, struct symbol_table_entry *e,
                  char **name) {
    char *at = line;
    uint64_t size = 0;
    if (!take_hex(&at, &e->start))
        return false;
    if (form == SYMBOL_TABLE_KALLSYMS) {
        if (*at == 0 || strchr("tTwW", *at) == NULL || at[1] != ' ')
            return false;
        at += 2;
        at[strcspn(at, "\t [")] = 0;
    } else if (!take_hex(&at, &size) || size > UINT64_MAX - e->start) {
        return false;
    }
    e->end = e->start + size;
    *name = at;
    return *at != 0;
}

void symbol_table_read(struct symbol_table *t, FILE *f, enum symbol_table_form form) {
    char line[LINE], *name;
    struct symbol_table_entry e = {0};
    while (next_line(f, line)) {
        if (!parse(line, form, &e, &name))
            continue;
        size_t n = strlen(name) + 1;
        if (t->v.n >= ENTRIES || t->names.n + n > NAMES)
            break;
        e.name = t->names.n;
        e.order = t->v.n;
        vec_reserve(&t->names, t->names.n + n);
        memcpy(t->names.v + t->names.n, name, n);
        t->names.n += n;
        vec_push(&t->v, e);
    }
    if (t->v.n > 0)
        qsort(t->v.v, t->v.n, sizeof *t->v.v, by_address);
    for (size_t i = 0; form == SYMBOL_TABLE_KALLSYMS && i < t->v.n; i++)
        t->v.v[i].end = i + 1 < t->v.n ? t->v.v[i + 1].start : UINT64_MAX;
}

void symbol_table_free(struct symbol_table *t) {
    vec_free(&t->v);
    vec_free(&t->names);
}

const char *symbol_table_find(const struct symbol_table *t, uint64_t address) {
    size_t low = 0, high = t->v.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->v.v[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || address >= t->v.v[low - 1].end)
        return NULL;
    return t->names.v + t->v.v[low - 1].name;
}
