/* run.c - the modes --query and --assert.
 *
 * Each trace has a database of its own; one that fails does not stop the rest (fleet.h). SIGINT
 * ends the program at once, wherever it is: nothing is written but standard output and files
 * without a name. */
#include "sql/modes/run.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/chars.h"
#include "model/output/fleet.h"
#include "model/query/slice_iter.h"
#include "model/trace/trace_problems.h"
#include "sql/modes/saved.h"
#include "sql/modes/verdicts.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "src/io/files_read.h"

#define SQL_MOST ((size_t)1 << 20)

static void complain(const struct run_question *r, const char *what, const char *note,
                     const struct err *err) {
    text_complain(what, note, r->ascii, err);
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
    files_read_fd(fileno(in));
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
    char buf[TRACE_PROBLEM_TEXT];
    struct err err;
    for (int kind = problem_next_kind(PROBLEM_KINDS); kind != PROBLEM_KINDS;
         kind = problem_next_kind(kind)) {
        if (problems->kinds[kind].count == 0 || problem_is_note(kind))
            continue;
        first = first < 0 ? kind : first;
        count += problems->kinds[kind].count;
    }
    if (first < 0)
        return;
    err_set(&err, ERR_NO_OFFSET,
            "%" PRIu64 " problem%s, e.g. %s: answers may lack events (--check lists all)", count,
            count == 1 ? "" : "s",
            trace_problem_message(trace, first, &problems->kinds[first], buf));
    complain(r, path, "note: ", &err);
}

/* The answer left out slices, states or hops with damaged times, or only their durations. */
static void note_damaged(const struct run_question *r, struct query *query, const char *path) {
    char said[120];
    struct err err;
    struct left_out n = query_left_out(query), rows = query_damaged_rows(query);
    if (!left_out_any(n) && !left_out_any(rows))
        return;
    if (left_out_any(n))
        err_set(&err, ERR_NO_OFFSET, "%s", slice_iter_left_out_text(n, said));
    else
        err_set(&err, ERR_NO_OFFSET, "%s %s, without a dur", slice_iter_with_text(rows, said),
                rows.slices == 1 ? "is a row" : "are rows");
    complain(r, path, "note: ", &err);
}

struct run {
    const struct run_question *question;
    struct chars sql; /* of @FILE */
};

static enum query_state ask_query(const struct run *run, struct query *query, const char *name,
                                  struct err *err) {
    const struct run_question *r = run->question;
    struct str sql = run->sql.v ? (struct str){run->sql.v, run->sql.n} : str_of(r->sql);
    struct print_style style = {
        .format = r->format, .ascii = r->ascii, .trace = name, .fits = fleet_fits};
    return query_begin(query, sql, err) ? print_rows(query, &style, stdout, err) : QUERY_FAILED;
}

int run_ask(const struct run *run, struct trace *trace, const char *name) {
    const struct run_question *r = run->question;
    const char *path = trace_path(trace);
    struct err err;
    warn(r, trace, path);
    struct query *query = query_new(trace, &r->query, &err);
    int status = 0;
    if (query && r->nassertions > 0) {
        struct verdicts_style style = {r->format, r->ascii, name ? name : path};
        status = verdicts_print(query, r->assertions, r->nassertions, &style, stdout);
    } else if (query == NULL || ask_query(run, query, name, &err) == QUERY_FAILED) {
        complain(r, name ? path : "query", name ? "query: " : "", &err);
        status = 2;
    }
    if (query)
        note_damaged(r, query, path);
    query_free(query);
    return status;
}

struct run *run_new(const struct run_question *r) {
    struct sigaction action = {.sa_handler = end_at_once};
    struct run *run = err_calloc(1, sizeof *run);
    struct err err;
    run->question = r;
    sigaction(SIGINT, &action, NULL);
    if (r->sql == NULL || r->sql[0] != '@' || read_sql(r->sql + 1, &run->sql, &err))
        return run;
    complain(r, r->sql + 1, "", &err);
    run_free(run);
    return NULL;
}

void run_free(struct run *run) {
    if (run)
        vec_free(&run->sql);
    free(run);
}

int run_save(const struct run_question *r, struct trace *trace) {
    const char *path = trace_path(trace);
    struct err err;
    warn(r, trace, path);
    struct query *query = query_new(trace, &r->query, &err);
    bool saved = query && saved_write(query, stdout, &err);
    if (!saved)
        complain(r, path, "", &err);
    if (query)
        note_damaged(r, query, path);
    query_free(query);
    return saved ? 0 : 2;
}
