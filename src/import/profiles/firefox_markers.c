/* firefox_markers.c - a marker has a phase: an instant, an interval, or the begin or end of one.
 * Old versions have a time alone, and the rest in the data. */
#include "src/import/profiles/firefox_markers.h"

#include <inttypes.h>

enum { NAME, TIME, START, END, PHASE, CATEGORY, DATA, COLUMNS };
_Static_assert(COLUMNS <= COLUMNS_MOST, "columns of a table");
enum { INSTANT, INTERVAL, BEGIN, FINISH };

struct marker {
    int64_t start, end, phase;
    uint64_t at, data; /* places; data: or FIREFOX_NO_PLACE */
    struct str type;
};

void firefox_markers_init(struct firefox_markers *m, struct import_whole *whole) {
    static const struct column columns[] = {
        {.name = "name"},
        {.name = "time", .kind = COLUMN_TIME},
        {.name = "startTime", .kind = COLUMN_TIME},
        {.name = "endTime", .kind = COLUMN_TIME},
        {.name = "phase"},
        {.name = "category"},
        {.name = "data", .kind = COLUMN_PLACE},
    };
    m->whole = whole;
    m->table.pull = &m->whole->pull;
    m->table.n = COLUMNS;
    memcpy(m->table.v, columns, sizeof columns);
}

void firefox_markers_free(struct firefox_markers *m) {
    columns_free(&m->table);
    vec_free(&m->fields);
    map_free(&m->by_field);
    span_store_free(&m->args);
    vec_free(&m->log);
    vec_free(&m->text.v);
    vec_free(&m->type.v);
    vec_free(&m->name.v);
    vec_free(&m->level.v);
}

/* ---- types ---- */

struct wanted {
    const struct firefox_markers *m;
    struct firefox_field field;
};

static bool same_field(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct firefox_field *field = &w->m->fields.v[i];
    return str_eq(field->type, w->field.type) && str_eq(field->key, w->field.key);
}

static uint64_t hash_of(const struct firefox_field *field) {
    return hash_words(hash_bytes(field->type.s, field->type.n),
                      hash_bytes(field->key.s, field->key.n));
}

/* Whether values of a format are numbers of texts. */
static bool is_text(struct str format) {
    return str_eq(format, STR("unique-string")) || str_eq(format, STR("flow-id")) ||
           str_eq(format, STR("terminating-flow-id"));
}

/* Notes the fields of a type whose values are numbers of texts. */
static void read_fields(struct firefox_markers *m) {
    struct json_pull *pull = &m->whole->pull;
    while (json_pull_next(pull)) {
        struct firefox_field field = {{"", 0}, {"", 0}};
        struct str format = {"", 0};
        if (!json_pull_enter(pull, JSON_OBJECT))
            continue;
        while (json_pull_next(pull)) {
            if (json_pull_is(pull, "key"))
                field.key = pull->token.text;
            else if (json_pull_is(pull, "format"))
                format = pull->token.text;
        }
        if (is_text(format))
            vec_push(&m->fields, field);
    }
}

/* The fields from `first` on are of a type: once each. */
static void name_fields(struct firefox_markers *m, size_t first, struct str type) {
    size_t n = m->fields.n;
    m->fields.n = first;
    for (size_t i = first; i < n; i++) {
        struct wanted wanted = {m, {type, m->fields.v[i].key}};
        uint32_t number = map_intern(&m->by_field, hash_of(&wanted.field), same_field, &wanted,
                                     (uint32_t)m->fields.n);
        if (number == m->fields.n)
            m->fields.v[m->fields.n++] = wanted.field;
    }
}

void firefox_markers_schema(struct firefox_markers *m) {
    struct json_pull *pull = &m->whole->pull;
    if (!json_pull_enter(pull, JSON_ARRAY))
        return;
    while (json_pull_next(pull)) {
        struct str type = {"", 0};
        size_t first = m->fields.n;
        if (!json_pull_enter(pull, JSON_OBJECT))
            continue;
        while (json_pull_next(pull)) {
            if (json_pull_is(pull, "name"))
                type = pull->token.text;
            else if ((json_pull_is(pull, "fields") || json_pull_is(pull, "data")) &&
                     json_pull_enter(pull, JSON_ARRAY))
                read_fields(m);
        }
        name_fields(m, first, type);
    }
}

