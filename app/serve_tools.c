/* serve_tools.c - the tools of serve: their arguments, and the command line that each is.
 *
 * A tool is a mode of the program. No argument becomes the name of a file: texts are values of
 * options, and those that would be read from a file are not taken so. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/serve_internal.h"
#include "model/output/json.h"

#define BIT(argument) (1u << ARGUMENT_##argument)
#define LIMITS (BIT(RANGE) | BIT(TRACKS))

static const struct argument {
    const char *name, *help, *option; /* NULL: the tool reads the argument itself */
    uint64_t most;                    /* of a number; 0: a text */
} arguments[SERVE_ARGUMENTS] = {
    [ARGUMENT_TRACE] = {"trace", "number of the trace, 0 is the first (see traces)", NULL, 1000},
    [ARGUMENT_ROWS] = {"rows", "rows at most, 1 to 10000 (100)", NULL, SERVE_ROWS_MOST},
    [ARGUMENT_SQL] = {"sql",
                      "SQLite over the tables slice, thread, process, sched, thread_state, "
                      "counter, flow, args, log, problem; times are ns",
                      "query", 0},
    [ARGUMENT_FILTER] = {"filter", "terms such as: name=Frame dur>16ms thread=ui arg.x=1", "filter",
                         0},
    [ARGUMENT_RANGE] = {"range", "a stretch of time from the begin of the trace: 1.5s..1.6s",
                        "range", 0},
    [ARGUMENT_TRACKS] = {"tracks", "only these tracks: main, pid=12", "tracks", 0},
    [ARGUMENT_BY] = {"by", "total, self, count, p99, max or cpu", "by", 0},
    [ARGUMENT_ID] = {"id", "id of a slice, as in the table slice", NULL, UINT64_MAX},
    [ARGUMENT_WHAT] = {"what", "a time such as 1.5s, or @OFFSET of an event", "describe", 0},
    [ARGUMENT_AT] = {"at", "a time in the middle of the window: 1.5s, 50%", "at", 0},
    [ARGUMENT_WINDOW] = {"window", "how much time is shown: 40ms", "window", 0},
    [ARGUMENT_VIEW] = {"view",
                       "name of a view: timeline, slices, flame, log, flows, counters, cpus", NULL,
                       0},
    [ARGUMENT_WIDTH] = {"width", "columns, 20 to 300 (100)", NULL, 300},
    [ARGUMENT_HEIGHT] = {"height", "lines, 8 to 200 (30)", NULL, 200},
};

struct serve_tool {
    const char *name, *help, *option; /* NULL: no trace is asked */
    unsigned takes, needs;
    bool rows;
};

static const struct serve_tool tools[] = {
    {"traces", "the traces of this session and their numbers", NULL, 0, 0, true},
    {"summary", "a page about a trace: span, threads, names, problems", "--summary", BIT(TRACE), 0,
     false},
    {"query", "ask a trace in SQL; a row is an object", NULL, BIT(TRACE) | BIT(SQL) | BIT(ROWS),
     BIT(SQL), true},
    {"top", "names of slices with count, total, self, percentiles; the greatest first", "--top",
     BIT(TRACE) | LIMITS | BIT(FILTER) | BIT(BY) | BIT(ROWS), 0, true},
    {"instances", "slices that a filter holds for, the longest first, with states and arguments",
     NULL, BIT(TRACE) | LIMITS | BIT(FILTER) | BIT(ROWS), BIT(FILTER), true},
    {"describe", "sentences about the trace, a time or an event", "--describe",
     BIT(TRACE) | BIT(WHAT) | BIT(ID) | BIT(WINDOW), 0, false},
    {"why", "why a slice is longer than others of its name: what it and they spent time on",
     "--describe", BIT(TRACE) | BIT(WHAT) | BIT(ID), 0, false},
    {"print", "the screen as text", NULL,
     BIT(TRACE) | LIMITS | BIT(FILTER) | BIT(AT) | BIT(WINDOW) | BIT(VIEW) | BIT(WIDTH) |
         BIT(HEIGHT),
     0, false},
};
#define TOOLS (sizeof tools / sizeof *tools)

