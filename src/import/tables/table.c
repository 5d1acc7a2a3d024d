/* table.c - turns rows into records: a line of CSV, or an object of JSON, each.
 *
 * The names of columns say what they are (table_column.h), and the columns that a row fills what it
 * becomes. Files that fxtop has exported say it themselves. */
#include "src/import/tables/table.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/base/u64map.h"
#include "src/import/chrome/event_owner.h"
#include "src/import/chrome/event_write.h"
#include "src/import/import_lines.h"
#include "src/import/json/json_read.h"
#include "src/import/tables/table_column.h"

#define FIELDS_MOST 256
#define ARGUMENTS 14               /* of a record; further ones are left out */
#define TEXTS_MOST ((size_t)24000) /* bytes of the texts of a record */
#define NAME_MOST ((size_t)1024)
#define KEYS 16     /* of an object that are compared with those of the one before */
#define KEY_MOST 32 /* bytes of such a key */
#define SECOND UINT64_C(1000000000)

enum cell_kind { CELL_NONE, CELL_TEXT, CELL_NUMBER, CELL_BOOL, CELL_NESTED };

struct cell {
    enum cell_kind kind;
    struct table_column column;
    struct str name, text;
};

struct field_column {
    struct table_column is;
    struct str name; /* owned */
};

struct key { /* of an object, and what it is */
    char name[KEY_MOST];
    size_t n;
    struct table_column is;
};

struct flow { /* the last place of one */
    uint64_t ts, pid, tid;
};

struct table {
    struct import_lines lines;
    char separator; /* 0: JSON, or no header yet */
    bool header;    /* it is read */
    VEC(struct field_column) columns;
    struct key keys[KEYS]; /* by their place in the latest object that had another one there */
    VEC(char) joined;      /* a row whose quotes go on in the next line */
    VEC(char) plain;       /* texts of the row without quotes or escapes */
    VEC(struct cell) cells;
    size_t by[TABLE_ROLES]; /* 1 + the place of the first one of each that is not empty; 0: none */
    bool own;               /* fxtop's export */
    bool started, told_unit;
    uint64_t zero; /* added to times: of fxtop's export, the wall clock at its origin */
    struct event_owners owners;
    struct event_fields *owner; /* has a pid and a tid alone */
    struct u64map named;
    struct u64map flow_of; /* by the hash of its text */
    VEC(struct flow) flows;
    uint64_t arrows;
    size_t left; /* of TEXTS_MOST */
};

/* ---- cells ---- */

static bool is_number(struct str text) {
    double x;
    char first = text.n > 0 ? text.s[0] : '\0';
    bool digit = (first >= '0' && first <= '9') || first == '-' || first == '.';
    return digit && text.n < 64 && json_read_double(text, &x);
}

static void add_cell(struct table *t, struct str name, const struct table_column *column,
                     enum cell_kind kind, struct str text) {
    if (kind == CELL_TEXT && text.n == 0)
        kind = CELL_NONE;
    if (kind == CELL_TEXT && t->separator && is_number(text))
        kind = CELL_NUMBER;
    vec_push(&t->cells, ((struct cell){kind, *column, name, text}));
}

static void sort_out(struct table *t) {
    memset(t->by, 0, sizeof t->by);
    for (size_t i = 0; i < t->cells.n; i++) {
        const struct cell *c = &t->cells.v[i];
        if (c->kind != CELL_NONE && c->column.role != TABLE_ARGUMENT && t->by[c->column.role] == 0)
            t->by[c->column.role] = i + 1;
    }
}

/* Valid until a cell is added. */
static const struct cell *cell_of(const struct table *t, enum table_role role) {
    return t->by[role] > 0 ? &t->cells.v[t->by[role] - 1] : NULL;
}

static struct str text_of(const struct table *t, enum table_role role) {
    const struct cell *c = cell_of(t, role);
    return c ? c->text : (struct str){"", 0};
}

/* ---- owners ---- */

static void set_owner(struct table *t, enum event_field field, enum table_role number,
                      enum table_role name) {
    const struct cell *c = cell_of(t, t->by[number] ? number : name);
    t->owner->v[field] = (struct event_value){.kind = JSON_MORE};
    if (c)
        t->owner->v[field] = (struct event_value){JSON_STRING, c->text};
}

static void name_object(struct table *t, unsigned type, uint64_t koid, uint64_t pid,
                        struct str name) {
    struct writer *w = &t->lines.w;
    struct writer_argument process =
        writer_number(FXT_ARG_KOID, writer_intern(w, STR("process")), pid);
    uint64_t key = u64map_key(koid << 1 | (type == FXT_OBJECT_THREAD)),
             hash = u64map_key(hash_bytes(name.s, name.n));
    if (u64map_get(&t->named, key) == hash)
        return;
    u64map_set(&t->named, key, hash);
    import_lines_mark(&t->lines);
    writer_kernel_object(w, type, koid, import_lines_name(&t->lines, name),
                         (struct writer_arguments){&process, type == FXT_OBJECT_THREAD});
}

