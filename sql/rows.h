/* rows.h - the rows of a table in place: lanes of the index, and a cursor over them that answers
 * constraints and orders.
 *
 * A lane is a list of rows whose times are sorted and whose key (track_id, utid, cpu) is the same.
 * Lanes are in the order of their keys. The id of a row is the base of its lane plus its place in
 * it, so no id takes memory. Times are those of SQL (source.h). Valid as long as the source. */
#ifndef FXTOP_SQL_ROWS_H
#define FXTOP_SQL_ROWS_H

#include "sql/source.h"

struct sqlite3_index_info;

enum rows_kind {
    ROWS_NUMBERS, /* no times: a small table */
    ROWS_LANE,
    ROWS_INSTANTS,
    ROWS_ASYNC_INSTANTS,
    ROWS_SAMPLES,
};

struct rows_lane {
    uint64_t base; /* id of its first row */
    int64_t key;
    const void *of;        /* lane, instants, group of operations, samples: by kind */
    const uint32_t *order; /* of ROWS_ASYNC_INSTANTS: places in the group's instants */
    uint32_t n;
    /* thread and row, group and row, series, place of a CPU or of a scheduled thread */
    uint32_t owner, row;
    uint8_t kind;    /* enum rows_kind */
    bool operations; /* of ROWS_LANE: async operations */
    /* of runs and states: the first, which is no row, is a run from before the first record of its
     * CPU */
    bool before;
};

struct rows_list {
    uint32_t *v; /* numbers of rows: ids less the first one */
    size_t n, cap;
};

struct rows {
    struct source *source;
    VEC(struct rows_lane) v;
    uint64_t first, n; /* ids are first .. first + n - 1 */
    uint64_t keys;     /* different ones, for estimates */
    bool timed, named; /* rows have times, have numbers of names */
    /* Whether a row is left out; NULL: none is. */
    bool (*skip)(struct source *source, const struct rows_lane *lane, uint32_t i);
    /* Whether the durations of rows have to be read, so that those without an end are known; NULL:
     * they need not. */
    bool (*any_open)(struct rows *rows);
    /* Takes the columns and constraints of a query that is planned; NULL: none are wanted. */
    void (*used)(struct rows *rows, struct sqlite3_index_info *info);
    /* NULL: no such column */
    int64_t (*depth)(struct source *source, const struct rows_lane *lane, uint32_t i);
    /* A number by which rows are counted (ROLE_GROUP), and a value (ROLE_REAL); NULL: no such
     * column */
    int64_t (*group)(struct source *source, const struct rows_lane *lane, uint32_t i);
    double (*real)(const struct rows_lane *lane, uint32_t i);
    /* Appends the numbers of the rows whose parent has an id; NULL: no row has a parent. */
    void (*children)(struct rows *rows, int64_t id, struct rows_list *list);
    /* the same by another column */
    void (*others)(struct rows *rows, int64_t id, struct rows_list *list);
    /* makes by_name of texts that are no names of the trace; NULL: named, or no order */
    void (*label)(struct rows *rows);
    uint32_t *by_name; /* row numbers by rank of the name, then by number; NULL: not made */
    size_t nby_name;
    uint32_t *name_ends; /* by rank: where its rows end in by_name; NULL: not made, or labels */
    uint32_t *by_time;   /* row numbers by time, then by number; NULL: not made */
    size_t nby_time;
    uint64_t searched;       /* lanes that questions for times have searched so far */
    uint32_t *order_storage; /* of `order` in lanes; NULL: none */
};

struct rows *rows_new(struct source *source, uint64_t first_id);
void rows_free(void *rows); /* a struct rows */
/* Adds a lane; rows_done() sorts them by key and gives them their bases. Empty lanes are left
 * out. */
void rows_add(struct rows *rows, const struct rows_lane *lane);
void rows_done(struct rows *rows);

int64_t rows_ts(const struct source *source, const struct rows_lane *lane, uint32_t i);
int64_t rows_dur(const struct rows_lane *lane, uint32_t i); /* -1: it has not ended */
/* Whether a row is a slice with a damaged time, whose duration is NULL; then the answer leaves one
 * out. */
