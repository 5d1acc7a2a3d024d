/* run.c - the mode --query.
 *
 * Traces are asked one after another, each with a database of its own; one that fails does not stop the rest. SIGINT
 * ends the program at once, wherever it is: nothing is written but standard output and files without a name. */
#include "sql/run.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/chars.h"
#include "model/trace/trace_problems.h"
#include "src/base/text.h"

#define SQL_MOST ((size_t)1 << 20)

static void complain(const struct run_question *r, const char *what, const char *note, const struct err *err) {
    char safe[600];
    text_plain(safe, sizeof safe, str_of(strcmp(what, "-") == 0 ? "standard input" : what), r->ascii ? TEXT_ASCII : 0);
    fprintf(stderr, "fxtop: %s: %s%s", safe, note, err->text);
    if (err->at != ERR_NO_OFFSET)
        fprintf(stderr, " (at byte %" PRIu64 ")", err->at);
    fputc('\n', stderr);
}

/* SIGINT. */
static void end_at_once(int signal) {
    (void)signal;
    _exit(130);
}

/* Reads the statements of @FILE; the caller frees them. */
static bool read_sql(const char *path, struct chars *sql, struct err *err) {
    char buf[4096];
    size_t n;
    FILE *in = fopen(path, "r");
    vec_reserve(sql, sizeof buf);
    if (in == NULL)
        return err_set(err, ERR_NO_OFFSET, "cannot open: %s", strerror(errno));
    while (sql->n <= SQL_MOST && (n = fread(buf, 1, sizeof buf, in)) > 0)
        chars_add(sql, (struct str){buf, n});
    bool fine = !ferror(in);
    if (!fine)
        err_set(err, ERR_NO_OFFSET, "cannot read: %s", strerror(errno));
    fclose(in);
    chars_add(sql, STR(""));
    return fine;
}

/* Damage and losses are no errors, but answers may lack events. */
static void warn(const struct run_question *r, struct trace *trace, const char *path) {
    const struct problems *problems = trace_problems(trace);
    uint64_t count = 0;
    int first = -1;
    char buf[96];
    struct err err;
    for (int kind = problem_next_kind(PROBLEM_KINDS); kind != PROBLEM_KINDS; kind = problem_next_kind(kind)) {
        if (problems->kinds[kind].count == 0 || problem_is_note(kind))
            continue;
        first = first < 0 ? kind : first;
        count += problems->kinds[kind].count;
    }
    if (first < 0)
        return;
    err_set(&err, ERR_NO_OFFSET, "%" PRIu64 " problem%s, e.g. %s: answers may lack events (--check lists all)", count,
            count == 1 ? "" : "s", problem_message(first, &problems->kinds[first], buf));
    complain(r, path, "note: ", &err);
}

/* Asks one trace; *headless becomes true once the names of the columns are printed. */
static int ask(const struct run_question *r, const char *path, struct str sql, bool *headless) {
    struct err err;
    struct print_style style = {.format = r->format, .ascii = r->ascii, .headless = *headless};
    struct trace *trace = trace_open(path, &r->trace, &err);
    if (trace == NULL) {
        complain(r, path, "", &err);
        return 2;
    }
    trace_load(trace);
    warn(r, trace, path);
    if (r->with_trace || r->npaths > 1)
        style.trace = path;
    struct query *query = query_new(trace, &r->query, &err);
    enum query_state state = QUERY_FAILED;
    if (query && query_begin(query, sql, &err))
        state = print_rows(query, &style, stdout, &err);
    if (state == QUERY_DONE)
        *headless = true;
    else if (state == QUERY_FAILED)
        complain(r, "query", "", &err);
    query_free(query);
    const char *why = NULL;
    bool cut = file_fault(trace_file(trace), &why) >= FILE_NO_SPACE;
    if (cut) {
        err_set(&err, ERR_NO_OFFSET, "%s", why);
        complain(r, path, "", &err);
    }
    trace_free(trace);
    return state == QUERY_DONE && !cut ? 0 : 2;
}

int run_query(const struct run_question *r) {
    struct chars file = {0};
    struct err err;
    bool headless = false;
    int status = 0;
    struct sigaction action = {.sa_handler = end_at_once};
    sigaction(SIGINT, &action, NULL);
    if (r->sql[0] == '@' && !read_sql(r->sql + 1, &file, &err)) {
        complain(r, r->sql + 1, "", &err);
        vec_free(&file);
        return 2;
    }
    struct str sql = r->sql[0] == '@' ? (struct str){file.v, file.n} : str_of(r->sql);
    for (int i = 0; i < r->npaths && !ferror(stdout); i++) {
        int own = ask(r, r->paths[i], sql, &headless);
        status = own > status ? own : status;
    }
    vec_free(&file);
    return status;
}
