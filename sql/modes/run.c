/* run.c - the modes --query and --assert.
 *
 * Each trace has a database of its own; one that fails does not stop the rest (sql/modes/fleet.h).
 * SIGINT ends the program at once, wherever it is: nothing is written but standard output and files
 * without a name. */
#include "sql/modes/run.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/chars.h"
#include "model/query/slice_iter.h"
#include "model/trace/trace_problems.h"
#include "sql/modes/fleet.h"
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
    struct str sql;
    bool with_trace;
    bool save; /* the database is written instead */
};

static enum query_state ask_query(const struct run *run, struct query *query, const char *path,
                                  struct err *err) {
    const struct run_question *r = run->question;
    struct print_style style = {.format = r->format,
                                .ascii = r->ascii,
                                .trace = run->with_trace ? path : NULL,
                                .fits = fleet_fits};
    return query_begin(query, run->sql, err) ? print_rows(query, &style, stdout, err)
                                             : QUERY_FAILED;
}

/* Asks one trace; returns an exit status. */
static int ask(void *ctx, const char *path) {
    const struct run *run = ctx;
    const struct run_question *r = run->question;
    struct err err;
    struct trace *trace = trace_open(path, &r->trace, &err);
    if (trace == NULL) {
        complain(r, path, "", &err);
        return 2;
    }
    trace_load(trace);
    warn(r, trace, path);
    struct query *query = query_new(trace, &r->query, &err);
    int status = 2;
    if (query && r->nassertions > 0)
        status = verdicts_print(query, r->assertions, r->nassertions,
                                &(struct verdicts_style){r->format, r->ascii, path}, stdout);
    else if (run->save && query && saved_write(query, stdout, &err))
        status = 0;
    else if (run->save)
        complain(r, path, "", &err);
    else if (query == NULL || ask_query(run, query, path, &err) == QUERY_FAILED)
        complain(r, run->with_trace ? path : "query", run->with_trace ? "query: " : "", &err);
    else
        status = 0;
    if (query)
        note_damaged(r, query, path);
    query_free(query);
    const char *why = NULL;
    bool cut = file_fault(trace_file(trace), &why) >= FILE_NO_SPACE;
    if (cut) {
        err_set(&err, ERR_NO_OFFSET, "%s", why);
        complain(r, path, "", &err);
    }
    trace_free(trace);
    return cut ? 2 : status;
}

static void complain_of(void *ctx, const char *path, const struct err *err) {
    complain(((const struct run *)ctx)->question, path, "", err);
}

/* The paths of the command line, then those of the list. */
static bool list_paths(const struct run_question *r, struct fleet_list *list) {
    struct err err;
    for (int i = 0; i < r->npaths; i++)
        vec_push(&list->paths, r->paths[i]);
    bool read = r->files_from == NULL || fleet_read(list, r->files_from, &err);
    if (read && list->paths.n == 0 && r->nassertions > 0)
        read = err_set(&err, ERR_NO_OFFSET, "lists no trace");
    if (read)
        return true;
    complain(r, r->files_from, "", &err);
    return false;
}

int run_query(const struct run_question *r) {
    struct chars file = {0};
    struct fleet_list list = {.text = {0}};
    struct err err;
    struct sigaction action = {.sa_handler = end_at_once};
    int status = 2;
    sigaction(SIGINT, &action, NULL);
    if (r->sql && r->sql[0] == '@' && !read_sql(r->sql + 1, &file, &err)) {
        complain(r, r->sql + 1, "", &err);
    } else if (list_paths(r, &list)) {
        struct run run = {.question = r,
                          .with_trace = r->with_trace || r->files_from || list.paths.n > 1};
        run.sql = r->sql ? str_of(r->sql) : STR("");
        if (file.v)
            run.sql = (struct str){file.v, file.n};
        struct fleet fleet = {&list, r->jobs, r->format, ask, complain_of, &run};
        status = fleet_run(&fleet);
    }
    fleet_free(&list);
    vec_free(&file);
    return status;
}

int run_save(const struct run_question *r) {
    struct run run = {.question = r, .save = true};
    return ask(&run, r->paths[0]);
}
