/* drawer_link.c - finds the thread, process or object that an argument names.
 *
 * A koid is that of a process or thread with events first, as its argument is called, else that of
 * a kernel object. */
#include "ui/drawer/drawer_link.h"

static bool thread_of(const struct trace *trace, uint16_t world, uint64_t tid,
                      struct drawer_link *link) {
    uint32_t i = trace_koid_thread(trace, world, tid);
    *link = (struct drawer_link){.kind = DRAWER_LINK_THREAD, .of = i};
    return i != NO_THREAD && !trace_thread_hidden(trace, trace_thread(trace, i));
}

static bool process_of(const struct trace *trace, uint16_t world, uint64_t pid,
                       struct drawer_link *link) {
    uint32_t i = trace_pid_process(trace, world, pid);
    *link = (struct drawer_link){.kind = DRAWER_LINK_PROCESS, .of = i};
    return i != UINT32_MAX;
}

static bool is_number(const struct detail_argument *a) {
    return a->type == FXT_ARG_INT32 || a->type == FXT_ARG_UINT32 || a->type == FXT_ARG_INT64 ||
           a->type == FXT_ARG_UINT64;
}

static bool is_called(const struct detail_argument *a, const char *name, const char *other) {
    return str_eq(a->name, str_of(name)) || str_eq(a->name, str_of(other));
}

bool drawer_link_of(struct trace *trace, const struct detail_argument *a,
                    struct drawer_link *link) {
    if (is_number(a))
        return (is_called(a, "tid", "thread") && thread_of(trace, a->world, a->bits, link)) ||
               (is_called(a, "pid", "process") && process_of(trace, a->world, a->bits, link));
    bool thread = objects_taken(a->name) == OBJECT_THREAD;
    if (a->type == FXT_ARG_KOID && !thread && process_of(trace, a->world, a->bits, link))
        return true;
    if (a->type == FXT_ARG_KOID &&
        (thread_of(trace, a->world, a->bits, link) || process_of(trace, a->world, a->bits, link)))
        return true;
    if ((a->type != FXT_ARG_KOID && a->type != FXT_ARG_POINTER) || a->object_place == UINT32_MAX)
        return false;
    *link = (struct drawer_link){.kind = a->type == FXT_ARG_KOID ? DRAWER_LINK_OBJECT
                                                                 : DRAWER_LINK_USER_OBJECT,
                                 .of = a->object_place};
    return true;
}
