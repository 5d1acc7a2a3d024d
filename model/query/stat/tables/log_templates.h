/* log_templates.h - log records of a range by their text with numbers left out: how often, when
 * first and last.
 *
 * Each run of digits becomes one '#'. Texts are those of the trace: not safe to print as they are.
 * A record whose text is longer than LOG_TEMPLATES_TEXT bytes is known by its begin. Made in a
 * task, for one version of the trace. */
#ifndef FXTOP_LOG_TEMPLATES_H
#define FXTOP_LOG_TEMPLATES_H

#include "model/query/stat/range.h"
#include "src/base/map.h"
#include "src/base/task.h"
#include "src/base/vec.h"

#define LOG_TEMPLATES_TEXT 400

struct log_templates_row {
    size_t text, length; /* in bytes */
    uint64_t count;
    int64_t first, last; /* ns relative to the reader's base */
    uint64_t offset;     /* of the first record */
    uint32_t thread;     /* of all; NO_THREAD: of several, or none */
};

struct log_templates {
    struct trace *trace;
    const struct range *range; /* borrowed until the work is done */
    VEC(struct log_templates_row) rows;
    VEC(char) bytes; /* of all texts */
    struct map map;
    uint64_t records;
};

void log_templates_make(struct task *task, struct log_templates *templates, struct trace *trace,
                        const struct range *range);
void log_templates_free(struct log_templates *templates);
/* valid until the next step */
struct str log_templates_text(const struct log_templates *templates, uint32_t row);

#endif
