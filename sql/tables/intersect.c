/* intersect.c - stretches of time that rows of several tables share.
 *
 * The aggregate keeps the rows of a table in the order in which they come, and where each partition
 * begins. The table goes through the partitions that all have, and meets their rows table by table:
 * both sides are passed by time, with the rows that have not ended. All memory is SQLite's, so that
 * its limit counts it. */
#include "sql/tables/intersect.h"

#include <stdbool.h>
#include <string.h>

#include "sql/table.h"

#define POINTER "fxtop_intervals"
#define FOREVER INT64_MAX
#define LOOK 4096 /* pairs between two looks at the stop flag */

struct interval {
    int64_t ts, end, id;
};

struct part {
    sqlite3_value *values[INTERSECT_PARTS];
    size_t from; /* its first interval */
};

struct intervals {
    struct interval *v;
    struct part *parts;
    size_t n, cap, nparts, parts_cap;
    int ncolumns;
    int holders; /* the value, and cursors */
};

static void release(void *of) {
    struct intervals *t = of;
    if (--t->holders > 0)
        return;
    for (size_t i = 0; i < t->nparts; i++)
        for (int c = 0; c < t->ncolumns; c++)
            sqlite3_value_free(t->parts[i].values[c]);
    sqlite3_free(t->parts);
    sqlite3_free(t->v);
    sqlite3_free(t);
}

/* Space for one more item; false: no memory. */
static bool grow(void *v, size_t n, size_t *cap, size_t size) {
    void **items = v;
    if (n < *cap)
        return true;
    size_t more = *cap + *cap / 2 + 16;
    void *grown = sqlite3_realloc64(*items, (sqlite3_uint64)more * size);
    if (grown == NULL)
        return false;
    *items = grown;
    *cap = more;
    return true;
}

/* ---- the order of values, as ORDER BY has it ---- */

static int rank_of(sqlite3_value *v) {
    static const int ranks[] = {[SQLITE_INTEGER] = 1,
                                [SQLITE_FLOAT] = 1,
                                [SQLITE_TEXT] = 2,
                                [SQLITE_BLOB] = 3,
                                [SQLITE_NULL] = 0};
    return ranks[sqlite3_value_type(v)];
}

static int compare_values(sqlite3_value *a, sqlite3_value *b) {
    int rank = rank_of(a), other = rank_of(b);
    if (rank != other || rank == 0)
        return rank - other;
    if (rank == 1 && sqlite3_value_type(a) == SQLITE_INTEGER &&
        sqlite3_value_type(b) == SQLITE_INTEGER) {
        sqlite3_int64 x = sqlite3_value_int64(a), y = sqlite3_value_int64(b);
        return (x > y) - (x < y);
    }
    if (rank == 1) {
        double x = sqlite3_value_double(a), y = sqlite3_value_double(b);
        return (x > y) - (x < y);
    }
    int n = sqlite3_value_bytes(a), m = sqlite3_value_bytes(b);
    const void *s = sqlite3_value_blob(a), *t = sqlite3_value_blob(b);
    int least = n < m ? n : m, order = least > 0 ? memcmp(s, t, (size_t)least) : 0;
    return order ? order : n - m;
}

static int compare_parts(sqlite3_value *const *a, sqlite3_value *const *b, int n) {
    int order = 0;
    for (int c = 0; c < n && order == 0; c++)
        order = compare_values(a[c], b[c]);
    return order;
}

/* ---- the aggregate ---- */

static bool add_part(struct intervals *t, sqlite3_value **values) {
    if (!grow(&t->parts, t->nparts, &t->parts_cap, sizeof *t->parts))
        return false;
    struct part *part = &t->parts[t->nparts++];
    *part = (struct part){.from = t->n};
    bool done = true;
    for (int c = 0; c < t->ncolumns; c++) {
        part->values[c] = sqlite3_value_dup(values[c]);
        done = done && part->values[c];
    }
    return done;
}