/* ---- the table ---- */

void firefox_markers_read(struct firefox_markers *m, uint64_t at, struct json_time from, int unit) {
    m->table.from = from;
    m->table.unit = unit;
    columns_read(&m->table, at);
}

/* Reads the type from the data, and of old versions when the marker begins and ends. */
static void look_into(struct firefox_markers *m, struct marker *marker) {
    struct json_pull *pull = &m->whole->pull;
    bool old = !m->table.v[PHASE].there;
    json_pull_back(pull, marker->data);
    if (!json_pull_enter(pull, JSON_OBJECT)) {
        marker->data = FIREFOX_NO_PLACE;
        return;
    }
    while (json_pull_next(pull)) {
        if (json_pull_is(pull, "type"))
            marker->type = json_pull_string(&pull->token, &m->type);
        else if (old && json_pull_is(pull, "interval"))
            marker->phase = str_eq(pull->token.text, STR("end")) ? FINISH : BEGIN;
        else if (old && json_pull_is(pull, "startTime"))
            marker->start = columns_time(&m->table, &pull->token);
        else if (old && json_pull_is(pull, "endTime"))
            marker->end = columns_time(&m->table, &pull->token);
        if (!old && marker->type.n > 0) /* it is the first key */
            return;
    }
    if (old && marker->phase == INSTANT && marker->end >= 0)
        marker->phase = INTERVAL;
}

static struct marker marker_of(struct firefox_markers *m, size_t row) {
    struct marker marker = {.start = columns_cell(&m->table, START, row),
                            .end = columns_cell(&m->table, END, row),
                            .phase = columns_cell(&m->table, PHASE, row),
                            .at = m->table.at.n > row ? m->table.at.v[row] : 0,
                            .data = FIREFOX_NO_PLACE,
                            .type = STR("")};
    int64_t data = columns_cell(&m->table, DATA, row);
    if (!m->table.v[PHASE].there)
        marker.phase = INSTANT;
    if (m->table.v[TIME].there)
        marker.start = marker.end = columns_cell(&m->table, TIME, row);
    if (data >= 0) {
        marker.data = (uint64_t)data;
        if (m->table.v[TIME].there)
            marker.end = COLUMNS_NONE;
        look_into(m, &marker);
    }
    if (marker.phase == FINISH && marker.end < 0 && m->table.v[TIME].there)
        marker.end = marker.start;
    return marker;
}

/* ---- records ---- */

/* Reads the data as arguments. */
static struct writer_arguments arguments(struct firefox_markers *m, const struct marker *marker,
                                         struct writer_argument *to) {
    struct json_pull *pull = &m->whole->pull;
    bool cut;
    m->args.args.n = 0;
    if (marker->data == FIREFOX_NO_PLACE)
        return (struct writer_arguments){NULL, 0};
    span_store_args(&m->args);
    json_pull_back(pull, marker->data);
    if (json_pull_enter(pull, JSON_OBJECT))
        while (json_pull_next(pull)) {
            struct str key = json_pull_string(&pull->key, &m->name);
            struct wanted wanted = {m, {marker->type, key}};
            uint64_t i;
            if (pull->token.kind == JSON_NUMBER && json_read_whole(pull->token.text, &i) &&
                i < m->frames->strings.n &&
                map_find(&m->by_field, hash_of(&wanted.field), same_field, &wanted) != MAP_NONE)
                span_store_arg_token(&m->args, key, &m->frames->strings.v[i], &m->text);
            else
                span_store_arg_pull(&m->args, key, pull, &m->text);
        }
    uint64_t list = span_store_args_end(&m->args, &cut);
    if (cut)
        import_whole_fault(m->whole, IMPORT_CUT, marker->at,
                           "the data of a marker do not fit: cut");
    return span_store_read(&m->args, list, &m->whole->w, to);
}

static void add(struct firefox_markers *m, struct str text) {
    vec_reserve(&m->log, m->log.n + text.n + 1);
    memcpy(m->log.v + m->log.n, text.s, text.n);
    m->log.n += text.n;
}

/* A text, or the number of one. */
static struct str text_of(struct firefox_markers *m, const struct json_token *token,
                          struct json_pull_text *buf) {
    uint64_t i;
    if (token->kind == JSON_NUMBER && json_read_whole(token->text, &i) && i < m->frames->strings.n)
        token = &m->frames->strings.v[i];
    return json_pull_string(token, buf);
}

