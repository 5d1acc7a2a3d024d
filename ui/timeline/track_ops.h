/* track_ops.h - the kinds of tracks and of events on them: one row of a list for each kind of
 * track.
 *
 * A kind of track is a file of ui/timeline/kinds/. It defines a `struct track_ops`, and a `struct
 * selection_ops` for each sort of event on the track. Its row in ALL_TRACKS puts it on the screen.
 * `of` is the number of a track among those of its kind: a thread's number, the place of an async
 * group, series or CPU. Times: ns relative to the reader's base. */
#ifndef FXTOP_TRACKS_OPS_H
#define FXTOP_TRACKS_OPS_H

#include "model/store/time_log.h"
#include "model/trace/trace.h"

struct app;
struct selection;
struct track;
struct track_line;
struct track_list;

struct track_ops {
    const struct selection_ops *events[4]; /* the kinds of events on it; ends with NULL */
    const char *title;                     /* name of the tracks, if there is no name() */
    bool header; /* the tracks are headers: they fold, and hold no events */
    bool single; /* one track above all processes, shown if it has moments */
    bool thread; /* `of` is the number of a thread */
    bool rows;   /* rows by depth: more or fewer of them are shown */
    /* most lines of a track whose height is free; 0: the height follows from the rows */
    uint32_t stretch;
    unsigned sets; /* bit per enum track_list_set that shows the kind; LIST_ALL shows every kind */

    /* Tracks that belong to a process or to the CPUs, and can be pinned; NULL for all others. */
    uint32_t (*count)(struct trace *trace);
    uint32_t (*process)(struct trace *trace, uint32_t of);
    uint16_t (*world)(struct trace *trace, uint32_t of); /* of one without a process; or NULL: 0 */

    /* All of these may be NULL. */
    /* all numbers, as the tracks are listed; NULL: ascending */
    void (*order)(struct trace *trace, uint32_t *of);
    /* NULL: always */
    bool (*shown)(const struct track_list *list, struct trace *trace, uint32_t of);
    /* Fills in height, deeper and strip; NULL: one line. */
    void (*measure)(const struct track_list *list, struct trace *trace, struct track *track);
    /* Lines of all tracks if threads show `depth` rows at most; NULL: none that count. */
    uint64_t (*lines)(const struct track_list *list, struct trace *trace, uint32_t depth);
    /* Whether the track has an event in [from, to); NULL: it is not checked. */
    bool (*within)(struct trace *trace, uint32_t of, int64_t from, int64_t to);
    struct str (*name)(struct trace *trace, const struct track *track, char buf[96]);
    /* Fills in the rest of a line whose track and row are set; NULL: there is nothing to select. */
    void (*line)(struct trace *trace, struct track_line *line);
    /* Row `row` of the track, gutter included, at screen row y. */
    void (*draw)(struct app *app, int y, const struct track *track, uint32_t row);
    /* Whether a provider's loss may have hit events of the track; NULL: losses are not shown on
     * it. */
    bool (*lost)(struct trace *trace, const struct track *track, const struct lost *lost);
    /* Selects the event that the record at (time, offset) began or ended; thread: that of the
     * record, or NO_THREAD. */
    bool (*find)(struct trace *trace, struct moment record, uint32_t thread,
                 struct selection *selection);
};

struct selection_ops {
    const struct track_ops *track; /* the kind of track that it is on */
    bool nested;                   /* a slice of a thread's nest: row and i are its place in it */
    bool named;                    /* has a length and a name to compare lengths by */
    bool strip;                    /* on the strip above the rows */
    bool lasts;                    /* a moment that holds until the next one */
    bool searched;                 /* the search finds it ... */
    uint32_t hits;                 /* ... as thread `hits` + of */

    /* Events with a length. find() sets row and i from time and offset; false: the event is
     * gone. */
    struct lane *(*lane)(struct trace *trace, const struct selection *selection);
    bool (*find)(struct trace *trace, struct selection *selection);

    /* Moments, sorted by (time, offset): their count (0 if there is no such track), and moment
     * i. */
    size_t (*count)(struct trace *trace, uint32_t of);
    struct moment (*moment)(struct trace *trace, uint32_t of, size_t i);
    uint32_t (*row)(struct trace *trace, uint32_t of, size_t i); /* NULL: its tracks have one row */
    /* Until when all moments from t on are on rows after this one; t: not known. NULL: it is never
     * known. */
    int64_t (*later)(struct trace *trace, uint32_t of, uint32_t row, int64_t t);
    /* Until when all moments after t are on this row, if one at t is; t or NULL: so too. */
    int64_t (*same)(struct trace *trace, uint32_t of, uint32_t row, int64_t t);
    /* of a moment alone in its column; NULL: a dot */
    uint32_t (*glyph)(struct app *app, uint64_t offset);

    /* NULL: that of the record */
    uint32_t (*thread)(struct trace *trace, const struct selection *selection);
    /* The event of the same kind around it, if there is one; NULL: the slice of its thread around
     * its time. */
    bool (*parent)(struct trace *trace, const struct selection *selection,
                   struct selection *parent);
};

/* Every kind, in the order of its tracks: single ones first, then those of a process. */
#define ALL_TRACKS(X)                                                                              \
    X(track_log)                                                                                   \
    X(track_profile)                                                                               \
    X(track_rows)                                                                                  \
    X(track_process)                                                                               \
    X(track_thread)                                                                                \
    X(track_async)                                                                                 \
    X(track_counter)                                                                               \
    X(track_ended)                                                                                 \
    X(track_empty)                                                                                 \
    X(track_cpus)                                                                                  \
    X(track_cpu)                                                                                   \
    X(track_trace)                                                                                 \
    X(track_unread)

#define DECLARE_TRACK(name) extern const struct track_ops name;
ALL_TRACKS(DECLARE_TRACK)

extern const struct track_ops *const track_ops[]; /* ends with NULL */

#define COUNT_TRACK(name) +1
enum { TRACK_KINDS = 0 ALL_TRACKS(COUNT_TRACK) };

size_t track_ops_index(const struct track_ops *kind); /* in track_ops[] */
/* of one track of all kinds */
static inline uint64_t track_ops_key(const struct track_ops *kind, uint32_t of) {
    return (uint64_t)track_ops_index(kind) << 32 | of;
}
size_t track_ops_count(void);

struct timeline;
struct track_gone;

#define TRACK_ENDED_TEXT 240

/* "12 quiet threads: 9 not alive here, 3 idle"; returns the length. */
size_t track_ended_text(const struct timeline *timeline, const struct track_gone *gone,
                        char buf[TRACK_ENDED_TEXT]);

/* The sorts of events, named <file>_<event>. */
extern const struct selection_ops track_thread_slice;
extern const struct selection_ops track_thread_instant;
extern const struct selection_ops track_thread_state;
extern const struct selection_ops track_async_operation;
extern const struct selection_ops track_async_instant;
extern const struct selection_ops track_counter_sample;
extern const struct selection_ops track_cpu_run;
extern const struct selection_ops track_log_record;
extern const struct selection_ops track_profile_record;
extern const struct selection_ops track_rows_row;

#endif
