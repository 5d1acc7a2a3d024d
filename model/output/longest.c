/* longest.c - instances as a relation, and that in one of the formats.
 *
 * Programs get the arguments of a slice's begin as the list that ndjson has; a reader gets
 * "name=value" for each. */
#include "model/output/longest.h"

#include <errno.h>

#include "model/output/event_list.h"
#include "model/output/json.h"
#include "model/output/relation.h"
#include "model/query/stat/instances.h"
#include "src/base/units.h"

#define INTEGER(program, reader, of)                                                               \
    { .name = (program), .title = (reader), .type = RELATION_INTEGER, .unit = (of) }

static const struct relation_column columns[INSTANCES_COLUMNS] = {
    [INSTANCES_NAME] = {.name = "name", .title = "name", .type = RELATION_TEXT},
    [INSTANCES_PID] = INTEGER("pid", "pid", RELATION_ID),
    [INSTANCES_TID] = INTEGER("tid", "tid", RELATION_ID),
    [INSTANCES_THREAD] = {.name = "thread", .title = "thread", .type = RELATION_TEXT},
    [INSTANCES_TIME] = INTEGER("ts_ns", "at", RELATION_TIME),
    [INSTANCES_DURATION] = INTEGER("dur_ns", "dur", RELATION_DURATION),
    [INSTANCES_OPEN] = INTEGER("open", "open", RELATION_BOOLEAN),
    [INSTANCES_SELF] = INTEGER("self_ns", "self", RELATION_DURATION),
    [INSTANCES_DEPTH] = INTEGER("depth", "depth", RELATION_NONE),
    [INSTANCES_RUNNING] = INTEGER("running_ns", "running", RELATION_DURATION),
    [INSTANCES_RUNNABLE] = INTEGER("runnable_ns", "runnable", RELATION_DURATION),
    [INSTANCES_BLOCKED] = INTEGER("blocked_ns", "blocked", RELATION_DURATION),
    [INSTANCES_OTHER] = INTEGER("other_ns", "other", RELATION_DURATION),
    [INSTANCES_ARGUMENTS] = {.name = "args",
                             .title = "arguments",
                             .type = RELATION_TEXT,
                             .unit = RELATION_JSON},
    [INSTANCES_OFFSET] = INTEGER("offset", NULL, RELATION_OFFSET), /* for programs */
    [INSTANCES_SAMPLES] = INTEGER("samples", "samples", RELATION_COUNT),
    [INSTANCES_ABOUT] = INTEGER("about_self_ns", "~self", RELATION_DURATION),
};

struct longest {
    struct instances instances;
    struct trace *trace;
    const struct instances_query *query;
    bool for_reader;
    struct detail detail;
    struct chars text; /* of the last arguments */
    struct left_out left_out;
};

static uint64_t rows(void *ctx) {
    return instances_rows(&((struct longest *)ctx)->instances);
}

/* Text for a reader ends at a NUL. */
static struct str until_nul(struct str s) {
    return (struct str){s.s, s.n > 0 ? strnlen(s.s, s.n) : 0};
}

static void for_reader(struct longest *l) {
    struct fxt_arguments args = l->detail.record.args;
    struct detail_argument a;
    char buf[64];
    for (bool any = false; detail_argument(&l->detail, &args, &a); any = true) {
        struct str value = detail_value(&a, buf);
        if (any)
            chars_put(&l->text, ' ');
        chars_add(&l->text, until_nul(a.name));
        chars_put(&l->text, '=');
        chars_add(&l->text, until_nul(value));
    }
}

static void get_arguments(struct longest *l, const struct slice *s, struct relation_value *value) {
    struct json j = {.out = &l->text, .first = true};
    l->text.n = 0;
    if (!detail_open(&l->detail, l->trace, slice_offset(s)))
        return;
    if (l->for_reader)
        for_reader(l);
    else
        json_argument_list(&j, &l->detail);
    if (l->text.n > 0)
        relation_set_text(value, (struct str){l->text.v, l->text.n});
}

