/* together.h - the set of traces that --together makes of several FILEs (SEMANTICS 13.1). */
#ifndef FXTOP_TOGETHER_H
#define FXTOP_TOGETHER_H

#include "app/together_options.h"

struct together_set {
    struct trace_set set;
    char *names[TOGETHER_MOST];
    const char *paths[TOGETHER_MOST];
    struct trace_unread unread[TOGETHER_MOST];
    int64_t offsets[TOGETHER_MOST];
    uint16_t worlds[TOGETHER_MOST];
    bool given[TOGETHER_MOST]; /* an option has its offset */
    bool hosted;               /* an option, or a session, has the hosts */
};

/* Makes the set of 2 to 64 paths, which stay the caller's. Fails with one line. */
bool together_make(struct together_set *set, const struct together *together, char *const *paths,
                   size_t n, struct err *err);
/* Takes the offsets and hosts that the text of a session has, and no option. */
void together_take(struct together_set *set, const char *session);
void together_free(struct together_set *set);

/* Leaves out a file that cannot be opened because of err. False: it is the only one. */
bool together_leave_out(struct together_set *set, size_t file, const struct err *err);

/* A line about trace i if the method places it by its times alone; false: its clock is known. */
bool together_note(const struct together_set *set, size_t i, enum align_method method,
                   struct err *note);

#endif
