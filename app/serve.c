/* serve.c - requests of programs, a line of JSON each: JSON-RPC 2.0, and the Model Context Protocol
 * over it.
 *
 * Each tool is a method of its own, which returns rows or a text, and one of tools/call, which
 * returns them as content. Requests are answered one after the other. While one is, the lines that
 * follow are read on and kept, up to a limit, because one may cancel it. */
#include "app/serve.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/serve_internal.h"
#include "model/output/json.h"

#define ID_MOST 256   /* bytes */
#define BATCH_MOST 32 /* requests of a line */

struct session {
    const struct serve *serve;
    struct chars in; /* bytes that were read, from `at` on not yet taken */
    size_t at;
    bool ended;       /* the input */
    bool skipping;    /* the rest of a line that was too long */
    bool gone;        /* the reader of the answers */
    struct chars out; /* of the line being answered */
    struct str id;    /* of the request, as typed; empty: a notification */
};

/* ---- lines ---- */

static void read_more(struct session *s) {
    static char buf[65536];
    ssize_t n = read(STDIN_FILENO, buf, sizeof buf);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    s->ended = n <= 0;
    if (s->at > 0 && s->at == s->in.n)
        s->in.n = s->at = 0;
    if (n > 0)
        chars_add(&s->in, (struct str){buf, (size_t)n});
}

static void drop_taken(struct session *s) {
    if (s->at < 65536)
        return;
    memmove(s->in.v, s->in.v + s->at, s->in.n - s->at);
    s->in.n -= s->at;
    s->at = 0;
}

/* The next line; *whole is false of one that was too long. False: the input has ended. */
static bool next_line(struct session *s, struct str *line, bool *whole) {
    for (;;) {
        const char *from = s->in.v ? s->in.v + s->at : "";
        size_t n = s->in.n - s->at;
        const char *end = n > 0 ? memchr(from, '\n', n) : NULL;
        bool was = s->skipping;
        if (end == NULL && (s->ended || n > SERVE_LINE)) {
            s->at = s->in.n;
            s->skipping = !s->ended;
            if (n > 0 && !was) {
                *line = (struct str){from, n};
                *whole = n <= SERVE_LINE;
                return true;
            }
        } else if (end) {
            *line = (struct str){from, (size_t)(end - from)};
            *whole = line->n <= SERVE_LINE;
            s->at += line->n + 1;
            s->skipping = false;
            if (!was)
                return true;
            continue;
        }
        if (s->ended)
            return false;
        drop_taken(s);
        read_more(s);
    }
}

static void send_line(struct session *s) {
    chars_put(&s->out, '\n');
    for (size_t at = 0; at < s->out.n && !s->gone;) {
        ssize_t n = write(STDOUT_FILENO, s->out.v + at, s->out.n - at);
        if (n > 0)
            at += (size_t)n;
        else
            s->gone = errno != EINTR;
    }
    s->out.n = 0;
}

/* ---- answers ---- */

static void begin(struct session *s) {
    chars_text(&s->out, s->out.n > 0 && s->out.v[s->out.n - 1] != '[' ? "," : "");
    chars_text(&s->out, "{\"jsonrpc\":\"2.0\",\"id\":");
    chars_add(&s->out, s->id.n > 0 ? s->id : STR("null"));
}

static void refuse(struct session *s, enum serve_code code, const char *why) {
    struct json json = {.out = &s->out, .first = true};
    begin(s);
    chars_text(&s->out, ",\"error\":{");
    json_i64(&json, "code", code);
    json_text(&json, "message", str_of(why));
    chars_text(&s->out, "}}");
}

/* Lines of standard error, without the name of the program. */
static void put_notes(struct json *json, const struct chars *err) {
    bool any = false;
    for (size_t at = 0; at < err->n;) {
        const char *from = err->v + at, *end = memchr(from, '\n', err->n - at);
        struct str line = {from, end ? (size_t)(end - from) : err->n - at};
        at += line.n + 1;
        if (line.n > 7 && memcmp(line.s, "fxtop: ", 7) == 0)
            line = (struct str){line.s + 7, line.n - 7};
        chars_text(json->out, any ? "," : "");
        json_string(json, line);
        any = true;
    }
}

