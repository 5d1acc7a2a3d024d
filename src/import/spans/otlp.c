/* otlp.c - OpenTelemetry's JSON (OTLP): spans, log records, and points of metrics.
 *
 * A block has a resource, which is the process, and scopes, which are the categories. Either may
 * come after its spans, so these get them when the block or the scope ends. */
#include "src/import/spans/otlp.h"

#include <stdio.h>

#include "src/import/json/json_read.h"
#include "src/import/spans/spans.h"

#define LOG_MOST 8192   /* bytes of a log record */
#define LABELS_MOST 200 /* bytes of the attributes of a point */
#define DEPTH_MOST 32   /* of values within a value; deeper ones are as they are */

enum { WITHIN = 1, BLOCK, RESOURCE, SCOPE, ABOUT, SPAN, LOG, METRIC };

static const struct json_walk_rule rules[] = {
    {JSON_WALK_TOP, "resourceSpans", BLOCK, false},
    {JSON_WALK_TOP, "resource_spans", BLOCK, false},
    {JSON_WALK_TOP, "resourceLogs", BLOCK, false},
    {JSON_WALK_TOP, "resource_logs", BLOCK, false},
    {JSON_WALK_TOP, "resourceMetrics", BLOCK, false},
    {JSON_WALK_TOP, "resource_metrics", BLOCK, false},
    {JSON_WALK_TOP, "batches", BLOCK, false},
    {JSON_WALK_TOP, "result", WITHIN, false}, /* Jaeger's v2 API */
    {JSON_WALK_TOP, "trace", WITHIN, false},  /* Tempo's */
    {WITHIN, "resourceSpans", BLOCK, false},
    {WITHIN, "resource_spans", BLOCK, false},
    {WITHIN, "batches", BLOCK, false},
    {BLOCK, "resource", RESOURCE, true},
    {BLOCK, "scopeSpans", SCOPE, false},
    {BLOCK, "scope_spans", SCOPE, false},
    {BLOCK, "instrumentationLibrarySpans", SCOPE, false},
    {BLOCK, "instrumentation_library_spans", SCOPE, false},
    {BLOCK, "scopeLogs", SCOPE, false},
    {BLOCK, "scope_logs", SCOPE, false},
    {BLOCK, "instrumentationLibraryLogs", SCOPE, false},
    {BLOCK, "scopeMetrics", SCOPE, false},
    {BLOCK, "scope_metrics", SCOPE, false},
    {BLOCK, "instrumentationLibraryMetrics", SCOPE, false},
    {SCOPE, "scope", ABOUT, true},
    {SCOPE, "instrumentationLibrary", ABOUT, true},
    {SCOPE, "instrumentation_library", ABOUT, true},
    {SCOPE, "spans", SPAN, true},
    {SCOPE, "logRecords", LOG, true},
    {SCOPE, "log_records", LOG, true},
    {SCOPE, "logs", LOG, true},
    {SCOPE, "metrics", METRIC, true},
    {0, NULL, 0, false},
};

struct otlp {
    struct spans spans;
    uint32_t process, category;
    size_t block_spans, block_points, scope_spans; /* the first ones */
};

/* ---- values ---- */

/* A key as JSON has it, or as the names of protobuf are. */
static uint32_t get(struct otlp *o, uint32_t i, const char *key, const char *other) {
    uint32_t found = json_walk_get(&o->spans.walk, i, key);
    return found > 0 ? found : json_walk_get(&o->spans.walk, i, other);
}

static struct str text_of(struct otlp *o, uint32_t i, const char *key, const char *other) {
    uint32_t found = get(o, i, key, other);
    return found > 0 ? json_walk_text(&o->spans.walk, found) : (struct str){"", 0};
}

/* {"intValue": "1"}: the node of the value, whose kind is set; 0: there is none. A plain value is
 * itself. */
static uint32_t inside(struct otlp *o, uint32_t i) {
    struct json_walk *walk = &o->spans.walk;
    struct json_node *v = walk->tree.v;
    if (i > 0 && v[i].kind != JSON_OBJECT && v[i].kind != JSON_ARRAY)
        return i;
    if (i == 0 || v[i].kind != JSON_OBJECT || v[i].end == i + 1)
        return 0;
    struct str key = json_walk_key(walk, i + 1);
    if (str_eq(key, STR("intValue")) || str_eq(key, STR("int_value")))
        spans_number(&o->spans, i + 1);
    return i + 1;
}

