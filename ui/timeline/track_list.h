/* track_list.h - the tracks that are shown, in order, with their heights.
 *
 * Lines count from the top of all tracks. Each track has its first line, so the track of a line is
 * found by binary search and a frame costs what it shows. track_list_update() makes the list again
 * after tracks were added, folded, pinned, filtered or sorted; drawing a frame does not. Pinned
 * tracks come first, and stay on the screen. */
#ifndef FXTOP_TRACKS_LIST_H
#define FXTOP_TRACKS_LIST_H

#include "model/trace/trace.h"
#include "src/base/u64map.h"
#include "ui/timeline/list/track_gone.h"
#include "ui/timeline/list/track_known.h"
#include "ui/timeline/list/track_many.h"
#include "ui/timeline/list/track_moved.h"

struct track_ops;

struct track {
    const struct track_ops *kind;
    bool strip; /* the first line is the states of a thread without slices */
    bool pinned;
    /* the only thread of its process: its first line is the header, too */
    bool alone;
    bool more;        /* its process has counters or samples that are not shown */
    uint8_t nested;   /* processes above it that began it, or each other, and are shown */
    uint32_t process; /* place, NO_PROCESS, or LIST_CPUS */
    /* its number among those of its kind; of the threads without slices: their count; of quiet
     * ones: the place in track_list.gone */
    uint32_t of;
    uint32_t height; /* lines */
    uint32_t deeper; /* rows that are not shown */
    uint64_t top;    /* first line */
};

/* The kinds of tracks that are shown. */
enum track_list_set {
    LIST_ALL,      /* the timeline */
    LIST_COUNTERS, /* view 7: counters and CPUs */
    LIST_SCHED     /* view 8: CPUs and states of threads */
};

struct track_list_pin {
    const struct track_ops *kind;
    uint32_t of;
};

struct track_list_depth {
    VEC(uint32_t) v; /* by number: rows shown at most; 0: the default */
};

enum track_list_others { LIST_HIDDEN, LIST_DIMMED, LIST_PLAIN };

struct track_list {
    VEC(struct track) tracks;
    uint64_t lines;
    uint64_t pinned;                /* number of lines of pinned tracks */
    struct track_list_depth *depth; /* by kind */
    uint32_t depth_of_all;          /* of the others of kinds with rows; 0: the default */
    VEC(uint8_t) folded; /* by process: the user's wish, if there is one; else `empty` decides */
    VEC(bool) empty;     /* by process: it has nothing to show */
    VEC(struct track_list_pin) pins;
    /* kind and number of a track -> 1: it is in `pins`; 0 or none: it is not */
    struct u64map pinned_of;
    struct track_gone_window window; /* that decides which threads are quiet */
    struct track_lives lives;        /* of all threads */
    VEC(uint8_t) presence;           /* enum track_presence of each */
    /* a process and a thread that are shown, quiet or not: those of the current line */
    uint32_t stays, stays_thread;
    VEC(struct track_gone) gone; /* the lines of quiet threads */
    VEC(uint8_t) nested;         /* by process that is shown: 1 + track.nested; 0: it is not */
    VEC(uint32_t) below; /* by process that is folded: those below it, which are not shown */
    VEC(uint32_t) gone_processes;  /* those of each line */
    VEC(uint32_t) quiet_processes; /* of the last line, while the list is made */
    VEC(bool) opened;              /* by process: shown, quiet or not, as the user wished */
    VEC(bool) stacked;             /* by series: its track shows all series of the counter */
    VEC(bool) more; /* by process: counters and samples of one without slices are shown */
    enum track_order order;
    enum track_list_set set;
    /* the filter; NULL: none */
    bool (*match)(void *ctx, struct trace *trace, const struct track *track);
    void *match_ctx;
    enum track_list_others others; /* what the filter does to tracks that do not match */
    uint32_t curve;                /* default height of a counter, in lines */
    uint32_t default_depth;        /* rows that a thread shows at first */
    uint32_t least_depth;          /* the least value of default_depth */
    /* lines of the screen: default_depth grows as long as all tracks fit; 0: it stays */
    uint32_t screen_lines;
    uint64_t version; /* of the trace that the list was made from; UINT64_MAX: make it again */
    struct track_many many; /* orders of threads */
    struct track_moved moved;
    /* of processes, so that a zoom asks them for nothing but their threads' lives */
    struct track_known known;
    /* of several hosts: the times that their threads run or have slices, together */
    int64_t busy[LIST_HOSTS];
};

void track_list_init(struct track_list *list);
void track_list_free(struct track_list *list);
void track_list_update(struct track_list *list, struct trace *trace);
/* Whether another order takes effect when track_list_step() is done: many processes stay as they
 * were until then. */
bool track_list_sorts_later(const struct track_list *list, const struct trace *trace);
/* Asks many threads and processes what has changed, and sorts them, in steps. True: there is more
 * to do. *news: the next update shows something else. */
