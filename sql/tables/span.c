/* span.c - SPAN_JOIN, SPAN_LEFT_JOIN and SPAN_OUTER_JOIN.
 *
 * Two statements, ordered by partition and time, are merged. For a row of the first one, `done` is the time up to which
 * its stretches were given. Rows of the second one that end before it are passed. If only one table has partitions, it
 * is the first side, and the other one begins again with each of its partitions.
 *
 * SPAN_OUTER_JOIN has a merge of its own, in which both sides are equal. SPAN_LEFT_JOIN has the same one if all time of
 * the second side is wanted. */
#include "sql/table.h"
#include "sql/tables/span.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS 100 /* of one side */
#define FOREVER INT64_MAX

struct side {
    char *table;
    int ncolumns, ts, dur, partition; /* places of columns; partition: -1 without */
    int others[COLUMNS], nothers;     /* places of all others */
};

enum join { INNER, LEFT, OUTER };

struct span_join {
    sqlite3_vtab base;
    sqlite3 *db;
    enum join join;
    bool swapped; /* side 0 is the second of the arguments */
    struct side sides[2];
};

struct head { /* of a statement */
    sqlite3_stmt *statement;
    bool row;
    int64_t part, ts, end;
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct head heads[2];
    int64_t done;       /* of the row of side 0, or of the partition */
    int64_t part;       /* of the current stretch */
    int64_t from, to;   /* the current stretch */
    bool covered[2];    /* a side has a row in it */
    bool begun;         /* `part` is a partition */
    bool end;
    int64_t rowid;
};

struct context {
    struct source *source;
    enum join join;
};

/* ---- arguments ---- */

static char *word_of(const char **s) {
    *s += strspn(*s, " \t\r\n");
    size_t n = strcspn(*s, " \t\r\n");
    const char *word = *s;
    *s += n;
    bool quoted = n > 1 && strchr("\"`[", word[0]) != NULL;
    return sqlite3_mprintf("%.*s", (int)(quoted ? n - 2 : n), word + quoted);
}

/* "name" or "name PARTITIONED column". */
static int read_side(struct span_join *span, struct side *side, const char *text, char **error) {
    char *word, *column = NULL;
    sqlite3_stmt *statement = NULL;
    side->table = word_of(&text);
    word = word_of(&text);
    if (word && sqlite3_stricmp(word, "partitioned") == 0)
        column = word_of(&text);
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", side->table ? side->table : "");
    int status = sql ? sqlite3_prepare_v3(span->db, sql, -1, 0, &statement, NULL) : SQLITE_NOMEM;
    if (status != SQLITE_OK)
        *error = sqlite3_mprintf("SPAN_JOIN: %s", sqlite3_errmsg(span->db));
    side->ts = side->dur = side->partition = -1;
    side->ncolumns = statement ? sqlite3_column_count(statement) : 0;
    for (int c = 0; c < side->ncolumns && c < COLUMNS; c++) {
        const char *name = sqlite3_column_name(statement, c);
        if (name && sqlite3_stricmp(name, "ts") == 0)
            side->ts = c;
        else if (name && sqlite3_stricmp(name, "dur") == 0)
            side->dur = c;
        else if (name && column && sqlite3_stricmp(name, column) == 0)
            side->partition = c;
        else
            side->others[side->nothers++] = c;
    }
    if (status == SQLITE_OK && (side->ts < 0 || side->dur < 0 || (column && side->partition < 0))) {
        *error = sqlite3_mprintf("SPAN_JOIN: %s has no column %s", side->table,
                                 side->ts < 0 ? "ts" : side->dur < 0 ? "dur" : column);
        status = SQLITE_ERROR;
    }
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    sqlite3_free(word);
    sqlite3_free(column);
    return status;
}

/* Adds the columns of a side to the declaration. */
static void declare_side(struct span_join *span, const struct side *side, sqlite3_str *to) {
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", side->table);
    sqlite3_stmt *statement = NULL;
    if (sql && sqlite3_prepare_v3(span->db, sql, -1, 0, &statement, NULL) == SQLITE_OK)
        for (int k = 0; k < side->nothers; k++) {
            const char *type = sqlite3_column_decltype(statement, side->others[k]);
            sqlite3_str_appendf(to, ",\"%w\" %s", sqlite3_column_name(statement, side->others[k]), type ? type : "");
        }
    sqlite3_finalize(statement);
    sqlite3_free(sql);
}