/* The thread of the row; names come before its first record. */
static struct event_owner owner_of(struct table *t) {
    set_owner(t, EVENT_PID, TABLE_PID, TABLE_PROCESS);
    set_owner(t, EVENT_TID, TABLE_TID, TABLE_THREAD);
    struct event_owner o = event_owner(&t->owners, t->owner);
    struct str process = t->by[TABLE_PID] && t->by[TABLE_PROCESS] ? text_of(t, TABLE_PROCESS)
                                                                  : o.new_process,
               thread = t->by[TABLE_TID] && t->by[TABLE_THREAD] ? text_of(t, TABLE_THREAD)
                                                                : o.new_thread;
    if (!t->by[TABLE_PID] && !t->by[TABLE_PROCESS]) {
        process = STR("(processes not recorded)");
        if (u64map_get(&t->named, u64map_key(0)) == UINT64_MAX)
            import_lines_note(&t->lines, "no column for the process");
    }
    if (process.n > 0)
        name_object(t, FXT_OBJECT_PROCESS, o.pid, 0, process);
    if (thread.n > 0)
        name_object(t, FXT_OBJECT_THREAD, o.tid, o.pid, thread);
    return o;
}

/* ---- arguments ---- */

struct list {
    struct writer_argument v[ARGUMENTS + 1];
    size_t n;
};

static struct writer_argument number_of(struct table *t, struct str name, struct str text) {
    struct writer_string key = import_lines_name(&t->lines, name);
    int64_t i;
    uint64_t u;
    double x = 0;
    if (json_read_i64(text, &i))
        return writer_number(FXT_ARG_INT64, key, (uint64_t)i);
    if (json_read_u64(text, &u))
        return writer_number(FXT_ARG_UINT64, key, u);
    json_read_double(text, &x);
    return writer_double(key, x);
}

static void add_argument(struct table *t, struct list *list, struct str name,
                         const struct cell *c) {
    struct str text = c->text;
    name.n = (size_t)str_head(name, NAME_MOST);
    if (c->kind == CELL_NONE)
        return;
    if (list->n == ARGUMENTS) {
        import_lines_fault(&t->lines, IMPORT_CUT, t->lines.line.s,
                           "more than %d arguments: further ones are left out", ARGUMENTS);
        list->n++;
    }
    if (list->n >= ARGUMENTS)
        return;
    if (c->kind == CELL_NUMBER) {
        list->v[list->n++] = number_of(t, name, text);
        return;
    }
    struct writer_string key = import_lines_name(&t->lines, name);
    if (c->kind == CELL_BOOL) {
        list->v[list->n++] = writer_number(FXT_ARG_BOOL, key, text.n == 4);
        return;
    }
    if (text.n > t->left) {
        import_lines_fault(&t->lines, IMPORT_CUT, t->lines.line.s, "a text is cut");
        text.n = (size_t)str_head(text, t->left);
    }
    t->left -= text.n;
    list->v[list->n++] = writer_text(key, writer_inline(text));
}

/* ---- objects of JSON ---- */

/* Goes over a value in brackets, from the first one on. Returns the byte after it, or 0. */
static size_t skip_nested(struct json_scan *scan, const struct json_token *first) {
    struct json_token token = *first;
    size_t depth = 0;
    do {
        if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY)
            depth++;
        if (token.kind == JSON_OBJECT_END || token.kind == JSON_ARRAY_END)
            depth--;
        if (depth == 0)
            return (size_t)token.at + 1;
    } while (json_scan_next(scan, &token) != JSON_MORE && token.kind != JSON_BAD && !token.open);
    return 0;
}

static struct str unescaped(struct table *t, struct str text, bool escaped) {
    bool cut;
    if (!escaped)
        return text;
    char *to = t->plain.v + t->plain.n; /* there is space for all of the line */
    size_t n = json_read_string(text, to, text.n, &cut);
    t->plain.n += n;
    return (struct str){to, n};
}

/* The value that begins with a token, whose texts lie in `all`. False: it is none. */
static bool value_of(struct table *t, struct json_scan *scan, const struct json_token *token,
                     struct str all, struct cell *c) {
    struct str text = {all.s + token->at, token->text.n};
    switch (token->kind) {
    case JSON_OBJECT:
    case JSON_ARRAY: {
        size_t end = skip_nested(scan, token);
        c->kind = CELL_NESTED;
        c->text = (struct str){all.s + token->at, end - (size_t)token->at};
        return end > 0;
    }
    case JSON_STRING:
        text.s++;
        c->kind = CELL_TEXT;
        c->text = unescaped(t, text, token->escaped);
        return !token->open && !token->cut;
    case JSON_NUMBER:
        c->kind = is_number(text) ? CELL_NUMBER : CELL_TEXT; /* NaN */
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        c->kind = CELL_BOOL;
        break;
    case JSON_NULL:
        c->kind = CELL_NONE;
        break;
    default:
        return false;
    }
    c->text = text;
    return true;
}