static bool is_kind(struct str kind, const char *key, const char *other) {
    return str_eq(kind, str_of(key)) || str_eq(kind, str_of(other));
}

static bool is_list(struct str kind) {
    return is_kind(kind, "arrayValue", "array_value");
}

static bool is_map(struct str kind) {
    return is_kind(kind, "kvlistValue", "kvlist_value");
}

static size_t put_char(char c, char *to, size_t n, size_t most) {
    if (n < most)
        to[n++] = c;
    return n;
}

/* A value as the JSON that it stands for: {"arrayValue": {"values": [{"intValue": "1"}]}} is
 * [1]. */
static size_t print_value(struct otlp *o, uint32_t value, char *to, size_t most, unsigned depth) {
    struct json_walk *walk = &o->spans.walk;
    uint32_t i = inside(o, value);
    struct str kind = i > 0 ? json_walk_key(walk, i) : STR("");
    bool map = is_map(kind);
    if (i == 0 && most >= 4)
        memcpy(to, "null", 4);
    if (i == 0)
        return most >= 4 ? 4 : 0;
    if (depth == 0 || (!map && !is_list(kind)))
        return json_walk_print(walk, i, to, most);
    uint32_t values = json_walk_get(walk, i, "values");
    size_t n = put_char(map ? '{' : '[', to, 0, most);
    for (uint32_t c = values + 1; values > 0 && c < json_walk_end(walk, values);
         c = json_walk_end(walk, c)) {
        uint32_t key = map ? json_walk_get(walk, c, "key") : 0;
        if (map && key == 0)
            continue;
        if (n > 1)
            n = put_char(',', to, n, most);
        if (map) {
            n += json_walk_print(walk, key, to + n, most - n);
            n = put_char(':', to, n, most);
        }
        n += print_value(o, map ? json_walk_get(walk, c, "value") : c, to + n, most - n, depth - 1);
    }
    return put_char(map ? '}' : ']', to, n, most);
}

static void add_attribute(struct otlp *o, struct str key, uint32_t value) {
    struct span_store *store = &o->spans.store;
    struct json_walk *walk = &o->spans.walk;
    char json[4096];
    uint32_t i = inside(o, value);
    if (i == 0)
        return;
    struct str kind = json_walk_key(walk, i);
    if (is_list(kind) || is_map(kind))
        span_store_arg_json(
            store, key, (struct str){json, print_value(o, value, json, sizeof json, DEPTH_MOST)});
    else
        span_store_arg(store, key, walk, i);
}

static void add_attributes(struct otlp *o, uint32_t i) {
    struct json_walk *walk = &o->spans.walk;
    uint32_t list = json_walk_get(walk, i, "attributes");
    for (uint32_t c = list + 1; list > 0 && c < json_walk_end(walk, list);
         c = json_walk_end(walk, c)) {
        struct str key = spans_text(&o->spans, c, "key");
        add_attribute(o, key, json_walk_get(walk, c, "value"));
    }
}

/* The text of an attribute; without it, an empty one. */
static struct str attribute(struct otlp *o, uint32_t i, const char *key) {
    struct json_walk *walk = &o->spans.walk;
    uint32_t list = json_walk_get(walk, i, "attributes");
    for (uint32_t c = list + 1; list > 0 && c < json_walk_end(walk, list);
         c = json_walk_end(walk, c)) {
        uint32_t value = inside(o, json_walk_get(walk, c, "value"));
        if (value > 0 && str_eq(spans_text(&o->spans, c, "key"), str_of(key)))
            return json_walk_text(walk, value);
    }
    return (struct str){"", 0};
}

static uint64_t time_of(struct otlp *o, uint32_t i, const char *key, const char *other) {
    return spans_ns(&o->spans, get(o, i, key, other));
}

/* ---- spans ---- */

