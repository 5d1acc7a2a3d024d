/* table.c - the one module of virtual tables: SQLite's questions become those of rows.h.
 *
 * best_index() writes what it takes as text for filter(): a pair of characters for each value, role
 * and operator, then the order after '|'. Costs and numbers of rows are true for every table: from
 * them SQLite chooses the outer table of a join. Bounds are exact for integers, reals and texts, so
 * SQLite does not check them again; names by pattern it does.
 *
 * Example: "t>t<n=|x-d+t" asks for two bounds of ts and a name; the first rows by dur downwards,
 * then ts. */
#include "sql/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sql/functions.h"

struct vtab {
    sqlite3_vtab base;
    struct source *source;
    const struct table *table;
    bool batches;
};

struct context { /* of a registration */
    struct source *source;
    const struct table *table;
    bool batches;
};

/* ---- cells ---- */

void table_text(sqlite3_context *out, struct str text) {
    size_t n;
    char *copy = source_valid_text(text, &n);
    sqlite3_result_text64(out, copy, n, SQLITE_TRANSIENT, SQLITE_UTF8);
    free(copy);
}

void table_name(const struct table_cursor *cursor, sqlite3_context *out, uint32_t name) {
    struct str text = trace_name(cursor->source->trace, name);
    if (source_name_valid(cursor->source, name))
        sqlite3_result_text64(out, text.n > 0 ? text.s : "", text.n, SQLITE_STATIC, SQLITE_UTF8);
    else
        table_text(out, text);
}

bool table_decode(struct table_cursor *cursor, uint64_t offset) {
    return detail_open(&cursor->detail, cursor->source->trace, offset);
}

struct rows *table_numbers(struct source *source, const void *key, uint64_t first, uint64_t n) {
    struct rows *rows = source_find(source, key);
    if (rows)
        return rows;
    rows = rows_new(source, first);
    rows_add(rows, &(struct rows_lane){.n = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX});
    rows_done(rows);
    source_keep(source, key, rows, rows_free);
    return rows;
}

/* ---- connection ---- */

int table_declare(sqlite3 *db, sqlite3_str *sql, bool *declaring) {
    char *text = sqlite3_str_finish(sql);
    *declaring = true;
    int status = text ? sqlite3_declare_vtab(db, text) : SQLITE_NOMEM;
    *declaring = false;
    sqlite3_free(text);
    return status;
}

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **error) {
    static const char *const types[] = {
        [TABLE_INTEGER] = "INTEGER", [TABLE_TEXT] = "TEXT", [TABLE_REAL] = "REAL"};
    struct context *context = aux;
    const struct table *table = context->table;
    sqlite3_str *sql = sqlite3_str_new(db);
    (void)argc;
    (void)argv;
    (void)error;
    for (int c = 0; c < table->ncolumns; c++)
        sqlite3_str_appendf(sql, "%s\"%w\" %s%s", c ? "," : "CREATE TABLE x(",
                            table->columns[c].name, types[table->columns[c].type],
                            table->columns[c].hidden ? " HIDDEN" : "");
    sqlite3_str_appendf(sql, "%s)", table_has_trace(context->source, table) ? ",trace TEXT" : "");
    int status = table_declare(db, sql, &context->source->declaring);
    struct vtab *vtab = status == SQLITE_OK ? sqlite3_malloc(sizeof *vtab) : NULL;
    if (vtab == NULL)
        return status == SQLITE_OK ? SQLITE_NOMEM : status;
    *vtab = (struct vtab){.source = context->source, .table = table, .batches = context->batches};
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    *out = &vtab->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *vtab) {
    sqlite3_free(vtab);
    return SQLITE_OK;
}

/* ---- choice of a plan ---- */

