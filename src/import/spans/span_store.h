/* span_store.h - spans as they were read, with their texts and arguments, until all are there. */
#ifndef FXTOP_SPAN_STORE_H
#define FXTOP_SPAN_STORE_H

#include "src/base/map.h"
#include "src/base/vec.h"
#include "src/fxt/writer.h"
#include "src/import/json/json_pull.h"
#include "src/import/json/json_walk.h"

#define SPAN_NONE UINT32_MAX
#define SPAN_NO_END UINT64_MAX /* the end of a span that has none */
#define SPAN_ARGUMENTS 14      /* further ones are JSON text in one more */

struct span_entry {
    uint64_t begin, end;        /* ns since 1970 */
    uint64_t trace, id, parent; /* trace: its low 64 bits */
    struct import_place at;
    uint64_t args;                    /* offset in the store's arguments */
    uint32_t process, name, category; /* texts, but for the process */
    uint32_t thread;                  /* of its process, or SPAN_NONE */
    uint32_t up;                      /* the parent; SPAN_NONE: none, or not there */
    uint32_t depth;                   /* number of parents */
    bool child;                       /* it names a parent */
    bool client, server;
    bool damaged; /* it has no time: it is at 0, without length */
    bool again;   /* another one before it is the same */
};

/* Something at a moment of a span, or of a process. */
struct span_point {
    uint64_t ts;
    struct import_place at;
    uint64_t args;
    uint32_t name; /* of a log record: its text */
    uint32_t span; /* of the span itself, or SPAN_NONE; then: */
    uint32_t process;
    uint64_t trace, id; /* of a log record: that of its span, or 0 */
    enum { SPAN_EVENT, SPAN_LOG, SPAN_COUNTER } kind;
};

struct span_link { /* from the span that is named to `span` */
    uint32_t span;
    uint32_t from; /* SPAN_NONE: it is not there */
    uint64_t trace, id;
    uint64_t leaves; /* when that leads to `span` */
};

struct span_process {
    uint32_t name, instance; /* texts */
    uint64_t number, args;   /* args: 0: none */
};

struct span_thread {
    uint32_t process, id, name; /* texts, but for the process */
};

struct span_text {
    uint64_t at;
    uint32_t n;
};

struct span_store {
    VEC(struct span_entry) spans;
    VEC(struct span_point) points;
    VEC(struct span_link) links;
    VEC(struct span_process) processes;
    VEC(struct span_thread) threads;
    struct map by_process, by_thread, by_text;
    VEC(struct span_text) texts;
    VEC(char) bytes; /* of the texts */
    VEC(char) args;
    /* the list of arguments that is being made */
    uint64_t list;
    size_t n, left; /* arguments; bytes that their texts may still have */
    bool cut;
    VEC(char) more; /* `"key":value,` of further ones */
};

void span_store_free(struct span_store *store);
size_t span_store_bytes(const struct span_store *store); /* in memory */

/* Texts and owners have numbers. */
uint32_t span_store_text(struct span_store *store, struct str text);
struct str span_store_text_of(const struct span_store *store, uint32_t i);
uint32_t span_store_process(struct span_store *store, struct str name, struct str instance);
uint32_t span_store_thread(struct span_store *store, uint32_t process, struct str id,
                           struct str name);

/* A list of arguments: begin, add, end. end: its offset; *cut: a text or name did not fit. */
void span_store_args(struct span_store *store);
void span_store_arg_text(struct span_store *store, struct str key, struct str value);
void span_store_arg_json(struct span_store *store, struct str key, struct str json);
/* Any value of JSON: a number keeps its type, and brackets are JSON text. */
void span_store_arg(struct span_store *store, struct str key, struct json_walk *walk, uint32_t i);
/* Adds a token, or the value that `pull` is at, which passes over a bracket. */
void span_store_arg_token(struct span_store *store, struct str key, const struct json_token *token,
                          struct json_pull_text *buf);
void span_store_arg_pull(struct span_store *store, struct str key, struct json_pull *pull,
                         struct json_pull_text *buf);
uint64_t span_store_args_end(struct span_store *store, bool *cut);
/* Reads a list: of at most SPAN_ARGUMENTS + 1. */
struct writer_arguments span_store_read(const struct span_store *store, uint64_t list,
                                        struct writer *w, struct writer_argument *to);

#endif
