/* json.h - writes JSON: strings, fields, values. Braces, and which fields an object has, are the
 * caller's.
 *
 * The text is appended to memory, which the caller writes (chars_write()). */
#ifndef FXTOP_JSON_H
#define FXTOP_JSON_H

#include "model/output/chars.h"
#include "model/query/detail.h"

struct json {
    struct chars *out;
    FILE *file;    /* where a caller of json_write() wants the text; else NULL */
    bool first;    /* in the object: no comma yet */
    bool no_pairs; /* a character that needs two escapes (a surrogate pair) becomes U+FFFD */
    uint64_t lines;
};

/* Writes the text so far to the file, if it is much. */
static inline void json_write(struct json *j) {
    if (j->file && j->out->n >= CHARS_PIECE)
        chars_write(j->out, j->file);
}

void json_string(struct json *j, struct str s); /* EXPORT 2.3: text_json() */
/* appends the inside of the quotes to `to` */
void json_escape(const struct json *j, struct str s, struct chars *to);
void json_base64(struct json *j, struct str s);

/* The key, with the comma before it if one is due; the name is not escaped. */
static inline void json_key(struct json *j, const char *name) {
    size_t n = strlen(name);
    char *to = chars_space(j->out, n + 4);
    *to = ',';
    to += !j->first;
    *to++ = '"';
    memcpy(to, name, n);
    to += n;
    *to++ = '"';
    *to++ = ':';
    j->out->n = (size_t)(to - j->out->v);
    j->first = false;
}

static inline void json_text(struct json *j, const char *name, struct str s) {
    json_key(j, name);
    json_string(j, s);
}

static inline void json_u64(struct json *j, const char *name, uint64_t v) {
    json_key(j, name);
    chars_u64(j->out, v);
}

static inline void json_i64(struct json *j, const char *name, int64_t v) {
    json_key(j, name);
    chars_i64(j->out, v);
}

static inline void json_word(struct json *j, const char *name, const char *word) { /* true, null */
    json_key(j, name);
    chars_text(j->out, word);
}

void json_hex(struct json *j, const char *name, uint64_t v); /* "0x1f" */

bool json_has_value(const struct detail_argument *a); /* null and unknown types have none */
/* Numbers exact and bool as they are; NaN, infinities, pointers and strings as strings, blobs as
 * base64. */
void json_value(struct json *j, const struct detail_argument *a);
void json_value_field(struct json *j, const char *name,
                      const struct detail_argument *a); /* nothing if it has no value */

/* The arguments of a record as a list (EXPORT 2.4); false, and nothing is written: it has none. */
bool json_argument_list(struct json *j, struct detail *d);
void json_arguments(struct json *j, const char *name, struct detail *d); /* the same as a field */

#endif
