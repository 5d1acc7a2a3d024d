/* keep_run.c - requests the programs of | and O, and reports how they ended. */
#include "ui/keep/keep_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/drawer/drawer_text.h"
#include "ui/keep/keep_copy.h"
#include "ui/keep/source_place.h"
#include "ui/views/stat/paths_record.h"
#include "ui/views/view.h"

void keep_run_free(struct run_request *request) {
    for (size_t i = 0; request->argv && request->argv[i]; i++)
        free(request->argv[i]);
    free(request->argv);
    vec_free(&request->input);
    *request = (struct run_request){0};
}

void keep_run_pipe(struct app *app, const char *command) {
    struct run_request *request = &app->requests.run;
    struct chars text = {0};
    if (command[strspn(command, " ")] == 0) {
        session_say(app, false, "no command: nothing is run");
        return;
    }
    if (!session_may_write(app, "|"))
        return;
    keep_copy_text(app, &text);
    if (text.n == 0) {
        session_say(app, false, "nothing to pipe here");
        return;
    }
    keep_run_free(request);
    request->argv = err_calloc(4, sizeof *request->argv);
    request->argv[0] = err_copy("/bin/sh", 7);
    request->argv[1] = err_copy("-c", 2);
    request->argv[2] = err_copy(command, strlen(command));
    request->pipes = true;
    request->input = text;
}

/* ---- the editor ---- */

/* The words of a variable, split at blanks, in an array of `more` entries more. NULL: it is not
 * set, or has no words. */
static char **words_of(const char *variable, size_t more, size_t *n) {
    const char *text = getenv(variable);
    char **words = NULL;
    *n = 0;
    for (const char *s = text; s && *(s += strspn(s, " \t")) != 0;) {
        size_t length = strcspn(s, " \t");
        words = err_realloc(words, *n + 1 + more, sizeof *words);
        words[(*n)++] = err_copy(s, length);
        s += length;
    }
    return words;
}

static void request_editor(struct app *app, const struct source_place *place) {
    struct run_request *request = &app->requests.run;
    char plus[16];
    size_t n;
    char **words = words_of("VISUAL", 3, &n);
    if (words == NULL)
        words = words_of("EDITOR", 3, &n);
    if (words == NULL) {
        words = err_calloc(4, sizeof *words);
        words[n++] = err_copy("vi", 2);
    }
    if (place->line > 0) {
        snprintf(plus, sizeof plus, "+%u", place->line);
        words[n++] = err_copy(plus, strlen(plus));
    }
    words[n++] = err_copy(place->path, strlen(place->path));
    words[n] = NULL;
    keep_run_free(request);
    request->argv = words;
}

struct frame_place {
    struct trace *trace;
    struct source_place *place;
};

static bool take_frame(void *ctx, uint64_t offset) {
    const struct frame_place *frame = ctx;
    return source_place_take(frame->place, frame->trace, offset);
}

/* Finds the source of the event of a row, else of the selected event. False: there is none; *none:
 * for want of an event, with a message. */
static bool find_event_place(struct app *app, struct source_place *place, bool *none) {
    const struct selection *selection = &app->timeline.selection;
    struct view_record row = {.offset = selection->offset};
    bool of_row = view_is(&app->views, MODE_TABLE);
    *none = of_row ? !view_record(&app->views, &row) : !selection_any(selection);
    if (*none && !of_row)
        session_say(app, false,
                    "select an event first: O opens the source file that its arguments name");
    if (*none)
        return false;
    uint64_t end = of_row ? row.end : drawer_text_end_of(app->trace, &app->timeline);
    return source_place_take(place, app->trace, row.offset) ||
           (end != 0 && source_place_take(place, app->trace, end));
}

void keep_run_editor(struct app *app) {
    struct source_place place;
    struct frame_place frame = {app->trace, &place};
    bool none = false, frames = view_is(&app->views, MODE_FLAME);
    source_place_init(&place);
    bool found = frames ? paths_record_find(app, (struct paths_record_wanted){take_frame, &frame})
                        : find_event_place(app, &place, &none);
    if (none)
        return;
    if (!found && place.missing[0])
        session_say(app, true, "no such file from here: %s", place.missing);
    else if (!found)
        session_say(
            app, false,
            frames ? "no slice of this frame names a source file"
                   : "no argument names a source file: file, path, filename, source, or FILE:LINE");
    if (!found || !session_may_write(app, "O"))
        return;
    if (app->printed)
        session_say(app, true, "O needs the screen");
    else
        request_editor(app, &place);
}

/* ---- afterwards ---- */

void keep_run_done(struct app *app, int status, const struct err *err) {
    struct run_request *request = &app->requests.run;
    char safe[80], size[32];
    text_plain(safe, sizeof safe, str_of(request->argv[request->pipes ? 2 : 0]),
               app->grid.ascii ? TEXT_ASCII : 0);
    if (status < 0)
        session_say(app, true, "cannot run %s: %s", safe, err->text);
    else if (status > 128)
        session_say(app, true, "ended by signal %d: %s", status - 128, safe);
    else if (status > 0)
        session_say(app, true, "ended with status %d: %s", status, safe);
    else if (request->pipes)
        session_say(app, false, "%s piped to %s", units_bytes(request->input.n, size), safe);
    else
        session_say(app, false, "back from %s", safe);
    keep_run_free(request);
    app->dirty = true;
}
