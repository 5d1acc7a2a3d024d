/* chrome_async.h - async operations in Chrome's format: those that viewers take for one stack have
 * one id. */
#ifndef FXTOP_CHROME_ASYNC_H
#define FXTOP_CHROME_ASYNC_H

#include "model/output/event_list.h"

enum chrome_phase { CHROME_PHASE_BEGIN, CHROME_PHASE_END, CHROME_PHASE_INSTANT };

struct chrome_operation { /* an event of one */
    int64_t time;
    const struct event_list_entry *entry;
    uint64_t id; /* its own, unless operations of that id do not nest */
    enum chrome_phase phase;
};

struct chrome_operations {
    struct chrome_operation *v;
    size_t n, cap;
};

/* All events of operations, those of a stack one after the other; the caller frees the array. */
struct chrome_operations chrome_async(const struct event_list *list, struct trace *trace);

#endif
