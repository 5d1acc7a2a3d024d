/* jaeger.c - the JSON of Jaeger's API: traces of spans and processes.
 *
 * Spans name their process by a key of their trace, which may come after them. */
#include "src/import/spans/jaeger.h"

#include "src/base/u64map.h"
#include "src/import/spans/spans.h"

enum { TRACE = 1, SPAN, PROCESSES };

static const struct json_walk_rule rules[] = {
    {JSON_WALK_TOP, "data", TRACE, false},         {JSON_WALK_TOP, "spans", SPAN, true},
    {JSON_WALK_TOP, "processes", PROCESSES, true}, {TRACE, "spans", SPAN, true},
    {TRACE, "processes", PROCESSES, true},         {0, NULL, 0, false},
};

#define KNOWN UINT32_C(0x80000000) /* of a process that its span has itself */

struct jaeger {
    struct spans spans;
    struct u64map processes; /* by the number of the trace and the text of the key */
    uint64_t traces;
    size_t first; /* span whose process is not known yet */
};

/* {"key", "type", "value"}; the values of some writers are texts of any type. */
static uint32_t value_of(struct jaeger *j, uint32_t i) {
    uint32_t value = json_walk_get(&j->spans.walk, i, "value");
    struct str type = spans_text(&j->spans, i, "type");
    if (value > 0 && (str_eq(type, STR("int64")) || str_eq(type, STR("float64"))))
        spans_number(&j->spans, value);
    return value;
}

/* The text of a tag; without it, an empty one. */
static struct str tag(struct jaeger *j, uint32_t i, const char *key) {
    struct json_walk *walk = &j->spans.walk;
    uint32_t list = json_walk_get(walk, i, "tags");
    for (uint32_t c = list + 1; list > 0 && c < json_walk_end(walk, list);
         c = json_walk_end(walk, c)) {
        uint32_t value = json_walk_get(walk, c, "value");
        if (value > 0 && str_eq(spans_text(&j->spans, c, "key"), str_of(key)))
            return walk->tree.v[value].kind == JSON_TRUE ? STR("true")
                                                         : json_walk_text(walk, value);
    }
    return (struct str){"", 0};
}

/* The tags of a span or process, or the fields of an event. */
static void add_tags(struct jaeger *j, uint32_t i, const char *list_key, const char *without) {
    struct json_walk *walk = &j->spans.walk;
    uint32_t list = json_walk_get(walk, i, list_key);
    for (uint32_t c = list + 1; list > 0 && c < json_walk_end(walk, list);
         c = json_walk_end(walk, c)) {
        struct str key = spans_text(&j->spans, c, "key");
        uint32_t value = value_of(j, c);
        if (value > 0 && !str_eq(key, str_of(without)))
            span_store_arg(&j->spans.store, key, walk, value);
    }
}

static uint32_t process_of(struct jaeger *j, uint32_t i) {
    static const char *const instances[] = {"service.instance.id", "host.name", "hostname", "ip"};
    struct spans *s = &j->spans;
    struct str instance = {"", 0};
    for (size_t k = 0; k < sizeof instances / sizeof *instances && instance.n == 0; k++)
        instance = tag(j, i, instances[k]);
    uint32_t process = spans_process(s, spans_text(s, i, "serviceName"), instance);
    if (s->store.processes.v[process].args == 0) {
        span_store_args(&s->store);
        add_tags(j, i, "tags", "");
        s->store.processes.v[process].args = spans_args_end(s);
    }
    return process;
}

static uint64_t key_of(const struct jaeger *j, uint32_t text) {
    return u64map_key(j->traces << 32 | text);
}

static void take_processes(struct jaeger *j) {
    struct json_walk *walk = &j->spans.walk;
    if (walk->tree.v[0].kind != JSON_OBJECT)
        return;
    for (uint32_t c = 1; c < json_walk_end(walk, 0); c = json_walk_end(walk, c)) {
        uint32_t key = span_store_text(&j->spans.store, json_walk_key(walk, c));
        u64map_set(&j->processes, key_of(j, key), process_of(j, c));
    }
}

/* The first CHILD_OF is the parent; others, and FOLLOWS_FROM, are links. */
static void take_references(struct jaeger *j, uint32_t span) {
    struct spans *s = &j->spans;
    struct json_walk *walk = &s->walk;
    uint32_t list = json_walk_get(walk, 0, "references");
    bool first = true;
    for (uint32_t c = list + 1; list > 0 && c < json_walk_end(walk, list);
         c = json_walk_end(walk, c)) {
        struct span_entry *one = &s->store.spans.v[span];
        uint64_t trace = one->trace, id;
        if (!spans_id(spans_text(s, c, "spanID"), &id))
            continue;
        if (json_walk_get(walk, c, "traceID") > 0)
            spans_id(spans_text(s, c, "traceID"), &trace);
        bool child = str_eq(spans_text(s, c, "refType"), STR("CHILD_OF"));
        if (child && first && trace == one->trace) {
            one->child = true;
            one->parent = id;
        } else {
            spans_link(s, span, trace, id);
        }
        first = first && !child;
    }
}