static char op_of(int op) {
    static const struct {
        int op;
        char letter;
    } ops[] = {{SQLITE_INDEX_CONSTRAINT_EQ, '='},   {SQLITE_INDEX_CONSTRAINT_GT, '>'},
               {SQLITE_INDEX_CONSTRAINT_GE, 'g'},   {SQLITE_INDEX_CONSTRAINT_LT, '<'},
               {SQLITE_INDEX_CONSTRAINT_LE, 'l'},   {SQLITE_INDEX_CONSTRAINT_GLOB, 'G'},
               {SQLITE_INDEX_CONSTRAINT_LIKE, 'L'}, {SQLITE_INDEX_CONSTRAINT_REGEXP, 'R'}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i].op == op)
            return ops[i].letter;
    return 0;
}

static const char letters[] = {
    [ROLE_ID] = 'i',    [ROLE_KEY] = 'k',   [ROLE_TS] = 't',      [ROLE_DUR] = 'd',
    [ROLE_DEPTH] = 'e', [ROLE_NAME] = 'n',  [ROLE_PARENT] = 'p',  [ROLE_ARG_SET] = 'a',
    [ROLE_INPUT] = 'h', [ROLE_OTHER] = 'q', [ROLE_SPELLED] = 's', [ROLE_GROUP] = 'g',
    [ROLE_REAL] = 'v'};

struct plan {
    const struct table *table;
    struct rows *rows; /* NULL: it has none before an input */
    sqlite3_index_info *info;
    char text[256];
    size_t n;
    int args;
    bool one, key, parent, spelled, names, ordered;
    int inputs;
    double examined, found; /* rows, about */
    bool all;               /* every constraint was taken */
    int limit;              /* its constraint; -1: none */
};

static enum table_role role_of(const struct plan *p, int column) {
    return column >= 0 && column < p->table->ncolumns ? p->table->columns[column].role : ROLE_NONE;
}

/* Whether a constraint is one that filter() takes. */
static bool takes(const struct plan *p, int i, enum table_role role, char op) {
    bool binary = sqlite3_stricmp(sqlite3_vtab_collation(p->info, i), "BINARY") == 0;
    bool compares = op == '=' || op == '<' || op == '>' || op == 'l' || op == 'g';
    switch (role) {
    case ROLE_NONE:
    case ROLE_LABEL:
    case ROLE_GROUP:
    case ROLE_REAL:
        return false;
    case ROLE_INPUT:
        return op == '=' && p->inputs < 2;
    case ROLE_PARENT:
        return op == '=' && !p->parent && p->rows && p->rows->children;
    case ROLE_OTHER:
        return op == '=' && !p->parent && p->rows && p->rows->others;
    case ROLE_ARG_SET:
        return op == '=';
    case ROLE_SPELLED:
        return !p->spelled && (op == '=' || op == 'L' || op == 'G');
    case ROLE_NAME:
        return p->rows && p->rows->named &&
               ((op == '=' && binary) || op == 'G' || op == 'L' || op == 'R');
    case ROLE_TS:
        return compares && p->rows && p->rows->timed;
    case ROLE_DUR:
        return compares && p->rows && rows_dur_known(p->rows);
    case ROLE_DEPTH:
        return compares && p->rows && p->rows->depth;
    default:
        return compares && p->rows;
    }
}

static void estimate(struct plan *p, enum table_role role, char op) {
    double share = 1;
    bool equal = op == '=';
    if (role == ROLE_ID || role == ROLE_ARG_SET) {
        p->one = p->one || (equal && role == ROLE_ID);
        p->examined = equal ? 1 : p->examined / 3;
        p->found = p->examined < p->found ? p->examined : p->found;
        return;
    }
    if (role == ROLE_PARENT || role == ROLE_OTHER)
        p->examined = p->found = p->found < 8 ? p->found : 8;
    if ((role == ROLE_KEY || role == ROLE_TS) && !equal)
        share = 0.25;
    else if (role == ROLE_TS)
        share = 0.001;
    else if (role == ROLE_KEY)
        share = p->rows->keys > 0 ? 1.0 / (double)p->rows->keys : 1;
    if (role == ROLE_INPUT)
        p->examined = p->found = (double)p->table->about;
    p->examined *= share;
    p->found *= share;
    if (role == ROLE_DUR || role == ROLE_DEPTH)
        p->found *= equal ? 0.05 : 0.3;
    if (role == ROLE_NAME || role == ROLE_SPELLED)
        p->found *= equal ? 0.01 : 0.1;
}

