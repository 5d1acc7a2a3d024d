/* slow_filter.c - reads the lines of an export and judges each term by going over all events.
 *
 * Lines are searched for keys as text, not parsed as JSON. A term returns whether the event has the
 * field, and whether one of the values fits; negation follows from both. */
#include "tests/unit/query/slow_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/ndjson.h"
#include "model/query/filter.h"
#include "tests/unit/lib/checked.h"

/* The value of a key up to `stop`: text without quotes; false: the line has none. */
static bool text_of(const char *line, const char *stop, const char *key, char *out, size_t cap) {
    char wanted[24];
    snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *at = strstr(line, wanted);
    if (at == NULL || (stop && at > stop))
        return false;
    at += strlen(wanted);
    bool quoted = *at == '"';
    at += quoted;
    size_t n = 0;
    while (n + 1 < cap && (quoted ? *at != '"' : *at != ',' && *at != '}' && *at != ']'))
        out[n++] = *at++;
    out[n] = '\0';
    return true;
}

static long long number_of(const char *line, const char *stop, const char *key) {
    char text[40];
    return text_of(line, stop, key, text, sizeof text) && strcmp(text, "null") != 0
               ? checked_integer(text)
               : -1;
}

static void read_arguments(struct slow_event *e, const char *line, const char *key) {
    const char *at = strstr(line, key);
    const char *stop = at ? strstr(at, "}]") : NULL;
    while (at && at < stop && (at = strchr(at + 1, '{')) != NULL && at < stop && e->nargs < 8) {
        struct argument *a = &e->args[e->nargs++];
        char type[12];
        const char *end = strchr(at, '}');
        *a = (struct argument){0};
        text_of(at, end, "name", a->name, sizeof a->name);
        text_of(at, end, "type", type, sizeof type);
        text_of(at, end, "value", a->text, sizeof a->text);
        text_of(at, end, "object", a->object, sizeof a->object);
        a->is_number = strcmp(type, "string") != 0;
        a->number = a->is_number ? checked_real(a->text, "") : 0;
    }
}

static struct slow_event read_event(const char *line, const char *stop) {
    struct slow_event e = {.ts = number_of(line, stop, "ts"),
                           .dur = number_of(line, stop, "dur"),
                           .offset = number_of(line, stop, "offset"),
                           .id = number_of(line, stop, "id"),
                           .parent = number_of(line, stop, "parent"),
                           .slice = number_of(line, stop, "slice"),
                           .depth = number_of(line, stop, "depth"),
                           .pid = number_of(line, stop, "pid"),
                           .tid = number_of(line, stop, "tid"),
                           .cpu = number_of(line, stop, "cpu")};
    text_of(line, stop, "name", e.name, sizeof e.name);
    text_of(line, stop, "message", e.name, sizeof e.name);
    text_of(line, stop, "cat", e.cat, sizeof e.cat);
    text_of(line, stop, "series", e.series, sizeof e.series);
    text_of(line, stop, "state", e.state, sizeof e.state);
    e.open = strstr(line, "\"open\":true") != NULL;
    return e;
}

static void read_flow(struct slow_reading *r, const char *line) {
    struct slow_event before = {0};
    struct slow_event flow = read_event(line, NULL);
    bool any = false, ended = false;
    double ended_at = 0;
    for (const char *at = strstr(line, "{\"kind\""); at; at = strstr(at + 1, "{\"kind\"")) {
        struct slow_event e = read_event(at, strchr(at, '}'));
        e.kind = FILTER_FLOWS;
        memcpy(e.name, flow.name, sizeof e.name);
        memcpy(e.cat, flow.cat, sizeof e.cat);
        bool end = strncmp(at, "{\"kind\":\"end\"", 13) == 0;
        /* no hop leads to an end after the end */
        e.has_before = any && !(end && ended && (double)e.ts > ended_at);
        e.before_ts = before.ts;
        e.before_slice = before.slice;
        ended_at = end && !ended ? (double)e.ts : ended_at;
        ended = ended || end;
        before = end ? before : e;
        any = true;
        vec_push(r, e);
    }
}