static void take_logs(struct jaeger *j, uint32_t span) {
    struct spans *s = &j->spans;
    struct json_walk *walk = &s->walk;
    uint32_t list = json_walk_get(walk, 0, "logs");
    for (uint32_t c = list + 1; list > 0 && c < json_walk_end(walk, list);
         c = json_walk_end(walk, c)) {
        uint32_t fields = json_walk_get(walk, c, "fields");
        struct str name = STR("log");
        for (uint32_t f = fields + 1; fields > 0 && f < json_walk_end(walk, fields);
             f = json_walk_end(walk, f)) {
            struct str key = spans_text(s, f, "key");
            if (str_eq(key, STR("event")) || (str_eq(key, STR("message")) && name.s[0] == 'l'))
                name = spans_text(s, f, "value");
        }
        span_store_args(&s->store);
        add_tags(j, c, "fields", "event");
        spans_event(s, span, spans_us(s, json_walk_get(walk, c, "timestamp")), name);
    }
}

static uint32_t owner(struct jaeger *j) {
    struct spans *s = &j->spans;
    uint32_t process = json_walk_get(&s->walk, 0, "process");
    if (process > 0)
        return process_of(j, process) | KNOWN;
    return span_store_text(&s->store, spans_text(s, 0, "processID"));
}

static bool take_span(struct jaeger *j) {
    struct spans *s = &j->spans;
    struct span_entry *now = &s->now;
    uint64_t trace, id;
    struct str trace_text = spans_text(s, 0, "traceID"), id_text = spans_text(s, 0, "spanID"),
               kind = tag(j, 0, "span.kind"), thread = tag(j, 0, "thread.id"),
               status = tag(j, 0, "otel.status_code");
    uint32_t duration = json_walk_get(&s->walk, 0, "duration");
    spans_id(trace_text, &trace);
    if (!spans_id(id_text, &id)) {
        spans_without_id(s);
        return false;
    }
    uint32_t process = owner(j);
    spans_begin(s);
    now->process = process;
    now->trace = trace;
    now->id = id;
    now->child = spans_id(spans_text(s, 0, "parentSpanID"), &now->parent);
    now->name = spans_name(s, spans_text(s, 0, "operationName"));
    now->category = spans_name(s, tag(j, 0, "otel.scope.name"));
    now->server = str_eq(kind, STR("server"));
    now->client = str_eq(kind, STR("client"));
    if (thread.n > 0)
        now->thread = span_store_thread(&s->store, SPAN_NONE, thread, tag(j, 0, "thread.name"));
    spans_last_us(s, json_walk_get(&s->walk, 0, "startTime"), duration);
    span_store_arg_text(&s->store, STR("trace"), trace_text);
    span_store_arg_text(&s->store, STR("span"), id_text);
    if (kind.n > 0)
        span_store_arg_text(&s->store, STR("kind"), kind);
    if (str_eq(tag(j, 0, "error"), STR("true")) || str_eq(status, STR("ERROR")))
        span_store_arg_text(&s->store, STR("status"), STR("error"));
    add_tags(j, 0, "tags", "span.kind");
    uint32_t span = spans_end(s);
    take_references(j, span);
    take_logs(j, span);
    return true;
}

static bool take(void *ctx, int kind) {
    if (kind == SPAN)
        return take_span(ctx);
    take_processes(ctx);
    return true;
}

/* A trace ends: its processes are known. */
static void end(void *ctx, int kind) {
    struct jaeger *j = ctx;
    struct spans *s = &j->spans;
    for (; j->first < s->store.spans.n; j->first++) {
        uint32_t process = s->store.spans.v[j->first].process;
        uint64_t known =
            process & KNOWN ? process & ~KNOWN : u64map_get(&j->processes, key_of(j, process));
        if (known == UINT64_MAX)
            known = spans_process(s, (struct str){"", 0}, (struct str){"", 0});
        spans_own(s, j->first, (uint32_t)known);
    }
    j->traces++;
    (void)kind;
}

static void *start(void) {
    struct jaeger *j = err_calloc(1, sizeof *j);
    spans_init(&j->spans, rules, j);
    j->spans.walk.take = take;
    j->spans.walk.end = end;
    return j;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    spans_step(&((struct jaeger *)import)->spans, bytes, last, news);
}

static void stop(void *import) {
    struct jaeger *j = import;
    spans_free(&j->spans);
    u64map_free(&j->processes);
    free(j);
}

static void hurry(void *import) {
    spans_hurry(&((struct jaeger *)import)->spans);
}

const struct importer jaeger = {"Jaeger", NULL, start, step, stop, hurry};