static const char *partition_name(struct span_join *span, char out[128]) {
    const struct side *side = &span->sides[0];
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", side->table);
    sqlite3_stmt *statement = NULL;
    out[0] = '\0';
    if (sql && side->partition >= 0 && sqlite3_prepare_v3(span->db, sql, -1, 0, &statement, NULL) == SQLITE_OK)
        sqlite3_snprintf(128, out, "%s", sqlite3_column_name(statement, side->partition));
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return out;
}

static int declare(struct span_join *span, struct source *source, char **error) {
    sqlite3_str *to = sqlite3_str_new(span->db);
    char partition[128];
    sqlite3_str_appendall(to, "CREATE TABLE x(ts INTEGER,dur INTEGER");
    if (span->sides[0].partition >= 0)
        sqlite3_str_appendf(to, ",\"%w\" INTEGER", partition_name(span, partition));
    declare_side(span, &span->sides[span->swapped], to);
    declare_side(span, &span->sides[!span->swapped], to);
    sqlite3_str_appendall(to, ")");
    int status = table_declare(span->db, to, &source->declaring);
    if (status == SQLITE_ERROR)
        *error = sqlite3_mprintf("SPAN_JOIN: %s: name the columns of one table differently", sqlite3_errmsg(span->db));
    return status;
}

static int disconnect_span(sqlite3_vtab *base) {
    struct span_join *span = (struct span_join *)base;
    sqlite3_free(span->sides[0].table);
    sqlite3_free(span->sides[1].table);
    sqlite3_free(span);
    return SQLITE_OK;
}

static int connect_span(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **error) {
    const struct context *context = aux;
    if (argc != 5) {
        *error = sqlite3_mprintf("SPAN_JOIN wants two tables");
        return SQLITE_ERROR;
    }
    struct span_join *span = sqlite3_malloc(sizeof *span);
    if (span == NULL)
        return SQLITE_NOMEM;
    *span = (struct span_join){.db = db, .join = context->join};
    int status = read_side(span, &span->sides[0], argv[3], error);
    if (status == SQLITE_OK)
        status = read_side(span, &span->sides[1], argv[4], error);
    bool parts[2] = {span->sides[0].partition >= 0, span->sides[1].partition >= 0};
    if (status == SQLITE_OK && !parts[0] && parts[1]) {
        struct side side = span->sides[0];
        span->sides[0] = span->sides[1];
        span->sides[1] = side;
        span->swapped = true;
    }
    if (status == SQLITE_OK)
        status = declare(span, context->source, error);
    if (status != SQLITE_OK) {
        disconnect_span(&span->base);
        return status;
    }
    *out = &span->base;
    return SQLITE_OK;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
    (void)base;
    info->estimatedRows = 1000000;
    info->estimatedCost = 1e7;
    return SQLITE_OK;
}

/* ---- the merge ---- */

static int step(const struct span_join *span, struct cursor *c, int which) {
    const struct side *side = &span->sides[which];
    struct head *head = &c->heads[which];
    do {
        int status = sqlite3_step(head->statement);
        head->row = status == SQLITE_ROW;
        if (!head->row)
            return status == SQLITE_DONE ? SQLITE_OK : status;
    } while (side->partition >= 0 && sqlite3_column_type(head->statement, side->partition) == SQLITE_NULL);
    int64_t dur = sqlite3_column_int64(head->statement, side->dur);
    head->ts = sqlite3_column_int64(head->statement, side->ts);
    head->part = side->partition >= 0 ? sqlite3_column_int64(head->statement, side->partition) : 0;
    if (dur < 0 || __builtin_add_overflow(head->ts, dur, &head->end))
        head->end = FOREVER;
    return SQLITE_OK;
}

/* The next row of side 0. A new partition begins the rows of a side without partitions again. */
static int step_first(const struct span_join *span, struct cursor *c) {
    struct head *first = &c->heads[0], *second = &c->heads[1];
    int64_t part = first->part;
    bool had = first->row;
    int status = step(span, c, 0);
    c->done = first->ts;
    if (status == SQLITE_OK && first->row && had && first->part != part && span->sides[1].partition < 0) {
        sqlite3_reset(second->statement);
        status = step(span, c, 1);
    }
    return status;
}