/* Objects mostly have the keys of the one before. */
static struct table_column column_at(struct table *t, size_t i, struct str name) {
    struct key *key = &t->keys[i % KEYS];
    if (name.n == 0 || name.n > sizeof key->name)
        return table_column_of(name);
    if (key->n != name.n || memcmp(key->name, name.s, name.n) != 0) {
        memcpy(key->name, name.s, name.n);
        key->n = name.n;
        key->is = table_column_of(name);
    }
    return key->is;
}

/* Reads the keys and values of an object. NULL: it is one; else where it is not. */
static const char *read_object(struct table *t, struct str text) {
    struct json_scan scan = {0};
    struct json_token token;
    const char *wrong = text.s;
    json_scan_feed(&scan, text, true);
    if (json_scan_next(&scan, &token) == JSON_OBJECT)
        while (json_scan_next(&scan, &token) == JSON_STRING && !token.open) {
            struct cell c = {0};
            wrong = text.s + token.at;
            c.name = unescaped(t, (struct str){text.s + token.at + 1, token.text.n}, token.escaped);
            c.column = column_at(t, t->cells.n, c.name);
            if ((!json_scan_colon(&scan) && json_scan_next(&scan, &token) != JSON_COLON) ||
                json_scan_next(&scan, &token) == JSON_MORE || !value_of(t, &scan, &token, text, &c))
                break;
            if (t->cells.n < FIELDS_MOST)
                add_cell(t, c.name, &c.column, c.kind, c.text);
            wrong = text.s + text.n;
        }
    bool whole = token.kind == JSON_OBJECT_END && json_scan_next(&scan, &token) == JSON_MORE;
    json_scan_free(&scan);
    return whole ? NULL : wrong;
}

/* Arguments as fxtop exports them: [{"name", "type", "value"}]. */
static void add_exported(struct table *t, struct list *list, struct str text) {
    struct json_scan scan = {0};
    struct json_token token;
    size_t before = t->cells.n;
    json_scan_feed(&scan, text, true);
    json_scan_next(&scan, &token);
    while (json_scan_next(&scan, &token) == JSON_OBJECT) {
        size_t end = skip_nested(&scan, &token);
        const struct cell *name = NULL, *value = NULL;
        if (end == 0 ||
            read_object(t, (struct str){text.s + token.at, end - (size_t)token.at}) != NULL)
            break;
        for (size_t i = before; i < t->cells.n; i++) {
            if (t->cells.v[i].column.role == TABLE_NAME)
                name = &t->cells.v[i];
            if (t->cells.v[i].column.role == TABLE_VALUE)
                value = &t->cells.v[i];
        }
        if (name && (value || list->n >= ARGUMENTS))
            add_argument(t, list, name->text, value ? value : name);
        else if (name)
            list->v[list->n++] =
                writer_number(FXT_ARG_NULL, import_lines_name(&t->lines, name->text), 0);
        t->cells.n = before;
    }
    json_scan_free(&scan);
}

/* Reads them as they are in CSV: a=1; b=text. */
static void add_listed(struct table *t, struct list *list, struct str text) {
    static const struct table_column none = {.role = TABLE_ARGUMENT};
    size_t before = t->cells.n;
    for (size_t at = 0, end; at < text.n; at = end + 2) {
        const char *is = memchr(text.s + at, '=', text.n - at);
        size_t name = is ? (size_t)(is - text.s) : at;
        for (end = is ? name + 1 : at; end < text.n; end++)
            if (text.s[end] == ';' && end + 1 < text.n && text.s[end + 1] == ' ' &&
                memchr(text.s + end, '=', text.n - end))
                break;
        struct str value = {text.s + name + (is != NULL), end - name - (is != NULL)};
        add_cell(t, is ? (struct str){text.s + at, name - at} : STR("args"), &none, CELL_TEXT,
                 value);
        const struct cell c = t->cells.v[before];
        add_argument(t, list, c.name, &c);
        t->cells.n = before;
    }
}

/* ---- records ---- */

static bool is_text(const struct table *t, enum table_role role, const char *text) {
    return str_eq(text_of(t, role), str_of(text));
}

static void take_arguments(struct table *t, struct list *list, bool numbers) {
    size_t n = t->cells.n;
    for (size_t i = 0; i < n; i++) {
        const struct cell c = t->cells.v[i];
        bool first = t->by[c.column.role] == i + 1;
        bool id = c.column.role == TABLE_ID && !t->own;
        if (c.column.role != TABLE_ARGUMENT && first && !id)
            continue;
        bool args = t->own && (str_eq(c.name, STR("args")) || str_eq(c.name, STR("end_args")));
        if (args && c.kind == CELL_NESTED)
            add_exported(t, list, c.text);
        else if (args && c.kind != CELL_NONE)
            add_listed(t, list, c.text);
        else if (t->own)
            continue; /* its place in the tree, which times show, too */
        else if (!numbers || c.kind == CELL_NUMBER)
            add_argument(t, list, c.name, &c);
    }
    list->n = list->n > ARGUMENTS ? ARGUMENTS : list->n;
}