static void take(struct plan *p, int i) {
    const struct sqlite3_index_constraint *x = &p->info->aConstraint[i];
    enum table_role role = role_of(p, x->iColumn);
    bool is = role == ROLE_SPELLED && x->op == SQLITE_INDEX_CONSTRAINT_IS;
    char op = is ? '=' : op_of(x->op);
    if (x->op == SQLITE_INDEX_CONSTRAINT_LIMIT) {
        p->limit = x->usable ? i : -1;
        return;
    }
    bool fits = x->usable && op != 0 && takes(p, i, role, op) && p->n + 4 < sizeof p->text - 32;
    p->all = p->all && fits && role < ROLE_PARENT;
    if (!fits)
        return;
    if (role == ROLE_INPUT) {
        p->text[p->n++] = x->iColumn == p->table->ncolumns - 1 && p->table->ncolumns > 1 &&
                                  role_of(p, p->table->ncolumns - 2) == ROLE_INPUT
                              ? 'j'
                              : 'h';
        p->inputs++;
    } else {
        p->text[p->n++] = letters[role];
    }
    p->text[p->n++] = op;
    p->info->aConstraintUsage[i].argvIndex = ++p->args;
    p->info->aConstraintUsage[i].omit =
        (role < ROLE_PARENT && (role != ROLE_NAME || op == '=')) ||
        (role == ROLE_INPUT && p->table->columns[x->iColumn].hidden);
    p->parent = p->parent || role == ROLE_PARENT || role == ROLE_OTHER;
    /* all of a list at once: else a row would be there for each spelling in it */
    if (role == ROLE_SPELLED && op == '=' && sqlite3_vtab_in(p->info, i, 1))
        p->text[p->n - 1] = 'I';
    p->spelled = p->spelled || role == ROLE_SPELLED;
    p->key = p->key || (role == ROLE_KEY && op == '=');
    estimate(p, role, op);
}

static void append(struct plan *p, const char *s) {
    while (*s && p->n + 1 < sizeof p->text)
        p->text[p->n++] = *s++;
}

/* Whether rows can come in the order of their names, alone or with the key; appends it. */
static bool by_names(struct plan *p) {
    const sqlite3_index_info *info = p->info;
    enum table_role first = role_of(p, info->aOrderBy[0].iColumn);
    enum table_role second = info->nOrderBy > 1 ? role_of(p, info->aOrderBy[1].iColumn) : ROLE_NONE;
    bool label = first == ROLE_LABEL && p->rows->label && info->nOrderBy == 1;
    bool name = first == ROLE_NAME && p->rows->named && (info->nOrderBy == 1 || second == ROLE_KEY);
    bool key = first == ROLE_KEY && second == ROLE_NAME && p->rows->named;
    if (info->nOrderBy > 2 || !(label || name || key))
        return false;
    append(p, key ? "|k" : "|n");
    bool down = info->aOrderBy[0].desc;
    append(p, down ? "-" : "+");
    bool last_down = info->nOrderBy > 1 ? info->aOrderBy[1].desc : down;
    append(p, last_down ? "-" : "+");
    return true;
}

