/* question.h - of what numbers and exports are asked without a screen: a range, tracks and a
 * filter, from the texts of --range, --tracks and --filter.
 *
 * The trace must be complete. Everything is prepared at once; see range.h for what a range
 * means. */
#ifndef FXTOP_QUESTION_H
#define FXTOP_QUESTION_H

#include <stdio.h>

#include "model/query/filter/filter_match.h"
#include "model/query/search.h"
#include "model/query/stat/range.h"
#include "src/base/err.h"

struct question {
    struct range range;
    const char *range_text, *tracks_text, *filter_text; /* as typed; NULL: not asked */
    struct filter *filter;                              /* NULL: none, and so is match */
    struct filter_match *match;                         /* ready */
    struct search *search; /* for the events that the filter holds for; NULL: none */
};

struct question_texts { /* NULL: not asked */
    const char *range, *tracks, *filter;
};

/* Fails with one line; *wrong is the option that was wrong: "--range". The texts are borrowed. */
bool question_init(struct question *question, struct trace *trace,
                   const struct question_texts *texts, bool ascii, const char **wrong,
                   struct err *err);
void question_free(struct question *question);

/* Whether anything is left out at all. */
static inline bool question_any(const struct question *question) {
    return question->range_text || question->tracks_text || question->filter_text;
}

/* The damaged slices and states that an answer about those kinds leaves out. A table for a reader
 * has it in its heading, any other answer is followed by a line on standard error. */
struct left_out question_left_out(const struct question *question, const struct trace *trace,
                                  unsigned kinds);
/* ", 1 slice with a damaged time is left out" in a heading; nothing if there is none. */
void question_head_left_out(struct left_out n, FILE *out);
void question_say_left_out(struct left_out n, const struct trace *trace, bool ascii);

/* The slices that are asked for: kinds of enum slice_iter_kind. The set borrows tracks and
 * filter. */
struct slice_set question_slices(const struct question *question, unsigned kinds);

#endif
