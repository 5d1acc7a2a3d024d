/* span.c - SPAN_JOIN, SPAN_LEFT_JOIN and SPAN_OUTER_JOIN.
 *
 * Two statements, ordered by partition and time, are passed together, partition by partition. Each
 * side is a list of stretches in the order of their begins: its rows and, where the join has the
 * rows of the other side alone, the gaps that none of its rows covers. The earlier stretch arrives
 * next; at one time rows come before gaps, then the first side. It meets the stretches of the other
 * side that have arrived and not ended, and is kept if it reaches the next one. So rows of one
 * table may overlap, and only those are in memory that are still to meet. A row of no length meets
 * rows that begin with it or are around it, and a gap if it met no row. If one side alone has
 * partitions, the other begins again with each. */
#include "sql/tables/span.h"
#include "sql/table.h"

#include <stdbool.h>
#include <stdlib.h>
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

enum kind { ROW, GAP, DONE }; /* DONE: the partition has no more */

struct stretch {
    enum kind kind;
    bool met; /* a row of the other side */
    int64_t ts, end;
    struct cell *cells; /* of a row that is kept; NULL: those of the statement */
};

struct cell {
    int type; /* as SQLite counts; a number is in one of the two, all else in `value` */
    sqlite3_int64 integer;
    double real;
    sqlite3_value *value;
};

