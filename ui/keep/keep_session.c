/* keep_session.c - reads and writes sessions. The second line of a file names the trace, the third
 * its first bytes. */
#include "ui/keep/keep_session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/text.h"
#include "src/io/files_read.h"
#include "src/io/state_file.h"
#include "ui/keep/keep_set.h"
#include "ui/keep/keep_state.h"

#define FIRST_LINE "# fxtop session: commands that fxtop -S runs; see fxtop(1)\n"

/* The text that is kept of a trace; path: its file. NULL: there is none. */
static char *read_kept(const struct keep_paths *trace, char path[PATH_MAX]) {
    char name[64];
    struct err err;
    if (!state_file_of_traces(trace->v, trace->n, name) ||
        !state_file_path(name, false, path, &err))
        return NULL;
    return state_file_read(path, &err);
}

static void head_line(const struct keep_paths *trace, char head[40]) {
    snprintf(head, 40, "\n# head %016" PRIx64 "\n", state_file_heads(trace->v, trace->n));
}

char *keep_session_text(const struct keep_paths *trace, const char *file) {
    char path[PATH_MAX], head[40];
    struct err err;
    char *text = file ? state_file_read(file, &err) : read_kept(trace, path);
    head_line(trace, head);
    if (text && !file && strstr(text, head) == NULL) {
        free(text);
        return NULL;
    }
    return text;
}

void keep_session_take(struct app *app, const struct keep_paths *trace) {
    char path[PATH_MAX], head[40];
    char *text = read_kept(trace, path);
    if (text == NULL)
        return;
    files_read_path(path, FILES_READ_SESSION);
    head_line(trace, head);
    free(app->startup.session);
    app->startup.session = text;
    app->startup.session_parts = strstr(text, head) ? KEEP_ALL : KEEP_ORDER;
    app->startup.session_own = true;
}

bool keep_session_from(struct app *app, const char *file, struct err *err) {
    char *text = state_file_read(file, err);
    if (text == NULL)
        return false;
    files_read_path(file, FILES_READ_SESSION);
    free(app->startup.session);
    app->startup.session = text;
    app->startup.session_parts = KEEP_ALL;
    app->startup.session_own = false;
    return true;
}

void keep_session_apply(struct app *app) {
    struct startup *startup = &app->startup;
    char *text = startup->session, first[80] = "";
    unsigned parts = startup->session_parts;
    startup->session = NULL;
    if (app->timeline.touched) /* the user has moved already */
        parts &= ~(unsigned)KEEP_PLACE;
    unsigned missed = keep_state_run(app, text, parts, first);
    free(text);
    app->timeline.touched = true; /* the restored view stays while the trace grows */
    if (missed > 0)
        session_say(app, false, "session restored, %u %s not found: %s", missed,
                    missed == 1 ? "line" : "lines", first);
    else if (startup->session_parts != KEEP_ALL)
        session_say(app, false,
                    "the file has changed: only order and folds of its session are restored");
    else
        session_say(app, false, "session restored%s",
                    startup->session_own ? "; :session off forgets it" : "");
}

/* The whole text of a session of a trace. */
static void write_text(struct app *app, const struct keep_paths *trace, struct chars *out) {
    char safe[PATH_MAX], line[40];
    chars_add(out, STR(FIRST_LINE));
    for (size_t i = 0; i < trace->n; i++) {
        text_plain(safe, sizeof safe, str_of(trace->v[i]), TEXT_ASCII);
        chars_add(out, i > 0 ? STR("\n# trace ") : STR("# trace "));
        chars_add(out, str_of(safe));
    }
    head_line(trace, line);
    chars_add(out, str_of(line));
    keep_set_write(app->trace, out);
    keep_state_write(app, out);
}

bool keep_session_save(struct app *app, const struct keep_paths *trace, struct err *err) {
    char name[64], path[PATH_MAX];
    struct chars text = {0};
    struct err why;
    bool incomplete = trace_state(app->trace) == TRACE_LOADING || app->startup.session != NULL;
    if (!app->timeline.touched || incomplete || !state_file_of_traces(trace->v, trace->n, name) ||
        !state_file_path(name, !app->session_off, path, &why))
        return true;
    if (app->session_off) {
        unlink(path);
        return true;
    }
    write_text(app, trace, &text);
    bool done = state_file_write(path, text.v, text.n, &why);
    vec_free(&text);
    return done || err_set(err, ERR_NO_OFFSET, "the session is not kept: %s", why.text);
}

/* Whether a file may be written: it does not exist, or is a session. */
static bool may_write(const char *path) {
    struct err err;
    if (access(path, F_OK) != 0)
        return true;
    char *text = state_file_read(path, &err);
    bool session = text && strncmp(text, FIRST_LINE, sizeof FIRST_LINE - 1) == 0;
    free(text);
    return session;
}

void keep_session_type(struct app *app, const char *text) {
    struct chars all = {0};
    struct err err;
    char safe[80];
    if (!session_may_write(app, ":session"))
        return;
    if (strcmp(text, "off") == 0 || strcmp(text, "on") == 0) {
        app->session_off = text[1] == 'f';
        session_say(app, false,
                    app->session_off ? "this session is not kept, and the one before is forgotten"
                                     : "this session is kept when fxtop ends");
        return;
    }
    text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
    if (!may_write(text)) {
        session_say(app, true, "this is a file of another kind: %s", safe);
        return;
    }
    const char *one = trace_path(app->trace);
    size_t n = trace_files(app->trace);
    struct keep_paths trace = {n > 1 ? trace_file_paths(app->trace) : &one, n};
    write_text(app, &trace, &all);
    if (state_file_write(text, all.v, all.n, &err))
        session_say(app, false, "session written to %s: fxtop -S takes it up", safe);
    else
        session_say(app, true, "cannot write %s: %s", safe, err.text);
    vec_free(&all);
}