/* SPAN_KIND_SERVER, or the number of it, without its prefix. */
static struct str word_of(struct otlp *o, uint32_t i, const char *prefix, const char *const names[],
                          size_t n, char lower[32]) {
    if (i == 0)
        return (struct str){"", 0};
    struct str text = json_walk_text(&o->spans.walk, i);
    size_t skip = strlen(prefix);
    if (text.n == 1 && text.s[0] >= '0' && (size_t)(text.s[0] - '0') < n)
        return str_of(names[text.s[0] - '0']);
    if (text.n > skip && memcmp(text.s, prefix, skip) == 0)
        text = (struct str){text.s + skip, text.n - skip};
    text = (struct str){lower, spans_lower(text, lower, 32)};
    bool none = str_eq(text, STR("unspecified")) || str_eq(text, STR("unset"));
    return none ? (struct str){"", 0} : text;
}

static void add_text(struct otlp *o, struct str key, struct str text) {
    if (text.n > 0)
        span_store_arg_text(&o->spans.store, key, text);
}

static void add_status(struct otlp *o, uint32_t i) {
    static const char *const codes[] = {"", "ok", "error"};
    uint32_t status = json_walk_get(&o->spans.walk, i, "status");
    char lower[32];
    if (status == 0)
        return;
    add_text(
        o, STR("status"),
        word_of(o, json_walk_get(&o->spans.walk, status, "code"), "STATUS_CODE_", codes, 3, lower));
    add_text(o, STR("status message"), spans_text(&o->spans, status, "message"));
}

static void add_events(struct otlp *o, uint32_t i, uint32_t span) {
    struct json_walk *walk = &o->spans.walk;
    uint32_t events = json_walk_get(walk, i, "events"), links = json_walk_get(walk, i, "links");
    uint64_t trace, id;
    for (uint32_t c = events + 1; events > 0 && c < json_walk_end(walk, events);
         c = json_walk_end(walk, c)) {
        span_store_args(&o->spans.store);
        add_attributes(o, c);
        spans_event(&o->spans, span, time_of(o, c, "timeUnixNano", "time_unix_nano"),
                    spans_text(&o->spans, c, "name"));
    }
    for (uint32_t c = links + 1; links > 0 && c < json_walk_end(walk, links);
         c = json_walk_end(walk, c))
        if (spans_id(text_of(o, c, "spanId", "span_id"), &id) &&
            spans_id(text_of(o, c, "traceId", "trace_id"), &trace))
            spans_link(&o->spans, span, trace, id);
}

static bool take_span(struct otlp *o) {
    static const char *const kinds[] = {"", "internal", "server", "client", "producer", "consumer"};
    struct spans *s = &o->spans;
    struct span_entry *now = &s->now;
    uint64_t trace, id;
    char lower[32], hex[SPANS_ID_MOST];
    struct str trace_text = text_of(o, 0, "traceId", "trace_id"),
               id_text = text_of(o, 0, "spanId", "span_id");
    bool named = spans_id(trace_text, &trace);
    if (!spans_id(id_text, &id)) {
        spans_without_id(s);
        return false;
    }
    if (!named)
        json_walk_fault(&s->walk, IMPORT_FIELD, s->walk.at, "a span without the id of its trace");
    spans_begin(s);
    now->trace = trace;
    now->id = id;
    now->child = spans_id(text_of(o, 0, "parentSpanId", "parent_span_id"), &now->parent);
    now->name = spans_name(s, spans_text(s, 0, "name"));
    now->begin = time_of(o, 0, "startTimeUnixNano", "start_time_unix_nano");
    now->end = time_of(o, 0, "endTimeUnixNano", "end_time_unix_nano");
    now->end = now->end > 0 ? now->end : SPAN_NO_END;
    struct str kind = word_of(o, json_walk_get(&s->walk, 0, "kind"), "SPAN_KIND_", kinds, 6, lower);
    now->server = str_eq(kind, STR("server"));
    now->client = str_eq(kind, STR("client"));
    struct str thread = attribute(o, 0, "thread.id");
    if (thread.n > 0)
        now->thread =
            span_store_thread(&s->store, SPAN_NONE, thread, attribute(o, 0, "thread.name"));
    add_text(o, STR("trace"), spans_id_hex(trace_text, hex));
    add_text(o, STR("span"), spans_id_hex(id_text, hex));
    add_text(o, STR("kind"), kind);
    add_status(o, 0);
    add_attributes(o, 0);
    add_events(o, 0, spans_end(s));
    return true;
}

