/* columns.c - reads a table by columns or by rows, cell by cell. */
#include "src/import/tables/columns.h"

#define SCHEMA_MOST 64 /* columns of a row */

void columns_free(struct columns *columns) {
    for (size_t i = 0; i < columns->n; i++)
        vec_free(&columns->v[i].v);
    vec_free(&columns->at);
}

void columns_clear(struct columns *columns) {
    for (size_t i = 0; i < columns->n; i++) {
        columns->v[i].v.n = 0;
        columns->v[i].there = false;
    }
    columns->at.n = 0;
    columns->sum = columns->from;
}

size_t columns_rows(const struct columns *columns) {
    size_t rows = 0;
    for (size_t i = 0; i < columns->n; i++)
        rows = columns->v[i].v.n > rows ? columns->v[i].v.n : rows;
    return rows;
}

/* ---- cells ---- */

static int64_t time_of(struct columns *columns, const struct json_token *token, bool delta) {
    struct json_time time, from = delta ? columns->sum : columns->from;
    bool negative;
    if (token->kind != JSON_NUMBER ||
        json_read_unit(token->text, columns->unit, &time, &negative) != JSON_READ_TIME)
        return COLUMNS_NONE;
    if (!(negative ? json_read_subtract(from, time, &time) : json_read_add(from, time, &time)))
        return COLUMNS_NONE;
    if (delta)
        columns->sum = time;
    return (int64_t)json_read_ns(time);
}

int64_t columns_time(struct columns *columns, const struct json_token *token) {
    return time_of(columns, token, false);
}

static int64_t cell_of(struct columns *columns, enum column_kind kind,
                       const struct json_token *token) {
    int64_t value = COLUMNS_BAD;
    uint64_t whole;
    if (token->kind == JSON_NULL)
        return COLUMNS_NONE;
    if (kind == COLUMN_PLACE)
        return (int64_t)token->at;
    if (kind != COLUMN_INDEX)
        return time_of(columns, token, kind == COLUMN_DELTA);
    if (token->kind == JSON_NUMBER && !json_read_i64(token->text, &value) &&
        json_read_whole(token->text, &whole) && whole < INT64_MAX)
        value = (int64_t)whole;
    return value >= COLUMNS_NONE ? value : COLUMNS_BAD;
}

static struct column *column_of(struct columns *columns) {
    for (size_t i = 0; i < columns->n; i++)
        if (json_pull_is(columns->pull, columns->v[i].name))
            return &columns->v[i];
    return NULL;
}

/* ---- tables ---- */

static void read_column(struct columns *columns, struct column *column) {
    struct json_pull *pull = columns->pull;
    if (column->there || !json_pull_enter(pull, JSON_ARRAY))
        return;
    column->there = true;
    while (json_pull_next(pull)) {
        if (column == columns->v)
            vec_push(&columns->at, pull->token.at);
        vec_push(&column->v, cell_of(columns, column->kind, &pull->token));
    }
}

/* The columns of a row by their numbers. */
static void read_schema(struct columns *columns, struct column *schema[SCHEMA_MOST]) {
    struct json_pull *pull = columns->pull;
    uint64_t i;
    if (!json_pull_enter(pull, JSON_OBJECT))
        return;
    while (json_pull_next(pull)) {
        struct column *column = column_of(columns);
        if (column && json_read_whole(pull->token.text, &i) && i < SCHEMA_MOST) {
            schema[i] = column;
            column->there = true;
        }
    }
}

static void read_row(struct columns *columns, struct column *const schema[SCHEMA_MOST],
                     size_t row) {
    struct json_pull *pull = columns->pull;
    vec_push(&columns->at, pull->token.at);
    if (json_pull_enter(pull, JSON_ARRAY))
        for (size_t i = 0; json_pull_next(pull); i++)
            if (i < SCHEMA_MOST && schema[i] && schema[i]->v.n == row)
                vec_push(&schema[i]->v, cell_of(columns, schema[i]->kind, &pull->token));
    for (size_t i = 0; i < columns->n; i++)
        if (columns->v[i].there && columns->v[i].v.n == row)
            vec_push(&columns->v[i].v, COLUMNS_NONE);
}

void columns_read(struct columns *columns, uint64_t at) {
    struct json_pull *pull = columns->pull;
    struct column *schema[SCHEMA_MOST] = {NULL};
    uint64_t data = UINT64_MAX;
    bool rows = false;
    columns_clear(columns);
    json_pull_back(pull, at);
    if (!json_pull_enter(pull, JSON_OBJECT))
        return;
    while (json_pull_next(pull)) {
        struct column *column = column_of(columns);
        if (json_pull_is(pull, "data"))
            data = pull->token.at;
        if (json_pull_is(pull, "schema"))
            rows = (read_schema(columns, schema), true);
        else if (column && !rows)
            read_column(columns, column);
    }
    if (!rows || data == UINT64_MAX)
        return;
    for (size_t i = 0; i < columns->n; i++)
        columns->v[i].v.n = 0;
    columns->at.n = 0;
    json_pull_back(pull, data);
    if (json_pull_enter(pull, JSON_ARRAY))
        for (size_t row = 0; json_pull_next(pull); row++)
            read_row(columns, schema, row);
}