static bool first_rows(struct plan *p) {
    if (p->limit < 0 || !p->all || p->info->nOrderBy > ROWS_TOP_TERMS)
        return false;
    for (int i = 0; i < p->info->nOrderBy; i++) {
        enum table_role role = role_of(p, p->info->aOrderBy[i].iColumn);
        if (role < ROLE_ID || role > ROLE_DEPTH || (role == ROLE_DEPTH && !p->rows->depth) ||
            (role == ROLE_TS && !p->rows->timed) || (role == ROLE_DUR && !rows_dur_known(p->rows)))
            return false;
    }
    append(p, "|x");
    for (int i = 0; i < p->info->nOrderBy; i++) {
        p->text[p->n++] = p->info->aOrderBy[i].desc ? '-' : '+';
        p->text[p->n++] = letters[role_of(p, p->info->aOrderBy[i].iColumn)];
    }
    p->info->aConstraintUsage[p->limit].argvIndex = ++p->args;
    return true;
}

/* Whether the rows come in the order that is asked for; appends it. GROUP BY needs it, too: SQLite
 * then does not sort for an ORDER BY of the same terms, and does not say so. */
static bool order(struct plan *p) {
    const sqlite3_index_info *info = p->info;
    if (info->nOrderBy == 0 || p->rows == NULL || p->table->begin || p->parent ||
        p->rows->n > UINT32_MAX)
        return false;
    enum table_role role = role_of(p, info->aOrderBy[0].iColumn);
    bool down = info->aOrderBy[0].desc;
    if (info->nOrderBy == 1 && (role == ROLE_KEY || (role == ROLE_ID && !down))) {
        append(p, down ? "|K" : "");
        return true;
    }
    if (info->nOrderBy == 1 && role == ROLE_TS && p->rows->timed) {
        append(p, down ? "|T" : "|t");
        return true;
    }
    if (p->found * 20 >= (double)p->rows->n && by_names(p)) { /* few rows are sorted sooner */
        p->examined = p->examined < (double)p->rows->n ? (double)p->rows->n : p->examined;
        return true;
    }
    return first_rows(p);
}

/* ---- batches ---- */

/* Whether a column is one by which rows are counted together. */
static bool groups(const struct plan *p, enum table_role role) {
    return role == ROLE_KEY || (role == ROLE_NAME && p->rows->named) ||
           (role == ROLE_GROUP && p->rows->group);
}

/* Whether the values of a column can be added up. */
static bool adds(const struct plan *p, enum table_role role) {
    switch (role) {
    case ROLE_ID:
    case ROLE_KEY:
    case ROLE_TS:
        return true;
    case ROLE_DUR:
        return rows_dur_known(p->rows);
    case ROLE_DEPTH:
        return p->rows->depth != NULL;
    case ROLE_REAL:
        return batch_adds_reals();
    default:
        return false;
    }
}

/* Whether a column is in a constraint on names, which nothing else has to read. */
static bool is_asked(const struct plan *p, int column) {
    bool asked = false;
    for (int i = 0; i < p->info->nConstraint; i++)
        asked = asked || p->info->aConstraint[i].iColumn == column;
    return asked && role_of(p, column) == ROLE_NAME;
}

/* Rows by the columns of the order, which is that of GROUP BY, or all of them; false: it cannot be.
 * Writes "|B", these columns with their directions, '/', their bits, '/', the bits of the others,
 * which may be in constraints alone (batch/plan.c). */
