/* json_walk.h - the common part of importers of JSON documents: pieces of bytes become values that
 * are handed over one by one, by a table of where they are.
 *
 * A rule names a key within a kind of object, and what its value is. The elements of an array are
 * what the array is, so that {"spans": [a, b]} hands over a and b. A value without a rule is passed
 * over. Only one value is in memory at a time, as a tree of at most JSON_WALK_NODES nodes.
 *
 * A fault loses the value that it is in. Reading goes on at the next element, or at the next object
 * of the top: one of JSON lines may be cut anywhere. */
#ifndef FXTOP_JSON_WALK_H
#define FXTOP_JSON_WALK_H

#include "src/fxt/writer.h"
#include "src/import/json/json_scan.h"

#define JSON_WALK_DEPTH 512 /* brackets; deeper values are left out */
#define JSON_WALK_NODES ((size_t)1 << 20)
#define JSON_WALK_TEXT ((size_t)64 << 20) /* bytes of the texts of a tree */
#define JSON_WALK_KEY 64                  /* bytes of a key that a rule may name */
#define JSON_WALK_TOP 0                   /* the kind of objects of the top */

struct json_walk_rule {
    int within;      /* the kind of the object around it */
    const char *key; /* NULL, within JSON_WALK_TOP: the value of the top itself */
    int kind;        /* of the value, from 1 on */
    bool take;       /* it is handed over, else walked */
};

/* A value, in the order of the source. */
struct json_node {
    enum json_kind kind; /* JSON_OBJECT, JSON_ARRAY or that of a scalar; JSON_WORD is a string */
    bool escaped;
    uint32_t end;         /* the node after all that is in this one */
    uint32_t key, nkey;   /* in the texts */
    uint32_t text, ntext; /* of a scalar, as the source writes it */
};

struct json_walk_level {
    bool array, take;
    int kind;
};

struct json_walk {
    struct json_scan scan;
    const struct json_walk_rule *rules; /* ended by one of the kind 0 */
    bool (*take)(void *ctx, int kind);  /* the tree is a value; false: it is none of this kind */
    void (*begin)(void *ctx, int kind); /* around the values in an object; or NULL */
    void (*end)(void *ctx, int kind);
    void *ctx;
    VEC(struct json_node) tree;    /* the value is node 0 */
    VEC(char) text;                /* of the tree */
    struct import_place at;        /* of the value */
    bool resumed;                  /* it is the first one after a fault: perhaps a part of one */
    struct writer w;               /* of the records */
    VEC(struct import_mark) marks; /* of this step */
    VEC(struct import_case) cases;
    uint64_t faults;
    /* the state of the reader */
    struct json_walk_level levels[JSON_WALK_DEPTH];
    size_t nlevels;
    struct {
        bool array;
        uint32_t node;
    } in[JSON_WALK_DEPTH]; /* brackets within the value */
    size_t depth;
    uint64_t deeper;
    int kind;            /* of the value */
    bool within, passed; /* within a value; it is passed over */
    bool follows;        /* a key or value was before in the same brackets */
    int due;             /* a key, a colon or a value */
    bool line;           /* the last bracket begins a line */
    bool resuming, lost; /* lost: until the first key after a fault */
    bool full;           /* the tree is */
    char key[JSON_WALK_KEY];
    size_t nkey;
    uint32_t key_at; /* in the texts of the tree */
    size_t key_bytes;
};

void json_walk_init(struct json_walk *walk, const struct json_walk_rule *rules, void *ctx);
void json_walk_free(struct json_walk *walk);

/* Hands over the values in these bytes. last: the source ends. */
void json_walk_step(struct json_walk *walk, struct str bytes, bool last);
/* The words, places and faults since json_walk_step() began. */
struct import_news json_walk_news(struct json_walk *walk);

/* The records from here on are made of the source at this place. */
void json_walk_mark(struct json_walk *walk, struct import_place at);
/* Counts a fault of the source at this place, with a sentence of printf(). */
void json_walk_fault(struct json_walk *walk, enum import_fault kind, struct import_place at,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Counts one that is about all of the source. */
void json_walk_note(struct json_walk *walk, enum import_fault kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The value of a key of the object that is node i, or 0: there is none. The last one counts. */
uint32_t json_walk_get(const struct json_walk *walk, uint32_t i, const char *key);
/* The text of a scalar without escapes, and of a key; as it is of brackets: none. They are valid
 * until the value ends. */
struct str json_walk_text(struct json_walk *walk, uint32_t i);
struct str json_walk_key(struct json_walk *walk, uint32_t i);
/* Any value as JSON text, at most `most` bytes. */
size_t json_walk_print(const struct json_walk *walk, uint32_t i, char *to, size_t most);

/* for (uint32_t c = i + 1; c < end; c = next) are the values in node i. */
static inline uint32_t json_walk_end(const struct json_walk *walk, uint32_t i) {
    return walk->tree.v[i].end;
}

#endif