static void put_result(const struct serve_call *call, const struct serve_answer *answer,
                       struct chars *out) {
    struct json json = {.out = out, .first = true};
    chars_put(out, '{');
    if (call->rows) {
        json_word(&json, "rows", "[");
        for (size_t i = 0; i < answer->out.n; i++) {
            char c = answer->out.v[i];
            if (c != '\n')
                chars_put(out, c);
            else if (i + 1 < answer->out.n)
                chars_put(out, ',');
        }
        chars_put(out, ']');
    } else {
        json_text(&json, "text", (struct str){answer->out.v, answer->out.n});
    }
    json_word(&json, "truncated", answer->truncated ? "true" : "false");
    json_word(&json, "notes", "[");
    put_notes(&json, &answer->err);
    chars_text(out, "]}");
}

/* The content of tools/call: a text alone, or the result as JSON. */
static void put_content(struct session *s, const struct serve_call *call,
                        const struct serve_answer *answer) {
    struct json json = {.out = &s->out, .first = true};
    struct chars text = {0};
    put_result(call, answer, &text);
    chars_text(&s->out, "{\"content\":[{\"type\":\"text\",");
    if (call->rows || answer->err.n > 0 || answer->truncated)
        json_text(&json, "text", (struct str){text.v, text.n});
    else
        json_text(&json, "text", (struct str){answer->out.v, answer->out.n});
    chars_text(&s->out, "}],\"isError\":false}");
    vec_free(&text);
}

/* Why there is no answer; NULL: there is one. */
static const char *fault_of(const struct serve_answer *answer, char *text, size_t size) {
    if (answer->truncated)
        return NULL;
    if (answer->late)
        return "stopped: it took longer than 120 s";
    if (WIFSIGNALED(answer->status))
        return "the process that answered was ended by a signal";
    if (WIFEXITED(answer->status) && WEXITSTATUS(answer->status) < 2)
        return NULL;
    struct str last = {answer->err.v, answer->err.n};
    while (last.n > 0 && last.s[last.n - 1] == '\n')
        last.n--;
    for (size_t i = last.n; i-- > 0;)
        if (last.s[i] == '\n') {
            last = (struct str){last.s + i + 1, last.n - i - 1};
            break;
        }
    if (last.n > 7 && memcmp(last.s, "fxtop: ", 7) == 0)
        last = (struct str){last.s + 7, last.n - 7};
    snprintf(text, size, "%.*s", str_head(last, size - 1), last.n > 0 ? last.s : "");
    return last.n > 0 ? text : "it could not be answered";
}

static enum serve_heard hear(void *ctx);

/* Asks the trace of a call. False: *code and err say why not. */
static bool ask(struct session *s, const struct serve_call *call, const char *name, uint64_t rows,
                struct serve_answer *answer, struct err *err) {
    struct chars text = {0};
    size_t ends[SERVE_WORDS + SERVE_ARGUMENTS], n;
    char *words[SERVE_WORDS + SERVE_ARGUMENTS + 1];
    struct options o;
    *answer = (struct serve_answer){.status = 0};
    serve_tools_line(call, name, &text, ends, &n);
    for (size_t i = 0; i < n; i++)
        words[i] = text.v + (i > 0 ? ends[i - 1] : 0);
    words[n] = NULL;
    bool done = options_parse(&o, (int)n, words, false, err);
    o.why = serve_tools_is_why(call->tool);
    done = done && serve_answer_get(s->serve, (size_t)call->numbers[ARGUMENT_TRACE], &o, rows,
                                    s->ended ? NULL : hear, s, answer, err);
    vec_free(&text);
    return done;
}

/* Turns the id of a slice into the place of its record. */
static bool find_slice(struct session *s, struct serve_call *call, const char *name,
                       struct err *err) {
    struct serve_call query = {.tool = serve_tools_find(STR("query")), .rows = true};
    struct serve_answer answer;
    char sql[100], fault[200], what[32];
    snprintf(sql, sizeof sql, "select offset from slice where id = %" PRIu64,
             call->numbers[ARGUMENT_ID]);
    query.texts[ARGUMENT_SQL] = sql;
    query.numbers[ARGUMENT_TRACE] = call->numbers[ARGUMENT_TRACE];
    bool done = ask(s, &query, name, 1, &answer, err);
    const char *why = done ? fault_of(&answer, fault, sizeof fault) : NULL;
    if (why)
        done = err_set(err, ERR_NO_OFFSET, "%s", why);
    chars_put(&answer.out, '\0');
    const char *digits = strchr(answer.out.v, ':');
    if (done && (digits == NULL || digits[1] < '0' || digits[1] > '9'))
        done =
            err_set(err, ERR_NO_OFFSET, "there is no slice %" PRIu64, call->numbers[ARGUMENT_ID]);
    if (done) {
        snprintf(what, sizeof what, "@%.*s", (int)strspn(digits + 1, "0123456789"), digits + 1);
        call->texts[ARGUMENT_WHAT] = err_malloc(sizeof what);
        memcpy(call->texts[ARGUMENT_WHAT], what, sizeof what);
        call->given[ARGUMENT_WHAT] = true;
    }
    serve_answer_free(&answer);
    return done;
}