/* Passes rows of side 1 that are over. */
static int catch_up(const struct span_join *span, struct cursor *c) {
    const struct head *first = &c->heads[0], *second = &c->heads[1];
    bool parts = span->sides[1].partition >= 0;
    int status = SQLITE_OK;
    while (status == SQLITE_OK && second->row &&
           ((parts && second->part < first->part) ||
            ((!parts || second->part == first->part) && second->end <= c->done)))
        status = step(span, c, 1);
    return status;
}

/* Moves to the next stretch. */
static int next_stretch(const struct span_join *span, struct cursor *c) {
    const struct head *first = &c->heads[0], *second = &c->heads[1];
    int status = SQLITE_OK;
    while (first->row) {
        if (c->done >= first->end) {
            if ((status = step_first(span, c)) != SQLITE_OK)
                return status;
            continue;
        }
        if ((status = catch_up(span, c)) != SQLITE_OK)
            return status;
        bool meets = second->row && (span->sides[1].partition < 0 || second->part == first->part) &&
                     second->ts < first->end;
        bool both = meets && second->ts <= c->done;
        c->covered[0] = true;
        c->covered[1] = both;
        c->part = first->part;
        c->from = c->done;
        c->to = !meets ? first->end : !both ? second->ts : second->end < first->end ? second->end : first->end;
        c->done = c->to;
        if (both || span->join == LEFT)
            return SQLITE_OK;
    }
    c->end = true;
    return SQLITE_OK;
}

/* Whether only the first side has partitions. */
static bool is_mixed(const struct span_join *span) {
    return span->sides[0].partition >= 0 && span->sides[1].partition < 0;
}

/* Moves to the partition of the next rows; c->end: there are none. */
static int outer_part(const struct span_join *span, struct cursor *c) {
    const struct head *a = &c->heads[0], *b = &c->heads[1];
    bool mixed = is_mixed(span), first = !c->begun, in = a->row && a->part == c->part;
    c->begun = true;
    if (mixed && !first && (in || b->row)) /* the rest of the second side */
        return SQLITE_OK;
    c->end = !a->row && (mixed || !b->row);
    if (c->end)
        return SQLITE_OK;
    int64_t part = a->row && (mixed || !b->row || a->part <= b->part) ? a->part : b->part;
    if (part != c->part || first)
        c->done = INT64_MIN;
    c->part = part;
    if (!mixed || first)
        return SQLITE_OK;
    sqlite3_reset(c->heads[1].statement);
    return step(span, c, 1);
}

/* Moves to the next stretch that a row of either side covers. */
static int next_outer(const struct span_join *span, struct cursor *c) {
    bool mixed = is_mixed(span);
    for (int status; (status = outer_part(span, c)) != SQLITE_OK || !c->end;) {
        int over = -1; /* a side whose row is over, or was empty */
        bool in[2];
        if (status != SQLITE_OK)
            return status;
        for (int k = 0; k < 2; k++) {
            const struct head *head = &c->heads[k];
            in[k] = head->row && (head->part == c->part || (mixed && k == 1));
            over = in[k] && (head->end <= c->done || head->end <= head->ts) ? k : over;
        }
        if (over >= 0) {
            status = step(span, c, over);
            if (status != SQLITE_OK)
                return status;
            continue;
        }
        c->from = FOREVER;
        for (int k = 0; k < 2; k++)
            if (in[k] && c->heads[k].ts < c->from)
                c->from = c->heads[k].ts;
        c->from = c->from > c->done ? c->from : c->done;
        c->to = FOREVER;
        for (int k = 0; k < 2; k++) {
            const struct head *head = &c->heads[k];
            c->covered[k] = in[k] && head->ts <= c->from;
            int64_t edge = c->covered[k] ? head->end : head->ts;
            c->to = in[k] && edge < c->to ? edge : c->to;
        }
        c->done = c->to;
        return SQLITE_OK;
    }
    return SQLITE_OK;
}

/* Whether stretches of the second side alone are wanted. */
static bool is_outer(const struct span_join *span) {
    return span->join == OUTER || (span->join == LEFT && span->swapped);
}

