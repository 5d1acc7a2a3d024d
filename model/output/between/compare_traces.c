/* compare_traces.c - the mode --compare.
 *
 * One trace is in memory at a time; what a comparison needs of it is kept (trace_names.h). The last
 * one stays open until the names that contain changed ones are known. If names are gone, the last
 * of A is read again for those that contained them. */
#include "model/output/between/compare_traces.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/output/between/between_print.h"
#include "model/output/cut/load.h"
#include "model/output/only_providers.h"
#include "src/base/text.h"

struct work {
    const struct compare_question *question;
    const struct trace_options *how;
    struct between between;
    struct trace *last;    /* NULL: none is open */
    bool left_out;         /* damaged slices or states: a comparison without them is not sure */
    struct question asked; /* of `last` */
    char *path_a;          /* the last trace of A */
};

static void complain(const struct compare_question *q, const char *path, const struct err *err) {
    text_complain(path, "", q->ascii, err);
}

static void close_last(struct work *w) {
    if (w->last == NULL)
        return;
    question_free(&w->asked);
    trace_persist(w->last);
    trace_free(w->last);
    w->last = NULL;
}

/* Fails with one line; *wrong is what was wrong. */
static bool open_last(struct work *w, const char *path, const char **wrong, struct err *err) {
    const struct compare_question *q = w->question;
    close_last(w);
    *wrong = path;
    struct trace *trace = load_open(path, w->how, q->load, q->ascii, err);
    if (trace == NULL)
        return false;
    trace_load(trace);
    if (!only_providers_check(path, trace, q->ascii, err) ||
        !question_init(&w->asked, trace, &q->texts, q->ascii, wrong, err)) {
        trace_free(trace);
        return false;
    }
    w->last = trace;
    return true;
}

static bool take(struct work *w, int side, const char *path) {
    const struct compare_question *q = w->question;
    struct trace_names names = {.by_pool = q->by_thread};
    const char *wrong, *why = NULL;
    struct err err = {.at = ERR_NO_OFFSET};
    if (!open_last(w, path, &wrong, &err)) {
        complain(q, wrong, &err);
        return false;
    }
    if (side == BETWEEN_A) {
        free(w->path_a);
        w->path_a = err_copy(path, strlen(path));
    }
    struct trace *trace = w->last;
    trace_names_take(&names, trace, &w->asked);
    question_say_left_out(names.left_out, trace, q->ascii);
    w->left_out = w->left_out || left_out_any(names.left_out);
    vec_push(&w->between.runs[side], names);
    if (names.sampled) {
        err_set(&err, ERR_NO_OFFSET,
                "sampled: count samples (--filter='cat!=sampled' compares what was measured)");
        complain(q, path, &err);
        return false;
    }
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

/* The names that contained those that are gone; not of a pipe, which is read but once. */
static void find_gone(struct work *w) {
    struct stat of;
    const char *wrong;
    struct err err;
    if (between_wants_gone(&w->between) && stat(w->path_a, &of) == 0 && S_ISREG(of.st_mode) &&
        open_last(w, w->path_a, &wrong, &err))
        between_gone_make(NULL, &w->between, w->last, &w->asked);
}

/* The table for a reader has the sentence above it. */
static void say_unsure(const struct compare_question *q, const char *unsure) {
    struct err err;
    if (q->format == FORMAT_TABLE || q->format == FORMAT_MARKDOWN)
        return;
    err_set(&err, ERR_NO_OFFSET, "%s", unsure);
    text_complain(q->sides[BETWEEN_B], "note: ", q->ascii, &err);
}

int compare_traces(const struct compare_question *q, const struct trace_options *how) {
    struct work w = {.question = q, .how = how, .between = {.threshold = q->threshold}};
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
        find_gone(&w);
        between_print(&w.between, &style, stdout);
        size_t worse = counts[BETWEEN_SLOWER] + counts[BETWEEN_MORE_OF] + counts[BETWEEN_NEW];
        size_t better = counts[BETWEEN_FASTER] + counts[BETWEEN_FEWER] + counts[BETWEEN_GONE];
        char said[SLICE_ITER_OPEN_TEXT];
        const char *unsure = between_unsure(&w.between, q->ascii, said);
        if (unsure)
            say_unsure(q, unsure);
        fflush(stdout);
        status = worse > 0 || w.left_out || unsure || (q->any && better > 0) ? 1 : 0;
    }
    close_last(&w);
    between_free(&w.between);
    free(w.path_a);
    return status;
}
