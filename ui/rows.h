/* rows.h - which tracks are shown, in which order, how tall. Coordinates: lines, counted from the top of all tracks.
 *
 * A list of tracks, each with its first line: a line is found by binary search, so that a frame costs what it shows.
 * Made anew when threads came or were folded (rows_update), not in a frame. */
#ifndef FXTOP_ROWS_H
#define FXTOP_ROWS_H

#include "model/trace.h"

enum track_kind {
    TRACK_PROCESS, /* its header: one line of density */
    TRACK_THREAD,  /* rows of slices by depth */
    TRACK_EMPTY,   /* one line for a process's threads without slices and instants */
};

struct track {
    uint8_t kind;
    uint32_t process; /* place, or NO_PROCESS */
    uint32_t thread;  /* number; TRACK_EMPTY: how many threads */
    uint32_t height;  /* lines */
    uint32_t deeper;  /* TRACK_THREAD: rows that are there and not shown */
    uint64_t top;     /* first line */
};

struct rows {
    VEC(struct track) tracks;
    uint64_t lines;
    VEC(uint32_t) depth;  /* by thread: rows of depth shown at most; 0: the default */
    VEC(bool) folded;     /* by process; the last is that of threads without process */
    uint32_t default_depth; /* rows of depth a thread shows at first */
    uint32_t least_depth;   /* of it, however full the screen is */
    uint32_t room; /* lines of the screen: where all fits, all depth is shown; 0: the default depth stays */
    uint64_t version;     /* of the trace when made */
};

void rows_init(struct rows *rows);
void rows_free(struct rows *rows);
void rows_update(struct rows *rows, struct trace *trace);

/* The track of a line; NULL where there is none. */
const struct track *rows_at(const struct rows *rows, uint64_t line);
/* The line of a thread's row, its last shown one where it is deeper; false where the thread is not shown (folded). */
bool rows_find(const struct rows *rows, uint32_t thread, uint32_t row, uint64_t *line);
bool rows_find_process(const struct rows *rows, uint32_t process, uint64_t *line);

bool rows_folded(const struct rows *rows, uint32_t process);
void rows_fold(struct rows *rows, uint32_t process, bool folded); /* rows_update() makes it visible */
/* At most `depth` rows of this thread (0: the default, UINT32_MAX: all). */
void rows_set_depth(struct rows *rows, uint32_t thread, uint32_t depth);

#endif