/* ---- log records and metrics ---- */

struct line {
    char text[LOG_MOST];
    size_t n;
};

static void put(struct line *line, struct str text, size_t most) {
    size_t n = (size_t)str_head(text, most > line->n ? most - line->n : 0);
    memcpy(line->text + line->n, text.s, n);
    line->n += n;
}

static void put_value(struct otlp *o, struct line *line, uint32_t value, size_t most) {
    uint32_t i = inside(o, value);
    if (i == 0 || line->n >= most)
        return;
    enum json_kind kind = o->spans.walk.tree.v[i].kind;
    if (kind == JSON_OBJECT || kind == JSON_ARRAY)
        line->n += print_value(o, value, line->text + line->n, most - line->n, DEPTH_MOST);
    else
        put(line, json_walk_text(&o->spans.walk, i), most);
}

static void put_attributes(struct otlp *o, struct line *line, uint32_t i, size_t most) {
    struct json_walk *walk = &o->spans.walk;
    uint32_t list = json_walk_get(walk, i, "attributes");
    for (uint32_t c = list + 1; list > 0 && c < json_walk_end(walk, list);
         c = json_walk_end(walk, c)) {
        put(line, STR(" "), most);
        put(line, spans_text(&o->spans, c, "key"), most);
        put(line, STR("="), most);
        put_value(o, line, json_walk_get(walk, c, "value"), most);
    }
}

/* Its text, or else the word of its number: 17 to 20 are ERROR. */
static struct str severity_of(struct otlp *o, char word[32]) {
    static const char *const names[] = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"};
    static const char prefix[] = "SEVERITY_NUMBER_";
    struct str text = text_of(o, 0, "severityText", "severity_text");
    struct str number = text_of(o, 0, "severityNumber", "severity_number");
    uint64_t n;
    if (text.n > 0)
        return text;
    if (json_read_u64(number, &n))
        return n >= 1 && n <= 24 ? str_of(names[(n - 1) / 4]) : STR("");
    if (number.n < sizeof prefix || memcmp(number.s, prefix, sizeof prefix - 1) != 0)
        return STR("");
    number = (struct str){number.s + sizeof prefix - 1, number.n - (sizeof prefix - 1)};
    if (str_eq(number, STR("UNSPECIFIED")))
        return STR("");
    number.n = number.n < 32 ? number.n : 32;
    memcpy(word, number.s, number.n);
    return (struct str){word, number.n};
}

static bool take_log(struct otlp *o) {
    struct spans *s = &o->spans;
    struct span_point p = {.at = s->walk.at, .span = SPAN_NONE, .kind = SPAN_LOG};
    char lower[32];
    struct line line = {.n = 0};
    p.ts = time_of(o, 0, "timeUnixNano", "time_unix_nano");
    if (p.ts == 0)
        p.ts = time_of(o, 0, "observedTimeUnixNano", "observed_time_unix_nano");
    if (p.ts == 0) {
        if (!s->walk.resumed)
            json_walk_fault(&s->walk, IMPORT_FIELD, p.at, "a log record without a time");
        return false;
    }
    put(&line, severity_of(o, lower), LOG_MOST);
    if (line.n > 0)
        put(&line, STR(": "), LOG_MOST);
    put_value(o, &line, json_walk_get(&s->walk, 0, "body"), LOG_MOST);
    put_attributes(o, &line, 0, LOG_MOST);
    p.name = span_store_text(&s->store, (struct str){line.text, line.n});
    spans_id(text_of(o, 0, "traceId", "trace_id"), &p.trace);
    spans_id(text_of(o, 0, "spanId", "span_id"), &p.id);
    vec_push(&s->store.points, p);
    return true;
}

