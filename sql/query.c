/* query.c - statements of SQL over a trace.
 *
 * Statements are prepared one after another, because each may make what the next one reads. A
 * statement is the last if only blanks and comments follow it; the rows of the others are passed
 * over. One that adds up rows is asked of batches of them, where that gives the same
 * (batch/batch.h). SQLite calls the progress handler every 1,000 instructions, which looks at the
 * stop flag, as do the loops of rows.c. Faults name the byte of the text that was typed. */
#include "sql/query.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sql/answer/columns.h"
#include "sql/batch/plan.h"
#include "sql/batch/sums.h"
#include "sql/functions.h"
#include "sql/guard.h"
#include "sql/made.h"
#include "sql/registry.h"
#include "sql/rewrite/rewrite.h"
#include "src/base/text.h"
#include "src/io/database_files.h"

#define PROGRESS 1000 /* instructions between two looks at the flag */

struct query {
    sqlite3 *db;
    sqlite3 *batches; /* the database of batches; NULL: none was asked for */
    sqlite3_stmt *statement;
    sqlite3_stmt *by_rows; /* the same as a statement of batches that has given no row yet */
    struct source source;
    struct guard guard;
    struct made *made;            /* functions of statements */
    struct rewrite_macros macros; /* of statements */
    struct rewrite sql;
    size_t functions;       /* of the text that are made */
    size_t at, started;     /* of the next statement, of the present one, in the rewritten text */
    struct columns columns; /* of the last statement, once it is begun */
    uint64_t memory;
    uint64_t most, looks; /* instructions; looks at the flag */
    bool begun;
    bool functions_made; /* statements have made functions so far */
};

static int look(void *ctx) {
    struct query *q = ctx;
    q->looks++;
    if (q->most > 0 && q->looks * PROGRESS > q->most)
        source_stop(&q->source);
    return source_stopped(&q->source);
}

static uint64_t least_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t quarter =
        pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 4 : UINT64_C(1) << 30;
    return quarter < UINT64_C(1) << 30 ? quarter : UINT64_C(1) << 30;
}

static bool fail(struct query *q, struct err *err, const char *why, uint64_t at) {
    char safe[200];
    text_plain(safe, sizeof safe, str_of(why), 0);
    (void)q;
    return err_set(err, at, "%s", safe);
}

/* IMPORT(name): Perfetto's former way to include a module. */
static void import_module(sqlite3_context *out, int n, sqlite3_value **v) {
    (void)n;
    if (!rewrite_module_known(functions_text(v[0])))
        sqlite3_result_error(
            out, "IMPORT: fxtop has no such module; INCLUDE PERFETTO MODULE lists what it has", -1);
}

static const struct functions_scalar import_function = {"import", 1, import_module, 0};

struct query *query_new(struct trace *trace, const struct query_options *options, struct err *err) {
    struct query *q = err_calloc(1, sizeof *q);
    source_init(&q->source, trace);
    q->memory = options->memory > 0 ? options->memory : least_memory();
    q->most = options->instructions;
    int status = sqlite3_open_v2(":memory:", &q->db,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                                 database_files_vfs());
    q->guard = (struct guard){.open = true, .declaring = &q->source.declaring};
    if (status == SQLITE_OK) {
        q->made = made_new(q->db, &q->source.declaring);
        sqlite3_hard_heap_limit64((sqlite3_int64)q->memory);
        sqlite3_progress_handler(q->db, PROGRESS, look, q);
        status = guard_set(q->db, &q->guard);
    }
    if (status == SQLITE_OK)
        status = functions_register(q->db, &q->source);
    if (status == SQLITE_OK)
        status = functions_add(q->db, &q->source, &import_function, 1);
    if (status == SQLITE_OK)
        status = registry_fill(q->db, &q->source);
    q->guard.open = false;
    if (status == SQLITE_OK && made_library(q->made, err))
        return q;
    if (status != SQLITE_OK)
        fail(q, err, q->db ? sqlite3_errmsg(q->db) : sqlite3_errstr(status), ERR_NO_OFFSET);
    query_free(q);
    return NULL;
}