struct head { /* of a side */
    sqlite3_stmt *statement;
    bool row;                 /* the statement has one: of `next` or later */
    int64_t row_ts, row_part; /* of it */
    int64_t covered;          /* the latest end of the rows of the partition so far */
    struct stretch next;      /* arrives next, or has arrived and is the current one */
    struct stretch *kept;     /* have arrived, in this order, and may not have ended */
    size_t nkept, cap;
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct head heads[2];
    sqlite3_uint64 used; /* columns, the last bit is of all from there on */
    int side;            /* of the current stretch */
    size_t at, left;     /* of the kept ones of the other side: seen, of these not ended */
    int64_t part;
    bool begun; /* there is a current partition */
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

/* The columns that are used are passed on, as only these of a row are kept. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
    (void)base;
    info->estimatedRows = 1000000;
    info->estimatedCost = 1e7;
    info->idxStr = sqlite3_mprintf("%llu", info->colUsed);
    info->needToFreeIdxStr = 1;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- rows that are kept ---- */

static bool is_used(const struct cursor *c, int column) {
    return c->used >> (column < 63 ? column : 63) & 1;
}

/* The place among the columns of the join where those of a side begin. */
static int first_column(const struct span_join *span, int which) {
    return 2 + (partitioned(span) >= 0) + (which ? span->sides[0].nothers : 0);
}

static void free_cells(const struct side *side, struct stretch *s) {
    for (int k = 0; s->cells && k < side->nothers; k++)
        sqlite3_value_free(s->cells[k].value);
    sqlite3_free(s->cells);
    s->cells = NULL;
}

static int copy_cells(const struct span_join *span, struct cursor *c, int which,
                      struct stretch *s) {
    const struct side *side = &span->sides[which];
    size_t size = ((size_t)side->nothers + 1) * sizeof *s->cells;
    s->cells = sqlite3_malloc64(size);
    if (s->cells == NULL)
        return SQLITE_NOMEM;
    memset(s->cells, 0, size);
    for (int k = 0; k < side->nothers; k++) {
        struct cell *cell = &s->cells[k];
        sqlite3_value *v = sqlite3_column_value(c->heads[which].statement, side->others[k]);
        cell->type =
            is_used(c, first_column(span, which) + k) ? sqlite3_value_type(v) : SQLITE_NULL;
        if (cell->type == SQLITE_INTEGER)
            cell->integer = sqlite3_value_int64(v);
        else if (cell->type == SQLITE_FLOAT)
            cell->real = sqlite3_value_double(v);
        else if (cell->type != SQLITE_NULL && (cell->value = sqlite3_value_dup(v)) == NULL)
            return SQLITE_NOMEM;
    }
    return SQLITE_OK;
}

static void put_cell(sqlite3_context *out, const struct cell *cell) {
    if (cell->type == SQLITE_INTEGER)
        sqlite3_result_int64(out, cell->integer);
    else if (cell->type == SQLITE_FLOAT)
        sqlite3_result_double(out, cell->real);
    else if (cell->value)
        sqlite3_result_value(out, cell->value);
}

static void drop_kept(const struct side *side, struct head *head) {
    for (size_t i = 0; i < head->nkept; i++)
        free_cells(side, &head->kept[i]);
    head->nkept = 0;
}

/* Keeps the current stretch. */
static int keep(const struct span_join *span, struct cursor *c) {
    struct head *head = &c->heads[c->side];
    if (head->nkept == head->cap) {
        size_t cap = head->cap + head->cap / 2 + 4;
        struct stretch *grown = sqlite3_realloc64(head->kept, cap * sizeof *grown);
        if (grown == NULL)
            return SQLITE_NOMEM;
        head->kept = grown;
        head->cap = cap;
    }
    struct stretch *s = &head->kept[head->nkept++];
    *s = head->next;
    return s->kind == ROW ? copy_cells(span, c, c->side, s) : SQLITE_OK;
}

/* ---- the stretches of a side ---- */

/* Whether only one side has partitions. */
static bool is_mixed(const struct span_join *span) {
    return (span->sides[0].partition >= 0) != (span->sides[1].partition >= 0);
}

static bool has_gaps(const struct span_join *span, int which) {
    return span->join == OUTER || (span->join == LEFT && which == 1);
}

/* Whether a value is the number that sqlite3_column_int64() makes of it. */
static bool is_integer(sqlite3_stmt *statement, int column) {
    int type = sqlite3_column_type(statement, column);
    return type == SQLITE_INTEGER ||
           (type == SQLITE_FLOAT && (double)sqlite3_column_int64(statement, column) ==
                                        sqlite3_column_double(statement, column));
}

/* Moves the statement to its next row; one whose partition is NULL is none. */
static int step_row(struct span_join *span, struct cursor *c, int which) {
    const struct side *side = &span->sides[which];
    struct head *head = &c->heads[which];
    int type = SQLITE_INTEGER;
    do {
        int status = sqlite3_step(head->statement);
        head->row = status == SQLITE_ROW;
        if (!head->row)
            return status == SQLITE_DONE ? SQLITE_OK : status;
        if (side->partition >= 0)
            type = sqlite3_column_type(head->statement, side->partition);
    } while (type == SQLITE_NULL);
    if (side->partition >= 0 && !is_integer(head->statement, side->partition))
        return SQLITE_MISMATCH;
    head->row_ts = sqlite3_column_int64(head->statement, side->ts);
    head->row_part =
        side->partition >= 0 ? sqlite3_column_int64(head->statement, side->partition) : 0;
    return SQLITE_OK;
}

/* Whether the row of the statement is of the current partition. */
static bool has_row(const struct span_join *span, const struct cursor *c, int which) {
    const struct head *head = &c->heads[which];
    return head->row && (span->sides[which].partition < 0 || head->row_part == c->part);
}

/* Makes the next row, or the gap before it, the next stretch. A gap is not before the end of the
 * rows so far. */
static void next_stretch(const struct span_join *span, struct cursor *c, int which) {
    struct head *head = &c->heads[which];
    bool row = has_row(span, c, which);
    int64_t gap_end = row ? head->row_ts : FOREVER, end = FOREVER;
    if (has_gaps(span, which) && head->covered < gap_end) {
        head->next = (struct stretch){.kind = GAP, .ts = head->covered, .end = gap_end};
        head->covered = gap_end;
    } else if (row) {
        int64_t dur = sqlite3_column_int64(head->statement, span->sides[which].dur);
        if (dur < 0 || __builtin_add_overflow(head->row_ts, dur, &end))
            end = FOREVER;
        head->next = (struct stretch){.kind = ROW, .ts = head->row_ts, .end = end};
        head->covered = end > head->covered ? end : head->covered;
    } else {
        head->next = (struct stretch){.kind = DONE};
    }
}

/* ---- the join ---- */

/* The next partition of two sides that both have them, or of the one that has; false: there is
 * none. */
static bool find_part(const struct span_join *span, struct cursor *c) {
    const struct head *a = &c->heads[0], *b = &c->heads[1];
    if (partitioned(span) < 0)
        return !c->begun;
    bool mixed = is_mixed(span);
    for (int k = 0; k < 2; k++)
        if (!c->heads[k].row && (mixed ? span->sides[k].partition >= 0 : !has_gaps(span, k)))
            return false;
    bool first = a->row && (!b->row || a->row_part < b->row_part);
    if (mixed)
        first = partitioned(span) == 0;
    c->part = first ? a->row_part : b->row_part;
    return a->row || b->row;
}

/* Goes to the next partition. Rows of the former one that are left are passed; a side without
 * partitions begins again. */
static int next_part(struct span_join *span, struct cursor *c) {
    int status = SQLITE_OK;
    for (int k = 0; k < 2; k++) {
        drop_kept(&span->sides[k], &c->heads[k]);
        while (status == SQLITE_OK && c->begun && span->sides[k].partition >= 0 &&
               has_row(span, c, k))
            status = step_row(span, c, k);
        if (status == SQLITE_OK && c->begun && is_mixed(span) && span->sides[k].partition < 0) {
            sqlite3_reset(c->heads[k].statement);
            status = step_row(span, c, k);
        }
    }
    c->end = status != SQLITE_OK || !find_part(span, c);
    c->begun = true;
    for (int k = 0; k < 2 && !c->end; k++) {
        c->heads[k].covered = INT64_MIN;
        next_stretch(span, c, k);
    }
    return status;
}

/* Whether nothing can meet any more in the partition. */
static bool is_passed(const struct cursor *c) {
    const struct head *a = &c->heads[0], *b = &c->heads[1];
    bool no_a = a->next.kind == DONE, no_b = b->next.kind == DONE;
    return (no_a && (no_b || a->nkept == 0)) || (no_b && b->nkept == 0);
}

/* Takes the stretch that arrives next. */
static int arrive(struct span_join *span, struct cursor *c) {
    int status = SQLITE_OK;
    while (status == SQLITE_OK && !c->end && is_passed(c))
        status = next_part(span, c);
    const struct stretch *a = &c->heads[0].next, *b = &c->heads[1].next;
    if (a->kind == DONE || b->kind == DONE)
        c->side = a->kind == DONE;
    else if (a->ts != b->ts)
        c->side = a->ts > b->ts;
    else
        c->side = a->kind > b->kind;
    c->at = c->left = 0;
    return status;
}

/* Leaves the current stretch, and keeps it if the next one of the other side meets it. */
static int pass(struct span_join *span, struct cursor *c) {
    const struct stretch *s = &c->heads[c->side].next, *other = &c->heads[!c->side].next;
    bool row = s->kind == ROW;
    int status = SQLITE_OK;
    if (other->kind != DONE && (s->end > other->ts || s->ts == other->ts))
        status = keep(span, c);
    if (status == SQLITE_OK && row)
        status = step_row(span, c, c->side);
    if (status == SQLITE_OK)
        next_stretch(span, c, c->side);
    return status;
}

/* Whether two stretches that overlap make a row of the join. */
static bool joins(struct stretch *a, struct stretch *b) {
    if (a->kind == ROW && b->kind == ROW)
        return a->met = b->met = true;
    const struct stretch *row = a->kind == ROW ? a : b;
    return row->kind == ROW && (row->ts < row->end || !row->met);
}

/* Finds the next row of the join: the current stretch and the last of the kept ones seen. */
static int meet(struct span_join *span, struct cursor *c) {
    int status = SQLITE_OK;
    while (status == SQLITE_OK && !c->end) {
        struct stretch *s = &c->heads[c->side].next;
        struct head *others = &c->heads[!c->side];
        while (c->at < others->nkept) {
            struct stretch *other = &others->kept[c->at++], moved = *other;
            if (moved.end <= s->ts && moved.ts < s->ts) {
                free_cells(&span->sides[!c->side], other);
                continue;
            }
            other->cells = NULL;
            others->kept[c->left++] = moved;
            if (joins(&others->kept[c->left - 1], s))
                return SQLITE_OK;
        }
        others->nkept = c->left;
        status = pass(span, c);
        if (status == SQLITE_OK)
            status = arrive(span, c);
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

static void drop_side(const struct side *side, struct head *head) {
    drop_kept(side, head);
    sqlite3_free(head->kept);
    sqlite3_finalize(head->statement);
    *head = (struct head){.statement = NULL};
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    struct cursor *c = (struct cursor *)base;
    const struct span_join *span = (const struct span_join *)base->pVtab;
    for (int k = 0; k < 2; k++)
        drop_side(&span->sides[k], &c->heads[k]);
    sqlite3_free(c);
    return SQLITE_OK;
}

/* The reason of a failure inside of the two statements. */
static int report(struct span_join *span, int status) {
    if (status == SQLITE_MISMATCH)
        return table_fail(&span->base, "SPAN_JOIN", "a partition is no integer");
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
    (void)argc;
    (void)argv;
    c->rowid = 0;
    c->begun = false;
    c->used = how ? strtoull(how, NULL, 10) : UINT64_MAX;
    for (int k = 0; k < 2 && status == SQLITE_OK; k++) {
        const struct side *side = &span->sides[k];
        char *sql =
            side->partition >= 0
                ? sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY %d, %d", side->table,
                                  side->partition + 1, side->ts + 1)
                : sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY %d", side->table, side->ts + 1);
        drop_side(side, &c->heads[k]);
        status = sql ? sqlite3_prepare_v3(span->db, sql, -1, 0, &c->heads[k].statement, NULL)
                     : SQLITE_NOMEM;
        sqlite3_free(sql);
        if (status == SQLITE_OK && sqlite3_column_count(c->heads[k].statement) != side->ncolumns)
            status = SQLITE_SCHEMA;
        if (status == SQLITE_OK)
            status = step_row(span, c, k);
    }
    if (status == SQLITE_OK)
        status = next_part(span, c);
    if (status == SQLITE_OK)
        status = arrive(span, c);
    return report(span, status == SQLITE_OK ? meet(span, c) : status);
}

static int next(sqlite3_vtab_cursor *base) {
    struct cursor *c = (struct cursor *)base;
    struct span_join *span = (struct span_join *)base->pVtab;
    c->rowid++;
    return report(span, meet(span, c));
}

static int at_end(sqlite3_vtab_cursor *base) {
    return ((struct cursor *)base)->end;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *out, int k) {
    const struct cursor *c = (const struct cursor *)base;
    const struct span_join *span = (const struct span_join *)base->pVtab;
    const struct stretch *hand = &c->heads[c->side].next,
                         *kept = &c->heads[!c->side].kept[c->left - 1];
    int64_t to = hand->end < kept->end ? hand->end : kept->end, dur;
    if (k < 2) {
        if (to == FOREVER)
            dur = -1;
        else if (__builtin_sub_overflow(to, hand->ts, &dur))
            dur = INT64_MAX;
        sqlite3_result_int64(out, k == 0 ? hand->ts : dur);
        return SQLITE_OK;
    }
    if (k < first_column(span, 0)) {
        sqlite3_result_int64(out, c->part);
        return SQLITE_OK;
    }
    int which = k >= first_column(span, 1);
    k -= first_column(span, which);
    const struct stretch *s = which == c->side ? hand : kept;
    if (s->kind != ROW)
        return SQLITE_OK;
    if (s->cells)
        put_cell(out, &s->cells[k]);
    else
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
