/* open_trace.c - asks in lines of text: the screen has not begun. */
#include "app/open_trace.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/status.h"
#include "model/output/cut/load.h"
#include "model/output/only_providers.h"

/* Whether the screen is wanted of a trace whose index does not fit into memory. */
static bool asks(const struct options *o, struct err *err) {
    char *paths[] = {(char *)(uintptr_t)o->path};
    return o->mode == MODE_SCREEN && !o->load && !o->trace.insists && isatty(STDIN_FILENO) &&
           !load_fits(paths, 1, &o->trace, err);
}

static struct trace *ask(const struct options *o, struct err *err) {
    struct trace *trace = NULL;
    char line[200];
    while (trace == NULL) {
        status_complain(o->path, err);
        fputs("fxtop: which part (1.5s..1.6s, 0..10%, or all; nothing: none)? ", stderr);
        if (fgets(line, sizeof line, stdin) == NULL || line[strspn(line, " \t\r\n")] == '\0') {
            err_set(err, ERR_NO_OFFSET, "nothing was opened");
            return NULL;
        }
        line[strcspn(line, "\r\n")] = '\0';
        trace = strcmp(line, "all") == 0 ? trace_open(o->path, &o->trace, err)
                                         : load_part(o->path, &o->trace, line, o->ascii, err);
    }
    return trace;
}

struct trace *open_trace(const struct options *o, struct err *err) {
    return asks(o, err) ? ask(o, err) : load_open(o->path, &o->trace, o->load, o->ascii, err);
}

bool open_trace_has_providers(struct trace *trace, const struct options *o, struct err *err) {
    if (o->providers == NULL || o->follow)
        return true;
    trace_load(trace);
    return only_providers_check(o->path, trace, o->ascii, err);
}
