/* together.h - the options of --together: several FILEs as one trace (SEMANTICS 13.1). */
#ifndef FXTOP_TOGETHER_H
#define FXTOP_TOGETHER_H

#include "model/trace/trace.h"

#define TOGETHER_MOST 64 /* traces */

struct together { /* as typed */
    bool on;
    enum align_how how;
    const char *offsets[TOGETHER_MOST]; /* NAME=TIME */
    int noffsets;
    const char *reference; /* NULL: the first */
    bool same_host;
    const char *hosts; /* of same_host: names; NULL: of all */
    bool joins_flows;
    const char *category; /* of joins_flows; NULL: of all */
};

/* The option that --together needs to be given for; NULL: none was. */
const char *together_alone(const struct together *together);

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