bool rows_damaged(struct source *source, const struct rows_lane *lane, uint32_t i);
/* Notes that an answer has read the duration of a row of slices, if it has not ended. */
void rows_read_open(struct source *source, const struct rows_lane *lane, uint32_t i);
/* Whether durations can be compared without asking for the column. */
bool rows_dur_known(struct rows *rows);
uint32_t rows_name(struct source *source, const struct rows_lane *lane, uint32_t i);
/* The lane of a key, kind and row; NULL: it is empty or unknown. */
const struct rows_lane *rows_lane_of(const struct rows *rows, int64_t key, enum rows_kind kind,
                                     uint32_t row);
/* The row with an id; false: there is none. */
bool rows_find(const struct rows *rows, int64_t id, const struct rows_lane **lane, uint32_t *i);

struct rows_bounds { /* both included; lo > hi: no row */
    int64_t lo, hi;
};
#define ROWS_ALL ((struct rows_bounds){INT64_MIN, INT64_MAX})

enum rows_term { ROWS_BY_ID, ROWS_BY_KEY, ROWS_BY_TS, ROWS_BY_DUR, ROWS_BY_DEPTH, ROWS_TERMS };

/* KEYS_DOWN: by key alone; NAMES: by name, then key; KEY_NAMES: by key, then name. */
enum rows_order {
    ROWS_AS_THEY_ARE,
    ROWS_UP,
    ROWS_DOWN,
    ROWS_KEYS_DOWN,
    ROWS_NAMES,
    ROWS_KEY_NAMES,
    ROWS_TOP
};

#define ROWS_TOP_TERMS 6

struct rows_ask {
    struct rows_bounds within[ROWS_TERMS];
    unsigned char *names; /* by number: 1 fits; NULL: all do. The cursor frees it */
    int64_t parent;       /* what children() or others() are asked for; -1: all rows */
    bool other;           /* others() */
    enum rows_order order;
    bool down, then_down; /* of NAMES and KEY_NAMES: the directions of both */
    struct {
        uint8_t term; /* enum rows_term */
        bool down;
    } top[ROWS_TOP_TERMS];
    int ntop;
    uint64_t limit; /* of ROWS_TOP */
};

struct rows_head { /* of ROWS_UP and ROWS_DOWN: the next row of a lane */
    int64_t ts;
    uint32_t lane, i, end;
};

#define ROWS_RUN 64u

struct rows_cursor {
    struct rows *rows;
    struct rows_ask ask;
    /* the current row */
    const struct rows_lane *lane;
    uint32_t i;
    bool end;
    /* a scan of lanes */
    size_t at, to;                 /* lanes */
    uint32_t stop;                 /* of the lane: the end of its rows in question */
    struct slice slices[ROWS_RUN]; /* of the lane from `from` on, `until` it */
    uint32_t from, until;
    /* a list of row numbers */
    const uint32_t *list;
    struct rows_list own;
    size_t nlist, list_at;
    bool listed, backward, by_rank; /* by_rank: the list has the rows of one name */
    uint32_t rank;                  /* the number of names that are done */
    VEC(struct rows_head) heap;
};

/* Asks; the cursor was zero, or asked before. False: stopped. */
bool rows_cursor_ask(struct rows_cursor *cursor, struct rows *rows, const struct rows_ask *ask);
/* The rows are those whose numbers the caller put into cursor->own, in that order. */
bool rows_cursor_take(struct rows_cursor *cursor, struct rows *rows);
bool rows_cursor_next(struct rows_cursor *cursor); /* false: stopped */
void rows_cursor_free(struct rows_cursor *cursor);
/* The number of rows of the lane from the current one on that need no test; their slices are at *v.
 * 0: the current row alone, and *v is not set. */
uint32_t rows_cursor_run(struct rows_cursor *cursor, const struct slice **v);
/* Begins the list of ROWS_NAMES or ROWS_KEY_NAMES, whose lanes are chosen (rows_names.c). False:
 * stopped. */
bool rows_names_begin(struct rows_cursor *cursor);
/* Makes the next part of that list the current one; cursor->nlist is 0 after the last one. False:
 * stopped. */
bool rows_names_part(struct rows_cursor *cursor);
/* Notes that the current row is a damaged slice. */
void rows_cursor_seen(const struct rows_cursor *cursor);
/* The id of the current row. */
static inline int64_t rows_cursor_id(const struct rows_cursor *cursor) {
    return (int64_t)(cursor->lane->base + cursor->i);
}

#endif