static void list_traces(const struct session *s, struct chars *out) {
    struct json json = {.out = out};
    for (size_t i = 0; i < s->serve->n; i++) {
        chars_put(out, '{');
        json.first = true;
        json_u64(&json, "trace", i);
        json_text(&json, "name", str_of(s->serve->names[i]));
        chars_text(out, "}\n");
    }
}

/* Answers a tool whose arguments `pull` is at; NULL: it has none. */
static void call_tool(struct session *s, const struct serve_tool *tool, struct json_pull *pull,
                      bool content) {
    struct serve_call call;
    struct serve_answer answer = {.status = 0};
    struct err err;
    char text[1000];
    const char *fault = NULL;
    enum serve_code code = SERVE_PARAMS;
    bool done = serve_tools_read(&call, tool, pull, s->serve->n, &err);
    const char *name = done ? s->serve->names[call.numbers[ARGUMENT_TRACE]] : "";
    if (done && serve_tools_lists_traces(tool)) {
        list_traces(s, &answer.out);
    } else if (done) {
        code = SERVE_FAILED;
        done = (!call.given[ARGUMENT_ID] || find_slice(s, &call, name, &err)) &&
               ask(s, &call, name, call.rows ? call.numbers[ARGUMENT_ROWS] : 0, &answer, &err);
        fault = done ? fault_of(&answer, text, sizeof text) : NULL;
    }
    if (!done)
        fault = err.text;
    if (answer.cancelled || s->id.n == 0) {
        /* the answer is not wanted */
    } else if (fault && content && code == SERVE_FAILED) {
        struct json json = {.out = &s->out, .first = true};
        begin(s);
        chars_text(&s->out, ",\"result\":{\"content\":[{\"type\":\"text\",");
        json_text(&json, "text", str_of(fault));
        chars_text(&s->out, "}],\"isError\":true}}");
    } else if (fault) {
        refuse(s, code, fault);
    } else {
        begin(s);
        chars_text(&s->out, ",\"result\":");
        if (content)
            put_content(s, &call, &answer);
        else
            put_result(&call, &answer, &s->out);
        chars_put(&s->out, '}');
    }
    serve_answer_free(&answer);
    serve_call_free(&call);
}

/* ---- the protocol ---- */

static void initialize(struct session *s, struct json_pull *pull) {
    static const char *const versions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
    struct json json = {.out = &s->out, .first = true};
    const char *version = versions[0];
    if (pull && json_pull_enter(pull, JSON_OBJECT))
        while (json_pull_next(pull))
            for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
                if (json_pull_is(pull, "protocolVersion") && pull->token.kind == JSON_STRING &&
                    str_eq(pull->token.text, str_of(versions[i])))
                    version = versions[i];
    begin(s);
    chars_text(&s->out, ",\"result\":{");
    json_text(&json, "protocolVersion", str_of(version));
    json_word(&json, "capabilities", "{\"tools\":{}}");
    json_word(&json, "serverInfo", "{\"name\":\"fxtop\",\"version\":");
    json_string(&json, str_of(s->serve->version));
    chars_put(&s->out, '}');
    json_text(&json, "instructions",
              STR("Traces of programs. Begin with top or summary, find slow slices with instances, "
                  "ask why with the id of a slice (table slice of query). Only the traces of the "
                  "command line can be read, and nothing is written."));
    chars_text(&s->out, "}}");
}

static void call_by_name(struct session *s, struct json_pull *pull) {
    const struct serve_tool *tool = NULL;
    uint64_t arguments = 0;
    bool any = false;
    if (pull && json_pull_enter(pull, JSON_OBJECT))
        while (json_pull_next(pull)) {
            if (json_pull_is(pull, "name") && pull->token.kind == JSON_STRING)
                tool = serve_tools_find(pull->token.text);
            any = any || json_pull_is(pull, "arguments");
            if (json_pull_is(pull, "arguments"))
                arguments = pull->token.at;
        }
    if (tool == NULL) {
        if (s->id.n > 0)
            refuse(s, SERVE_PARAMS, "tools/call needs the name of a tool (tools/list has them)");
        return;
    }
    if (any)
        json_pull_back(pull, arguments);
    call_tool(s, tool, any ? pull : NULL, true);
}

