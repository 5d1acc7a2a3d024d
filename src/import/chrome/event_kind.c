/* event_kind.c - a table of keys that other kinds of JSON have. */
#include "src/import/chrome/event_kind.h"

#include <stdio.h>

#include "src/import/chrome/event_write.h"
#include "src/import/profiles/cpuprofile.h"
#include "src/import/profiles/firefox.h"
#include "src/import/profiles/speedscope.h"
#include "src/import/spans/jaeger.h"
#include "src/import/spans/otlp.h"
#include "src/import/spans/zipkin.h"
#include "src/import/tables/table.h"
#include "src/import/tables/table_column.h"

#define DEPTH_MAX 3 /* of keys that decide it */
#define KEYS_MAX 4  /* that decide it together */
#define NAMED_MAX 6 /* keys of a source of unknown kind */
#define ZIPKIN_1 "spans of Zipkin v1: its server gives v2 (/api/v2/trace/ID)"

static const struct {
    const char *keys[KEYS_MAX]; /* all of them; `a.b`: b anywhere in a, down to DEPTH_MAX */
    const char *said;
    const struct importer *reader; /* of a kind that opens; NULL: it is refused by name */
    bool object; /* known at the end of their object: events may have such keys, too */
} kinds[] = {
    {{"resourceSpans"}, .reader = &otlp},
    {{"resource_spans"}, .reader = &otlp},
    {{"resourceLogs"}, .reader = &otlp},
    {{"resource_logs"}, .reader = &otlp},
    {{"resourceMetrics"}, .reader = &otlp},
    {{"resource_metrics"}, .reader = &otlp},
    {{"result.resourceSpans"}, .reader = &otlp},
    {{"trace.resourceSpans"}, .reader = &otlp},
    {{"trace.batches"}, .reader = &otlp},
    {{"batches"}, .reader = &otlp},
    {{"data.traceID"}, .reader = &jaeger},
    {{"traceID", "spans"}, .reader = &jaeger},
    {{"data", "total", "limit", "errors"}, .reader = &jaeger}, /* no trace was found */
    {{"context.trace_id", "start_time"},
     .said = "spans printed by OpenTelemetry: use the OTLP file exporter"},
    {{"binaryAnnotations"}, .said = ZIPKIN_1},
    {{"annotations.endpoint"}, .said = ZIPKIN_1},
    {{"traceId", "id"}, .reader = &zipkin, .object = true},
    {{"shared", "profiles"}, .reader = &speedscope},
    {{"$schema", "profiles"}, .reader = &speedscope},
    {{"snapshot.node_fields"}, .said = "a heap snapshot of V8: no times"},
    {{"snapshot", "nodes"}, .said = "a heap snapshot of V8: no times"},
    {{"head.selfSize"}, .said = "a heap profile of V8: no times"},
    {{"nodes", "samples"}, .reader = &cpuprofile},
    {{"nodes", "startTime"}, .reader = &cpuprofile},
    {{"nodes", "timeDeltas"}, .reader = &cpuprofile},
    {{"head", "timestamps"}, .reader = &cpuprofile},
    {{"meta.preprocessedProfileVersion"}, .reader = &firefox},
    {{"shared.stackTable"}, .reader = &firefox},
    {{"meta", "profileJSON"},
     .said = "a profile of Firefox of 2015 or before: profiler.firefox.com opens it, and saves one "
             "of today"},
    {{"meta", "threads"}, .reader = &firefox},
    {{"threads", "libs"}, .reader = &firefox},
    {{"origin_ns", "span_ns"}, .reader = &table_lines, .object = true}, /* fxtop's own export */
    {{"log.entries"},
     .said =
         "requests of a browser (HAR): jq -c '.log.entries[]|{ts:.startedDateTime, dur_ms:.time, "
         "name:.request.url}' "
         "FILE prints them"},
    {{"constants", "events"}, .said = "a net log of Chrome: netlog-viewer shows it"},
    {{"lhr"}, .said = "a report of Lighthouse: its trace is another file (defaultPass.trace.json)"},
    {{"audits"},
     .said = "a report of Lighthouse: its trace is another file (defaultPass.trace.json)"},
    {{"lighthouseVersion"},
     .said = "a report of Lighthouse: its trace is another file (defaultPass.trace.json)"},
    {{"result.functions"}, .said = "coverage of V8: no times"},
    {{"coverage"}, .said = "coverage of V8: no times"},
    {{"inputs", "outputs"}, .said = "a metafile of a bundler (esbuild, rollup): no times"},
    {{"benchmarks", "context"}, .said = "results of Google Benchmark: a table, no trace"},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void remember(char to[EVENT_KIND_KEY], struct str text) {
    size_t n = text.n < EVENT_KIND_KEY ? text.n : 0;
    memcpy(to, text.s, n);
    to[n] = '\0';
}

static void name(struct event_kind_keys *keys, struct str key) {
    char text[EVENT_QUOTED];
    size_t left = sizeof keys->text - keys->bytes;
    if (keys->n == NAMED_MAX)
        return;
    event_write_quoted(key, text);
    int n = snprintf(keys->text + keys->bytes, left, "%s%s", keys->n++ > 0 ? ", " : "", text);
    keys->bytes += n < (int)left ? (size_t)n : left - 1;
}

/* Whether a key of the table is this one. */
static bool is_key(const struct event_kind *kind, const char *key, uint64_t depth,
                   struct str text) {
    const char *dot = strchr(key, '.');
    if (depth == 0 || dot == NULL)
        return depth == 0 && dot == NULL && str_eq(str_of(key), text);
    return str_eq(str_of(dot + 1), text) &&
           str_eq((struct str){key, (size_t)(dot - key)}, str_of(kind->top));
}

static bool is_known(const struct event_kind *kind, size_t i) {
    unsigned all = 0;
    for (int k = 0; k < KEYS_MAX && kinds[i].keys[k]; k++)
        all |= 1u << k;
    return kind->seen[i] == all;
}

static bool is_named(const struct event_kind *kind) {
    for (size_t i = 0; i < KINDS; i++)
        if (is_known(kind, i))
            return true;
    return false;
}

static void decide(struct event_kind *kind, bool object) {
    for (size_t i = 0; i < KINDS && kind->reader == NULL; i++) {
        if (!is_known(kind, i) || (!object && kinds[i].object))
            continue;
        kind->reader = kinds[i].reader;
        return; /* the first one, also if it is only named */
    }
}

void event_kind_key(struct event_kind *kind, uint64_t depth, struct str key) {
    _Static_assert(KINDS <= sizeof kind->seen, "a byte for each kind");
    if (depth == 0) {
        kind->roles |= 1u << table_column_of(key).role;
        name(&kind->keys, key);
        remember(kind->top, key);
    }
    if (depth > 0 && depth == kind->spans)
        name(&kind->span_keys, key);
    else if (depth <= 1 && str_eq(key, STR("spans")))
        kind->spans = depth + 2;
    for (size_t i = 0; i < KINDS; i++)
        for (int k = 0; k < KEYS_MAX && kinds[i].keys[k]; k++)
            if (is_key(kind, kinds[i].keys[k], depth, key))
                kind->seen[i] |= (unsigned char)(1 << k);
    decide(kind, false);
}

void event_kind_object(struct event_kind *kind, bool line) {
    decide(kind, true);
    if (line && !is_named(kind) && kind->reader == NULL && table_column_enough(kind->roles))
        kind->reader = &table_lines;
}

void event_kind_token(struct event_kind *kind, uint64_t depth, const struct json_token *token) {
    if (depth > DEPTH_MAX)
        return;
    if (token->kind == JSON_STRING)
        remember(kind->last, token->text);
    else if (token->kind == JSON_COLON && kind->last[0] != '\0')
        event_kind_key(kind, depth, str_of(kind->last));
    else if (token->kind == JSON_OBJECT_END && depth == kind->spans && kind->span_keys.n > 0)
        kind->span_keys.n = NAMED_MAX; /* of the first span alone */
}

const char *event_kind_name(const struct event_kind *kind, char said[EVENT_KIND_NAME]) {
    for (size_t i = 0; i < KINDS; i++)
        if (is_known(kind, i) && kinds[i].said)
            return kinds[i].said;
    if (kind->spans > 0)
        snprintf(said, EVENT_KIND_NAME, "spans of an unknown kind%s%s",
                 kind->span_keys.bytes > 0 ? ": keys " : "", kind->span_keys.text);
    else if (strstr(kind->keys.text, "displayTimeUnit"))
        return "Chrome JSON without events";
    else
        snprintf(said, EVENT_KIND_NAME, "JSON, but no trace events%s%s",
                 kind->keys.bytes > 0 ? ": its keys are " : "", kind->keys.text);
    return said;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

enum import_sniff event_kind_sniff(struct str first, bool all) {
    static const char mark[] = "\xef\xbb\xbf";
    size_t i = first.n >= 3 && memcmp(first.s, mark, 3) == 0 ? 3 : 0;
    while (i < first.n && is_blank(first.s[i]))
        i++;
    if (i == first.n)
        return all || first.n == 0 ? IMPORT_NO : IMPORT_MORE;
    bool object = first.s[i] == '{';
    if (!object && first.s[i] != '[')
        return IMPORT_NO;
    do
        i++;
    while (i < first.n &&
           (is_blank(first.s[i]) || (!object && (first.s[i] == ',' || first.s[i] == '['))));
    if (i == first.n)
        return all ? IMPORT_YES : IMPORT_MORE;
    char element = object ? '"' : '{', end = object ? '}' : ']';
    return first.s[i] == element || first.s[i] == end ? IMPORT_YES : IMPORT_NO;
}
