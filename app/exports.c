/* exports.c - writes what --export asks for. A trace that is written whole as FXT is read once: it
 * may be a pipe. */
#include "app/exports.h"

#include "app/open_trace.h"
#include "app/play.h"
#include "app/status.h"
#include "model/output/cut/cut.h"
#include "model/output/folded.h"
#include "model/output/ndjson.h"
#include "model/output/rows_fxt.h"
#include "model/output/save_set.h"
#include "src/import/rewrite.h"
#include "ui/as_track.h"
#include "ui/views/view.h"

int exports_table(struct trace *trace, const struct options *o) {
    struct app app;
    style_init(COLOR_MONO);
    if (!play_keys(&app, trace, o))
        return 2;
    struct err err;
    bool any = view_has_csv(&app.views), slices = app.views.current == app.views.home;
    if (slices && app.timeline.tracks.set == LIST_ALL && (app.find.search || app.timeline.filter)) {
        app_free(&app);
        err_set(&err, ERR_NO_OFFSET,
                "--export=csv prints all slices: / and & in --keys need a table, such as 5 or 6");
        return status_complain(NULL, &err);
    }
    bool done = any && view_csv(&app.views, stdout);
    app_free(&app);
    if (any)
        return status_written(done, 0);
    err_set(&err, ERR_NO_OFFSET,
            "--export=csv prints slices and tables: --keys lead to another view");
    return status_complain(NULL, &err);
}

static enum folded_by folded_by(const struct options *o) {
    if (!o->has_by)
        return FOLDED_BY_DEFAULT;
    if (o->by == BY_OFF_CPU)
        return FOLDED_BY_OFF_CPU;
    return o->by == BY_WEIGHT ? FOLDED_BY_WEIGHT : FOLDED_BY_SAMPLES;
}

/* The names of functions are not added to the parts of an archive. */
static bool may_write(struct trace *trace, const struct options *o, struct err *err) {
    return trace_files(trace) == 1 || o->trace.symbols == NULL ||
           err_set(err, ERR_NO_OFFSET, "--symbols has no effect on several traces as one");
}

static bool write_part(const struct options *o, struct trace *trace, const struct question *asked,
                       struct err *err) {
    return may_write(trace, o, err) && cut_write(trace, asked, o->redact, stdout, err);
}

int exports_asked(struct trace *trace, const struct options *o, const struct question *asked) {
    struct err err;
    switch (o->format) {
    case EXPORT_JSON:
        return status_written(export_json_only(trace, asked, stdout), 0);
    case EXPORT_CSV:
        return status_written(export_csv_only(trace, asked, stdout), 0);
    case EXPORT_FOLDED:
        question_say_left_out(question_left_out(asked, trace, SLICE_ITER_SLICES), trace, o->ascii);
        return status_written(
            folded_export(trace, &asked->range, asked->match, folded_by(o), stdout), 0);
    case EXPORT_FXT:
        return write_part(o, trace, asked, &err) ? status_written(true, 0)
                                                 : status_complain(o->path, &err);
    default:
        return status_written(export_ndjson_only(trace, asked, stdout), 0);
    }
}

/* Writes all of a trace. */
static bool write_all(const struct options *o, struct trace *trace, struct err *err) {
    const struct rewrite_choice choice = {
        .redact = o->redact, .symbols = o->trace.symbols, .providers = o->trace.providers};
    if (trace_files(trace) > 1)
        return may_write(trace, o, err) && save_set(trace, o->redact, stdout, err);
    return rewrite_file(trace_file(trace), &choice, stdout, err);
}

static bool choice_fxt(const struct options *o, struct trace *trace, const struct question *asked,
                       struct err *err) {
    if (o->range || o->tracks || o->filter || o->load)
        return write_part(o, trace, asked, err);
    return write_all(o, trace, err);
}

/* Records after those of an archive would be of no trace. */
static bool write_played(const struct options *o, struct trace *trace, const struct question *asked,
                         struct err *err) {
    if (trace_files(trace) > 1 && rows_fxt_any(trace))
        return err_set(err, ERR_NO_OFFSET,
                       "an archive has no place for the tracks of questions: --export=json has");
    return choice_fxt(o, trace, asked, err) && rows_fxt_write(trace, stdout, err);
}

int exports_played(struct trace *trace, const struct options *o) {
    struct app app;
    struct question asked;
    const struct question_texts texts = {o->range, o->tracks, o->filter};
    const char *wrong;
    struct err err;
    style_init(COLOR_MONO);
    if (!play_keys(&app, trace, o))
        return 2;
    if (as_track_fault(&app)) {
        err_set(&err, ERR_NO_OFFSET, "%s", as_track_fault(&app));
        app_free(&app);
        return status_complain(":as-track", &err);
    }
    if (!question_init(&asked, trace, &texts, o->ascii, &wrong, &err)) {
        app_free(&app);
        return status_complain(wrong, &err);
    }
    bool done = o->format == EXPORT_JSON ? export_json_only(trace, &asked, stdout)
                                         : write_played(o, trace, &asked, &err);
    question_free(&asked);
    app_free(&app);
    if (!done && o->format == EXPORT_FXT)
        return status_complain(o->path, &err);
    return status_written(done, 0);
}

int exports_set(struct trace *trace, const struct options *o) {
    struct err err;
    return write_all(o, trace, &err) ? 0 : status_complain(NULL, &err);
}

bool exports_all(const struct options *o) {
    return o->mode == MODE_EXPORT && o->format == EXPORT_FXT && !o->range && !o->tracks &&
           !o->filter && !o->load && !o->keys && !o->session;
}

int exports_file(const struct options *o) {
    struct trace_options times = o->trace;
    struct err err;
    times.times = true;
    times.cache_from = 0;
    struct trace *trace = trace_open(o->path, &times, &err);
    bool done = trace && open_trace_has_providers(trace, o, &err);
    int status = 0;
    if (done && trace_files(trace) > 1)
        status = exports_set(trace, o);
    else
        status = done && write_all(o, trace, &err) ? 0 : status_complain(o->path, &err);
    trace_free(trace);
    return status;
}