static bool batches(struct plan *p) {
    const sqlite3_index_info *info = p->info;
    unsigned by = 0, groups_bits = 0, sums_bits = 0;
    char bits[32];
    if (p->rows == NULL || p->table->begin || !batch_possible(p->rows) || info->nOrderBy > 2 ||
        info->colUsed >> 31 != 0)
        return false;
    append(p, "|B");
    for (int i = 0; i < info->nOrderBy; i++) {
        enum table_role role = role_of(p, info->aOrderBy[i].iColumn);
        if (!groups(p, role) || (by >> role & 1))
            return false;
        by |= 1u << role;
        p->text[p->n++] = letters[role];
        p->text[p->n++] = info->aOrderBy[i].desc ? '-' : '+';
    }
    for (int c = 0; c < 31; c++) {
        enum table_role role = role_of(p, c);
        if (!(info->colUsed >> c & 1))
            continue;
        if (by >> role & 1) {
            groups_bits |= 1u << c;
            continue;
        }
        if (!adds(p, role) && is_asked(p, c))
            continue;
        if (!adds(p, role))
            return false;
        sums_bits |= 1u << c;
    }
    snprintf(bits, sizeof bits, "/%x/%x", groups_bits, sums_bits);
    append(p, bits);
    return true;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
    struct vtab *vtab = (struct vtab *)base;
    struct plan p = {.table = vtab->table, .info = info, .all = true, .limit = -1};
    bool offset = false;
    p.rows = vtab->table->rows ? vtab->table->rows(vtab->source) : NULL;
    if (p.rows && p.rows->used)
        p.rows->used(p.rows, info);
    p.examined = p.found =
        vtab->table->begin ? (double)vtab->table->about * 1e6 : (double)p.rows->n;
    for (int i = 0; i < info->nConstraint; i++) {
        offset = offset || info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_OFFSET;
        if (role_of(&p, info->aConstraint[i].iColumn) == ROLE_INPUT && vtab->table->needs &&
            info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ && !info->aConstraint[i].usable)
            return SQLITE_CONSTRAINT; /* another order of the join has the value */
    }
    for (int i = 0; i < info->nConstraint; i++)
        if (info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_OFFSET)
            take(&p, i);
    p.limit = offset ? -1 : p.limit;
    if (vtab->batches && !batches(&p))
        return SQLITE_CONSTRAINT;
    info->orderByConsumed = vtab->batches ? info->nOrderBy > 0 : order(&p);
    p.text[p.n] = 0;
    info->idxStr = sqlite3_mprintf("%s", p.text);
    if (info->idxStr == NULL)
        return SQLITE_NOMEM;
    info->needToFreeIdxStr = 1;
    info->idxFlags = p.one && !vtab->table->begin ? SQLITE_INDEX_SCAN_UNIQUE : 0;
    info->estimatedCost = 2 + p.examined * 0.2 + p.found;
    /* SQLite adds no cost of a sort to a join of virtual tables. So a list in order has to cost
     * less, and what is joined to its rows, too. */
    if (info->orderByConsumed && !p.one) {
        info->estimatedCost *= 0.7;
        p.found *= 0.7;
    }
    info->estimatedRows = p.found < 1 ? 1 : (sqlite3_int64)p.found;
    return SQLITE_OK;
}

/* ---- cursors ---- */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
    struct vtab *vtab = (struct vtab *)base;
    struct table_cursor *cursor = sqlite3_malloc(sizeof *cursor);
    if (cursor == NULL)
        return SQLITE_NOMEM;
    *cursor = (struct table_cursor){.source = vtab->source, .table = vtab->table};
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    struct table_cursor *cursor = (struct table_cursor *)base;
    if (cursor->table->end)
        cursor->table->end(cursor);
    rows_cursor_free(&cursor->rows);
    batch_free(cursor->batch);
    vec_free(&cursor->spelled);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static void at_least(struct rows_bounds *b, int64_t v) {
    b->lo = v > b->lo ? v : b->lo;
}

static void at_most(struct rows_bounds *b, int64_t v) {
    b->hi = v < b->hi ? v : b->hi;
}

#define NO_ROWS ((struct rows_bounds){1, 0})

static void narrow_integer(struct rows_bounds *b, char op, int64_t v) {
    if ((op == '>' && v == INT64_MAX) || (op == '<' && v == INT64_MIN))
        *b = NO_ROWS;
    if (op == '=' || op == 'g' || op == '>')
        at_least(b, op == '>' && v < INT64_MAX ? v + 1 : v);
    if (op == '=' || op == 'l' || op == '<')
        at_most(b, op == '<' && v > INT64_MIN ? v - 1 : v);
}

