/* answer.c - a query on a thread of its own.
 *
 * A thread runs one question, or ranks one column, and ends. Rows are in `kept`, which may be read
 * meanwhile; all else is read after the thread has ended. The database stays for the next question
 * as long as the trace is the same, so that views and tables of statements last. The stop flag is
 * that of the query, and one for ranks. */
#include "sql/answer/answer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/output/chars.h"
#include "model/trace/trace.h"
#include "sql/answer/kept.h"
#include "sql/registry.h"
#include "src/base/clock.h"
#include "src/base/thread.h"

/* The clock of a wait: one that is never set, if the system can wait by it. */
#ifdef HAVE_PTHREAD_CONDATTR_SETCLOCK
#define WAIT_CLOCK CLOCK_MONOTONIC
#else
#define WAIT_CLOCK CLOCK_REALTIME
#endif

struct sql_answer {
    struct trace *trace;
    struct query *query;
    uint64_t memory;  /* of a query, in bytes; 0: the default */
    uint64_t version; /* of the trace, that the query was made for */
    uint32_t generation;
    struct chars sql;
    struct kept kept;
    char **names;     /* of its columns */
    uint32_t **ranks; /* by column; NULL: not known */
    int ranking;      /* the column that the thread ranks; -1: it runs the query */
    int64_t began, took;
    struct left_out left_out, damaged_rows; /* of the query that has ended */
    bool asked;
    struct err err;
    enum answer_state end;
    /* between the threads */
    pthread_t thread;
    bool running; /* a thread was started, and not joined so far */
    atomic_bool done, stop, headed;
    _Atomic(struct query *) stoppable; /* the query that may be stopped */
    pthread_mutex_t lock;
    pthread_cond_t news; /* done */
};

static struct sql_answer *make(struct trace *trace, uint64_t memory) {
    struct sql_answer *a = err_calloc(1, sizeof *a);
    pthread_condattr_t clock;
    a->trace = trace;
    a->memory = memory;
    a->ranking = -1;
    pthread_mutex_init(&a->lock, NULL);
    pthread_condattr_init(&clock);
#ifdef HAVE_PTHREAD_CONDATTR_SETCLOCK
    pthread_condattr_setclock(&clock, WAIT_CLOCK);
#endif
    pthread_cond_init(&a->news, &clock);
    pthread_condattr_destroy(&clock);
    return a;
}

/* ---- the thread ---- */

/* The columns are known: from now on the other thread may ask for them. */
static void set_head(struct sql_answer *a) {
    int columns = query_columns(a->query);
    kept_init(&a->kept, columns, query_has_places(a->query), ANSWER_ROWS);
    a->names = err_calloc((size_t)columns + 1, sizeof *a->names);
    for (int c = 0; c < columns; c++) {
        const char *name = query_column(a->query, c);
        a->names[c] = err_copy(name, strlen(name));
    }
    atomic_store(&a->headed, true);
}

/* Runs the statements; the rows of the last one are kept. */
static enum answer_state run(struct sql_answer *a) {
    enum query_state state = QUERY_FAILED;
    if (a->query == NULL)
        a->query = query_new(a->trace, &(struct query_options){.memory = a->memory}, &a->err);
    if (a->query == NULL || !query_begin(a->query, (struct str){a->sql.v, a->sql.n}, &a->err))
        return ANSWER_FAILED;
    atomic_store(&a->stoppable, a->query);
    if (atomic_load(&a->stop)) /* since before that */
        return ANSWER_STOPPED;
    while ((state = query_step(a->query, &a->err)) == QUERY_ROW ||
           (state == QUERY_DONE && !atomic_load(&a->headed))) {
        if (!atomic_load(&a->headed))
            set_head(a);
        if (state == QUERY_DONE)
            break;
        if (kept_rows(&a->kept) >= ANSWER_ROWS || a->kept.bytes > ANSWER_BYTES)
            return ANSWER_FULL;
        kept_add(&a->kept, a->query);
    }
    if (state == QUERY_DONE)
        return ANSWER_DONE;
    return state == QUERY_STOPPED ? ANSWER_STOPPED : ANSWER_FAILED;
}

