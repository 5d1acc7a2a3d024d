/* tracepoints.c - events of the kernel that tracefs has numbers for. */
#include "record/watch/tracepoints.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int tracepoints_find(const char *event, uint64_t *number) {
    static const char *const folders[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
    char path[200], text[32] = "";
    int why = ENOENT;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/events/%s/id", folders[i], event);
        FILE *f = fopen(path, "re");
        if (f == NULL) {
            why = errno == ENOENT ? why : errno;
            continue;
        }
        bool any = fgets(text, sizeof text, f) != NULL;
        fclose(f);
        *number = any ? strtoull(text, NULL, 10) : 0;
        if (*number > 0)
            return 0;
    }
    return why;
}

struct perf_event_attr tracepoints_attributes(uint64_t number) {
    struct perf_event_attr a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_TRACEPOINT;
    a.config = number;
    a.sample_period = 1;
    a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                    PERF_SAMPLE_RAW;
    a.sample_id_all = 1;
    a.inherit = 1;
    a.use_clockid = 1;
    a.clockid = CLOCK_MONOTONIC;
    return a;
}

bool tracepoints_refused(const char *what, int why, struct err *err) {
    if (why == ENOENT)
        return err_set(err, ERR_NO_OFFSET,
                       "%s: tracefs is not mounted (sudo mount -t tracefs tracefs "
                       "/sys/kernel/tracing)",
                       what);
    if (why == EACCES || why == EPERM)
        return err_set(err, ERR_NO_OFFSET, "%s: only root may read /sys/kernel/tracing", what);
    return err_set(err, ERR_NO_OFFSET, "%s: /sys/kernel/tracing: %s", what, strerror(why));
}
