/* question.c - parses the texts one after the other, and matches the filter with the trace to the
 * end. */
#include "model/query/stat/question.h"

#include <string.h>

#include "model/query/stat/range_text.h"
#include "model/query/stat/track_scope.h"
#include "src/base/text.h"

static bool take_filter(struct question *q, struct trace *trace, const char *text,
                        struct err *err) {
    q->filter = filter_new(text, false, err);
    if (q->filter == NULL)
        return *text ? false
                     : err_set(err, ERR_NO_OFFSET, "expected terms, e.g. name=Frame dur>1ms");
    q->match = filter_match_new(trace, q->filter);
    filter_match_step(q->match, NULL);
    char line[FILTER_FAULT];
    if (filter_match_fault(q->match, line))
        return err_set(err, ERR_NO_OFFSET, "%s", line);
    q->search = search_new(trace, text, false, err);
    return q->search != NULL;
}

bool question_init(struct question *q, struct trace *trace, const struct question_texts *texts,
                   bool ascii, const char **wrong, struct err *err) {
    struct time_text how = {.cursor = trace_begin(trace), .end = trace_end(trace)};
    *q = (struct question){
        .range_text = texts->range, .tracks_text = texts->tracks, .filter_text = texts->filter};
    *wrong = "--range";
    if (texts->range && !range_text_parse(&q->range, trace, &how, texts->range, ascii, err))
        return false;
    *wrong = "--tracks";
    if (texts->tracks && !track_scope_find(trace, texts->tracks, &q->range.tracks, err))
        return false;
    *wrong = "--filter";
    return texts->filter == NULL || take_filter(q, trace, texts->filter, err);
}

void question_free(struct question *q) {
    range_free(&q->range);
    filter_match_free(q->match);
    filter_free(q->filter);
    search_free(q->search);
}

struct slice_set question_slices(const struct question *q, unsigned kinds) {
    struct slice_set set = range_slices(&q->range, kinds);
    if (q->match) {
        set.has = filter_match_slice;
        set.ctx = q->match;
    }
    return set;
}

struct left_out question_left_out(const struct question *q, const struct trace *trace,
                                  unsigned kinds) {
    struct slice_set set = question_slices(q, kinds);
    return slice_iter_left_out(trace, &set);
}

void question_head_left_out(struct left_out n, FILE *out) {
    char said[120];
    if (left_out_any(n))
        fprintf(out, ", %s", slice_iter_left_out_text(n, said));
}

void question_say_left_out(struct left_out n, const struct trace *trace, bool ascii) {
    char said[120];
    struct err err;
    if (!left_out_any(n))
        return;
    err_set(&err, ERR_NO_OFFSET, "%s", slice_iter_left_out_text(n, said));
    text_complain(trace_path(trace), "note: ", ascii, &err);
}
