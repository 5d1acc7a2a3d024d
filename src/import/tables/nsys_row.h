/* nsys_row.h - a row of a table of Nsight Systems: its names, times, owners and arguments.
 *
 * The rows of all tables share one list of columns. A column that a table lacks is NULL. */
#ifndef FXTOP_NSYS_ROW_H
#define FXTOP_NSYS_ROW_H

#include "src/fxt/writer.h"
#include "src/import/profiles/samples.h"
#include "src/import/tables/database.h"
#include "src/import/tables/nsys_names.h"
#include "src/io/import.h"

#define NSYS_ARGUMENTS 12 /* at most those of any row */

/* clang-format off */
enum nsys_column {
    COLUMN_START, COLUMN_END, COLUMN_TIMESTAMP, COLUMN_RAW, COLUMN_THREAD, COLUMN_PROCESS,
    COLUMN_PID, COLUMN_CORRELATION, COLUMN_NAME_ID, COLUMN_TEXT_ID, COLUMN_TEXT, COLUMN_NAME,
    COLUMN_DEMANGLED, COLUMN_SHORT, COLUMN_ID, COLUMN_VALUE, COLUMN_EPOCH, COLUMN_DEVICE,
    COLUMN_CONTEXT, COLUMN_STREAM, COLUMN_GRID_X, COLUMN_GRID_Y, COLUMN_GRID_Z, COLUMN_BLOCK_X,
    COLUMN_BLOCK_Y, COLUMN_BLOCK_Z, COLUMN_REGISTERS, COLUMN_BYTES, COLUMN_COPY_KIND,
    COLUMN_GRAPH, COLUMN_RETURN, COLUMN_SYNC, COLUMN_EVENT_TYPE, COLUMN_RANGE, COLUMN_DOMAIN_ID,
    COLUMN_CATEGORY, COLUMN_CPU, COLUMN_SCHED_IN, COLUMN_SYMBOL, COLUMN_MODULE, COLUMN_DEPTH,
    COLUMN_UNRESOLVED, COLUMN_IP, COLUMN_TYPE_ID, COLUMN_METRIC, COLUMN_METRIC_NAME,
    COLUMN_OPERATION, COLUMN_MEMORY_KIND, COLUMNS
};

/* clang-format on */

extern const char *const nsys_row_columns[];

/* kinds of keys */
enum { DOMAIN_OF, CATEGORY_OF, STREAM_OF, GPU_OF, METRICS_OF, METRIC_OF, MEMORY_OF };

struct nsys;

struct nsys_job {
    const char *table; /* or the begin of names, before a star */
    void (*take)(struct nsys *n);
    void (*end)(struct nsys *n); /* or NULL; also without the table */
    uint64_t columns;
    int order[2];
    const char *category;
    bool events; /* rows are events */
};

struct nsys_work {
    const struct nsys_job *job;
    const char *table; /* NULL: there is none */
};

struct nsys {
    struct writer w;
    VEC(struct import_case) cases;
    uint64_t said[IMPORT_FAULTS];
    /* the bytes */
    char first[16];
    size_t nfirst;
    int fd;
    uint64_t size, checked;
    const char *spool_failed; /* why it takes no more */
    /* the tables */
    atomic_bool given_up;
    struct database *db;
    bool ended;
    VEC(struct nsys_work) work;
    size_t next; /* in the work */
    bool reads;  /* the rows of a table */
    const struct nsys_job *job;
    const char *table;
    uint64_t row, events;
    /* the rows that they refer to */
    uint64_t epoch;
    struct u64map strings; /* of StringIds, by their ids */
    struct nsys_texts texts;
    struct u64map thread_names; /* of a globalTid */
    struct nsys_table known;
    struct nsys_launches launches;
    struct u64map running; /* tid + 1, by CPU */
    uint64_t flow, made_tid;
    uint64_t unowned;
    bool unowned_named;
    /* samples */
    struct samples *samples;
    struct nsys_stacks stacks;
    int64_t stack; /* whose frames are read */
    VEC(uint32_t) frames;
    /* of a row */
    const char *bad_time;
    struct writer_argument args[NSYS_ARGUMENTS];
    size_t nargs;
    char made[64]; /* a name */
};

struct nsys_owner {
    uint64_t pid, tid;
};

/* Counts a fault of a table, or of the source (NULL). */
void nsys_row_tell(struct nsys *n, enum import_fault kind, const char *table, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
/* Counts one of the row. */
void nsys_row_fault(struct nsys *n, enum import_fault kind, const char *sentence);

bool nsys_row_whole(struct nsys *n, int column, int64_t *v); /* false: it is no integer */
int64_t nsys_row_number(struct nsys *n, int column, int64_t otherwise);
/* A text, or the number of one. False: neither is there. */
bool nsys_row_text(struct nsys *n, int column, struct str *to);
/* As much of a text as a record holds. */
struct str nsys_row_cut(struct nsys *n, struct str text);
struct str nsys_row_name(struct nsys *n, const char *otherwise);
struct writer_string nsys_row_intern(struct nsys *n, struct str name);

/* The time of the begin in ticks; if there is none, bad_time is set, and the row is damaged. */
uint64_t nsys_row_begin(struct nsys *n);
/* False: it has no end. */
bool nsys_row_end(struct nsys *n, uint64_t begin, uint64_t *end);
/* The next record is the event of the row. */
void nsys_row_event(struct nsys *n);

struct writer_argument *nsys_row_argument(struct nsys *n); /* a new one */
void nsys_row_add_number(struct nsys *n, int column);      /* nothing, if that is NULL */
/* Adds `1x2x3`, of a column and the two after it. */
void nsys_row_add_size(struct nsys *n, const char *name, int x);
struct writer_arguments nsys_row_arguments(struct nsys *n);

uint64_t nsys_row_pid(int64_t global);
struct nsys_owner nsys_row_owner(struct nsys *n);
struct writer_thread nsys_row_thread(struct nsys *n, struct nsys_owner o);
/* pid: of a thread */
void nsys_row_name_object(struct nsys *n, unsigned type, uint64_t koid, uint64_t pid,
                          struct str name);
/* The number that was made for a key; *made: now. */
uint64_t nsys_row_made(struct nsys *n, const struct nsys_key *key, bool *made);
uint64_t nsys_row_gpu(struct nsys *n, uint64_t pid, int64_t device); /* its process */
struct nsys_owner nsys_row_stream(struct nsys *n, uint64_t pid);

#endif
