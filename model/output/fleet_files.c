/* fleet_files.c - names of files for the answers about many traces, in one folder.
 *
 * Equal names are found by sorting. The first keeps it, and the others get a number; that is
 * repeated, as a name may end with a number by itself. */
#include <stdlib.h>
#include <string.h>

#include "model/output/fleet.h"

static size_t without(const char *name, size_t n, const char *ending) {
    size_t length = strlen(ending);
    return n > length && memcmp(name + n - length, ending, length) == 0 ? n - length : n;
}

/* The name of a file without endings of traces; a name that was given has no folder to lose. */
static struct str stem(const struct fleet_trace *trace) {
    const char *slash = strrchr(trace->name, '/'), *name = trace->name;
    if (name == trace->path && slash)
        name = slash + 1;
    size_t n = strlen(name);
    n = without(name, n, ".gz");
    n = without(name, n, ".zst");
    n = without(name, n, ".fxt");
    n = without(name, n, ".json");
    return strcmp(name, "-") == 0 || n == 0 ? STR("trace") : (struct str){name, n};
}

static int by_file(const void *a, const void *b) {
    const struct fleet_trace *x = *(struct fleet_trace *const *)a,
                             *y = *(struct fleet_trace *const *)b;
    int order = strcmp(x->file, y->file);
    if (order != 0)
        return order;
    return x < y ? -1 : x > y;
}

static char *joined(const char *a, const char *b, const char *c) {
    size_t n = strlen(a) + strlen(b) + strlen(c) + 1;
    char *s = err_malloc(n);
    snprintf(s, n, "%s%s%s", a, b, c);
    return s;
}

/* Gives numbers to names that others have; false: there are none. */
static bool tell_apart(struct fleet_trace **v, size_t n) {
    bool any = false;
    unsigned number = 1;
    qsort(v, n, sizeof *v, by_file);
    const char *first = v[0]->file;
    for (size_t i = 1; i < n; i++) {
        char text[16];
        if (strcmp(v[i]->file, first) != 0) {
            first = v[i]->file;
            number = 1;
            continue;
        }
        snprintf(text, sizeof text, " %u", ++number);
        char *other = joined(v[i]->file, text, "");
        free(v[i]->file);
        v[i]->file = other;
        any = true;
    }
    return any;
}

void fleet_name_files(struct fleet_list *list, const char *folder, const char *ending) {
    size_t n = list->traces.n;
    struct fleet_trace **v = err_malloc(n * sizeof *v + 1);
    for (size_t i = 0; i < n; i++) {
        struct str s = stem(&list->traces.v[i]);
        v[i] = &list->traces.v[i];
        v[i]->file = err_copy(s.s, s.n);
        for (char *at = v[i]->file; (at = strchr(at, '/')) != NULL;)
            *at = '_';
        if (v[i]->file[0] == '.')
            v[i]->file[0] = '_';
    }
    while (n > 1 && tell_apart(v, n))
        ;
    for (size_t i = 0; i < n; i++) {
        char *name = v[i]->file;
        v[i]->file = joined(folder, name, ending);
        free(name);
    }
    free(v);
}
