/* track_list.h - which tracks are shown, in which order, how tall. Coordinates: lines, counted from the top of all tracks.
 *
 * A list of tracks, each with its first line: a line is found by binary search, so that a frame costs what it shows.
 * Made anew when tracks came, or were folded, pinned, filtered or put in order (rows_update), not in a frame. Pinned
 * tracks come first, and stay on the screen. */
#ifndef FXTOP_TRACK_LIST_H
#define FXTOP_TRACK_LIST_H

#include "model/trace/trace.h"

struct track_ops;

struct track {
    const struct track_ops *kind;
    bool strip; /* the first line is the states of a thread */
    bool pinned;
    uint32_t process; /* place, NO_PROCESS, or TRACK_LIST_CPUS */
    uint32_t of;      /* its number among those of its kind; of the threads without slices: their count */
    uint32_t height;  /* lines */
    uint32_t deeper;  /* rows that are there and not shown */
    uint64_t top;     /* first line */
};

#define TRACK_LIST_CPUS (UINT32_MAX - 1) /* as a process: what the CPUs' header folds */

enum track_list_order {
    TRACK_LIST_BY_FILE,
    TRACK_LIST_BY_START,
    TRACK_LIST_BY_NAME,
    TRACK_LIST_BY_BUSY,
    TRACK_LIST_ORDERS
};

/* The kinds of tracks that are shown. */
enum track_list_set {
    TRACK_LIST_ALL,      /* the timeline */
    TRACK_LIST_COUNTERS, /* view 7: counters and CPUs */
    TRACK_LIST_SCHED     /* view 8: CPUs and states of threads */
};

struct track_list_pin {
    const struct track_ops *kind;
    uint32_t of;
};

struct track_list_depth {
    VEC(uint32_t) v; /* by number: rows shown at most; 0: the default */
};

enum track_list_others { TRACK_LIST_HIDDEN, TRACK_LIST_DIMMED, TRACK_LIST_PLAIN };

struct track_list {
    VEC(struct track) tracks;
    uint64_t lines;
    uint64_t pinned;                  /* the first so many lines are pinned tracks */
    struct track_list_depth *depth;   /* by kind */
    VEC(uint8_t) folded;              /* by process: what the user wants; else those that have nothing to show are */
    VEC(bool) empty;                  /* by process */
    VEC(struct track_list_pin) pins;
    VEC(bool) stacked; /* by series: it stands for all of its counter */
    enum track_list_order order;
    enum track_list_set set;
    bool (*match)(void *ctx, struct str name); /* the filter of tracks' names; NULL: there is none */
    void *match_ctx;
    enum track_list_others others; /* what it does to those that do not match */
    bool strips;            /* there is room for the strips of states */
    uint32_t curve;         /* lines of a counter that was not changed */
    uint32_t default_depth; /* rows of depth a thread shows at first */
    uint32_t least_depth;   /* of it, however full the screen is */
    uint32_t room;          /* lines of the screen: where all fits, all depth is shown; 0: the default depth stays */
    uint64_t version;       /* of the trace when made */
};

void track_list_init(struct track_list *list);
void track_list_free(struct track_list *list);
void track_list_update(struct track_list *list, struct trace *trace);

/* Does the filter let it through? Its name matches, or its process's. */
bool track_list_matches(const struct track_list *list, struct trace *trace, const struct track *track);

/* The track of a line; NULL where there is none. */
const struct track *track_list_at(const struct track_list *list, uint64_t line);
/* The line of a track's row, its last shown one where it is deeper; false where the track is not shown. */
bool track_list_find(const struct track_list *list, const struct track_ops *kind, uint32_t of, uint32_t row,
                     uint64_t *line);
/* The header's: of a process, of those without one, of the CPUs. */
bool track_list_find_header(const struct track_list *list, uint32_t process, uint64_t *line);

/* Where a row of a track, as it was, is after track_list_update(): strips may have come or gone above it. */
bool track_list_again(const struct track_list *list, const struct track *before, uint32_t row, uint64_t *line);

bool track_list_folded(const struct track_list *list, uint32_t process);
void track_list_fold(struct track_list *list, uint32_t process, bool folded); /* track_list_update() makes it visible */
/* At most `depth` rows of this track (0: the default, UINT32_MAX: all). A counter's: its height. */
void track_list_set_depth(struct track_list *list, const struct track_ops *kind, uint32_t of, uint32_t depth);
/* For the kinds. Whether a kind belongs to the set that is shown; rows that the user wants of a track, or `otherwise`;
 * height of a track with so many rows, of which `most` are shown unless the user wants others. */
bool track_list_shows(const struct track_list *list, const struct track_ops *kind);
uint32_t track_list_depth(const struct track_list *list, const struct track *track, uint32_t otherwise);
void track_list_measure(const struct track_list *list, struct track *track, uint32_t lanes, uint32_t most);
/* The series of one counter as one track, or apart again; of the first of them. */
bool track_list_stacked(const struct track_list *list, uint32_t leader);
void track_list_stack(struct track_list *list, uint32_t leader, bool stacked);
/* Pins a track, or lets it go; true: it is pinned now. */
bool track_list_pin(struct track_list *list, const struct track_ops *kind, uint32_t of);

/* The thread of a thread's track; NO_THREAD for all others and NULL. */
uint32_t track_list_thread(const struct track *track);

/* For `lost` of the kinds: whether the provider wrote any thread of the track's process. */
bool track_list_lost_in_process(struct trace *trace, const struct track *track, const struct lost *lost);

/* What a track is called: "main", "Fetch", "heap.used", "cpu 0" (written to buf where it is made up). */
struct str track_list_name(struct trace *trace, const struct track *track, char buf[96]);

#endif