bool track_list_step(struct track_list *list, struct trace *trace, struct task *task, bool *news);

/* Whether the track, or what the gutter shows of its process, matches the filter; true without a
 * filter. */
bool track_list_matches(const struct track_list *list, struct trace *trace,
                        const struct track *track);

/* The track of a line; NULL: below the last one. */
const struct track *track_list_at(const struct track_list *list, uint64_t line);
/* The line of a track's row, or of its last row that is shown; false if the track is not shown. */
bool track_list_find(const struct track_list *list, const struct track_ops *kind, uint32_t of,
                     uint32_t row, uint64_t *line);
/* The line of a header, or of the thread that is one; process: a place, NO_PROCESS or LIST_CPUS. */
bool track_list_find_header(const struct track_list *list, uint32_t process, uint64_t *line);

/* The line of a row of a track that was shown before track_list_update(); its strip may have
 * appeared or vanished. */
bool track_list_again(const struct track_list *list, const struct track *before, uint32_t row,
                      uint64_t *line);

/* Whether processes of the list are below it in the tree of processes, shown or folded with it. */
bool track_list_has_below(const struct track_list *list, uint32_t process);
/* The number of processes that are folded with it. */
static inline uint32_t track_list_below(const struct track_list *list, uint32_t process) {
    return process < list->below.n ? list->below.v[process] : 0;
}

/* the user folded or unfolded it */
bool track_list_wished(const struct track_list *list, uint32_t process);
bool track_list_folded(const struct track_list *list, uint32_t process);
/* Shown by the next update; unfolded, with the processes above it. */
void track_list_fold(struct track_list *list, uint32_t process, bool folded);
/* Decides which threads are quiet from here on, and forgets which of them were opened; `current`
 * stays. True: the list has changed, and the next update shows it. */
bool track_list_decide(struct track_list *list, struct trace *trace,
                       const struct track_gone_window *window, const struct track *current);
/* Shows a process, quiet or not; false: it is shown so already. By the next update. */
bool track_list_open(struct track_list *list, uint32_t process);
/* Whether a thread is quiet in the window that decides. */
static inline bool track_list_quiet(const struct track_list *list, uint32_t thread) {
    return thread < list->presence.n &&
           track_gone_folds((enum track_presence)list->presence.v[thread]);
}
/* Shows all processes of a line of quiet threads. */
void track_list_open_line(struct track_list *list, const struct track *line);
/* Shows at most `depth` rows of a track (0: the default, UINT32_MAX: all); of a counter: its height
 * in lines. */
void track_list_set_depth(struct track_list *list, const struct track_ops *kind, uint32_t of,
                          uint32_t depth);
/* The depth of all tracks of kinds with rows, also of those that are read later; UINT32_MAX: all
 * their rows. */
void track_list_set_depth_of_all(struct track_list *list, uint32_t depth);
/* Whether all series of a counter are one track; leader: the first of them (counter_leader()). */
bool track_list_stacked(const struct track_list *list, uint32_t leader);
void track_list_stack(struct track_list *list, uint32_t leader, bool stacked);
/* Shows the counters and samples of a command that was recorded and is one row, or hides them. */
void track_list_show_more(struct track_list *list, uint32_t process, bool shown);
bool track_list_shows_more(const struct track_list *list, uint32_t process);
/* Whether it is shown and has some that are hidden. */
bool track_list_hides_more(const struct track_list *list, uint32_t process);
/* Pins or unpins a track; true: it is pinned now. */
bool track_list_pin(struct track_list *list, const struct track_ops *kind, uint32_t of);
bool track_list_is_pinned(const struct track_list *list, const struct track_ops *kind, uint32_t of);
static inline void track_list_unpin_all(struct track_list *list) {
    list->pins.n = 0;
    u64map_free(&list->pinned_of);
}

/* The thread of a thread's track; NO_THREAD for all others and NULL. */
uint32_t track_list_thread(const struct track *track);
/* The name of a track: "main", "Fetch", "heap.used", "cpu 0"; in buf if it is not a name of the
 * trace. */
struct str track_list_name(struct trace *trace, const struct track *track, char buf[96]);

/* ---- for the kinds ---- */

/* Whether a kind belongs to the set that is shown. */
bool track_list_shows(const struct track_list *list, const struct track_ops *kind);
/* The rows that the user wants of a track, or `otherwise`. */
uint32_t track_list_depth(const struct track_list *list, const struct track *track,
                          uint32_t otherwise);
/* The depth that track_list_set_depth() gave it; 0: none. */
uint32_t track_list_own_depth(const struct track_list *list, const struct track *track);
/* Sets height and deeper of a track with `lanes` rows, of which `most` are shown unless the user
 * wants others. */
void track_list_measure(const struct track_list *list, struct track *track, uint32_t lanes,
                        uint32_t most);
/* For `lost`: whether the provider wrote any thread of the track's process. */
bool track_list_lost_in_process(struct trace *trace, const struct track *track,
                                const struct lost *lost);

#endif