static void read_line(struct slow_reading *r, const char *line) {
    static const struct {
        const char *type;
        unsigned kind;
    } kinds[] = {{"slice", FILTER_SLICE},     {"instant", FILTER_INSTANT},
                 {"async", FILTER_ASYNC},     {"async_instant", FILTER_ASYNC},
                 {"counter", FILTER_COUNTER}, {"log", FILTER_LOG},
                 {"state", FILTER_STATES}};
    char type[20] = "";
    text_of(line, NULL, "type", type, sizeof type);
    if (strcmp(type, "flow") == 0)
        read_flow(r, line);
    if (strcmp(type, "sched") == 0)
        vec_push(&r->sched, read_event(line, NULL));
    if (strcmp(type, "trace") == 0)
        r->end = number_of(line, NULL, "span_ns");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(type, kinds[k].type) != 0)
            continue;
        struct slow_event e = read_event(line, NULL);
        e.kind = kinds[k].kind;
        read_arguments(&e, line, "\"args\":");
        read_arguments(&e, line, "\"end_args\":");
        if (e.kind == FILTER_COUNTER) { /* a sample is an argument of that name */
            struct argument *a = &e.args[e.nargs++];
            memcpy(a->name, e.series, sizeof a->name);
            a->is_number = text_of(line, NULL, "value", a->text, sizeof a->text);
            a->number = a->is_number ? checked_real(a->text, "") : 0;
        }
        if (e.kind == FILTER_STATES)
            memcpy(e.name, e.state, sizeof e.state);
        if (strcmp(type, "async_instant") == 0)
            e.dur = -2;
        vec_push(r, e);
    }
}

static bool has_length(const struct slow_event *e) {
    return e->kind == FILTER_SLICE || e->kind == FILTER_STATES ||
           (e->kind == FILTER_ASYNC && e->dur != -2);
}

static long long end_of(const struct slow_reading *r, const struct slow_event *e) {
    return e->dur >= 0 ? e->ts + e->dur : r->end;
}

static const struct slow_event *slice_of_id(const struct slow_reading *r, long long id) {
    for (size_t i = 0; id >= 0 && i < r->n; i++)
        if (r->v[i].kind == FILTER_SLICE && r->v[i].id == id)
            return &r->v[i];
    return NULL;
}

/* The last in nesting order around a moment of a thread is the slice with the greatest id. */
static void paint_selves(struct slow_reading *r) {
    for (long long tid = 10; tid < 13; tid++) {
        struct slow_event **owner = calloc((size_t)r->end + 1, sizeof *owner);
        for (long long id = 0; id < (long long)r->n; id++) {
            struct slow_event *e = (struct slow_event *)slice_of_id(r, id);
            if (e == NULL || e->tid != tid)
                continue;
            for (long long t = e->ts; t < end_of(r, e); t++)
                owner[t] = e;
        }
        for (long long t = 0; t < r->end; t++)
            if (owner[t])
                owner[t]->self++;
        free(owner);
    }
}

struct slow_reading slow_filter_read(struct trace *trace) {
    struct slow_reading r = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        read_line(&r, line);
    free(text);
    paint_selves(&r);
    return r;
}

/* ---- slow terms ---- */

static bool slow_text(const char *op, const char *value, const char *text) {
    char a[48], b[48];
    bool fold = true;
    for (const char *p = value; *p; p++)
        fold = fold && !(*p >= 'A' && *p <= 'Z');
    snprintf(a, sizeof a, "%s", text);
    snprintf(b, sizeof b, "%s", value);
    for (char *p = a; fold && *p; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p + 32);
    return strchr(op, '~') ? strstr(a, b) != NULL : strcmp(a, b) == 0;
}

static bool slow_order(const char *op, double x, double y) {
    if (strcmp(op, "<") == 0)
        return x < y;
    if (strcmp(op, "<=") == 0)
        return x <= y;
    if (strcmp(op, ">") == 0)
        return x > y;
    return strcmp(op, ">=") == 0 ? x >= y : x == y;
}

struct verdict {
    bool present, fits;
};

static void try_text(struct verdict *v, const struct slow_term *t, const char *text) {
    v->present = true;
    for (size_t i = 0; i < t->n; i++)
        v->fits = v->fits || slow_text(t->op, t->values[i], text);
}

static void try_number(struct verdict *v, const struct slow_term *t, double x) {
    v->present = true;
    for (size_t i = 0; i < t->n; i++)
        v->fits = v->fits || slow_order(t->op, x, checked_real(t->values[i], "ns"));
}