/* The time of a column: false: there is none, with a fault. */
static bool time_of(struct table *t, const struct cell *c, uint64_t *ns, bool *wall) {
    char buf[EVENT_QUOTED];
    enum table_time kind = table_column_time(c->text, c->column.digits, ns);
    *wall = kind == TABLE_WALL;
    if (kind == TABLE_CLOCK || kind == TABLE_WALL) {
        if (kind == TABLE_CLOCK && !c->column.unit && !t->own && !t->told_unit)
            import_lines_note(&t->lines, "times without a unit are taken as nanoseconds");
        t->told_unit |= kind == TABLE_CLOCK && !c->column.unit;
        return true;
    }
    import_lines_fault(&t->lines, IMPORT_FIELD, t->lines.line.s, "%s is no time: %s",
                       kind == TABLE_NEGATIVE ? "a negative number" : "the text",
                       event_write_quoted(c->text, buf));
    return false;
}

static void start_records(struct table *t, bool wall, uint64_t ts) {
    if (t->started)
        return;
    t->started = true;
    if (wall || t->zero > 0)
        writer_init_base(&t->lines.w, SECOND, wall ? ts : t->zero, wall ? ts : t->zero);
    else
        writer_init_record(&t->lines.w, SECOND);
}

static void write_flow(struct table *t, const struct writer_event *e, const struct event_owner *o) {
    struct str text = text_of(t, TABLE_FLOW);
    uint64_t hash = hash_bytes(text.s, text.n);
    uint64_t i = u64map_get(&t->flow_of, u64map_key(hash));
    struct writer_event from = *e, to = *e;
    from.args.n = to.args.n = 0;
    if (i == UINT64_MAX) {
        u64map_set(&t->flow_of, u64map_key(hash), t->flows.n);
        vec_push(&t->flows, ((struct flow){e->ts, o->pid, o->tid}));
        return;
    }
    struct flow *before = &t->flows.v[i];
    from.ts = before->ts;
    from.thread = writer_intern_thread(&t->lines.w, before->pid, before->tid);
    writer_flow(&t->lines.w, FXT_FLOW_BEGIN, &from, ++t->arrows);
    writer_flow(&t->lines.w, FXT_FLOW_END, &to, t->arrows);
    *before = (struct flow){e->ts, o->pid, o->tid};
}

static void write_log(struct table *t, const struct writer_event *e) {
    char text[NAME_MOST * 8];
    struct str level = text_of(t, TABLE_LEVEL), message = text_of(t, TABLE_MESSAGE);
    int n = snprintf(text, sizeof text, "%.*s%s%.*s", str_head(level, 64), level.s,
                     level.n > 0 ? ": " : "", str_head(message, sizeof text - 80), message.s);
    if (message.n > sizeof text - 80)
        import_lines_fault(&t->lines, IMPORT_CUT, t->lines.line.s, "a message is cut");
    writer_log(&t->lines.w, e->ts, e->thread, (struct str){text, (size_t)n});
}

static uint64_t id_of(const struct table *t) {
    struct str text = text_of(t, TABLE_ID);
    struct event_fields *f = t->owner;
    f->v[EVENT_ID] = (struct event_value){JSON_STRING, text};
    return event_owner_id(f, EVENT_ID).value;
}

static bool is_begin(const struct table *t) {
    for (size_t i = 0; t->own && i < t->cells.n; i++)
        if (str_eq(t->cells.v[i].name, STR("open")) && str_eq(t->cells.v[i].text, STR("true")))
            return true;
    return is_text(t, TABLE_KIND, "B") || is_text(t, TABLE_KIND, "begin");
}

static void write_event(struct table *t, struct writer_event *e, struct list *list, uint64_t end,
                        bool ends) {
    struct writer *w = &t->lines.w;
    bool async = t->by[TABLE_ID] && (!t->own || is_text(t, TABLE_KIND, "async"));
    e->args = (struct writer_arguments){list->v, list->n};
    if (is_text(t, TABLE_KIND, "E") || is_text(t, TABLE_KIND, "end")) {
        writer_end(w, e);
    } else if (async && (ends || t->own)) {
        struct writer_event to = *e;
        to.ts = end;
        to.args.n = 0;
        writer_async(w, FXT_ASYNC_BEGIN, e, id_of(t));
        if (ends)
            writer_async(w, FXT_ASYNC_END, &to, id_of(t));
    } else if (is_begin(t)) {
        writer_begin(w, e);
    } else if (ends) {
        writer_complete(w, e, end);
    } else {
        writer_instant(w, e);
    }
}

