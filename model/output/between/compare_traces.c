/* compare_traces.c - the mode --compare.
 *
 * One trace is in memory at a time; what a comparison needs of it is kept (trace_names.h). The last
 * one stays open until the names that contain changed ones are known. */
#include "model/output/between/compare_traces.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/between/between_print.h"
#include "src/base/text.h"

struct work {
    const struct compare_question *question;
    struct between between;
    struct trace *last;    /* NULL: none is open */
    bool left_out;         /* damaged slices or states: a comparison without them is not sure */
    struct question asked; /* of `last` */
};

static void complain(const struct compare_question *q, const char *path, const struct err *err) {
    text_complain(path, "", q->ascii, err);
}

static void close_last(struct work *w) {
    if (w->last == NULL)
        return;
    question_free(&w->asked);
    trace_free(w->last);
    w->last = NULL;
}

static bool take(struct work *w, int side, const char *path) {
    const struct compare_question *q = w->question;
    struct trace_names names = {.by_pool = q->by_thread};
    const char *wrong, *why = NULL;
    struct err err = {.at = ERR_NO_OFFSET};
    close_last(w);
    struct trace *trace = trace_open(path, &q->trace, &err);
    if (trace == NULL) {
        complain(q, path, &err);
        return false;
    }
    trace_load(trace);
    if (!question_init(&w->asked, trace, &q->texts, q->ascii, &wrong, &err)) {
        complain(q, wrong, &err);
        trace_free(trace);
        return false;
    }
    w->last = trace;
    trace_names_take(&names, trace, &w->asked);
    question_say_left_out(names.left_out, trace, q->ascii);
    w->left_out = w->left_out || left_out_any(names.left_out);
    vec_push(&w->between.runs[side], names);
    if (file_fault(trace_file(trace), &why) < FILE_NO_SPACE)
        return true;
    err_set(&err, ERR_NO_OFFSET, "%s", why);
    complain(q, path, &err);
    return false;
}

/* The traces of a side; a file whose name has commas is one trace. */
static bool take_side(struct work *w, int side) {
    const char *text = w->question->sides[side];
    struct err err = {.at = ERR_NO_OFFSET};
    if (strchr(text, ',') == NULL || access(text, F_OK) == 0)
        return take(w, side, text);
    size_t n = strlen(text) + 1;
    char *paths = err_malloc(n);
    bool done = true;
    memcpy(paths, text, n);
    for (char *path = paths, *next; path && done; path = next) {
        next = strchr(path, ',');
        if (next)
            *next++ = '\0';
        if (*path == '\0')
            err_set(&err, ERR_NO_OFFSET, "the name of a trace is empty");
        if (*path == '\0')
            complain(w->question, text, &err);
        done = *path != '\0' && take(w, side, path);
    }
    free(paths);
    return done;
}

/* The table for a reader has the sentence above it. */
static void say_unsure(const struct compare_question *q, const char *unsure) {
    struct err err;
    if (q->format == FORMAT_TABLE || q->format == FORMAT_MARKDOWN)
        return;
    err_set(&err, ERR_NO_OFFSET, "%s", unsure);
    text_complain(q->sides[BETWEEN_B], "note: ", q->ascii, &err);
}

int compare_traces(const struct compare_question *q) {
    struct work w = {.question = q, .between = {.threshold = q->threshold}};
    int status = 2;
    if (take_side(&w, BETWEEN_A) && take_side(&w, BETWEEN_B)) {
        struct between_style style = {.format = q->format,
                                      .all = q->all,
                                      .by_thread = q->by_thread,
                                      .ascii = q->ascii,
                                      .sides = {q->sides[0], q->sides[1]}};
        const size_t *counts = w.between.counts;
        between_compare(&w.between);
        between_contain(&w.between, w.last, &w.asked);
        between_print(&w.between, &style, stdout);
        size_t worse = counts[BETWEEN_SLOWER] + counts[BETWEEN_MORE_OF] + counts[BETWEEN_NEW];
        size_t better = counts[BETWEEN_FASTER] + counts[BETWEEN_FEWER] + counts[BETWEEN_GONE];
        char said[SLICE_ITER_OPEN_TEXT];
        const char *unsure = between_unsure(&w.between, q->ascii, said);
        if (unsure)
            say_unsure(q, unsure);
        status = worse > 0 || w.left_out || unsure || (q->any && better > 0) ? 1 : 0;
    }
    close_last(&w);
    between_free(&w.between);
    return status;
}