static void narrow_real(struct rows_bounds *b, char op, double v) {
    bool above = v >= 9223372036854775808.0, below = v < -9223372036854775808.0;
    double whole = floor(v);
    if (above || below) {
        if (op == '=' || (above && (op == '>' || op == 'g')) || (below && (op == '<' || op == 'l')))
            *b = NO_ROWS;
    } else if (whole == v) {
        narrow_integer(b, op, (int64_t)whole);
    } else if (op == '=') {
        *b = NO_ROWS;
    } else if (op == '>' || op == 'g') {
        narrow_integer(b, '>', (int64_t)whole);
    } else {
        narrow_integer(b, 'l', (int64_t)whole);
    }
}

static void narrow(struct rows_bounds *b, char op, sqlite3_value *value) {
    switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_INTEGER:
        narrow_integer(b, op, sqlite3_value_int64(value));
        break;
    case SQLITE_FLOAT:
        narrow_real(b, op, sqlite3_value_double(value));
        break;
    case SQLITE_NULL:
        *b = NO_ROWS;
        break;
    default: /* greater than any number */
        if (op != '<' && op != 'l')
            *b = NO_ROWS;
    }
}

struct name_test {
    char op;
    struct str text; /* of '=' */
    const char *pattern;
    struct pattern *regex;
};

static bool name_fits(const struct name_test *test, struct source *source, uint32_t name) {
    struct str text = trace_name(source->trace, name);
    size_t n = text.n;
    if (test->op == '=' && source_name_valid(source, name))
        return str_eq(text, test->text);
    char *copy = source_valid_text(text, &n);
    bool fits;
    if (test->op == '=')
        fits = str_eq((struct str){copy, n}, test->text);
    else if (test->op == 'G')
        fits = sqlite3_strglob(test->pattern, copy) == 0;
    else if (test->op == 'L')
        fits = sqlite3_strlike(test->pattern, copy, 0) == 0;
    else
        fits = pattern_matches(test->regex, (struct str){copy, n});
    free(copy);
    return fits;
}

/* The names that fit, in a map of all numbers; those of an earlier constraint stay out. NULL as a
 * value fits none. */
static bool narrow_names(struct table_cursor *cursor, struct rows_ask *ask, char op,
                         sqlite3_value *value) {
    struct source *source = cursor->source;
    struct name_test test = {.op = op, .pattern = (const char *)sqlite3_value_text(value)};
    bool any = test.pattern != NULL && (op != '=' || sqlite3_value_type(value) != SQLITE_BLOB);
    if (any)
        test.text = (struct str){test.pattern, (size_t)sqlite3_value_bytes(value)};
    if (any && op == 'R' && (test.regex = functions_pattern(test.text)) == NULL)
        return true; /* SQLite calls regexp() itself, which fails with the reason */
    if (ask->names == NULL) {
        ask->names = err_malloc((size_t)source->names + 1);
        memset(ask->names, 1, (size_t)source->names + 1);
    }
    bool stopped = false;
    for (uint32_t i = 0; i < source->names && !stopped; i++) {
        if (ask->names[i])
            ask->names[i] = any && name_fits(&test, source, i);
        stopped = i % 4096 == 0 && source_stopped(source);
    }
    pattern_free(test.regex);
    return !stopped;
}

/* The order is after '|'; a limit is given with that of a few rows alone. */
static void take_order(struct rows_ask *ask, const char *s, sqlite3_value *limit) {
    static const struct {
        char letter;
        enum rows_order order;
    } orders[] = {{'t', ROWS_UP},    {'T', ROWS_DOWN},      {'K', ROWS_KEYS_DOWN},
                  {'n', ROWS_NAMES}, {'k', ROWS_KEY_NAMES}, {'x', ROWS_TOP}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i].letter == *s)
            ask->order = orders[i].order;
    if (ask->order == ROWS_NAMES || ask->order == ROWS_KEY_NAMES) {
        ask->down = s[1] == '-';
        ask->then_down = s[2] == '-';
    }
    if (ask->order != ROWS_TOP || limit == NULL)
        return;
    for (s++; *s; s += 2) {
        ask->top[ask->ntop].down = *s == '-';
        for (int role = ROLE_ID; role <= ROLE_DEPTH; role++)
            if (letters[role] == s[1])
                ask->top[ask->ntop].term = (uint8_t)(role - ROLE_ID);
        ask->ntop++;
    }
    sqlite3_int64 rows = sqlite3_value_int64(limit);
    ask->limit = rows < 0 || rows > UINT32_MAX ? UINT32_MAX : (uint64_t)rows;
}