/* The end of a row that has one. *ends: it has. False: a fault. */
static bool end_of(struct table *t, uint64_t ts, uint64_t *end, bool *ends) {
    const struct cell *dur = cell_of(t, TABLE_DURATION), *stop = cell_of(t, TABLE_END);
    bool wall;
    *ends = dur || stop;
    *end = ts;
    if (!*ends)
        return true;
    if (!time_of(t, dur ? dur : stop, end, &wall))
        return false;
    if (dur)
        *end = *end <= INT64_MAX - ts ? ts + *end : INT64_MAX;
    else
        *end += t->zero;
    if (*end < ts) {
        import_lines_fault(&t->lines, IMPORT_FIELD, t->lines.line.s, "it ends before it begins");
        *end = ts;
    }
    return true;
}

static void write_counter(struct table *t, struct writer_event *e) {
    struct list list = {.n = 0};
    struct str series = STR("value");
    for (size_t i = 0; t->own && i < t->cells.n; i++)
        if (str_eq(t->cells.v[i].name, STR("series")))
            series = t->cells.v[i].text;
    if (t->by[TABLE_VALUE] && cell_of(t, TABLE_VALUE)->kind == CELL_NUMBER)
        list.v[list.n++] = number_of(t, series, text_of(t, TABLE_VALUE));
    else if (t->by[TABLE_VALUE])
        import_lines_fault(&t->lines, IMPORT_FIELD, t->lines.line.s, "a value that is no number");
    else
        take_arguments(t, &list, true);
    e->args = (struct writer_arguments){list.v, list.n};
    if (list.n > 0)
        writer_counter(&t->lines.w, e, t->own && t->by[TABLE_ID] ? id_of(t) : 0);
}

static bool has_numbers(const struct table *t) {
    for (size_t i = 0; i < t->cells.n; i++)
        if (t->cells.v[i].column.role == TABLE_ARGUMENT && t->cells.v[i].kind == CELL_NUMBER)
            return true;
    return false;
}

/* Writes the record that a row fills. */
static void write_row(struct table *t) {
    uint64_t ts, end;
    bool wall, ends;
    if (t->by[TABLE_TIME] == 0) {
        import_lines_fault(&t->lines, IMPORT_FIELD, t->lines.line.s, "a row without a time");
        return;
    }
    if (!time_of(t, cell_of(t, TABLE_TIME), &ts, &wall) || !end_of(t, ts += t->zero, &end, &ends))
        return;
    bool counts = t->by[TABLE_VALUE] ||
                  (!t->by[TABLE_NAME] && !ends && !t->by[TABLE_MESSAGE] && has_numbers(t));
    if (!t->by[TABLE_NAME] && !counts && !t->by[TABLE_MESSAGE] && !ends) {
        import_lines_fault(&t->lines, IMPORT_FIELD, t->lines.line.s, "a row without a name");
        return;
    }
    start_records(t, wall, ts);
    struct event_owner o = owner_of(t);
    struct str name = text_of(t, TABLE_NAME), category = text_of(t, TABLE_CATEGORY);
    struct list list = {.n = 0};
    if (counts && name.n == 0)
        name = STR("values");
    name.n = (size_t)str_head(name, NAME_MOST);
    category.n = (size_t)str_head(category, NAME_MOST);
    t->left = TEXTS_MOST;
    import_lines_mark(&t->lines);
    struct writer_event e = {.ts = ts,
                             .thread = writer_intern_thread(&t->lines.w, o.pid, o.tid),
                             .category = writer_intern(&t->lines.w, category),
                             .name = writer_intern(&t->lines.w, name)};
    if (ends || !(counts || t->by[TABLE_MESSAGE])) {
        take_arguments(t, &list, false);
        write_event(t, &e, &list, end, ends);
    } else if (counts) {
        write_counter(t, &e);
    } else {
        write_log(t, &e);
    }
    if (t->by[TABLE_FLOW])
        write_flow(t, &e, &o);
}

/* ---- fxtop's own export ---- */

/* The wall clock at its origin. */
static void take_head(struct table *t) {
    uint64_t origin = 0, base = 0, tick = 0, rate = SECOND;
    bool based = false;
    for (size_t i = 0; i < t->cells.n; i++) {
        const struct cell *c = &t->cells.v[i];
        uint64_t n;
        if (c->kind != CELL_NUMBER || !json_read_u64(c->text, &n))
            continue;
        if (str_eq(c->name, STR("origin_ns")))
            origin = n;
        else if (str_eq(c->name, STR("base_tick")))
            tick = n;
        else if (str_eq(c->name, STR("ticks_per_second")) && n > 0)
            rate = n;
        else if (str_eq(c->name, STR("base_unix_ns"))) {
            base = n;
            based = true;
        }
    }
    double ns = (double)tick * 1e9 / (double)rate;
    uint64_t at = rate == SECOND ? tick : (uint64_t)ns;
    t->own = true;
    if (based && base + origin >= at && base + origin - at <= INT64_MAX / 2)
        t->zero = base + origin - at;
}