static void finalize(struct query *q) {
    sqlite3_finalize(q->statement);
    sqlite3_finalize(q->by_rows);
    q->statement = q->by_rows = NULL;
}

void query_free(struct query *q) {
    if (q == NULL)
        return;
    finalize(q);
    made_free(q->made);
    sqlite3_close(q->batches);
    sqlite3_close(q->db);
    rewrite_free(&q->sql);
    rewrite_macros_free(&q->macros);
    source_free(&q->source);
    free(q);
}

bool query_begin(struct query *q, struct str sql, struct err *err) {
    finalize(q);
    q->begun = false;
    q->at = q->started = 0;
    q->looks = 0;
    source_forget_open(&q->source);
    atomic_store(&q->source.stop, false);
    rewrite_free(&q->sql);
    q->functions = 0;
    return rewrite_sql(&q->sql, &q->macros, sql, err);
}

void query_stop(struct query *q) {
    source_stop(&q->source);
}

void query_end(struct query *q) {
    finalize(q);
}

struct left_out query_left_out(struct query *q) {
    struct left_out n = slice_iter_left_out_all(q->source.trace);
    if (!(q->source.left_out & SLICE_ITER_SLICES))
        n.slices = n.unset.slices = 0;
    if (!(q->source.left_out & SLICE_ITER_STATES))
        n.states = n.unset.states = 0;
    if (!(q->source.left_out & SLICE_ITER_FLOWS))
        n.hops = n.unset.hops = 0;
    q->source.left_out = 0;
    return n;
}

struct left_out query_damaged_rows(const struct query *q) {
    struct left_out n = slice_iter_left_out_all(q->source.trace);
    if (!q->source.damaged_rows)
        return (struct left_out){0};
    return (struct left_out){.slices = n.slices, .unset.slices = n.unset.slices};
}

struct unended query_unended(struct query *q) {
    return unended_take(&q->source);
}

/* The place of a table that does not exist, which SQLite only names, in the statement; -1: another
 * fault. */
static int place_of_table(const struct query *q) {
    static const char says[] = "no such table: ";
    const char *name = sqlite3_errmsg(q->db);
    if (strncmp(name, says, sizeof says - 1) != 0)
        return -1;
    name += sizeof says - 1;
    size_t n = strlen(name);
    for (size_t at = q->started; n > 0 && at + n <= q->at && at + n <= q->sql.text.n; at++)
        if (sqlite3_strnicmp(q->sql.text.v + at, name, (int)n) == 0)
            return (int)(at - q->started);
    return -1;
}

static const char *message(const struct query *q) {
    return sqlite3_errmsg(q->statement ? sqlite3_db_handle(q->statement) : q->db);
}

/* Sets err to the fault and its place in the typed text. */
static enum query_state failed(struct query *q, int status, bool compiling, struct err *err) {
    if (status == SQLITE_INTERRUPT || source_stopped(&q->source))
        return QUERY_STOPPED;
    int offset = compiling ? sqlite3_error_offset(q->db) : -1;
    if (compiling && offset < 0)
        offset = place_of_table(q);
    uint64_t at =
        offset >= 0 ? rewrite_offset(&q->sql, q->started + (size_t)offset) : ERR_NO_OFFSET;
    if (status == SQLITE_AUTH && q->guard.why[0]) {
        fail(q, err, q->guard.why, rewrite_offset(&q->sql, q->started));
    } else if (status == SQLITE_NOMEM) {
        err_set(err, ERR_NO_OFFSET,
                "the query needs more than %llu MB of memory: --query-memory allows more",
                (unsigned long long)(q->memory >> 20));
    } else if (status == SQLITE_FULL) {
        err_set(err, ERR_NO_OFFSET,
                "the temporary file of the query would leave the disk too little space: TMPDIR "
                "names another place");
    } else if (status == SQLITE_IOERR || status == SQLITE_CANTOPEN) {
        err_set(err, ERR_NO_OFFSET,
                "the temporary file of the query could not be written: TMPDIR names another place");
    } else if (strcmp(message(q), "integer overflow") == 0) {
        err_set(err, ERR_NO_OFFSET,
                "integer overflow: the result is beyond 2^63-1; total(x) sums as REAL");
    } else {
        fail(q, err, message(q), at);
    }
    return QUERY_FAILED;
}

