/* details_event.c - the details of moments: instants, large blobs, samples, log records, the
 * profiler's records. */
#include <inttypes.h>
#include <stdio.h>

#include "model/query/detail.h"
#include "src/base/units.h"
#include "ui/drawer/details.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/timeline/track_ops.h"

#define CONTENTS_SHOWN 4096 /* bytes of a large blob, which are read again for each frame */

static void contents(struct drawer_text *p, const struct blob *b) {
    char bytes[CONTENTS_SHOWN], left[32], text[80];
    size_t n =
        blob_head(trace_reader(p->app->trace), trace_file(p->app->trace), b, bytes, sizeof bytes);
    drawer_text_contents(p, (struct str){bytes, n});
    if (n == b->bytes)
        return;
    snprintf(text, sizeof text, "... and %s more: :blobs shows them",
             units_bytes(b->bytes - n, left));
    drawer_text_say(p, ROLE_DIM, text);
    drawer_text_next_line(p);
}

void details_instant(struct drawer_text *p) {
    struct app *app = p->app;
    struct detail d;
    char buf[48], text[64], size[32];
    const struct blob *blob =
        app->timeline.selection.kind == &track_thread_instant
            ? blob_event(trace_blobs(app->trace), app->timeline.selection.offset)
            : NULL;
    if (!detail_open(&d, app->trace, app->timeline.selection.offset))
        return;
    drawer_text_value(p, ROLE_HEADER, d.name);
    details_category(p, d.category);
    details_thread(p);
    drawer_text_next_line(p);
    drawer_text_say(p, ROLE_VALUE, session_point(app, app->timeline.selection.time, 1, buf));
    if (app->timeline.selection.kind == &track_async_instant &&
        detail_open(&d, app->trace, app->timeline.selection.offset)) {
        snprintf(text, sizeof text, "  async instant, id 0x%" PRIx64, d.record.id);
        drawer_text_say(p, ROLE_DIM, text);
    } else if (blob) {
        snprintf(text, sizeof text, "  large blob, %s", units_bytes(blob->bytes, size));
        drawer_text_say(p, ROLE_DIM, text);
    } else {
        drawer_text_say(p, ROLE_DIM, "  instant");
    }
    if (app->timeline.selection.kind == &track_thread_instant && blob == NULL &&
        d.record.kind == FXT_K_INSTANT && d.record.scope.present &&
        fxt_scope_name(d.record.scope.value)) {
        drawer_text_say(p, ROLE_DIM, ", scope ");
        drawer_text_say(p, ROLE_VALUE, fxt_scope_name(d.record.scope.value));
    }
    drawer_text_next_line(p);
    details_around(p);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    if (blob)
        contents(p, blob);
    details_record(p);
}

void details_sample(struct drawer_text *p) {
    struct app *app = p->app;
    const struct counter_series *s =
        counter_series(trace_counters(app->trace), app->timeline.selection.of);
    const struct counter_sample *v = counter_sample(s, app->timeline.selection.i);
    struct detail_argument a = {.type = counter_type(v), .bits = v->bits};
    char buf[64], text[96];
    const struct track track = {.kind = &track_counter, .of = app->timeline.selection.of};
    char name[96];
    drawer_text_value(p, ROLE_HEADER, track_list_name(app->trace, &track, name));
    details_thread(p);
    drawer_text_next_line(p);
    drawer_text_say(p, ROLE_VALUE, session_point(app, app->timeline.selection.time, 1, buf));
    drawer_text_say(p, ROLE_DIM, "  ");
    drawer_text_value(p, ROLE_VALUE, detail_value(&a, buf));
    snprintf(text, sizeof text, " %s", fxt_argument_name(a.type));
    drawer_text_say(p, ROLE_DIM, text);
    if (app->timeline.selection.i > 0) {
        double more = counter_difference(v, &v[-1]);
        snprintf(text, sizeof text, "  %s%s after ", more >= 0 ? "+" : "", curve_number(more, buf));
        drawer_text_say(p, ROLE_TEXT, text);
        drawer_text_say(p, ROLE_TEXT,
                        units_duration(v->at.time - v[-1].at.time, app->grid.ascii, buf));
    }
    snprintf(text, sizeof text, "   sample %u of %zu", app->timeline.selection.i + 1,
             counter_sample_count(s));
    drawer_text_say(p, ROLE_DIM, text);
    drawer_text_next_line(p);
    details_around(p);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    details_record(p);
}

void details_log(struct drawer_text *p) {
    struct app *app = p->app;
    struct detail d;
    char buf[48];
    drawer_text_say(p, ROLE_VALUE, session_point(app, app->timeline.selection.time, 1, buf));
    details_thread(p);
    drawer_text_next_line(p);
    if (detail_open(&d, app->trace, app->timeline.selection.offset))
        drawer_text_text(p, d.record.payload);
    details_around(p);
    details_record(p);
}

void details_profile(struct drawer_text *p) {
    struct app *app = p->app;
    struct detail d;
    char text[120], buf[48];
    if (!detail_open(&d, app->trace, app->timeline.selection.offset))
        return;
    const struct fxt_record *r = &d.record;
    drawer_text_say(p, ROLE_HEADER, fxt_kind_name((enum fxt_kind)r->kind));
    details_thread(p);
    drawer_text_next_line(p);
    drawer_text_say(p, ROLE_VALUE, session_point(app, app->timeline.selection.time, 1, buf));
    if (r->kind == FXT_K_MODULE) {
        snprintf(text, sizeof text, "  module %u ", r->module.id);
        drawer_text_say(p, ROLE_DIM, text);
        drawer_text_value(p, ROLE_VALUE, r->payload);
        drawer_text_say(p, ROLE_DIM, "  build id ");
        for (size_t i = 0; i < r->module.build_id.n; i++) {
            snprintf(text, sizeof text, "%02x", (unsigned char)r->module.build_id.s[i]);
            drawer_text_say(p, ROLE_VALUE, text);
        }
    } else if (r->kind == FXT_K_MMAP) {
        snprintf(text, sizeof text,
                 "  module %u %c%c%c at 0x%" PRIx64 ", %" PRIu64
                 " bytes, virtual address 0x%" PRIx64,
                 r->mmap.module_id, r->mmap.flags & 1 ? 'r' : '-', r->mmap.flags & 2 ? 'w' : '-',
                 r->mmap.flags & 4 ? 'x' : '-', r->mmap.start, r->mmap.size, r->mmap.address);
        drawer_text_say(p, ROLE_VALUE, text);
    }
    drawer_text_next_line(p);
    for (unsigned i = 0; r->kind == FXT_K_BACKTRACE && i < r->backtrace.n; i++) {
        snprintf(text, sizeof text, "#%-3u 0x%" PRIx64, i,
                 record_word(r->backtrace.pcs + i, r->swap));
        drawer_text_say(p, ROLE_VALUE, text);
        drawer_text_next_line(p);
    }
    details_around(p);
    details_record(p);
}