/* A line of a type that is no event, or is made of others. */
static bool is_other(struct table *t) {
    static const char *const events[] = {"slice", "instant",       "counter",
                                         "async", "async_instant", "log"};
    struct str type = text_of(t, TABLE_KIND);
    if (str_eq(type, STR("trace"))) {
        take_head(t);
        return true;
    }
    if (!t->own)
        return false;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (str_eq(type, str_of(events[i])))
            return false;
    if (str_eq(type, STR("process")) || str_eq(type, STR("thread"))) {
        enum table_role role = str_eq(type, STR("process")) ? TABLE_PID : TABLE_TID;
        uint64_t pid = 0, koid;
        start_records(t, false, 0);
        json_read_u64(text_of(t, TABLE_PID), &pid);
        if (json_read_u64(text_of(t, role), &koid) && t->by[TABLE_NAME])
            name_object(t, role == TABLE_PID ? FXT_OBJECT_PROCESS : FXT_OBJECT_THREAD, koid, pid,
                        text_of(t, TABLE_NAME));
        return true;
    }
    if (!str_eq(type, STR("end")) && !str_eq(type, STR("problem")) && !str_eq(type, STR("state")))
        import_lines_note(&t->lines, "lines of flows, runs, objects and blobs are passed over");
    return true;
}

/* ---- CSV ---- */

/* The next field from *i on; *plain: space for its bytes without quotes. False: there is none. */
static bool next_field(struct str line, char separator, char **plain, size_t *i,
                       struct str *field) {
    size_t from = *i, n = line.n;
    if (from > n)
        return false;
    if (from == n || line.s[from] != '"') {
        const char *end = n > from ? memchr(line.s + from, separator, n - from) : NULL;
        *field = (struct str){line.s + from, end ? (size_t)(end - line.s) - from : n - from};
        *i = from + field->n + 1;
        return true;
    }
    *field = (struct str){*plain, 0};
    for (bool again = true; again;) {
        const char *quote = ++from < n ? memchr(line.s + from, '"', n - from) : NULL;
        size_t end = quote ? (size_t)(quote - line.s) : n;
        again = quote && end + 1 < n && line.s[end + 1] == '"'; /* two are one, of the text */
        size_t some = end - from + again;
        memcpy(*plain, line.s + from, some);
        *plain += some;
        field->n += some;
        from = end + again;
    }
    while (from < n && line.s[from] != separator)
        from++;
    *i = from + 1;
    return true;
}

static struct str trimmed(struct str text) {
    while (text.n > 0 && text.s[text.n - 1] == ' ')
        text.n--;
    while (text.n > 0 && text.s[0] == ' ')
        text = (struct str){text.s + 1, text.n - 1};
    return text;
}

/* Letters, digits and a few signs. */
static bool is_name(struct str text) {
    if (text.n == 0 || (text.s[0] >= '0' && text.s[0] <= '9'))
        return false;
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.s[i];
        bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!letter && c < 0x80 && (c == 0 || strchr("_@.-/%()[] ", c) == NULL))
            return false;
    }
    return true;
}

/* The separator of a header: 0: it is none. *fields: how many. space: as many bytes. time: a column
 * with a time is enough, as in a table of numbers. */
static char separator_of(struct str line, char *space, size_t *fields, bool time) {
    static const char separators[] = ",;\t";
    for (int k = 0; k < 3; k++) {
        char *plain = space;
        size_t i = 0;
        unsigned roles = 0;
        struct str field;
        bool names = true;
        for (*fields = 0; names && next_field(line, separators[k], &plain, &i, &field); ++*fields) {
            names = is_name(trimmed(field));
            roles |= 1u << table_column_of(trimmed(field)).role;
        }
        bool enough = time ? (roles & 1u << TABLE_TIME) != 0 : table_column_enough(roles);
        if (names && *fields >= 2 && enough)
            return separators[k];
    }
    return 0;
}

static void take_header(struct table *t, struct str line) {
    size_t i = 0, fields;
    t->separator = separator_of(line, t->plain.v, &fields, false);
    if (t->separator == 0)
        t->separator = separator_of(line, t->plain.v, &fields, true);
    if (t->separator == 0) /* it was changed since */
        t->separator = ',';
    struct str field;
    char *plain = t->plain.v;
    while (next_field(line, t->separator, &plain, &i, &field) && t->columns.n < FIELDS_MOST) {
        field = trimmed(field);
        char *copy = err_malloc(field.n + 1);
        memcpy(copy, field.s, field.n);
        vec_push(&t->columns, ((struct field_column){table_column_of(field), {copy, field.n}}));
    }
    if (i <= line.n)
        import_lines_fault(&t->lines, IMPORT_CUT, line.s, "more than %d columns", FIELDS_MOST);
    t->own = t->separator == ',' && line.n > 20 && memcmp(line.s, "id,parent,pid,tid,th", 20) == 0;
    t->header = true;
}