static int by_value(const void *a, const void *b) {
    const long long *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Nearest rank among the ended slices, or operations, of its name; -1: none. */
static long long slow_percentile(const struct slow_reading *r, const struct slow_event *e, int p) {
    long long *v = calloc(r->n + 1, sizeof *v), found = -1;
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->v[i].kind == e->kind && r->v[i].dur >= 0 && strcmp(r->v[i].name, e->name) == 0)
            v[n++] = r->v[i].dur;
    qsort(v, n, sizeof *v, by_value);
    if (n > 0) {
        size_t rank = ((size_t)p * n + 99) / 100;
        found = v[rank > 0 ? rank - 1 : 0];
    }
    free(v);
    return found;
}

static void try_duration(struct verdict *v, const struct slow_reading *r, const struct slow_term *t,
                         const struct slow_event *e) {
    for (size_t i = 0; has_length(e) && i < t->n; i++) {
        double least = 0;
        if (t->values[i][0] == 'p') {
            long long p = e->kind == FILTER_STATES
                              ? -1
                              : slow_percentile(r, e, (int)checked_integer(t->values[i] + 1));
            if (p < 0)
                continue;
            least = (double)p;
        } else {
            least = checked_real(t->values[i], "ns");
        }
        v->present = true;
        v->fits = v->fits || slow_order(t->op, (double)(end_of(r, e) - e->ts), least);
    }
}

static void try_ancestors(struct verdict *v, const struct slow_reading *r,
                          const struct slow_term *t, const struct slow_event *e, bool all) {
    long long around = e->kind == FILTER_SLICE ? e->parent : e->slice;
    if (e->kind == FILTER_ASYNC || e->kind == FILTER_COUNTER || e->kind == FILTER_STATES)
        return;
    for (const struct slow_event *p = slice_of_id(r, around); p;
         p = all ? slice_of_id(r, p->parent) : NULL)
        try_text(v, t, p->name);
}

static bool is_inside(const struct slow_reading *r, const struct slow_event *e, long long id) {
    for (; e; e = slice_of_id(r, e->parent))
        if (e->parent == id)
            return true;
    return false;
}

static void try_related(struct verdict *v, const struct slow_reading *r, const struct slow_term *t,
                        const struct slow_event *e) {
    bool has = strcmp(t->field, "has") == 0;
    if (!has && e->kind == FILTER_FLOWS)
        try_text(v, t, e->name);
    for (size_t i = 0; e->kind == FILTER_SLICE && i < r->n; i++) {
        const struct slow_event *x = &r->v[i];
        if (has ? x->kind == FILTER_SLICE && is_inside(r, x, e->id)
                : x->kind == FILTER_FLOWS && x->slice == e->id)
            try_text(v, t, x->name);
    }
}

static void try_states(struct verdict *v, const struct slow_reading *r, const struct slow_term *t,
                       const struct slow_event *e) {
    long long to = has_length(e) ? end_of(r, e) : e->ts;
    for (size_t i = 0; e->tid >= 0 && i < r->n; i++) {
        const struct slow_event *x = &r->v[i];
        long long end = x->dur >= 0 ? x->ts + x->dur : INT64_MAX;
        if (x->kind != FILTER_STATES || x->tid != e->tid || (e->kind == FILTER_STATES && x != e))
            continue;
        if (x == e || (x->ts < (to > e->ts ? to : e->ts + 1) && end > e->ts && end > x->ts))
            try_text(v, t, x->state);
    }
}

static void try_cpus(struct verdict *v, const struct slow_reading *r, const struct slow_term *t,
                     const struct slow_event *e) {
    for (size_t i = 0; e->tid >= 0 && i < r->sched.n; i++) {
        const struct slow_event *x = &r->sched.v[i];
        if (x->tid == e->tid && x->ts <= e->ts && (x->dur < 0 || x->ts + x->dur > e->ts))
            try_number(v, t, (double)x->cpu);
    }
}

static void try_arguments(struct verdict *v, const struct slow_term *t, const struct slow_event *e,
                          const char *name) {
    for (size_t i = 0; i < e->nargs; i++) {
        const struct argument *a = &e->args[i];
        if (strcmp(a->name, name) != 0 && strcmp(name, "*") != 0)
            continue;
        v->present = true;
        for (size_t k = 0; k < t->n; k++) {
            const char *value = t->values[k];
            bool number = strspn(value, "-0123456789") == strlen(value),
                 ordered = strpbrk(t->op, "<>") != NULL;
            if (a->is_number && number && !strchr(t->op, '~'))
                v->fits = v->fits || slow_order(t->op, a->number, checked_real(value, ""));
            if (ordered && !a->is_number)
                v->fits = v->fits || slow_order(t->op, strcmp(a->text, value), 0);
            if (ordered && a->object[0])
                v->fits = v->fits || slow_order(t->op, strcmp(a->object, value), 0);
            if (!ordered)
                v->fits = v->fits || slow_text(t->op, value, a->text) ||
                          (a->object[0] && slow_text(t->op, value, a->object));
        }
    }
}

