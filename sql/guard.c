/* guard.c - what a statement may do.
 *
 * SQLite asks the authorizer for each action while it compiles a statement. A list has what is
 * allowed; everything else is refused in a sentence. The tables of the trace cannot be written
 * anyway, because their module has no update. */
#include "sql/guard.h"

#include <string.h>

static const char *const pragmas[] = {"table_info", "table_xinfo", "table_list", "function_list"};
static const char *const refused_functions[] = {"load_extension", "fts3_tokenizer", "fts5",
                                                "writefile",      "readfile",       "edit"};
static const char *const made_modules[] = {"span_join", "span_left_join", "span_outer_join"};

static bool is_one_of(const char *word, const char *const *list, size_t n) {
    for (size_t i = 0; word && i < n; i++)
        if (sqlite3_stricmp(word, list[i]) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof *(list))

static bool is_temp(const char *database) {
    return database && sqlite3_stricmp(database, "temp") == 0;
}

static int refuse(struct guard *guard, const char *what) {
    sqlite3_snprintf((int)sizeof guard->why, guard->why, "fxtop only reads: %s is not allowed",
                     what);
    return SQLITE_DENY;
}

static int refuse_action(struct guard *guard, int action) {
    static const struct {
        int action;
        const char *what;
    } names[] = {
        {SQLITE_ATTACH, "ATTACH"},
        {SQLITE_DETACH, "DETACH"},
        {SQLITE_PRAGMA, "this PRAGMA"},
        {SQLITE_TRANSACTION, "a transaction"},
        {SQLITE_SAVEPOINT, "SAVEPOINT"},
        {SQLITE_FUNCTION, "this function"},
        {SQLITE_INSERT, "INSERT into a table of the trace"},
        {SQLITE_UPDATE, "UPDATE of a table of the trace"},
        {SQLITE_DELETE, "DELETE from a table of the trace"},
        {SQLITE_CREATE_TABLE, "CREATE TABLE outside of temp"},
        {SQLITE_CREATE_VIEW, "CREATE VIEW outside of temp"},
        {SQLITE_CREATE_INDEX, "CREATE INDEX outside of temp"},
        {SQLITE_CREATE_TRIGGER, "CREATE TRIGGER"},
        {SQLITE_CREATE_TEMP_TRIGGER, "CREATE TRIGGER"},
        {SQLITE_CREATE_VTABLE, "this kind of CREATE VIRTUAL TABLE"},
        {SQLITE_ALTER_TABLE, "ALTER TABLE"},
        {SQLITE_REINDEX, "REINDEX"},
        {SQLITE_ANALYZE, "ANALYZE"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].action == action)
            return refuse(guard, names[i].what);
    return refuse(guard, "this statement");
}

static int authorize(void *ctx, int action, const char *a, const char *b, const char *database,
                     const char *view) {
    struct guard *guard = ctx;
    (void)view;
    if (guard->open || *guard->declaring)
        return SQLITE_OK;
    bool fine = false;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_DROP_TEMP_TABLE:
    case SQLITE_DROP_TEMP_VIEW:
    case SQLITE_DROP_TEMP_INDEX:
        fine = true;
        break;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
    case SQLITE_REINDEX:
        fine = is_temp(database);
        break;
    case SQLITE_FUNCTION:
        fine = !IS_ONE_OF(b, refused_functions);
        break;
    case SQLITE_PRAGMA:
        fine = IS_ONE_OF(a, pragmas);
        break;
    case SQLITE_CREATE_VTABLE:
    case SQLITE_DROP_VTABLE:
        fine = is_temp(database) && IS_ONE_OF(b, made_modules);
        break;
    default:
        break;
    }
    return fine ? SQLITE_OK : refuse_action(guard, action);
}

int guard_set(sqlite3 *db, struct guard *guard) {
    static const struct {
        int id, most;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH, 64 << 20},
        {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
        {SQLITE_LIMIT_COLUMN, 200},
        {SQLITE_LIMIT_EXPR_DEPTH, 100},
        {SQLITE_LIMIT_COMPOUND_SELECT, 50},
        {SQLITE_LIMIT_VDBE_OP, 250000},
        {SQLITE_LIMIT_FUNCTION_ARG, 32},
        {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
        {SQLITE_LIMIT_WORKER_THREADS, 1},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(db, limits[i].id, limits[i].most);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    /* Perfetto takes "a text" in double quotes, too, if there is no such column. */
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 1, NULL);
    return sqlite3_set_authorizer(db, authorize, guard);
}
