/* event_kind.c - a table of keys that other kinds of JSON have. */
#include "src/import/event_kind.h"

#include <stdbool.h>

const char *event_kind(struct str keys) {
    static const struct {
        const char *keys[2], *said;
    } kinds[] = {
        {{"resourceSpans", ""}, "spans of OpenTelemetry (OTLP), not Chrome's trace events"},
        {{"resource_spans", ""}, "spans of OpenTelemetry (OTLP), not Chrome's trace events"},
        {{"traceId", "id"}, "spans of Zipkin, not Chrome's trace events"},
        {{"shared", "profiles"}, "a profile of speedscope, not Chrome's trace events"},
        {{"nodes", "samples"}, "a CPU profile of V8 (.cpuprofile), not Chrome's trace events"},
        {{"nodes", "timeDeltas"}, "a CPU profile of V8 (.cpuprofile), not Chrome's trace events"},
        {{"meta", "threads"}, "a profile of Firefox, not Chrome's trace events"},
        {{"snapshot", "nodes"}, "a heap snapshot of V8: no times"},
        {{"head", "selfSize"}, "a heap profile of V8: no times"},
        {{"constants", "events"}, "a net log of Chrome: netlog-viewer shows it"},
        {{"lighthouseVersion", ""}, "a report of Lighthouse: its trace is another file"},
        {{"inputs", "outputs"}, "a metafile of a bundler: no times"},
        {{"context", "benchmarks"}, "results of Google Benchmark: no trace"},
        {{"displayTimeUnit", ""}, "Chrome JSON without events"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool all = true;
        for (int k = 0; k < 2; k++)
            all = all && strstr(keys.s, kinds[i].keys[k]) != NULL;
        if (all)
            return kinds[i].said;
    }
    return NULL;
}