static int advance(const struct span_join *span, struct cursor *c) {
    int status;
    if (!is_outer(span))
        return next_stretch(span, c);
    do
        status = next_outer(span, c);
    while (status == SQLITE_OK && !c->end && span->join == LEFT && !c->covered[1]);
    return status;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
    struct cursor *c = sqlite3_malloc(sizeof *c);
    (void)base;
    if (c == NULL)
        return SQLITE_NOMEM;
    *c = (struct cursor){.end = true};
    *out = &c->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    struct cursor *c = (struct cursor *)base;
    sqlite3_finalize(c->heads[0].statement);
    sqlite3_finalize(c->heads[1].statement);
    sqlite3_free(c);
    return SQLITE_OK;
}

/* The reason of a failure inside of the two statements. */
static int report(struct span_join *span, int status) {
    if (status != SQLITE_OK && status != SQLITE_NOMEM && status != SQLITE_INTERRUPT)
        table_fail(&span->base, "SPAN_JOIN", sqlite3_errmsg(span->db));
    return status;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *how, int argc, sqlite3_value **argv) {
    struct cursor *c = (struct cursor *)base;
    struct span_join *span = (struct span_join *)base->pVtab;
    int status = SQLITE_OK;
    (void)number;
    (void)how;
    (void)argc;
    (void)argv;
    c->rowid = 0;
    c->end = c->begun = false;
    c->done = INT64_MIN;
    c->part = INT64_MIN;
    for (int k = 0; k < 2 && status == SQLITE_OK; k++) {
        const struct side *side = &span->sides[k];
        char *sql = side->partition >= 0 ? sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY %d, %d", side->table,
                                                           side->partition + 1, side->ts + 1)
                                         : sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY %d", side->table, side->ts + 1);
        sqlite3_finalize(c->heads[k].statement);
        c->heads[k] = (struct head){.statement = NULL};
        status = sql ? sqlite3_prepare_v3(span->db, sql, -1, 0, &c->heads[k].statement, NULL) : SQLITE_NOMEM;
        sqlite3_free(sql);
        if (status == SQLITE_OK && sqlite3_column_count(c->heads[k].statement) != side->ncolumns)
            status = SQLITE_SCHEMA;
    }
    if (status == SQLITE_OK)
        status = step(span, c, 1);
    if (status == SQLITE_OK)
        status = is_outer(span) ? step(span, c, 0) : step_first(span, c);
    return report(span, status == SQLITE_OK ? advance(span, c) : status);
}

static int next(sqlite3_vtab_cursor *base) {
    struct cursor *c = (struct cursor *)base;
    c->rowid++;
    return report((struct span_join *)base->pVtab, advance((struct span_join *)base->pVtab, c));
}

static int at_end(sqlite3_vtab_cursor *base) {
    return ((struct cursor *)base)->end;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *out, int k) {
    const struct cursor *c = (const struct cursor *)base;
    const struct span_join *span = (const struct span_join *)base->pVtab;
    bool parts = span->sides[0].partition >= 0;
    if (k < 2) {
        sqlite3_result_int64(out, k == 0 ? c->from : c->to == FOREVER ? -1 : c->to - c->from);
        return SQLITE_OK;
    }
    if (k == 2 && parts) {
        sqlite3_result_int64(out, c->part);
        return SQLITE_OK;
    }
    k -= 2 + parts;
    int which = span->swapped;
    if (k >= span->sides[which].nothers) {
        k -= span->sides[which].nothers;
        which = !which;
    }
    if (c->covered[which])
        sqlite3_result_value(out, sqlite3_column_value(c->heads[which].statement, span->sides[which].others[k]));
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id) {
    *id = ((const struct cursor *)base)->rowid;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 2,
    .xCreate = connect_span,
    .xConnect = connect_span,
    .xBestIndex = best_index,
    .xDisconnect = disconnect_span,
    .xDestroy = disconnect_span,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = at_end,
    .xColumn = column,
    .xRowid = row_id,
};

int span_register(sqlite3 *db, struct source *source) {
    static const char *const names[] = {[INNER] = "span_join", [LEFT] = "span_left_join", [OUTER] = "span_outer_join"};
    int status = SQLITE_OK;
    for (int i = INNER; i <= OUTER && status == SQLITE_OK; i++) {
        struct context *context = sqlite3_malloc(sizeof *context);
        if (context == NULL)
            return SQLITE_NOMEM;
        *context = (struct context){source, (enum join)i};
        status = sqlite3_create_module_v2(db, names[i], &module, context, sqlite3_free);
    }
    return status;
}