/* Digits with commas as writers of other languages have them, and points as C has: 1.234,5 of a
 * table with `;`, else 1,234.5 and 1,234,567. *plain: space for it. */
static struct str without_commas(struct table *t, struct str field, char **plain) {
    bool semicolons = t->separator == ';';
    char group = semicolons ? '.' : ',', point = semicolons ? ',' : '.', *to = *plain;
    size_t i = field.n > 0 && (field.s[0] == '-' || field.s[0] == '+'), n = 0, run = 0, groups = 0;
    bool points = false;
    for (size_t k = 0; k < i; k++)
        to[n++] = field.s[k];
    for (; i < field.n; i++) {
        char c = field.s[i];
        bool full = groups == 0 ? run > 0 && run <= 3 : run == 3;
        if (c >= '0' && c <= '9') {
            run++;
            to[n++] = c;
        } else if (c == group && !points && full) {
            groups++;
            run = 0;
        } else if (c == point && !points && (groups == 0 || full)) {
            points = true;
            to[n++] = '.';
        } else if ((c == 'e' || c == 'E') && run > 0) {
            break;
        } else {
            return field;
        }
    }
    bool whole = points || groups == 0 || run == 3, known = points || groups > 1;
    if (!whole || !known || (!semicolons && groups == 0))
        return field;
    memcpy(to + n, field.s + i, field.n - i);
    n += field.n - i;
    *plain += n;
    import_lines_note(&t->lines, semicolons ? "decimal commas are read as points"
                                            : "commas between groups of digits are left out");
    return (struct str){to, n};
}

static bool is_measure(enum table_role role) {
    return role <= TABLE_END || role == TABLE_VALUE || role == TABLE_ARGUMENT;
}

static void take_fields(struct table *t, struct str line) {
    size_t i = 0, n = 0;
    struct str field;
    char *plain = t->plain.v;
    bool again = true;
    for (; n < t->columns.n && next_field(line, t->separator, &plain, &i, &field); n++) {
        const struct field_column *c = &t->columns.v[n];
        again = again && str_eq(trimmed(field), c->name);
        if (is_measure(c->is.role) && field.n > 0 && memchr(field.s, ',', field.n))
            field = without_commas(t, trimmed(field), &plain);
        add_cell(t, c->name, &c->is, CELL_TEXT, field);
    }
    if (again) {
        import_lines_note(&t->lines, "the header comes again");
        return;
    }
    if ((n < t->columns.n || i <= line.n) && t->columns.n < FIELDS_MOST)
        import_lines_fault(&t->lines, IMPORT_FIELD, line.s, "%s fields than columns",
                           n < t->columns.n ? "fewer" : "more");
    sort_out(t);
    write_row(t);
}

static bool is_open(struct str line) {
    bool open = false;
    for (size_t i = 0; i < line.n; i++, open = !open) {
        const char *quote = memchr(line.s + i, '"', line.n - i);
        if (quote == NULL)
            break;
        i = (size_t)(quote - line.s);
    }
    return open;
}

static void begin_row(struct table *t, struct str line) {
    t->cells.n = t->plain.n = 0;
    vec_reserve(&t->plain, 2 * line.n + 1);
}

static void take_csv(void *ctx, struct str line, bool too_long) {
    struct table *t = ctx;
    bool was = t->joined.n > 0, open = is_open(line) != was;
    if (too_long || t->joined.n + line.n >= IMPORT_LINES_MOST) {
        if (!too_long)
            import_lines_fault(&t->lines, IMPORT_SYNTAX, line.s, "a quote is missing");
        t->joined.n = 0;
        return;
    }
    if (open || was) {
        vec_reserve(&t->joined, t->joined.n + line.n + 1);
        memcpy(t->joined.v + t->joined.n, line.s, line.n);
        t->joined.n += line.n;
        if (open) {
            t->joined.v[t->joined.n++] = '\n';
            return;
        }
        line = t->lines.line = (struct str){t->joined.v, t->joined.n};
    }
    if (line.n > 0 && line.s[0] != '#') {
        begin_row(t, line);
        if (t->header)
            take_fields(t, line);
        else
            take_header(t, line);
    }
    t->joined.n = 0;
}

static void take_json(void *ctx, struct str line, bool too_long) {
    struct table *t = ctx;
    char buf[EVENT_QUOTED];
    line = trimmed(line);
    if (too_long || line.n == 0)
        return;
    begin_row(t, line);
    const char *wrong = read_object(t, line);
    if (wrong) {
        struct str rest = {wrong, (size_t)(line.s + line.n - wrong)};
        import_lines_fault(&t->lines, IMPORT_SYNTAX, wrong,
                           "expected an object in this line, not %s",
                           event_write_quoted(rest, buf));
        return;
    }
    sort_out(t);
    if (!is_other(t))
        write_row(t);
}