/* Goes to the next statement and makes the functions before it. */
static bool go_on(struct query *q, struct err *err) {
    finalize(q);
    q->guard.why[0] = '\0';
    q->at += rewrite_blank(q->sql.text.v + q->at, q->sql.text.n - q->at);
    q->started = q->at;
    bool made = made_add(q->made, &q->sql, &q->functions, q->at, err);
    q->functions_made = q->functions_made || q->functions > 0;
    return made;
}

/* Prepares the statement; without one it is NULL. */
static int prepare(struct query *q) {
    const char *rest;
    int status = sqlite3_prepare_v3(q->db, q->sql.text.v + q->at, (int)(q->sql.text.n - q->at), 0,
                                    &q->statement, &rest);
    q->at = rest ? (size_t)(rest - q->sql.text.v) : q->sql.text.n;
    return status;
}

static bool is_last(const struct query *q) {
    return q->at + rewrite_blank(q->sql.text.v + q->at, q->sql.text.n - q->at) >= q->sql.text.n;
}

/* Runs all statements before the last one, and prepares that. */
static enum query_state begin(struct query *q, struct err *err) {
    for (;;) {
        if (!go_on(q, err))
            return QUERY_FAILED;
        int status = prepare(q);
        if (status != SQLITE_OK)
            return failed(q, status, true, err);
        if (is_last(q))
            return QUERY_ROW;
        while (q->statement && (status = sqlite3_step(q->statement)) == SQLITE_ROW)
            ;
        if (status != SQLITE_OK && status != SQLITE_DONE)
            return failed(q, sqlite3_extended_errcode(q->db) & 0xff, false, err);
    }
}

/* ---- batches ---- */

/* A database in which rows are batches; false: there is none. */
static bool open_batches(struct query *q) {
    if (q->batches)
        return true;
    int status = sqlite3_open_v2(":memory:", &q->batches,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                                 database_files_vfs());
    if (status == SQLITE_OK) {
        sqlite3_progress_handler(q->batches, PROGRESS, look, q);
        status = guard_set(q->batches, &q->guard);
    }
    if (status == SQLITE_OK)
        status = functions_register(q->batches, &q->source);
    if (status == SQLITE_OK)
        status = sums_register(q->batches, &q->source);
    q->guard.open = true; /* while tables connect */
    if (status == SQLITE_OK)
        status = registry_fill_batches(q->batches, &q->source);
    q->guard.open = false;
    if (status != SQLITE_OK) {
        sqlite3_close(q->batches);
        q->batches = NULL;
    }
    return status == SQLITE_OK;
}

/* Takes the statement of the database of batches instead, if that gives the same rows. Nothing of
 * tables that statements made are there. */
static void take_batches(struct query *q) {
    sqlite3_stmt *statement = NULL;
    const char *sql = q->sql.text.v + q->started;
    size_t n = q->at - q->started;
    if (q->statement == NULL || q->functions_made || !sqlite3_stmt_readonly(q->statement) ||
        sqlite3_stmt_isexplain(q->statement) || !open_batches(q) || registry_hides_batches(q->db))
        return;
    if (!plan_sound(q->batches, sql, n, &q->source.batch_columns) ||
        sqlite3_prepare_v3(q->batches, sql, (int)n, 0, &statement, NULL) != SQLITE_OK)
        return;
    q->by_rows = q->statement;
    q->statement = statement;
}

