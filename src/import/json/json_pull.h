/* json_pull.h - reads JSON that is in memory as a whole, value by value, from any place in it.
 *
 *     if (json_pull_enter(&pull, JSON_OBJECT))
 *         while (json_pull_next(&pull))
 *             if (json_pull_is(&pull, "samples") && json_pull_enter(&pull, JSON_ARRAY))
 *                 while (json_pull_next(&pull))
 *                     take(&pull.token);
 *
 * A bracket that is not entered is passed over. A fault ends all loops. */
#ifndef FXTOP_JSON_PULL_H
#define FXTOP_JSON_PULL_H

#include "src/import/json/json_scan.h"

#define JSON_PULL_DEPTH 8192 /* brackets that may be entered */

struct json_pull_block {
    uint64_t lines, begin;
};

struct json_pull { /* zero-initialised: empty */
    struct json_scan scan;
    struct json_token token; /* the value; of a bracket its first byte */
    struct json_token key;   /* of the value, in an object */
    bool bracket;            /* the value is one, and not entered */
    bool fault, truncated;   /* the fault is the end of the text, or the token is at fault */
    size_t depth;
    unsigned char objects[JSON_PULL_DEPTH / 8]; /* a bit each */
    /* for each JSON_PULL_BLOCK bytes: lines before it, and the last line's end before it, + 1 */
    VEC(struct json_pull_block) blocks;
};

void json_pull_free(struct json_pull *pull);
/* Adds bytes to the text, before anything is read. */
void json_pull_add(struct json_pull *pull, struct str bytes);
static inline size_t json_pull_size(const struct json_pull *pull) {
    return pull->scan.buf.n;
}

/* Goes to the next value of the top, after the one before; false: there is none. */
bool json_pull_top(struct json_pull *pull);
/* Goes to a value that was read before, by the place of its token. The next json_pull_top() is
 * after that. */
void json_pull_back(struct json_pull *pull, uint64_t at);
/* Enters the value, if it is such a bracket. */
bool json_pull_enter(struct json_pull *pull, enum json_kind kind);
/* Passes over a bracket that is not entered. Returns its text, from there to its end. */
struct str json_pull_over(struct json_pull *pull);
/* Goes to the next value in the innermost bracket; false: it has ended, and is left. */
bool json_pull_next(struct json_pull *pull);
/* Whether the value has this key. */
bool json_pull_is(const struct json_pull *pull, const char *key);

struct json_pull_text {
    VEC(char) v;
};
/* The text of a token; a string without its escapes, in `buf` if it had any. */
struct str json_pull_string(const struct json_token *token, struct json_pull_text *buf);

/* The line and column of a byte. */
struct import_place json_pull_place(struct json_pull *pull, uint64_t at);

#endif
