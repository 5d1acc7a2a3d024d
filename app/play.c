/* play.c - plays keys: an app without a terminal does what they ask for. */
#include "app/play.h"

#include <stdio.h>
#include <unistd.h>

#include "app/stats.h"
#include "app/status.h"
#include "sql/answer/answer.h"
#include "src/base/clock.h"
#include "src/io/program.h"
#include "ui/keep/keep_copy.h"
#include "ui/keep/keep_run.h"
#include "ui/keep/keep_session.h"
#include "ui/terminal/term.h"

bool play_program(struct app *app) {
    struct run_request *request = &app->requests.run;
    if (request->argv == NULL)
        return false;
    struct str input = {request->input.v, request->input.n};
    struct program program = {
        .argv = request->argv, .input = request->pipes ? &input : NULL, .out = STDOUT_FILENO};
    struct err err;
    if (app->printed)
        fflush(stdout);
    else
        term_lend(&program.in, &program.out);
    int status = program_run(&program, &err);
    /* the user reads its output first */
    bool read_on = status >= 0 && (request->pipes || status > 0);
    if (!app->printed)
        term_take_back(read_on ? "\nfxtop: press Enter to go on " : NULL);
    keep_run_done(app, status, &err);
    app_play(app);
    return true;
}

bool play_keys(struct app *app, struct trace *trace, const struct options *o) {
    struct err err;
    trace_load(trace);
    stats.indexed = clock_now();
    app_init(app, trace, o->cols, o->rows, o->ascii);
    app->printed = true;
    app->answers = answer_ops_known();
    app->query_memory = o->query.query.memory;
    app->startup.may_write = o->keys_may_write;
    app->startup.exports = o->format == EXPORT_CSV;
    app->startup.asked = (struct question_texts){o->range, o->tracks, o->filter};
    app->startup.config = o->config && *o->config ? o->config : NULL;
    if ((o->session && !keep_session_from(app, o->session, &err)) ||
        !app_start(app, o->at, o->window, o->keys, &err)) {
        app_free(app);
        status_complain(NULL, &err);
        return false;
    }
    do
        while (app_idle(app))
            ;
    while (play_program(app));
    if (app->requests.copied)
        keep_copy_file(app);
    return true;
}