static void dispatch(struct session *s, struct str method, struct json_pull *params) {
    const struct serve_tool *tool = serve_tools_find(method);
    if (tool) {
        call_tool(s, tool, params, false);
    } else if (str_eq(method, STR("tools/call"))) {
        call_by_name(s, params);
    } else if (s->id.n == 0) {
        return; /* a notification */
    } else if (str_eq(method, STR("initialize"))) {
        initialize(s, params);
    } else if (str_eq(method, STR("ping"))) {
        begin(s);
        chars_text(&s->out, ",\"result\":{}}");
    } else if (str_eq(method, STR("tools/list"))) {
        begin(s);
        chars_text(&s->out, ",\"result\":{\"tools\":[");
        serve_tools_list(&s->out);
        chars_text(&s->out, "]}}");
    } else {
        refuse(s, SERVE_METHOD, "no such method (tools/list has the tools)");
    }
}

struct message {
    struct str id; /* as typed */
    struct str method;
    uint64_t params;
    bool has_params, version;
};

/* A value as typed, with the quotes of a string. */
static struct str typed(const struct json_pull *pull) {
    const struct json_token *token = &pull->token;
    size_t quotes = token->kind == JSON_STRING ? 2 : 0;
    return (struct str){pull->scan.buf.v + token->at, token->text.n + quotes};
}

/* Reads the object that `pull` is at. False: it is no request. */
static bool read_message(struct json_pull *pull, struct message *m) {
    bool fine = true;
    *m = (struct message){.has_params = false};
    if (!json_pull_enter(pull, JSON_OBJECT))
        return false;
    while (json_pull_next(pull)) {
        const struct json_token *token = &pull->token;
        if (json_pull_is(pull, "jsonrpc")) {
            m->version = token->kind == JSON_STRING && str_eq(token->text, STR("2.0"));
        } else if (json_pull_is(pull, "id")) {
            fine = fine && (token->kind == JSON_STRING || token->kind == JSON_NUMBER) &&
                   token->text.n <= ID_MOST;
            m->id = fine ? typed(pull) : m->id;
        } else if (json_pull_is(pull, "method") && token->kind == JSON_STRING) {
            m->method = token->text;
        } else if (json_pull_is(pull, "params")) {
            m->params = token->at;
            m->has_params = token->kind != JSON_NULL;
        }
    }
    return fine && !pull->fault && m->version && m->method.n > 0;
}

/* Whether a later line that was read cancels the current request. */
static bool is_cancelled(const struct session *s) {
    bool cancelled = false;
    size_t at = s->at;
    const char *end;
    while (!cancelled && at < s->in.n && (end = memchr(s->in.v + at, '\n', s->in.n - at)) != NULL) {
        struct str line = {s->in.v + at, (size_t)(end - s->in.v) - at};
        struct json_pull pull = {.depth = 0};
        struct message m;
        at += line.n + 1;
        if (line.n > 4096) /* no line that cancels is so long */
            continue;
        json_pull_add(&pull, line);
        if (json_pull_top(&pull) && read_message(&pull, &m) && m.has_params &&
            str_eq(m.method, STR("notifications/cancelled"))) {
            json_pull_back(&pull, m.params);
            if (json_pull_enter(&pull, JSON_OBJECT))
                while (json_pull_next(&pull))
                    cancelled = cancelled ||
                                (json_pull_is(&pull, "requestId") && str_eq(typed(&pull), s->id));
        }
        json_pull_free(&pull);
    }
    return cancelled;
}

static void answer_message(struct session *s, struct str text) {
    struct json_pull pull = {.depth = 0};
    struct message m;
    json_pull_add(&pull, text);
    bool fine = json_pull_top(&pull) && read_message(&pull, &m);
    if (!fine) {
        s->id = (struct str){NULL, 0};
        refuse(s, SERVE_REQUEST, "expected an object with jsonrpc \"2.0\", method and id");
    } else {
        char id[ID_MOST + 2];
        memcpy(id, m.id.n > 0 ? m.id.s : "", m.id.n);
        s->id = (struct str){id, m.id.n};
        if (m.id.n == 0 || !is_cancelled(s)) {
            if (m.has_params)
                json_pull_back(&pull, m.params);
            dispatch(s, m.method, m.has_params ? &pull : NULL);
        }
        s->id = (struct str){NULL, 0};
    }
    json_pull_free(&pull);
}

