/* json_scan.h - the tokens of JSON (RFC 8259) in a stream of pieces, in bounded memory.
 *
 * Feed a piece, then take tokens until JSON_MORE. Colons and brackets are not held against the
 * grammar; that is the caller's. Commas count as blanks, and each token knows whether one is before
 * it. Besides JSON it takes NaN, Infinity and -Infinity as numbers, and raw control characters in
 * strings, because writers make them. A byte order mark at the start is skipped. */
#ifndef FXTOP_JSON_SCAN_H
#define FXTOP_JSON_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/str.h"
#include "src/base/vec.h"
#include "src/io/import.h"

/* bytes of a token that are kept; the rest of a longer string is skipped */
#define JSON_TOKEN_MAX 65536

enum json_kind {
    JSON_MORE, /* the piece is used up */
    JSON_OBJECT,
    JSON_OBJECT_END,
    JSON_ARRAY,
    JSON_ARRAY_END,
    JSON_COLON,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
    JSON_WORD, /* another word, such as a name without quotes, or 0x1f */
    JSON_BAD,  /* a byte that is none of these, or a word of more than JSON_TOKEN_MAX bytes */
};

struct json_token {
    enum json_kind kind;
    /* of a string between its quotes, escapes and all; of a word; valid until the next feed */
    struct str text;
    uint64_t at;  /* offset of its first byte */
    bool escaped; /* a string with a backslash */
    bool cut;     /* a string of more than JSON_TOKEN_MAX bytes */
    bool open;    /* a string that the input ended in */
    bool comma;   /* a comma is before it */
};

struct json_scan { /* zero-initialised: at the start */
    VEC(char) buf; /* [pos, n) is not yet taken */
    size_t pos;
    uint64_t base; /* offset of buf.v[0] */
    size_t seen;   /* bytes after pos known to be within the string there */
    bool last, escaped;
    bool comma;                 /* one was passed since the last token */
    bool begun;                 /* a byte order mark cannot follow */
    bool skipping;              /* within the rest of a string that was cut */
    uint64_t keep;              /* an offset: json_scan_again() goes no further back */
    struct import_place before; /* of buf.v[0] */
    char before_base;           /* the byte before it */
    /* of json_scan_skip(): brackets that are open, and whether a line ended since the last token */
    unsigned depth;
    uint64_t arrays;
    bool line;
    struct import_place watched; /* from there on places are counted */
    /* Receives the first zero byte within a string, which no writer of JSON writes; then NULL. */
    void (*zero)(void *ctx, uint64_t at);
    void *zero_ctx;
};

#define JSON_SCAN_ZEROS "a zero byte within a text: bytes are lost there"

void json_scan_free(struct json_scan *scan);
/* only after JSON_MORE, or first */
void json_scan_feed(struct json_scan *scan, struct str bytes, bool last);
enum json_kind json_scan_next(struct json_scan *scan, struct json_token *token);

/* Takes a colon that comes next, without blanks before it; false: there is none. */
static inline bool json_scan_colon(struct json_scan *scan) {
    bool there = scan->pos < scan->buf.n && scan->buf.v[scan->pos] == ':';
    scan->pos += there;
    return there;
}

/* The place of a byte that is in the buffer, or watched. */
struct import_place json_scan_place(const struct json_scan *scan, uint64_t at);
/* Remembers the place of a byte in the buffer. Bytes are watched in their order: each line's end is
 * counted once. */
void json_scan_watch(struct json_scan *scan, uint64_t at);

typedef bool json_scan_wants(const void *ctx, struct str key);

#define JSON_SKIP_DEPTH 64
enum json_skip { JSON_SKIP_MORE, JSON_SKIPPED, JSON_SKIP_FAILED };

/* After a fault within an object: goes over the rest of a value, strings and brackets too, to the
 * comma before a key or the end of the object. More: not in this piece; call it again after the
 * next feed. Failed: a quote or a bracket is missing, or it comes to what may be the next event, as
 * json_scan_resume() has it. */
/* first: back to the token that is at fault, which was the last one. depth: of the brackets that
 * are open within the object; arrays: a bit of each, 1 for an array */
void json_scan_back(struct json_scan *scan, const struct json_token *token, unsigned depth,
                    uint64_t arrays);
enum json_skip json_scan_skip(struct json_scan *scan, json_scan_wants *begins);

/* Whether one comma alone is between a byte and the token before it, which ended at `end`. */
bool json_scan_after_comma(const struct json_scan *scan, uint64_t end, uint64_t at);

/* Goes back to a byte, after a comma. False: it is too far back, as those before `keep` are. */
#define JSON_SCAN_AGAIN 32768 /* bytes */
bool json_scan_again(struct json_scan *scan, uint64_t at);

/* After a fault: goes to the next `{` that follows a `,` or a line's end, and is followed by `"` or
 * `}`, after blanks. Elsewhere, but at a value, it needs a first key that `begins` takes, and a key
 * "ph" near. False: not in this piece; call it again after the next feed. */
bool json_scan_resume(struct json_scan *scan, json_scan_wants *begins);

/* After a fault within a nested object: goes to a key of the object around it that `wants`
 * takes, after a comma. Failed: the next `{` as above comes first, with a key "ph" near, or a first
 * key that `begins` takes. */
enum json_skip json_scan_key(struct json_scan *scan, json_scan_wants *wants,
                             json_scan_wants *begins, const void *ctx);

/* Whether a comma or a line's end is before a byte, among blanks. */
bool json_scan_parted(const struct json_scan *scan, uint64_t at);
#define JSON_SCAN_BACK 64 /* bytes before a token that are in the buffer */

/* Whether as many bytes before a byte are blanks of one line. */
bool json_scan_blank(const struct json_scan *scan, uint64_t at, uint64_t blanks);

/* Whether a byte begins a line, after as many blanks. */
static inline bool json_scan_indented(const struct json_scan *scan, uint64_t at, uint64_t blanks) {
    size_t i = (size_t)(at - scan->base);
    return blanks < JSON_SCAN_BACK && i > blanks && scan->buf.v[i - 1 - blanks] == '\n' &&
           json_scan_blank(scan, at, blanks);
}

/* Whether the object that begins at a byte has such keys; first: whether its first key is one that
 * `begins` takes. More: the piece ends before that. */
enum json_skip json_scan_event(const struct json_scan *scan, uint64_t at, json_scan_wants *begins,
                               bool first);
/* The `{` right after a word, or before a quote right before the token, after blanks: a value was
 * cut, and the next event follows it. Or where the token is: there is none. */
uint64_t json_scan_glued(const struct json_scan *scan, const struct json_token *token);
/* Whether a number, or a word, ends right before a byte. */
bool json_scan_touches(const struct json_scan *scan, uint64_t at);
/* Whether there are blanks alone between two bytes in the buffer. */
bool json_scan_follows(const struct json_scan *scan, uint64_t end, uint64_t at);
/* Whether the quote right before a byte follows a `{` as above: a string that ends with it began
 * where another one ended, because a quote is missing. */
bool json_scan_runs_on(const struct json_scan *scan, uint64_t at);
/* Goes back to the end of the token before that `{`, if the next byte is after it. */
void json_scan_run_back(struct json_scan *scan, uint64_t at);

#endif