static void step(sqlite3_context *out, int n, sqlite3_value **v) {
    struct intervals **at = sqlite3_aggregate_context(out, sizeof *at);
    if (at && *at == NULL && (*at = sqlite3_malloc(sizeof **at)) != NULL)
        **at = (struct intervals){.ncolumns = n - 3, .holders = 1};
    struct intervals *t = at ? *at : NULL;
    if (t == NULL) {
        sqlite3_result_error_nomem(out);
        return;
    }
    struct interval x = {.ts = sqlite3_value_int64(v[1]), .id = sqlite3_value_int64(v[0])};
    int64_t dur = sqlite3_value_int64(v[2]);
    if (sqlite3_value_type(v[1]) == SQLITE_NULL || sqlite3_value_type(v[2]) == SQLITE_NULL)
        return;
    if (dur < 0 || __builtin_add_overflow(x.ts, dur, &x.end))
        x.end = FOREVER;
    int order =
        t->nparts > 0 ? compare_parts(v + 3, t->parts[t->nparts - 1].values, t->ncolumns) : 1;
    if (order < 0 || (order == 0 && t->n > 0 && x.ts < t->v[t->n - 1].ts)) {
        sqlite3_result_error(
            out, "fxtop_intervals: rows have to be in the order of the columns, then of ts", -1);
        return;
    }
    if ((order > 0 && !add_part(t, v + 3)) || !grow(&t->v, t->n, &t->cap, sizeof *t->v)) {
        sqlite3_result_error_nomem(out);
        return;
    }
    t->v[t->n++] = x;
}

static void final(sqlite3_context *out) {
    struct intervals **at = sqlite3_aggregate_context(out, 0);
    if (at && *at)
        sqlite3_result_pointer(out, *at, POINTER, release);
}

/* ---- the table ---- */

struct vtab {
    sqlite3_vtab base;
    struct source *source;
};

struct hit { /* a stretch, and the row of each table so far */
    int64_t ts, end, ids[INTERSECT_TABLES];
};

struct hits {
    struct hit *v;
    size_t n, cap;
};

struct numbers {
    size_t *v;
    size_t n, cap;
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct intervals *tables[INTERSECT_TABLES]; /* held; NULL: without rows */
    size_t parts[INTERSECT_TABLES];
    int n;
    struct hits hits, former; /* of the current partition */
    struct numbers active[2];
    size_t at, part; /* hit; partition of table 0 */
    sqlite3_int64 row;
};

static bool has_ended(int64_t ts, int64_t end, int64_t at) {
    return end < at || (end == at && ts < at);
}

static bool add_hit(struct hits *hits, const struct hit *a, const struct interval *b, int table) {
    if (!grow(&hits->v, hits->n, &hits->cap, sizeof *hits->v))
        return false;
    struct hit *hit = &hits->v[hits->n++];
    *hit = *a;
    hit->ts = a->ts > b->ts ? a->ts : b->ts;
    hit->end = a->end < b->end ? a->end : b->end;
    hit->ids[table] = b->id;
    return true;
}

/* Meets the hits of the tables before with n rows of the next one. A row leaves its list when it
 * has ended. */
static int meet(struct cursor *c, struct source *source, const struct interval *v, size_t n,
                int table) {
    struct hits former = c->hits;
    size_t i = 0, k = 0, looks = 0;
    c->hits = c->former;
    c->former = former;
    c->hits.n = 0;
    c->active[0].n = c->active[1].n = 0;
    while (i < former.n || k < n) {
        bool first = i < former.n && (k >= n || former.v[i].ts <= v[k].ts);
        int64_t at = first ? former.v[i].ts : v[k].ts;
        struct numbers *own = &c->active[!first], *others = &c->active[first];
        size_t kept = 0;
        for (size_t a = 0; a < others->n; a++) {
            size_t other = others->v[a];
            const struct hit *hit = first ? &former.v[i] : &former.v[other];
            const struct interval *x = first ? &v[other] : &v[k];
            if (first ? has_ended(x->ts, x->end, at) : has_ended(hit->ts, hit->end, at))
                continue;
            others->v[kept++] = other;
            if (!add_hit(&c->hits, hit, x, table))
                return SQLITE_NOMEM;
            if (++looks % LOOK == 0 && source_stopped(source))
                return SQLITE_INTERRUPT;
        }
        others->n = kept;
        if (!grow(&own->v, own->n, &own->cap, sizeof *own->v))
            return SQLITE_NOMEM;
        own->v[own->n++] = first ? i++ : k++;
        if (++looks % LOOK == 0 && source_stopped(source))
            return SQLITE_INTERRUPT;
    }
    return SQLITE_OK;
}

