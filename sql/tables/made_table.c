/* made_table.c - table functions that statements make.
 *
 * A table of its own module, which is there by its name. Arguments are hidden columns after those
 * of the result, with a '$' before their names, so that both may be called the same. A cursor has a
 * statement of its own; a call inside a call of the same function is refused. */
#include "sql/tables/made_table.h"

#include <stdlib.h>

#include "sql/table.h"

struct vtab {
    sqlite3_vtab base;
    struct made_table *table;
};

struct cursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *statement;
    sqlite3_int64 row;
    bool end;
};

void made_table_free(struct made_table *t) {
    for (int i = 0; i < t->ncolumns; i++) {
        free(t->columns[i]);
        free(t->types[i]);
    }
    for (int i = 0; i < t->narguments; i++)
        free(t->arguments[i]);
    free(t->name);
    free(t->body);
    free(t);
}

static void release(void *of) {
    made_table_free(of);
}

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **error) {
    struct made_table *t = aux;
    sqlite3_str *sql = sqlite3_str_new(db);
    (void)argc;
    (void)argv;
    (void)error;
    for (int c = 0; c < t->ncolumns; c++)
        sqlite3_str_appendf(sql, "%s\"%w\" %s", c ? "," : "CREATE TABLE x(", t->columns[c],
                            t->types[c]);
    for (int i = 0; i < t->narguments; i++)
        sqlite3_str_appendf(sql, ",\"%w\" HIDDEN", t->arguments[i]);
    sqlite3_str_appendf(sql, ")");
    int status = table_declare(db, sql, t->declaring);
    struct vtab *vtab = status == SQLITE_OK ? sqlite3_malloc(sizeof *vtab) : NULL;
    if (vtab == NULL)
        return status == SQLITE_OK ? SQLITE_NOMEM : status;
    *vtab = (struct vtab){.table = t};
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    *out = &vtab->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *vtab) {
    sqlite3_free(vtab);
    return SQLITE_OK;
}

static int fail(sqlite3_vtab *base, const char *why) {
    return table_fail(base, ((struct vtab *)base)->table->name, why);
}

/* Every argument needs a value; they are passed in their order. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
    const struct made_table *t = ((struct vtab *)base)->table;
    int given = 0;
    for (int a = 0; a < t->narguments; a++) {
        bool unusable = false, found = false;
        for (int i = 0; i < info->nConstraint && !found; i++) {
            const struct sqlite3_index_constraint *x = &info->aConstraint[i];
            if (x->iColumn != t->ncolumns + a || x->op != SQLITE_INDEX_CONSTRAINT_EQ)
                continue;
            unusable = unusable || !x->usable;
            if (!x->usable)
                continue;
            found = true;
            info->aConstraintUsage[i].argvIndex = ++given;
            info->aConstraintUsage[i].omit = 1;
        }
        if (!found && unusable)
            return SQLITE_CONSTRAINT; /* another order of the join has the value */
        if (!found)
            return fail(base, "an argument is missing");
    }
    info->estimatedRows = 25;
    info->estimatedCost = 200;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
    struct cursor *cursor = sqlite3_malloc(sizeof *cursor);
    (void)base;
    if (cursor == NULL)
        return SQLITE_NOMEM;
    *cursor = (struct cursor){.end = true};
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    struct cursor *cursor = (struct cursor *)base;
    sqlite3_finalize(cursor->statement);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base) {
    struct cursor *cursor = (struct cursor *)base;
    struct made_table *t = ((struct vtab *)base->pVtab)->table;
    t->depth++;
    int status = sqlite3_step(cursor->statement);
    t->depth--;
    cursor->row++;
    cursor->end = status != SQLITE_ROW;
    if (status == SQLITE_ROW || status == SQLITE_DONE)
        return SQLITE_OK;
    if (status != SQLITE_INTERRUPT && status != SQLITE_NOMEM)
        fail(base->pVtab, sqlite3_errmsg(t->db));
    return status;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *how, int argc,
                  sqlite3_value **argv) {
    struct cursor *cursor = (struct cursor *)base;
    struct made_table *t = ((struct vtab *)base->pVtab)->table;
    (void)number;
    (void)how;
    if (t->depth > 0)
        return fail(base->pVtab, "a PERFETTO FUNCTION cannot call itself");
    if (cursor->statement == NULL &&
        sqlite3_prepare_v3(t->db, t->body, -1, SQLITE_PREPARE_PERSISTENT, &cursor->statement,
                           NULL) != SQLITE_OK)
        return fail(base->pVtab, sqlite3_errmsg(t->db));
    if (sqlite3_column_count(cursor->statement) != t->ncolumns)
        return fail(base->pVtab, "its select has another number of columns than its TABLE");
    sqlite3_reset(cursor->statement);
    sqlite3_clear_bindings(cursor->statement);
    for (int i = 0; i < argc && i < t->narguments; i++)
        sqlite3_bind_value(cursor->statement,
                           sqlite3_bind_parameter_index(cursor->statement, t->arguments[i]),
                           argv[i]);
    cursor->row = -1;
    return next(base);
}

static int at_end(sqlite3_vtab_cursor *base) {
    return ((struct cursor *)base)->end;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *out, int c) {
    struct cursor *cursor = (struct cursor *)base;
    if (c < sqlite3_column_count(cursor->statement))
        sqlite3_result_value(out, sqlite3_column_value(cursor->statement, c));
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id) {
    *id = ((struct cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 2,
    .xConnect = connect_table,
    .xBestIndex = best_index,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = at_end,
    .xColumn = column,
    .xRowid = row_id,
};

int made_table_register(struct made_table *table) {
    return sqlite3_create_module_v2(table->db, table->name, &module, table, release);
}