/* The first step of a statement of batches. If it fails, it is asked again row by row. */
static int first_step(struct query *q) {
    int status = sqlite3_step(q->statement);
    if (status == SQLITE_ROW || status == SQLITE_DONE || source_stopped(&q->source)) {
        sqlite3_finalize(q->by_rows);
        q->by_rows = NULL;
        return status;
    }
    sqlite3_finalize(q->statement);
    q->statement = q->by_rows;
    q->by_rows = NULL;
    columns_find(&q->columns, q->statement);
    return sqlite3_step(q->statement);
}

enum query_state query_step(struct query *q, struct err *err) {
    if (!q->begun) {
        enum query_state state = begin(q, err);
        if (state != QUERY_ROW)
            return state;
        q->begun = true;
        take_batches(q);
        columns_find(&q->columns, q->statement);
    }
    if (q->statement == NULL)
        return QUERY_DONE;
    int status = q->by_rows ? first_step(q) : sqlite3_step(q->statement);
    if (status == SQLITE_ROW)
        return QUERY_ROW;
    return status == SQLITE_DONE ? QUERY_DONE : failed(q, status, false, err);
}

int query_columns(const struct query *q) {
    return q->statement ? sqlite3_column_count(q->statement) : 0;
}

const char *query_column(const struct query *q, int column) {
    const char *name = sqlite3_column_name(q->statement, column);
    return name ? name : "";
}

struct query_cell query_cell(const struct query *q, int column) {
    struct query_cell cell = {.type = QUERY_NULL};
    switch (sqlite3_column_type(q->statement, column)) {
    case SQLITE_INTEGER:
        cell.type = QUERY_INTEGER;
        cell.integer = sqlite3_column_int64(q->statement, column);
        break;
    case SQLITE_FLOAT:
        cell.type = QUERY_REAL;
        cell.real = sqlite3_column_double(q->statement, column);
        break;
    case SQLITE_TEXT:
        cell.type = QUERY_TEXT;
        cell.text.s = (const char *)sqlite3_column_text(q->statement, column);
        break;
    case SQLITE_BLOB:
        cell.type = QUERY_BLOB;
        cell.text.s = sqlite3_column_blob(q->statement, column);
        break;
    default:
        break;
    }
    if (cell.type >= QUERY_TEXT)
        cell.text.n = cell.text.s ? (size_t)sqlite3_column_bytes(q->statement, column) : 0;
    if (cell.text.s == NULL)
        cell.text.s = "";
    return cell;
}

bool query_has_places(const struct query *q) {
    return q->columns.any;
}

struct query_place query_place(struct query *q) {
    struct query_place place;
    columns_place(&q->columns, q->statement, &q->source, &place);
    return place;
}

/* ---- a database of its own ---- */

static bool done_or_failed(struct query *q, int status, struct err *err) {
    if (status == SQLITE_FULL)
        return err_set(err, ERR_NO_OFFSET,
                       "the database would leave the disk of its temporary file too little space: "
                       "TMPDIR names another place");
    return status == SQLITE_OK || (failed(q, status & 0xff, false, err) == QUERY_STOPPED
                                       ? err_set(err, ERR_NO_OFFSET, "stopped")
                                       : false);
}

bool query_attach(struct query *q, int fd, struct err *err) {
    q->guard.open = true;
    sqlite3_limit(q->db, SQLITE_LIMIT_ATTACHED, 1);
    char *sql = sqlite3_mprintf(
        "ATTACH '%d' AS saved; PRAGMA saved.journal_mode = MEMORY; PRAGMA saved.synchronous = OFF",
        fd);
    int status = sql ? sqlite3_exec(q->db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return done_or_failed(q, status, err);
}

bool query_save(struct query *q, struct err *err) {
    int status = registry_save(q->db);
    if (status == SQLITE_OK)
        status = sqlite3_exec(q->db, "DETACH saved", NULL, NULL, NULL);
    return done_or_failed(q, status, err);
}
