/* database.c - reads a database with SQLite, with each of its switches against hostile files. */
#include "src/import/tables/database.h"

#ifdef HAVE_SQLITE

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/err.h"
#include "src/base/vec.h"
#include "src/io/database_files.h"

#define PROGRESS 10000       /* steps of SQLite between two looks at the stop */
#define TEXT_MOST (64 << 20) /* bytes of a text; a longer one ends its table */
#define DEPTH_MOST 100       /* of an expression of the schema */
#define TABLES_MOST 100000
#define ROW_LEAST 4 /* bytes of a row in a page, with its place */

struct database {
    sqlite3 *db;
    sqlite3_stmt *rows;
    const atomic_bool *stop;
    const char *const *columns;
    size_t ncolumns;
    signed char at[DATABASE_COLUMNS]; /* of the statement; -1: it is not there */
    int64_t left;                     /* rows that the file has space for */
    int64_t most;
    char *why;
    VEC(char *) tables;
};

static int look(void *ctx) {
    const struct database *db = ctx;
    return atomic_load(db->stop);
}

/* Rows of tables of the file alone; `within` is the view or trigger that reads. */
static int allow(void *ctx, int what, const char *a, const char *b, const char *schema,
                 const char *within) {
    (void)ctx;
    (void)schema;
    switch (what) {
    case SQLITE_SELECT:
        return within ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_READ:
        return within ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        return a && strcmp(a, "table_info") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
        return b && strcmp(b, "count") == 0 ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static void set_why(struct database *db, const char *why) {
    free(db->why);
    size_t n = strlen(why) + 1;
    db->why = memcpy(err_malloc(n), why, n);
}

/* Keeps the fault of SQLite, unless it is the interrupt that was asked for. */
static void fail(struct database *db, int status) {
    if (status == SQLITE_NOMEM)
        err_no_memory();
    if (status != SQLITE_INTERRUPT)
        set_why(db, db->db ? sqlite3_errmsg(db->db) : sqlite3_errstr(status));
}

static bool prepare(struct database *db, char *sql, sqlite3_stmt **to) {
    if (sql == NULL)
        err_no_memory();
    int status = sqlite3_prepare_v2(db->db, sql, -1, to, NULL);
    sqlite3_free(sql);
    if (status != SQLITE_OK)
        fail(db, status);
    return status == SQLITE_OK;
}

static void guard(struct database *db) {
    static const struct {
        int id, most;
    } limits[] = {{SQLITE_LIMIT_LENGTH, TEXT_MOST},       {SQLITE_LIMIT_EXPR_DEPTH, DEPTH_MOST},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 2},      {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},        {SQLITE_LIMIT_WORKER_THREADS, 0},
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(db->db, limits[i].id, limits[i].most);
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_exec(db->db, "pragma cell_size_check = 1", NULL, NULL, NULL);
    sqlite3_drop_modules(db->db, NULL);
    sqlite3_progress_handler(db->db, PROGRESS, look, db);
    sqlite3_set_authorizer(db->db, allow, db);
}

static bool is_table(sqlite3_stmt *row) {
    static const char create[] = "create table";
    const char *type = (const char *)sqlite3_column_text(row, 0);
    const char *name = (const char *)sqlite3_column_text(row, 1);
    const char *sql = (const char *)sqlite3_column_text(row, 3);
    return type && name && sql && strcmp(type, "table") == 0 && sqlite3_column_int64(row, 2) > 0 &&
           sqlite3_strnicmp(sql, create, sizeof create - 1) == 0 &&
           sqlite3_strnicmp(name, "sqlite_", 7) != 0;
}

static void list_tables(struct database *db) {
    sqlite3_stmt *row = NULL;
    int status = SQLITE_DONE;
    if (!prepare(db, sqlite3_mprintf("select type, name, rootpage, sql from sqlite_schema"), &row))
        return;
    while (db->tables.n < TABLES_MOST && (status = sqlite3_step(row)) == SQLITE_ROW)
        if (is_table(row)) {
            const char *name = (const char *)sqlite3_column_text(row, 1);
            size_t n = strlen(name) + 1;
            vec_push(&db->tables, memcpy(err_malloc(n), name, n));
        }
    if (status != SQLITE_DONE && status != SQLITE_ROW)
        fail(db, status);
    sqlite3_finalize(row);
}

struct database *database_open(int fd, const atomic_bool *stop, const char *const *columns,
                               size_t n) {
    struct database *db = err_calloc(1, sizeof *db);
    struct stat file;
    char name[64];
    db->stop = stop;
    db->columns = columns;
    db->ncolumns = n < DATABASE_COLUMNS ? n : DATABASE_COLUMNS;
    db->most = fstat(fd, &file) == 0 ? file.st_size / ROW_LEAST : 0;
    snprintf(name, sizeof name, "file:%d?immutable=1", fd);
    int status =
        sqlite3_open_v2(name, &db->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                        database_files_vfs());
    if (db->db == NULL)
        err_no_memory();
    if (status != SQLITE_OK) {
        fail(db, status);
        return db;
    }
    guard(db);
    list_tables(db);
    return db;
}

void database_close(struct database *db) {
    if (db == NULL)
        return;
    sqlite3_finalize(db->rows);
    sqlite3_close(db->db);
    for (size_t i = 0; i < db->tables.n; i++)
        free(db->tables.v[i]);
    vec_free(&db->tables);
    free(db->why);
    free(db);
}

const char *database_table(const struct database *db, size_t i) {
    return i < db->tables.n ? db->tables.v[i] : NULL;
}

/* Which of the columns a table has: generated ones are not among them. */
static uint64_t columns_of(struct database *db, const char *table) {
    sqlite3_stmt *row = NULL;
    uint64_t found = 0;
    int status = SQLITE_DONE;
    if (!prepare(db, sqlite3_mprintf("pragma table_info(\"%w\")", table), &row))
        return 0;
    while ((status = sqlite3_step(row)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 1);
        for (size_t i = 0; name && i < db->ncolumns; i++)
            if (sqlite3_stricmp(name, db->columns[i]) == 0)
                found |= UINT64_C(1) << i;
    }
    if (status != SQLITE_DONE)
        fail(db, status);
    sqlite3_finalize(row);
    return found;
}

bool database_select(struct database *db, const char *table, uint64_t columns, const int order[2]) {
    sqlite3_finalize(db->rows);
    db->rows = NULL;
    free(db->why);
    db->why = NULL;
    db->left = db->most;
    memset(db->at, -1, sizeof db->at);
    columns &= columns_of(db, table);
    if (columns == 0)
        return false;
    sqlite3_str *sql = sqlite3_str_new(db->db);
    int n = 0;
    sqlite3_str_appendall(sql, "select ");
    for (size_t i = 0; i < db->ncolumns; i++)
        if (columns >> i & 1) {
            sqlite3_str_appendf(sql, "%s\"%w\"", n > 0 ? ", " : "", db->columns[i]);
            db->at[i] = (signed char)n++;
        }
    sqlite3_str_appendf(sql, " from main.\"%w\"", table);
    const char *word = " order by ";
    for (int i = 0; i < 2; i++)
        if (order[i] >= 0 && db->at[order[i]] >= 0) {
            sqlite3_str_appendf(sql, "%s%d", word, db->at[order[i]] + 1);
            word = ", ";
        }
    return prepare(db, sqlite3_str_finish(sql), &db->rows);
}

bool database_next(struct database *db) {
    int status = sqlite3_step(db->rows);
    if (status == SQLITE_ROW && db->left-- > 0)
        return true;
    if (status == SQLITE_ROW)
        set_why(db, "it has more rows than the file has space for");
    else if (status != SQLITE_DONE)
        fail(db, status);
    return false;
}

const char *database_why(const struct database *db) {
    return db->why;
}

int64_t database_count(struct database *db, const char *table) {
    sqlite3_stmt *row = NULL;
    int64_t n = 0;
    if (!prepare(db, sqlite3_mprintf("select count(*) from main.\"%w\"", table), &row))
        return 0;
    int status = sqlite3_step(row);
    if (status == SQLITE_ROW)
        n = sqlite3_column_int64(row, 0);
    else
        fail(db, status);
    sqlite3_finalize(row);
    return n;
}

static int type_of(const struct database *db, int column) {
    int at = db->at[column];
    return at < 0 ? SQLITE_NULL : sqlite3_column_type(db->rows, at);
}

bool database_has(const struct database *db, int column) {
    return type_of(db, column) != SQLITE_NULL;
}

bool database_whole(const struct database *db, int column, int64_t *v) {
    if (type_of(db, column) != SQLITE_INTEGER)
        return false;
    *v = sqlite3_column_int64(db->rows, db->at[column]);
    return true;
}

bool database_real(const struct database *db, int column, double *v) {
    if (type_of(db, column) != SQLITE_FLOAT)
        return false;
    *v = sqlite3_column_double(db->rows, db->at[column]);
    return true;
}

bool database_text(const struct database *db, int column, struct str *text) {
    if (type_of(db, column) != SQLITE_TEXT)
        return false;
    text->s = (const char *)sqlite3_column_text(db->rows, db->at[column]);
    text->n = (size_t)sqlite3_column_bytes(db->rows, db->at[column]);
    if (text->s == NULL)
        err_no_memory();
    return true;
}

#endif
