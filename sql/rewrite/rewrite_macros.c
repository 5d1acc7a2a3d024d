/* rewrite_macros.c - the macros of Perfetto's modules whose value is a table.
 *
 * interval_intersect! becomes a call of fxtop_intersection(), whose arguments are aggregates of the
 * tables. The others are templates: $1 is the first operand. An operand may be a table, a select in
 * parentheses, or another macro. */
#include "sql/rewrite/rewrite_internal.h"

#include <stdio.h>

/* ---- operands ---- */

#define TABLES 5
#define COLUMNS 8
#define NESTED 8
#define LONGEST ((size_t)4 << 20) /* an operand may be there several times */
#define WANTS                                                                                      \
    "interval_intersect! wants ((table, table, ..), (column, ..)), at most 5 tables and 8 columns"

static void put_range(struct rewrite_state *s, struct rewrite_range range) {
    rewrite_put(s, rewrite_between(s, range.from, range.to), range.from, true);
}

/* An operand, in which there may be macros. */
static bool put_operand(struct rewrite_state *s, struct rewrite_range range) {
    s->at = range.from;
    if (!rewrite_tokens(s, rewrite_next(s->sql, range.from), range.to, false))
        return false;
    rewrite_copy(s, range.to);
    return true;
}

/* ---- interval_intersect! ---- */

/* The rows of a table as a value: ordered, as the aggregate wants them. */
static bool put_intervals(struct rewrite_state *s, struct rewrite_range table,
                          const struct rewrite_range *columns, int n) {
    rewrite_insert(s, "(SELECT fxtop_intervals(id, ts, dur");
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < n; i++) {
            rewrite_insert(s, ", ");
            put_range(s, columns[i]);
        }
        rewrite_insert(s, round == 0 ? ") FROM (SELECT id, ts, dur" : " FROM ");
    }
    if (!put_operand(s, table))
        return false;
    rewrite_insert(s, " ORDER BY ");
    for (int i = 0; i < n; i++) {
        put_range(s, columns[i]);
        rewrite_insert(s, " COLLATE BINARY, ");
    }
    rewrite_insert(s, "ts))");
    return true;
}

static bool intersect(struct rewrite_state *s, struct rewrite_token name,
                      struct rewrite_token open) {
    struct rewrite_range tables[TABLES], columns[COLUMNS];
    struct rewrite_token list = rewrite_after(s, open),
                         comma = rewrite_is_char(s, list, '(') ? rewrite_after_list(s, list) : list;
    struct rewrite_token names = rewrite_after(s, comma);
    struct rewrite_token close = rewrite_is_char(s, comma, ',') && rewrite_is_char(s, names, '(')
                                     ? rewrite_after_list(s, names)
                                     : names;
    if (!rewrite_is_char(s, list, '(') || !rewrite_is_char(s, names, '(') ||
        !rewrite_is_char(s, close, ')'))
        return rewrite_refuse(s, name, WANTS);
    int ntables = rewrite_split(s, list, tables, TABLES),
        ncolumns = rewrite_split(s, names, columns, COLUMNS);
    bool fine = ntables >= 2 && ncolumns >= 0;
    for (int i = 0; i < ncolumns; i++) {
        struct rewrite_token column = rewrite_next(s->sql, columns[i].from);
        fine = fine && (column.kind == REWRITE_WORD || column.kind == REWRITE_QUOTED) &&
               rewrite_after(s, column).at == columns[i].to;
    }
    if (!fine)
        return rewrite_refuse(s, name, WANTS);
    rewrite_copy(s, name.at);
    rewrite_insert(s, "(SELECT ts, dur");
    for (int i = 0; i < ntables; i++) {
        char column[24];
        snprintf(column, sizeof column, ", id_%d", i);
        rewrite_insert(s, column);
    }
    for (int i = 0; i < ncolumns; i++) {
        char column[24];
        snprintf(column, sizeof column, ", part_%d AS ", i);
        rewrite_insert(s, column);
        put_range(s, columns[i]);
    }
    for (int i = 0; i < ntables; i++) {
        rewrite_insert(s, i == 0 ? " FROM fxtop_intersection(" : ", ");
        if (!put_intervals(s, tables[i], columns, ncolumns))
            return false;
    }
    s->at = close.at + close.n;
    rewrite_insert(s, "))");
    return true;
}

/* The rows of a table within one stretch: (ts, dur, table). */
static bool intersect_single(struct rewrite_state *s, struct rewrite_token name,
                             struct rewrite_token open) {
    struct rewrite_range ranges[3];
    if (rewrite_split(s, open, ranges, 3) != 3)
        return rewrite_refuse(s, name, "interval_intersect_single! wants (ts, dur, table)");
    rewrite_copy(s, name.at);
    rewrite_insert(s, "(SELECT id_0 AS id, ts, dur FROM fxtop_intersection(");
    if (!put_intervals(s, ranges[2], NULL, 0))
        return false;
    /* SQLite gives an aggregate to the outer select if all its arguments are of that. */
    rewrite_insert(s, ", (SELECT fxtop_intervals(id, ts, dur) FROM (SELECT 0 AS id, ");
    if (!put_operand(s, ranges[0]))
        return false;
    rewrite_insert(s, " AS ts, ");
    if (!put_operand(s, ranges[1]))
        return false;
    s->at = ranges[2].to + 1; /* the parenthesis */
    rewrite_insert(s, " AS dur))))");
    return true;
}