static size_t part_end(const struct intervals *t, size_t part) {
    return part + 1 < t->nparts ? t->parts[part + 1].from : t->n;
}

/* Goes to the next partition that all tables have; false: there is none. */
static bool find_part(struct cursor *c) {
    for (int k = 0; k < c->n;) {
        const struct intervals *t = c->tables[k], *first = c->tables[0];
        if (c->parts[0] >= first->nparts || c->parts[k] >= t->nparts)
            return false;
        int order = compare_parts(t->parts[c->parts[k]].values, first->parts[c->parts[0]].values,
                                  first->ncolumns);
        if (order < 0) {
            c->parts[k]++;
        } else if (order > 0) { /* all are compared again */
            c->parts[0]++;
            k = 0;
        } else {
            k++;
        }
    }
    return true;
}

/* The hits of the next partition that has any. */
static int next_part(struct cursor *c, struct source *source) {
    int status = SQLITE_OK;
    c->at = c->hits.n = 0;
    while (status == SQLITE_OK && c->hits.n == 0 && find_part(c)) {
        const struct intervals *t = c->tables[0];
        c->part = c->parts[0]++;
        for (size_t i = t->parts[c->part].from; i < part_end(t, c->part); i++) {
            if (!grow(&c->hits.v, c->hits.n, &c->hits.cap, sizeof *c->hits.v))
                return SQLITE_NOMEM;
            c->hits.v[c->hits.n++] = (struct hit){t->v[i].ts, t->v[i].end, {t->v[i].id}};
        }
        for (int k = 1; k < c->n && status == SQLITE_OK; k++) {
            const struct intervals *other = c->tables[k];
            size_t from = other->parts[c->parts[k]].from;
            status = meet(c, source, other->v + from, part_end(other, c->parts[k]) - from, k);
        }
        if (source_stopped(source))
            return SQLITE_INTERRUPT;
    }
    return status;
}

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **error) {
    struct source *source = aux;
    sqlite3_str *sql = sqlite3_str_new(db);
    (void)argc;
    (void)argv;
    (void)error;
    sqlite3_str_appendall(sql, "CREATE TABLE x(ts INTEGER,dur INTEGER");
    for (int k = 0; k < INTERSECT_TABLES; k++)
        sqlite3_str_appendf(sql, ",id_%d INTEGER", k);
    for (int k = 0; k < INTERSECT_PARTS; k++)
        sqlite3_str_appendf(sql, ",part_%d", k);
    for (int k = 0; k < INTERSECT_TABLES; k++)
        sqlite3_str_appendf(sql, ",in_%d HIDDEN", k);
    sqlite3_str_appendall(sql, ")");
    int status = table_declare(db, sql, &source->declaring);
    struct vtab *vtab = status == SQLITE_OK ? sqlite3_malloc(sizeof *vtab) : NULL;
    if (vtab == NULL)
        return status == SQLITE_OK ? SQLITE_NOMEM : status;
    *vtab = (struct vtab){.source = source};
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    *out = &vtab->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *vtab) {
    sqlite3_free(vtab);
    return SQLITE_OK;
}