/* An id that a value equals; -1: none can. */
static int64_t id_of(sqlite3_value *value) {
    struct rows_bounds b = ROWS_ALL;
    narrow(&b, '=', value);
    return b.lo == b.hi && b.lo >= 0 ? b.lo : -1;
}

static void take_spelled(struct table_cursor *cursor, char op, sqlite3_value *value) {
    sqlite3_value *one = value;
    bool list = op == 'I';
    cursor->spelled.n = 0;
    cursor->spelled_op = list ? '=' : op;
    int status = list ? sqlite3_vtab_in_first(value, &one) : SQLITE_OK;
    while (status == SQLITE_OK && one) {
        chars_add(&cursor->spelled, functions_text(one));
        vec_push(&cursor->spelled, '\0');
        status = list ? sqlite3_vtab_in_next(value, &one) : SQLITE_DONE;
    }
}

bool table_asks(const struct table_cursor *cursor, const char *text) {
    const struct chars *asked = &cursor->spelled;
    bool asks = cursor->spelled_op == 0;
    for (size_t at = 0; at < asked->n && !asks; at += strlen(asked->v + at) + 1) {
        if (cursor->spelled_op == 'L')
            asks = sqlite3_strlike(asked->v + at, text, 0) == 0;
        else if (cursor->spelled_op == 'G')
            asks = sqlite3_strglob(asked->v + at, text) == 0;
        else
            asks = strcmp(asked->v + at, text) == 0;
    }
    return asks;
}

/* One constraint; false: stopped. */
static bool take_value(struct table_cursor *cursor, struct rows_ask *ask, const char *how,
                       sqlite3_value *value) {
    int64_t id;
    switch (how[0]) {
    case 'n':
        return narrow_names(cursor, ask, how[1], value);
    case 'h':
        cursor->input = id_of(value);
        cursor->has_input = true;
        return true;
    case 'j':
        cursor->second = id_of(value);
        return true;
    case 'p':
    case 'q':
        id = id_of(value);
        ask->other = how[0] == 'q';
        ask->parent = id;
        if (id < 0)
            ask->within[ROWS_BY_ID] = NO_ROWS;
        return true;
    case 's':
        take_spelled(cursor, how[1], value);
        return true;
    case 'a':
        narrow(&ask->within[ROWS_BY_ID], '=', value);
        return true;
    default:
        for (int role = ROLE_ID; role <= ROLE_DEPTH; role++)
            if (letters[role] == how[0])
                narrow(&ask->within[role - ROLE_ID], how[1], value);
        return true;
    }
}

int table_fail(sqlite3_vtab *vtab, const char *what, const char *why) {
    sqlite3_free(vtab->zErrMsg);
    vtab->zErrMsg = sqlite3_mprintf("%s%s%s", what ? what : "", what ? ": " : "", why);
    return SQLITE_ERROR;
}