/* A log record, as `D/module: message`. The message is `name` if there is a module; later
 * versions have a level, and the marker is named by its module. */
static void write_log(struct firefox_markers *m, const struct marker *marker, struct str name) {
    struct json_pull *pull = &m->whole->pull;
    struct str module = name, message = {"", 0}, level = {"", 0};
    json_pull_back(pull, marker->data);
    if (json_pull_enter(pull, JSON_OBJECT))
        while (json_pull_next(pull)) {
            if (json_pull_is(pull, "module"))
                module = text_of(m, &pull->token, &m->name);
            else if (json_pull_is(pull, "name") || json_pull_is(pull, "message"))
                message = text_of(m, &pull->token, &m->text);
            else if (json_pull_is(pull, "level"))
                level = text_of(m, &pull->token, &m->level);
        }
    m->log.n = 0;
    if (level.n > 0) {
        add(m, (struct str){level.s, 1});
        add(m, STR("/"));
    }
    add(m, module);
    add(m, STR(": "));
    add(m, message);
    struct str all = {m->log.v, m->log.n};
    if (all.n > WRITER_STRING_MAX) {
        import_whole_fault(m->whole, IMPORT_CUT, marker->at, "a message is too long: cut");
        all.n = (size_t)str_head(all, WRITER_STRING_MAX);
    }
    writer_log(&m->whole->w, (uint64_t)marker->start, m->row, all);
}

static void write_slice(struct firefox_markers *m, const struct marker *marker,
                        struct writer_event *e) {
    struct writer *w = &m->whole->w;
    if (marker->phase == BEGIN) {
        writer_begin(w, e);
    } else if (marker->phase == FINISH) {
        writer_end(w, e);
    } else if (marker->phase == INSTANT) {
        writer_instant(w, e);
    } else {
        if (marker->end < marker->start)
            import_whole_fault(m->whole, IMPORT_FIELD, marker->at,
                               marker->end < 0 ? "an interval without an end"
                                               : "an interval that ends before it begins");
        writer_complete(w, e, marker->end < marker->start ? FXT_NO_END : (uint64_t)marker->end);
    }
}

void firefox_markers_write(struct firefox_markers *m, size_t row) {
    struct marker marker = marker_of(m, row);
    int64_t name = columns_cell(&m->table, NAME, row),
            category = columns_cell(&m->table, CATEGORY, row),
            ts = marker.phase == FINISH ? marker.end : marker.start;
    struct writer_argument args[SPAN_ARGUMENTS + 1];
    if (str_eq(marker.type, STR("CompositorScreenshot"))) {
        if (m->screenshots++ == 0)
            m->first = marker.at;
        return;
    }
    if (marker.phase < INSTANT || marker.phase > FINISH) {
        import_whole_fault(m->whole, IMPORT_UNKNOWN, marker.at, "a marker of an unknown phase");
        return;
    }
    if (ts < 0) {
        import_whole_fault(m->whole, IMPORT_FIELD, marker.at, "a marker without a time");
        return;
    }
    import_whole_mark(m->whole, marker.at);
    if (str_eq(marker.type, STR("Log"))) {
        write_log(m, &marker, firefox_frames_string(m->frames, name, &m->name));
        return;
    }
    struct writer_event e = {.ts = (uint64_t)ts, .thread = m->row};
    if (category >= 0 && (uint64_t)category < m->categories->v.n)
        e.category =
            import_whole_text(m->whole, json_pull_string(&m->categories->v.v[category], &m->level));
    e.args = arguments(m, &marker, args);
    if (name < 0 || (uint64_t)name >= m->frames->strings.n)
        import_whole_fault(m->whole, IMPORT_FIELD, marker.at, "a marker without a name");
    e.name = import_whole_text(m->whole, firefox_frames_string(m->frames, name, &m->name));
    write_slice(m, &marker, &e);
}

void firefox_markers_end(struct firefox_markers *m) {
    if (m->screenshots > 0)
        import_whole_fault(m->whole, IMPORT_IGNORED, m->first, "screenshots are left out: %" PRIu64,
                           m->screenshots);
    m->screenshots = 0;
}
