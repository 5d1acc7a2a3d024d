/* made.c - functions that statements make.
 *
 * A body is compiled when it is first called, because it may read what a statement before makes,
 * and kept. A function that calls itself is refused, since its statement is in use. */
#include "sql/made.h"

#include <stdlib.h>
#include <string.h>

#include "sql/tables/made_table.h"

#define ARGUMENTS 16

/* The overlap of rows with the stretch of an interval. */
#define OVERLAP "sum(min(ts + dur, $ts + $dur) - max(ts, $ts)) AS dur FROM "
#define WITHIN " AND dur > 0 AND ts < $ts + $dur AND ts + dur > $ts GROUP BY "

/* A slice, then those of a table function. */
#define OF_SLICE                                                                                   \
    "id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur"
#define RELATIVES                                                                                  \
    "RETURNS TABLE(id LONG, ts LONG, dur LONG, track_id LONG, category STRING, name STRING, "      \
    "depth LONG, parent_id "                                                                       \
    "LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG) AS SELECT " OF_SLICE                  \
    " FROM slice WHERE id = $slice_id "                                                            \
    "UNION ALL SELECT " OF_SLICE " FROM "

/* The functions of Perfetto that are selects. */
static const char library[] =
    "CREATE PERFETTO FUNCTION extract_metadata(name STRING) RETURNS STRING AS SELECT "
    "coalesce(int_value, str_value) FROM "
    "metadata WHERE name = $name;"
    "CREATE PERFETTO FUNCTION _slice_ancestor_and_self(slice_id LONG) " RELATIVES
    "ancestor_slice($slice_id);"
    "CREATE PERFETTO FUNCTION _slice_descendant_and_self(slice_id LONG) " RELATIVES
    "descendant_slice($slice_id);"
    "CREATE PERFETTO FUNCTION sched_time_in_state_for_thread_in_interval(ts LONG, dur LONG, utid "
    "LONG) RETURNS TABLE(state "
    "STRING, io_wait LONG, blocked_function STRING, dur LONG) AS SELECT state, io_wait, "
    "blocked_function, " OVERLAP "thread_state WHERE utid = $utid" WITHIN "1, 2, 3 ORDER BY 4 DESC;"
    "CREATE PERFETTO FUNCTION sched_time_in_state_and_cpu_for_thread_in_interval(ts LONG, dur "
    "LONG, utid LONG) RETURNS "
    "TABLE(state STRING, io_wait LONG, cpu LONG, blocked_function STRING, dur LONG) AS SELECT "
    "state, io_wait, cpu, "
    "blocked_function, " OVERLAP "thread_state WHERE utid = $utid" WITHIN
    "1, 2, 3, 4 ORDER BY 5 DESC;"
    "CREATE PERFETTO FUNCTION sched_time_in_state_for_cpu_in_interval(cpu LONG, ts LONG, dur LONG) "
    "RETURNS TABLE(end_state "
    "STRING, dur LONG) AS SELECT end_state, " OVERLAP "sched WHERE cpu = $cpu" WITHIN "1;";

struct function {
    sqlite3 *db;
    sqlite3_stmt *statement; /* NULL: not compiled yet */
    char *body;
    char *arguments[ARGUMENTS]; /* "$name" */
    int narguments;
    bool busy;
};

struct made {
    sqlite3 *db;
    bool *declaring;
    VEC(struct function *) v;
};

struct made *made_new(sqlite3 *db, bool *declaring) {
    struct made *made = err_calloc(1, sizeof *made);
    made->db = db;
    made->declaring = declaring;
    return made;
}

bool made_library(struct made *made, struct err *err) {
    struct rewrite rewrite = {.pieces = {0}};
    struct rewrite_macros macros = {0};
    size_t done = 0;
    bool fine = rewrite_sql(&rewrite, &macros, STR(library), err) &&
                made_add(made, &rewrite, &done, rewrite.text.n, err);
    rewrite_free(&rewrite);
    rewrite_macros_free(&macros);
    return fine;
}

static void free_function(struct function *f) {
    sqlite3_finalize(f->statement);
    for (int i = 0; i < f->narguments; i++)
        free(f->arguments[i]);
    free(f->body);
    free(f);
}

void made_free(struct made *made) {
    if (made == NULL)
        return;
    for (size_t i = 0; i < made->v.n; i++)
        free_function(made->v.v[i]);
    vec_free(&made->v);
    free(made);
}

static char *copied(struct str s, const char *prefix) {
    size_t n = strlen(prefix);
    char *z = err_malloc(n + s.n + 1);
    memcpy(z, prefix, n);
    memcpy(z + n, s.s, s.n);
    z[n + s.n] = '\0';
    return z;
}

/* "(a INT, b STRING)" or "TABLE(a INT)": the first word of each after a prefix, and the word after
 * it if types is not NULL. Comments are passed over, and quotes removed. -1: there are more than
 * `most`. */
