/* stat_filter.c - quotes texts of a trace as the grammar of filters reads them. */
#include "ui/views/stat/slices/stat_filter.h"

#include <stdio.h>

#include "model/query/stat/name_pattern.h"

/* A text between quotes, with escapes, as a filter takes it. */
static void quote(struct chars *to, struct str s) {
    chars_add(to, STR("\""));
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] == '"' || s.s[i] == '\\')
            chars_add(to, STR("\\"));
        chars_add(to, (struct str){s.s + i, 1});
    }
    chars_add(to, STR("\""));
}

/* Appends one term; `field` is "name=" or another left side with its operator. */
static void add_term(const char *field, struct str s, struct chars *to) {
    if (to->n > 0)
        chars_add(to, STR(" "));
    chars_add(to, str_of(field));
    quote(to, s);
}

void stat_filter_group(const struct slice_group *g, const struct aggregate_key *key,
                       struct chars *to) {
    char buf[400], number[64], field[80];
    struct trace *trace = g->trace;
    if (g->by == GROUP_BY_NAME || g->by == GROUP_BY_NAME_THREAD)
        add_term("name=", trace_name(trace, key->name), to);
    uint32_t thread = g->by == GROUP_BY_THREAD ? key->name : NO_THREAD;
    if (g->by == GROUP_BY_NAME_THREAD)
        thread = key->a;
    if (thread < trace_thread_count(trace)) {
        snprintf(number, sizeof number, "%spid=%llu tid=%llu", to->n > 0 ? " " : "",
                 (unsigned long long)trace_thread(trace, thread)->id.pid,
                 (unsigned long long)trace_thread(trace, thread)->id.tid);
        chars_add(to, str_of(number));
    }
    if (g->by == GROUP_BY_PROCESS && key->name < trace_process_count(trace)) {
        snprintf(number, sizeof number, "pid=%llu",
                 (unsigned long long)trace_process(trace, key->name)->pid);
        chars_add(to, str_of(number));
    }
    if (g->by == GROUP_BY_TRACE)
        add_term("trace=", slice_group_text(g, key, buf, sizeof buf), to);
    if (g->by == GROUP_BY_PATTERN) {
        struct name_pattern regex = {0};
        name_pattern_regex(slice_group_text(g, key, buf, sizeof buf), &regex);
        chars_add(to, to->n > 0 ? STR(" name~/") : STR("name~/"));
        chars_add(to, (struct str){regex.v, regex.n});
        chars_add(to, STR("/"));
        vec_free(&regex);
    }
    if (g->by == GROUP_BY_CATEGORY)
        add_term("cat=", slice_group_text(g, key, buf, sizeof buf), to);
    if (g->by == GROUP_BY_ARGUMENT) {
        snprintf(field, sizeof field, "arg.%s=", g->argument);
        add_term(field, slice_group_text(g, key, buf, sizeof buf), to);
    }
}