static enum serve_heard hear(void *ctx) {
    struct session *s = ctx;
    read_more(s);
    if (is_cancelled(s))
        return HEARD_CANCELLED;
    return s->ended || s->in.n - s->at > SERVE_LINE ? HEARD_LAST : HEARD_NOTHING;
}

/* Bytes that JSON cannot have are found before it is read: the id is sent back as it was typed. */
static bool is_text(struct str line) {
    for (size_t i = 0; i < line.n;) {
        unsigned char c = (unsigned char)line.s[i];
        size_t more = c < 0x80 ? 0 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
        if ((c < 0x20 && c != '\t' && c != '\r') || (c >= 0x80 && c < 0xC2) || c > 0xF4 ||
            i + more >= line.n)
            return false;
        for (size_t k = 1; k <= more; k++)
            if (((unsigned char)line.s[i + k] & 0xC0) != 0x80)
                return false;
        unsigned char d = more > 0 ? (unsigned char)line.s[i + 1] : 0;
        if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d > 0x9F) || (c == 0xF0 && d < 0x90) ||
            (c == 0xF4 && d > 0x8F))
            return false;
        i += more + 1;
    }
    return true;
}

/* Answers the requests of a list in a list. */
static void answer_batch(struct session *s, struct json_pull *pull) {
    VEC(struct str) parts = {0};
    json_pull_enter(pull, JSON_ARRAY);
    while (parts.n <= BATCH_MOST && json_pull_next(pull)) {
        size_t at = (size_t)pull->token.at;
        struct str part = pull->bracket ? json_pull_over(pull) : typed(pull);
        part.s = pull->scan.buf.v + at;
        vec_push(&parts, part);
    }
    if (pull->fault) {
        refuse(s, SERVE_PARSE, "not JSON");
    } else if (parts.n == 0 || parts.n > BATCH_MOST) {
        refuse(s, SERVE_REQUEST, "a list has 1 to 32 requests");
    } else {
        chars_put(&s->out, '[');
        for (size_t i = 0; i < parts.n; i++)
            answer_message(s, parts.v[i]);
        if (s->out.n == 1)
            s->out.n = 0; /* only notifications */
        else
            chars_put(&s->out, ']');
    }
    vec_free(&parts);
}

static void answer_line(struct session *s, struct str line, bool whole) {
    struct json_pull pull = {.depth = 0};
    s->id = (struct str){NULL, 0};
    if (!whole) {
        refuse(s, SERVE_REQUEST, "a line is at most 1048576 bytes");
        return;
    }
    if (!is_text(line)) {
        refuse(s, SERVE_PARSE, "not JSON: not UTF-8, or a control character");
        return;
    }
    if (strspn(line.s, " \t\r") >= line.n)
        return;
    json_pull_add(&pull, line);
    bool top = json_pull_top(&pull);
    bool list = top && pull.token.kind == JSON_ARRAY;
    top = top && pull.token.kind != JSON_WORD;
    if (top && pull.bracket)
        json_pull_over(&pull);
    if (top && !pull.fault)
        top = !json_pull_top(&pull) && !pull.fault; /* nothing follows */
    if (!top || pull.fault) {
        refuse(s, SERVE_PARSE, "not JSON");
    } else if (list) {
        json_pull_back(&pull, 0);
        answer_batch(s, &pull);
    } else {
        answer_message(s, line);
    }
    json_pull_free(&pull);
}

int serve_run(const struct serve *serve) {
    struct session s = {.serve = serve};
    struct str line;
    bool whole;
    signal(SIGPIPE, SIG_IGN);
    while (!s.gone && next_line(&s, &line, &whole)) {
        struct chars copy = {0}; /* the buffer moves while more is read */
        chars_add(&copy, line.n <= SERVE_LINE ? line : (struct str){"", 0});
        chars_put(&copy, '\n');
        answer_line(&s, (struct str){copy.v, copy.n - 1}, whole);
        vec_free(&copy);
        if (s.out.n > 0)
            send_line(&s);
    }
    vec_free(&s.in);
    vec_free(&s.out);
    return 0;
}