static void *work(void *ctx) {
    struct sql_answer *a = ctx;
    if (a->ranking >= 0) {
        uint32_t *ranks = kept_ranks(&a->kept, kept_rows(&a->kept), a->ranking, &a->stop);
        if (atomic_load(&a->stop))
            free(ranks);
        else
            a->ranks[a->ranking] = ranks;
    } else {
        a->end = run(a);
        a->left_out = a->damaged_rows = (struct left_out){0};
        if (a->query) {
            a->damaged_rows = query_damaged_rows(a->query);
            a->left_out = query_left_out(a->query);
            query_end(a->query);
        }
        a->took = clock_now() - a->began;
    }
    pthread_mutex_lock(&a->lock);
    atomic_store(&a->stoppable, NULL);
    atomic_store(&a->done, true);
    pthread_cond_signal(&a->news);
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Two threads may read a file that is mapped whole alone: then the window of file_span() does not
 * move. */
static void start(struct sql_answer *a) {
    struct file *file = trace_file(a->trace);
    size_t n;
    atomic_store(&a->done, false);
    atomic_store(&a->stop, false);
    if (!file_is_whole(file))
        file_span(file, 0, SIZE_MAX, &n);
    a->running = file_is_whole(file) && thread_start(&a->thread, work, a);
    if (!a->running)
        work(a);
}

/* Whether a thread is under way; joins one that has ended. */
static bool busy(struct sql_answer *a) {
    if (!a->running)
        return false;
    if (!atomic_load(&a->done))
        return true;
    pthread_join(a->thread, NULL);
    a->running = false;
    return false;
}

static void wait_for(struct sql_answer *a, int64_t ns) {
    if (!a->running)
        return;
    pthread_mutex_lock(&a->lock);
    struct timespec at;
    clock_gettime(WAIT_CLOCK, &at);
    int64_t past = at.tv_nsec + (ns == INT64_MAX ? 0 : ns);
    at = (struct timespec){at.tv_sec + past / 1000000000, past % 1000000000};
    while (!atomic_load(&a->done))
        if ((ns == INT64_MAX ? pthread_cond_wait(&a->news, &a->lock)
                             : pthread_cond_timedwait(&a->news, &a->lock, &at)) == ETIMEDOUT)
            break;
    pthread_mutex_unlock(&a->lock);
    busy(a);
}

static void stop(struct sql_answer *a) {
    if (!a->running)
        return;
    atomic_store(&a->stop, true);
    pthread_mutex_lock(&a->lock); /* the query lives while it is there */
    struct query *query = atomic_load(&a->stoppable);
    if (query)
        query_stop(query);
    pthread_mutex_unlock(&a->lock);
}

/* ---- rows ---- */

static void forget_rows(struct sql_answer *a) {
    for (int c = 0; c < a->kept.columns; c++) {
        if (a->ranks)
            free(a->ranks[c]);
        free(a->names[c]);
    }
    free(a->ranks);
    free(a->names);
    a->ranks = NULL;
    a->names = NULL;
    kept_free(&a->kept);
    atomic_store(&a->headed, false);
}

static void halt(struct sql_answer *a) {
    stop(a);
    wait_for(a, INT64_MAX);
    query_free(a->query);
    a->query = NULL;
}

static void release(struct sql_answer *a) {
    if (a == NULL)
        return;
    halt(a);
    forget_rows(a);
    vec_free(&a->sql);
    pthread_cond_destroy(&a->news);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

static void ask(struct sql_answer *a, struct str sql) {
    wait_for(a, INT64_MAX);
    forget_rows(a);
    if (a->query &&
        (a->version != trace_version(a->trace) || a->generation != trace_generation(a->trace))) {
        query_free(a->query);
        a->query = NULL;
    }
    a->version = trace_version(a->trace);
    a->generation = trace_generation(a->trace);
    a->sql.n = 0;
    chars_add(&a->sql, sql);
    a->asked = true;
    a->ranking = -1;
    a->began = clock_now();
    a->err = (struct err){"", ERR_NO_OFFSET};
    trace_share(a->trace);
    start(a);
}

static struct answer_look look(struct sql_answer *a) {
    bool running = busy(a), headed = atomic_load(&a->headed);
    struct answer_look l = {.err = &a->err, .rows = headed ? kept_rows(&a->kept) : 0};
    l.columns = headed ? a->kept.columns : 0;
    l.sorting = running && a->ranking >= 0;
    if (!a->asked)
        l.state = ANSWER_NONE;
    else
        l.state = running && a->ranking < 0 ? ANSWER_RUNNING : a->end;
    if (l.state == ANSWER_DONE || l.state == ANSWER_FULL) {
        l.left_out = a->left_out;
        l.damaged_rows = a->damaged_rows;
    }
    l.ns = l.state == ANSWER_RUNNING ? clock_now() - a->began : a->took;
    return l;
}

static const char *column(const struct sql_answer *a, int c) {
    return a->names[c];
}

static bool is_number(const struct sql_answer *a, int c) {
    return kept_is(&a->kept, c, 1u << QUERY_INTEGER | 1u << QUERY_REAL);
}

static bool is_integer(const struct sql_answer *a, int c) {
    return kept_is(&a->kept, c, 1u << QUERY_INTEGER);
}

static struct query_cell cell(const struct sql_answer *a, uint64_t row, int c) {
    return kept_cell(&a->kept, row, c);
}

static struct query_place place(const struct sql_answer *a, uint64_t row) {
    return kept_place(&a->kept, row);
}

static bool ranked(struct sql_answer *a, int c) {
    if (busy(a) || c >= a->kept.columns)
        return false;
    if (a->ranks == NULL)
        a->ranks = err_calloc((size_t)a->kept.columns + 1, sizeof *a->ranks);
    if (a->ranks[c])
        return true;
    a->ranking = c;
    start(a);
    return a->ranks[c] != NULL && !a->running;
}

static uint32_t rank(const struct sql_answer *a, int c, uint64_t row) {
    return a->ranks && a->ranks[c] ? a->ranks[c][row] : 0;
}

static void add_word(struct chars *out, struct str table, struct str column) {
    chars_add(out, table);
    chars_put(out, ' ');
    chars_add(out, column);
    chars_put(out, '\n');
}

/* The tables of the trace, then the views. */
static char *words(struct trace *trace) {
    static const char views[] =
        "SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c "
        "WHERE t.type = 'view' ORDER BY t.name, c.cid";
    struct chars out = {0};
    struct err err;
    const struct table *table;
    for (size_t i = 0; (table = registry_table(i)) != NULL; i++) {
        add_word(&out, str_of(table->name), STR(""));
        for (int c = 0; c < table->ncolumns; c++)
            if (!table->columns[c].hidden)
                add_word(&out, str_of(table->name), str_of(table->columns[c].name));
    }
    struct query *query = query_new(trace, &(struct query_options){0}, &err);
    struct chars last = {0};
    if (query && query_begin(query, str_of(views), &err))
        while (query_step(query, &err) == QUERY_ROW) {
            struct str name = query_cell(query, 0).text;
            bool again = name.n == last.n && last.n > 0 && memcmp(name.s, last.v, name.n) == 0;
            if (!again) {
                add_word(&out, name, STR(""));
                last.n = 0;
                chars_add(&last, name);
            }
            add_word(&out, name, query_cell(query, 1).text);
        }
    query_free(query);
    vec_free(&last);
    chars_add(&out, (struct str){"", 1});
    return out.v;
}

const struct sql_answer_ops *answer_ops_known(void) {
    static const struct sql_answer_ops ops = {.make = make,
                                              .free = release,
                                              .ask = ask,
                                              .stop = stop,
                                              .halt = halt,
                                              .busy = busy,
                                              .wait = wait_for,
                                              .look = look,
                                              .column = column,
                                              .is_number = is_number,
                                              .is_integer = is_integer,
                                              .cell = cell,
                                              .place = place,
                                              .ranked = ranked,
                                              .rank = rank,
                                              .words = words};
    return &ops;
}
