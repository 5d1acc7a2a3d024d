/* process_label.c - compares the command line of a process with that of its nearest sibling, word
 * by word. */
#include "model/query/process_label.h"

#include <stdio.h>
#include <string.h>

#define SIBLINGS_LOOKED 32 /* on either side, in the order of the file */
#define INSTANTS_LOOKED 16 /* of a thread */
#define THREADS_LOOKED 4   /* of a process: the main one is among the first */

static bool is_exec(struct trace *trace, const struct instant *instant) {
    return str_eq(trace_name(trace, trace_packed_name(trace, instant->packed)), STR("exec"));
}

bool process_label_begun(struct trace *trace, uint32_t thread) {
    size_t n;
    const struct instant *v = trace_instants(trace_thread(trace, thread), &n);
    return n > 0 && is_exec(trace, v);
}

/* The argument `parent` of the first operation of a group; false: it is no life. */
static bool find_parent(struct trace *trace, uint32_t group, struct detail *d,
                        struct detail_argument *a) {
    struct async_group *g = async_group(trace_async(trace), group);
    if (g->ops == 0 || async_group_rows(g) == 0)
        return false;
    struct slice first = lane_slice(async_group_row(g, 0), 0);
    return detail_open(d, trace, slice_offset(&first)) && str_eq(d->category, STR("process")) &&
           detail_find(d, "parent", a);
}

bool process_label_life(struct trace *trace, uint32_t group) {
    struct detail d;
    struct detail_argument a;
    return find_parent(trace, group, &d, &a);
}

bool process_label_parent(struct trace *trace, uint32_t group, uint64_t *pid) {
    struct detail d;
    struct detail_argument a;
    if (!find_parent(trace, group, &d, &a) || a.type != FXT_ARG_KOID)
        return false;
    *pid = a.bits;
    return true;
}

struct str process_label_command(struct trace *trace, uint32_t process, struct detail *d,
                                 struct detail_argument *a) {
    size_t n, count;
    const uint32_t *threads = trace_process_threads(trace_process(trace, process), &n);
    for (size_t k = 0; k < n && k < THREADS_LOOKED; k++) {
        const struct instant *v = trace_instants(trace_thread(trace, threads[k]), &count);
        for (size_t i = count < INSTANTS_LOOKED ? count : INSTANTS_LOOKED; i-- > 0;)
            if (is_exec(trace, &v[i]) && detail_open(d, trace, event_offset(v[i].packed)) &&
                str_eq(d->category, STR("process")) && detail_find(d, "command", a))
                return a->string; /* valid until another record is opened */
    }
    return (struct str){0};
}

/* The command line of the nearest process of the same name, in the order of the file; n = 0: there
 * is none. */
static struct str sibling_of(struct trace *trace, uint32_t process, struct str name,
                             struct detail *d, struct detail_argument *a) {
    char buf[40];
    bool named;
    for (uint32_t away = 1; away <= SIBLINGS_LOOKED; away++)
        for (int side = 0; side < 2; side++) {
            uint32_t p = side == 0 ? process - away : process + away;
            if (p >= trace_process_count(trace) ||
                !str_eq(trace_process_name(trace, trace_process(trace, p), buf, &named), name))
                continue;
            struct str command = process_label_command(trace, p, d, a);
            if (command.n > 0)
                return command;
        }
    return (struct str){0};
}

/* Takes the next word off a command line; n = 0: there is none. */
static struct str next_word(struct str *line) {
    struct str word;
    size_t n = 0;
    if (line->n == 0) /* it may have no bytes at all */
        return *line;
    while (line->n > 0 && *line->s == ' ')
        line->s++, line->n--;
    while (n < line->n && line->s[n] != ' ')
        n++;
    word = (struct str){line->s, n};
    line->s += n;
    line->n -= n;
    return word;
}

/* The first argument that another command line does not have in its place. Without another one: the
 * first that is no option, or all of them. */
static struct str telling(struct str command, struct str other) {
    bool any = other.n > 0;
    next_word(&command);
    next_word(&other);
    while (command.n > 0 && *command.s == ' ')
        command.s++, command.n--;
    struct str options = command;
    for (;;) {
        struct str word = next_word(&command), there = next_word(&other);
        if (word.n == 0)
            return any ? word : options;
        if (any ? !str_eq(word, there) : *word.s != '-')
            return word;
    }
}

/* Without the folders before it. */
static struct str base_name(struct str path) {
    for (size_t i = path.n; i > 0; i--)
        if (path.s[i - 1] == '/' && i < path.n)
            return (struct str){path.s + i, path.n - i};
    return path;
}

size_t process_label(struct trace *trace, uint32_t process, char buf[PROCESS_LABEL]) {
    struct detail d[2];
    struct detail_argument a[2];
    char made[40], copy[1024];
    bool named;
    struct str name = trace_process_name(trace, trace_process(trace, process), made, &named);
    struct str command = process_label_command(trace, process, &d[0], &a[0]);
    if (!named || command.n == 0 || command.s == NULL)
        return 0;
    command.n = command.n < sizeof copy ? command.n : sizeof copy;
    memcpy(copy, command.s, command.n);
    command.s = copy;
    struct str word = base_name(telling(command, sibling_of(trace, process, name, &d[1], &a[1])));
    if (word.n == 0)
        return 0;
    int n = snprintf(buf, PROCESS_LABEL, "%.*s %.*s", str_head(name, 40), name.s,
                     str_head(word, 50), word.s);
    return (size_t)n;
}