static int read_list(struct str s, const char *prefix, char **names, char **types, int most) {
    int depth = 0, n = 0, word = 0; /* of an entry */
    for (struct rewrite_token t = rewrite_token(s, 0); t.kind != REWRITE_END;
         t = rewrite_token(s, t.at + t.n)) {
        char c = s.s[t.at];
        if (t.kind == REWRITE_OTHER)
            depth += (c == '(') - (c == ')');
        if (t.kind == REWRITE_OTHER && c == ',' && depth == 1)
            word = 0;
        if (t.kind == REWRITE_OTHER || t.kind == REWRITE_BLANK || depth != 1 || ++word > 2)
            continue;
        size_t quote = t.kind == REWRITE_QUOTED && t.n > 1;
        struct str text = {s.s + t.at + quote, t.n - 2 * quote};
        if (word == 2 && types) {
            free(types[n - 1]);
            types[n - 1] = copied(text, "");
        }
        if (word == 2)
            continue;
        if (n == most)
            return -1;
        if (types)
            types[n] = copied(STR(""), "");
        names[n++] = copied(text, prefix);
    }
    return n;
}

static void call(sqlite3_context *out, int n, sqlite3_value **v) {
    struct function *f = sqlite3_user_data(out);
    if (f->busy) {
        sqlite3_result_error(out, "a PERFETTO FUNCTION cannot call itself", -1);
        return;
    }
    if (f->statement == NULL &&
        sqlite3_prepare_v3(f->db, f->body, -1, SQLITE_PREPARE_PERSISTENT, &f->statement, NULL)) {
        sqlite3_result_error(out, sqlite3_errmsg(f->db), -1);
        return;
    }
    f->busy = true;
    for (int i = 0; i < n; i++)
        sqlite3_bind_value(f->statement,
                           sqlite3_bind_parameter_index(f->statement, f->arguments[i]), v[i]);
    int status = sqlite3_step(f->statement);
    if (status == SQLITE_ROW && sqlite3_column_count(f->statement) > 0)
        sqlite3_result_value(out, sqlite3_column_value(f->statement, 0));
    else if (status != SQLITE_DONE && status != SQLITE_ROW)
        sqlite3_result_error(out, sqlite3_errmsg(f->db), -1);
    if (status != SQLITE_DONE && status != SQLITE_ROW)
        sqlite3_result_error_code(out, status);
    sqlite3_reset(f->statement);
    f->busy = false;
}

/* SQLite's word for a type of Perfetto. */
static const char *affinity(const char *type) {
    static const struct {
        const char *perfetto, *sqlite;
    } types[] = {{"INT", "INTEGER"},       {"LONG", "INTEGER"},     {"BOOL", "INTEGER"},
                 {"TIMESTAMP", "INTEGER"}, {"DURATION", "INTEGER"}, {"ID", "INTEGER"},
                 {"JOINID", "INTEGER"},    {"ARGSETID", "INTEGER"}, {"STRING", "TEXT"},
                 {"DOUBLE", "REAL"},       {"FLOAT", "REAL"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (sqlite3_stricmp(type, types[i].perfetto) == 0)
            return types[i].sqlite;
    return "";
}

static bool add_table(struct made *made, const struct rewrite_function *r, struct err *err) {
    struct made_table *t = err_calloc(1, sizeof *t);
    t->db = made->db;
    t->declaring = made->declaring;
    t->name = copied(r->name, "");
    t->body = copied((struct str){r->body.v, r->body.n}, "");
    int columns = read_list(r->returns, "", t->columns, t->types, MADE_TABLE_MOST);
    int arguments = read_list(r->arguments, "$", t->arguments, NULL, ARGUMENTS);
    t->ncolumns = columns < 0 ? MADE_TABLE_MOST : columns;
    t->narguments = arguments < 0 ? ARGUMENTS : arguments;
    if (columns <= 0 || arguments < 0) {
        made_table_free(t);
        return err_set(err, r->at,
                       "a PERFETTO FUNCTION has at most %d arguments and 1 to %d columns",
                       ARGUMENTS, MADE_TABLE_MOST);
    }
    for (int i = 0; i < t->ncolumns; i++) {
        const char *type = affinity(t->types[i]);
        free(t->types[i]);
        t->types[i] = copied(str_of(type), "");
    }
    int status = made_table_register(t); /* it owns t now */
    return status == SQLITE_OK ||
           err_set(err, r->at, "CREATE PERFETTO FUNCTION: %s", sqlite3_errmsg(made->db));
}

bool made_add(struct made *made, const struct rewrite *rewrite, size_t *done, size_t at,
              struct err *err) {
    for (; *done < rewrite->functions.n && rewrite->functions.v[*done].before <= at; ++*done) {
        const struct rewrite_function *r = &rewrite->functions.v[*done];
        if (r->table) {
            if (!add_table(made, r, err))
                return false;
            continue;
        }
        struct function *f = err_calloc(1, sizeof *f);
        f->db = made->db;
        f->body = copied((struct str){r->body.v, r->body.n}, "");
        vec_push(&made->v, f);
        int n = read_list(r->arguments, "$", f->arguments, NULL, ARGUMENTS);
        f->narguments = n < 0 ? ARGUMENTS : n;
        if (n < 0)
            return err_set(err, r->at, "a PERFETTO FUNCTION has at most %d arguments", ARGUMENTS);
        char *name = copied(r->name, "");
        int status = sqlite3_create_function_v2(made->db, name, f->narguments, SQLITE_UTF8, f, call,
                                                NULL, NULL, NULL);
        free(name);
        if (status != SQLITE_OK)
            return err_set(err, r->at, "CREATE PERFETTO FUNCTION: %s", sqlite3_errmsg(made->db));
    }
    return true;
}
