/* log_templates.c - decodes each log record and interns its text without numbers. */
#include "model/query/stat/tables/log_templates.h"

#include <string.h>

#define RECORD_UNITS 8

void log_templates_free(struct log_templates *t) {
    vec_free(&t->rows);
    vec_free(&t->bytes);
    map_free(&t->map);
    *t = (struct log_templates){0};
}

struct str log_templates_text(const struct log_templates *t, uint32_t row) {
    const struct log_templates_row *r = &t->rows.v[row];
    return (struct str){r->length > 0 ? t->bytes.v + r->text : "", r->length};
}

/* Each run of digits becomes one '#'. Returns the length. */
static size_t without_numbers(struct str text, char out[LOG_TEMPLATES_TEXT]) {
    size_t n = 0;
    bool before = false;
    for (size_t i = 0; i < text.n && n < LOG_TEMPLATES_TEXT; i++) {
        bool digit = text.s[i] >= '0' && text.s[i] <= '9';
        if (!digit)
            out[n++] = text.s[i];
        else if (!before)
            out[n++] = '#';
        before = digit;
    }
    return n;
}

struct wanted {
    const struct log_templates *templates;
    struct str text;
};

static bool same_text(const void *ctx, uint32_t row) {
    const struct wanted *w = ctx;
    return str_eq(log_templates_text(w->templates, row), w->text);
}

static void add(struct log_templates *t, const struct occurrence *log) {
    struct fxt_record record;
    struct provider *provider;
    char out[LOG_TEMPLATES_TEXT];
    if (!reader_record_at(trace_reader(t->trace), log->at.offset, &record, &provider))
        return;
    struct str text = {out, without_numbers(record.payload, out)};
    uint32_t next = (uint32_t)t->rows.n;
    uint32_t row =
        map_intern(&t->map, hash_bytes(text.s, text.n), same_text, &(struct wanted){t, text}, next);
    if (row == next) {
        vec_push(&t->rows, ((struct log_templates_row){t->bytes.n, text.n, 0, log->at.time,
                                                       log->at.time, log->at.offset, log->thread}));
        for (size_t i = 0; i < text.n; i++)
            vec_push(&t->bytes, text.s[i]);
    }
    struct log_templates_row *r = &t->rows.v[row];
    r->count++;
    r->last = log->at.time;
    if (r->thread != log->thread)
        r->thread = NO_THREAD;
    t->records++;
}

static bool has(const struct slice_set *set, const struct occurrence *log) {
    return log->at.time >= set->from && (log->at.time < set->to || set->to == INT64_MAX) &&
           (set->tracks == NULL ||
            (log->thread != NO_THREAD && track_set_has(set->tracks, log->thread)) ||
            track_set_has(set->tracks, SLICE_ITER_LOG_TRACK));
}

void log_templates_make(struct task *task, struct log_templates *t, struct trace *trace,
                        const struct range *range) {
    struct slice_set set = range_slices(range, SLICE_ITER_LOGS);
    size_t n;
    const struct occurrence *logs = trace_logs(trace, &n);
    *t = (struct log_templates){.trace = trace, .range = range};
    for (size_t i = 0; i < n && task_spend(task, RECORD_UNITS); i++)
        if (has(&set, &logs[i]))
            add(t, &logs[i]);
}