const struct serve_tool *serve_tools_find(struct str name) {
    for (size_t i = 0; i < TOOLS; i++)
        if (str_eq(str_of(tools[i].name), name))
            return &tools[i];
    return NULL;
}

bool serve_tools_lists_traces(const struct serve_tool *tool) {
    return tool == tools;
}

bool serve_tools_is_why(const struct serve_tool *tool) {
    return strcmp(tool->name, "why") == 0;
}

void serve_tools_list(struct chars *out) {
    struct json json = {.out = out};
    for (size_t i = 0; i < TOOLS; i++) {
        const struct serve_tool *tool = &tools[i];
        bool any = false;
        chars_text(out, i > 0 ? ",{" : "{");
        json.first = true;
        json_text(&json, "name", str_of(tool->name));
        json_text(&json, "description", str_of(tool->help));
        json_word(&json, "annotations", "{\"readOnlyHint\":true}");
        json_word(&json, "inputSchema", "{\"type\":\"object\",\"properties\":{");
        for (int k = 0; k < SERVE_ARGUMENTS; k++) {
            if (!(tool->takes >> k & 1))
                continue;
            const struct argument *a = &arguments[k];
            chars_format(out, "%s\"%s\":{\"type\":\"%s\",\"description\":", any ? "," : "", a->name,
                         a->most > 0 ? "integer" : "string");
            json_string(&json, str_of(a->help));
            chars_put(out, '}');
            any = true;
        }
        chars_text(out, "},\"required\":[");
        any = false;
        for (int k = 0; k < SERVE_ARGUMENTS; k++)
            if (tool->needs >> k & 1) {
                chars_format(out, "%s\"%s\"", any ? "," : "", arguments[k].name);
                any = true;
            }
        chars_text(out, "],\"additionalProperties\":false}}");
    }
}

/* ---- reading arguments ---- */

static bool take(struct serve_call *call, int k, struct json_pull *pull, struct err *err) {
    const struct argument *a = &arguments[k];
    const struct json_token *token = &pull->token;
    struct json_pull_text buf = {.v = {0}};
    if (token->kind == JSON_NULL)
        return true;
    if (a->most > 0) {
        char digits[24];
        char *end = NULL;
        snprintf(digits, sizeof digits, "%.*s", (int)(token->text.n < 23 ? token->text.n : 23),
                 token->text.s);
        call->numbers[k] = token->kind == JSON_NUMBER && digits[0] != '-'
                               ? (uint64_t)strtoull(digits, &end, 10)
                               : 0;
        if (end == NULL || *end != '\0' || token->text.n > 19 || call->numbers[k] > a->most)
            return err_set(err, ERR_NO_OFFSET, "%s expects a whole number of at most %" PRIu64,
                           a->name, a->most > INT64_MAX ? (uint64_t)INT64_MAX : a->most);
        return call->given[k] = true;
    }
    if (token->kind != JSON_STRING || token->cut)
        return err_set(err, ERR_NO_OFFSET, "%s expects a text of at most 65536 bytes", a->name);
    struct str text = json_pull_string(token, &buf);
    bool fine = memchr(text.s, 0, text.n) == NULL;
    if (fine) {
        free(call->texts[k]);
        call->texts[k] = err_malloc(text.n + 1);
        memcpy(call->texts[k], text.s, text.n);
        call->texts[k][text.n] = '\0';
        call->given[k] = true;
    }
    vec_free(&buf.v);
    return fine || err_set(err, ERR_NO_OFFSET, "%s has a NUL", a->name);
}