/* ---- templates ---- */

#define OPERANDS 4

static const struct template {
    const char *name;
    int operands;
    const char *wants, *text;
}
templates[] = {
    /* Equal values in a row: the first, the last, and one for all others. */
    {"counter_leading_intervals", 1, "counter_leading_intervals! wants (table)",
     "(SELECT id, ts, coalesce(lead(ts) OVER o, trace_end()) - ts AS dur, track_id, value, "
     "lead(value) OVER o AS next_value, "
     "value - lag(value) OVER o AS delta_value FROM (SELECT id, ts, track_id, value, value = "
     "lag(value) OVER i AND value = "
     "lag(value, 2) OVER i AND value = lead(value) OVER i AS same FROM $1 WINDOW i AS (PARTITION "
     "BY track_id ORDER BY ts, "
     "id)) WHERE NOT coalesce(same, 0) WINDOW o AS (PARTITION BY track_id ORDER BY ts, id))"},
    {"intervals_overlap_count", 3, "intervals_overlap_count! wants (table, ts, dur)",
     "(SELECT ts, sum(more) OVER (ORDER BY ts) AS value FROM (SELECT ts, sum(more) AS more FROM "
     "(SELECT $2 AS ts, 1 AS more "
     "FROM $1 UNION ALL SELECT $2 + $3, -1 FROM $1 WHERE $3 <> -1) GROUP BY ts) ORDER BY ts)"},
    {"intervals_overlap_count_by_group", 4,
     "intervals_overlap_count_by_group! wants (table, ts, dur, column)",
     "(SELECT ts, sum(more) OVER (PARTITION BY group_name ORDER BY ts) AS value, group_name FROM "
     "(SELECT ts, group_name, "
     "sum(more) AS more FROM (SELECT $2 AS ts, $4 AS group_name, 1 AS more FROM $1 UNION ALL "
     "SELECT $2 + $3, $4, -1 FROM $1 "
     "WHERE $3 <> -1) GROUP BY ts, group_name) ORDER BY ts)"},
    {"interval_merge_overlapping", 2, "interval_merge_overlapping! wants (table, tolerance)",
     "(SELECT min(ts) AS ts, max(until) - min(ts) AS dur FROM (SELECT ts, until, sum(begins) OVER "
     "(ORDER BY ts, until) AS "
     "part FROM (SELECT ts, ts + dur AS until, coalesce(ts > (max(ts + dur) OVER (ORDER BY ts, dur "
     "ROWS BETWEEN UNBOUNDED "
     "PRECEDING AND 1 PRECEDING)) + ($2), 1) AS begins FROM $1)) GROUP BY part)"},
};

static bool expand(struct rewrite_state *s, struct rewrite_token name, struct rewrite_token open,
                   const struct template *template) {
    struct rewrite_range operands[OPERANDS];
    if (rewrite_split(s, open, operands, template->operands) != template->operands)
        return rewrite_refuse(s, name, template->wants);
    struct rewrite_token after = rewrite_after_list(s, open);
    rewrite_copy(s, name.at);
    for (const char *text = template->text, *end; *text; text = end) {
        size_t n = strcspn(text, "$");
        end = text + n + (text[n] ? 2 : 0);
        rewrite_put(s, (struct str){text, n}, name.at, false);
        if (text[n] && !put_operand(s, operands[text[n + 1] - '1']))
            return false;
    }
    s->at = after.at;
    rewrite_insert(s, " ");
    return true;
}

bool rewrite_macros_expand(struct rewrite_state *s, struct rewrite_token name,
                           struct rewrite_token open, bool *known) {
    bool fine = true;
    *known = true;
    if (s->nested == NESTED || s->out->text.n > LONGEST)
        return rewrite_refuse(s, name, "macros are nested too deeply");
    s->nested++;
    if (rewrite_is(s, name, "interval_intersect") || rewrite_is(s, name, "_interval_intersect")) {
        fine = intersect(s, name, open);
    } else if (rewrite_is(s, name, "interval_intersect_single") ||
               rewrite_is(s, name, "_interval_intersect_single")) {
        fine = intersect_single(s, name, open);
    } else {
        const struct template *template = NULL;
        for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
            template = rewrite_is(s, name, templates[i].name) ? &templates[i] : template;
        *known = template != NULL;
        fine = template == NULL || expand(s, name, open, template);
    }
    s->nested--;
    return fine;
}
