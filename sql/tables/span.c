/* span.c - SPAN_JOIN, SPAN_LEFT_JOIN and SPAN_OUTER_JOIN.
 *
 * Two statements, ordered by partition and time, are merged. Each side is a list of stretches: its
 * rows and, where the join has the rows of the other side alone, the gaps between them and the
 * partitions that it lacks. A row inside of an earlier one of its side has no gap after it. The
 * stretch that ends first is passed; at equal ends one that has a length, then a gap, else that of
 * the second side. Two stretches that overlap make a row of the join. So a row of no length meets
 * what begins with it or is around it; of the second side, only the first stretch that does. If one
 * side alone has partitions, the other begins again with each. */
#include "sql/tables/span.h"
#include "sql/table.h"

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
    struct side sides[2];
};

enum kind { ROW, GAP, LACKING, DONE }; /* LACKING: partitions without rows */

struct head { /* of a side */
    sqlite3_stmt *statement;
    bool row;                 /* the statement has one: the current or the next stretch */
    int64_t row_ts, row_part; /* of it */
    enum kind kind;           /* of the current stretch */
    int64_t ts, end;
    int64_t covered;    /* the latest end of the rows of the partition so far */
    int64_t part, last; /* the partitions it is in */
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct head heads[2];
    int next;     /* the side that is passed */
    int64_t part; /* if one side alone has partitions: the current one */
    bool begun;   /* there is a current partition */
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
        const char *missing = side->dur < 0 ? "dur" : column;
        *error = sqlite3_mprintf("SPAN_JOIN: %s has no column %s", side->table,
                                 side->ts < 0 ? "ts" : missing);
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
            sqlite3_str_appendf(to, ",\"%w\" %s", sqlite3_column_name(statement, side->others[k]),
                                type ? type : "");
        }
    sqlite3_finalize(statement);
    sqlite3_free(sql);
}

/* The side whose partitions the rows have; -1: there are none. */
static int partitioned(const struct span_join *span) {
    for (int k = 0; k < 2; k++)
        if (span->sides[k].partition >= 0)
            return k;
    return -1;
}

static const char *partition_name(struct span_join *span, char out[128]) {
    const struct side *side = &span->sides[partitioned(span)];
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", side->table);
    sqlite3_stmt *statement = NULL;
    out[0] = '\0';
    if (sql && sqlite3_prepare_v3(span->db, sql, -1, 0, &statement, NULL) == SQLITE_OK)
        sqlite3_snprintf(128, out, "%s", sqlite3_column_name(statement, side->partition));
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return out;
}

static int declare(struct span_join *span, struct source *source, char **error) {
    sqlite3_str *to = sqlite3_str_new(span->db);
    char partition[128];
    sqlite3_str_appendall(to, "CREATE TABLE x(ts INTEGER,dur INTEGER");
    if (partitioned(span) >= 0)
        sqlite3_str_appendf(to, ",\"%w\" INTEGER", partition_name(span, partition));
    declare_side(span, &span->sides[0], to);
    declare_side(span, &span->sides[1], to);
    sqlite3_str_appendall(to, ")");
    int status = table_declare(span->db, to, &source->declaring);
    if (status == SQLITE_ERROR)
        *error = sqlite3_mprintf("SPAN_JOIN: %s: name the columns of one table differently",
                                 sqlite3_errmsg(span->db));
    return status;
}

static int disconnect_span(sqlite3_vtab *base) {
    struct span_join *span = (struct span_join *)base;
    sqlite3_free(span->sides[0].table);
    sqlite3_free(span->sides[1].table);
    sqlite3_free(span);
    return SQLITE_OK;
}