static int ended(struct table_cursor *cursor, bool fine) {
    if (fine)
        return SQLITE_OK;
    return cursor->fault ? table_fail(cursor->base.pVtab, NULL, cursor->fault) : SQLITE_INTERRUPT;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *how, int argc,
                  sqlite3_value **argv) {
    struct table_cursor *cursor = (struct table_cursor *)base;
    const struct table *table = cursor->table;
    struct rows_ask ask = {.parent = -1};
    bool fine = true;
    int arg = 0;
    (void)number;
    cursor->has_input = false;
    cursor->spelled_op = 0;
    cursor->input = cursor->second = -1;
    for (int t = 0; t < ROWS_TERMS; t++)
        ask.within[t] = ROWS_ALL;
    for (; *how && *how != '|' && arg < argc && fine; how += 2)
        fine = take_value(cursor, &ask, how, argv[arg++]);
    if (fine && *how == '|' && how[1] == 'B') {
        char added[32] = "";
        for (int c = 0, n = 0; c < table->ncolumns && c < 31; c++)
            if (cursor->source->batch_columns >> c & 1 &&
                strchr(added, letters[table->columns[c].role]) == NULL)
                added[n++] = letters[table->columns[c].role];
        batch_free(cursor->batch);
        cursor->batch = batch_new(&cursor->rows, table->rows(cursor->source), &ask, how + 2, added);
        return cursor->batch ? SQLITE_OK : SQLITE_INTERRUPT;
    }
    if (*how == '|')
        take_order(&ask, how + 1, arg < argc ? argv[arg] : NULL);
    if (fine && table->begin == NULL)
        return ended(cursor, rows_cursor_ask(&cursor->rows, table->rows(cursor->source), &ask));
    free(ask.names);
    if (!fine)
        return SQLITE_INTERRUPT;
    if (table->needs && !cursor->has_input)
        return table_fail(cursor->base.pVtab, NULL, table->needs);
    if (table->end)
        table->end(cursor);
    cursor->rows.end = false;
    cursor->fault = NULL;
    return ended(cursor, table->begin(cursor));
}

static int next(sqlite3_vtab_cursor *base) {
    struct table_cursor *cursor = (struct table_cursor *)base;
    if (cursor->batch)
        batch_next(cursor->batch);
    else if (cursor->table->next)
        return ended(cursor, cursor->table->next(cursor));
    return cursor->batch || rows_cursor_next(&cursor->rows) ? SQLITE_OK : SQLITE_INTERRUPT;
}

static int at_end(sqlite3_vtab_cursor *base) {
    const struct table_cursor *cursor = (const struct table_cursor *)base;
    if (cursor->batch)
        return batch_ended(cursor->batch);
    rows_cursor_seen(&cursor->rows);
    return cursor->rows.end;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *out, int c) {
    struct table_cursor *cursor = (struct table_cursor *)base;
    uint32_t name;
    if (cursor->batch && c < cursor->table->ncolumns) {
        if (batch_get(cursor->batch, letters[cursor->table->columns[c].role], out, &name))
            table_name(cursor, out, name);
    } else if (c >= cursor->table->ncolumns)
        table_trace(cursor, out);
    else if (cursor->table->columns[c].role == ROLE_ID)
        sqlite3_result_int64(out, rows_cursor_id(&cursor->rows));
    else if (cursor->table->columns[c].role == ROLE_INPUT && cursor->table->columns[c].hidden)
        sqlite3_result_int64(out, cursor->input);
    else
        cursor->table->get(cursor, c, out);
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id) {
    const struct table_cursor *cursor = (struct table_cursor *)base;
    *id = cursor->rows.lane ? rows_cursor_id(&cursor->rows) : 0;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    /* no xCreate: a table is there by its name, and CREATE VIRTUAL TABLE cannot make another */
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

static int register_table(sqlite3 *db, const struct context *of) {
    struct context *context = sqlite3_malloc(sizeof *context);
    if (context == NULL)
        return SQLITE_NOMEM;
    *context = *of;
    return sqlite3_create_module_v2(db, of->table->name, &module, context, sqlite3_free);
}

int table_register(sqlite3 *db, struct source *source, const struct table *table) {
    return register_table(db, &(struct context){source, table, false});
}

int table_register_batches(sqlite3 *db, struct source *source, const struct table *table) {
    return register_table(db, &(struct context){source, table, true});
}
