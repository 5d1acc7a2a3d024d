/* plan.c - whether a statement may be asked of batches of rows.
 *
 * SQLite's interface of tables does not say how a row is used, so its bytecode is read
 * (EXPLAIN). All that it does with a row is between VFilter and VNext: a loop. There may be one,
 * made of the instructions below, and no other may read the table. A column of the group is equal
 * in all rows of a batch, so anything may be done with it. Any other column has to go from VColumn
 * straight into an aggregate of sums.h, which knows batches. An instruction that is not known,
 * perhaps of a later version, makes the statement one for single rows: slower, never wrong.
 *
 * Example: group by name, whose column has bit 5 (20), with sums of dur, bit 2.
 *     VFilter  0 23 10 "|Bn+/20/4"       VColumn  0 5 9          name, of the group
 *     Compare  8 9 1                Jump     12 16 12       another name: Gosub gives the row
 *     AggStep  0 0 2 "count(0)"     VColumn  0 2 12         dur, sums
 *     AggStep  0 12 3 "sum(1)"      VNext    0 9 0 */
#include "sql/batch/plan.h"

#include <stdlib.h>
#include <string.h>

#include "sql/batch/sums.h"
#include "src/base/vec.h"

enum code { OTHER, OPEN, FILTER, NEXT, COLUMN, STEP, JUMP, PLAIN };

struct instruction {
    enum code code;
    int p1, p2, p3, p5; /* as SQLite calls its operands */
    bool known;         /* of an aggregate: it is of sums.h */
};

struct program {
    VEC(struct instruction) v;
    unsigned long groups, sums; /* columns of the group, and those with sums, as bits */
};

static enum code code_of(const char *name) {
    static const struct {
        const char *name;
        enum code code;
    } codes[] = {{"VOpen", OPEN},    {"VFilter", FILTER}, {"VNext", NEXT}, {"VColumn", COLUMN},
                 {"AggStep", STEP},  {"Jump", JUMP},      {"If", JUMP},    {"IfPos", JUMP},
                 {"Gosub", JUMP},    {"Compare", PLAIN},  {"Move", PLAIN}, {"Integer", PLAIN},
                 {"Explain", PLAIN}, {"Noop", PLAIN},     {"Init", OTHER}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i].name, name) == 0)
            return codes[i].code;
    return OTHER;
}

/* The columns, of the text with which the table begins its scan (table.c). */
static void read_columns(struct program *p, const char *how) {
    const char *at = strstr(how, "|B");
    char *end;
    at = at ? strchr(at, '/') : NULL;
    if (at == NULL)
        return;
    p->groups = strtoul(at + 1, &end, 16);
    p->sums = *end == '/' ? strtoul(end + 1, NULL, 16) : 0;
}

static bool read_program(struct program *p, sqlite3 *db, const char *sql, size_t n) {
    sqlite3_stmt *explain = NULL;
    char *text = sqlite3_mprintf("EXPLAIN %.*s", (int)n, sql);
    int status = text ? sqlite3_prepare_v2(db, text, -1, &explain, NULL) : SQLITE_NOMEM;
    sqlite3_free(text);
    if (status != SQLITE_OK)
        return false;
    while ((status = sqlite3_step(explain)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(explain, 1);
        const char *p4 = (const char *)sqlite3_column_text(explain, 5);
        struct instruction x = {.code = code_of(name ? name : ""),
                                .p1 = sqlite3_column_int(explain, 2),
                                .p2 = sqlite3_column_int(explain, 3),
                                .p3 = sqlite3_column_int(explain, 4),
                                .p5 = sqlite3_column_int(explain, 6)};
        x.known = x.code == STEP && sums_has(p4 ? p4 : "");
        if (x.code == FILTER)
            read_columns(p, p4 ? p4 : "");
        vec_push(&p->v, x);
    }
    sqlite3_finalize(explain);
    return status == SQLITE_DONE;
}

static bool has(unsigned long columns, int column) {
    return column >= 0 && column < 32 && (columns >> column & 1);
}

/* Whether an instruction goes to a place. */
static bool goes_to(const struct instruction *x, size_t at) {
    return x->code == JUMP && (x->p2 == (int)at || x->p1 == (int)at || x->p3 == (int)at);
}

/* Whether an aggregate takes the column that the instruction before it reads. */
static bool takes_column(const struct program *p, size_t at) {
    const struct instruction *x = &p->v.v[at];
    int column = p->v.v[at - 1].p2;
    if (!has(p->sums, column) || x->code != STEP || !x->known || x->p5 != 1 ||
        p->v.v[at - 1].p3 != x->p2)
        return false;
    for (size_t i = 0; i < p->v.n; i++)
        if (goes_to(&p->v.v[i], at))
            return false;
    return true;
}

/* Whether the instruction at a place, which is in the loop, does the same for a batch as for its
 * rows. */
static bool is_sound(const struct program *p, size_t at) {
    const struct instruction *x = &p->v.v[at];
    switch (x->code) {
    case COLUMN:
        return has(p->groups, x->p2) || (at + 1 < p->v.n && takes_column(p, at + 1));
    case STEP: /* with a column it comes after that */
        return x->known && (x->p5 == 0 || (p->v.v[at - 1].code == COLUMN && takes_column(p, at)));
    case JUMP:
    case PLAIN:
        return true;
    default:
        return false;
    }
}

static size_t count(const struct program *p, enum code code, size_t *last) {
    size_t n = 0;
    for (size_t i = 0; i < p->v.n; i++)
        if (p->v.v[i].code == code) {
            n++;
            *last = i;
        }
    return n;
}

static bool all_sound(const struct program *p) {
    size_t from = 0, to = 0, open = 0;
    if (count(p, OPEN, &open) != 1 || count(p, FILTER, &from) != 1 || count(p, NEXT, &to) != 1 ||
        from > to)
        return false;
    for (size_t i = 0; i < p->v.n; i++) {
        const struct instruction *x = &p->v.v[i];
        bool inside = i > from && i < to;
        if (inside ? !is_sound(p, i) : x->code == COLUMN || x->code == STEP)
            return false;
    }
    return true;
}

bool plan_sound(sqlite3 *db, const char *sql, size_t n, unsigned long *columns) {
    struct program p = {.groups = 0};
    bool sound = read_program(&p, db, sql, n) && all_sound(&p);
    *columns = 0;
    for (size_t i = 0; i < p.v.n && sound; i++)
        if (p.v.v[i].code == COLUMN)
            *columns |= 1ul << p.v.v[i].p2;
    vec_free(&p.v);
    return sound;
}