static void get_thread(const struct longest *l, const struct thread *t, int column,
                       struct relation_value *value) {
    struct event_list_identity id = event_list_identity(l->trace, t);
    bool named;
    if (column == INSTANCES_PID && id.has_pid)
        relation_set_integer(value, (int64_t)id.pid);
    if (column == INSTANCES_TID && id.has_tid)
        relation_set_integer(value, (int64_t)id.tid);
    if (column != INSTANCES_THREAD)
        return;
    struct str name = trace_thread_name(l->trace, t, value->buf, &named);
    if (named || !id.has_tid || l->for_reader)
        relation_set_text(value, name);
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct longest *l = ctx;
    const struct instance *at = &l->instances.v.v[row.row];
    const struct slice slice = instances_slice(&l->instances, (uint32_t)row.row), *s = &slice;
    int64_t n;
    switch (column) {
    case INSTANCES_NAME:
        relation_set_text(value, trace_slice_name(l->trace, s));
        break;
    case INSTANCES_PID:
    case INSTANCES_TID:
    case INSTANCES_THREAD:
        get_thread(l, trace_thread(l->trace, at->track), column, value);
        break;
    case INSTANCES_ARGUMENTS:
        get_arguments(l, s, value);
        break;
    default:
        if (instances_value(&l->instances, (uint32_t)row.row, (enum instances_column)column, &n))
            relation_set_integer(value, n);
    }
}

/* Offsets are in decimal as in ndjson. */
static const struct relation slices = {"instances", columns, INSTANCES_COLUMNS, true, rows, get};

#define BIT(column) (UINT64_C(1) << INSTANCES_##column)

/* Columns without a value: of samples, or of times. */
static uint64_t without(const struct longest *l) {
    size_t sampled = 0;
    for (size_t i = 0; i < l->instances.v.n; i++)
        sampled += l->instances.v.v[i].sampled;
    if (sampled == 0)
        return BIT(SAMPLES) | BIT(ABOUT);
    if (sampled < l->instances.v.n)
        return 0;
    return BIT(DURATION) | BIT(OPEN) | BIT(SELF) | BIT(RUNNING) | BIT(RUNNABLE) | BIT(BLOCKED) |
           BIT(OTHER);
}

static void heading(const struct longest *l, const struct question *asked,
                    const struct table_request *request, FILE *out) {
    char count[32];
    top_heading(l->trace, asked, request->ascii, out);
    fprintf(out, ": %s slice%s, longest first", units_count(l->instances.count, false, count),
            l->instances.count == 1 ? "" : "s");
    question_head_left_out(l->left_out, out);
    putc('\n', out);
    if (request->format == FORMAT_MARKDOWN)
        putc('\n', out);
}

static void print(struct longest *l, const struct question *asked,
                  const struct table_request *request, FILE *out) {
    bool csv = request->format == FORMAT_CSV, ndjson = request->format == FORMAT_NDJSON;
    struct relation_style style = {.origin = csv || ndjson ? trace_origin(l->trace)
                                                           : trace_begin(l->trace),
                                   .ascii = request->ascii,
                                   .without = without(l)};
    l->for_reader = !csv && !ndjson;
    if (l->for_reader)
        heading(l, asked, request, out);
    else
        question_say_left_out(l->left_out, l->trace, request->ascii);
    if (csv)
        relation_csv(&slices, l, out, NULL, style.origin);
    else if (ndjson)
        relation_ndjson(&slices, l, out, &style);
    else if (request->format == FORMAT_MARKDOWN)
        relation_markdown(&slices, l, out, &style);
    else
        relation_aligned(&slices, l, out, &style);
}

static void make(struct task *task, void *ctx) {
    struct longest *l = ctx;
    instances_make(task, &l->instances, l->trace, l->query);
}

bool longest_print(struct trace *trace, const struct question *asked,
                   const struct table_request *request, FILE *out) {
    struct longest l = {.trace = trace};
    struct instances_query query = {.range = &asked->range,
                                    .kinds = SLICE_ITER_SLICES,
                                    .has = filter_match_slice,
                                    .ctx = asked->match,
                                    .most = (uint32_t)request->most};
    errno = 0;
    l.query = &query;
    make(NULL, &l);
    l.left_out = question_left_out(asked, trace, SLICE_ITER_SLICES | SLICE_ITER_STATES);
    print(&l, asked, request, out);
    instances_free(&l.instances);
    vec_free(&l.text);
    return fflush(out) == 0 && !ferror(out);
}
