/* fleet_join.c - names and labels of traces in joined answers.
 *
 * A row of CSV ends with a line feed outside of quotes, other rows with any. */
#include "model/output/fleet_internal.h"

#include <stdlib.h>
#include <string.h>

#include "model/output/folded.h"
#include "model/output/json.h"
#include "src/base/text.h"

static struct str label_name(const char *label) {
    return (struct str){label, strcspn(label, "=")};
}

static struct str label_value(const char *label) {
    return str_of(label + strcspn(label, "=") + 1);
}

static void add_cell(struct fleet_join *j, struct str name, struct str value) {
    struct json json = {.out = &j->cells, .first = true};
    if (j->fleet->format == FORMAT_NDJSON) {
        json_string(&json, name);
        chars_put(&j->cells, ':');
        json_string(&json, value);
    } else {
        relation_csv_text(&j->cells, value, false);
    }
    chars_put(&j->cells, ',');
}

static void add_frame(struct fleet_join *j, const char *name) {
    folded_name(&j->cells, str_of(name));
    chars_put(&j->cells, ';');
}

/* "== NAME host=a ==", or a heading of Markdown. */
static void set_line(struct fleet_join *j, const struct fleet_trace *trace) {
    const struct fleet *f = j->fleet;
    bool markdown = f->format == FORMAT_MARKDOWN;
    chars_text(&j->line, markdown ? "###" : "==");
    for (int i = -1; i < f->nlabels; i++) {
        char *safe = text_dup(str_of(i < 0 ? trace->name : f->labels[i]),
                              TEXT_TRACK | (f->ascii ? TEXT_ASCII : 0));
        chars_put(&j->line, ' ');
        chars_text(&j->line, safe);
        free(safe);
    }
    chars_text(&j->line, markdown ? "\n\n" : " ==\n");
}

void fleet_join_begin(struct fleet_join *j, const struct fleet *f, const struct fleet_trace *trace,
                      FILE *out) {
    *j = (struct fleet_join){.fleet = f, .out = out};
    bool rows = f->format == FORMAT_CSV || f->format == FORMAT_NDJSON;
    if (trace == NULL)
        return;
    j->csv = f->format == FORMAT_CSV && f->how < FLEET_TEXT;
    if (f->how == FLEET_STACKS) {
        for (int i = 0; i < f->nlabels; i++)
            add_frame(j, f->labels[i]);
        add_frame(j, trace->name);
    } else if (rows && f->how < FLEET_TEXT) {
        for (int i = 0; i < f->nlabels; i++)
            add_cell(j, label_name(f->labels[i]), label_value(f->labels[i]));
        if (f->how == FLEET_ROWS)
            add_cell(j, STR("trace"), str_of(trace->name));
    } else if (f->how != FLEET_OWN || f->nlabels > 0) {
        set_line(j, trace);
    }
}

static void put_name(const struct fleet_join *j, struct str name, bool bare) {
    const char *quote = bare ? "" : "\"";
    fprintf(j->out, "%s%.*s%s,", quote, (int)name.n, name.s, quote);
}

/* Writes the cells before a row. */
static void put_cells(struct fleet_join *j, char first) {
    const struct fleet *f = j->fleet;
    if (f->how == FLEET_STACKS || !j->head) {
        fwrite(j->cells.v, 1, j->cells.n, j->out);
        return;
    }
    j->head = false;
    for (int i = 0; i < f->nlabels; i++)
        put_name(j, label_name(f->labels[i]), first != '"');
    if (f->how == FLEET_ROWS)
        put_name(j, STR("trace"), first != '"');
}

/* How many bytes the row has to its end, or to the end of the bytes. */
static size_t row_length(struct fleet_join *j, const char *s, size_t n, bool *ends) {
    const char *feed = j->csv ? NULL : memchr(s, '\n', n);
    *ends = feed != NULL;
    for (size_t i = 0; i < n && j->csv; i++) {
        j->quoted = j->quoted != (s[i] == '"');
        *ends = s[i] == '\n' && !j->quoted;
        if (*ends)
            return i + 1;
    }
    return feed ? (size_t)(feed - s) + 1 : n;
}

static void put_row(struct fleet_join *j, const char *s, size_t n) {
    bool object = j->fleet->format == FORMAT_NDJSON && j->fleet->how < FLEET_TEXT;
    size_t at = object && s[0] == '{';
    if (!j->within && j->cells.n > 0 && (!object || at > 0)) {
        fwrite(s, 1, at, j->out);
        put_cells(j, s[0]);
        s += at;
        n -= at;
    }
    fwrite(s, 1, n, j->out);
}

void fleet_join_put(struct fleet_join *j, const char *s, size_t n, bool head) {
    if (!j->begun && n > 0)
        fwrite(j->line.v, 1, j->line.n, j->out);
    j->begun = j->begun || n > 0;
    j->head = j->head || (head && j->cells.n > 0);
    for (size_t length; n > 0; s += length, n -= length) {
        bool ends;
        length = row_length(j, s, n, &ends);
        put_row(j, s, length);
        j->within = !ends;
    }
}

void fleet_join_end(struct fleet_join *j) {
    if (j->quoted || j->within)
        fputs(j->quoted ? "\"\n" : "\n", j->out);
    vec_free(&j->line);
    vec_free(&j->cells);
}