static bool check(const struct serve_call *call, size_t traces, struct err *err) {
    const char *view = call->texts[ARGUMENT_VIEW];
    for (int k = 0; k < SERVE_ARGUMENTS; k++)
        if (call->tool->needs >> k & 1 && !call->given[k])
            return err_set(err, ERR_NO_OFFSET, "%s needs %s", call->tool->name, arguments[k].name);
    if (serve_tools_is_why(call->tool) && !call->given[ARGUMENT_ID] && !call->given[ARGUMENT_WHAT])
        return err_set(err, ERR_NO_OFFSET, "why needs id, or what");
    if (call->given[ARGUMENT_ID] && call->given[ARGUMENT_WHAT])
        return err_set(err, ERR_NO_OFFSET, "id and what are two places");
    if (call->numbers[ARGUMENT_TRACE] >= traces)
        return err_set(err, ERR_NO_OFFSET, "there is no trace %" PRIu64 ": there are %zu",
                       call->numbers[ARGUMENT_TRACE], traces);
    if (call->given[ARGUMENT_ROWS] && call->numbers[ARGUMENT_ROWS] == 0)
        return err_set(err, ERR_NO_OFFSET, "rows expects 1 to %d", SERVE_ROWS_MOST);
    if ((call->given[ARGUMENT_WIDTH] && call->numbers[ARGUMENT_WIDTH] < 20) ||
        (call->given[ARGUMENT_HEIGHT] && call->numbers[ARGUMENT_HEIGHT] < 8))
        return err_set(err, ERR_NO_OFFSET, "width is at least 20, height at least 8");
    if (view && (*view == '\0' || strspn(view, "abcdefghijklmnopqrstuvwxyz-") != strlen(view)))
        return err_set(err, ERR_NO_OFFSET, "view expects a name, such as slices");
    return true;
}

bool serve_tools_read(struct serve_call *call, const struct serve_tool *tool,
                      struct json_pull *pull, size_t traces, struct err *err) {
    *call = (struct serve_call){.tool = tool, .rows = tool->rows};
    call->numbers[ARGUMENT_ROWS] = SERVE_ROWS;
    if (pull && !json_pull_enter(pull, JSON_OBJECT))
        return err_set(err, ERR_NO_OFFSET, "arguments are an object with names");
    while (pull && json_pull_next(pull)) {
        int k = 0;
        if (json_pull_is(pull, "_meta"))
            continue;
        while (k < SERVE_ARGUMENTS && !json_pull_is(pull, arguments[k].name))
            k++;
        if (k == SERVE_ARGUMENTS || !(tool->takes >> k & 1))
            return err_set(err, ERR_NO_OFFSET, "%s takes no such argument (tools/list has them)",
                           tool->name);
        if (!take(call, k, pull, err))
            return false;
    }
    return check(call, traces, err);
}

void serve_call_free(struct serve_call *call) {
    for (int k = 0; k < SERVE_ARGUMENTS; k++)
        free(call->texts[k]);
}

/* ---- the command line ---- */

static void end(struct chars *text, size_t ends[], size_t *n) {
    chars_put(text, '\0');
    ends[(*n)++] = text->n;
}

void serve_tools_line(const struct serve_call *call, const char *path, struct chars *text,
                      size_t ends[], size_t *n) {
    const struct serve_tool *tool = call->tool;
    const char *sql = call->texts[ARGUMENT_SQL];
    *n = 0;
    chars_text(text, "fxtop");
    end(text, ends, n);
    if (strcmp(tool->name, "print") == 0) {
        chars_format(text, "--print=%" PRIu64 "x%" PRIu64,
                     call->given[ARGUMENT_WIDTH] ? call->numbers[ARGUMENT_WIDTH] : 100,
                     call->given[ARGUMENT_HEIGHT] ? call->numbers[ARGUMENT_HEIGHT] : 30);
        end(text, ends, n);
    }
    if (call->given[ARGUMENT_VIEW]) {
        chars_text(text, "--keys=:");
        chars_text(text, call->texts[ARGUMENT_VIEW]);
        chars_text(text, "<Enter>");
        end(text, ends, n);
    }
    if (tool->option && !call->given[ARGUMENT_WHAT]) {
        chars_text(text, tool->option);
        end(text, ends, n);
    }
    for (int k = 0; k < SERVE_ARGUMENTS; k++) {
        if (call->texts[k] == NULL || arguments[k].option == NULL)
            continue;
        bool instances = k == ARGUMENT_FILTER && strcmp(tool->name, "instances") == 0;
        /* a text that begins with @ would be read from a file */
        chars_format(text, "--%s=%s", instances ? "instances" : arguments[k].option,
                     k == ARGUMENT_SQL && sql[0] == '@' ? " " : "");
        chars_text(text, call->texts[k]);
        end(text, ends, n);
    }
    if (tool->rows) {
        chars_text(text, "--format=ndjson");
        end(text, ends, n);
    }
    chars_text(text, "--");
    end(text, ends, n);
    chars_text(text, path);
    end(text, ends, n);
}