/* The values are passed in the order of their columns. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
    int given = 0;
    (void)base;
    for (int k = 0; k < INTERSECT_TABLES; k++)
        for (int i = 0; i < info->nConstraint; i++) {
            const struct sqlite3_index_constraint *x = &info->aConstraint[i];
            if (x->iColumn != 2 + INTERSECT_TABLES + INTERSECT_PARTS + k ||
                x->op != SQLITE_INDEX_CONSTRAINT_EQ)
                continue;
            if (!x->usable)
                return SQLITE_CONSTRAINT;
            info->aConstraintUsage[i].argvIndex = ++given;
            info->aConstraintUsage[i].omit = 1;
            break;
        }
    info->estimatedRows = 1000000;
    info->estimatedCost = 1e7;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
    struct cursor *c = sqlite3_malloc(sizeof *c);
    (void)base;
    if (c == NULL)
        return SQLITE_NOMEM;
    *c = (struct cursor){.n = 0};
    *out = &c->base;
    return SQLITE_OK;
}

static void drop_tables(struct cursor *c) {
    for (int k = 0; k < c->n; k++)
        if (c->tables[k])
            release(c->tables[k]);
    c->n = 0;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    struct cursor *c = (struct cursor *)base;
    drop_tables(c);
    sqlite3_free(c->hits.v);
    sqlite3_free(c->former.v);
    sqlite3_free(c->active[0].v);
    sqlite3_free(c->active[1].v);
    sqlite3_free(c);
    return SQLITE_OK;
}

/* A value that is NULL is a table without rows. */
static int filter(sqlite3_vtab_cursor *base, int number, const char *how, int argc,
                  sqlite3_value **argv) {
    struct cursor *c = (struct cursor *)base;
    bool empty = false;
    (void)number;
    (void)how;
    drop_tables(c);
    c->row = 0;
    c->at = c->hits.n = 0;
    for (int k = 0; k < argc && k < INTERSECT_TABLES; k++) {
        c->parts[k] = 0;
        c->tables[k] = sqlite3_value_pointer(argv[k], POINTER);
        c->n = k + 1;
        empty = empty || c->tables[k] == NULL;
        if (c->tables[k])
            c->tables[k]->holders++;
        if (c->tables[k] && c->tables[0] && c->tables[k]->ncolumns != c->tables[0]->ncolumns)
            return table_fail(base->pVtab, NULL,
                              "fxtop_intersection wants intervals with the same number of columns");
    }
    if (c->n < 2)
        return table_fail(base->pVtab, NULL,
                          "fxtop_intersection wants 2 to 5 values of fxtop_intervals()");
    return empty ? SQLITE_OK : next_part(c, ((struct vtab *)base->pVtab)->source);
}

static int next(sqlite3_vtab_cursor *base) {
    struct cursor *c = (struct cursor *)base;
    c->row++;
    return ++c->at < c->hits.n ? SQLITE_OK : next_part(c, ((struct vtab *)base->pVtab)->source);
}

static int at_end(sqlite3_vtab_cursor *base) {
    const struct cursor *c = (const struct cursor *)base;
    return c->at >= c->hits.n;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *out, int k) {
    const struct cursor *c = (const struct cursor *)base;
    const struct hit *hit = &c->hits.v[c->at];
    if (k == 0)
        sqlite3_result_int64(out, hit->ts);
    else if (k == 1)
        sqlite3_result_int64(out, hit->end == FOREVER ? -1 : hit->end - hit->ts);
    else if (k < 2 + c->n)
        sqlite3_result_int64(out, hit->ids[k - 2]);
    else if (k >= 2 + INTERSECT_TABLES && k - 2 - INTERSECT_TABLES < c->tables[0]->ncolumns)
        sqlite3_result_value(out, c->tables[0]->parts[c->part].values[k - 2 - INTERSECT_TABLES]);
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id) {
    *id = ((const struct cursor *)base)->row;
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

int intersect_register(sqlite3 *db, struct source *source) {
    int status = sqlite3_create_module_v2(db, "fxtop_intersection", &module, source, NULL);
    for (int n = 0; n <= INTERSECT_PARTS && status == SQLITE_OK; n++)
        status = sqlite3_create_function_v2(db, POINTER, 3 + n, SQLITE_UTF8 | SQLITE_INNOCUOUS,
                                            NULL, NULL, step, final, NULL);
    return status;
}