const char *slow_filter_kind(unsigned kind) {
    static const char *const kinds[] = {"slice",   "instant", "async", "flow",
                                        "counter", "log",     "state"};
    size_t i = 0;
    while (kind >> i > 1)
        i++;
    return kinds[i];
}

static struct verdict judge(const struct slow_reading *r, const struct slow_term *t,
                            const struct slow_event *e) {
    struct verdict v = {0};
    char text[40];
    const char *field = strncmp(t->field, "arg.", 4) == 0 ? t->field + 4 : t->field;
    if (*field == '\0' || strcmp(field, "name") == 0)
        try_text(&v, t, e->name);
    else if (strcmp(field, "cat") == 0 && !(e->kind & (FILTER_LOG | FILTER_STATES)))
        try_text(&v, t, e->cat);
    else if (strcmp(field, "thread") == 0 && e->tid >= 0) {
        snprintf(text, sizeof text, "thread %lld", e->tid);
        try_text(&v, t, e->tid == 10 ? "ui" : text);
    } else if (strcmp(field, "process") == 0 && e->pid >= 0) {
        snprintf(text, sizeof text, "process %lld", e->pid);
        try_text(&v, t, e->pid == 1 ? "render" : text);
    } else if (strcmp(field, "pid") == 0 && e->pid >= 0)
        try_number(&v, t, (double)e->pid);
    else if (strcmp(field, "tid") == 0 && e->tid >= 0)
        try_number(&v, t, (double)e->tid);
    else if (strcmp(field, "cpu") == 0)
        try_cpus(&v, r, t, e);
    else if (strcmp(field, "depth") == 0 &&
             (e->kind == FILTER_SLICE || (e->kind == FILTER_ASYNC && e->dur != -2)))
        try_number(&v, t, (double)e->depth);
    else if (strcmp(field, "kind") == 0)
        try_text(&v, t, slow_filter_kind(e->kind));
    else if (strcmp(field, "dur") == 0)
        try_duration(&v, r, t, e);
    else if (strcmp(field, "self") == 0 && e->kind == FILTER_SLICE)
        try_number(&v, t, (double)e->self);
    else if (strcmp(field, "ts") == 0)
        try_number(&v, t, (double)e->ts);
    else if (strcmp(field, "hop") == 0 && e->kind == FILTER_FLOWS && e->has_before &&
             !(e->slice >= 0 && e->slice == e->before_slice))
        try_number(&v, t, (double)(e->ts - e->before_ts));
    else if (strcmp(field, "in") == 0 || strcmp(field, "parent") == 0)
        try_ancestors(&v, r, t, e, *field == 'i');
    else if (strcmp(field, "has") == 0 || strcmp(field, "flow") == 0)
        try_related(&v, r, t, e);
    else if (strcmp(field, "state") == 0)
        try_states(&v, r, t, e);
    else if (strcmp(field, "open") == 0)
        v = (struct verdict){true, e->open};
    else if (strcmp(field, "size") == 0 || strcmp(field, "who") == 0 || strcmp(field, "k") == 0 ||
             strcmp(field, "*") == 0)
        try_arguments(&v, t, e, field);
    else if (strcmp(field, "operator") == 0) { /* no argument has the name */
        snprintf(text, sizeof text, "operator%s%s", t->op, t->values[0]);
        v = (struct verdict){true, slow_text("~", text, e->name)};
        if (*t->op == '!') /* a literal, not a comparison */
            v.fits = !v.fits;
    }
    return v;
}

bool slow_filter_holds(const struct slow_reading *r, const struct slow_term *terms, size_t n,
                       const struct slow_event *e) {
    bool asked = false, hop = false, holds = true;
    for (size_t i = 0; i < n; i++) {
        struct verdict v = judge(r, &terms[i], e);
        asked = asked || strcmp(terms[i].field, "kind") == 0;
        hop = hop || (strcmp(terms[i].field, "hop") == 0 && !terms[i].negated);
        holds = holds && (v.present && v.fits != (*terms[i].op == '!')) != terms[i].negated;
    }
    if (!asked)
        holds = holds && (hop ? e->kind == FILTER_FLOWS : e->kind <= FILTER_ASYNC);
    return holds;
}
