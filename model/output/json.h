/* json.h - writes JSON: strings, fields, values. Braces, and which fields an object has, are the caller's.
 *
 * Errors of the output are found by its ferror(). */
#ifndef FXTOP_JSON_H
#define FXTOP_JSON_H

#include <stdio.h>

#include "model/output/chars.h"
#include "model/query/detail.h"

struct json {
    FILE *out;
    bool first;    /* in the object: no comma yet */
    bool no_pairs; /* a character that needs two escapes (a surrogate pair) becomes U+FFFD */
    uint64_t lines;
};

void json_string(struct json *j, struct str s);                         /* EXPORT 2.3: text_json() */
void json_escape(const struct json *j, struct str s, struct chars *to); /* appends the inside of the quotes to `to` */
void json_base64(struct json *j, struct str s);
void json_key(struct json *j, const char *name); /* with the comma before it, if one is due; name is not escaped */

void json_text(struct json *j, const char *name, struct str s);
void json_u64(struct json *j, const char *name, uint64_t v);
void json_i64(struct json *j, const char *name, int64_t v);
void json_hex(struct json *j, const char *name, uint64_t v); /* "0x1f" */
void json_true(struct json *j, const char *name);

bool json_has_value(const struct detail_argument *a); /* null and unknown types have none */
/* Numbers exact and bool as they are; NaN, infinities, pointers and strings as strings, blobs as base64. */
void json_value(struct json *j, const struct detail_argument *a);
void json_value_field(struct json *j, const char *name,
                      const struct detail_argument *a); /* nothing if it has no value */

/* The arguments of a record as a list (EXPORT 2.4); false, and nothing is written: it has none. */
bool json_argument_list(struct json *j, struct detail *d);
void json_arguments(struct json *j, const char *name, struct detail *d); /* the same as a field */

#endif
