/* only_providers.c - splits a list of names, and compares it with the providers of a trace. */
#include "model/output/only_providers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

#define NAMES 300 /* bytes of the providers in a message */

struct reader_providers only_providers(const char *list) {
    size_t commas = 0, n = 0;
    for (const char *s = list; *s; s++)
        commas += *s == ',';
    struct str *v = err_malloc((commas + 1) * sizeof *v);
    for (size_t end; *list; list += end + (list[end] == ',')) {
        end = strcspn(list, ",");
        if (end > 0)
            v[n++] = (struct str){list, end};
    }
    return (struct reader_providers){v, n};
}

void only_providers_free(struct reader_providers providers) {
    free((struct str *)(uintptr_t)providers.v);
}

/* The names of the providers that a trace has. */
static void list_names(struct reader *reader, char names[NAMES]) {
    size_t n = 0;
    names[0] = '\0';
    for (size_t i = 1; i < reader_provider_count(reader) && n < NAMES - 1; i++) {
        struct str name = reader_provider(reader, i)->name;
        if (reader_provider(reader, i)->implicit)
            continue;
        n += (size_t)snprintf(names + n, NAMES - n, "%s%.*s", n > 0 ? ", " : "",
                              str_head(name, NAMES), name.s);
    }
}

static void say_how_many(const char *path, struct reader *reader, bool ascii) {
    struct err note;
    size_t passed = 0, n = 0;
    for (size_t i = 1; i < reader_provider_count(reader); i++) {
        const struct provider *p = reader_provider(reader, i);
        n += !p->implicit;
        passed += !p->implicit && p->passed;
    }
    err_set(&note, ERR_NO_OFFSET, "events of %zu of %zu providers are passed over", passed, n);
    text_complain(path, "note: ", ascii, &note);
}

bool only_providers_check(const char *path, struct trace *trace, bool ascii, struct err *err) {
    struct reader *reader = trace_reader(trace);
    const struct str *missing = reader_missing(reader);
    char names[NAMES];
    if (reader_wanted(reader).n == 0)
        return true;
    if (missing == NULL) {
        say_how_many(path, reader, ascii);
        return true;
    }
    list_names(reader, names);
    if (names[0] == '\0')
        return err_set(err, ERR_NO_OFFSET, "--providers: the trace names no provider");
    return err_set(err, ERR_NO_OFFSET, "--providers: there is no '%.*s', but %s",
                   str_head(*missing, 60), missing->s, names);
}