/* ---- the importers ---- */

static size_t count_fields(struct str line, char separator) {
    char buf[IMPORT_SNIFF_MAX], *plain = buf;
    size_t i = 0, n = 0;
    struct str field;
    while (next_field(line, separator, &plain, &i, &field))
        n++;
    return n;
}

/* Digits with a sign, a point or an exponent, or a date. */
static bool is_numeric(struct str text, char separator) {
    for (size_t i = 0; i < text.n; i++)
        if (strchr("0123456789+-.eE:TZ ", text.s[i]) == NULL &&
            !(text.s[i] == ',' && separator == ';'))
            return false;
    return text.n > 0 && text.s[0] >= '+' && text.s[0] <= '9';
}

/* Whether a row has a number besides its time. */
static bool has_two_numbers(struct str line, char separator) {
    char buf[IMPORT_SNIFF_MAX], *plain = buf;
    size_t i = 0, n = 0;
    struct str field;
    while (next_field(line, separator, &plain, &i, &field)) {
        field = trimmed(field);
        n += is_numeric(field, separator);
    }
    return n >= 2;
}

/* The next line that is no comment; *whole: it has ended. */
static bool next_line(struct str *rest, struct str *line, bool all, bool *whole) {
    while (rest->n > 0) {
        const char *end = memchr(rest->s, '\n', rest->n);
        *line = (struct str){rest->s, end ? (size_t)(end - rest->s) : rest->n};
        *whole = end || all;
        rest->s += line->n + (end != NULL);
        rest->n -= line->n + (end != NULL);
        if (line->n > 0 && line->s[line->n - 1] == '\r')
            line->n--;
        if (line->n > 0 && line->s[0] != '#')
            return true;
    }
    return false;
}

static enum import_sniff sniff_as(struct str first, bool all, char *separator) {
    bool full = first.n >= IMPORT_SNIFF_MAX, whole = false;
    struct str rest = import_lines_unmarked(first), line;
    char space[IMPORT_SNIFF_MAX];
    size_t fields;
    first.n = first.n < IMPORT_SNIFF_MAX ? first.n : IMPORT_SNIFF_MAX;
    if (!next_line(&rest, &line, all && !full, &whole) || !whole)
        return all || full ? IMPORT_NO : IMPORT_MORE;
    *separator = separator_of(line, space, &fields, false);
    bool numbers = *separator == 0;
    if (numbers)
        *separator = separator_of(line, space, &fields, true);
    if (*separator == 0)
        return IMPORT_NO;
    if (!next_line(&rest, &line, all && !full, &whole))
        return all && !numbers ? IMPORT_YES : all || full ? IMPORT_NO : IMPORT_MORE;
    size_t n = count_fields(line, *separator);
    bool ended = line.s + line.n < first.s + first.n && !is_open(line);
    if (!ended && !all && !full)
        return IMPORT_MORE;
    if (numbers)
        return n == fields && has_two_numbers(line, *separator) ? IMPORT_YES : IMPORT_NO;
    return n == fields || (!ended && n < fields) ? IMPORT_YES : IMPORT_NO;
}

static enum import_sniff sniff(struct str first, bool all) {
    char separator;
    if (first.n > IMPORT_SNIFF_MAX)
        first.n = IMPORT_SNIFF_MAX;
    return sniff_as(first, all, &separator);
}

static struct table *start_as(void (*take)(void *ctx, struct str line, bool too_long)) {
    struct table *t = err_calloc(1, sizeof *t);
    import_lines_init(&t->lines, take, t);
    t->owner = err_calloc(1, sizeof *t->owner);
    event_fields_clear(t->owner);
    writer_magic(&t->lines.w); /* a source that grows is opened once there are words */
    return t;
}

static void *start_json(void) {
    return start_as(take_json);
}

static void *start(void) {
    return start_as(take_csv);
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct table *t = import;
    import_lines_step(&t->lines, bytes, last);
    if (last && t->joined.n > 0)
        import_lines_fault(&t->lines, IMPORT_TRUNCATED, t->lines.line.s,
                           "the source ends within quotes");
    if (last)
        start_records(t, false, 0);
    *news = import_lines_news(&t->lines, last);
}

static void stop(void *import) {
    struct table *t = import;
    for (size_t i = 0; i < t->columns.n; i++)
        free((char *)t->columns.v[i].name.s);
    vec_free(&t->columns);
    vec_free(&t->joined);
    vec_free(&t->plain);
    vec_free(&t->cells);
    vec_free(&t->flows);
    event_owners_free(&t->owners);
    u64map_free(&t->named);
    u64map_free(&t->flow_of);
    import_lines_free(&t->lines);
    free(t->owner);
    free(t);
}

const struct importer table = {"a table", sniff, start, step, stop, NULL};
const struct importer table_lines = {"JSON lines", NULL, start_json, step, stop, NULL};
