/* serve_internal.h - the parts of serve: tools, and answers by a process. */
#ifndef FXTOP_SERVE_INTERNAL_H
#define FXTOP_SERVE_INTERNAL_H

#include "model/output/chars.h"
#include "src/base/err.h"
#include "src/import/json/json_pull.h"

struct options;
struct serve;

#define SERVE_LINE ((size_t)1 << 20)    /* bytes of a request at most */
#define SERVE_BYTES ((size_t)256 << 10) /* of an answer */
#define SERVE_ROWS 100                  /* of an answer that was not asked for a number */
#define SERVE_ROWS_MOST 10000
#define SERVE_SECONDS 120 /* that an answer may take */

enum serve_code { /* of JSON-RPC */
                  SERVE_PARSE = -32700,
                  SERVE_REQUEST = -32600,
                  SERVE_METHOD = -32601,
                  SERVE_PARAMS = -32602,
                  SERVE_FAILED = -32000
};

/* ---- serve_tools.c ---- */

enum serve_argument {
    ARGUMENT_TRACE,
    ARGUMENT_ROWS,
    ARGUMENT_SQL,
    ARGUMENT_FILTER,
    ARGUMENT_RANGE,
    ARGUMENT_TRACKS,
    ARGUMENT_BY,
    ARGUMENT_ID,
    ARGUMENT_WHAT,
    ARGUMENT_AT,
    ARGUMENT_WINDOW,
    ARGUMENT_VIEW,
    ARGUMENT_WIDTH,
    ARGUMENT_HEIGHT,
    SERVE_ARGUMENTS
};

struct serve_tool;

struct serve_call {
    const struct serve_tool *tool;
    char *texts[SERVE_ARGUMENTS]; /* NULL: not given */
    uint64_t numbers[SERVE_ARGUMENTS];
    bool given[SERVE_ARGUMENTS];
    bool rows; /* the answer is rows, not a text */
};

const struct serve_tool *serve_tools_find(struct str name);
/* The list of tools with the schemas of their arguments. */
void serve_tools_list(struct chars *out);
/* Reads the arguments from the object that `pull` is at; without one there are none. Fails with
 * one line. The caller frees the call in any case. */
bool serve_tools_read(struct serve_call *call, const struct serve_tool *tool,
                      struct json_pull *pull, size_t traces, struct err *err);
/* Whether the tool is answered without a question to a trace. */
bool serve_tools_lists_traces(const struct serve_tool *tool);
/* The command line of the same question. */
void serve_tools_line(const struct serve_call *call, const char *path, struct chars *text,
                      size_t ends[], size_t *n);
#define SERVE_WORDS 16 /* of a command line, at most */
bool serve_tools_is_why(const struct serve_tool *tool);
void serve_call_free(struct serve_call *call);

/* ---- serve_answer.c ---- */

struct serve_answer {
    struct chars out, err;
    bool truncated, cancelled, late;
    int status; /* of waitpid() */
};

/* The news on standard input while an answer is awaited. */
enum serve_heard { HEARD_NOTHING, HEARD_CANCELLED, HEARD_LAST /* no more is to be read */ };

/* Asks in a process of its own. hear: called when standard input has something; NULL: it is not
 * read. */
bool serve_answer_get(const struct serve *serve, size_t trace, struct options *options,
                      uint64_t rows, enum serve_heard (*hear)(void *ctx), void *ctx,
                      struct serve_answer *answer, struct err *err);
void serve_answer_free(struct serve_answer *answer);

#endif