static void take_point(struct otlp *o, uint32_t i, struct str name, struct str unit) {
    struct spans *s = &o->spans;
    struct span_point p = {.at = s->walk.at, .span = SPAN_NONE, .kind = SPAN_COUNTER};
    struct line line = {.n = 0};
    uint32_t value = get(o, i, "asInt", "as_int");
    if (value > 0)
        spans_number(s, value);
    else
        value = get(o, i, "asDouble", "as_double");
    p.ts = time_of(o, i, "timeUnixNano", "time_unix_nano");
    if (p.ts == 0 || value == 0) {
        json_walk_fault(&s->walk, IMPORT_FIELD, p.at, "a point without a time or value");
        return;
    }
    put(&line, name, LOG_MOST - LABELS_MOST);
    put_attributes(o, &line, i, line.n + LABELS_MOST);
    p.name = spans_name(s, (struct str){line.text, line.n});
    span_store_args(&s->store);
    bool plain = unit.n == 0 || str_eq(unit, STR("1"));
    span_store_arg(&s->store, plain ? STR("value") : unit, &s->walk, value);
    p.args = spans_args_end(s);
    vec_push(&s->store.points, p);
}

static void take_metric(struct otlp *o) {
    struct json_walk *walk = &o->spans.walk;
    struct str name = spans_text(&o->spans, 0, "name"), unit = spans_text(&o->spans, 0, "unit");
    uint32_t data = json_walk_get(walk, 0, "gauge");
    if (data == 0)
        data = json_walk_get(walk, 0, "sum");
    uint32_t points = data > 0 ? get(o, data, "dataPoints", "data_points") : 0;
    o->spans.unread += data == 0 && name.n > 0;
    for (uint32_t c = points + 1; points > 0 && c < json_walk_end(walk, points);
         c = json_walk_end(walk, c))
        take_point(o, c, name, unit);
}

/* ---- the walk ---- */

static void take_resource(struct otlp *o) {
    struct spans *s = &o->spans;
    struct str name = attribute(o, 0, "service.name"),
               instance = attribute(o, 0, "service.instance.id");
    if (instance.n == 0)
        instance = attribute(o, 0, "host.name");
    o->process = spans_process(s, name, instance);
    if (s->store.processes.v[o->process].args > 0)
        return;
    span_store_args(&s->store);
    add_attributes(o, 0);
    s->store.processes.v[o->process].args = spans_args_end(s);
}

static bool take(void *ctx, int kind) {
    struct otlp *o = ctx;
    if (kind == SPAN)
        return take_span(o);
    if (kind == LOG)
        return take_log(o);
    if (kind == RESOURCE)
        take_resource(o);
    else if (kind == ABOUT)
        o->category = spans_name(&o->spans, spans_text(&o->spans, 0, "name"));
    else
        take_metric(o);
    return true;
}

static void begin(void *ctx, int kind) {
    struct otlp *o = ctx;
    const struct span_store *store = &o->spans.store;
    if (kind == BLOCK) {
        o->process = SPAN_NONE;
        o->block_spans = store->spans.n;
        o->block_points = store->points.n;
    } else if (kind == SCOPE) {
        o->category = span_store_text(&o->spans.store, STR(""));
        o->scope_spans = store->spans.n;
    }
}

static void end(void *ctx, int kind) {
    struct otlp *o = ctx;
    struct span_store *store = &o->spans.store;
    for (size_t i = o->scope_spans; kind == SCOPE && i < store->spans.n; i++)
        store->spans.v[i].category = o->category;
    if (kind != BLOCK || (o->block_spans == store->spans.n && o->block_points == store->points.n))
        return;
    if (o->process == SPAN_NONE)
        o->process = spans_process(&o->spans, (struct str){"", 0}, (struct str){"", 0});
    for (size_t i = o->block_spans; i < store->spans.n; i++)
        spans_own(&o->spans, i, o->process);
    for (size_t i = o->block_points; i < store->points.n; i++)
        store->points.v[i].process = o->process;
}

/* ---- the importer ---- */

static void *start(void) {
    struct otlp *o = err_calloc(1, sizeof *o);
    spans_init(&o->spans, rules, o);
    o->spans.walk.take = take;
    o->spans.walk.begin = begin;
    o->spans.walk.end = end;
    return o;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    spans_step(&((struct otlp *)import)->spans, bytes, last, news);
}

static void stop(void *import) {
    struct otlp *o = import;
    spans_free(&o->spans);
    free(o);
}

static void hurry(void *import) {
    spans_hurry(&((struct otlp *)import)->spans);
}

const struct importer otlp = {"OTLP", NULL, start, step, stop, hurry};