static int connect_span(sqlite3 *db, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **error) {
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

/* ---- the stretches of a side ---- */

enum gaps { NO_GAPS, GAPS, GAPS_AND_LACKING };

/* Whether only one side has partitions. */
static bool is_mixed(const struct span_join *span) {
    return (span->sides[0].partition >= 0) != (span->sides[1].partition >= 0);
}

static enum gaps gaps_of(const struct span_join *span, int which) {
    if (span->join == INNER || (span->join == LEFT && which == 0))
        return NO_GAPS;
    bool own = is_mixed(span) && span->sides[which].partition >= 0;
    return own || partitioned(span) < 0 ? GAPS : GAPS_AND_LACKING;
}

/* Moves the statement to its next row; one whose partition is NULL is none. */
static int step_row(const struct span_join *span, struct cursor *c, int which) {
    const struct side *side = &span->sides[which];
    struct head *head = &c->heads[which];
    do {
        int status = sqlite3_step(head->statement);
        head->row = status == SQLITE_ROW;
        if (!head->row)
            return status == SQLITE_DONE ? SQLITE_OK : status;
    } while (side->partition >= 0 &&
             sqlite3_column_type(head->statement, side->partition) == SQLITE_NULL);
    head->row_ts = sqlite3_column_int64(head->statement, side->ts);
    head->row_part =
        side->partition >= 0 ? sqlite3_column_int64(head->statement, side->partition) : 0;
    return SQLITE_OK;
}

static void set(struct head *head, enum kind kind, int64_t ts, int64_t end) {
    head->kind = kind;
    head->ts = ts;
    head->end = end;
}

static void take_row(const struct side *side, struct head *head) {
    int64_t dur = sqlite3_column_int64(head->statement, side->dur), end;
    if (dur < 0 || __builtin_add_overflow(head->row_ts, dur, &end))
        end = FOREVER;
    set(head, ROW, head->row_ts, end);
    head->covered = end > head->covered ? end : head->covered;
    head->part = head->last = head->row_part;
}

/* The partitions from `first` on that lack rows, up to that of the next row. False: there are
 * none. */
static bool lacks(struct head *head, bool any, int64_t first) {
    if (!any || (head->row && head->row_part <= first))
        return false;
    set(head, LACKING, INT64_MIN, FOREVER);
    head->part = first;
    head->last = head->row ? head->row_part - 1 : INT64_MAX;
    return true;
}

/* The begin of the partition of the next row. */
static void begin_part(struct head *head) {
    if (head->row) {
        set(head, GAP, INT64_MIN, head->row_ts);
        head->covered = INT64_MIN;
        head->part = head->last = head->row_part;
    } else {
        head->kind = DONE;
    }
}

/* Moves to the next stretch of a side, also one that its join does not have. */
static int next_of(const struct span_join *span, struct cursor *c, int which) {
    struct head *head = &c->heads[which];
    int status = SQLITE_OK;
    bool same;
    switch (head->kind) {
    case ROW:
        status = step_row(span, c, which);
        same = head->row && head->row_part == head->part;
        set(head, GAP, head->covered, same ? head->row_ts : FOREVER);
        break;
    case GAP:
        if (head->row && head->row_part == head->part)
            take_row(&span->sides[which], head);
        else if (!lacks(head, span->sides[which].partition >= 0 && head->part < INT64_MAX,
                        head->part + (head->part < INT64_MAX)))
            begin_part(head);
        break;
    default:
        begin_part(head);
    }
    return status;
}

/* Whether the join has the current stretch of a side. */
static bool counts(const struct span_join *span, const struct cursor *c, int which) {
    const struct head *head = &c->heads[which];
    if (head->kind == GAP)
        return gaps_of(span, which) != NO_GAPS && head->ts < head->end;
    return head->kind != LACKING || gaps_of(span, which) == GAPS_AND_LACKING;
}

static int step(const struct span_join *span, struct cursor *c, int which) {
    int status = next_of(span, c, which);
    while (status == SQLITE_OK && !counts(span, c, which))
        status = next_of(span, c, which);
    return status;
}

/* Begins a side. A table without rows is one gap, but for one that decides which partitions there
 * are. */
static int rewind_side(const struct span_join *span, struct cursor *c, int which) {
    struct head *head = &c->heads[which];
    bool decides = is_mixed(span) && span->sides[which].partition >= 0;
    sqlite3_reset(head->statement);
    int status = step_row(span, c, which);
    if (status == SQLITE_OK &&
        !lacks(head, true, span->sides[which].partition >= 0 ? INT64_MIN : 0))
        begin_part(head);
    if (!head->row && !decides && gaps_of(span, which) != NO_GAPS)
        return status;
    return status == SQLITE_OK && !counts(span, c, which) ? step(span, c, which) : status;
}

/* ---- the merge ---- */

static bool overlap(const struct span_join *span, const struct cursor *c) {
    const struct head *a = &c->heads[0], *b = &c->heads[1];
    if (a->kind == DONE || b->kind == DONE || (a->kind != ROW && b->kind != ROW))
        return false;
    if (!is_mixed(span) && (a->part > b->last || b->part > a->last))
        return false;
    return (a->ts == b->ts && a->kind == ROW && b->kind == ROW) ||
           (a->ts >= b->ts && a->ts < b->end) || (b->ts >= a->ts && b->ts < a->end);
}

/* The side whose stretch ends first. */
static int first_to_end(const struct span_join *span, const struct cursor *c) {
    const struct head *a = &c->heads[0], *b = &c->heads[1];
    if (a->kind == DONE || b->kind == DONE)
        return a->kind == DONE;
    if (!is_mixed(span) && a->last != b->last)
        return a->last > b->last;
    if (a->end != b->end)
        return a->end > b->end;
    if (a->ts < a->end && b->ts == b->end)
        return 0;
    return a->kind == ROW || b->kind != ROW;
}

/* A new partition begins the side without partitions again. */
static int follow_part(const struct span_join *span, struct cursor *c) {
    int which = partitioned(span);
    const struct head *head = &c->heads[which];
    if (head->kind == DONE || (c->begun && c->part == head->part))
        return SQLITE_OK;
    c->begun = true;
    c->part = head->part;
    return rewind_side(span, c, !which);
}

/* Moves on until both sides overlap. */
static int meet(const struct span_join *span, struct cursor *c) {
    bool mixed = is_mixed(span);
    int status = SQLITE_OK;
    while (status == SQLITE_OK) {
        if (mixed && (status = follow_part(span, c)) != SQLITE_OK)
            break;
        const struct head *a = &c->heads[0], *b = &c->heads[1];
        c->end =
            mixed ? c->heads[partitioned(span)].kind == DONE : a->kind == DONE || b->kind == DONE;
        if (c->end)
            break;
        c->next = first_to_end(span, c);
        if (overlap(span, c))
            break;
        status = step(span, c, c->next);
    }
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

static int filter(sqlite3_vtab_cursor *base, int number, const char *how, int argc,
                  sqlite3_value **argv) {
    struct cursor *c = (struct cursor *)base;
    struct span_join *span = (struct span_join *)base->pVtab;
    int status = SQLITE_OK;
    (void)number;
    (void)how;
    (void)argc;
    (void)argv;
    c->rowid = 0;
    c->end = c->begun = false;
    for (int k = 0; k < 2 && status == SQLITE_OK; k++) {
        const struct side *side = &span->sides[k];
        char *sql =
            side->partition >= 0
                ? sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY %d, %d", side->table,
                                  side->partition + 1, side->ts + 1)
                : sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY %d", side->table, side->ts + 1);
        sqlite3_finalize(c->heads[k].statement);
        c->heads[k] = (struct head){.statement = NULL};
        status = sql ? sqlite3_prepare_v3(span->db, sql, -1, 0, &c->heads[k].statement, NULL)
                     : SQLITE_NOMEM;
        sqlite3_free(sql);
        if (status == SQLITE_OK && sqlite3_column_count(c->heads[k].statement) != side->ncolumns)
            status = SQLITE_SCHEMA;
        if (status == SQLITE_OK)
            status = rewind_side(span, c, k);
    }
    return report(span, status == SQLITE_OK ? meet(span, c) : status);
}

static int next(sqlite3_vtab_cursor *base) {
    struct cursor *c = (struct cursor *)base;
    struct span_join *span = (struct span_join *)base->pVtab;
    c->rowid++;
    int status = step(span, c, c->next);
    return report(span, status == SQLITE_OK ? meet(span, c) : status);
}

static int at_end(sqlite3_vtab_cursor *base) {
    return ((struct cursor *)base)->end;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *out, int k) {
    const struct cursor *c = (const struct cursor *)base;
    const struct span_join *span = (const struct span_join *)base->pVtab;
    const struct head *a = &c->heads[0], *b = &c->heads[1];
    int64_t from = a->ts > b->ts ? a->ts : b->ts, to = a->end < b->end ? a->end : b->end, dur;
    if (k < 2) {
        if (to == FOREVER)
            dur = -1;
        else if (__builtin_sub_overflow(to, from, &dur))
            dur = INT64_MAX;
        sqlite3_result_int64(out, k == 0 ? from : dur);
        return SQLITE_OK;
    }
    k -= 2;
    if (partitioned(span) >= 0 && k-- == 0) {
        int64_t part = a->kind == ROW ? a->part : b->part;
        sqlite3_result_int64(out, is_mixed(span) ? c->part : part);
        return SQLITE_OK;
    }
    int which = k >= span->sides[0].nothers;
    k -= which ? span->sides[0].nothers : 0;
    if (c->heads[which].kind == ROW)
        sqlite3_result_value(
            out, sqlite3_column_value(c->heads[which].statement, span->sides[which].others[k]));
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
    static const char *const names[] = {
        [INNER] = "span_join", [LEFT] = "span_left_join", [OUTER] = "span_outer_join"};
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
